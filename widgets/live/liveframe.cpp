// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/liveframe.h"

#include "widgets/base/card.h"
#include "widgets/base/elidinglabel.h"
#include "widgets/base/theme.h"
#include "widgets/history/timestripaccessible.h"

#include <QBoxLayout>
#include <QGridLayout>
#include <QPainter>

namespace rankwright {

LiveFrame::LiveFrame(QWidget* parent) : QWidget(parent), m_cards(new QGridLayout), m_footer(new ElidingLabel(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 16, 6);
    column->setSpacing(5);
    m_cards->setSpacing(12);
    m_cards->setContentsMargins(0, 0, 0, 0);
    column->addLayout(m_cards, 1);
    m_footer->setProperty("caption", true);
    m_footer->setAccessibleName(tr("What watching costs"));
    column->addWidget(m_footer);
}

void LiveFrame::setFooter(const QString& text) { m_footer->setText(text); }

QString LiveFrame::footer() const { return m_footer->text(); }

void LiveFrame::setPast(bool past)
{
    if (past == m_past)
        return;
    m_past = past;
    // The tint takes from the contrast of the palest words.
    setStyleProperty(m_footer, "quiet", past);
    update();
}

void LiveFrame::paintEvent(QPaintEvent*)
{
    if (!m_past)
        return;
    QPainter painter(this);
    const Theme& theme = themeOf(this);
    const QColor colour = pastColour(theme);
    painter.fillRect(rect(), Theme::mix(colour, theme.colour(Theme::Token::Background), 0.16));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    for (const QRect& edge : {QRect(0, 0, width(), 3), QRect(0, height() - 3, width(), 3), QRect(0, 0, 3, height()),
             QRect(width() - 3, 0, 3, height())})
        painter.drawRect(edge);
}

} // namespace rankwright
