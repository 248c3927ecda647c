// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/telemetryseries.h"

#include <QRect>
#include <QSize>

#include <optional>
#include <vector>

namespace rankwright {

/// Where a node is in the folded picture.
struct TilePlace {
    int tile = 0;
    int index = 0; ///< within the tile's nodes
    bool operator==(const TilePlace&) const = default;
};

/// Geometry of the folded picture: one tile per group of nodes, all alike, in reading order; in a tile a line with the
/// group's name, its nodes as rows of small cells (several nodes side by side where that makes the cells larger), and,
/// where there is room, a line for figures. All tiles fit the viewport; where a cell would be below one pixel several
/// GPUs share it, and the painter shows the worst outlier. Content coordinates are those of the viewport. Pure values.
class HeatMapTiles {
public:
    HeatMapTiles() = default;
    /// `sizes`: nodes of each group.
    HeatMapTiles(std::vector<int> sizes, int gpusPerNode, QSize viewport);

    int count() const { return int(m_sizes.size()); }
    int columns() const { return m_columns; }
    QSize contentSize() const;
    bool hasName() const { return m_nameHeight > 0; }
    bool hasFigures() const { return m_figureHeight > 0; }
    QRect tile(int tile) const;
    QRect name(int tile) const; ///< empty if it does not fit
    QRect figures(int tile) const; ///< empty if they do not fit
    QRect cells(int tile) const; ///< all small cells of a tile
    QRect node(TilePlace place) const;
    QRect cell(TilePlace place, int gpu) const;
    std::optional<int> tileAt(QPoint point) const;
    /// The small cell at a point, or the nearest of the tile that is hit.
    std::optional<std::pair<TilePlace, int>> cellAt(QPoint point) const;

private:
    double fit(QSize viewport, int columns); ///< lays out; the small cell's lesser edge
    double fitBanks(QSize room);

    std::vector<int> m_sizes;
    int m_gpus = 0;
    int m_most = 0; ///< nodes of the largest group
    int m_columns = 1;
    QSize m_tile;
    int m_nameHeight = 0;
    int m_figureHeight = 0;
    int m_banks = 1; ///< nodes side by side within a tile
    double m_cellWidth = 1;
    double m_cellHeight = 1;
};

} // namespace rankwright
