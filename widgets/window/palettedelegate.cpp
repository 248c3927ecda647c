// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/palettedelegate.h"

#include "widgets/base/theme.h"
#include "widgets/window/palettemodel.h"

#include <QFontMetrics>
#include <QPainter>

namespace rankwright {

namespace {

using T = Theme::Token;

constexpr int pad = 12;

QFont headingFont() { return Theme::uiFont(11, QFont::DemiBold); }
QFont keyFont() { return Theme::uiFont(11); }
QFont titleFont(bool met) { return Theme::uiFont(13, met ? QFont::Bold : QFont::Normal); }

/// The text in stretches that were met and stretches that were not; what has no room is cut with a mark.
void paintTitle(QPainter& painter, const QRect& line, const QString& title, const QList<int>& matched)
{
    int left = line.left();
    for (int from = 0; from < int(title.size()) && left < line.right();) {
        const bool met = matched.contains(from);
        int end = from + 1;
        while (end < int(title.size()) && matched.contains(end) == met)
            ++end;
        const QFontMetrics metrics(titleFont(met));
        const QString part = title.mid(from, end - from);
        const int room = line.right() - left;
        painter.setFont(titleFont(met));
        painter.drawText(QRect(left, line.top(), room, line.height()), Qt::AlignLeft | Qt::AlignVCenter,
            metrics.elidedText(part, Qt::ElideRight, room));
        left += metrics.horizontalAdvance(part);
        from = end;
    }
}

} // namespace

void PaletteDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = themeOf(this);
    const QString text = index.data(Qt::DisplayRole).toString();
    QRect line = option.rect.adjusted(pad, 0, -pad, 0);
    painter->save();
    if (index.data(PaletteModel::HeadingRole).toBool()) {
        painter->setFont(headingFont());
        painter->setPen(theme.colour(T::Foreground2));
        painter->drawText(line.adjusted(0, 6, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
        painter->restore();
        return;
    }
    if (option.state & QStyle::State_Selected) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(theme.colour(T::Accent), 1.5));
        painter->setBrush(theme.colour(T::AccentBackground));
        painter->drawRoundedRect(QRectF(option.rect).adjusted(4, 1, -4, -1), 6, 6);
    }
    const QString shortcut = index.data(PaletteModel::ShortcutRole).toString();
    const bool off = index.data(PaletteModel::OffRole).toBool();
    const QString mark = off ? PaletteModel::tr("not now") : shortcut;
    if (!mark.isEmpty()) {
        painter->setFont(keyFont());
        painter->setPen(theme.colour(T::Foreground2));
        painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, mark);
        line.setRight(line.right() - QFontMetrics(keyFont()).horizontalAdvance(mark) - pad);
    }
    painter->setPen(theme.colour(off ? T::Foreground3 : T::Foreground));
    paintTitle(*painter, line, text, index.data(PaletteModel::MatchedRole).value<QList<int>>());
    painter->restore();
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const
{
    const bool heading = index.data(PaletteModel::HeadingRole).toBool();
    return {200, QFontMetrics(heading ? headingFont() : titleFont(false)).height() + 14};
}

} // namespace rankwright
