// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/guide/guidestep.h"

#include <QAbstractButton>

namespace rankwright {

/// One step of the guide's line: a round mark with a tick or a number, and its name beside it.
class StepButton final : public QAbstractButton {
    Q_OBJECT
public:
    enum class State { Done, Present, Reached, ToCome };
    StepButton(GuideStep step, QWidget* parent);

    void setState(State state);
    State state() const { return m_state; }
    GuideStep step() const { return m_step; }
    /// Without its name, unless it is the present one.
    void setNarrow(bool narrow);
    int widthFor(bool narrow) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool isNamed(bool narrow) const { return !narrow || m_state == State::Present; }
    int markSize() const;

    GuideStep m_step;
    State m_state = State::ToCome;
    bool m_narrow = false;
};

} // namespace rankwright
