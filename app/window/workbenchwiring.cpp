// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which intent of which page goes where.
#include "app/window/workbench.h"
#include "widgets/clusterspage.h"
#include "widgets/designpage.h"
#include "widgets/jobspage.h"
#include "widgets/livepage.h"
#include "widgets/mainwindow.h"
#include "widgets/planpage.h"

#include <QCloseEvent>

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
