// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/mux/muxsocket.h"

#include "models/cluster/mux/muxmessages.h"

#include <QFile>
#include <QPointer>
#include <QtEndian>

#include <cerrno>
#include <cstring>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int packetsAtOnce = 64; // then others have their turn

QString systemText() { return QString::fromLocal8Bit(std::strerror(errno)); }

} // namespace

qsizetype MuxSocket::longestPath() { return qsizetype(sizeof sockaddr_un{}.sun_path) - 1; }

bool MuxSocket::isOwnPeer(int socket)
{
    ucred peer{}; // Linux; elsewhere getpeereid()
    socklen_t size = sizeof peer;
    return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::geteuid();
}

Result<Descriptor> MuxSocket::connectTo(const QString& path)
{
    const QByteArray name = QFile::encodeName(path);
    if (name.isEmpty() || name.size() > longestPath() || name.contains('\0'))
        return fail(Fault::Invalid, u"“%1” cannot be the path of a control socket."_s.arg(path),
            u"%1 bytes, at most %2 are possible"_s.arg(name.size()).arg(longestPath()));
    struct stat found { };
    if (::stat(name.constData(), &found) != 0)
        return fail(Fault::Offline, u"There is no control socket %1."_s.arg(path), systemText());
    if (!S_ISSOCK(found.st_mode) || found.st_uid != ::geteuid())
        return fail(Fault::Invalid, u"%1 is not a control socket of yours."_s.arg(path));
    Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.constData(), static_cast<size_t>(name.size()));
    if (!socket.isValid() || ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return fail(Fault::Offline, u"No ssh connection listens at %1."_s.arg(path), systemText());
    if (!isOwnPeer(socket.get()))
        return fail(Fault::Invalid, u"%1 is served by another user."_s.arg(path));
    return socket;
}

MuxSocket::MuxSocket(Descriptor socket, QObject* parent) : QObject(parent), m_socket(std::move(socket))
{
    setNonBlocking(m_socket.get());
    m_readable = std::make_unique<QSocketNotifier>(m_socket.get(), QSocketNotifier::Read);
    m_writable = std::make_unique<QSocketNotifier>(m_socket.get(), QSocketNotifier::Write);
    m_writable->setEnabled(false);
    connect(m_readable.get(), &QSocketNotifier::activated, this, &MuxSocket::read);
    connect(m_writable.get(), &QSocketNotifier::activated, this, &MuxSocket::write);
}

MuxSocket::~MuxSocket() { close(); }

void MuxSocket::close()
{
    for (std::unique_ptr<QSocketNotifier>* notifier : {&m_readable, &m_writable}) {
        if (!*notifier)
            continue;
        (*notifier)->setEnabled(false); // it may be the sender of what led here
        (*notifier).release()->deleteLater();
    }
    m_socket.reset();
    m_outgoing.clear();
    m_received.clear();
}

void MuxSocket::end()
{
    if (!m_socket.isValid())
        return;
    close();
    emit ended();
}

void MuxSocket::send(const QByteArray& packet, std::vector<Descriptor> descriptors)
{
    if (!m_socket.isValid())
        return;
    m_outgoing.push_back({packet, std::move(descriptors)});
    m_writable->setEnabled(true);
}

void MuxSocket::closeAfterSending()
{
    if (!m_socket.isValid())
        return;
    m_closing = true;
    m_writable->setEnabled(true);
}

void MuxSocket::read()
{
    const QPointer<MuxSocket> self(this);
    for (int turn = 0; turn < packetsAtOnce; ++turn) {
        const bool isMore = m_expected > 0 ? readDescriptor() : readPacket();
        if (!self || !isMore || !m_socket.isValid())
            return;
    }
}

/// Never more than what is left of one packet: what follows may be a descriptor's byte.
bool MuxSocket::readPacket()
{
    constexpr qsizetype head = sizeof(quint32);
    qsizetype whole = head;
    if (m_packet.size() >= head)
        whole += qFromBigEndian<quint32>(m_packet.constData());
    const qsizetype had = m_packet.size();
    m_packet.resize(whole);
    const ssize_t count = ::recv(m_socket.get(), m_packet.data() + had, static_cast<size_t>(whole - had), 0);
    m_packet.resize(had + (count > 0 ? count : 0));
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return errno == EINTR;
    if (count <= 0) {
        end();
        return false;
    }
    if (m_packet.size() < head)
        return true;
    const auto length = qFromBigEndian<quint32>(m_packet.constData());
    if (length < head || length > muxLongest) {
        end();
        return false;
    }
    if (m_packet.size() == head + qsizetype(length)) {
        const QByteArray body = std::exchange(m_packet, {}).mid(head);
        emit packetArrived(body);
    }
    return true;
}

bool MuxSocket::readDescriptor()
{
    char byte = 0;
    iovec piece{&byte, 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    const ssize_t count = ::recvmsg(m_socket.get(), &message, MSG_CMSG_CLOEXEC);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return errno == EINTR;
    const cmsghdr* header = count > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
    if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS
        || header->cmsg_len != CMSG_LEN(sizeof(int))) {
        end();
        return false;
    }
    int received = -1;
    std::memcpy(&received, CMSG_DATA(header), sizeof received);
    m_received.emplace_back(received);
    if (--m_expected == 0)
        emit descriptorsArrived();
    return true;
}

void MuxSocket::write()
{
    while (!m_outgoing.empty()) {
        Outgoing& next = m_outgoing.front();
        if (!next.bytes.isEmpty()) {
            const ssize_t count
                = ::send(m_socket.get(), next.bytes.constData(), static_cast<size_t>(next.bytes.size()), MSG_NOSIGNAL);
            if (count < 0 && errno == EINTR)
                continue;
            if (count < 0 && errno == EAGAIN)
                return;
            if (count < 0) { // why is known when it is read from: a farewell may wait there
                m_outgoing.clear();
                break;
            }
            next.bytes.remove(0, count);
        } else if (!next.descriptors.empty()) {
            if (!writeDescriptor(next.descriptors.front().get())) {
                if (errno == EINTR)
                    continue;
                if (errno == EAGAIN)
                    return;
                m_outgoing.clear();
                break;
            }
            next.descriptors.erase(next.descriptors.begin());
        } else {
            m_outgoing.pop_front();
        }
    }
    m_writable->setEnabled(false);
    if (m_closing)
        end();
}

bool MuxSocket::writeDescriptor(int descriptor)
{
    char byte = 0;
    iovec piece{&byte, 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    return ::sendmsg(m_socket.get(), &message, MSG_NOSIGNAL) == 1;
}

} // namespace rankwright
