// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/clusteraccess.h"

#include "app/base/settings.h"
#include "app/session/clustersession.h"
#include "app/watch/launchedjob.h"
#include "app/watch/outputfilesofjob.h"
#include "app/window/filescontroller.h"
#include "app/window/forwardcontroller.h"
#include "app/window/hangcontroller.h"
#include "app/window/links/connections.h"
#include "app/window/links/loginhelpercontroller.h"
#include "app/window/links/sentcontroller.h"
#include "app/window/links/unseenpause.h"
#include "app/window/pages/livecontroller.h"
#include "models/cluster/catalogue/catalogue.h"
#include "models/script/document/design.h"
#include "widgets/clusters/clusterspage.h"
#include "widgets/jobs/jobspage.h"
#include "widgets/live/livepage.h"
#include "widgets/window/mainwindow.h"

#include <QMenu>

namespace rankwright {

ClusterAccess::ClusterAccess(const Parts& parts, QObject* parent)
    : QObject(parent), m_parts(parts),
      m_unseen(std::make_unique<UnseenPause>(parts.window, parts.connections, parts.hasTray)),
      m_loginHelper(
          std::make_unique<LoginHelperController>(parts.catalogue, parts.connections, parts.settings, &parts.window)),
      m_reach(std::make_unique<ForwardController>(parts.connections, parts.settings, parts.window, parts.dataFolder)),
      m_hang(std::make_unique<HangController>(
          parts.connections, *parts.window.pages().live, [&live = parts.live] { return live.cluster(); },
          parts.window)),
      m_files(std::make_unique<FilesController>(parts.window)),
      m_sent(std::make_unique<SentController>(parts.connections.sentLog(), parts.window))
{
    MainWindow& window = m_parts.window;
    const MainWindow::Pages& pages = window.pages();
    connect(pages.clusters, &ClustersPage::loginHelpRequested, m_loginHelper.get(), &LoginHelperController::show);
    connect(&window, &MainWindow::loginHelpRequested, this, [this] {
        // Of the cluster that is shown: the page says which, and shows the way where it is the practice cluster.
        m_parts.window.showPage(MainWindow::Page::Clusters);
        m_loginHelper->show(m_parts.window.pages().clusters->selectedCluster());
    });
    connect(pages.jobs, &JobsPage::reachRequested, m_reach.get(),
        [this](const QString& job, const QString& cluster) { m_reach->open(job, cluster); });
    const LivePage* live = pages.live;
    m_reach->serve(
        pages.live->heatMap(), [live] { return live->jobId(); }, [this] { return m_parts.live.cluster(); });
    connect(m_reach.get(), &ForwardController::refused, this,
        [this](const QString& why) { m_parts.window.showNotice(Notice::RunningJob, why); });
    connect(pages.clusters, &ClustersPage::sentRequested, m_sent.get(), &SentController::open);
    QAction* sent = window.viewMenu()->addAction(tr("What is &sent …"));
    sent->setToolTip(tr("Every command that this window sent to a cluster, with its outcome"));
    connect(sent, &QAction::triggered, m_sent.get(), &SentController::open);
    wireFiles();
}

void ClusterAccess::wireFiles()
{
    connect(&m_parts.window, &MainWindow::filesRequested, this, [this] {
        whenConnected(m_parts.design.spec().cluster, [this](ClusterSession& session) { m_files->open(session); });
    });
    connect(m_parts.window.pages().jobs, &JobsPage::resultsRequested, this, &ClusterAccess::fetchResults);
    connect(m_parts.window.pages().live, &LivePage::resultsRequested, this,
        [this](const JobRecord& job) { fetchResults(job, m_parts.live.cluster()); });
    connect(&m_parts.connections, &Connections::linkChanged, this, [this](const LinkInfo& link) {
        if (link.state != LinkState::Online || link.cluster != m_awaited || !m_next)
            return;
        if (ClusterSession* session = m_parts.connections.session(link.cluster))
            std::exchange(m_next, {})(*session);
    });
    connect(&m_parts.connections, &Connections::loginDeclined, this, [this](const QString& cluster) {
        if (cluster == m_awaited)
            m_next = {};
    });
}

/// A recording may not name the job's folder; the job log does for what was launched here.
void ClusterAccess::fetchResults(const JobRecord& job, const QString& cluster)
{
    whenConnected(cluster, [this, job, cluster](ClusterSession& session) {
        JobRecord known = job;
        if (known.standardOutput.isEmpty())
            known.standardOutput = outputPathOf(job, launchedJob(session.jobLog(), cluster, job.id).script);
        m_files->downloadResults(session, known);
    });
}

void ClusterAccess::whenConnected(const QString& cluster, const Step& then)
{
    m_next = {};
    ClusterSession* session = m_parts.connections.session(cluster);
    if (session && session->isOnline()) {
        then(*session);
        return;
    }
    const ClusterProfile* profile = m_parts.catalogue.find(cluster);
    if (!profile) {
        m_parts.window.showNotice(
            Notice::Connection, tr("%1 is not in the catalogue any more: its files cannot be seen.").arg(cluster));
        return;
    }
    m_parts.window.showNotice(Notice::Connection, tr("Files of %1 are seen once it is connected.").arg(profile->title),
        tr("Connect"), [this, cluster, then] {
            m_awaited = cluster;
            m_next = then;
            m_parts.connections.connectTo(cluster);
        });
}

QList<PaletteCommand> ClusterAccess::shownJobCommands()
{
    const QString cluster = m_parts.live.cluster();
    if (cluster.isEmpty()) // of a job file: no cluster is asked about it
        return {};
    const JobRecord job = m_parts.window.pages().live->job();
    const ClusterProfile* profile = m_parts.catalogue.find(cluster);
    const ShownJob shown{job, cluster, profile ? profile->title : cluster, m_parts.connections.isOnline(cluster)};
    return rankwright::shownJobCommands(shown,
        {[this] { m_hang->open(); }, [this, job, cluster] { m_reach->open(job.id, cluster); },
            [this, job, cluster](const QString& node) { m_reach->openShell(job.id, cluster, node); },
            [this, job, cluster] { fetchResults(job, cluster); },
            [this, job, cluster] {
                whenConnected(cluster,
                    [this, folder = job.workdir.toUtf8()](ClusterSession& session) { m_files->open(session, folder); });
            }});
}

ClusterAccess::~ClusterAccess() = default;

} // namespace rankwright
