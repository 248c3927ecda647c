// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/insight/alerts/alert.h"
#include "models/insight/diagnosis/diagnosis.h"
#include "models/insight/progress/trainingprogress.h"

namespace rankwright::inline insight {

/// What is told of a job that is followed, each at most once for each run of it.
enum class JobNewsKind { Started, FirstStep, Trouble, Ended };

/// A followed job at one moment, as far as news are made of it; empty: not known, or not so.
struct FollowedJob {
    JobId job;
    QString name;
    QString cluster; ///< for people: "LUMI"
    JobState state = JobState::Unknown;
    std::optional<int> nodes;
    std::optional<TrainingProgress> progress;
    QString trouble; ///< what is wrong, the title of an alert
    QString verdict; ///< how it ended, one sentence
    bool operator==(const FollowedJob&) const = default;
};

struct JobNews {
    JobNewsKind kind = JobNewsKind::Started;
    QString title; ///< one line: "Job 4711 (llama) on LUMI has started"
    QString text; ///< one or two sentences
    bool operator==(const JobNews&) const = default;
};

/// What is new between two moments of one job and was not told yet. `before` empty: it is seen for the first time, and
/// only what is wrong is news. The first step is one only of a job that was seen to start: `told` names its start, also
/// where it was not shown. A job that ended has no other news than that. Harmless in every text that is shown.
QList<JobNews> jobNews(
    const std::optional<FollowedJob>& before, const FollowedJob& now, const QList<JobNewsKind>& told);

/// What counts as told once the job is as in `now`: it was queued again, and its next run has news of its own.
QList<JobNewsKind> stillTold(const FollowedJob& before, const FollowedJob& now, const QList<JobNewsKind>& told);

/// How a job ended, in one or two sentences: the cause that its output names, where it failed and one is sure, then
/// what Slurm reports. "Rank 3: GPU out of memory. It failed with exit code 1."
QString endInWords(const JobRecord& job, const QList<Diagnosis>& diagnoses);

/// The title of the first of them that costs time, money or the job (Warning, Failure), where the worst comes first;
/// empty: none does.
QString troubleOf(const QList<Alert>& alerts);
/// The log reports a training step that is done.
bool hasStepped(const TrainingProgress& progress);

} // namespace rankwright::inline insight
