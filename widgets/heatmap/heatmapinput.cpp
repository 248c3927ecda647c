// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmapinput.h"

#include "widgets/base/richtooltip.h"
#include "widgets/heatmap/heatmapview.h"

#include <QKeyEvent>
#include <QMenu>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

void HeatMapInput::click(QPoint at, Qt::KeyboardModifiers modifiers)
{
    const std::optional<GpuAddress> hit = m_view.cellAt(at);
    if (!hit)
        return;
    if (modifiers.testFlag(Qt::ControlModifier)) {
        m_view.togglePin({hit->node, hit->gpu});
    } else if (m_view.isFolded()) {
        const HeatMapArrangement& shown = m_view.arrangement();
        const FieldSummary& summary = shown.groups().at(shown.tileOf(hit->node)).summary;
        // The worst outlier of a group is what one looks for; else the GPU that was hit.
        const bool odd = summary.worst && summary.worstOutlierScore >= GpuMeasure::outlierFrom;
        const GpuAddress wanted = odd ? *summary.worst : *hit;
        m_view.openGroupOf(wanted);
        if (!m_view.isFolded())
            m_view.setCurrent(wanted);
    } else {
        m_view.setCurrent(hit);
        emit m_view.gpuPicked(*hit);
    }
}

bool HeatMapInput::press(const QKeyEvent& event)
{
    using Move = HeatMapLayout::Move;
    const bool whole = event.modifiers().testFlag(Qt::ControlModifier);
    std::optional<Move> move;
    switch (event.key()) {
    case Qt::Key_Left: move = Move::Left; break;
    case Qt::Key_Right: move = Move::Right; break;
    case Qt::Key_Up: move = Move::Up; break;
    case Qt::Key_Down: move = Move::Down; break;
    case Qt::Key_Home: move = whole ? Move::First : Move::RowStart; break;
    case Qt::Key_End: move = whole ? Move::Last : Move::RowEnd; break;
    case Qt::Key_PageUp: move = Move::PageUp; break;
    case Qt::Key_PageDown: move = Move::PageDown; break;
    default: return pressCommand(event.key(), event.modifiers());
    }
    moveCurrent(*move);
    return true;
}

bool HeatMapInput::pressCommand(int key, Qt::KeyboardModifiers modifiers)
{
    if (key >= Qt::Key_1 && key <= Qt::Key_6) {
        m_view.setMeasure(allMeasures.at(std::size_t(key - Qt::Key_1)));
        return true;
    }
    using Order = HeatMapArrangement::Order;
    using Fold = HeatMapArrangement::Fold;
    const std::optional<GpuAddress> current = m_view.current();
    const QRect screen = m_view.viewport()->rect();
    const QRect cell = current ? m_view.cellOnViewport(*current) : QRect();
    const QPoint around = screen.intersects(cell) ? cell.center() : screen.center();
    switch (key) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: m_view.zoom(1, around); return true;
    case Qt::Key_Minus: m_view.zoom(-1, around); return true;
    case Qt::Key_0: m_view.fit(); return true;
    case Qt::Key_O: m_view.setOrder(m_view.order() == Order::Place ? Order::OutlierScore : Order::Place); return true;
    case Qt::Key_G:
        if (m_view.canFold())
            m_view.setFold(m_view.fold() == Fold::Groups ? Fold::Nodes : Fold::Groups);
        return m_view.canFold();
    case Qt::Key_V: {
        const QList<HeatMapOverlay> all = m_view.overlays();
        m_view.setOverlay(all.at((all.indexOf(m_view.overlay()) + 1) % all.size()));
        return true;
    }
    case Qt::Key_P:
        if (current)
            m_view.togglePin(modifiers.testFlag(Qt::ShiftModifier) ? HeatMapPin{current->node}
                                                                   : HeatMapPin{current->node, current->gpu});
        return current.has_value();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!m_view.isFolded() || !current)
            return false;
        m_view.openGroupOf(*current);
        return true;
    case Qt::Key_Escape:
        if (m_view.isZoomed())
            m_view.fit();
        else if (!m_view.openGroup().isEmpty())
            m_view.closeGroup();
        else
            return false;
        return true;
    default: return false;
    }
}

void HeatMapInput::moveCurrent(HeatMapLayout::Move move)
{
    const HeatMapArrangement& shown = m_view.arrangement();
    if (shown.rows().isEmpty() || shown.shape().gpusPerNode == 0)
        return;
    const std::optional<GpuAddress> current = m_view.current();
    if (!current || shown.slotOf(current->node) < 0)
        m_view.setCurrent(GpuAddress{shown.rows().first(), 0});
    else if (const auto to = shown.moved(*current, move))
        m_view.setCurrent(to);
}

void HeatMapInput::fillMenu(QMenu& menu, GpuAddress gpu) const
{
    HeatMapView* view = &m_view;
    const GpuGrid& grid = view->grid();
    const HeatMapPins& pins = view->arrangement().pins();
    const QString node = grid.series().nodes().value(gpu.node);
    const QString name = u"%1 %2"_s.arg(grid.gpuWord()).arg(gpu.gpu);
    const HeatMapPin one{gpu.node, gpu.gpu};
    const HeatMapPin whole{gpu.node};
    menu.addAction(pins.contains(one) ? HeatMapView::tr("Unpin %1 of %2").arg(name, node)
                                      : HeatMapView::tr("Pin %1 of %2").arg(name, node),
        view, [view, one] { view->togglePin(one); });
    menu.addAction(
        pins.contains(whole) ? HeatMapView::tr("Unpin node %1").arg(node) : HeatMapView::tr("Pin node %1").arg(node),
        view, [view, whole] { view->togglePin(whole); });
    if (!pins.empty())
        menu.addAction(HeatMapView::tr("Unpin all"), view, [view] { view->setPins({}); });
    if (view->canFold()) {
        menu.addSeparator();
        if (view->isFolded())
            menu.addAction(HeatMapView::tr("Open its group"), view, [view, gpu] { view->openGroupOf(gpu); });
        else if (!view->openGroup().isEmpty())
            menu.addAction(HeatMapView::tr("Back to all groups"), view, &HeatMapView::closeGroup);
    }
}

void HeatMapInput::showTip(QPoint at, QPoint global) const
{
    const std::optional<GpuAddress> hit = m_view.cellAt(at);
    if (!hit) {
        QToolTip::hideText();
        return;
    }
    QString text;
    QRect box = m_view.cellOnViewport(*hit);
    if (m_view.isFolded()) {
        const int tile = m_view.arrangement().tileOf(hit->node);
        text = describeGroup(m_view.grid(), m_view.field(), m_view.groups().at(tile)) + u"\n\n"_s;
        box = box.isEmpty() ? m_view.tiles().tile(tile) : box;
    }
    text += describeGpu(m_view.grid(), *hit, m_view.state());
    QToolTip::showText(global, unfoldedToolTip(text), m_view.viewport(), box);
}

void HeatMapInput::zoomBy(double factor, QPoint around)
{
    constexpr double step = 1.25;
    m_zoomRest += std::log(std::max(factor, 0.01)) / std::log(step);
    const int whole = int(std::trunc(m_zoomRest + std::copysign(1e-6, m_zoomRest))); // a notch is exactly one step
    m_zoomRest -= whole;
    for (int done = 0; done < std::abs(whole); ++done)
        m_view.zoom(whole > 0 ? 1 : -1, around);
}

} // namespace rankwright
