// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/estimate/memorymodel.h"
#include "models/estimate/timemodel.h"

#include <QDateTime>
#include <QList>
#include <QString>

#include <optional>

namespace rankwright {

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
    double timeSpread
        = 0; ///< half width of the band that was reported, a share: how far the model could be off; 0: unknown
    double memorySpread = 0; ///< the same of the peak
    bool operator==(const MeasuredRun&) const = default;
};

/// What the runs of one (cluster, family, stack) teach: factors for later predictions, pulled towards 1 when few.
struct Calibration {
    double memoryScale = 1;
    double timeScale = 1;
    int memoryRuns = 0;
    int timeRuns = 0;
    bool operator==(const Calibration&) const = default;
};

/// From runs of one kind: the median of measured / predicted, pulled towards 1 as n / (n + k) says, k small where the
/// band was wide; what is no usable pair of numbers, or eight times off, is left out.
Calibration calibrate(const QList<MeasuredRun>& runs);

/// A later prediction: scaled, with a narrower band. Unchanged by a neutral calibration. Of the memory the exactly
/// counted states stay and the rest takes the correction, where it can.
StepEstimate calibrated(const StepEstimate& estimate, const Calibration& calibration);
MemoryEstimate calibrated(const MemoryEstimate& estimate, const Calibration& calibration);

/// All of a user's measured runs. A value; the database keeps it.
struct CalibrationTable {
    QList<MeasuredRun> runs;
    /// For one kind of run; neutral when there is none.
    Calibration of(const QString& cluster, const QString& family, const QString& stack) const;
    bool operator==(const CalibrationTable&) const = default;
};

} // namespace rankwright
