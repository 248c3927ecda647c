// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/mux/masterlink.h"

#include <algorithm>
#include <csignal>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int answerMs = 10000; // of a process on this very machine
constexpr int againMs = 500; // after a refusal, when no session of ours may end soon
constexpr int mostRefusals = 60;

} // namespace

MasterLink::MasterLink(const QString& host, const QString& socketPath, QObject* parent)
    : ClusterLink(parent), m_host(host), m_path(socketPath)
{
    m_answer.setSingleShot(true);
    connect(&m_answer, &QTimer::timeout, this, [this] { loseMaster(goneError(), Master::Hangs); });
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &MasterLink::startWaiting);
}

MasterLink::~MasterLink()
{
    disconnect();
    close();
}

QString MasterLink::way() const { return u"your ssh connection (%1)"_s.arg(m_path); }

Error MasterLink::goneError() const
{
    return {Fault::Offline, u"Your ssh connection to %1 does not answer any more."_s.arg(m_host), m_path,
        u"Connect again: with ssh, or with a connection of Rankwright's own."_s};
}

void MasterLink::open(Attendance)
{
    if (m_socket)
        return;
    m_lastError.reset();
    m_traffic = {};
    m_state = LinkState::Connecting;
    auto socket = MuxSocket::connectTo(m_path);
    if (!socket) {
        const Error why = socket.error(); // told from the event loop, as every other end of a try
        QMetaObject::invokeMethod(
            this, [this, why] { loseMaster(why); }, Qt::QueuedConnection);
        emit stateChanged(m_state);
        return;
    }
    m_socket = std::make_unique<MuxSocket>(std::move(socket.value()));
    connect(m_socket.get(), &MuxSocket::packetArrived, this, &MasterLink::handleReply);
    connect(m_socket.get(), &MuxSocket::ended, this, [this] { loseMaster(goneError()); });
    m_socket->send(muxPacket(MuxRequest(MuxHello{})));
    m_answer.start(answerMs);
    emit stateChanged(m_state);
}

void MasterLink::handleReply(const QByteArray& body)
{
    const auto reply = readMuxReply(body);
    if (reply && reply->type == MuxType::Hello && reply->id == muxVersion) {
        askAlive();
    } else if (reply && reply->type == MuxType::Alive) {
        handleAlive(*reply);
    } else {
        loseMaster({Fault::Unreadable, u"What listens at %1 does not speak as OpenSSH does."_s.arg(m_path), {},
            u"Use --no-control-master for a connection of Rankwright's own."_s});
    }
}

void MasterLink::askAlive()
{
    m_socket->send(muxPacket(MuxPlain{MuxType::AliveCheck, ++m_request}));
    if (!m_answer.isActive())
        m_answer.start(answerMs);
}

void MasterLink::handleAlive(const MuxReply& reply)
{
    m_answer.stop();
    m_masterPid = reply.value;
    const QPointer<MasterLink> self(this);
    for (MasterProcess* each : m_asking.keys()) {
        if (!self)
            return;
        if (m_asking.value(each) <= reply.id && m_asking.remove(each))
            each->concludeWithout(true);
    }
    if (self && !m_asking.isEmpty())
        m_answer.start(answerMs);
    if (!self || m_state != LinkState::Connecting)
        return;
    m_state = LinkState::Online;
    emit stateChanged(m_state);
}

void MasterLink::probe()
{
    if (m_state == LinkState::Online && !m_answer.isActive())
        askAlive();
}

void MasterLink::loseMaster(const Error& why, Master master)
{
    if (m_state == LinkState::Offline || m_state == LinkState::Lost)
        return;
    m_answer.stop();
    m_again.stop();
    if (m_socket) {
        m_socket->close();
        m_socket.release()->deleteLater(); // we may be inside its signal
    }
    m_lastError = why;
    m_state = m_state == LinkState::Online ? LinkState::Lost : LinkState::Offline;
    m_traffic.openChannels = 0;
    const QList<MasterProcess*> all = m_waiting + m_running;
    const QList<MasterProcess*> asking = m_asking.keys();
    m_asking.clear();
    const QList<MasterProcess*> waiting = std::exchange(m_waiting, {});
    const QPointer<MasterLink> self(this);
    emit stateChanged(m_state);
    // Those that run read to their end first: what the master wrote for them is still in their streams, and each
    // learns from its own socket that it has gone.
    for (MasterProcess* each : all) {
        if (!self)
            return;
        if (waiting.contains(each))
            each->abandon(why);
        else if (m_running.contains(each) && asking.contains(each))
            each->concludeWithout(false);
        else if (m_running.contains(each) && master == Master::Hangs)
            each->abandon(why);
    }
}

void MasterLink::close()
{
    if (m_state == LinkState::Offline)
        return;
    const Error why{Fault::Offline, u"The connection to %1 was closed."_s.arg(m_host), {}, {}};
    m_answer.stop();
    m_again.stop();
    if (m_socket) {
        m_socket->close();
        m_socket.release()->deleteLater();
    }
    m_traffic.openChannels = 0;
    m_asking.clear();
    m_lastError.reset();
    m_state = LinkState::Offline;
    const QPointer<MasterLink> self(this);
    emit stateChanged(m_state);
    while (self && !(m_waiting.isEmpty() && m_running.isEmpty())) {
        MasterProcess* next = m_running.isEmpty() ? m_waiting.takeFirst() : m_running.takeFirst();
        next->abandon(why);
    }
}

std::unique_ptr<RemoteProcess> MasterLink::launch(const RemoteCommand& command)
{
    return queue(std::make_unique<MasterProcess>(command, QString(), 0, this));
}

std::unique_ptr<RemoteProcess> MasterLink::launchDial(const QString& host, int port)
{
    RemoteCommand none;
    none.fenced = false;
    return queue(std::make_unique<MasterProcess>(none, host, port, this));
}

std::unique_ptr<MasterProcess> MasterLink::queue(std::unique_ptr<MasterProcess> process)
{
    if (const auto error = process->unsendable()) {
        process->failLater(*error);
    } else if (m_state != LinkState::Online) {
        process->failLater({Fault::Offline, u"There is no connection to %1."_s.arg(m_host),
            m_lastError ? m_lastError->what : QString(), u"Connect first."_s});
    } else {
        ++m_traffic.commands;
        const auto place = process->isUrgent()
            ? std::find_if(m_waiting.begin(), m_waiting.end(), [](MasterProcess* each) { return !each->isUrgent(); })
            : m_waiting.end();
        m_waiting.insert(place, process.get());
        process->wait();
        QMetaObject::invokeMethod(this, &MasterLink::startWaiting, Qt::QueuedConnection);
    }
    return process;
}

void MasterLink::startWaiting()
{
    while (m_state == LinkState::Online && !m_again.isActive() && !m_waiting.isEmpty()
        && m_running.size() < mostSessions) {
        MasterProcess* next = m_waiting.takeFirst();
        auto socket = MuxSocket::connectTo(m_path);
        if (!socket) {
            m_waiting.prepend(next);
            loseMaster(goneError()); // it listens no more: nothing was begun
            return;
        }
        m_running.append(next);
        m_traffic.openChannels = int(m_running.size());
        next->begin(std::move(socket.value()));
    }
}

void MasterLink::forget(MasterProcess* process)
{
    m_waiting.removeAll(process);
    m_asking.remove(process);
    if (!m_running.removeAll(process))
        return;
    m_traffic.openChannels = int(m_running.size());
    m_again.stop(); // there is a place now
    if (m_state == LinkState::Online)
        QMetaObject::invokeMethod(this, &MasterLink::startWaiting, Qt::QueuedConnection);
}

bool MasterLink::requeue(MasterProcess* process, int refusals)
{
    if (m_state != LinkState::Online || refusals > mostRefusals || !m_running.removeAll(process))
        return false;
    m_traffic.openChannels = int(m_running.size());
    m_waiting.prepend(process);
    m_again.start(againMs);
    return true;
}

void MasterLink::askWhetherAlive(MasterProcess* process)
{
    if (m_state != LinkState::Online) {
        process->concludeWithout(false);
        return;
    }
    askAlive();
    m_asking.insert(process, m_request);
}

void MasterLink::addTraffic(qint64 bytesIn, qint64 bytesOut)
{
    m_traffic.bytesIn += bytesIn;
    m_traffic.bytesOut += bytesOut;
}

/// As `ssh` does it (mux.c, control_client_sigrelay): the master reads the new size from the terminal.
void MasterLink::announceResize() const
{
    if (m_state == LinkState::Online && m_masterPid > 1)
        ::kill(static_cast<pid_t>(m_masterPid), SIGWINCH);
}

} // namespace rankwright
