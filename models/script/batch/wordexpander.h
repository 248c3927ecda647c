// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/batch/batchtext.h"

namespace rankwright::inline script {

/// Words of a launch line with the variables in them that hold commands and options ($LAUNCHER, "${ARGS[@]}") replaced
/// by the words they bring, as the shell would split them. A word that only contains a variable stays as it is.
class WordExpander {
public:
    explicit WordExpander(const BatchText& batch) : m_batch(batch) { }

    /// `earlyLine`: the same of what an outer shell has replaced before these words are read.
    QList<ShellWord> expand(const QList<ShellWord>& words, int line, int earlyLine);
    /// The whole text that stands for a variable before a line; nothing: it is not known, or an array.
    std::optional<ShellWord> textOf(const Expansion& expansion, int line);
    /// Variables whose value could not be determined, since the last call of clear().
    const QStringList& unresolved() const { return m_unresolved; }
    void clear() { m_unresolved.clear(); }
    void setUnresolved(const QStringList& names) { m_unresolved = names; } ///< after words that were only looked at

private:
    void expandWord(const ShellWord& word, int line, int depth, QList<ShellWord>& out);
    bool expandArray(const Expansion& expansion, int line, int depth, QList<ShellWord>& out);
    void splitOff(const ShellWord& piece, qsizetype begin, const QList<qsizetype>& quotes, int line, int depth,
        QList<ShellWord>& out);
    void split(const ShellWord& value, int line, int depth, QList<ShellWord>& out);
    void splitGrown(const BatchVariable& last, int line, int depth, QList<ShellWord>& out);
    QList<ShellWord> piecesOf(const BatchVariable& last, int line);
    bool expandHead(const ShellWord& word, int line, int depth, QList<ShellWord>& out);
    ShellWord wholeOf(const BatchVariable& variable, int line);
    bool expandDefault(const ShellWord& word, const Expansion& expansion, int line, int depth, QList<ShellWord>& out);
    const BatchVariable* usual(const QString& name, int line) const;

    const BatchText& m_batch;
    QStringList m_unresolved;
    bool m_isReadAgain = false; ///< the word is put into a text that another shell reads
    int m_budget = 100000; ///< words of a whole script: no text makes this explode
};

} // namespace rankwright::inline script
