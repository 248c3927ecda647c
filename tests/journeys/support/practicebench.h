// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/practicedesign.h"
#include "app/session/sshsession.h"
#include "app/store/database.h"
#include "app/submit/submitorder.h"
#include "tests/support/testbase.h"

#include <QTemporaryDir>

namespace rankwright::test {

/// The practice cluster of this test run, and questions to it that go past our own code (OpenSSH's client and Slurm's
/// commands), so that what our log says can be held against what is.
class PracticeBench final {
public:
    PracticeBench();

    /// Asks for the cluster and repairs it when something is missing. Empty: all well; else why this suite must skip.
    QString prepare();
    const PracticeStatus& status() const { return m_status; }

    /// A new job log in a folder of its own.
    void freshLog();
    /// The same folder opened again, as after a restart of the program.
    void reopenLog();
    JobLog& log() { return *m_log; }
    QString dataFolder() const { return m_folder->path(); }

    /// A session that accepts the cluster's own host key; port 0: the real one.
    std::unique_ptr<ClusterSession> session(quint16 port = 0);
    JobSpec spec(int seconds) const;
    SubmitOrder order(int seconds) const;
    QByteArray designFile(int seconds) const;

    /// A line in the shell of the login node.
    QString remote(const QString& line) const;
    /// Queues a script of no design in the folder of practice designs, %1 in it standing for the account, and gives the
    /// job's id; empty: refused.
    JobId submitted(const char* script) const;
    /// Job ids that carry the token, from queue and accounting; waits until the accounting had time to know.
    QStringList jobsWith(const SubmissionToken& token) const;
    /// All that queue, controller and accounting say of a job, for the message of a test that failed.
    QString everythingOf(const JobId& job) const;
    /// What Slurm says of its nodes, for the message of a test whose submission was refused.
    QString nodeStates() const;
    /// Jobs of the user that carry any token of ours and were submitted since freshLog().
    int jobsOfLog();
    /// Monitoring steps of ours that are older than `seconds`, and sampling processes without a step.
    QStringList oldSteps(int seconds) const;
    /// Ends every job; nodes that Slurm took out of service meanwhile serve again.
    void cancelAll() const;
    /// practice.py fault WHAT.
    bool fault(const QString& what) const;
    bool up() const;

private:
    QByteArray script(const QStringList& words, int& exitCode) const;

    Catalogue m_catalogue;
    PracticeStatus m_status;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Database> m_database;
    std::unique_ptr<JobLog> m_log;
};

/// Waits in the event loop until `done`, for some minutes at most; false: never.
bool waitUntil(const std::function<bool()>& done);

} // namespace rankwright::test
