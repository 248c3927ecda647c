// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

} // namespace rankwright
