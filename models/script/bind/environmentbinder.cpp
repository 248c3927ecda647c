// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/environmentbinder.h"

#include "models/script/bash/launchnames.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

class EnvironmentBinder : public FieldBinder {
public:
    using FieldBinder::FieldBinder;

    void run()
    {
        bindModules();
        bindSetup();
        bindVariables();
        bindFolder();
    }

private:
    /// Where the modules begin among the words of a command that loads some; 0: it loads none.
    static qsizetype firstModule(const ShellCommand& command)
    {
        static const QSet<QString> verbs{u"load"_s, u"add"_s};
        static const QSet<QString> others{u"purge"_s, u"use"_s, u"list"_s, u"unload"_s, u"swap"_s, u"reset"_s,
            u"show"_s, u"avail"_s, u"spider"_s, u"restore"_s};
        const bool isShort = command.name() == u"ml";
        if (command.words.size() < 2 || (!isShort && command.name() != u"module"))
            return 0;
        const QString& verb = command.words.at(1).value;
        if (verbs.contains(verb))
            return 2;
        return isShort && !verb.startsWith(u'-') && !others.contains(verb) ? 1 : 0;
    }

    void bindModules()
    {
        const QString path = u"environment.modules"_s;
        QList<TextRange> ranges;
        QStringList names, elsewhere;
        for (int i = 0; i < batch().shell.commands.size(); ++i) {
            const ShellCommand& command = batch().shell.commands.at(i);
            const qsizetype from = firstModule(command);
            if (from == 0)
                continue;
            if (!command.isPlain()) {
                elsewhere.append(
                    u"Line %1 loads modules %2: change them there."_s.arg(command.line).arg(whereItRuns(command)));
                continue;
            }
            for (const ListWord& word : listWords(command.words.mid(from), i)) {
                m_out.modules.append(word);
                names.append(word.value);
                if (word.range)
                    ranges.append(*word.range);
            }
        }
        if (!names.isEmpty()) {
            bound(path, names.join(u' '), ranges);
            field(path).notes = elsewhere;
        } else if (!elsewhere.isEmpty()) {
            undecided(path, elsewhere.first());
        }
    }

    /// A line that makes an environment the one of the commands after it.
    static bool setsUp(const ShellCommand& command)
    {
        static const QSet<QString> names{u"source"_s, u"."_s, u"conda"_s, u"mamba"_s, u"micromamba"_s, u"uenv"_s};
        if (!names.contains(command.name()) || command.words.size() < 2)
            return false;
        const QString& verb = command.words.at(1).value;
        return command.name() == u"uenv"    ? verb != u"run"
            : command.name().endsWith(u"a") ? verb == u"activate" // conda and its kin
                                            : true;
    }

    void bindSetup()
    {
        const QString path = u"environment.setup"_s;
        QList<TextRange> ranges;
        QStringList lines, elsewhere;
        for (const ShellCommand& command : batch().shell.commands) {
            if (!setsUp(command))
                continue;
            if (!command.isPlain()) {
                elsewhere.append(u"Line %1 sets the environment up %2: change it there."_s.arg(command.line)
                                     .arg(whereItRuns(command)));
                continue;
            }
            if (!command.redirections.isEmpty()) {
                elsewhere.append(
                    u"Line %1 sets the environment up and redirects its output: change it there."_s.arg(command.line));
                continue;
            }
            const TextRange range = inText(command.words.first().begin, command.words.last().end);
            ranges.append(range);
            lines.append(batch().text.mid(range.begin, range.end - range.begin));
        }
        if (!lines.isEmpty()) {
            bound(path, lines.join(u'\n'), ranges);
            field(path).notes = elsewhere;
        } else if (!elsewhere.isEmpty()) {
            undecided(path, elsewhere.first());
        }
    }

    void bindVariables()
    {
        const int use = m_choice.launches.isEmpty() ? static_cast<int>(batch().shell.commands.size())
                                                    : m_choice.launches.last().command;
        const int firstLaunch = m_choice.launches.isEmpty() ? static_cast<int>(batch().shell.commands.size())
                                                            : m_choice.launches.first().command;
        qsizetype behind = -1;
        for (const BatchVariable& variable : batch().variables) {
            if (!variable.exported || variable.isArray)
                continue;
            const QString path = u"environment.variables."_s + variable.name;
            const QString doubt = m_tracer->doubt(variable, use);
            if (!doubt.isEmpty()) {
                if (!m_out.ranges.contains(path))
                    undecided(path, doubt);
                continue;
            }
            const ShellCommand& command = batch().shell.commands.at(variable.command);
            if (variable.command < firstLaunch && command.isPlain() && command.separator == ShellSeparator::NewLine
                && command.name() == u"export")
                behind = variable.command;
            const TracedValue traced = m_tracer->trace(variable.value, variable.command);
            TracedValue typed;
            typed.text = variable.value.value;
            typed.origins = variable.value.origins;
            bound(path, traced.text,
                {typed.isOnePlace() ? inText(typed.origins.first(), typed.origins.last() + 1)
                                    : inText(variable.value.begin, variable.value.end)});
            m_out.madeOf.insert(path, piecesOf(traced));
        }
        if (behind >= 0)
            m_out.variableAt = lineEndBehind(batch().shell.commands.at(behind).end + m_base);
        else if (!m_choice.launches.isEmpty()) {
            const ShellCommand& command = batch().shell.commands.at(m_choice.launches.first().command);
            const qsizetype begin = m_lineStarts.at(command.line - 1);
            if (command.isPlain() && !command.isJoined()
                && batch().text.mid(begin, command.begin + m_base - begin).trimmed().isEmpty())
                m_out.variableAt = begin;
        }
    }

    qsizetype lineEndBehind(qsizetype at) const
    {
        const qsizetype newline = batch().text.indexOf(u'\n', at);
        return newline < 0 ? -1 : newline + 1;
    }

    void bindFolder()
    {
        const QString path = u"workdir"_s;
        if (batch().option(u"chdir"_s) != nullptr) {
            bindDirective(path, u"chdir"_s);
            return;
        }
        const int launch = m_choice.launches.isEmpty() ? static_cast<int>(batch().shell.commands.size())
                                                       : m_choice.launches.first().command;
        QList<int> found;
        for (int i = 0; i < launch && i < batch().shell.commands.size(); ++i) {
            const ShellCommand& command = batch().shell.commands.at(i);
            if (command.name() == u"cd" && !command.parent && command.subshellDepth == 0)
                found.append(i);
        }
        if (found.isEmpty()) {
            m_out.options.insert(path, u"chdir"_s);
            absent(path, u"The job starts in the folder in which it is submitted."_s);
            return;
        }
        const ShellCommand& command = batch().shell.commands.at(found.last());
        if (found.size() > 1)
            return undecided(path,
                u"Several commands change the folder (the last one in line %1): change the one that is meant in the text."_s
                    .arg(command.line));
        if (!command.isPlain())
            return undecided(
                path, u"Line %1 changes the folder %2: change it there."_s.arg(command.line).arg(whereItRuns(command)));
        if (command.words.size() != 2)
            return undecided(
                path, u"Line %1 changes the folder without naming one: write it there."_s.arg(command.line));
        bindText(path, command.words.at(1), found.last());
    }
};

} // namespace

void bindEnvironment(BindState& state) { EnvironmentBinder(state).run(); }

} // namespace rankwright::inline script
