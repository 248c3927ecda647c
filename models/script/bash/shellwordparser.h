// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bash/shellcursor.h"

namespace rankwright::inline script {

/// Who reads the commands that are in a word.
class ShellSubstitutions {
public:
    virtual ~ShellSubstitutions() = default;
    /// After "$(", "<(" or ">(": up to the ) that ends it, or the end of the text.
    virtual void readCommands() = 0;
    virtual void readText(const ShellInnerText& inner) = 0; ///< the text between backticks
};

/// Reads words of bash at a cursor: quotes, escapes, expansions. Leaves the commands of substitutions to another
/// reader.
class ShellWordParser {
public:
    ShellWordParser(ShellCursor& in, ShellSubstitutions& substitutions) : m_in(in), m_substitutions(substitutions) { }

    /// Up to the end of the word.
    ShellWord readWord();
    /// "((" and all up to its "))".
    ShellWord readArithmeticWord();

private:
    struct Builder {
        ShellWord word;
    };
    enum class Quotes { None, Double };
    bool readWordPart(Builder& builder);
    void readLetters(Builder& builder);
    void readSingleQuotes(Builder& builder);
    void readAnsiQuotes(Builder& builder);
    void readDoubleQuotes(Builder& builder);
    void readEscape(Builder& builder);
    void readDollar(Builder& builder, Quotes quotes);
    void readParameter(Expansion& expansion, Quotes quotes);
    bool isArithmeticAt(qsizetype at) const;
    void readArithmetic(Expansion& expansion);
    void readSubstitution();
    void readBackticks(Builder& builder, Quotes quotes);
    void addExpansion(Builder& builder, Expansion expansion, qsizetype begin, Quotes quotes);
    void add(Builder& builder, QChar c, qsizetype at) const;
    void addSince(Builder& builder, qsizetype begin) const;
    void setTextAndPlaces(ShellWord& word, qsizetype begin) const;
    QString readName();

    ShellCursor& m_in;
    ShellSubstitutions& m_substitutions;
};

} // namespace rankwright::inline script
