// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/heatmap/heatmapscene.h"

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QList>

class QPainter;

namespace rankwright {

/// Draws nodes of a HeatMapScene, one by one, in content coordinates. Stateless renderer: data and geometry in, pixels
/// out; decides neither what is visible nor what is dirty. `slot` is a node's place in the shown order.
class HeatMapPainter {
public:
    explicit HeatMapPainter(const HeatMapScene& scene);
    void paintNode(QPainter& painter, int slot) const;

    /// A cell without any text, as large pictures and tiles are made of. Anti-aliasing does not matter.
    void paintPlain(QPainter& painter, const QRect& rect, const GpuCell& cell) const;

private:
    struct Line {
        int slot;
        int row;
    };
    void paintDense(QPainter& painter, Line line) const;
    void paintLabel(QPainter& painter, Line line) const;
    void paintPackage(QPainter& painter, Line line, int package) const;
    void paintCell(QPainter& painter, const QRect& rect, GpuAddress gpu, const QString& ranks) const;
    void paintCellText(QPainter& painter, const QRect& rect, const GpuReading& reading, const QString& ranks,
        const QColor& foreground) const;
    void paintHatched(QPainter& painter, const QRect& rect, Freshness freshness) const;
    void paintSide(QPainter& painter, Line line, int package) const;
    void paintGroup(QPainter& painter, const QRect& rect, GpuAddress gpu) const;
    void paintSigns(QPainter& painter, Line line) const;
    void paintRing(QPainter& painter, Line line) const;
    QStringList useOf(int row, int package) const;
    QString ranksOfPackage(int row, int first, int end) const;
    QRect faceOf(int slot, int gpu) const;
    bool hasCards() const { return m_scene.layout.level() == HeatMapLevel::Cards; }
    bool isDense() const { return m_scene.layout.level() == HeatMapLevel::Dense; }
    int radius() const { return hasCards() ? 5 : 3; }
    bool mergesDies() const;

    const HeatMapScene& m_scene;
    QColor m_panel, m_card, m_line, m_hatch, m_foreground, m_ink2, m_ink3, m_warn, m_accent;
    QBrush m_staleBrush;
    QFont m_name, m_caption, m_small, m_value, m_side;
};

} // namespace rankwright
