// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/jobspec.h"

namespace rankwright::inline cluster {
struct Catalogue;
} // namespace rankwright::inline cluster

namespace rankwright::inline script {
class Design;
} // namespace rankwright::inline script

namespace rankwright {

/// What is remembered of a design with its job: taken when the launch is asked for, since the design may be another one
/// by the time that Slurm answers.
struct LaunchFacts {
    QString cluster;
    JobSpec spec;
    QString gpuWord; ///< "GPU", "GCD"; empty: the cluster is not known
    int gpus = 0; ///< of the job; 0: the cluster is not known
    bool operator==(const LaunchFacts&) const = default;
};

/// Of the design as it is now.
LaunchFacts launchFacts(const Design& design);
/// Of one that was launched on `cluster` before.
LaunchFacts launchFacts(const JobSpec& spec, const QString& cluster, const Catalogue& catalogue);

} // namespace rankwright
