// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright {

class ScriptEditor;
class ScriptMarks;

/// Searching and replacing in a script editor, whose selection is the hit. The editor owns it.
class ScriptSearch {
public:
    ScriptSearch(ScriptEditor& editor, ScriptMarks& marks) : m_editor(editor), m_marks(marks) { }

    enum class Direction { Forward, Backward };
    /// Looks for text from the cursor on, around the end; false when there is none.
    bool find(const QString& text, Direction direction, Qt::CaseSensitivity sensitivity = Qt::CaseInsensitive);
    /// Marks every hit, gives their number.
    int markHits(const QString& text, Qt::CaseSensitivity sensitivity);
    /// Replaces the hit that is selected, then looks for the next one; false when there was none.
    bool replaceHit(const QString& text, const QString& with, Qt::CaseSensitivity sensitivity);
    /// All hits as one edit; gives their number.
    int replaceAll(const QString& text, const QString& with, Qt::CaseSensitivity sensitivity);

private:
    ScriptEditor& m_editor;
    ScriptMarks& m_marks;
};

} // namespace rankwright
