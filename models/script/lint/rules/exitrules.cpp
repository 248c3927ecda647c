// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintrule.h"
#include "models/script/lint/lintuses.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

const ShellCommand& commandOf(const LintFacts& facts, const Start& start)
{
    return facts.batch.shell.commands.at(start.launch->command);
}

bool isPlain(const LintFacts& facts, const Start& start) { return commandOf(facts, start).isPlain(); }

/// The last command that does the job's work, in the script's own flow; null: none.
const Start* lastTraining(const LintFacts& facts)
{
    const auto found = std::find_if(facts.starts.crbegin(), facts.starts.crend(),
        [&](const Start& start) { return start.training && isPlain(facts, start); });
    return found != facts.starts.crend() ? &*found : nullptr;
}

/// Is the next command of the pipe one that writes the log, so that the pipe's head is the job's work?
bool pipesToLog(const LintFacts& facts, const Start& start)
{
    const QList<ShellCommand>& commands = facts.batch.shell.commands;
    for (qsizetype i = start.launch->command + 1; i < commands.size(); ++i) {
        if (!commands.at(i).parent && commands.at(i).begin >= commandOf(facts, start).end)
            return commands.at(i).name() == u"tee";
    }
    return false;
}

Hits pipeStatus(const LintFacts& facts)
{
    if (facts.pipefail || facts.batch.text.contains(u"PIPESTATUS"))
        return {};
    Hits hits;
    for (const Start& start : facts.starts) {
        const ShellCommand& command = commandOf(facts, start);
        if (!start.training || !isPipe(command.separator) || command.inSubstitution || command.inInnerShell)
            continue;
        const int at = facts.batch.firstCommandLine > 0 ? facts.batch.firstCommandLine : start.line();
        hits.append({start.line(),
            u"The status of the pipe is that of its last command (tee): a training that failed shows as COMPLETED. Add “set -o pipefail”."_s,
            insertLine(at, u"set -o pipefail"_s, u"Add set -o pipefail"_s),
            pipesToLog(facts, start) ? std::nullopt : std::optional(Severity::Warning), start.launch->lastLine});
    }
    return hits;
}

bool keepsStatus(const ShellCommand& command)
{
    const auto names = [](const ShellWord& word) { return word.expands(u"?"_s) || word.value.contains(u"PIPESTATUS"); };
    return std::any_of(command.words.cbegin(), command.words.cend(), names)
        || std::any_of(command.assignments.cbegin(), command.assignments.cend(),
            [&](const ShellAssignment& one) { return names(one.value); });
}

Hits exitStatus(const LintFacts& facts)
{
    const Start* last = facts.exitOnError ? nullptr : lastTraining(facts);
    if (!last || last->launch->background)
        return {};
    const QList<ShellCommand>& commands = facts.batch.shell.commands;
    const ShellCommand& launch = commandOf(facts, *last);
    if (isAndOr(launch.separator) || launch.isBackground())
        return {};
    const ShellCommand* after = nullptr;
    for (qsizetype i = last->launch->command + 1; i < commands.size(); ++i) {
        const ShellCommand& command = commands.at(i);
        if (command.parent || isPipe(command.before) || !command.function.isEmpty() || command.begin < launch.end)
            continue;
        if (keepsStatus(command))
            return {};
        if (command.name() == u"exit" && command.words.size() > 1 && command.words.at(1).value != u"0")
            return {};
        if (!after && command.name() == u"exit" && command.words.size() == 1 && command.isPlain())
            return {}; // a bare exit hands on the status of what ran before
        if (runsScript(command))
            after = nullptr; // the job's work may as well be in there
        else if (command.kind != ShellCommand::Kind::BlockEnd)
            after = after ? after : &command;
    }
    if (!after)
        return {};
    const int line = last->launch->lastLine;
    Fix fix{u"Keep the status"_s, {},
        {{line + 1, line, {u"status=$?"_s}},
            {static_cast<int>(facts.batch.lines.size()) + 1, static_cast<int>(facts.batch.lines.size()),
                {u"exit \"$status\""_s}}}};
    return {{after->line,
        u"The job's state is that of the last command, and this one comes after the training (line %1): a training that failed shows as COMPLETED. Add “set -e”, or keep $? and exit with it."_s
            .arg(last->line()),
        fix}};
}

/// `wait` without ids after trainings in the background: its status is 0 (bash(1), wait).
Hits waitStatus(const LintFacts& facts)
{
    const Start* last = lastTraining(facts);
    if (!last || !last->launch->background)
        return {};
    const ShellCommand& launch = commandOf(facts, *last);
    const ShellCommand* bare = nullptr;
    const ShellCommand* end = nullptr;
    int background = 0;
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if (command.parent || !command.function.isEmpty())
            continue;
        background += command.isBackground() ? 1 : 0;
        if (command.begin < launch.end)
            continue;
        end = &command;
        const bool asks = command.isCondition || command.kind == ShellCommand::Kind::Test || runsScript(command);
        const bool exits = command.name() == u"exit" && command.words.size() > 1 && command.words.at(1).value != u"0";
        if (asks || exits || keepsStatus(command) || (command.name() == u"wait" && command.words.size() > 1))
            return {};
        if (command.name() == u"wait")
            bare = &command;
    }
    if (!bare)
        return {};
    const auto several = std::count_if(facts.starts.cbegin(), facts.starts.cend(),
        [](const Start& start) { return start.training && start.launch->background; });
    const bool fixable = several == 1 && background == 1 && bare == end && bare->isPlain();
    return {{bare->line,
        several == 1
            ? u"“wait” without an id ends with 0, whatever became of the training in line %1: one that failed shows as COMPLETED. Write “wait $!”."_s
                  .arg(last->line())
            : u"“wait” without ids ends with 0, whatever became of the %1 programs in the background: the job shows as COMPLETED. Keep each id ($!) and wait for each."_s
                  .arg(several),
        fixable ? replaceInLine(facts, bare->line, u"wait"_s, u"wait $!"_s, u"Wait for its status"_s) : std::nullopt,
        several == 1 ? std::nullopt : std::optional(Severity::Hint)}};
}

/// scancel of the own job as the last thing that the script does.
Hits cancelsItself(const LintFacts& facts)
{
    const ShellCommand* last = nullptr;
    for (const ShellCommand& command : facts.batch.shell.commands) {
        const bool ends = command.name() == u"exit" || onlyPrints(command);
        if (!command.parent && command.function.isEmpty() && !ends)
            last = &command;
    }
    if (!last || last->name() != u"scancel" || !last->isPlain() || last->isJoined() || last->words.size() != 2)
        return {};
    const ShellWord& job = last->words.at(1);
    const bool own = job.expansions.size() == 1 && job.expansions.first().text == job.value
        && (job.expands(u"SLURM_JOB_ID"_s) || job.expands(u"SLURM_JOBID"_s));
    if (!own)
        return {};
    return {{last->line,
        u"The job cancels itself: it ends as CANCELLED, and jobs that wait for it by afterok never start. It ends by "
        u"itself after its last command."_s,
        last->line == last->lastLine ? std::optional(removeLine(facts, last->line)) : std::nullopt}};
}

Hits backgroundLost(const LintFacts& facts)
{
    const Start* last = lastTraining(facts);
    if (!last || !last->launch->background)
        return {};
    for (const ShellCommand& command : facts.batch.shell.commands) {
        static const QSet<QString> waits{u"wait"_s, u"fg"_s, u"tail"_s, u"sleep"_s};
        if (waits.contains(command.name()))
            return {};
    }
    for (const Start& start : facts.starts) {
        if (&start != last && !start.launch->background && start.launch->command > last->launch->command)
            return {};
    }
    return {{last->line(),
        u"The script ends while this runs in the background, and Slurm ends the job with it: add “wait”."_s,
        insertLine(static_cast<int>(facts.batch.lines.size()) + 1, u"wait"_s, u"Add wait"_s)}};
}

struct Trap {
    const ShellCommand* command = nullptr;
    QStringList signalNames; ///< without SIG, without EXIT, ERR and their kin
    bool onExit = false;
    QString action;
};

QList<Trap> trapsOf(const LintFacts& facts)
{
    static const QSet<QString> notSignals{u"ERR"_s, u"DEBUG"_s, u"RETURN"_s, u"CHLD"_s, u"PIPE"_s};
    QList<Trap> traps;
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if (command.name() != u"trap" || command.words.size() < 3 || command.inInnerShell)
            continue;
        qsizetype first = command.words.at(1).value == u"--" ? 2 : 1;
        Trap trap{&command, {}, false, command.words.value(first).value};
        for (qsizetype i = first + 1; i < command.words.size(); ++i) {
            QString name = command.words.at(i).value.toUpper();
            name.remove(QRegularExpression(u"^SIG"_s));
            if (name == u"EXIT" || name == u"0")
                trap.onExit = true;
            else if (!notSignals.contains(name))
                trap.signalNames.append(name);
        }
        if (trap.action != u"-")
            traps.append(trap);
    }
    return traps;
}

/// --signal=[B:]NAME[@SECONDS] taken apart.
struct Wanted {
    bool toBatch = false;
    QString name; ///< without SIG
};

std::optional<Wanted> wantedSignal(const LintFacts& facts)
{
    const BatchOption* option = facts.option(u"signal"_s);
    if (!option)
        return std::nullopt;
    QString text = option->value.section(u'@', 0, 0).toUpper();
    Wanted wanted;
    if (text.contains(u':')) {
        wanted.toBatch = text.section(u':', 0, 0).contains(u'B');
        text = text.section(u':', 1);
    }
    static const QHash<QString, QString> numbers{
        {u"10"_s, u"USR1"_s}, {u"12"_s, u"USR2"_s}, {u"15"_s, u"TERM"_s}, {u"2"_s, u"INT"_s}, {u"1"_s, u"HUP"_s}};
    text.remove(QRegularExpression(u"^SIG"_s));
    wanted.name = numbers.value(text, text);
    return wanted;
}

/// Is the signal among those that torchrun passes on, as its option or its variable lists them? Also where only the
/// shell knows the list.
bool forwardsSignal(const LintFacts& facts, const Start& start, const QString& name)
{
    static const QRegularExpression between(u"[,=\\s\"']+"_s);
    const auto lists = [&](const QString& text) {
        return text.contains(u'$') || text.toUpper().split(between).contains(u"SIG"_s + name);
    };
    if (const BatchOption* option = start.agentOption(u"signals-to-handle"_s))
        return lists(option->word ? facts.valueOf(*option->word).value_or(u"$"_s) : option->value);
    const Setting* setting = facts.setting(u"TORCHELASTIC_SIGNALS_TO_HANDLE"_s);
    return setting != nullptr && lists(facts.valueOf(*setting->value).value_or(u"$"_s));
}

Hits trapForeground(const LintFacts& facts)
{
    const Start* last = lastTraining(facts);
    if (!last || last->launch->background)
        return {};
    const std::optional<Wanted> wanted = wantedSignal(facts);
    Hits hits;
    for (const Trap& trap : trapsOf(facts)) {
        if (trap.signalNames.isEmpty() || trap.action.isEmpty() || trap.command->line > last->line())
            continue;
        const bool comes = (wanted && wanted->toBatch && trap.signalNames.contains(wanted->name)) || !wanted
            || trap.signalNames.contains(u"TERM"_s);
        if (!comes)
            continue;
        static const QRegularExpression again(u"requeue|sbatch|checkpoint|ckpt|save|kill\\s+-|scancel"_s);
        const bool needed = (wanted && trap.signalNames.contains(wanted->name))
            || trap.action.contains(again); // else it only tidies up, late or not
        hits.append({trap.command->line,
            u"bash runs this trap only after the command in the foreground (line %1) has ended, which is too late. Start that one with “&” and “wait” for it."_s
                .arg(last->line()),
            std::nullopt, needed ? std::nullopt : std::optional(Severity::Hint)});
    }
    return hits;
}

Hits signalUnhandled(const LintFacts& facts)
{
    const std::optional<Wanted> wanted = wantedSignal(facts);
    const BatchOption* option = facts.option(u"signal"_s);
    if (!wanted)
        return {};
    if (wanted->toBatch) {
        const QList<Trap> traps = trapsOf(facts);
        const bool handled = std::any_of(
            traps.cbegin(), traps.cend(), [&](const Trap& trap) { return trap.signalNames.contains(wanted->name); });
        if (handled)
            return {};
        const QString rest = option->value.section(u':', 1);
        return {{option->line,
            u"“B:” sends %1 to the batch shell only, and no trap catches it: it kills the script instead of reaching the program."_s
                .arg(wanted->name),
            facts.startsBy(LaunchKind::Agent)
                ? std::nullopt
                : std::optional(replaceOption(facts, *option, u"--signal="_s + rest, u"Send it to the tasks"_s))}};
    }
    static const QSet<QString> forwarded{u"TERM"_s, u"INT"_s, u"HUP"_s, u"QUIT"_s};
    for (const Start& start : facts.starts) {
        if (start.kind == LaunchKind::Agent && start.srun && !forwardsSignal(facts, start, wanted->name)
            && !forwarded.contains(wanted->name))
            return {{option->line,
                u"torchrun does not forward %1: it is killed by it and ends its workers. Use --signal=TERM@…, one task for each GPU, or name SIG%1 in --signals-to-handle too."_s
                    .arg(wanted->name),
                replaceOption(facts, *option, u"--signal=TERM@"_s + option->value.section(u'@', 1, 1), u"Use TERM"_s)}};
    }
    return {};
}

Hits signalFirstNode(const LintFacts& facts)
{
    if (!facts.request.severalNodes())
        return {};
    static const QRegularExpression search(
        u"\\b(?:pkill|killall)\\b|kill\\s[^;|&]*\\$\\(\\s*(?:pgrep|pidof)\\b|kill\\s[^;|&]*`\\s*(?:pgrep|pidof)\\b"_s);
    static const QRegularExpression perNode(u"\\bsrun\\b|^\\s*(?:export\\s+)?\\w+=[\"']"_s); // or kept for later
    Hits hits;
    for (qsizetype i = 0; i < facts.codeLines.size(); ++i) {
        const QString& line = facts.codeLines.at(i);
        if (line.contains(search) && !line.contains(perNode))
            hits.append({static_cast<int>(i) + 1,
                u"Processes are looked for on the first of %1 nodes only: use scancel --signal=… $SLURM_JOB_ID, which reaches all."_s
                    .arg(*facts.request.nodes)});
    }
    return hits;
}

} // namespace

QList<LintRule> exitRules()
{
    const QString measured = u"measured with Slurm 22.05"_s;
    const QString bash = u"bash(1), trap; "_s + measured;
    return {
        {{u"L22"_s, u"pipe-status"_s, Severity::Error, {}, u"a training piped to tee without pipefail"_s, measured},
            pipeStatus},
        {{u"L25"_s, u"trap-foreground"_s, Severity::Error, {}, u"a trap while the program runs in the foreground"_s,
             bash},
            trapForeground},
        {{u"L26"_s, u"signal-unhandled"_s, Severity::Error, {},
             u"--signal=B: without a trap, or a signal that the agent does not forward"_s, bash},
            signalUnhandled},
        {{u"L27"_s, u"signal-first-node"_s, Severity::Warning, {},
             u"pkill or pgrep in the batch shell of several nodes"_s, u"stas00/ml-engineering"_s},
            signalFirstNode},
        {{u"L58"_s, u"exit-status"_s, Severity::Warning, {}, u"commands after the training that hide its failure"_s,
             measured},
            exitStatus},
        {{u"L58"_s, u"wait-status"_s, Severity::Warning, {}, u"“wait” without ids after a training in the background"_s,
             u"bash(1), wait"_s},
            waitStatus},
        {{u"R306"_s, u"cancels-itself"_s, Severity::Warning, {}, u"scancel of the own job as the last command"_s,
             u"scancel(1); sbatch(1), --dependency"_s},
            cancelsItself},
        {{u"R268"_s, u"background-lost"_s, Severity::Error, {}, u"a training in the background and no wait"_s, bash},
            backgroundLost},
    };
}

} // namespace rankwright::inline script::lint
