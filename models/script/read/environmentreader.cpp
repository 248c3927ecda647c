// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/read/environmentreader.h"

#include "models/script/bash/launchnames.h"
#include "models/script/bash/scriptquoting.h"
#include "models/script/write/environmentplan.h"
#include "models/script/write/evidencelines.h"
#include "models/script/write/jobsampler.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

using Kind = LaunchLayer::Kind;

/// Whole lines that belong together: a command with its continued lines and here-documents, several commands that share
/// a line, or a block (if ... fi, a loop, a function).
struct ShellFunction {
    int first = 1;
    int last = 1;
    QList<int> commands; ///< of the script's own shell, by their places in ShellText::commands
    bool isBlock = false;
};

/// "name()" and "function name" announce a block; its brace opens it.
bool isHeader(const ShellCommand& command)
{
    static const QSet<QString> openers{
        u"if"_s, u"while"_s, u"until"_s, u"for"_s, u"select"_s, u"case"_s, u"{"_s, u"("_s};
    return command.kind == ShellCommand::Kind::BlockStart && !openers.contains(command.name());
}

/// In order; lines without a command belong to none.
QList<ShellFunction> shellFunctions(const BatchText& batch)
{
    QList<ShellFunction> units;
    const QList<ShellCommand>& commands = batch.shell.commands;
    int depth = 0;
    bool open = false; // the last unit is a block that goes on
    for (int i = 0; i < commands.size(); ++i) {
        const ShellCommand& command = commands.at(i);
        if (command.parent)
            continue;
        int last = command.lastLine;
        for (const ShellRedirection& redirection : command.redirections) {
            if (redirection.hereDocument)
                last = qMax(last, batch.shell.hereDocuments.at(*redirection.hereDocument).lastLine + 1);
        }
        last = qMin(last, static_cast<int>(batch.lines.size()));
        const bool shares = !units.isEmpty() && (open || command.line <= units.last().last);
        if (!shares)
            units.append({command.line, last, {}, false});
        ShellFunction& unit = units.last();
        unit.last = qMax(unit.last, last);
        unit.commands.append(i);
        const bool starts = command.kind == ShellCommand::Kind::BlockStart;
        unit.isBlock = unit.isBlock || starts;
        if (starts && !isHeader(command))
            ++depth;
        else if (command.kind == ShellCommand::Kind::BlockEnd)
            depth = qMax(0, depth - 1);
        // a && \n b, a | \n b and a |& \n b go on, too
        open = depth > 0 || isHeader(command) || isPipe(command.separator) || isAndOr(command.separator);
    }
    return units;
}

QStringList unitText(const BatchText& batch, const ShellFunction& unit)
{
    return batch.lines.mid(unit.first - 1, unit.last - unit.first + 1);
}

/// Set by every launcher or by the generated script itself.
bool isRankVariable(const QString& name)
{
    static const QSet<QString> names{u"MASTER_ADDR"_s, u"MASTER_PORT"_s, u"WORLD_SIZE"_s, u"RANK"_s, u"LOCAL_RANK"_s,
        u"LOCAL_WORLD_SIZE"_s, u"NODE_RANK"_s, u"RDZV_HOST"_s, u"RDZV_PORT"_s, u"SRUN_CPUS_PER_TASK"_s};
    return names.contains(name) || name == rankCheckVariable || name == evidenceVariable || name == jobFilesVariable;
}

/// Every name in a text: [A-Za-z_]\w*.
void addNames(const QString& text, QSet<QString>& names)
{
    const auto isLetter = [](QChar c) { return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || c == u'_'; };
    for (qsizetype at = 0; at < text.size(); ++at) {
        if (!isLetter(text.at(at)))
            continue;
        const qsizetype begin = at;
        while (at < text.size() && (isLetter(text.at(at)) || (text.at(at) >= u'0' && text.at(at) <= u'9')))
            ++at;
        names.insert(text.sliced(begin, at - begin));
    }
}

class SurroundingsReader {
public:
    explicit SurroundingsReader(ReadState& state) : m_state(state), m_spec(state.reading.spec) { }

    void run()
    {
        if (m_state.launch != nullptr)
            readTaskVariables();
        readUnits();
        finishModules();
        dropUnnamed();
        assessEvidence();
    }

private:
    bool isSite(const QString& name) const
    {
        const auto& rules = m_state.profile.environment;
        return std::any_of(
            rules.cbegin(), rules.cend(), [&](const EnvironmentRule& rule) { return rule.name == name; });
    }

    bool isSiteValue(const QString& name, const QString& value) const
    {
        const auto& rules = m_state.profile.environment;
        return std::any_of(rules.cbegin(), rules.cend(),
            [&](const EnvironmentRule& rule) { return rule.name == name && !rule.expand && rule.value == value; });
    }

    void setVariable(const QString& name, const QString& value, int line)
    {
        if (!isSiteValue(name, value))
            m_spec.environment.variables.insert(name, value);
        m_state.understand(field::variables, line);
    }

    /// What the tasks set for themselves: the ranks are the launcher's work, fixed texts hold for all tasks.
    void readTaskVariables()
    {
        for (const LaunchLayer& layer : m_state.launch->layers) {
            for (auto it = layer.variables.cbegin(); it != layer.variables.cend(); ++it) {
                if (isRankVariable(it.key()))
                    continue;
                const auto value = staticValue(m_state.batch, *it, it->line + 1);
                if (value && isExportableName(it.key()))
                    setVariable(it.key(), *value, layer.line);
                else if (!isSite(it.key()))
                    m_state.miss(it->line, it.key() + u'=' + it->text,
                        u"Set by each task for itself: there is no field for this."_s);
            }
        }
    }

    void readUnits()
    {
        const QList<ShellFunction> units = shellFunctions(m_state.batch);
        bool behind = false;
        for (const ShellFunction& unit : units) {
            const bool launches = m_state.launch != nullptr && unit.commands.contains(m_state.launch->command);
            if (launches) {
                readLaunchUnit(unit);
                behind = true;
            } else if (behind) {
                if (!isWait(unit) && !isOwnHelp(unit) && !readRequeue(unit))
                    store(unit, m_after);
            } else {
                readUnit(unit);
            }
        }
    }

    bool isWait(const ShellFunction& unit) const
    {
        return m_state.launch->background && unit.commands.size() == 1
            && m_state.batch.shell.commands.at(unit.commands.first()).name() == u"wait";
    }

    /// The block in which a script of ours queues itself again at its time limit: the writer writes it again.
    bool readRequeue(const ShellFunction& unit)
    {
        static const QRegularExpression form(
            u"^if \\(\\( SECONDS > \\d+ && \\$\\{SLURM_RESTART_COUNT:-0\\} < (\\d{1,6}) \\)\\); then\\n"
            "\\s*scontrol requeue \"\\$SLURM_JOB_ID\"\\nfi$"_s);
        const auto match = form.match(unitText(m_state.batch, unit).join(u'\n').trimmed());
        const int times = match.captured(1).toInt();
        if (!match.hasMatch() || times < 1)
            return false;
        m_spec.options.requeueAtLimit = times;
        m_state.understand(field::requeueAtLimit, unit.first);
        return true;
    }

    /// Back to the job's folder: where Slurm put the job, which is not the case of any other folder.
    bool isWayBack(const ShellFunction& unit) const
    {
        const ShellCommand& command = m_state.batch.shell.commands.at(unit.commands.value(0));
        if (unit.commands.size() != 2 || command.name() != u"cd" || command.words.size() != 3
            || command.words.at(1).value != u"--"
            || !unitText(m_state.batch, unit).join(u'\n').trimmed().endsWith(u"|| exit 1"))
            return false;
        const QString submitted = u"${SLURM_SUBMIT_DIR:-.}"_s;
        const QString folder = command.words.at(2).value;
        const BatchOption* chdir = m_state.batch.option(u"chdir"_s);
        return chdir ? folder == chdir->value || folder == submitted + u'/' + chdir->value : folder == submitted;
    }

    /// What the writer adds by itself: around a launch that queues itself again (beside readRequeue's block), the way
    /// back to the job's folder, the file for CSCS's container engine.
    bool isOwnHelp(const ShellFunction& unit)
    {
        static const QRegularExpression form(
            u"^(?:\\{ \\(\\( \\$\\{SLURM_RESTART_COUNT:-0\\} >= (\\d{1,6}) \\)\\) \\|\\| read -rt .* \\|\\| scontrol requeue .*& timer=\\$!; "
            "disown(?: 2> /dev/null \\|\\| :)?|printf '.*rankwright-\\$SLURM_JOB_ID.toml\"|kill \"\\$timer\" 2> /dev/null \\|\\| :)$"_s);
        const QString begin = m_state.batch.lines.value(unit.first - 1).trimmed();
        const bool mayBe = begin.startsWith(u"{ (( ") || begin.startsWith(u"printf '") || begin.startsWith(u"kill ");
        if (!mayBe) // most are not
            return !unit.commands.isEmpty() && isWayBack(unit);
        const auto match = form.match(unitText(m_state.batch, unit).join(u'\n').trimmed());
        if (const int times = match.captured(1).toInt(); match.hasMatch() && times > 0) {
            m_spec.options.requeueAtLimit = times;
            m_state.understand(field::requeueAtLimit, unit.first);
        }
        return match.hasMatch() || (!unit.commands.isEmpty() && isWayBack(unit));
    }

    /// Our own "|| status=$?": what reads it after the launch is written again.
    bool keepsStatusForRequeue() const
    {
        return m_state.batch.lines.value(m_state.launch->lastLine - 1).endsWith(u" || status=$?")
            && (m_state.batch.text.contains(u" & timer=$!; disown")
                || m_state.batch.text.contains(u"\nif (( SECONDS > "));
    }

    void readLaunchUnit(const ShellFunction& unit)
    {
        const ShellCommand& command = m_state.batch.shell.commands.at(m_state.launch->command);
        if (unit.isBlock)
            m_state.miss(unit.first, m_state.batch.lines.value(unit.first - 1),
                u"The launch is part of a loop, a condition or a function."_s);
        else if (unit.commands.size() > 1 && !keepsStatusForRequeue())
            m_state.miss(command.line, unitText(m_state.batch, unit).join(u' ').simplified().right(80),
                u"There is no field for what is beside the launch on its line."_s);
    }

    /// The block that starts the sampler beside the training.
    bool readRecorder(const ShellFunction& unit)
    {
        if (!unit.isBlock)
            return false;
        const auto monitor = readSampler(unitText(m_state.batch, unit));
        if (!monitor)
            return false;
        m_spec.monitor = *monitor;
        m_state.understand(field::sampler, unit.first);
        m_state.understand(field::samplerInterval, unit.first + 1);
        return true;
    }

    /// A line of the paragraph that prepares for the question where the ranks hang.
    bool readHangEvidence(const ShellFunction& unit)
    {
        if (!isEvidence(unitText(m_state.batch, unit)))
            return false;
        if (!m_spec.environment.hangEvidence)
            m_state.understand(field::hangEvidence, unit.first);
        m_spec.environment.hangEvidence = true;
        return true;
    }

    /// A script of ours for several ranks has the paragraph unless its design says no.
    void assessEvidence()
    {
        if (m_state.launch != nullptr && strictLine() > 0 && m_spec.parallel.strategy
            && m_spec.parallel.strategy != Strategy::Single && !m_spec.environment.hangEvidence)
            m_spec.environment.hangEvidence = false;
    }

    void readUnit(const ShellFunction& unit)
    {
        if (readRecorder(unit) || readHangEvidence(unit) || isOwnHelp(unit))
            return;
        if (unit.isBlock || unit.commands.isEmpty())
            return store(unit, m_setup);
        // a line of several commands is taken only as a whole
        bool all = true;
        QStringList lazy;
        for (const int index : unit.commands) {
            const ShellCommand& command = m_state.batch.shell.commands.at(index);
            // software after a line that stays a line may need it: it stays one, too
            const bool ordered = !m_setup.isEmpty() && (preparesSoftware(command) || command.name() == u"cd");
            all = all && unit.commands.size() == 1 && !ordered && readCommand(command, lazy);
        }
        if (all && !lazy.isEmpty())
            m_lazy.append({unit, lazy, false});
        else if (all && !m_exported.isEmpty())
            m_lazy.append({unit, m_exported, true});
        else if (!all)
            store(unit, m_setup);
        m_exported.clear();
    }

    static bool preparesSoftware(const ShellCommand& command)
    {
        static const QSet<QString> names{
            u"source"_s, u"."_s, u"conda"_s, u"mamba"_s, u"micromamba"_s, u"spack"_s, u"module"_s, u"ml"_s};
        const bool hook
            = command.name() == u"eval" && command.words.size() > 1 && command.words.at(1).value.contains(u"hook");
        return names.contains(command.name()) || hook;
    }

    /// True when the command became a field, or is something that the generated script does by itself. `lazy`: names
    /// that it sets for others.
    bool readCommand(const ShellCommand& command, QStringList& lazy)
    {
        const QString name = command.name();
        if (command.words.isEmpty() || name == u"export")
            return readAssignments(command, lazy);
        if (name == u"module" || name == u"ml")
            return readModule(command);
        if (name == u"set")
            return std::all_of(command.words.cbegin() + 1, command.words.cend(), [](const ShellWord& word) {
                static const QRegularExpression strict(u"^-[euE]*o?$|^pipefail$|^errexit$|^nounset$"_s);
                return strict.match(word.value).hasMatch();
            });
        if ((name == u"source" || name == u".") && command.words.size() == 2)
            return readVenv(command);
        if (name == u"conda" || name == u"eval")
            return readConda(command);
        if (name == u"cd" && command.words.size() == 2) {
            const ShellWord& folder = command.words.at(1);
            if (folder.value == u"$SLURM_SUBMIT_DIR" || folder.value == u"${SLURM_SUBMIT_DIR}")
                return true;
            const auto path = staticValue(m_state.batch, folder, command.line + 1);
            if (!path || m_spec.workdir || !path->startsWith(u'/'))
                return false;
            m_spec.workdir = *path;
            m_state.understand(field::workdir, command.line);
            return true;
        }
        return false;
    }

    bool readVenv(const ShellCommand& command)
    {
        const QString file = u"/bin/activate"_s;
        const auto path = staticValue(m_state.batch, command.words.at(1), command.line + 1);
        if (!path || !path->endsWith(file) || m_spec.environment.venv)
            return false;
        m_spec.environment.venv = path->chopped(file.size());
        m_state.understand(field::venv, command.line);
        return true;
    }

    /// "conda activate NAME", and what makes it work in a script.
    bool readConda(const ShellCommand& command)
    {
        if (command.name() == u"eval") {
            static const QRegularExpression activates(u"^conda activate \\S+$"_s, QRegularExpression::MultilineOption);
            return command.words.size() == 2 && command.words.at(1).value == u"$(conda shell.bash hook)"
                && m_state.batch.text.contains(activates);
        }
        if (command.words.size() != 3 || command.words.at(1).value != u"activate" || m_spec.environment.conda
            || !m_state.batch.text.contains(u"$(conda shell.bash hook)"))
            return false;
        const auto name = staticValue(m_state.batch, command.words.at(2), command.line + 1);
        if (!name)
            return false;
        m_spec.environment.conda = *name;
        m_state.understand(field::conda, command.line);
        return true;
    }

    bool readAssignments(const ShellCommand& command, QStringList& lazy)
    {
        const bool exports = command.name() == u"export";
        if (exports && command.words.size() != command.assignments.size() + 1) {
            for (qsizetype i = 1; i < command.words.size(); ++i) // export NAME NAME
                lazy.append(command.words.at(i).value.section(u'=', 0, 0));
            return command.assignments.isEmpty() && readExportedNames(command);
        }
        for (const ShellAssignment& assignment : command.assignments) {
            const BatchVariable* variable = m_state.batch.variable(assignment.name);
            const bool exported = exports || (variable != nullptr && variable->exported);
            const auto value = assignment.isArray || assignment.appends
                ? std::nullopt
                : staticValue(m_state.batch, assignment.value, command.line + 1);
            const bool image = m_state.imageNames.contains(assignment.name)
                || (value && m_spec.environment.container && *value == *m_spec.environment.container);
            if (!exported || isRankVariable(assignment.name) || image) {
                lazy.append(assignment.name);
            } else if (value && isExportableName(assignment.name) && command.isPlain()) {
                setVariable(assignment.name, *value, assignment.line);
                m_exported.append(assignment.name);
            } else {
                return false;
            }
        }
        return true;
    }

    /// export NAME of variables that were set before: those have been read there.
    bool readExportedNames(const ShellCommand& command) const
    {
        return std::all_of(command.words.cbegin() + 1, command.words.cend(),
            [&](const ShellWord& word) { return m_state.batch.variable(word.value, command.line) != nullptr; });
    }

    bool readModule(const ShellCommand& command)
    {
        QStringList words;
        for (const ShellWord& word : command.words) {
            const auto value = staticValue(m_state.batch, word, command.line + 1);
            if (!value)
                return false;
            words.append(*value);
        }
        const bool short_ = words.takeFirst() == u"ml";
        if (words.isEmpty() || words.first() == u"list" || words.first() == u"avail" || words.first() == u"help")
            return true;
        const bool loads = words.first() == u"load" || words.first() == u"add"
            || (short_ && words.first() != u"use" && words.first() != u"purge" && words.first() != u"unload");
        if (words.first() == u"load" || words.first() == u"add")
            words.removeFirst();
        if (loads)
            m_modules += words;
        else
            m_modules.append(words.join(u' '));
        m_state.understand(field::modules, command.line);
        return true;
    }

    /// The site's own recipe is written anyway.
    void finishModules()
    {
        const auto& container = m_spec.environment.container;
        const bool inContainer = container && *container != u"none";
        const QStringList recipe = inContainer ? m_state.profile.container.moduleCommands
                                               : m_state.profile.modulesOf(m_spec.partition.value_or(QString()));
        QStringList own;
        for (const QString& command : recipe) {
            QStringList words = command.simplified().split(u' ');
            if (words.first() == u"module")
                words.removeFirst();
            if (!words.isEmpty() && words.first() == u"load")
                words.removeFirst();
            own.append(words.join(u' '));
        }
        QStringList left = m_modules;
        if (inContainer)
            left.removeIf([&](const QString& module) { return own.contains(module); });
        else if (left == own)
            left.clear();
        m_spec.environment.modules = left;
        if (!inContainer && !m_state.profile.container.image.isEmpty() && left.isEmpty())
            m_spec.environment.container = u"none"_s;
    }

    void store(const ShellFunction& unit, QList<ShellFunction>& where) { where.append(unit); }

    /// The last kept line that runs something which may read exported variables without naming them: source, a program.
    int lastReader() const
    {
        static const QSet<QString> deaf{u"echo"_s, u"printf"_s, u"mkdir"_s, u"cd"_s, u"date"_s, u"export"_s, u"set"_s,
            u"ulimit"_s, u"pwd"_s, u"rm"_s, u"cp"_s, u"ln"_s, u"unset"_s, u"shopt"_s, u"test"_s, u"["_s, u"declare"_s,
            u"local"_s, u"typeset"_s, u"readonly"_s, u"read"_s, u"hostname"_s, u"true"_s, u":"_s, u"scontrol"_s};
        int line = 0;
        for (const ShellFunction& unit : m_setup) {
            for (const int index : unit.commands) {
                const ShellCommand& command = m_state.batch.shell.commands.at(index);
                if (command.kind == ShellCommand::Kind::Simple && !command.words.isEmpty()
                    && !deaf.contains(command.name()))
                    line = unit.first;
            }
        }
        return line;
    }

    /// Helper variables stay when a line that is kept names them, exported ones, too: it runs before the design's are
    /// set.
    void dropUnnamed()
    {
        QString kept = m_state.reading.program + u'\n' + m_state.reading.srunOptions.join(u'\n');
        for (const QList<ShellFunction>* part : {&m_setup, &m_after}) {
            for (const ShellFunction& unit : *part)
                kept += u'\n' + unitText(m_state.batch, unit).join(u'\n');
        }
        QSet<QString> named;
        const auto note = [&](const QString& text) { addNames(text, named); };
        note(kept);
        const auto isNamed = [&](const QString& n) { return named.contains(n); };
        const bool own = strictLine() > 0;
        const int reader = lastReader();
        for (auto lazy = m_lazy.crbegin(); lazy != m_lazy.crend(); ++lazy) {
            if (lazy->isField && own)
                continue;
            const bool isRead = lazy->isField && lazy->unit.first < reader;
            if (!isRead && !std::any_of(lazy->names.cbegin(), lazy->names.cend(), isNamed))
                continue;
            if (lazy->isField) {
                for (const QString& exported : lazy->names)
                    m_spec.environment.variables.remove(exported);
            }
            note(unitText(m_state.batch, lazy->unit).join(u'\n'));
            m_setup.append(lazy->unit);
        }
        std::sort(m_setup.begin(), m_setup.end(),
            [](const ShellFunction& a, const ShellFunction& b) { return a.first < b.first; });
        writeSetup();
        for (const ShellFunction& unit : std::as_const(m_after)) {
            const QStringList lines = unitText(m_state.batch, unit);
            m_state.reading.after += lines;
            m_state.miss(unit.first, lines.value(0), u"There is no field for this: kept as it is written."_s);
        }
    }

    /// Where a script of ours becomes strict: the design's set-up lines end there, what follows are our guards; else 0.
    int strictLine() const
    {
        const QString second = m_state.batch.lines.value(1);
        const bool own = second.startsWith(u"# ") && second.endsWith(u" Written by Rankwright.");
        return own ? static_cast<int>(m_state.batch.lines.indexOf(u"set -euo pipefail"_s)) + 1 : 0;
    }

    void writeSetup()
    {
        const int end = strictLine();
        for (const ShellFunction& unit : std::as_const(m_setup)) {
            const QStringList lines = unitText(m_state.batch, unit);
            if (end > 0 && unit.first > end) {
                m_state.miss(unit.first, lines.value(0), u"There is no field for this: kept as it is written."_s);
                continue;
            }
            m_spec.environment.setup += lines;
            m_state.understand(field::setup, unit.first);
        }
    }

    struct Lazy {
        ShellFunction unit;
        QStringList names;
        bool isField = false; ///< exported by the design, unless a kept line names it
    };
    ReadState& m_state;
    JobSpec& m_spec;
    QStringList m_modules;
    QStringList m_exported; ///< by the unit that is read
    QList<ShellFunction> m_setup;
    QList<ShellFunction> m_after;
    QList<Lazy> m_lazy;
};

} // namespace

void readSurroundings(ReadState& state) { SurroundingsReader(state).run(); }

} // namespace rankwright::inline script
