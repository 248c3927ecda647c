// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/planner/estimate/workload.h"

namespace rankwright::inline planner {

/// Layers on the stages of a pipeline: those of the first, of each inner, and of the last one.
struct StageLayers {
    int first = 1;
    int inner = 1;
    int last = 1;
    int chunk = 1; ///< of one virtual stage; those at both ends of the model may have fewer
    bool even = true; ///< all stages alike
    int of(int stage, int stages) const { return stage == 0 ? first : stage == stages - 1 ? last : inner; }
    int most() const;
    bool operator==(const StageLayers&) const = default;
};

/// How `layers` are cut into the stages and chunks of a layout. Ends that the layout names are kept. Else all chunks
/// have as many layers; where that does not come out even, the first and the last chunk, which also hold the embedding
/// and the head, take what is left: Megatron-LM's --decoder-first-pipeline-num-layers (one chunk a stage),
/// --account-for-embedding-in-pipeline-split with --account-for-loss-in-pipeline-split (one layer less at both ends),
/// --pipeline-model-parallel-layout (any); Megatron-LM d98e8a6, megatron/training/arguments.py. Where not even that
/// is possible the first stages have one layer more, as DeepSpeed's partition_uniform cuts. No allocation.
StageLayers stageLayers(int layers, const Layout& layout);

/// Whether Megatron-LM can be asked for that cut: one sentence and the next number of stages or chunks that it takes.
Result<void> checkStageLayers(int layers, const Layout& layout);

/// The cut as Megatron-LM's --pipeline-model-parallel-layout has it: "Et|(tt|)*30L"; E embedding, t a layer, L loss, a
/// bar behind each chunk (Megatron-LM d98e8a6, megatron/core/transformer/pipeline_parallel_layer_layout.py).
QString pipelineLayoutText(int layers, const Layout& layout);
/// Layers of each chunk of such a text, in the order of the model; empty: not one. Other letters are counted as no
/// layer.
QList<int> layersOfLayoutText(const QString& text);

/// Layers that are cut: of an encoder-decoder those of both sides.
int pipelineLayers(const ModelShape& shape);

} // namespace rankwright::inline planner
