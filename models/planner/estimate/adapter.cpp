// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/adapter.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

struct TargetWord {
    QLatin1StringView word;
    AdapterTargets targets;
};

// Names of transformers' modules; the first of a target is the one that is written.
constexpr TargetWord targetWords[]{
    {"q_proj"_L1, AdapterTarget::Query},
    {"k_proj"_L1, AdapterTarget::Key},
    {"v_proj"_L1, AdapterTarget::Value},
    {"o_proj"_L1, AdapterTarget::Output},
    {"gate_proj"_L1, AdapterTarget::Gate},
    {"up_proj"_L1, AdapterTarget::Up},
    {"down_proj"_L1, AdapterTarget::Down},
    {"lm_head"_L1, AdapterTarget::Head},
    {"all-linear"_L1, allLinear},
    {"all"_L1, allLinear},
    {"output_proj"_L1, AdapterTarget::Output},
    {"out_proj"_L1, AdapterTarget::Output},
    {"w1"_L1, AdapterTarget::Gate},
    {"w2"_L1, AdapterTarget::Down},
    {"w3"_L1, AdapterTarget::Up},
    {"fc1"_L1, AdapterTarget::Up},
    {"fc2"_L1, AdapterTarget::Down},
    {"c_attn"_L1, AdapterTargets{AdapterTarget::Query, AdapterTarget::Key, AdapterTarget::Value}},
    {"query_key_value"_L1, AdapterTargets{AdapterTarget::Query, AdapterTarget::Key, AdapterTarget::Value}},
    {"linear_qkv"_L1, AdapterTargets{AdapterTarget::Query, AdapterTarget::Key, AdapterTarget::Value}},
    {"linear_proj"_L1, AdapterTarget::Output},
    {"linear_fc1"_L1, AdapterTargets{AdapterTarget::Gate, AdapterTarget::Up}},
    {"linear_fc2"_L1, AdapterTarget::Down},
    {"q"_L1, AdapterTarget::Query},
    {"k"_L1, AdapterTarget::Key},
    {"v"_L1, AdapterTarget::Value},
    {"o"_L1, AdapterTarget::Output},
    {"gate"_L1, AdapterTarget::Gate},
    {"up"_L1, AdapterTarget::Up},
    {"down"_L1, AdapterTarget::Down},
};

/// In and out of a target's matrix, and how many of it a block has.
struct Matrix {
    AdapterTarget target;
    double in = 0;
    double out = 0;
    double copies = 1;
};

} // namespace

double adapterParameters(const Adapter& adapter, const ModelShape& shape)
{
    if (adapter.method == AdapterMethod::None)
        return 0.0;
    if (adapter.method == AdapterMethod::Counted)
        return std::max(0.0, adapter.counted);
    const double h = static_cast<double>(shape.hidden);
    const double q = static_cast<double>(shape.queryWidth());
    const double r = static_cast<double>(shape.keyWidth());
    const double f = static_cast<double>(shape.ffn);
    const double v = static_cast<double>(shape.vocab);
    const bool bothSides = shape.family == ModelFamily::EncoderDecoder;
    const double attentions = bothSides ? 1.5 : 1.0; // of the mean block: the decoder's has two
    const double mlps = shape.experts == 0 ? 1.0 : adapter.expertAdapters ? shape.experts : 0.0;
    const double layers = shape.layers * (bothSides ? 2.0 : 1.0);
    const double gates = shape.gatedMlp ? mlps : 0.0;
    const double magnitude = adapter.method == AdapterMethod::Dora ? 1.0 : 0.0;
    double sum = 0;
    for (const Matrix& matrix : {Matrix{AdapterTarget::Query, h, q, attentions},
             Matrix{AdapterTarget::Key, h, r, attentions}, Matrix{AdapterTarget::Value, h, r, attentions},
             Matrix{AdapterTarget::Output, q, h, attentions}, Matrix{AdapterTarget::Gate, h, f, gates},
             Matrix{AdapterTarget::Up, h, f, mlps}, Matrix{AdapterTarget::Down, f, h, mlps}}) {
        if (adapter.targets.testFlag(matrix.target))
            sum += layers * matrix.copies * (adapter.rank * (matrix.in + matrix.out) + magnitude * matrix.out);
    }
    const double shared = static_cast<double>(shape.sharedExpertFfn);
    for (const AdapterTarget target : {AdapterTarget::Gate, AdapterTarget::Up, AdapterTarget::Down}) {
        if (shape.experts > 0 && shared > 0 && adapter.targets.testFlag(target))
            sum += layers * (adapter.rank * (h + shared) + magnitude * (target == AdapterTarget::Down ? h : shared));
    }
    if (adapter.targets.testFlag(AdapterTarget::Head))
        sum += adapter.rank * (h + v) + magnitude * v;
    for (const AdapterTarget table : {AdapterTarget::SavedEmbedding, AdapterTarget::SavedHead})
        sum += adapter.targets.testFlag(table) ? h * v : 0.0;
    return sum;
}

double bytesOf(Quantisation quantisation)
{
    switch (quantisation) {
    case Quantisation::None: return 2.0;
    case Quantisation::Int8: return 1.0 + 4.0 / 4096.0; // a scale for each row
    case Quantisation::Nf4: return 0.5 + 4.0 / 64.0;
    case Quantisation::Nf4Double: return 0.5 + 1.0 / 64.0 + 4.0 / (64.0 * 256.0);
    case Quantisation::Gptq: return 0.5 + 2.5 / 128.0;
    }
    return 2.0;
}

AdapterTargets adapterTargets(QStringView word)
{
    for (const TargetWord& one : targetWords) {
        if (word.compare(one.word, Qt::CaseInsensitive) == 0)
            return one.targets;
    }
    return {};
}

QStringList toWords(AdapterTargets targets)
{
    QStringList words;
    AdapterTargets left = targets;
    for (const TargetWord& one : targetWords) {
        if (left.testFlags(one.targets) && one.word != "all-linear"_L1 && one.word != "all"_L1) {
            words.append(one.word);
            left &= ~one.targets;
        }
    }
    return words;
}

} // namespace rankwright::inline planner
