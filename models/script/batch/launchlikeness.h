// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/batch/batchtext.h"

namespace rankwright::inline script {

/// "COMMAND || true": the job goes on whatever becomes of it.
bool isAllowedToFail(const BatchText& batch, int command);

constexpr int likenessOfService = 1; ///< that of a service which the training needs: ray start in a step
constexpr int likenessOfStep = 2; ///< that of another program in a step
/// How much a launch looks like the training of the job: 5 for an agent, 4 for Python in a step, 3 for Python in the
/// batch shell, 2 for another program in a step or one behind which “|| true” stands, 1 for a service, 0 for a helper
/// (hostname, mkdir ...).
int trainingLikeness(const BatchText& batch, const Launch& launch);

} // namespace rankwright::inline script
