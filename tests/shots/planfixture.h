// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/layoutsearch.h"
#include "models/planner/planning/remedies.h"
#include "models/script/document/design.h"
#include "widgets/plan/speedupplot.h"

namespace rankwright::test {

// Made-up but plausible estimates, for views that must not need the models to be tested or looked at.

constexpr double gib = 1073741824.0;

/// Shape of Llama 3 8B (Meta's config.json).
inline ModelShape llama8b()
{
    ModelShape shape;
    shape.name = QStringLiteral("Llama 3 8B");
    shape.layers = 32;
    shape.hidden = 4096;
    shape.heads = 32;
    shape.kvHeads = 8;
    shape.headSize = 128;
    shape.ffn = 14336;
    shape.vocab = 128256;
    shape.gatedMlp = true;
    shape.tiedEmbeddings = false;
    return shape;
}

/// 8B with FSDP over two LUMI nodes; `scale` stretches the memory.
inline DesignEstimate fsdpEstimate(double scale = 1)
{
    DesignEstimate estimate;
    PlannedRun& run = estimate.run;
    run.workload.shape = llama8b();
    run.workload.sequence = 4096;
    run.workload.recompute = Recompute::SelectiveAttention;
    run.layout.nodes = 2;
    run.layout.gpusPerNode = 8;
    run.layout.data = 16;
    run.layout.sharding = Sharding::Full;
    run.layout.microBatch = 4;
    run.layout.accumulation = 8;
    run.parameters.total = 8030261248; // Meta, as published
    run.stack = Framework::Fsdp2;
    run.gpu.name = QStringLiteral("MI250X GCD");
    MemoryEstimate& memory = estimate.memory;
    memory.parts = {1.9 * gib, 1.9 * gib, 3.7 * gib, 21.4 * gib * scale, 9.8 * gib * scale, 2.6 * gib};
    memory.totalBytes = memory.parts.total();
    memory.lowBytes = memory.totalBytes * 0.94;
    memory.highBytes = memory.totalBytes * 1.09;
    memory.usableBytes = 63.9 * gib;
    memory.verdict = memory.highBytes < memory.usableBytes ? FitVerdict::Fits
        : memory.totalBytes < memory.usableBytes           ? FitVerdict::Borderline
                                                           : FitVerdict::DoesNotFit;
    StepEstimate& step = estimate.step;
    step.parts = {22.6, 4.4, 0, 1.9};
    step.seconds = step.parts.total();
    step.lowSeconds = 27;
    step.highSeconds = 31;
    step.tokensPerSecondPerGpu = 4530;
    step.teraflopsPerGpu = 72.6;
    step.mfu = 0.38;
    estimate.largestMicroBatch = 5;
    estimate.limitedBy = QStringLiteral("Gathering the layers between nodes takes 15 % of each step.");
    return estimate;
}

/// 70B with tensor, pipeline and data parallelism.
inline DesignEstimate gridEstimate(int nodes = 16, int tensor = 8, int pipeline = 4, qint64 accumulation = 16)
{
    DesignEstimate estimate = fsdpEstimate();
    PlannedRun& run = estimate.run;
    ModelShape& shape = run.workload.shape;
    shape.name = QStringLiteral("Llama 3 70B");
    shape.layers = 80;
    shape.hidden = 8192;
    shape.heads = 64;
    shape.ffn = 28672;
    run.parameters.total = 70553706496;
    run.layout.nodes = nodes;
    run.layout.tensor = tensor;
    run.layout.pipeline = pipeline;
    run.layout.data = nodes * 8 / (tensor * pipeline);
    run.layout.sharding = Sharding::OptimizerStates;
    run.layout.microBatch = 1;
    run.layout.accumulation = accumulation;
    estimate.memory.parts = {4.1 * gib, 8.2 * gib, 6.2 * gib, 9.6 * gib, 4.4 * gib, 3.1 * gib};
    estimate.step.parts = {14.2, 3.1, 2.6, 0.6};
    estimate.step.seconds = estimate.step.parts.total();
    estimate.step.lowSeconds = 18.6;
    estimate.step.highSeconds = 22.9;
    return estimate;
}

inline Remedy remedy(const QString& label, const QString& effect)
{
    Remedy made;
    made.label = label;
    made.effect = effect;
    return made;
}

/// Layouts along a plausible front, with some behind it.
inline SearchResult searchResult(int count = 40)
{
    SearchResult result;
    result.examined = 84210;
    result.feasible = 1204;
    result.elapsedSeconds = 0.061;
    result.costOf = QStringLiteral("10⁹ tokens");
    result.costUnit = QStringLiteral("GPU-hours");
    for (int i = 0; i < count; ++i) {
        Candidate layout;
        layout.strategy = i % 3 == 0 ? Strategy::Fsdp : i % 3 == 1 ? Strategy::Zero1 : Strategy::ThreeD;
        layout.stack = Framework::Fsdp2;
        layout.layout = fsdpEstimate().run.layout;
        layout.layout.nodes = 1 + i / 3;
        layout.layout.tensor = layout.strategy == Strategy::ThreeD ? 2 : 1;
        layout.layout.data = layout.layout.nodes * 8 / layout.layout.tensor;
        layout.layout.microBatch = 1 + i % 4;
        layout.recompute = i % 2 == 0 ? Recompute::None : Recompute::SelectiveAttention;
        layout.usableBytes = 63.9 * gib;
        layout.memoryBytes = (34 + (i * 7) % 31) * gib;
        layout.verdict = layout.memoryBytes > 61 * gib ? FitVerdict::Borderline
            : layout.memoryBytes > 56 * gib            ? FitVerdict::Probably
                                                       : FitVerdict::Fits;
        const double waste = 1 + 0.03 * layout.layout.nodes + 0.09 * ((i * 5) % 7);
        layout.stepSeconds = 58.0 / layout.layout.nodes * waste;
        layout.tokensPerSecond = 512.0 * 4096 / layout.stepSeconds;
        layout.mfu = 0.42 / waste;
        layout.cost = 31 * waste;
        layout.pareto = (i * 5) % 7 == 0;
        layout.why = QStringLiteral("The states are sharded over the node's own links; nothing waits for the network.");
        result.candidates.append(layout);
        if (layout.pareto)
            result.pareto.append(layout);
    }
    result.rejected = {{QStringLiteral("need more memory than there is"), 60112},
        {QStringLiteral("cannot split 512 sequences evenly"), 18230},
        {QStringLiteral("do not divide 8 key-value heads by the tensor ranks"), 4664}};
    return result;
}

inline SpeedupData speedup()
{
    SpeedupData data;
    data.gpuWord = QStringLiteral("GCD");
    data.here = 16;
    data.useful = 128;
    for (double gpus = 8; gpus <= 512; gpus *= 2) {
        const double ideal = gpus / 8;
        const double real = ideal / (1 + 0.012 * ideal * ideal / 4);
        data.points.append({gpus, real, real * 0.93, qMin(ideal, real * 1.06)});
    }
    return data;
}

} // namespace rankwright::test
