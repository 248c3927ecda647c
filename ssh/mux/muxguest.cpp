// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/mux/muxguest.h"

#include <cerrno>

#include <sys/ioctl.h>
#include <unistd.h>

namespace rankwright {

namespace {

constexpr quint32 sessionId = 1;
constexpr qint64 mostUnsent = 256 * 1024; ///< bytes of input that the connection has not taken
constexpr qint64 mostUnread = 256 * 1024; ///< bytes of output that the program has not taken

template <typename... Each>
struct Overloaded : Each... {
    using Each::operator()...;
};
template <typename... Each>
Overloaded(Each...) -> Overloaded<Each...>;

std::optional<TerminalSize> sizeOf(int descriptor)
{
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
        return {};
    return TerminalSize{size.ws_col, size.ws_row};
}

} // namespace

MuxGuest::MuxGuest(Descriptor socket, ClusterLink& link, QObject* parent)
    : QObject(parent), m_link(link), m_socket(std::move(socket))
{
    connect(&m_socket, &MuxSocket::packetArrived, this, &MuxGuest::handleRequest);
    connect(&m_socket, &MuxSocket::descriptorsArrived, this, &MuxGuest::handleDescriptors);
    connect(&m_socket, &MuxSocket::ended, this, &MuxGuest::endWhenWritten);
    m_socket.send(muxPacket(MuxReply{MuxType::Hello, muxVersion, 0, {}}));
}

MuxGuest::~MuxGuest()
{
    m_socket.disconnect(this);
    if (m_process)
        m_process->disconnect(this);
    if (m_readable)
        m_readable->setEnabled(false);
}

void MuxGuest::refuseRequest(quint32 id, const QByteArray& reason)
{
    m_socket.send(muxPacket(MuxReply{MuxType::Failure, id, 0, reason}));
}

void MuxGuest::handleRequest(const QByteArray& body)
{
    const auto request = readMuxRequest(body);
    const auto* hello = request ? std::get_if<MuxHello>(&*request) : nullptr;
    if (!request || m_greeted == (hello != nullptr) || (hello && hello->version != muxVersion) || m_request) {
        m_socket.closeAfterSending();
        return;
    }
    m_greeted = true;
    std::visit(Overloaded{
                   [](const MuxHello&) {},
                   [this](const MuxSession& session) {
                       m_request = session;
                       m_socket.expectDescriptors(3);
                   },
                   [this](const MuxStdioForward& forward) {
                       m_request = forward;
                       m_socket.expectDescriptors(2);
                   },
                   [this](const MuxForward& forward) { handleForward(forward); },
                   [this](const MuxPlain& plain) { handlePlain(plain); },
               },
        *request);
}

void MuxGuest::handleForward(const MuxForward& forward)
{
    refuseRequest(forward.id, "rankwright-cli share forwards no ports: use rankwright-cli forward");
}

void MuxGuest::handlePlain(const MuxPlain& plain)
{
    if (plain.type == MuxType::AliveCheck) {
        m_socket.send(muxPacket(MuxReply{MuxType::Alive, plain.id, static_cast<quint32>(::getpid()), {}}));
    } else if (plain.type == MuxType::Terminate) {
        m_socket.send(muxPacket(MuxReply{MuxType::Ok, plain.id, 0, {}}));
        emit exitAsked();
    } else {
        refuseRequest(plain.id, "rankwright-cli share does not offer this");
    }
}

void MuxGuest::handleDescriptors()
{
    std::vector<Descriptor> passed = m_socket.takeDescriptors();
    const MuxRequest request = *std::exchange(m_request, {});
    const auto* session = std::get_if<MuxSession>(&request);
    const auto* forward = std::get_if<MuxStdioForward>(&request);
    const quint32 id = session ? session->id : forward->id;
    if (m_process || m_ending) {
        refuseRequest(id, "Multiple sessions not supported");
        return;
    }
    if (m_link.state() != LinkState::Online) {
        refuseRequest(id, "the connection is lost");
        return;
    }
    m_input = std::move(passed.at(0));
    m_output = std::make_unique<PassedOutput>(std::move(passed.at(1)));
    if (session)
        m_errors = std::make_unique<PassedOutput>(std::move(passed.at(2)));
    if (session)
        beginSession(*session);
    else
        beginForward(*forward);
}

void MuxGuest::beginSession(const MuxSession& session)
{
    PlainSession plain;
    plain.command = session.command;
    plain.kind = session.subsystem  ? PlainSession::Subsystem
        : session.command.isEmpty() ? PlainSession::LoginShell
                                    : PlainSession::Command;
    m_hasTerminal = session.terminal;
    if (session.terminal)
        plain.terminal = TerminalRequest{session.terminalType.isEmpty() ? QByteArray("vt100") : session.terminalType,
            sizeOf(m_input.get()).value_or(TerminalSize())};
    auto process = m_link.startPlain(plain);
    if (!process) {
        refuseRequest(session.id, "this connection has no plain sessions");
        return;
    }
    // What the server refuses comes as the session's end, with its reason on the standard error.
    m_socket.send(muxPacket(MuxReply{MuxType::SessionOpened, session.id, sessionId, {}}));
    joinProcess(std::move(process));
}

void MuxGuest::beginForward(const MuxStdioForward& forward)
{
    if (forward.port < 1 || forward.port > 65535 || forward.host.isEmpty()) {
        refuseRequest(forward.id, "not a host and port");
        return;
    }
    auto process = m_link.dial(QString::fromUtf8(forward.host), int(forward.port));
    const quint32 id = forward.id;
    connect(process.get(), &RemoteProcess::connected, this, [this, id] {
        m_socket.send(muxPacket(MuxReply{MuxType::SessionOpened, id, sessionId, {}}));
    });
    connect(process.get(), &RemoteProcess::outputEnded, this, [this] { m_output->closeWhenDone(); });
    connect(process.get(), &RemoteProcess::finished, this, [this, id](const Result<CommandOutcome>& outcome) {
        if (!outcome) // after SessionOpened a program does not expect it, and ends all the same
            refuseRequest(id, outcome.error().what.toUtf8());
    });
    joinProcess(std::move(process));
}

void MuxGuest::joinProcess(std::unique_ptr<RemoteProcess> process)
{
    m_process = std::move(process);
    connect(m_process.get(), &RemoteProcess::outputArrived, this, [this](const QByteArray& bytes) {
        m_output->write(bytes);
        updateHold();
    });
    connect(m_process.get(), &RemoteProcess::errorArrived, this, [this](const QByteArray& bytes) {
        if (m_errors)
            m_errors->write(bytes);
        updateHold();
    });
    connect(m_process.get(), &RemoteProcess::inputSent, this, [this](qint64 total) {
        m_sent = total;
        if (m_readable)
            m_readable->setEnabled(m_read - m_sent < mostUnsent);
    });
    connect(m_process.get(), &RemoteProcess::finished, this, &MuxGuest::finish);
    for (PassedOutput* output : {m_output.get(), m_errors.get()}) {
        if (!output)
            continue;
        connect(output, &PassedOutput::progressed, this, &MuxGuest::updateHold);
        connect(output, &PassedOutput::allWritten, this, [this] {
            if (m_ending)
                endWhenWritten();
        });
    }
    if (!::isatty(m_input.get()))
        setNonBlocking(m_input.get());
    m_readable = std::make_unique<QSocketNotifier>(m_input.get(), QSocketNotifier::Read);
    connect(m_readable.get(), &QSocketNotifier::activated, this, &MuxGuest::readInput);
}

/// Whoever reads slowly holds the far side up, not this program's memory.
void MuxGuest::updateHold()
{
    if (m_process)
        m_process->hold(m_output->waiting() > mostUnread || (m_errors && m_errors->waiting() > mostUnread));
}

void MuxGuest::readInput()
{
    QByteArray bytes(32768, Qt::Uninitialized);
    const ssize_t count = ::read(m_input.get(), bytes.data(), static_cast<size_t>(bytes.size()));
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count <= 0) {
        m_readable->setEnabled(false);
        m_readable.release()->deleteLater(); // it is the sender
        m_input.reset();
        if (m_process)
            m_process->closeInput();
        return;
    }
    bytes.resize(count);
    m_read += count;
    if (m_process)
        m_process->write(bytes);
    if (m_readable)
        m_readable->setEnabled(m_read - m_sent < mostUnsent);
}

void MuxGuest::updateSize()
{
    if (!m_hasTerminal || !m_process || !m_input.isValid())
        return;
    if (const auto size = sizeOf(m_input.get()))
        m_process->resize(*size);
}

/// The status is told once everything before it was taken.
void MuxGuest::finish(const Result<CommandOutcome>& outcome)
{
    if (m_ending)
        return;
    if (!outcome && m_errors)
        m_errors->write("rankwright-cli: " + outcome.error().oneLine().toUtf8() + '\n');
    m_ending = outcome ? outcome->exitStatus : std::nullopt;
    m_process->disconnect(this);
    m_process.release()->deleteLater(); // we are inside its signal
    if (m_readable)
        m_readable->setEnabled(false);
    endWhenWritten();
}

void MuxGuest::endWhenWritten()
{
    if (!m_socket.isOpen()) {
        emit ended();
        return;
    }
    if (!m_ending || !m_output->isIdle() || (m_errors && !m_errors->isIdle()))
        return;
    if (const std::optional<int> status = std::exchange(*m_ending, std::nullopt))
        m_socket.send(muxPacket(MuxReply{MuxType::ExitMessage, sessionId, static_cast<quint32>(*status), {}}));
    m_output->closeWhenDone();
    if (m_errors)
        m_errors->closeWhenDone();
    m_socket.closeAfterSending();
}

} // namespace rankwright
