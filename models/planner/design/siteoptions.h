// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/jobspec.h"

namespace rankwright::inline planner {

/// Clears what names something of one cluster (account, partition, reservation, QoS, constraint, nodes, modules, MPI
/// plugin, absolute paths) where it is the same in both designs: it means nothing, or something else, on another
/// cluster. Called for a design that was moved from `before`'s cluster. The cleared fields, in the form's order.
QList<FieldPath> clearSiteOptions(const JobSpec& before, JobSpec& moved);

} // namespace rankwright::inline planner
