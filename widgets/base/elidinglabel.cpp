// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/elidinglabel.h"

#include "widgets/base/richtooltip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
constexpr int leastCharacters = 12;
constexpr auto separator = " · "_L1;
} // namespace

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

QString ElidingLabel::shownText() const
{
    const int room = contentsRect().width();
    if (m_mode != Qt::ElideRight)
        return fontMetrics().elidedText(text(), m_mode, room);
    QString shown = text();
    while (!shown.isEmpty() && fontMetrics().horizontalAdvance(shown) > room)
        shown.truncate(qMax<qsizetype>(0, shown.lastIndexOf(separator)));
    return shown;
}

void ElidingLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    // The style sheet has put its colour into the palette.
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), int(alignment()), shownText());
}

} // namespace rankwright
