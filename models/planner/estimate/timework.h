// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/gpufigures.h"
#include "models/planner/estimate/stack/stackspeed.h"
#include "models/planner/estimate/workload.h"

namespace rankwright::inline planner {

/// What a step of a workload costs apart from the layout: the constants of TimeModel's inner loop. All of one sample or
/// token, forward; widths in elements.
struct TimeWork {
    double layers = 0; ///< blocks; of an encoder-decoder both sides
    double hidden = 0;
    double heads = 0;
    double queryWidth = 0;
    double valueWidth = 0; ///< of all heads' values
    double keyWidth = 0;
    double ffn = 0;
    double vocab = 0; ///< 0: no projection onto a vocabulary
    double sequence = 0; ///< tokens of a sample that are computed
    /// Tokens that a rate counts, of these: real ones; of unpadded encoders also what was dropped.
    double realShare = 1;
    double linear = 0; ///< weights of a block that one token meets, beside routed experts
    double expertLinear = 0; ///< the same of routed experts
    double denseWidth = 0; ///< of the products behind `linear`, as `ffn`
    double weights = 0; ///< all weights of a block
    double tensors = 12; ///< of a block, that the optimiser steps
    double expertWeights = 0; ///< of these the routed experts'
    double blockElements = 0; ///< elements per token that the elementwise part moves, split over tensor ranks
    double convolution = 0; ///< multiply-adds of a layer and image; 0: no convolutions
    double featureMaps = 0; ///< elements of a layer and image
    double causal = 1; ///< share of the score matrix that is computed
    double experts = 0;
    double topK = 1;
    double groups = 0; ///< of experts; 0: a token may go to any expert
    double groupsPerToken = 0;

    double bytes = 2; ///< of an activation element
    double gatherBytes = 2; ///< of a gathered weight
    double gradientBytes = 2; ///< of a reduced gradient
    double optimizerBytes = 30; ///< read and written by the optimiser for each parameter
    double peak = 0; ///< sustained, at the workload's precision, FLOP/s
    double labelPeak = 0; ///< for MFU
    double float8 = 1; ///< speed-up of the linears
    double groupedFloat8 = 1; ///< the same of experts' grouped products
    double rollOff = 0;
    double expertRollOff = 0; ///< of the grouped products of experts
    double wideStream = 1; ///< factor of fp32 between blocks on elementwise passes
    double fused = 1; ///< factor of a compiler on elementwise passes
    double launch = 0; ///< seconds for one forward pass of a block
    qint64 width = 0; ///< hidden, as a whole number
    qint64 headCount = 0; ///< heads, as a whole number
    bool alignedHeads = true; ///< head size is a multiple of 8
    bool materialisedScores = false;
    bool megatronSoftmax = false; ///< fused softmax that wants four score matrices
    bool samplesOnly = false; ///< throughput is reported in samples
    double modelFlops = 0; ///< of one sample, forward and backward, without recomputation
    double forwards = 3; ///< forward passes that forward and backward are worth (2: frozen weights)
    double dequantiseBytes = 0; ///< moved for each quantised weight and pass before it is multiplied
    double adapterTraffic = 0; ///< bytes of a token and block that adapters move in one pass
    double trained = 1; ///< share of the parameters that have gradients
    // Recomputation as shares of the forward pass
    double recomputeLinear = 0;
    double recomputeExperts = 0;
    double recomputeElementwise = 0;
    double recomputeAttention = 0;
    double recomputePasses = 0; ///< launches
    double collectives = 4; ///< of tensor parallelism for each block and micro-batch
};

enum class StackKernels { Plain, Megatron };

/// In: a shape that checkShape() accepts.
TimeWork timeWork(const Workload& workload, const StackSpeed& speed, const GpuFigures& gpu, StackKernels kernels);

/// FLOPs of one sample, forward and backward, as the field counts them: 6 for each active weight of the blocks and the
/// output projection and token, 12*L*q*s for attention (no causal half), nothing for recomputation (Korthikanti et al.
/// 2022, appendix; PaLM, appendix B).
/// `perWeight` 4: frozen weights, which have no gradient of their own.
double modelFlops(const ModelShape& shape, qint64 sequence, double perWeight = 6);

} // namespace rankwright::inline planner
