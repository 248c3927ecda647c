// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/settings.h"
#include "app/documents/documents.h"
#include "app/store/joblog.h"
#include "app/window/connections.h"
#include "app/window/documentactions.h"
#include "app/window/draftcontroller.h"
#include "app/window/jobscontroller.h"
#include "app/window/learningcontroller.h"
#include "app/window/livecontroller.h"
#include "app/window/liveexporter.h"
#include "app/window/plancontroller.h"
#include "app/window/recordingscontroller.h"
#include "app/window/reportcontroller.h"
#include "app/window/uisettings.h"
#include "models/grid/gpugrid.h"
#include "models/slurm/submitstate.h"
#include "widgets/base/theme.h"

class QCloseEvent;

namespace rankwright {

class ClustersPage;
class Database;
class DesignPage;
class JobsPage;
class LivePage;
class MainWindow;
class PlanPage;

struct WorkbenchOptions {
    QString dataFolder; ///< prepared
    QString userCatalogue; ///< folder of further cluster files
    QString theme; ///< "light", "dark", "system"; empty: as kept
    QString design; ///< file to open
    bool practice = false; ///< start and connect to the practice cluster at once
};

/// The composition root of the window program: builds catalogue, design, job log, pages and connections, and wires
/// intents to flows. Decides which cluster is shown (the design's) and what a person is told; computes nothing.
class Workbench final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Workbench)
public:
    /// Error: the data folder's database cannot be used.
    static Result<std::unique_ptr<Workbench>> make(const WorkbenchOptions& options);
    ~Workbench() override;

    /// Shows the window and does what the options ask for.
    void start();
    /// Takes over what the files of clusters say now. The design stays as it is; what follows from it follows anew.
    /// Sessions go on with what they began with.
    void readCatalogueAgain();

    MainWindow& window() { return *m_window; }
    DesignPage& designPage() { return *m_designPage; }
    Design& design() { return *m_design; }
    Theme& theme() { return *m_theme; }
    Connections& connections() { return *m_connections; }
    LiveController& live() { return *m_live; }
    Documents& documents() { return *m_documents; }
    JobLog& jobLog() { return *m_log; }

signals:
    void submitStateChanged(const rankwright::SubmitState& state);

private:
    Workbench(const WorkbenchOptions& options, std::unique_ptr<Database> database);
    void buildPages();
    void wireWindow();
    void wirePages();
    void wireConnections();
    void openFirstDesign();
    void offerPractice();
    void submit(bool rehearseOnly);
    void handleSubmit(const SubmitState& state);
    void handleLink(const LinkInfo& link);
    void handleSession(ClusterSession* session);
    void handlePractice(const PracticeStatus& status);
    void handleJobEnd(const JobRecord& record, const QString& entryId);
    void handleClosing(QCloseEvent* event);
    void showCluster();
    void showFacts();
    void showLastSubmitted();
    void updateLaunch();
    void updatePolling();
    void watch(const JobId& job);
    void cancel(const JobId& job);
    void reopen(const QString& entryId);
    void replay(const QString& recording);
    void showReport(const JobId& job);
    ClusterSession* session() const;
    QString clusterTitle() const;

    WorkbenchOptions m_options;
    std::unique_ptr<Database> m_database;
    std::unique_ptr<JobLog> m_log;
    std::unique_ptr<Settings> m_settings;
    Catalogue m_catalogue;
    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<Design> m_design;
    std::unique_ptr<Documents> m_documents;
    std::unique_ptr<JobModel> m_jobModel;
    std::unique_ptr<GpuGrid> m_grid;
    std::unique_ptr<MainWindow> m_window; ///< owns the pages
    DesignPage* m_designPage = nullptr;
    JobsPage* m_jobsPage = nullptr;
    LivePage* m_livePage = nullptr;
    ClustersPage* m_clustersPage = nullptr;
    PlanPage* m_planPage = nullptr;
    std::unique_ptr<UiSettings> m_uiSettings;
    std::unique_ptr<LiveController> m_live;
    std::unique_ptr<LiveExporter> m_exporter;
    std::unique_ptr<JobsController> m_jobs;
    std::unique_ptr<RecordingsController> m_recordings;
    std::unique_ptr<DocumentActions> m_actions;
    std::unique_ptr<Connections> m_connections;
    std::unique_ptr<DraftController> m_drafts;
    std::unique_ptr<LearningController> m_learning;
    std::unique_ptr<PlanController> m_planner;
    std::unique_ptr<ReportController> m_reports;
    QString m_shownCluster;
    std::pair<QString, QString> m_comparedWith; ///< cluster and name whose last submission is shown
    bool m_closeConfirmed = false;
};

} // namespace rankwright
