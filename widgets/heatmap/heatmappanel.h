// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/heatmap/heatmapview.h"

#include <optional>

class QLabel;
class QStackedWidget;
class QToolButton;

namespace rankwright {

class HeatMapLegend;
class SegmentedControl;

/// The heat map with all one needs beside it: measure, order and overlay (controls(), to be in a card's head), what
/// of the job is in sight with the way back (above the map, only where nodes are folded or zoomed), the map, and its
/// legend. Without nodes a message is in the map's place. Places and connects; the map itself is HeatMapView.
class HeatMapPanel final : public QWidget {
    Q_OBJECT
public:
    explicit HeatMapPanel(const GpuGrid& grid, QWidget* parent = nullptr);

    HeatMapView& map() const { return *m_map; }
    /// The choices; the caller's to place. Hidden while there are no nodes.
    QWidget* controls() const { return m_controls; }
    /// Shows another grid, such as that of a replay, in the same way.
    void setGrid(const GpuGrid& grid);
    /// Shown in the map's place while the grid has no nodes.
    void setMessage(const QString& message);
    bool hasCells() const;
    /// What the panel can make use of, its legend included.
    int roomiestHeight() const;
    QList<QWidget*> tabStops() const;
    /// The grid has another shape.
    void refresh();

signals:
    void roomChanged(); ///< another roomiestHeight()

private:
    void buildControls();
    QWidget* buildTrail();
    void connectMap();
    void refreshTrail();
    void refreshChoices();

    HeatMapView* m_map = nullptr;
    HeatMapLegend* m_legend = nullptr;
    QStackedWidget* m_pages = nullptr;
    QLabel* m_message = nullptr;
    QWidget* m_controls = nullptr;
    SegmentedControl* m_measure = nullptr;
    QToolButton* m_order = nullptr;
    QToolButton* m_overlay = nullptr;
    QWidget* m_trail = nullptr;
    QToolButton* m_back = nullptr;
    QToolButton* m_fold = nullptr;
    QLabel* m_where = nullptr;
    std::optional<int> m_room; ///< height that the map can use; empty: there is none
};

} // namespace rankwright
