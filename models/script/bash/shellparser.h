// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bash/shellblocks.h"
#include "models/script/bash/shellheredocuments.h"

namespace rankwright::inline script {

/// Reads commands and blocks of bash for parseShell(): one pass, recursive for substitutions, again for quoted `bash
/// -c` texts. Words are read by ShellWordParser, here-documents by ShellHereDocuments.
class ShellParser {
public:
    ShellParser(const QString& text, ShellReading& reading);
    ShellParser(const ShellInnerText& inner, ShellReading& reading, const ShellContext& context, int depth);
    void run();

private:
    using BlockKind = ShellBlocks::Kind;
    /// A list of commands up to its end: the text, or the ) of a substitution.
    struct Frame {
        ShellBlocks blocks;
        ShellContext context;
        std::optional<int> command; ///< under construction
        ShellSeparator before = ShellSeparator::None;
        bool negated = false;
        QString pendingFunction; ///< name() read, its body comes next
        bool endsAtParen = false;
        std::optional<int> innerWord; ///< the word of the command that is a text for another shell
    };
    class FrameSubstitutions;

    void parseList(Frame& frame);
    bool step(Frame& frame);
    bool readSeparator(Frame& frame);
    void readAmpersand(Frame& frame);
    void readOpenParen(Frame& frame);
    bool readCloseParen(Frame& frame);
    bool readReserved(Frame& frame);
    void applyReserved(Frame& frame, const QString& word);
    void readHeader(Frame& frame, const QString& word);
    void readCasePattern(Frame& frame);
    void readArgument(Frame& frame);
    bool readAssignment(Frame& frame);
    void readArrayElements(Frame& frame, ShellAssignment& assignment);
    bool readFunctionParens(Frame& frame);
    void readRedirection(Frame& frame);
    void readTest(Frame& frame);
    void readArithmeticCommand(Frame& frame);
    void openBlock(Frame& frame, BlockKind kind, const ShellContext& inside);
    void closeBlock(Frame& frame, BlockKind kind, const QString& word);
    ShellCommand& openCommand(Frame& frame, ShellCommand::Kind kind = ShellCommand::Kind::Simple);
    void finishCommand(Frame& frame, ShellSeparator separator);
    void parseInner(const Frame& frame, int innerWord);
    ShellCommand& commandOf(Frame& frame) { return m_in.reading().out.commands[*frame.command]; }
    void startWords(Frame& frame, ShellCommand::Kind kind, const QString& word, qsizetype at);
    ShellWord literal(const QString& text, qsizetype at) const; ///< a word that is there as it is
    ShellWord readWord(Frame& frame);
    void skipLines(); ///< blanks, newlines and comments

    ShellCursor m_in;
    ShellHereDocuments m_hereDocuments{m_in};
    ShellContext m_context;
};

} // namespace rankwright::inline script
