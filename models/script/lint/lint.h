// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/script/batch/batchtext.h"
#include "models/script/checks/finding.h"

namespace rankwright::inline script {

/// All rules, by id.
QList<Rule> lintRules();

/// Checks the text of a batch script, written by anybody, against Slurm, the launchers and, when `profile` is not null,
/// against the cluster. In order of lines, errors first within a line; fixes are edits of the text. Linear in the
/// length of the text; never fails. A comment “# rankwright: ignore RULE…” on the same line or the line before silences
/// the rules that it names.
CheckResult lintScript(const BatchText& batch, const ClusterProfile* profile = nullptr);

} // namespace rankwright::inline script
