// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/agentfilter.h"

#include <QFile>
#include <QtEndian>

#include <cerrno>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace rankwright {

namespace {

// draft-miller-ssh-agent, section 5.1
constexpr char agentFailure = 5;
constexpr char listRequest = 11;
constexpr char identitiesAnswer = 12;
constexpr char signRequest = 13;
constexpr int touchMs = 150; // no token signs without a touch in so short a time
constexpr int questionMs = 1500; // an agent that asks no person has answered by then
constexpr quint32 longestMessage = 256 * 1024; // as OpenSSH and libssh limit it

bool waitFor(int fd, short events)
{
    pollfd entry = {fd, events, 0};
    while (::poll(&entry, 1, -1) < 0) {
        if (errno != EINTR)
            return false;
    }
    return (entry.revents & events) != 0;
}

bool answersWithin(int fd, int milliseconds)
{
    pollfd entry = {fd, POLLIN, 0};
    return ::poll(&entry, 1, milliseconds) != 0;
}

bool readAll(int fd, char* bytes, qsizetype count)
{
    while (count > 0) {
        if (!waitFor(fd, POLLIN))
            return false;
        const auto taken = ::recv(fd, bytes, static_cast<size_t>(count), MSG_DONTWAIT);
        if (taken == 0 || (taken < 0 && errno != EAGAIN && errno != EINTR))
            return false;
        if (taken > 0) {
            bytes += taken;
            count -= taken;
        }
    }
    return true;
}

bool writeAll(int fd, const QByteArray& message)
{
    for (qsizetype done = 0; done < message.size();) {
        if (!waitFor(fd, POLLOUT))
            return false;
        const auto written = ::send(
            fd, message.constData() + done, static_cast<size_t>(message.size() - done), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (written < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        done += qMax<qsizetype>(0, written);
    }
    return true;
}

QByteArray lengthPrefix(qsizetype length)
{
    QByteArray bytes(4, Qt::Uninitialized);
    qToBigEndian(static_cast<quint32>(length), bytes.data());
    return bytes;
}

/// The payload of the next message; empty when the other side is gone or sends nonsense.
QByteArray readMessage(int fd)
{
    char header[4];
    if (!readAll(fd, header, 4))
        return {};
    const auto length = qFromBigEndian<quint32>(header);
    if (length == 0 || length > longestMessage)
        return {};
    QByteArray payload(static_cast<qsizetype>(length), Qt::Uninitialized);
    return readAll(fd, payload.data(), payload.size()) ? payload : QByteArray();
}

/// Takes one length-prefixed string off the front.
std::optional<QByteArray> readString(QByteArray& rest)
{
    if (rest.size() < 4)
        return std::nullopt;
    const auto length = static_cast<qsizetype>(qFromBigEndian<quint32>(rest.constData()));
    if (length > rest.size() - 4)
        return std::nullopt;
    const QByteArray text = rest.mid(4, length);
    rest.remove(0, 4 + length);
    return text;
}

} // namespace

static Descriptor connectAgent(const QString& socketPath)
{
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    const QByteArray path = QFile::encodeName(socketPath);
    if (path.isEmpty() || path.size() >= static_cast<qsizetype>(sizeof address.sun_path))
        return {};
    std::memcpy(address.sun_path, path.constData(), static_cast<size_t>(path.size()));
    Descriptor agent(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!agent.isValid() || ::connect(agent.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return {};
    return agent;
}

std::optional<int> AgentFilter::countKeys(const QString& socketPath)
{
    const Descriptor agent = connectAgent(socketPath);
    const QByteArray request(1, listRequest);
    if (!agent.isValid() || !writeAll(agent.get(), lengthPrefix(1) + request) || !answersWithin(agent.get(), 3000))
        return std::nullopt;
    const QByteArray answer = readMessage(agent.get());
    if (answer.size() < 5 || answer.front() != identitiesAnswer)
        return std::nullopt;
    return static_cast<int>(qMin<quint32>(qFromBigEndian<quint32>(answer.constData() + 1), 10000));
}

std::unique_ptr<AgentFilter> AgentFilter::open(
    const QString& socketPath, const std::optional<QList<QByteArray>>& allowed, Watcher watcher)
{
    Descriptor agent = connectAgent(socketPath);
    if (!agent.isValid())
        return nullptr;
    auto [client, inner] = socketPair();
    if (!client.isValid())
        return nullptr;
    return std::unique_ptr<AgentFilter>(
        new AgentFilter(std::move(agent), std::move(client), std::move(inner), allowed, std::move(watcher)));
}

AgentFilter::AgentFilter(Descriptor agent, Descriptor client, Descriptor inner,
    const std::optional<QList<QByteArray>>& allowed, Watcher watcher)
    : m_agent(std::move(agent)), m_client(std::move(client)), m_inner(std::move(inner)),
      m_allowed(allowed.value_or(QList<QByteArray>())), m_watcher(std::move(watcher)), m_allowAll(!allowed)
{
    m_thread = std::thread([this] { serve(); });
}

AgentFilter::~AgentFilter()
{
    // Ends a read that waits, be it for libssh or for a touch of the user's token.
    ::shutdown(m_agent.get(), SHUT_RDWR);
    ::shutdown(m_inner.get(), SHUT_RDWR);
    m_thread.join();
}

void AgentFilter::serve()
{
    while (true) {
        const QByteArray request = readMessage(m_inner.get());
        if (request.isEmpty() || !writeAll(m_agent.get(), lengthPrefix(request.size()) + request))
            break;
        QByteArray answer = answerOf(request);
        if (answer.isEmpty())
            break;
        if (answer.front() == identitiesAnswer && answer.size() >= 5)
            m_listed = static_cast<int>(qMin<quint32>(qFromBigEndian<quint32>(answer.constData() + 1), 10000));
        if (!m_allowAll) {
            const std::optional<QByteArray> kept = filtered(answer, m_allowed);
            if (!kept)
                break;
            answer = *kept;
        }
        if (!writeAll(m_inner.get(), lengthPrefix(answer.size()) + answer))
            break;
    }
    ::shutdown(m_inner.get(), SHUT_RDWR); // libssh sees the end instead of waiting for an answer
}

/// Says on the way what the agent waits for.
QByteArray AgentFilter::answerOf(const QByteArray& request)
{
    if (request.front() != signRequest)
        return readMessage(m_agent.get());
    QByteArray rest = request.mid(1);
    const QByteArray blob = readString(rest).value_or(QByteArray());
    const bool onToken = blob.mid(4).startsWith("sk-"); // RFC 4253, 6.6: a key begins with its kind's name
    const bool waits = !answersWithin(m_agent.get(), onToken ? touchMs : questionMs);
    if (waits && m_watcher)
        m_watcher(onToken ? Waits::Touch : Waits::Question);
    const QByteArray answer = readMessage(m_agent.get());
    if (waits && m_watcher)
        m_watcher(Waits::Nothing);
    m_refused = m_refused || (!answer.isEmpty() && answer.front() == agentFailure);
    return answer;
}

std::optional<QByteArray> AgentFilter::filtered(const QByteArray& answer, const QList<QByteArray>& allowed)
{
    if (answer.isEmpty() || answer.front() != identitiesAnswer)
        return answer;
    if (answer.size() < 5)
        return std::nullopt;
    const auto count = qFromBigEndian<quint32>(answer.constData() + 1);
    QByteArray rest = answer.mid(5);
    QByteArray keys;
    qsizetype kept = 0;
    for (quint32 i = 0; i < count; ++i) {
        const std::optional<QByteArray> blob = readString(rest);
        const std::optional<QByteArray> comment = blob ? readString(rest) : std::nullopt;
        if (!comment)
            return std::nullopt;
        if (!allowed.contains(*blob))
            continue;
        keys += lengthPrefix(blob->size()) + *blob + lengthPrefix(comment->size()) + *comment;
        ++kept;
    }
    return answer.left(1) + lengthPrefix(kept) + keys;
}

} // namespace rankwright
