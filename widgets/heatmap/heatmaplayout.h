// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/telemetryseries.h"

#include <QRect>
#include <QSize>

#include <optional>

namespace rankwright {

/// How much of a GPU is drawn: a card per package with value and rank; a cell with its value; a coloured square.
enum class HeatMapLevel { Cards, Compact, Dense };

/// What the geometry depends on, besides the room.
struct HeatMapShape {
    int nodes = 0;
    int gpusPerNode = 0;
    int gpusPerPackage = 1;
    int labelWidth = 92; ///< of the widest node name, measured by the view
    bool operator==(const HeatMapShape&) const = default;
};

/// Nodes [first, end); empty when both are the same.
struct NodeRange {
    int first = 0;
    int end = 0; ///< one past the last
    bool operator==(const NodeRange&) const = default;
};

/// A picture enlarged or reduced by hand: cells of this size, and a fixed number of nodes side by side whatever the
/// room, so that a node keeps its neighbours while one zooms.
struct HeatMapZoom {
    HeatMapLevel level = HeatMapLevel::Dense;
    int cell = 0; ///< edge of a dense cell in pixels; 0: whatever fits
    int banks = 0; ///< 0: whatever fits
    bool operator==(const HeatMapZoom&) const = default;
};

/// Maps nodes x GPUs to pixels and back, in content coordinates. Takes the most detailed level at which everything
/// fits the viewport; small levels lay several nodes side by side ("banks"), so that 1024 nodes are a picture and not a
/// ribbon. A node is a place in the shown order, not a row of a model. Pure values: no painting, no widget, no model.
class HeatMapLayout {
public:
    enum class Move { Left, Right, Up, Down, RowStart, RowEnd, First, Last, PageUp, PageDown };

    HeatMapLayout() = default;
    HeatMapLayout(const HeatMapShape& shape, QSize viewport, std::optional<HeatMapLevel> wanted = {});
    HeatMapLayout(const HeatMapShape& shape, QSize viewport, const HeatMapZoom& zoom);

    HeatMapLevel level() const { return m_level; }
    int banks() const { return m_banks; }
    int cellWidth() const { return m_cellWidth; }
    bool hasLabels() const { return m_label > 0; }
    bool hasSide() const { return m_side > 0; }
    const HeatMapShape& shape() const { return m_shape; }
    QSize contentSize() const;
    /// How high cards of this many nodes can make use of.
    static int roomiestHeight(const HeatMapShape& shape, int width);
    int lineStep() const { return m_blockHeight + m_lineGap; }

    QRect node(int node) const; ///< the whole block: label and cells
    QRect label(int node) const; ///< empty when this level has none
    QRect package(int node, int package) const; ///< the card, or the dies' bounding box
    QRect cell(GpuAddress address) const;
    QRect side(int node, int package) const; ///< for the figure that belongs to the whole package; Cards only

    std::optional<GpuAddress> cellAt(QPoint point) const;
    /// The cell nearest to a point; empty only when there is none at all.
    std::optional<GpuAddress> nearest(QPoint point) const;
    NodeRange visibleNodes(const QRect& area) const;
    /// Where a key leads from `from`; stays inside.
    GpuAddress moved(GpuAddress from, Move move, int viewportHeight) const;

private:
    void layCards(QSize viewport);
    void layCompact(QSize viewport);
    void layDense(QSize viewport);
    bool tryDense(QSize viewport, int size, int label);
    void zoomCards(int banks);
    void zoomCompact(int banks);
    void zoomDense(QSize viewport, int size, int banks);
    int packages() const;
    int lines() const;
    int packageWidth() const;
    int blockWidth() const;
    QPoint origin(int node) const;

    HeatMapShape m_shape;
    HeatMapLevel m_level = HeatMapLevel::Cards;
    int m_banks = 1;
    int m_label = 0; ///< width of the label column, with its gap
    int m_side = 0; ///< width of a card's side figure
    int m_cellWidth = 0;
    int m_cellHeight = 0;
    int m_cellGap = 0; ///< between the dies of a package
    int m_packageGap = 0;
    int m_padding = 0; ///< between a card's edge and its cells
    int m_blockHeight = 0;
    int m_lineGap = 0;
    int m_bankGap = 0;
};

} // namespace rankwright
