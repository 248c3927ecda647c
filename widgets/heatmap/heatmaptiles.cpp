// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmaptiles.h"

#include <algorithm>
#include <cmath>

namespace rankwright {

namespace {

// Pixels.
constexpr int tilesMargin = 4;
constexpr int tileGap = 8;
constexpr int padding = 6;
constexpr int nameHeight = 15; // 11 px text
constexpr int figureHeight = 15;
constexpr int bankGap = 4;
constexpr int leastTileWidth = 62; // of a tile
constexpr int leastHeight = 34;
constexpr int mostTileWidth = 420; // beyond, tiles only grow apart
constexpr int widthForName = 70;
constexpr int heightForName = 40;
constexpr int heightForFigures = 64;
constexpr int widthForFigures = 96;
constexpr double largestCell = 16;

} // namespace

HeatMapTiles::HeatMapTiles(std::vector<int> sizes, int gpusPerNode, QSize viewport)
    : m_sizes(std::move(sizes)), m_gpus(std::max(1, gpusPerNode))
{
    if (m_sizes.empty())
        return;
    m_most = std::max(1, *std::max_element(m_sizes.begin(), m_sizes.end()));
    const int most
        = std::clamp((viewport.width() - 2 * tilesMargin + tileGap) / (leastTileWidth + tileGap), 1, count());
    int best = 1;
    double edge = -1;
    for (int columns = 1; columns <= most; ++columns) {
        const double reached = fit(viewport, columns);
        // Text is worth a smaller cell: a tile that says who is worst beats one that only shows it.
        const double worth = reached * (hasName() ? 1.15 : 1) * (hasFigures() ? 1.35 : 1);
        if (worth > edge) {
            edge = worth;
            best = columns;
        }
    }
    fit(viewport, best);
}

double HeatMapTiles::fit(QSize viewport, int columns)
{
    m_columns = columns;
    const int lines = (count() + columns - 1) / columns;
    const int width = (viewport.width() - 2 * tilesMargin - (columns - 1) * tileGap) / columns;
    const int height = (viewport.height() - 2 * tilesMargin - (lines - 1) * tileGap) / lines;
    m_tile = QSize(std::clamp(width, leastTileWidth, mostTileWidth), std::max(height, leastHeight));
    m_nameHeight = m_tile.width() >= widthForName && m_tile.height() >= heightForName ? nameHeight : 0;
    m_figureHeight = m_tile.width() >= widthForFigures && m_tile.height() >= heightForFigures ? figureHeight : 0;
    const QSize room
        = m_tile - QSize(2 * padding, 2 * padding + m_nameHeight + m_figureHeight + (m_figureHeight > 0 ? 2 : 0));
    double edge = fitBanks(room);
    if (height < leastHeight || width < leastTileWidth) // does not fit: only where nothing does
        edge *= 0.01;
    // A tile is at most as high as its cells can make use of.
    const int rows = (m_most + m_banks - 1) / m_banks;
    m_tile.setHeight(std::min(m_tile.height(),
        int(std::ceil(rows * m_cellHeight)) + 2 * padding + m_nameHeight + m_figureHeight
            + (m_figureHeight > 0 ? 2 : 0)));
    return edge;
}

double HeatMapTiles::fitBanks(QSize room)
{
    double best = -1;
    int chosen = 1;
    for (int banks = 1; banks <= m_most; ++banks) {
        const int rows = (m_most + banks - 1) / banks;
        const double width = double(room.width() - (banks - 1) * bankGap) / (banks * m_gpus);
        const double height = double(room.height()) / rows;
        if (width <= 0)
            break;
        if (const double edge = std::min({width, height, largestCell}); edge > best + 1e-9) {
            best = edge;
            chosen = banks;
        }
    }
    m_banks = chosen;
    const int rows = (m_most + m_banks - 1) / m_banks;
    m_cellWidth = double(room.width() - (m_banks - 1) * bankGap) / (m_banks * m_gpus);
    m_cellHeight = std::min({double(room.height()) / rows, largestCell, std::max(m_cellWidth * 1.6, 2.0)});
    // Whole pixels where that costs little: equal cells read better than ragged ones.
    if (m_cellWidth >= 3)
        m_cellWidth = std::floor(m_cellWidth);
    if (m_cellHeight >= 3)
        m_cellHeight = std::floor(m_cellHeight);
    m_cellWidth = std::min(m_cellWidth, m_cellHeight * 2.5);
    if (m_cellWidth >= 3)
        m_cellWidth = std::floor(m_cellWidth);
    return best;
}

QSize HeatMapTiles::contentSize() const
{
    if (m_sizes.empty())
        return {};
    const int lines = (count() + m_columns - 1) / m_columns;
    return {2 * tilesMargin + m_columns * m_tile.width() + (m_columns - 1) * tileGap,
        2 * tilesMargin + lines * m_tile.height() + (lines - 1) * tileGap};
}

QRect HeatMapTiles::tile(int tile) const
{
    return {QPoint(tilesMargin + tile % m_columns * (m_tile.width() + tileGap),
                tilesMargin + tile / m_columns * (m_tile.height() + tileGap)),
        m_tile};
}

QRect HeatMapTiles::name(int tile) const
{
    const QRect whole = this->tile(tile).adjusted(padding, padding - 2, -padding, 0);
    return hasName() ? QRect(whole.topLeft(), QSize(whole.width(), m_nameHeight)) : QRect();
}

QRect HeatMapTiles::figures(int tile) const
{
    const QRect whole = this->tile(tile).adjusted(padding, 0, -padding, -padding + 2);
    return hasFigures() ? QRect(whole.left(), whole.bottom() + 1 - m_figureHeight, whole.width(), m_figureHeight)
                        : QRect();
}

QRect HeatMapTiles::cells(int tile) const
{
    const QRect whole = this->tile(tile);
    const int rows = (m_most + m_banks - 1) / m_banks;
    return {whole.left() + padding, whole.top() + padding + m_nameHeight,
        int(std::ceil(m_banks * m_gpus * m_cellWidth)) + (m_banks - 1) * bankGap, int(std::ceil(rows * m_cellHeight))};
}

QRect HeatMapTiles::node(TilePlace place) const { return cell(place, 0).united(cell(place, m_gpus - 1)); }

QRect HeatMapTiles::cell(TilePlace place, int gpu) const
{
    const QRect all = cells(place.tile);
    const int bank = place.index % m_banks;
    const int row = place.index / m_banks;
    const double left = all.left() + bank * (m_gpus * m_cellWidth + bankGap) + gpu * m_cellWidth;
    const double top = all.top() + row * m_cellHeight;
    // From edge to edge, so that neighbours neither overlap nor leave a seam; at least one pixel each.
    const int x = int(std::floor(left));
    const int y = int(std::floor(top));
    return {x, y, std::max(1, int(std::floor(left + m_cellWidth)) - x),
        std::max(1, int(std::floor(top + m_cellHeight)) - y)};
}

std::optional<int> HeatMapTiles::tileAt(QPoint point) const
{
    if (m_sizes.empty() || point.x() < tilesMargin || point.y() < tilesMargin)
        return {};
    const int column = (point.x() - tilesMargin) / (m_tile.width() + tileGap);
    const int index = (point.y() - tilesMargin) / (m_tile.height() + tileGap) * m_columns + column;
    return column < m_columns && index < count() && tile(index).contains(point) ? std::optional(index) : std::nullopt;
}

std::optional<std::pair<TilePlace, int>> HeatMapTiles::cellAt(QPoint point) const
{
    const std::optional<int> hit = tileAt(point);
    if (!hit)
        return {};
    const QRect all = cells(*hit);
    const int x = std::clamp(point.x() - all.left(), 0, all.width() - 1);
    const int y = std::clamp(point.y() - all.top(), 0, all.height() - 1);
    const double bankWidth = m_gpus * m_cellWidth + bankGap;
    const int bank = std::clamp(int(x / bankWidth), 0, m_banks - 1);
    const int gpu = std::clamp(int((x - bank * bankWidth) / m_cellWidth), 0, m_gpus - 1);
    const int index = int(y / m_cellHeight) * m_banks + bank;
    return std::pair(TilePlace{*hit, std::min(index, m_sizes[std::size_t(*hit)] - 1)}, gpu);
}

} // namespace rankwright
