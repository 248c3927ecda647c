// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bash/shellwordparser.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

bool isNameStart(QChar c) { return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || c == u'_'; }
bool isNameChar(QChar c) { return isNameStart(c) || (c >= u'0' && c <= u'9'); }

/// Names in an arithmetic text or after the name of a ${...}: "$x", "${x", and bare ones where `bare`.
void collectNames(const QString& text, bool bare, QStringList& names)
{
    for (qsizetype at = 0; at < text.size(); ++at) {
        if (!isNameStart(text.at(at)))
            continue;
        const bool dollar = at > 0 && (text.at(at - 1) == u'$' || text.at(at - 1) == u'{');
        const bool inside = at > 0 && isNameChar(text.at(at - 1)); // 0x10, 8#17
        const qsizetype begin = at;
        while (at < text.size() && isNameChar(text.at(at)))
            ++at;
        if ((dollar || bare) && !inside)
            names.append(text.mid(begin, at - begin));
    }
}

QChar ansiEscape(QChar c)
{
    switch (c.unicode()) {
    case u'n': return u'\n';
    case u't': return u'\t';
    case u'r': return u'\r';
    case u'a': return u'\a';
    case u'b': return u'\b';
    case u'e': return QChar(0x1b);
    case u'f': return u'\f';
    case u'v': return u'\v';
    default: return c;
    }
}

} // namespace

void ShellWordParser::add(Builder& builder, QChar c, qsizetype at) const
{
    builder.word.value += c;
    builder.word.origins.append(static_cast<int>(m_in.original(at)));
}

/// All up to the cursor, as it stands in the text.
void ShellWordParser::addSince(Builder& builder, qsizetype begin) const
{
    builder.word.value += QStringView(m_in.text).sliced(begin, m_in.at - begin);
    m_in.addOriginals(begin, m_in.at - begin, builder.word.origins);
}

ShellWord ShellWordParser::readWord()
{
    Builder builder;
    const qsizetype begin = m_in.at;
    while (!m_in.atEnd() && readWordPart(builder)) { }
    setTextAndPlaces(builder.word, begin);
    return std::move(builder.word);
}

ShellWord ShellWordParser::readArithmeticWord()
{
    const qsizetype begin = m_in.at;
    m_in.at += 2;
    Expansion expansion;
    expansion.kind = Expansion::Kind::Arithmetic;
    readArithmetic(expansion);
    Builder builder;
    addExpansion(builder, expansion, begin, Quotes::Double);
    setTextAndPlaces(builder.word, begin);
    return std::move(builder.word);
}

/// Of the word that ends here: its text, and where it is in the script.
void ShellWordParser::setTextAndPlaces(ShellWord& word, qsizetype begin) const
{
    word.text = m_in.since(begin);
    // one text in memory where nothing is quoted: of substitutions in substitutions each holds all inner ones
    if (word.value == word.text)
        word.value = word.text;
    for (Expansion& expansion : word.expansions) {
        if (expansion.text == word.text)
            expansion.text = word.text;
    }
    word.begin = m_in.original(begin);
    word.end = m_in.at > begin ? m_in.original(m_in.at - 1) + 1 : word.begin;
    word.line = m_in.lineOf(word.begin);
    word.column = m_in.columnOf(word.begin);
    word.lastLine = m_in.lineOf(word.end > word.begin ? word.end - 1 : word.begin);
}

bool ShellWordParser::readWordPart(Builder& builder)
{
    const QChar c = m_in.peek();
    if ((c == u'<' || c == u'>') && m_in.peek(1) == u'(') {
        const qsizetype begin = m_in.at;
        Expansion expansion;
        expansion.kind = Expansion::Kind::Command;
        m_in.at += 2;
        readSubstitution();
        addExpansion(builder, expansion, begin, Quotes::Double); // one word, a file name
        return true;
    }
    if (m_in.isWordEndAt(m_in.at))
        return false;
    if (c == u'\'')
        readSingleQuotes(builder);
    else if (c == u'"')
        readDoubleQuotes(builder);
    else if (c == u'\\')
        readEscape(builder);
    else if (c == u'`')
        readBackticks(builder, Quotes::None);
    else if (c == u'$')
        readDollar(builder, Quotes::None);
    else
        readLetters(builder);
    return true;
}

/// What has no meaning to the shell, at least one character.
void ShellWordParser::readLetters(Builder& builder)
{
    const qsizetype begin = m_in.at++;
    while (!m_in.isWordEndAt(m_in.at) && !u"'\"\\`$"_s.contains(m_in.text.at(m_in.at)))
        ++m_in.at;
    addSince(builder, begin);
}

void ShellWordParser::readEscape(Builder& builder)
{
    ++m_in.at;
    if (m_in.atEnd())
        return;
    if (m_in.peek() == u'\n') { // a continued line
        ++m_in.at;
        return;
    }
    if (m_in.peek() == u'\r' && m_in.peek(1) == u'\n') {
        m_in.at += 2;
        return;
    }
    builder.word.quoted = true;
    add(builder, m_in.peek(), m_in.at);
    ++m_in.at;
}

void ShellWordParser::readSingleQuotes(Builder& builder)
{
    builder.word.quoted = true;
    const qsizetype begin = m_in.at++;
    qsizetype from = m_in.at;
    while (!m_in.atEnd() && (m_in.peek() != u'\'' || m_in.isEarly(m_in.at))) {
        if (m_in.peek() == u'$' && m_in.isEarly(m_in.at)
            && m_in.peek(1) != u'(') { // the shell outside knows no quotes here
            addSince(builder, from);
            readDollar(builder, Quotes::Double);
            from = m_in.at;
        } else {
            ++m_in.at;
        }
    }
    addSince(builder, from);
    if (m_in.atEnd())
        m_in.fault(begin, u"A single quote is opened here and never closed."_s);
    else
        ++m_in.at;
}

void ShellWordParser::readAnsiQuotes(Builder& builder)
{
    builder.word.quoted = true;
    const qsizetype begin = m_in.at;
    m_in.at += 2;
    while (!m_in.atEnd() && m_in.peek() != u'\'') {
        const qsizetype at = m_in.at;
        QChar c = m_in.text.at(m_in.at++);
        if (c == u'\\' && !m_in.atEnd()) {
            c = ansiEscape(m_in.text.at(m_in.at++));
            if (c >= u'0' && c <= u'7') { // up to three octal digits
                int code = c.digitValue();
                for (int i = 0; i < 2 && m_in.peek() >= u'0' && m_in.peek() <= u'7'; ++i)
                    code = code * 8 + m_in.text.at(m_in.at++).digitValue();
                c = QChar(code & 0xff);
            }
        }
        add(builder, c, at);
    }
    if (m_in.atEnd())
        m_in.fault(begin, u"A quote $'... is opened here and never closed."_s);
    else
        ++m_in.at;
}

void ShellWordParser::readDoubleQuotes(Builder& builder)
{
    builder.word.quoted = true;
    const qsizetype begin = m_in.at++;
    while (!m_in.atEnd() && m_in.peek() != u'"') {
        const QChar c = m_in.peek();
        if (c == u'\\' && m_in.at + 1 < m_in.text.size() && u"\\\"$`\n"_s.contains(m_in.peek(1))) {
            if (m_in.peek(1) != u'\n')
                add(builder, m_in.peek(1), m_in.at + 1);
            m_in.at += 2;
        } else if (c == u'$') {
            readDollar(builder, Quotes::Double);
        } else if (c == u'`') {
            readBackticks(builder, Quotes::Double);
        } else {
            const qsizetype from = m_in.at++;
            while (!m_in.atEnd() && !u"\"\\`$"_s.contains(m_in.peek()))
                ++m_in.at;
            addSince(builder, from);
        }
    }
    if (m_in.atEnd())
        m_in.fault(begin, u"A double quote is opened here and never closed."_s);
    else
        ++m_in.at;
}

QString ShellWordParser::readName()
{
    const qsizetype begin = m_in.at;
    while (isNameChar(m_in.peek()))
        ++m_in.at;
    return m_in.since(begin);
}

void ShellWordParser::addExpansion(Builder& builder, Expansion expansion, qsizetype begin, Quotes quotes)
{
    expansion.text = m_in.since(begin);
    expansion.inQuotes = quotes == Quotes::Double;
    expansion.early = m_in.isEarly(begin);
    expansion.at = builder.word.value.size();
    expansion.line = m_in.lineOf(m_in.original(begin));
    expansion.column = m_in.columnOf(m_in.original(begin));
    if (expansion.kind == Expansion::Kind::Variable)
        expansion.names.prepend(expansion.name);
    addSince(builder, begin);
    builder.word.expansions.append(expansion);
}

void ShellWordParser::readDollar(Builder& builder, Quotes quotes)
{
    const qsizetype begin = m_in.at;
    const QChar next = m_in.peek(1);
    Expansion expansion;
    if (next == u'(' && m_in.peek(2) == u'(' && isArithmeticAt(m_in.at + 3)) {
        expansion.kind = Expansion::Kind::Arithmetic;
        m_in.at += 3;
        readArithmetic(expansion);
    } else if (next == u'(') {
        expansion.kind = Expansion::Kind::Command;
        m_in.at += 2;
        readSubstitution();
    } else if (next == u'{') {
        m_in.at += 2;
        readParameter(expansion, quotes);
    } else if (isNameStart(next)) {
        ++m_in.at;
        expansion.name = readName();
    } else if (!next.isNull() && (next.isDigit() || u"@*#?$!-"_s.contains(next))) {
        m_in.at += 2;
        expansion.name = next;
    } else if (next == u'\'' && quotes == Quotes::None) {
        readAnsiQuotes(builder);
        return;
    } else if (next == u'"' && quotes == Quotes::None) {
        ++m_in.at; // $"...": translated by locale, else a plain quoted text
        readDoubleQuotes(builder);
        return;
    } else {
        add(builder, u'$', m_in.at++);
        return;
    }
    addExpansion(builder, expansion, begin, quotes);
}

/// After "${": the name, and everything up to the brace that closes it.
void ShellWordParser::readParameter(Expansion& expansion, Quotes quotes)
{
    const qsizetype begin = m_in.at - 2;
    if (m_in.tooDeep(begin))
        return;
    if ((m_in.peek() == u'#' || m_in.peek() == u'!') && (isNameStart(m_in.peek(1)) || m_in.peek(1) == u'@')) {
        expansion.operation = m_in.peek();
        ++m_in.at;
    }
    if (isNameStart(m_in.peek())) {
        expansion.name = readName();
    } else if (!m_in.atEnd() && m_in.peek() != u'}') {
        expansion.name = m_in.peek();
        ++m_in.at;
    }
    const qsizetype behind = m_in.at;
    Builder scratch;
    ++m_in.depth;
    while (!m_in.atEnd() && m_in.peek() != u'}') {
        const QChar c = m_in.peek();
        if (c == u'\\')
            m_in.at += 2;
        else if (c == u'\'' && quotes == Quotes::None)
            readSingleQuotes(scratch);
        else if (c == u'"')
            readDoubleQuotes(scratch);
        else if (c == u'$')
            readDollar(scratch, quotes);
        else if (c == u'`')
            readBackticks(scratch, quotes);
        else
            ++m_in.at;
    }
    --m_in.depth;
    m_in.at = qMin(m_in.at, m_in.text.size());
    expansion.operation += m_in.text.mid(behind, m_in.at - behind);
    for (const Expansion& inner : std::as_const(scratch.word.expansions))
        expansion.names += inner.names;
    if (m_in.atEnd())
        m_in.fault(begin, u"A brace ${ is opened here and never closed."_s);
    else
        ++m_in.at;
}

/// Is what begins after "$((" arithmetic? As in bash the first ")" that closes nothing decides: with another after
/// it, it is; else "$(" begins commands whose first one is in parentheses.
bool ShellWordParser::isArithmeticAt(qsizetype at) const
{
    constexpr qsizetype farthest = 2000; // no number is written longer; keeps nested ones linear
    int parens = 0;
    QChar quote;
    for (const qsizetype end = qMin(m_in.text.size(), at + farthest); at < end; ++at) {
        const QChar c = m_in.text.at(at);
        if (c == u'\\')
            ++at;
        else if (!quote.isNull())
            quote = c == quote ? QChar() : quote;
        else if (c == u'"' || c == u'\'')
            quote = c;
        else if (c == u'(')
            ++parens;
        else if (c == u')' && parens-- == 0)
            return at + 1 < m_in.text.size() && m_in.text.at(at + 1) == u')';
    }
    return true;
}

/// After "((": up to the "))" that closes it.
void ShellWordParser::readArithmetic(Expansion& expansion)
{
    const qsizetype begin = m_in.at;
    if (m_in.tooDeep(begin))
        return;
    Builder scratch;
    int parens = 0;
    ++m_in.depth;
    while (!m_in.atEnd()) {
        const QChar c = m_in.peek();
        if (c == u')' && parens == 0)
            break;
        if (c == u'$') {
            readDollar(scratch, Quotes::Double);
        } else if (c == u'`') {
            readBackticks(scratch, Quotes::Double);
        } else {
            parens += c == u'(' ? 1 : c == u')' ? -1 : 0;
            ++m_in.at;
        }
    }
    --m_in.depth;
    collectNames(m_in.since(begin), true, expansion.names);
    if (m_in.atEnd()) {
        m_in.fault(begin, u"A parenthesis (( is opened here and never closed."_s);
        return;
    }
    m_in.at += m_in.peek(1) == u')' ? 2 : 1;
}

/// After "$(": a list of commands, up to and with its ")".
void ShellWordParser::readSubstitution()
{
    const qsizetype begin = m_in.at;
    if (m_in.tooDeep(begin))
        return;
    ++m_in.depth;
    m_substitutions.readCommands();
    --m_in.depth;
    if (m_in.atEnd())
        m_in.fault(begin, u"A parenthesis $( is opened here and never closed."_s);
    else
        ++m_in.at;
}

void ShellWordParser::readBackticks(Builder& builder, Quotes quotes)
{
    const qsizetype begin = m_in.at++;
    ShellInnerText inner;
    while (!m_in.atEnd() && m_in.peek() != u'`') {
        if (m_in.peek() == u'\\' && m_in.at + 1 < m_in.text.size() && u"\\$`"_s.contains(m_in.peek(1)))
            ++m_in.at;
        inner.text += m_in.peek();
        inner.origins.push_back(m_in.original(m_in.at));
        ++m_in.at;
    }
    if (m_in.atEnd())
        m_in.fault(begin, u"A backtick is opened here and never closed."_s);
    else
        ++m_in.at;
    if (!m_in.tooDeep(begin) && m_in.depth < 8) // a text within a text is read once for each level
        m_substitutions.readText(inner);
    Expansion expansion;
    expansion.kind = Expansion::Kind::Command;
    addExpansion(builder, expansion, begin, quotes);
}

} // namespace rankwright::inline script
