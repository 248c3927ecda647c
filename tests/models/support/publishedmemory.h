// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/workload.h"

namespace rankwright {

// Formulas as their papers and tools print them: what MemoryModel generalises, and what it is held against.

/// Bytes of model states on one GPU, without activations and buffers, after the ZeRO paper (Rajbhandari et al. 2020,
/// arXiv:1910.02054, figure 1): fp16 weights and gradients, `optimizerBytes` (K = 12) per parameter of everything else.
/// In: parameters > 0, ranks >= 1.
double zeroModelStates(double parameters, int ranks, Sharding sharding, double optimizerBytes = 12);

/// What DeepSpeed prints as an estimate (deepspeed/runtime/zero/stage_1_and_2.py and stage3.py,
/// estimate_zero2_model_states_mem_needs and estimate_zero3_model_states_mem_needs).
struct ZeroNeeds {
    double gpuBytes = 0;
    double hostBytes = 0; ///< of one node, with DeepSpeed's buffer factor 1.5
};
ZeroNeeds deepSpeedZero2Needs(double parameters, int gpusPerNode, int nodes, bool offload);
/// In: the parameters of the largest layer, which is gathered whole.
ZeroNeeds deepSpeedZero3Needs(double parameters, double largestLayer, int gpusPerNode, int nodes, Offload offload);

/// Bytes of activations of one block of a GPT with dropout in 16 bit, unfused attention, for `tokens` = s*b tokens
/// (Korthikanti et al. 2022, arXiv:2205.05198, table 2). In: degrees >= 1.
double publishedActivations(double tokens, double hidden, double heads, double sequence, int tensor,
    bool sequenceParallel, Recompute recompute);

} // namespace rankwright
