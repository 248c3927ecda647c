// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/network/hfmixtures.h"

#include <QHash>
#include <QJsonArray>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner::hf {

// Defaults that a configuration does not spell out are those of the model's class in Hugging Face transformers
// (src/transformers/models/TYPE/configuration_TYPE.py and modeling_TYPE.py, 4.57 and 5.0).

namespace {

constexpr int mostDividedHeads = 1'000'000; ///< checkShape() refuses more

/// Attention whose keys and values are rebuilt from a latent (DeepSeek-V2, arXiv:2405.04434).
void readLatent(HfKeys& members, ModelShape& shape)
{
    shape.keyValueRank = members.size({u"kv_lora_rank"_s}, 0);
    if (shape.keyValueRank == 0)
        return;
    shape.queryRank = members.size({u"q_lora_rank"_s}, 0);
    shape.ropeSize = members.needed({u"qk_rope_head_dim"_s});
    shape.headSize = members.needed({u"qk_nope_head_dim"_s}) + shape.ropeSize;
    shape.valueSize = members.needed({u"v_head_dim"_s});
    shape.kvHeads = shape.heads;
}

/// Blocks without experts: the first ones, those of a list of 0 and 1, or those of a list of their numbers.
int denseBlocks(HfKeys& members, const ModelShape& shape)
{
    const QJsonArray pattern = members.json().value(u"moe_layer_freq"_s).toArray();
    if (!pattern.isEmpty())
        return static_cast<int>(
            std::count_if(pattern.begin(), pattern.end(), [](const QJsonValue& one) { return one.toInt() == 0; }));
    const qsizetype named = members.json().value(u"mlp_only_layers"_s).toArray().size();
    const int first = members.count(
        {u"first_k_dense_replace"_s, u"moe_layer_start_index"_s, u"num_dense_layers"_s}, static_cast<qint64>(named));
    return shape.layers > 0 ? qMin(first, shape.layers - 1) : 0;
}

/// A figure that was computed from others, in the range that checkShape() judges.
qint64 figureOf(double value) { return static_cast<qint64>(std::clamp(value, 0.0, 1e12)); }

/// Experts in every second (third …) block are spread over all: as many of them in each block, of a half (third) of
/// their width, and a shared expert that makes a token pass as many weights as it does on average. Parameters and FLOPs
/// are exact, expert ranks may be as many; what is exchanged between them is counted in each block.
void spreadExperts(ModelShape& shape, qint64 step, qint64 dense)
{
    const double blocks = static_cast<double>(step);
    const double active = static_cast<double>(qMax(1, shape.expertsPerToken)) * static_cast<double>(shape.ffn);
    const double shared = static_cast<double>(shape.sharedExpertFfn);
    shape.ffn = qMax<qint64>(1, shape.ffn / step);
    const double mean = ((blocks - 1) * static_cast<double>(dense) + active + shared) / blocks;
    shape.sharedExpertFfn
        = figureOf(mean - static_cast<double>(qMax(1, shape.expertsPerToken)) * static_cast<double>(shape.ffn));
    shape.note = u"Experts in one of %1 blocks are counted in each, of that share of their width."_s.arg(step);
}

/// Of blocks that mix tokens without attention (state-space models, linear attention): `parameters` of each.
struct OtherMixers {
    double count = 0;
    double parameters = 0;
};

/// A hybrid as blocks of attention and feed-forward: attention has the share of heads that the mean block has, and what
/// mixes otherwise is counted as feed-forward of as many parameters (it has no scores either).
void spreadMixers(ModelShape& shape, qint64 blocks, qint64 attentions, const OtherMixers& others)
{
    const double share = static_cast<double>(attentions) / static_cast<double>(blocks);
    const double hidden = static_cast<double>(shape.hidden);
    const double headSize = static_cast<double>(shape.headSize);
    const auto attention = [&] { return 2 * hidden * headSize * (double(shape.heads) + double(shape.kvHeads)); };
    const double whole = attention();
    const auto shared
        = [share](int count) { return static_cast<int>(std::clamp(std::round(count * share), 1.0, 1e6)); };
    shape.heads = shared(shape.heads);
    shape.kvHeads = qMin(shared(shape.kvHeads), shape.heads);
    while (shape.heads <= mostDividedHeads && shape.heads % shape.kvHeads != 0)
        --shape.kvHeads;
    shape.layers = static_cast<int>(blocks);
    const double left = share * whole + others.count * others.parameters / static_cast<double>(blocks) - attention();
    const qint64 width = figureOf(left / ((shape.gatedMlp ? 3 : 2) * qMax(1.0, hidden)));
    (shape.experts > 0 ? shape.sharedExpertFfn : shape.ffn) += width;
    shape.assumed = true;
}

void readGptOss(HfKeys& members, ModelShape& shape)
{
    readNormed(members, shape);
    shape.qkvBias = shape.attentionOutBias = members.flag(u"attention_bias"_s, true);
    readMixture(members, shape);
}

void readGlmMoe(HfKeys& members, ModelShape& shape)
{
    readNormed(members, shape);
    shape.qkNorm = members.flag(u"use_qk_norm"_s, false) ? QkNorm::PerHead : QkNorm::None;
    readMixture(members, shape);
    shape.routerBias = shape.experts > 0;
    noteFurtherTokens(members, shape);
}

/// DeepSeek-V3 and its like; the indexer of V3.2's sparse attention (0.1 % of the parameters) is left out.
void readLatentMoe(HfKeys& members, ModelShape& shape)
{
    readNormed(members, shape);
    readMixture(members, shape);
    shape.routerBias = shape.experts > 0;
    noteFurtherTokens(members, shape);
    if (members.has(u"index_n_heads"_s))
        shape.note = u"Sparse attention is counted as full attention; its indexer is left out."_s;
}

/// Three of four blocks of Qwen3-Next mix by a linear attention of about as many parameters.
void readQwen3Next(HfKeys& members, ModelShape& shape)
{
    readNormed(members, shape);
    shape.headSize = members.size({u"head_dim"_s}, 256);
    shape.qkNorm = QkNorm::PerHead;
    readMixture(members, shape);
    shape.sharedExpertGate = shape.sharedExpertFfn > 0;
    shape.note = u"Linear attention is counted as attention."_s;
}

void readLlama4(HfKeys& members, ModelShape& shape)
{
    readNormed(members, shape);
    shape.experts = members.count({u"num_local_experts"_s}, 16);
    shape.expertsPerToken = members.count({u"num_experts_per_tok"_s}, 1);
    shape.sharedExpertFfn = shape.ffn; // Llama4TextMoe has one shared expert of an expert's width
    const qint64 step = std::clamp<qint64>(members.size({u"interleave_moe_layer_step"_s}, 1), 1, 1000);
    if (step > 1)
        spreadExperts(shape, step, members.size({u"intermediate_size_mlp"_s}, 16384));
}

/// Gemma 3n: the tables of per-layer inputs are looked up as learned positions are, and are counted as such.
void readGemma3n(HfKeys& members, ModelShape& shape)
{
    readNormed(members, shape);
    shape.qkvBias = false;
    shape.headSize = members.size({u"head_dim"_s}, 256);
    shape.tiedEmbeddings = members.flag(u"tie_word_embeddings"_s, true);
    shape.normsPerBlock = 4;
    shape.qkNorm = QkNorm::PerHead;
    const double rows = static_cast<double>(members.size({u"vocab_size_per_layer_input"_s}, 0));
    const double width = static_cast<double>(members.size({u"hidden_size_per_layer_input"_s}, 0));
    shape.learnedPositions = figureOf(rows * width * shape.layers / qMax(1.0, static_cast<double>(shape.hidden)));
    shape.note = u"The tables of per-layer inputs are counted; what mixes them into each block is left out."_s;
}

qint64 kindsOf(HfKeys& members, QChar letter, const QString& word)
{
    if (const QString pattern = members.text(u"hybrid_override_pattern"_s); !pattern.isEmpty())
        return pattern.count(letter);
    const QJsonArray types = members.json().value(u"layers_block_type"_s).toArray();
    return std::count_if(types.begin(), types.end(), [&word](const QJsonValue& one) { return one.toString() == word; });
}

/// Nemotron-H and Nemotron 3: each layer is a Mamba-2 mixer, an attention, a feed-forward layer or a mixture alone.
void readNemotronH(HfKeys& members, ModelShape& shape)
{
    readNormed(members, shape);
    shape.gatedMlp = false; // squared ReLU
    shape.headSize = members.size({u"attention_head_dim"_s, u"head_dim"_s}, 128);
    const qint64 mambas = kindsOf(members, u'M', u"mamba"_s);
    const qint64 attentions = kindsOf(members, u'*', u"attention"_s);
    const qint64 plain = kindsOf(members, u'-', u"mlp"_s);
    const qint64 mixtures = kindsOf(members, u'E', u"moe"_s);
    if (mambas + attentions + plain + mixtures == 0)
        return members.refuse(u"The member “hybrid_override_pattern” is missing."_s);
    if (mixtures > 0)
        readMixture(members, shape);
    shape.denseLayers = 0;
    const auto figure = [&members](const QString& name, qint64 fallback) {
        return static_cast<double>(members.size({name}, fallback));
    };
    const double hidden = static_cast<double>(shape.hidden);
    const double heads = figure(u"mamba_num_heads"_s, 128);
    const double inner = heads * figure(u"mamba_head_dim"_s, 64);
    const double convolved = inner + 2 * figure(u"n_groups"_s, 8) * figure(u"ssm_state_size"_s, 128);
    const double mamba
        = hidden * (2 * inner + convolved + heads) + convolved * (1 + figure(u"conv_kernel"_s, 4)) + 3 * heads + inner;
    OtherMixers others{static_cast<double>(mambas), mamba};
    if (mixtures > 0 && plain > 0) { // feed-forward layers beside mixtures: as many parameters more
        others.count = static_cast<double>(mambas + plain);
        const double layers = static_cast<double>(plain) * 2 * hidden * static_cast<double>(shape.denseFfn);
        others.parameters = (mamba * static_cast<double>(mambas) + layers) / others.count;
    }
    spreadMixers(shape, qMax<qint64>(1, mixtures > 0 ? mixtures : plain > 0 ? plain : mambas), attentions, others);
    shape.note = u"Mamba layers are counted as feed-forward layers of as many parameters."_s;
}

using MixtureReader = void (*)(HfKeys&, ModelShape&);

} // namespace

void readMixture(HfKeys& members, ModelShape& shape)
{
    readLatent(members, shape);
    shape.experts
        = members.count({u"num_local_experts"_s, u"num_experts"_s, u"n_routed_experts"_s, u"moe_num_experts"_s}, 0);
    if (shape.experts == 0)
        return;
    shape.expertsPerToken = members.count({u"num_experts_per_tok"_s, u"num_experts_per_token"_s, u"experts_per_token"_s,
                                              u"moe_topk"_s, u"moe_k"_s, u"top_k_experts"_s},
        2);
    const qint64 dense = shape.ffn;
    shape.ffn
        = members.size({u"moe_intermediate_size"_s, u"expert_ffn_hidden_size"_s, u"moe_ffn_hidden_size"_s}, dense);
    const qint64 shared = qMin(
        members.size({u"n_shared_experts"_s, u"num_shared_experts"_s, u"moe_num_shared_experts"_s}, 0), largestCount);
    shape.sharedExpertFfn = members.size(
        {u"shared_expert_intermediate_size"_s, u"moe_shared_expert_intermediate_size"_s, u"shared_intermediate_size"_s},
        shared * qMin(shape.ffn, largestCount));
    shape.expertGroups = members.count({u"n_group"_s}, 0);
    shape.groupsPerToken = members.count({u"topk_group"_s}, 0);
    shape.routerBias = members.text(u"topk_method"_s) == u"noaux_tc";
    shape.denseLayers = denseBlocks(members, shape);
    shape.denseFfn = dense;
    const bool everyBlock = members.json().value(u"moe_layer_freq"_s).isArray();
    const qint64 step = everyBlock ? 1
                                   : members.size({u"decoder_sparse_step"_s, u"moe_layer_freq"_s,
                                                      u"moe_layer_interval"_s, u"interleave_moe_layer_step"_s},
                                       1);
    if (step > 1 && step < 1000 && shape.denseLayers == 0)
        spreadExperts(shape, step, dense);
}

bool readMixtureType(const QString& type, HfKeys& members, ModelShape& shape)
{
    static const QHash<QString, MixtureReader> readers{{u"gpt_oss"_s, readGptOss}, {u"glm4_moe"_s, readGlmMoe},
        {u"glm4_moe_lite"_s, readLatentMoe}, {u"kimi_k2"_s, readLatentMoe}, {u"deepseek_v32"_s, readLatentMoe},
        {u"qwen3_next"_s, readQwen3Next}, {u"llama4_text"_s, readLlama4}, {u"gemma3n_text"_s, readGemma3n},
        {u"nemotron_h"_s, readNemotronH}};
    const auto reader = readers.constFind(type);
    if (reader == readers.cend())
        return false;
    (*reader)(members, shape);
    return true;
}

} // namespace rankwright::inline planner::hf
