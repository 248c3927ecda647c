// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/workbench.h"

#include "app/base/settings.h"
#include "app/documents/documents.h"
#include "app/session/practicedesign.h"
#include "app/store/database.h"
#include "app/submit/submitorder.h"
#include "app/window/classcontroller.h"
#include "app/window/clusteraccess.h"
#include "app/window/connectionnews.h"
#include "app/window/documentactions.h"
#include "app/window/draftcontroller.h"
#include "app/window/firststeps.h"
#include "app/window/jobactions.h"
#include "app/window/jobfileopener.h"
#include "app/window/jobfilesaver.h"
#include "app/window/jobnotifier.h"
#include "app/window/launchcontroller.h"
#include "app/window/links/closingquestion.h"
#include "app/window/links/connections.h"
#include "app/window/pages/jobscontroller.h"
#include "app/window/pages/learningcontroller.h"
#include "app/window/pages/livecontroller.h"
#include "app/window/pages/liveexporter.h"
#include "app/window/pages/memoryoffers.h"
#include "app/window/pages/plancontroller.h"
#include "app/window/pages/recordingscontroller.h"
#include "app/window/pages/reportcontroller.h"
#include "app/window/palettecontroller.h"
#include "app/window/uisettings.h"
#include "app/window/welcomecontroller.h"
#include "models/cluster/draft/reportedlimits.h"
#include "models/cluster/slurm/slurmclient.h"
#include "models/core/quantitytext.h"
#include "models/script/document/designjson.h"
#include "models/tables/grid/gpugrid.h"
#include "widgets/base/theme.h"
#include "widgets/clusters/clusterspage.h"
#include "widgets/design/designpage.h"
#include "widgets/jobs/jobspage.h"
#include "widgets/learn/termguide.h"
#include "widgets/live/livepage.h"
#include "widgets/plan/planpage.h"
#include "widgets/window/mainwindow.h"
#include "widgets/window/traynotes.h"

#include <QCloseEvent>

namespace rankwright {

using namespace Qt::StringLiterals;

Result<std::unique_ptr<Workbench>> Workbench::make(const WorkbenchOptions& options)
{
    auto database = Database::open(options.dataFolder);
    if (!database)
        return fail(database.error());
    return std::unique_ptr<Workbench>(new Workbench(options, std::move(*database)));
}

Workbench::Workbench(const WorkbenchOptions& options, std::unique_ptr<Database> database)
    : m_options(options), m_database(std::move(database)), m_log(std::make_unique<JobLog>(*m_database)),
      m_settings(std::make_unique<Settings>(options.dataFolder)), m_catalogue(loadCatalogue(options.userCatalogue)),
      m_theme(std::make_unique<Theme>()), m_design(std::make_unique<Design>(m_catalogue)),
      m_documents(std::make_unique<Documents>(*m_design, *m_settings, options.dataFolder)),
      m_jobModel(std::make_unique<JobModel>()), m_grid(std::make_unique<GpuGrid>())
{
    // Before the first widget: it takes palette, font and style sheet from here.
    m_uiSettings = std::make_unique<UiSettings>(*m_settings, *m_theme, options.theme);
    m_design->replace(workshopDesign());
    m_design->markSaved();
    m_design->setCheckTiming(Design::CheckTiming::WhenPainted);
    buildWindow();
    buildControllers();
    wireWindow();
    wireConnections();
    wireJobsPage();
    wireLivePage();
    wireClustersPage();
    m_access = std::make_unique<ClusterAccess>(ClusterAccess::Parts{m_catalogue, *m_design, *m_connections, *m_live,
        *m_settings, *m_window, m_options.dataFolder,
        [this] { return m_settings->notificationsWanted() && m_notes && m_notes->whyNot().isEmpty(); }});
    buildNotifier();
    buildFirstSteps(); // after wireWindow(): a job that the guide launches is watched by then
    buildPalette();
}

Workbench::~Workbench()
{
    // Sessions first, while everything they talk to is still there.
    m_connections->closeAll();
    m_notifier.reset();
    m_firstSteps.reset();
    m_access.reset();
    m_jobFileOpener.reset();
    m_jobFileSaver.reset();
    m_jobActions.reset();
    m_connections.reset();
    m_actions.reset();
}

void Workbench::buildWindow()
{
    MainWindow::Pages pages;
    pages.design = new DesignPage(*m_design);
    pages.jobs = new JobsPage(*m_jobModel);
    pages.live = new LivePage(*m_grid);
    pages.clusters = new ClustersPage(m_catalogue);
    pages.plan = new PlanPage(*m_design);
    m_window = std::make_unique<MainWindow>(*m_design, *m_theme, pages);
}

void Workbench::buildControllers()
{
    const MainWindow::Pages& pages = m_window->pages();
    const QString recordings = recordingsFolder(m_options.dataFolder);
    m_live = std::make_unique<LiveController>(*m_grid, *pages.live);
    m_live->setCatalogue(&m_catalogue);
    m_live->setRecordings(recordings);
    m_live->output().setSettings(m_settings.get());
    m_jobs = std::make_unique<JobsController>(*m_jobModel, *pages.jobs, *m_log);
    m_jobs->setRecordings(recordings);
    m_jobs->setCatalogue(&m_catalogue);
    m_connections = std::make_unique<Connections>(m_catalogue, *m_log, *m_settings, m_window.get());
    m_jobActions = std::make_unique<JobActions>(*m_connections, *m_live, *m_jobs, *m_log, *m_window);
    m_actions = std::make_unique<DocumentActions>(*m_window, *m_design, *m_documents, workshopDesign());
    m_launch
        = std::make_unique<LaunchController>(*m_design, *pages.design, *m_documents, *m_connections, *m_log, *m_window);
    m_reports = std::make_unique<ReportController>(m_catalogue, *m_design, *m_log, m_options.dataFolder, *m_window);
    m_plan = std::make_unique<PlanController>(*m_design, *m_window, *pages.plan, *pages.design);
    new MemoryOffers({*m_design, *m_log, *m_live, *pages.live, *m_jobs, *pages.jobs}, m_live.get());
    buildExporter();
    buildJobFiles();
    buildRecordings();
    buildDrafts();
    buildLearning();
}

void Workbench::buildExporter()
{
    auto* exporter = new LiveExporter(*m_window->pages().live, *m_live, m_live.get());
    connect(exporter, &LiveExporter::failed, this,
        [this](const Error& why) { m_window->showNotice(Notice::Export, why.oneLine()); });
    connect(exporter, &LiveExporter::exportDone, this, [this](const QString& fileName, qint64 rows) {
        m_window->showNotice(Notice::Export,
            rows > 0 ? tr("%1 was written: %2.").arg(fileName, counted(rows, tr("row")))
                     : tr("%1 was written.").arg(fileName));
    });
}

void Workbench::buildJobFiles()
{
    m_jobFileSaver = std::make_unique<JobFileSaver>(
        JobFileSaver::Parts{m_catalogue, *m_log, *m_connections, *m_window, m_options.dataFolder});
    JobFileSaver* saver = m_jobFileSaver.get();
    saver->setLearned([this] { return m_design->calibrations(); });
    connect(m_window->pages().jobs, &JobsPage::jobFileRequested, saver, &JobFileSaver::save);
    connect(m_window->pages().live, &LivePage::jobFileRequested, saver,
        [this, saver](const JobId& job) { saver->save(job, m_live->cluster()); });
    connect(m_reports.get(), &ReportController::jobFileRequested, saver, &JobFileSaver::save);
    m_jobFileOpener = std::make_unique<JobFileOpener>(
        JobFileOpener::Parts{*m_live, *m_reports, *m_actions, *m_settings, *m_window});
}

void Workbench::buildRecordings()
{
    auto* recordings = new RecordingsController(recordingsFolder(m_options.dataFolder), *m_window, m_jobs.get());
    connect(m_window->pages().jobs, &JobsPage::recordingsRequested, recordings, &RecordingsController::open);
    connect(m_window->pages().live, &LivePage::openRecordingsRequested, recordings, &RecordingsController::open);
    connect(recordings, &RecordingsController::replayRequested, m_jobActions.get(), &JobActions::replay);
    connect(recordings, &RecordingsController::jobFileRequested, m_jobFileSaver.get(), &JobFileSaver::save);
    connect(recordings, &RecordingsController::changed, m_jobs.get(), &JobsController::reloadRecordings);
}

void Workbench::buildDrafts()
{
    auto* drafts = new DraftController(
        m_catalogue, *m_connections, m_options.userCatalogue, m_window.get(), m_connections.get());
    connect(m_window->pages().clusters, &ClustersPage::draftRequested, drafts, &DraftController::draft);
    connect(m_window->pages().clusters, &ClustersPage::compareRequested, drafts, &DraftController::compare);
    connect(drafts, &DraftController::failed, this,
        [this](const Error& why) { m_window->showNotice(Notice::Draft, why.oneLine()); });
    connect(drafts, &DraftController::entrySaved, this, [this](const QString& cluster) {
        readCatalogueAgain();
        m_window->pages().clusters->selectCluster(cluster);
    });
}

void Workbench::buildLearning()
{
    m_learning = std::make_unique<LearningController>(*m_design, *m_database, *m_settings);
    connect(m_window->pages().plan, &PlanPage::clearRunsRequested, m_learning.get(), &LearningController::clear);
    connect(m_window->pages().plan, &PlanPage::useRunsRequested, m_learning.get(), &LearningController::use);
    connect(
        m_learning.get(), &LearningController::runRefused, this, [this](const MeasuredRun& run, const QString& why) {
            m_window->showNotice(
                Notice::Learning, tr("Job %1 was measured, but estimates do not use it: %2.").arg(run.job, why));
        });
    connect(m_learning.get(), &LearningController::runsForgotten, this, [this](int runs) {
        m_window->showNotice(Notice::Learning, tr("%1 forgotten.").arg(counted(runs, tr("measured run"))), tr("Undo"),
            [this] { m_learning->putBack(); });
    });
    connect(m_learning.get(), &LearningController::learningFailed, this,
        [this](const Error& why) { m_window->showNotice(Notice::Learning, why.oneLine()); });
    connect(m_learning.get(), &LearningController::runLearned, this, [this](const MeasuredRun& run) {
        m_window->showNotice(
            Notice::Learning, tr("Job %1 was measured: later estimates use it.").arg(run.job), tr("Compare"), [this] {
                m_window->showPage(MainWindow::Page::Plan);
                m_window->pages().plan->showMeasured();
            });
    });
    connect(m_jobActions.get(), &JobActions::watchRequested, this,
        [this](const JobId&, const QString& cluster) { m_learning->follow(m_live->watch(), cluster); });
}

void Workbench::buildFirstSteps()
{
    m_firstSteps = std::make_unique<FirstSteps>(FirstSteps::Parts{*m_design, *m_documents, *m_actions, *m_connections,
        *m_launch, *m_jobActions, *m_live, *m_log, *m_settings, *m_grid, *m_window, m_options.dataFolder});
    connect(m_firstSteps.get(), &FirstSteps::designWanted, this, &Workbench::showDesign);
    connect(m_firstSteps.get(), &FirstSteps::reportWanted, this, &Workbench::showReport);
    connect(&m_firstSteps->classes(), &ClassController::courseChanged, m_reports.get(), &ReportController::setCourse);
}

void Workbench::buildNotifier()
{
    if (m_options.notes)
        m_notes = m_options.notes();
    else
        m_notes = std::make_unique<TrayNotes>();
    m_notifier = std::make_unique<JobNotifier>(
        JobNotifier::Parts{*m_connections, *m_live, *m_jobActions, *m_settings, *m_window, *m_notes});
    connect(m_launch.get(), &LaunchController::jobSubmitted, m_notifier.get(), &JobNotifier::expect);
}

void Workbench::buildPalette()
{
    auto* palette = new PaletteController(*m_window, *m_settings, m_window.get());
    palette->addProvider([this] { return fieldCommands(*m_window); });
    palette->addProvider([this] {
        return clusterCommands(*m_window, *m_connections, [this](const QString& name) { useCluster(name); });
    });
    palette->addProvider([this] {
        return jobCommands(
            *m_jobModel, [this](const JobRow& row) { m_jobActions->watch(row.job.id, row.cluster); },
            [this](const JobRow& row) { showReport(row.job.id, row.cluster); },
            [this](const JobRow& row) { m_jobFileSaver->save(row.job.id, row.cluster); });
    });
    palette->addProvider([this] { return m_access->shownJobCommands(); });
    palette->addProvider([this] { return modelCommands(*m_window, *m_design); });
    palette->addProvider([this] {
        return templateCommands(*m_design, [this](const QString& id) { m_firstSteps->welcome().begin(id); });
    });
    palette->addProvider(
        [this] { return wordCommands(*m_design, [this](const QString& id) { m_firstSteps->terms().showWords(id); }); });
}

void Workbench::wireWindow()
{
    connect(m_window.get(), &MainWindow::connectRequested, m_connections.get(), &Connections::connectTo);
    connect(m_window.get(), &MainWindow::disconnectRequested, m_connections.get(), &Connections::disconnectFrom);
    connect(m_window.get(), &MainWindow::pageShown, this, &Workbench::updatePolling);
    connect(m_window.get(), &MainWindow::closing, this, &Workbench::handleClosing);
    const auto watchHere = [this](const JobId& job) { m_jobActions->watch(job, m_design->spec().cluster); };
    connect(m_window->pages().design, &DesignPage::showJobRequested, this, watchHere);
    connect(m_launch.get(), &LaunchController::jobSubmitted, m_jobActions.get(), &JobActions::watch);
    connect(m_launch.get(), &LaunchController::stateChanged, this, &Workbench::submitStateChanged);
}

void Workbench::wireConnections()
{
    connect(m_connections.get(), &Connections::sessionMade, this, &Workbench::handleSession);
    connect(m_connections.get(), &Connections::sessionEnding, this, &Workbench::handleSessionEnd);
    auto* news = new ConnectionNews(
        {*m_connections, *m_design, *m_live, *m_launch, *m_jobActions, *m_reports, *m_log, *m_settings, *m_window},
        m_connections.get());
    connect(news, &ConnectionNews::reportWanted, this, &Workbench::showReport);
}

void Workbench::wireJobsPage()
{
    const JobsPage* page = m_window->pages().jobs;
    JobActions* actions = m_jobActions.get();
    connect(page, &JobsPage::watchRequested, actions, &JobActions::watch);
    connect(page, &JobsPage::outputRequested, actions, &JobActions::showOutput);
    connect(page, &JobsPage::cancelRequested, actions, &JobActions::cancel);
    connect(page, &JobsPage::reopenDesignRequested, this, &Workbench::reopen);
    connect(page, &JobsPage::replayRequested, actions, &JobActions::replay);
    connect(page, &JobsPage::openDesignRequested, this, &Workbench::showDesign);
    connect(page, &JobsPage::reportRequested, this, &Workbench::showReport);
}

void Workbench::wireLivePage()
{
    const LivePage* page = m_window->pages().live;
    connect(page, &LivePage::cancelRequested, this,
        [this](const JobId& job) { m_jobActions->cancel(job, m_live->cluster()); });
    connect(page, &LivePage::watchRequested, this, [this] {
        const JobRow* newest = m_jobs->newest();
        m_jobActions->watch(newest ? newest->job.id : JobId(), newest ? newest->cluster : QString());
    });
    connect(page, &LivePage::reportRequested, this, [this](const JobId& job) {
        if (const auto file = m_live->file()) // of the same name as one of ours, perhaps, and still another's
            m_reports->openFile(file);
        else
            showReport(job, m_live->cluster());
    });
    connect(page, &LivePage::openJobsRequested, this, [this] { m_window->showPage(MainWindow::Page::Jobs); });
    connect(page, &LivePage::openDesignRequested, this, &Workbench::showDesign);
    connect(page, &LivePage::designFieldRequested, this, [this](const QString& field) {
        showDesign();
        designPage().focusField(field);
    });
}

void Workbench::wireClustersPage()
{
    const ClustersPage* page = m_window->pages().clusters;
    connect(page, &ClustersPage::connectRequested, m_connections.get(), &Connections::connectTo);
    connect(page, &ClustersPage::disconnectRequested, m_connections.get(), &Connections::disconnectFrom);
    connect(page, &ClustersPage::practiceUpRequested, m_connections.get(), &Connections::startPractice);
    connect(page, &ClustersPage::practiceDownRequested, m_connections.get(), &Connections::stopPractice);
    connect(page, &ClustersPage::useRequested, this, &Workbench::useCluster);
}

void Workbench::start()
{
    m_uiSettings->restore(*m_window);
    openFirstDesign();
    m_window->setRecentClusters(m_settings->recentClusters());
    m_launch->refresh();
    m_firstSteps->welcome().noteStart();
    const bool welcome
        = m_options.welcome && m_options.design.isEmpty() && !m_options.practice && m_firstSteps->wantsWelcome();
    // Before the window is seen: hidden pages are not polished and laid out.
    if (welcome)
        m_window->showPage(MainWindow::Page::Welcome);
    m_window->show();
    for (const Error& fault : m_catalogue.faults)
        m_window->showNotice(Notice::Catalogue, fault.oneLine());
    if (welcome)
        m_firstSteps->showWelcome();
    else if (m_options.practice)
        m_connections->startPractice();
    m_jobActions->mentionRunning();
    m_firstSteps->beginClass(m_options.design);
}

void Workbench::openFirstDesign()
{
    const bool isJobFile = Documents::isJobFileName(m_options.design);
    if (isJobFile)
        m_jobFileOpener->open(m_options.design); // and the design is what it would be without
    else if (!m_options.design.isEmpty() && !FirstSteps::isClass(m_options.design)) {
        m_actions->open(m_options.design);
        return;
    }
    const auto restored = m_documents->restoreAutosave();
    if (!restored)
        m_window->showNotice(
            Notice::Document, tr("Unsaved work could not be restored: %1").arg(restored.error().oneLine()));
    else if (*restored)
        m_window->showNotice(Notice::Document, tr("Unsaved work of the last session was restored."));
}

void Workbench::readCatalogueAgain()
{
    Catalogue read = loadCatalogue(m_options.userCatalogue);
    for (ClusterProfile& profile : read.clusters) {
        if (const auto facts = m_reported.constFind(profile.name); facts != m_reported.constEnd())
            profile = withReportedLimits(profile, *facts);
    }
    if (read == m_catalogue) // as at most connects: whoever looks at a card, or types in the form, is not disturbed
        return;
    const Catalogue before = std::exchange(m_catalogue, std::move(read)); // until no view shows it any more
    m_design->catalogueChanged(); // at once: what it derived points into the catalogue
    m_window->pages().clusters->catalogueChanged();
}

GuideController& Workbench::guide() { return m_firstSteps->guide(); }

ClassController& Workbench::classes() { return m_firstSteps->classes(); }

TermGuide& Workbench::terms() { return m_firstSteps->terms(); }

DesignPage& Workbench::designPage() { return *m_window->pages().design; }

void Workbench::showDesign() { m_window->showPage(MainWindow::Page::Design); }

void Workbench::useCluster(const QString& cluster)
{
    m_design->edit(tr("Cluster"), [&cluster](JobSpec& spec) { spec.cluster = cluster; });
    showDesign();
}

void Workbench::updatePolling()
{
    const bool wanted = m_window->page() == MainWindow::Page::Jobs;
    for (ClusterSession* each : m_connections->sessions())
        each->setQueueWanted(wanted);
}

void Workbench::handleSession(ClusterSession* made)
{
    m_jobs->add(*made);
    connect(made, &ClusterSession::factsDiscovered, this, [this, made](const ClusterFacts& facts) {
        m_reported.insert(made->profile().name, facts);
        readCatalogueAgain();
    });
    updatePolling();
}

void Workbench::handleSessionEnd(ClusterSession* ending)
{
    m_jobs->remove(*ending);
    if (m_live->watch() && ending->watched() == m_live->watch()) {
        m_learning->follow(nullptr, {});
        if (m_firstSteps)
            m_firstSteps->classes().follow(nullptr, {});
        m_live->unfollow();
    }
}

void Workbench::reopen(const QString& entryId)
{
    const auto entry = m_log->find(entryId);
    const auto read = entry ? readDesign(entry->design, tr("job log")) : Result<ReadDesign>(fail(entry.error()));
    if (!read) {
        m_window->showNotice(Notice::Document, read.error().oneLine());
        return;
    }
    // A document of its own: saving must not put a job's design over the one that was open.
    m_actions->beginAfterAsking(read->spec, [this, job = entry->job] {
        m_window->showNotice(Notice::Document, tr("This is the design of job %1, as a new document.").arg(job));
    });
}

void Workbench::showReport(const JobId& job, const QString& cluster)
{
    m_reports->open(cluster, job, m_jobModel->records(), m_connections->session(cluster));
}

void Workbench::handleClosing(QCloseEvent* event)
{
    m_documents->flushAutosave();
    m_uiSettings->save(*m_window);
    QStringList active;
    for (ClusterSession* each : m_connections->sessions()) {
        for (const JobRecord& record : each->queue()) {
            if (isOurToken(record.comment) && !hasEnded(record.state))
                active.append(record.id);
        }
    }
    if (active.isEmpty() || m_closeConfirmed)
        return;
    event->ignore();
    askBeforeClosing(*m_window, active, [this] {
        m_closeConfirmed = true;
        m_window->close();
    });
}

} // namespace rankwright
