// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintrule.h"
#include "models/script/lint/lintwords.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

/// Commands that nearly every script runs. What is one slip away from one of them, and is none of its own, is a slip.
const QStringList& usualCommands()
{
    static const QStringList names = QString::fromLatin1(
        "source module export unset echo mkdir sleep hostname python python3 conda mamba srun sbatch scancel scontrol "
        "squeue sacct mpirun mpiexec torchrun accelerate deepspeed singularity apptainer rsync unzip wget curl "
        "nvidia-smi rocm-smi ulimit chmod printf read wait exit trap exec eval cat")
                                         .split(u' ');
    return names;
}

/// Real commands that lie one slip away from a usual one.
bool isOther(const QString& name)
{
    static const QStringList names = QString::fromLatin1(
        "prun crun jsrun aprun qrun sinfo sacctmgr csync zsync chown chgrp modulecmd pythonw python2 pythons unzstd "
        "runzip bunzip2 gunzip sload edit expect test tests sprio sbcast sattach zcat tac bcat ncat kcat xcat scat wcat "
        "head reads awaits await traps exits evals execs mpiexec mpirunf printenv zmodload modules hostnamectl")
                                         .split(u' ');
    return names.contains(name);
}

/// What follows short commands: without it a word of three letters is not taken for a slip.
bool isSubcommandOf(const QString& command, const QString& word)
{
    static const QHash<QString, QSet<QString>> known{
        {u"git"_s, {u"clone"_s, u"pull"_s, u"checkout"_s, u"status"_s, u"fetch"_s, u"submodule"_s, u"lfs"_s}},
        {u"dvc"_s, {u"checkout"_s, u"pull"_s, u"push"_s, u"add"_s, u"repro"_s, u"fetch"_s}},
        {u"pip"_s, {u"install"_s, u"uninstall"_s, u"list"_s, u"freeze"_s}}, {u"ssh"_s, {}}};
    return known.value(command).contains(word);
}

/// Letters that changed places, one too few, one doubled, or in long names another one. One letter more in front or at
/// the end makes real programs out of others: ipython, mpirun and prun, tests.
bool isSlip(const QString& typed, const QString& name)
{
    if (wordDistance(typed, name, 1) != 1)
        return false;
    if (typed.size() == name.size()) {
        const bool swapped = std::is_permutation(typed.cbegin(), typed.cend(), name.cbegin(), name.cend());
        return swapped || (name.size() >= 7 && typed.front() == name.front() && typed.back() == name.back());
    }
    if (typed.size() < name.size())
        return typed.front() == name.front() && name.size() >= 6;
    for (qsizetype i = 1; i < typed.size(); ++i) {
        if (typed.at(i) == typed.at(i - 1) && QString(typed).remove(i, 1) == name)
            return true;
    }
    return false;
}

QString usualCommandNear(const ShellCommand& command)
{
    const QString typed = command.name();
    if (typed.size() >= 4) {
        if (usualCommands().contains(typed) || isOther(typed))
            return {};
        for (const QString& name : usualCommands()) {
            if (name.size() >= 5 && isSlip(typed, name))
                return name;
            // of four letters only two that changed places: many words are one letter apart
            if (name.size() == 4 && typed.size() == 4 && wordDistance(typed, name, 1) == 1
                && std::is_permutation(typed.cbegin(), typed.cend(), name.cbegin(), name.cend()))
                return name;
        }
        return {};
    }
    for (const QString& name : {u"git"_s, u"dvc"_s, u"pip"_s}) {
        if (typed.size() == 3 && typed != name && wordDistance(typed, name, 1) == 1
            && isSubcommandOf(name, command.words.value(1).value))
            return name;
    }
    return {};
}

Hits misspeltCommand(const LintFacts& facts)
{
    static const QRegularExpression plain(u"^[a-z][a-z0-9-]*$"_s);
    QSet<QString> own; // functions, aliases, and what is looked for first
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if (!command.function.isEmpty())
            own.insert(command.function);
        const bool looks = command.name() == u"command" || command.name() == u"which" || command.name() == u"type"
            || command.name() == u"hash" || command.name() == u"alias" || command.name() == u"function";
        for (qsizetype i = 1; looks && i < command.words.size(); ++i)
            own.insert(command.words.at(i).value.section(u'=', 0, 0));
    }
    Hits hits;
    for (const ShellCommand& command : facts.batch.shell.commands) {
        const QString typed = command.name();
        if (command.kind != ShellCommand::Kind::Simple || command.words.isEmpty() || own.contains(typed)
            || !command.words.first().isStatic() || !typed.contains(plain))
            continue;
        const QString near = usualCommandNear(command);
        if (near.isEmpty())
            continue;
        hits.append({command.line, u"There is no command %1; %2 was probably meant."_s.arg(quoted(typed), quoted(near)),
            command.inInnerShell ? std::nullopt : replaceInLine(facts, command.line, typed, near, u"Write "_s + near)});
    }
    return hits;
}

/// Seconds of "50", "5m", "2h", "1d"; nothing for anything else.
std::optional<qint64> sleepSeconds(const QString& text)
{
    static const QRegularExpression form(u"^(\\d{1,7})([smhd]?)$"_s);
    if (text == u"infinity")
        return 1000000;
    const auto match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    static const QHash<QString, qint64> units{{u"m"_s, 60}, {u"h"_s, 3600}, {u"d"_s, 86400}};
    return match.captured(1).toLongLong() * units.value(match.captured(2), 1);
}

/// A long sleep after the training, where nothing runs beside it: the GPUs are held and paid for.
Hits sleepingTail(const LintFacts& facts)
{
    constexpr qint64 shortest = 300; // below, somebody waits for files to appear
    const Start* last = nullptr;
    for (const Start& start : facts.starts) {
        if (start.launch->background)
            return {}; // the sleep may keep the job alive for it
        last = start.training ? &start : last;
    }
    if (!last || facts.request.gpuOptions.isEmpty())
        return {};
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if (command.isBackground())
            return {};
        if (command.name() != u"sleep" || !command.isPlain() || command.line <= last->launch->lastLine)
            continue;
        const std::optional<qint64> seconds
            = command.words.size() == 2 ? sleepSeconds(command.words.at(1).value) : std::nullopt;
        if (seconds.value_or(0) < shortest)
            continue;
        return {{command.line,
            u"The job sleeps for %1 after the work of line %2: its GPUs stay idle and are paid for."_s.arg(
                *seconds >= 1000000 ? u"ever"_s : humanDuration(Seconds{*seconds}), QString::number(last->line())),
            removeLine(facts, command.line)}};
    }
    return {};
}

/// --array=1-10 for a bash array of ten: element 10 does not exist, and element 0 is never taken.
Hits arrayBounds(const LintFacts& facts)
{
    static const QRegularExpression range(u"^\\[?(\\d{1,6})-(\\d{1,6})\\]?(?:%\\d+)?$"_s);
    static const QRegularExpression index(u"^\\[\\s*\\$?\\{?SLURM_ARRAY_TASK_ID\\}?\\s*\\]$"_s);
    const auto match = range.match(facts.optionValue(u"array"_s));
    if (!match.hasMatch())
        return {};
    const int first = match.captured(1).toInt();
    const int last = match.captured(2).toInt();
    Hits hits;
    QSet<QString> seen;
    for (const VariableUse& use : facts.uses) {
        if (!use.expansion || use.expansion->name != use.name || !use.expansion->operation.contains(index)
            || seen.contains(use.name))
            continue;
        const BatchVariable* array = facts.batch.variable(use.name, use.line);
        const bool plain = array && array->isArray && array->certain && !array->elements.isEmpty()
            && std::all_of(array->elements.cbegin(), array->elements.cend(), [](const ShellWord& element) {
                   static const QRegularExpression several(u"[*?{\\[]"_s); // words that become others
                   return element.isStatic() && (element.quoted || !element.text.contains(several));
               });
        const int size = plain ? static_cast<int>(array->elements.size()) : 0;
        if (!plain || last < size)
            continue;
        seen.insert(use.name);
        QString text
            = u"%1 has the elements 0 to %2, but the array's tasks go up to %3: the last tasks get nothing"_s.arg(
                use.name, QString::number(size - 1), QString::number(last));
        if (first > 0)
            text += u", and elements before %1 are never used"_s.arg(first);
        const BatchOption* option = facts.option(u"array"_s);
        const QString written = u"--array=0-%1"_s.arg(size - 1);
        hits.append({option->line, text + u'.',
            first == 1 && last == size ? std::optional(replaceOption(facts, *option, written, u"Use "_s + written))
                                       : std::nullopt});
    }
    return hits;
}

/// $ARGS, where the script sets SCRIPT_ARGS, reads that nowhere, and sets no ARGS.
Hits neverSet(const LintFacts& facts)
{
    static const QRegularExpression ofEnvironment(
        u"^(?:HOME|USER|PATH|PWD|WORK|SCRATCH|PROJECT|DATA|STORE|TMP|TMPDIR|HOST|HOSTNAME|SHELL|LANG|MAIL|GROUP|LOGNAME|UID|DISPLAY|FLASH|ACCOUNT|JOB_ID|JOBID|CPATH|MODULEPATH|CUDA_HOME|DIR|ROOT)$|^(?:SLURM|PBS|LSB|SGE|EB|LMOD|BASH|CONDA|VIRTUAL|MPI|OMPI|PMI|LOCAL)"_s);
    QSet<QString> given; // by other means than an assignment
    for (const ShellCommand& command : facts.batch.shell.commands) {
        static const QSet<QString> givers{u"for"_s, u"read"_s, u"select"_s, u"mapfile"_s, u"readarray"_s, u"getopts"_s,
            u"local"_s, u"declare"_s, u"printf"_s};
        for (qsizetype i = 1; givers.contains(command.name()) && i < command.words.size(); ++i)
            given.insert(command.words.at(i).value);
    }
    Hits hits;
    QSet<QString> seen;
    for (const VariableUse& use : facts.uses) {
        if (!use.expansion || use.expansion->name != use.name || !use.expansion->operation.isEmpty() || !use.command
            || use.isPrinted || use.name.size() < 3 || seen.contains(use.name) || facts.sets(use.name)
            || given.contains(use.name) || use.name.contains(ofEnvironment) || readNames().contains(use.name))
            continue;
        seen.insert(use.name);
        QStringList candidates;
        for (auto it = facts.settingsByName.cbegin(); it != facts.settingsByName.cend(); ++it) {
            const bool namesake = it.key().endsWith(u'_' + use.name) || it.key().startsWith(use.name + u'_');
            const bool itself = std::any_of(it.value().cbegin(), it.value().cend(),
                [&](int place) { return facts.settings.at(place).value->expands(use.name); });
            if (namesake && !itself && !facts.usesByName.contains(it.key()) && !readNames().contains(it.key()))
                candidates.append(it.key());
        }
        if (candidates.size() == 1)
            hits.append({use.line,
                u"$%1 is never set in this script; $%2 is, and nothing reads it."_s.arg(use.name, candidates.first()),
                replaceInLine(
                    facts, use.line, u'$' + use.name, u'$' + candidates.first(), u"Use $"_s + candidates.first())});
    }
    return hits;
}

/// lintScript() itself speaks of it, when all others have spoken.
Hits ignoreUnused(const LintFacts&) { return {}; }

} // namespace

QList<LintRule> commandRules()
{
    const QString found = u"found in public scripts"_s;
    return {
        {{u"R272"_s, u"command-misspelt"_s, Severity::Error, {},
             u"a command that does not exist, one typing error from a usual one"_s, found},
            misspeltCommand},
        {{u"R273"_s, u"sleeping-tail"_s, Severity::Warning, {}, u"a long sleep after the training"_s, found},
            sleepingTail},
        {{u"R274"_s, u"array-bounds"_s, Severity::Error, {},
             u"array tasks beyond the end of the bash array that they index"_s,
             u"bash(1), Arrays; sbatch(1), --array"_s},
            arrayBounds},
        {{u"R275"_s, u"variable-namesake"_s, Severity::Warning, {},
             u"a variable that is never set, while a longer namesake is set and never read"_s, u"bash(1)"_s},
            neverSet},
        {{u"R281"_s, u"ignore-unused"_s, Severity::Hint, {}, u"“# rankwright: ignore …” that silences nothing"_s,
             u"docs/lint.md"_s},
            ignoreUnused},
    };
}

} // namespace rankwright::inline script::lint
