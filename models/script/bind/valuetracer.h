// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/batch/batchtext.h"
#include "models/script/bind/boundscript.h"
#include "models/script/bind/wordlistedit.h"

#include <optional>

namespace rankwright::inline script {

/// What a word of a script is when the job runs, and where in the script each character of it was typed.
struct TracedValue {
    QString text; ///< with what cannot be known as it is typed: "$SIF"
    QList<int> origins; ///< of each character of text, in the whole script; -1: typed nowhere
    QString why; ///< a sentence: why it is not certain; empty: it is
    int unknown = 0; ///< expansions in it that are not known, or that a shell reads once more as something else
    QString variable; ///< of a word that is nothing but one variable of Slurm: its name
    std::optional<TextRange> empty; ///< of an empty value: the right side of the assignment that makes it so

    bool isCertain() const { return why.isEmpty(); }
    /// All of it was typed in one piece.
    bool isOnePlace() const;
};

/// Follows variables back to the assignment that reaches a word: the last one before it, when nothing in a loop, a
/// condition or a function sets the name after it. What Slurm, the submitting shell or a program decides stays as it is
/// typed.
class ValueTracer {
public:
    explicit ValueTracer(const BatchText& batch);

    /// `use`: where in the script the word is read, as an index into ShellText::commands.
    TracedValue trace(const ShellWord& word, int use) const;
    /// The assignment whose value holds a place of the script; null: none.
    const BatchVariable* assignmentAt(qsizetype place) const;
    /// Why the assignment is not the one that reaches a command; empty: it is.
    QString doubt(const BatchVariable& variable, int use) const;
    /// Why no place in the value of the assignment may be changed for a command that reads it; empty: it may.
    QString doubtAt(qsizetype place, int use) const;
    /// Number of a product of numbers and variables, "$((SLURM_NNODES * 8))"; and where a plain number in it stands.
    struct Factor {
        std::optional<qint64> number; ///< empty: not known
        QString variable; ///< of Slurm
        std::optional<TextRange> typed; ///< of the digits; empty: typed nowhere
    };
    QList<Factor> factors(const ShellWord& word, int use) const; ///< empty: no product

private:
    QList<Factor> factors(const ShellWord& word, int use, int depth) const;
    void addWord(TracedValue& out, const ShellWord& word, int use, int depth) const;
    void addExpansion(TracedValue& out, const ShellWord& word, const Expansion& expansion, int use, int depth) const;
    const BatchVariable* reaching(const QString& name, int use, QString& why) const;
    const BatchVariable* documentAt(qsizetype place) const;
    bool passesOn(int setter, const QString& name) const;
    bool holdsSpecial(const QString& name, int depth) const;
    bool isSetElsewhere(const QString& name, int own, const BatchVariable* last, QString& why) const;
    bool isAppendedTo(const BatchVariable& variable) const;
    bool isSetBeforeLoop(const QString& name, int own) const;
    bool standInOneBlock(int first, int second) const;
    QString doubtOfGrown(const BatchVariable& variable, int use) const;

    const BatchText& m_batch;
    QMap<qsizetype, int> m_places; ///< where the values of variables begin; index into BatchText::variables
    QMap<qsizetype, int> m_documents; ///< where the bodies of here-documents begin that are values of variables
    QHash<QString, QList<int>> m_innerSetters; ///< assignments of inner shells and ( ), by the variable's name
    QHash<QString, QList<int>> m_setters; ///< commands that set a variable in another way, by its name
};

/// Whether one of the changes lies in or at one of the ranges.
bool meets(const QList<TextRange>& ranges, const QList<TextChange>& changes);

/// What a person should know of the variables whose values are changed: that something else may have set one
/// (`: ${NAME:=value}`), and what the script computes from one ($((2 * NAME))). `text`: of the script, before the
/// changes.
QStringList variableNotes(const BoundScript& bound, const QString& text, const QList<TextChange>& changes);

} // namespace rankwright::inline script
