// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/enumwords.h"
#include "models/planner/estimate/network/modellist.h"
#include "widgets/form/fieldmakers.h"

namespace rankwright {

using namespace Qt::StringLiterals;
using namespace fieldmaker;

namespace {

/// What a tool tip says of one choice.
template <typename Enum>
struct Note {
    Enum value;
    const char* note;
};

const QList<Note<Precision>>& precisions()
{
    static const QList<Note<Precision>> notes{
        {Precision::Bf16Mixed,
            QT_TRANSLATE_NOOP("DesignField",
                "The usual choice on recent GPUs: computes in bf16, keeps a 32-bit copy of the weights.")},
        {Precision::Bf16,
            QT_TRANSLATE_NOOP("DesignField", "No 32-bit copy: least memory, small updates may get lost.")},
        {Precision::Fp16Mixed,
            QT_TRANSLATE_NOOP("DesignField", "For V100 and older, which have no bf16. Needs loss scaling.")},
        {Precision::Tf32,
            QT_TRANSLATE_NOOP("DesignField", "32-bit values, matrices at reduced precision on tensor cores.")},
        {Precision::Fp32, QT_TRANSLATE_NOOP("DesignField", "Everything in 32 bits: twice the memory, much slower.")}};
    return notes;
}

const QList<Note<Optimizer>>& optimizers()
{
    static const QList<Note<Optimizer>> notes{
        {Optimizer::AdamW, QT_TRANSLATE_NOOP("DesignField", "Two moments of 32 bits each.")},
        {Optimizer::AdamW8bit, QT_TRANSLATE_NOOP("DesignField", "The same with moments of 8 bits (bitsandbytes).")},
        {Optimizer::AdamWPaged,
            QT_TRANSLATE_NOOP("DesignField",
                "Two moments in unified memory (bitsandbytes): they move to the node's memory when the GPU is full, and "
                "steps get slower then.")},
        {Optimizer::AdamW8bitPaged,
            QT_TRANSLATE_NOOP("DesignField", "Both: moments of 8 bits, in unified memory (bitsandbytes).")},
        {Optimizer::Adafactor, QT_TRANSLATE_NOOP("DesignField", "Keeps sums of rows and columns: next to no memory.")},
        {Optimizer::SgdMomentum, QT_TRANSLATE_NOOP("DesignField", "One moment for each parameter.")},
        {Optimizer::Sgd, QT_TRANSLATE_NOOP("DesignField", "Keeps nothing for a parameter.")}};
    return notes;
}

const QList<Note<Framework>>& frameworks()
{
    static const QList<Note<Framework>> notes{
        {Framework::Pytorch, QT_TRANSLATE_NOOP("DesignField", "DDP with automatic mixed precision.")},
        {Framework::Fsdp2, QT_TRANSLATE_NOOP("DesignField", "fully_shard(), as in torchtitan.")},
        {Framework::Fsdp1, QT_TRANSLATE_NOOP("DesignField", "FullyShardedDataParallel, as in llm-foundry.")},
        {Framework::Deepspeed, QT_TRANSLATE_NOOP("DesignField", "ZeRO with DeepSpeed's own buffers.")},
        {Framework::MegatronCore, QT_TRANSLATE_NOOP("DesignField", "Megatron-Core with its fused kernels.")},
        {Framework::MegatronDeepspeed, QT_TRANSLATE_NOOP("DesignField", "As BLOOM was trained.")},
        {Framework::Nemo, QT_TRANSLATE_NOOP("DesignField", "NVIDIA's framework over Megatron-Core.")},
        {Framework::HfTrainer, QT_TRANSLATE_NOOP("DesignField", "Hugging Face's Trainer with accelerate.")},
        {Framework::Lightning, QT_TRANSLATE_NOOP("DesignField", "PyTorch Lightning, Fabric or LitGPT.")},
        {Framework::Torchtune,
            QT_TRANSLATE_NOOP("DesignField", "Its recipes: bf16 alone, chunked loss, recomputation.")},
        {Framework::Trl, QT_TRANSLATE_NOOP("DesignField", "SFTTrainer on Hugging Face's Trainer, with PEFT.")},
        {Framework::Peft, QT_TRANSLATE_NOOP("DesignField", "Adapters by PEFT in a loop of your own or in Trainer.")},
        {Framework::Axolotl, QT_TRANSLATE_NOOP("DesignField", "A YAML file over Trainer and PEFT; packs samples.")},
        {Framework::LlamaFactory, QT_TRANSLATE_NOOP("DesignField", "A YAML file over Trainer and PEFT.")},
        {Framework::Litgpt, QT_TRANSLATE_NOOP("DesignField", "Lightning Fabric; no recomputation on one GPU.")},
        {Framework::Unsloth, QT_TRANSLATE_NOOP("DesignField", "Own kernels on TRL, on one GPU.")},
        {Framework::MsSwift, QT_TRANSLATE_NOOP("DesignField", "ModelScope's swift over Trainer and PEFT.")},
        {Framework::Generic, QT_TRANSLATE_NOOP("DesignField", "None of these: average figures, a wider range.")}};
    return notes;
}

const QList<Note<Offload>>& offloads()
{
    static const QList<Note<Offload>> notes{
        {Offload::None, QT_TRANSLATE_NOOP("DesignField", "Everything stays on the GPUs.")},
        {Offload::OptimizerStates,
            QT_TRANSLATE_NOOP("DesignField",
                "The optimiser's state lies in the node's memory and moves there: much less on the GPU, slower "
                "steps.")},
        {Offload::OptimizerAndParameters,
            QT_TRANSLATE_NOOP("DesignField", "Weights too: least memory on the GPU, much slower.")},
        {Offload::Activations,
            QT_TRANSLATE_NOOP("DesignField",
                "What the backward pass needs lies in the node's memory meanwhile: longer samples, hardly slower.")}};
    return notes;
}

const QList<Note<ActivationCheckpointing>>& checkpointings()
{
    static const QList<Note<ActivationCheckpointing>> notes{
        {ActivationCheckpointing::None,
            QT_TRANSLATE_NOOP("DesignField", "Everything that the backward pass needs is kept: fastest, most memory.")},
        {ActivationCheckpointing::Selective,
            QT_TRANSLATE_NOOP("DesignField", "Attention is computed again: little time for much memory.")},
        {ActivationCheckpointing::Full,
            QT_TRANSLATE_NOOP(
                "DesignField", "Only each layer's input is kept: least memory, about a third more computation.")}};
    return notes;
}

const QList<Note<LossKind>>& losses()
{
    static const QList<Note<LossKind>> notes{
        {LossKind::Full,
            QT_TRANSLATE_NOOP("DesignField", "Logits of all tokens at once, and their copies in 32 bits.")},
        {LossKind::Chunked, QT_TRANSLATE_NOOP("DesignField", "Logits of a share of the tokens at a time.")},
        {LossKind::Fused,
            QT_TRANSLATE_NOOP("DesignField",
                "No logits are kept: Liger's fused linear or cut cross-entropy. It matters most with large "
                "vocabularies.")}};
    return notes;
}

const QList<Note<AdapterMethod>>& adapterMethods()
{
    static const QList<Note<AdapterMethod>> notes{
        {AdapterMethod::None, QT_TRANSLATE_NOOP("DesignField", "All parameters are trained.")},
        {AdapterMethod::Lora,
            QT_TRANSLATE_NOOP("DesignField",
                "The model is frozen; two narrow matrices beside each target are trained. A third less computation, "
                "next to no optimiser states.")},
        {AdapterMethod::Dora,
            QT_TRANSLATE_NOOP("DesignField", "LoRA with a trained length for each output: slower, often better.")}};
    return notes;
}

const QList<Note<Quantisation>>& quantisations()
{
    static const QList<Note<Quantisation>> notes{
        {Quantisation::None, QT_TRANSLATE_NOOP("DesignField", "The frozen model in 16 bits: 2 bytes a parameter.")},
        {Quantisation::Int8, QT_TRANSLATE_NOOP("DesignField", "Matrices of the blocks in one byte (LLM.int8).")},
        {Quantisation::Nf4,
            QT_TRANSLATE_NOOP(
                "DesignField", "Half a byte and its scales (QLoRA); embedding and head stay in 16 bits.")},
        {Quantisation::Nf4Double,
            QT_TRANSLATE_NOOP("DesignField", "The same with scales of 8 bits: 0.52 bytes a parameter.")}};
    return notes;
}

const QList<Note<AttentionKind>>& attentions()
{
    static const QList<Note<AttentionKind>> notes{
        {AttentionKind::Flash,
            QT_TRANSLATE_NOOP("DesignField", "FlashAttention or another kernel that keeps no table of scores.")},
        {AttentionKind::Standard,
            QT_TRANSLATE_NOOP("DesignField", "Keeps a table of sequence × sequence scores for each head.")}};
    return notes;
}

const QList<Note<Float8>>& float8Kinds()
{
    static const QList<Note<Float8>> notes{
        {Float8::None, QT_TRANSLATE_NOOP("DesignField", "Linear layers compute in the precision above.")},
        {Float8::Tensorwise,
            QT_TRANSLATE_NOOP("DesignField", "Fastest. Needs a GPU with 8-bit units (H100, MI300 and newer).")},
        {Float8::Rowwise, QT_TRANSLATE_NOOP("DesignField", "More exact, a little slower; torchao's.")}};
    return notes;
}

template <typename Enum>
QList<Option> fieldOptions(const QList<Note<Enum>>& notes)
{
    QList<Option> options;
    for (const Note<Enum>& one : notes)
        options.append({wordOf(one.value), titleOf(one.value), tr(one.note)});
    return options;
}

QString labelOf(const QList<Option>& options, const QString& value)
{
    const auto found
        = std::find_if(options.begin(), options.end(), [&value](const Option& o) { return o.value == value; });
    return found == options.end() ? value : found->label;
}

/// A choice that was made can be taken back; while it is open, what is taken is greyed in the field.
QList<Option> withWayBack(QList<Option> options)
{
    options.prepend({QString(), tr("let Rankwright choose"), tr("Uses the default of the strategy.")});
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
    DesignField field = fieldOf(field::model, tr("Model"),
        tr("What is trained: a name from the list, a size such as 7B, or a Hugging Face config.json (drop it on the "
           "window). Memory, time and layouts are estimated from it."));
    field.placeholder = [](const Derived& d) {
        const Choice* choice = choiceOf(d, field::model); // the command names it
        const ListedModel* named = choice ? findListedModel(choice->value) : nullptr;
        return named ? named->title : tr("a name, or 7B");
    };
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
    auto field = wholeField(field::sequence, tr("Sequence"),
        tr("Tokens of one sample. Activations and attention grow with it."), 1, 100'000'000,
        [](const Derived&) { return tr("tokens"); });
    field.placeholder = [](const Derived& d) {
        return d.estimate ? humanNumber(double(d.estimate->run.workload.sequence)) : tr("as the model");
    };
    return field;
}

/// A choice among the words of an enum; open: what the planner takes.
DesignField wordField(QLatin1StringView path, Kind kind, const QString& label, const QString& help,
    const QList<Option>& options, const QString& otherwise)
{
    DesignField field = fieldOf(path, label, help, {}, kind);
    field.placeholder = [kind, path, otherwise, options](const Derived& d) {
        const QString value = taken(d, path, otherwise);
        return kind == Kind::Segments ? value : labelOf(options, value);
    };
    field.options = [kind, options, text = field.text](const Design& design) {
        return kind == Kind::Segments || text(design.spec()).isEmpty() ? options : withWayBack(options);
    };
    return field;
}

/// Matrices with an adapter, as words after one another.
DesignField targetsField()
{
    auto field = fieldOf(field::adapterTargets, tr("Targets"),
        tr("Matrices that get an adapter, as PEFT names them: q_proj k_proj v_proj o_proj gate_proj up_proj down_proj, or "
           "all-linear."));
    field.text = [](const JobSpec& spec) { return spec.adapter.targets.join(u' '); };
    field.apply = [](const QString& text, JobSpec& spec) -> Result<void> {
        QStringList words = QString(text).replace(u',', u' ').simplified().split(u' ', Qt::SkipEmptyParts);
        spec.adapter.targets = words;
        return {};
    };
    field.placeholder = [](const Derived& d) { return taken(d, field::adapterTargets, tr("as the stack does it")); };
    return field;
}

DesignField alphaField()
{
    auto field = fieldOf(field::adapterAlpha, tr("Alpha"),
        tr("Scale of what the adapters add, divided by their rank. Neither memory nor time depends on it."));
    field.placeholder = [](const Derived&) { return tr("as the stack does it"); };
    return field;
}

QList<DesignField> adapterFields()
{
    auto rank = wholeField(field::adapterRank, tr("Rank"),
        tr("Width of the adapters' inner side. Memory hardly depends on it; 8 to 64 are usual."), 1, 100'000);
    rank.placeholder = [](const Derived& d) { return taken(d, field::adapterRank, tr("as the stack does it")); };
    return {wordField(field::adapterMethod, Kind::Choice, tr("Adapter"),
                tr("Train a loaded model whole, or small matrices beside its frozen ones."),
                fieldOptions(adapterMethods()), toText(AdapterMethod::None)),
        rank, targetsField(),
        wordField(field::adapterQuantisation, Kind::Choice, tr("Frozen weights"),
            tr("How the frozen model is kept in memory. In 4 bits it is QLoRA."), fieldOptions(quantisations()),
            toText(Quantisation::None)),
        alphaField()};
}

/// Yes or no; open: what is shown for it.
DesignField yesNoField(QLatin1StringView path, const QString& label, const QString& help,
    const std::function<QString(const Derived&)>& open)
{
    DesignField field = fieldOf(path, label, help, {}, Kind::Choice);
    field.placeholder = open;
    field.options = [text = field.text](const Design& design) {
        const QList<Option> options{{u"yes"_s, tr("yes"), {}}, {u"no"_s, tr("no"), {}}};
        return text(design.spec()).isEmpty() ? options : withWayBack(options);
    };
    return field;
}

DesignField packedField()
{
    return yesNoField(field::packed, tr("Packed samples"),
        tr("Samples are laid end to end up to the sequence length. Without it each is padded to the longest of its pass."),
        [](const Derived& d) { return d.estimate && !d.estimate->run.workload.packed ? tr("no") : tr("yes"); });
}

DesignField groupedField()
{
    return yesNoField(field::groupedExperts, tr("Grouped experts"),
        tr("The experts of a rank in one matrix product instead of one after another. Only mixtures of experts have them."),
        [](const Derived& d) {
            if (!d.estimate || d.estimate->run.workload.shape.experts == 0)
                return tr("no experts");
            return d.estimate->run.workload.groupedExperts ? tr("yes") : tr("no");
        });
}

DesignField compileField()
{
    DesignField field = fieldOf(field::compile, tr("Compile"),
        tr("torch.compile: fuses small operations. Faster and less memory, at some minutes more to start."), {},
        Kind::Choice);
    field.placeholder = [](const Derived&) { return tr("no"); };
    field.options = [](const Design&) { return QList<Option>{{QString(), tr("no"), {}}, {u"yes"_s, tr("yes"), {}}}; };
    field.text = [](const JobSpec& spec) { return spec.training.compile.value_or(false) ? u"yes"_s : QString(); };
    return field;
}

} // namespace

QList<DesignField> modelFields()
{
    auto precision = wordField(field::precision, Kind::Choice, tr("Precision"),
        tr("Numbers that the model is computed and kept in. It decides memory and speed."), fieldOptions(precisions()),
        toText(Precision::Bf16Mixed));
    precision.hint
        = [](const Derived& d) { return d.passing.isUnsaid(ProgramFigure::Precision) ? notPassed() : QString(); };
    QList<DesignField> fields{architectureField(), sequenceField(), precision,
        wordField(field::activationCheckpointing, Kind::Segments, tr("Recompute"),
            tr("What is computed again in the backward pass instead of kept: time against memory."),
            fieldOptions(checkpointings()), toText(ActivationCheckpointing::None)),
        wordField(field::attention, Kind::Segments, tr("Attention"),
            tr("How attention is computed. Flash is faster and needs far less memory with long sequences."),
            fieldOptions(attentions()), toText(AttentionKind::Flash)),
        wordField(field::optimizer, Kind::Choice, tr("Optimiser"),
            tr("What it keeps for each parameter is often the largest part of the memory."), fieldOptions(optimizers()),
            toText(Optimizer::AdamW)),
        wordField(field::offload, Kind::Choice, tr("Offload"),
            tr("What is kept in the node's memory instead of the GPU's. Only ZeRO and FSDP can."),
            fieldOptions(offloads()), toText(Offload::None)),
        wordField(field::float8, Kind::Choice, tr("8-bit products"),
            tr("Linear layers computed in 8 bit beside the precision above."), fieldOptions(float8Kinds()),
            toText(Float8::None)),
        compileField(),
        wordField(field::framework, Kind::Choice, tr("Training stack"),
            tr("The framework that trains. Each has its own memory use and speed."), fieldOptions(frameworks()),
            QString())};
    fields += adapterFields();
    fields.append(wordField(field::loss, Kind::Choice, tr("Loss"),
        tr("How logits become a loss. With large vocabularies and long samples they decide the memory."),
        fieldOptions(losses()), toText(LossKind::Full)));
    fields.append(packedField());
    fields.append(groupedField());
    return fields;
}

} // namespace rankwright
