// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/practicecluster.h"
#include "app/submit/programcheck.h"
#include "app/submit/submitorder.h"
#include "app/window/launchfacts.h"
#include "models/cluster/slurm/jobrecord.h"

#include <QObject>
#include <QTimer>

namespace rankwright::inline cluster {
struct SubmitState;
} // namespace rankwright::inline cluster

namespace rankwright::inline script {
class Design;
} // namespace rankwright::inline script

namespace rankwright {

class ClusterSession;
class Connections;
class DesignPage;
class Documents;
class JobLog;
class MainWindow;
class UploadController;
struct SubmitOrder;

/// Brings the design page and the cluster of its design together: what is known of the cluster, what was submitted
/// last, whether the design can be launched and why not, whether
/// its program is there; submits it. Owns none of them. Lives on the GUI thread.
class LaunchController final : public QObject {
    Q_OBJECT
public:
    LaunchController(Design& design, DesignPage& page, Documents& documents, Connections& connections, JobLog& log,
        MainWindow& window);
    ~LaunchController() override;

    /// The session of the design's cluster; null: there is none.
    ClusterSession* session() const;
    /// Shows all of it again.
    void refresh();
    /// A connection came or went: it may be launched now, or not any more.
    void showLaunch();
    /// Launches the design as it is now, as the Design page's button does; a second call while one is under way does
    /// nothing.
    void launch();
    /// A launch or rehearsal on the design's cluster is, or one whose program is looked for.
    bool isUnderWay() const;
    /// Ends what is under way, as far as nothing was sent.
    void stop();

signals:
    /// A launch or a rehearsal of the design with these facts begins. All that comes of it comes later; a launch may
    /// wait for an upload while others are rehearsed.
    void asked(const rankwright::LaunchFacts& facts, rankwright::SubmitPurpose purpose);
    /// By then the design may be one for another cluster.
    void jobSubmitted(const QString& job, const QString& cluster);
    /// Of the submission to `cluster`.
    void stateChanged(const rankwright::SubmitState& state, const QString& cluster);

private:
    void connectPage();
    void follow(ClusterSession* made);
    void handleDesign();
    void handleSubmit(const SubmitState& state, const QString& cluster);
    /// What the running practice cluster reports, into a design for it that leaves it open.
    void fillIn();
    void submit(SubmitPurpose purpose);
    void show(const SubmitState& state, const QString& cluster);
    void checkProgram(const SubmitOrder& order, const ProgramFile& program);
    /// `order` of the moment of the click, whatever the design says by now.
    void handleProgramCheck(const SubmitOrder& order, const ProgramFile& program, const Result<bool>& isThere);
    bool stopLaunch(const Error& why);
    void send(const SubmitOrder& order);
    void findProgram();
    void findProgramSoon();
    QString usualFolder() const;
    ProgramFile programFile() const;
    SubmitOrder orderOfDesign(SubmitPurpose purpose) const;
    void showProgram();
    void askAboutMissing(const SubmitOrder& order, const ProgramFile& program);
    QString missingText(const QString& cluster, const ProgramFile& program) const;
    void upload();
    void upload(const QString& cluster, const ProgramFile& program, const QString& why);
    QString missingText() const;
    void showFacts();
    void showLastSubmitted();
    QString clusterTitle() const;
    QString titleOf(const QString& cluster) const;

    Design& m_design;
    DesignPage& m_page;
    Documents& m_documents;
    Connections& m_connections;
    JobLog& m_log;
    MainWindow& m_window;
    std::optional<PracticeStatus> m_practice; ///< as long as it is there
    QString m_cluster; ///< whose facts are shown
    struct Seen {
        QString cluster;
        ProgramFile program;
        bool isThere = false;
    };
    std::optional<Seen> m_seen; ///< the program that was looked for last
    std::unique_ptr<QObject> m_programQuery; ///< guard of the question under way
    QTimer m_programTimer;
    std::unique_ptr<QObject> m_launching; ///< clicked, and the program is looked for: guard of that question
    QString m_launchingOn; ///< its cluster
    UploadController* m_upload = nullptr;
    std::function<void()> m_afterUpload; ///< the launch that waits for it; empty: none does
    std::pair<QString, QString> m_comparedWith; ///< cluster and name whose last submission is shown
};

} // namespace rankwright
