// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/batchplan.h"
#include "models/planner/design/rankplaces.h"
#include "models/script/checks/finding.h"

namespace rankwright::inline planner {
struct DesignEstimate;
struct Remedy;
} // namespace rankwright::inline planner

namespace rankwright::inline script {

struct WrittenScript;

/// Checks a design against its cluster. Order: errors first, then as the form shows the fields (formOrder).
QList<Finding> check(const ResolvedSpec& resolved, const ClusterProfile& profile);
/// The same with a script and an estimate that are there already.
QList<Finding> check(const ResolvedSpec& resolved, const ClusterProfile& profile, const WrittenScript& script,
    const Result<DesignEstimate>& estimate, const QList<Remedy>& cures);

} // namespace rankwright::inline script
