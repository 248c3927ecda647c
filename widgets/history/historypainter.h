// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/history/historycurves.h"
#include "widgets/base/timescale.h"
#include "widgets/heatmap/gpureading.h"

#include <QColor>

namespace rankwright {

class Theme;

/// Whose curve is drawn, in which colour of the theme's categories.
struct HistoryLine {
    HistorySubject subject;
    QString name; ///< "rank 5 · nid005527 · GCD 5"
    QString shortName; ///< "rank 5"
    int category = 0;
    bool operator==(const HistoryLine&) const = default;
};

/// One strip: a measure over time, of one or several lines.
struct HistoryStrip {
    Measure measure = Measure::Utilization;
    MeasureScale scale;
    QList<HistoryLine> lines;
    QString title; ///< the measure's name, or, side by side, the line's
    QRectF label; ///< left of it: title, figure, limit
    QRectF box;
};

/// What all strips share.
struct HistoryStyle {
    const Theme& theme;
    const HistoryCurves& curves;
    TimeScale time;
    QList<TimeSpan> gaps; ///< in which no node reported anything
    qint64 gapLongerThanMs = freshMs;
    const QMap<HistoryCurves::Key, GpuValue>& values; ///< at the moment that is shown
    QString gpuWord;
    std::optional<double> hoverX; ///< the pointer: figures are those of the curve there
};

/// The figure at the left of a strip with one line: the value at the moment that is shown, as the map shows it; under
/// the pointer the curve's, which is a mean and says so.
struct HistoryFigure {
    QString text; ///< "96 %"
    QString made; ///< "mean of 2 s"; empty: one sample
};
HistoryFigure figureOf(const HistoryStrip& strip, const HistoryStyle& style);

/// The curve's figure at a moment: the bucket there, else the nearest within a few pixels.
std::optional<HistoryBucket> bucketAt(const QList<HistoryBucket>& curve, qint64 ms, qint64 within);
void paintHistoryStrip(QPainter& painter, const HistoryStrip& strip, const HistoryStyle& style);
void paintHistoryAxis(QPainter& painter, const QRectF& box, const HistoryStyle& style);
/// Lines with their colours; returns the height that it took (or would take with `painter` null).
double paintHistoryLegend(QPainter* painter, const QRectF& box, const QList<HistoryLine>& lines, const Theme& theme);

} // namespace rankwright
