// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintrule.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

bool anySrun(const LintFacts& facts)
{
    return std::any_of(facts.starts.cbegin(), facts.starts.cend(), [](const Start& start) { return start.srun; });
}

/// The script's own text holds the name as a word of a path, outside of the here-document itself.
bool usedInCode(const LintFacts& facts, const QRegularExpression& name, int from, int to)
{
    for (qsizetype i = 0; i < facts.codeLines.size(); ++i) {
        if ((i + 1 < from || i + 1 > to) && facts.codeLines.at(i).contains(name))
            return true;
    }
    return false;
}

Hits helperFile(const LintFacts& facts)
{
    static const QRegularExpression plain(u"^(?:\\./)?[A-Za-z0-9_][A-Za-z0-9_./-]*$"_s);
    constexpr qsizetype mostFiles = 16; // each is looked for in the whole script
    QSet<QString> seen;
    Hits hits;
    for (const HereDocument& document : facts.batch.shell.hereDocuments) {
        if (seen.contains(document.target) || seen.size() >= mostFiles)
            continue;
        if (!document.target.contains(plain) || !document.body.startsWith(u"#!") || document.body.contains(u"#SBATCH"))
            continue;
        seen.insert(document.target);
        const QString name = document.target.section(u'/', -1);
        const QRegularExpression word(u"(?<![\\w.-])"_s + QRegularExpression::escape(name) + u"(?![\\w-])(?!\\.\\w)"_s);
        if (!usedInCode(facts, word, document.line, document.lastLine))
            continue;
        Fix fix{u"Add the job id to the name"_s, {}, {}};
        for (int line = 1; line <= facts.batch.lines.size(); ++line) {
            const bool body = line >= document.firstLine && line <= document.lastLine;
            QString text = facts.batch.lines.at(line - 1);
            if (body || !facts.codeLines.value(line - 1).contains(word))
                continue;
            text.replace(word, name + u"_$SLURM_JOB_ID"_s);
            fix.edits.append({line, line, {text}});
        }
        hits.append({document.line,
            u"%1 has the same name in every job: two jobs in one folder overwrite or delete each other's. Put $SLURM_JOB_ID in it."_s
                .arg(quoted(document.target)),
            fix});
    }
    return hits;
}

/// mktemp in a folder that the script names, and that is not one of the node's own.
bool inSharedFolder(const LintFacts& facts, const QString& mktemp, int line)
{
    static const QRegularExpression place(u"(?:-\\w*p\\s*|--tmpdir=|\\s)[\"']?(\\$\\{?\\w+\\}?|/)([^\\s\"')`]*)"_s);
    static const QRegularExpression own(u"^(?:/(?:tmp|dev/shm|var/tmp|local)\\b|\\$\\{?\\w*(?:TMP|LOCAL)\\w*)"_s);
    const auto match = place.match(mktemp);
    if (!match.hasMatch())
        return false;
    QString folder = match.captured(1) + match.captured(2);
    if (folder.startsWith(u'$')) {
        const QString name = match.captured(1).remove(QRegularExpression(u"[${}]"_s));
        const BatchVariable* set = facts.batch.variable(name, line);
        folder = set ? set->value.value : folder;
    }
    return !folder.contains(own);
}

Hits nodeLocalFolder(const LintFacts& facts)
{
    static const QRegularExpression temporary(u"^\\$\\(\\s*mktemp\\s.*-\\w*d|^`mktemp\\s.*-\\w*d"_s);
    const bool several = facts.request.severalNodes() && facts.request.nodesGiven;
    if (!anySrun(facts))
        return {};
    Hits hits;
    for (const Setting& setting : facts.settings) {
        const bool made = std::any_of(
            setting.value->expansions.cbegin(), setting.value->expansions.cend(), [&](const Expansion& one) {
                return one.kind == Expansion::Kind::Command && one.text.contains(temporary)
                    && !inSharedFolder(facts, one.text, setting.line);
            });
        if (!made || setting.inTask || setting.inFunction || setting.value->value.contains(u"SLURM_SUBMIT_DIR"))
            continue;
        hits.append({setting.line,
            several
                ? u"mktemp makes this folder on the first of %1 nodes only; the others do not have it. Make it in the task."_s
                      .arg(*facts.request.nodes)
                : u"mktemp makes this folder on the first node only: on several nodes make it in the task."_s,
            std::nullopt, several ? std::nullopt : std::optional(Severity::Hint)});
    }
    static const QRegularExpression local(u"^/(?:tmp|dev/shm)/"_s);
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if (command.name() != u"mkdir" || command.parent || !several || !command.function.isEmpty())
            continue;
        for (qsizetype i = 1; i < command.words.size(); ++i) {
            QString path = command.words.at(i).value;
            // these make their folder themselves where they do not find it
            static const QRegularExpression cache(u"MIOPEN|TRITON|TORCH|HF_|_CACHE|CACHE_|NUMBA|KERAS"_s);
            const bool ofProgram = path.contains(cache);
            static const QRegularExpression variable(u"^\\$\\{?([A-Za-z_]\\w*)\\}?"_s);
            if (const auto match = variable.match(path); match.hasMatch()) {
                const BatchVariable* set = facts.batch.variable(match.captured(1), command.line);
                path = set ? set->value.value : path;
            }
            if (!path.contains(local))
                continue;
            hits.append({command.line,
                u"%1 is made on the first of %2 nodes only: make it in the task, or with srun --ntasks=$SLURM_NNODES --ntasks-per-node=1 mkdir."_s
                    .arg(quoted(path), QString::number(*facts.request.nodes)),
                std::nullopt, ofProgram ? std::optional(Severity::Hint) : std::nullopt});
            break;
        }
    }
    return hits;
}

Hits exportNone(const LintFacts& facts)
{
    static const QRegularExpression repair(u"unset\\s+(?:\\S+\\s+)*SLURM_EXPORT_ENV|SLURM_EXPORT_ENV=ALL"_s);
    const BatchOption* option = facts.option(u"export"_s);
    if (!option || !anySrun(facts) || facts.mentions(repair))
        return {};
    const QStringList items = option->value.split(u',');
    const bool all = std::any_of(
        items.cbegin(), items.cend(), [](const QString& item) { return item.trimmed().toUpper() == u"ALL"; });
    const bool stepAll = std::all_of(facts.starts.cbegin(), facts.starts.cend(), [](const Start& start) {
        const BatchOption* one = start.srunOption(u"export"_s);
        return !start.srun || (one && one->value.startsWith(u"ALL"));
    });
    if (all || stepAll)
        return {};
    const int at = facts.batch.firstCommandLine;
    return {{option->line,
        u"%1 applies to srun, too: its tasks do not even have PATH. Add “unset SLURM_EXPORT_ENV” before srun."_s.arg(
            option->written),
        at > 0 ? std::optional(insertLine(at, u"unset SLURM_EXPORT_ENV"_s, u"Add unset SLURM_EXPORT_ENV"_s))
               : std::nullopt}};
}

/// A step that only watches and shares the job's nodes with the training.
bool isMonitor(const Start& start)
{
    static const QRegularExpression tools(u"nvidia-smi|rocm-smi|amd-smi|nvitop|gpustat|dcgmi|\\btop\\b|monitor"_s);
    QString words = start.program.join(u' ');
    for (const LaunchLayer& layer : start.launch->layers) {
        for (const ShellWord& word : layer.words)
            words += u' ' + word.value;
    }
    return !start.agent && words.contains(tools);
}

Hits stepOverlap(const LintFacts& facts)
{
    Hits hits;
    for (qsizetype i = 0; i < facts.starts.size(); ++i) {
        const Start& monitor = facts.starts.at(i);
        if (!monitor.srun || !monitor.launch->background || !isMonitor(monitor) || monitor.srunOption(u"overlap"_s)
            || facts.sets(u"SLURM_OVERLAP"_s))
            continue;
        const bool later = std::any_of(facts.starts.cbegin() + i + 1, facts.starts.cend(), [](const Start& other) {
            return other.srun && other.training && !other.srunOption(u"overlap"_s) && !isMonitor(other);
        });
        if (!later)
            continue;
        hits.append({monitor.line(),
            u"Without --overlap this step holds the job's cores, and the training's step waits until it ends."_s,
            replaceInLine(facts, monitor.line(), u"srun "_s, u"srun --overlap "_s, u"Add --overlap"_s)});
    }
    return hits;
}

Hits requeueLog(const LintFacts& facts)
{
    const BatchOption* option = facts.option(u"requeue"_s);
    if (!option || facts.optionValue(u"open-mode"_s) == u"append")
        return {};
    return {{option->line,
        u"A requeued job overwrites its log: with --open-mode=append the log of the first run is kept."_s,
        addDirective(facts, u"--open-mode=append"_s)}};
}

/// The job may run several times, and nothing in the script hints at going on where the last run stopped.
Hits requeueStartsAnew(const LintFacts& facts)
{
    static const QRegularExpression queues(u"\\bscontrol\\s+requeue\\b"_s);
    static const QRegularExpression goesOn(
        u"resum|restart|continu|checkpoint|ckpt|chkpt|snapshot|last\\.pt|--load\\b|auto.?load|latest"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression own(u"SLURM_RESTART_COUNT|SLURM_ARRAY_TASK"_s);
    const BatchOption* option = facts.option(u"requeue"_s);
    const int line = option ? option->line : facts.lineOf(queues);
    const bool trains
        = std::any_of(facts.starts.cbegin(), facts.starts.cend(), [](const Start& start) { return start.training; });
    if (line == 0 || !trains || facts.mentions(goesOn) || facts.mentions(own))
        return {};
    return {{line,
        u"The job may run again, and nothing here makes the program resume from its last checkpoint: if it does not look for one by itself, it trains from the start each time."_s}};
}

Hits restartCount(const LintFacts& facts)
{
    static const QRegularExpression bare(u"\\$(?:SLURM_RESTART_COUNT\\b|\\{SLURM_RESTART_COUNT\\})"_s);
    static const QRegularExpression compares(u"-(?:eq|ne|gt|ge|lt|le)\\b|==|!=|\\(\\("_s);
    static const QRegularExpression guarded(u"-[nz]\\s+\"?\\$|-v\\s+SLURM_RESTART_COUNT"_s);
    Hits hits;
    for (qsizetype i = 0; i < facts.codeLines.size(); ++i) {
        const QString& line = facts.codeLines.at(i);
        const auto match = bare.match(line);
        static const QRegularExpression printed(u"^\\s*(?:eval\\s+)?[\"']?(?:echo|printf)\\b"_s);
        if (!match.hasMatch() || line.contains(printed) || !line.contains(compares) || line.contains(guarded)
            || line.contains(u"[["))
            continue;
        const int number = static_cast<int>(i) + 1;
        hits.append({number,
            u"SLURM_RESTART_COUNT is not set in the first run, and the comparison fails: write ${SLURM_RESTART_COUNT:-0}."_s,
            replaceInLine(facts, number, match.captured(0), u"${SLURM_RESTART_COUNT:-0}"_s, u"Add the default"_s),
            Severity::Error});
    }
    return hits;
}

Hits monitorEnd(const LintFacts& facts)
{
    static const QRegularExpression exitTrap(u"\\btrap\\b.*\\b(?:EXIT|0)\\b"_s);
    static const QRegularExpression tools(
        u"\\b(?:nvidia-smi|rocm-smi|amd-smi|gpustat|dcgmi|nvitop|vmstat|dstat|monitor\\w*\\.(?:sh|py))\\b"_s);
    if (facts.mentions(exitTrap))
        return {};
    Hits hits;
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if (!command.isBackground() || command.parent)
            continue;
        QString text;
        if (command.kind == ShellCommand::Kind::Simple) {
            for (const ShellWord& word : command.words)
                text += word.value + u' ';
        } else { // a loop or group: look at the lines of its body
            for (int line = command.line - 1; line >= 0 && line >= command.line - 12; --line) {
                text += facts.codeLines.value(line) + u' ';
                if (facts.codeLines.value(line).contains(QRegularExpression(u"^\\s*(?:while|until|for|\\(|\\{)"_s)))
                    break;
            }
        }
        if (!text.contains(tools))
            continue;
        hits.append({command.line,
            u"Nothing ends this monitor when the script stops early: the command that ends it comes after the training. Add trap 'kill $(jobs -p)' EXIT in front."_s,
            command.kind == ShellCommand::Kind::Simple ? std::optional(
                insertLine(command.line, u"trap 'kill $(jobs -p) 2>/dev/null' EXIT"_s, u"Add the trap"_s))
                                                       : std::nullopt});
    }
    return hits;
}

} // namespace

QList<LintRule> lifecycleRules()
{
    const QString measured = u"measured with Slurm 22.05"_s;
    return {
        {{u"L28"_s, u"helper-file"_s, Severity::Warning, {}, u"a helper script with one name for all jobs"_s,
             u"LUMI training materials 2026"_s},
            helperFile},
        {{u"L29"_s, u"node-local-folder"_s, Severity::Warning, {},
             u"a node-local folder made on the first node only (a hint on one node)"_s, measured},
            nodeLocalFolder},
        {{u"L47"_s, u"export-none"_s, Severity::Error, {}, u"--export without ALL, and srun"_s, measured}, exportNone},
        {{u"L48"_s, u"step-overlap"_s, Severity::Warning, {}, u"a monitor's step without --overlap"_s, measured},
            stepOverlap},
        {{u"L49"_s, u"requeue-log"_s, Severity::Warning, {}, u"--requeue without --open-mode=append"_s, measured},
            requeueLog},
        {{u"R270"_s, u"requeue-starts-anew"_s, Severity::Hint, u"options.resumeArguments"_s,
             u"a job that is queued again, and no sign of resuming"_s, u"sbatch(1), --requeue"_s},
            requeueStartsAnew},
        {{u"L49"_s, u"restart-count"_s, Severity::Error, {}, u"SLURM_RESTART_COUNT compared without a default"_s,
             measured},
            restartCount},
        {{u"L50"_s, u"monitor-end"_s, Severity::Warning, {}, u"a monitor in the background that no trap ends"_s,
             u"CSC pytorch-ddp-examples; found in public scripts"_s},
            monitorEnd},
    };
}

} // namespace rankwright::inline script::lint
