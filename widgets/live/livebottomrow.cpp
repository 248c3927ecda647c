// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/livebottomrow.h"

#include <algorithm>

namespace rankwright {

LiveBottomRow::LiveBottomRow(QWidget& first, int firstShare, QWidget& second, int secondShare, QWidget* parent)
    : QWidget(parent), m_first(first), m_second(second), m_row(new QBoxLayout(QBoxLayout::LeftToRight, this))
{
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(12);
    m_row->addWidget(&first, firstShare);
    m_row->addWidget(&second, secondShare);
}

QSize LiveBottomRow::minimumSizeHint() const
{
    return {
        std::max(m_first.minimumSizeHint().width(), m_second.minimumSizeHint().width()), m_row->minimumSize().height()};
}

void LiveBottomRow::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const int together = m_first.minimumSizeHint().width() + m_row->spacing() + m_second.minimumSizeHint().width();
    const QBoxLayout::Direction direction = width() < together ? QBoxLayout::BottomToTop : QBoxLayout::LeftToRight;
    if (direction == m_row->direction())
        return;
    m_row->setDirection(direction);
    updateGeometry();
}

} // namespace rankwright
