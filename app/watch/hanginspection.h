// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/watch/hangreading.h"
#include "models/cluster/catalogue/clusterprofile.h"
#include "models/cluster/remote/remoteshell.h"
#include "models/cluster/slurm/slurmclient.h"
#include "models/insight/hang/collect/collectplan.h"

#include <QElapsedTimer>
#include <QTimer>

namespace rankwright {

/// One inspection of a running job's ranks: which of them hangs, in which call, and who waits for whom. Asks Slurm for
/// the job's nodes, runs the collecting program on them (docs/where.md), by ssh where Slurm refuses overlapping steps
/// and the site lets a job's owner in, and a second time on nodes that look odd and were not asked in full. For command
/// line and window alike; shows nothing. Takes 15 s or less, at most the deadline of collectCommand() for each of the
/// two, and what the threads beside take to read and judge what came (HangReading). Lives on the GUI thread.
class HangInspection final : public QObject {
    Q_OBJECT
public:
    /// All three must outlive the inspection, or cancel() must have been called.
    HangInspection(SlurmClient& client, RemoteShell& shell, const ClusterProfile& profile, QObject* parent = nullptr);
    ~HangInspection() override;

    /// Begins; ends by finished(). An inspection that is under way is cancelled.
    void begin(const JobId& job);
    /// Ends everything on the nodes; finished() is not emitted.
    void cancel();
    bool isRunning() const { return m_guard != nullptr; }
    const JobId& job() const { return m_job; }
    /// Since begin().
    double seconds() const { return double(m_clock.elapsed()) / 1000; }

signals:
    /// This number of nodes is asked from now on.
    void nodesAsked(qsizetype nodes);
    /// Once. A job that ended meanwhile is an answer (HangCause::Over). Error: the job does not run, Slurm does not
    /// know it or refuses the step, the connection is away.
    void finished(const rankwright::Result<rankwright::HangAnswer>& answer);

private:
    void plan(const JobRecord& record);
    void startRound();
    void handleOutcome(const Result<CommandOutcome>& outcome);
    void handleRound(const Result<CommandOutcome>& outcome, const HangRound& round);
    void handleSilence(const Result<CommandOutcome>& outcome);
    void conclude();
    void endUnlessOver(const Result<HangAnswer>& answer);
    void end(const Result<HangAnswer>& answer);

    SlurmClient& m_client;
    RemoteShell& m_shell;
    const ClusterProfile& m_profile;
    JobId m_job;
    CollectRequest m_request;
    CollectPlan m_plan;
    HangReading m_reading;
    bool m_isSecondRound = false;
    bool m_isWhole = false; ///< all nodes that were asked have answered in full
    int m_round = 0; ///< counts commands: late output of an earlier one is ignored
    QElapsedTimer m_clock;
    QTimer m_heartbeat;
    std::unique_ptr<RemoteProcess> m_process;
    std::unique_ptr<QObject> m_guard; ///< of the questions to Slurm; null: no inspection is under way
};

} // namespace rankwright
