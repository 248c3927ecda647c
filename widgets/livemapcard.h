// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/heatmapview.h"

class QLabel;
class QStackedWidget;

namespace rankwright {

class Card;
class HeatMapLegend;
class SegmentedControl;

/// The Live page's card with all GPUs: the map, what its cells show, its legend, the age of what is seen; or, without
/// nodes, why there is none. Places and titles; the map itself is HeatMapView.
class LiveMapCard final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LiveMapCard)
public:
    explicit LiveMapCard(GpuGridModel& grid, QWidget* parent = nullptr);

    HeatMapView& map() const { return *m_map; }
    void setTitle(const QString& title);
    /// At the right of the head: how old the values are, how much of the time was seen.
    void setCaption(const QString& caption, const QString& explanation);
    /// Shown in the map's place while the grid has no nodes.
    void setMessage(const QString& message);
    /// The grid has another shape.
    void refresh();

signals:
    void roomChanged(); ///< the height that the map can use is another one

private:
    bool hasCells() const;

    GpuGridModel& m_grid;
    Card* m_card = nullptr;
    QStackedWidget* m_pages = nullptr;
    HeatMapView* m_map = nullptr;
    HeatMapLegend* m_legend = nullptr;
    SegmentedControl* m_measure = nullptr;
    QLabel* m_message = nullptr;
};

} // namespace rankwright
