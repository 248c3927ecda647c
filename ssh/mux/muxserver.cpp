// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/mux/muxserver.h"

#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstring>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype mostGuests = 64;

/// Whoever may write in the folder could put another socket there. A sticky folder (/tmp) protects what is in it.
Result<void> checkFolder(const QString& folder)
{
    struct stat found { };
    if (::stat(QFile::encodeName(folder).constData(), &found) != 0 || !S_ISDIR(found.st_mode))
        return fail(Fault::Invalid, u"There is no folder %1 for the control socket."_s.arg(folder), {},
            u"Make it: mkdir -p -m 700 %1"_s.arg(folder));
    const bool isOwn = found.st_uid == ::geteuid() || found.st_uid == 0;
    const bool isOpen = (found.st_mode & (S_IWGRP | S_IWOTH)) && !(found.st_mode & S_ISVTX);
    if (!isOwn || isOpen)
        return fail(Fault::Invalid, u"Others may change the folder %1 of the control socket."_s.arg(folder), {},
            u"Choose a ControlPath in a folder of yours alone, such as ~/.ssh."_s);
    return {};
}

} // namespace

MuxServer::MuxServer(ClusterLink& link, QObject* parent) : QObject(parent), m_link(link) { }

MuxServer::~MuxServer()
{
    for (MuxGuest* guest : std::exchange(m_guests, {})) {
        guest->disconnect(this);
        delete guest;
    }
    if (m_socket.isValid())
        QFile::remove(m_path);
}

Result<void> MuxServer::check(const QString& path)
{
    const QByteArray name = QFile::encodeName(path);
    if (name.isEmpty() || name.size() > MuxSocket::longestPath() || name.contains('\0'))
        return fail(Fault::Invalid, u"“%1” cannot be the path of a control socket."_s.arg(path),
            u"%1 bytes, at most %2 are possible"_s.arg(name.size()).arg(MuxSocket::longestPath()),
            u"Use %C in the ControlPath: it is short."_s);
    if (const auto folder = checkFolder(QFileInfo(path).absolutePath()); !folder)
        return folder;
    const auto other = MuxSocket::connectTo(path);
    if (other)
        return fail(Fault::Invalid, u"A connection is shared at %1 already."_s.arg(path), {},
            u"End it with: ssh -O exit -S %1 -"_s.arg(path));
    struct stat found { };
    if (::lstat(name.constData(), &found) == 0 && (!S_ISSOCK(found.st_mode) || found.st_uid != ::geteuid()))
        return fail(Fault::Invalid, u"%1 is something else than a control socket of yours."_s.arg(path));
    return {};
}

Result<void> MuxServer::listen(const QString& path)
{
    if (const auto good = check(path); !good)
        return good;
    const QByteArray name = QFile::encodeName(path);
    ::unlink(name.constData()); // no process listens at it
    Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.constData(), static_cast<size_t>(name.size()));
    const mode_t before = ::umask(0177);
    const bool isBound
        = socket.isValid() && ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::umask(before);
    if (!isBound || ::listen(socket.get(), 64) != 0)
        return fail(Fault::Io, u"The control socket %1 cannot be made."_s.arg(path),
            QString::fromLocal8Bit(std::strerror(errno)));
    m_path = path;
    m_socket = std::move(socket);
    m_arriving = std::make_unique<QSocketNotifier>(m_socket.get(), QSocketNotifier::Read);
    connect(m_arriving.get(), &QSocketNotifier::activated, this, &MuxServer::accept);
    return {};
}

void MuxServer::accept()
{
    Descriptor socket(::accept4(m_socket.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket.isValid() || !MuxSocket::isOwnPeer(socket.get()) || m_guests.size() >= mostGuests)
        return;
    auto* guest = new MuxGuest(std::move(socket), m_link, this);
    m_guests.append(guest);
    connect(guest, &MuxGuest::exitAsked, this, &MuxServer::exitAsked);
    connect(guest, &MuxGuest::ended, this, [this, guest] {
        if (!m_guests.removeAll(guest))
            return;
        guest->deleteLater(); // we are inside its signal
        emit guestsChanged();
    });
    emit guestsChanged();
}

void MuxServer::updateSizes()
{
    for (MuxGuest* guest : std::as_const(m_guests))
        guest->updateSize();
}

} // namespace rankwright
