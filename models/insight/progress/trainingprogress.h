// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace rankwright {

/// The newest state that a training log reports; empty = not in the log.
struct TrainingProgress {
    QString framework; ///< "tqdm", "rankwright", ...
    std::optional<double> epoch, epochs;
    std::optional<qint64> step, steps;
    std::optional<double> loss;
    std::optional<double> rate;
    QString rateUnit; ///< "it/s", "s/it", "samples/s"
    std::optional<double> etaSeconds; ///< as the log says: of the epoch where stepWithinEpoch
    bool stepWithinEpoch = false; ///< step and steps start anew with every epoch
    bool countsOthers
        = false; ///< step and steps are samples or tokens, nobody knows how many to a step: no time of one
    /// Of a usual step: the median of the log's own reports, else as measured by their arrival (StepMeter). The one
    /// figure that header, report, learning and command line show.
    std::optional<double> stepSeconds;
    std::optional<qint64> microBatch, globalBatch; ///< samples, where the log says so
    bool operator==(const TrainingProgress&) const = default;
    /// 0..1, or empty.
    std::optional<double> fraction() const;
    /// To the end of the run; empty where only the epoch's is reported and how many follow is not known.
    std::optional<double> runSecondsLeft() const;
};

struct LossPoint {
    double step = 0;
    double loss = 0;
    bool operator==(const LossPoint&) const = default;
};

} // namespace rankwright
