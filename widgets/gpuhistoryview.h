// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/gpureading.h"

#include <QWidget>

namespace rankwright {

/// A stretch of values without a hole, in pixels.
using Stroke = QList<QPointF>;

/// Cuts points (time, value; NaN = not told) into strokes: a hole is longer than `gapMs` or has no value. Pure.
QList<Stroke> strokesOf(const QList<TelemetrySeries::Point>& points, Measure measure, qint64 gapMs);

/// The last ten minutes of one GPU as four aligned strips: utilisation, memory, power, temperature. Gaps stay gaps.
/// Reads the grid's series when painting; keeps no values.
class GpuHistoryView final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(GpuHistoryView)
public:
    explicit GpuHistoryView(const GpuGridModel& grid, QWidget* parent = nullptr);

    void show(std::optional<GpuAddress> gpu);
    /// Freezes the time axis at the last value.
    void setEnded(bool ended);
    QSize sizeHint() const override { return {320, 252}; }
    QSize minimumSizeHint() const override { return {240, 176}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Frame {
        qint64 from = 0;
        qint64 to = 0;
        QRect plot; ///< of all strips: the time axis' extent
    };
    Frame frame() const;
    void paintStrip(QPainter& painter, const Frame& frame, Measure measure, const QRect& strip,
        const QList<TelemetrySeries::Point>& points) const;
    void paintAxis(QPainter& painter, const Frame& frame) const;

    const GpuGridModel& m_grid;
    std::optional<GpuAddress> m_gpu;
    std::optional<int> m_hoverX;
    bool m_ended = false;
};

} // namespace rankwright
