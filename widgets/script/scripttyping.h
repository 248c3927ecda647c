// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>

#include <Qsci/qsciscintilla.h>

#include <optional>

namespace rankwright {

/// One more key of the same typing continues it and belongs to the same undo step.
enum class TypingStep { New, Continued };

/// Hears of every change of an editor's text, reports what a person changed, and says which keys are one typing and so
/// one undo step: next to the last one, on its line, within 1.5 s. Changes that the program makes are not reported.
/// Keeps the editor's own undo history empty: undo is the design's. The editor owns it.
class ScriptTyping final : public QObject {
    Q_OBJECT
public:
    explicit ScriptTyping(QsciScintilla& editor);

    /// Reports what was changed since the last report; while an input method composes, nothing.
    void flush();
    /// Something is changed and could be reported now.
    bool isPending() const { return m_dirty && !m_composing; }
    /// What the program has just put in counts as a person's, as an undo step of its own, and is reported.
    void reportStep();
    /// An input method shows text that is not yet typed.
    void setComposing(bool composing) { m_composing = composing; }

    /// Between the two the changes are the program's; afterwards a new typing begins.
    void beginReplacing() { m_replacing = true; }
    void endReplacing();
    bool isReplacing() const { return m_replacing; }

signals:
    void textEdited(const QString& text, rankwright::TypingStep step); ///< `text` ends with a newline
    /// More than Slurm takes was put in; it was taken back.
    void refused();

private:
    void undoTyping();
    void noteChange(int position, int kind, const QByteArray& text, int length);

    QsciScintilla& m_editor;
    bool m_replacing = false;
    bool m_reporting = false; ///< what comes back meanwhile answers the typing
    bool m_dirty = false;
    bool m_composing = false;
    bool m_continues = false;
    std::optional<long> m_typingEnd; ///< where the next key of the same typing would stand
    QElapsedTimer m_sinceTyping;
};

} // namespace rankwright
