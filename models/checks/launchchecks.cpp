// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checks/launchchecks.h"

#include "models/core/quantitytext.h"
#include "models/design/assumptions.h"
#include "models/design/fieldtable.h"
#include "models/script/read/launchedswitches.h"
#include "models/script/write/overrides.h"
#include "models/script/write/scriptwriter.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright {

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

/// One switch alone as the script has it.
LaunchedSwitches only(const LaunchedSwitches& all, const FieldPath& field)
{
    LaunchedSwitches one = all;
    one.said = {{field, all.said.value(field)}};
    one.spec = {};
    if (field != field::virtualStages)
        one.layersPerChunk.reset();
    const SpecField* row = specField(field);
    std::visit([&](const auto& member) { member.in(one.spec) = member.of(all.spec); }, row->member);
    return one;
}

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

/// Where all commands are kept as typed: behind the last word of the launch.
void addToKeptLaunch(JobSpec& spec, const QString& argument, const ClusterProfile& profile)
{
    const ResolvedSpec resolved = resolve(spec, profile);
    const BatchText batch = parseBatch(writeScript(resolved, profile).text());
    const LaunchLayer* program = nullptr;
    for (const Launch& launch : batch.launches) {
        if (const LaunchLayer* one = launch.layer(LaunchLayer::Kind::Program); one != nullptr && !one->words.isEmpty())
            program = one;
    }
    if (program == nullptr)
        return;
    QStringList lines = batch.lines;
    const ShellWord& last = program->words.last();
    QString& line = lines[last.line];
    const qsizetype at = line.lastIndexOf(last.text);
    if (at < 0)
        return;
    line.insert(at + last.text.size(), u' ' + argument);
    QString text = lines.join(u'\n');
    if (batch.text.endsWith(u'\n') && !text.endsWith(u'\n'))
        text += u'\n';
    const ScriptDocument generated = generatedScript(resolved, profile);
    spec.overrides
        = keepsCommands(spec.overrides) ? overridesKeepingCommands(generated, text) : overridesFor(generated, text);
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
    if (argument.isEmpty() || isSaid())
        return;
    if (keepsCommands(spec.overrides) || !spec.overrides.isEmpty())
        addToKeptLaunch(spec, argument, profile);
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
        return u"The script has %1, and the plan is without it"_s.arg(
            one.launched == u"true"_s || isFlag ? one.option : one.option + u' ' + one.launched);
    if (one.launched == u"false"_s || one.launched == u"none"_s || one.launched.isEmpty())
        return u"The plan assumes %1; the script does not have it"_s.arg(
            isFlag ? one.option : one.option + u' ' + one.planned);
    return u"The plan assumes %1 %2; the script has %3"_s.arg(one.option, one.planned, one.launched);
}

} // namespace

QList<Finding> launchFindings(
    const ResolvedSpec& resolved, const ClusterProfile& profile, const DesignEstimate& estimate)
{
    const LaunchedSwitches switches = launchedSwitches(parseBatch(writeScript(resolved, profile).text()), profile);
    if (switches.trainer.isEmpty())
        return {};
    const auto launched = launchedRun(resolved, switches, profile);
    if (!launched)
        return {};
    QList<Finding> findings;
    for (const SwitchDifference& one : differencesBetween(estimate.run, *launched, switches)) {
        const LaunchEffect effect = effectOf(estimate, asLaunched(resolved, only(switches, one.field)), profile);
        findings.append({effect.breaks ? Severity::Error : Severity::Warning, u"R163"_s, u"launch-differs"_s, one.field,
            -1, sentence(one) + effect.text + u'.', putFix(one, profile), launchSource, {planFix(one, switches)}});
    }
    return findings;
}

} // namespace rankwright
