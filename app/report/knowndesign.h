// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/planning/designestimate.h"

namespace rankwright {

/// The design that a job was submitted with, resolved for its cluster.
struct KnownDesign {
    ResolvedSpec resolved;
    BatchPlan batch;
    std::optional<DesignEstimate> estimate; ///< empty: none can be made
};

/// `design`: as it was written. Empty: there is none, it cannot be read, or the cluster is not known (null).
std::optional<KnownDesign> knownDesign(
    const QByteArray& design, const ClusterProfile* profile, const CalibrationTable& learned);

} // namespace rankwright
