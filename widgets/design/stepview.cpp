// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/stepview.h"

#include "models/core/units.h"
#include "models/planner/planning/estimatetext.h"
#include "widgets/base/card.h"

#include <QBoxLayout>
#include <QLabel>

namespace rankwright {

using namespace Qt::StringLiterals;

StackedBarData stepBar(const DesignEstimate& estimate)
{
    const StepEstimate& step = estimate.step;
    const double unit = step.seconds < 1 ? 1000 : 1;
    StackedBarData bar;
    bar.parts = {{StepView::tr("compute"), step.parts.compute * unit, 0, EstimateText::computeReason(estimate)},
        {StepView::tr("communication"), step.parts.communication * unit, 5,
            EstimateText::communicationReason(estimate.run)},
        {StepView::tr("pipeline bubble"), step.parts.bubble * unit, 6, EstimateText::bubbleReason(estimate.run)},
        {StepView::tr("other"), step.parts.other * unit, 7, EstimateText::otherReason()}};
    bar.low = step.lowSeconds * unit;
    bar.high = step.highSeconds * unit;
    bar.unit = unit > 1 ? u"ms"_s : u"s"_s;
    bar.figure = [](double value) { return humanNumber(value, value < 10 ? 2 : value < 100 ? 1 : 0); };
    return bar;
}

StepView::StepView(QWidget* parent)
    : QWidget(parent), m_bar(new StackedBar(tr("Time of a step"), this)), m_line(makeLabel({}, "quiet", this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    m_line->setWordWrap(true);
    column->addWidget(m_bar);
    column->addWidget(m_line);
}

void StepView::setData(const Result<DesignEstimate>& estimate, const QString& gpuWord)
{
    const bool known = estimate.hasValue();
    m_bar->setVisible(known);
    if (!known) {
        m_line->setText(EstimateText::verdictSummary(estimate));
        return;
    }
    const QString speed = EstimateText::speedLine(*estimate, gpuWord);
    m_bar->setData(stepBar(*estimate), u"%1. %2"_s.arg(EstimateText::stepCaption(*estimate), speed));
    QStringList lines{speed};
    if (!estimate->limitedBy.isEmpty())
        lines.append(estimate->limitedBy);
    if (const QString corrected = EstimateText::correction(estimate->timeCorrection); !corrected.isEmpty())
        lines.append(corrected);
    m_line->setText(lines.join(u'\n'));
}

} // namespace rankwright
