// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/mux/masterprocess.h"

#include "models/core/harmlesstext.h"
#include "ssh/mux/masterlink.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr quint32 requestId = 1;

RemoteCommand plain(RemoteCommand command, bool isDialled)
{
    if (isDialled)
        command.fenced = false;
    return command;
}

} // namespace

MasterProcess::MasterProcess(const RemoteCommand& command, const QString& host, int port, MasterLink* link)
    : m_command(plain(command, port > 0)), m_host(host), m_port(port), m_output(m_command), m_link(link),
      m_inputOpen(command.interactive || port > 0)
{
    m_deadline.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this, [this] {
        closeChannel();
        finish(fail(Fault::TimedOut, u"The command did not end in time."_s, m_command.line.left(600),
            u"The cluster may be slow just now; try again."_s));
    });
}

MasterProcess::~MasterProcess()
{
    if (m_link)
        m_link->forget(this);
}

std::optional<Error> MasterProcess::unsendable() const { return isDialled() ? std::nullopt : m_output.unsendable(); }

void MasterProcess::failLater(const Error& error)
{
    QMetaObject::invokeMethod(
        this, [this, error] { finish(fail(error)); }, Qt::QueuedConnection);
}

void MasterProcess::wait()
{
    if (m_command.deadlineSeconds && !isDialled())
        m_deadline.start(*m_command.deadlineSeconds * 1000);
}

void MasterProcess::begin(Descriptor socket)
{
    m_requested = false;
    m_socket = std::make_unique<MuxSocket>(std::move(socket));
    connect(m_socket.get(), &MuxSocket::packetArrived, this, &MasterProcess::handleReply);
    connect(m_socket.get(), &MuxSocket::ended, this, &MasterProcess::conclude);
    m_socket->send(muxPacket(MuxRequest(MuxHello{})));
}

void MasterProcess::handleReply(const QByteArray& body)
{
    const auto reply = readMuxReply(body);
    if (reply && reply->type == MuxType::Hello && reply->id == muxVersion && !m_requested) {
        requestSession();
    } else if (reply && reply->type == MuxType::SessionOpened && m_requested && !m_opened) {
        handleOpened();
    } else if (reply && m_requested && !m_opened
        && (reply->type == MuxType::Failure || reply->type == MuxType::PermissionDenied)) {
        handleRefusal(*reply);
    } else if (reply && reply->type == MuxType::ExitMessage && m_opened) {
        m_exitStatus = int(reply->value);
    } else if (!reply || !m_opened || reply->type != MuxType::TerminalFailed) {
        closeChannel();
        finish(fail(Fault::Unreadable, u"What serves your ssh connection's control socket is not understood."_s, {},
            u"Use --no-control-master for a connection of Rankwright's own."_s));
    }
}

void MasterProcess::requestSession()
{
    m_requested = true;
    m_streams = std::make_unique<MuxStreams>();
    std::vector<Descriptor> far = m_streams->open(
        m_command.terminal, isDialled() ? MuxStreams::Session::Dialled : MuxStreams::Session::Command);
    if (far.empty()) {
        closeChannel();
        finish(fail(Fault::Io, u"The system gives no more descriptors for another command."_s));
        return;
    }
    connect(m_streams.get(), &MuxStreams::outputArrived, this, [this](const QByteArray& bytes) {
        if (m_link)
            m_link->addTraffic(bytes.size(), 0);
        if (const QByteArray own = m_output.feedOutput(bytes); !own.isEmpty())
            emit outputArrived(own);
    });
    connect(m_streams.get(), &MuxStreams::errorArrived, this, [this](const QByteArray& bytes) {
        if (m_link)
            m_link->addTraffic(bytes.size(), 0);
        if (const QByteArray own = m_output.feedErrors(bytes); !own.isEmpty())
            emit errorArrived(own);
    });
    connect(m_streams.get(), &MuxStreams::inputSent, this, [this](qint64 total) {
        if (m_link)
            m_link->addTraffic(0, total - std::exchange(m_sent, total));
        emit inputSent(total);
    });
    connect(m_streams.get(), &MuxStreams::streamEnded, this, [this] {
        const QPointer<MasterProcess> self(this);
        if (isDialled() && m_opened && m_streams->isOutputEnded())
            emit outputEnded();
        if (self)
            conclude();
    });
    if (m_held)
        m_streams->hold(true);
    if (isDialled()) {
        m_socket->send(
            muxPacket(MuxStdioForward{requestId, m_host.toUtf8(), static_cast<quint32>(m_port)}), std::move(far));
        return;
    }
    MuxSession session;
    session.id = requestId;
    session.terminal = m_command.terminal.has_value();
    if (session.terminal)
        session.terminalType = m_command.terminal->type;
    session.command = m_output.wireLine();
    m_socket->send(muxPacket(session), std::move(far));
}

void MasterProcess::handleOpened()
{
    m_opened = true;
    m_streams->setRaw();
    if (!m_command.input.isEmpty())
        m_streams->write(m_command.input);
    m_command.input.clear();
    for (const QByteArray& block : std::exchange(m_early, {}))
        m_streams->write(block);
    if (!m_inputOpen)
        m_streams->closeInput();
    if (isDialled())
        emit connected();
}

/// The server opened no session, so nothing was begun: it may be asked for again.
void MasterProcess::handleRefusal(const MuxReply& reply)
{
    closeChannel();
    const QString reason = harmlessLine(QString::fromUtf8(reply.reason));
    if (isDialled()) {
        finish(fail(Fault::Offline, u"The login node did not open %1:%2."_s.arg(m_host).arg(m_port), reason));
        return;
    }
    if (reply.type == MuxType::Failure && m_link && m_link->requeue(this, ++m_refusals))
        return;
    finish(fail(Fault::Io, u"Your ssh connection opened no session for another command."_s, reason,
        u"Close other sessions on it, or use --no-control-master for a connection of Rankwright's own."_s));
}

/// The end is there once the master has let its socket and both streams go: what it wrote last is read by then.
void MasterProcess::conclude()
{
    if (m_finished || !m_socket || m_socket->isOpen())
        return;
    if (m_opened && m_streams && !m_streams->isEnded())
        return;
    if (m_opened && m_exitStatus) {
        finish(m_output.outcome(m_exitStatus, {}));
        return;
    }
    if (m_asked)
        return;
    m_asked = true;
    if (m_link)
        m_link->askWhetherAlive(this);
    else
        concludeWithout(false);
}

void MasterProcess::concludeWithout(bool isMasterAlive)
{
    if (m_finished)
        return;
    if (isMasterAlive && m_opened) // killed by a signal, which masters do not pass on
        finish(m_output.outcome(std::nullopt, {}));
    else
        finish(fail(Fault::Offline, u"The ssh connection that this command went over has ended."_s,
            m_requested && !isDialled() ? u"Whether the command went on there is not known."_s : QString(),
            u"Connect again."_s));
}

void MasterProcess::abandon(const Error& why)
{
    closeChannel();
    finish(fail(why));
}

/// The channel is closed; what is left in the streams is dropped.
void MasterProcess::closeChannel()
{
    if (m_socket)
        m_socket->close();
    if (m_streams)
        m_streams->close();
}

void MasterProcess::finish(const Result<CommandOutcome>& outcome)
{
    if (std::exchange(m_finished, true))
        return;
    m_deadline.stop();
    if (m_link)
        m_link->forget(this);
    emit finished(outcome);
}

void MasterProcess::write(const QByteArray& input)
{
    if (!m_inputOpen || m_finished)
        return;
    if (m_opened)
        m_streams->write(input);
    else
        m_early.append(input);
}

void MasterProcess::closeInput()
{
    if (std::exchange(m_inputOpen, false) && m_opened)
        m_streams->closeInput();
}

void MasterProcess::hold(bool held)
{
    m_held = held;
    if (m_streams)
        m_streams->hold(held);
}

void MasterProcess::resize(const TerminalSize& size)
{
    if (m_command.terminal)
        m_command.terminal->size = size;
    if (!m_opened)
        return;
    m_streams->resize(size);
    if (m_link)
        m_link->announceResize();
}

} // namespace rankwright
