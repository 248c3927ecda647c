// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/scriptpicture.h"

#include "widgets/base/theme.h"

#include <QTextBlock>

namespace rankwright {

ScriptPicture::ScriptPicture(QWidget* parent) : QPlainTextEdit(parent)
{
    setAccessibleName(tr("The script"));
    setReadOnly(true);
    setTabChangesFocus(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setFont(Theme::codeFont(12));
    setLineWrapMode(QPlainTextEdit::WidgetWidth);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setMinimumHeight(260);
    connect(&themeOf(this), &Theme::changed, this, &ScriptPicture::paintMarks);
}

void ScriptPicture::setScript(const ScriptDocument& script)
{
    if (const QString text = script.text(); text != toPlainText())
        setPlainText(text);
    paintMarks();
}

void ScriptPicture::mark(const QList<int>& lines)
{
    m_lines = lines;
    paintMarks();
    if (lines.isEmpty())
        return;
    const QTextBlock block = document()->findBlockByNumber(lines.first());
    if (!block.isValid())
        return;
    QTextCursor cursor(document()->lastBlock()); // from below, so that the first line is on top
    setTextCursor(cursor);
    ensureCursorVisible();
    cursor.setPosition(block.position());
    setTextCursor(cursor);
    ensureCursorVisible();
}

void ScriptPicture::paintMarks()
{
    QList<QTextEdit::ExtraSelection> marks;
    for (const int line : m_lines) {
        const QTextBlock block = document()->findBlockByNumber(line);
        if (!block.isValid())
            continue;
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(block);
        mark.cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        mark.format.setBackground(themeOf(this).colour(Theme::Token::AccentBackground));
        marks.append(mark);
    }
    setExtraSelections(marks);
}

} // namespace rankwright
