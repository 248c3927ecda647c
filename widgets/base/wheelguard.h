// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

namespace rankwright {

/// Keeps the mouse wheel from changing values in passing, in the whole program: a spin box, choice, slider or row of
/// tabs takes it only while it has the focus that a click gave it; before, the wheel scrolls what the control is on.
/// Controls of other classes whose value turns with the wheel join by turnsWithTheWheel(). One for the program.
class WheelGuard final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(WheelGuard)
public:
    explicit WheelGuard(QObject* parent = nullptr);

    static void turnsWithTheWheel(QWidget* control);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QPointer<QWidget> m_used; ///< was clicked and has kept the focus since
};

} // namespace rankwright
