// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/rankplaces.h"
#include "models/tables/grid/parallelgroups.h"

namespace rankwright::inline tables {

/// The ranks of a design where the grid shows them, with their groups: in `resolved` the split, in `plan` node and GPU
/// of each rank (planRanks()). Groups follow the order of RankOrder. Tensor groups: neighbours that share every matrix.
/// Data groups: the ranks of one stage and one part of its matrices. Shard groups: the data group under FSDP and ZeRO,
/// its ranks on one node under HSDP; none under other strategies, of which the design does not say it.
QList<PlacedRank> placeRanks(const ResolvedSpec& resolved, const RankPlaces& plan);

} // namespace rankwright::inline tables
