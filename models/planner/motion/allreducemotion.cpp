// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "models/planner/motion/motiondrawing.h"
#include "models/planner/motion/motions.h"

namespace rankwright::inline planner {

using namespace Qt::StringLiterals;

namespace {

// DistributedDataParallel's bucket_cap_mb (PyTorch 2, torch.nn.parallel.DistributedDataParallel).
constexpr double bucketBytes = 25 * 1048576.0;

struct Shown {
    bool samples = true;
    double activations = 0;
    double gradients = 0; ///< from the last layer on
    bool summed = false;
    bool stepped = false;
};

QList<MotionBox> replicas(const MotionColumns& columns, const MotionFigures& figures, const Shown& shown)
{
    QList<MotionBox> boxes = columns.boxes(figures.gpuWord);
    for (qsizetype column = 0; column < columns.ranks.size(); ++column) {
        const int rank = columns.ranks.at(column);
        if (rank < 0)
            continue;
        if (shown.samples)
            boxes.append({u"data%1"_s.arg(rank), MotionRole::Samples, columns.strip(column, 0, 0.16),
                counted(figures.microBatch, u"sequence"_s)});
        boxes.append({u"weights%1"_s.arg(rank), MotionRole::Weights, columns.strip(column, 0.2, 0.2),
            shown.stepped ? u"new weights"_s : u"weights"_s});
        if (shown.activations > 0)
            boxes.append({u"activations%1"_s.arg(rank), MotionRole::Activations, columns.strip(column, 0.44, 0.16),
                u"activations"_s, shown.activations});
        if (shown.gradients > 0)
            boxes.append({u"gradients%1"_s.arg(rank), MotionRole::Gradients, columns.strip(column, 0.64, 0.16),
                shown.summed ? u"mean gradient"_s : u"own gradients"_s, shown.gradients});
    }
    return boxes;
}

QString bucketSentence(const MotionFigures& figures)
{
    const QString begin = u"Backward pass: gradients come out from the last layer to the first"_s;
    if (!figures.gradients)
        return begin + u" and are gathered in buckets."_s;
    const qint64 buckets = qMax<qint64>(1, qRound64(*figures.gradients / bucketBytes));
    return begin
        + u", %1 in all, gathered in some %2."_s.arg(
            motionSize(*figures.gradients), counted(buckets, u"bucket of 25\u2009MiB"_s, u"buckets of 25\u2009MiB"_s));
}

/// Reduce-scatter and all-gather, a half of the ring's traffic each.
void addRing(MotionPicture& picture, const MotionColumns& columns, const MotionFigures& figures)
{
    const int ranks = figures.data;
    Shown shown{.activations = 0.5, .gradients = 0.5};
    const QString rounds = counted(ranks - 1, u"round"_s);
    QString half;
    QString whole;
    if (figures.gradients) {
        half = u": %1"_s.arg(motionSize(ringAllReduceBytes(*figures.gradients, ranks) / 2));
        whole = u": %1 sent by each %2 per step"_s.arg(
            motionSize(ringAllReduceBytes(*figures.gradients, ranks)), figures.gpuWord);
    }
    addFrame(picture,
        u"Full buckets travel while the backward pass goes on: in %1 of a ring each rank adds what it gets from its left "
        "and hands it on%2."_s.arg(rounds, half),
        replicas(columns, figures, shown), columns.ring(MotionRole::Gradients, 0.86, u"reduce"_s));
    shown = {.gradients = 1, .summed = true};
    addFrame(picture,
        u"%1 more bring the sum to all ranks, which makes 2 × %2/%3 of the gradients%4."_s.arg(
            rounds, humanNumber(ranks - 1), humanNumber(ranks), whole),
        replicas(columns, figures, shown), columns.ring(MotionRole::Gradients, 0.86, u"gather"_s));
}

} // namespace

MotionPicture allReduceMotion(const MotionFigures& figures)
{
    MotionPicture picture{MotionKind::AllReduce, u"DDP: every rank a whole copy"_s, {}};
    const MotionColumns columns(figures.data);
    addFrame(picture,
        u"%1 holds the whole model%2 and takes %3 of its own."_s.arg(
            figures.data > 1 ? u"Each of the %1 ranks"_s.arg(humanNumber(figures.data)) : u"The only rank"_s,
            inBrackets(figures.weights), counted(figures.microBatch, u"sequence"_s)),
        replicas(columns, figures, {}));
    addFrame(picture,
        u"Forward pass: every rank computes the loss of its own sequences and keeps activations%1; nothing travels."_s
            .arg(inBrackets(figures.activations)),
        replicas(columns, figures, {.activations = 1}));
    if (figures.accumulation > 1)
        addFrame(picture,
            u"This is done %1 times, gradients are added up on the spot, and only the last backward pass exchanges them."_s
                .arg(humanNumber(double(figures.accumulation))),
            replicas(columns, figures, {.activations = 1, .gradients = 0.2}));
    addFrame(picture, bucketSentence(figures), replicas(columns, figures, {.activations = 0.6, .gradients = 0.4}));
    if (figures.data > 1)
        addRing(picture, columns, figures);
    else
        addFrame(picture, u"One rank: there is no other to exchange gradients with, and nothing is sent."_s,
            replicas(columns, figures, {.gradients = 1}));
    addFrame(picture,
        figures.data > 1
            ? u"Every rank takes the same optimiser step with the same mean of %1, so all copies stay equal."_s.arg(
                counted(figures.globalBatch, u"sequence"_s))
            : u"The optimiser takes its step, and the next sequences come."_s,
        replicas(columns, figures, {.samples = false, .gradients = 1, .summed = figures.data > 1, .stepped = true}));
    return picture;
}

} // namespace rankwright::inline planner
