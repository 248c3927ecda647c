// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/jobtracker.h"
#include "app/session/linkkeeper.h"
#include "app/session/networkwatch.h"
#include "app/session/queuepoller.h"
#include "app/watch/jobwatch.h"

namespace rankwright {

/// One connected cluster: its link (LinkKeeper), its queue (QueuePoller), what became of our jobs (JobTracker), which
/// job is watched. Owns these, SlurmClient, SubmitRecovery and SubmitFlow, and ties them together; all commands end
/// with it. Shows nothing. Lives on the GUI thread.
class ClusterSession final : public QObject {
    Q_OBJECT
public:
    /// `log` must outlive the session.
    ClusterSession(
        const ClusterProfile& profile, std::unique_ptr<ClusterLink> link, JobLog& log, QObject* parent = nullptr);
    ~ClusterSession() override;

    /// Before open(): where tries to connect are noted, for restarts and other programs.
    void setReconnectLedger(const ReconnectLedger& ledger) { m_keeper.setLedger(ledger); }
    void open();
    /// Ends the connection and everything on it; jobs go on.
    void close();
    void answer(quint64 promptId, const PromptAnswer& answer);

    const ClusterProfile& profile() const { return m_profile; }
    const LinkInfo& link() const { return m_keeper.info(); }
    const std::optional<ClusterFacts>& facts() const { return m_facts; }
    /// What the line carries is being measured, or was: for the watch of a job, and to be shown.
    void setLineRate(const LineRate& rate);
    bool isOnline() const { return m_shell->state() == LinkState::Online; }
    SubmitFlow& submitFlow() { return *m_submit; }
    SlurmClient& client() { return *m_client; }
    RemoteShell& shell() { return *m_shell; }
    JobLog& jobLog() { return m_log; }
    /// Guard for questions of others to this cluster: goes before the connection does.
    QObject* guard() const { return m_guard.get(); }

    /// A page that shows the queue is visible: ask every 5 s instead of every 30 s.
    void setQueueWanted(bool wanted);
    /// While the window is not visible (hidden, minimised) the queue is asked for every 15 s while a watched job may
    /// start any moment, every minute while jobs of ours are in it, else every five for the tray, and not at all where
    /// it is not seen at all; what is recorded goes on as before.
    void setSight(QueuePoller::Sight sight);
    /// Asks once per connection for names to complete scripts with; they come by namesLearned().
    void learnNames();
    const std::optional<ClusterNames>& names() const { return m_poller.names(); }
    void refresh();
    const QList<JobRecord>& queue() const { return m_poller.queue(); }
    const QDateTime& queueTime() const { return m_poller.queueTime(); } ///< of the newest answer; invalid: none yet
    void cancelJob(const JobId& job, QObject* guard, Then<void> then);

    /// Watches a job, and ends the watch of another one.
    JobWatch& watch(const JobId& job);
    void unwatch();
    JobWatch* watched() const { return m_watch.get(); }

signals:
    void linkChanged(const rankwright::LinkInfo& link);
    void promptRaised(const rankwright::LoginPrompt& prompt);
    void factsDiscovered(const rankwright::ClusterFacts& facts);
    void namesLearned(const rankwright::ClusterNames& names);
    void queueChanged(const QList<rankwright::JobRecord>& jobs);
    /// The controller or the accounting does not answer; empty: it does again.
    void queueTroubleChanged(const std::optional<rankwright::Error>& why);
    /// A submission of ours whose answer was lost is decided.
    void submissionDecided(const QString& entryId, rankwright::EntryStage stage);
    /// A job that was launched here has ended; written to the job log.
    void ourJobEnded(const rankwright::JobRecord& record, const QString& entryId);

private:
    void connectParts();
    void discover(LinkState state);
    void readQueue(const QList<JobRecord>& queue);
    void readPage(const JobId& job, const JobRecord& record);
    void reportWatch(const QList<JobRecord>& queue);
    QueuePoller::Pace pace() const;

    const ClusterProfile m_profile; ///< as it was when the session began: the catalogue may change
    JobLog& m_log;
    std::unique_ptr<ClusterLink> m_shell;
    std::unique_ptr<SlurmClient> m_client;
    /// Guard of questions to this cluster: goes before the shell, so that no command outlives its connection.
    std::unique_ptr<QObject> m_guard;
    std::unique_ptr<QObject> m_discovery; ///< guard of the one on the present connection
    QueuePoller m_poller; ///< before m_keeper: has begun, or stopped, when the link's change is reported
    LinkKeeper m_keeper;
    NetworkWatch m_network;
    std::unique_ptr<SubmitRecovery> m_recovery;
    std::unique_ptr<SubmitFlow> m_submit;
    std::unique_ptr<JobTracker> m_ours;
    std::unique_ptr<JobWatch> m_watch;
    std::optional<ClusterFacts> m_facts;
    LineRate m_line;
};

} // namespace rankwright
