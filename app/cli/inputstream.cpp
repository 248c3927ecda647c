// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/inputstream.h"

#include <QElapsedTimer>
#include <QFile>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace rankwright {

QString inputName(const QString& path) { return path == u"-" ? u"standard input"_s : path; }

InputStream::~InputStream()
{
    if (m_isOwn)
        ::close(*m_descriptor);
}

Error InputStream::fault(int number) const
{
    return {Fault::Io, inputName(m_path) + u": cannot be read"_s, QString::fromLocal8Bit(std::strerror(number)),
        number == EISDIR ? u"check that it is a file"_s : u"check the path and its permissions"_s};
}

Result<void> InputStream::open()
{
    if (m_path == u"-") {
        m_descriptor = STDIN_FILENO;
        return {};
    }
    // O_NONBLOCK: to open a named pipe waits for its writer otherwise, and nothing could be said meanwhile.
    const int opened = ::open(QFile::encodeName(m_path).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (opened < 0)
        return fail(fault(errno));
    m_descriptor = opened;
    m_isOwn = true;
    struct stat what { };
    if (::fstat(opened, &what) != 0)
        return fail(fault(errno));
    if (S_ISDIR(what.st_mode))
        return fail(fault(EISDIR));
    m_awaitsWriter = S_ISFIFO(what.st_mode);
    return {};
}

Result<void> InputStream::awaitBytes()
{
    pollfd waiting{m_descriptor.value_or(-1), POLLIN, 0};
    while (::poll(&waiting, 1, -1) < 0) {
        if (errno != EINTR)
            return fail(fault(errno));
    }
    return {};
}

Result<QByteArray> InputStream::next(qsizetype largest)
{
    QByteArray piece(largest, Qt::Uninitialized);
    QElapsedTimer waited;
    waited.start();
    for (;;) {
        const ssize_t got = ::read(m_descriptor.value_or(-1), piece.data(), size_t(largest));
        if (got == 0 && m_awaitsWriter) { // perhaps not the end: the other side may not be open yet
            pollfd other{m_descriptor.value_or(-1), POLLIN, 0};
            if (::poll(&other, 1, 20) > 0) { // Linux reports POLLHUP only when somebody was there
                m_awaitsWriter = false;
                continue;
            }
            if (waited.elapsed() >= m_writerMs)
                return fail(Fault::Io, m_path + u": no process writes to this named pipe"_s,
                    u"waited %1 s"_s.arg(m_writerMs / 1000), u"start its writer first, or give a file"_s);
            continue;
        }
        if (got >= 0) {
            m_awaitsWriter = false;
            piece.truncate(got);
            return piece;
        }
        if (errno == EINTR)
            continue;
        if (errno != EAGAIN && errno != EWOULDBLOCK)
            return fail(fault(errno));
        m_awaitsWriter = false; // there is one, and it pauses
        if (const auto ready = awaitBytes(); !ready)
            return fail(ready.error());
    }
}

Result<QByteArray> InputStream::readAll(qsizetype largest)
{
    QByteArray all;
    for (;;) {
        const auto piece = next(1 << 18);
        if (!piece)
            return piece;
        if (piece->isEmpty())
            return all;
        all += *piece;
        if (all.size() > largest)
            return fail(Fault::Unreadable, inputName(m_path) + u": too large"_s,
                u"more than %1 MiB"_s.arg(largest >> 20), u"check that it is the right one"_s);
    }
}

} // namespace rankwright
