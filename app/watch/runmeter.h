// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/progress/trainingprogress.h"
#include "models/telemetry/gpusample.h"

#include <QElapsedTimer>

#include <optional>
#include <vector>

namespace rankwright {

/// Measures one running job for the comparison with its prediction: the highest memory that any of its GPUs showed, and
/// the time of a usual optimiser step. Value without signals; constant memory.
class RunMeter {
public:
    void take(const NodeTick& tick);
    /// The log's newest progress, at a time of our own clock.
    void take(const TrainingProgress& progress, qint64 nowMs);

    /// Empty: no sample reported it.
    std::optional<double> peakBytes() const;
    /// Median over the later half of what was seen, when the first steps with their warming up are past; empty: too
    /// few.
    std::optional<double> stepSeconds() const;

private:
    struct Mark {
        qint64 step = 0;
        qint64 ms = 0;
    };
    qint64 m_peak = -1;
    qint64 m_lastStep = -1; ///< over all epochs
    qint64 m_epochBase = 0;
    std::vector<Mark> m_marks; ///< thinned by halves when full
};

} // namespace rankwright
