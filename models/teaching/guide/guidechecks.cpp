// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/guide/guidechecks.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/strategyname.h"
#include "models/planner/planning/estimatetext.h"
#include "models/teaching/guide/guidequestions.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

GuideCheck memoryCheck(const Derived& derived)
{
    GuideCheck check{u"memory"_s, u"It fits into the memory"_s, {}, Tone::Good, GuideStep::Fits};
    if (!derived.estimate) {
        check.title = u"Whether it fits is not known"_s;
        check.text = derived.estimate.error().what;
        check.tone = Tone::Quiet;
        return check;
    }
    check.text = EstimateText::memoryCaption(*derived.estimate) + u'.';
    switch (derived.estimate->memory.verdict) {
    case FitVerdict::Fits: break;
    case FitVerdict::Probably: check.title = u"It probably fits into the memory"_s; break;
    case FitVerdict::Borderline:
        check.title = u"It may run out of memory"_s;
        check.tone = Tone::Warn;
        break;
    case FitVerdict::DoesNotFit:
        check.title = u"It does not fit into the memory"_s;
        check.tone = Tone::Bad;
        break;
    }
    return check;
}

GuideCheck findingsCheck(const Derived& derived)
{
    GuideCheck check{u"findings"_s, u"The script is sound"_s, {}, Tone::Good, GuideStep::Script};
    const auto first = std::find_if(derived.findings().cbegin(), derived.findings().cend(),
        [](const Finding& finding) { return finding.severity == Severity::Error; });
    if (first != derived.findings().cend()) {
        check.title = u"The job cannot be sent like this"_s;
        check.text = first->text;
        check.tone = Tone::Bad;
        check.leadsTo = guideStepOf(first->field);
        return check;
    }
    const auto warnings = std::count_if(derived.findings().cbegin(), derived.findings().cend(),
        [](const Finding& finding) { return finding.severity == Severity::Warning; });
    const int lines = int(std::count_if(derived.script.lines.cbegin(), derived.script.lines.cend(),
        [](const ScriptLine& line) { return !line.text.trimmed().isEmpty(); }));
    check.text = warnings == 0 ? u"%1 were checked; nothing was found."_s.arg(counted(lines, u"line"_s))
                               : u"%1 were checked; %2, to be read in Design."_s.arg(
                                   counted(lines, u"line"_s), counted(warnings, u"warning"_s));
    check.tone = warnings == 0 ? Tone::Good : Tone::Warn;
    return check;
}

GuideCheck connectionCheck(const GuideContext& context, const GuideSurroundings& around)
{
    const QString title = context.profile().title.isEmpty() ? context.spec.cluster : context.profile().title;
    GuideCheck check{u"connection"_s, u"%1 is connected"_s.arg(title), {}, Tone::Good, std::nullopt};
    if (around.isOnline) {
        check.text
            = around.link.user.isEmpty() ? u"Commands get through."_s : u"Logged in as %1."_s.arg(around.link.user);
    } else if (!around.link.activity.isEmpty()) {
        check.title = u"%1 is being connected"_s.arg(title);
        check.text = around.link.activity + u'.';
        check.tone = Tone::Busy;
    } else {
        check.title = u"%1 is not connected"_s.arg(title);
        check.text = around.failure ? QStringList{around.failure->what, around.failure->remedy}.join(u' ').trimmed()
                                    : u"Nothing was sent to it so far."_s;
        check.tone = Tone::Bad;
    }
    return check;
}

/// What Slurm itself says to the script, without queueing it.
GuideCheck slurmCheck(const GuideSurroundings& around)
{
    GuideCheck check{u"slurm"_s, u"Slurm would take it"_s, {}, Tone::Good, std::nullopt};
    if (!around.forecast) {
        check.title = u"What Slurm says about it"_s;
        check.text = around.isOnline ? u"It is being asked, without queueing anything."_s
                                     : u"Not known: it can be asked as soon as it is connected."_s;
        check.tone = Tone::Quiet;
    } else if (!*around.forecast) {
        const Error& why = around.forecast->error();
        check.title = u"Slurm would refuse it"_s;
        check.text = QStringList{why.what, why.remedy}.join(u' ').trimmed();
        check.tone = Tone::Warn; // it may think otherwise in a moment: the launch asks again
        if (why.fault != Fault::RemoteExit)
            check.title = u"What Slurm says about it is not known"_s;
    } else if ((*around.forecast)->answer != StartForecast::Answer::Accepted) {
        check.title = u"What Slurm says about it is not known"_s;
        check.text = (*around.forecast)->note;
        check.tone = Tone::Quiet;
    } else {
        check.text = u"Asked without queueing anything (sbatch --test-only)."_s;
    }
    return check;
}

} // namespace

QList<GuideCheck> guideChecks(const Derived& derived, const GuideContext& context, const GuideSurroundings& around)
{
    QList<GuideCheck> checks{memoryCheck(derived), findingsCheck(derived)};
    const ResolvedSpec& resolved = derived.resolved;
    GuideCheck program{u"program"_s, u"What is started"_s, resolved.command, Tone::Good, std::nullopt};
    if (!context.spec.command) {
        program.text = u"No program is named yet; “Your program” asks for it."_s;
        program.tone = Tone::Bad;
        program.leadsTo = GuideStep::Launch;
    }
    checks.append(program);
    checks.append(connectionCheck(context, around));
    checks.append(slurmCheck(around));
    return checks;
}

QList<GuideEntry> guideLaunchEntries(const Derived& derived, const GuideContext& context)
{
    QList<GuideEntry> entries;
    if (context.isPractice())
        return entries;
    const ClusterProfile& profile = context.profile();
    const auto add = [&](QLatin1StringView path, const QString& label, const std::optional<QString>& value,
                         const QString& placeholder, const QString& help) {
        if (context.isLocked(path))
            return;
        GuideEntry entry;
        entry.field = path;
        entry.label = label;
        entry.value = value.value_or(QString());
        entry.placeholder = placeholder;
        entry.help = help;
        for (const Finding& finding : derived.findings()) {
            if (finding.field == path && finding.severity == Severity::Error && entry.trouble.isEmpty())
                entry.trouble = finding.text;
        }
        if (path == field::account && context.facts)
            entry.choices = context.facts->accounts;
        entries.append(entry);
    };
    if (profile.launch.accountRequired)
        add(field::account, u"Project that pays"_s, context.spec.account, profile.launch.accountExample,
            u"Slurm's account: whoever gave you the access has told you its name."_s);
    add(field::command, u"Your program"_s, context.spec.command, u"train.py --epochs 1"_s,
        u"The file and its options, as after “python3”."_s);
    add(field::workdir, u"Its folder"_s, context.spec.workdir, profile.scratch,
        u"Where the program lies on the cluster; empty: your home folder."_s);
    return entries;
}

GuideExpectation guideExpectation(
    const Derived& derived, const GuideContext& context, const GuideSurroundings& around, const QDateTime& now)
{
    GuideExpectation expected;
    const auto price = guidePrice(derived.resolved, context.profile());
    const QString time = humanDuration(derived.resolved.time);
    if (context.isPractice())
        expected.cost = price ? u"Nothing. On a real cluster of this kind: up to %1 in %2."_s.arg(
                            amountText(price->amount, price->unit), time)
                              : u"Nothing."_s;
    else
        expected.cost = price ? u"Up to %1, if it runs for all of its %2; what it does not use is not billed."_s.arg(
                            amountText(price->amount, price->unit), time)
                              : u"Not known: the site publishes no formula."_s;
    if (around.forecast && *around.forecast && (*around.forecast)->start.isValid()) {
        const qint64 wait = now.secsTo((*around.forecast)->start);
        expected.start = wait < 60 ? u"At once, as Slurm sees it now."_s
                                   : u"In about %1, as Slurm sees it now."_s.arg(humanDuration(Seconds{wait}));
    } else {
        expected.start = context.isPractice() ? u"Within seconds, unless another job of yours runs."_s
                                              : u"Not known before Slurm is asked; it may be minutes or days."_s;
    }
    return expected;
}

QList<GuideJobPart> guideSummary(const Derived& derived, const GuideContext& context, GuideStep reached)
{
    QList<GuideJobPart> parts;
    const auto add = [&](GuideStep step, const QString& text) {
        if (guideStepIndex(step) <= guideStepIndex(reached) && !text.isEmpty())
            parts.append({text, step});
    };
    const ResolvedSpec& resolved = derived.resolved;
    const QString title = context.profile().title;
    add(GuideStep::Where, title.isEmpty() ? context.spec.cluster : title);
    add(GuideStep::What, guideModelName(context.spec));
    add(GuideStep::HowMany,
        resolved.nodes > 1
            ? u"%1 × %2"_s.arg(nodesText(resolved.nodes), gpusText(resolved.gpusPerNode, resolved.node.gpu.word))
            : gpusText(resolved.gpusPerNode, resolved.node.gpu.word));
    add(GuideStep::Fits, strategyName(resolved.strategy));
    if (const auto price = guidePrice(resolved, context.profile()); price && parts.size() > 3)
        parts.append({u"up to %1 for %2"_s.arg(amountText(price->amount, price->unit), humanDuration(resolved.time)),
            GuideStep::HowMany});
    return parts;
}

} // namespace rankwright::inline teaching
