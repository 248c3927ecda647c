// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotecommand.h"
#include "models/insight/telemetry/sampling/samplingplan.h"

namespace rankwright::inline insight {

/// What the end of a sampling command means: what to do next, and what to say.
struct SamplingEnd {
    enum class Next {
        Retry, ///< something failed that may pass
        RetryLater, ///< the job waits: ask again, slowly
        Stop, ///< trying again cannot help
        JobOver, ///< the step ended with its job; not an error
    };
    Next next = Next::Retry;
    std::optional<Error> error; ///< empty: nothing to say
    bool operator==(const SamplingEnd&) const = default;
};

enum class SamplesBefore { None, Some };

/// srun's farewell ("STEP 1.0 ON n1 CANCELLED", "Terminated", status 143) comes with
/// every end of a job, also of one that completed: it is not an error.
SamplingEnd samplingEnd(
    const CommandOutcome& outcome, const QString& job, SamplesBefore before, SamplingWay way = SamplingWay::Step);

/// Slurm lets no overlapping step in: the job's own step holds everything, or this Slurm is older than 20.11.
bool isStepRefused(const QByteArray& errorOutput);

} // namespace rankwright::inline insight
