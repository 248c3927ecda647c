// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/tables/grid/gpumeasure.h"

#include <optional>

namespace rankwright {

/// What one cell shows of one measure. An empty value is "not reported" and is never drawn as 0.
struct GpuReading {
    Freshness freshness = Freshness::Never;
    std::optional<double> value;
    std::optional<qint64> arrivedMs;
    bool operator==(const GpuReading&) const = default;
};

/// Which value is dark and which bright.
struct MeasureScale {
    double low = 0;
    double high = 100;
    bool guessed = false; ///< the tools reported no limit: the highest value seen stands for it
    double position(double value) const { return high > low ? (value - low) / (high - low) : 0; }
    bool operator==(const MeasureScale&) const = default;
};

/// The value of a GPU at the grid's moment (valueOf).
GpuReading readGpu(const GpuGrid& grid, GpuAddress address, Measure measure, GridState state);
/// The power limit of the package that `address` belongs to.
std::optional<double> powerCapOf(const GpuGrid& grid, GpuAddress address);
/// Newest arrival of any GPU of the node; 0 when none.
qint64 newestArrival(const GpuGrid& grid, int node);
/// Fresh when any GPU of the node is.
Freshness freshnessOf(const GpuGrid& grid, int node, GridState state);
MeasureScale scaleOf(const GpuGrid& grid, Measure measure);

QString figureOf(Measure measure, std::optional<double> value); ///< "96", "41.9", "–"
QString figureWithUnit(Measure measure, std::optional<double> value); ///< "96 %", "41.9 GiB", "1 process", "–"
QString shortName(Measure measure); ///< for narrow places: "Temp."
std::optional<int> rankOf(const GpuGrid& grid, GpuAddress address);
QString ranksOf(const GpuGrid& grid, int node); ///< "ranks 8–15"
/// "pipeline stage 2 (of 4)", one line per group of the rank that runs there; empty: not known.
QStringList groupWords(const GpuGrid& grid, GpuAddress address);
QString agoText(qint64 milliseconds); ///< "1 s ago", "3 min ago"
QString clockText(qint64 msSinceEpoch); ///< "14:09:12", of the desk's own zone
/// Every figure of one GPU with unit and age: several lines of plain text.
QString describeGpu(const GpuGrid& grid, GpuAddress address, GridState state);
/// One cell in a sentence for a screen reader.
QString speakGpu(const GpuGrid& grid, GpuAddress address, Measure measure, GridState state);

} // namespace rankwright
