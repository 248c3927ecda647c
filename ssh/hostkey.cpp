// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/hostkey.h"

#include "models/core/logging.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QMessageAuthenticationCode>
#include <QProcess>
#include <QRandomGenerator>
#include <QSaveFile>
#include <QTemporaryFile>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

// ssh_config(5), UserKnownHostsFile and GlobalKnownHostsFile
const QStringList usualSystemFiles = {u"/etc/ssh/ssh_known_hosts"_s, u"/etc/ssh/ssh_known_hosts2"_s};

using EntryHandle = std::unique_ptr<ssh_knownhosts_entry, SshFree<ssh_knownhosts_entry_free>>;

/// Splits the marker ("@revoked") off and turns tabs, which OpenSSH accepts and libssh does not, into spaces.
QByteArray withoutMarker(const QByteArray& rawLine, QByteArray* marker)
{
    QByteArray line = rawLine;
    line.replace('\t', ' ');
    line = line.trimmed();
    if (line.startsWith('@')) {
        const qsizetype end = line.indexOf(' ');
        *marker = line.left(end);
        line = end < 0 ? QByteArray() : line.mid(end + 1).trimmed();
    }
    return line;
}

std::optional<KnownKey> readLine(const QByteArray& rawLine, const QByteArray& name)
{
    QByteArray marker;
    const QByteArray line = withoutMarker(rawLine, &marker);
    if (line.isEmpty() || line.startsWith('#')
        || (!marker.isEmpty() && marker != "@revoked" && marker != "@cert-authority"))
        return std::nullopt;
    ssh_knownhosts_entry* raw = nullptr;
    if (ssh_known_hosts_parse_line(name.constData(), line.constData(), &raw) != SSH_OK)
        return std::nullopt;
    const EntryHandle entry(raw);
    KnownKey key;
    key.type = keyTypeName(entry->publickey);
    key.fingerprint = fingerprint(entry->publickey);
    key.revoked = marker == "@revoked";
    key.authority = marker == "@cert-authority";
    return key;
}

QString place(const KnownKey& key) { return u"%1, line %2"_s.arg(QDir::toNativeSeparators(key.file)).arg(key.line); }

QString describe(const PresentedKey& presented, const QList<KnownKey>& known)
{
    QStringList lines = {u"Shown by the server: %1 %2"_s.arg(presented.type, presented.fingerprint)};
    for (const KnownKey& key : known)
        lines << u"On record: %1 %2 (%3)"_s.arg(key.type, key.fingerprint, place(key));
    return lines.join(u'\n');
}

QString howToRemove(const SshEndpoint& endpoint, const QList<KnownKey>& known)
{
    QStringList files;
    for (const KnownKey& key : known) {
        if (!files.contains(key.file))
            files << key.file;
    }
    QStringList commands;
    for (const QString& file : std::as_const(files))
        commands << u"ssh-keygen -R '%1' -f '%2'"_s.arg(endpoint.keyName(), file);
    return u"Ask the operators or look at their web page. Only if they confirm the new key, remove the old line in a "
           u"terminal and connect again: %1"_s.arg(commands.join(u" ; "_s));
}

HostKeyVerdict refused(const QString& what, const QString& detail, const QString& remedy)
{
    return {HostKeyVerdict::Kind::Refused, {Fault::HostKeyRefused, what, detail, remedy}};
}

HostKeyVerdict verdictOfUnknown(const PresentedKey& presented, const SshEndpoint& endpoint)
{
    if (endpoint.published.isEmpty() || endpoint.published.contains(presented.fingerprint)) {
        switch (endpoint.unknownHosts) {
        case UnknownHosts::Ask: return {HostKeyVerdict::Kind::Ask, {}};
        case UnknownHosts::AcceptNew: return {HostKeyVerdict::Kind::Remember, {}};
        case UnknownHosts::Refuse: break;
        }
        return refused(u"The host key of %1 is not on record, and StrictHostKeyChecking forbids to accept it."_s.arg(
                           endpoint.host),
            u"Shown by the server: %1 %2"_s.arg(presented.type, presented.fingerprint),
            u"Write its key into the known_hosts file, or change StrictHostKeyChecking in ~/.ssh/config."_s);
    }
    return refused(u"%1 does not show the host key that its operators publish."_s.arg(endpoint.host),
        u"Shown by the server: %1 %2\nPublished: %3"_s.arg(
            presented.type, presented.fingerprint, endpoint.published.join(u", "_s)),
        u"Somebody may be in between. Try another network and compare with the operators' web page; if they "
        u"have changed the key, connect once with ssh in a terminal."_s);
}

} // namespace

Result<PresentedKey> presentedKey(ssh_session session)
{
    ssh_key raw = nullptr;
    if (ssh_get_server_publickey(session, &raw) != SSH_OK)
        return fail(Fault::HostKeyRefused, u"The server showed no host key."_s, libraryText(session));
    const SshKeyHandle key(raw);
    char* base64 = nullptr;
    if (ssh_pki_export_pubkey_base64(key.get(), &base64) != SSH_OK)
        return fail(Fault::HostKeyRefused, u"The server's host key cannot be read."_s, libraryText(session));
    const SshTextHandle text(base64);
    return PresentedKey{keyTypeName(key.get()), fingerprint(key.get()), QByteArray(text.get())};
}

QStringList knownHostsFiles(const SshEndpoint& endpoint)
{
    QStringList files;
    if (endpoint.knownHosts.isEmpty())
        files << QDir::homePath() + u"/.ssh/known_hosts"_s << QDir::homePath() + u"/.ssh/known_hosts2"_s;
    else
        files << endpoint.knownHosts;
    return files + endpoint.otherKnownHosts + endpoint.systemKnownHosts.value_or(usualSystemFiles);
}

QList<KnownKey> knownKeys(const QStringList& files, const QString& name)
{
    QList<KnownKey> found;
    for (const QString& path : files) {
        QFile file(path);
        if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) // a pipe would be waited for
            continue;
        for (int number = 1; !file.atEnd(); ++number) {
            std::optional<KnownKey> key = readLine(file.readLine(), name.toUtf8());
            if (!key)
                continue;
            key->file = path;
            key->line = number;
            found << *key;
        }
    }
    return found;
}

HostKeyVerdict verifyHostKey(const PresentedKey& presented, const QList<KnownKey>& known, const SshEndpoint& endpoint)
{
    QList<KnownKey> same;
    QList<KnownKey> valid;
    for (const KnownKey& key : known) {
        if (key.authority) // signs certificates, and is not a host's own
            continue;
        if (key.fingerprint == presented.fingerprint)
            same << key;
        if (!key.revoked)
            valid << key;
    }
    for (const KnownKey& key : std::as_const(same)) {
        if (key.revoked)
            return refused(u"The host key of %1 is marked as revoked."_s.arg(endpoint.host), describe(presented, {key}),
                u"Do not connect. Ask the operators which key is theirs now."_s);
    }
    if (!same.isEmpty()) {
        if (!endpoint.published.isEmpty() && !endpoint.published.contains(presented.fingerprint))
            qCWarning(logSsh, "The key on record of %s is not among the published ones", qUtf8Printable(endpoint.host));
        return {HostKeyVerdict::Kind::Trusted, {}};
    }
    if (valid.isEmpty())
        return verdictOfUnknown(presented, endpoint);
    for (const KnownKey& key : std::as_const(valid)) {
        if (key.type == presented.type)
            return refused(
                u"The host key of %1 has changed. Somebody may be in between, or the operators have a new key."_s.arg(
                    endpoint.host),
                describe(presented, valid), howToRemove(endpoint, valid));
    }
    return refused(
        u"%1 shows a host key of another kind than the one on record. Somebody may be in between."_s.arg(endpoint.host),
        describe(presented, valid), howToRemove(endpoint, valid));
}

QByteArray preferredAlgorithms(const QList<KnownKey>& known)
{
    QList<QByteArray> order;
    const auto add = [&order](const QByteArray& algorithm) {
        if (!order.contains(algorithm))
            order << algorithm;
    };
    for (const KnownKey& key : known) {
        if (key.revoked || key.authority)
            continue;
        if (key.type == u"ssh-rsa") { // RFC 8332: the key type stays ssh-rsa, the signatures are SHA-2
            add("rsa-sha2-512");
            add("rsa-sha2-256");
        } else {
            add(key.type.toLatin1());
        }
    }
    if (order.isEmpty())
        return {};
    for (const char* rest : {"ssh-ed25519", "ecdsa-sha2-nistp521", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp256",
             "rsa-sha2-512", "rsa-sha2-256"})
        add(rest);
    return order.join(',');
}

static bool isInPlainFile(const QByteArray& bytes, const PresentedKey& presented, bool* readable)
{
    const QByteArray wanted = QByteArray::fromBase64(presented.base64);
    *readable = true;
    bool found = false;
    for (const QByteArray& rawLine : bytes.split('\n')) {
        const QByteArray line = rawLine.simplified();
        if (line.isEmpty() || line.startsWith('#'))
            continue;
        const QByteArrayList words = line.split(' ');
        const QByteArray key = QByteArray::fromBase64(words.value(1));
        // RFC 4253, 6.6: a key's bytes begin with the length of its kind's name and that name.
        if (key.mid(4, words.first().size()) != words.first())
            *readable = false;
        found = found || key == wanted;
    }
    return found;
}

/// ssh-keygen(1), -Q: ends with 0 when none of the keys is revoked, with 1 and "REVOKED" beside a key that is. Empty:
/// no such program, or no such list.
static std::optional<bool> isRevokedInKrl(const QString& krl, const PresentedKey& presented)
{
    QTemporaryFile file;
    if (!file.open() || file.write(presented.type.toLatin1() + ' ' + presented.base64 + '\n') < 0 || !file.flush())
        return std::nullopt;
    QProcess client;
    client.start(u"ssh-keygen"_s, {u"-Q"_s, u"-f"_s, krl, file.fileName()}, QIODevice::ReadOnly);
    if (!client.waitForFinished(5000) || client.exitStatus() != QProcess::NormalExit)
        return std::nullopt;
    if (client.exitCode() == 0)
        return false;
    return client.readAllStandardOutput().contains("REVOKED") ? std::optional(true) : std::nullopt;
}

std::optional<Error> revokedBy(const PresentedKey& presented, const SshEndpoint& endpoint)
{
    constexpr qint64 mostBytes = 64 << 20;
    const QString& path = endpoint.revokedHostKeys;
    if (path.isEmpty())
        return std::nullopt;
    QFile file(path);
    bool readable = QFileInfo(path).isFile() && file.size() <= mostBytes && file.open(QIODevice::ReadOnly);
    const QByteArray bytes = readable ? file.readAll() : QByteArray();
    const bool isKrl = bytes.startsWith(QByteArrayView("SSHKRL\n\0", 8));
    bool found = false;
    if (isKrl) {
        const std::optional<bool> revoked = isRevokedInKrl(path, presented);
        readable = revoked.has_value();
        found = revoked.value_or(false);
    } else if (readable) {
        found = isInPlainFile(bytes, presented, &readable);
    }
    if (found)
        return Error{Fault::HostKeyRefused, u"The host key of %1 is revoked."_s.arg(endpoint.host),
            u"Shown by the server: %1 %2\nRevokedHostKeys: %3"_s.arg(presented.type, presented.fingerprint, path),
            u"Do not connect. Ask the operators which key is theirs now."_s};
    if (!readable)
        return Error{Fault::HostKeyRefused,
            u"Whether the host key of %1 is revoked cannot be seen: the file of RevokedHostKeys cannot be read."_s.arg(
                endpoint.host),
            path, u"Check that file, or RevokedHostKeys in ~/.ssh/config."_s};
    return std::nullopt;
}

QByteArray hashedHostName(const QString& name, const QByteArray& salt)
{
    const QByteArray hash = QMessageAuthenticationCode::hash(name.toUtf8(), salt, QCryptographicHash::Sha1);
    return "|1|" + salt.toBase64() + '|' + hash.toBase64();
}

static QByteArray randomSalt()
{
    QByteArray salt(20, Qt::Uninitialized); // as long as the hash
    QRandomGenerator::system()->generate(salt.begin(), salt.end());
    return salt;
}

/// The file behind a chain of symbolic links, which may not exist yet.
static QString realFile(const QString& file)
{
    QString path = file;
    for (int i = 0; i < 40 && QFileInfo(path).isSymLink(); ++i)
        path = QFileInfo(path).symLinkTarget();
    return path;
}

static Result<void> cannotSave(const QString& file, const QString& why)
{
    return fail(Fault::Io, u"The host key cannot be saved."_s, u"%1: %2"_s.arg(file, why));
}

/// One attempt; false: somebody else wrote meanwhile.
static Result<bool> replaceWith(const QString& path, const QByteArray& line)
{
    QFile before(path);
    const bool isNew = !before.exists();
    if (!isNew && !before.open(QIODevice::ReadOnly))
        return fail(Fault::Io, before.errorString());
    const QFileInfo seen(path);
    const QByteArray old = isNew ? QByteArray() : before.readAll();
    QSaveFile after(path); // keeps the mode of a file that is there
    after.setDirectWriteFallback(true); // where the folder takes no new file
    if (!after.open(QIODevice::WriteOnly))
        return fail(Fault::Io, after.errorString());
    if (isNew)
        after.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    // A last line without its end would swallow ours.
    after.write(old + (old.isEmpty() || old.endsWith('\n') ? "" : "\n") + line);
    const QFileInfo now(path);
    if (now.exists() == isNew || (!isNew && (now.size() != seen.size() || now.lastModified() != seen.lastModified()))) {
        after.cancelWriting();
        return false;
    }
    if (!after.commit())
        return fail(Fault::Io, after.errorString());
    return true;
}

Result<void> rememberHostKey(const QString& file, const QString& name, const PresentedKey& key, HostNameForm form)
{
    constexpr int attempts = 5;
    constexpr int lockMs = 3000;
    const QString path = realFile(file);
    const QString folder = QFileInfo(path).absolutePath();
    const bool newFolder = !QFileInfo::exists(folder);
    if (newFolder && !QDir().mkpath(folder))
        return fail(Fault::Io, u"The folder %1 cannot be made."_s.arg(folder));
    if (newFolder)
        QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const QByteArray line = (form == HostNameForm::Hashed ? hashedHostName(name, randomSalt()) : name.toUtf8()) + ' '
        + key.type.toLatin1() + ' ' + key.base64 + '\n';
    if (QFileInfo::exists(path) && !QFileInfo(path).isFile()) { // "/dev/null": it is not to be saved
        QFile target(path);
        if (!target.open(QIODevice::WriteOnly | QIODevice::ExistingOnly | QIODevice::Unbuffered)
            || target.write(line) != line.size())
            return cannotSave(file, target.errorString());
        return {};
    }
    // Among ourselves; where no lock can be made, the attempts below see who else has written.
    QLockFile lock(path + u".lock"_s);
    lock.setStaleLockTime(lockMs);
    lock.tryLock(lockMs);
    for (int i = 0; i < attempts; ++i) {
        const Result<bool> done = replaceWith(path, line);
        if (!done)
            return cannotSave(file, done.error().what);
        if (*done)
            return {};
    }
    return cannotSave(file, u"it is being written by others"_s);
}

} // namespace rankwright
