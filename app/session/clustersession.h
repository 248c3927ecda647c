// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/jobtracker.h"
#include "app/watch/jobwatch.h"
#include "models/remote/linkinfo.h"
#include "models/remote/loginprompt.h"
#include "ssh/sshshell.h"

namespace rankwright {

/// What a session needs of its connection beyond the port: so that tests can play the connection.
struct LinkControl {
    std::function<void()> open;
    std::function<void()> close;
    std::function<void(quint64, const PromptAnswer&)> answer = {};
    std::function<SshShell::Traffic()> traffic = {};
};

/// One connected cluster: when to connect again, when to ask the queue (one budget for everything that wants it), what
/// became of our jobs (job log), which job is watched. Owns shell, SlurmClient, Recovery, SubmitFlow and the watch; all
/// commands end with it. Shows nothing. Lives on the GUI thread.
class ClusterSession final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ClusterSession)
public:
    /// `log` must outlive the session.
    ClusterSession(const ClusterProfile& profile, std::unique_ptr<RemoteShell> shell, LinkControl control, JobLog& log,
        QObject* parent = nullptr);
    ~ClusterSession() override;

    void open();
    /// Ends the connection and everything on it; jobs go on.
    void close();
    void answer(quint64 promptId, const PromptAnswer& answer);

    const ClusterProfile& profile() const { return m_profile; }
    const LinkInfo& link() const { return m_link; }
    const std::optional<ClusterFacts>& facts() const { return m_facts; }
    bool isOnline() const { return m_shell->state() == LinkState::Online; }
    SubmitFlow& submitFlow() { return *m_submit; }
    SlurmClient& client() { return *m_client; }
    RemoteShell& shell() { return *m_shell; }
    JobLog& jobLog() { return m_log; }
    /// Guard for questions of others to this cluster: goes before the connection does.
    QObject* guard() const { return m_guard.get(); }

    /// A page that shows the queue is visible: ask every 5 s instead of every 30 s.
    void setQueueWanted(bool wanted);
    /// Asks once per connection for names to complete scripts with; they come by namesLearned().
    void learnNames();
    const std::optional<ClusterNames>& names() const { return m_names; }
    void refresh();
    const QList<JobRecord>& queue() const { return m_queue; }
    const QDateTime& queueTime() const { return m_queueTime; } ///< of the newest answer; invalid: none yet
    void cancelJob(const JobId& job, QObject* guard, Then<void> then);

    /// Watches a job, and ends the watch of another one.
    JobWatch& watch(const JobId& job);
    void unwatch();
    JobWatch* watched() const { return m_watch.get(); }

signals:
    void linkChanged(const rankwright::LinkInfo& link);
    void promptRaised(const rankwright::LoginPrompt& prompt);
    void discovered(const rankwright::ClusterFacts& facts);
    void namesLearned(const rankwright::ClusterNames& names);
    void queueChanged(const QList<rankwright::JobRecord>& jobs);
    /// The controller or the accounting does not answer; empty text: it does again.
    void queueTrouble(const rankwright::Error& why);
    /// A submission of ours whose answer was lost is decided.
    void submissionDecided(const QString& entryId, rankwright::EntryStage stage);
    /// A job that was launched here has ended; written to the job log.
    void ourJobEnded(const rankwright::JobRecord& record, const QString& entryId);

public:
    /// For the maker of the session: a prompt of the connection.
    void raisePrompt(const LoginPrompt& prompt);

private:
    void handleLink(LinkState state);
    void handleOnline();
    void handleLoss();
    void reconnect();
    void report();
    void reportTraffic(const SshShell::Traffic& traffic);
    void discover();
    void poll();
    void schedulePoll();
    int pollIntervalMs() const;
    void handleQueue(const Result<QList<JobRecord>>& jobs);
    void reportWatch();
    void askJob(const JobId& job);

    const ClusterProfile m_profile; ///< as it was when the session began: the catalogue may change
    JobLog& m_log;
    LinkControl m_control;
    std::unique_ptr<RemoteShell> m_shell;
    std::unique_ptr<SlurmClient> m_client;
    /// Guard of our own questions: goes before the shell, so that no command outlives its connection.
    std::unique_ptr<QObject> m_guard;
    std::unique_ptr<SubmitRecovery> m_recovery;
    std::unique_ptr<SubmitFlow> m_submit;
    std::unique_ptr<JobTracker> m_ours;
    std::unique_ptr<JobWatch> m_watch;
    LinkInfo m_link;
    std::optional<ClusterFacts> m_facts;
    std::optional<ClusterNames> m_names;
    int m_namesRound = -1; ///< the connection on which the names were asked for
    bool m_wanted = false; ///< the user wants this connection
    bool m_automatic = false; ///< this attempt is ours, not a person's
    bool m_wasOnline = false;
    bool m_queueWanted = false;
    bool m_asking = false;
    int m_round = 0; ///< answers of an older connection are dropped
    bool m_troubled = false;
    RetryPolicy m_retry;
    RetryPolicy m_pollRetry;
    QTimer m_reconnect;
    QTimer m_poll;
    QTimer m_meter;
    SshShell::Traffic m_lastTraffic;
    QList<std::pair<qint64, qint64>> m_commandCounts; ///< our clock in ms, commands so far; of the last minute
    QList<JobRecord> m_queue;
    QDateTime m_queueTime;
    QHash<JobId, JobRecord> m_pages; ///< what a job's own page told, for the holes in the queue's table
};

} // namespace rankwright
