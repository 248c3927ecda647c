// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/figureedit.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"

namespace rankwright::inline planner {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 largestNodes = 10000; // as resolve() clamps
constexpr qint64 largestBatch = 1000000000000;

qint64 mostOf(PictureFigure figure, const ResolvedSpec& resolved)
{
    switch (figure) {
    case PictureFigure::Nodes: return largestNodes;
    case PictureFigure::GpusPerNode: return resolved.node.gpus > 0 ? resolved.node.gpus : 64;
    case PictureFigure::MicroBatch:
    case PictureFigure::Accumulation:
    case PictureFigure::GlobalBatch: break;
    }
    return largestBatch;
}

} // namespace

qint64 figureOf(PictureFigure figure, const ResolvedSpec& resolved, const BatchPlan& batch)
{
    switch (figure) {
    case PictureFigure::Nodes: return resolved.nodes;
    case PictureFigure::GpusPerNode: return resolved.gpusPerNode;
    case PictureFigure::MicroBatch: return batch.microBatch;
    case PictureFigure::Accumulation: return batch.gradientAccumulation;
    case PictureFigure::GlobalBatch: return batch.globalBatch;
    }
    return 0;
}

Result<void> setFigure(
    JobSpec& spec, PictureFigure figure, qint64 value, const ResolvedSpec& resolved, const BatchPlan& batch)
{
    const qint64 most = mostOf(figure, resolved);
    if (value < 1 || value > most)
        return fail(Fault::Invalid, u"A whole number from 1 to %1 is needed here."_s.arg(humanNumber(double(most), 0)));
    switch (figure) {
    case PictureFigure::Nodes: spec.resources.nodes = int(value); break;
    case PictureFigure::GpusPerNode: spec.resources.gpusPerNode = int(value); break;
    case PictureFigure::MicroBatch: spec.training.microBatch = value; break;
    case PictureFigure::GlobalBatch: spec.training.globalBatch = value; break;
    case PictureFigure::Accumulation: {
        const auto solved
            = solveBatch({.global = {}, .micro = batch.microBatch, .accumulation = value, .ranks = batch.dataParallel});
        if (!solved)
            return fail(solved.error());
        spec.training.microBatch = solved->micro;
        spec.training.globalBatch = solved->global;
        break;
    }
    }
    return {};
}

} // namespace rankwright::inline planner
