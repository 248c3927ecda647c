// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/progress/trainingprogress.h"
#include "models/insight/telemetry/gpusample.h"

#include <optional>

namespace rankwright {

/// Measures one running job for the comparison with its prediction: the highest memory that any of its GPUs showed, and
/// the time of a usual optimiser step. Value without signals; constant memory.
class RunMeter {
public:
    void addTick(const NodeTick& tick);
    /// As JobOutput reports it: its meter knows which arrivals say something of time.
    void addProgress(const TrainingProgress& progress);

    /// Empty: no sample reported it.
    std::optional<double> peakBytes() const;
    /// The one figure that is shown everywhere, as it was reported last; empty: too few steps were seen.
    std::optional<double> stepSeconds() const { return m_stepSeconds; }

private:
    std::optional<qint64> m_peak;
    std::optional<double> m_stepSeconds;
};

} // namespace rankwright
