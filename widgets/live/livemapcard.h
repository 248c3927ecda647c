// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/heatmap/heatmappanel.h"

namespace rankwright {

class Card;

/// The Live page's card with all GPUs: the map with its choices and legend, the age of what is seen; or, without nodes,
/// why there is none. Places and titles; the map is HeatMapPanel's.
class LiveMapCard final : public QWidget {
    Q_OBJECT
public:
    explicit LiveMapCard(GpuGrid& grid, QWidget* parent = nullptr);

    HeatMapView& map() const { return m_panel->map(); }
    HeatMapPanel& panel() const { return *m_panel; }
    /// Shows another grid, such as that of a replay.
    void setGrid(const GpuGrid& grid);
    /// `brief`: where the whole title has no room beside the choices.
    void setTitle(const QString& title, const QString& brief);
    /// At the right of the head: how old the values are, how much of the time was seen.
    /// `brief`: what is shown where the whole caption has no room.
    void setCaption(const QString& caption, const QString& brief, const QString& explanation);
    /// Shown in the map's place while the grid has no nodes.
    void setMessage(const QString& message);
    /// The grid has another shape.
    void refresh();

    QSize minimumSizeHint() const override;

signals:
    void roomChanged(); ///< the height that the map can use is another one

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitTitle();
    int leastWidth(const QString& title) const;
    QFontMetrics fontMetricsOfTitle() const;

    QString m_title;
    QString m_brief;
    Card* m_card = nullptr;
    HeatMapPanel* m_panel = nullptr;
};

} // namespace rankwright
