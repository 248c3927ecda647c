// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/core/error.h"

#include <QObject>

namespace rankwright {

class Connections;
class JobLog;
class JobsController;
class LiveController;
class MainWindow;

/// What a person does with a job of whichever cluster: watch it, read its output, replay it, cancel it. Where that
/// needs a connection which is not there, connects, and goes on by itself once it is. Owns none of them.
class JobActions final : public QObject {
    Q_OBJECT
public:
    JobActions(Connections& connections, LiveController& live, JobsController& jobs, JobLog& log, MainWindow& window,
        QObject* parent = nullptr);

    void watch(const JobId& job, const QString& cluster);
    /// From the recording where there is one, else by watching the ended job: its output is read to the end.
    void showOutput(const JobId& job, const QString& cluster);
    void replay(const QString& recording);
    void cancel(const JobId& job, const QString& cluster);
    /// Jobs that were launched from here and are not known to have ended are mentioned, each with one click to watch.
    void mentionRunning();

signals:
    /// A job is followed from now on.
    void watchRequested(const QString& job, const QString& cluster);

private:
    enum class Want { Nothing, Watch, Output };
    bool isReady(const JobId& job, const QString& cluster, Want want);
    void goOn(const QString& cluster);
    void giveUp(const QString& cluster);
    QString titleOf(const QString& cluster) const;

    Connections& m_connections;
    LiveController& m_live;
    JobsController& m_jobs;
    JobLog& m_log;
    MainWindow& m_window;
    Want m_want = Want::Nothing; ///< as soon as m_cluster is connected
    bool m_isTried = false; ///< a connection to it was under way: a session begins offline, which ends no attempt
    JobId m_job;
    QString m_cluster;
};

} // namespace rankwright
