// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/jobtracker.h"

#include "models/cluster/slurm/slurmclient.h"
#include "models/core/logging.h"
#include "models/insight/diagnosis/explain.h"

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 endAgainMs = 1000;
// The accounting of a job that left the queue: it may be away, or may have forgotten the job for good.
constexpr qint64 settleAgainMs = 60000;
constexpr qint64 accountingMs = 30000;

bool carriesToken(const JobRecord& record) { return isOurToken(record.comment); }

/// Job ids start again with a cluster that was set up again, or that lost its state: another token means another job.
bool isJobOf(const JobLogEntry& entry, const JobRecord& record)
{
    return record.id == entry.job && (!carriesToken(record) || record.comment == entry.token);
}

} // namespace

JobTracker::JobTracker(JobLog& log, const SubmitFlow& flow, QString cluster, QObject* parent)
    : QObject(parent), m_log(log), m_flow(flow), m_cluster(std::move(cluster))
{ }

void JobTracker::readQueue(const QList<JobRecord>& queue)
{
    m_active = false;
    for (const JobRecord& record : queue) {
        if (!carriesToken(record))
            continue;
        const auto entries = m_log.withToken(record.comment);
        if (entries && !entries->isEmpty())
            noteRecord(entries->first(), record, Source::Queue);
    }
    resolveEnded(queue);
}

void JobTracker::readPage(const JobRecord& record)
{
    const auto entries = m_log.withJob(m_cluster, record.id);
    if (!entries)
        return;
    for (const JobLogEntry& entry : *entries) {
        if (isJobOf(entry, record))
            noteRecord(entry, record, Source::JobPage);
        else
            noteMissing(entry); // its id was given again
    }
}

void JobTracker::readMissing(const JobId& job)
{
    const auto entries = m_log.withJob(m_cluster, job);
    if (!entries)
        return;
    for (const JobLogEntry& entry : *entries)
        noteMissing(entry);
}

void JobTracker::noteMissing(const JobLogEntry& entry)
{
    if (hasEnded(entry.state))
        return;
    if (entry.created.msecsTo(QDateTime::currentDateTimeUtc()) < accountingMs)
        return; // the accounting learns of a job some seconds late
    const auto noted = m_log.noteState(entry.id, JobState::Unknown,
        u"Slurm does not know job %1 any more: it was lost, or its records do not reach back that far."_s.arg(
            entry.job));
    if (!noted)
        qCWarning(logApp) << "job log:" << noted.error().oneLine();
}

void JobTracker::noteRecord(const JobLogEntry& entry, const JobRecord& record, Source source)
{
    // Our own flow is waiting for the answer and writes it itself.
    const bool inFlight = m_flow.state().isBusy() && m_flow.entryId() == entry.id;
    if (entry.stage != EntryStage::Known && !inFlight) {
        if (const auto marked = m_log.markKnown(entry.id, record.id); !marked)
            qCWarning(logApp) << "job log:" << marked.error().oneLine();
    }
    const bool over = hasEnded(record.state);
    m_active = m_active || !over;
    if (record.state == JobState::Unknown || inFlight || (over && hasEnded(entry.state)))
        return;
    if (over && source == Source::Queue) {
        // How it ended is in the job's own page.
        if (mayAsk(entry.id, endAgainMs))
            emit pageWanted(record.id);
        return;
    }
    const auto noted = m_log.noteState(entry.id, record.state, over ? explainOutcome(record) : QString());
    if (!noted)
        qCWarning(logApp) << "job log:" << noted.error().oneLine();
    else if (over)
        emit jobEnded(record, entry.id);
}

void JobTracker::resolveEnded(const QList<JobRecord>& queue)
{
    const auto open = m_log.unended(m_cluster);
    if (!open)
        return;
    for (const JobLogEntry& entry : *open) {
        const bool queued = std::any_of(
            queue.cbegin(), queue.cend(), [&entry](const JobRecord& record) { return isJobOf(entry, record); });
        if (queued || !mayAsk(entry.id, settleAgainMs))
            continue;
        emit pageWanted(entry.job);
        return; // one per answer of the queue: the rest waits
    }
}

bool JobTracker::mayAsk(const QString& entryId, qint64 againInMs)
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    if (m_askAgain.value(entryId) > now)
        return false;
    m_askAgain[entryId] = now + againInMs;
    return true;
}

} // namespace rankwright
