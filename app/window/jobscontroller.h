// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/joblog.h"
#include "app/store/recordings.h"
#include "models/insight/diagnosis/diagnosis.h"
#include "models/tables/jobmodel.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>

namespace rankwright {

class ClusterSession;
class JobsPage;

/// Fills the Jobs page: queue of the connected cluster, accounting of the last days, our own job log; offline the job
/// log alone. Owns no connection and does not decide when the queue is asked (ClusterSession).
class JobsController final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JobsController)
public:
    JobsController(JobModel& jobs, JobsPage& page, JobLog& log, QObject* parent = nullptr);

    /// Shows another cluster; `session` null: not connected.
    void show(const QString& cluster, ClusterSession* session);
    /// Where recordings lie; they are read anew when the list is shown or a job ends, and every half minute.
    void setRecordings(const QString& folder);
    /// Some were removed.
    void readRecordingsAnew();
    const QString& cluster() const { return m_cluster; } ///< that is shown; empty: none yet
    /// Asks queue and accounting now.
    void refresh();
    /// Newest job of ours that may be watched; empty: none.
    JobId newest() const;

private:
    void askHistory();
    void rebuild();
    void readRecordings();
    void showSelected(const QString& jobId);
    void showScript(const QString& jobId);
    void seekCause(const JobRow& row, const QByteArray& script);
    void reportFreshness();

    JobModel& m_jobs;
    JobsPage& m_page;
    JobLog& m_log;
    QString m_cluster;
    QPointer<ClusterSession> m_session;
    QList<JobRecord> m_history;
    QHash<QString, QList<Diagnosis>> m_causes; ///< by cluster and job; a job that ended does not change
    QString m_trouble;
    QString m_folder; ///< of recordings
    QList<RecordingInfo> m_recordings;
    QElapsedTimer m_readAgo;
    bool m_reading = false; ///< on another thread
    QTimer m_clock;
};

} // namespace rankwright
