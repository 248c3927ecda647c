// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/livesidecolumn.h"

#include <QEvent>

#include <algorithm>

namespace rankwright {

namespace {

constexpr int gap = 12;
constexpr int leastLower = 206; // four curves that can still be read

} // namespace

LiveSideColumn::LiveSideColumn(QWidget& upper, QScrollArea& notes, QWidget& lower, QWidget& beside, QWidget* parent)
    : QWidget(parent), m_upper(upper), m_notes(notes), m_lower(lower), m_beside(&beside)
{
    for (QWidget* part : {&upper, &lower}) {
        part->setParent(this);
        part->show(); // with its parent; another parent hides it
    }
    beside.installEventFilter(this);
    notes.widget()->installEventFilter(this);
}

QSize LiveSideColumn::minimumSizeHint() const
{
    const QSize upper = m_upper.minimumSizeHint();
    const QSize lower = m_lower.minimumSizeHint();
    return {std::max(upper.width(), lower.width()), upper.height() + gap + lower.height()};
}

/// What the upper part needs to show all of its notes.
int LiveSideColumn::wantedHeight() const
{
    QWidget& content = *m_notes.widget();
    const int width = m_notes.viewport()->width();
    const int height = content.hasHeightForWidth() ? content.heightForWidth(width) : content.sizeHint().height();
    return height + m_upper.height() - m_notes.viewport()->height();
}

void LiveSideColumn::arrangeCards()
{
    const int least = std::max(leastLower, m_lower.minimumSizeHint().height());
    const int most = std::max(m_upper.minimumSizeHint().height(), height() - gap - least);
    const int aligned = std::min(m_beside ? m_beside->height() : height() / 2, most);
    const int upper = std::clamp(wantedHeight(), aligned, most);
    m_upper.setGeometry(0, 0, width(), upper);
    m_lower.setGeometry(0, upper + gap, width(), std::max(0, height() - upper - gap));
}

void LiveSideColumn::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrangeCards();
}

bool LiveSideColumn::eventFilter(QObject* watched, QEvent* event)
{
    // The notes ask for a new layout whenever a text changes its length.
    if ((watched == m_beside && event->type() == QEvent::Resize) || event->type() == QEvent::LayoutRequest)
        arrangeCards();
    return QWidget::eventFilter(watched, event);
}

} // namespace rankwright
