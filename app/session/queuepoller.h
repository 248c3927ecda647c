// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/retrypolicy.h"
#include "models/cluster/slurm/slurmclient.h"

#include <QDateTime>
#include <QTimer>

namespace rankwright {

/// Asks one cluster while it is connected: the queue again and again, a job's own page and the names for completion
/// when they are asked for. One budget for everybody who wants to know the queue. Answers of an older connection are
/// dropped. Decides nothing about jobs. Lives on the GUI thread; `shell` and `client` must outlive it.
class QueuePoller final : public QObject {
    Q_OBJECT
public:
    /// What goes on that the queue reports about: nothing of ours, a job of ours, a watched one that waits, one that
    /// was watched a moment ago and may start each second.
    enum class Pace { Idle, Active, Awaiting, Eager };
    /// Who sees what the queue reports: a person at the window, at most the tray's menu, none of them (hidden,
    /// minimised).
    enum class Sight : quint8 { Window, Tray, Unseen };
    /// How long between answer and next question, in ms. Sites ask users not to poll hard (docs/slurm.md).
    struct Timing {
        int idleMs = 30000;
        int activeMs = 5000; ///< a person notices nothing below
        int eagerMs = 1000;
        // While the window is not visible (with no job of ours there and no tray that shows it, nothing is asked at
        // all):
        int unseenAwaitingMs = 15000; ///< a watched job may start: recording begins with it
        int unseenMs = 60000; ///< jobs of ours are in the queue: their ends are reported all the same
        int unseenIdleMs = 300000;
    };
    QueuePoller(RemoteShell& shell, SlurmClient& client, QObject* parent = nullptr);

    /// Other than the default; for tests.
    void setTiming(const Timing& timing) { m_timing = timing; }
    /// From the next answer on; at a pause at once.
    void setPace(Pace pace);
    /// A page shows the queue: as while active, and at once when the newest answer is older than that.
    void setWanted(bool wanted);
    /// Unseen: seldom, or not at all. Seen again, an answer that is older than a page may show is renewed at once.
    void setSight(Sight sight);
    /// Asks for the queue now, unless that is under way.
    void refresh();
    void askPage(const JobId& job);
    /// Asks once per connection; they come by namesLearned().
    void learnNames();

    /// Of the newest answer, each with what its own page reported before.
    const QList<JobRecord>& queue() const { return m_queue; }
    const QDateTime& queueTime() const { return m_queueTime; } ///< of the newest answer; invalid: none yet
    const std::optional<ClusterNames>& names() const { return m_names; }

signals:
    void queueChanged(const QList<rankwright::JobRecord>& jobs);
    /// At each question that the controller or the accounting does not answer; empty: it does again.
    void troubleChanged(const std::optional<rankwright::Error>& why);
    void pageArrived(const QString& job, const rankwright::JobRecord& record);
    /// Queue and accounting do not know this job.
    void pageMissing(const QString& job, const rankwright::Error& why);
    void namesLearned(const rankwright::ClusterNames& names);

private:
    void handleState(LinkState state);
    bool isOnline() const { return m_shell.state() == LinkState::Online; }
    std::optional<int> intervalMs() const; ///< empty: the next question waits for somebody
    bool isAnswerOlderThan(int ms) const;
    void schedule();
    void askQueue();
    void handleQueue(const Result<QList<JobRecord>>& jobs);
    void handlePage(const JobId& job, const Result<JobRecord>& record);

    RemoteShell& m_shell;
    SlurmClient& m_client;
    std::unique_ptr<QObject> m_connection; ///< guard of the questions on the present connection
    Timing m_timing;
    Pace m_pace = Pace::Idle;
    RetryPolicy m_retry;
    QTimer m_next;
    bool m_wanted = false;
    Sight m_sight = Sight::Window;
    bool m_asking = false;
    bool m_namesAsked = false; ///< on this connection
    bool m_troubled = false;
    QList<JobRecord> m_queue;
    QDateTime m_queueTime;
    QHash<JobId, JobRecord> m_pages; ///< what a job's own page reported, for the holes in the queue's table
    std::optional<ClusterNames> m_names;
};

} // namespace rankwright
