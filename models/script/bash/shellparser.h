// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bash/shelltext.h"

#include <array>
#include <vector>

namespace rankwright {

/// Reads bash for parseShell(): one pass, recursive for substitutions, again for quoted `bash -c` texts. Only for
/// shelltext.cpp, shellparser.cpp and shellwordreader.cpp.
class ShellParser {
public:
    /// What all readers of one text share.
    struct Shared {
        ShellText out;
        QList<qsizetype> lineStarts;
    };
    /// Where the characters of an inner text stand in the outer one, and which of them the outer shell replaces.
    struct Inner {
        QString text;
        std::vector<qsizetype> origins;
        std::vector<bool> early;
    };
    struct Context {
        QString function;
        int loops = 0;
        int conditions = 0;
        int subshells = 0;
        bool isCondition = false;
        bool inSubstitution = false;
        int innerDepth = 0; ///< texts of bash -c around it
        int parent = -1;
    };

    ShellParser(const QString& text, Shared& shared) : m_text(text), m_shared(shared) { }
    ShellParser(const Inner& inner, Shared& shared, const Context& context, int depth);
    void run();

private:
    enum class BlockKind { If, Loop, Case, Brace, Paren };
    struct Block {
        BlockKind kind = BlockKind::Brace;
        Context outside;
        int line = 1;
        int column = 1;
        bool inPattern = false; ///< of a case
    };
    /// A list of commands up to its end: the text, or the ) of a substitution.
    struct Frame {
        QList<Block> blocks;
        std::array<int, 5> open{}; ///< blocks by kind
        Context context;
        int command = -1; ///< under construction
        QString before;
        bool negated = false;
        QString pendingFunction; ///< name() read, its body comes next
        bool endsAtParen = false;
        int innerWord = -1; ///< the word of the command that is a text for another shell
        std::vector<qsizetype> innerOrigins;
    };
    struct Builder {
        ShellWord word;
        std::vector<qsizetype> origins;
        bool keepsOrigins = false;
    };

    // shellparser.cpp: lists of commands
    void parseList(Frame& frame);
    bool step(Frame& frame);
    bool takeSeparator(Frame& frame);
    void takeAmpersand(Frame& frame);
    void takeOpenParen(Frame& frame);
    bool takeCloseParen(Frame& frame);
    bool takeReserved(Frame& frame);
    void applyReserved(Frame& frame, const QString& word);
    void takeHeader(Frame& frame, const QString& word);
    void takeCasePattern(Frame& frame);
    void takeArgument(Frame& frame);
    bool takeAssignment(Frame& frame);
    void takeArrayElements(Frame& frame, ShellAssignment& assignment);
    bool takeFunctionParens(Frame& frame);
    void takeRedirection(Frame& frame, int descriptor);
    void takeTest(Frame& frame);
    void takeArithmeticCommand(Frame& frame);
    void openBlock(Frame& frame, BlockKind kind, const Context& inside);
    void closeBlock(Frame& frame, BlockKind kind, const QString& word);
    ShellCommand& openCommand(Frame& frame, ShellCommand::Kind kind = ShellCommand::Kind::Simple);
    void finishCommand(Frame& frame, const QString& separator);
    void parseInner(const Frame& frame);
    void takeHereDocuments();
    ShellCommand& commandOf(Frame& frame) { return m_shared.out.commands[frame.command]; }
    void startWords(Frame& frame, ShellCommand::Kind kind, const QString& word, qsizetype at);

    // shellwordreader.cpp: words
    ShellWord takeWord(Frame& frame, std::vector<qsizetype>* origins = nullptr);
    bool takeWordPart(Frame& frame, Builder& builder);
    void takeSingleQuotes(Builder& builder);
    void takeAnsiQuotes(Builder& builder);
    void takeDoubleQuotes(Frame& frame, Builder& builder);
    void takeEscape(Builder& builder);
    void takeDollar(Frame& frame, Builder& builder, bool inQuotes);
    void takeParameter(Frame& frame, Expansion& expansion, bool inQuotes);
    void takeArithmetic(Frame& frame, Expansion& expansion);
    void takeSubstitution(Frame& frame);
    void takeBackticks(Frame& frame, Builder& builder, bool inQuotes);
    void addExpansion(Builder& builder, Expansion expansion, qsizetype begin, bool inQuotes);
    void add(Builder& builder, QChar c, qsizetype at) const;
    QString takeName();

    // shellparser.cpp: places
    bool atEnd() const { return m_at >= m_text.size(); }
    QChar peek(qsizetype ahead = 0) const { return m_at + ahead < m_text.size() ? m_text.at(m_at + ahead) : QChar(); }
    bool isBlankAt(qsizetype at) const;
    bool isWordEndAt(qsizetype at) const;
    void skipBlanks();
    void skipLines(); ///< blanks, newlines and comments
    qsizetype original(qsizetype at) const;
    int lineOf(qsizetype originalAt) const;
    int columnOf(qsizetype originalAt) const;
    void fault(qsizetype at, const QString& what);
    bool tooDeep(qsizetype at);

    QString m_text;
    std::vector<qsizetype> m_origins; ///< empty: the text itself
    std::vector<bool> m_early;
    Shared& m_shared;
    Context m_context;
    qsizetype m_at = 0;
    int m_depth = 0;
    QList<int> m_pending; ///< here-documents whose bodies come after the next newline
};

} // namespace rankwright
