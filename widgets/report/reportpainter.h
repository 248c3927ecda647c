// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/report/efficiency.h"
#include "models/insight/report/speeduptable.h"

#include <QColor>

class QPainter;
class QRectF;

namespace rankwright {

/// Colours of the report's pictures: of the window, or of paper (always light).
struct ReportColours {
    QColor background, line, foreground, quiet;
    QColor use, memory, power; ///< curves
    QColor missing; ///< hatching where nothing was recorded
    static ReportColours of(bool dark);
};

/// Use, memory and power over the job's time, one band each with its own scale and unit; hatched where nothing was
/// recorded. `unit`: height of a line of text; the painter's font is set by the caller's device.
void paintCurve(
    QPainter& painter, const QRectF& area, const HistorySummary& seen, const ReportColours& foreground, double unit);
/// A square for each GPU by its mean use, a row for each node (in several columns when there are many); GPUs that were
/// idle all the time have a cross. With a scale.
void paintMap(
    QPainter& painter, const QRectF& area, const HistorySummary& seen, const ReportColours& foreground, double unit);
/// Height that paintMap() wants for this width.
double mapHeight(const HistorySummary& seen, double width, double unit);
/// Measured speed-up against the ideal line.
void paintSpeedup(
    QPainter& painter, const QRectF& area, const SpeedupTable& table, const ReportColours& foreground, double unit);

} // namespace rankwright
