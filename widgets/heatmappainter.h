// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/gpureading.h"
#include "widgets/heatmaplayout.h"

#include <QColor>
#include <QFont>
#include <QList>

class QPainter;

namespace rankwright {

class Theme;

/// Everything a picture of the grid depends on; references must outlive the painter, which lives for one paint event.
struct HeatMapScene {
    const GpuGridModel& grid;
    const HeatMapLayout& layout;
    const Theme& theme;
    Measure measure = Measure::Utilization;
    MeasureScale scale;
    bool ended = false;
    QList<GpuAddress> standouts; ///< outlined with their package
    std::optional<GpuAddress> current;
    bool focused = false;
};

/// Draws nodes of a scene, one by one, in content coordinates. Stateless renderer: data and geometry in, pixels out;
/// decides neither what is visible nor what is dirty.
class HeatMapPainter {
public:
    explicit HeatMapPainter(const HeatMapScene& scene);
    void paintNode(QPainter& painter, int node) const;

private:
    void paintLabel(QPainter& painter, int node) const;
    void paintPackage(QPainter& painter, int node, int package) const;
    void paintCell(QPainter& painter, const QRect& rect, GpuAddress address, const QString& ranks) const;
    void paintCellText(
        QPainter& painter, const QRect& rect, const GpuReading& reading, const QString& ranks, const QColor& ink) const;
    void paintHatched(QPainter& painter, const QRect& rect, bool ever) const;
    void paintSide(QPainter& painter, int node, int package, bool standsOut) const;
    void paintRing(QPainter& painter) const;
    QStringList useOf(int node, int package) const;
    QRect faceOf(GpuAddress address) const;
    bool hasCards() const { return m_scene.layout.level() == HeatMapLevel::Cards; }
    bool mergesDies() const;

    const HeatMapScene& m_scene;
    QColor m_panel, m_card, m_line, m_hatch, m_ink, m_ink2, m_ink3, m_warn, m_accent;
    QFont m_name, m_caption, m_small, m_value, m_side;
};

} // namespace rankwright
