// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshidentity.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

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

bool SshIdentity::isOnToken() const { return publicKey && keyTypeName(publicKey.get()).startsWith(u"sk-"); }

QStringList tokenKeyFiles()
{
    QStringList files;
    const QDir folder(QDir::homePath() + u"/.ssh"_s);
    for (const QString& name : {u"id_ed25519_sk"_s, u"id_ecdsa_sk"_s}) {
        if (folder.exists(name))
            files << folder.filePath(name);
    }
    return files;
}

SshIdentity readIdentity(const QString& path, const QStringList& certificates)
{
    SshIdentity identity;
    identity.path = path;
    identity.publicKey = publicPart(path + u".pub"_s);
    if (!identity.publicKey)
        identity.publicKey = publicPart(path);
    const QByteArray blob = publicBlob(identity.publicKey.get());
    for (const QString& file : certificates + QStringList{path + u"-cert.pub"_s}) {
        const auto certified = readCertificateFile(file);
        const bool isBeside = file == path + u"-cert.pub"_s;
        if (!certified || (!isBeside && (blob.isEmpty() || certified->publicKey != blob)))
            continue;
        identity.certificate = publicPart(file);
        identity.certificateFile = file;
        identity.certified = certified;
        if (identity.certificate)
            break;
    }
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

std::optional<SshCertificate> readCertificateFile(const QString& file)
{
    QFile source(file);
    if (!QFileInfo(file).isFile() || !source.open(QIODevice::ReadOnly))
        return std::nullopt;
    return parseCertificateLine(source.read(512 * 1024).split('\n').constFirst());
}

} // namespace rankwright
