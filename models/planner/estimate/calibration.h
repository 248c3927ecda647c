// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/memorymodel.h"
#include "models/planner/estimate/timemodel.h"

#include <QDateTime>
#include <QList>
#include <QString>

#include <optional>

namespace rankwright::inline planner {

/// One job that was predicted and then measured.
struct MeasuredRun {
    QString cluster;
    QString family; ///< "decoder", "vision", ...: toText(ModelFamily)
    QString stack;
    QString job; ///< "1234 · gpt-imdb", for the list that a person sees
    QDateTime when;
    double predictedBytes = 0; ///< by the uncalibrated model
    std::optional<double> measuredBytes; ///< peak of the worst GPU by the vendor tool
    double predictedSeconds = 0; ///< by the uncalibrated model
    std::optional<double> measuredSeconds; ///< median step
    /// Half width of the band that was reported, a share: how far the model could be off; empty: unknown.
    std::optional<double> timeSpread;
    std::optional<double> memorySpread; ///< the same of the peak
    // What physics allows, by the uncalibrated model; empty: not known.
    std::optional<double> exactBytes; ///< of predictedBytes: weights, gradients and optimiser states, which are counted
    std::optional<double> gpuBytes; ///< of the whole GPU
    std::optional<double> shortestSeconds; ///< of a step in which every GPU computes at its peak
    bool operator==(const MeasuredRun&) const = default;
};

/// Why a run cannot be what its design says, with the figures ("its peak of 20 GiB is less than ..."); empty: it can.
/// Such a run teaches nothing.
QString contradiction(const MeasuredRun& run);

/// What the runs of one (cluster, family, stack) teach: factors for later predictions, pulled towards 1 when few.
struct Calibration {
    double restScale = 1; ///< of the memory beyond the exactly counted states
    double timeScale = 1;
    int memoryRuns = 0;
    int timeRuns = 0;
    bool operator==(const Calibration&) const = default;
};

/// From runs of one kind: the median of measured / predicted, pulled towards 1 as n / (n + k) says, k small where the
/// band was wide; unusable pairs of numbers, and those that contradict physics, are left out. Of the memory only the
/// part beyond the exact states is compared; a run that does not know them teaches nothing of it.
Calibration calibrate(const QList<MeasuredRun>& runs);

/// A later prediction: scaled, its band as wide as before (the scatter of the stack's published runs). Unchanged by a
/// neutral calibration. Bounds: weights, gradients and optimiser states stay as counted, what is beside them changes by
/// a factor of two at most, and no step gets faster than published runs have reached of a GPU's peak.
StepEstimate calibrated(const StepEstimate& estimate, const Calibration& calibration);
MemoryEstimate calibrated(const MemoryEstimate& estimate, const Calibration& calibration);

/// All of a user's measured runs. A value; the database keeps it.
struct CalibrationTable {
    QList<MeasuredRun> runs;
    bool used = true; ///< false: the user has switched their use off; they are kept
    /// For one kind of run; neutral when there is none, or they are not used.
    Calibration of(const QString& cluster, const QString& family, const QString& stack) const;
    bool operator==(const CalibrationTable&) const = default;
};

} // namespace rankwright::inline planner
