// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshidentity.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

SshKeyHandle publicPart(const QString& file)
{
    ssh_key key = nullptr;
    if (!QFileInfo(file).isFile() || ssh_pki_import_pubkey_file(QFile::encodeName(file).constData(), &key) != SSH_OK)
        return {};
    return SshKeyHandle(key);
}

/// Called by libssh when a key file is encrypted. Never answers: the question has to travel to the GUI thread. Without
/// it OpenSSL would ask on the terminal.
int noteQuestion(const char*, char*, size_t, int, int, void* asked)
{
    *static_cast<bool*>(asked) = true;
    return -1;
}

} // namespace

QStringList identityFiles(const SshEndpoint& endpoint)
{
    if (!endpoint.identities.isEmpty())
        return endpoint.identities;
    QStringList files;
    const QDir folder(QDir::homePath() + u"/.ssh"_s);
    // ssh_config(5), IdentityFile, without the kinds that need a hardware token or that libssh cannot read
    for (const QString& name : {u"id_rsa"_s, u"id_ecdsa"_s, u"id_ed25519"_s}) {
        if (folder.exists(name))
            files << folder.filePath(name);
    }
    return files;
}

SshIdentity readIdentity(const QString& path)
{
    SshIdentity identity;
    identity.path = path;
    identity.publicKey = publicPart(path + u".pub"_s);
    if (!identity.publicKey)
        identity.publicKey = publicPart(path);
    identity.certificate = publicPart(path + u"-cert.pub"_s);
    return identity;
}

PrivateKey readPrivateKey(const SshIdentity& identity, const std::optional<Secret>& passphrase)
{
    ssh_key raw = nullptr;
    bool asked = false;
    const int rc = ssh_pki_import_privkey_file(QFile::encodeName(identity.path).constData(),
        passphrase ? passphrase->c_str() : nullptr, noteQuestion, &asked, &raw);
    PrivateKey result;
    if (rc != SSH_OK) {
        result.problem = asked || (passphrase && rc != SSH_EOF) ? PrivateKey::Problem::NeedsPassphrase
                                                                : PrivateKey::Problem::Unreadable;
        return result;
    }
    result.key.reset(raw);
    if (identity.certificate)
        ssh_pki_copy_cert_to_privkey(identity.certificate.get(), result.key.get());
    return result;
}

std::optional<QDateTime> certificateEnd(const QString& file)
{
    QFile source(file);
    if (!QFileInfo(file).isFile() || !source.open(QIODevice::ReadOnly))
        return std::nullopt;
    const QByteArrayList words = source.read(64 * 1024).simplified().split(' ');
    const QByteArray blob = QByteArray::fromBase64(words.value(1));
    qsizetype at = 0;
    const auto number = [&](int bytes) -> std::optional<quint64> {
        if (blob.size() - at < bytes)
            return std::nullopt;
        quint64 value = 0;
        for (int i = 0; i < bytes; ++i)
            value = (value << 8) | quint8(blob.at(at++));
        return value;
    };
    const auto skipText = [&] {
        const auto length = number(4);
        if (!length || qint64(*length) > blob.size() - at)
            return false;
        at += qsizetype(*length);
        return true;
    };
    // kind, nonce, the public key's own parts, then number, kind of certificate, name, principals, from, until
    static const QHash<QByteArray, int> keyParts{{"ssh-rsa-cert-v01@openssh.com", 2},
        {"ssh-ed25519-cert-v01@openssh.com", 1}, {"ecdsa-sha2-nistp256-cert-v01@openssh.com", 2},
        {"ecdsa-sha2-nistp384-cert-v01@openssh.com", 2}, {"ecdsa-sha2-nistp521-cert-v01@openssh.com", 2},
        {"sk-ssh-ed25519-cert-v01@openssh.com", 2}, {"sk-ecdsa-sha2-nistp256-cert-v01@openssh.com", 3}};
    const int parts = keyParts.value(words.value(0), -1);
    if (parts < 0)
        return std::nullopt;
    for (int i = 0; i < 2 + parts; ++i) {
        if (!skipText())
            return std::nullopt;
    }
    if (!number(8) || !number(4) || !skipText() || !skipText() || !number(8))
        return std::nullopt;
    const auto until = number(8);
    constexpr quint64 farAway = 253402300799ULL; // the year 9999
    if (!until || *until > farAway)
        return std::nullopt;
    return QDateTime::fromSecsSinceEpoch(qint64(*until), Qt::UTC);
}

} // namespace rankwright
