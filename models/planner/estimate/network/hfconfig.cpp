// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/network/hfconfig.h"

#include "models/core/jsonreader.h"
#include "models/planner/estimate/network/hfdecoders.h"
#include "models/planner/estimate/network/hfencoders.h"
#include "models/planner/estimate/network/hfmixtures.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

using hf::HfKeys;

/// Of a type that is not known: Llama's defaults, or GPT-2's where the activation is theirs.
void assume(const QString& type, HfKeys& members, ModelShape& shape)
{
    hf::readUsual(members, shape);
    const QString activation = members.text(members.has(u"hidden_act"_s) ? u"hidden_act"_s : u"activation_function"_s);
    shape.gatedMlp = activation.isEmpty() || activation.contains(u"silu"_s) || activation.contains(u"swi"_s)
        || activation.contains(u"geglu"_s);
    shape.norm = members.has(u"layer_norm_epsilon"_s) || members.has(u"layer_norm_eps"_s) ? NormKind::LayerNorm
                                                                                          : NormKind::RmsNorm;
    shape.tiedEmbeddings = members.flag(u"tie_word_embeddings"_s, false);
    shape.qkvBias = members.flag(u"attention_bias"_s, false) || members.flag(u"use_bias"_s, false);
    shape.attentionOutBias = shape.qkvBias;
    shape.mlpBias = members.flag(u"mlp_bias"_s, false) || members.flag(u"use_bias"_s, false);
    shape.qkNorm = members.flag(u"use_qk_norm"_s, false) ? QkNorm::PerHead : QkNorm::None;
    hf::readMixture(members, shape);
    shape.assumed = true;
    const QString spread = shape.note; // of experts in every second block
    shape.note = type.isEmpty()
        ? u"The configuration names no model_type: a Llama-like decoder with its figures is assumed."_s
        : u"The model_type “%1” is not known: a Llama-like decoder with its figures is assumed."_s.arg(type.left(60));
    if (!spread.isEmpty())
        shape.note += u' ' + spread;
}

QString titleOf(const QString& type, const HfKeys& members)
{
    const QString path = members.text(u"_name_or_path"_s).section(u'/', -1);
    return path.isEmpty() ? type : path;
}

} // namespace

Result<ModelShape> shapeFromHfConfig(const QByteArray& json, const QString& name)
{
    constexpr qsizetype largest = 4 * 1024 * 1024;
    const QString remedy = u"Give the config.json that lies beside the model's weights on Hugging Face."_s;
    if (json.size() > largest)
        return fail(
            Fault::Unreadable, u"%1 is larger than 4 MiB: it is not a model configuration."_s.arg(name), {}, remedy);
    const auto document = parseJsonObject(json, name);
    if (!document)
        return fail(document.error());
    HfKeys outer(*document);
    const QString outerType = outer.text(u"model_type"_s);
    // Models that see or hear carry the language model inside.
    const bool inside = outer.object(u"text_config"_s).has(u"hidden_size"_s);
    HfKeys members = inside ? outer.object(u"text_config"_s) : outer;
    const QString type = inside && members.has(u"model_type"_s) ? members.text(u"model_type"_s) : outerType;
    ModelShape shape;
    const bool known = hf::readDecoder(type, members, shape) || hf::readOtherLine(type, members, shape)
        || hf::readMixtureType(type, members, shape);
    if (!known)
        assume(type, members, shape);
    if (inside)
        shape.note = u"Only the language model of “%1” is counted."_s.arg(outerType.left(60))
            + (shape.note.isEmpty() ? QString() : QString(u' ' + shape.note));
    if (!members.fault().isEmpty())
        return fail(Fault::Unreadable, name + u": "_s + members.fault(), {}, remedy);
    if (const auto checked = checkShape(shape); !checked)
        return fail(checked.error().within(name));
    shape.name = titleOf(type, outer);
    shape.source = name;
    return shape;
}

} // namespace rankwright::inline planner
