// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/forward/portpipe.h"

#include <QSocketNotifier>

#include <array>
#include <cerrno>

#include <sys/socket.h>

namespace rankwright {

namespace {

constexpr qsizetype piece = 64 * 1024;
constexpr qint64 mostUnsent = 256 * 1024; ///< read here and not yet taken by the connection
constexpr qsizetype mostPending = 256 * 1024;

bool isLater(int why) { return why == EAGAIN || why == EWOULDBLOCK || why == EINTR; }

} // namespace

PortPipe::PortPipe(Descriptor near, QObject* parent) : QObject(parent), m_near(std::move(near))
{
    m_readable = std::make_unique<QSocketNotifier>(m_near.get(), QSocketNotifier::Read);
    m_writable = std::make_unique<QSocketNotifier>(m_near.get(), QSocketNotifier::Write);
    m_readable->setEnabled(false);
    m_writable->setEnabled(false);
    connect(m_readable.get(), &QSocketNotifier::activated, this, &PortPipe::readNear);
    connect(m_writable.get(), &QSocketNotifier::activated, this, &PortPipe::flush);
}

PortPipe::~PortPipe()
{
    if (m_far)
        m_far->disconnect(this);
}

void PortPipe::attach(std::unique_ptr<RemoteProcess> far)
{
    m_far = std::move(far);
    m_isAttached = true;
    connect(m_far.get(), &RemoteProcess::outputArrived, this, [this](const QByteArray& bytes) {
        m_bytesIn += bytes.size();
        m_pending += bytes;
        flush();
        emit bytesMoved();
    });
    connect(m_far.get(), &RemoteProcess::outputEnded, this, [this] {
        m_farEnded = true;
        flush();
    });
    connect(m_far.get(), &RemoteProcess::inputSent, this, [this](qint64 total) {
        m_sent = total;
        watchNear();
    });
    connect(m_far.get(), &RemoteProcess::finished, this, &PortPipe::handleFarEnd);
    watchNear();
}

void PortPipe::watchNear()
{
    const bool isWanted = m_far && !m_farGone && !m_nearEnded && !m_finished && m_bytesOut - m_sent < mostUnsent;
    m_readable->setEnabled(isWanted);
}

void PortPipe::readNear()
{
    std::array<char, piece> bytes;
    const ssize_t count = ::recv(m_near.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count < 0) {
        if (!isLater(errno))
            abort();
        return;
    }
    if (count == 0) {
        m_nearEnded = true;
        m_far->closeInput();
    } else {
        m_bytesOut += count;
        m_far->write(QByteArray(bytes.data(), count));
        emit bytesMoved();
    }
    watchNear();
}

void PortPipe::flush()
{
    while (!m_finished && m_offset < m_pending.size()) {
        const ssize_t count = ::send(m_near.get(), m_pending.constData() + m_offset,
            static_cast<size_t>(m_pending.size() - m_offset), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count < 0) {
            if (!isLater(errno)) {
                abort();
                return;
            }
            break;
        }
        m_offset += count;
    }
    if (m_finished)
        return;
    if (m_offset == m_pending.size()) {
        m_pending.clear();
        m_offset = 0;
    } else if (m_offset > piece) {
        m_pending.remove(0, m_offset);
        m_offset = 0;
    }
    const qsizetype rest = m_pending.size() - m_offset;
    m_writable->setEnabled(rest > 0);
    const bool hold = m_isHeld ? rest > mostPending / 4 : rest > mostPending;
    if (m_far && !m_farGone && std::exchange(m_isHeld, hold) != hold)
        m_far->hold(hold);
    if (rest > 0 || !m_farEnded)
        return;
    if (!std::exchange(m_shut, true))
        ::shutdown(m_near.get(), SHUT_WR);
    if (m_farGone)
        finish();
}

void PortPipe::handleFarEnd(const Result<CommandOutcome>& outcome)
{
    m_farEnded = true;
    m_farGone = true;
    m_readable->setEnabled(false);
    m_far->disconnect(this);
    m_far.release()->deleteLater(); // we are inside its signal
    if (outcome)
        flush();
    else
        abort();
}

/// The near side sees a reset, as it would of a connection that broke.
void PortPipe::abort()
{
    if (m_finished)
        return;
    const linger now{1, 0};
    ::setsockopt(m_near.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    finish();
}

void PortPipe::finish()
{
    if (std::exchange(m_finished, true))
        return;
    m_readable->setEnabled(false);
    m_writable->setEnabled(false);
    m_readable.release()->deleteLater(); // we may be inside its signal
    m_writable.release()->deleteLater();
    if (m_far) {
        m_far->disconnect(this);
        m_far.release()->deleteLater();
    }
    m_near.reset();
    emit ended();
}

} // namespace rankwright
