// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/practicecluster.h"
#include "app/submit/submitflow.h"
#include "models/document/design.h"

namespace rankwright {

/// Everything of a design that a submission needs, taken at the moment of the click.
SubmitOrder submitOrder(const JobSpec& spec, const Derived& derived, bool rehearseOnly);

/// What a design leaves open and the practice cluster tells: account, folder, training script.
void fillFromPractice(JobSpec& spec, const PracticeStatus& status);

/// The design that a first start shows: two nodes with four GPUs each on the practice cluster, by torchrun. `seconds`
/// is how long the training takes at least.
JobSpec workshopDesign(int seconds = 60);

} // namespace rankwright
