// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshchannel.h"

#include <QString>

#include <sys/socket.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr uint32_t mostHeld = 8 << 20; // six times the window that libssh gives
constexpr uint32_t writeChunk = 128 * 1024;

} // namespace

SshChannel::SshChannel(ssh_session session, ProcessRequest request)
    : m_session(session), m_request(std::move(request)), m_startedAt(steadyMs()), m_channel(ssh_channel_new(session))
{
    if (!m_request.input.isEmpty())
        m_input.push_back(std::exchange(m_request.input, {}));
    ssh_callbacks_init(&m_callbacks);
    m_callbacks.userdata = this;
    m_callbacks.channel_data_function = onData;
    if (isDialled())
        m_callbacks.channel_eof_function = onEof;
    m_callbacks.channel_close_function = onClose;
    m_callbacks.channel_exit_status_function = onExitStatus;
    m_callbacks.channel_exit_signal_function = onExitSignal;
    if (m_channel)
        ssh_set_channel_callbacks(m_channel.get(), &m_callbacks);
}

SshChannel::~SshChannel()
{
    if (m_channel) // libssh keeps a pointer to the structure, not a copy
        ssh_remove_channel_callbacks(m_channel.get(), &m_callbacks);
}

int SshChannel::onData(ssh_session, ssh_channel, void* data, uint32_t length, int isError, void* self)
{
    auto* channel = static_cast<SshChannel*>(self);
    if (channel->m_cancelled)
        return static_cast<int>(length);
    const ProcessStream stream = isError != 0 ? ProcessStream::Errors : ProcessStream::Output;
    if (!channel->m_request.pipe->append(stream, static_cast<const char*>(data), length)) {
        channel->m_held = true;
        channel->m_flooded = channel->m_flooded || length > mostHeld;
        return 0;
    }
    channel->m_news = true;
    return static_cast<int>(length);
}

void SshChannel::onEof(ssh_session, ssh_channel, void* self) { static_cast<SshChannel*>(self)->m_remoteEnded = true; }

void SshChannel::onClose(ssh_session, ssh_channel, void* self)
{
    static_cast<SshChannel*>(self)->m_remoteClosed = true;
}

void SshChannel::onExitStatus(ssh_session, ssh_channel, int status, void* self)
{
    static_cast<SshChannel*>(self)->m_end.exitStatus = status;
}

void SshChannel::onExitSignal(ssh_session, ssh_channel, const char* signal, int, const char*, const char*, void* self)
{
    static_cast<SshChannel*>(self)->m_end.exitSignal = signal;
}

SshChannel::Step SshChannel::advance()
{
    if (!m_channel) {
        m_error = {Fault::Io, u"No memory for another command."_s, {}, {}};
        return Step::Failed;
    }
    if (m_state == State::Opening) {
        const Step step = open();
        if (m_state == State::Opening)
            return step;
    }
    if (m_state == State::AskingTerminal) {
        const Step step = requestTerminal();
        if (m_state == State::AskingTerminal)
            return step;
    }
    if (m_state == State::Requesting) {
        const Step step = requestExec();
        if (m_state == State::Requesting)
            return step;
    }
    if (m_flooded) {
        ::shutdown(ssh_get_fd(m_session), SHUT_RDWR); // what it sends on would still fill the memory
        m_error = {Fault::Unreadable, u"The server sends more than it was allowed to."_s,
            u"More than %1 MiB came beyond the window of the channel."_s.arg(mostHeld >> 20),
            u"Something between here and the cluster does not keep to the SSH protocol: show this to its operators."_s};
        return Step::Failed;
    }
    if (m_state == State::Running) {
        if (!m_cancelled) {
            feed();
            drainHeld();
            reportEnd();
        }
        if (m_cancelled || (m_remoteClosed && !m_held))
            m_state = State::Closing;
    }
    return closeDown();
}

SshChannel::Step SshChannel::open()
{
    const int opened = isDialled()
        ? ssh_channel_open_forward(m_channel.get(), m_request.host.constData(), m_request.port, "127.0.0.1", 0)
        : ssh_channel_open_session(m_channel.get());
    switch (opened) {
    case SSH_AGAIN: return Step::Busy;
    case SSH_OK: break;
    default:
        if (m_cancelled)
            return Step::Gone;
        if (isDialled()) {
            m_error = {Fault::Offline,
                u"The login node did not open %1:%2."_s.arg(QString::fromUtf8(m_request.host)).arg(m_request.port),
                libraryText(m_session), {}};
            return Step::Failed;
        }
        m_error = {Fault::Io, u"The server refused another command at the same time."_s, libraryText(m_session),
            u"It limits the commands per connection; try again in a moment."_s};
        return Step::Refused;
    }
    m_openedAfter = steadyMs() - m_startedAt;
    if (m_cancelled) {
        m_state = State::Closing;
    } else if (isDialled()) {
        m_state = State::Running;
        m_request.pipe->setBegun();
        m_news = true;
    } else {
        m_state = m_request.terminal ? State::AskingTerminal : State::Requesting;
    }
    return Step::Busy;
}

SshChannel::Step SshChannel::requestTerminal()
{
    const TerminalRequest& terminal = *m_request.terminal;
    switch (ssh_channel_request_pty_size(
        m_channel.get(), terminal.type.constData(), terminal.size.columns, terminal.size.rows)) {
    case SSH_AGAIN: return Step::Busy;
    case SSH_OK: break;
    default:
        m_error = {Fault::Io, u"The server gives no terminal."_s, libraryText(m_session),
            u"The account may not use one (PermitTTY in sshd_config); ask the operators."_s};
        return m_cancelled ? Step::Gone : Step::Failed;
    }
    m_state = State::Requesting;
    return Step::Busy;
}

SshChannel::Step SshChannel::requestExec()
{
    int requested = SSH_ERROR;
    switch (m_request.kind) {
    case PlainSession::Command:
        requested = ssh_channel_request_exec(m_channel.get(), m_request.line.constData());
        break;
    case PlainSession::LoginShell: requested = ssh_channel_request_shell(m_channel.get()); break;
    case PlainSession::Subsystem:
        requested = ssh_channel_request_subsystem(m_channel.get(), m_request.line.constData());
        break;
    }
    switch (requested) {
    case SSH_AGAIN: return Step::Busy;
    case SSH_OK: break;
    default:
        m_error = {Fault::Io, u"The server refused to run a command."_s, libraryText(m_session),
            u"The account may be limited to file transfer; ask the operators."_s};
        return m_cancelled ? Step::Gone : Step::Failed;
    }
    m_state = State::Running;
    return Step::Busy;
}

ProcessRequest SshChannel::takeBack()
{
    for (const QByteArray& block : m_input)
        m_request.input += block;
    m_input.clear();
    ++m_request.refusals;
    return std::move(m_request);
}

void SshChannel::write(const QByteArray& input)
{
    if (m_request.keepInputOpen && !input.isEmpty())
        m_input.push_back(input);
}

/// The end of a dialled connection's output, once everything before it was handed on.
void SshChannel::reportEnd()
{
    if (!m_remoteEnded || m_held || std::exchange(m_endReported, true))
        return;
    m_request.pipe->setEnded();
    m_news = true;
}

/// Writes what the window allows and the socket took so far: beyond the window libssh would wait.
void SshChannel::feed()
{
    if (m_resize && !(ssh_get_status(m_session) & SSH_WRITE_PENDING)) {
        ssh_channel_change_pty_size(m_channel.get(), m_resize->columns, m_resize->rows);
        m_resize.reset();
    }
    while (!m_input.empty() && !(ssh_get_status(m_session) & SSH_WRITE_PENDING)) {
        const QByteArray& block = m_input.front();
        const uint32_t window = ssh_channel_window_size(m_channel.get());
        const auto rest = static_cast<uint32_t>(qMin<qsizetype>(block.size() - m_offset, writeChunk));
        const uint32_t count = qMin(window, rest);
        if (count == 0)
            return;
        const int written = ssh_channel_write(m_channel.get(), block.constData() + m_offset, count);
        if (written < 0) { // the process has gone before reading everything, which is its right
            m_input.clear();
            break;
        }
        if (written == 0)
            return;
        m_offset += written;
        m_request.pipe->addSent(written);
        m_news = true;
        if (m_offset == block.size()) {
            m_input.pop_front();
            m_offset = 0;
        }
    }
    if (m_input.empty() && !m_request.keepInputOpen && !m_inputEnded) {
        ssh_channel_send_eof(m_channel.get()); // queued even when it says AGAIN
        m_inputEnded = true;
    }
}

void SshChannel::drainHeld()
{
    // At the end there is no window left to open, so what is held is bounded and may go beyond the limit.
    if (!m_held || (!m_remoteClosed && !m_request.pipe->isEmpty()))
        return;
    m_held = false;
    for (const ProcessStream stream : {ProcessStream::Output, ProcessStream::Errors}) {
        const QByteArray held = readLeftovers(m_channel.get(), stream);
        if (held.isEmpty())
            continue;
        m_request.pipe->appendLast(stream, held);
        m_news = true;
    }
}

SshChannel::Step SshChannel::closeDown()
{
    if (m_state == State::Closing) {
        if (m_cancelled && !m_signalled && !m_remoteClosed) {
            // Many servers ignore it; OpenSSH from 7.9 signals the whole process group.
            ssh_channel_request_send_signal(m_channel.get(), "TERM");
            m_signalled = true;
        }
        // While output is queued this only sends the end of file and wants to be called again; freed too early, the
        // channel would stay open on the server and count against its limit.
        if (ssh_channel_close(m_channel.get()) == SSH_AGAIN)
            return Step::Busy;
        m_state = State::Closed;
    }
    if (m_state == State::Closed)
        return m_cancelled ? Step::Gone : Step::Ended;
    return Step::Busy;
}

} // namespace rankwright
