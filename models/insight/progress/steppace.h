// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/progress/stepmeter.h"

#include <array>
#include <optional>

namespace rankwright::inline insight {

/// How regularly a job's output reports progress: the usual time between two reports, pauses (checkpoints, evaluations)
/// and how long they lasted, the time of a step, the time left. Constant memory; times in ms by the caller's clock.
class StepPace {
public:
    void addProgress(const TrainingProgress& progress, qint64 ms);

    const TrainingProgress& latest() const { return m_latest; }
    /// Steps were reported often enough to know what is usual.
    bool isKnown() const { return m_gapCount >= 4; }
    int updates() const { return m_updates; }
    qint64 firstMs() const { return m_firstMs; }
    qint64 lastMs() const { return m_lastMs; } ///< of the newest new step; 0 none
    /// Median time between two new steps in the output; empty: not known.
    std::optional<qint64> usualGapMs() const;
    qint64 sinceLastMs(qint64 nowMs) const { return m_lastMs > 0 ? nowMs - m_lastMs : 0; }
    /// Steps come as usual: no pause now, and none within the last `calmMs`.
    bool goesOn(qint64 nowMs, qint64 calmMs) const;
    /// The longest pause that ended by itself; 0: there was none.
    qint64 longestPauseMs() const { return m_longestPauseMs; }
    /// Of one step, by the one meter for it, else as the output's newest rate says; empty: not known.
    std::optional<double> stepSeconds() const;
    /// Until the training's end, at the pace of the last minutes; empty: the output does not say enough.
    std::optional<double> secondsLeft(qint64 nowMs) const;
    /// The same at the rate that the output reports itself (of a bar: since it began, or of its last steps).
    std::optional<double> secondsLeftByRate(qint64 nowMs) const;
    /// Nearly or all done: what stops now, stops because it is ready.
    bool isFinishing() const;
    int lossesNotANumber() const { return m_badLosses; } ///< one after another, up to now

private:
    struct Mark {
        qint64 ms = 0;
        qint64 step = 0;
        std::optional<double> fraction; ///< empty: not known, less than any
    };
    qint64 pauseLimitMs() const;
    std::optional<double> stepsLeft() const;

    TrainingProgress m_latest;
    StepMeter m_meter;
    int m_updates = 0;
    int m_badLosses = 0;
    qint64 m_firstMs = 0, m_lastMs = 0, m_pauseEndMs = 0, m_longestPauseMs = 0;
    std::array<qint64, 32> m_gaps{};
    int m_gapCount = 0; ///< ever
    std::array<Mark, 64> m_marks{};
    int m_markCount = 0; ///< ever, of the run of steps that only rose
};

} // namespace rankwright::inline insight
