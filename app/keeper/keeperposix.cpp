// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Linux: SO_PEERCRED, accept4(), prctl(), /proc/self/fd. See keeperposix.h.
#include "app/keeper/keeperposix.h"

#include <QDir>
#include <QFile>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostWaiting = 128;

std::optional<sockaddr_un> addressOf(const QString& path)
{
    const QByteArray name = QFile::encodeName(path);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (name.isEmpty() || size_t(name.size()) >= sizeof address.sun_path)
        return std::nullopt;
    std::memcpy(address.sun_path, name.constData(), size_t(name.size()));
    return address;
}

Descriptor newSocket() { return Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)); }

} // namespace

quint32 ownUser() { return ::geteuid(); }

std::optional<quint32> peerUser(int socket)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || size != sizeof peer)
        return std::nullopt;
    return peer.uid;
}

std::optional<PathFacts> factsOf(const QString& path)
{
    struct stat facts { };
    if (::lstat(QFile::encodeName(path).constData(), &facts) != 0)
        return std::nullopt;
    return PathFacts{S_ISDIR(facts.st_mode), facts.st_uid, int(facts.st_mode & 07777)};
}

bool makePrivateFolder(const QString& path) { return ::mkdir(QFile::encodeName(path).constData(), S_IRWXU) == 0; }

bool fitsSocket(const QString& path) { return addressOf(path).has_value(); }

Result<Descriptor> listenAt(const QString& path)
{
    const auto address = addressOf(path);
    Descriptor socket = newSocket();
    const auto broken = [&path] {
        return fail(Fault::Io, u"No socket can be made at %1."_s.arg(path),
            QString::fromLocal8Bit(std::strerror(errno)), u"Check the folder's permissions and the disk."_s);
    };
    if (!address || !socket.isValid())
        return broken();
    ::unlink(address->sun_path); // of an agent that was killed: the lock is ours
    if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0)
        return broken();
    if (::chmod(address->sun_path, 0600) != 0 || ::listen(socket.get(), mostWaiting) != 0)
        return broken();
    return socket;
}

Descriptor acceptOne(int listener)
{
    return Descriptor(::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
}

Descriptor connectTo(const QString& path)
{
    const auto address = addressOf(path);
    Descriptor socket = newSocket();
    if (!address || !socket.isValid())
        return {};
    if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0)
        return {};
    return socket;
}

Descriptor acquireLock(const QString& path)
{
    Descriptor file(
        ::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
    if (!file.isValid() || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
        return {};
    return file;
}

void closeInherited()
{
    const QStringList open = QDir(u"/proc/self/fd"_s).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot);
    for (const QString& name : open) {
        const int fd = name.toInt();
        const int flags = fd > STDERR_FILENO ? ::fcntl(fd, F_GETFD) : -1;
        if (flags >= 0 && (flags & FD_CLOEXEC) == 0)
            ::close(fd);
    }
}

void forbidInspection() { ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

} // namespace rankwright
