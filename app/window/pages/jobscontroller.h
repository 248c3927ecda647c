// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/joblog.h"
#include "app/store/recordings.h"
#include "models/cluster/catalogue/catalogue.h"
#include "models/insight/diagnosis/diagnosis.h"
#include "models/tables/jobmodel.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>

#include <map>

namespace rankwright {

class ClusterSession;
class JobsPage;

/// Fills the Jobs page: queue and accounting of every connected cluster, whichever the design names, and what our own
/// job log and recordings know of all others. Owns no connection and does not decide when the queue is asked
/// (ClusterSession).
class JobsController final : public QObject {
    Q_OBJECT
public:
    JobsController(JobModel& jobs, JobsPage& page, JobLog& log, QObject* parent = nullptr);

    /// A cluster has a session from now on.
    void add(ClusterSession& session);
    /// The session ends: what is known of its jobs stays, with the time of the last answer.
    void remove(ClusterSession& session);
    /// Where recordings lie; they are read again when the list is shown or a job ends, and every half minute.
    void setRecordings(const QString& folder);
    /// Some were removed.
    void reloadRecordings();
    /// Where it is looked up what a cluster's GPUs are called; must outlive it. None: "GPU".
    void setCatalogue(const Catalogue* catalogue) { m_catalogue = catalogue; }
    /// Asks queue and accounting now.
    void refresh();
    /// Newest job of ours that may be watched; null: none.
    const JobRow* newest() const;
    /// Null: it is not listed.
    const JobRow* find(const QString& cluster, const JobId& job) const;

signals:
    /// Why the selected job failed is shown.
    void causeShown(
        const rankwright::JobRecord& job, const QString& cluster, const QList<rankwright::Diagnosis>& diagnoses);

private:
    struct Source {
        QPointer<ClusterSession> session; ///< null: it has ended, and the rest is from its last answer
        QString title;
        QList<JobRecord> queue;
        QDateTime asked; ///< the queue
        QList<JobRecord> history;
        QList<JobRecord> seen; ///< the queue as it was last time
        QList<JobRecord> left; ///< no longer in the queue and not yet in the accounting, as they were last seen
        QHash<JobId, JobRecord> pages; ///< jobs that were selected: what the queue's table lacks (output, exit code)
        QString trouble;
    };
    struct Listing {
        QList<RecordingInfo> recordings;
        QHash<QString, QString> causes; ///< by path
    };
    static QList<JobRecord> queueOf(const Source& source);
    void askHistory(const QString& cluster);
    void followQueue(const QString& cluster, const QList<JobRecord>& queue);
    static QList<JobRecord> pastOf(const Source& source);
    void askPage(const JobRow& row);
    void rebuild();
    QStringList clusters(const QList<JobLogEntry>& entries) const;
    void fillIn(JobRow& row);
    QString outputOf(const JobRow& row);
    QString gpuWordOf(const JobRow& row) const;
    void readRecordings();
    void showSelected(const QString& jobId, const QString& cluster);
    void seekCause(const JobRow& row, const QByteArray& script);
    void showCause(const JobRecord& job, const QString& cluster);
    void readCause(const JobRecord& job, const QString& cluster, const QString& path);
    void reportFreshness();

    JobModel& m_jobs;
    JobsPage& m_page;
    JobLog& m_log;
    const Catalogue* m_catalogue = nullptr;
    std::map<QString, Source> m_sources; ///< by cluster
    QHash<QString, JobRecord> m_requests; ///< by entry of the job log: what its script asks for
    QHash<QString, QString> m_outputs; ///< by entry and job: where its script sends the output
    QHash<QString, QList<Diagnosis>> m_causes; ///< by cluster and job; a job that ended does not change
    QString m_folder; ///< of recordings
    QList<RecordingInfo> m_recordings;
    QHash<QString, QString> m_recordedCauses; ///< by path, of recordings that are complete
    QElapsedTimer m_readAgo;
    bool m_reading = false; ///< on another thread
    QTimer m_clock;
};

} // namespace rankwright
