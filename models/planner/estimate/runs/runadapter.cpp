// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/runs/runadapter.h"

#include "models/planner/estimate/runs/runstack.h"
#include "models/planner/estimate/stack/stackmemory.h"
#include "models/planner/estimate/stack/stacknames.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner::runs {

namespace {

// PEFT's methods beside LoRA and DoRA, as its method_comparison names them.
const QString otherMethods
    = u"prompt.?tuning|prefix.?tuning|p-?tuning|\\bia3\\b|\\(ia\\)|\\bvera\\b|\\bvblora\\b|\\bboft\\b|\\boft\\b|fourier|"
      u"layer.?norm.?tuning|ln.?tuning|bitfit|\\bloha\\b|\\blokr\\b|randlora|\\broad\\b|\\bmiss\\b|\\bbone\\b|trainable.?tokens|"
      u"c3a|\\bhra\\b|shira|adaption.?prompt|adaptation.?prompt|\\bsvf?t\\b|\\bgralora\\b|\\bdelora\\b|\\bosf\\b"_s;

QString wordsOfAdapter(const RunWords& words)
{
    return words.strategy + u' ' + words.notes + u' ' + words.precision + u' ' + words.optimizer;
}

bool adapts(const RunWords& words)
{
    return matches(words.strategy + u' ' + words.precision + u' ' + words.optimizer, u"lora|dora\\b"_s)
        || matches(words.notes, u"(^|[;,.] ?)q?[ld]ora\\b"_s)
        || matches(words.strategy + u' ' + words.model, otherMethods)
        || matches(words.notes, u"(^|[;,.] ?)(method[ =:]*)?("_s + otherMethods + u')');
}

/// "1.2M trainable parameters", "3,407,872 trainable".
double countInNotes(const RunWords& words)
{
    static const QRegularExpression said(
        u"([0-9][0-9,]*(?:\\.[0-9]+)?) ?(k|m|b|million|billion)? ?(?:trainable|trained)"_s);
    static const QRegularExpression behind(
        u"(?:trainable|trained)[ a-z_]*[=:]? ?([0-9][0-9,]*(?:\\.[0-9]+)?) ?(k|m|b|million|billion)?"_s);
    for (const QRegularExpression* form : {&said, &behind}) {
        const QRegularExpressionMatch found = form->match(words.notes);
        if (!found.hasMatch())
            continue;
        const double number = QString(found.captured(1)).remove(u',').toDouble();
        const QString unit = found.captured(2);
        const double factor = unit == u"k" ? 1e3 : unit.startsWith(u'm') ? 1e6 : unit.startsWith(u'b') ? 1e9 : 1.0;
        return number * factor;
    }
    return 0.0;
}

/// Parameters of a method by its paper's formula with PEFT's defaults: 20 virtual tokens, VeRA's rank 256.
double usualCount(const QString& text, const ModelShape& shape)
{
    const double h = static_cast<double>(shape.hidden);
    const double q = static_cast<double>(shape.queryWidth());
    const double r = static_cast<double>(shape.keyWidth());
    const double f = static_cast<double>(shape.ffn);
    const double layers = shape.layers;
    const double tokens = static_cast<double>(numberBehind(text, u"(?:num_)?virtual.?tokens"_s).value_or(20));
    if (matches(text, u"prompt.?tuning|p-?tuning"_s))
        return tokens * h;
    if (matches(text, u"prefix.?tuning"_s))
        return tokens * layers * 2.0 * r;
    if (matches(text, u"\\bia3\\b|\\(ia\\)"_s))
        return layers * (2.0 * r + f); // keys, values and the feed-forward width (arXiv:2205.05638)
    if (matches(text, u"\\bvera\\b"_s))
        return layers * (q + r + 2.0 * static_cast<double>(numberBehind(text, u"rank"_s).value_or(256)));
    if (matches(text, u"norm.?tuning|ln.?tuning"_s))
        return layers * shape.normsPerBlock * h + h;
    if (matches(text, u"bitfit"_s))
        return layers * (q + 2.0 * r + 2.0 * h + f);
    Adapter like; // most others have as many parameters as LoRA of their rank
    like.method = AdapterMethod::Lora;
    like.rank = static_cast<int>(std::clamp<qint64>(numberBehind(text, u"rank"_s).value_or(8), 1, 100'000));
    like.targets = allLinear;
    return adapterParameters(like, shape);
}

/// What a stack's recipes adapt where a table does not say it, and with which rank.
void putDefaults(Adapter& adapter, const QString& stack)
{
    const StackMemory& habits = stackMemory(stack);
    adapter.rank = static_cast<int>(habits.adapterRank);
    adapter.targets = habits.adaptsAll ? allLinear : queryAndValue;
}

AdapterTargets targetsIn(const QString& text)
{
    AdapterTargets targets;
    if (matches(text, u"all.?linear|attention ?\\+ ?mlp|attention and mlp|every linear|^all\\b"_s))
        targets |= allLinear;
    if (matches(text, u"qkvo|attention"_s))
        targets |= attentionTargets;
    if (matches(text, u"\\bqkv\\b|c_attn|fused qkv"_s))
        targets |= attentionTargets & ~AdapterTargets(AdapterTarget::Output);
    if (matches(text, u"\\bqv\\b|\\bq ?(\\+|,|and) ?v\\b|query[ +,a]"_s))
        targets |= queryAndValue;
    if (matches(text, u"\\bqvo\\b"_s))
        targets |= queryAndValue | AdapterTarget::Output;
    if (matches(text, u"mlp|experts"_s))
        targets |= allLinear & ~attentionTargets;
    if (matches(text, u"embedding and head|embed_tokens|modules_to_save"_s))
        targets |= AdapterTargets{AdapterTarget::SavedEmbedding, AdapterTarget::SavedHead};
    else if (matches(text, u"head|lm_head"_s))
        targets |= AdapterTarget::Head;
    static const QRegularExpression word(u"[a-z0-9]+_[a-z_0-9]+"_s);
    for (auto found = word.globalMatch(text); found.hasNext();)
        targets |= adapterTargets(found.next().captured());
    return targets;
}

Quantisation quantisationOf(const RunWords& words)
{
    const QString text = wordsOfAdapter(words);
    if (has(text, u"gptq"_s))
        return Quantisation::Gptq;
    // QLoRA's own recipe and torchao's NF4 quantise the constants, too.
    if (matches(text, u"no double|single quant|nf4 without"_s))
        return Quantisation::Nf4;
    if (matches(words.strategy + words.precision, u"qlora|nf4|fp4|4-?bit"_s)
        || matches(words.notes, u"quant=nf4|qlora|4-?bit base"_s))
        return Quantisation::Nf4Double;
    if (matches(words.strategy + words.precision, u"int8|8-?bit"_s) || has(words.notes, u"quant=int8"_s))
        return Quantisation::Int8;
    return Quantisation::None;
}

void readLora(Adapter& adapter, const RunWords& words, QString& note)
{
    static const QRegularExpression ranks(u"(?:rank|\\br)\\s*=?\\s*([0-9]{1,5})"_s);
    static const QRegularExpression targets(u"targets ?[=:] ?([^;]*?)(?= dropout|;|$)"_s);
    if (const QRegularExpressionMatch found = ranks.match(words.notes); found.hasMatch())
        adapter.rank = std::max(1, found.captured(1).toInt());
    else
        report(note, u"The rank of the adapters is not given: %1 is assumed."_s.arg(adapter.rank));
    const QRegularExpressionMatch found = targets.match(words.notes);
    if (const AdapterTargets said = targetsIn(found.captured(1)); found.hasMatch() && said)
        adapter.targets = said;
    if (has(words.strategy, u"adalora"_s))
        adapter.rank += adapter.rank / 2; // it starts with half as many again (arXiv:2303.10512, 4)
    static const QRegularExpression dropout(u"dropout\\s*=?\\s*([0-9.]+)"_s);
    if (const QRegularExpressionMatch said = dropout.match(words.notes); said.hasMatch())
        adapter.dropout = said.captured(1).toDouble() > 0;
}

} // namespace

bool isFineTuning(const RunWords& words, const QString& stack)
{
    return adapts(words) || isTuner(stack) || namesTuner(words)
        || matches(words.strategy + words.notes, u"fine-?tun|\\bsft\\b"_s);
}

LossKind lossOf(const RunWords& words, const QString& stack)
{
    const QString text = words.strategy + u' ' + words.checkpointing + u' ' + words.notes;
    if (matches(text, u"without cut|no cut|plain logits"_s))
        return LossKind::Full;
    // torchtune's recipes since late 2024, but for the first lines of its ladder of techniques.
    const bool plain = (words.month > 0 && words.month < monthOf(2024, 11))
        || (has(words.notes, u"cumulative"_s) && !has(words.notes, u"chunked"_s));
    if (stack == stackname::torchtune)
        return plain ? LossKind::Full : LossKind::Chunked;
    if (matches(text, u"fused.?linear|linear cross entropy fused|cut cross|\\bcce\\b"_s))
        return LossKind::Fused;
    // torchtitan's default since June 2026.
    const bool chunks = has(words.source, u"torchtitan"_s) && words.month >= monthOf(2026, 6);
    // XTuner's examples name it (CELossConfig of mode chunk).
    if (chunks || has(words.source, u"xtuner"_s) || matches(text, u"chunked (ce|cross|loss)|linear.?ce"_s))
        return LossKind::Chunked;
    // unsloth computes no logits as a whole: cut cross-entropy since November 2024, its own fused head and loss since
    // August 2025 (unsloth_zoo/fused_losses/cross_entropy_loss.py).
    if (stack == stackname::unsloth && (words.month == 0 || words.month >= monthOf(2024, 11)))
        return LossKind::Fused;
    if (matches(text, u"foak|unsloth|liger"_s) || stack == stackname::unsloth)
        return LossKind::InPlace;
    return LossKind::Full;
}

void readAdapters(RunRow& row, const RunWords& words)
{
    Workload& work = row.workload;
    work.fusedKernels = matches(words.strategy + words.notes, u"foak|unsloth|liger kernels"_s);
    if (work.precision == Precision::Fp32 || work.precision == Precision::Tf32)
        work.frozenBytesPerParameter = 4;
    // Autocast leaves a base in fp32 unless the program loads it in 16 bit.
    const bool autocasts = matches(words.precision, u"\\bamp\\b|mixed|autocast"_s)
        && !matches(words.precision, u"base|pure|weights|gptq|nf4|int[48]"_s);
    if (autocasts && adapts(words))
        work.frozenBytesPerParameter = 4;
    work.castsWeights = autocasts;
    if (words.precision.isEmpty() && row.stack == stackname::peft && adapts(words)) {
        work.frozenBytesPerParameter = 4; // transformers loads in fp32 unless a dtype is given
        report(
            row.note, u"The type that the model is loaded in is not given: fp32, transformers' default, is assumed."_s);
    }
    const QString text = wordsOfAdapter(words);
    if (matches(words.strategy, u"\\bfreeze\\b"_s)) { // the last blocks alone: LLaMA-Factory trains two of them
        work.trainedFraction = work.shape.layers > 0 ? std::min(1.0, 2.0 / work.shape.layers) : 1.0;
        return;
    }
    if (!adapts(words))
        return;
    Adapter& adapter = work.adapter;
    const bool lora = matches(text, u"q?lora|dora\\b"_s) && !matches(words.strategy, otherMethods);
    adapter.quantisation = quantisationOf(words);
    if (lora) {
        adapter.method = matches(text, u"(^|[^a-z])q?dora\\b"_s) ? AdapterMethod::Dora : AdapterMethod::Lora;
        putDefaults(adapter, row.stack);
        readLora(adapter, words, row.note);
    } else {
        adapter.method = AdapterMethod::Counted;
        adapter.counted = countInNotes(words);
        if (adapter.counted <= 0 && checkShape(work.shape)) {
            adapter.counted = usualCount(text, work.shape);
            report(row.note,
                u"The trained parameters are not given: %1 million are assumed."_s.arg(
                    adapter.counted / 1e6, 0, 'g', 3));
        }
    }
    // transformers 5 keeps the experts of a block as one tensor, which bitsandbytes passes over unless the trainer
    // quantises it on loading (axolotl's documentation, expert_quantization).
    const bool current = row.stack == stackname::axolotl || has(text, u"transformers 5"_s);
    adapter.stackedExperts = current && work.shape.experts > 0 && !matches(text, u"lineari[sz]ed experts"_s);
    adapter.expertAdapters = !adapter.stackedExperts
        || matches(text, u"(\\+|and|,|=) ?experts|experts (are )?(also )?adapted|adapted experts"_s);
    adapter.plainExperts = adapter.quantisation != Quantisation::None && work.shape.experts > 0
        && (matches(text, u"(bf16|16-?bit) experts|experts (left )?in (bf16|16)|experts not quanti"_s)
            || (current && !matches(text, u"experts quanti|lineari[sz]ed experts|quanti[sz]ed experts"_s)));
    // Quantised weights are sharded only when they are stored in the shards' type (PEFT's bnb_4bit_quant_storage, which
    // axolotl sets for FSDP1).
    adapter.wholeBase = adapter.quantisation != Quantisation::None && row.stack == stackname::axolotl
        && has(words.strategy, u"fsdp2"_s);
    const bool sharded = row.layout.sharding == Sharding::Full;
    adapter.wideStream = adapter.quantisation != Quantisation::None
        && adapter.quantisation != Quantisation::Gptq // PEFT leaves GPTQ's models as they are
        && stackMemory(row.stack).kbitStream && !sharded && !has(words.notes, u"no fp32 upcast"_s)
        && !has(words.notes, u"bnb"_s) && !has(words.notes, u"fms accelerated"_s)
        && !has(words.notes, u"fms autogptq"_s);
}

} // namespace rankwright::inline planner::runs
