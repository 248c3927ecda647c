// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/scripttyping.h"

#include "models/script/bind/scriptfields.h"

#include <QTimer>

namespace rankwright {

namespace {

constexpr qint64 pauseMs = 1500; // typing after a pause is an undo step of its own

} // namespace

ScriptTyping::ScriptTyping(QsciScintilla& editor) : QObject(&editor), m_editor(editor)
{
    connect(
        &editor, &QsciScintillaBase::SCN_MODIFIED, this, [this](int position, int kind, const char* text, int length) {
            noteChange(position, kind, QByteArray(text, text ? length : 0), length);
        });
}

void ScriptTyping::noteChange(int position, int kind, const QByteArray& text, int length)
{
    const bool inserted = kind & QsciScintillaBase::SC_MOD_INSERTTEXT;
    if ((!inserted && !(kind & QsciScintillaBase::SC_MOD_DELETETEXT)) || m_replacing)
        return;
    // One key of the same typing is where the last one ended, soon after it, on the same line.
    const bool adjoins
        = inserted ? position == m_typingEnd : position + length == m_typingEnd || position == m_typingEnd;
    const bool small = length <= 4 && !text.contains('\n');
    m_continues
        = (!m_dirty || m_continues) && adjoins && small && m_sinceTyping.isValid() && m_sinceTyping.elapsed() < pauseMs;
    m_typingEnd = inserted ? position + length : position;
    m_sinceTyping.start();
    if (!m_dirty) {
        m_dirty = true;
        // What comes neither from a key nor from a command of ours (drop, middle click) is reported as soon as it is
        // over.
        QTimer::singleShot(0, this, &ScriptTyping::flush);
    }
}

void ScriptTyping::flush()
{
    if (!isPending())
        return;
    m_dirty = false;
    if (m_editor.SendScintilla(QsciScintillaBase::SCI_GETLENGTH) > largestScript) {
        undoTyping();
        return;
    }
    QString now = m_editor.text();
    if (!now.isEmpty() && !now.endsWith(u'\n'))
        now += u'\n';
    m_reporting = true;
    emit textEdited(now, m_continues ? TypingStep::Continued : TypingStep::New);
    m_reporting = false;
    m_editor.SendScintilla(QsciScintillaBase::SCI_EMPTYUNDOBUFFER);
}

/// The editor's own history holds what was not yet reported, and nothing else.
void ScriptTyping::undoTyping()
{
    m_replacing = true;
    while (m_editor.SendScintilla(QsciScintillaBase::SCI_CANUNDO))
        m_editor.SendScintilla(QsciScintillaBase::SCI_UNDO);
    m_editor.SendScintilla(QsciScintillaBase::SCI_EMPTYUNDOBUFFER);
    m_replacing = false;
    m_typingEnd.reset();
    emit refused();
}

void ScriptTyping::reportStep()
{
    m_dirty = true;
    m_continues = false;
    m_typingEnd.reset();
    flush();
}

void ScriptTyping::endReplacing()
{
    m_replacing = false;
    // What the typing itself led to (a value as it is written, another line of the same field) does not end it.
    m_typingEnd.reset();
    if (m_reporting)
        m_typingEnd = m_editor.SendScintilla(QsciScintillaBase::SCI_GETCURRENTPOS);
}

} // namespace rankwright
