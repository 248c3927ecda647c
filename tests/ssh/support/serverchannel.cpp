// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/support/serverchannel.h"

#include <libssh/server.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace rankwright::test {

ServerChannel::ServerChannel(ssh_session session, ssh_event event, ssh_channel channel, std::atomic<qint64>& bytesOut)
    : m_session(session), m_event(event), m_bytesOut(bytesOut), m_channel(channel)
{
    ssh_callbacks_init(&m_callbacks);
    m_callbacks.userdata = this;
    m_callbacks.channel_exec_request_function = onExec;
    m_callbacks.channel_data_function = onData;
    m_callbacks.channel_eof_function = onEof;
    m_callbacks.channel_close_function = onClose;
    m_callbacks.channel_signal_function = onSignal;
    ssh_set_channel_callbacks(channel, &m_callbacks);
}

ServerChannel::~ServerChannel()
{
    shut(m_in);
    shut(m_out);
    shut(m_err);
    if (m_pid > 0) {
        ::kill(-m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
    ssh_remove_channel_callbacks(m_channel.get(), &m_callbacks);
}

int ServerChannel::onExec(ssh_session, ssh_channel, const char* command, void* self)
{
    auto* channel = static_cast<ServerChannel*>(self);
    if (channel->refusesExec)
        return 1;
    return channel->spawn(command) ? 0 : 1;
}

int ServerChannel::onData(ssh_session, ssh_channel, void* data, uint32_t length, int, void* self)
{
    static_cast<ServerChannel*>(self)->m_pending.append(static_cast<const char*>(data), length);
    return static_cast<int>(length);
}

void ServerChannel::onEof(ssh_session, ssh_channel, void* self)
{
    static_cast<ServerChannel*>(self)->m_inputEnded = true;
}

void ServerChannel::onClose(ssh_session, ssh_channel, void* self)
{
    static_cast<ServerChannel*>(self)->m_peerClosed = true;
}

void ServerChannel::onSignal(ssh_session, ssh_channel, const char* signal, void* self)
{
    auto* channel = static_cast<ServerChannel*>(self);
    if (channel->m_pid > 0 && std::strcmp(signal, "TERM") == 0)
        ::kill(-channel->m_pid, SIGTERM);
}

bool ServerChannel::spawn(const QByteArray& command)
{
    int in[2];
    int out[2];
    int err[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0)
        return false;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_adddup2(&actions, err[1], 2);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    QByteArray line = command;
    if (!noise.isEmpty())
        line = "printf '%s' '" + noise + "'; printf '%s' 'warned' >&2; " + command;
    QByteArray shell = "/bin/sh";
    QByteArray option = "-c";
    char* arguments[] = {shell.data(), option.data(), line.data(), nullptr};
    const int rc = ::posix_spawn(&m_pid, shell.constData(), &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    ::close(in[0]);
    ::close(out[1]);
    ::close(err[1]);
    m_in.fd.reset(in[1]);
    m_out.fd.reset(out[0]);
    m_err.fd.reset(err[0]);
    for (const Stream* stream : {&m_in, &m_out, &m_err})
        setNonBlocking(stream->fd.get());
    m_begun = true;
    return rc == 0;
}

Descriptor ServerChannel::connectTo(int port, const QString& host)
{
    sockaddr_storage address = {};
    auto* four = reinterpret_cast<sockaddr_in*>(&address);
    auto* six = reinterpret_cast<sockaddr_in6*>(&address);
    const bool isSix = host.contains(u':');
    address.ss_family = isSix ? AF_INET6 : AF_INET;
    (isSix ? six->sin6_port : four->sin_port) = htons(static_cast<uint16_t>(port));
    void* bytes = isSix ? static_cast<void*>(&six->sin6_addr) : static_cast<void*>(&four->sin_addr);
    ::inet_pton(address.ss_family, host.toLatin1().constData(), bytes);
    Descriptor fd(::socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const socklen_t length = isSix ? sizeof *six : sizeof *four;
    if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), length) != 0)
        return {};
    const int on = 1;
    ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setNonBlocking(fd.get());
    return fd;
}

void ServerChannel::forward(Descriptor target)
{
    m_in.fd.reset(::dup(target.get()));
    m_out.fd = std::move(target);
    m_forward = true;
    m_begun = true;
}

void ServerChannel::watch(Stream& stream, short events)
{
    if (!stream.fd.isValid() || events == stream.watched)
        return;
    if (stream.watched)
        ssh_event_remove_fd(m_event, stream.fd.get());
    if (events)
        ssh_event_add_fd(m_event, stream.fd.get(), events, noCallback, nullptr);
    stream.watched = events;
}

void ServerChannel::shut(Stream& stream)
{
    watch(stream, 0);
    stream.fd.reset();
}

void ServerChannel::feed()
{
    while (m_in.fd.isValid() && !m_pending.isEmpty()) {
        const auto written = ::write(m_in.fd.get(), m_pending.constData(), static_cast<size_t>(m_pending.size()));
        if (written < 0 && (errno == EAGAIN || errno == EINTR))
            break;
        if (written < 0) {
            m_pending.clear();
            shut(m_in);
            return;
        }
        m_pending.remove(0, written);
    }
    if (m_pending.isEmpty() && (m_inputEnded || m_peerClosed) && m_in.fd.isValid()) {
        if (m_forward)
            ::shutdown(m_in.fd.get(), SHUT_WR);
        shut(m_in);
    }
    watch(m_in, m_pending.isEmpty() ? 0 : POLLOUT);
}

void ServerChannel::drain(Stream& stream, bool isError)
{
    bool room = true;
    while (stream.fd.isValid()) {
        const uint32_t window = ssh_channel_window_size(m_channel.get());
        room = window > 0 && !(ssh_get_status(m_session) & SSH_WRITE_PENDING);
        if (!room && !m_peerClosed)
            break;
        char bytes[32768];
        const size_t most = m_peerClosed ? sizeof bytes : qMin<size_t>(window, sizeof bytes);
        const auto taken = ::read(stream.fd.get(), bytes, most);
        if (taken < 0 && (errno == EAGAIN || errno == EINTR))
            break;
        if (taken <= 0 || m_peerClosed) {
            shut(stream);
            return;
        }
        m_bytesOut += taken;
        if (isError)
            ssh_channel_write_stderr(m_channel.get(), bytes, static_cast<uint32_t>(taken));
        else
            ssh_channel_write(m_channel.get(), bytes, static_cast<uint32_t>(taken));
    }
    watch(stream, room ? POLLIN : 0);
}

bool ServerChannel::advance()
{
    if (!m_begun)
        return !m_peerClosed || !farewell();
    feed();
    drain(m_out, false);
    drain(m_err, true);
    if (m_pid > 0 && ::waitpid(m_pid, &m_status, WNOHANG) == m_pid)
        m_pid = 0;
    const bool processGone = m_pid <= 0;
    if (m_peerClosed) // as OpenSSH: the place is free once the process is gone, too
        return !processGone || !farewell();
    if (m_out.fd.isValid() || m_err.fd.isValid() || !processGone)
        return true;
    return !farewell();
}

/// True once everything is sent.
bool ServerChannel::farewell()
{
    if (!m_reported && !m_peerClosed && !m_forward && reportsExit) {
        if (WIFSIGNALED(m_status))
            ssh_channel_request_send_exit_signal(m_channel.get(), ::sigabbrev_np(WTERMSIG(m_status)), 0, "", "");
        else
            ssh_channel_request_send_exit_status(m_channel.get(), WEXITSTATUS(m_status));
    }
    m_reported = true;
    return ssh_channel_close(m_channel.get()) != SSH_AGAIN;
}

} // namespace rankwright::test
