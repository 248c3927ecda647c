// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/report/efficiency.h"

namespace rankwright::inline insight::reportparts {

// What was seen of a job. Verdict, findings and advice ask here, so that none of them contradicts another.

/// The alerts that still say something when all of the job is known: a job that completed had no failure but one of its
/// training, and what the whole recording refutes (idle, memory, time limit) is left out. Worst first.
QList<Alert> tellingAlerts(const ReportInputs& in);
bool hasAlert(const ReportInputs& in, std::initializer_list<AlertKind> kinds); ///< any of them is one of these
/// An alert reports a failure of one of these classes (docs/diagnosis.md).
bool hasFailure(const ReportInputs& in, std::initializer_list<QStringView> failures);

/// It made no way for most of its time: hung ranks, a node that went, or far fewer steps than its time was for.
bool stoodStill(const ReportInputs& in);

/// GPUs that computed while the others showed full use at low power: these waited for them.
QList<GpuSummary> lateGpus(const HistorySummary& recorded);

/// The best grade that the findings leave.
EfficiencyReport::Grade bestGrade(const ReportInputs& in);

/// One sentence each, worst first.
QStringList findings(const ReportInputs& in);

} // namespace rankwright::inline insight::reportparts
