// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/tunerarguments.h"

#include "models/planner/design/batchplan.h"
#include "models/planner/design/enumwords.h"
#include "models/planner/design/plannedrun.h"
#include "models/script/bash/scriptquoting.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

using P = TunerProgram;

/// Names of a program's options; empty: it has none for that.
struct TunerNames {
    P program;
    QLatin1StringView rank, alpha, targets;
    QLatin1StringView sequence; ///< tokens of the longest sample, or of a packed one
    QLatin1StringView packed;
    QLatin1StringView fusedLoss; ///< a flag
    QLatin1StringView inBackward; ///< a flag
    QLatin1StringView recompute; ///< a flag
};

constexpr TunerNames tunerNames[]{
    {P::Torchtune, "model.lora_rank"_L1, "model.lora_alpha"_L1, "model.lora_attn_modules"_L1,
        "tokenizer.max_seq_len"_L1, "dataset.packed"_L1, {}, "optimizer_in_bwd"_L1,
        "enable_activation_checkpointing"_L1},
    {P::Trl, "lora_r"_L1, "lora_alpha"_L1, "lora_target_modules"_L1, "max_length"_L1, "packing"_L1,
        "use_liger_kernel"_L1, {}, "gradient_checkpointing"_L1},
    {P::Axolotl, "lora-r"_L1, "lora-alpha"_L1, "lora-target-modules"_L1, "sequence-len"_L1, "sample-packing"_L1, {}, {},
        "gradient-checkpointing"_L1},
    {P::LlamaFactory, "lora_rank"_L1, "lora_alpha"_L1, "lora_target"_L1, "cutoff_len"_L1, "packing"_L1,
        "enable_liger_kernel"_L1, {}, "disable_gradient_checkpointing"_L1},
    {P::Litgpt, "lora_r"_L1, "lora_alpha"_L1, {}, "train.max_seq_length"_L1, {}, {}, {}, {}},
    {P::MsSwift, "lora_rank"_L1, "lora_alpha"_L1, "target_modules"_L1, "max_length"_L1, "packing"_L1,
        "use_liger_kernel"_L1, {}, "gradient_checkpointing"_L1},
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

/// DPO has neither packing nor this loss (trl/trainer/dpo_config.py: loss_type is a list of preference losses).
bool isPreferenceTraining(P program, const QStringList& words)
{
    return program == P::Trl && std::any_of(words.cbegin(), words.cend(), [](const QString& word) {
        return word == u"dpo"_s || word.section(u'/', -1) == u"dpo.py"_s;
    });
}

/// The words of a target as a program calls them.
QString targetWord(P program, const QString& word)
{
    return program == P::Torchtune && word == u"o_proj"_s ? u"output_proj"_s : word;
}

bool speaksPython(P program) { return program == P::Torchtune || program == P::Trl; }
QString yes(P program) { return speaksPython(program) ? u"True"_s : u"true"_s; }
QString no(P program) { return speaksPython(program) ? u"False"_s : u"false"_s; }

class TunerPieces {
public:
    TunerPieces(const TunerNames& names, const QStringList& given)
        : m_program(names.program), m_dashes(takesDashes(names.program, given.join(u' ')))
    {
        for (const QString& word : given)
            m_given.append(keyOf(word));
    }

    void add(const QString& key, const QString& value, const QList<FieldPath>& origins, const QString& reason)
    {
        if (key.isEmpty() || m_given.contains(keyOf(key)))
            return;
        const QString name = m_dashes ? u"--"_s + key : key;
        m_pieces.append({value.isEmpty() ? name : name + u'=' + value, origins, reason, u"R28"_s});
    }
    /// On or off. axolotl's options of that kind take no value: "--name", "--no-name" (cli/utils/args.py).
    void addFlag(const QString& key, bool on, const QList<FieldPath>& origins, const QString& reason)
    {
        if (m_program != P::Axolotl)
            add(key, on ? yes(m_program) : no(m_program), origins, reason);
        else if (!m_given.contains(keyOf(key)) && !m_given.contains(u"no_"_s + keyOf(key)))
            add(on ? key : u"no-"_s + key, QString(), origins, reason);
    }
    void addWords(const QString& key, const QStringList& values, const FieldPath& origin, const QString& reason)
    {
        if (!m_given.contains(keyOf(key)))
            m_pieces.append({u"--"_s + key + u' ' + values.join(u' '), {origin}, reason, u"R28"_s});
    }
    bool isGiven(const QString& key) const { return m_given.contains(key); }
    QList<ScriptLine> take() { return m_pieces; }

private:
    P m_program;
    bool m_dashes;
    QStringList m_given;
    QList<ScriptLine> m_pieces;
};

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
        out.addFlag(u"model.apply_lora_to_mlp"_s, mlp, {field::adapterTargets}, reason);
        if (targets & AdapterTargets(AdapterTarget::Head))
            out.addFlag(u"model.apply_lora_to_output"_s, true, {field::adapterTargets}, reason);
        return;
    }
    case P::Litgpt:
        for (const auto& [key, some] : {std::pair(u"lora_query"_s, AdapterTargets(AdapterTarget::Query)),
                 std::pair(u"lora_key"_s, AdapterTargets(AdapterTarget::Key)),
                 std::pair(u"lora_value"_s, AdapterTargets(AdapterTarget::Value)),
                 std::pair(u"lora_projection"_s, AdapterTargets(AdapterTarget::Output)),
                 std::pair(u"lora_mlp"_s, AdapterTargets(AdapterTarget::Up)),
                 std::pair(u"lora_head"_s, AdapterTargets(AdapterTarget::Head))})
            out.addFlag(key, bool(targets & some), {field::adapterTargets}, reason);
        return;
    case P::Axolotl:
        if (all)
            out.addFlag(u"lora-target-linear"_s, true, {field::adapterTargets}, reason);
        else // PEFT takes one word as a pattern of the whole name
            out.add(names.targets, u"'.*\\.(%1)'"_s.arg(words.join(u'|')), {field::adapterTargets}, reason);
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
            out.addFlag(u"model.quantize_base"_s, true, origin, reason);
        return;
    case P::Trl:
        out.addFlag(four ? u"load_in_4bit"_s : u"load_in_8bit"_s, true, origin, reason);
        if (twice)
            out.addFlag(u"use_bnb_nested_quant"_s, true, origin, u"Scales are quantised, too."_s);
        return;
    case P::Axolotl: out.addFlag(four ? u"load-in-4bit"_s : u"load-in-8bit"_s, true, origin, reason); return;
    case P::LlamaFactory:
        out.add(u"quantization_bit"_s, four ? u"4"_s : u"8"_s, origin, reason);
        if (four)
            out.addFlag(u"double_quantization"_s, twice, origin, u"Whether scales are, too."_s);
        return;
    case P::Litgpt:
        out.add(u"quantize"_s, twice ? u"bnb.nf4-dq"_s : four ? u"bnb.nf4"_s : u"bnb.int8-training"_s, origin, reason);
        return;
    case P::MsSwift:
        out.add(u"quant_method"_s, u"bnb"_s, origin, reason);
        out.add(u"quant_bits"_s, four ? u"4"_s : u"8"_s, origin, reason);
        if (four)
            out.addFlag(u"bnb_4bit_use_double_quant"_s, twice, origin, u"Whether scales are, too."_s);
        return;
    }
}

void addAdapter(TunerPieces& out, const TunerNames& names, const Adapter& adapter, std::optional<double> alpha)
{
    const P program = names.program;
    const QList<FieldPath> method{field::adapterMethod};
    const bool dora = adapter.method == AdapterMethod::Dora;
    const bool four = adapter.quantisation == Quantisation::Nf4 || adapter.quantisation == Quantisation::Nf4Double;
    const QString how = u"Adapters are trained beside frozen weights."_s;
    if (program == P::Trl)
        out.addFlag(u"use_peft"_s, true, method, how);
    if (program == P::Axolotl) // "qlora" insists on 4 bits and refuses 8 (utils/schemas/peft.py, validate_qlora)
        out.add(u"adapter"_s, four ? u"qlora"_s : u"lora"_s, method, how);
    if (program == P::LlamaFactory)
        out.add(u"finetuning_type"_s, u"lora"_s, method, how);
    if (program == P::MsSwift && !out.isGiven(u"train_type"_s)) // its name before ms-swift 4
        out.add(u"tuner_type"_s, u"lora"_s, method, how);
    if (dora && program != P::Litgpt)
        out.addFlag(program == P::Torchtune ? u"model.use_dora"_s
                : program == P::Axolotl     ? u"peft-use-dora"_s
                                            : u"use_dora"_s,
            true, method, u"A magnitude is trained for each output, too."_s);
    out.add(names.rank, QString::number(adapter.rank), {field::adapterRank}, u"Rank of the adapters."_s);
    if (alpha)
        out.add(names.alpha, QString::number(*alpha, 'g', 12), {field::adapterAlpha}, u"Scale of their update."_s);
    addTargets(out, names, adapter.targets);
    addQuantisation(out, program, adapter.quantisation);
}

/// The type in which the weights are loaded, where it is not what the plan counts by itself. TRL takes fp32
/// (trl/trainer/model_config.py, dtype, since 0.27); LitGPT mixes bf16 into fp32 weights and refuses that beside a
/// quantised base (litgpt/finetune/lora.py); torchtune has bf16 and fp32 alone (recipes/configs, dtype).
void addLoadedType(TunerPieces& out, P program, const Workload& workload)
{
    const bool adapts = workload.adapter.method != AdapterMethod::None && workload.frozenBytesPerParameter == 2.0;
    const bool narrow = workload.precision == Precision::Bf16 || adapts;
    const bool fp16 = workload.precision == Precision::Fp16Mixed;
    const bool whole = workload.precision == Precision::Fp32 || workload.precision == Precision::Tf32;
    const QString reason = u"Type in which the weights are loaded."_s;
    switch (program) {
    case P::Trl:
        if (narrow && !out.isGiven(u"torch_dtype"_s)) // its name before
            out.add(u"dtype"_s, fp16 ? u"float16"_s : u"bfloat16"_s, {field::precision}, reason);
        return;
    case P::Litgpt: {
        const QString type = fp16 ? u"16"_s : whole ? u"32"_s : u"bf16"_s;
        out.add(u"precision"_s, type + (narrow || whole ? u"-true"_s : u"-mixed"_s), {field::precision}, reason);
        return;
    }
    case P::MsSwift:
        out.add(u"torch_dtype"_s,
            !narrow    ? u"float32"_s
                : fp16 ? u"float16"_s
                       : u"bfloat16"_s,
            {field::precision}, reason);
        if (!narrow && !whole) // its own guess for fp32 weights is fp16
            out.addFlag(fp16 ? u"fp16"_s : u"bf16"_s, true, {field::precision}, u"Type in which layers compute."_s);
        return;
    case P::Torchtune:
        if (narrow || whole)
            out.add(u"dtype"_s, whole ? u"fp32"_s : u"bf16"_s, {field::precision}, reason);
        return;
    case P::Axolotl: // bf16 and fp16 of its file
        return;
    case P::LlamaFactory: // casts what is trained to fp32 itself, but for pure_bf16 (model/adapter.py)
        if (!whole)
            out.addFlag(workload.precision == Precision::Bf16 ? u"pure_bf16"_s
                    : fp16                                    ? u"fp16"_s
                                                              : u"bf16"_s,
                true, {field::precision}, u"Type in which layers compute."_s);
        return;
    }
}

/// Value of an option; empty: it is not there. Several words after it are joined by blanks.
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

/// An option that is on or off, as "--name", "--name=true" or "--no-name"; empty: it is not there.
std::optional<bool> flagIn(const QStringList& words, const QString& key, P program)
{
    if (key.isEmpty())
        return std::nullopt;
    if (optionValue(words, u"no_"_s + key))
        return false;
    const auto value = optionValue(words, key);
    const bool takesNone = program == P::Axolotl && key != namesOf(program).recompute; // what follows is another word
    return value ? std::optional(takesNone || isOn(value)) : std::nullopt;
}

bool isOn(const QStringList& words, const QString& key, P program)
{
    return flagIn(words, key, program).value_or(false);
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
    if (names.program == P::Axolotl && isOn(words, u"lora-target-linear"_s, P::Axolotl))
        return allLinear;
    static const QRegularExpression between(u"[^\\w-]+"_s);
    for (const QString& word : optionValue(words, names.targets).value_or(QString()).split(between, Qt::SkipEmptyParts))
        targets |= adapterTargets(word);
    if (names.program == P::Torchtune && isOn(optionValue(words, u"model.apply_lora_to_mlp"_s)))
        targets |= allLinear & ~attentionTargets;
    if (names.program == P::Torchtune && isOn(optionValue(words, u"model.apply_lora_to_output"_s)))
        targets |= AdapterTarget::Head;
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
        if (isOn(words, u"load-in-4bit"_s, program))
            return Quantisation::Nf4Double;
        return isOn(words, u"load-in-8bit"_s, program) ? std::optional(Quantisation::Int8) : std::nullopt;
    case P::LlamaFactory: {
        const QString bits = text(u"quantization_bit"_s);
        const bool once = !flagIn(words, u"double_quantization"_s, program).value_or(true);
        return bits == u"4"_s ? std::optional(once ? Quantisation::Nf4 : Quantisation::Nf4Double)
            : bits == u"8"_s  ? std::optional(Quantisation::Int8)
                              : std::nullopt;
    }
    case P::Litgpt: {
        const QString how = text(u"quantize"_s);
        return how == u"bnb.nf4-dq"_s       ? std::optional(Quantisation::Nf4Double)
            : how == u"bnb.nf4"_s           ? std::optional(Quantisation::Nf4)
            : how == u"bnb.int8-training"_s ? std::optional(Quantisation::Int8)
                                            : std::nullopt;
    }
    case P::MsSwift: { // bnb_4bit_use_double_quant is its default
        const QString bits = text(u"quant_bits"_s);
        const bool once = !flagIn(words, u"bnb_4bit_use_double_quant"_s, program).value_or(true);
        return bits == u"4"_s ? std::optional(once ? Quantisation::Nf4 : Quantisation::Nf4Double)
            : bits == u"8"_s  ? std::optional(Quantisation::Int8)
                              : std::nullopt;
    }
    }
    return std::nullopt;
}

bool asksForDora(const QStringList& words)
{
    return isOn(optionValue(words, u"use_dora"_s)) || isOn(optionValue(words, u"model.use_dora"_s))
        || isOn(words, u"peft-use-dora"_s, P::Axolotl);
}

/// The program has been told to train adapters, or its name says so.
bool adapts(const QStringList& words, const TunerNames& names)
{
    const QString all = words.join(u' ');
    static const QStringList methodKeys{u"adapter"_s, u"finetuning_type"_s, u"tuner_type"_s, u"train_type"_s};
    const bool named = std::any_of(methodKeys.cbegin(), methodKeys.cend(), [&words](const QString& key) {
        const QString value = optionValue(words, key).value_or(QString());
        return value == u"lora"_s || value == u"qlora"_s;
    });
    const bool litgpt = names.program == P::Litgpt // its "finetune" is short for "finetune_lora" (litgpt/__main__.py)
        && (words.contains(u"finetune"_s) || words.contains(u"finetune_lora"_s));
    return optionValue(words, names.rank).has_value() || isOn(optionValue(words, u"use_peft"_s)) || litgpt || named
        || all.contains(u"lora_finetune"_s);
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
    addLoadedType(out, *program, run.workload);
    if (spec.training.sequence)
        out.add(names.sequence, QString::number(*spec.training.sequence), {field::sequence},
            u"Tokens of the longest sample, or of a packed one."_s);
    if (run.workload.adapter.method != AdapterMethod::None)
        addAdapter(out, names, run.workload.adapter, spec.adapter.alpha);
    const bool prefers = isPreferenceTraining(*program, given);
    if (spec.training.packed && !names.packed.isEmpty() && !prefers)
        out.addFlag(names.packed, *spec.training.packed, {field::packed}, u"Whether samples are laid end to end."_s);
    if (spec.training.loss && *spec.training.loss == LossKind::Fused)
        out.add(names.fusedLoss, yes(*program), {field::loss}, u"Logits and loss in one kernel (Liger)."_s);
    if (*program == P::Trl && spec.training.loss == LossKind::Chunked && !prefers)
        out.add(u"loss_type"_s, u"chunked_nll"_s, {field::loss}, u"The loss of a few tokens at a time."_s);
    if (*program == P::Trl && spec.training.loss == LossKind::Full && !prefers)
        out.add(
            u"loss_type"_s, u"nll"_s, {field::loss}, u"All logits at once; TRL's default is a few tokens at a time."_s);
    if (spec.training.optimizerInBackward.value_or(false))
        out.add(names.inBackward, yes(*program), {field::optimizerInBackward},
            u"Each layer is stepped as soon as its gradient is there."_s);
    return out.take();
}

QMap<FieldPath, QString> readTunerArguments(TunerProgram program, const QStringList& words, JobSpec& spec)
{
    const TunerNames& names = namesOf(program);
    QMap<FieldPath, QString> said;
    const bool dashes = takesDashes(program, words.join(u' '));
    const auto option = [dashes](const QString& key) { return dashes ? u"--"_s + key : key; };
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
    if (const auto packed = flagIn(words, names.packed, program)) {
        spec.training.packed = *packed;
        said.insert(field::packed, option(names.packed));
    }
    if (isOn(optionValue(words, names.fusedLoss))) {
        spec.training.loss = LossKind::Fused;
        said.insert(field::loss, option(names.fusedLoss));
    } else if (optionValue(words, u"loss_type"_s) == u"chunked_nll"_s) {
        spec.training.loss = LossKind::Chunked;
        said.insert(field::loss, option(u"loss_type"_s));
    } else if (program == P::Trl && optionValue(words, u"loss_type"_s) == u"nll"_s) {
        spec.training.loss = LossKind::Full;
        said.insert(field::loss, option(u"loss_type"_s));
    }
    if (const auto recompute = flagIn(words, names.recompute, program)) {
        spec.training.activationCheckpointing = *recompute != (program == P::LlamaFactory)
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

} // namespace rankwright::inline script
