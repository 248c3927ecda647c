// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "models/planner/motion/motiondrawing.h"
#include "models/planner/motion/motions.h"

namespace rankwright::inline planner {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 mostPasses = 8;

/// The passes of one rank's step as a row of boxes, `done` of them behind it, `now` in work; below what it holds.
QList<MotionBox> passes(const MotionFigures& figures, qint64 done, bool now, bool stepped)
{
    const qint64 drawn = qMin(figures.accumulation, mostPasses);
    const bool fewer = drawn < figures.accumulation;
    QList<MotionBox> boxes;
    const double each = (motionSheet.width() - 20) / double(drawn);
    for (qint64 i = 0; i < drawn; ++i) {
        const bool gap = fewer && i == drawn - 2;
        const qint64 number = fewer && i == drawn - 1 ? figures.accumulation : i + 1;
        const bool past = number <= done || (gap && done >= figures.accumulation);
        const bool current = now && number == done + 1;
        boxes.append({u"pass%1"_s.arg(i), past || current ? MotionRole::Samples : MotionRole::Rank,
            {10 + double(i) * each + 4, 10, each - 8, 90}, gap ? u"…"_s : QString::number(number), past ? 1 : 0.4});
    }
    if (now)
        boxes.append({u"activations"_s, MotionRole::Activations, {10, 130, motionSheet.width() - 20, 64},
            u"activations of one micro-batch"_s});
    const double filled = double(done) / double(figures.accumulation);
    boxes.append({u"gradients"_s, MotionRole::Gradients, {10, 212, motionSheet.width() - 20, 64}, u"sum of gradients"_s,
        stepped ? 0 : filled});
    boxes.append({u"weights"_s, MotionRole::Weights, {10, 290, motionSheet.width() - 20, 60},
        stepped ? u"new weights"_s : u"weights"_s});
    return boxes;
}

} // namespace

MotionPicture accumulationMotion(const MotionFigures& figures)
{
    MotionPicture picture{MotionKind::Accumulation, u"Gradient accumulation"_s, {}};
    const qint64 steps = figures.accumulation;
    const qint64 ranks = qMax<qint64>(1, figures.globalBatch / qMax<qint64>(1, figures.microBatch * steps));
    const QString product = u"%1 × %2 × %3 = %4"_s.arg(humanNumber(double(figures.microBatch)),
        humanNumber(double(steps)), humanNumber(double(ranks)), humanNumber(double(figures.globalBatch)));
    addFrame(picture,
        u"Micro-batch × accumulation × ranks: %1 sequences go into one optimiser step, and a rank takes its part in %2."_s
            .arg(product, counted(steps, u"pass"_s, u"passes"_s)),
        passes(figures, 0, false, false));
    addFrame(picture,
        u"Pass 1: activations%1 of one micro-batch alone are kept, and its gradients begin the sum."_s.arg(
            inBrackets(figures.activations)),
        passes(figures, 0, true, false));
    if (steps > 1)
        addFrame(picture,
            u"Pass 2 uses the same memory again, and adds its gradients%1 to the sum."_s.arg(
                inBrackets(figures.gradients)),
            passes(figures, 1, true, false));
    if (steps > 2)
        addFrame(picture,
            u"So it goes on to pass %1; weights stay as they are, and ranks need not talk."_s.arg(
                humanNumber(double(steps))),
            passes(figures, steps - 1, true, false));
    QString sends = u"There is one rank, so nothing travels"_s;
    if (figures.data > 1)
        sends = figures.sharding == Sharding::Full ? u"Sharded ranks have gathered weights in every pass"_s
            : figures.gradients
            ? u"After the last pass the sums are exchanged once: %1 sent by each %2 instead of %3 times that"_s.arg(
                motionSize(ringAllReduceBytes(*figures.gradients, figures.data)), figures.gpuWord,
                humanNumber(double(steps)))
            : u"After the last pass the sums are exchanged once, instead of %1 times"_s.arg(humanNumber(double(steps)));
    addFrame(picture, sends + u"."_s, passes(figures, steps, false, false));
    addFrame(picture,
        u"The optimiser takes one step with the mean of %1, and the sum begins at zero again."_s.arg(
            counted(figures.globalBatch, u"sequence"_s)),
        passes(figures, steps, false, true));
    return picture;
}

} // namespace rankwright::inline planner
