// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/forwardcontroller.h"

#include "app/base/headlessprogram.h"
#include "app/forward/terminalwindow.h"
#include "models/cluster/forward/nodestep.h"
#include "models/core/shellquote.h"
#include "models/core/units.h"
#include "widgets/heatmap/heatmapview.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QGuiApplication>
#include <QMenu>
#include <QUrl>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int refreshMs = 500;

QString stateText(const PortForward& forward)
{
    if (!forward.isActive())
        return forward.ending().isEmpty() ? ForwardController::tr("Stopped") : forward.ending();
    if (!forward.trouble().isEmpty())
        return forward.trouble();
    if (!forward.isTried())
        return ForwardController::tr("Looking for a way …");
    QString text = capitalised(wayText(forward.way(), forward.step().node));
    if (forward.connectionsSoFar() > 0)
        text += ForwardController::tr(" · %n open", nullptr, forward.connections())
            + ForwardController::tr(" · %1 in, %2 out")
                  .arg(humanBytes(Bytes{forward.bytesIn()}), humanBytes(Bytes{forward.bytesOut()}));
    return text;
}

} // namespace

ForwardController::ForwardController(
    Connections& connections, Settings& settings, QWidget& window, const QString& dataFolder, QObject* parent)
    : QObject(parent), m_connections(connections), m_settings(settings), m_window(window), m_dataFolder(dataFolder)
{
    connect(&m_connections, &Connections::sessionMade, this, [this](ClusterSession* session) { addSession(*session); });
    connect(&m_connections, &Connections::sessionEnding, this, [this](ClusterSession* session) { forget(*session); });
    for (ClusterSession* session : m_connections.sessions())
        addSession(*session);
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(refreshMs);
    connect(&m_refresh, &QTimer::timeout, this, &ForwardController::refreshRows);
}

ForwardController::~ForwardController()
{
    m_question.reset();
    for (auto& [cluster, reached] : m_reached) {
        if (reached.forwards)
            reached.forwards->disconnect(this);
    }
    delete m_dialog;
}

void ForwardController::addSession(ClusterSession& session)
{
    const QString cluster = session.profile().name;
    Reached& reached = m_reached[cluster];
    reached.session = &session;
    reached.forwards = std::make_unique<PortForwards>(session.shell());
    PortForwards* forwards = reached.forwards.get();
    connect(forwards, &PortForwards::changed, this, [this] {
        if (m_dialog && !m_refresh.isActive())
            m_refresh.start();
    });
    connect(&session, &ClusterSession::queueChanged, forwards,
        [forwards](const QList<JobRecord>& queue) { forwards->update(queue); });
}

void ForwardController::forget(ClusterSession& session)
{
    const auto found = m_reached.find(session.profile().name);
    if (found == m_reached.end() || found->second.session != &session)
        return;
    if (m_cluster == found->first)
        m_question.reset();
    found->second.forwards->disconnect(this);
    found->second.forwards->stopAll(tr("The connection was closed."));
    m_reached.erase(found);
    refreshRows();
}

PortForwards* ForwardController::forwards(const QString& cluster) const
{
    const auto found = m_reached.find(cluster);
    return found == m_reached.end() ? nullptr : found->second.forwards.get();
}

void ForwardController::buildDialog()
{
    if (m_dialog)
        return;
    m_dialog = new ReachDialog(&m_window);
    ReachDialog* dialog = m_dialog;
    connect(dialog, &ReachDialog::nodeChosen, this, &ForwardController::refreshLines);
    connect(dialog, &ReachDialog::forwardRequested, this, &ForwardController::forward);
    connect(dialog, &ReachDialog::stopRequested, this, [this](quint64 row) {
        if (PortForward* forward = find(row))
            forward->stop();
        refreshRows();
    });
    connect(dialog, &ReachDialog::openRequested, this, &ForwardController::openInBrowser);
    connect(dialog, &ReachDialog::copyRequested, this, &ForwardController::copyAddress);
    connect(dialog, &ReachDialog::shellRequested, this,
        [this](const QString& node) { openShell(m_job.id, m_cluster, node); });
    connect(dialog, &ReachDialog::terminalChosen, &m_settings, &Settings::setTerminal);
    connect(dialog, &ReachDialog::lineCopied, this, &ForwardController::copyText);
}

void ForwardController::open(const QString& job, const QString& cluster, const QString& node, ReachDialog::Page page)
{
    ClusterSession* session = m_connections.session(cluster);
    if (!session || !session->isOnline()) {
        emit refused(tr("Ports and shells of job %1: %2 is not connected.").arg(job, cluster));
        return;
    }
    m_question = std::make_unique<QObject>();
    session->client().job(job, m_question.get(), [this, job, cluster, node, page](const Result<JobRecord>& record) {
        if (!record)
            emit refused(tr("Ports and shells of job %1: %2").arg(job, record.error().oneLine()));
        else if (const auto step = stepOn(*record, node); !step)
            emit refused(step.error().oneLine());
        else
            show(*record, cluster, node, page);
    });
}

void ForwardController::show(
    const JobRecord& record, const QString& cluster, const QString& node, ReachDialog::Page page)
{
    ClusterSession* session = m_connections.session(cluster);
    if (!session)
        return;
    buildDialog();
    const bool isSame = m_job.id == record.id && m_cluster == cluster;
    m_job = record;
    m_cluster = cluster;
    if (!isSame)
        m_finder = {};
    m_finder.setNodes(record.nodeList.names());
    m_dialog->showSubject(
        {record.id, session->profile().title, record.nodeList.names(), m_finder.services(), m_settings.terminal()});
    if (!node.isEmpty())
        m_dialog->setNode(node);
    m_dialog->setPage(page);
    refreshLines();
    refreshRows();
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
    seekServices(record, *session);
}

/// What the output said so far, read once on the cluster; nothing of it is kept but the addresses, in memory.
void ForwardController::seekServices(const JobRecord& record, ClusterSession& session)
{
    if (record.standardOutput.isEmpty())
        return;
    session.shell().run(serviceQuestion(record.standardOutput), m_question.get(),
        [this, id = record.id](const Result<CommandOutcome>& outcome) {
            if (!outcome || m_job.id != id || !m_dialog)
                return;
            for (const QByteArray& line : outcome->output.split('\n'))
                m_finder.read(QString::fromUtf8(line));
            m_dialog->setServices(m_finder.services());
        });
}

std::optional<LoginName> ForwardController::loginOf(const QString& cluster) const
{
    const std::optional<SshEndpoint> endpoint = m_connections.endpoint(cluster);
    if (!endpoint)
        return {};
    return LoginName{endpoint->host, endpoint->port, endpoint->user, {}};
}

void ForwardController::refreshLines()
{
    if (!m_dialog || m_job.id.isEmpty())
        return;
    const QString node = m_dialog->node();
    const auto login = loginOf(m_cluster);
    const auto step = stepOn(m_job, node);
    if (!login || !step) {
        m_dialog->showLines({}, {}, {});
        return;
    }
    m_dialog->showLines(sshShellLine(*login, *step),
        editorLine(*login, m_job.workdir.isEmpty() ? u"/"_s : m_job.workdir), sshConfigBlock(*login, m_cluster, node));
}

void ForwardController::refreshRows()
{
    if (!m_dialog)
        return;
    QList<ForwardRow> rows;
    for (const auto& [cluster, reached] : m_reached) {
        const QList<PortForwards::Entry> entries = reached.forwards->entries();
        for (const PortForwards::Entry& entry : entries) {
            const PortForward& forward = *entry.forward;
            const quint64 row = rowOf(cluster, entry.id);
            rows.append({row, u"127.0.0.1:%1"_s.arg(forward.localPort()),
                tr("%1, port %2").arg(forward.step().node).arg(forward.port()), entry.job, stateText(forward),
                forward.isActive(), forward.isActive() && !forward.trouble().isEmpty()});
        }
    }
    m_dialog->showForwards(rows);
}

quint64 ForwardController::rowOf(const QString& cluster, quint64 id)
{
    const quint64 known = m_rows.key({cluster, id});
    if (known != 0)
        return known;
    m_rows.insert(++m_lastRow, {cluster, id});
    return m_lastRow;
}

PortForward* ForwardController::find(quint64 row) const
{
    const auto place = m_rows.constFind(row);
    PortForwards* its = place == m_rows.cend() ? nullptr : forwards(place->first);
    return its ? its->find(place->second) : nullptr;
}

void ForwardController::forward(const QString& node, int port, int localPort)
{
    PortForwards* its = forwards(m_cluster);
    if (!its) {
        m_dialog->reportTrouble(tr("%1 is not connected.").arg(m_cluster));
        return;
    }
    its->removeEnded();
    const auto id = its->start(m_job, node, port, localPort);
    if (!id) {
        m_dialog->reportTrouble(id.error().oneLine());
        return;
    }
    const int here = its->find(*id)->localPort();
    const int wanted = localPort > 0 ? localPort : port;
    m_dialog->report(here == wanted ? tr("Port %1 of %2 is available at 127.0.0.1:%3.").arg(port).arg(node).arg(here)
                                    : tr("Port %1 of this computer is in use or reserved: port %2 of %3 is "
                                         "available at 127.0.0.1:%4.")
                                          .arg(wanted)
                                          .arg(port)
                                          .arg(node)
                                          .arg(here));
    refreshRows();
}

FoundService ForwardController::serviceOf(const PortForward& forward) const
{
    for (const FoundService& service : m_finder.services()) {
        const bool isHere = service.node.isEmpty() || service.node == forward.step().node;
        if (service.port == forward.port() && isHere)
            return service;
    }
    FoundService plain;
    plain.port = forward.port();
    return plain;
}

/// Without the token: what a browser is started with is to be seen in the list of processes.
void ForwardController::openInBrowser(quint64 id)
{
    const PortForward* forward = find(id);
    if (!forward)
        return;
    const FoundService service = serviceOf(*forward);
    if (!service.token.isEmpty()) {
        QGuiApplication::clipboard()->setText(service.token);
        m_dialog->report(tr("%1 asks for its token: it is in the clipboard.").arg(service.name));
    }
    QDesktopServices::openUrl(QUrl(localAddress(service, forward->localPort())));
}

void ForwardController::copyAddress(quint64 id)
{
    const PortForward* forward = find(id);
    if (!forward)
        return;
    const FoundService service = serviceOf(*forward);
    QGuiApplication::clipboard()->setText(localAddressWithToken(service, forward->localPort()));
    m_dialog->report(service.token.isEmpty() ? tr("The address is in the clipboard.")
                                             : tr("The address is in the clipboard, with the token: whoever has it can "
                                                  "run programs as you."));
}

void ForwardController::copyText(const QString& text)
{
    QGuiApplication::clipboard()->setText(text);
    m_dialog->report(tr("It is in the clipboard."));
}

QStringList ForwardController::shellWords(const QString& job, const QString& cluster, const QString& node) const
{
    QStringList words{headlessProgram(), u"shell"_s, cluster, job};
    if (!node.isEmpty())
        words += {u"--node"_s, node};
    if (const auto saved = m_settings.login(cluster)) {
        words += {u"--host"_s, saved->host};
        if (saved->port != 22)
            words += {u"--port"_s, QString::number(saved->port)};
        if (!saved->user.isEmpty())
            words += {u"--user"_s, saved->user};
        if (!saved->identity.isEmpty())
            words += {u"--identity"_s, saved->identity};
        if (!saved->jump.isEmpty())
            words += {u"--jump"_s, saved->jump};
    }
    if (!m_dataFolder.isEmpty())
        words += {u"--data-dir"_s, m_dataFolder};
    return words;
}

void ForwardController::openShell(const QString& job, const QString& cluster, const QString& node)
{
    const QStringList words = shellWords(job, cluster, node);
    const auto opened = words.first().isEmpty()
        ? Result<void>(fail(Fault::Invalid, tr("rankwright-cli is not installed beside this program."), {},
            tr("Copy the line and run it in a terminal.")))
        : openTerminal(m_settings.terminal(), words);
    const bool isShown = m_dialog && m_dialog->isVisible();
    if (opened && isShown)
        m_dialog->report(tr("Opening a terminal with a shell on %1.").arg(node));
    else if (!opened && isShown)
        m_dialog->reportTrouble(opened.error().oneLine());
    else if (!opened)
        emit refused(opened.error().oneLine());
}

void ForwardController::serve(
    HeatMapView& map, const std::function<QString()>& job, const std::function<QString()>& cluster)
{
    connect(&map, &HeatMapView::menuFilled, this, [this, &map, job, cluster](QMenu* menu, GpuAddress gpu) {
        const QString node = map.grid().series().nodes().value(gpu.node);
        const QString itsJob = job();
        const QString itsCluster = cluster();
        if (map.isEnded() || node.isEmpty() || itsJob.isEmpty() || !m_connections.isOnline(itsCluster))
            return;
        menu->addSeparator();
        const RankPlace* rank = map.grid().placeAt(gpu); // one that is only taken to be there is not named
        menu->addAction(rank ? tr("Open a shell on %1 (rank %2) …").arg(node).arg(rank->rank)
                             : tr("Open a shell on %1 …").arg(node),
            this, [this, itsJob, itsCluster, node] { openShell(itsJob, itsCluster, node); });
        menu->addAction(
            tr("Ports of %1 …").arg(node), this, [this, itsJob, itsCluster, node] { open(itsJob, itsCluster, node); });
    });
}

} // namespace rankwright
