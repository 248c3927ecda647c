// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/report/jobnews.h"

#include <QHash>
#include <QObject>

class QAction;

namespace rankwright {

class ClusterSession;
class Connections;
class DesktopNotes;
class JobActions;
class JobWatch;
class LiveController;
class MainWindow;
class Settings;

/// News of the jobs that the window follows, on the desktop, where somebody wants that (View > Desktop notifications,
/// off at first): of jobs that were launched from here, and of the one that is watched. What is told decides jobNews();
/// nothing is told of a job that the active window shows. Owns the menu's entry alone. Lives on the GUI thread.
class JobNotifier final : public QObject {
    Q_OBJECT
public:
    /// All outlive it.
    struct Parts {
        Connections& connections;
        LiveController& live;
        JobActions& jobActions;
        Settings& settings;
        MainWindow& window;
        DesktopNotes& notes;
    };
    explicit JobNotifier(const Parts& parts, QObject* parent = nullptr);

    /// A job that was submitted just now: whatever the queue says of it is news.
    void expect(const JobId& job, const QString& cluster);

private:
    struct Followed {
        std::optional<FollowedJob> known; ///< empty: not seen yet
        QList<JobNewsKind> told;
    };
    void addAction();
    void choose(bool wanted);
    void follow(ClusterSession* session);
    void watch(const JobId& job, const QString& cluster);
    void readQueue(const ClusterSession& session);
    /// In the tray's menu; without those of a connection that ends just now (null: none does).
    void showQueues(const ClusterSession* ending);
    void readWatch(const QString& cluster, const JobWatch& watch);
    void readEnd(const QString& cluster, const JobRecord& record, const QList<Diagnosis>& diagnoses);
    void update(const QString& cluster, const FollowedJob& now);
    FollowedJob jobOf(const QString& cluster, const JobRecord& record) const;
    bool isShown(const JobId& job, const QString& cluster) const;
    bool isWatched(const JobId& job, const QString& cluster) const;
    void showWindow();
    void showJobs();
    void open(const QString& id);

    Parts m_parts;
    QAction* m_action = nullptr; ///< the menu's
    QHash<QString, Followed> m_jobs; ///< by "cluster/job"
};

} // namespace rankwright
