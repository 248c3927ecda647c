// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/catalogue.h"
#include "models/cluster/slurm/jobrecord.h"
#include "models/core/error.h"
#include "widgets/base/theme.h"

#include <QHash>
#include <QObject>

#include <functional>
#include <memory>

class QCloseEvent;

namespace rankwright::inline cluster {
struct SubmitState;
} // namespace rankwright::inline cluster

namespace rankwright::inline script {
class Design;
} // namespace rankwright::inline script

namespace rankwright::inline tables {
class GpuGrid;
class JobModel;
} // namespace rankwright::inline tables

namespace rankwright {

class ClassController;
class ClusterAccess;
class ClusterSession;
class Connections;
class Database;
class DesignPage;
class DesktopNotes;
class DocumentActions;
class Documents;
class FirstSteps;
class GuideController;
class JobActions;
class JobFileOpener;
class JobFileSaver;
class JobLog;
class JobNotifier;
class JobsController;
class LaunchController;
class LearningController;
class LiveController;
class MainWindow;
class PlanController;
class ReportController;
class Settings;
class TermGuide;
class UiSettings;

struct WorkbenchOptions {
    QString dataFolder; ///< prepared
    QString userCatalogue; ///< folder of further cluster files
    std::optional<Theme::Mode> theme; ///< for this run alone; empty: as kept
    QString design; ///< file to open: a design, a batch script, a class, a job file, or a link to a class
    bool practice = false; ///< start and connect to the practice cluster at once
    std::function<std::unique_ptr<DesktopNotes>()> notes = {}; ///< makes where news are told; empty: the desktop's tray
    bool welcome = false; ///< begin with the Welcome page if it was never left, or unsaved work exists
};

/// The composition root of the window program: builds catalogue, design, job log, pages and connections, and wires
/// intents to flows. Decides which cluster is shown (the design's) and what is reported to the person; computes
/// nothing.
class Workbench final : public QObject {
    Q_OBJECT
public:
    /// Error: the data folder's database cannot be used.
    static Result<std::unique_ptr<Workbench>> make(const WorkbenchOptions& options);
    ~Workbench() override;

    /// Shows the window and does what the options ask for.
    void start();
    /// Takes over what the files of clusters say now. The design stays as it is; what follows from it follows again.
    /// Sessions go on with what they began with.
    void readCatalogueAgain();

    MainWindow& window() { return *m_window; }
    DesignPage& designPage();
    Design& design() { return *m_design; }
    Theme& theme() { return *m_theme; }
    Connections& connections() { return *m_connections; }
    LiveController& live() { return *m_live; }
    Documents& documents() { return *m_documents; }
    JobLog& jobLog() { return *m_log; }
    GuideController& guide();
    ClassController& classes();
    TermGuide& terms();
    FirstSteps& firstSteps() { return *m_firstSteps; }
    JobFileSaver& jobFileSaver() { return *m_jobFileSaver; }
    JobFileOpener& jobFileOpener() { return *m_jobFileOpener; }
    ClusterAccess& access() { return *m_access; }
    ReportController& reports() { return *m_reports; }

signals:
    void submitStateChanged(const rankwright::SubmitState& state);

private:
    Workbench(const WorkbenchOptions& options, std::unique_ptr<Database> database);
    void buildWindow();
    void buildControllers();
    void wireWindow();
    void wireConnections();
    void wireJobsPage();
    void wireLivePage();
    void wireClustersPage();
    void buildExporter();
    void buildRecordings();
    void buildJobFiles();
    void buildDrafts();
    void buildLearning();
    void buildFirstSteps();
    void buildNotifier();
    void buildPalette();
    void openFirstDesign();
    void handleSession(ClusterSession* session);
    void handleSessionEnd(ClusterSession* session);
    void handleClosing(QCloseEvent* event);
    void showDesign();
    void updatePolling();
    void useCluster(const QString& cluster);
    void reopen(const QString& entryId);
    void showReport(const JobId& job, const QString& cluster);

    // In the order in which each needs the ones before; pages belong to the window, smaller controllers to the one that
    // they serve.
    WorkbenchOptions m_options;
    std::unique_ptr<Database> m_database;
    std::unique_ptr<JobLog> m_log;
    std::unique_ptr<Settings> m_settings;
    Catalogue m_catalogue;
    QHash<QString, ClusterFacts> m_reported; ///< by cluster: its own limits win over the published ones
    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<Design> m_design;
    std::unique_ptr<Documents> m_documents;
    std::unique_ptr<JobModel> m_jobModel;
    std::unique_ptr<GpuGrid> m_grid;
    std::unique_ptr<UiSettings> m_uiSettings;
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<LiveController> m_live;
    std::unique_ptr<JobsController> m_jobs;
    std::unique_ptr<Connections> m_connections;
    std::unique_ptr<JobActions> m_jobActions;
    std::unique_ptr<DocumentActions> m_actions;
    std::unique_ptr<LaunchController> m_launch;
    std::unique_ptr<LearningController> m_learning;
    std::unique_ptr<ReportController> m_reports;
    std::unique_ptr<PlanController> m_plan;
    std::unique_ptr<JobFileSaver> m_jobFileSaver;
    std::unique_ptr<JobFileOpener> m_jobFileOpener;
    std::unique_ptr<ClusterAccess> m_access;
    std::unique_ptr<FirstSteps> m_firstSteps;
    std::unique_ptr<DesktopNotes> m_notes;
    std::unique_ptr<JobNotifier> m_notifier;
    bool m_closeConfirmed = false;
};

} // namespace rankwright
