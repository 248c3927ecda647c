// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/scrollpage.h"

#include <QCoreApplication>
#include <QEvent>

namespace rankwright {

ScrollPage::ScrollPage(QWidget* parent) : QScrollArea(parent)
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
}

void ScrollPage::showEvent(QShowEvent* event)
{
    QScrollArea::showEvent(event);
    QCoreApplication::postEvent(this, new QEvent(QEvent::LayoutRequest));
}

} // namespace rankwright
