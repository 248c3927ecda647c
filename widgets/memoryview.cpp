// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/memoryview.h"

#include "models/core/units.h"
#include "models/planning/planwords.h"
#include "widgets/card.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <array>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr double oneGib = 1073741824.0;
constexpr int mostRemedies = 3;
// One colour for each part, everywhere in the window: weights blue, activations orange ...
enum PartColour {
    WeightsColour = 0,
    GradientsColour = 4,
    OptimizerColour = 2,
    ActivationsColour = 1,
    TemporaryColour = 3,
    OverheadColour = 7
};

} // namespace

StackedBarData memoryBar(const DesignEstimate& estimate)
{
    const MemoryEstimate& memory = estimate.memory;
    const MemoryParts& parts = memory.parts;
    const PlannedRun& run = estimate.run;
    StackedBarData bar;
    const auto add = [&bar](const QString& name, double bytes, int colour, const QString& story) {
        bar.parts.append({name, bytes / oneGib, colour, story});
    };
    add(MemoryView::tr("weights"), parts.weights, WeightsColour, PlanWords::weightsStory(run));
    add(MemoryView::tr("gradients"), parts.gradients, GradientsColour, PlanWords::gradientsStory(run));
    add(MemoryView::tr("optimiser"), parts.optimizer, OptimizerColour, PlanWords::optimizerStory(run));
    add(MemoryView::tr("activations"), parts.activations, ActivationsColour, PlanWords::activationsStory(run));
    add(MemoryView::tr("temporary"), parts.temporary, TemporaryColour, PlanWords::temporaryStory(run));
    add(MemoryView::tr("overhead"), parts.overhead, OverheadColour, PlanWords::overheadStory(run));
    bar.low = memory.lowBytes / oneGib;
    bar.high = memory.highBytes / oneGib;
    bar.limit = memory.usableBytes / oneGib;
    bar.unit = u"GiB"_s;
    bar.limitText = MemoryView::tr("%1 usable").arg(PlanWords::gib(memory.usableBytes));
    bar.overText = MemoryView::tr("%1 GiB more than a %2 has")
                       .arg(PlanWords::gib(memory.totalBytes - memory.usableBytes),
                           run.gpu.name.isEmpty() ? MemoryView::tr("GPU") : run.gpu.name);
    bar.figure = [](double gib) { return PlanWords::gib(gib * oneGib); };
    return bar;
}

StackedBarData stepBar(const DesignEstimate& estimate)
{
    const StepEstimate& step = estimate.step;
    const double unit = step.seconds < 1 ? 1000 : 1;
    StackedBarData bar;
    bar.parts = {{StepView::tr("compute"), step.parts.compute * unit, 0, PlanWords::computeStory(estimate)},
        {StepView::tr("communication"), step.parts.communication * unit, 5,
            PlanWords::communicationStory(estimate.run)},
        {StepView::tr("pipeline bubble"), step.parts.bubble * unit, 6, PlanWords::bubbleStory(estimate.run)},
        {StepView::tr("other"), step.parts.other * unit, 7, PlanWords::otherStory()}};
    bar.low = step.lowSeconds * unit;
    bar.high = step.highSeconds * unit;
    bar.unit = unit > 1 ? u"ms"_s : u"s"_s;
    bar.figure = [](double value) { return humanNumber(value, value < 10 ? 2 : value < 100 ? 1 : 0); };
    return bar;
}

MemoryView::MemoryView(QWidget* parent) : QWidget(parent), m_bar(new StackedBar(tr("Memory of the fullest rank"), this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_bar);
    m_unknown = new QWidget(this);
    auto* row = new QHBoxLayout(m_unknown);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    m_why = makeLabel({}, "quiet", m_unknown);
    m_why->setWordWrap(true);
    m_name = new QPushButton(tr("Name the model"), m_unknown);
    row->addWidget(m_why, 1);
    row->addWidget(m_name);
    connect(m_name, &QPushButton::clicked, this, &MemoryView::modelWanted);
    column->addWidget(m_unknown);
    m_remedyBox = new QWidget(this);
    m_remedyColumn = new QVBoxLayout(m_remedyBox);
    m_remedyColumn->setContentsMargins(0, 4, 0, 0);
    m_remedyColumn->setSpacing(4);
    m_all = new QPushButton(tr("All layouts that fit"), m_remedyBox);
    m_all->setProperty("link", true);
    connect(m_all, &QPushButton::clicked, this, &MemoryView::layoutsWanted);
    m_remedyColumn->addWidget(m_all, 0, Qt::AlignLeft);
    column->addWidget(m_remedyBox);
}

MemoryView::RemedyRow& MemoryView::rowAt(int index)
{
    while (m_rows.size() <= index) {
        const int at = int(m_rows.size());
        RemedyRow made;
        made.row = new QWidget(m_remedyBox);
        auto* row = new QHBoxLayout(made.row);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(10);
        made.button = new QPushButton(made.row);
        made.effect = makeElidedLabel("quiet", made.row);
        row->addWidget(made.button);
        row->addWidget(made.effect, 1);
        connect(made.button, &QPushButton::clicked, this, [this, at] { emit remedyChosen(at); });
        m_remedyColumn->insertWidget(at, made.row);
        m_rows.append(made);
    }
    return m_rows[index];
}

void MemoryView::setData(const DesignEstimate& estimate, const QList<Remedy>& remedies)
{
    const bool known = estimate.known();
    m_bar->setVisible(known);
    m_unknown->setVisible(!known);
    if (known)
        m_bar->setData(memoryBar(estimate), PlanWords::verdictStory(estimate));
    else
        m_why->setText(PlanWords::verdictStory(estimate));
    const bool tight = known && estimate.memory.verdict >= FitVerdict::Borderline;
    const int shown = tight ? qMin(int(remedies.size()), mostRemedies) : 0;
    for (int i = 0; i < qMax(shown, int(m_rows.size())); ++i) {
        RemedyRow& row = rowAt(i);
        row.row->setVisible(i < shown);
        if (i >= shown)
            continue;
        const Remedy& remedy = remedies.at(i);
        row.button->setText(remedy.label);
        setStyleProperty(row.button, "accent", i == 0 && estimate.memory.verdict == FitVerdict::DoesNotFit);
        row.button->setToolTip(remedy.effect);
        row.button->setAccessibleDescription(remedy.effect);
        row.effect->setText(remedy.effect);
        row.effect->setToolTip(remedy.effect);
    }
    m_remedyBox->setVisible(tight);
    updateGeometry();
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

void StepView::setData(const DesignEstimate& estimate, const QString& gpuWord)
{
    const bool known = estimate.known();
    m_bar->setVisible(known);
    if (!known) {
        m_line->setText(PlanWords::verdictStory(estimate));
        return;
    }
    const QString speed = PlanWords::speedLine(estimate, gpuWord);
    m_bar->setData(stepBar(estimate), u"%1. %2"_s.arg(PlanWords::stepCaption(estimate), speed));
    QStringList lines{speed};
    if (!estimate.limitedBy.isEmpty())
        lines.append(estimate.limitedBy);
    if (!estimate.calibratedBy.isEmpty())
        lines.append(tr("Calibrated by %1.").arg(estimate.calibratedBy));
    m_line->setText(lines.join(u'\n'));
}

} // namespace rankwright
