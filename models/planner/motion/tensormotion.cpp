// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "models/planner/motion/motiondrawing.h"
#include "models/planner/motion/motions.h"

namespace rankwright::inline planner {

using namespace Qt::StringLiterals;

namespace {

struct TensorShown {
    bool input = false;
    bool columns = false; ///< of the first matrix are computed
    double sum = 0; ///< 0.5: partial
};

QList<MotionBox> slices(const MotionColumns& columns, const MotionFigures& figures, const TensorShown& shown)
{
    QList<MotionBox> boxes = columns.boxes(figures.gpuWord);
    for (qsizetype column = 0; column < columns.ranks.size(); ++column) {
        const int rank = columns.ranks.at(column);
        if (rank < 0)
            continue;
        if (shown.input)
            boxes.append({u"input%1"_s.arg(rank), MotionRole::Activations, columns.strip(column, 0, 0.14), u"input"_s});
        boxes.append({u"first%1"_s.arg(rank), MotionRole::Weights, columns.strip(column, 0.18, 0.18), u"columns of A"_s,
            shown.columns ? 1.0 : 0.6});
        boxes.append({u"second%1"_s.arg(rank), MotionRole::Weights, columns.strip(column, 0.4, 0.18), u"rows of B"_s,
            shown.sum > 0 ? 1.0 : 0.6});
        if (shown.sum > 0)
            boxes.append({u"sum%1"_s.arg(rank), MotionRole::Activations, columns.strip(column, 0.64, 0.15),
                shown.sum < 1 ? u"part of a sum"_s : u"whole sum"_s, shown.sum});
    }
    return boxes;
}

} // namespace

/// Shoeybi et al. 2019 (arXiv 1909.08053), section 3: A is split by columns, B by rows, one all-reduce behind each pair
/// in the forward and one in the backward pass; attention and MLP are a pair each.
MotionPicture tensorMotion(const MotionFigures& figures)
{
    const int ranks = figures.tensor;
    MotionPicture picture{MotionKind::Tensor, u"Tensor: each layer split"_s, {}};
    const MotionColumns columns(ranks);
    if (ranks <= 1) {
        addFrame(picture, u"Tensor degree 1: every layer lies whole on one rank, and nothing travels within it."_s,
            slices(columns, figures, {}));
        return picture;
    }
    QString held;
    if (figures.layerWeights)
        held = u": %1 of each layer's %2"_s.arg(
            motionSize(*figures.layerWeights), motionSize(*figures.layerWeights * ranks));
    addFrame(picture,
        u"Each of %1 ranks holds 1/%1 of every matrix%2; the first of a pair is cut by columns, the second by rows."_s
            .arg(humanNumber(ranks), held),
        slices(columns, figures, {}));
    addFrame(picture,
        u"All %1 take the same input and compute their own columns (their attention heads), and nothing travels."_s.arg(
            humanNumber(ranks)),
        slices(columns, figures, {.input = true, .columns = true}));
    addFrame(picture, u"Their rows of the second matrix fit those columns, and each rank gets one part of the sum."_s,
        slices(columns, figures, {.input = true, .columns = true, .sum = 0.5}));
    QString message;
    if (figures.boundary)
        message = u": an output of %1, for which each rank sends %2"_s.arg(
            motionSize(*figures.boundary), motionSize(ringAllReduceBytes(*figures.boundary, ranks)));
    addFrame(picture, u"An all-reduce adds the parts%1, and the next pair cannot begin before."_s.arg(message),
        slices(columns, figures, {.input = true, .columns = true, .sum = 1}),
        columns.ring(MotionRole::Activations, 0.88, u"sum"_s));
    QString total;
    if (figures.boundary && figures.layers) {
        const int layers = qMax(1, *figures.layers / figures.pipeline);
        total = u", so that %1 make each rank send %2 for one micro-batch"_s.arg(
            counted(layers, u"layer"_s), motionSize(4.0 * layers * ringAllReduceBytes(*figures.boundary, ranks)));
    }
    addFrame(picture,
        u"That is done four times a layer (attention and MLP, forward and backward)%1, and belongs on fast links."_s
            .arg(total),
        slices(columns, figures, {.input = true, .columns = true, .sum = 1}),
        columns.ring(MotionRole::Gradients, 0.88, u"back"_s));
    return picture;
}

} // namespace rankwright::inline planner
