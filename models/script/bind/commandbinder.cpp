// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/commandbinder.h"

#include "models/core/shellquote.h"
#include "models/script/bash/launchnames.h"
#include "models/script/batch/launchreader.h"

#include <QRegularExpression>

#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

class CommandBinder : public FieldBinder {
public:
    using FieldBinder::FieldBinder;

    void run()
    {
        bindRendezvous();
        bindCommand();
    }

private:
    void bindRendezvous()
    {
        const LaunchLayer* agent = m_launch != nullptr ? m_launch->layer(Kind::Agent) : nullptr;
        if (agent == nullptr)
            return;
        const auto bindFirst = [&](const QString& path, const QStringList& names) {
            for (const QString& name : names) {
                const BatchOption* option = agent->option(name);
                if (option != nullptr && option->word) {
                    bindText(path, *option->word, m_launch->command);
                    return;
                }
            }
        };
        bindFirst(u"launcher.rendezvous"_s, {u"rdzv-endpoint"_s, u"master-addr"_s, u"main-process-ip"_s});
        bindFirst(u"launcher.port"_s, {u"master-port"_s, u"main-process-port"_s});
    }

    /// The words of a program from its name on: "-m" stands before a module's.
    static qsizetype nameAt(const QList<ShellWord>& words)
    {
        return words.first().value == u"-m" && words.size() > 1 ? 1 : 0;
    }

    /// mpirun $OPTIONS ./program: the first word need not be the program.
    bool mayStandBehindOptions(const QList<ShellWord>& words, qsizetype first, int use) const
    {
        return first + 1 < words.size() && mayBringOptions(words.at(first))
            && !words.at(first + 1).value.startsWith(u'-') && !m_tracer->trace(words.at(first), use).isCertain();
    }

    /// Commands of one function that start what it is given, the same words: its call is edited.
    bool startTheSameGiven() const
    {
        const Launch& last = m_choice.launches.last();
        const QString function = batch().shell.commands.at(last.command).function;
        const LaunchLayer* given = last.layer(Kind::Program);
        if (function.isEmpty() || given == nullptr || given->words.isEmpty()
            || !isArguments(given->words.at(nameAt(given->words))))
            return false;
        return std::all_of(m_choice.launches.cbegin(), m_choice.launches.cend(), [&](const Launch& launch) {
            const LaunchLayer* program = launch.layer(Kind::Program);
            return program != nullptr && batch().shell.commands.at(launch.command).function == function
                && std::equal(program->words.cbegin(), program->words.cend(), given->words.cbegin(),
                    given->words.cend(),
                    [](const ShellWord& one, const ShellWord& other) { return one.value == other.value; });
        });
    }

    /// Several commands that start the same program are edited together.
    void bindSameCommands()
    {
        if (startTheSameGiven()) {
            m_launch = &m_choice.launches.last();
            return;
        }
        static const QRegularExpression verb(u"^[a-z][a-z-]*$"_s); // axolotl preprocess, axolotl train
        QString name;
        std::optional<QString> verbs;
        for (const Launch& launch : std::as_const(m_choice.launches)) {
            const LaunchLayer* program = launch.layer(Kind::Program);
            if (program == nullptr || program->words.isEmpty())
                return;
            const ShellWord& word = program->words.at(nameAt(program->words));
            const TracedValue traced = m_tracer->trace(word, launch.command);
            const QString value = traced.text;
            if (!traced.isCertain() && mayBringOptions(word))
                return; // mpirun $OPTIONS ./program: which one is not known
            const QString next = program->words.value(nameAt(program->words) + 1).value;
            const QString itsVerb = verb.match(next).hasMatch() ? next : QString();
            if ((!name.isEmpty() && value != name) || isArguments(word) || verbs.value_or(itsVerb) != itsVerb)
                return;
            name = value;
            verbs = itsVerb;
        }
        m_launch = &m_choice.launches.last();
        for (qsizetype i = 0; i + 1 < m_choice.launches.size(); ++i) {
            const Launch& launch = m_choice.launches.at(i);
            m_out.sameCommands.append(listWords(launch.layer(Kind::Program)->words, launch.command));
        }
    }

    /// A function that starts what it is given: the words are those of the only command that calls it. False: there is
    /// none, or more.
    bool enterCall(QList<ShellWord>& words, int& use)
    {
        const QList<ShellCommand>& commands = batch().shell.commands;
        const QString function = use >= 0 ? commands.at(use).function : QString();
        if (function.isEmpty() || !isArguments(words.at(nameAt(words))))
            return true;
        QList<int> calls;
        for (int i = 0; i < commands.size(); ++i) {
            if (commands.at(i).name() == function && commands.at(i).kind == ShellCommand::Kind::Simple)
                calls.append(i);
        }
        if (calls.size() != 1 || commands.at(calls.first()).words.size() < 2) {
            const QString why
                = u"The function %1 starts what it is given, and %2 commands call it: change the one that is meant in the text."_s
                      .arg(function)
                      .arg(calls.size());
            undecided(u"command"_s, why);
            undecided(u"program"_s, why);
            return false;
        }
        use = calls.first();
        words = words.mid(0, nameAt(words)) + commands.at(use).words.mid(1) + words.mid(nameAt(words) + 1);
        return true;
    }

    QString nothingStarted() const
    {
        for (const ShellCommand& command : batch().shell.commands) {
            if (baseName(command.name()) == u"sbatch")
                return u"No command of this script starts a program, and line %1 submits another job: change it where that job is written."_s
                    .arg(command.line);
        }
        return u"No command that starts a program was found in this script."_s;
    }

    void bindCommand()
    {
        if (m_launch == nullptr && m_choice.launches.size() > 1)
            bindSameCommands();
        if (m_launch == nullptr) {
            const QString why = !m_choice.doubt.isEmpty() ? m_choice.doubt : nothingStarted();
            undecided(u"command"_s, why);
            undecided(u"program"_s, why);
            return;
        }
        const LaunchLayer* program = m_launch->layer(Kind::Program);
        if (program == nullptr || program->words.isEmpty()) {
            const QString why = m_launch->unresolved.isEmpty() && m_launch->layer(Kind::Container) != nullptr
                ? u"Line %1 starts the program that its image names; none is in the script."_s.arg(m_launch->line)
                : m_launch->unresolved.isEmpty()
                ? u"Line %1 starts tasks, but no program of the job is there."_s.arg(m_launch->line)
                : u"Decided while the job runs: $%1 in line %2 holds the command."_s.arg(m_launch->unresolved.first())
                      .arg(m_launch->line);
            undecided(u"command"_s, why);
            undecided(u"program"_s, why);
            return;
        }
        for (const Launch& launch : std::as_const(m_choice.launches)) {
            const QString doubt = doubtOfProgram(batch(), launch.command);
            if (doubt.isEmpty())
                continue;
            undecided(u"command"_s, doubt);
            undecided(u"program"_s, doubt);
            m_out.sameCommands.clear();
            return;
        }
        QList<ShellWord> given = program->words;
        int use = m_launch->command;
        if (!enterCall(given, use))
            return;
        m_out.command = listWords(given, use);
        if (isEvaluated(use)) {
            for (ListWord& word : m_out.command)
                ++word.unknown;
        }
        const qsizetype first = nameAt(given);
        m_out.firstArgument = first + 1;
        bindComputedProgram(given.at(first), use);
        QStringList words;
        QList<TextRange> ranges;
        for (const ListWord& word : std::as_const(m_out.command)) {
            words.append(quotedForReading(word.value));
            if (word.range)
                ranges.append(*word.range);
        }
        for (const QList<ListWord>& same : std::as_const(m_out.sameCommands)) {
            for (const ListWord& word : same) {
                if (word.range)
                    ranges.append(*word.range);
            }
        }
        bound(u"command"_s, words.join(u' '), ranges);
        for (const ListWord& word : std::as_const(m_out.command))
            m_out.madeOf[u"command"_s] += word.madeOf;
        if (ranges.isEmpty())
            field(u"command"_s).why = u"Its words are not written in this script; arguments can be added after them."_s;
        if (!m_out.sameCommands.isEmpty())
            field(u"command"_s).notes = {u"Several commands start this program: all of them are changed."_s};
        if (!m_choice.note.isEmpty())
            field(u"command"_s).notes.append(m_choice.note);
        if (mayStandBehindOptions(given, first, use))
            undecided(u"program"_s,
                u"What %1 in line %2 brings is decided while the job runs, and may be options of what stands before it: change the program in the text."_s
                    .arg(given.at(first).text)
                    .arg(given.at(first).line));
        else if (const std::optional<TextRange> range = m_out.command.at(first).range)
            bound(u"program"_s, m_out.command.at(first).value, {*range});
        else
            undecided(u"program"_s, m_out.command.at(first).why, m_out.command.at(first).value);
        bindArguments(given, use);
    }

    /// eval python t.py --lr 'a b': the shell reads the words once more.
    bool isEvaluated(int use) const
    {
        const QList<ShellWord>& words = batch().shell.commands.at(use).words;
        const qsizetype at = workAt(words);
        return at < words.size() && words.at(at).value == u"eval" && !(words.size() == at + 2 && words.last().quoted);
    }

    /// `CMD=$(cat run.txt); srun $CMD`: the program, and with it the words after, are what a command writes.
    void bindComputedProgram(const ShellWord& word, int use)
    {
        static const QRegularExpression substitution(
            u"^(?:\\$\\((?!\\().*\\)|`[^`]*`)$"_s, QRegularExpression::DotMatchesEverythingOption);
        const TracedValue traced = m_tracer->trace(word, use);
        ListWord& program = m_out.command[m_out.firstArgument - 1];
        if (traced.isCertain() || !substitution.match(traced.text).hasMatch())
            return;
        program.range.reset();
        program.whole.reset();
        program.why = traced.why;
    }

    static QString quotedForReading(const QString& word) { return word.contains(u' ') ? shellQuote(word) : word; }

    void bindArguments(const QList<ShellWord>& words, int use)
    {
        static const QRegularExpression option(u"^(--?[A-Za-z][\\w.-]*|\\+{0,2}[A-Za-z_][\\w./@-]*)(=)?"_s);
        static const QRegularExpression negative(u"^-[0-9.]"_s);
        for (qsizetype i = m_out.firstArgument; i < words.size(); ++i) {
            const TracedValue traced = m_tracer->trace(words.at(i), use);
            const auto match = option.match(traced.text);
            const bool assigns = match.hasMatch() && match.capturedLength(2) > 0;
            if (!match.hasMatch() || (!assigns && !traced.text.startsWith(u'-')))
                continue;
            const QString path = u"arguments."_s + match.captured(1);
            if (assigns) {
                bindAssigned(path, words.at(i), match.capturedEnd(2), use);
                continue;
            }
            if (match.capturedEnd(1) != traced.text.size())
                continue;
            const bool hasValue = i + 1 < words.size() && !isArguments(words.at(i + 1))
                && (!m_out.command.at(i + 1).value.startsWith(u'-')
                    || negative.match(m_out.command.at(i + 1).value).hasMatch());
            if (!hasValue) {
                ScriptField& flag = field(path);
                flag.state = State::Bound;
                flag.value = u"true"_s;
                flag.places.clear();
                if (const std::optional<TextRange> range = m_out.command.at(i).range)
                    flag.places = {placeOf(*range)};
                flag.notes = {u"A switch without a value."_s};
                flag.isSwitch = true;
                continue;
            }
            const ListWord& value = m_out.command.at(i + 1);
            m_out.madeOf.insert(path, value.madeOf);
            m_out.unknown.insert(path, value.unknown);
            if (value.range)
                bound(path, value.value, {*value.range});
            else
                undecided(path, value.why, value.value);
            ++i;
        }
    }

    /// --name=value, name=value of one word.
    void bindAssigned(const QString& path, const ShellWord& word, qsizetype behind, int use)
    {
        if (behind <= word.value.size() && behind == word.value.indexOf(u'=') + 1 && behind < word.value.size()) {
            ShellWord rest = word;
            rest.value = word.value.mid(behind);
            rest.origins = word.origins.mid(behind);
            rest.expansions.clear();
            for (Expansion expansion : word.expansions) {
                expansion.at -= behind;
                if (expansion.at >= 0)
                    rest.expansions.append(expansion);
            }
            bindText(path, rest, use);
            return;
        }
        const TracedValue traced = m_tracer->trace(word, use);
        undecided(path, u"The word is put together from several pieces of the script."_s, traced.text.mid(behind));
    }
};

} // namespace

void bindCommandFields(BindState& state) { CommandBinder(state).run(); }

} // namespace rankwright::inline script
