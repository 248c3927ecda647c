// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bind/scriptfields.h"
#include "models/script/write/scriptdocument.h"
#include "widgets/script/scriptremark.h"

#include <Qsci/qsciscintilla.h>

namespace rankwright {

/// Whether a line is a person's own text, kept as typed, and not what the design would have written.
bool isYours(const ScriptLine& line);

/// What is drawn around the text of a script: margins, bars of lines that fields made, grounds of lit lines and of a
/// person's own lines, squiggles and severity marks, hits of a search. Changes no text; owned by its editor.
class ScriptMarks {
public:
    enum Margin { Signs, LineNumbers, Origins };

    explicit ScriptMarks(QsciScintilla& editor);

    void applyTheme();
    /// `lit`: lines of the field being edited.
    void markLines(const ScriptDocument& document, const QList<int>& lit);
    /// Puts a ground under the places of the field being edited.
    /// `shift`: characters of their text that are not in the editor's.
    void markPlaces(const QList<ScriptPlace>& places, qsizetype shift);
    void markRemarks(const QList<ScriptRemark>& remarks);
    /// Underlines every hit of a search; gives their number.
    int markHits(const QString& wanted, Qt::CaseSensitivity sensitivity);

private:
    void fitNumbers();
    void fill(int indicator, long from, long length);
    void clear(int indicator);

    QsciScintilla& m_editor;
};

} // namespace rankwright
