// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/batch/wordexpander.h"

#include "models/script/bash/launchnames.h"
#include "models/script/batch/innershell.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

constexpr int deepest = 8; // variables made of variables; a ring of them ends here

bool isBlank(QChar c) { return c == u' ' || c == u'\t' || c == u'\n'; }

/// A piece of a variable's value as a word of its own, with the expansions that lie in it.
ShellWord piece(const ShellWord& value, qsizetype begin, qsizetype end)
{
    ShellWord word;
    word.value = value.value.mid(begin, end - begin);
    word.text = word.value;
    word.begin = value.begin;
    word.end = value.end;
    word.column = value.column;
    if (value.origins.size() == value.value.size() && end > begin) {
        word.origins = value.origins.mid(begin, end - begin);
        word.begin = word.origins.first();
        word.end = word.origins.last() + 1;
    }
    // the value may go over several lines, joined by backslashes: look the piece up as it was typed
    const qsizetype typed = value.text.indexOf(word.value);
    word.line = value.line + (typed > 0 ? static_cast<int>(value.text.left(typed).count(u'\n')) : 0);
    word.lastLine = word.line;
    for (Expansion expansion : value.expansions) {
        if (expansion.at < begin || expansion.at >= end)
            continue;
        expansion.at -= begin;
        expansion.inQuotes = false; // quotes of an assignment end there: what is split here is split again
        expansion.early = true; // the assignment has replaced it already
        word.expansions.append(expansion);
    }
    return word;
}

/// Two values, one after the other, as NAME+=VALUE joins them.
ShellWord joined(const ShellWord& first, const ShellWord& second)
{
    ShellWord out = first;
    const bool placed = first.origins.size() == first.value.size() && second.origins.size() == second.value.size();
    out.origins = placed ? first.origins + second.origins : QList<int>();
    for (Expansion expansion : second.expansions) {
        expansion.at += first.value.size();
        out.expansions.append(expansion);
    }
    out.value += second.value;
    out.text += second.text;
    return out;
}

/// One past a pair of quotes that begins here; -1: none does, or it is not closed.
qsizetype quotedEnd(const QString& text, qsizetype at)
{
    const QChar quote = text.at(at);
    if (quote != u'"' && quote != u'\'')
        return -1;
    for (qsizetype i = at + 1; i < text.size(); ++i) {
        if (text.at(i) == quote)
            return i + 1;
        if (text.at(i) == u'\\' && quote == u'"')
            ++i;
    }
    return -1;
}

/// One past a $( ) or ` ` that begins here, typed with a backslash for a shell that comes later; -1: none does.
qsizetype substitutionEnd(const QString& text, qsizetype at)
{
    if (text.at(at) == u'`') {
        const qsizetype end = text.indexOf(u'`', at + 1);
        return end < 0 ? -1 : end + 1;
    }
    if (text.at(at) != u'$' || at + 1 >= text.size() || text.at(at + 1) != u'(')
        return -1;
    int open = 0;
    for (qsizetype i = at + 1; i < text.size();) {
        if (const qsizetype behind = quotedEnd(text, i); behind > i) {
            i = behind;
            continue;
        }
        open += text.at(i) == u'(' ? 1 : text.at(i) == u')' ? -1 : 0;
        ++i;
        if (open == 0)
            return i;
    }
    return -1;
}

/// The word without its quotes, whose places are `quotes` in the value that it is a piece of, from `begin` on: each
/// that opens, and that closes it.
ShellWord withoutQuotes(const ShellWord& word, qsizetype begin, const QList<qsizetype>& quotes)
{
    if (quotes.isEmpty())
        return word;
    ShellWord out = word;
    out.quoted = true;
    out.value.clear();
    out.origins.clear();
    const bool placed = word.origins.size() == word.value.size();
    qsizetype next = 0;
    auto expansion = out.expansions.begin();
    for (qsizetype at = 0; at < word.value.size(); ++at) {
        if (next < quotes.size() && quotes.at(next) - begin == at) {
            ++next;
            continue;
        }
        if (expansion != out.expansions.end() && expansion->at == at) {
            expansion->at = out.value.size();
            expansion->inQuotes = next % 2 == 1;
            ++expansion;
        }
        out.value += word.value.at(at);
        if (placed)
            out.origins.append(word.origins.at(at));
    }
    return out;
}

/// A word in which quotes, backslashes or dollars stand, as the shell takes it that reads the text again; nothing: it
/// is not a word of its own to that shell, or has none of these.
std::optional<ShellWord> wordReadAgain(const ShellWord& piece)
{
    static const QRegularExpression special(u"[\"'\\\\$`]"_s);
    if (!piece.value.contains(special))
        return {};
    ShellWord text = piece;
    const bool placed = text.origins.size() == text.value.size();
    text.value.prepend(u"_ "_s); // behind a command, so that NAME=value is not an assignment
    if (placed && !text.origins.isEmpty())
        text.origins = QList<int>(2, text.origins.first()) + text.origins;
    for (Expansion& expansion : text.expansions)
        expansion.at += 2;
    QList<ShellCommand> read = innerCommands(text);
    read.removeIf([](const ShellCommand& command) { return command.parent.has_value(); });
    if (read.size() != 1 || read.first().words.size() != 2 || !read.first().redirections.isEmpty()
        || !read.first().assignments.isEmpty())
        return {};
    ShellWord word = read.first().words.last();
    word.column = piece.column;
    word.line = piece.line;
    word.lastLine = piece.lastLine;
    return word;
}

} // namespace

QList<ShellWord> WordExpander::expand(const QList<ShellWord>& words, int line, int earlyLine)
{
    QList<ShellWord> out;
    for (const ShellWord& word : words) {
        const qsizetype first = out.size();
        m_isReadAgain = word.expansions.size() == 1 && word.expansions.first().early;
        expandWord(word, m_isReadAgain ? earlyLine : line, 0, out);
        for (qsizetype i = first; i < out.size(); ++i) {
            if (!out.at(i).use)
                out[i].use = word.use.value_or(ShellUse{word.begin, word.end});
        }
    }
    return out;
}

/// The assignment that most probably holds at a line: the last unconditional one, else the last at all.
const BatchVariable* WordExpander::usual(const QString& name, int line) const
{
    const QList<int> places = m_batch.variablesByName.value(name);
    const BatchVariable* last = nullptr;
    int looked = 0;
    for (auto place = places.crbegin(); place != places.crend() && looked < 50; ++place) {
        const BatchVariable& variable = m_batch.variables.at(*place);
        if (variable.line >= line)
            continue;
        ++looked;
        if (last == nullptr)
            last = &variable;
        if (variable.certain || m_batch.shell.commands.at(variable.command).isPlain())
            return &variable;
    }
    return last;
}

void WordExpander::expandWord(const ShellWord& word, int line, int depth, QList<ShellWord>& out)
{
    if (--m_budget < 0)
        return;
    const bool pure = word.expansions.size() == 1 && word.expansions.first().at == 0
        && word.expansions.first().text.size() == word.value.size();
    if (!pure && depth <= deepest && expandHead(word, line, depth, out))
        return;
    if (!pure || depth > deepest || word.expansions.first().name == rankCheckVariable) {
        out.append(word);
        return;
    }
    const Expansion& expansion = word.expansions.first();
    static const QRegularExpression which(u"^(?:\\$\\(|`)\\s*(?:which|command -v|type -p)\\s+([\\w.-]+)\\s*[)`]$"_s);
    const auto match = which.match(expansion.text);
    if (match.hasMatch()) {
        ShellWord found = word;
        found.value = match.captured(1);
        found.expansions.clear();
        out.append(found);
        return;
    }
    const bool own = expansion.kind != Expansion::Kind::Variable || expansion.name == u"@" || expansion.name == u"*"
        || expansion.name.startsWith(u"SLURM");
    if (own || expandArray(expansion, line, depth, out)) {
        if (own)
            out.append(word);
        return;
    }
    const BatchVariable* variable = usual(expansion.name, line);
    const bool plain = expansion.operation.isEmpty() || expansion.operation.startsWith(u":-");
    if (variable == nullptr || !plain || variable->isArray) {
        if (variable == nullptr && expandDefault(word, expansion, line, depth, out))
            return;
        m_unresolved.append(expansion.name);
        out.append(word);
        return;
    }
    if (expansion.inQuotes) {
        out.append(wholeOf(*variable, line));
    } else if (variable->appends) {
        splitGrown(*variable, line, depth, out);
    } else {
        split(variable->value, variable->line, depth, out);
    }
}

/// The values that make up a variable: the one assignment, or the last that sets it again and those that add to it
/// (NAME+=VALUE) whatever happens. Only a part of it: a shell outside has set the rest, or it has too many.
QList<ShellWord> WordExpander::piecesOf(const BatchVariable& last, int line)
{
    constexpr int most = 200;
    QList<ShellWord> pieces{last.value};
    if (!last.appends)
        return pieces;
    const QList<int> places = m_batch.variablesByName.value(last.name);
    int looked = 0;
    bool isWhole = false;
    for (auto place = places.crbegin(); place != places.crend() && looked < most; ++place) {
        const BatchVariable& variable = m_batch.variables.at(*place);
        if (variable.line >= line || &variable >= &last)
            continue;
        ++looked;
        if (variable.isArray || !m_batch.shell.commands.at(variable.command).isPlain())
            continue;
        pieces.prepend(variable.value);
        isWhole = !variable.appends;
        if (isWhole)
            break;
    }
    m_budget -= static_cast<int>(pieces.size());
    if (!isWhole)
        m_unresolved.append(last.name);
    return pieces;
}

/// OPTIONS="$OPTIONS,/b" and a word $OPTIONS,/b of a variable of several words: the last of them goes on with the rest.
bool WordExpander::expandHead(const ShellWord& word, int line, int depth, QList<ShellWord>& out)
{
    static const QRegularExpression blank(u"[ \\t\\n]"_s);
    if (word.expansions.isEmpty() || word.expansions.first().at != 0)
        return false;
    const Expansion& head = word.expansions.first();
    const BatchVariable* variable = head.kind == Expansion::Kind::Variable ? usual(head.name, line) : nullptr;
    if (head.inQuotes || variable == nullptr || variable->isArray || !head.operation.isEmpty()
        || !variable->value.value.trimmed().contains(blank))
        return false;
    ShellWord first = piece(word, 0, head.text.size());
    first.expansions = {head};
    const ShellWord rest = piece(word, head.text.size(), word.value.size());
    QList<ShellWord> words;
    expandWord(first, line, depth + 1, words);
    if (words.isEmpty())
        return false;
    words.last() = joined(words.last(), rest);
    out += words;
    return true;
}

/// All pieces of a variable as one word.
ShellWord WordExpander::wholeOf(const BatchVariable& variable, int line)
{
    ShellWord whole;
    const QList<ShellWord> pieces = piecesOf(variable, line);
    for (const ShellWord& one : pieces)
        whole = &one == &pieces.first() ? one : joined(whole, one);
    whole.quoted = true;
    for (Expansion& inside : whole.expansions)
        inside.early = true;
    return whole;
}

std::optional<ShellWord> WordExpander::textOf(const Expansion& expansion, int line)
{
    const BatchVariable* variable = expansion.kind == Expansion::Kind::Variable ? usual(expansion.name, line) : nullptr;
    if (variable == nullptr || variable->isArray || !expansion.operation.isEmpty())
        return {};
    ShellWord whole = wholeOf(*variable, line);
    whole.line = variable->value.line;
    return whole;
}

/// A variable that grows: words of one piece each are split where it stands, so that they keep its line.
void WordExpander::splitGrown(const BatchVariable& last, int line, int depth, QList<ShellWord>& out)
{
    const QList<ShellWord> pieces = piecesOf(last, line);
    ShellWord value = pieces.first();
    for (qsizetype i = 1; i < pieces.size(); ++i) {
        const QString& text = pieces.at(i).value;
        const bool mayGoOn = m_isReadAgain && (value.value.contains(u'"') || value.value.contains(u'\''));
        const bool ends
            = value.value.isEmpty() || isBlank(value.value.back()) || text.isEmpty() || isBlank(text.front());
        if (ends && !mayGoOn) {
            split(value, last.line, depth, out);
            value = pieces.at(i);
        } else {
            value = joined(value, pieces.at(i));
        }
    }
    split(value, last.line, depth, out);
}

/// "${NAME:-singularity exec "$SIF"}" of a name that the script does not set: the words of what stands for it.
bool WordExpander::expandDefault(
    const ShellWord& word, const Expansion& expansion, int line, int depth, QList<ShellWord>& out)
{
    if (!expansion.operation.startsWith(u":-"))
        return false;
    ShellWord given = word;
    given.value = given.text = expansion.operation.mid(2);
    given.expansions.clear();
    given.origins = word.origins.mid(expansion.text.indexOf(expansion.operation) + 2, given.value.size());
    const bool hasQuotes = given.value.contains(u'"') || given.value.contains(u'\'');
    if (expansion.names.size() == 1 && (!hasQuotes || expansion.inQuotes)) {
        split(given, line, depth, out);
        return true;
    }
    const QList<ShellCommand> read = innerCommands(given);
    if (expansion.inQuotes || read.size() != 1 || read.first().kind != ShellCommand::Kind::Simple
        || read.first().words.size() < 2 || !read.first().assignments.isEmpty() || !read.first().redirections.isEmpty())
        return false;
    for (ShellWord part : read.first().words) {
        for (Expansion& inside : part.expansions)
            inside.early = false;
        expandWord(part, line, depth + 1, out);
    }
    return true;
}

/// "${NAME[@]}": the elements; false when it is not an array.
bool WordExpander::expandArray(const Expansion& expansion, int line, int depth, QList<ShellWord>& out)
{
    if (expansion.operation != u"[@]" && expansion.operation != u"[*]")
        return false;
    const QList<int> places = m_batch.variablesByName.value(expansion.name);
    qsizetype first = -1;
    for (qsizetype i = 0; i < places.size() && i < 200; ++i) {
        const BatchVariable& variable = m_batch.variables.at(places.at(i));
        if (variable.line < line && variable.isArray
            && !m_batch.shell.commands.at(variable.command).assignments.isEmpty() && (first < 0 || !variable.appends))
            first = i;
    }
    if (first < 0)
        return false;
    for (qsizetype i = first; i < places.size() && i < 200; ++i) {
        const BatchVariable& variable = m_batch.variables.at(places.at(i));
        if (variable.line >= line || (i > first && !variable.appends))
            continue;
        for (const ShellWord& element : variable.elements)
            expandWord(element, variable.line, depth + 1, out);
    }
    return true;
}

/// One word of a value that is split; `quotes`: see withoutQuotes().
void WordExpander::splitOff(
    const ShellWord& piece, qsizetype begin, const QList<qsizetype>& quotes, int line, int depth, QList<ShellWord>& out)
{
    const std::optional<ShellWord> read = m_isReadAgain ? wordReadAgain(piece) : std::nullopt;
    const bool isLater = read
        && std::any_of(read->expansions.cbegin(), read->expansions.cend(),
            [](const Expansion& expansion) { return !expansion.early; });
    if (isLater) // what the shell that reads it again replaces
        out.append(*read);
    else
        expandWord(read ? *read : withoutQuotes(piece, begin, quotes), line, depth + 1, out);
}

/// As an unquoted variable is split: at blanks, not inside of $( ), ${ } or ` `. Quotes in it are plain characters to
/// bash, but quotes to a shell that reads the text again (bash -c "$TEXT").
void WordExpander::split(const ShellWord& value, int line, int depth, QList<ShellWord>& out)
{
    const QString& text = value.value;
    auto expansion = value.expansions.cbegin();
    qsizetype begin = -1;
    QList<qsizetype> quotes; // of the word that begins at `begin`
    bool isClosed = true; // no $( ) so far lacks its end: each is looked for once
    for (qsizetype at = 0; at <= text.size();) {
        if (at == text.size() || isBlank(text.at(at))) {
            if (begin >= 0)
                splitOff(piece(value, begin, at), begin, quotes, line, depth, out);
            begin = -1;
            quotes.clear();
            ++at;
            continue;
        }
        if (begin < 0)
            begin = at;
        while (expansion != value.expansions.cend() && expansion->at < at)
            ++expansion;
        const bool inside = expansion != value.expansions.cend() && expansion->at == at;
        qsizetype end = inside ? at + expansion->text.size() : -1;
        if (!inside && isClosed && (text.at(at) == u'$' || text.at(at) == u'`')) {
            end = substitutionEnd(text, at);
            isClosed = end > at || text.mid(at, 2) != u"$(";
        }
        if (end <= at && m_isReadAgain) {
            end = quotedEnd(text, at);
            if (end > at)
                quotes << at << end - 1;
        }
        at = qMax(end, at + 1);
    }
}

} // namespace rankwright::inline script
