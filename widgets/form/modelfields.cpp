// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/estimate/network/modellist.h"
#include "widgets/form/fieldmakers.h"
#include "widgets/form/modeltext.h"

namespace rankwright {

using namespace Qt::StringLiterals;
using namespace fieldmaker;

namespace {

/// A word of the design file with what people call it.
struct Word {
    const char16_t* value;
    const char* label;
    const char* note;
};

const QList<Word>& precisions()
{
    static const QList<Word> words{
        {u"bf16-mixed", QT_TRANSLATE_NOOP("DesignField", "bf16 mixed"),
            QT_TRANSLATE_NOOP("DesignField",
                "The usual choice on recent GPUs: computes in bf16, keeps a 32-bit copy of the weights.")},
        {u"bf16", QT_TRANSLATE_NOOP("DesignField", "bf16 only"),
            QT_TRANSLATE_NOOP("DesignField", "No 32-bit copy: least memory, small updates may get lost.")},
        {u"fp16-mixed", QT_TRANSLATE_NOOP("DesignField", "fp16 mixed"),
            QT_TRANSLATE_NOOP("DesignField", "For V100 and older, which have no bf16. Needs loss scaling.")},
        {u"tf32", QT_TRANSLATE_NOOP("DesignField", "tf32"),
            QT_TRANSLATE_NOOP("DesignField", "32-bit values, matrices at reduced precision on tensor cores.")},
        {u"fp32", QT_TRANSLATE_NOOP("DesignField", "fp32"),
            QT_TRANSLATE_NOOP("DesignField", "Everything in 32 bits: twice the memory, much slower.")}};
    return words;
}

const QList<Word>& optimizers()
{
    static const QList<Word> words{
        {u"adamw", "AdamW", QT_TRANSLATE_NOOP("DesignField", "Two moments of 32 bits each.")},
        {u"adamw8bit", QT_TRANSLATE_NOOP("DesignField", "AdamW, 8 bit"),
            QT_TRANSLATE_NOOP("DesignField", "The same with moments of 8 bits (bitsandbytes).")},
        {u"adafactor", "Adafactor",
            QT_TRANSLATE_NOOP("DesignField", "Keeps sums of rows and columns: next to no memory.")},
        {u"sgd-momentum", QT_TRANSLATE_NOOP("DesignField", "SGD with momentum"),
            QT_TRANSLATE_NOOP("DesignField", "One moment for each parameter.")},
        {u"sgd", "SGD", QT_TRANSLATE_NOOP("DesignField", "Keeps nothing for a parameter.")}};
    return words;
}

const QList<Word>& frameworks()
{
    static const QList<Word> words{
        {u"pytorch", "PyTorch", QT_TRANSLATE_NOOP("DesignField", "DDP with automatic mixed precision.")},
        {u"fsdp2", QT_TRANSLATE_NOOP("DesignField", "PyTorch FSDP 2"),
            QT_TRANSLATE_NOOP("DesignField", "fully_shard(), as in torchtitan.")},
        {u"fsdp1", QT_TRANSLATE_NOOP("DesignField", "PyTorch FSDP 1"),
            QT_TRANSLATE_NOOP("DesignField", "FullyShardedDataParallel, as in llm-foundry.")},
        {u"deepspeed", "DeepSpeed", QT_TRANSLATE_NOOP("DesignField", "ZeRO with DeepSpeed's own buffers.")},
        {u"megatron-core", "Megatron-LM", QT_TRANSLATE_NOOP("DesignField", "Megatron-Core with its fused kernels.")},
        {u"megatron-deepspeed", "Megatron-DeepSpeed", QT_TRANSLATE_NOOP("DesignField", "As BLOOM was trained.")},
        {u"nemo", "NeMo", QT_TRANSLATE_NOOP("DesignField", "NVIDIA's framework over Megatron-Core.")},
        {u"hf-trainer", "HF Trainer", QT_TRANSLATE_NOOP("DesignField", "Hugging Face's Trainer with accelerate.")},
        {u"lightning", "Lightning", QT_TRANSLATE_NOOP("DesignField", "PyTorch Lightning, Fabric or LitGPT.")},
        {u"generic", QT_TRANSLATE_NOOP("DesignField", "another"),
            QT_TRANSLATE_NOOP("DesignField", "None of these: average habits, a wider range.")}};
    return words;
}

const QList<Word>& offloads()
{
    static const QList<Word> words{{u"none", QT_TRANSLATE_NOOP("DesignField", "nothing"),
                                       QT_TRANSLATE_NOOP("DesignField", "Everything stays on the GPUs.")},
        {u"optimizer", QT_TRANSLATE_NOOP("DesignField", "optimiser"),
            QT_TRANSLATE_NOOP("DesignField",
                "The optimiser's state lies in the node's memory and moves there: much less on the GPU, slower "
                "steps.")},
        {u"all", QT_TRANSLATE_NOOP("DesignField", "optimiser, weights"),
            QT_TRANSLATE_NOOP("DesignField", "Weights too: least memory on the GPU, much slower.")}};
    return words;
}

QList<Option> optionsOf(const QList<Word>& words)
{
    QList<Option> options;
    for (const Word& word : words)
        options.append({QString::fromUtf16(word.value), tr(word.label), tr(word.note)});
    return options;
}

QString labelOf(const QList<Option>& options, const QString& value)
{
    const auto found
        = std::find_if(options.begin(), options.end(), [&value](const Option& o) { return o.value == value; });
    return found == options.end() ? value : found->label;
}

/// A choice that was made can be taken back; while it is open, what is taken stands greyed in the field.
QList<Option> withWayBack(QList<Option> options)
{
    options.prepend({QString(), tr("let Rankwright choose"), tr("Takes what is usual for the strategy.")});
    return options;
}

/// "8.03 B"
QString shortCount(double count)
{
    return count >= 1e9 ? tr("%1 B").arg(humanNumber(count / 1e9, 2)) : tr("%1 M").arg(humanNumber(count / 1e6, 0));
}

/// What the planner took for an open field, in the words of the design file.
QString taken(const Derived& derived, const FieldPath& path, const QString& otherwise)
{
    const Choice* choice = choiceOf(derived, path);
    return choice ? choice->value : otherwise;
}

DesignField architectureField()
{
    DesignField field{path(field::model), Group::Model, Kind::Line, tr("Architecture"),
        tr("What is trained: a name from the list, a size such as 7B, or a Hugging Face config.json (drop it on the "
           "window). Memory, time and layouts are estimated from it.")};
    field.text = [](const JobSpec& spec) { return writeModel(spec.model); };
    field.apply = [](const QString& text, JobSpec& spec) -> Result<void> {
        auto model = readModel(text);
        if (!model)
            return fail(model.error());
        spec.model = *model;
        return {};
    };
    field.placeholder = [](const Derived&) { return tr("a name, or 7B"); };
    field.hint = [](const Derived& d) {
        return d.estimate ? shortCount(double(d.estimate->run.parameters.total)) : QString();
    };
    field.options = [](const Design&) {
        QList<Option> options;
        for (const ListedModel& model : listedModels())
            options.append({model.title, model.title, {}});
        return options;
    };
    return field;
}

DesignField sequenceField()
{
    auto field = wholeField(
        field::sequence, Group::Model, tr("Sequence"),
        tr("Tokens of one sample. Activations and attention grow with it."), 1, 100'000'000,
        [](JobSpec & spec) -> auto& { return spec.training.sequence; }, [](const Derived&) { return tr("tokens"); });
    field.placeholder = [](const Derived& d) {
        return d.estimate ? humanNumber(double(d.estimate->run.workload.sequence)) : tr("as the model");
    };
    return field;
}

/// A choice of words of a training's text member; open: what the planner takes.
template <typename Member>
DesignField wordField(const FieldPath& at, Kind kind, const QString& label, const QString& help, Member member,
    const QList<Option>& options, const QString& otherwise)
{
    DesignField field{at, Group::Model, kind, label, help};
    field.text = [member](const JobSpec& spec) { return (spec.training.*member).value_or(QString()); };
    field.apply = [member](const QString& text, JobSpec& spec) -> Result<void> {
        spec.training.*member = readText(text);
        return {};
    };
    field.placeholder = [kind, at, otherwise, options](const Derived& d) {
        const QString value = taken(d, at, otherwise);
        return kind == Kind::Segments ? value : labelOf(options, value);
    };
    field.options = [kind, options, member](const Design& design) {
        return kind == Kind::Segments || !(design.spec().training.*member) ? options : withWayBack(options);
    };
    return field;
}

DesignField precisionField()
{
    DesignField field{path(field::precision), Group::Model, Kind::Choice, tr("Precision"),
        tr("Numbers that the model is computed and kept in. It decides memory and speed.")};
    field.text
        = [](const JobSpec& spec) { return spec.training.precision ? toText(*spec.training.precision) : QString(); };
    field.apply = [](const QString& text, JobSpec& spec) -> Result<void> {
        spec.training.precision = precisionFrom(text);
        return {};
    };
    field.placeholder = [](const Derived& d) {
        return labelOf(optionsOf(precisions()), taken(d, path(field::precision), u"bf16-mixed"_s));
    };
    field.options = [](const Design& design) {
        const QList<Option> all = optionsOf(precisions());
        return design.spec().training.precision ? withWayBack(all) : all;
    };
    return field;
}

} // namespace

QList<DesignField> modelFields()
{
    const QList<Option> checkpointing{
        {u"none"_s, tr("none"), tr("Everything that the backward pass needs is kept: fastest, most memory.")},
        {u"selective"_s, tr("selective"), tr("Attention is computed again: little time for much memory.")},
        {u"full"_s, tr("full"), tr("Only each layer's input is kept: least memory, about a third more computation.")}};
    const QList<Option> attention{
        {u"flash"_s, tr("flash"), tr("FlashAttention or another kernel that keeps no table of scores.")},
        {u"standard"_s, tr("standard"), tr("Keeps a table of sequence × sequence scores for each head.")}};
    using Training = JobSpec::Training;
    return {architectureField(), sequenceField(), precisionField(),
        wordField(path(field::activationCheckpointing), Kind::Segments, tr("Recompute"),
            tr("What is computed again in the backward pass instead of kept: time against memory."),
            &Training::activationCheckpointing, checkpointing, u"none"_s),
        wordField(path(field::attention), Kind::Segments, tr("Attention"),
            tr("How attention is computed. Flash is faster and needs far less memory with long sequences."),
            &Training::attention, attention, u"flash"_s),
        wordField(path(field::optimizer), Kind::Choice, tr("Optimiser"),
            tr("What it keeps for each parameter is often the largest part of the memory."), &Training::optimizer,
            optionsOf(optimizers()), u"adamw"_s),
        wordField(path(field::offload), Kind::Choice, tr("Offload"),
            tr("What is kept in the node's memory instead of the GPU's. Only ZeRO and FSDP can."), &Training::offload,
            optionsOf(offloads()), u"none"_s),
        wordField(path(field::framework), Kind::Choice, tr("Training stack"),
            tr("The framework that trains. Each has its own habits in memory and speed."), &Training::framework,
            optionsOf(frameworks()), QString())};
}

} // namespace rankwright
