// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/memorybardelegate.h"

#include "models/tables/layoutmodel.h"
#include "widgets/base/theme.h"

#include <QPainter>

namespace rankwright {

namespace {

using T = Theme::Token;
constexpr int pad = 8;
constexpr int figureWidth = 62;

/// Of the verdict, which is in words in the same row.
T tokenOf(const QModelIndex& index)
{
    const auto tone = Tone(index.siblingAtColumn(LayoutModel::Verdict).data(ToneRole).toInt());
    return tone == Tone::Bad ? T::Bad : tone == Tone::Warn ? T::Warn : T::Accent;
}

} // namespace

void MemoryBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem plain = option;
    initStyleOption(&plain, index);
    const QString text = plain.text;
    plain.text.clear();
    const QWidget* widget = option.widget;
    widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, widget);
    const double used = index.data(LayoutModel::MemoryRole).toDouble();
    const double usable = index.data(LayoutModel::UsableRole).toDouble();
    const Theme& theme = themeOf(widget);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF cell = QRectF(option.rect).adjusted(pad, 0, -pad, 0);
    if (usable > 0 && cell.width() > figureWidth + 24) {
        const double share = used / usable;
        const QRectF track(cell.left(), cell.center().y() - 4, cell.width() - figureWidth - 6, 8);
        // The mark at nine tenths of the track: what is beyond has room to be seen.
        const double limit = track.width() * 0.9;
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.colour(T::Line));
        painter->drawRoundedRect(track, 3, 3);
        painter->setBrush(theme.colour(tokenOf(index)));
        painter->drawRoundedRect(
            QRectF(track.topLeft(), QSizeF(qBound(2.0, limit * share, track.width()), track.height())), 3, 3);
        painter->setPen(QPen(theme.colour(T::Foreground), 1.5));
        painter->drawLine(
            QPointF(track.left() + limit, track.top() - 3), QPointF(track.left() + limit, track.bottom() + 3));
    }
    painter->setPen(theme.colour(T::Foreground));
    painter->setFont(plain.font);
    painter->drawText(cell, Qt::AlignRight | Qt::AlignVCenter, text);
    painter->restore();
}

QSize MemoryBarDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return {150, QStyledItemDelegate::sizeHint(option, index).height()};
}

} // namespace rankwright
