// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "models/planner/design/strategyname.h"
#include "models/planner/motion/motiondrawing.h"
#include "models/planner/motion/motions.h"

namespace rankwright::inline planner {

using namespace Qt::StringLiterals;

namespace {

/// How much of each state a rank holds, 0..1 of a whole copy; what is whole for a moment only is named.
struct ShardsShown {
    double weights = 1;
    double gradients = 0;
    double optimizer = 1;
    QString gathered = {}; ///< what lies whole on every rank now
    MotionRole gatheredRole = MotionRole::Weights;
};

QList<MotionBox> shares(const MotionColumns& columns, const MotionFigures& figures, const ShardsShown& shown)
{
    QList<MotionBox> boxes = columns.boxes(figures.gpuWord);
    for (qsizetype column = 0; column < columns.ranks.size(); ++column) {
        const int rank = columns.ranks.at(column);
        if (rank < 0)
            continue;
        boxes.append({u"weights%1"_s.arg(rank), MotionRole::Weights, columns.strip(column, 0, 0.15), u"weights"_s,
            shown.weights});
        boxes.append({u"gradients%1"_s.arg(rank), MotionRole::Gradients, columns.strip(column, 0.19, 0.15),
            u"gradients"_s, shown.gradients});
        boxes.append({u"optimizer%1"_s.arg(rank), MotionRole::Optimizer, columns.strip(column, 0.38, 0.15),
            u"optimiser"_s, shown.optimizer});
        if (!shown.gathered.isEmpty())
            boxes.append(
                {u"gathered%1"_s.arg(rank), shown.gatheredRole, columns.strip(column, 0.6, 0.17), shown.gathered});
    }
    return boxes;
}

/// "1/16 of weights, gradients and optimiser state (7.0 GiB instead of 112 GiB)".
QString holdingOf(const MotionFigures& figures)
{
    const int group = figures.shardGroup;
    const bool known = figures.weights && figures.gradients && figures.optimizer;
    const auto share = [&](double bytes, Sharding from) { return figures.sharding >= from ? bytes / group : bytes; };
    QString text = figures.sharding == Sharding::Full ? u"1/%1 of weights, gradients and optimiser state"_s
        : figures.sharding == Sharding::Gradients     ? u"all weights, and 1/%1 of gradients and optimiser state"_s
                                                      : u"all weights and gradients, and 1/%1 of the optimiser state"_s;
    text = text.arg(humanNumber(group));
    if (!known)
        return text;
    const double whole = *figures.weights + *figures.gradients + *figures.optimizer;
    const double held = share(*figures.weights, Sharding::Full) + share(*figures.gradients, Sharding::Gradients)
        + share(*figures.optimizer, Sharding::OptimizerStates);
    return text + u": %1 instead of %2"_s.arg(motionSize(held), motionSize(whole));
}

/// The frames of ZeRO-3 and FSDP (Rajbhandari et al. 2020, arXiv 1910.02054, section 7; Zhao et al. 2023, arXiv
/// 2304.11277, section 3).
void addGathering(MotionPicture& picture, const MotionColumns& columns, const MotionFigures& figures)
{
    const int group = figures.shardGroup;
    const double part = 1.0 / group;
    const ShardsShown rest{.weights = part, .gradients = 0, .optimizer = part};
    const QString of = figures.layers ? u" of %1"_s.arg(humanNumber(*figures.layers)) : QString();
    QString sends;
    if (figures.layerWeights)
        sends = u": %1, of which each rank sends and receives %2"_s.arg(
            motionSize(*figures.layerWeights), motionSize(ringAllReduceBytes(*figures.layerWeights, group) / 2));
    ShardsShown one = rest;
    one.gathered = u"layer 1, whole"_s;
    addFrame(picture, u"Just before layer 1%1 the ranks gather its weights from one another%2."_s.arg(of, sends),
        shares(columns, figures, one), columns.ring(MotionRole::Weights, 0.9, u"gather1"_s));
    ShardsShown two = rest;
    two.gathered = u"layer 2, whole"_s;
    addFrame(picture,
        u"%1, and layer 2 is gathered while layer 1 computes."_s.arg(figures.gathersTwice
                ? u"After its pass the layer is dropped again"_s
                : u"The layer stays whole until its backward pass"_s),
        shares(columns, figures, two), columns.ring(MotionRole::Weights, 0.9, u"gather2"_s));
    if (figures.gathersTwice) {
        ShardsShown back = rest;
        back.gathered = u"last layer, whole"_s;
        addFrame(picture,
            u"The backward pass goes from the last layer to the first, and gathers each of them once more."_s,
            shares(columns, figures, back), columns.ring(MotionRole::Weights, 0.9, u"gather3"_s));
    }
    ShardsShown scatter = rest;
    scatter.gradients = part;
    scatter.gathered = u"layer's gradients"_s;
    scatter.gatheredRole = MotionRole::Gradients;
    addFrame(picture,
        u"The gradients of a layer are scattered at once: each rank keeps the sum of its 1/%1 and forgets the rest."_s
            .arg(humanNumber(group)),
        shares(columns, figures, scatter), columns.ring(MotionRole::Gradients, 0.9, u"scatter"_s));
    ShardsShown step = rest;
    step.gradients = part;
    QString total;
    if (figures.layerWeights && figures.layers && figures.gradients) {
        // A layer's share of the embedding is left out: what is said is of the layers.
        const double weights = *figures.layerWeights * *figures.layers / figures.pipeline;
        const double gathers = (figures.gathersTwice ? 2 : 1) * ringAllReduceBytes(weights, group) / 2;
        total = u"; the layers made each rank send %1 in this pass"_s.arg(
            motionSize(gathers + ringAllReduceBytes(*figures.gradients, group) / 2));
    }
    addFrame(picture, u"The optimiser steps on each rank's own 1/%1 alone%2."_s.arg(humanNumber(group), total),
        shares(columns, figures, step));
}

/// The frames of ZeRO-1 and -2 (Rajbhandari et al. 2020, section 5).
void addOwning(MotionPicture& picture, const MotionColumns& columns, const MotionFigures& figures)
{
    const int group = figures.shardGroup;
    const double part = 1.0 / group;
    const bool gradientsToo = figures.sharding == Sharding::Gradients;
    ShardsShown shown{.weights = 1, .gradients = 0, .optimizer = part};
    addFrame(picture, u"Forward pass: the weights are whole on every rank, so nothing travels."_s,
        shares(columns, figures, shown));
    const auto half = [&](const std::optional<double>& bytes) {
        return bytes ? u" (each rank sends %1)"_s.arg(motionSize(ringAllReduceBytes(*bytes, group) / 2)) : QString();
    };
    shown.gradients = gradientsToo ? part : 1;
    shown.gathered = u"bucket"_s;
    shown.gatheredRole = MotionRole::Gradients;
    addFrame(picture,
        u"Backward pass: the sum of each part of the gradients goes to the rank that owns it%1."_s.arg(
            half(figures.gradients)),
        shares(columns, figures, shown), columns.ring(MotionRole::Gradients, 0.9, u"scatter"_s));
    shown.gathered.clear();
    addFrame(picture,
        u"Each rank steps its 1/%1 of the weights, with its part of the optimiser state."_s.arg(humanNumber(group)),
        shares(columns, figures, shown));
    shown.gathered = u"new weights"_s;
    shown.gatheredRole = MotionRole::Weights;
    addFrame(picture,
        u"The new weights are gathered from their owners, so that all ranks have them whole again%1."_s.arg(
            half(figures.weights)),
        shares(columns, figures, shown), columns.ring(MotionRole::Weights, 0.9, u"gather"_s));
}

} // namespace

MotionPicture shardingMotion(const MotionFigures& figures)
{
    const bool full = figures.sharding == Sharding::Full || figures.sharding == Sharding::None;
    MotionFigures drawn = figures;
    if (drawn.sharding == Sharding::None)
        drawn.sharding = Sharding::Full; // asked for without one: as FSDP would
    MotionPicture picture{MotionKind::Sharding,
        u"%1: states shared out"_s.arg(figures.sharding == Sharding::None ? u"FSDP"_s : strategyName(figures.strategy)),
        {}};
    const int group = qMax(1, drawn.shardGroup);
    drawn.shardGroup = group;
    const MotionColumns columns(group);
    const double part = 1.0 / group;
    if (group == 1) {
        addFrame(picture, u"One rank holds everything: there is no other to share with, and nothing is sent."_s,
            shares(columns, drawn, {}));
        return picture;
    }
    QString groups;
    if (group < drawn.data)
        groups = u" of its group of %1"_s.arg(humanNumber(group));
    addFrame(picture, u"Each rank%1 keeps %2."_s.arg(groups, holdingOf(drawn)),
        shares(columns, drawn, {.weights = full ? part : 1, .gradients = 0, .optimizer = part}));
    if (full)
        addGathering(picture, columns, drawn);
    else
        addOwning(picture, columns, drawn);
    if (group < drawn.data) {
        const QString among = counted(drawn.data / group, u"group"_s);
        addFrame(picture,
            u"Once per step the %1 of the same part in %2 average their gradients."_s.arg(u"ranks"_s, among),
            shares(columns, drawn, {.weights = full ? part : 1, .gradients = part, .optimizer = part}));
    }
    return picture;
}

} // namespace rankwright::inline planner
