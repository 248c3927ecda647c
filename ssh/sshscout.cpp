// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshscout.h"

#include "ssh/agentfilter.h"
#include "ssh/hostcertificate.h"
#include "ssh/hostkey.h"
#include "ssh/sshidentity.h"
#include "ssh/sshposix.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int connectMs = 6000; // for each address, as a person waits for it
constexpr long sessionSeconds = 12;
constexpr qsizetype mostAddresses = 8;
constexpr qint64 mostKeyBytes = 256 * 1024;

struct FreeAddresses {
    void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

QString addressText(const addrinfo& one)
{
    char host[NI_MAXHOST];
    return ::getnameinfo(one.ai_addr, one.ai_addrlen, host, sizeof host, nullptr, 0, NI_NUMERICHOST) == 0
        ? QString::fromLatin1(host)
        : QString();
}

/// Empty: `why` says why not.
Descriptor connectTo(const addrinfo& one, QString* why)
{
    Descriptor socket(::socket(one.ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket.isValid()) {
        *why = systemText(errno);
        return {};
    }
    setNonBlocking(socket.get());
    if (::connect(socket.get(), one.ai_addr, one.ai_addrlen) == 0)
        return socket;
    if (errno != EINPROGRESS) {
        *why = systemText(errno);
        return {};
    }
    pollfd entry = {socket.get(), POLLOUT, 0};
    if (::poll(&entry, 1, connectMs) <= 0) {
        *why = u"no answer within %1 s"_s.arg(connectMs / 1000);
        return {};
    }
    int failure = 0;
    socklen_t size = sizeof failure;
    ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &failure, &size);
    if (failure != 0) {
        *why = systemText(failure);
        return {};
    }
    return socket;
}

Descriptor reach(const SshEndpoint& endpoint, HostScouting& seen)
{
    addrinfo hints = {};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_family = AF_UNSPEC;
    addrinfo* raw = nullptr;
    const int rc = ::getaddrinfo(
        endpoint.host.toUtf8().constData(), QByteArray::number(endpoint.port).constData(), &hints, &raw);
    const Addresses list(raw);
    if (rc != 0) {
        seen.nameFailure = QString::fromLocal8Bit(rc == EAI_SYSTEM ? ::strerror(errno) : ::gai_strerror(rc));
        return {};
    }
    QStringList failures;
    for (const addrinfo* one = list.get(); one && seen.addresses.size() < mostAddresses; one = one->ai_next)
        seen.addresses << addressText(*one);
    qsizetype tried = 0;
    for (const addrinfo* one = list.get(); one && tried < mostAddresses; one = one->ai_next, ++tried) {
        QString why;
        Descriptor socket = connectTo(*one, &why);
        if (socket.isValid()) {
            seen.answered = true;
            return socket;
        }
        failures << why;
    }
    failures.removeDuplicates();
    seen.portFailure = failures.join(u", "_s);
    return {};
}

HostScouting::KeyVerdict verdictOn(
    ssh_session session, const PresentedKey& key, const SshEndpoint& endpoint, HostScouting& seen)
{
    using Verdict = HostScouting::KeyVerdict;
    if (const auto revoked = revokedBy(key, endpoint)) {
        seen.refusal = *revoked;
        return Verdict::Refused;
    }
    const QList<KnownKey> known = knownKeys(knownHostsFiles(endpoint), endpoint.keyName());
    const HostKeyVerdict verdict = verifyHostKey(key, known, endpoint);
    if (verdict.kind == HostKeyVerdict::Kind::Trusted)
        return Verdict::Known;
    const bool isRevoked = std::any_of(known.cbegin(), known.cend(),
        [&key](const KnownKey& each) { return each.revoked && each.fingerprint == key.fingerprint; });
    if (hasAuthority(known) && !isRevoked) {
        const AuthorityVerdict said = askAuthority(ssh_get_fd(session), key, known, endpoint);
        if (said.kind == AuthorityVerdict::Kind::Proven)
            return Verdict::Known;
        if (said.kind == AuthorityVerdict::Kind::Refused) {
            seen.refusal = {Fault::HostKeyRefused, u"The host certificate of %1 does not hold."_s.arg(endpoint.host),
                said.why, u"Do not go on. Tell the operators; they have to renew the host's certificate."_s};
            return Verdict::Refused;
        }
    }
    if (verdict.kind == HostKeyVerdict::Kind::Refused) {
        seen.refusal = verdict.refusal;
        return Verdict::Refused;
    }
    return endpoint.published.contains(key.fingerprint) ? Verdict::Published : Verdict::New;
}

QStringList methodWords(int methods)
{
    QStringList words;
    for (const auto& [bit, word] : {std::pair{SSH_AUTH_METHOD_PUBLICKEY, u"publickey"_s},
             {SSH_AUTH_METHOD_INTERACTIVE, u"keyboard-interactive"_s}, {SSH_AUTH_METHOD_PASSWORD, u"password"_s},
             {SSH_AUTH_METHOD_GSSAPI_MIC, u"gssapi-with-mic"_s}, {SSH_AUTH_METHOD_HOSTBASED, u"hostbased"_s}}) {
        if (methods & bit)
            words << word;
    }
    return words;
}

void inspect(const SshEndpoint& endpoint, Descriptor socket, HostScouting& seen)
{
    const SshSessionHandle handle(ssh_new());
    ssh_session session = handle.get();
    if (!session) {
        seen.failure = u"no memory for an SSH session"_s;
        return;
    }
    const bool readConfiguration = false;
    const long timeout = sessionSeconds;
    socket_t fd = socket.get();
    ssh_options_set(session, SSH_OPTIONS_PROCESS_CONFIG, &readConfiguration);
    ssh_options_set(session, SSH_OPTIONS_HOST, endpoint.host.toUtf8().constData());
    ssh_options_set(session, SSH_OPTIONS_PORT_STR, QByteArray::number(endpoint.port).constData());
    ssh_options_set(session, SSH_OPTIONS_TIMEOUT, &timeout);
    if (!endpoint.user.isEmpty())
        ssh_options_set(session, SSH_OPTIONS_USER, endpoint.user.toUtf8().constData());
    const QByteArray order = preferredAlgorithms(knownKeys(knownHostsFiles(endpoint), endpoint.keyName()));
    if (!order.isEmpty())
        ssh_options_set(session, SSH_OPTIONS_HOSTKEYS, order.constData());
    ssh_options_set(session, SSH_OPTIONS_FD, &fd);
    socket.release(); // the session closes it
    const int rc = ssh_connect(session);
    seen.software = printableLine(ssh_get_serverbanner(session), 200);
    if (rc != SSH_OK) {
        seen.failure = libraryText(session);
        return;
    }
    const auto key = presentedKey(session);
    if (!key) {
        seen.failure = key.error().oneLine();
        return;
    }
    seen.keyType = key->type;
    seen.fingerprint = key->fingerprint;
    seen.verdict = verdictOn(session, *key, endpoint, seen);
    if (seen.verdict == HostScouting::KeyVerdict::Refused)
        return; // not even the user's name goes there
    const int answer = ssh_userauth_none(session, nullptr);
    if (answer == SSH_AUTH_SUCCESS)
        seen.methods = {u"none"_s};
    else if (answer == SSH_AUTH_DENIED)
        seen.methods = methodWords(ssh_userauth_list(session, nullptr));
    else
        seen.failure = libraryText(session);
    const SshTextHandle banner(ssh_get_issue_banner(session));
    seen.banner = printableText(banner.get());
}

} // namespace

HostScouting scoutHost(const SshEndpoint& endpoint)
{
    const SshEndpoint& first = endpoint.jumps.isEmpty() ? endpoint : endpoint.jumps.first();
    HostScouting seen;
    seen.host = first.host;
    seen.port = first.port;
    seen.isGateway = !endpoint.jumps.isEmpty();
    Descriptor socket = reach(first, seen);
    if (socket.isValid())
        inspect(first, std::move(socket), seen);
    return seen;
}

std::optional<KeyFile> readKeyFile(const QString& path, const QStringList& certificates)
{
    const QFileInfo info(path);
    QFile file(path);
    if (!info.isFile())
        return std::nullopt;
    KeyFile key;
    key.path = path;
    const auto others = QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther;
    key.readByOthers = (info.permissions() & others) != 0;
    if (file.open(QIODevice::ReadOnly)) {
        QByteArray text = file.read(mostKeyBytes);
        key.isEncrypted = isEncryptedKey(text);
        text.fill('\0'); // the key itself, where no passphrase locks it
    }
    QFile pub(path + u".pub"_s);
    if (QFileInfo(pub.fileName()).isFile() && pub.open(QIODevice::ReadOnly)) {
        const QByteArray line = pub.read(mostKeyBytes).split('\n').constFirst().trimmed();
        key.type = publicKeyType(line);
        if (!key.type.isEmpty())
            key.publicLine = line;
    }
    key.certificate = readIdentity(path, certificates).certified;
    return key;
}

QList<KeyFile> keyFilesFor(const SshEndpoint& endpoint)
{
    QList<KeyFile> keys;
    QStringList paths = identityFiles(endpoint);
    if (endpoint.identities.isEmpty())
        paths += tokenKeyFiles();
    for (const QString& path : std::as_const(paths)) {
        if (const auto key = readKeyFile(path, endpoint.certificates))
            keys << *key;
    }
    return keys;
}

std::optional<int> agentKeyCount(const SshEndpoint& endpoint)
{
    const QString socket
        = endpoint.agentSocket.isEmpty() ? qEnvironmentVariable("SSH_AUTH_SOCK") : endpoint.agentSocket;
    if (socket.isEmpty() || socket == u"none")
        return std::nullopt;
    return AgentFilter::countKeys(socket);
}

} // namespace rankwright
