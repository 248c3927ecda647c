// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/login/keymaker.h"

#include "ssh/sshscout.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTimer>

#include <unistd.h>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

constexpr int mostMs = 30000; // an ed25519 key takes some 100 ms

} // namespace

KeyMaker::KeyMaker(QObject* parent) : QObject(parent) { }

KeyMaker::~KeyMaker()
{
    if (m_process) {
        m_process->disconnect(this);
        m_process->kill();
        m_process->waitForFinished(1000);
    }
}

QList<KeyFile> KeyMaker::ownKeys() { return keyFilesFor({}); }

std::optional<KeyFile> KeyMaker::read(const QString& path) { return readKeyFile(path); }

QString KeyMaker::freePath(const QString& cluster)
{
    static const QRegularExpression odd(u"[^A-Za-z0-9_-]"_s);
    const QString usual = QDir::homePath() + u"/.ssh/id_ed25519"_s;
    QString name = QString(cluster).replace(odd, u"_"_s).left(40);
    QString path = usual;
    for (int i = 1; QFileInfo::exists(path) || QFileInfo::exists(path + u".pub"_s); ++i)
        path = u"%1_%2%3"_s.arg(usual, name, i == 1 ? QString() : QString::number(i));
    return path;
}

void KeyMaker::make(const QString& path, const Secret& passphrase, QObject* guard, const Then<KeyFile>& then)
{
    if (m_process)
        return;
    m_path = path;
    m_guard = guard;
    m_then = then;
    m_process = std::make_unique<QProcess>();
    const auto failLater = [this](const Error& why) {
        QMetaObject::invokeMethod(
            this, [this, why] { finish(fail(why)); }, Qt::QueuedConnection);
    };
    const QString folder = QFileInfo(path).absolutePath();
    const bool newFolder = !QFileInfo::exists(folder);
    if (passphrase.isEmpty())
        return failLater({Fault::Invalid, u"A key without a passphrase is not made."_s, {}, u"Choose one."_s});
    if (QFileInfo::exists(path) || QFileInfo(path).isSymLink())
        return failLater({Fault::Invalid, u"There is a key already: it is not overwritten."_s, path, {}});
    if (newFolder && !QDir().mkpath(folder))
        return failLater({Fault::Io, u"The folder %1 cannot be made."_s.arg(folder), {}, {}});
    if (newFolder)
        QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const QString program = QStandardPaths::findExecutable(u"ssh-keygen"_s);
    if (program.isEmpty())
        return failLater({Fault::Io, u"ssh-keygen is not installed."_s, {},
            u"Install the OpenSSH client (package openssh-client) and try again."_s});
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString& name : {u"DISPLAY"_s, u"WAYLAND_DISPLAY"_s, u"SSH_ASKPASS"_s})
        environment.remove(name);
    environment.insert(u"SSH_ASKPASS_REQUIRE"_s, u"never"_s);
    m_process->setProcessEnvironment(environment);
    // Without a terminal of its own it reads the passphrase from its standard input (readpassphrase(3)).
    m_process->setChildProcessModifier([] { ::setsid(); });
    connect(
        m_process.get(), &QProcess::finished, this, [this] { finish(inspect()); }, Qt::QueuedConnection);
    connect(
        m_process.get(), &QProcess::errorOccurred, this,
        [this](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart)
                finish(fail(Fault::Io, u"ssh-keygen does not start."_s));
        },
        Qt::QueuedConnection);
    QTimer::singleShot(mostMs, m_process.get(), [process = m_process.get()] { process->kill(); });
    m_process->start(program, {u"-q"_s, u"-t"_s, u"ed25519"_s, u"-a"_s, u"64"_s, u"-f"_s, path});
    for (int i = 0; i < 2; ++i) { // and once more, as it asks
        m_process->write(passphrase.c_str());
        m_process->write("\n");
    }
    m_process->closeWriteChannel();
}

/// The result: a key that is locked, and readable by its owner alone.
Result<KeyFile> KeyMaker::inspect() const
{
    const QString said = QString::fromLocal8Bit(m_process->readAllStandardError()).trimmed().right(400);
    const auto key = readKeyFile(m_path);
    if (m_process->exitStatus() != QProcess::NormalExit || m_process->exitCode() != 0 || !key)
        return fail(Fault::Io, u"The key was not made."_s, said, u"Check whether %1 can be written."_s.arg(m_path));
    if (!key->isEncrypted || key->type.isEmpty()) {
        QFile::remove(m_path);
        QFile::remove(m_path + u".pub"_s);
        return fail(Fault::Io, u"ssh-keygen made a key without the passphrase; it was removed."_s, said,
            u"Make a key in a terminal: ssh-keygen -t ed25519"_s);
    }
    return *key;
}

void KeyMaker::finish(const Result<KeyFile>& outcome)
{
    if (!m_process)
        return;
    m_process->disconnect(this);
    m_process.release()->deleteLater();
    const auto then = std::exchange(m_then, {});
    if (m_guard && then)
        then(outcome);
}

} // namespace rankwright
