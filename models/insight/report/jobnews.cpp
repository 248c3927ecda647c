// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/report/jobnews.h"

#include "models/core/harmlesstext.h"
#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "models/insight/alerts/failuretitle.h"
#include "models/insight/diagnosis/explain.h"

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype longestName = 60;
constexpr qsizetype longestText = 240; ///< desktops cut what is longer

QString jobInWords(const FollowedJob& job)
{
    QString words = u"Job "_s + harmlessLine(job.job, longestName);
    if (!job.name.isEmpty())
        words += u" (%1)"_s.arg(harmlessLine(job.name, longestName));
    if (!job.cluster.isEmpty())
        words += u" on "_s + harmlessLine(job.cluster, longestName);
    return words;
}

bool nowRuns(JobState state) { return state == JobState::Running; }

bool stepped(const FollowedJob& job) { return job.progress && hasStepped(*job.progress); }

QString startText(const FollowedJob& job)
{
    return job.nodes && *job.nodes > 0 ? u"It runs on %1."_s.arg(counted(*job.nodes, u"node"_s)) : u"It runs."_s;
}

QString stepText(const FollowedJob& job)
{
    QStringList facts;
    if (job.progress->loss)
        facts.append(u"loss %1"_s.arg(humanNumber(*job.progress->loss, 3)));
    if (job.progress->stepSeconds)
        facts.append(u"%1 a step"_s.arg(stepTimeText(*job.progress->stepSeconds)));
    return facts.isEmpty() ? u"It trains."_s : u"It trains: %1."_s.arg(facts.join(u", "_s));
}

} // namespace

bool hasStepped(const TrainingProgress& progress)
{
    if (progress.step)
        return *progress.step >= 1 || progress.epoch.value_or(0) >= 1;
    return progress.loss.has_value();
}

QString endInWords(const JobRecord& job, const QList<Diagnosis>& diagnoses)
{
    const QString outcome = explainOutcome(job);
    const QList<Diagnosis> causes = confirmedOf(diagnoses);
    return job.state == JobState::Completed || causes.isEmpty()
        ? outcome
        : u"%1. %2"_s.arg(failureTitle(causes.first(), OutputState::Whole), outcome);
}

QString troubleOf(const QList<Alert>& alerts)
{
    for (const Alert& alert : alerts) {
        if (alert.level == Alert::Level::Warning || alert.level == Alert::Level::Failure)
            return alert.title;
    }
    return {};
}

QList<JobNews> jobNews(const std::optional<FollowedJob>& before, const FollowedJob& now, const QList<JobNewsKind>& told)
{
    const auto isTold = [&told](JobNewsKind kind) { return told.contains(kind); };
    if (hasEnded(now.state)) {
        if (!before || hasEnded(before->state) || isTold(JobNewsKind::Ended))
            return {};
        const QString verdict = now.verdict.isEmpty() ? toText(now.state) : now.verdict;
        return {{JobNewsKind::Ended, jobInWords(now) + u" has ended"_s, harmlessLine(verdict, longestText)}};
    }
    QList<JobNews> news;
    const bool isStart = before && !isActive(before->state) && nowRuns(now.state) && !isTold(JobNewsKind::Started);
    // Whether it is the first one is not known of a job that was joined while it ran.
    const bool isFollowed = before && (isStart || isTold(JobNewsKind::Started));
    const bool isFirstStep = isFollowed && !stepped(*before) && stepped(now) && !isTold(JobNewsKind::FirstStep);
    if (isFirstStep) // says that it runs as well
        news.append({JobNewsKind::FirstStep, jobInWords(now) + u" has done its first step"_s, stepText(now)});
    else if (isStart)
        news.append({JobNewsKind::Started, jobInWords(now) + u" has started"_s, startText(now)});
    if (!now.trouble.isEmpty() && !isTold(JobNewsKind::Trouble))
        news.append({JobNewsKind::Trouble, jobInWords(now) + u": something is wrong"_s,
            harmlessLine(now.trouble, longestText)});
    return news;
}

QList<JobNewsKind> stillTold(const FollowedJob& before, const FollowedJob& now, const QList<JobNewsKind>& told)
{
    const bool isQueuedAgain = !isWaiting(before.state) && before.state != JobState::Unknown && isWaiting(now.state);
    return isQueuedAgain ? QList<JobNewsKind>{} : told;
}

} // namespace rankwright::inline insight
