// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/picturehandler.h"

#include <QPainter>

namespace rankwright {

QSizeF PictureHandler::intrinsicSize(QTextDocument*, int, const QTextFormat& format)
{
    return {m_width, m_pictures.value(format.intProperty(indexProperty)).height};
}

void PictureHandler::drawObject(QPainter* painter, const QRectF& area, QTextDocument*, int, const QTextFormat& format)
{
    const TextPicture picture = m_pictures.value(format.intProperty(indexProperty));
    if (!picture.paint)
        return;
    painter->save();
    painter->setFont(m_font);
    picture.paint(*painter, area);
    painter->restore();
}

} // namespace rankwright
