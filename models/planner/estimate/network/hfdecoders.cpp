// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/network/hfdecoders.h"

#include <QHash>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner::hf {

// Defaults that a configuration does not spell out are those of the model's class in Hugging Face transformers
// (src/transformers/models/TYPE/modeling_TYPE.py and configuration_TYPE.py, 4.57).

namespace {

void bias(ModelShape& shape, bool everywhere)
{
    shape.qkvBias = everywhere;
    shape.attentionOutBias = everywhere;
    shape.mlpBias = everywhere;
}

/// RMSNorm, gated MLP, rotary positions, no biases unless said.
void llama(HfKeys& members, ModelShape& shape)
{
    readNormed(members, shape);
    shape.attentionOutBias = shape.qkvBias;
    shape.mlpBias = members.flag(u"mlp_bias"_s, false);
}

void mixtral(HfKeys& members, ModelShape& shape)
{
    llama(members, shape);
    shape.experts = members.count({u"num_local_experts"_s}, 8);
    shape.expertsPerToken = members.count({u"num_experts_per_tok"_s}, 2);
}

void qwen2(HfKeys& members, ModelShape& shape)
{
    llama(members, shape);
    shape.qkvBias = true;
    shape.attentionOutBias = false;
}

void qwen2Moe(HfKeys& members, ModelShape& shape)
{
    qwen2(members, shape);
    shape.experts = members.count({u"num_experts"_s}, 60);
    shape.expertsPerToken = members.count({u"num_experts_per_tok"_s}, 4);
    shape.ffn = members.needed({u"moe_intermediate_size"_s});
    shape.sharedExpertFfn = members.size({u"shared_expert_intermediate_size"_s}, 5632);
    shape.sharedExpertGate = shape.sharedExpertFfn > 0;
}

void qwen3(HfKeys& members, ModelShape& shape)
{
    llama(members, shape);
    shape.headSize = members.size({u"head_dim"_s}, 128);
    shape.qkNorm = QkNorm::PerHead;
}

void qwen3Moe(HfKeys& members, ModelShape& shape)
{
    qwen3(members, shape);
    shape.experts = members.count({u"num_experts"_s}, 128);
    shape.expertsPerToken = members.count({u"num_experts_per_tok"_s}, 8);
    shape.ffn = members.needed({u"moe_intermediate_size"_s});
}

/// GLM-4-0414: Llama with four norms and biases on queries, keys and values.
void glm4(HfKeys& members, ModelShape& shape)
{
    llama(members, shape);
    shape.attentionOutBias = false;
    shape.normsPerBlock = 4;
}

void seedOss(HfKeys& members, ModelShape& shape)
{
    llama(members, shape);
    shape.qkvBias = members.flag(u"attention_bias"_s, true);
    shape.attentionOutBias = members.flag(u"attention_out_bias"_s, false);
}

void gemma(HfKeys& members, ModelShape& shape)
{
    llama(members, shape);
    shape.headSize = members.size({u"head_dim"_s}, 256);
    shape.tiedEmbeddings = members.flag(u"tie_word_embeddings"_s, true);
}

void gemma2(HfKeys& members, ModelShape& shape)
{
    gemma(members, shape);
    shape.normsPerBlock = 4;
}

void gemma3(HfKeys& members, ModelShape& shape)
{
    gemma2(members, shape);
    shape.qkNorm = QkNorm::PerHead;
}

void olmo(HfKeys& members, ModelShape& shape)
{
    llama(members, shape);
    shape.norm = NormKind::Plain;
}

void olmo2(HfKeys& members, ModelShape& shape)
{
    llama(members, shape);
    shape.qkNorm = QkNorm::FullWidth;
}

void olmoe(HfKeys& members, ModelShape& shape)
{
    olmo2(members, shape);
    shape.experts = members.count({u"num_experts"_s}, 64);
    shape.expertsPerToken = members.count({u"num_experts_per_tok"_s}, 8);
}

void cohere(HfKeys& members, ModelShape& shape)
{
    llama(members, shape);
    shape.norm = NormKind::LayerNorm;
    shape.normBias = false;
    shape.normsPerBlock = 1;
    shape.tiedEmbeddings = members.flag(u"tie_word_embeddings"_s, true);
    shape.qkNorm = members.flag(u"use_qk_norm"_s, false) ? QkNorm::FullWidth : QkNorm::None;
}

void stablelm(HfKeys& members, ModelShape& shape)
{
    llama(members, shape);
    shape.norm = NormKind::LayerNorm;
    shape.qkvBias = members.flag(u"use_qkv_bias"_s, false);
    shape.attentionOutBias = false;
    shape.normsPerBlock = members.flag(u"use_parallel_residual"_s, false) ? 1 : 2;
    shape.qkNorm = members.flag(u"qk_layernorm"_s, false) ? QkNorm::FullWidth : QkNorm::None;
}

void starcoder2(HfKeys& members, ModelShape& shape)
{
    readUsual(members, shape);
    shape.tiedEmbeddings = members.flag(u"tie_word_embeddings"_s, true);
    bias(shape, members.flag(u"use_bias"_s, true));
}

void nemotron(HfKeys& members, ModelShape& shape)
{
    llama(members, shape);
    shape.norm = NormKind::LayerNorm;
    shape.gatedMlp = false; // squared ReLU
}

void deepseek(HfKeys& members, ModelShape& shape)
{
    llama(members, shape);
    shape.keyValueRank = members.needed({u"kv_lora_rank"_s});
    shape.queryRank = members.size({u"q_lora_rank"_s}, 0);
    shape.ropeSize = members.needed({u"qk_rope_head_dim"_s});
    shape.headSize = members.needed({u"qk_nope_head_dim"_s}) + shape.ropeSize;
    shape.valueSize = members.needed({u"v_head_dim"_s});
    shape.kvHeads = shape.heads;
    shape.experts = members.count({u"n_routed_experts"_s}, 0);
    if (shape.experts == 0)
        return;
    shape.denseLayers = members.count({u"first_k_dense_replace"_s}, 0);
    shape.denseFfn = shape.ffn;
    shape.ffn = members.needed({u"moe_intermediate_size"_s});
    shape.expertsPerToken = members.count({u"num_experts_per_tok"_s}, 8);
    shape.expertGroups = members.count({u"n_group"_s}, 0);
    shape.groupsPerToken = members.count({u"topk_group"_s}, 0);
    shape.sharedExpertFfn
        = qMin(members.size({u"n_shared_experts"_s}, 0), largestCount) * qMin(shape.ffn, largestCount);
}

void deepseek3(HfKeys& members, ModelShape& shape)
{
    deepseek(members, shape);
    shape.routerBias = shape.experts > 0;
    noteFurtherTokens(members, shape);
}

/// LayerNorm, plain MLP, biases, learned positions, tied.
void gpt2(HfKeys& members, ModelShape& shape)
{
    readUsual(members, shape);
    bias(shape, true);
    shape.learnedPositions = shape.maxSequence;
    shape.tiedEmbeddings = members.flag(u"tie_word_embeddings"_s, true);
}

void gptNeo(HfKeys& members, ModelShape& shape)
{
    gpt2(members, shape);
    shape.qkvBias = false;
}

void gptBigcode(HfKeys& members, ModelShape& shape)
{
    gpt2(members, shape);
    if (members.flag(u"multi_query"_s, true))
        shape.kvHeads = 1;
}

void gptJ(HfKeys& members, ModelShape& shape)
{
    readUsual(members, shape);
    shape.mlpBias = true;
    shape.headBias = true;
    shape.normsPerBlock = 1;
    shape.tiedEmbeddings = members.flag(u"tie_word_embeddings"_s, false);
}

void gptNeox(HfKeys& members, ModelShape& shape)
{
    readUsual(members, shape);
    bias(shape, true);
    shape.qkvBias = shape.attentionOutBias = members.flag(u"attention_bias"_s, true);
    shape.tiedEmbeddings = members.flag(u"tie_word_embeddings"_s, false);
}

void opt(HfKeys& members, ModelShape& shape)
{
    readUsual(members, shape);
    bias(shape, members.flag(u"enable_bias"_s, true));
    shape.learnedPositions = shape.maxSequence + 2; // OPTLearnedPositionalEmbedding's offset
    const qint64 width = members.size({u"word_embed_proj_dim"_s}, shape.hidden);
    shape.embeddingWidth = width == shape.hidden ? 0 : width;
    shape.finalNorm
        = members.flag(u"do_layer_norm_before"_s, true) && !members.flag(u"_remove_final_layer_norm"_s, false);
    shape.tiedEmbeddings = members.flag(u"tie_word_embeddings"_s, true);
}

void bloom(HfKeys& members, ModelShape& shape)
{
    readUsual(members, shape);
    bias(shape, true);
    shape.ffn = 4 * shape.hidden;
    shape.embeddingNorm = true;
    shape.tiedEmbeddings = members.flag(u"tie_word_embeddings"_s, true);
}

void falcon(HfKeys& members, ModelShape& shape)
{
    readUsual(members, shape);
    bias(shape, members.flag(u"bias"_s, false));
    const bool grouped = members.flag(u"new_decoder_architecture"_s, false);
    if (grouped)
        shape.kvHeads = members.count({u"num_kv_heads"_s, u"n_head_kv"_s}, shape.heads);
    else if (members.flag(u"multi_query"_s, true))
        shape.kvHeads = 1;
    const bool parallel = members.flag(u"parallel_attn"_s, true);
    const qint64 norms = members.size({u"num_ln_in_parallel_attn"_s}, grouped ? 2 : 1);
    shape.normsPerBlock = parallel ? static_cast<int>(qBound(qint64(1), norms, qint64(2))) : 2;
    shape.tiedEmbeddings = members.flag(u"tie_word_embeddings"_s, true);
}

void mpt(HfKeys& members, ModelShape& shape)
{
    readUsual(members, shape);
    HfKeys attention = members.object(u"attn_config"_s);
    const bool biased = !members.flag(u"no_bias"_s, true);
    bias(shape, biased);
    shape.normBias = biased;
    shape.kvHeads = attention.count(
        {u"kv_n_heads"_s}, attention.text(u"attn_type"_s) == u"multiquery_attention" ? 1 : shape.heads);
    const double expansion = members.json().value(u"expansion_ratio"_s).toDouble(4);
    shape.ffn
        = expansion > 0 && expansion < 1000 ? static_cast<qint64>(expansion * static_cast<double>(shape.hidden)) : 0;
    const bool learned = members.flag(u"learned_pos_emb"_s, true) && !attention.flag(u"alibi"_s, false)
        && !attention.flag(u"rope"_s, false);
    shape.learnedPositions = learned ? shape.maxSequence : 0;
    shape.tiedEmbeddings = members.flag(u"tie_word_embeddings"_s, true);
}

void phi(HfKeys& members, ModelShape& shape)
{
    readUsual(members, shape);
    bias(shape, true);
    shape.headBias = true;
    shape.normsPerBlock = 1;
    shape.tiedEmbeddings = members.flag(u"tie_word_embeddings"_s, false);
}

using Reader = void (*)(HfKeys&, ModelShape&);

} // namespace

bool readDecoder(const QString& type, HfKeys& members, ModelShape& shape)
{
    static const QHash<QString, Reader> readers{{u"llama"_s, llama}, {u"mistral"_s, llama}, {u"phi3"_s, llama},
        {u"granite"_s, llama}, {u"smollm3"_s, llama}, {u"mixtral"_s, mixtral}, {u"qwen2"_s, qwen2},
        {u"qwen2_moe"_s, qwen2Moe}, {u"qwen3"_s, qwen3}, {u"qwen3_moe"_s, qwen3Moe}, {u"gemma"_s, gemma},
        {u"gemma2"_s, gemma2}, {u"gemma3"_s, gemma3}, {u"gemma3_text"_s, gemma3}, {u"olmo"_s, olmo},
        {u"olmo2"_s, olmo2}, {u"olmo3"_s, olmo2}, {u"olmoe"_s, olmoe}, {u"cohere"_s, cohere}, {u"cohere2"_s, cohere},
        {u"stablelm"_s, stablelm}, {u"starcoder2"_s, starcoder2}, {u"nemotron"_s, nemotron},
        {u"deepseek_v2"_s, deepseek}, {u"deepseek_v3"_s, deepseek3}, {u"gpt2"_s, gpt2}, {u"gpt_neo"_s, gptNeo},
        {u"gpt_bigcode"_s, gptBigcode}, {u"gptj"_s, gptJ}, {u"gpt_neox"_s, gptNeox}, {u"opt"_s, opt},
        {u"bloom"_s, bloom}, {u"falcon"_s, falcon}, {u"RefinedWeb"_s, falcon}, {u"RefinedWebModel"_s, falcon},
        {u"mpt"_s, mpt}, {u"phi"_s, phi}, {u"qwen2_vl"_s, qwen2}, {u"qwen2_vl_text"_s, qwen2}, {u"qwen2_5_vl"_s, qwen2},
        {u"qwen2_5_vl_text"_s, qwen2}, {u"qwen3_vl_text"_s, qwen3}, {u"qwen3_vl_moe_text"_s, qwen3Moe},
        {u"ministral"_s, llama}, {u"ministral3"_s, llama}, {u"seed_oss"_s, seedOss}, {u"glm4"_s, glm4}};
    const auto reader = readers.constFind(type);
    if (reader == readers.cend())
        return false;
    (*reader)(members, shape);
    return true;
}

} // namespace rankwright::inline planner::hf
