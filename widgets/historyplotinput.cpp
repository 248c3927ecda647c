// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How a HistoryPlot is worked with: mouse, wheel, keys.
#include "widgets/historyplot.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace rankwright {

namespace {

constexpr double clickRoom = 4; // less is a click, more a stretch
constexpr double zoomStep = 1.25;

} // namespace

void HistoryPlot::zoom(double factor, double aroundX)
{
    const TimeScale now = time();
    if (now.span.length() <= 0)
        return;
    const qint64 around = now.ms(aroundX);
    const double before = double(around - now.span.fromMs) * factor;
    const double after = double(now.span.toMs - around) * factor;
    showSpan({around - qint64(before), around + qint64(after)});
}

void HistoryPlot::pan(double share)
{
    const TimeSpan now = span();
    const qint64 by = qint64(double(now.length()) * share);
    showSpan({now.fromMs + by, now.toMs + by});
}

void HistoryPlot::mousePressEvent(QMouseEvent* event)
{
    const bool middle = event->button() == Qt::MiddleButton;
    if ((event->button() != Qt::LeftButton && !middle) || !plot().contains(event->position()))
        return;
    m_drag = Drag{event->position(), span(), middle || (event->modifiers() & Qt::ShiftModifier) != 0};
}

void HistoryPlot::mouseMoveEvent(QMouseEvent* event)
{
    const QRectF box = plot();
    const double x = std::clamp(event->position().x(), box.left(), box.right());
    m_hoverX = m_drag || box.contains(event->position()) ? std::optional(x) : std::nullopt;
    if (m_drag && m_drag->moves && box.width() > 0) {
        const double share = (m_drag->from.x() - event->position().x()) / box.width();
        const qint64 by = qint64(share * double(m_drag->span.length()));
        showSpan({m_drag->span.fromMs + by, m_drag->span.toMs + by});
    }
    update();
}

void HistoryPlot::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_drag)
        return;
    const Drag drag = *m_drag;
    m_drag.reset();
    const TimeScale now = time();
    const double moved = std::abs(event->position().x() - drag.from.x());
    if (!drag.moves && moved > clickRoom) {
        const auto [left, right] = std::minmax(drag.from.x(), event->position().x());
        showSpan({now.ms(left), now.ms(right)});
    } else if (!drag.moves && now.span.length() > 0) {
        emit picked(now.ms(drag.from.x()));
    }
    update();
}

void HistoryPlot::mouseDoubleClickEvent(QMouseEvent*)
{
    m_drag.reset();
    showRange(Range::All);
}

void HistoryPlot::leaveEvent(QEvent*)
{
    m_hoverX.reset();
    update();
}

void HistoryPlot::wheelEvent(QWheelEvent* event)
{
    const double turns = event->angleDelta().y() / 120.0;
    if (turns != 0)
        zoom(std::pow(zoomStep, -turns), event->position().x());
    event->accept();
}

void HistoryPlot::keyPressEvent(QKeyEvent* event)
{
    const double share = event->modifiers() & Qt::ShiftModifier ? 0.5 : 0.1;
    const double middle = plot().center().x();
    switch (event->key()) {
    case Qt::Key_Left: pan(-share); return;
    case Qt::Key_Right: pan(share); return;
    case Qt::Key_Up:
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom(1 / zoomStep, middle); return;
    case Qt::Key_Down:
    case Qt::Key_Minus: zoom(zoomStep, middle); return;
    case Qt::Key_0:
    case Qt::Key_Home: showRange(Range::All); return;
    case Qt::Key_End: showRange(Range::Recent); return;
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace rankwright
