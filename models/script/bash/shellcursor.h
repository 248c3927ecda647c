// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bash/shelltext.h"

#include <vector>

#include <QStringView>

namespace rankwright::inline script {

/// What all readers of one script share: the script taken apart, and where its lines begin.
struct ShellReading {
    ShellText out;
    QList<qsizetype> lineStarts;
    qsizetype nearLine = 0; ///< index of the line that was asked for last: the next one is near
    /// The first twenty are kept.
    void addFault(int line, int column, const QString& what);
};

/// A text within a word, read as commands again: between backticks, or of `bash -c`. With where its characters are in
/// the whole script, and which of them the outer shell replaces.
struct ShellInnerText {
    QString text;
    std::vector<qsizetype> origins;
    std::vector<bool> early; ///< empty: none
};

/// Where reading is in a text of bash, moved on by those who read there, and the places of that text in the whole
/// script. Knows where words end, nothing else of the language.
class ShellCursor {
public:
    ShellCursor(const QString& whole, ShellReading& reading) : text(whole), m_reading(reading) { }
    /// `nesting`: how deep this text is in others.
    ShellCursor(const ShellInnerText& inner, ShellReading& reading, int nesting);

    bool atEnd() const { return at >= text.size(); }
    QChar peek(qsizetype ahead = 0) const { return at + ahead < text.size() ? text.at(at + ahead) : QChar(); }
    bool isBlankAt(qsizetype place) const;
    bool isWordEndAt(qsizetype place) const;
    void skipBlanks(); ///< and continued lines
    QString since(qsizetype begin) const { return text.mid(begin, at - begin); }

    /// Does the shell outside replace what is here, before the inner one reads it?
    bool isEarly(qsizetype place) const { return !m_early.empty() && m_early.at(static_cast<std::size_t>(place)); }
    qsizetype original(qsizetype place) const; ///< in the whole script; of lineOf() and columnOf(), too
    QList<int> originals(qsizetype begin, qsizetype count) const; ///< of several characters
    void addOriginals(qsizetype begin, qsizetype count, QList<int>& places) const; ///< after those that are there
    int lineOf(qsizetype originalPlace) const;
    int columnOf(qsizetype originalPlace) const;
    void fault(qsizetype place, const QString& what);
    /// True: nested beyond what is read; says so, and goes to the end of the text.
    bool tooDeep(qsizetype place);
    ShellReading& reading() const { return m_reading; }

    const QString text;
    qsizetype at = 0;
    int depth = 0; ///< of $( ${ (( in one another

private:
    std::vector<qsizetype> m_origins; ///< empty: the text itself
    std::vector<bool> m_early;
    ShellReading& m_reading;
};

/// After "NAME=", "NAME+=" or "NAME[index]=" that begins at `begin` (bash(1), assignment statements); -1: there is
/// none.
qsizetype endOfAssignmentHead(QStringView text, qsizetype begin);

} // namespace rankwright::inline script
