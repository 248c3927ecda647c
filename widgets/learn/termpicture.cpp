// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/learn/termpicture.h"

#include "widgets/base/theme.h"
#include "widgets/learn/termsketch.h"

#include <QEvent>
#include <QFontMetrics>
#include <QPainter>

namespace rankwright {

TermPicture::TermPicture(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(tr("Picture"));
    setPicture(m_picture, m_figures);
}

void TermPicture::setPicture(TinyPicture picture, const PictureFigures& figures)
{
    m_picture = picture;
    m_figures = figures;
    setAccessibleDescription(pictureText(picture, figures));
    update();
}

QSize TermPicture::sizeHint() const
{
    // Grows with the text: the letters in it are a part of the picture.
    const double scale = qBound(1.0, QFontMetrics(font()).height() / 16.0, 2.5);
    return (TermSketch::size() * scale).toSize();
}

void TermPicture::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    TermSketch(painter, rect(), m_figures, themeOf(this)).paint(m_picture);
}

void TermPicture::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateGeometry();
    if (event->type() == QEvent::PaletteChange)
        update();
}

} // namespace rankwright
