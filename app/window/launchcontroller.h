// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/practicecluster.h"
#include "models/slurm/jobrecord.h"

#include <QObject>

namespace rankwright {

class ClusterSession;
class Connections;
class Design;
class DesignPage;
class Documents;
class JobLog;
class MainWindow;
struct SubmitState;

/// Brings the design page and the cluster of its design together: what is known of the cluster, what was submitted
/// last, whether the design can be launched and why not; submits it. Owns none of them. Lives on the GUI thread.
class LaunchController final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LaunchController)
public:
    LaunchController(Design& design, DesignPage& page, Documents& documents, Connections& connections, JobLog& log,
        MainWindow& window);

    /// The session of the design's cluster; null: there is none.
    ClusterSession* session() const;
    /// Shows all of it anew.
    void refresh();
    /// A connection came or went: it may be launched now, or not any more.
    void showLaunch();

signals:
    void submitted(const QString& job);
    void stateChanged(const rankwright::SubmitState& state);

private:
    void connectPage();
    void follow(ClusterSession* made);
    void handleDesign();
    void handleSubmit(const SubmitState& state);
    /// What the running practice cluster reports, into a design for it that leaves it open.
    void fillIn();
    void submit(bool rehearseOnly);
    void showFacts();
    void showLastSubmitted();
    QString clusterTitle() const;

    Design& m_design;
    DesignPage& m_page;
    Documents& m_documents;
    Connections& m_connections;
    JobLog& m_log;
    MainWindow& m_window;
    std::optional<PracticeStatus> m_practice; ///< as long as it is there
    QString m_cluster; ///< whose facts are shown
    std::pair<QString, QString> m_comparedWith; ///< cluster and name whose last submission is shown
};

} // namespace rankwright
