// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/tonedelegate.h"

#include "widgets/base/theme.h"

#include <QPainter>

namespace rankwright {

namespace {

constexpr int shapeSize = 10;
constexpr int cellPadding = 11;

Theme::Token tokenOf(Tone tone)
{
    switch (tone) {
    case Tone::Good: return Theme::Token::Good;
    case Tone::Warn: return Theme::Token::Warn;
    case Tone::Bad: return Theme::Token::Bad;
    case Tone::Busy: return Theme::Token::Accent;
    case Tone::Quiet: return Theme::Token::Foreground2;
    case Tone::Plain: break;
    }
    return Theme::Token::Foreground;
}

} // namespace

void paintTone(QPainter& painter, const QRectF& rect, Tone tone, const QObject* themed)
{
    if (tone == Tone::Plain)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QPen pen(themeOf(themed).colour(tokenOf(tone)), 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    const QRectF r = rect.adjusted(1, 1, -1, -1);
    switch (tone) {
    case Tone::Good:
        painter.drawPolyline(QPolygonF{
            {r.left(), r.center().y()}, {r.left() + r.width() * 0.38, r.bottom() - 0.5}, {r.right(), r.top() + 0.5}});
        break;
    case Tone::Bad:
        painter.drawLine(r.topLeft(), r.bottomRight());
        painter.drawLine(r.topRight(), r.bottomLeft());
        break;
    case Tone::Warn:
        painter.drawLine(QPointF(r.center().x(), r.top()), QPointF(r.center().x(), r.bottom() - 3.2));
        painter.drawPoint(QPointF(r.center().x(), r.bottom()));
        break;
    case Tone::Busy:
        painter.setBrush(pen.color());
        painter.drawEllipse(r.adjusted(1, 1, -1, -1));
        break;
    default: painter.drawEllipse(r.adjusted(1, 1, -1, -1)); break;
    }
    painter.restore();
}

const char* pillOf(Tone tone)
{
    switch (tone) {
    case Tone::Good: return "good";
    case Tone::Warn: return "warn";
    case Tone::Bad: return "bad";
    case Tone::Busy: return "busy";
    default: return "quiet";
    }
}

void ToneDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const auto tone = Tone(index.data(ToneRole).toInt());
    if (tone == Tone::Plain) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem plain = option;
    initStyleOption(&plain, index);
    const QString text = plain.text;
    plain.text.clear();
    const QWidget* widget = option.widget;
    widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, widget);
    QRect rect = option.rect.adjusted(cellPadding, 0, -cellPadding, 0);
    paintTone(
        *painter, QRectF(rect.left(), rect.center().y() - shapeSize / 2.0 + 0.5, shapeSize, shapeSize), tone, widget);
    rect.setLeft(rect.left() + shapeSize + 7);
    painter->setPen(themeOf(widget).colour(tokenOf(tone)));
    painter->setFont(plain.font);
    painter->drawText(
        rect, Qt::AlignLeft | Qt::AlignVCenter, plain.fontMetrics.elidedText(text, Qt::ElideRight, rect.width()));
}

QSize ToneDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    if (Tone(index.data(ToneRole).toInt()) != Tone::Plain)
        size.rwidth() += shapeSize + 7;
    return size;
}

} // namespace rankwright
