// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/telemetry/history/historycurves.h"
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
struct HistoryLook {
    const Theme& theme;
    const HistoryCurves& curves;
    TimeScale time;
    QList<TimeSpan> gaps; ///< in which no node reported anything
    std::optional<double> hoverX;
    std::optional<qint64> figureAt; ///< of the figures at the left: the pointer, the moment of a replay; empty: newest
};

/// The curve's figure at a moment: the bucket there, else the nearest within a few pixels.
std::optional<HistoryBucket> bucketAt(const QList<HistoryBucket>& curve, qint64 ms, qint64 within);
/// The newest bucket with a value.
std::optional<HistoryBucket> newestBucket(const QList<HistoryBucket>& curve);
void paintHistoryStrip(QPainter& painter, const HistoryStrip& strip, const HistoryLook& look);
void paintHistoryAxis(QPainter& painter, const QRectF& box, const HistoryLook& look);
/// Lines with their colours; returns the height that it took (or would take with `painter` null).
double paintHistoryLegend(QPainter* painter, const QRectF& box, const QList<HistoryLine>& lines, const Theme& theme);

} // namespace rankwright
