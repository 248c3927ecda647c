// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/scriptsearch.h"

#include "widgets/script/scripteditor.h"

namespace rankwright {

bool ScriptSearch::find(const QString& text, Direction direction, Qt::CaseSensitivity sensitivity)
{
    const bool forward = direction == Direction::Forward;
    if (text.isEmpty()) {
        m_editor.setSelection(-1, -1, -1, -1);
        return true;
    }
    int line = 0;
    int index = 0;
    int lineTo = 0;
    int indexTo = 0;
    m_editor.getSelection(&line, &index, &lineTo, &indexTo);
    if (line < 0)
        m_editor.getCursorPosition(&line, &index), lineTo = line, indexTo = index;
    // Forward from the selection's end, backward from its start, else the same hit would be found again.
    return m_editor.findFirst(text, false, sensitivity == Qt::CaseSensitive, false, true, forward,
        forward ? lineTo : line, forward ? indexTo : index);
}

int ScriptSearch::markHits(const QString& text, Qt::CaseSensitivity sensitivity)
{
    return m_marks.markHits(text, sensitivity);
}

bool ScriptSearch::replaceHit(const QString& text, const QString& with, Qt::CaseSensitivity sensitivity)
{
    if (!text.isEmpty() && m_editor.selectedText().compare(text, sensitivity) == 0)
        m_editor.replaceSelection(with);
    return find(text, Direction::Forward, sensitivity) && !text.isEmpty();
}

int ScriptSearch::replaceAll(const QString& text, const QString& with, Qt::CaseSensitivity sensitivity)
{
    if (text.isEmpty())
        return 0;
    QString now = m_editor.text();
    const int count = int(now.count(text, sensitivity));
    if (count > 0)
        m_editor.replaceText(now.replace(text, with, sensitivity));
    return count;
}

} // namespace rankwright
