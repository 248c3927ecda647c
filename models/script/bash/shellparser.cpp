// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bash/shellparser.h"

#include <QHash>
#include <QRegularExpression>
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

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

constexpr int deepestInner = 4; // bash -c in bash -c: each level reads its text again

bool isDeclaration(const QString& name)
{
    return name == u"export" || name == u"declare" || name == u"local" || name == u"readonly" || name == u"typeset";
}

bool isShell(const QString& word)
{
    const QString name = word.section(u'/', -1);
    return name == u"bash" || name == u"sh" || name == u"zsh" || name == u"dash" || name == u"ksh";
}

/// Whether the next word of a command is a text that another shell reads: behind "bash -c", "sh -lc", or of eval.
bool isInnerNext(const QList<ShellWord>& words)
{
    if (words.isEmpty())
        return false;
    if (words.size() == 1 && words.first().value == u"eval")
        return true;
    for (qsizetype i = words.size() - 1; i > 0 && i > words.size() - 6; --i) {
        const QString& option = words.at(i).value;
        if (!option.startsWith(u'-') || option.startsWith(u"--"))
            return false;
        if (i == words.size() - 1 && !option.contains(u'c'))
            return false;
        if (isShell(words.at(i - 1).value))
            return true;
    }
    return false;
}

/// The file that a command with a here-document writes: "cat > FILE << EOF", "tee FILE << EOF".
QString writtenFile(const ShellCommand& command)
{
    for (const ShellRedirection& redirection : command.redirections) {
        if (redirection.op.startsWith(u'>'))
            return redirection.target.value;
    }
    const bool tee = command.name() == u"tee";
    for (qsizetype i = 1; tee && i < command.words.size(); ++i) {
        if (!command.words.at(i).value.startsWith(u'-'))
            return command.words.at(i).value;
    }
    return {};
}

} // namespace

/// Where a pattern of a case may stand: up to its ), or esac.
void ShellParser::takeCasePattern(Frame& frame)
{
    skipLines();
    if (atEnd())
        return;
    if (m_text.mid(m_at, 4) == u"esac" && isWordEndAt(m_at + 4)) {
        closeBlock(frame, BlockKind::Case, u"esac"_s);
        return;
    }
    while (!atEnd() && peek() != u')' && peek() != u'\n') {
        const qsizetype before = m_at;
        skipBlanks();
        if (!atEnd() && !isWordEndAt(m_at))
            takeWord(frame);
        else if (!atEnd() && peek() != u')' && peek() != u'\n')
            ++m_at;
        if (m_at == before)
            break;
    }
    if (peek() == u')')
        ++m_at;
    if (!frame.blocks.isEmpty())
        frame.blocks.last().inPattern = false;
}

void ShellParser::takeArgument(Frame& frame)
{
    qsizetype digits = m_at;
    while (digits < m_text.size() && m_text.at(digits).isDigit() && digits - m_at < 4)
        ++digits;
    const QChar behind = digits < m_text.size() ? m_text.at(digits) : QChar();
    if (digits > m_at && (behind == u'<' || behind == u'>')) {
        const int descriptor = m_text.mid(m_at, digits - m_at).toInt();
        m_at = digits;
        takeRedirection(frame, descriptor);
        return;
    }
    if (frame.command < 0)
        openCommand(frame);
    if (takeAssignment(frame))
        return;
    const bool inner = isInnerNext(commandOf(frame).words) && frame.innerWord < 0;
    std::vector<qsizetype> origins;
    ShellWord word = takeWord(frame, inner ? &origins : nullptr);
    ShellCommand& command = commandOf(frame); // taken again: the word may have brought further commands
    if (inner && word.quoted) {
        frame.innerWord = static_cast<int>(command.words.size());
        frame.innerOrigins = std::move(origins);
    }
    command.words.append(std::move(word));
}

bool ShellParser::takeAssignment(Frame& frame)
{
    static const QRegularExpression start(
        u"[A-Za-z_][A-Za-z0-9_]*(\\[[^\\]\\s]{0,80}\\])?\\+?="_s, QRegularExpression::DontCaptureOption);
    const bool declares = !commandOf(frame).words.isEmpty() && isDeclaration(commandOf(frame).name());
    if (!commandOf(frame).words.isEmpty() && !declares)
        return false;
    const auto match = start.match(m_text, m_at, QRegularExpression::NormalMatch,
        QRegularExpression::AnchorAtOffsetMatchOption | QRegularExpression::DontCheckSubjectStringMatchOption);
    if (!match.hasMatch())
        return false;
    const qsizetype begin = m_at;
    ShellAssignment assignment;
    assignment.line = lineOf(original(begin));
    const QString head = match.captured(0);
    assignment.appends = head.endsWith(u"+=");
    assignment.name = head.left(head.size() - (assignment.appends ? 2 : 1)).section(u'[', 0, 0);
    m_at += head.size();
    if (peek() == u'(') {
        takeArrayElements(frame, assignment);
    } else {
        assignment.value = takeWord(frame);
    }
    ShellCommand& command = commandOf(frame);
    command.assignments.append(assignment);
    if (declares) {
        ShellWord word = assignment.value;
        word.text = m_text.mid(begin, m_at - begin);
        word.value.prepend(head);
        for (Expansion& expansion : word.expansions)
            expansion.at += head.size();
        word.begin = original(begin);
        word.line = assignment.line;
        word.column = columnOf(word.begin);
        command.words.append(word);
    }
    return true;
}

void ShellParser::takeArrayElements(Frame& frame, ShellAssignment& assignment)
{
    const qsizetype begin = m_at++;
    assignment.isArray = true;
    for (skipLines(); !atEnd() && peek() != u')'; skipLines()) {
        if (isWordEndAt(m_at) && peek() != u'<' && peek() != u'>')
            ++m_at; // a stray operator
        else if (isWordEndAt(m_at) && peek(1) != u'(')
            ++m_at;
        else
            assignment.elements.append(takeWord(frame));
    }
    if (atEnd())
        fault(begin, u"A list of values is opened here and never closed."_s);
    else
        ++m_at;
    assignment.value.text = m_text.mid(begin, m_at - begin);
    assignment.value.value = assignment.value.text;
    assignment.value.begin = original(begin);
    assignment.value.end = original(m_at - 1) + 1;
    assignment.value.line = lineOf(assignment.value.begin);
    assignment.value.column = columnOf(assignment.value.begin);
    assignment.value.lastLine = lineOf(assignment.value.end - 1);
}

void ShellParser::takeRedirection(Frame& frame, int descriptor)
{
    static const QStringList operators{
        u"<<<"_s, u"<<-"_s, u"<<"_s, u"<&"_s, u"<>"_s, u"<"_s, u"&>>"_s, u"&>"_s, u">>"_s, u">&"_s, u">|"_s, u">"_s};
    if (frame.command < 0)
        openCommand(frame);
    ShellRedirection redirection;
    redirection.descriptor = descriptor;
    for (const QString& op : operators) {
        if (m_text.mid(m_at, op.size()) == op) {
            redirection.op = op;
            break;
        }
    }
    m_at += qMax(qsizetype(1), redirection.op.size());
    skipBlanks();
    redirection.target = takeWord(frame);
    if (redirection.op == u"<<" || redirection.op == u"<<-") {
        HereDocument document;
        document.delimiter = redirection.target.value;
        document.quoted = redirection.target.quoted;
        document.stripsTabs = redirection.op == u"<<-";
        document.line = redirection.target.line;
        document.command = frame.command;
        document.closed = false;
        redirection.hereDocument = static_cast<int>(m_shared.out.hereDocuments.size());
        m_pending.append(redirection.hereDocument);
        m_shared.out.hereDocuments.append(document);
    }
    commandOf(frame).redirections.append(redirection);
}

/// Behind the newline that ends a command: the bodies that its redirections announced.
void ShellParser::takeHereDocuments()
{
    const QList<int> pending = std::exchange(m_pending, {});
    for (const int announced : pending) {
        HereDocument& document = m_shared.out.hereDocuments[announced];
        document.firstLine = lineOf(original(m_at));
        document.lastLine = document.firstLine - 1;
        while (!atEnd() && !document.closed) {
            const qsizetype newline = m_text.indexOf(u'\n', m_at);
            const qsizetype end = newline < 0 ? m_text.size() : newline;
            QString line = m_text.mid(m_at, end - m_at);
            if (line.endsWith(u'\r'))
                line.chop(1);
            while (document.stripsTabs && line.startsWith(u'\t'))
                line.remove(0, 1);
            if (line == document.delimiter) {
                document.closed = true;
            } else {
                document.body += line + u'\n';
                document.lastLine = lineOf(original(m_at));
            }
            m_at = newline < 0 ? end : newline + 1;
        }
        if (!document.closed && m_shared.out.faults.size() < 20) {
            m_shared.out.faults.append({document.line, 1,
                u"The here-document that begins here is never ended by a line %1."_s.arg(document.delimiter)});
        }
    }
}

void ShellParser::takeTest(Frame& frame)
{
    startWords(frame, ShellCommand::Kind::Test, u"[["_s, m_at);
    const qsizetype begin = m_at;
    m_at += 2;
    for (skipLines(); !atEnd(); skipLines()) {
        const qsizetype at = m_at;
        if (u";&|()<>"_s.contains(peek()) && !(peek() == u'<' && peek(1) == u'(')) {
            ++m_at;
            ShellWord word;
            word.text = word.value = m_text.mid(at, 1);
            word.begin = original(at);
            word.end = word.begin + 1;
            word.line = word.lastLine = lineOf(word.begin);
            word.column = columnOf(word.begin);
            commandOf(frame).words.append(word);
            continue;
        }
        ShellWord word = takeWord(frame);
        if (m_at == at)
            ++m_at;
        const bool ends = word.text == u"]]";
        commandOf(frame).words.append(std::move(word));
        if (ends)
            return;
    }
    fault(begin, u"A test [[ is opened here and never closed."_s);
}

/// (( ... )), also as the header of a for loop.
void ShellParser::takeArithmeticCommand(Frame& frame)
{
    if (frame.command < 0)
        openCommand(frame, ShellCommand::Kind::Arithmetic);
    const qsizetype begin = m_at;
    m_at += 2;
    Expansion expansion;
    expansion.kind = Expansion::Kind::Arithmetic;
    takeArithmetic(frame, expansion);
    Builder builder;
    addExpansion(builder, expansion, begin, true);
    ShellWord& word = builder.word;
    word.text = word.value;
    word.begin = original(begin);
    word.end = original(m_at - 1) + 1;
    word.line = lineOf(word.begin);
    word.column = columnOf(word.begin);
    word.lastLine = lineOf(word.end - 1);
    commandOf(frame).words.append(word);
}

ShellCommand& ShellParser::openCommand(Frame& frame, ShellCommand::Kind kind)
{
    ShellCommand command;
    command.kind = kind;
    command.begin = original(m_at);
    command.end = command.begin;
    command.line = command.lastLine = lineOf(command.begin);
    command.column = columnOf(command.begin);
    command.before = std::exchange(frame.before, {});
    command.negated = std::exchange(frame.negated, false);
    const Context& context = frame.context;
    command.isCondition = context.isCondition;
    command.parent = context.parent;
    command.inSubstitution = context.inSubstitution;
    command.inInnerShell = context.innerDepth > 0;
    command.function = context.function;
    command.loopDepth = context.loops;
    command.conditionDepth = context.conditions;
    command.subshellDepth = context.subshells;
    frame.command = static_cast<int>(m_shared.out.commands.size());
    frame.innerWord = -1;
    m_shared.out.commands.append(command);
    return m_shared.out.commands.last();
}

void ShellParser::startWords(Frame& frame, ShellCommand::Kind kind, const QString& word, qsizetype at)
{
    ShellCommand& command = openCommand(frame, kind);
    ShellWord literal;
    literal.text = literal.value = word;
    literal.begin = original(at);
    literal.end = original(at + word.size() - 1) + 1;
    literal.line = literal.lastLine = lineOf(literal.begin);
    literal.column = columnOf(literal.begin);
    command.words.append(literal);
}

void ShellParser::finishCommand(Frame& frame, const QString& separator)
{
    const bool joins = separator == u"&&" || separator == u"||" || separator == u"|" || separator == u"|&";
    if (frame.command < 0) {
        if (joins)
            fault(m_at, u"Nothing stands before %1."_s.arg(separator));
        return;
    }
    ShellCommand& command = commandOf(frame);
    command.separator = separator;
    qsizetype end = m_at;
    while (end > 0 && original(end) > command.begin && isBlankAt(end - 1))
        --end;
    command.end = qMax(command.begin, original(qMax(qsizetype(0), end - 1)) + 1);
    command.lastLine = lineOf(qMax(command.begin, command.end - 1));
    frame.before = joins ? separator : QString();
    const auto announces = [](const ShellRedirection& redirection) { return redirection.hereDocument >= 0; };
    if (std::any_of(command.redirections.cbegin(), command.redirections.cend(), announces)) {
        const QString file = writtenFile(command);
        for (const ShellRedirection& redirection : std::as_const(command.redirections)) {
            if (redirection.hereDocument >= 0)
                m_shared.out.hereDocuments[redirection.hereDocument].target = file;
        }
    }
    if (frame.innerWord >= 0)
        parseInner(frame);
    frame.command = -1;
    frame.innerWord = -1;
}

/// The quoted text of `bash -c` and `eval`: its commands, at the places where they stand in the whole text.
void ShellParser::parseInner(const Frame& frame)
{
    const ShellCommand command = m_shared.out.commands.at(frame.command);
    const ShellWord& word = command.words.at(frame.innerWord);
    Context context = frame.context;
    if (context.innerDepth >= deepestInner)
        return;
    context.parent = frame.command;
    ++context.innerDepth;
    context.isCondition = false;
    Inner inner;
    inner.text = word.value;
    inner.origins = frame.innerOrigins;
    inner.early.assign(static_cast<std::size_t>(word.value.size()), false);
    for (const Expansion& expansion : word.expansions) {
        for (qsizetype i = 0; i < expansion.text.size() && expansion.at + i < word.value.size(); ++i)
            inner.early.at(static_cast<std::size_t>(expansion.at + i)) = true;
    }
    if (static_cast<qsizetype>(inner.origins.size()) == inner.text.size())
        ShellParser(inner, m_shared, context, m_depth + 1).run();
}

} // namespace rankwright
