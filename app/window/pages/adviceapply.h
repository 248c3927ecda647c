// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/insight/report/efficiency.h"

namespace rankwright::inline script {
class Design;
} // namespace rankwright::inline script

namespace rankwright {

/// Why an advice of a job on `cluster` cannot be written into the open design; empty: it can.
QString whyNotApply(const Design& design, const QString& cluster);
/// Writes it there as one undo step. Returns what became of it, in one sentence.
QString applyToDesign(Design& design, const ReportAdvice& advice, const QString& cluster, const JobId& job);

} // namespace rankwright
