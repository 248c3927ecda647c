// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/gpureading.h"
#include "widgets/heatmaplayout.h"

#include <QAbstractScrollArea>

namespace rankwright {

/// Paints a GPU grid model: one block per node, packages as cards, level of detail by room. Mouse, keyboard (arrows,
/// Home/End, PgUp/PgDn, Ctrl+Home/End, 1-4 for the measure, + and - for the level) and, through heatmapaccessible, a
/// table for screen readers. Repaints only the nodes that the model names. Does not flush the model, does not decide
/// what stands out.
class HeatMapView final : public QAbstractScrollArea {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(HeatMapView)
public:
    explicit HeatMapView(const GpuGridModel& grid, QWidget* parent = nullptr);

    const GpuGridModel& grid() const { return m_grid; }
    const HeatMapLayout& cells() const { return m_layout; }
    Measure measure() const { return m_measure; }
    void setMeasure(Measure measure);
    MeasureScale scale() const { return m_scale; }
    /// The job is over: the last picture stays, without the alarm of stale values.
    void setEnded(bool ended);
    bool isEnded() const { return m_ended; }
    void setStandouts(const QList<GpuAddress>& standouts);
    std::optional<GpuAddress> current() const { return m_current; }
    void setCurrent(std::optional<GpuAddress> current);
    /// A level chosen by hand; empty: whatever fits.
    void setLevel(std::optional<HeatMapLevel> level);
    /// Where a cell stands on the viewport now.
    QRect cellOnViewport(GpuAddress address) const;
    /// Beyond this height cards would only stand apart; the page gives the room to others.
    int roomiestHeight() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {320, 132}; }

signals:
    void currentChanged(std::optional<rankwright::GpuAddress> current);
    void measureChanged(rankwright::Measure measure);
    void scaleChanged();
    void layoutChanged(); ///< another level, or another roomiestHeight(): by room or shape
    /// After each paint: the newest arrival (our clock) among the GPUs just painted; for measuring how old what one
    /// sees is. 0 when none of them ever told anything.
    void painted(qint64 newestArrivalMs);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void relayout();
    void updateNodes(int first, int last);
    void updateScale();
    void stepLevel(int by);
    void showCurrent();
    QPoint scrolled() const;

    const GpuGridModel& m_grid;
    HeatMapLayout m_layout;
    Measure m_measure = Measure::Utilization;
    MeasureScale m_scale;
    bool m_ended = false;
    QList<GpuAddress> m_standouts;
    std::optional<GpuAddress> m_current;
    std::optional<HeatMapLevel> m_wanted;
    int m_roomiest = -1;
};

} // namespace rankwright
