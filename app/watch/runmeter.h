// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/progress/stepmeter.h"
#include "models/telemetry/gpusample.h"

#include <optional>

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
    /// By the one meter for it; empty: too few.
    std::optional<double> stepSeconds() const { return m_steps.stepSeconds(); }

private:
    qint64 m_peak = -1;
    StepMeter m_steps;
};

} // namespace rankwright
