// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/commandfigures.h"

#include "models/cluster/catalogue/catalogue.h"
#include "models/core/programname.h"
#include "models/planner/design/trainingprogram.h"
#include "models/planner/estimate/network/modelchoice.h"
#include "models/planner/estimate/network/modellist.h"

#include <QHash>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {
namespace {

using F = ProgramFigure;

/// What an option means.
struct Meaning {
    F figure = F::MicroBatch;
    bool anyBatch = false;
};

struct NameRow {
    F figure;
    bool anyBatch;
    const char* names; ///< without dashes in front, "-" for "_", by blanks
};

// Names as Megatron-LM (arguments.py), DeepSpeed (its JSON), torchtitan (config_manager.py), transformers
// (training_args.py), Lightning (trainer.py), fairseq (options.py), timm (train.py), nanoGPT and torchtune spell them,
// and what people call them in their own programs; sequences also as LLaMA-Factory (data_args.py: cutoff_len) and
// FastChat (train.py: model_max_length), models as timm, torchvision (train.py: --arch) and nanoGPT (init_from).
constexpr NameRow nameRows[]{
    {F::MicroBatch, false,
        "micro-batch-size micro-batch micro-batchsize microbatch-size microbatch micro-bs micro-bsz mbs "
        "per-device-train-batch-size per-gpu-train-batch-size per-device-batch-size per-gpu-batch-size "
        "batch-size-per-gpu batch-size-per-device batch-size-per-rank device-batch-size local-batch-size "
        "train-micro-batch-size-per-gpu"},
    {F::MicroBatch, true, "batch-size train-batch-size batchsize batch bs bsz b"},
    {F::Accumulation, false,
        "gradient-accumulation-steps gradient-accumulation grad-accumulation-steps grad-accumulation grad-accum-steps "
        "grad-accum accumulation-steps accumulate-grad-batches accumulate accum-steps accum-iter update-freq "
        "megatron-lm-num-micro-batches"},
    {F::GlobalBatch, false, "global-batch-size global-batch global-bs gbs effective-batch-size"},
    {F::Epochs, false, "epochs num-train-epochs num-epochs max-epochs max-epoch n-epochs nepochs train-epochs"},
    {F::Steps, false,
        "steps max-steps num-steps n-steps total-steps train-steps num-train-steps max-train-steps train-iters max-iters "
        "num-iters iters max-update max-updates iterations num-iterations"},
    {F::Precision, false,
        "precision dtype torch-dtype mixed-precision mixed-precision-param amp-dtype compute-dtype bf16 fp16 fp32 amp "
        "use-amp half"},
    {F::Sequence, false,
        "seq-len seq-length seqlen sequence-length sequence-len max-seq-length max-seq-len max-sequence-length "
        "block-size context-length ctx-len cutoff-len max-length model-max-length"},
    {F::Model, false,
        "model model-name model-name-or-path model-id base-model pretrained-model-name-or-path hf-model arch init-from"},
};

const QHash<QString, Meaning>& meanings()
{
    static const QHash<QString, Meaning> all = [] {
        QHash<QString, Meaning> made;
        for (const NameRow& row : nameRows) {
            for (const QString& name : QString::fromLatin1(row.names).split(u' '))
                made.insert(name, {row.figure, row.anyBatch});
        }
        return made;
    }();
    return all;
}

QString plainName(QStringView option)
{
    const auto* begin = std::find_if(option.cbegin(), option.cend(), [](QChar c) { return c != u'-' && c != u'+'; });
    option = option.sliced(begin - option.cbegin());
    if (option.endsWith(u'='))
        option.chop(1);
    return option.toString().replace(u'_', u'-').toLower();
}

/// By the whole name, or by its last part: "training.max_steps"; "eval.batch_size" is another's.
std::optional<Meaning> meaningOf(const QString& name)
{
    static const QRegularExpression others(u"eval|valid|val\\.|test|infer|predict|log|save|checkpoint|warmup"_s);
    const qsizetype dot = name.lastIndexOf(u'.');
    if (dot >= 0 && others.match(name.left(dot + 1)).hasMatch())
        return std::nullopt;
    const auto found = meanings().constFind(name.mid(dot + 1));
    return found != meanings().constEnd() ? std::optional(*found) : std::nullopt;
}

constexpr std::array figuresWithOption{F::MicroBatch, F::Accumulation, F::GlobalBatch, F::Epochs, F::Precision};

std::optional<Meaning> namedMeaning(const QString& name, const JobSpec::Program& named)
{
    for (const F figure : figuresWithOption) {
        const auto& option = *programOption(named, figure);
        if (option && *option != ownConfiguration && plainName(*option) == name)
            return Meaning{figure, false};
    }
    return std::nullopt;
}

constexpr qint64 longestSequence = 100'000'000;

struct Token {
    QString text;
    qsizetype at;
};

/// Where a piece of a word ends that begins at `at`: a letter, an escaped one, a text in quotes; -1: none does.
qsizetype endOfPiece(QStringView text, qsizetype at)
{
    const QChar first = text.at(at);
    const auto escapes = [&text](qsizetype place) { return place + 1 < text.size() && text.at(place + 1) != u'\n'; };
    if (first == u'\'') {
        const qsizetype end = text.indexOf(u'\'', at + 1);
        return end < 0 ? -1 : end + 1;
    }
    if (first == u'"') {
        for (qsizetype i = at + 1; i < text.size(); ++i) {
            if (text.at(i) == u'"')
                return i + 1;
            if (text.at(i) == u'\\' && !escapes(i++))
                return -1;
        }
        return -1;
    }
    if (first == u'\\')
        return escapes(at) ? at + 2 : -1;
    const bool isBlank = first == u' ' || (first >= u'\t' && first <= u'\r');
    return isBlank ? -1 : at + 1;
}

/// The words as the shell would have them, with their quotes; what opens a quote and never ends it is passed over.
QList<Token> tokensOf(const QString& command, qsizetype from)
{
    QList<Token> tokens;
    qsizetype begin = -1; // of the word that is being read
    for (qsizetype at = 0; at < command.size();) {
        const qsizetype end = endOfPiece(command, at);
        if (end >= 0 && begin < 0)
            begin = at;
        if (end < 0 && begin >= 0)
            tokens.append({command.sliced(begin, at - begin), from + std::exchange(begin, -1)});
        at = end < 0 ? at + 1 : end;
    }
    if (begin >= 0)
        tokens.append({command.sliced(begin), from + begin});
    return tokens;
}

bool isNumberWord(const QString& word)
{
    bool fine = false;
    QString(word).remove(u'_').toDouble(&fine);
    return fine;
}

void readFigures(const QList<Token>& tokens, const JobSpec::Program& named, QList<CommandFigure>& out)
{
    for (qsizetype i = 0; i < tokens.size(); ++i) {
        const auto& [text, at] = tokens.at(i);
        const bool quoted = text.startsWith(u'\'') || text.startsWith(u'"');
        if (quoted && text.contains(u' ')) { // the text of a small shell
            readFigures(tokensOf(text.sliced(1, text.size() - 2), at + 1), named, out);
            continue;
        }
        const qsizetype equals = text.indexOf(u'=');
        if (!text.startsWith(u'-') && equals < 1)
            continue;
        const QString option = equals < 0 ? text : text.left(equals);
        const QString name = plainName(option);
        auto meaning = namedMeaning(name, named);
        if (!meaning)
            meaning = meaningOf(name);
        if (!meaning)
            continue;
        CommandFigure figure{meaning->figure, option, {}, meaning->anyBatch, -1};
        if (equals >= 0) {
            figure.value = text.mid(equals + 1);
            figure.at = at + equals + 1;
        } else if (i + 1 < tokens.size()
            && (!tokens.at(i + 1).text.startsWith(u'-') || isNumberWord(tokens.at(i + 1).text))) {
            figure.value = tokens.at(i + 1).text;
            figure.at = tokens.at(i + 1).at;
        }
        if (figure.figure != F::Precision && figure.value.isEmpty())
            continue;
        out.append(figure);
    }
}

/// The one that counts, where a command has several: the last.
std::optional<CommandFigure> lastOf(const QList<CommandFigure>& all, F figure, bool anyBatch = false)
{
    for (auto each = all.crbegin(); each != all.crend(); ++each) {
        if (each->figure == figure && each->anyBatch == anyBatch)
            return *each;
    }
    return std::nullopt;
}

QList<CommandFigure> figuresOf(const JobSpec& spec)
{
    return spec.command ? commandFigures(*spec.command, spec.program) : QList<CommandFigure>();
}

JobSpec::Program optionsOf(const char* micro, const char* accumulation, const char* global, const char* epochs)
{
    const auto text
        = [](const char* name) { return *name != 0 ? std::optional(QString::fromLatin1(name)) : std::nullopt; };
    JobSpec::Program options;
    options.microBatch = text(micro);
    options.accumulation = text(accumulation);
    options.globalBatch = text(global);
    options.epochs = text(epochs);
    return options;
}

/// A flag that names the type that is asked for, as transformers has them.
std::optional<QString> flagOf(const std::optional<Precision>& precision)
{
    switch (precision.value_or(Precision::Fp32)) {
    case Precision::Bf16:
    case Precision::Bf16Mixed: return u"--bf16"_s;
    case Precision::Fp16Mixed: return u"--fp16"_s;
    default: return std::nullopt;
    }
}

} // namespace

std::optional<double> CommandFigure::number() const
{
    bool fine = false;
    const double read = QString(value).remove(u'_').toDouble(&fine);
    return fine && read > 0 && read < 1e15 ? std::optional(read) : std::nullopt;
}

std::optional<qint64> CommandFigure::count() const
{
    const auto read = number();
    return read && *read >= 1 && *read == double(qint64(*read)) ? std::optional(qint64(*read)) : std::nullopt;
}

QList<CommandFigure> commandFigures(const QString& command, const JobSpec::Program& named)
{
    QList<CommandFigure> figures;
    readFigures(tokensOf(command, 0), named, figures);
    return figures;
}

QString withFigure(const QString& command, const CommandFigure& figure, const QString& value)
{
    if (!figure.at || command.mid(*figure.at, figure.value.size()) != figure.value)
        return command;
    return QString(command).replace(*figure.at, figure.value.size(), value);
}

CommandBatch commandBatch(const JobSpec& spec)
{
    const QList<CommandFigure> all = figuresOf(spec);
    const auto counted
        = [](const std::optional<CommandFigure>& one) { return one && one->count() ? one : std::nullopt; };
    CommandBatch batch{counted(lastOf(all, F::MicroBatch)), counted(lastOf(all, F::Accumulation)),
        counted(lastOf(all, F::GlobalBatch))};
    const auto either = counted(lastOf(all, F::MicroBatch, true));
    if (!either)
        return batch;
    const auto& asked = spec.training;
    const bool isGlobal = batch.micro || (asked.globalBatch == either->count() && asked.microBatch != either->count());
    auto& meant = isGlobal ? batch.global : batch.micro;
    if (!meant)
        meant = either;
    return batch;
}

std::optional<qint64> commandSteps(const JobSpec& spec)
{
    const auto steps = lastOf(figuresOf(spec), F::Steps);
    return steps ? steps->count() : std::nullopt;
}

std::optional<double> commandEpochs(const JobSpec& spec)
{
    const auto epochs = lastOf(figuresOf(spec), F::Epochs);
    return epochs ? epochs->number() : std::nullopt;
}

std::optional<CommandFigure> commandSequence(const JobSpec& spec)
{
    const auto sequence = lastOf(figuresOf(spec), F::Sequence);
    return sequence && sequence->count().value_or(longestSequence + 1) <= longestSequence ? sequence : std::nullopt;
}

std::optional<CommandModel> commandModel(const JobSpec& spec)
{
    auto figure = lastOf(figuresOf(spec), F::Model);
    if (!figure)
        return std::nullopt;
    QString name = figure->value;
    if (name.size() > 1 && (name.startsWith(u'\'') || name.startsWith(u'"')) && name.endsWith(name.front()))
        name = name.sliced(1, name.size() - 2);
    // A folder, a variable: what lies there is not known.
    static const QRegularExpression form(u"^[A-Za-z0-9][A-Za-z0-9_.-]*(?:/[A-Za-z0-9][A-Za-z0-9_.-]*)?$"_s);
    const ListedModel* known = form.match(name).hasMatch() ? findListedModel(name) : nullptr;
    return known ? std::optional(CommandModel{*figure, known->name, known->title}) : std::nullopt;
}

bool isAnotherModel(const JobSpec& spec, const CommandModel& named)
{
    if (spec.model.isEmpty())
        return false;
    if (const ListedModel* own = findListedModel(spec.model.value(u"preset"_s).toString()))
        return own->name != named.preset;
    const auto own = chooseModel(spec.model);
    const ListedModel* other = findListedModel(named.preset);
    if (!own || !other)
        return false;
    // A size such as 7B is a round number.
    const double ratio
        = double(countParameters(*own).total) / double(qMax<qint64>(1, countParameters(other->shape).total));
    return ratio < 0.8 || ratio > 1.25;
}

bool batchIsAmbiguous(const JobSpec& spec, const CommandBatch& batch)
{
    return batch.micro && batch.micro->anyBatch && !spec.training.microBatch && !spec.training.globalBatch
        && !knownProgram(spec);
}

const std::optional<QString>* programOption(const JobSpec::Program& program, ProgramFigure figure)
{
    switch (figure) {
    case F::MicroBatch: return &program.microBatch;
    case F::Accumulation: return &program.accumulation;
    case F::GlobalBatch: return &program.globalBatch;
    case F::Epochs: return &program.epochs;
    case F::Precision: return &program.precision;
    case F::Steps:
    case F::Sequence:
    case F::Model: break;
    }
    return nullptr;
}

std::optional<QString>* programOption(JobSpec::Program& program, ProgramFigure figure)
{
    return const_cast<std::optional<QString>*>(programOption(std::as_const(program), figure));
}

FieldPath programOptionField(ProgramFigure figure)
{
    switch (figure) {
    case F::MicroBatch: return field::microBatchOption;
    case F::Accumulation: return field::accumulationOption;
    case F::GlobalBatch: return field::globalBatchOption;
    case F::Epochs: return field::epochsOption;
    case F::Precision: return field::precisionOption;
    case F::Steps:
    case F::Sequence:
    case F::Model: break;
    }
    return {};
}

bool isOptionName(const QString& text)
{
    static const QRegularExpression form(u"^(?:--?|\\+{0,2})[A-Za-z][A-Za-z0-9_.-]*=?$"_s);
    return form.match(text).hasMatch() && (text.startsWith(u'-') || text.endsWith(u'='));
}

QString figureName(ProgramFigure figure)
{
    switch (figure) {
    case F::MicroBatch: return u"micro-batch"_s;
    case F::Accumulation: return u"accumulation steps"_s;
    case F::GlobalBatch: return u"global batch"_s;
    case F::Epochs: return u"epochs"_s;
    case F::Steps: return u"steps"_s;
    case F::Sequence: return u"sequence length"_s;
    case F::Model: return u"model"_s;
    case F::Precision: break;
    }
    return u"precision"_s;
}

std::optional<KnownProgram> knownProgram(const JobSpec& spec)
{
    const QString command = spec.command.value_or(QString());
    const NamedProgram program = programOf(command);
    const QString file = program.isModule ? program.name : program.name.section(u'/', -1);
    // nanoGPT, train.py: the steps are divided by the number of ranks; only --key=value is read (configurator.py).
    static const QRegularExpression nano(u"(?:^|[\\s/])config/(?:train|finetune)_\\w+\\.py\\b"_s);
    if (nano.match(command).hasMatch())
        return KnownProgram{u"nanoGPT"_s, optionsOf("--batch_size", "--gradient_accumulation_steps", "", ""), true};
    static const QRegularExpression tune(u"(?:^|[\\s/])tune\\s+run\\b"_s); // torchtune, docs "Configuring recipes"
    if (tune.match(command).hasMatch())
        return KnownProgram{
            u"torchtune"_s, optionsOf("batch_size=", "gradient_accumulation_steps=", "", "epochs="), false};
    if (spec.cluster == QString::fromUtf16(practiceName) && file == u"train_ddp.py"_s)
        return KnownProgram{
            u"the practice program"_s, optionsOf("--micro-batch", "--accumulate", "--global-batch", "--epochs"), false};
    if (const auto tuner = tunerProgram(command)) { // names of their documentation
        if (*tuner == TunerProgram::Axolotl)
            return KnownProgram{u"axolotl"_s,
                optionsOf("--micro-batch-size", "--gradient-accumulation-steps", "", "--num-epochs"), false};
        if (*tuner == TunerProgram::LlamaFactory)
            return KnownProgram{u"LLaMA-Factory"_s,
                takesDashes(*tuner, command)
                    ? optionsOf(
                        "--per_device_train_batch_size", "--gradient_accumulation_steps", "", "--num_train_epochs")
                    : optionsOf(
                        "per_device_train_batch_size=", "gradient_accumulation_steps=", "", "num_train_epochs="),
                false};
        if (*tuner == TunerProgram::Litgpt)
            return KnownProgram{u"LitGPT"_s,
                optionsOf("--train.micro_batch_size", "", "--train.global_batch_size", "--train.epochs"), false};
        if (*tuner == TunerProgram::MsSwift)
            return KnownProgram{u"ms-swift"_s,
                optionsOf("--per_device_train_batch_size", "--gradient_accumulation_steps", "", "--num_train_epochs"),
                false};
    }
    // transformers 4, examples/pytorch; TRL's scripts and its command: all parse TrainingArguments (training_args.py)
    static const QRegularExpression examples(
        u"^run_(?:clm|mlm|plm|fim|glue|ner|qa|seq2seq_qa|swag|summarization|translation|xnli|speech_recognition_\\w+|mae|"
        "image_classification)(?:\\.py)?$|^(?:sft|dpo|grpo|kto|orpo|reward_modeling)(?:\\.py)?$|^trl$"_s);
    const bool parses = examples.match(file).hasMatch() || spec.training.framework == Framework::HfTrainer
        || command.contains(u"--model_name_or_path"_s);
    if (parses) {
        KnownProgram known{u"the Trainer of transformers"_s,
            optionsOf("--per_device_train_batch_size", "--gradient_accumulation_steps", "", "--num_train_epochs"),
            false};
        known.options.precision = flagOf(spec.training.precision);
        return known;
    }
    // LightningCLI (docs "Configure hyperparameters from the CLI"): the trainer's own arguments; the batch is the data
    // module's, whose name for it is unknown.
    static const QRegularExpression cli(u"\\s(?:fit\\b|--trainer[.\\s=])"_s);
    if (cli.match(command).hasMatch()) {
        KnownProgram known{u"Lightning's command line"_s,
            optionsOf("", "--trainer.accumulate_grad_batches", "", "--trainer.max_epochs"), false};
        known.options.precision = u"--trainer.precision"_s;
        return known;
    }
    return std::nullopt;
}

} // namespace rankwright::inline planner
