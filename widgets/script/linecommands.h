// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/linediff.h"

#include <Qsci/qsciscintilla.h>

#include <functional>

namespace rankwright {

/// Keys that edit whole lines of a script: a new line, indentation, comments. Works on the cursor's line or on the
/// selected ones. The editor owns it.
class LineCommands {
public:
    explicit LineCommands(QsciScintilla& editor) : m_editor(editor) { }

    /// A new line, indented as the one above.
    void start();
    /// Four blanks more or less.
    void shift(bool inwards);
    /// A directive becomes ##SBATCH, which sbatch passes over, any other line a comment; and back.
    void toggleComment();

private:
    void change(const std::function<QString(const QString& line)>& changed);

    QsciScintilla& m_editor;
};

/// What has to be replaced in an editor to make lines `to` of `from`. A carriage return within a line is a line's end
/// to Scintilla and none to sbatch: such a text is replaced as a whole.
QList<LineHunk> hunksToReplace(const QStringList& from, const QStringList& to);

} // namespace rankwright
