// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/report/efficiency.h"
#include "models/planner/planning/designestimate.h"

namespace rankwright {

/// The design that a job was submitted with, as it was planned.
struct PlannedJob {
    const ResolvedSpec& resolved;
    const BatchPlan& batch;
    const std::optional<DesignEstimate>& estimate; ///< empty: none can be made
    const ClusterProfile& profile;
    const CalibrationTable& learned;
};

/// What took the memory of the GPU that ran out first: the first of these failures whose message has figures. `planned`
/// null: no design is known, and the message's figures are all. `script`: as it was sent; empty: not known. Empty: no
/// such failure.
std::optional<MemoryShortage> memoryShortage(
    const QList<Diagnosis>& diagnoses, const PlannedJob* planned, const QByteArray& script);
/// The smallest change of the design after which it fits, with what was seen counted in. Empty: none does.
std::optional<ReportAdvice> memoryChange(
    const MemoryShortage& shortage, const PlannedJob& planned, const QByteArray& script);

/// Both, of a job as it was launched: the one change that is offered for it, wherever it is. `profile` null: the
/// cluster is not known. Empty: nothing is known of its design, its memory did not run out, or no change helps.
std::optional<ReportAdvice> memoryAdvice(const QList<Diagnosis>& diagnoses, const QByteArray& design,
    const QByteArray& script, const ClusterProfile* profile, const CalibrationTable& learned);

/// The members in which a design becomes another one, as design files have them; reading them into the first gives the
/// second. Empty: they are the same.
QByteArray designChange(const JobSpec& before, const JobSpec& after);
/// False: the change is none, or the design cannot take it; it is then as it was.
bool applyDesignChange(JobSpec& spec, const QByteArray& change);

} // namespace rankwright
