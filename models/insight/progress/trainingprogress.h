// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace rankwright::inline insight {

/// The newest state that a training log reports; empty = not in the log.
struct TrainingProgress {
    QString framework; ///< "tqdm", "rankwright", ...
    std::optional<double> epoch, epochs;
    std::optional<qint64> step, steps;
    std::optional<double> loss;
    std::optional<double> rate;
    QString rateUnit; ///< "it/s", "s/it", "samples/s"
    std::optional<double> etaSeconds; ///< as the log says: of the epoch where stepWithinEpoch
    bool stepWithinEpoch = false; ///< step and steps start again with every epoch
    bool countsOthers
        = false; ///< step and steps count samples or tokens, and how many make a step is unknown: a step has no time
    /// Of a usual step: the median of the log's own reports, else as measured by their arrival (StepMeter). The one
    /// figure that header, report, learning and command line show.
    std::optional<double> stepSeconds;
    std::optional<qint64> microBatch, globalBatch; ///< samples, where the log says so
    std::optional<double> reward, kl; ///< of reinforcement learning: mean reward, divergence from the reference
    std::optional<double> evalLoss; ///< of the newest validation
    std::optional<double> tokensPerSecond, samplesPerSecond; ///< as printed: of all or of one GPU
    bool operator==(const TrainingProgress&) const = default;
    /// 0..1, or empty.
    std::optional<double> fraction() const;
    /// To the end of the run, of all epochs; empty: the log does not say how many there are.
    std::optional<qint64> runStepsLeft() const;
    /// Steps left times the usual time of one, where both are known; else as the log says. Empty where only the epoch's
    /// is reported and how many follow is not known.
    std::optional<double> runSecondsLeft() const;
    /// runSecondsLeft() is by steps: ours, not the log's own figure.
    bool isLeftBySteps() const { return stepSeconds && *stepSeconds > 0 && runStepsLeft(); }
};

/// A time of a step with its unit: "1.83 s", "86 ms".
QString stepTimeText(double seconds);

struct LossPoint {
    double step = 0;
    double loss = 0;
    bool operator==(const LossPoint&) const = default;
};

} // namespace rankwright::inline insight
