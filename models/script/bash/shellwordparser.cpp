// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bash/shellparser.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

bool isNameStart(QChar c) { return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || c == u'_'; }
bool isNameChar(QChar c) { return isNameStart(c) || (c >= u'0' && c <= u'9'); }

/// Names in an arithmetic text or behind the name of a ${...}: "$x", "${x", and bare ones where `bare`.
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

void ShellParser::add(Builder& builder, QChar c, qsizetype at) const
{
    builder.word.value += c;
    if (builder.keepsOrigins)
        builder.origins.push_back(original(at));
}

ShellWord ShellParser::takeWord(Frame& frame, std::vector<qsizetype>* origins)
{
    Builder builder;
    builder.keepsOrigins = origins != nullptr;
    const qsizetype begin = m_at;
    while (!atEnd() && takeWordPart(frame, builder)) { }
    ShellWord& word = builder.word;
    word.text = m_text.mid(begin, m_at - begin);
    word.begin = original(begin);
    word.end = m_at > begin ? original(m_at - 1) + 1 : word.begin;
    word.line = lineOf(word.begin);
    word.column = columnOf(word.begin);
    word.lastLine = lineOf(word.end > word.begin ? word.end - 1 : word.begin);
    if (origins != nullptr)
        *origins = std::move(builder.origins);
    return std::move(builder.word);
}

bool ShellParser::takeWordPart(Frame& frame, Builder& builder)
{
    const QChar c = peek();
    if ((c == u'<' || c == u'>') && peek(1) == u'(') {
        const qsizetype begin = m_at;
        Expansion expansion;
        expansion.kind = Expansion::Kind::Command;
        m_at += 2;
        takeSubstitution(frame);
        addExpansion(builder, expansion, begin, true); // one word, a file name
        return true;
    }
    if (isWordEndAt(m_at))
        return false;
    if (c == u'\'')
        takeSingleQuotes(builder);
    else if (c == u'"')
        takeDoubleQuotes(frame, builder);
    else if (c == u'\\')
        takeEscape(builder);
    else if (c == u'`')
        takeBackticks(frame, builder, false);
    else if (c == u'$')
        takeDollar(frame, builder, false);
    else
        add(builder, c, m_at++);
    return true;
}

void ShellParser::takeEscape(Builder& builder)
{
    ++m_at;
    if (atEnd())
        return;
    if (peek() == u'\n') { // a continued line
        ++m_at;
        return;
    }
    if (peek() == u'\r' && peek(1) == u'\n') {
        m_at += 2;
        return;
    }
    builder.word.quoted = true;
    add(builder, peek(), m_at);
    ++m_at;
}

void ShellParser::takeSingleQuotes(Builder& builder)
{
    builder.word.quoted = true;
    const qsizetype begin = m_at++;
    const qsizetype close = m_text.indexOf(u'\'', m_at);
    const qsizetype end = close < 0 ? m_text.size() : close;
    for (; m_at < end; ++m_at)
        add(builder, m_text.at(m_at), m_at);
    if (close < 0)
        fault(begin, u"A single quote is opened here and never closed."_s);
    else
        ++m_at;
}

void ShellParser::takeAnsiQuotes(Builder& builder)
{
    builder.word.quoted = true;
    const qsizetype begin = m_at;
    m_at += 2;
    while (!atEnd() && peek() != u'\'') {
        const qsizetype at = m_at;
        QChar c = m_text.at(m_at++);
        if (c == u'\\' && !atEnd()) {
            c = ansiEscape(m_text.at(m_at++));
            if (c >= u'0' && c <= u'7') { // up to three octal digits
                int code = c.digitValue();
                for (int i = 0; i < 2 && peek() >= u'0' && peek() <= u'7'; ++i)
                    code = code * 8 + m_text.at(m_at++).digitValue();
                c = QChar(code & 0xff);
            }
        }
        add(builder, c, at);
    }
    if (atEnd())
        fault(begin, u"A quote $'... is opened here and never closed."_s);
    else
        ++m_at;
}

void ShellParser::takeDoubleQuotes(Frame& frame, Builder& builder)
{
    builder.word.quoted = true;
    const qsizetype begin = m_at++;
    while (!atEnd() && peek() != u'"') {
        const QChar c = peek();
        if (c == u'\\' && m_at + 1 < m_text.size() && u"\\\"$`\n"_s.contains(peek(1))) {
            if (peek(1) != u'\n')
                add(builder, peek(1), m_at + 1);
            m_at += 2;
        } else if (c == u'$') {
            takeDollar(frame, builder, true);
        } else if (c == u'`') {
            takeBackticks(frame, builder, true);
        } else {
            add(builder, c, m_at++);
        }
    }
    if (atEnd())
        fault(begin, u"A double quote is opened here and never closed."_s);
    else
        ++m_at;
}

QString ShellParser::takeName()
{
    const qsizetype begin = m_at;
    while (isNameChar(peek()))
        ++m_at;
    return m_text.mid(begin, m_at - begin);
}

void ShellParser::addExpansion(Builder& builder, Expansion expansion, qsizetype begin, bool inQuotes)
{
    expansion.text = m_text.mid(begin, m_at - begin);
    expansion.inQuotes = inQuotes;
    expansion.early = !m_early.empty() && m_early.at(static_cast<std::size_t>(begin));
    expansion.at = builder.word.value.size();
    expansion.line = lineOf(original(begin));
    expansion.column = columnOf(original(begin));
    if (expansion.kind == Expansion::Kind::Variable)
        expansion.names.prepend(expansion.name);
    for (qsizetype at = begin; at < m_at; ++at)
        add(builder, m_text.at(at), at);
    builder.word.expansions.append(expansion);
}

void ShellParser::takeDollar(Frame& frame, Builder& builder, bool inQuotes)
{
    const qsizetype begin = m_at;
    const QChar next = peek(1);
    Expansion expansion;
    if (next == u'(' && peek(2) == u'(') {
        expansion.kind = Expansion::Kind::Arithmetic;
        m_at += 3;
        takeArithmetic(frame, expansion);
    } else if (next == u'(') {
        expansion.kind = Expansion::Kind::Command;
        m_at += 2;
        takeSubstitution(frame);
    } else if (next == u'{') {
        m_at += 2;
        takeParameter(frame, expansion, inQuotes);
    } else if (isNameStart(next)) {
        ++m_at;
        expansion.name = takeName();
    } else if (!next.isNull() && (next.isDigit() || u"@*#?$!-"_s.contains(next))) {
        m_at += 2;
        expansion.name = next;
    } else if (next == u'\'' && !inQuotes) {
        takeAnsiQuotes(builder);
        return;
    } else if (next == u'"' && !inQuotes) {
        ++m_at; // $"...": translated by locale, else a plain quoted text
        takeDoubleQuotes(frame, builder);
        return;
    } else {
        add(builder, u'$', m_at++);
        return;
    }
    addExpansion(builder, expansion, begin, inQuotes);
}

/// Behind "${": the name, and everything up to the brace that closes it.
void ShellParser::takeParameter(Frame& frame, Expansion& expansion, bool inQuotes)
{
    const qsizetype begin = m_at - 2;
    if (tooDeep(begin))
        return;
    if ((peek() == u'#' || peek() == u'!') && (isNameStart(peek(1)) || peek(1) == u'@')) {
        expansion.operation = peek();
        ++m_at;
    }
    if (isNameStart(peek())) {
        expansion.name = takeName();
    } else if (!atEnd() && peek() != u'}') {
        expansion.name = peek();
        ++m_at;
    }
    const qsizetype behind = m_at;
    Builder scratch;
    ++m_depth;
    while (!atEnd() && peek() != u'}') {
        const QChar c = peek();
        if (c == u'\\')
            m_at += 2;
        else if (c == u'\'' && !inQuotes)
            takeSingleQuotes(scratch);
        else if (c == u'"')
            takeDoubleQuotes(frame, scratch);
        else if (c == u'$')
            takeDollar(frame, scratch, inQuotes);
        else if (c == u'`')
            takeBackticks(frame, scratch, inQuotes);
        else
            ++m_at;
    }
    --m_depth;
    m_at = qMin(m_at, m_text.size());
    expansion.operation += m_text.mid(behind, m_at - behind);
    for (const Expansion& inner : std::as_const(scratch.word.expansions))
        expansion.names += inner.names;
    if (atEnd())
        fault(begin, u"A brace ${ is opened here and never closed."_s);
    else
        ++m_at;
}

/// Behind "((": up to the "))" that closes it.
void ShellParser::takeArithmetic(Frame& frame, Expansion& expansion)
{
    const qsizetype begin = m_at;
    if (tooDeep(begin))
        return;
    Builder scratch;
    int parens = 0;
    ++m_depth;
    while (!atEnd()) {
        const QChar c = peek();
        if (c == u')' && parens == 0)
            break;
        if (c == u'$') {
            takeDollar(frame, scratch, true);
        } else if (c == u'`') {
            takeBackticks(frame, scratch, true);
        } else {
            parens += c == u'(' ? 1 : c == u')' ? -1 : 0;
            ++m_at;
        }
    }
    --m_depth;
    collectNames(m_text.mid(begin, m_at - begin), true, expansion.names);
    if (atEnd()) {
        fault(begin, u"A parenthesis (( is opened here and never closed."_s);
        return;
    }
    m_at += peek(1) == u')' ? 2 : 1;
}

/// Behind "$(": a list of commands, up to and with its ")".
void ShellParser::takeSubstitution(Frame& frame)
{
    const qsizetype begin = m_at;
    if (tooDeep(begin))
        return;
    Frame inner;
    inner.context = frame.context;
    inner.context.inSubstitution = true;
    inner.context.isCondition = false;
    if (frame.command >= 0)
        inner.context.parent = frame.command;
    inner.endsAtParen = true;
    ++m_depth;
    parseList(inner);
    --m_depth;
    if (atEnd())
        fault(begin, u"A parenthesis $( is opened here and never closed."_s);
    else
        ++m_at;
}

void ShellParser::takeBackticks(Frame& frame, Builder& builder, bool inQuotes)
{
    const qsizetype begin = m_at++;
    Inner inner;
    while (!atEnd() && peek() != u'`') {
        if (peek() == u'\\' && m_at + 1 < m_text.size() && u"\\$`"_s.contains(peek(1)))
            ++m_at;
        inner.text += peek();
        inner.origins.push_back(original(m_at));
        ++m_at;
    }
    if (atEnd())
        fault(begin, u"A backtick is opened here and never closed."_s);
    else
        ++m_at;
    if (!tooDeep(begin) && m_depth < 8) { // a text within a text is read once for each level
        Context context = frame.context;
        context.inSubstitution = true;
        context.isCondition = false;
        if (frame.command >= 0)
            context.parent = frame.command;
        ShellParser(inner, m_shared, context, m_depth + 1).run();
    }
    Expansion expansion;
    expansion.kind = Expansion::Kind::Command;
    addExpansion(builder, expansion, begin, inQuotes);
}

} // namespace rankwright
