// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/progress/trainingprogress.h"

#include <vector>

namespace rankwright::inline insight {

/// What a rate counts: "it/s", "s/batch" steps, "imgs/s" samples, "tok/s" something else. An empty unit: steps.
enum class Counted { Steps, Samples, Others };
Counted countedBy(const QString& rateUnit);

/// Seconds of a step by the rate of one report, in whatever unit; of a rate in samples only where the log says its
/// global batch. Empty: it does not say.
std::optional<double> stepSecondsByRate(const TrainingProgress& progress);

/// The one meter for the time of a usual step. The log's own figure counts, as the median of its reports, because it
/// does not depend on when the output came; without one, the steps between arrivals. Output comes in bursts (buffers,
/// links that hung): arrivals close together are one, pauses are left out, and of the rest all time is divided by all
/// steps. The first half, with its warming up, does not count. Constant memory; times in ms of one clock.
class StepMeter {
public:
    /// One report of the log by itself, in seconds of a step.
    void report(double seconds);
    /// The log's newest state and when it came.
    void addProgress(const TrainingProgress& progress, qint64 ms);
    /// Empty: too little was seen. What the reader of the log found out (TrainingProgress::stepSeconds) comes first.
    std::optional<double> stepSeconds() const;
    /// Steps that came up to now arrived together: what they say of time is forgotten.
    void forgetArrivals() { m_marks.clear(); }

private:
    struct Mark {
        qint64 step = 0;
        qint64 ms = 0;
    };
    std::optional<double> reported() const;
    std::optional<double> measured() const;

    std::optional<double> m_known; ///< as the reader of the log said last
    std::vector<double> m_reports; ///< thinned by halves when full
    std::vector<Mark> m_marks; ///< the same; steps over all epochs, ascending
    std::optional<qint64> m_lastStep; ///< over all epochs
    qint64 m_epochBase = 0;
    std::optional<qint64> m_stepInEpoch; ///< as reported last
};

} // namespace rankwright::inline insight
