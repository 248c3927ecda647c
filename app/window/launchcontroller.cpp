// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/launchcontroller.h"

#include "app/documents/documents.h"
#include "app/session/practicedesign.h"
#include "app/submit/submitorder.h"
#include "app/window/connections.h"
#include "app/window/lastsubmitted.h"
#include "models/document/design.h"
#include "widgets/design/designpage.h"
#include "widgets/window/mainwindow.h"

namespace rankwright {

LaunchController::LaunchController(
    Design& design, DesignPage& page, Documents& documents, Connections& connections, JobLog& log, MainWindow& window)
    : m_design(design), m_page(page), m_documents(documents), m_connections(connections), m_log(log), m_window(window)
{
    connectPage();
    connect(&m_design, &Design::changed, this, &LaunchController::handleDesign);
    connect(&m_log, &JobLog::entryChanged, this, &LaunchController::showLastSubmitted);
    connect(&m_connections, &Connections::sessionMade, this, &LaunchController::follow);
    connect(&m_connections, &Connections::practiceReady, this, [this](const PracticeStatus& status) {
        m_practice = status;
        fillIn();
    });
    connect(&m_connections, &Connections::linkChanged, this, [this](const LinkInfo& link) {
        if (link.cluster == QString::fromUtf16(practiceName) && link.state == LinkState::Offline)
            m_practice.reset();
    });
    connect(&m_documents, &Documents::replaced, this, [this] {
        m_page.forgetOutcome();
        fillIn();
    });
}

void LaunchController::connectPage()
{
    connect(&m_page, &DesignPage::namesWanted, this, [this] {
        if (session())
            session()->learnNames();
    });
    connect(&m_page, &DesignPage::rehearseRequested, this, [this] { submit(true); });
    connect(&m_page, &DesignPage::launchRequested, this, [this] { submit(false); });
    connect(&m_page, &DesignPage::stopRequested, this, [this] {
        if (session())
            session()->submitFlow().stop();
    });
    connect(&m_page, &DesignPage::connectRequested, this, [this] { m_connections.connectTo(m_design.spec().cluster); });
}

ClusterSession* LaunchController::session() const { return m_connections.session(m_design.spec().cluster); }

QString LaunchController::clusterTitle() const
{
    const ClusterProfile* profile = m_design.catalogue().find(m_design.spec().cluster);
    return profile ? profile->title : m_design.spec().cluster;
}

void LaunchController::follow(ClusterSession* made)
{
    connect(&made->submitFlow(), &SubmitFlow::stateChanged, this, &LaunchController::handleSubmit);
    connect(made, &ClusterSession::discovered, this, &LaunchController::showFacts);
    connect(made, &ClusterSession::namesLearned, this, &LaunchController::showFacts);
}

void LaunchController::refresh()
{
    showFacts();
    showLastSubmitted();
    showLaunch();
}

void LaunchController::handleDesign()
{
    const QString cluster = m_design.spec().cluster;
    if (cluster != m_cluster) {
        showFacts();
        // What is undone or redone was so before: nothing is added to it.
        if (!m_design.canRedo())
            fillIn();
    }
    if (m_comparedWith != std::pair(cluster, m_design.derived().resolved.name))
        showLastSubmitted();
    showLaunch();
}

void LaunchController::showFacts()
{
    m_cluster = m_design.spec().cluster;
    if (session())
        m_page.setFacts(session()->facts(), session()->names());
    else
        m_page.setFacts({});
}

void LaunchController::showLastSubmitted()
{
    const QString cluster = m_design.spec().cluster;
    const QString name = m_design.derived().resolved.name;
    m_comparedWith = {cluster, name};
    m_page.setLastSubmitted(lastSubmitted(m_log, cluster, clusterTitle(), name));
}

void LaunchController::showLaunch()
{
    const ClusterProfile* profile = m_design.catalogue().find(m_design.spec().cluster);
    if (!profile)
        m_page.setLaunchBlocked(tr("This cluster is not in the catalogue."));
    else if (!profile->acceptsJobs)
        m_page.setLaunchBlocked(tr("%1 accepts no jobs: %2.").arg(profile->title, profile->status));
    else if (!m_connections.isOnline(profile->name))
        m_page.setLaunchBlocked(tr("Not connected to %1.").arg(profile->title));
    else
        m_page.setLaunchBlocked({});
}

void LaunchController::fillIn()
{
    if (!m_practice || m_design.spec().cluster != QString::fromUtf16(practiceName))
        return;
    JobSpec filled = m_design.spec();
    fillFromPractice(filled, *m_practice);
    if (filled == m_design.spec())
        return;
    const bool wasSaved = !m_design.isModified();
    m_design.edit(tr("Practice account and folder"), [&filled](JobSpec& spec) { spec = filled; });
    if (wasSaved && m_documents.path().isEmpty())
        m_design.markSaved(); // nothing of the user's is unsaved
}

void LaunchController::submit(bool rehearseOnly)
{
    if (!m_connections.isOnline(m_design.spec().cluster)) {
        m_window.showNotice(Notice::Connection, tr("Not connected to %1; nothing was sent.").arg(clusterTitle()),
            tr("Connect"), [this] { m_connections.connectTo(m_design.spec().cluster); });
        return;
    }
    session()->submitFlow().start(submitOrder(m_design.spec(), m_design.derived(), rehearseOnly));
}

void LaunchController::handleSubmit(const SubmitState& state)
{
    m_page.showSubmitState(state);
    if (state.stage == SubmitState::Stage::Submitted) {
        m_documents.flushAutosave();
        emit submitted(state.job);
    }
    emit stateChanged(state);
}

} // namespace rankwright
