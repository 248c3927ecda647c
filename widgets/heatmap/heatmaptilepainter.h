// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/heatmap/heatmappainter.h"

#include <QRegion>

namespace rankwright {

/// "16 nodes: 96 % (41–100 %); worst: nid005541 GCD 5, 41 %" and the like, for tool tips, assistive tools and the
/// head of the map. Silent GPUs are named before outliers.
QString describeGroup(const GpuGrid& grid, const GpuMeasure& field, const HeatMapGroup& group);
/// "nid005541 GCD 5: 41 %", "nid005541 GCD 5: no data"; empty without an outlier.
QString worstText(const GpuGrid& grid, const GpuMeasure& field, const FieldSummary& summary);

/// Draws the folded picture: per group its name, every GPU as a small cell, spread and worst GPU. Outliers are drawn
/// last and never smaller than a few pixels, so that one among thousands is seen. Stateless as HeatMapPainter.
class HeatMapTilePainter {
public:
    HeatMapTilePainter(const HeatMapScene& scene, const HeatMapTiles& tiles, const QList<HeatMapGroup>& groups);
    /// Draws what of the tile lies in `dirty`.
    void paintTile(QPainter& painter, int tile, const QRegion& dirty) const;

private:
    void paintFrame(QPainter& painter, int tile, const QRegion& dirty) const;
    void paintTexts(QPainter& painter, int tile) const;
    enum class TileLook { Plain, Odd };
    void paintName(QPainter& painter, int tile, QRect room, TileLook look) const;
    void paintCells(QPainter& painter, int tile, const QRegion& dirty) const;
    void paintOdd(QPainter& painter, int tile) const;
    std::optional<Alert::Level> levelOf(int tile) const;
    QRect faceOf(TilePlace place, int gpu) const;
    int step() const;

    const HeatMapScene& m_scene;
    const HeatMapTiles& m_tiles;
    const QList<HeatMapGroup>& m_groups;
    HeatMapPainter m_plain;
    QFont m_name, m_small;
};

} // namespace rankwright
