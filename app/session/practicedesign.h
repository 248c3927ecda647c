// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/practicecluster.h"
#include "models/planner/design/jobspec.h"

namespace rankwright {

/// What a design leaves open and the practice cluster reports: account and folder.
void fillFromPractice(JobSpec& spec, const PracticeStatus& status);

/// The design that a first start shows: two nodes with four GPUs each on the practice cluster, by torchrun. `seconds`
/// is how long the training takes at least.
JobSpec workshopDesign(int seconds = 60);

} // namespace rankwright
