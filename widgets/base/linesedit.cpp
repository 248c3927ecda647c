// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/linesedit.h"

#include "widgets/base/card.h"
#include "widgets/base/theme.h"

#include <QKeyEvent>
#include <QPainter>

namespace rankwright {

namespace {
constexpr int mostLines = 5;
}

LinesEdit::LinesEdit(QWidget* parent) : QPlainTextEdit(parent)
{
    setFont(Theme::codeFont());
    setTabChangesFocus(true);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        fitHeight();
        const QString text = toPlainText();
        // A text set by setLines() is known already: only what a person typed is reported.
        if (text == m_shown)
            return;
        m_shown = text;
        emit edited(text);
    });
    fitHeight();
}

void LinesEdit::setLines(const QString& text)
{
    if (text == toPlainText())
        return;
    m_shown = text;
    setPlainText(text);
}

void LinesEdit::setPlaceholder(const QString& text)
{
    if (text == m_placeholder)
        return;
    m_placeholder = text;
    viewport()->update();
}

void LinesEdit::setInvalid(bool invalid) { setStyleProperty(this, "invalid", invalid); }

void LinesEdit::fitHeight()
{
    const int lines = qBound(1, blockCount(), mostLines);
    setVerticalScrollBarPolicy(blockCount() > mostLines ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    setFixedHeight(lines * fontMetrics().lineSpacing() + 12 + (lines > 1 ? 2 : 0));
}

void LinesEdit::paintEvent(QPaintEvent* event)
{
    QPlainTextEdit::paintEvent(event);
    if (!toPlainText().isEmpty())
        return;
    QPainter painter(viewport());
    painter.setFont(Theme::uiFont());
    painter.setPen(themeOf(this).colour(Theme::Token::Foreground3));
    const QRect area = viewport()->rect().adjusted(4, 0, -4, 0);
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(m_placeholder, Qt::ElideRight, area.width()));
}

void LinesEdit::focusOutEvent(QFocusEvent* event)
{
    QPlainTextEdit::focusOutEvent(event);
    emit left();
}

bool LinesEdit::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && !property("invalid").toBool()) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    return QPlainTextEdit::event(event);
}

} // namespace rankwright
