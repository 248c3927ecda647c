// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bash/shellparser.h"

#include "models/script/bash/launchnames.h"
#include "models/script/bash/shellcursor.h"
#include "models/script/bash/shellwordparser.h"

#include <QHash>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

const QStringList reservedWords{u"if"_s, u"then"_s, u"elif"_s, u"else"_s, u"fi"_s, u"for"_s, u"while"_s, u"until"_s,
    u"select"_s, u"do"_s, u"done"_s, u"case"_s, u"esac"_s, u"{"_s, u"}"_s, u"!"_s, u"time"_s, u"function"_s, u"[["_s};
constexpr int deepestInner = 4; // bash -c in bash -c: each level reads its text again

} // namespace

/// The commands in a word of a list: they are in the context of the command that has the word.
class ShellParser::FrameSubstitutions final : public ShellSubstitutions {
public:
    FrameSubstitutions(ShellParser& parser, const Frame& frame) : m_parser(parser), m_frame(frame) { }
    void readCommands() override
    {
        Frame inner;
        inner.context = inside();
        inner.endsAtParen = true;
        m_parser.parseList(inner);
    }
    void readText(const ShellInnerText& inner) override
    {
        ShellParser(inner, m_parser.m_in.reading(), inside(), m_parser.m_in.depth + 1).run();
    }

private:
    ShellContext inside() const
    {
        ShellContext context = m_frame.context;
        context.inSubstitution = true;
        context.isCondition = false;
        if (m_frame.command)
            context.parent = m_frame.command;
        return context;
    }
    ShellParser& m_parser;
    const Frame& m_frame;
};

ShellParser::ShellParser(const QString& text, ShellReading& reading) : m_in(text, reading) { }

ShellParser::ShellParser(const ShellInnerText& inner, ShellReading& reading, const ShellContext& context, int depth)
    : m_in(inner, reading, depth), m_context(context)
{ }

ShellWord ShellParser::readWord(Frame& frame)
{
    FrameSubstitutions inside(*this, frame);
    return ShellWordParser(m_in, inside).readWord();
}

void ShellParser::run()
{
    Frame frame;
    frame.context = m_context;
    while (!m_in.atEnd()) {
        parseList(frame);
        if (m_in.atEnd())
            break;
        m_in.fault(m_in.at, u"A parenthesis ) closes nothing."_s);
        ++m_in.at;
    }
    finishCommand(frame, ShellSeparator::None);
    frame.blocks.reportOpen(m_in.reading());
}

void ShellParser::skipLines()
{
    while (!m_in.atEnd()) {
        m_in.skipBlanks();
        if (m_in.peek() == u'#') {
            while (!m_in.atEnd() && m_in.peek() != u'\n')
                ++m_in.at;
        } else if (m_in.peek() == u'\n') {
            ++m_in.at;
            m_hereDocuments.readBodies();
        } else {
            return;
        }
    }
}

void ShellParser::parseList(Frame& frame)
{
    while (!m_in.atEnd() && step(frame)) { }
    if (frame.endsAtParen)
        finishCommand(frame, m_in.atEnd() ? ShellSeparator::None : ShellSeparator::CloseParen);
}

/// One step of a list; false at the ) that ends it.
bool ShellParser::step(Frame& frame)
{
    m_in.skipBlanks();
    if (m_in.atEnd())
        return true;
    const QChar c = m_in.peek();
    if (frame.blocks.isAtPattern() && !frame.command) {
        readCasePattern(frame);
    } else if (c == u'#') {
        while (!m_in.atEnd() && m_in.peek() != u'\n')
            ++m_in.at;
    } else if (c == u'\n' || c == u';' || c == u'&' || c == u'|') {
        return readSeparator(frame);
    } else if (c == u'(') {
        readOpenParen(frame);
    } else if (c == u')') {
        return readCloseParen(frame);
    } else if ((c == u'<' || c == u'>') && m_in.peek(1) != u'(') {
        readRedirection(frame);
    } else if (frame.command || !readReserved(frame)) {
        readArgument(frame);
    }
    return true;
}

bool ShellParser::readSeparator(Frame& frame)
{
    const QChar c = m_in.peek();
    if (c == u'\n') {
        finishCommand(frame, ShellSeparator::NewLine);
        ++m_in.at;
        m_hereDocuments.readBodies();
        return true;
    }
    if (c == u'&') {
        readAmpersand(frame);
        return true;
    }
    if (c == u'|') {
        const ShellSeparator pipe = m_in.peek(1) == u'|' ? ShellSeparator::Or
            : m_in.peek(1) == u'&'                       ? ShellSeparator::PipeBoth
                                                         : ShellSeparator::Pipe;
        finishCommand(frame, pipe);
        m_in.at += wordOf(pipe).size();
        return true;
    }
    const bool ends = m_in.peek(1) == u';' || m_in.peek(1) == u'&';
    finishCommand(frame, ends ? ShellSeparator::CaseEnd : ShellSeparator::Semicolon);
    const qsizetype at = m_in.at;
    m_in.at += ends ? 2 : 1;
    if (ends) {
        if (m_in.peek() == u'&')
            ++m_in.at;
        frame.blocks.endPattern(at, m_in);
    }
    return true;
}

void ShellParser::readAmpersand(Frame& frame)
{
    if (m_in.peek(1) == u'>') {
        readRedirection(frame);
        return;
    }
    const bool both = m_in.peek(1) == u'&';
    finishCommand(frame, both ? ShellSeparator::And : ShellSeparator::Background);
    m_in.at += both ? 2 : 1;
}

void ShellParser::readOpenParen(Frame& frame)
{
    if (!frame.command && m_in.peek(1) == u'(') {
        readArithmeticCommand(frame);
        return;
    }
    if (frame.command) {
        ShellCommand& command = commandOf(frame);
        if (command.words.size() == 1 && command.assignments.isEmpty() && readFunctionParens(frame))
            return;
        if (command.kind == ShellCommand::Kind::BlockStart && command.name() == u"for" && m_in.peek(1) == u'(') {
            readArithmeticCommand(frame);
            return;
        }
        m_in.fault(m_in.at, u"There is a parenthesis ( where bash does not expect one."_s);
        ++m_in.at;
        return;
    }
    ShellContext inside = frame.context;
    ++inside.subshells;
    if (!frame.pendingFunction.isEmpty())
        inside.function = frame.pendingFunction;
    frame.pendingFunction.clear();
    startWords(frame, ShellCommand::Kind::BlockStart, u"("_s, m_in.at);
    ++m_in.at;
    finishCommand(frame, ShellSeparator::None);
    openBlock(frame, BlockKind::Paren, inside);
}

bool ShellParser::readCloseParen(Frame& frame)
{
    if (!frame.blocks.isOpen(BlockKind::Paren))
        return false;
    finishCommand(frame, ShellSeparator::CloseParen);
    closeBlock(frame, BlockKind::Paren, u")"_s);
    return true;
}

bool ShellParser::readFunctionParens(Frame& frame)
{
    qsizetype at = m_in.at + 1;
    while (m_in.isBlankAt(at))
        ++at;
    if (at >= m_in.text.size() || m_in.text.at(at) != u')')
        return false;
    ShellCommand& command = commandOf(frame);
    command.kind = ShellCommand::Kind::BlockStart;
    frame.pendingFunction = command.name();
    m_in.at = at + 1;
    finishCommand(frame, ShellSeparator::None);
    return true;
}

/// A reserved word where a command may begin; false when there is none.
bool ShellParser::readReserved(Frame& frame)
{
    qsizetype end = m_in.at;
    while (end < m_in.text.size() && !m_in.isWordEndAt(end) && end - m_in.at < 9)
        ++end;
    if (!m_in.isWordEndAt(end))
        return false;
    const QStringView typed = QStringView(m_in.text).sliced(m_in.at, end - m_in.at);
    const auto reserved = std::find_if(
        reservedWords.cbegin(), reservedWords.cend(), [typed](const QString& one) { return one == typed; });
    if (reserved == reservedWords.cend())
        return false;
    const QString word = *reserved;
    if (word == u"[[") {
        readTest(frame);
        return true;
    }
    if (word == u"for" || word == u"select" || word == u"case" || word == u"function") {
        readHeader(frame, word);
        return true;
    }
    if (word == u"if" || word == u"while" || word == u"until" || word == u"{")
        startWords(frame, ShellCommand::Kind::BlockStart, word, m_in.at);
    const qsizetype at = m_in.at;
    m_in.at = end;
    if (frame.command)
        finishCommand(frame, ShellSeparator::None);
    if (word == u"fi" || word == u"done" || word == u"esac" || word == u"}") {
        m_in.at = at;
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
    ShellContext inside = frame.context;
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
        if (!frame.blocks.isInnermost(kind)) {
            m_in.fault(m_in.at - word.size(), u"The word %1 is here without its beginning."_s.arg(word));
            return;
        }
        frame.context = frame.blocks.goOn(word, m_in);
    }
}

/// for NAME in ..., select, case WORD in, function NAME: up to the end of the header.
void ShellParser::readHeader(Frame& frame, const QString& word)
{
    startWords(frame, ShellCommand::Kind::BlockStart, word, m_in.at);
    m_in.at += word.size();
    const bool isCase = word == u"case";
    for (m_in.skipBlanks(); !m_in.atEnd(); m_in.skipBlanks()) {
        if (word == u"for" && m_in.peek() == u'(' && m_in.peek(1) == u'(')
            readArithmeticCommand(frame);
        else if (word == u"function" && m_in.peek() == u'(' && m_in.peek(1) == u')')
            m_in.at += 2;
        else if (m_in.isWordEndAt(m_in.at) || (word == u"function" && m_in.peek() == u'{'))
            break;
        else {
            const qsizetype before = m_in.at;
            const ShellWord next = readWord(frame);
            if (m_in.at == before) // a character that no header may hold: bash would refuse the script
                ++m_in.at;
            else
                commandOf(frame).words.append(next);
        }
        if (isCase && commandOf(frame).words.last().value == u"in")
            break;
    }
    if (word == u"function" && commandOf(frame).words.size() > 1)
        frame.pendingFunction = commandOf(frame).words.at(1).value;
    const QString name = frame.pendingFunction;
    finishCommand(frame, ShellSeparator::None);
    if (word == u"function") {
        frame.pendingFunction = name;
        return;
    }
    openBlock(frame, isCase ? BlockKind::Case : BlockKind::Loop, frame.context);
    if (isCase) {
        frame.blocks.setAtPattern(true);
        ++frame.context.conditions;
    }
}

void ShellParser::openBlock(Frame& frame, BlockKind kind, const ShellContext& inside)
{
    frame.blocks.open(kind, frame.context, m_in);
    frame.context = inside;
}

/// The word is at the cursor.
void ShellParser::closeBlock(Frame& frame, BlockKind kind, const QString& word)
{
    if (const auto outside = frame.blocks.close(kind, word, m_in))
        frame.context = *outside;
    startWords(frame, ShellCommand::Kind::BlockEnd, word, m_in.at);
    m_in.at += word.size();
}

/// Where a pattern of a case may stand: up to its ), or esac.
void ShellParser::readCasePattern(Frame& frame)
{
    skipLines();
    if (m_in.atEnd())
        return;
    if (m_in.text.mid(m_in.at, 4) == u"esac" && m_in.isWordEndAt(m_in.at + 4)) {
        closeBlock(frame, BlockKind::Case, u"esac"_s);
        return;
    }
    frame.blocks.beginHead(m_in.at, m_in);
    while (!m_in.atEnd() && m_in.peek() != u')' && m_in.peek() != u'\n') {
        const qsizetype before = m_in.at;
        m_in.skipBlanks();
        if (!m_in.atEnd() && !m_in.isWordEndAt(m_in.at))
            readWord(frame);
        else if (!m_in.atEnd() && m_in.peek() != u')' && m_in.peek() != u'\n')
            ++m_in.at;
        if (m_in.at == before)
            break;
    }
    const qsizetype end = m_in.at;
    if (m_in.peek() == u')')
        ++m_in.at;
    frame.blocks.beginArm(end, ShellBlocks::ArmHead::Own, m_in);
    frame.blocks.setAtPattern(false);
}

void ShellParser::readArgument(Frame& frame)
{
    qsizetype digits = m_in.at;
    while (digits < m_in.text.size() && m_in.text.at(digits).isDigit() && digits - m_in.at < 4)
        ++digits;
    const QChar behind = digits < m_in.text.size() ? m_in.text.at(digits) : QChar();
    if (digits > m_in.at && (behind == u'<' || behind == u'>')) {
        m_in.at = digits;
        readRedirection(frame);
        return;
    }
    if (!frame.command)
        openCommand(frame);
    if (readAssignment(frame))
        return;
    const bool inner = isShellTextNext(commandOf(frame).words) && !frame.innerWord;
    ShellWord word = readWord(frame);
    ShellCommand& command = commandOf(frame); // taken again: the word may have brought further commands
    if (inner && word.quoted)
        frame.innerWord = static_cast<int>(command.words.size());
    command.words.append(std::move(word));
}

bool ShellParser::readAssignment(Frame& frame)
{
    const bool declares = !commandOf(frame).words.isEmpty() && isDeclaration(commandOf(frame).name());
    if (!commandOf(frame).words.isEmpty() && !declares)
        return false;
    const qsizetype begin = m_in.at;
    const qsizetype valueAt = endOfAssignmentHead(m_in.text, begin);
    if (valueAt < 0)
        return false;
    ShellAssignment assignment;
    assignment.line = m_in.lineOf(m_in.original(begin));
    const QString head = m_in.text.sliced(begin, valueAt - begin);
    assignment.appends = head.endsWith(u"+=");
    const qsizetype index = head.indexOf(u'[');
    assignment.name = head.left(index < 0 ? head.size() - (assignment.appends ? 2 : 1) : index);
    m_in.at += head.size();
    if (m_in.peek() == u'(') {
        readArrayElements(frame, assignment);
    } else {
        assignment.value = readWord(frame);
    }
    ShellCommand& command = commandOf(frame);
    command.assignments.append(assignment);
    if (declares) {
        ShellWord word = assignment.value;
        word.text = m_in.since(begin);
        word.value.prepend(head);
        for (Expansion& expansion : word.expansions)
            expansion.at += head.size();
        word.origins = m_in.originals(begin, head.size()) + word.origins;
        word.begin = m_in.original(begin);
        word.line = assignment.line;
        word.column = m_in.columnOf(word.begin);
        command.words.append(word);
    }
    return true;
}

void ShellParser::readArrayElements(Frame& frame, ShellAssignment& assignment)
{
    const qsizetype begin = m_in.at++;
    assignment.isArray = true;
    for (skipLines(); !m_in.atEnd() && m_in.peek() != u')'; skipLines()) {
        if (m_in.isWordEndAt(m_in.at) && m_in.peek() != u'<' && m_in.peek() != u'>')
            ++m_in.at; // a stray operator
        else if (m_in.isWordEndAt(m_in.at) && m_in.peek(1) != u'(')
            ++m_in.at;
        else
            assignment.elements.append(readWord(frame));
    }
    if (m_in.atEnd())
        m_in.fault(begin, u"A list of values is opened here and never closed."_s);
    else
        ++m_in.at;
    assignment.value.text = m_in.since(begin);
    assignment.value.value = assignment.value.text;
    assignment.value.begin = m_in.original(begin);
    assignment.value.end = m_in.original(m_in.at - 1) + 1;
    assignment.value.line = m_in.lineOf(assignment.value.begin);
    assignment.value.column = m_in.columnOf(assignment.value.begin);
    assignment.value.lastLine = m_in.lineOf(assignment.value.end - 1);
}

void ShellParser::readRedirection(Frame& frame)
{
    static const QStringList operators{
        u"<<<"_s, u"<<-"_s, u"<<"_s, u"<&"_s, u"<>"_s, u"<"_s, u"&>>"_s, u"&>"_s, u">>"_s, u">&"_s, u">|"_s, u">"_s};
    if (!frame.command)
        openCommand(frame);
    ShellRedirection redirection;
    for (const QString& op : operators) {
        if (m_in.text.mid(m_in.at, op.size()) == op) {
            redirection.op = op;
            break;
        }
    }
    m_in.at += qMax(qsizetype(1), redirection.op.size());
    m_in.skipBlanks();
    redirection.target = readWord(frame);
    redirection.hereDocument = m_hereDocuments.announce(redirection);
    commandOf(frame).redirections.append(redirection);
}

void ShellParser::readTest(Frame& frame)
{
    startWords(frame, ShellCommand::Kind::Test, u"[["_s, m_in.at);
    const qsizetype begin = m_in.at;
    m_in.at += 2;
    for (skipLines(); !m_in.atEnd(); skipLines()) {
        const qsizetype at = m_in.at;
        if (u";&|()<>"_s.contains(m_in.peek()) && !(m_in.peek() == u'<' && m_in.peek(1) == u'(')) {
            ++m_in.at;
            commandOf(frame).words.append(literal(m_in.text.mid(at, 1), at));
            continue;
        }
        ShellWord word = readWord(frame);
        if (m_in.at == at)
            ++m_in.at;
        const bool ends = word.text == u"]]";
        commandOf(frame).words.append(std::move(word));
        if (ends)
            return;
    }
    m_in.fault(begin, u"A test [[ is opened here and never closed."_s);
}

/// (( ... )), also as the header of a for loop.
void ShellParser::readArithmeticCommand(Frame& frame)
{
    if (!frame.command)
        openCommand(frame, ShellCommand::Kind::Arithmetic);
    FrameSubstitutions inside(*this, frame);
    ShellWord word = ShellWordParser(m_in, inside).readArithmeticWord();
    commandOf(frame).words.append(std::move(word)); // taken now: the word may have brought further commands
}

ShellCommand& ShellParser::openCommand(Frame& frame, ShellCommand::Kind kind)
{
    ShellCommand command;
    command.kind = kind;
    command.begin = m_in.original(m_in.at);
    command.end = command.begin;
    command.line = command.lastLine = m_in.lineOf(command.begin);
    command.column = m_in.columnOf(command.begin);
    command.before = std::exchange(frame.before, ShellSeparator::None);
    command.negated = std::exchange(frame.negated, false);
    const ShellContext& context = frame.context;
    command.isCondition = context.isCondition;
    command.parent = context.parent;
    command.inSubstitution = context.inSubstitution;
    command.inInnerShell = context.innerDepth > 0;
    command.function = context.function;
    command.loopDepth = context.loops;
    command.conditionDepth = context.conditions;
    command.subshellDepth = context.subshells;
    frame.command = static_cast<int>(m_in.reading().out.commands.size());
    frame.innerWord.reset();
    m_in.reading().out.commands.append(command);
    return m_in.reading().out.commands.last();
}

ShellWord ShellParser::literal(const QString& text, qsizetype at) const
{
    ShellWord word;
    word.text = word.value = text;
    word.begin = m_in.original(at);
    word.end = m_in.original(at + text.size() - 1) + 1;
    word.origins = m_in.originals(at, text.size());
    word.line = word.lastLine = m_in.lineOf(word.begin);
    word.column = m_in.columnOf(word.begin);
    return word;
}

void ShellParser::startWords(Frame& frame, ShellCommand::Kind kind, const QString& word, qsizetype at)
{
    openCommand(frame, kind).words.append(literal(word, at));
}

void ShellParser::finishCommand(Frame& frame, ShellSeparator separator)
{
    if (!frame.command) {
        if (joins(separator))
            m_in.fault(m_in.at, u"There is nothing before %1."_s.arg(wordOf(separator)));
        return;
    }
    ShellCommand& command = commandOf(frame);
    command.separator = separator;
    qsizetype end = m_in.at;
    while (end > 0 && m_in.original(end) > command.begin && m_in.isBlankAt(end - 1))
        --end;
    command.end = qMax(command.begin, m_in.original(qMax(qsizetype(0), end - 1)) + 1);
    command.lastLine = m_in.lineOf(qMax(command.begin, command.end - 1));
    frame.before = joins(separator) ? separator : ShellSeparator::None;
    m_hereDocuments.setTargets(command);
    if (frame.innerWord)
        parseInner(frame, *frame.innerWord);
    frame.command.reset();
    frame.innerWord.reset();
}

/// The quoted text of `bash -c` and `eval`: its commands, at the places where they are in the whole text.
void ShellParser::parseInner(const Frame& frame, int innerWord)
{
    const ShellCommand command = m_in.reading().out.commands.at(*frame.command);
    const ShellWord& word = command.words.at(innerWord);
    ShellContext context = frame.context;
    if (context.innerDepth >= deepestInner)
        return;
    context.parent = frame.command;
    ++context.innerDepth;
    context.isCondition = false;
    ShellInnerText inner;
    inner.text = word.value;
    inner.origins.assign(word.origins.cbegin(), word.origins.cend());
    inner.early.assign(static_cast<std::size_t>(word.value.size()), false);
    for (const Expansion& expansion : word.expansions) {
        for (qsizetype i = 0; i < expansion.text.size() && expansion.at + i < word.value.size(); ++i)
            inner.early.at(static_cast<std::size_t>(expansion.at + i)) = true;
    }
    if (static_cast<qsizetype>(inner.origins.size()) == inner.text.size())
        ShellParser(inner, m_in.reading(), context, m_in.depth + 1).run();
}

} // namespace rankwright::inline script
