// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/keycap.h"

#include "widgets/base/theme.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace rankwright {

namespace {

using T = Theme::Token;

QFont keyFont() { return Theme::uiFont(11, QFont::DemiBold); }

} // namespace

KeyCap::KeyCap(const QString& key, QWidget* parent) : QWidget(parent), m_key(key)
{
    setAccessibleName(tr("Key %1").arg(key));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize KeyCap::sizeHint() const
{
    const QFontMetrics metrics(keyFont());
    const int height = metrics.height() + 5;
    return {std::max(height, metrics.horizontalAdvance(m_key) + 12), height};
}

void KeyCap::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(this);
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(theme.colour(T::FieldLine));
    painter.setBrush(theme.colour(T::Panel));
    painter.drawRoundedRect(box, 4, 4);
    painter.drawLine(QPointF(box.left() + 3, box.bottom() - 1), QPointF(box.right() - 3, box.bottom() - 1));
    painter.setFont(keyFont());
    painter.setPen(theme.colour(T::Foreground2));
    painter.drawText(rect().adjusted(0, 0, 0, -1), Qt::AlignCenter, m_key);
}

} // namespace rankwright
