// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/submit/submitflow.h"

namespace rankwright {

/// Keeps the job log in step with what a cluster reports about the jobs that were launched here: id, state, end. Finds
/// them by the token in their comment. Asks for a job's own page where the queue's table is not enough, by a signal: it
/// knows what to ask, ClusterSession knows when and how. Lives on the GUI thread.
class JobTracker final : public QObject {
    Q_OBJECT
public:
    JobTracker(JobLog& log, const SubmitFlow& flow, QString cluster, QObject* parent = nullptr);

    void readQueue(const QList<JobRecord>& queue);
    void readPage(const JobRecord& record);
    /// Queue and accounting were asked for this job and do not know it.
    void readMissing(const JobId& job);
    /// One of ours waits or runs.
    bool isAnyActive() const { return m_active; }

signals:
    void pageWanted(const QString& job);
    /// Written to the job log; once per job.
    void jobEnded(const rankwright::JobRecord& record, const QString& entryId);

private:
    enum class Source { Queue, JobPage };
    void noteMissing(const JobLogEntry& entry);
    void noteRecord(const JobLogEntry& entry, const JobRecord& record, Source source);
    void resolveEnded(const QList<JobRecord>& queue);
    bool mayAsk(const QString& entryId, qint64 againInMs);

    JobLog& m_log;
    const SubmitFlow& m_flow;
    QString m_cluster;
    bool m_active = false;
    QHash<QString, qint64> m_askAgain; ///< entry id -> when its page may be asked for again
};

} // namespace rankwright
