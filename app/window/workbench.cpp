// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/workbench.h"

#include "app/store/database.h"
#include "app/submit/submitorder.h"
#include "app/window/closingquestion.h"
#include "app/window/lastsubmitted.h"
#include "models/core/logging.h"
#include "models/design/strategyname.h"
#include "models/document/designjson.h"
#include "models/insight/diagnosis/explain.h"
#include "models/slurm/slurmclient.h"
#include "widgets/clusters/clusterspage.h"
#include "widgets/design/designpage.h"
#include "widgets/jobs/jobspage.h"
#include "widgets/live/livepage.h"
#include "widgets/plan/planpage.h"
#include "widgets/window/mainwindow.h"

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
      m_jobModel(std::make_unique<JobModel>()), m_grid(std::make_unique<GpuGridModel>())
{
    // Before the first widget: it takes palette, font and style sheet from here.
    m_uiSettings = std::make_unique<UiSettings>(*m_settings, *m_theme, options.theme);
    m_design->replace(workshopDesign());
    m_design->markSaved();
    buildPages();
    m_live = std::make_unique<LiveController>(*m_grid, *m_livePage);
    m_exporter = std::make_unique<LiveExporter>(*m_livePage, *m_live);
    m_live->setCatalogue(&m_catalogue);
    m_live->setRecordings(recordingsFolder(options.dataFolder));
    m_live->output().setSettings(m_settings.get());
    m_jobs = std::make_unique<JobsController>(*m_jobModel, *m_jobsPage, *m_log);
    m_jobs->setRecordings(recordingsFolder(options.dataFolder));
    m_recordings = std::make_unique<RecordingsController>(recordingsFolder(options.dataFolder), *m_window);
    m_connections = std::make_unique<Connections>(m_catalogue, *m_log, *m_settings, m_window.get());
    m_drafts = std::make_unique<DraftController>(m_catalogue, *m_connections, options.userCatalogue, m_window.get());
    m_actions = std::make_unique<DocumentActions>(*m_window, *m_design, *m_documents, workshopDesign());
    m_learning = std::make_unique<LearningController>(*m_design, *m_log, *m_database);
    m_planner = std::make_unique<PlanController>(*m_design, *m_window, *m_planPage, *m_designPage);
    m_reports = std::make_unique<ReportController>(m_catalogue, *m_design, *m_log, options.dataFolder, *m_window);
    wireWindow();
    wirePages();
    wireConnections();
}

Workbench::~Workbench()
{
    // Sessions first, while everything they talk to is still there.
    m_connections->closeAll();
    m_connections.reset();
    m_actions.reset();
}

void Workbench::buildPages()
{
    m_designPage = new DesignPage(*m_design);
    m_jobsPage = new JobsPage(*m_jobModel);
    m_livePage = new LivePage(*m_grid);
    m_clustersPage = new ClustersPage(m_catalogue);
    m_planPage = new PlanPage(*m_design);
    const MainWindow::Pages pages{m_designPage, m_jobsPage, m_livePage, m_clustersPage, m_planPage};
    m_window = std::make_unique<MainWindow>(*m_design, *m_theme, pages);
}

void Workbench::start()
{
    m_uiSettings->restore(*m_window);
    openFirstDesign();
    showCluster();
    m_window->show();
    for (const Error& fault : m_catalogue.faults)
        m_window->showNotice(u"catalogue"_s, fault.oneLine());
    if (m_options.practice)
        m_connections->startPractice();
    else
        offerPractice();
}

void Workbench::openFirstDesign()
{
    if (!m_options.design.isEmpty()) {
        m_actions->open(m_options.design);
        return;
    }
    const auto restored = m_documents->restoreAutosave();
    if (!restored)
        m_window->showNotice(
            u"document"_s, tr("Unsaved work could not be restored: %1").arg(restored.error().oneLine()));
    else if (*restored)
        m_window->showNotice(u"document"_s, tr("Unsaved work of the last time is back."));
}

void Workbench::offerPractice()
{
    m_window->showNotice(u"connection"_s,
        tr("Nothing is connected. The practice cluster is a real Slurm on this machine, to try everything without an "
           "account."),
        tr("Start the practice cluster"), [this] {
            if (m_design->spec().cluster != QString::fromUtf16(practiceName) && !m_design->isModified()
                && m_documents->path().isEmpty())
                m_documents->begin(workshopDesign());
            m_connections->startPractice();
        });
}

void Workbench::readCatalogueAgain()
{
    m_catalogue = loadCatalogue(m_options.userCatalogue);
    m_design->catalogueChanged(); // at once: what it derived points into the catalogue
    m_clustersPage->catalogueChanged();
}

ClusterSession* Workbench::session() const { return m_connections->session(m_design->spec().cluster); }

QString Workbench::clusterTitle() const
{
    const ClusterProfile* profile = m_catalogue.find(m_design->spec().cluster);
    return profile ? profile->title : m_design->spec().cluster;
}

void Workbench::showCluster()
{
    const QString cluster = m_design->spec().cluster;
    if (cluster != m_shownCluster) {
        m_shownCluster = cluster;
        m_jobs->show(cluster, session());
        showFacts();
        updatePolling();
    }
    if (const QString name = m_design->derived().resolved.name; m_comparedWith != std::pair(cluster, name)) {
        m_comparedWith = {cluster, name};
        showLastSubmitted();
    }
    updateLaunch();
}

void Workbench::showFacts()
{
    if (session())
        m_designPage->setFacts(session()->facts(), session()->names());
    else
        m_designPage->setFacts({});
}

void Workbench::showLastSubmitted()
{
    m_designPage->setLastSubmitted(
        lastSubmitted(*m_log, m_design->spec().cluster, clusterTitle(), m_design->derived().resolved.name));
}

void Workbench::updateLaunch()
{
    const ClusterProfile* profile = m_catalogue.find(m_design->spec().cluster);
    if (!profile)
        m_designPage->setLaunchBlocked(tr("This cluster is not in the catalogue."));
    else if (!profile->acceptsJobs)
        m_designPage->setLaunchBlocked(tr("%1 takes no jobs: %2.").arg(profile->title, profile->status));
    else if (!m_connections->isOnline(profile->name))
        m_designPage->setLaunchBlocked(tr("Not connected to %1.").arg(profile->title));
    else
        m_designPage->setLaunchBlocked({});
}

void Workbench::updatePolling()
{
    const bool wanted = m_window->page() == MainWindow::Page::Jobs;
    for (ClusterSession* each : m_connections->sessions())
        each->setQueueWanted(wanted && each == session());
}

void Workbench::handleLink(const LinkInfo& link)
{
    m_window->showLink(link);
    m_clustersPage->showLink(link);
    if (link.state == LinkState::Online || link.state == LinkState::Connecting)
        m_window->clearNotice(u"connection"_s);
    else if (link.state == LinkState::Lost || (link.state == LinkState::Offline && !link.error.what.isEmpty()))
        m_window->showNotice(u"connection"_s,
            link.activity.isEmpty() ? link.error.oneLine() : QString(link.error.what + u' ' + link.activity),
            tr("Connect now"), [this, cluster = link.cluster] { m_connections->connectTo(cluster); });
    updateLaunch();
}

void Workbench::handleSession(ClusterSession* made)
{
    if (made == session())
        m_jobs->show(m_design->spec().cluster, made);
    connect(&made->submitFlow(), &SubmitFlow::stateChanged, this, &Workbench::handleSubmit);
    connect(made, &ClusterSession::discovered, this, &Workbench::showFacts);
    connect(made, &ClusterSession::namesLearned, this, &Workbench::showFacts);
    connect(made, &ClusterSession::ourJobEnded, this, &Workbench::handleJobEnd);
    connect(made, &ClusterSession::queueTrouble, this, [this](const Error& why) {
        if (why.what.isEmpty())
            m_window->clearNotice(u"controller"_s);
        else
            m_window->showNotice(u"controller"_s,
                tr("%1 It is asked again by itself; running jobs and what is watched go on.").arg(why.what));
    });
    connect(made, &ClusterSession::submissionDecided, this, [this, made](const QString& entryId, EntryStage stage) {
        const auto entry = m_log->find(entryId);
        // The flow of this very run tells its own outcome beside the buttons.
        if (!entry || made->submitFlow().entryId() == entryId)
            return;
        const QString name
            = entry->name.isEmpty() ? tr("An earlier submission") : tr("The submission of “%1”").arg(entry->name);
        m_window->showNotice(u"recovered"_s,
            stage == EntryStage::Known ? tr("%1 was found again: it is job %2.").arg(name, entry->job)
                                       : tr("%1 was not submitted: %2").arg(name, entry->outcome),
            tr("Show jobs"), [this] { m_window->showPage(MainWindow::Page::Jobs); });
    });
    updatePolling();
}

void Workbench::handlePractice(const PracticeStatus& status)
{
    if (m_design->spec().cluster != QString::fromUtf16(practiceName))
        return;
    JobSpec filled = m_design->spec();
    fillFromPractice(filled, status);
    if (filled == m_design->spec())
        return;
    const bool wasSaved = !m_design->isModified();
    m_design->edit(tr("Practice account and folder"), [&filled](JobSpec& spec) { spec = filled; });
    if (wasSaved && m_documents->path().isEmpty())
        m_design->markSaved(); // nothing of the user's is unsaved
}

void Workbench::submit(bool rehearseOnly)
{
    if (!m_connections->isOnline(m_design->spec().cluster)) {
        m_window->showNotice(u"connection"_s, tr("Not connected to %1; nothing was sent.").arg(clusterTitle()),
            tr("Connect"), [this] { m_connections->connectTo(m_design->spec().cluster); });
        return;
    }
    session()->submitFlow().start(submitOrder(m_design->spec(), m_design->derived(), rehearseOnly));
}

void Workbench::handleSubmit(const SubmitState& state)
{
    m_designPage->showSubmitState(state);
    if (state.stage == SubmitState::Stage::Submitted) {
        m_documents->flushAutosave();
        watch(state.job);
    }
    emit submitStateChanged(state);
}

void Workbench::watch(const JobId& job)
{
    if (job.isEmpty() || !session()) {
        m_window->showPage(MainWindow::Page::Jobs);
        return;
    }
    LaunchedJob launched;
    const auto entries = m_log->withJob(m_design->spec().cluster, job);
    if (entries && !entries->isEmpty()) {
        if (const auto read = readDesign(entries->first().design, {}); read && read->spec.parallel.strategy)
            launched.strategy = strategyName(*read->spec.parallel.strategy);
        launched.entryId = entries->first().id;
        launched.design = entries->first().design;
    }
    m_live->follow(*session(), job, launched);
    m_learning->follow(m_live->watch(), m_design->spec().cluster);
    m_window->showPage(MainWindow::Page::Live);
    m_jobsPage->selectJob(job);
}

void Workbench::cancel(const JobId& job)
{
    if (!session())
        return;
    session()->cancelJob(job, this, [this, job](const Result<void>& done) {
        if (!done)
            m_window->showNotice(u"cancel"_s, tr("Job %1 could not be cancelled: %2").arg(job, done.error().oneLine()),
                tr("Try again"), [this, job] { cancel(job); });
        else
            m_window->clearNotice(u"cancel"_s);
    });
}

void Workbench::reopen(const QString& entryId)
{
    const auto entry = m_log->find(entryId);
    const auto read = entry ? readDesign(entry->design, tr("job log")) : Result<ReadDesign>(fail(entry.error()));
    if (!read) {
        m_window->showNotice(u"document"_s, read.error().oneLine());
        return;
    }
    // As one step that can be undone: the present design is not lost.
    m_design->edit(tr("Design of job %1").arg(entry->job), [&read](JobSpec& spec) { spec = read->spec; });
    m_window->showPage(MainWindow::Page::Design);
}

void Workbench::showReport(const JobId& job)
{
    m_reports->open(m_design->spec().cluster, job, m_jobModel->records(), session());
}

void Workbench::handleJobEnd(const JobRecord& record, const QString& entryId)
{
    const auto entry = m_log->find(entryId);
    const QString name = entry && !entry->name.isEmpty() ? u" (%1)"_s.arg(entry->name) : QString();
    if (ClusterSession* its = entry ? m_connections->session(entry->cluster) : nullptr)
        m_reports->keep(record.id, *its);
    // One that was watched stands before the user already: what comes next is its report.
    const bool seen = m_live->watch() && m_live->watch()->job() == record.id;
    m_window->showNotice(u"job-%1"_s.arg(record.id), tr("Job %1%2: %3").arg(record.id, name, explainOutcome(record)),
        seen ? tr("Report") : tr("Show"), [this, seen, job = record.id] { seen ? showReport(job) : watch(job); });
}

void Workbench::handleClosing(QCloseEvent* event)
{
    m_documents->flushAutosave();
    m_uiSettings->keep(*m_window);
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

//
// Which intent of which page goes where.

namespace rankwright {

using namespace Qt::StringLiterals;

void Workbench::wireWindow()
{
    connect(m_window.get(), &MainWindow::connectRequested, m_connections.get(), &Connections::connectTo);
    connect(m_window.get(), &MainWindow::disconnectRequested, m_connections.get(), &Connections::disconnectFrom);
    connect(m_window.get(), &MainWindow::pageShown, this, &Workbench::updatePolling);
    connect(m_window.get(), &MainWindow::closing, this, &Workbench::handleClosing);
    connect(m_design.get(), &Design::changed, this, &Workbench::showCluster);
    connect(m_log.get(), &JobLog::entryChanged, this, &Workbench::showLastSubmitted);
}

void Workbench::wirePages()
{
    connect(m_designPage, &DesignPage::namesWanted, this, [this] {
        if (session())
            session()->learnNames();
    });
    connect(m_designPage, &DesignPage::rehearseRequested, this, [this] { submit(true); });
    connect(m_designPage, &DesignPage::launchRequested, this, [this] { submit(false); });
    connect(m_designPage, &DesignPage::stopRequested, this, [this] {
        if (session())
            session()->submitFlow().stop();
    });
    connect(m_designPage, &DesignPage::connectRequested, this,
        [this] { m_connections->connectTo(m_design->spec().cluster); });
    connect(m_designPage, &DesignPage::showJobRequested, this, &Workbench::watch);
    connect(m_jobsPage, &JobsPage::watchRequested, this, &Workbench::watch);
    connect(m_jobsPage, &JobsPage::cancelRequested, this, &Workbench::cancel);
    connect(m_jobsPage, &JobsPage::reopenDesignRequested, this, &Workbench::reopen);
    connect(m_exporter.get(), &LiveExporter::failed, this,
        [this](const Error& why) { m_window->showNotice(u"export"_s, why.oneLine()); });
    connect(m_exporter.get(), &LiveExporter::done, this, [this](const QString& fileName, qint64 rows) {
        m_window->showNotice(u"export"_s,
            rows > 0 ? tr("%1 was written: %2 rows.").arg(fileName, humanNumber(double(rows), 0))
                     : tr("%1 was written.").arg(fileName));
    });
    connect(m_jobsPage, &JobsPage::replayRequested, this, &Workbench::replay);
    connect(m_jobsPage, &JobsPage::recordingsRequested, m_recordings.get(), &RecordingsController::open);
    connect(m_livePage, &LivePage::openRecordingsRequested, m_recordings.get(), &RecordingsController::open);
    connect(m_recordings.get(), &RecordingsController::replayRequested, this, &Workbench::replay);
    connect(m_recordings.get(), &RecordingsController::changed, m_jobs.get(), &JobsController::readRecordingsAnew);
    connect(m_livePage, &LivePage::reportRequested, this, [this](const JobId& job) {
        m_reports->open(m_live->cluster(), job, m_jobModel->records(), m_connections->session(m_live->cluster()));
    });
    connect(m_jobsPage, &JobsPage::openDesignRequested, this, [this] { m_window->showPage(MainWindow::Page::Design); });
    connect(m_jobsPage, &JobsPage::reportRequested, this, &Workbench::showReport);
    connect(m_livePage, &LivePage::cancelRequested, this, &Workbench::cancel);
    connect(m_livePage, &LivePage::watchRequested, this,
        [this](const JobId& job) { watch(job.isEmpty() ? m_jobs->newest() : job); });
    connect(m_livePage, &LivePage::openJobsRequested, this, [this] { m_window->showPage(MainWindow::Page::Jobs); });
    connect(m_livePage, &LivePage::openDesignRequested, this, [this] { m_window->showPage(MainWindow::Page::Design); });
    connect(m_livePage, &LivePage::designFieldRequested, this, [this](const QString& field) {
        m_window->showPage(MainWindow::Page::Design);
        m_designPage->focusField(field);
    });
    connect(m_clustersPage, &ClustersPage::connectRequested, m_connections.get(), &Connections::connectTo);
    connect(m_clustersPage, &ClustersPage::disconnectRequested, m_connections.get(), &Connections::disconnectFrom);
    connect(m_clustersPage, &ClustersPage::practiceUpRequested, m_connections.get(), &Connections::startPractice);
    connect(m_clustersPage, &ClustersPage::practiceDownRequested, m_connections.get(), &Connections::stopPractice);
    connect(m_clustersPage, &ClustersPage::draftRequested, m_drafts.get(), &DraftController::draft);
    connect(m_planPage, &PlanPage::clearRunsRequested, m_learning.get(), &LearningController::clear);
    connect(m_learning.get(), &LearningController::trouble, this,
        [this](const Error& why) { m_window->showNotice(u"learning"_s, why.oneLine()); });
    connect(m_learning.get(), &LearningController::learned, this, [this](const MeasuredRun& run) {
        m_window->showNotice(u"learning"_s, tr("Job %1 was measured: later estimates lean on it.").arg(run.job),
            tr("Compare"), [this] { m_window->showPage(MainWindow::Page::Plan); });
    });
    connect(m_drafts.get(), &DraftController::failed, this,
        [this](const Error& why) { m_window->showNotice(u"draft"_s, why.oneLine()); });
    connect(m_drafts.get(), &DraftController::saved, this, [this](const QString& cluster) {
        readCatalogueAgain();
        m_clustersPage->selectCluster(cluster);
    });
    connect(m_clustersPage, &ClustersPage::useRequested, this, [this](const QString& cluster) {
        m_design->edit(tr("Cluster"), [&cluster](JobSpec& spec) {
            spec.cluster = cluster;
            // Names of another site mean nothing there.
            spec.partition.reset();
            spec.account.reset();
            spec.reservation.reset();
        });
        m_window->showPage(MainWindow::Page::Design);
    });
}

void Workbench::replay(const QString& recording)
{
    if (const auto opened = m_live->open(recording); !opened)
        m_window->showNotice(u"recording"_s, opened.error().oneLine());
    else
        m_window->showPage(MainWindow::Page::Live);
}

void Workbench::wireConnections()
{
    connect(m_connections.get(), &Connections::linkChanged, this, &Workbench::handleLink);
    connect(m_connections.get(), &Connections::sessionMade, this, &Workbench::handleSession);
    connect(m_connections.get(), &Connections::practiceReady, this, &Workbench::handlePractice);
    connect(m_connections.get(), &Connections::sessionEnding, this, [this](ClusterSession* ending) {
        if (ending == session())
            m_jobs->show(m_design->spec().cluster, nullptr);
        if (m_live->watch() && ending->watched() == m_live->watch()) {
            m_learning->follow(nullptr, {});
            m_live->letGo();
        }
    });
    connect(m_connections.get(), &Connections::failed, this, [this](const QString& cluster, const Error& why) {
        m_window->showNotice(
            u"connection"_s, why.oneLine(), tr("Try again"), [this, cluster] { m_connections->connectTo(cluster); });
    });
}

} // namespace rankwright
