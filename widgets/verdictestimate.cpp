// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The planner's part of the verdict row: does it fit, how fast is it.
#include "models/core/units.h"
#include "models/planning/planwords.h"
#include "widgets/card.h"
#include "widgets/figurebutton.h"
#include "widgets/verdictbar.h"

#include <QBoxLayout>
#include <QPushButton>
#include <QResizeEvent>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr double oneGib = 1073741824.0;

/// A shape before the word, for those who do not see the colour.
QString shapeOf(FitVerdict verdict)
{
    switch (verdict) {
    case FitVerdict::Fits: return u"✓"_s;
    case FitVerdict::Probably: return u"≈"_s;
    case FitVerdict::Borderline: return u"!"_s;
    case FitVerdict::DoesNotFit: break;
    }
    return u"✕"_s;
}

QString styleOf(FitVerdict verdict)
{
    return verdict <= FitVerdict::Probably ? u"good"_s : verdict == FitVerdict::Borderline ? u"warn"_s : u"bad"_s;
}

} // namespace

void VerdictBar::setEstimate(const DesignEstimate& estimate, const QString& gpuWord)
{
    m_known = estimate.known();
    if (!m_known) {
        showUnknown(estimate, gpuWord);
        makeRoom();
        return;
    }
    const MemoryEstimate& memory = estimate.memory;
    const QString word = PlanWords::verdict(memory.verdict);
    const QString story = PlanWords::verdictStory(estimate);
    m_fit->setText(u"%1 %2"_s.arg(shapeOf(memory.verdict), word));
    m_fit->setAccessibleName(word);
    m_fit->setAccessibleDescription(story);
    m_fit->setToolTip(u"<p>"_s + story.toHtmlEscaped() + u"</p>"_s);
    setStyleProperty(m_fit, "verdict", styleOf(memory.verdict));
    const QString band = PlanWords::range(memory.lowBytes / oneGib, memory.highBytes / oneGib);
    m_memory->setFigure(PlanWords::gibWithUnit(memory.totalBytes), band,
        tr("per %1 of %2 usable").arg(gpuWord, PlanWords::gib(memory.usableBytes)),
        tr("Peak memory of the fullest rank. %1").arg(story));
    const StepEstimate& step = estimate.step;
    const double unit = step.highSeconds < 1 ? 1000 : 1;
    const double samples = double(estimate.run.layout.globalBatch());
    const double tokens = samples * double(qMax<qint64>(1, estimate.run.workload.sequence));
    const QString sampleWord = PlanWords::sampleWord(estimate.run.workload);
    const bool images = estimate.run.workload.shape.family == ModelFamily::Vision
        || estimate.run.workload.shape.family == ModelFamily::Convolution;
    const double amount = images ? samples : tokens;
    const QString size = amount >= 1e6 ? tr("%1 M").arg(humanNumber(amount / 1e6, 1)) : humanNumber(amount, 0);
    m_step->setFigure(PlanWords::time(step.seconds), PlanWords::range(step.lowSeconds * unit, step.highSeconds * unit),
        tr("per step of %1 %2").arg(size, sampleWord),
        tr("Time of one optimiser step, %1 in nine of ten runs. %2")
            .arg(PlanWords::range(step.lowSeconds * unit, step.highSeconds * unit) + (unit > 1 ? u" ms"_s : u" s"_s),
                estimate.limitedBy));
    m_speed->setFigure(PlanWords::rate(step.tokensPerSecondPerGpu), {},
        tr("%1/s per %2 · MFU %3").arg(sampleWord, gpuWord, PlanWords::percent(step.mfu)),
        tr("How fast each %1 trains. MFU is the share of its peak that the model's own arithmetic uses. %2")
            .arg(gpuWord, PlanWords::speedLine(estimate, gpuWord)));
    makeRoom();
}

void VerdictBar::showUnknown(const DesignEstimate& estimate, const QString& gpuWord)
{
    const QString why = PlanWords::verdictStory(estimate);
    m_fit->setText(tr("Fit not known"));
    m_fit->setAccessibleName(m_fit->text());
    m_fit->setAccessibleDescription(why);
    m_fit->setToolTip(u"<p>"_s + why.toHtmlEscaped() + u"</p>"_s);
    setStyleProperty(m_fit, "verdict", u"quiet"_s);
    m_memory->setFigure(u"—"_s, {}, tr("memory per %1").arg(gpuWord), why);
    m_step->setFigure(u"—"_s, {}, tr("time of a step"), why);
    m_speed->setFigure(u"—"_s, {}, tr("speed per %1").arg(gpuWord), why);
}

void VerdictBar::makeRoom()
{
    // What other places of the page tell as well gives way first; a cut figure would be worse than none.
    const QList<QWidget*> order{m_ranks, m_batch, m_speed, m_start};
    for (QWidget* figure : order)
        figure->setVisible(true);
    int wanted = 32;
    for (QWidget* each : std::initializer_list<QWidget*>{
             m_pill, m_fit, m_memory, m_step, m_speed, m_ranks, m_batch, m_cost, m_start, m_rehearse, m_launch})
        wanted += qMax(each->minimumWidth(), each->sizeHint().width()) + 10;
    for (QWidget* figure : order) {
        if (wanted <= width())
            return;
        figure->setVisible(false);
        wanted -= figure->sizeHint().width() + 10;
    }
}

void VerdictBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    makeRoom();
}

} // namespace rankwright
