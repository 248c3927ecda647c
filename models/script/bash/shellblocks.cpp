// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bash/shellblocks.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

void ShellBlocks::open(Kind kind, const ShellContext& outside, const ShellCursor& in)
{
    const qsizetype word = in.original(qMax(qsizetype(0), in.at - 1));
    const int command = static_cast<int>(in.reading().out.commands.size()) - 1;
    m_blocks.append({kind, outside, in.lineOf(word), in.columnOf(word), false, command, {}, in.at});
    ++m_open.at(std::size_t(kind));
}

std::optional<ShellContext> ShellBlocks::close(Kind kind, const QString& word, ShellCursor& in)
{
    if (!isOpen(kind)) {
        in.fault(in.at, u"The word %1 closes nothing."_s.arg(word));
        return {};
    }
    while (!isInnermost(kind)) {
        in.fault(in.at, u"The word %1 comes before something inside is closed."_s.arg(word));
        --m_open.at(std::size_t(m_blocks.last().kind));
        m_blocks.removeLast();
    }
    --m_open.at(std::size_t(kind));
    endArm(m_blocks.last(), in.at, in);
    return m_blocks.takeLast().outside;
}

void ShellBlocks::endArm(Block& block, qsizetype at, ShellCursor& in)
{
    if (block.arm)
        in.reading().out.arms[*block.arm].end = in.original(at);
    block.arm.reset();
}

ShellContext ShellBlocks::goOn(const QString& word, ShellCursor& in)
{
    const qsizetype before = in.at - word.size();
    if (word == u"elif")
        beginHead(before, in);
    else if (word != u"do")
        beginArm(before, word == u"else" ? ArmHead::None : ArmHead::Own, in);
    ShellContext inside = outside();
    inside.loops += word == u"do" ? 1 : 0;
    inside.conditions += word == u"do" ? 0 : 1;
    inside.isCondition = word == u"elif";
    return inside;
}

void ShellBlocks::endPattern(qsizetype before, ShellCursor& in)
{
    setAtPattern(true);
    if (isAtPattern())
        beginHead(before, in);
}

void ShellBlocks::beginHead(qsizetype before, ShellCursor& in)
{
    if (m_blocks.isEmpty())
        return;
    endArm(m_blocks.last(), before, in);
    m_blocks.last().head = in.at;
}

void ShellBlocks::beginArm(qsizetype headEnd, ArmHead head, ShellCursor& in)
{
    const bool isElse = head == ArmHead::None;
    if (m_blocks.isEmpty())
        return;
    Block& block = m_blocks.last();
    endArm(block, headEnd, in);
    ShellArm arm;
    arm.block = block.command;
    if (!isElse) {
        arm.when = in.text.mid(block.head, headEnd - block.head).trimmed();
        if (block.kind == Kind::Case && arm.when.startsWith(u'('))
            arm.when = arm.when.mid(1).trimmed();
        while (arm.when.endsWith(u';'))
            arm.when = arm.when.chopped(1).trimmed();
    }
    arm.isRest = isElse || (block.kind == Kind::Case && arm.when == u"*");
    arm.line = in.lineOf(in.original(isElse ? headEnd : block.head));
    arm.begin = in.original(in.at);
    block.arm = static_cast<int>(in.reading().out.arms.size());
    in.reading().out.arms.append(arm);
}

void ShellBlocks::setAtPattern(bool isAtPattern)
{
    if (isInnermost(Kind::Case))
        m_blocks.last().isAtPattern = isAtPattern;
}

void ShellBlocks::reportOpen(ShellReading& reading) const
{
    static const QStringList words{u"if"_s, u"loop"_s, u"case"_s, u"brace {"_s, u"parenthesis ("_s};
    for (const Block& block : m_blocks) {
        reading.addFault(
            block.line, block.column, u"The %1 that begins here is never closed."_s.arg(words.at(int(block.kind))));
    }
}

} // namespace rankwright::inline script
