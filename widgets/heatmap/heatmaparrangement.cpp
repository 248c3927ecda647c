// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmapminimap.h"
#include "widgets/heatmap/heatmapview.h"

#include <QScrollBar>

#include <algorithm>
#include <array>
#include <cmath>

// What HeatMapView shows where: order, groups, pins, zoom.
namespace rankwright {

namespace {

/// What zooming goes through: edges of squares, then figures, then cards.
constexpr std::array zoomSteps{HeatMapZoom{HeatMapLevel::Dense, 3}, HeatMapZoom{HeatMapLevel::Dense, 4},
    HeatMapZoom{HeatMapLevel::Dense, 6}, HeatMapZoom{HeatMapLevel::Dense, 8}, HeatMapZoom{HeatMapLevel::Dense, 11},
    HeatMapZoom{HeatMapLevel::Dense, 15}, HeatMapZoom{HeatMapLevel::Dense, 20}, HeatMapZoom{HeatMapLevel::Compact, 0},
    HeatMapZoom{HeatMapLevel::Cards, 0}};

/// The step that looks most like a layout.
int stepOf(const HeatMapLayout& layout)
{
    if (layout.level() == HeatMapLevel::Cards)
        return int(zoomSteps.size()) - 1;
    if (layout.level() == HeatMapLevel::Compact)
        return int(zoomSteps.size()) - 2;
    int step = 0;
    while (zoomSteps[std::size_t(step) + 1].level == HeatMapLevel::Dense
        && zoomSteps[std::size_t(step) + 1].cell <= layout.cellWidth())
        ++step;
    return step;
}

} // namespace

HeatMapShape HeatMapView::shape() const
{
    return {int(m_rows.size()), m_grid->gpusPerNode(), m_grid->gpusPerPackage(), m_labelWidth};
}

void HeatMapView::rearrange()
{
    arrangeGroups();
    arrangeRows();
    summarise();
    relayout();
}

void HeatMapView::arrangeGroups()
{
    m_groups.clear();
    if (!canFold()) {
        m_open.clear();
        return;
    }
    std::set<int> pinned;
    for (const HeatMapPin& pin : m_pins)
        pinned.insert(pin.node);
    QList<HeatMapGroup> groups;
    for (const NodeGroup& group : m_grid->groupsOfNodes()) {
        HeatMapGroup shown{group, false, {}};
        shown.group.rows.removeIf([&pinned](int row) { return pinned.contains(row); });
        if (!shown.group.rows.isEmpty())
            groups.append(shown);
    }
    if (m_wantedOrder == Order::OutlierScore) {
        // By the oldest rule of the order itself: a group stands where its oddest node does.
        QList<int> standing(m_grid->nodeCount());
        for (int place = 0; place < m_order.rows().size(); ++place)
            standing[m_order.rows().at(place)] = place;
        const auto first = [&standing](const HeatMapGroup& group) {
            const auto least = std::min_element(group.group.rows.begin(), group.group.rows.end(),
                [&standing](int one, int other) { return standing.at(one) < standing.at(other); });
            return standing.at(*least);
        };
        std::stable_sort(groups.begin(), groups.end(),
            [&first](const HeatMapGroup& one, const HeatMapGroup& other) { return first(one) < first(other); });
    }
    if (!pinned.empty()) {
        HeatMapGroup kept;
        kept.pinned = true;
        kept.group.name = tr("Pinned");
        kept.group.rows = QList<int>(pinned.begin(), pinned.end());
        groups.prepend(kept);
    }
    m_groups = groups;
    m_places.assign(std::size_t(m_grid->nodeCount()), {});
    for (int tile = 0; tile < m_groups.size(); ++tile) {
        const QList<int>& rows = m_groups.at(tile).group.rows;
        for (int index = 0; index < rows.size(); ++index)
            m_places[std::size_t(rows.at(index))] = {tile, index};
    }
}

void HeatMapView::arrangeRows()
{
    m_rows.clear();
    const int count = m_grid->nodeCount();
    QList<bool> wanted(count, m_open.isEmpty());
    if (!m_open.isEmpty()) {
        const QList<NodeGroup>& groups = m_grid->groupsOfNodes();
        const auto open = std::find_if(
            groups.begin(), groups.end(), [this](const NodeGroup& group) { return group.name == m_open; });
        if (open == groups.end()) {
            m_open.clear();
            wanted.fill(true);
        } else {
            for (const int row : open->rows)
                wanted[row] = true;
        }
    }
    for (const HeatMapPin& pin : m_pins) {
        if (pin.node < count && !m_rows.contains(pin.node))
            m_rows.append(pin.node);
    }
    for (const int row : std::as_const(m_rows))
        wanted[row] = false;
    const bool byOutlierScore = m_wantedOrder == Order::OutlierScore && m_order.rows().size() == count;
    if (isFolded()) {
        m_rows.clear();
        for (const HeatMapGroup& group : std::as_const(m_groups))
            m_rows += group.group.rows;
    } else {
        for (int place = 0; place < count; ++place) {
            const int row = byOutlierScore ? m_order.rows().at(place) : place;
            if (wanted.at(row))
                m_rows.append(row);
        }
    }
    m_slots.fill(-1, count);
    for (int slot = 0; slot < m_rows.size(); ++slot)
        m_slots[m_rows.at(slot)] = slot;
}

void HeatMapView::summarise()
{
    for (HeatMapGroup& group : m_groups)
        group.summary = m_field.summaryOf(group.group.rows);
}

void HeatMapView::relayout()
{
    const HeatMapLevel before = m_layout.level();
    m_layout
        = m_zoom ? HeatMapLayout(shape(), viewport()->size(), *m_zoom) : HeatMapLayout(shape(), viewport()->size());
    m_tiles = HeatMapTiles();
    if (isFolded()) {
        std::vector<int> sizes;
        for (const HeatMapGroup& group : std::as_const(m_groups))
            sizes.push_back(int(group.group.rows.size()));
        m_tiles = HeatMapTiles(sizes, m_grid->gpusPerNode(), viewport()->size());
    }
    const QSize beyond = contentSize() - viewport()->size();
    verticalScrollBar()->setRange(0, std::max(0, beyond.height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(std::max(8, m_layout.lineStep()));
    horizontalScrollBar()->setRange(0, std::max(0, beyond.width()));
    horizontalScrollBar()->setPageStep(viewport()->width());
    viewport()->update();
    placeMinimap();
    const int roomiest = roomiestHeight();
    if (roomiest != m_roomiest || before != m_layout.level()) {
        m_roomiest = roomiest;
        emit layoutChanged();
    }
}

int HeatMapView::roomiestHeight() const
{
    if (canFold()) // a fold takes whatever it gets
        return QWIDGETSIZE_MAX / 2;
    return HeatMapLayout::roomiestHeight(shape(), viewport()->width());
}

void HeatMapView::setOrder(Order order)
{
    if (m_wantedOrder == order)
        return;
    m_wantedOrder = order;
    rearrange();
    showCurrent();
    emit orderChanged();
}

void HeatMapView::setFold(Fold fold)
{
    if (m_fold == fold)
        return;
    m_fold = fold;
    m_open.clear();
    m_zoom.reset();
    rearrange();
    showCurrent();
    emit layoutChanged();
}

void HeatMapView::openGroupOf(GpuAddress gpu)
{
    if (!canFold() || m_fold != Fold::Groups)
        return;
    for (const NodeGroup& group : m_grid->groupsOfNodes()) {
        if (!group.rows.contains(gpu.node) || group.name == m_open)
            continue;
        m_open = group.name;
        m_zoom.reset();
        rearrange();
        verticalScrollBar()->setValue(0);
        setCurrent(gpu);
        emit layoutChanged();
        return;
    }
}

void HeatMapView::closeGroup()
{
    if (m_open.isEmpty())
        return;
    m_open.clear();
    m_zoom.reset();
    rearrange();
    showCurrent();
    emit layoutChanged();
}

void HeatMapView::setPins(const QList<HeatMapPin>& pins)
{
    HeatMapPins kept;
    for (const HeatMapPin& pin : pins) {
        if (pin.node >= 0 && pin.node < m_grid->nodeCount() && pin.gpu < m_grid->gpusPerNode())
            kept.insert(pin);
    }
    if (kept == m_pins)
        return;
    m_pins = kept;
    rearrange();
    showCurrent();
    emit pinsChanged();
}

void HeatMapView::togglePin(HeatMapPin pin)
{
    QList<HeatMapPin> all = pins();
    if (!all.removeOne(pin))
        all.append(pin);
    setPins(all);
}

void HeatMapView::setLevel(std::optional<HeatMapLevel> level)
{
    m_zoom.reset();
    if (level)
        m_zoom = HeatMapZoom{*level, 0, 0};
    relayout();
    showCurrent();
}

void HeatMapView::fit()
{
    m_zoomRest = 0;
    setLevel({});
}

void HeatMapView::zoom(int steps, QPoint around)
{
    if (m_rows.isEmpty() || steps == 0)
        return;
    if (isFolded()) { // closer to a group means into it
        const std::optional<GpuAddress> hit = cellAt(around);
        if (steps > 0 && (hit || m_current))
            openGroupOf(hit ? *hit : *m_current);
        return;
    }
    const HeatMapLayout fitted(shape(), viewport()->size());
    const int from = stepOf(m_layout);
    const QSize content = m_layout.contentSize();
    const bool allInSight = content.width() <= viewport()->width() && content.height() <= viewport()->height();
    if (steps < 0 && allInSight && !m_open.isEmpty()) { // further away than a whole group: all groups
        closeGroup();
        return;
    }
    const int to = std::clamp(from + steps, 0, int(zoomSteps.size()) - 1);
    if (to == from)
        return;
    const std::optional<GpuAddress> anchor = m_layout.nearest(around + scrolled());
    HeatMapZoom wanted = zoomSteps[std::size_t(to)];
    wanted.banks = fitted.banks();
    m_zoom = to == stepOf(fitted) ? std::nullopt : std::optional(wanted);
    relayout();
    if (anchor) {
        const QPoint centre = m_layout.cell(*anchor).center();
        horizontalScrollBar()->setValue(centre.x() - around.x());
        verticalScrollBar()->setValue(centre.y() - around.y());
    }
    viewport()->update();
    emit layoutChanged();
}

void HeatMapView::zoomBy(double factor, QPoint around)
{
    constexpr double step = 1.25;
    m_zoomRest += std::log(std::max(factor, 0.01)) / std::log(step);
    const int whole = int(std::trunc(m_zoomRest + std::copysign(1e-6, m_zoomRest))); // a notch is exactly one step
    m_zoomRest -= whole;
    for (int done = 0; done < std::abs(whole); ++done)
        zoom(whole > 0 ? 1 : -1, around);
}

QPoint HeatMapView::scrolled() const { return {horizontalScrollBar()->value(), verticalScrollBar()->value()}; }

QRect HeatMapView::cellOnViewport(GpuAddress address) const
{
    const int slot = m_slots.value(address.node, -1);
    if (slot < 0 || address.gpu >= m_grid->gpusPerNode())
        return {};
    const QRect box = isFolded() ? m_tiles.cell(m_places[std::size_t(address.node)], address.gpu)
                                 : m_layout.cell({slot, address.gpu});
    return box.translated(-scrolled());
}

std::optional<GpuAddress> HeatMapView::cellAt(QPoint onViewport) const
{
    const QPoint point = onViewport + scrolled();
    if (isFolded()) {
        const auto hit = m_tiles.cellAt(point);
        return hit
            ? std::optional(GpuAddress{m_groups.at(hit->first.tile).group.rows.at(hit->first.index), hit->second})
            : std::nullopt;
    }
    const std::optional<GpuAddress> hit = m_layout.cellAt(point);
    return hit ? std::optional(GpuAddress{m_rows.at(hit->node), hit->gpu}) : std::nullopt;
}

void HeatMapView::showCurrent()
{
    if (!m_current || m_slots.value(m_current->node, -1) < 0)
        return;
    QRect cell = cellOnViewport(*m_current).translated(scrolled()).adjusted(-6, -6, 6, 6);
    if (isFolded())
        cell = m_tiles.tile(m_places[std::size_t(m_current->node)].tile);
    QScrollBar* down = verticalScrollBar();
    if (cell.top() < down->value())
        down->setValue(cell.top());
    else if (cell.bottom() >= down->value() + viewport()->height())
        down->setValue(cell.bottom() + 1 - viewport()->height());
    QScrollBar* across = horizontalScrollBar();
    if (cell.left() < across->value())
        across->setValue(cell.left());
    else if (cell.right() >= across->value() + viewport()->width())
        across->setValue(cell.right() + 1 - viewport()->width());
}

} // namespace rankwright
