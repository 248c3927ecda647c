// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bash/shellblocks.h"

using namespace Qt::StringLiterals;

namespace rankwright {

void ShellBlocks::open(Kind kind, const ShellContext& outside, const ShellCursor& in)
{
    const qsizetype word = in.original(qMax(qsizetype(0), in.at - 1));
    m_blocks.append({kind, outside, in.lineOf(word), in.columnOf(word), false});
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
    return m_blocks.takeLast().outside;
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

} // namespace rankwright
