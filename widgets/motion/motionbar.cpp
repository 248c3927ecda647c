// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/motion/motionbar.h"

#include "widgets/base/theme.h"

#include <QMouseEvent>
#include <QPainter>

namespace rankwright {

namespace {
constexpr double gap = 4;
constexpr double thickness = 6;
} // namespace

MotionBar::MotionBar(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
}

void MotionBar::setState(int frames, int current, double share)
{
    m_frames = frames;
    m_current = current;
    m_share = share;
    setAccessibleName(tr("Frame %1 of %2").arg(current + 1).arg(frames));
    update();
}

QRectF MotionBar::barOf(int frame) const
{
    if (m_frames <= 0)
        return {};
    const double each = (width() - gap * (m_frames - 1)) / m_frames;
    return {frame * (each + gap), (height() - thickness) / 2, each, thickness};
}

void MotionBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(this);
    for (int frame = 0; frame < m_frames; ++frame) {
        QRectF bar = barOf(frame);
        painter.setPen(QPen(theme.colour(Theme::Token::Foreground3), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(bar.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        if (frame > m_current)
            continue;
        if (frame == m_current)
            bar.setWidth(qMax(thickness, bar.width() * m_share));
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.colour(Theme::Token::Accent));
        painter.drawRoundedRect(bar, 3, 3);
    }
}

void MotionBar::mousePressEvent(QMouseEvent* event)
{
    for (int frame = 0; frame < m_frames; ++frame) {
        if (event->position().x() < barOf(frame).right() + gap / 2) {
            emit chosen(frame);
            return;
        }
    }
}

} // namespace rankwright
