// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/pageframe.h"

#include <QEvent>
#include <QLayout>
#include <QScrollBar>

namespace rankwright {

PageFrame::PageFrame(QWidget* page, QWidget* parent) : QScrollArea(parent), m_page(page)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    page->setParent(viewport());
    viewport()->setAutoFillBackground(false);
}

/// A frame has its first size just before it is seen, and a page that is never opened never gets it.
void PageFrame::showPage()
{
    if (widget())
        return;
    m_page->resize(maximumViewportSize());
    // Not resizable in Qt's sense: that gives a page with wrapping texts the height that it would like, not what it
    // needs, and the last row of the page would lie below the window.
    setWidget(m_page);
    m_page->setAutoFillBackground(false);
}

void PageFrame::fitPage()
{
    if (!widget())
        return;
    const QSize least = widget()->minimumSizeHint().expandedTo(widget()->minimumSize());
    QSize room = maximumViewportSize();
    const int bar = verticalScrollBar()->sizeHint().width();
    const bool down = least.height() > room.height();
    if (down)
        room.rwidth() -= bar;
    if (least.width() > room.width()) {
        room.rheight() -= bar;
        if (!down && least.height() > room.height())
            room.rwidth() -= bar;
    }
    widget()->resize(room.expandedTo(least));
}

bool PageFrame::event(QEvent* event)
{
    if (event->type() == QEvent::LayoutRequest)
        fitPage();
    return QScrollArea::event(event);
}

void PageFrame::resizeEvent(QResizeEvent* event)
{
    showPage();
    // First as the window is: a page that folds parts away needs less then.
    m_page->resize(maximumViewportSize());
    if (m_page->layout())
        m_page->layout()->invalidate();
    fitPage();
    QScrollArea::resizeEvent(event);
}

void PageFrame::showEvent(QShowEvent* event)
{
    fitPage();
    QScrollArea::showEvent(event);
}

} // namespace rankwright
