// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/motion/motionview.h"

#include "widgets/base/richtooltip.h"
#include "widgets/motion/motionaccessible.h"
#include "widgets/motion/motionpainter.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

namespace rankwright {

MotionView::MotionView(QWidget* parent) : QAbstractScrollArea(parent)
{
    installMotionAccessibility();
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    setFocusPolicy(Qt::NoFocus); // the card around it has the keys
    setAccessibleName(tr("Moving picture"));
}

void MotionView::setPicture(const MotionPicture& picture)
{
    if (picture == m_picture)
        return;
    m_picture = picture;
    QAccessibleTableModelChangeEvent changed(this, QAccessibleTableModelChangeEvent::ModelReset);
    QAccessible::updateAccessibility(&changed);
    setAccessibleName(picture.title);
    showFrame(0);
}

void MotionView::showFrame(int frame, double share)
{
    frame = qBound(0, frame, qMax(0, int(m_picture.frames.size()) - 1));
    m_share = frame == 0 ? 1 : qBound(0.0, share, 1.0);
    m_frame = frame;
    if (accessibleDescription() != sentence())
        setAccessibleDescription(sentence());
    viewport()->update();
}

QString MotionView::sentence() const { return m_picture.frames.value(m_frame).sentence; }

void MotionView::paintEvent(QPaintEvent*)
{
    if (m_picture.frames.isEmpty())
        return;
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    const MotionFrame& to = m_picture.frames.at(m_frame);
    const MotionFrame& from = m_picture.frames.at(qMax(0, m_frame - 1));
    paintMotion(painter, from, to, m_share, QRectF(viewport()->rect()).adjusted(1, 1, -1, -1), themeOf(this));
}

bool MotionView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), richToolTip(sentence()), this);
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void MotionView::wheelEvent(QWheelEvent* event) { event->ignore(); } // the page scrolls

void MotionView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        viewport()->update();
}

} // namespace rankwright
