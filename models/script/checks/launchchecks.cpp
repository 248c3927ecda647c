// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/checks/launchchecks.h"

#include "models/core/programname.h"
#include "models/core/quantitytext.h"
#include "models/planner/design/assumptions.h"
#include "models/planner/design/fieldtable.h"
#include "models/planner/design/strategyname.h"
#include "models/script/read/launchedswitches.h"
#include "models/script/read/scriptreader.h"
#include "models/script/write/overrides.h"
#include "models/script/write/scriptwriter.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

namespace {

const QString launchSource = u"docs/planner.md, Planned and launched"_s;

/// One switch with another value in the script than in the plan.
struct SwitchDifference {
    FieldPath field;
    QString planned; ///< in the words of the design file
    QString launched; ///< empty: not at all
    QString option; ///< that says it, or would
};

QList<SwitchDifference> differencesBetween(
    const PlannedRun& planned, const PlannedRun& launched, const LaunchedSwitches& switches)
{
    const QList<Assumption> plan = assumptionsOf(planned), script = assumptionsOf(launched);
    QList<SwitchDifference> all;
    const auto add = [&](const FieldPath& field, const QString& wanted, const QString& found) {
        const bool isBatch = field == field::microBatch || field == field::globalBatch; // R161 compares these
        if (wanted != found && switches.says(field) && !isBatch)
            all.append({field, wanted, found, switches.said.value(field)});
    };
    for (const Assumption& one : plan)
        add(one.field, one.value, assumedValue(script, one.field));
    for (const Assumption& one : script) {
        if (assumedValue(plan, one.field).isEmpty())
            add(one.field, QString(), one.value);
    }
    return all;
}

/// Some switches alone, as the script has them.
LaunchedSwitches onlyFields(const LaunchedSwitches& all, const QList<FieldPath>& fields)
{
    LaunchedSwitches some = all;
    some.said.clear();
    some.spec = {};
    if (!fields.contains(field::virtualStages))
        some.layersPerChunk.reset();
    for (const FieldPath& field : fields) {
        if (!all.says(field))
            continue;
        some.said.insert(field, all.said.value(field));
        std::visit([&](const auto& member) { member.in(some.spec) = member.of(all.spec); }, specField(field)->member);
    }
    return some;
}

LaunchedSwitches only(const LaunchedSwitches& all, const FieldPath& field) { return onlyFields(all, {field}); }

/// The run as a script with these switches launches it; empty: it cannot be estimated.
std::optional<PlannedRun> launchedRun(
    const ResolvedSpec& resolved, const LaunchedSwitches& switches, const ClusterProfile& profile)
{
    const ResolvedSpec launched = asLaunched(resolved, switches);
    const auto run = planRun(launched, planBatch(launched), profile);
    return run ? std::optional(*run) : std::nullopt;
}

/// ": 67 instead of 52 GiB"; empty: no figure, or the same one.
struct LaunchEffect {
    QString text;
    bool breaks = false; ///< it fitted, and no longer does
};

LaunchEffect effectOf(const DesignEstimate& planned, const ResolvedSpec& launched, const ClusterProfile& profile)
{
    const auto estimate = estimateDesign(launched, planBatch(launched), profile);
    if (!estimate) {
        const QString& why = estimate.error().what;
        return {u": "_s + (why.endsWith(u'.') ? why.chopped(1) : why), true};
    }
    const double before = planned.memory.totalBytes;
    const double after = estimate->memory.totalBytes * (1 + planned.memoryCorrection.share); // by the user's own runs
    if (qAbs(after / before - 1) < 0.01)
        return {};
    return {u": %1 instead of %2"_s.arg(gibFigure(after), gibText(before)),
        estimate->memory.verdict == FitVerdict::DoesNotFit && planned.memory.verdict != FitVerdict::DoesNotFit};
}

bool mentions(const QString& line, const QString& option)
{
    const QString key = option.section(u'.', -1); // the last part of a file's key
    static const QRegularExpression letters(u"[\\w-]"_s);
    const qsizetype at = line.indexOf(key);
    return at >= 0 && !(at + key.size() < line.size() && letters.match(line.sliced(at + key.size(), 1)).hasMatch());
}

/// Lines of the user's own give way where they took the switch's place.
bool giveLinesBack(JobSpec& spec, const QString& option)
{
    bool changed = false;
    for (qsizetype i = spec.overrides.size() - 1; i >= 0; --i) {
        OverrideBlock& block = spec.overrides[i];
        QStringList back;
        for (const QString& line : std::as_const(block.instead)) {
            if (mentions(line, option))
                back.append(line);
        }
        if (back.isEmpty() || block.toEnd)
            continue;
        changed = true;
        block.lines.removeIf([&option](const QString& line) { return mentions(line, option); });
        if (block.lines.isEmpty() && back.size() == block.instead.size())
            spec.overrides.removeAt(i);
        else
            block.lines = back + block.lines;
    }
    return changed;
}

/// The arguments of the command without one of its options.
QString withoutOption(const QString& command, const QString& option)
{
    const QRegularExpression word(u"(^|\\s)%1(?:=\\S+|\\s+[^-\\s]\\S*)?(?=\\s|$)"_s.arg(
        QRegularExpression::escape(option).replace(u"\\-"_s, u"[-_]"_s).replace(u"--"_s, u"--"_s)));
    return QString(command).replace(word, QString()).trimmed();
}

/// Where somebody typed the launch: after its last word.
void addToTypedLaunch(JobSpec& spec, const QString& argument, const ClusterProfile& profile)
{
    const WrittenScript script = writtenScript(resolve(spec, profile), profile);
    const BatchText& batch = script.batch;
    const LaunchLayer* program = nullptr;
    for (const Launch& launch : batch.launches) {
        if (const LaunchLayer* one = launch.layer(LaunchLayer::Kind::Program); one != nullptr && !one->words.isEmpty())
            program = one;
    }
    if (program == nullptr)
        return;
    QStringList lines = batch.lines;
    const ShellWord& last = program->words.last();
    const qsizetype index = last.line - 1;
    const qsizetype at = index >= 0 && index < lines.size() ? lines.at(index).lastIndexOf(last.text) : -1;
    if (at < 0)
        return;
    QString& line = lines[index];
    line.insert(at + last.text.size(), u' ' + argument);
    QString text = lines.join(u'\n');
    if (batch.text.endsWith(u'\n') && !text.endsWith(u'\n'))
        text += u'\n';
    spec.overrides = overridesFor(script.generated, text);
}

/// The switch as an argument: "--sequence-parallel", "--expert-model-parallel-size 8". Empty: it is to be removed, or
/// no argument says it.
QString argumentFor(const SwitchDifference& one)
{
    if (!one.option.startsWith(u"--"_s) || one.planned == u"false"_s || one.planned == u"none"_s)
        return {};
    const bool isFlag = one.planned == u"true"_s || one.option == u"--bf16"_s || one.option == u"--fp16"_s
        || one.option == u"--use-flash-attn"_s || one.option == u"--recompute-activations"_s
        || one.option == u"--optimizer-cpu-offload"_s;
    return isFlag ? one.option : one.option + u' ' + one.planned;
}

/// Takes out what keeps the switch from the script; the generated line says it then. Where nothing is generated, it is
/// added to the command.
void putIntoScript(JobSpec& spec, const SwitchDifference& one, const ClusterProfile& profile)
{
    if (spec.command && one.option.startsWith(u"--"_s))
        spec.command = withoutOption(*spec.command, one.option);
    giveLinesBack(spec, one.option);
    const auto isSaid = [&] {
        const ResolvedSpec now = resolve(spec, profile);
        const LaunchedSwitches after = launchedSwitches(parseBatch(writeScript(now, profile).text()), profile);
        const auto run = launchedRun(now, after, profile);
        return run && assumedValue(assumptionsOf(*run), one.field) == one.planned;
    };
    const QString argument = argumentFor(one);
    if (authorText(spec.overrides)) { // an edit of the command is one of the author's text
        if (!argument.isEmpty())
            spec.command = spec.command.value_or(QString()) + u' ' + argument;
        return;
    }
    if (argument.isEmpty() || isSaid())
        return;
    if (!spec.overrides.isEmpty())
        addToTypedLaunch(spec, argument, profile);
    if (!isSaid())
        spec.command = spec.command.value_or(QString()) + u' ' + argument;
}

Fix putFix(const SwitchDifference& one, const ClusterProfile& profile)
{
    const QString argument = argumentFor(one);
    const QString label = argument.isEmpty() ? u"Launch with %1 as planned"_s.arg(one.option)
                                             : u"Put %1 into the command"_s.arg(argument);
    return {label, [one, profile](JobSpec& spec) { putIntoScript(spec, one, profile); }};
}

/// The design takes what the script has.
Fix planFix(const SwitchDifference& one, const LaunchedSwitches& switches)
{
    const bool without = one.launched.isEmpty() || one.launched == u"false"_s || one.launched == u"none"_s;
    return {without ? u"Plan without it"_s : u"Plan with %1"_s.arg(one.launched),
        [field = one.field, from = switches.spec](JobSpec& spec) {
            const SpecField* row = specField(field);
            std::visit([&](const auto& member) { member.in(spec) = member.of(from); }, row->member);
        }};
}

QString sentence(const SwitchDifference& one)
{
    const bool isFlag = one.planned == u"true"_s || one.planned.isEmpty();
    const bool isOff = one.planned == u"false"_s || one.planned == u"none"_s || one.planned.isEmpty();
    if (isOff)
        return u"The script has %1, and the plan does not"_s.arg(
            one.launched == u"true"_s || isFlag ? one.option : one.option + u' ' + one.launched);
    if (one.launched == u"false"_s || one.launched == u"none"_s || one.launched.isEmpty())
        return u"The plan assumes %1; the script does not have it"_s.arg(
            isFlag ? one.option : one.option + u' ' + one.planned);
    return u"The plan assumes %1 %2; the script has %3"_s.arg(one.option, one.planned, one.launched);
}

/// "sequence parallelism", "3 chunks per stage"; empty: nothing that a program would be started with.
QString switchWords(const Assumption& one)
{
    const bool isOn = one.value == u"true"_s;
    if (one.field == field::tensor)
        return u"tensor parallelism "_s + one.value;
    if (one.field == field::pipeline)
        return counted(one.value.toInt(), u"pipeline stage"_s);
    if (one.field == field::context)
        return u"context parallelism "_s + one.value;
    if (one.field == field::expert && one.value.toInt() > 1)
        return u"expert parallelism "_s + one.value;
    if (one.field == field::virtualStages)
        return counted(one.value.toInt(), u"chunk"_s) + u" per stage"_s;
    if (one.field == field::firstStageLayers)
        return counted(one.value.toInt(), u"layer"_s) + u" on the first stage"_s;
    if (one.field == field::lastStageLayers)
        return counted(one.value.toInt(), u"layer"_s) + u" on the last stage"_s;
    if (one.field == field::sequenceParallel && isOn)
        return u"sequence parallelism"_s;
    if (one.field == field::shardOptimizer && isOn)
        return u"optimiser states split"_s;
    if (one.field == field::reshard && !isOn)
        return u"weights kept whole after the forward pass"_s;
    if (one.field == field::float8)
        return u"8-bit products"_s;
    if (one.field == field::compile)
        return u"torch.compile"_s;
    if (one.field == field::adapterMethod)
        return one.value == u"dora"_s ? u"DoRA"_s : u"LoRA"_s;
    if (one.field == field::adapterRank)
        return u"rank "_s + one.value;
    if (one.field == field::adapterTargets)
        return u"adapters on "_s + one.value;
    if (one.field == field::adapterQuantisation)
        return u"a frozen base in "_s + one.value;
    if (one.field == field::loss)
        return one.value + u" loss"_s;
    if (one.field == field::optimizerInBackward)
        return u"optimiser in the backward pass"_s;
    if (one.field == field::packed)
        return u"samples that are not packed"_s;
    if (one.field == field::offload)
        return u"offload ("_s + one.value + u')';
    return {};
}

bool isAsked(const FieldPath& path, const JobSpec& spec)
{
    const JobSpec none;
    return std::visit(
        [&](const auto& member) { return !(member.of(spec) == member.of(none)); }, specField(path)->member);
}

/// What the estimate counts on and nothing passes: the program decides.
QList<Finding> unpassedFindings(
    const ResolvedSpec& resolved, const DesignEstimate& estimate, const LaunchedSwitches& switches)
{
    const QString command = resolved.spec.command.value_or(QString()).trimmed();
    if (command.isEmpty())
        return {}; // there is no program yet
    const bool layers = splitsLayers(resolved.strategy) && switches.trainer.isEmpty();
    QStringList words;
    FieldPath first;
    for (const Assumption& one : assumptionsOf(estimate.run)) {
        const QString word = switchWords(one);
        if (word.isEmpty() || switches.says(one.field) || !(layers || isAsked(one.field, resolved.spec)))
            continue;
        words.append(word);
        first = first.isEmpty() ? one.field : first;
    }
    if (words.isEmpty())
        return {};
    const NamedProgram program = programOf(command);
    const QString name = program.isModule ? program.name : program.name.section(u'/', -1);
    std::optional<Fix> fix;
    if (layers && !resolved.spec.training.framework)
        fix = Fix{u"It is a program of Megatron-LM"_s,
            [](JobSpec& spec) { spec.training.framework = Framework::MegatronCore; }};
    return {{Severity::Hint, u"R164"_s, u"switches-unpassed"_s, first, {},
        u"Planned, but not passed: %1; %2 decides."_s.arg(
            words.join(u", "_s), name.isEmpty() ? u"the program"_s : name.left(60)),
        fix, launchSource}};
}

/// What in the script differs from the plan, field by field.
QList<Finding> comparedFindings(const ResolvedSpec& resolved, const ClusterProfile& profile,
    const DesignEstimate& estimate, const LaunchedSwitches& switches)
{
    const auto launched = launchedRun(resolved, switches, profile);
    if (!launched)
        return {};
    QList<Finding> findings;
    for (const SwitchDifference& one : differencesBetween(estimate.run, *launched, switches)) {
        const LaunchEffect effect = effectOf(estimate, asLaunched(resolved, only(switches, one.field)), profile);
        findings.append({effect.breaks ? Severity::Error : Severity::Warning, u"R163"_s, u"launch-differs"_s, one.field,
            {}, sentence(one) + effect.text + u'.', putFix(one, profile), launchSource, {planFix(one, switches)}});
    }
    return findings;
}

bool isOurs(const BatchText& batch) { return batch.lines.value(1).endsWith(u" Written by Rankwright."_s); }

} // namespace

QList<Finding> launchFindings(const ResolvedSpec& resolved, const ClusterProfile& profile,
    const DesignEstimate& estimate, const BatchText& script)
{
    const LaunchedSwitches switches = launchedSwitches(script, profile);
    QList<Finding> findings = unpassedFindings(resolved, estimate, switches);
    if (!switches.trainer.isEmpty())
        findings += comparedFindings(resolved, profile, estimate, switches);
    return findings;
}

QList<Finding> scriptLaunchFindings(const BatchText& batch, const ClusterProfile& profile)
{
    const LaunchedSwitches switches = launchedSwitches(batch, profile);
    if (switches.trainer != u"Megatron-LM"_s || switches.model.isEmpty())
        return {};
    JobSpec spec = readScript(batch, profile).spec;
    spec.model = switches.model;
    spec.training.framework = Framework::MegatronCore;
    spec.training.sequence = switches.spec.training.sequence;
    spec.parallel.sequenceParallel.reset(); // as Megatron-LM's recipes have it
    spec.parallel.shardOptimizer.reset();
    const ResolvedSpec resolved = asLaunched(resolve(spec, profile),
        onlyFields(switches,
            {field::tensor, field::pipeline, field::context, field::expert, field::expertTensor, field::virtualStages,
                field::firstStageLayers, field::lastStageLayers, field::precision, field::activationCheckpointing,
                field::attention, field::offload, field::float8, field::groupedExperts}));
    const auto estimate = estimateDesign(resolved, planBatch(resolved), profile);
    if (!estimate)
        return {};
    QList<Finding> findings = comparedFindings(resolved, profile, *estimate, switches);
    for (Finding& finding : findings) {
        if (!isOurs(batch)) // perhaps meant
            finding.severity = finding.severity == Severity::Error ? Severity::Warning : Severity::Hint;
        for (const Launch& launch : batch.launches) {
            if (const LaunchLayer* program = launch.layer(LaunchLayer::Kind::Program))
                finding.lines = LineRange{program->line, program->line};
        }
        finding.otherFixes.clear(); // a script has no plan of its own
    }
    return findings;
}

} // namespace rankwright::inline script
