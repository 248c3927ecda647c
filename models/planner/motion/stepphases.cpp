// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/motion/stepphases.h"

#include "models/core/quantitytext.h"

namespace rankwright::inline planner {

using namespace Qt::StringLiterals;

namespace {

StepPhase phaseOf(StepPhase::Kind kind, const QString& name, const QString& computes, const QStringList& travelling)
{
    const QString travels = travelling.isEmpty() ? u"Nothing travels."_s : travelling.join(u' ');
    return {kind, name, computes, travels, !travelling.isEmpty()};
}

/// Within a model that is cut: in both passes.
QStringList betweenParts(const MotionFigures& figures, const QString& stagesPass)
{
    QStringList travelling;
    if (figures.tensor > 1)
        travelling.append(u"Outputs of each layer are added up over %1 tensor-parallel ranks."_s.arg(figures.tensor));
    if (figures.pipeline > 1)
        travelling.append(stagesPass);
    return travelling;
}

QString ofOwnSamples(const MotionFigures& figures)
{
    const QString samples = counted(figures.microBatch, u"sample"_s);
    return figures.data > 1 ? u"Each data-parallel rank computes the loss of its own %1."_s.arg(samples)
                            : u"The loss of %1 is computed."_s.arg(samples);
}

} // namespace

QList<StepPhase> stepPhases(const MotionFigures& figures)
{
    const bool many = figures.data > 1;
    const bool all = many && figures.sharding == Sharding::Full;
    const bool some
        = many && (figures.sharding == Sharding::OptimizerStates || figures.sharding == Sharding::Gradients);
    QStringList forward = betweenParts(figures, u"Activations go on to the next stage."_s);
    QStringList backward = betweenParts(figures, u"Gradients go back to the stage before."_s);
    QStringList step;
    if (all) {
        forward.append(u"The weights of each layer are gathered from all ranks just before they are used."_s);
        backward.append(figures.gathersTwice
                ? u"Weights are gathered again, and gradients are summed, each rank keeping its part."_s
                : u"Gradients are summed, each rank keeping its part."_s);
    } else if (some) {
        backward.append(u"Gradients are summed on the ranks that own them, while the rest is still computed."_s);
        step.append(u"The new weights go to all ranks."_s);
    } else if (many) {
        backward.append(u"The all-reduce sums the gradients over all ranks, while the rest is still computed."_s);
    }
    const QString own = all || some ? u"Each rank updates its own part."_s
        : many                      ? u"All ranks take the same step, so that the copies stay equal."_s
                                    : u"The weights are updated."_s;
    const QString again = figures.accumulation > 1
        ? u" This and the forward pass come %1 times in a step."_s.arg(humanNumber(double(figures.accumulation)))
        : QString();
    return {phaseOf(StepPhase::Kind::Forward, u"Forward"_s, ofOwnSamples(figures), forward),
        phaseOf(StepPhase::Kind::Backward, u"Backward"_s,
            u"Gradients are computed, from the last layer to the first."_s + again, backward),
        phaseOf(StepPhase::Kind::Step, u"Optimiser step"_s, own, step)};
}

} // namespace rankwright::inline planner
