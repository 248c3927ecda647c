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
    std::vector<bool> early(static_cast<std::size_t>(text.value.size()), false);
    for (const Expansion& outside : text.expansions) {
        for (qsizetype i = outside.at; i < qMin(outside.at + outside.text.size(), text.value.size()); ++i)
            early.at(static_cast<std::size_t>(i)) = true;
    }
    QList<ShellCommand> inner = parseShell(text.value, early).commands;
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

namespace {

/// One past a "$(...)", "${...}" or "`...`" that begins at `at`; -1: none does.
qsizetype expansionEnd(const QString& text, qsizetype at)
{
    if (text.at(at) == u'`') {
        for (qsizetype i = at + 1; i < text.size(); ++i) {
            if (text.at(i) == u'`')
                return i + 1;
            if (text.at(i) == u'\\')
                ++i;
        }
        return -1;
    }
    const QChar open = text.at(at) == u'$' && at + 1 < text.size() ? text.at(at + 1) : QChar();
    if (open != u'(' && open != u'{')
        return -1;
    const QChar close = open == u'(' ? u')' : u'}';
    int depth = 0;
    QChar quote;
    for (qsizetype i = at + 1; i < text.size(); ++i) {
        const QChar c = text.at(i);
        if (c == u'\\' && quote != u'\'')
            ++i;
        else if (!quote.isNull())
            quote = c == quote ? QChar() : quote;
        else if (c == u'"' || (c == u'\'' && open == u'('))
            quote = c;
        else if (c == open)
            ++depth;
        else if (c == close && --depth == 0)
            return i + 1;
    }
    return -1;
}

/// The body of a here-document as the inside of double quotes, and where each character of it is in the body: to a
/// here-document a double quote is a character like others.
QString asQuotedText(const QString& body, QList<int>& places)
{
    QString text;
    const auto add = [&](QStringView piece, qsizetype place) {
        for (const QChar c : piece) {
            text += c;
            places.append(static_cast<int>(place));
        }
    };
    bool isClosed = true; // no expansion so far lacks its end: each is looked for once
    for (qsizetype at = 0; at < body.size(); ++at) {
        const QChar c = body.at(at), next = at + 1 < body.size() ? body.at(at + 1) : QChar();
        const qsizetype end = (c == u'$' || c == u'`') && isClosed ? expansionEnd(body, at) : -1;
        if (end > at) {
            for (; at < end; ++at)
                add(QStringView(body).mid(at, 1), at);
            --at;
        } else if (c == u'"') {
            add(u"\\\"", at);
        } else if (c == u'\\' && next == u'"') {
            add(u"\\\\", at);
        } else if (c == u'\\' && !next.isNull()) {
            add(QStringView(body).mid(at, 1), at);
            add(QStringView(body).mid(at + 1, 1), at + 1);
            ++at;
        } else {
            isClosed = isClosed && c != u'`' && !(c == u'$' && (next == u'(' || next == u'{'));
            add(QStringView(body).mid(at, 1), at);
        }
    }
    return text;
}

} // namespace

ShellWord documentWord(const HereDocument& document)
{
    ShellWord word;
    QList<int> places; // in the body, of each character that is read
    if (document.quoted) {
        word.value = document.body;
        word.quoted = true;
        for (qsizetype i = 0; i < word.value.size(); ++i)
            word.origins.append(static_cast<int>(i));
    } else {
        const QString head = u"DOCUMENT=\""_s;
        const QString text = asQuotedText(document.body, places);
        const QList<ShellCommand> read = parseShell(head + text + u"\"\n"_s).commands;
        if (!read.isEmpty() && !read.first().assignments.isEmpty())
            word = read.first().assignments.first().value;
        for (int& origin : word.origins)
            origin = places.value(origin - head.size(), -1);
    }
    word.text = document.body;
    word.begin = word.end = 0; // no place of the script's own text
    const bool placed = document.begin && word.origins.size() == word.value.size() && !word.origins.contains(-1);
    if (!placed)
        word.origins.clear();
    for (int& origin : word.origins)
        origin += static_cast<int>(*document.begin);
    word.line = document.firstLine;
    word.lastLine = document.lastLine;
    return word;
}

ShellWord without(const ShellWord& word, const QSet<qsizetype>& characters)
{
    ShellWord out = word;
    out.value.clear();
    out.origins.clear();
    out.expansions.clear();
    const bool placed = word.origins.size() == word.value.size();
    auto expansion = word.expansions.cbegin();
    for (qsizetype at = 0; at < word.value.size(); ++at) {
        if (expansion != word.expansions.cend() && expansion->at == at) {
            out.expansions.append(*expansion++);
            out.expansions.last().at = out.value.size();
        }
        if (characters.contains(at))
            continue;
        out.value += word.value.at(at);
        if (placed)
            out.origins.append(word.origins.at(at));
    }
    return out;
}

} // namespace rankwright::inline script
