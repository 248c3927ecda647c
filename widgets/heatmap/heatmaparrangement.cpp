// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmaparrangement.h"

#include <QWidget>

#include <algorithm>
#include <array>

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

void HeatMapArrangement::setNodes(const HeatMapShape& shape, const QList<NodeGroup>& groups)
{
    m_shape = shape;
    m_nodeGroups = groups;
    arrange();
}

void HeatMapArrangement::forgetNodes()
{
    m_open.clear();
    m_zoom.reset();
    m_pins.clear();
    m_outliers = OutlierOrder();
}

void HeatMapArrangement::setRoom(QSize room)
{
    if (m_room == room)
        return;
    m_room = room;
    layOut();
}

bool HeatMapArrangement::setScores(std::span<const float> scores, qint64 nowMs)
{
    const bool moved = m_outliers.update(scores, nowMs) && m_order == Order::OutlierScore;
    if (moved)
        arrange();
    return moved;
}

void HeatMapArrangement::restartScores(std::span<const float> scores, qint64 nowMs)
{
    m_outliers = OutlierOrder();
    setScores(scores, nowMs);
}

void HeatMapArrangement::summarise(const GpuMeasure& measure)
{
    for (HeatMapGroup& group : m_groups)
        group.summary = measure.summaryOf(group.group.rows);
}

void HeatMapArrangement::setOrder(Order order)
{
    m_order = order;
    arrange();
}

void HeatMapArrangement::setFold(Fold fold)
{
    m_fold = fold;
    m_open.clear();
    m_zoom.reset();
    arrange();
}

bool HeatMapArrangement::openGroupOf(int row)
{
    if (!canFold() || m_fold != Fold::Groups)
        return false;
    const auto group = std::find_if(m_nodeGroups.cbegin(), m_nodeGroups.cend(),
        [this, row](const NodeGroup& each) { return each.rows.contains(row) && each.name != m_open; });
    if (group == m_nodeGroups.cend())
        return false;
    m_open = group->name;
    m_zoom.reset();
    arrange();
    return true;
}

void HeatMapArrangement::closeGroup()
{
    m_open.clear();
    m_zoom.reset();
    arrange();
}

void HeatMapArrangement::setPins(const HeatMapPins& pins)
{
    m_pins = pins;
    arrange();
}

void HeatMapArrangement::setLevel(std::optional<HeatMapLevel> level)
{
    m_zoom.reset();
    if (level)
        m_zoom = HeatMapZoom{*level, 0, 0};
    layOut();
}

bool HeatMapArrangement::zoom(int steps)
{
    if (m_rows.isEmpty() || isFolded())
        return false;
    const HeatMapLayout fitted(shownShape(), m_room);
    const int from = stepOf(m_layout);
    const int to = std::clamp(from + steps, 0, int(zoomSteps.size()) - 1);
    if (to == from)
        return false;
    HeatMapZoom wanted = zoomSteps[std::size_t(to)];
    wanted.banks = fitted.banks();
    m_zoom = to == stepOf(fitted) ? std::nullopt : std::optional(wanted);
    layOut();
    return true;
}

int HeatMapArrangement::roomiestHeight() const
{
    return canFold() ? QWIDGETSIZE_MAX / 2 : HeatMapLayout::roomiestHeight(shownShape(), m_room.width());
}

QRect HeatMapArrangement::nodeRect(int row) const
{
    const int slot = slotOf(row);
    if (slot < 0)
        return {};
    return isFolded() ? m_tiles.node(m_places[std::size_t(row)]) : m_layout.node(slot);
}

QRect HeatMapArrangement::cellRect(GpuAddress gpu) const
{
    const int slot = slotOf(gpu.node);
    if (slot < 0 || gpu.gpu >= m_shape.gpusPerNode)
        return {};
    return isFolded() ? m_tiles.cell(m_places[std::size_t(gpu.node)], gpu.gpu) : m_layout.cell({slot, gpu.gpu});
}

QRect HeatMapArrangement::focusRect(GpuAddress gpu) const
{
    if (slotOf(gpu.node) < 0)
        return {};
    return isFolded() ? m_tiles.tile(tileOf(gpu.node)) : cellRect(gpu).adjusted(-6, -6, 6, 6);
}

std::optional<GpuAddress> HeatMapArrangement::cellAt(QPoint point) const
{
    if (isFolded()) {
        const auto hit = m_tiles.cellAt(point);
        if (!hit)
            return {};
        return GpuAddress{m_groups.at(hit->first.tile).group.rows.at(hit->first.index), hit->second};
    }
    const std::optional<GpuAddress> hit = m_layout.cellAt(point);
    return hit ? std::optional(GpuAddress{m_rows.at(hit->node), hit->gpu}) : std::nullopt;
}

std::optional<GpuAddress> HeatMapArrangement::moved(GpuAddress from, HeatMapLayout::Move move) const
{
    if (slotOf(from.node) < 0 || m_shape.gpusPerNode == 0)
        return {};
    if (isFolded()) {
        const int tile = tileAfter(tileOf(from.node), move);
        // In a group the eye wants the GPU that differs; where none does, this is its first.
        return tile == tileOf(from.node) ? std::nullopt : m_groups.at(tile).summary.worst;
    }
    const GpuAddress to = m_layout.moved({slotOf(from.node), from.gpu}, move, m_room.height());
    return GpuAddress{m_rows.at(to.node), to.gpu};
}

int HeatMapArrangement::tileAfter(int tile, HeatMapLayout::Move move) const
{
    using Move = HeatMapLayout::Move;
    const int count = m_tiles.count();
    const int columns = m_tiles.columns();
    const int lineStart = tile / columns * columns;
    switch (move) {
    case Move::Left: return std::max(lineStart, tile - 1);
    case Move::Right: return std::min({lineStart + columns - 1, tile + 1, count - 1});
    case Move::Up: return tile >= columns ? tile - columns : tile;
    case Move::Down: return tile + columns < count ? tile + columns : tile;
    case Move::RowStart: return lineStart;
    case Move::RowEnd: return std::min(lineStart + columns, count) - 1;
    case Move::First:
    case Move::PageUp: return 0;
    case Move::Last:
    case Move::PageDown: break;
    }
    return count - 1;
}

HeatMapShape HeatMapArrangement::shownShape() const
{
    HeatMapShape shape = m_shape;
    shape.nodes = int(m_rows.size());
    return shape;
}

bool HeatMapArrangement::isByScore() const
{
    return m_order == Order::OutlierScore && m_outliers.rows().size() == m_shape.nodes;
}

void HeatMapArrangement::arrange()
{
    arrangeGroups();
    arrangeRows();
    layOut();
}

void HeatMapArrangement::arrangeGroups()
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
    for (const NodeGroup& group : std::as_const(m_nodeGroups)) {
        HeatMapGroup shown{group, false, {}};
        shown.group.rows.removeIf([&pinned](int row) { return pinned.contains(row); });
        if (!shown.group.rows.isEmpty())
            groups.append(shown);
    }
    if (isByScore()) {
        // By the oldest rule of the order itself: a group is where its worst outlier is.
        QList<int> standing(m_shape.nodes);
        for (int place = 0; place < m_outliers.rows().size(); ++place)
            standing[m_outliers.rows().at(place)] = place;
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
    m_places.assign(std::size_t(m_shape.nodes), {});
    for (int tile = 0; tile < m_groups.size(); ++tile) {
        const QList<int>& rows = m_groups.at(tile).group.rows;
        for (int index = 0; index < rows.size(); ++index)
            m_places[std::size_t(rows.at(index))] = {tile, index};
    }
}

void HeatMapArrangement::arrangeRows()
{
    m_rows.clear();
    const int count = m_shape.nodes;
    QList<bool> wanted(count, m_open.isEmpty());
    if (!m_open.isEmpty()) {
        const auto open = std::find_if(m_nodeGroups.cbegin(), m_nodeGroups.cend(),
            [this](const NodeGroup& group) { return group.name == m_open; });
        if (open == m_nodeGroups.cend()) {
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
    if (isFolded()) {
        m_rows.clear();
        for (const HeatMapGroup& group : std::as_const(m_groups))
            m_rows += group.group.rows;
    } else {
        for (int place = 0; place < count; ++place) {
            const int row = isByScore() ? m_outliers.rows().at(place) : place;
            if (wanted.at(row))
                m_rows.append(row);
        }
    }
    m_slots.fill(-1, count);
    for (int slot = 0; slot < m_rows.size(); ++slot)
        m_slots[m_rows.at(slot)] = slot;
}

void HeatMapArrangement::layOut()
{
    m_layout = m_zoom ? HeatMapLayout(shownShape(), m_room, *m_zoom) : HeatMapLayout(shownShape(), m_room);
    m_tiles = HeatMapTiles();
    if (!isFolded())
        return;
    std::vector<int> sizes;
    for (const HeatMapGroup& group : std::as_const(m_groups))
        sizes.push_back(int(group.group.rows.size()));
    m_tiles = HeatMapTiles(sizes, m_shape.gpusPerNode, m_room);
}

} // namespace rankwright
