// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/batch/innershell.h"

#include "models/script/bash/launchnames.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

QList<ShellCommand> innerCommands(const ShellWord& text)
{
    QList<ShellCommand> inner = parseShell(text.value).commands;
    const auto isEarly = [&text](const Expansion& expansion) {
        return std::any_of(text.expansions.cbegin(), text.expansions.cend(),
            [&expansion](const Expansion& outside) { return outside.text == expansion.text; });
    };
    const auto place = [&text](ShellWord& word) { // in the script that holds the text
        const bool known
            = text.origins.size() == text.value.size() && word.end > word.begin && word.end <= text.value.size();
        for (int& origin : word.origins)
            origin = known && origin < text.origins.size() ? text.origins.at(origin) : -1;
        word.use = text.use;
        if (known) {
            word.end = text.origins.at(word.end - 1) + 1;
            word.begin = text.origins.at(word.begin);
        } else {
            word.origins.clear();
        }
    };
    for (ShellCommand& command : inner) {
        for (ShellAssignment& assignment : command.assignments)
            place(assignment.value);
        for (ShellWord& word : command.words) {
            place(word);
            word.line += text.line - 1;
            for (Expansion& expansion : word.expansions)
                expansion.early = isEarly(expansion);
        }
    }
    return inner;
}

QList<ShellWord> addedArguments(const ShellCommand& command)
{
    const bool adds = command.name() == u"set" && command.words.size() > 3 && command.words.at(1).value == u"--"
        && isArguments(command.words.at(2));
    return adds ? command.words.mid(3) : QList<ShellWord>();
}

bool runsInContinuations(const QList<ShellCommand>& commands, qsizetype index)
{
    if (index < 1 || commands.at(index).before != ShellSeparator::And)
        return false;
    const QList<ShellWord>& test = commands.at(index - 1).words;
    return std::any_of(test.cbegin(), test.cend(), [](const ShellWord& word) {
        return word.text.contains(u"SLURM_RESTART_COUNT") || word.text.contains(u"SLURM_ARRAY_TASK_ID");
    });
}

QString sideWork(const ShellCommand& command)
{
    static const QSet<QString> harmless{u"set"_s, u"echo"_s, u"printf"_s, u":"_s, u"true"_s, u"export"_s, u"declare"_s,
        u"exec"_s, u"date"_s, u"hostname"_s, u"pwd"_s, u"nvidia-smi"_s, u"rocm-smi"_s};
    if (command.kind != ShellCommand::Kind::Simple || command.words.isEmpty() || harmless.contains(command.name()))
        return {};
    if (isRankStart(command) || readsOutput(command))
        return {};
    QStringList words;
    for (const ShellWord& word : command.words)
        words.append(word.text);
    return words.join(u' ');
}

ShellWord documentWord(const HereDocument& document)
{
    QString body = document.body;
    if (document.quoted)
        body.replace(u"'"_s, u"'\\''"_s).prepend(u'\'').append(u'\'');
    else // to a here-document a double quote is a character like others
        body.replace(u"\""_s, u"\\\""_s).prepend(u'"').append(u'"');
    const QList<ShellCommand> read = parseShell(u"DOCUMENT="_s + body + u'\n').commands;
    ShellWord word;
    if (!read.isEmpty() && !read.first().assignments.isEmpty())
        word = read.first().assignments.first().value;
    word.begin = word.end = 0; // no place of the script's own text
    word.origins.clear();
    if (document.begin && word.value == document.body) {
        for (qsizetype i = 0; i < word.value.size(); ++i)
            word.origins.append(static_cast<int>(*document.begin + i));
    }
    word.line = document.firstLine;
    word.lastLine = document.lastLine;
    return word;
}

} // namespace rankwright::inline script
