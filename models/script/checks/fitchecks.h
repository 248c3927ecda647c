// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/planning/remedies.h"
#include "models/script/checks/designchecks.h"

namespace rankwright::inline script {

/// The planner's findings on a design: a model that cannot be understood, too little memory, GPUs with next to nothing
/// to do, a time limit that is too short or far too long for the training. It is a prediction: an error only where the
/// model's exact states, or the low end of the band, are beyond the GPU.
QList<Finding> fitFindings(const ResolvedSpec& resolved, const BatchPlan& batch, const ClusterProfile& profile,
    const Result<DesignEstimate>& estimate, const QList<Remedy>& cures);

} // namespace rankwright::inline script
