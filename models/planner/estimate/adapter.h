// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/network/modelshape.h"

#include <QFlags>

namespace rankwright::inline planner {

/// How a frozen model is adapted. Counted: another method of PEFT (prefixes, IA3, VeRA …), given by its parameters.
enum class AdapterMethod { None, Lora, Dora, Counted };
/// How the matrices of a frozen model's blocks are stored; its tables and norms stay in 16 bit.
enum class Quantisation { None, Int8, Nf4, Nf4Double, Gptq };
/// Matrices that get an adapter, and whole tables that are trained beside them (PEFT's modules_to_save).
enum class AdapterTarget {
    Query = 1,
    Key = 2,
    Value = 4,
    Output = 8,
    Gate = 16,
    Up = 32,
    Down = 64,
    Head = 128,
    SavedEmbedding = 256,
    SavedHead = 512
};
Q_DECLARE_FLAGS(AdapterTargets, AdapterTarget)
Q_DECLARE_OPERATORS_FOR_FLAGS(AdapterTargets)

inline constexpr AdapterTargets queryAndValue{AdapterTarget::Query, AdapterTarget::Value};
inline constexpr AdapterTargets attentionTargets{
    AdapterTarget::Query, AdapterTarget::Key, AdapterTarget::Value, AdapterTarget::Output};
inline constexpr AdapterTargets allLinear{AdapterTarget::Query, AdapterTarget::Key, AdapterTarget::Value,
    AdapterTarget::Output, AdapterTarget::Gate, AdapterTarget::Up, AdapterTarget::Down};

/// What is trained of a frozen model.
struct Adapter {
    AdapterMethod method = AdapterMethod::None;
    int rank = 8; ///< of LoRA and DoRA
    AdapterTargets targets = queryAndValue;
    Quantisation quantisation = Quantisation::None;
    bool dropout = false; ///< before the adapters: a dropped copy of each input
    bool wideStream = false; ///< fp32 between blocks: PEFT's prepare_model_for_kbit_training turns norms into fp32
    bool stackedExperts = false; ///< a block's experts are one tensor (transformers 5): unpacked as a whole, and ...
    bool expertAdapters = true; ///< ... adapted only where they are named
    bool plainExperts = false; ///< experts stay in 16 bit: bitsandbytes passes such tensors over
    bool wholeBase = false; ///< a quantised base that FSDP does not shard: its storage type is not that of the shards
    double counted = 0; ///< parameters of a method that is given by its count
    bool operator==(const Adapter&) const = default;
};

/// Trained parameters: LoRA rank * (in + out) of each matrix (arXiv:2106.09685, 4.1), DoRA one magnitude for each
/// output more (arXiv:2402.09353, 4.1), saved tables whole. In: a shape that checkShape() accepts.
double adapterParameters(const Adapter& adapter, const ModelShape& shape);

/// Bytes of a quantised parameter; None: 2. nf4: half a byte and an fp32 constant for each 64; double quantisation: an
/// 8-bit one and an fp32 one for each 256 blocks (arXiv:2305.14314, 3); GPTQ: groups of 128.
double bytesOf(Quantisation quantisation);

/// "q_proj", "gate_proj", … (also GPT-2's c_attn and the like), "all-linear"; nothing for another word.
AdapterTargets adapterTargets(QStringView word);
/// The words of PEFT's target_modules, in the model's order.
QStringList toWords(AdapterTargets targets);

} // namespace rankwright::inline planner
