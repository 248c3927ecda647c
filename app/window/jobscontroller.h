// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/joblog.h"
#include "models/tables/jobmodel.h"

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
    /// Asks queue and accounting now.
    void refresh();
    /// Newest job of ours that may be watched; empty: none.
    JobId newest() const;

private:
    void askHistory();
    void rebuild();
    void showScript(const QString& jobId);
    void tellFreshness();

    JobModel& m_jobs;
    JobsPage& m_page;
    JobLog& m_log;
    QString m_cluster;
    QPointer<ClusterSession> m_session;
    QList<JobRecord> m_history;
    QString m_trouble;
    QTimer m_clock;
};

} // namespace rankwright
