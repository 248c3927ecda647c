// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/programname.h"
#include "models/core/quantitytext.h"
#include "models/planner/design/plannedrun.h"
#include "models/script/checks/designrule.h"
#include "models/script/write/figurepassing.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

using Hits = QList<RuleHit>;
using F = ProgramFigure;

/// "micro-batch 32", "3 epochs".
QString shown(F figure, const RuleContext& context)
{
    switch (figure) {
    case F::MicroBatch: return u"micro-batch %1"_s.arg(context.batch.microBatch);
    case F::Accumulation: return counted(context.batch.gradientAccumulation, u"accumulation step"_s);
    case F::GlobalBatch: return u"global batch %1"_s.arg(context.batch.globalBatch);
    case F::Epochs: {
        const double epochs = context.spec.training.epochs.value_or(0);
        return humanNumber(epochs) + (epochs == 1 ? u" epoch"_s : u" epochs"_s);
    }
    case F::Precision: return u"precision "_s + toText(context.resolved.precision);
    case F::Steps:
    case F::Sequence:
    case F::Model: break;
    }
    return {};
}

QString listed(const QStringList& parts)
{
    return parts.size() < 2 ? parts.join(QString())
                            : parts.mid(0, parts.size() - 1).join(u", "_s) + u" and "_s + parts.last();
}

/// Passes what is unsaid by the options of a program that is known.
std::optional<Fix> passByKnownOptions(const QList<F>& unsaid, const JobSpec& spec)
{
    const auto known = knownProgram(spec);
    JobSpec::Program options;
    QStringList names;
    for (const F figure : unsaid) {
        const auto option = known ? *programOption(known->options, figure) : std::nullopt;
        if (!option)
            continue;
        *programOption(options, figure) = option;
        names.append(option->endsWith(u'=') ? option->chopped(1) : *option);
    }
    if (names.isEmpty())
        return std::nullopt;
    return Fix{u"Pass "_s + listed(names), [options, unsaid](JobSpec& changed) {
                   for (const F figure : unsaid) {
                       if (const auto& option = *programOption(options, figure))
                           *programOption(changed.program, figure) = option;
                   }
               }};
}

Fix fixAsOwn(const QList<F>& unsaid)
{
    return {unsaid.size() == 1 ? u"Its own configuration has it"_s : u"Its own configuration has them"_s,
        [unsaid](JobSpec& spec) {
            for (const F figure : unsaid)
                *programOption(spec.program, figure) = QString(ownConfiguration);
        }};
}

/// The program by its name, for a sentence.
QString programWord(const ResolvedSpec& resolved)
{
    const NamedProgram program = programOf(resolved.command);
    const QString name = program.isModule ? program.name : program.name.section(u'/', -1);
    return name.isEmpty() ? u"the program"_s : name.left(60);
}

/// What is drawn and nothing passes: one sentence for all of it.
Hits figuresUnpassed(const RuleContext& context)
{
    const FigurePassing passing = figurePassing(context.resolved, context.batch, context.profile);
    if (passing.unsaid.isEmpty())
        return {};
    QStringList drawn;
    for (const F figure : passing.unsaid)
        drawn.append(shown(figure, context));
    const bool one = passing.unsaid.size() == 1;
    const Fix own = fixAsOwn(passing.unsaid);
    const auto pass = passByKnownOptions(passing.unsaid, context.spec);
    RuleHit hit{programOptionField(passing.unsaid.first()),
        u"Drawn, but not passed: %1; %2 decides. Pass %3, or name the program's option."_s.arg(
            listed(drawn), programWord(context.resolved), one ? u"it"_s : u"them"_s),
        pass ? pass : std::optional(own)};
    if (pass)
        hit.otherFixes = {own};
    return {hit};
}

/// A figure of the design, and another one in the command.
struct Difference {
    F figure;
    CommandFigure typed;
    QString drawn;
    FieldPath field;
    std::function<void(JobSpec&)> follow; ///< the design takes the command's
};

QList<Difference> differences(const RuleContext& context)
{
    const auto& asked = context.spec.training;
    const CommandBatch typed = commandBatch(context.spec);
    QList<Difference> all;
    const auto add = [&all](F figure, const std::optional<CommandFigure>& one, std::optional<qint64> drawn,
                         const FieldPath& field, std::function<void(JobSpec&, qint64)> set) {
        const auto value = one ? one->count() : std::nullopt;
        if (!value || !drawn || *drawn == *value)
            return;
        all.append(
            {figure, *one, QString::number(*drawn), field, [set, given = *value](JobSpec& spec) { set(spec, given); }});
    };
    const auto setMicro = [](JobSpec& spec, qint64 value) { spec.training.microBatch = value; };
    const auto setGlobal = [](JobSpec& spec, qint64 value) { spec.training.globalBatch = value; };
    add(F::MicroBatch, typed.micro, asked.microBatch, field::microBatch, setMicro);
    add(F::GlobalBatch, typed.global, asked.globalBatch, field::globalBatch, setGlobal);
    add(F::Sequence, commandSequence(context.spec), asked.sequence, field::sequence,
        [](JobSpec& spec, qint64 value) { spec.training.sequence = value; });
    const auto epochs = commandEpochs(context.spec);
    if (epochs && asked.epochs && *epochs != *asked.epochs) {
        for (const CommandFigure& one : commandFigures(*context.spec.command, context.spec.program)) {
            if (one.figure == F::Epochs && one.number() == epochs)
                all.append({F::Epochs, one, QString::number(*asked.epochs, 'g', 12), field::epochs,
                    [given = *epochs](JobSpec& spec) { spec.training.epochs = given; }});
        }
    }
    return all;
}

/// The command says one number and the design draws another: the program runs the command's.
Hits commandDiffers(const RuleContext& context)
{
    Hits hits;
    for (const Difference& one : differences(context)) {
        RuleHit hit{one.field,
            u"The command passes %1 %2, and the design has %3 for %4: the command's is what runs."_s.arg(
                one.typed.option, one.typed.value, one.drawn,
                one.figure == F::Epochs ? u"the epochs"_s : u"the "_s + figureName(one.figure)),
            Fix{u"Pass %1 %2"_s.arg(one.typed.option, one.drawn),
                [typed = one.typed, drawn = one.drawn](
                    JobSpec& spec) { spec.command = withFigure(spec.command.value_or(QString()), typed, drawn); }}};
        hit.otherFixes = {Fix{u"Design with %1"_s.arg(one.typed.value), one.follow}};
        if (one.typed.anyBatch) // for some programs of all ranks: no contradiction is certain
            hit.severity = Severity::Hint;
        hits.append(hit);
    }
    return hits;
}

/// The command names one model and the design draws another. What the design's would be called there is not known.
Hits modelDiffers(const RuleContext& context)
{
    const auto typed = commandModel(context.spec);
    if (!typed || !isAnotherModel(context.spec, *typed))
        return {};
    return {{field::model,
        u"The command passes %1 %2, and the design has %3 for the model: the command's is what runs."_s.arg(
            typed->figure.option, typed->figure.value, namedModel(context.spec)->name),
        Fix{u"Design with %1"_s.arg(typed->title), [preset = typed->preset](JobSpec& spec) {
                spec.model = QJsonObject{{u"preset"_s, preset}};
            }}}};
}

/// One option that means either batch, in an unknown program: the finding says which was taken, and asks.
Hits batchMeaning(const RuleContext& context)
{
    const CommandBatch typed = commandBatch(context.spec);
    if (!batchIsAmbiguous(context.spec, typed) || context.resolved.dataParallel() < 2)
        return {};
    const QString typedName = typed.micro->option;
    const QString option = typedName.startsWith(u'-') ? typedName : typedName + u'='; // as the design names options
    RuleHit hit{field::microBatch,
        u"%1 %2 is taken as the batch of each rank, %3 per step: for some programs it is the batch of all ranks. Say which."_s
            .arg(typedName, typed.micro->value, counted(context.batch.globalBatch, u"sample"_s)),
        Fix{u"It is of each rank"_s, [option](JobSpec& spec) { spec.program.microBatch = option; }}};
    hit.otherFixes = {Fix{u"It is of all ranks"_s, [option](JobSpec& spec) { spec.program.globalBatch = option; }}};
    return {hit};
}

/// A text that is not a name of an option would reach the program as a word of its own.
Hits optionNames(const RuleContext& context)
{
    Hits hits;
    for (const F figure : {F::MicroBatch, F::Accumulation, F::GlobalBatch, F::Epochs, F::Precision}) {
        const auto& option = *programOption(context.spec.program, figure);
        if (!option || *option == ownConfiguration || isOptionName(*option))
            continue;
        hits.append({programOptionField(figure),
            u"“%1” is not the name of an option: --name, -n or name= is expected, or “own” for a program that takes the %2 from its own configuration."_s
                .arg(option->left(40), figureName(figure)),
            Fix{u"Leave it open"_s, [figure](JobSpec& spec) { programOption(spec.program, figure)->reset(); }}});
    }
    return hits;
}

} // namespace

QList<DesignRule> passingChecks()
{
    return {
        {{u"R160"_s, slug::figuresUnpassed, Severity::Hint, {}, {}, u"what the script hands to the program"_s},
            figuresUnpassed},
        {{u"R161"_s, u"command-differs"_s, Severity::Warning, {}, {}, u"what the script hands to the program"_s},
            commandDiffers},
        {{u"R161"_s, u"command-model"_s, Severity::Warning, {}, {}, u"what the script hands to the program"_s},
            modelDiffers},
        {{u"R163"_s, u"batch-meaning"_s, Severity::Hint, {}, {}, u"what the script hands to the program"_s},
            batchMeaning},
        {{u"R162"_s, u"program-option"_s, Severity::Error, {}, {}, u"what the script hands to the program"_s},
            optionNames},
    };
}

} // namespace rankwright::inline script
