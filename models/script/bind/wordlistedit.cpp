// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/wordlistedit.h"

#include "models/script/bash/scriptquoting.h"
#include "models/script/batch/slurmoptions.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <vector>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

QString inDoubleQuotes(QString text)
{
    static const QRegularExpression special(u"([\\\\\"$`])"_s);
    return text.replace(special, u"\\\\1"_s);
}

/// Which old word each new one is, by the longest common subsequence; -1: none.
std::vector<qsizetype> pairs(const QList<ListWord>& list, const QStringList& words)
{
    const auto rows = static_cast<std::size_t>(list.size()), columns = static_cast<std::size_t>(words.size());
    std::vector<qsizetype> of(columns, -1);
    std::size_t head = 0, tail = 0;
    const auto same = [&](std::size_t i, std::size_t j) {
        return list.at(static_cast<qsizetype>(i)).value == words.at(static_cast<qsizetype>(j));
    };
    while (head < rows && head < columns && same(head, head)) {
        of.at(head) = static_cast<qsizetype>(head);
        ++head;
    }
    while (tail < rows - head && tail < columns - head && same(rows - 1 - tail, columns - 1 - tail)) {
        of.at(columns - 1 - tail) = static_cast<qsizetype>(rows - 1 - tail);
        ++tail;
    }
    const std::size_t n = rows - head - tail, m = columns - head - tail;
    constexpr std::size_t most = 1000000; // cells of the table: a command is never that long
    if (n * m == 0 || n * m > most)
        return of;
    std::vector<std::vector<int>> longest(n + 1, std::vector<int>(m + 1, 0));
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t j = m; j-- > 0;)
            longest[i][j]
                = same(head + i, head + j) ? longest[i + 1][j + 1] + 1 : std::max(longest[i + 1][j], longest[i][j + 1]);
    }
    for (std::size_t i = 0, j = 0; i < n && j < m;) {
        if (same(head + i, head + j))
            of.at(head + j++) = static_cast<qsizetype>(head + i++);
        else if (longest[i + 1][j] >= longest[i][j + 1])
            ++i;
        else
            ++j;
    }
    return of;
}

bool isSpaceOrTab(QChar c) { return c == u' ' || c == u'\t'; }

/// Words that stand side by side in the text, taken away: with the blanks before them; with those after them where
/// they begin the line, whose indentation stays; with the whole line where nothing but them stands on it.
TextChange removal(const TextRange& words, const QString& text)
{
    qsizetype begin = words.begin, end = words.end;
    while (begin > 0 && isSpaceOrTab(text.at(begin - 1)))
        --begin;
    while (end < text.size() && isSpaceOrTab(text.at(end)))
        ++end;
    if (begin > 0 && text.at(begin - 1) != u'\n')
        return {{begin, words.end}, {}};
    const bool continues = text.mid(end, 2) == u"\\\n";
    if (continues)
        return {{begin, end + 2}, {}};
    if (end < text.size() && text.at(end) != u'\n')
        return {{words.begin, end}, {}};
    qsizetype before = begin - 1; // the new line before; without a backslash the words are a list's of their own
    if (before < 1 || text.at(before - 1) != u'\\')
        return {{begin, qMin(end + 1, text.size())}, {}};
    --before;
    while (before > 0 && isSpaceOrTab(text.at(before - 1)))
        --before;
    return {{before, words.end}, {}};
}

/// Of a word that can be replaced.
TextRange wholeOf(const ListWord& word) { return word.whole ? *word.whole : *word.range; }

/// Order in which new directives stand among others, whatever the order of the edits.
int rankOf(const QString& option)
{
    static const QStringList order{u"job-name"_s, u"account"_s, u"partition"_s, u"qos"_s, u"reservation"_s,
        u"constraint"_s, u"exclude"_s, u"nodes"_s, u"ntasks"_s, u"ntasks-per-node"_s, u"gpus-per-node"_s,
        u"cpus-per-task"_s, u"cpus-per-gpu"_s, u"mem"_s, u"mem-per-cpu"_s, u"mem-per-gpu"_s, u"time"_s, u"output"_s,
        u"error"_s, u"array"_s, u"dependency"_s, u"chdir"_s, u"signal"_s, u"mail-user"_s, u"mail-type"_s};
    return static_cast<int>(order.indexOf(option));
}

qsizetype startOfLine(const QString& text, int line)
{
    qsizetype at = 0;
    for (int i = 1; i < line; ++i) {
        const qsizetype next = text.indexOf(u'\n', at);
        if (next < 0)
            return text.size();
        at = next + 1;
    }
    return at;
}

} // namespace

bool isHarmlessWord(QStringView word)
{
    static const QRegularExpression harmless(u"^[A-Za-z0-9_@%+=:,./-][A-Za-z0-9_@%+=:,./#-]*$"_s);
    return harmless.match(word).hasMatch();
}

QString typedWord(const QString& value, Quoting quoting)
{
    if (isHarmlessWord(value))
        return value;
    if (quoting == Quoting::Double)
        return u'"' + inDoubleQuotes(value) + u'"';
    QString inside = value;
    return u'\'' + inside.replace(u"'"_s, u"'\\''"_s) + u'\'';
}

TextChange wordChange(const ListWord& old, const QString& value, Quoting quoting, const QString& text)
{
    const TextRange range = *old.range;
    if (isHarmlessWord(value))
        return {range, value};
    const QChar before = range.begin > 0 ? text.at(range.begin - 1) : QChar();
    if (quoting == Quoting::Inside && before == u'"')
        return {range, inDoubleQuotes(value)};
    if (quoting == Quoting::Inside)
        return {range, before == u'\'' ? value : typedWord(value, Quoting::Single)};
    return {wholeOf(old), typedWord(value, quoting)};
}

Result<QList<TextChange>> listChanges(
    const QList<ListWord>& list, const QStringList& words, Quoting quoting, qsizetype behind, const QString& text)
{
    const std::vector<qsizetype> of = pairs(list, words);
    QList<TextChange> changes;
    qsizetype next = 0; // old word
    qsizetype at = 0; // new word
    const auto words_ = static_cast<qsizetype>(of.size());
    while (at < words_ || next < list.size()) {
        // the run of old and new words up to the next pair
        qsizetype pairAt = at;
        while (pairAt < words_ && of.at(static_cast<std::size_t>(pairAt)) < 0)
            ++pairAt;
        const qsizetype pairOld = pairAt < words_ ? of.at(static_cast<std::size_t>(pairAt)) : list.size();
        for (; at < pairAt && next < pairOld; ++at, ++next) {
            if (!list.at(next).range)
                return fail(Fault::Invalid, list.at(next).why);
            changes.append(wordChange(list.at(next), words.at(at), quoting, text));
        }
        while (next < pairOld) {
            if (!list.at(next).range)
                return fail(Fault::Invalid, list.at(next).why);
            TextRange together = wholeOf(list.at(next));
            for (++next; next < pairOld && list.at(next).range; ++next) {
                const TextRange more = wholeOf(list.at(next));
                if (more.begin <= together.end
                    || !std::all_of(text.cbegin() + together.end, text.cbegin() + more.begin, isSpaceOrTab))
                    break;
                together.end = more.end;
            }
            changes.append(removal(together, text));
        }
        QString added;
        for (; at < pairAt; ++at)
            added += u' ' + typedWord(words.at(at), quoting);
        if (!added.isEmpty()) {
            const ListWord* before = next > 0 ? &list.at(next - 1) : nullptr;
            const qsizetype place
                = before == nullptr || behind >= before->behind.size() ? -1 : before->behind.at(behind);
            if (place < 0)
                return fail(Fault::Invalid, u"There is no place in the text where a word could be added."_s);
            changes.append({{place, place}, added});
        }
        if (pairAt < words_) {
            at = pairAt + 1;
            next = pairOld + 1;
        }
    }
    return changes;
}

std::optional<TextChange> newDirective(
    const BoundScript& bound, const QString& text, const QString& option, const QString& value)
{
    if (option.isEmpty() || !bound.directiveAt)
        return std::nullopt;
    const int rank = rankOf(option);
    int before = 0; // line after which it stands
    int firstLine = 0;
    int longOnes = 0, shortOnes = 0, blanks = 0, equals = 0;
    for (const BatchOption& other : bound.batch.options) {
        firstLine = firstLine == 0 ? other.line : qMin(firstLine, other.line);
        if (rankOf(other.name) <= rank)
            before = qMax(before, other.line);
        const bool isLong = other.typedName.startsWith(u"--");
        ++(isLong ? longOnes : shortOnes);
        if (isLong && other.hasValue)
            ++(other.written.contains(u'=') ? equals : blanks);
    }
    const SlurmOption* known = findSlurmOption(option, SlurmOption::Of::Sbatch);
    const bool isShort = shortOnes > longOnes && known != nullptr && !known->letter.isNull();
    const QString typed
        = isShort ? u"-%1 "_s.arg(known->letter) : u"--%1%2"_s.arg(option, blanks > equals ? u" "_s : u"="_s);
    QString line = u"#SBATCH "_s + typed + directiveWord(value);
    const qsizetype at = startOfLine(text, before > 0 ? before + 1 : firstLine);
    if (at > 0 && text.at(at - 1) != u'\n') // the last line, not ended
        line.prepend(lineEndAt(text, startOfLine(text, before)));
    else
        line.append(lineEndAt(text, at));
    return TextChange{{at, at}, line};
}

QString lineEndAt(const QString& text, qsizetype at)
{
    qsizetype end = text.indexOf(u'\n', at);
    if (end < 0)
        end = text.lastIndexOf(u'\n');
    return end > 0 && text.at(end - 1) == u'\r' ? u"\r\n"_s : u"\n"_s;
}

bool saysArgument(const QStringList& words, const QString& name)
{
    return std::any_of(words.cbegin(), words.cend(),
        [&](const QString& word) { return word == name || word.startsWith(name + u'='); });
}

bool sayDifferentValues(const QList<QStringList>& commands, const QString& name)
{
    QSet<QString> values;
    for (const QStringList& words : commands) {
        for (qsizetype i = 0; i < words.size(); ++i) {
            if (words.at(i) == name)
                values.insert(words.value(i + 1));
            else if (words.at(i).startsWith(name + u'='))
                values.insert(words.at(i).mid(name.size() + 1));
        }
    }
    return commands.size() > 1 && values.size() > 1;
}

Result<QStringList> withArgument(
    QStringList words, qsizetype first, const ScriptField* field, const QString& name, const QString& value)
{
    static const QRegularExpression form(u"^[-+]{0,2}[A-Za-z_][\\w./@-]*$"_s);
    if (!form.match(name).hasMatch())
        return fail(Fault::Invalid, u"“%1” is not a name of an argument"_s.arg(name));
    qsizetype at = -1;
    for (qsizetype i = first; i < words.size(); ++i) {
        if (words.at(i) == name || words.at(i).startsWith(name + u'='))
            at = i;
    }
    if (at < 0) {
        if (!name.startsWith(u'-'))
            words.append(name + u'=' + value);
        else
            words += value.isEmpty() ? QStringList{name} : QStringList{name, value};
        return words;
    }
    if (field != nullptr && field->state != ScriptField::State::Bound)
        return fail(Fault::Invalid, field->why);
    const bool isSwitch
        = field != nullptr ? field->isSwitch : at + 1 >= words.size() || words.at(at + 1).startsWith(u'-');
    if (words.at(at) != name)
        words[at] = name + u'=' + value;
    else if (isSwitch && (value == u"true" || value.isEmpty()))
        return words;
    else if (isSwitch && value == u"false")
        words.removeAt(at);
    else if (isSwitch)
        words.insert(at + 1, value);
    else
        words[at + 1] = value;
    return words;
}

} // namespace rankwright::inline script
