// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/insight/diagnosis/diagnosis.h"

#include <QHash>
#include <QObject>

#include <functional>

namespace rankwright::inline cluster {
struct LinkInfo;
} // namespace rankwright::inline cluster

namespace rankwright::inline script {
class Design;
} // namespace rankwright::inline script

namespace rankwright {

class ClusterSession;
class Connections;
class JobActions;
class JobLog;
class LaunchController;
class LiveController;
class MainWindow;
class ReportController;
class Settings;
enum class EntryStage;

/// What happens on connections, told to the person: links that come and go, a queue that is not answered, submissions
/// that are found again, jobs that end. Decides nothing. Owns none of them.
class ConnectionNews final : public QObject {
    Q_OBJECT
public:
    /// All outlive it.
    struct Parts {
        Connections& connections;
        Design& design;
        LiveController& live;
        LaunchController& launch;
        JobActions& jobActions;
        ReportController& reports;
        JobLog& log;
        Settings& settings;
        MainWindow& window;
    };
    explicit ConnectionNews(const Parts& parts, QObject* parent = nullptr);

signals:
    void reportWanted(const QString& job, const QString& cluster);

private:
    void follow(ClusterSession* made);
    void handleLink(const LinkInfo& link);
    void handleDecision(ClusterSession& session, const QString& entryId, EntryStage stage);
    void handleJobEnd(const JobRecord& record, const QString& entryId);
    bool isWatched(const JobId& job, const QString& cluster) const;

    Parts m_parts;
    using SayCause = std::function<void(const QList<Diagnosis>& causes)>;
    QHash<QString, SayCause> m_withoutCause; ///< ends that were told as Slurm reports them, by "cluster/job"
};

} // namespace rankwright
