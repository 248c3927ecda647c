// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/shellparser.h"

#include <QHash>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

constexpr int deepest = 60; // of $( ${ (( in one another
constexpr int mostFaults = 20;

const QStringList reservedWords{u"if"_s, u"then"_s, u"elif"_s, u"else"_s, u"fi"_s, u"for"_s, u"while"_s, u"until"_s,
    u"select"_s, u"do"_s, u"done"_s, u"case"_s, u"esac"_s, u"{"_s, u"}"_s, u"!"_s, u"time"_s, u"function"_s, u"[["_s};

} // namespace

ShellParser::ShellParser(const Inner& inner, Shared& shared, const Context& context, int depth)
    : m_text(inner.text), m_origins(inner.origins), m_early(inner.early), m_shared(shared), m_context(context),
      m_depth(depth)
{
    m_origins.push_back(m_origins.empty() ? 0 : m_origins.back() + 1); // the end of the text has a place, too
}

void ShellParser::run()
{
    Frame frame;
    frame.context = m_context;
    while (!atEnd()) {
        parseList(frame);
        if (atEnd())
            break;
        fault(m_at, u"A parenthesis ) closes nothing."_s);
        ++m_at;
    }
    finishCommand(frame, {});
    for (const Block& block : std::as_const(frame.blocks)) {
        static const QStringList words{u"if"_s, u"loop"_s, u"case"_s, u"brace {"_s, u"parenthesis ("_s};
        if (m_shared.out.faults.size() < mostFaults)
            m_shared.out.faults.append({block.line, block.column,
                u"The %1 that begins here is never closed."_s.arg(words.at(int(block.kind)))});
    }
}

bool ShellParser::isBlankAt(qsizetype at) const
{
    if (at >= m_text.size())
        return false;
    const QChar c = m_text.at(at);
    return c == u' ' || c == u'\t' || (c == u'\r' && (at + 1 >= m_text.size() || m_text.at(at + 1) == u'\n'));
}

bool ShellParser::isWordEndAt(qsizetype at) const
{
    if (at >= m_text.size() || isBlankAt(at))
        return true;
    return u"\n;&|()<>"_s.contains(m_text.at(at));
}

void ShellParser::skipBlanks()
{
    while (!atEnd()) {
        if (isBlankAt(m_at))
            ++m_at;
        else if (peek() == u'\\' && peek(1) == u'\n')
            m_at += 2;
        else if (peek() == u'\\' && peek(1) == u'\r' && peek(2) == u'\n')
            m_at += 3;
        else
            return;
    }
}

void ShellParser::skipLines()
{
    while (!atEnd()) {
        skipBlanks();
        if (peek() == u'#') {
            while (!atEnd() && peek() != u'\n')
                ++m_at;
        } else if (peek() == u'\n') {
            ++m_at;
            takeHereDocuments();
        } else {
            return;
        }
    }
}

qsizetype ShellParser::original(qsizetype at) const
{
    if (m_origins.empty())
        return at;
    return m_origins.at(static_cast<std::size_t>(qMin(at, static_cast<qsizetype>(m_origins.size()) - 1)));
}

int ShellParser::lineOf(qsizetype originalAt) const
{
    const auto& starts = m_shared.lineStarts;
    return static_cast<int>(std::upper_bound(starts.cbegin(), starts.cend(), originalAt) - starts.cbegin());
}

int ShellParser::columnOf(qsizetype originalAt) const
{
    return static_cast<int>(originalAt - m_shared.lineStarts.at(lineOf(originalAt) - 1)) + 1;
}

void ShellParser::fault(qsizetype at, const QString& what)
{
    const qsizetype place = original(at);
    if (m_shared.out.faults.size() < mostFaults)
        m_shared.out.faults.append({lineOf(place), columnOf(place), what});
}

bool ShellParser::tooDeep(qsizetype at)
{
    if (m_depth < deepest)
        return false;
    fault(at, u"This is nested too deeply to be read."_s);
    m_at = m_text.size();
    return true;
}

void ShellParser::parseList(Frame& frame)
{
    while (!atEnd() && step(frame)) { }
    if (frame.endsAtParen)
        finishCommand(frame, atEnd() ? QString() : u")"_s);
}

/// One step of a list; false at the ) that ends it.
bool ShellParser::step(Frame& frame)
{
    skipBlanks();
    if (atEnd())
        return true;
    const QChar c = peek();
    if (!frame.blocks.isEmpty() && frame.blocks.last().kind == BlockKind::Case && frame.blocks.last().inPattern
        && frame.command < 0) {
        takeCasePattern(frame);
        return true;
    }
    if (c == u'#') {
        while (!atEnd() && peek() != u'\n')
            ++m_at;
    } else if (c == u'\n' || c == u';' || c == u'&' || c == u'|') {
        return takeSeparator(frame);
    } else if (c == u'(') {
        takeOpenParen(frame);
    } else if (c == u')') {
        return takeCloseParen(frame);
    } else if ((c == u'<' || c == u'>') && peek(1) != u'(') {
        takeRedirection(frame, -1);
    } else if (frame.command >= 0 || !takeReserved(frame)) {
        takeArgument(frame);
    }
    return true;
}

bool ShellParser::takeSeparator(Frame& frame)
{
    const QChar c = peek();
    if (c == u'\n') {
        finishCommand(frame, u"\n"_s);
        ++m_at;
        takeHereDocuments();
        return true;
    }
    if (c == u'&') {
        takeAmpersand(frame);
        return true;
    }
    if (c == u'|') {
        const QString op = peek(1) == u'|' ? u"||"_s : peek(1) == u'&' ? u"|&"_s : u"|"_s;
        finishCommand(frame, op);
        m_at += op.size();
        return true;
    }
    const bool ends = peek(1) == u';' || peek(1) == u'&';
    finishCommand(frame, ends ? u";;"_s : u";"_s);
    m_at += ends ? 2 : 1;
    if (ends) {
        if (peek() == u'&')
            ++m_at;
        if (!frame.blocks.isEmpty() && frame.blocks.last().kind == BlockKind::Case)
            frame.blocks.last().inPattern = true;
    }
    return true;
}

void ShellParser::takeAmpersand(Frame& frame)
{
    if (peek(1) == u'>') {
        takeRedirection(frame, -1);
        return;
    }
    const bool both = peek(1) == u'&';
    finishCommand(frame, both ? u"&&"_s : u"&"_s);
    m_at += both ? 2 : 1;
}

void ShellParser::takeOpenParen(Frame& frame)
{
    if (frame.command < 0 && peek(1) == u'(') {
        takeArithmeticCommand(frame);
        return;
    }
    if (frame.command >= 0) {
        ShellCommand& command = commandOf(frame);
        if (command.words.size() == 1 && command.assignments.isEmpty() && takeFunctionParens(frame))
            return;
        if (command.kind == ShellCommand::Kind::BlockStart && command.name() == u"for" && peek(1) == u'(') {
            takeArithmeticCommand(frame);
            return;
        }
        fault(m_at, u"A parenthesis ( stands where bash does not expect one."_s);
        ++m_at;
        return;
    }
    Context inside = frame.context;
    ++inside.subshells;
    if (!frame.pendingFunction.isEmpty())
        inside.function = frame.pendingFunction;
    frame.pendingFunction.clear();
    startWords(frame, ShellCommand::Kind::BlockStart, u"("_s, m_at);
    ++m_at;
    finishCommand(frame, {});
    openBlock(frame, BlockKind::Paren, inside);
}

bool ShellParser::takeCloseParen(Frame& frame)
{
    if (frame.open.at(std::size_t(BlockKind::Paren)) == 0)
        return false;
    finishCommand(frame, u")"_s);
    closeBlock(frame, BlockKind::Paren, u")"_s);
    return true;
}

bool ShellParser::takeFunctionParens(Frame& frame)
{
    qsizetype at = m_at + 1;
    while (isBlankAt(at))
        ++at;
    if (at >= m_text.size() || m_text.at(at) != u')')
        return false;
    ShellCommand& command = commandOf(frame);
    command.kind = ShellCommand::Kind::BlockStart;
    frame.pendingFunction = command.name();
    m_at = at + 1;
    finishCommand(frame, {});
    return true;
}

/// A reserved word where a command may begin; false when there is none.
bool ShellParser::takeReserved(Frame& frame)
{
    qsizetype end = m_at;
    while (end < m_text.size() && !isWordEndAt(end) && end - m_at < 9)
        ++end;
    if (!isWordEndAt(end))
        return false;
    const QString word = m_text.mid(m_at, end - m_at);
    if (!reservedWords.contains(word))
        return false;
    if (word == u"[[") {
        takeTest(frame);
        return true;
    }
    if (word == u"for" || word == u"select" || word == u"case" || word == u"function") {
        takeHeader(frame, word);
        return true;
    }
    if (word == u"if" || word == u"while" || word == u"until" || word == u"{")
        startWords(frame, ShellCommand::Kind::BlockStart, word, m_at);
    const qsizetype at = m_at;
    m_at = end;
    if (frame.command >= 0)
        finishCommand(frame, {});
    if (word == u"fi" || word == u"done" || word == u"esac" || word == u"}") {
        m_at = at;
        static const QHash<QString, BlockKind> kinds{{u"fi"_s, BlockKind::If}, {u"done"_s, BlockKind::Loop},
            {u"esac"_s, BlockKind::Case}, {u"}"_s, BlockKind::Brace}};
        closeBlock(frame, kinds.value(word), word);
        return true;
    }
    applyReserved(frame, word);
    return true;
}

void ShellParser::applyReserved(Frame& frame, const QString& word)
{
    Context inside = frame.context;
    if (word == u"!") {
        frame.negated = true;
    } else if (word == u"{") {
        if (!frame.pendingFunction.isEmpty())
            inside.function = frame.pendingFunction;
        frame.pendingFunction.clear();
        openBlock(frame, BlockKind::Brace, inside);
    } else if (word == u"if") {
        inside.isCondition = true;
        openBlock(frame, BlockKind::If, inside);
    } else if (word == u"while" || word == u"until") {
        inside.isCondition = true;
        openBlock(frame, BlockKind::Loop, inside);
    } else if (word != u"time") {
        const BlockKind kind = word == u"do" ? BlockKind::Loop : BlockKind::If;
        if (frame.blocks.isEmpty() || frame.blocks.last().kind != kind) {
            fault(m_at - word.size(), u"The word %1 stands here without its beginning."_s.arg(word));
            return;
        }
        frame.context = frame.blocks.last().outside;
        frame.context.loops += word == u"do" ? 1 : 0;
        frame.context.conditions += word == u"do" ? 0 : 1;
        frame.context.isCondition = word == u"elif";
    }
}

/// for NAME in ..., select, case WORD in, function NAME: up to the end of the header.
void ShellParser::takeHeader(Frame& frame, const QString& word)
{
    startWords(frame, ShellCommand::Kind::BlockStart, word, m_at);
    m_at += word.size();
    const bool isCase = word == u"case";
    for (skipBlanks(); !atEnd(); skipBlanks()) {
        if (word == u"for" && peek() == u'(' && peek(1) == u'(')
            takeArithmeticCommand(frame);
        else if (word == u"function" && peek() == u'(' && peek(1) == u')')
            m_at += 2;
        else if (isWordEndAt(m_at) || (word == u"function" && peek() == u'{'))
            break;
        else if (const qsizetype before = m_at; true) {
            const ShellWord next = takeWord(frame);
            if (m_at == before) // a character that no header may hold: bash would refuse the script
                ++m_at;
            else
                commandOf(frame).words.append(next);
        }
        if (isCase && commandOf(frame).words.last().value == u"in")
            break;
    }
    if (word == u"function" && commandOf(frame).words.size() > 1)
        frame.pendingFunction = commandOf(frame).words.at(1).value;
    const QString name = frame.pendingFunction;
    finishCommand(frame, {});
    if (word == u"function") {
        frame.pendingFunction = name;
        return;
    }
    openBlock(frame, isCase ? BlockKind::Case : BlockKind::Loop, frame.context);
    if (isCase) {
        frame.blocks.last().inPattern = true;
        ++frame.context.conditions;
    }
}

void ShellParser::openBlock(Frame& frame, BlockKind kind, const Context& inside)
{
    Block block;
    block.kind = kind;
    block.outside = frame.context;
    block.line = lineOf(original(qMax(qsizetype(0), m_at - 1)));
    block.column = columnOf(original(qMax(qsizetype(0), m_at - 1)));
    frame.blocks.append(block);
    ++frame.open.at(std::size_t(kind));
    frame.context = inside;
}

/// The word stands at m_at. What is open inside of the block is not closed: said once, then left.
void ShellParser::closeBlock(Frame& frame, BlockKind kind, const QString& word)
{
    if (frame.open.at(std::size_t(kind)) == 0) {
        fault(m_at, u"The word %1 closes nothing."_s.arg(word));
    } else {
        while (frame.blocks.last().kind != kind) {
            fault(m_at, u"The word %1 stands here before something inside is closed."_s.arg(word));
            --frame.open.at(std::size_t(frame.blocks.last().kind));
            frame.blocks.removeLast();
        }
        frame.context = frame.blocks.last().outside;
        frame.blocks.removeLast();
        --frame.open.at(std::size_t(kind));
    }
    startWords(frame, ShellCommand::Kind::BlockEnd, word, m_at);
    m_at += word.size();
}

} // namespace rankwright
