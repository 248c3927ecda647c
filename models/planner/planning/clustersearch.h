// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/layoutsearch.h"

namespace rankwright::inline planner {

/// The same design searched on several clusters, in one list. What names something of the design's own cluster is left
/// open on the others (siteoptions.h). The recommended layouts go first. Prices of clusters with different units are
/// not compared: then time decides, and a note says so. Error: of the first cluster, when none can be searched.
Result<SearchResult> searchClusters(const JobSpec& spec, const QList<const ClusterProfile*>& clusters,
    const SearchLimits& limits, const CalibrationTable& calibrations = {});

} // namespace rankwright::inline planner
