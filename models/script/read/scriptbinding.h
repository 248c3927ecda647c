// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/rankplaces.h"
#include "models/script/batch/batchtext.h"

namespace rankwright::inline script {

/// The places of a design's ranks as its script starts them. Where somebody wrote or changed the --cpu-bind of the step
/// that trains: the cores of its masks where they are certain, else none, and the reason. planRanks() where the step
/// binds as the design does, or its ranks are started by an agent and bind themselves.
RankPlaces placesInScript(const ResolvedSpec& resolved, const ClusterProfile& profile, const BatchText& script);

} // namespace rankwright::inline script
