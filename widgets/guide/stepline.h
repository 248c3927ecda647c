// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/guide/guidestep.h"

#include <QWidget>

class QBoxLayout;

namespace rankwright {

class StepButton;

/// The steps on top of the guide: finished ones with a tick, the current one filled, later ones hollow. A click on a
/// step that was reached goes there. If not all names fit, only the current one is shown; the others are in tool tips
/// and accessible names.
class StepLine final : public QWidget {
    Q_OBJECT
public:
    explicit StepLine(QWidget* parent = nullptr);

    void setStep(GuideStep present, GuideStep reached);
    /// Of the present step: where the focus can stand meanwhile.
    QWidget* presentButton() const;
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

signals:
    void stepClicked(rankwright::GuideStep step);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    enum class ButtonForm { Wide, Narrow };
    int widthFor(ButtonForm form, int gap) const;
    void fitButtons();

    QList<StepButton*> m_buttons;
    QList<QWidget*> m_lines;
    QBoxLayout* m_row = nullptr;
};

} // namespace rankwright
