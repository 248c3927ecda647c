// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/classroom/classsigner.h"

#include "models/core/jsonreader.h"
#include "models/teaching/classroom/classkey.h"
#include "models/teaching/classroom/classreader.h"
#include "models/teaching/classroom/shippedclasses.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QLockFile>
#include <QProcess>
#include <QRegularExpression>
#include <QSaveFile>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

const QString signatureSpace = u"rankwright-class"_s;
const QString signerName = u"teacher"_s;
constexpr int deadlineMs = 10'000;

struct Ended {
    int status = 0;
    QByteArray output, errors;
};

/// ssh-keygen with these words; no shell, and no question for a passphrase.
Result<Ended> keygen(const QStringList& words, const QByteArray& input = {})
{
    const QString program = QStandardPaths::findExecutable(u"ssh-keygen"_s);
    if (program.isEmpty())
        return fail(Fault::Io, u"ssh-keygen is not on this computer: class files cannot be signed or verified."_s, {},
            u"Install OpenSSH's client programs (8.1 or newer)."_s);
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"LC_ALL"_s, u"C"_s);
    environment.insert(u"SSH_ASKPASS_REQUIRE"_s, u"force"_s);
    environment.insert(u"SSH_ASKPASS"_s, u"/bin/false"_s);
    process.setProcessEnvironment(environment);
    process.start(program, words);
    if (process.waitForStarted(deadlineMs)) {
        process.write(input);
        process.closeWriteChannel();
        if (process.waitForFinished(deadlineMs) && process.exitStatus() == QProcess::NormalExit)
            return Ended{process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
        process.kill();
        process.waitForFinished(1000);
    }
    return fail(Fault::TimedOut, u"ssh-keygen did not answer within 10 s."_s, process.errorString(),
        u"Try again; if a key needs a passphrase, load it with ssh-add first."_s);
}

QString lastLine(const QByteArray& text) { return QString::fromUtf8(text.trimmed().split('\n').last()).left(300); }

bool writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

/// As ssh-keygen -l prints it: SHA-256 of the key's bytes, base64 without its end.
QString fingerprintOf(const QString& publicKey)
{
    const QByteArray blob = QByteArray::fromBase64(publicKey.section(u' ', 1, 1).toLatin1());
    const QByteArray hash = QCryptographicHash::hash(blob, QCryptographicHash::Sha256);
    return u"SHA256:"_s + QString::fromLatin1(hash.toBase64(QByteArray::OmitTrailingEquals));
}

QString pinName(const ClassFile& file) { return file.title.simplified() + u" / "_s + file.author.simplified(); }
QString pinPath(const QString& dataFolder) { return QDir(dataFolder).filePath(u"classkeys.json"_s); }

/// Error: the file is there and cannot be read; nothing is then taken for known, and nothing for new.
Result<QJsonObject> pins(const QString& dataFolder)
{
    QFile file(pinPath(dataFolder));
    if (!file.exists())
        return QJsonObject();
    const Error unreadable{Fault::Unreadable, u"The list of remembered class keys cannot be read."_s, file.fileName(),
        u"Check that file; remove it to start again: every class is then shown as new."_s};
    if (!file.open(QIODevice::ReadOnly) || file.size() > 4 * 1024 * 1024)
        return fail(unreadable);
    const auto known = parseJsonObject(file.readAll(), file.fileName());
    return known ? known : fail(unreadable);
}

Result<void> changePins(const QString& dataFolder, const std::function<void(QJsonObject&)>& change)
{
    QLockFile lock(pinPath(dataFolder) + u".lock"_s);
    lock.tryLock(deadlineMs);
    auto known = pins(dataFolder);
    if (!known)
        return fail(known.error());
    change(known.value());
    QSaveFile file(pinPath(dataFolder));
    if (!file.open(QIODevice::WriteOnly) || file.write(QJsonDocument(*known).toJson()) < 0 || !file.commit())
        return fail(Fault::Io, u"The class's key could not be remembered."_s, file.errorString(),
            u"Check the permissions of "_s + dataFolder);
    return {};
}

bool isShipped(const ClassFile& file)
{
    const QList<ShippedClass> classes = shippedClasses();
    return std::any_of(classes.cbegin(), classes.cend(),
        [&](const ShippedClass& shipped) { return classBytes(shipped.file) == classBytes(file); });
}

/// True: the signature belongs to these bytes and to the key that the file names.
Result<bool> signatureHolds(const ClassFile& file)
{
    const QTemporaryDir folder;
    const QString signers = folder.filePath(u"signers"_s);
    const QString signature = folder.filePath(u"signature"_s);
    const QByteArray allowed
        = (signerName + u" namespaces=\"%1\" "_s.arg(signatureSpace) + file.signature.key + u'\n').toLatin1();
    if (!folder.isValid() || !writeFile(signers, allowed) || !writeFile(signature, file.signature.armoured.toLatin1()))
        return fail(Fault::Io, u"A temporary file for verifying could not be written."_s, folder.errorString(),
            u"Check whether the disk is full."_s);
    const auto ended = keygen(
        {u"-Y"_s, u"verify"_s, u"-f"_s, signers, u"-I"_s, signerName, u"-n"_s, signatureSpace, u"-s"_s, signature},
        classBytes(file));
    if (!ended)
        return fail(ended.error());
    return ended->status == 0;
}

} // namespace

Result<ClassVerdict> verifyClass(const ClassFile& file, const QString& dataFolder)
{
    ClassVerdict verdict;
    if (isShipped(file)) {
        verdict.trust = ClassTrust::Shipped;
        return verdict;
    }
    if (file.signature.isEmpty()) {
        verdict.why = {Fault::Invalid, u"This class file is not signed, so nobody can tell who made it."_s, {},
            u"Ask the teacher to sign it (rankwright-cli class sign). As its teacher you can preview it."_s};
        return verdict;
    }
    verdict.fingerprint = fingerprintOf(file.signature.key);
    if (const QString fault = classKeyFault(file.signature.key); !fault.isEmpty()) {
        verdict.trust = ClassTrust::Broken;
        verdict.why = {Fault::Invalid, u"The key of this class file proves nothing: %1."_s.arg(fault),
            verdict.fingerprint, u"Ask the teacher for the file again, from a place that you both trust."_s};
        return verdict;
    }
    const auto holds = signatureHolds(file);
    if (!holds)
        return fail(holds.error());
    if (!*holds) {
        verdict.trust = ClassTrust::Broken;
        verdict.why = {Fault::Invalid,
            u"The signature does not belong to this class file: it was changed after it was signed."_s,
            verdict.fingerprint, u"Ask the teacher for the file again, from a place that you both trust."_s};
        return verdict;
    }
    const auto known = pins(dataFolder);
    if (!known)
        return fail(known.error());
    verdict.knownFingerprint = known->value(pinName(file)).toString();
    if (verdict.knownFingerprint.isEmpty()) {
        verdict.trust = ClassTrust::NewKey;
    } else if (verdict.knownFingerprint == verdict.fingerprint) {
        verdict.trust = ClassTrust::KnownKey;
    } else {
        verdict.trust = ClassTrust::ChangedKey;
        verdict.why = {Fault::Invalid,
            u"This class was signed by another key than before: “%1” of %2."_s.arg(file.title, file.author),
            u"remembered %1, now %2"_s.arg(verdict.knownFingerprint, verdict.fingerprint),
            u"Ask the teacher, not by the way the file came. If the key was really changed, forget the old one "
            u"deliberately and open the file again."_s};
    }
    return verdict;
}

Result<ClassFile> signClass(const ClassFile& file, const QString& keyFile)
{
    if (const auto fault = classFault(file))
        return fail(*fault);
    if (!QFileInfo(keyFile).isFile())
        return fail(Fault::Io, u"There is no key file "_s + keyFile, {},
            u"Name a private ed25519 key, or leave --key out: one is then made for you."_s);
    const QTemporaryDir folder;
    const QString content = folder.filePath(u"class"_s);
    ClassFile bare = unsignedClass(file);
    const QByteArray bytes = classBytes(bare);
    if (!folder.isValid() || !writeFile(content, bytes))
        return fail(Fault::Io, u"A temporary file for signing could not be written."_s, folder.errorString(),
            u"Check whether the disk is full."_s);
    const auto key = keygen({u"-y"_s, u"-f"_s, keyFile});
    QString publicKey = key && key->status == 0 ? QString::fromLatin1(key->output).simplified() : QString();
    if (publicKey.isEmpty()) { // it has a passphrase: the agent may hold it
        QFile beside(keyFile.endsWith(u".pub"_s) ? keyFile : keyFile + u".pub"_s);
        if (beside.open(QIODevice::ReadOnly))
            publicKey = QString::fromLatin1(beside.read(4000)).simplified();
    }
    publicKey = publicKey.section(u' ', 0, 1);
    if (!classKeyFault(publicKey).isEmpty())
        return fail(Fault::Invalid, u"%1 is not an ed25519 key that can be read without a passphrase."_s.arg(keyFile),
            key ? lastLine(key->errors) : key.error().what,
            u"Make one with ssh-keygen -t ed25519, or load the key with ssh-add and keep its .pub beside it."_s);
    const auto ended = keygen({u"-Y"_s, u"sign"_s, u"-f"_s, keyFile, u"-n"_s, signatureSpace, content});
    if (!ended)
        return fail(ended.error());
    QFile written(content + u".sig"_s);
    if (ended->status != 0 || !written.open(QIODevice::ReadOnly))
        return fail(Fault::Io, u"The class file could not be signed."_s, lastLine(ended->errors),
            u"OpenSSH 8.1 or newer is needed; a key with a passphrase must be loaded with ssh-add."_s);
    bare.readBytes = bytes;
    bare.signature = {publicKey, QString::fromLatin1(written.readAll())};
    return bare;
}

Result<QString> teacherKey(const QString& dataFolder)
{
    const QString path = QDir(dataFolder).filePath(u"class_ed25519"_s);
    if (QFileInfo(path).isFile())
        return path;
    const auto ended
        = keygen({u"-q"_s, u"-t"_s, u"ed25519"_s, u"-N"_s, QString(), u"-C"_s, signatureSpace, u"-f"_s, path});
    if (!ended)
        return fail(ended.error());
    if (ended->status != 0)
        return fail(Fault::Io, u"A key for signing classes could not be made."_s, lastLine(ended->errors),
            u"Check the permissions of "_s + dataFolder);
    QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
    return path;
}

Result<void> rememberClassKey(const ClassFile& file, const QString& fingerprint, const QString& dataFolder)
{
    const auto known = pins(dataFolder);
    if (!known)
        return fail(known.error());
    const QString before = known->value(pinName(file)).toString();
    if (!before.isEmpty() && before != fingerprint)
        return fail(Fault::Invalid, u"Another key is remembered for this class."_s, before,
            u"Forget that key deliberately first."_s);
    return changePins(dataFolder, [&](QJsonObject& all) { all.insert(pinName(file), fingerprint); });
}

Result<void> forgetClassKey(const ClassFile& file, const QString& dataFolder)
{
    return changePins(dataFolder, [&](QJsonObject& all) { all.remove(pinName(file)); });
}

} // namespace rankwright
