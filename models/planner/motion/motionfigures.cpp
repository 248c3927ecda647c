// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/motion/motionfigures.h"

namespace rankwright::inline planner {

namespace {

double computeBytes(Precision precision)
{
    return precision == Precision::Fp32 || precision == Precision::Tf32 ? 4 : 2;
}

void applyEstimate(MotionFigures& figures, const DesignEstimate& estimate)
{
    const PlannedRun& run = estimate.run;
    const Layout& layout = run.layout;
    const MemoryParts& parts = estimate.memory.parts;
    figures.tensor = qMax(1, layout.tensor);
    figures.pipeline = qMax(1, layout.pipeline);
    figures.data = qMax(1, layout.data * layout.context);
    figures.sharding = layout.sharding;
    figures.shardGroup = layout.shardGroup > 0 ? qMin(layout.shardGroup, figures.data) : figures.data;
    figures.gathersTwice = layout.reshardAfterForward;
    figures.virtualStages = layout.schedule == PipelineSchedule::Interleaved ? qMax(1, layout.virtualStages) : 1;
    figures.microBatch = layout.microBatch;
    figures.accumulation = layout.accumulation;
    figures.globalBatch = layout.globalBatch();
    const auto whole
        = [&](double each, Sharding from) { return each * (layout.sharding >= from ? figures.shardGroup : 1); };
    figures.weights = whole(parts.weights, Sharding::Full);
    figures.gradients = whole(parts.gradients, Sharding::Gradients);
    figures.optimizer = whole(parts.optimizer, Sharding::OptimizerStates);
    figures.activations = parts.activations;
    const ModelShape& shape = run.workload.shape;
    const double element = computeBytes(run.workload.precision);
    if (shape.layers > 0) {
        figures.layers = shape.layers;
        figures.layerWeights = double(run.parameters.block) * element / figures.tensor;
        figures.boundary = double(layout.microBatch) * double(run.workload.sequence) * double(shape.hidden) * element
            / qMax(1, layout.context);
    }
    if (estimate.step.seconds > 0)
        figures.stepSeconds = estimate.step.seconds;
}

} // namespace

MotionFigures motionFigures(
    const ResolvedSpec& resolved, const BatchPlan& batch, const Result<DesignEstimate>& estimate)
{
    MotionFigures figures;
    figures.gpuWord = resolved.node.gpu.word.isEmpty() ? QStringLiteral("GPU") : resolved.node.gpu.word;
    figures.strategy = resolved.strategy;
    figures.gpus = resolved.worldSize();
    figures.data = qMax(1, resolved.dataParallel() * qMax(1, resolved.context));
    figures.tensor = qMax(1, resolved.tensor);
    figures.pipeline = qMax(1, resolved.pipeline);
    figures.sharding = shardingOf(resolved.strategy);
    figures.shardGroup
        = resolved.strategy == Strategy::Hsdp ? qMin(figures.data, qMax(1, resolved.gpusPerNode)) : figures.data;
    figures.globalBatch = qMax<qint64>(1, batch.globalBatch);
    figures.microBatch = qMax<qint64>(1, batch.microBatch);
    figures.accumulation = qMax<qint64>(1, batch.gradientAccumulation);
    if (!resolved.coresOpen)
        figures.cores = qMax(1, resolved.cpusPerGpu);
    if (estimate)
        applyEstimate(figures, *estimate);
    return figures;
}

} // namespace rankwright::inline planner
