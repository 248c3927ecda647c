// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bash/shellcursor.h"

#include <array>
#include <optional>

namespace rankwright::inline script {

/// What surrounds a command.
struct ShellContext {
    QString function;
    int loops = 0;
    int conditions = 0;
    int subshells = 0;
    bool isCondition = false;
    bool inSubstitution = false;
    int innerDepth = 0; ///< texts of bash -c around it
    std::optional<int> parent; ///< the command whose word holds it
};

/// The blocks of bash that are open in a list of commands, each within the one before.
class ShellBlocks {
public:
    enum class Kind { If, Loop, Case, Brace, Paren };

    /// The word that opens it ends at the cursor.
    void open(Kind kind, const ShellContext& outside, const ShellCursor& in);
    /// The word that closes it is at the cursor; gives what surrounds the block. What is open inside of it is not
    /// closed: a fault, once each, then left. Nothing: no such block is open, a fault, too.
    std::optional<ShellContext> close(Kind kind, const QString& word, ShellCursor& in);
    bool isOpen(Kind kind) const { return m_open.at(std::size_t(kind)) > 0; }
    bool isInnermost(Kind kind) const { return !m_blocks.isEmpty() && m_blocks.last().kind == kind; }
    /// What surrounds the innermost one; there is one.
    const ShellContext& outside() const { return m_blocks.last().outside; }
    /// In a case: may a pattern are here?
    bool isAtPattern() const { return isInnermost(Kind::Case) && m_blocks.last().isAtPattern; }
    void setAtPattern(bool isAtPattern); ///< of the innermost block, when that is a case
    /// `then`, `elif`, `else` or `do` of the innermost block has just been read: what surrounds what follows.
    ShellContext goOn(const QString& word, ShellCursor& in);
    /// `;;` of a case, at `before`: a pattern may follow.
    void endPattern(qsizetype before, ShellCursor& in);
    /// What follows, in the innermost block, is a condition or a pattern: an arm that is open ends at `before`.
    void beginHead(qsizetype before, ShellCursor& in);
    enum class ArmHead { Own, None }; ///< an `else` has none
    /// What follows is an arm; its head ends at `headEnd`.
    void beginArm(qsizetype headEnd, ArmHead head, ShellCursor& in);
    /// At the end of the text: all that is still open is a fault.
    void reportOpen(ShellReading& reading) const;

private:
    struct Block {
        Kind kind = Kind::Brace;
        ShellContext outside;
        int line = 1;
        int column = 1;
        bool isAtPattern = false;
        int command = 0; ///< that opened it
        std::optional<int> arm; ///< that is open
        qsizetype head = 0; ///< where the condition or pattern begins
    };
    void endArm(Block& block, qsizetype at, ShellCursor& in);

    QList<Block> m_blocks;
    std::array<int, 5> m_open{}; ///< by kind
};

} // namespace rankwright::inline script
