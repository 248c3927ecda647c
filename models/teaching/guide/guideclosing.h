// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/insight/report/efficiency.h"

namespace rankwright::inline teaching {

/// What has happened to a launched job so far.
enum class GuideStage { NotLaunched, Queued, Running, Completed, Ended };
enum class GuideLaunch { NotYet, Done };
GuideStage guideStage(const JobRecord& record, GuideLaunch launch);

/// What the last step says first: while the job goes on, and once it has ended.
QString guideWatchText(GuideStage stage);
/// One line under a stage: since when, why it waits, how it ended; with what Slurm reported, else that it is not known.
QString guideStageText(const JobRecord& record, const QDateTime& now);

/// The three sentences at the end: how the GPUs were used, what it cost, what to do next. `report` null: there is none
/// (yet); what it would say is then said to be unknown.
struct GuideClosing {
    QString use;
    QString cost;
    QString next;
    bool operator==(const GuideClosing&) const = default;
};
enum class GuideBilling { Billed, Free }; ///< the practice cluster bills nothing
GuideClosing guideClosing(
    const JobRecord& record, const EfficiencyReport* report, const QString& gpuWord, GuideBilling billing);

} // namespace rankwright::inline teaching
