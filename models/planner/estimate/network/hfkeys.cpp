// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/network/hfkeys.h"

#include <QJsonArray>

#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner::hf {

void HfKeys::refuse(const QString& fault)
{
    if (m_fault.isEmpty())
        m_fault = fault;
}

namespace {

/// A number for each block (Gemma 3n's intermediate_size) stands for their mean.
QJsonValue meanOf(const QJsonValue& value)
{
    const QJsonArray numbers = value.toArray();
    if (numbers.isEmpty())
        return value;
    double sum = 0;
    for (const QJsonValue& one : numbers) {
        if (!one.isDouble())
            return value;
        sum += one.toDouble();
    }
    return std::round(sum / static_cast<double>(numbers.size()));
}

} // namespace

qint64 HfKeys::size(const QStringList& names, qint64 fallback)
{
    constexpr double most = 1e12;
    for (const QString& name : names) {
        if (!has(name))
            continue;
        const QJsonValue value = meanOf(m_json.value(name));
        const double number = value.toDouble(-1);
        if (value.isDouble() && number >= 0 && number <= most && std::floor(number) == number)
            return static_cast<qint64>(number);
        refuse(u"The member “%1” is not a whole number from 0."_s.arg(name));
        return fallback;
    }
    return fallback;
}

qint64 HfKeys::needed(const QStringList& names)
{
    const qint64 value = size(names, -1);
    if (value < 0)
        refuse(u"The member “%1” is missing."_s.arg(names.first()));
    return value;
}

int HfKeys::count(const QStringList& names, qint64 fallback)
{
    return static_cast<int>(qMin(size(names, fallback), largestCount));
}

bool HfKeys::flag(const QString& name, bool fallback) const { return m_json.value(name).toBool(fallback); }

QString HfKeys::text(const QString& name) const { return m_json.value(name).toString(); }

void readUsual(HfKeys& members, ModelShape& shape)
{
    const qint64 most = 2'000'000'000; // what the counts of a shape can hold; checkShape() evaluates them
    const auto count = [most](qint64 value) { return static_cast<int>(qMin(value, most)); };
    shape.layers = count(members.needed({u"num_hidden_layers"_s, u"n_layer"_s, u"n_layers"_s, u"num_layers"_s}));
    shape.hidden = members.needed({u"hidden_size"_s, u"n_embd"_s, u"n_embed"_s, u"d_model"_s, u"dim"_s});
    shape.heads = count(members.needed({u"num_attention_heads"_s, u"n_head"_s, u"n_heads"_s, u"num_heads"_s}));
    shape.kvHeads = count(members.size({u"num_key_value_heads"_s}, shape.heads));
    const bool divides = shape.heads > 0 && shape.hidden % shape.heads == 0;
    shape.headSize = members.size({u"head_dim"_s}, divides ? shape.hidden / shape.heads : 0);
    shape.vocab = members.needed({u"vocab_size"_s});
    shape.maxSequence = members.size({u"max_position_embeddings"_s, u"n_positions"_s, u"max_seq_len"_s, u"n_ctx"_s,
                                         u"max_sequence_length"_s, u"seq_length"_s},
        0);
    shape.ffn = members.size(
        {u"intermediate_size"_s, u"ffn_dim"_s, u"n_inner"_s, u"d_ff"_s, u"ffn_hidden_size"_s, u"hidden_dim"_s},
        4 * shape.hidden);
}

void readNormed(HfKeys& members, ModelShape& shape)
{
    readUsual(members, shape);
    shape.norm = NormKind::RmsNorm;
    shape.gatedMlp = true;
    shape.tiedEmbeddings = members.flag(u"tie_word_embeddings"_s, false);
    shape.qkvBias = members.flag(u"attention_bias"_s, false);
}

void noteFurtherTokens(HfKeys& members, ModelShape& shape)
{
    if (members.size({u"num_nextn_predict_layers"_s}, 0) > 0)
        shape.note = u"The module that predicts further tokens is left out."_s;
}

} // namespace rankwright::inline planner::hf
