// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/tunerarguments.h"

#include "models/design/batchplan.h"
#include "models/design/enumwords.h"
#include "models/design/plannedrun.h"
#include "models/script/bash/scriptquoting.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

using P = TunerProgram;

/// Names of a program's options; empty: it has none for that.
struct TunerNames {
    P program;
    bool dashes; ///< "--name=value"; false: "name=value"
    QLatin1StringView rank, alpha, targets;
    QLatin1StringView packed;
    QLatin1StringView fusedLoss; ///< a flag
    QLatin1StringView inBackward; ///< a flag
    QLatin1StringView recompute; ///< a flag
};

constexpr TunerNames tunerNames[]{
    {P::Torchtune, false, "model.lora_rank"_L1, "model.lora_alpha"_L1, "model.lora_attn_modules"_L1,
        "dataset.packed"_L1, {}, "optimizer_in_bwd"_L1, "enable_activation_checkpointing"_L1},
    {P::Trl, true, "lora_r"_L1, "lora_alpha"_L1, "lora_target_modules"_L1, "packing"_L1, "use_liger_kernel"_L1, {},
        "gradient_checkpointing"_L1},
    {P::Axolotl, true, "lora-r"_L1, "lora-alpha"_L1, {}, "sample-packing"_L1, {}, {}, "gradient-checkpointing"_L1},
    {P::LlamaFactory, false, "lora_rank"_L1, "lora_alpha"_L1, "lora_target"_L1, "packing"_L1, "enable_liger_kernel"_L1,
        {}, "disable_gradient_checkpointing"_L1},
    {P::Litgpt, true, "lora_r"_L1, "lora_alpha"_L1, {}, {}, {}, {}, {}},
    {P::MsSwift, true, "lora_rank"_L1, "lora_alpha"_L1, "target_modules"_L1, "packing"_L1, "use_liger_kernel"_L1, {},
        "gradient_checkpointing"_L1},
};

const TunerNames& namesOf(P program)
{
    return *std::find_if(std::begin(tunerNames), std::end(tunerNames),
        [program](const TunerNames& one) { return one.program == program; });
}

QString keyOf(QString word)
{
    word = word.section(u'=', 0, 0);
    while (word.startsWith(u'-') || word.startsWith(u'+'))
        word.remove(0, 1);
    return word.replace(u'-', u'_');
}

/// The words of a target as a program calls them.
QString targetWord(P program, const QString& word)
{
    return program == P::Torchtune && word == u"o_proj"_s ? u"output_proj"_s : word;
}

class TunerPieces {
public:
    TunerPieces(const TunerNames& names, const QStringList& given) : m_names(names)
    {
        for (const QString& word : given)
            m_given.append(keyOf(word));
    }

    void add(const QString& key, const QString& value, const QList<FieldPath>& origins, const QString& reason)
    {
        if (key.isEmpty() || m_given.contains(keyOf(key)))
            return;
        const QString name = m_names.dashes ? u"--"_s + key : key;
        m_pieces.append({value.isEmpty() ? name : name + u'=' + value, origins, reason, u"R28"_s});
    }
    void addWords(const QString& key, const QStringList& values, const FieldPath& origin, const QString& reason)
    {
        if (!m_given.contains(keyOf(key)))
            m_pieces.append({u"--"_s + key + u' ' + values.join(u' '), {origin}, reason, u"R28"_s});
    }
    QList<ScriptLine> take() { return m_pieces; }

private:
    const TunerNames& m_names;
    QStringList m_given;
    QList<ScriptLine> m_pieces;
};

bool speaksPython(P program) { return program == P::Torchtune || program == P::Trl; }
QString yes(P program) { return speaksPython(program) ? u"True"_s : u"true"_s; }
QString no(P program) { return speaksPython(program) ? u"False"_s : u"false"_s; }

/// The estimate counts on recomputation; there is none without a model.
bool takesRecomputing(P program, const PlannedRun& run)
{
    return program != P::Litgpt && run.workload.shape.layers > 0 && run.workload.recompute == Recompute::Full;
}

void addTargets(TunerPieces& out, const TunerNames& names, AdapterTargets targets)
{
    const QString reason = u"Matrices that get an adapter."_s;
    const bool all = (targets & allLinear) == allLinear;
    QStringList words;
    for (const QString& word : toWords(targets))
        words.append(targetWord(names.program, word));
    switch (names.program) {
    case P::Torchtune: {
        words.removeIf([](const QString& word) { return adapterTargets(word) & ~attentionTargets; });
        out.add(names.targets, u"'[%1]'"_s.arg(words.join(u',')), {field::adapterTargets}, reason);
        const bool mlp = bool(targets & AdapterTargets{AdapterTarget::Gate, AdapterTarget::Up, AdapterTarget::Down});
        out.add(u"model.apply_lora_to_mlp"_s, mlp ? u"True"_s : u"False"_s, {field::adapterTargets}, reason);
        return;
    }
    case P::Litgpt:
        for (const auto& [key, some] : {std::pair(u"lora_query"_s, AdapterTargets(AdapterTarget::Query)),
                 std::pair(u"lora_key"_s, AdapterTargets(AdapterTarget::Key)),
                 std::pair(u"lora_value"_s, AdapterTargets(AdapterTarget::Value)),
                 std::pair(u"lora_projection"_s, AdapterTargets(AdapterTarget::Output)),
                 std::pair(u"lora_mlp"_s, AdapterTargets(AdapterTarget::Up)),
                 std::pair(u"lora_head"_s, AdapterTargets(AdapterTarget::Head))})
            out.add(key, targets & some ? u"true"_s : u"false"_s, {field::adapterTargets}, reason);
        return;
    case P::Axolotl:
        if (all)
            out.add(u"lora-target-linear"_s, u"true"_s, {field::adapterTargets}, reason);
        return;
    case P::LlamaFactory:
        out.add(names.targets, all ? u"all"_s : words.join(u','), {field::adapterTargets}, reason);
        return;
    case P::Trl:
    case P::MsSwift:
        out.addWords(names.targets, all ? QStringList{u"all-linear"_s} : words, field::adapterTargets, reason);
        return;
    }
}

void addQuantisation(TunerPieces& out, P program, Quantisation how)
{
    const QList<FieldPath> origin{field::adapterQuantisation};
    const QString reason = u"How the frozen weights are kept."_s;
    const bool four = how == Quantisation::Nf4 || how == Quantisation::Nf4Double;
    const bool twice = how == Quantisation::Nf4Double;
    if (!four && how != Quantisation::Int8)
        return;
    switch (program) {
    case P::Torchtune:
        if (four)
            out.add(u"model.quantize_base"_s, u"True"_s, origin, reason);
        return;
    case P::Trl:
        out.add(four ? u"load_in_4bit"_s : u"load_in_8bit"_s, u"True"_s, origin, reason);
        if (twice)
            out.add(u"use_bnb_nested_quant"_s, u"True"_s, origin, u"Scales are quantised, too."_s);
        return;
    case P::Axolotl: out.add(four ? u"load-in-4bit"_s : u"load-in-8bit"_s, u"true"_s, origin, reason); return;
    case P::LlamaFactory:
        out.add(u"quantization_bit"_s, four ? u"4"_s : u"8"_s, origin, reason);
        if (four)
            out.add(u"double_quantization"_s, twice ? u"true"_s : u"false"_s, origin, u"Whether scales are, too."_s);
        return;
    case P::Litgpt:
        out.add(u"quantize"_s, twice ? u"bnb.nf4-dq"_s : four ? u"bnb.nf4"_s : u"bnb.int8"_s, origin, reason);
        return;
    case P::MsSwift:
        out.add(u"quant_method"_s, u"bnb"_s, origin, reason);
        out.add(u"quant_bits"_s, four ? u"4"_s : u"8"_s, origin, reason);
        return;
    }
}

void addAdapter(TunerPieces& out, const TunerNames& names, const Adapter& adapter, std::optional<double> alpha)
{
    const P program = names.program;
    const QList<FieldPath> method{field::adapterMethod};
    const bool dora = adapter.method == AdapterMethod::Dora;
    const bool quantised = adapter.quantisation != Quantisation::None;
    const QString how = u"Adapters are trained beside frozen weights."_s;
    if (program == P::Trl)
        out.add(u"use_peft"_s, u"True"_s, method, how);
    if (program == P::Axolotl)
        out.add(u"adapter"_s, quantised ? u"qlora"_s : u"lora"_s, method, how);
    if (program == P::LlamaFactory)
        out.add(u"finetuning_type"_s, u"lora"_s, method, how);
    if (program == P::MsSwift)
        out.add(u"train_type"_s, u"lora"_s, method, how);
    if (dora && program != P::Litgpt)
        out.add(program == P::Torchtune ? u"model.use_dora"_s
                : program == P::Axolotl ? u"peft-use-dora"_s
                                        : u"use_dora"_s,
            yes(program), method, u"A magnitude is trained for each output, too."_s);
    out.add(names.rank, QString::number(adapter.rank), {field::adapterRank}, u"Rank of the adapters."_s);
    if (alpha)
        out.add(names.alpha, QString::number(*alpha, 'g', 12), {field::adapterAlpha}, u"Scale of their update."_s);
    addTargets(out, names, adapter.targets);
    addQuantisation(out, program, adapter.quantisation);
}

/// Value of an option; empty: it is not there. Several words behind it are joined by blanks.
std::optional<QString> optionValue(const QStringList& words, const QString& key)
{
    for (qsizetype i = 0; i < words.size(); ++i) {
        if (key.isEmpty() || keyOf(words.at(i)) != keyOf(key))
            continue;
        if (words.at(i).contains(u'='))
            return words.at(i).section(u'=', 1).remove(u'\'').remove(u'"');
        if (!words.at(i).startsWith(u'-'))
            continue;
        QStringList values;
        for (qsizetype next = i + 1; next < words.size() && !words.at(next).startsWith(u'-'); ++next)
            values.append(words.at(next));
        return values.join(u' ');
    }
    return std::nullopt;
}

bool isOn(const std::optional<QString>& value)
{
    return value && (value->isEmpty() || value->compare(u"true"_s, Qt::CaseInsensitive) == 0 || *value == u"1"_s);
}

AdapterTargets targetsIn(const QStringList& words, const TunerNames& names)
{
    AdapterTargets targets;
    if (names.program == P::Litgpt) {
        for (const auto& [key, some] : {std::pair(u"lora_query"_s, AdapterTargets(AdapterTarget::Query)),
                 std::pair(u"lora_key"_s, AdapterTargets(AdapterTarget::Key)),
                 std::pair(u"lora_value"_s, AdapterTargets(AdapterTarget::Value)),
                 std::pair(u"lora_projection"_s, AdapterTargets(AdapterTarget::Output)),
                 std::pair(u"lora_mlp"_s, allLinear & ~attentionTargets),
                 std::pair(u"lora_head"_s, AdapterTargets(AdapterTarget::Head))})
            targets |= isOn(optionValue(words, key)) ? some : AdapterTargets();
        return targets;
    }
    if (names.program == P::Axolotl)
        return isOn(optionValue(words, u"lora-target-linear"_s)) ? allLinear : targets;
    static const QRegularExpression between(u"[\\s,\\[\\]]+"_s);
    for (const QString& word : optionValue(words, names.targets).value_or(QString()).split(between, Qt::SkipEmptyParts))
        targets |= adapterTargets(word);
    if (names.program == P::Torchtune && isOn(optionValue(words, u"model.apply_lora_to_mlp"_s)))
        targets |= allLinear & ~attentionTargets;
    return targets;
}

std::optional<Quantisation> quantisationIn(const QStringList& words, P program)
{
    const auto text = [&words](const QString& key) { return optionValue(words, key).value_or(QString()); };
    switch (program) {
    case P::Torchtune: // torchao's NF4 quantises its scales
        return isOn(optionValue(words, u"model.quantize_base"_s)) ? std::optional(Quantisation::Nf4Double)
                                                                  : std::nullopt;
    case P::Trl:
        if (isOn(optionValue(words, u"load_in_4bit"_s)))
            return isOn(optionValue(words, u"use_bnb_nested_quant"_s)) ? Quantisation::Nf4Double : Quantisation::Nf4;
        return isOn(optionValue(words, u"load_in_8bit"_s)) ? std::optional(Quantisation::Int8) : std::nullopt;
    case P::Axolotl: // its loader sets bnb_4bit_use_double_quant
        if (isOn(optionValue(words, u"load-in-4bit"_s)))
            return Quantisation::Nf4Double;
        return isOn(optionValue(words, u"load-in-8bit"_s)) ? std::optional(Quantisation::Int8) : std::nullopt;
    case P::LlamaFactory: {
        const QString bits = text(u"quantization_bit"_s);
        const bool once = optionValue(words, u"double_quantization"_s).value_or(u"true"_s) == u"false"_s;
        return bits == u"4"_s ? std::optional(once ? Quantisation::Nf4 : Quantisation::Nf4Double)
            : bits == u"8"_s  ? std::optional(Quantisation::Int8)
                              : std::nullopt;
    }
    case P::Litgpt: {
        const QString how = text(u"quantize"_s);
        return how == u"bnb.nf4-dq"_s ? std::optional(Quantisation::Nf4Double)
            : how == u"bnb.nf4"_s     ? std::optional(Quantisation::Nf4)
            : how == u"bnb.int8"_s    ? std::optional(Quantisation::Int8)
                                      : std::nullopt;
    }
    case P::MsSwift: { // bnb_4bit_use_double_quant is its default
        const QString bits = text(u"quant_bits"_s);
        return bits == u"4"_s ? std::optional(Quantisation::Nf4Double)
            : bits == u"8"_s  ? std::optional(Quantisation::Int8)
                              : std::nullopt;
    }
    }
    return std::nullopt;
}

bool asksForDora(const QStringList& words)
{
    return isOn(optionValue(words, u"use_dora"_s)) || isOn(optionValue(words, u"model.use_dora"_s))
        || isOn(optionValue(words, u"peft-use-dora"_s));
}

/// The program has been told to train adapters, or its name says so.
bool adapts(const QStringList& words, const TunerNames& names)
{
    const QString all = words.join(u' ');
    return optionValue(words, names.rank).has_value() || isOn(optionValue(words, u"use_peft"_s))
        || all.contains(u"finetune_lora"_s) || all.contains(u"lora_finetune"_s);
}

} // namespace

QList<ScriptLine> tunerArguments(const ResolvedSpec& resolved, const QStringList& given)
{
    const auto program = tunerProgram(resolved.command);
    if (!program)
        return {};
    const TunerNames& names = namesOf(*program);
    const JobSpec& spec = resolved.spec;
    const PlannedRun run = planTraining(resolved, planBatch(resolved), namedModel(spec).value_or(ModelShape()));
    TunerPieces out(names, given);
    if (resolved.activationCheckpointing || takesRecomputing(*program, run)) {
        const bool full = run.workload.recompute == Recompute::Full;
        const bool inverted = *program == P::LlamaFactory; // its name says the contrary
        out.add(names.recompute, full != inverted ? yes(*program) : no(*program), {field::activationCheckpointing},
            u"Whether activations are computed again instead of kept."_s);
    }
    if (run.workload.adapter.method != AdapterMethod::None)
        addAdapter(out, names, run.workload.adapter, spec.adapter.alpha);
    if (spec.training.packed)
        out.add(names.packed,
            *spec.training.packed          ? yes(*program)
                : *program == P::Torchtune ? u"False"_s
                                           : u"false"_s,
            {field::packed}, u"Whether samples are laid end to end."_s);
    if (spec.training.loss && *spec.training.loss == LossKind::Fused)
        out.add(names.fusedLoss, yes(*program), {field::loss}, u"Logits and loss in one kernel (Liger)."_s);
    if (*program == P::Trl && spec.training.loss == LossKind::Chunked)
        out.add(u"loss_type"_s, u"chunked_nll"_s, {field::loss}, u"The loss of a few tokens at a time."_s);
    if (spec.training.optimizerInBackward.value_or(false))
        out.add(names.inBackward, yes(*program), {field::optimizerInBackward},
            u"Each layer is stepped as soon as its gradient is there."_s);
    return out.take();
}

QMap<FieldPath, QString> readTunerArguments(TunerProgram program, const QStringList& words, JobSpec& spec)
{
    const TunerNames& names = namesOf(program);
    QMap<FieldPath, QString> said;
    const auto option = [&names](const QString& key) { return names.dashes ? u"--"_s + key : key; };
    if (adapts(words, names)) {
        spec.adapter.method = asksForDora(words) ? AdapterMethod::Dora : AdapterMethod::Lora;
        said.insert(field::adapterMethod, option(names.rank));
        if (const auto rank = optionValue(words, names.rank)) {
            spec.adapter.rank = rank->toInt();
            said.insert(field::adapterRank, option(names.rank));
        }
        if (const auto alpha = optionValue(words, names.alpha)) {
            spec.adapter.alpha = alpha->toDouble();
            said.insert(field::adapterAlpha, option(names.alpha));
        }
        if (const AdapterTargets targets = targetsIn(words, names)) {
            spec.adapter.targets = toWords(targets);
            said.insert(
                field::adapterTargets, names.targets.isEmpty() ? u"the adapters' targets"_s : option(names.targets));
        }
        if (const auto how = quantisationIn(words, program)) {
            spec.adapter.quantisation = *how;
            said.insert(field::adapterQuantisation, u"the base's quantisation"_s);
        }
    }
    if (const auto packed = optionValue(words, names.packed)) {
        spec.training.packed = isOn(packed);
        said.insert(field::packed, option(names.packed));
    }
    if (isOn(optionValue(words, names.fusedLoss))) {
        spec.training.loss = LossKind::Fused;
        said.insert(field::loss, option(names.fusedLoss));
    } else if (optionValue(words, u"loss_type"_s) == u"chunked_nll"_s) {
        spec.training.loss = LossKind::Chunked;
        said.insert(field::loss, option(u"loss_type"_s));
    }
    if (const auto recompute = optionValue(words, names.recompute)) {
        spec.training.activationCheckpointing = isOn(recompute) != (program == P::LlamaFactory)
            ? ActivationCheckpointing::Full
            : ActivationCheckpointing::None;
        said.insert(field::activationCheckpointing, option(names.recompute));
    }
    if (isOn(optionValue(words, names.inBackward))) {
        spec.training.optimizerInBackward = true;
        said.insert(field::optimizerInBackward, option(names.inBackward));
    }
    return said;
}

} // namespace rankwright
