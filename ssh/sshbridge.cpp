// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshbridge.h"

#include <QString>

#include <cerrno>

#include <poll.h>
#include <sys/socket.h>

namespace rankwright {

namespace {

constexpr qsizetype bufferLimit = 0x40000; // 256 KiB
constexpr uint32_t chunk = 32 * 1024; // one SSH packet of the common size

} // namespace

SshBridge::SshBridge(ssh_session jump, ssh_event event, const QString& host, int port)
    : m_session(jump), m_event(event), m_host(host.toUtf8()), m_port(port), m_channel(ssh_channel_new(jump))
{
    std::tie(m_near, m_far) = socketPair();
    ssh_callbacks_init(&m_callbacks);
    m_callbacks.userdata = this;
    m_callbacks.channel_data_function = onData;
    m_callbacks.channel_eof_function = onEnd;
    m_callbacks.channel_close_function = onEnd;
    if (m_channel)
        ssh_set_channel_callbacks(m_channel.get(), &m_callbacks);
}

SshBridge::~SshBridge()
{
    watchSocket(0);
    if (m_channel)
        ssh_remove_channel_callbacks(m_channel.get(), &m_callbacks);
}

int SshBridge::onData(ssh_session, ssh_channel, void* data, uint32_t length, int isError, void* self)
{
    auto* bridge = static_cast<SshBridge*>(self);
    if (isError)
        return static_cast<int>(length);
    if (bridge->m_incoming.size() >= bufferLimit) {
        bridge->m_held = true;
        return 0;
    }
    bridge->m_incoming.append(static_cast<const char*>(data), static_cast<qsizetype>(length));
    return static_cast<int>(length);
}

void SshBridge::onEnd(ssh_session, ssh_channel, void* self) { static_cast<SshBridge*>(self)->m_remoteEnded = true; }

SshBridge::Step SshBridge::openChannel()
{
    if (!m_channel || !m_near.isValid()) {
        m_failure = QStringLiteral("no memory or descriptors for a forwarded connection");
        return Step::Failed;
    }
    switch (ssh_channel_open_forward(m_channel.get(), m_host.constData(), m_port, "127.0.0.1", 0)) {
    case SSH_AGAIN: return Step::Busy;
    case SSH_OK: m_open = true; return Step::Open;
    default: break;
    }
    m_failure = libraryText(m_session);
    return Step::Failed;
}

SshBridge::Step SshBridge::advance()
{
    if (!m_open && openChannel() != Step::Open)
        return m_failure.isEmpty() ? Step::Busy : Step::Failed;
    moveInward();
    moveOutward();
    return Step::Open;
}

void SshBridge::moveInward()
{
    if (!m_near.isValid())
        return;
    readHeld();
    while (!m_incoming.isEmpty()) {
        const auto written = ::send(
            m_near.get(), m_incoming.constData(), static_cast<size_t>(m_incoming.size()), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (written < 0) {
            if (errno != EAGAIN && errno != EINTR)
                hangUp();
            return;
        }
        m_incoming.remove(0, written);
        readHeld();
    }
    if (m_remoteEnded)
        hangUp();
}

/// All at once and only when ours are gone, as in SshChannel.
void SshBridge::readHeld()
{
    if (!m_held || !m_incoming.isEmpty())
        return;
    m_held = false;
    const QByteArray held = readLeftovers(m_channel.get(), ProcessStream::Output);
    m_incoming += held;
}

void SshBridge::moveOutward()
{
    bool room = true;
    while (m_near.isValid() && room && !m_localEnded) {
        const uint32_t window = ssh_channel_window_size(m_channel.get());
        room = window > 0 && !(ssh_get_status(m_session) & SSH_WRITE_PENDING);
        if (!room || (m_outgoing.isEmpty() && !readNear()))
            break;
        const auto count = qMin(window, static_cast<uint32_t>(m_outgoing.size()));
        const int written = ssh_channel_write(m_channel.get(), m_outgoing.constData(), count);
        if (written < 0) {
            hangUp();
            return;
        }
        m_outgoing.remove(0, written);
        room = written > 0; // nothing is taken while keys are exchanged again
    }
    const bool reading = room && m_outgoing.isEmpty() && !m_localEnded;
    watchSocket(static_cast<short>((m_incoming.isEmpty() ? 0 : POLLOUT) | (reading ? POLLIN : 0)));
}

/// False when there is nothing to read now.
bool SshBridge::readNear()
{
    char bytes[chunk];
    const auto taken = ::recv(m_near.get(), bytes, sizeof bytes, MSG_DONTWAIT);
    if (taken > 0) {
        m_outgoing.append(bytes, taken);
        return true;
    }
    if (taken == 0 || (errno != EAGAIN && errno != EINTR)) {
        m_localEnded = true;
        ssh_channel_send_eof(m_channel.get());
    }
    return false;
}

void SshBridge::watchSocket(short events)
{
    if (events == m_watched || !m_near.isValid())
        return;
    if (m_watched)
        ssh_event_remove_fd(m_event, m_near.get());
    if (events)
        ssh_event_add_fd(m_event, m_near.get(), events, noCallback, nullptr);
    m_watched = events;
}

void SshBridge::hangUp()
{
    watchSocket(0);
    m_near.reset(); // the session behind sees the end of its connection
    ssh_channel_close(m_channel.get());
}

} // namespace rankwright
