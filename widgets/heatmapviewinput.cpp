// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmapaccessible.h"
#include "widgets/heatmapminimap.h"
#include "widgets/heatmapview.h"

#include <QContextMenuEvent>
#include <QGestureEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QNativeGestureEvent>
#include <QPinchGesture>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

// Hands at HeatMapView: arrows, Home, End, page keys and with Ctrl the first and last GPU; 1 to 6 the measure; + - and
// 0 the zoom; Enter opens a group, Esc goes back; G groups or all nodes; O the order; V the overlay; P pins the GPU,
// Shift+P its node.
namespace rankwright {

using namespace Qt::StringLiterals;

void HeatMapView::mousePressEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    const std::optional<GpuAddress> hit = cellAt(at);
    if (event->button() == Qt::LeftButton && hit) {
        if (event->modifiers().testFlag(Qt::ControlModifier)) {
            togglePin({hit->node, hit->gpu});
        } else if (isFolded()) {
            const auto& summary = m_groups.at(m_places[std::size_t(hit->node)].tile).summary;
            // The oddest of an odd group is what one comes for; else the GPU that was hit.
            openGroupOf(summary.worst && summary.worstOddness >= GpuField::oddFrom ? *summary.worst : *hit);
            if (!isFolded())
                setCurrent(summary.worst && summary.worstOddness >= GpuField::oddFrom ? *summary.worst : *hit);
        } else {
            setCurrent(hit);
        }
    }
    event->accept();
}

void HeatMapView::mouseReleaseEvent(QMouseEvent* event) { event->accept(); }

void HeatMapView::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const std::optional<GpuAddress> gpu = byKey ? m_current : cellAt(event->pos());
    if (!gpu)
        return;
    QMenu menu(this);
    fillMenu(menu, *gpu);
    menu.exec(byKey ? viewport()->mapToGlobal(cellOnViewport(*gpu).center()) : event->globalPos());
    event->accept();
}

void HeatMapView::fillMenu(QMenu& menu, GpuAddress gpu)
{
    const QString node = m_grid->series().nodes().value(gpu.node);
    const QString name = u"%1 %2"_s.arg(m_grid->gpuWord()).arg(gpu.gpu);
    const HeatMapPin one{gpu.node, gpu.gpu};
    const HeatMapPin whole{gpu.node};
    menu.addAction(m_pins.contains(one) ? tr("Unpin %1 of %2").arg(name, node) : tr("Pin %1 of %2").arg(name, node),
        this, [this, one] { togglePin(one); });
    menu.addAction(m_pins.contains(whole) ? tr("Unpin node %1").arg(node) : tr("Pin node %1").arg(node), this,
        [this, whole] { togglePin(whole); });
    if (!m_pins.empty())
        menu.addAction(tr("Unpin all"), this, [this] { setPins({}); });
    if (canFold()) {
        menu.addSeparator();
        if (isFolded())
            menu.addAction(tr("Open its group"), this, [this, gpu] { openGroupOf(gpu); });
        else if (!m_open.isEmpty())
            menu.addAction(tr("Back to all groups"), this, &HeatMapView::closeGroup);
    }
}

void HeatMapView::keyPressEvent(QKeyEvent* event)
{
    using Move = HeatMapLayout::Move;
    const bool whole = event->modifiers().testFlag(Qt::ControlModifier);
    std::optional<Move> move;
    switch (event->key()) {
    case Qt::Key_Left: move = Move::Left; break;
    case Qt::Key_Right: move = Move::Right; break;
    case Qt::Key_Up: move = Move::Up; break;
    case Qt::Key_Down: move = Move::Down; break;
    case Qt::Key_Home: move = whole ? Move::First : Move::RowStart; break;
    case Qt::Key_End: move = whole ? Move::Last : Move::RowEnd; break;
    case Qt::Key_PageUp: move = Move::PageUp; break;
    case Qt::Key_PageDown: move = Move::PageDown; break;
    default:
        if (!pressCommand(event->key(), event->modifiers()))
            QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    moveCurrent(*move);
}

bool HeatMapView::pressCommand(int key, Qt::KeyboardModifiers modifiers)
{
    if (key >= Qt::Key_1 && key <= Qt::Key_6) {
        setMeasure(allMeasures.at(std::size_t(key - Qt::Key_1)));
        return true;
    }
    const QPoint around = m_current && viewport()->rect().intersects(cellOnViewport(*m_current))
        ? cellOnViewport(*m_current).center()
        : viewport()->rect().center();
    switch (key) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom(1, around); return true;
    case Qt::Key_Minus: zoom(-1, around); return true;
    case Qt::Key_0: fit(); return true;
    case Qt::Key_O: setOrder(m_wantedOrder == Order::Place ? Order::Oddness : Order::Place); return true;
    case Qt::Key_G:
        if (canFold())
            setFold(m_fold == Fold::Groups ? Fold::Nodes : Fold::Groups);
        return canFold();
    case Qt::Key_V: {
        const QList<HeatMapOverlay> all = overlays();
        setOverlay(all.at((all.indexOf(m_overlay) + 1) % all.size()));
        return true;
    }
    case Qt::Key_P:
        if (m_current)
            togglePin(modifiers.testFlag(Qt::ShiftModifier) ? HeatMapPin{m_current->node}
                                                            : HeatMapPin{m_current->node, m_current->gpu});
        return m_current.has_value();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!isFolded() || !m_current)
            return false;
        openGroupOf(*m_current);
        return true;
    case Qt::Key_Escape:
        if (!m_zoom && m_open.isEmpty())
            return false;
        stepBack();
        return true;
    default: return false;
    }
}

void HeatMapView::stepBack()
{
    if (m_zoom)
        fit();
    else
        closeGroup();
}

void HeatMapView::moveCurrent(HeatMapLayout::Move move)
{
    if (m_rows.isEmpty() || m_grid->columnCount() == 0)
        return;
    if (!m_current || m_slots.value(m_current->node, -1) < 0) {
        setCurrent(GpuAddress{m_rows.first(), 0});
        return;
    }
    if (isFolded()) {
        moveTile(move);
        return;
    }
    const GpuAddress from{m_slots.at(m_current->node), m_current->gpu};
    const GpuAddress to = m_layout.moved(from, move, viewport()->height());
    setCurrent(GpuAddress{m_rows.at(to.node), to.gpu});
}

void HeatMapView::moveTile(HeatMapLayout::Move move)
{
    using Move = HeatMapLayout::Move;
    const int count = m_tiles.count();
    const int columns = m_tiles.columns();
    const int from = m_places[std::size_t(m_current->node)].tile;
    const int lineStart = from / columns * columns;
    int to = from;
    switch (move) {
    case Move::Left: to = std::max(lineStart, from - 1); break;
    case Move::Right: to = std::min({lineStart + columns - 1, from + 1, count - 1}); break;
    case Move::Up: to = from >= columns ? from - columns : from; break;
    case Move::Down: to = from + columns < count ? from + columns : from; break;
    case Move::RowStart: to = lineStart; break;
    case Move::RowEnd: to = std::min(lineStart + columns, count) - 1; break;
    case Move::First:
    case Move::PageUp: to = 0; break;
    case Move::Last:
    case Move::PageDown: to = count - 1; break;
    }
    // In a group the eye wants the GPU that differs; where none does, this is its first.
    if (to != from && m_groups.at(to).summary.worst)
        setCurrent(m_groups.at(to).summary.worst);
}

void HeatMapView::wheelEvent(QWheelEvent* event)
{
    if (!event->modifiers().testFlag(Qt::ControlModifier)) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    constexpr double notch = 120;
    zoomBy(std::pow(1.25, event->angleDelta().y() / notch), event->position().toPoint());
    event->accept();
}

void HeatMapView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    if (!m_current && !m_rows.isEmpty())
        setCurrent(GpuAddress{m_rows.first(), 0});
    else if (m_current) {
        updateRow(m_current->node);
        announceHeatMapFocus(*this);
    }
    if (isFolded())
        viewport()->update();
}

void HeatMapView::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    if (m_current)
        updateRow(m_current->node);
    if (isFolded())
        viewport()->update();
}

bool HeatMapView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (!showTip(help->pos(), help->globalPos()))
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::NativeGesture) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() != Qt::ZoomNativeGesture)
            return QAbstractScrollArea::viewportEvent(event);
        zoomBy(1 + gesture->value(), gesture->position().toPoint());
        return true;
    }
    if (event->type() == QEvent::Gesture) {
        auto* gestures = static_cast<QGestureEvent*>(event);
        if (auto* pinch = static_cast<QPinchGesture*>(gestures->gesture(Qt::PinchGesture))) {
            zoomBy(pinch->scaleFactor(), viewport()->mapFromGlobal(pinch->centerPoint().toPoint()));
            gestures->accept(pinch);
            return true;
        }
    }
    return QAbstractScrollArea::viewportEvent(event);
}

bool HeatMapView::showTip(QPoint at, QPoint global)
{
    const std::optional<GpuAddress> hit = cellAt(at);
    if (!hit)
        return false;
    QString text;
    QRect box = cellOnViewport(*hit);
    if (isFolded()) {
        const int tile = m_places[std::size_t(hit->node)].tile;
        text = describeGroup(*m_grid, m_field, m_groups.at(tile)) + u"\n\n"_s;
        box = box.isEmpty() ? m_tiles.tile(tile) : box;
    }
    text += describeGpu(*m_grid, *hit, m_ended);
    // Escaped: node and GPU names come from the cluster and must not be read as markup.
    QToolTip::showText(global, u"<p style='white-space:pre'>%1</p>"_s.arg(text.toHtmlEscaped()), viewport(), box);
    return true;
}

void HeatMapView::placeMinimap() { m_minimap->place(); }

} // namespace rankwright
