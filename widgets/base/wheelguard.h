// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace rankwright {

/// The mouse wheel scrolls, and nothing else, in the whole program: over a spin box, choice, slider or row of tabs it
/// scrolls what the control is on, clicked or not, and it gives no widget the focus. Values change by click and key.
/// One for the program.
class WheelGuard final : public QObject {
    Q_OBJECT
public:
    explicit WheelGuard(QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace rankwright
