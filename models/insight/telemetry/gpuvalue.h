// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/telemetryseries.h"

namespace rankwright::inline insight {

/// The value of a GPU for a measure at a moment, its age, and how it was made. Whoever shows a figure of a GPU (map,
/// history, alerts, tool tips, screen readers) asks valueAt() or a mean below; a mean is called one wherever it is
/// shown (howMade).
struct GpuValue {
    std::optional<double> value; ///< unitOf(measure); empty: not reported, never 0
    qint64 takenMs = 0; ///< moment of the newest sample behind it, by the series' clock; 0: none ever came
    qint64 ageMs = 0; ///< from then to the moment asked about
    bool stale = false; ///< older than a value counts as fresh (freshForMs)
    qint64 spanMs = 0; ///< the value is the mean over this span before the moment; 0: one sample
    int gpus = 1; ///< number of GPUs whose mean it is
    bool hasSample() const { return takenMs > 0; }
    bool isMean() const { return spanMs > 0 || gpus > 1; }
    bool operator==(const GpuValue&) const = default;
};

/// The newest sample that is not newer than `atMs`, whatever its age. Power of a package of several dies
/// (`gpusPerPackage` 2 on an MI250X) is reported by one of them and belongs to all.
GpuValue valueAt(const TelemetrySeries& series, GpuAddress gpu, Measure measure, qint64 atMs, int gpusPerPackage = 1);
/// The same of one tick alone, where no series is kept; empty: not reported, or no such GPU in it.
std::optional<double> valueIn(const NodeTick& tick, int gpu, Measure measure, int gpusPerPackage = 1);
/// Mean of the samples of the `spanMs` before `atMs`; empty value: none reported it.
GpuValue meanUntil(
    const TelemetrySeries& series, GpuAddress gpu, Measure measure, qint64 atMs, qint64 spanMs, int gpusPerPackage = 1);
/// Mean of the values of a node's GPUs at that moment that are fresh, or, where none is, of all; power of a package
/// counts once. `takenMs` is the oldest behind it.
GpuValue nodeValueAt(const TelemetrySeries& series, int node, Measure measure, qint64 atMs, int gpusPerPackage = 1);

/// The die that reports a package's power in `atMs`'s newest sample; the GPU itself where none does.
GpuAddress powerDie(const TelemetrySeries& series, GpuAddress gpu, int gpusPerPackage);

/// "mean of 8 s", "mean of 4 GPUs"; empty: a single sample, or nothing. `gpuWord`: what the site calls one.
QString howMade(const GpuValue& value, const QString& gpuWord = QStringLiteral("GPU"));

} // namespace rankwright::inline insight
