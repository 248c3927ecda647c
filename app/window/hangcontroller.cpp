// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/hangcontroller.h"

#include "app/session/clustersession.h"
#include "app/window/links/connections.h"
#include "widgets/heatmap/heatmapview.h"
#include "widgets/live/hangdialog.h"
#include "widgets/live/livepage.h"

#include <QMenu>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int secondMs = 500;

} // namespace

HangController::HangController(
    Connections& connections, LivePage& page, std::function<QString()> cluster, QWidget& window, QObject* parent)
    : QObject(parent), m_connections(connections), m_page(page), m_cluster(std::move(cluster)), m_window(window)
{
    m_seconds.setInterval(secondMs);
    connect(&m_seconds, &QTimer::timeout, this, &HangController::refresh);
    connect(&m_page, &LivePage::hangInspectionRequested, this, &HangController::open);
    connect(&m_page.heatMap(), &HeatMapView::menuFilled, this, [this](QMenu* menu) {
        if (!whyNot().isEmpty())
            return;
        menu->addSeparator();
        menu->addAction(tr("Where does it hang?"), this, &HangController::open);
    });
    connect(&m_connections, &Connections::sessionEnding, this, [this](ClusterSession* session) { forget(*session); });
    connect(&m_connections, &Connections::linkChanged, this, [this] {
        if (m_dialog)
            m_dialog->setWhyNot(whyNot(m_jobsCluster));
    });
    m_page.setInspectionCheck([this] { return whyNot(); });
}

HangController::~HangController()
{
    m_page.setInspectionCheck({});
    m_inspection.reset();
    delete m_dialog;
}

QString HangController::whyNot() const
{
    const JobRecord& job = m_page.job();
    if (job.id.isEmpty())
        return tr("No job is watched.");
    if (job.state != JobState::Running)
        return tr("Job %1 is not running.").arg(job.id);
    return whyNot(m_cluster());
}

QString HangController::whyNot(const QString& cluster) const
{
    if (m_connections.isOnline(cluster))
        return {};
    const ClusterProfile* profile = m_connections.catalogue().find(cluster);
    return tr("%1 is not connected.").arg(profile ? profile->title : cluster);
}

HangDialog* HangController::dialog() const { return m_dialog; }

void HangController::buildDialog()
{
    m_dialog = new HangDialog(&m_window);
    connect(m_dialog, &HangDialog::hangInspectionRequested, this, &HangController::inspect);
    connect(m_dialog, &HangDialog::cancelRequested, this, &HangController::cancel);
    connect(m_dialog, &HangDialog::gpuPicked, this, [this](const QString& node, int gpu) {
        if (m_page.jobId() == m_job)
            m_page.showGpuOf(node, gpu);
    });
}

void HangController::open()
{
    if (!m_dialog)
        buildDialog();
    const JobRecord& job = m_page.job();
    const QString cluster = m_cluster();
    const bool isSame = job.id == m_job && cluster == m_jobsCluster;
    if (!isSame && m_inspection)
        m_inspection->cancel();
    m_job = job.id;
    m_jobsCluster = cluster;
    const ClusterProfile* profile = m_connections.catalogue().find(cluster);
    const QString name = job.name.isEmpty() ? job.id : u"%1 · %2"_s.arg(job.name, job.id);
    m_dialog->showSubject(job.id, cluster, tr("%1 on %2").arg(name, profile ? profile->title : cluster));
    m_dialog->setWhyNot(whyNot(cluster));
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
    if (const QString why = whyNot(); !why.isEmpty())
        m_dialog->showTrouble({Fault::Invalid, why, {}, {}});
    else if (!m_inspection || !m_inspection->isRunning())
        inspect();
}

void HangController::inspect()
{
    ClusterSession* session = m_connections.session(m_jobsCluster);
    if (!session || !session->isOnline()) {
        m_dialog->showTrouble({Fault::Offline, whyNot(m_jobsCluster), {}, {}});
        return;
    }
    if (m_inspection)
        m_inspection->cancel();
    m_session = session;
    m_inspection = std::make_unique<HangInspection>(session->client(), session->shell(), session->profile());
    m_nodes = 0;
    connect(m_inspection.get(), &HangInspection::nodesAsked, this, [this](qsizetype nodes) {
        m_nodes = nodes;
        refresh();
    });
    connect(m_inspection.get(), &HangInspection::finished, this, [this](const Result<HangAnswer>& answer) {
        m_seconds.stop();
        if (answer)
            m_dialog->showAnswer(answer->verdict, QDateTime::currentDateTime());
        else
            m_dialog->showTrouble(answer.error());
    });
    m_inspection->begin(m_job);
    if (!m_inspection->isRunning())
        return; // it was refused at once
    m_seconds.start();
    refresh();
}

void HangController::refresh()
{
    if (m_dialog && m_inspection && m_inspection->isRunning())
        m_dialog->showInspecting(m_inspection->seconds(), m_nodes);
}

void HangController::cancel()
{
    m_seconds.stop();
    if (m_inspection)
        m_inspection->cancel();
    m_dialog->showCancelled();
}

/// An inspection ends with its connection.
void HangController::forget(ClusterSession& session)
{
    if (m_session != &session)
        return;
    const bool wasInspecting = m_inspection && m_inspection->isRunning();
    m_seconds.stop();
    m_inspection.reset();
    m_session.clear();
    if (wasInspecting && m_dialog)
        m_dialog->showTrouble({Fault::Offline, tr("The connection was closed."), {}, {}});
}

} // namespace rankwright
