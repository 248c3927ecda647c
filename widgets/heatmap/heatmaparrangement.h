// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/tables/grid/gpumeasure.h"
#include "models/tables/grid/outlierorder.h"
#include "widgets/heatmap/heatmaplayout.h"
#include "widgets/heatmap/heatmaptiles.h"

#include <QCoreApplication>

#include <optional>
#include <set>

namespace rankwright {

/// A GPU, or a whole node, that is kept in sight for comparison.
struct HeatMapPin {
    int node = 0; ///< row of the grid
    std::optional<int> gpu = {}; ///< column; empty: the whole node
    auto operator<=>(const HeatMapPin&) const = default; // NOLINT(modernize-use-nullptr): of what is generated
};
using HeatMapPins = std::set<HeatMapPin>;

/// A group of nodes in the folded picture.
struct HeatMapGroup {
    NodeGroup group;
    bool pinned = false; ///< the group of what is pinned
    FieldSummary summary; ///< in the measure that is shown
};

/// Where the parts of a grid are shown: from nodes, room and choices (order, fold, open group, pins, zoom) follow the
/// rows that are shown, their groups and the geometry of both pictures, the one of nodes and the folded one of groups.
/// Every setter leaves all of it in agreement. Addresses are those of the grid, points those of the content (not
/// scrolled). A value that knows neither grid nor widget nor colour.
class HeatMapArrangement {
    Q_DECLARE_TR_FUNCTIONS(rankwright::HeatMapArrangement)
public:
    enum class Order { Place, OutlierScore };
    /// Groups: folded where there are more nodes than foldFrom. Nodes: never.
    enum class Fold { Groups, Nodes };
    static constexpr int foldFrom = 64;

    /// How many nodes there are and how they are grouped (nodegroups.h; not read up to foldFrom nodes). Summaries of
    /// groups are empty until summarise().
    void setNodes(const HeatMapShape& shape, const QList<NodeGroup>& groups);
    /// Before setNodes() with those of another job: pins, open group, zoom and scores belong to the nodes before.
    void forgetNodes();
    /// The viewport in pixels.
    void setRoom(QSize room);
    /// One score per node as OutlierOrder takes it. True when that gave another order of the rows.
    bool setScores(std::span<const float> scores, qint64 nowMs);
    /// The same, of another measure: the order before counts no more.
    void restartScores(std::span<const float> scores, qint64 nowMs);
    void summarise(const GpuMeasure& measure);

    Order order() const { return m_order; }
    void setOrder(Order order);
    Fold fold() const { return m_fold; }
    void setFold(Fold fold); ///< closes the open group and forgets the zoom, as the two below
    bool canFold() const { return m_shape.nodes > foldFrom; }
    bool isFolded() const { return canFold() && m_fold == Fold::Groups && m_open.isEmpty(); }
    /// Shows the group of a node alone. False when there is nothing to open, or it is open.
    bool openGroupOf(int row);
    void closeGroup();
    const QString& openGroup() const { return m_open; } ///< empty: none
    const HeatMapPins& pins() const { return m_pins; }
    void setPins(const HeatMapPins& pins);

    /// A level of detail chosen by hand; empty: whatever fits the room.
    void setLevel(std::optional<HeatMapLevel> level);
    /// Larger (steps > 0) or smaller. False where it is the largest or smallest already, or folded.
    bool zoom(int steps);
    bool isZoomed() const { return m_zoom.has_value(); }

    /// Rows of the grid in the order in which they are shown; folded: those of the groups one after another.
    const QList<int>& rows() const { return m_rows; }
    int slotOf(int row) const { return m_slots.value(row, -1); } ///< place in rows(); -1: not shown
    const QList<HeatMapGroup>& groups() const { return m_groups; }
    /// The tile of a row that is shown folded.
    int tileOf(int row) const { return m_places[std::size_t(row)].tile; }
    const HeatMapShape& shape() const { return m_shape; } ///< of all nodes, shown or not
    const HeatMapLayout& layout() const { return m_layout; }
    const HeatMapTiles& tiles() const { return m_tiles; }
    QSize contentSize() const { return isFolded() ? m_tiles.contentSize() : m_layout.contentSize(); }
    /// Beyond this height cards would only stand apart; a folded picture takes whatever it gets.
    int roomiestHeight() const;

    QRect nodeRect(int row) const; ///< empty: not shown
    QRect cellRect(GpuAddress gpu) const; ///< empty: not shown
    /// What must be in sight when a GPU is shown: its cell, or the tile of its group.
    QRect focusRect(GpuAddress gpu) const;
    std::optional<GpuAddress> cellAt(QPoint point) const;
    /// Where a key leads from a GPU that is shown; in the folded picture to the worst GPU of another group. Empty:
    /// nowhere.
    std::optional<GpuAddress> moved(GpuAddress from, HeatMapLayout::Move move) const;

private:
    void arrange();
    void arrangeGroups();
    void arrangeRows();
    void layOut();
    HeatMapShape shownShape() const;
    bool isByScore() const;
    int tileAfter(int tile, HeatMapLayout::Move move) const;

    HeatMapShape m_shape;
    QList<NodeGroup> m_nodeGroups;
    QSize m_room;
    Order m_order = Order::Place;
    OutlierOrder m_outliers;
    Fold m_fold = Fold::Groups;
    QString m_open;
    HeatMapPins m_pins;
    std::optional<HeatMapZoom> m_zoom;
    QList<int> m_rows;
    QList<int> m_slots; ///< row -> place in m_rows, -1: not shown
    QList<HeatMapGroup> m_groups;
    std::vector<TilePlace> m_places; ///< row -> small cell, when there are groups
    HeatMapLayout m_layout;
    HeatMapTiles m_tiles;
};

} // namespace rankwright
