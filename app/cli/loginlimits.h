// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/clilogin.h"

namespace rankwright {

/// The profile as the cluster that is connected to allows it today: what its own Slurm reports of its partitions wins
/// over what is published, which stays where Slurm does not answer. Waits for the answer. Error: interrupted
/// (Cancelled).
Result<ClusterProfile> profileWithLimits(CliLogin& login, const ClusterProfile& profile);

} // namespace rankwright
