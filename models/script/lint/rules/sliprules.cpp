// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintrule.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

/// What follows “exec program”: the shell is gone by then.
Hits afterExec(const LintFacts& facts)
{
    const QList<ShellCommand>& commands = facts.batch.shell.commands;
    for (int i = 0; i < commands.size(); ++i) {
        const ShellCommand& command = commands.at(i);
        if (command.name() != u"exec" || command.words.size() < 2 || !command.isPlain() || command.isJoined()
            || command.isBackground() || isPipe(command.separator) || command.separator == ShellSeparator::Or)
            continue;
        const auto lost = std::find_if(facts.starts.cbegin(), facts.starts.cend(), [&](const Start& start) {
            const ShellCommand& other = commands.at(start.launch->command);
            return start.training && start.launch->command > i && !other.parent && other.begin > command.end;
        });
        if (lost != facts.starts.cend())
            return {{command.line,
                u"exec puts this program in the place of the shell: line %1 and all after it never run. Leave exec "
                u"out."_s.arg(lost->line())}};
    }
    return {};
}

/// [ $a > 0 ] writes a file named 0.
Hits testRedirects(const LintFacts& facts)
{
    Hits hits;
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if (command.name() != u"[" || command.words.last().value != u"]" || command.inSubstitution)
            continue;
        for (const ShellRedirection& one : command.redirections) {
            if ((one.op != u">" && one.op != u"<") || one.target.begin > command.words.last().begin)
                continue;
            QStringList left;
            for (const ShellWord& word : command.words)
                left.append(word.text);
            const QString asks = command.words.size() == 3
                ? u"“%1”, true whenever that is not empty"_s.arg(left.join(u' '))
                : u"“%1”"_s.arg(left.join(u' '));
            hits.append({command.line,
                one.op == u">"
                    ? u"“>” in [ … ] compares nothing: it writes a file named %1, and what is left of the test is %2. Write -gt."_s
                          .arg(quoted(one.target.text), asks)
                    : u"“<” in [ … ] compares nothing: it reads a file named %1, and without one the test is false. Write -lt."_s
                          .arg(quoted(one.target.text))});
            break;
        }
    }
    return hits;
}

/// /scratch/%USER/data: a pattern's sign where the shell wants “$”.
Hits percentVariable(const LintFacts& facts)
{
    static const QRegularExpression form(u"(?:^|[/=])%(USER|HOME|SCRATCH|TMPDIR|SLURM_[A-Z_]+)(?![A-Za-z0-9_])"_s);
    static const QSet<QString> formats{u"date"_s, u"printf"_s, u"echo"_s, u"awk"_s, u"sed"_s, u"squeue"_s, u"sacct"_s};
    Hits hits;
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if (formats.contains(command.name()) || command.parent)
            continue;
        QList<ShellWord> words = command.words;
        for (const ShellAssignment& assignment : command.assignments)
            words.append(assignment.value);
        for (const ShellWord& word : words) {
            const auto match = form.match(word.value);
            if (!match.hasMatch())
                continue;
            const QString typed = u'%' + match.captured(1);
            hits.append({word.line,
                u"%1 are letters to the shell: no folder has that name. Write $%2."_s.arg(
                    quoted(typed), match.captured(1)),
                replaceInLine(facts, word.line, typed, u'$' + match.captured(1), u"Write $"_s + match.captured(1))});
            break;
        }
    }
    return hits;
}

/// export PYTHONPATH=/mine:\$PYTHONPATH keeps the letters in place of what was there before.
Hits literalPath(const LintFacts& facts)
{
    Hits hits;
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if (command.parent || command.inInnerShell)
            continue;
        for (const ShellAssignment& assignment : command.assignments) {
            const QString escaped = u"\\$"_s + assignment.name;
            const QString& text = assignment.value.text;
            if (!assignment.name.endsWith(u"PATH")
                || (!text.contains(escaped) && !text.contains(u"\\${"_s + assignment.name)) || text.startsWith(u'\''))
                continue;
            hits.append({assignment.value.line,
                u"\\$%1 stays the letters “$%1”: what %1 held before is lost. Write $%1."_s.arg(assignment.name),
                replaceInLine(facts, assignment.value.line, u"\\$"_s, u"$"_s, u"Write $"_s + assignment.name)});
        }
    }
    return hits;
}

/// “activate NAME” without source or conda.
Hits activateAlone(const LintFacts& facts)
{
    Hits hits;
    for (const ShellCommand& command : facts.batch.shell.commands) {
        const QString name = command.name();
        const bool alone = name == u"activate" || name.endsWith(u"/bin/activate");
        if (!alone || command.parent || command.words.size() > 2 || !command.words.first().isStatic())
            continue;
        const bool own = std::any_of(facts.batch.shell.commands.cbegin(), facts.batch.shell.commands.cend(),
            [](const ShellCommand& other) { return other.function == u"activate" || other.name() == u"alias"; });
        if (!own)
            hits.append({command.line,
                u"%1 without “source” runs in a shell of its own, if at all: the environment of this script stays as it was."_s
                    .arg(quoted(name))});
    }
    return hits;
}

/// Seconds of “sleep 8m”, where nothing runs beside it and the work has not begun.
Hits sleepingStart(const LintFacts& facts)
{
    constexpr qint64 shortest = 300;
    static const QRegularExpression form(u"^(\\d{1,6})([smh]?)$"_s);
    static const QHash<QString, qint64> units{{u"m"_s, 60}, {u"h"_s, 3600}};
    const auto first = std::find_if(
        facts.starts.cbegin(), facts.starts.cend(), [](const Start& start) { return start.training || start.srun; });
    if (first == facts.starts.cend() || (facts.request.gpuOptions.isEmpty() && !facts.option(u"gres"_s)))
        return {};
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if (command.isBackground() || command.line >= first->line())
            return {};
        const auto match = form.match(command.words.value(1).value);
        if (command.name() != u"sleep" || !command.isPlain() || command.words.size() != 2 || !match.hasMatch())
            continue;
        const qint64 seconds = match.captured(1).toLongLong() * units.value(match.captured(2), 1);
        if (seconds >= shortest)
            return {{command.line,
                u"The job sleeps for %1 before its work begins: its GPUs stay idle and are paid for. “sbatch --begin” waits without them."_s
                    .arg(humanDuration(Seconds{seconds}))}};
    }
    return {};
}

/// SLURM_NTASKS_PER_NODE where no tasks of a node are asked for.
Hits tasksVariable(const LintFacts& facts)
{
    if (facts.option(u"ntasks-per-node"_s) || facts.sets(u"SLURM_NTASKS_PER_NODE"_s))
        return {};
    for (const VariableUse& use : facts.uses) {
        const bool plain = use.expansion && use.expansion->operation.isEmpty();
        if (use.name != u"SLURM_NTASKS_PER_NODE" || use.isPrinted || !plain)
            continue;
        return {{use.line,
            u"SLURM_NTASKS_PER_NODE is set where --ntasks-per-node is asked for, which this script does not do: it is empty here, unless sbatch is given the option."_s}};
    }
    return {};
}

} // namespace

QList<LintRule> slipRules()
{
    const QString bash = u"bash(1)"_s;
    const QString found = u"found in public scripts"_s;
    return {
        {{u"R290"_s, u"after-exec"_s, Severity::Error, {}, u"“exec program” with more work after it"_s, bash},
            afterExec},
        {{u"R291"_s, u"test-redirects"_s, Severity::Warning, {}, u"[ a > b ], which writes a file"_s, bash},
            testRedirects},
        {{u"R292"_s, u"percent-variable"_s, Severity::Error, {}, u"%USER in a path of a command"_s, found},
            percentVariable},
        {{u"R293"_s, u"path-literal"_s, Severity::Warning, {}, u"PATH=…:\\$PATH"_s, bash}, literalPath},
        {{u"R294"_s, u"activate-alone"_s, Severity::Warning, {}, u"“activate NAME” without source or conda"_s,
             u"conda documentation"_s},
            activateAlone},
        {{u"R295"_s, u"sleeping-start"_s, Severity::Warning, {}, u"a long sleep before the work"_s, found},
            sleepingStart},
        {{u"R296"_s, u"tasks-variable"_s, Severity::Warning, {}, u"SLURM_NTASKS_PER_NODE without --ntasks-per-node"_s,
             u"sbatch(1), output environment variables"_s},
            tasksVariable},
    };
}

} // namespace rankwright::inline script::lint
