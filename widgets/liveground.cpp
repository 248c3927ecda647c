// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/liveground.h"

#include "widgets/elidinglabel.h"
#include "widgets/theme.h"
#include "widgets/timestripaccessible.h"

#include <QBoxLayout>
#include <QGridLayout>
#include <QPainter>

namespace rankwright {

LiveGround::LiveGround(QWidget* parent) : QWidget(parent), m_cards(new QGridLayout), m_foot(new ElidingLabel(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 16, 6);
    column->setSpacing(5);
    m_cards->setSpacing(12);
    m_cards->setContentsMargins(0, 0, 0, 0);
    column->addLayout(m_cards, 1);
    m_foot->setProperty("caption", true);
    m_foot->setAccessibleName(tr("What watching costs"));
    column->addWidget(m_foot);
}

void LiveGround::setFoot(const QString& text) { m_foot->setText(text); }

void LiveGround::setPast(bool past)
{
    if (past == m_past)
        return;
    m_past = past;
    update();
}

void LiveGround::paintEvent(QPaintEvent*)
{
    if (!m_past)
        return;
    QPainter painter(this);
    const Theme& theme = themeOf(this);
    const QColor colour = pastColour(theme);
    painter.fillRect(rect(), Theme::mix(colour, theme.colour(Theme::Token::Ground), 0.16));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    for (const QRect& edge : {QRect(0, 0, width(), 3), QRect(0, height() - 3, width(), 3), QRect(0, 0, 3, height()),
             QRect(width() - 3, 0, 3, height())})
        painter.drawRect(edge);
}

} // namespace rankwright
