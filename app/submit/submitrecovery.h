// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/retrypolicy.h"
#include "app/store/joblog.h"

#include <QTimer>

namespace rankwright {

/// Finds out what became of submissions whose answer was lost: whenever the cluster is connected, looks for each
/// undecided token of the job log in queue and accounting until it is found or was absent for a grace period
/// (accounting knows a job only seconds after sbatch, and bytes that were stuck in a dead link may still arrive).
/// Leaves alone what another living process is about to send. Never submits. Lives on the GUI thread.
class SubmitRecovery final : public QObject {
    Q_OBJECT
public:
    struct Timing {
        int graceMs = 20000; ///< absent for this long, link up throughout: not submitted
        int firstPauseMs = 1000;
        int longestPauseMs = 5000;
        int recheckMs = 15000; ///< entries of another living process are checked again
        int otherMachineMs = 120000; ///< entries of another boot or machine are left alone while younger than this
    };

    SubmitRecovery(RemoteShell& shell, SlurmClient& client, JobLog& log, QString cluster, QObject* parent = nullptr);
    SubmitRecovery(
        RemoteShell& shell, SlurmClient& client, JobLog& log, QString cluster, Timing timing, QObject* parent);

    /// An entry of this very process whose answer was lost.
    void add(const QString& entryId);
    /// A program that sent, or was about to, has ended since the log was read.
    void checkAgain();
    /// Whether the program that wrote it may still be sending it: alive, or for a while on another machine.
    bool leavesAlone(const JobLogEntry& entry) const;

signals:
    /// Decided and written to the job log: Known or Absent.
    void submissionDecided(const QString& entryId, rankwright::EntryStage stage);
    /// A look-up failed (controller or accounting away); it goes on.
    void recoveryFailed(const rankwright::Error& why);

private:
    struct Search {
        QString entryId;
        SubmissionToken token;
        qint64 absentSince = 0; ///< ms of our clock; 0: never answered "not there"
    };
    void handleLink(LinkState state);
    void readLog();
    void start(const JobLogEntry& entry);
    void askNext();
    void handleAnswer(const QString& entryId, const Result<std::optional<JobId>>& answer);
    void applyDecision(const QString& entryId, const Result<void>& written, EntryStage stage);

    RemoteShell& m_shell;
    SlurmClient& m_client;
    JobLog& m_log;
    QString m_cluster;
    Timing m_timing;
    QList<Search> m_searches;
    int m_next = 0;
    bool m_asking = false;
    int m_round = 0; ///< answers of an older connection are dropped
    RetryPolicy m_pause;
    QTimer m_wait;
    QTimer m_recheck;
};

} // namespace rankwright
