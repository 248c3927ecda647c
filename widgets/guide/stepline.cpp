// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/stepline.h"

#include "widgets/base/card.h"
#include "widgets/guide/stepbutton.h"

#include <QBoxLayout>
#include <QEvent>

namespace rankwright {

namespace {
constexpr int lineWidth = 18;
constexpr int leastLine = 3;
constexpr int spacing = 4;
} // namespace

StepLine::StepLine(QWidget* parent) : QWidget(parent), m_row(new QHBoxLayout(this))
{
    setAccessibleName(tr("Steps"));
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(spacing);
    for (int i = 0; i < guideSteps; ++i) {
        if (i > 0) {
            QWidget* line = makeLine(Qt::Horizontal, this);
            line->setFixedWidth(lineWidth);
            m_row->addWidget(line);
            m_lines.append(line);
        }
        auto* button = new StepButton(GuideStep(i), this);
        connect(button, &QAbstractButton::clicked, this, [this, i] { emit stepClicked(GuideStep(i)); });
        m_row->addWidget(button);
        m_buttons.append(button);
    }
    m_row->addStretch(1);
}

void StepLine::setStep(GuideStep present, GuideStep reached)
{
    for (StepButton* button : m_buttons) {
        const int at = guideStepIndex(button->step());
        const bool isDone = at < guideStepIndex(reached);
        button->setState(button->step() == present ? StepButton::State::Present
                : isDone                           ? StepButton::State::Done
                : button->step() == reached        ? StepButton::State::Reached
                                                   : StepButton::State::ToCome);
    }
    fitButtons();
}

QWidget* StepLine::presentButton() const
{
    for (StepButton* button : m_buttons) {
        if (button->state() == StepButton::State::Present)
            return button;
    }
    return nullptr;
}

int StepLine::widthFor(ButtonForm form, int gap) const
{
    int all = (guideSteps - 1) * (gap + 2 * spacing) + spacing;
    for (const StepButton* button : m_buttons)
        all += button->widthFor(form == ButtonForm::Narrow);
    return all;
}

void StepLine::fitButtons()
{
    // First the lines between give way, then the names.
    const bool narrow = widthFor(ButtonForm::Wide, leastLine) > width();
    const int gap
        = widthFor(narrow ? ButtonForm::Narrow : ButtonForm::Wide, lineWidth) > width() ? leastLine : lineWidth;
    for (QWidget* line : m_lines)
        line->setFixedWidth(gap);
    for (StepButton* button : m_buttons)
        button->setNarrow(narrow);
}

QSize StepLine::minimumSizeHint() const
{
    return {widthFor(ButtonForm::Narrow, leastLine), QWidget::minimumSizeHint().height()};
}

QSize StepLine::sizeHint() const { return {widthFor(ButtonForm::Wide, lineWidth), QWidget::sizeHint().height()}; }

void StepLine::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitButtons();
}

void StepLine::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fitButtons();
}

} // namespace rankwright
