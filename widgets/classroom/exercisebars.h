// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

namespace rankwright {

/// A short bar for each exercise of a class: done, the present one, to come. Its accessible name says the same in
/// words.
class ExerciseBars final : public QWidget {
    Q_OBJECT
public:
    explicit ExerciseBars(QWidget* parent = nullptr);

    void setExercises(const QList<bool>& done, int current);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QList<bool> m_done;
    int m_current = 0;
};

} // namespace rankwright
