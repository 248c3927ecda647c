// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/keeper/framesocket.h"

#include <QPointer>
#include <QSocketNotifier>

#include <array>
#include <cerrno>
#include <cstring>

#include <sys/socket.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype piece = 64 * 1024;
constexpr qsizetype mostGone = 256 * 1024; ///< sent bytes that stay in front of unsent ones

bool isLater(int why) { return why == EAGAIN || why == EWOULDBLOCK || why == EINTR; }

Error gone(const QString& detail)
{
    return {Fault::Offline, u"The connection agent ended."_s, detail,
        u"Commands that ran over it may have completed or not; another command logs in by itself."_s};
}

} // namespace

FrameSocket::FrameSocket(Descriptor socket, QObject* parent) : QObject(parent), m_socket(std::move(socket))
{
    setNonBlocking(m_socket.get());
    m_readable = std::make_unique<QSocketNotifier>(m_socket.get(), QSocketNotifier::Read);
    m_writable = std::make_unique<QSocketNotifier>(m_socket.get(), QSocketNotifier::Write);
    m_writable->setEnabled(false);
    connect(m_readable.get(), &QSocketNotifier::activated, this, &FrameSocket::readSome);
    connect(m_writable.get(), &QSocketNotifier::activated, this, &FrameSocket::flush);
}

FrameSocket::~FrameSocket() { hangUp(); }

void FrameSocket::hangUp()
{
    // A notifier may be the sender of the signal that we are in.
    for (auto* notifier : {&m_readable, &m_writable}) {
        if (!*notifier)
            continue;
        (*notifier)->setEnabled(false);
        notifier->release()->deleteLater();
    }
    m_socket.reset();
    wipe(m_out);
    m_gone = 0;
}

void FrameSocket::end(const Error& why)
{
    if (!isOpen())
        return;
    hangUp();
    QMetaObject::invokeMethod(
        this, [this, why] { emit ended(why); }, Qt::QueuedConnection);
}

void FrameSocket::send(const KeeperFrame& frame)
{
    if (!isOpen())
        return;
    QByteArray bytes = keeperBytes(frame);
    if (m_out.isEmpty()) {
        m_out = std::move(bytes);
    } else {
        QByteArray all;
        if (m_out.capacity() - m_out.size() < bytes.size()) { // growing would leave a copy behind
            all.reserve(2 * (m_out.size() + bytes.size()));
            all.append(m_out);
            wipe(m_out);
            m_out = std::move(all);
        }
        m_out.append(bytes);
        wipe(bytes);
    }
    flush();
}

void FrameSocket::flush()
{
    while (isOpen() && m_gone < m_out.size()) {
        const ssize_t sent = ::send(
            m_socket.get(), m_out.constData() + m_gone, size_t(m_out.size() - m_gone), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && !isLater(errno)) {
            // What the other end said last may still be there to be read; its end will be noticed then.
            if (errno != EPIPE && errno != ECONNRESET)
                end(gone(QString::fromLocal8Bit(std::strerror(errno))));
            wipe(m_out);
            m_gone = 0;
            break;
        }
        if (sent < 0)
            break;
        m_gone += sent;
    }
    if (m_gone == m_out.size()) {
        wipe(m_out);
        m_gone = 0;
    } else if (m_gone > mostGone) {
        QByteArray rest = m_out.mid(m_gone);
        wipe(m_out);
        m_out = std::move(rest);
        m_gone = 0;
    }
    updateNotifiers();
}

void FrameSocket::updateNotifiers()
{
    if (!isOpen())
        return;
    m_writable->setEnabled(unsent() > 0);
    m_readable->setEnabled(m_mostUnsent == 0 || unsent() <= m_mostUnsent);
}

void FrameSocket::readSome()
{
    std::array<char, piece> bytes;
    const ssize_t got = ::recv(m_socket.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got < 0 && isLater(errno))
        return;
    if (got <= 0) {
        end(gone(got < 0 ? QString::fromLocal8Bit(std::strerror(errno)) : QString()));
        return;
    }
    auto frames = m_reader.feed(QByteArrayView(bytes.data(), got));
    wipe(bytes.data(), got);
    if (!frames) {
        end(frames.error());
        return;
    }
    const QPointer<FrameSocket> self(this); // whoever listens may let us go
    for (KeeperFrame& frame : *frames) {
        if (self && isOpen())
            emit frameArrived(frame);
        if (frame.kind == KeeperFrame::Answer)
            wipe(frame.body);
    }
    if (self)
        updateNotifiers();
}

} // namespace rankwright
