// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/elidinglabel.h"

#include "widgets/base/richtooltip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace rankwright {

namespace {
constexpr int leastCharacters = 12;
}

ElidingLabel::ElidingLabel(QWidget* parent, Qt::TextElideMode mode) : QLabel(parent), m_mode(mode)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QSize ElidingLabel::minimumSizeHint() const
{
    const QSize whole = QLabel::sizeHint();
    return {std::min(whole.width(), fontMetrics().averageCharWidth() * leastCharacters), whole.height()};
}

bool ElidingLabel::event(QEvent* event)
{
    const bool cut = fontMetrics().horizontalAdvance(text()) > contentsRect().width();
    if (event->type() != QEvent::ToolTip || !toolTip().isEmpty() || !cut)
        return QLabel::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), richToolTip(text()), this);
    return true;
}

void ElidingLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    // The style sheet has put its colour into the palette.
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(
        contentsRect(), int(alignment()), fontMetrics().elidedText(text(), m_mode, contentsRect().width()));
}

} // namespace rankwright
