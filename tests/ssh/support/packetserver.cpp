// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/support/packetserver.h"

#include "tests/ssh/support/sshclient.h"

#include <QCryptographicHash>
#include <QMessageAuthenticationCode>
#include <QRandomGenerator>
#include <QtEndian>

#include <openssl/evp.h>

#include <chrono>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

namespace rankwright::test {

using namespace Qt::StringLiterals;

namespace wire {

QByteArray number(quint32 value)
{
    QByteArray bytes(4, '\0');
    qToBigEndian(value, bytes.data());
    return bytes;
}

QByteArray text(const QByteArray& bytes) { return number(quint32(bytes.size())) + bytes; }

} // namespace wire

namespace {

// RFC 4253, section 12
constexpr quint8 msgServiceRequest = 5;
constexpr quint8 msgServiceAccept = 6;
constexpr quint8 msgKexInit = 20;
constexpr quint8 msgNewKeys = 21;
constexpr quint8 msgKexReply = 31;
constexpr quint8 msgAuthRequest = 50;
constexpr quint8 msgAuthSuccess = 52;
constexpr quint8 msgChannelOpen = 90;
constexpr quint8 msgChannelConfirm = 91;
constexpr quint8 msgChannelRequest = 98;
constexpr quint8 msgChannelSuccess = 99;
constexpr int macBytes = 32;

struct KeyFree {
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
using Key = std::unique_ptr<EVP_PKEY, KeyFree>;
struct CipherFree {
    void operator()(EVP_CIPHER_CTX* cipher) const { EVP_CIPHER_CTX_free(cipher); }
};
using Cipher = std::unique_ptr<EVP_CIPHER_CTX, CipherFree>;

QByteArray publicBytes(EVP_PKEY* key)
{
    QByteArray bytes(32, '\0');
    size_t length = 32;
    EVP_PKEY_get_raw_public_key(key, reinterpret_cast<unsigned char*>(bytes.data()), &length);
    return bytes;
}

QByteArray sharedSecret(EVP_PKEY* own, const QByteArray& theirs)
{
    const Key peer(EVP_PKEY_new_raw_public_key(
        EVP_PKEY_X25519, nullptr, reinterpret_cast<const unsigned char*>(theirs.constData()), size_t(theirs.size())));
    EVP_PKEY_CTX* context = EVP_PKEY_CTX_new(own, nullptr);
    QByteArray secret(32, '\0');
    size_t length = 32;
    EVP_PKEY_derive_init(context);
    if (peer && EVP_PKEY_derive_set_peer(context, peer.get()) == 1)
        EVP_PKEY_derive(context, reinterpret_cast<unsigned char*>(secret.data()), &length);
    EVP_PKEY_CTX_free(context);
    return secret;
}

QByteArray signedBy(EVP_PKEY* key, const QByteArray& text)
{
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    QByteArray signature(64, '\0');
    size_t length = 64;
    EVP_DigestSignInit(context, nullptr, nullptr, nullptr, key);
    EVP_DigestSign(context, reinterpret_cast<unsigned char*>(signature.data()), &length,
        reinterpret_cast<const unsigned char*>(text.constData()), size_t(text.size()));
    EVP_MD_CTX_free(context);
    return signature;
}

QByteArray sha256(const QByteArray& bytes) { return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256); }

/// RFC 4251, section 5: no superfluous zeros, one where the first bit is set.
QByteArray bigNumber(QByteArray bytes)
{
    while (!bytes.isEmpty() && bytes.front() == '\0')
        bytes.remove(0, 1);
    if (!bytes.isEmpty() && (bytes.front() & 0x80))
        bytes.prepend('\0');
    return wire::text(bytes);
}

Cipher cipherOf(const QByteArray& key, const QByteArray& start)
{
    Cipher cipher(EVP_CIPHER_CTX_new());
    EVP_EncryptInit_ex(cipher.get(), EVP_aes_128_ctr(), nullptr,
        reinterpret_cast<const unsigned char*>(key.constData()),
        reinterpret_cast<const unsigned char*>(start.constData()));
    return cipher;
}

/// In counter mode both ways are the same.
QByteArray turned(EVP_CIPHER_CTX* cipher, const QByteArray& bytes)
{
    QByteArray result(bytes.size(), '\0');
    int length = 0;
    EVP_EncryptUpdate(cipher, reinterpret_cast<unsigned char*>(result.data()), &length,
        reinterpret_cast<const unsigned char*>(bytes.constData()), int(bytes.size()));
    return result;
}

QByteArray random(int count)
{
    QByteArray bytes(count, '\0');
    for (char& byte : bytes)
        byte = char(QRandomGenerator::global()->bounded(256));
    return bytes;
}

QByteArray kexInit()
{
    QByteArray init = wire::message(msgKexInit, random(16));
    for (const char* names : {"curve25519-sha256", "ssh-ed25519", "aes128-ctr", "aes128-ctr", "hmac-sha2-256",
             "hmac-sha2-256", "none", "none", "", ""})
        init += wire::text(names);
    return init + '\0' + wire::number(0);
}

} // namespace

struct PacketKeys {
    Key host{EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519")};
    QByteArray blob() const { return wire::text("ssh-ed25519") + wire::text(publicBytes(host.get())); }
};

struct PacketPeer::Private {
    Descriptor socket;
    const PacketKeys* keys;
    const std::atomic<bool>& quit;
    QByteArray clientVersion = {};
    quint32 sent = 0;
    quint32 received = 0;
    Cipher toClient = {};
    Cipher fromClient = {};
    QByteArray toClientMac = {};
    QByteArray fromClientMac = {};
    QByteArray sessionId = {};
    PacketKeys otherKeys = {};
};

static constexpr const char* serverVersion = "SSH-2.0-Packets_1";

PacketPeer::PacketPeer(Descriptor socket, const PacketKeys& keys, const std::atomic<bool>& quit)
    : d(new Private{std::move(socket), &keys, quit})
{ }

PacketPeer::~PacketPeer() = default;

bool PacketPeer::pause(int ms) const
{
    for (int waited = 0; waited < ms && !d->quit; waited += 10)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return !d->quit;
}

bool PacketPeer::sendRaw(const QByteArray& bytes)
{
    qsizetype done = 0;
    while (done < bytes.size() && !d->quit) {
        pollfd entry{d->socket.get(), POLLOUT, 0};
        if (::poll(&entry, 1, 50) <= 0)
            continue;
        const auto count = ::send(
            d->socket.get(), bytes.constData() + done, size_t(bytes.size() - done), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count <= 0)
            return false;
        done += count;
    }
    return done == bytes.size();
}

bool PacketPeer::send(const QByteArray& payload)
{
    if (packetsLeft == 0) {
        reset();
        return false;
    }
    if (packetsLeft > 0)
        --packetsLeft;
    const int block = d->toClient ? 16 : 8;
    int padding = block - int((5 + payload.size()) % block);
    if (padding < 4)
        padding += block;
    QByteArray packet
        = wire::number(quint32(payload.size() + padding + 1)) + char(padding) + payload + QByteArray(padding, 'p');
    const QByteArray counted = wire::number(d->sent++) + packet;
    if (d->toClient)
        packet = turned(d->toClient.get(), packet)
            + QMessageAuthenticationCode::hash(counted, d->toClientMac, QCryptographicHash::Sha256);
    return sendRaw(packet);
}

bool PacketPeer::readExactly(qsizetype count, QByteArray* into)
{
    into->clear();
    for (int waited = 0; into->size() < count && waited < longWaitMs && !d->quit;) {
        pollfd entry{d->socket.get(), POLLIN, 0};
        if (::poll(&entry, 1, 50) <= 0) {
            waited += 50;
            continue;
        }
        QByteArray chunk(count - into->size(), '\0');
        const auto got = ::recv(d->socket.get(), chunk.data(), size_t(chunk.size()), 0);
        if (got <= 0)
            return false;
        into->append(chunk.constData(), got);
    }
    return into->size() == count;
}

QByteArray PacketPeer::readLine()
{
    QByteArray line;
    QByteArray one;
    while (line.size() < 1000 && readExactly(1, &one) && one != "\n")
        line += one;
    return line.trimmed();
}

QByteArray PacketPeer::readPacket()
{
    const int block = d->fromClient ? 16 : 8;
    QByteArray first;
    if (!readExactly(block, &first))
        return {};
    if (d->fromClient)
        first = turned(d->fromClient.get(), first);
    const auto length = qsizetype(qFromBigEndian<quint32>(first.constData()));
    if (length > 1 << 20 || length < block - 4)
        return {};
    QByteArray rest;
    if (!readExactly(length + 4 - block, &rest))
        return {};
    if (d->fromClient) {
        rest = turned(d->fromClient.get(), rest);
        QByteArray mac; // a client of ours: not checked
        if (!readExactly(macBytes, &mac))
            return {};
    }
    ++d->received;
    const QByteArray packet = first + rest;
    return packet.mid(5, length - 1 - quint8(packet.at(4)));
}

QByteArray PacketPeer::receive() { return readPacket(); }

QByteArray PacketPeer::receive(quint8 kind)
{
    while (true) {
        const QByteArray payload = receive();
        if (payload.isEmpty() || quint8(payload.front()) == kind)
            return payload;
    }
}

bool PacketPeer::greet()
{
    if (!sendRaw(QByteArray(serverVersion) + "\r\n"))
        return false;
    d->clientVersion = readLine();
    return !d->clientVersion.isEmpty();
}

bool PacketPeer::exchangeKeys(const std::function<bool(quint8 kind)>& step)
{
    const auto isDone = [&step](quint8 kind) { return step && step(kind); };
    const QByteArray ourInit = kexInit();
    if (!isDone(msgKexInit) && !send(ourInit))
        return false;
    const QByteArray theirInit = receive(msgKexInit);
    const QByteArray begin = receive(30);
    if (begin.size() < 37)
        return false;
    const QByteArray theirs = begin.mid(5, 32);
    const Key own(EVP_PKEY_Q_keygen(nullptr, nullptr, "X25519"));
    const QByteArray secret = bigNumber(sharedSecret(own.get(), theirs));
    const QByteArray hash
        = sha256(wire::text(d->clientVersion) + wire::text(serverVersion) + wire::text(theirInit) + wire::text(ourInit)
            + wire::text(d->keys->blob()) + wire::text(theirs) + wire::text(publicBytes(own.get())) + secret);
    if (d->sessionId.isEmpty())
        d->sessionId = hash;
    const QByteArray signature = wire::text("ssh-ed25519") + wire::text(signedBy(d->keys->host.get(), hash));
    if (!isDone(msgKexReply)
        && !send(wire::message(
            msgKexReply, wire::text(d->keys->blob()) + wire::text(publicBytes(own.get())) + wire::text(signature))))
        return false;
    if (!isDone(msgNewKeys) && !send(wire::message(msgNewKeys)))
        return false;
    const auto derived = [&](char letter) { return sha256(secret + hash + letter + d->sessionId); };
    d->toClient = cipherOf(derived('D').left(16), derived('B').left(16));
    d->toClientMac = derived('F');
    if (receive(msgNewKeys).isEmpty())
        return false;
    d->fromClient = cipherOf(derived('C').left(16), derived('A').left(16));
    d->fromClientMac = derived('E');
    return true;
}

bool PacketPeer::untilLogin()
{
    return greet() && exchangeKeys() && !receive(msgServiceRequest).isEmpty()
        && send(wire::message(msgServiceAccept, wire::text("ssh-userauth"))) && !receive(msgAuthRequest).isEmpty();
}

bool PacketPeer::untilOnline() { return untilLogin() && send(wire::message(msgAuthSuccess)); }

std::optional<quint32> PacketPeer::untilCommand(quint32 window)
{
    if (!untilOnline())
        return std::nullopt;
    const QByteArray open = receive(msgChannelOpen);
    if (open.size() < 16)
        return std::nullopt;
    const auto channel = qFromBigEndian<quint32>(open.constData() + 1 + 4 + 7); // after "session"
    if (!send(wire::message(
            msgChannelConfirm, wire::number(channel) + wire::number(0) + wire::number(window) + wire::number(32768))))
        return std::nullopt;
    if (receive(msgChannelRequest).isEmpty() || !send(wire::message(msgChannelSuccess, wire::number(channel))))
        return std::nullopt;
    return channel;
}

void PacketPeer::reset()
{
    const linger now{1, 0};
    ::setsockopt(d->socket.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    d->socket.reset();
}

void PacketPeer::changeHostKey() { d->keys = &d->otherKeys; }

void PacketPeer::drain()
{
    QByteArray bytes(65536, '\0');
    while (!d->quit && d->socket.isValid()) {
        pollfd entry{d->socket.get(), POLLIN, 0};
        if (::poll(&entry, 1, 50) > 0 && ::recv(d->socket.get(), bytes.data(), size_t(bytes.size()), 0) <= 0)
            return;
    }
}

PacketServer::PacketServer(std::function<void(PacketPeer&)> script)
    : m_script(std::move(script)), m_keys(std::make_unique<PacketKeys>())
{
    m_listener.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    ::bind(m_listener.get(), reinterpret_cast<sockaddr*>(&address), length);
    ::listen(m_listener.get(), 16);
    ::getsockname(m_listener.get(), reinterpret_cast<sockaddr*>(&address), &length);
    m_port = ntohs(address.sin_port);
    m_thread = std::thread([this] { serve(); });
}

PacketServer::~PacketServer()
{
    m_quit = true;
    ::shutdown(m_listener.get(), SHUT_RDWR);
    m_thread.join();
}

SshEndpoint PacketServer::endpoint() const
{
    SshEndpoint endpoint;
    endpoint.host = u"127.0.0.1"_s;
    endpoint.port = m_port;
    endpoint.user = u"ada"_s;
    endpoint.knownHosts = m_folder.filePath(u"known_hosts"_s);
    endpoint.systemKnownHosts = QStringList();
    endpoint.agentSocket = u"none"_s;
    endpoint.identities = {m_folder.filePath(u"none"_s)};
    SshHome::write(
        endpoint.knownHosts, endpoint.keyName().toLatin1() + " ssh-ed25519 " + m_keys->blob().toBase64() + '\n');
    return endpoint;
}

void PacketServer::serve()
{
    while (!m_quit) {
        Descriptor caller(::accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (!caller.isValid())
            continue;
        const int on = 1;
        ::setsockopt(caller.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        PacketPeer peer(std::move(caller), *m_keys, m_quit);
        m_script(peer);
    }
}

} // namespace rankwright::test
