// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/practicecluster.h"

#include "models/core/jsonreader.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QPointer>
#include <QProcessEnvironment>
#include <QRegularExpression>

#include <sys/stat.h>
#include <unistd.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype keptErrors = 16 * 1024;

/// The system's own Python, which has PyTorch where the system's packages do; a user's first one may be any other.
QString interpreter()
{
    const QString own = u"/usr/bin/python3"_s;
    return QFileInfo(own).isExecutable() ? own : u"python3"_s;
}

/// The script ends with one line that says what is wrong; what is before is evidence.
Error scriptError(const QString& order, int exitCode, const QByteArray& errors)
{
    QString text = QString::fromUtf8(errors).trimmed();
    QString last = text.section(u'\n', -1);
    if (last.startsWith(u"practice: "_s))
        last = last.mid(10);
    if (last.isEmpty())
        last = u"practice %1 ended with exit status %2."_s.arg(order).arg(exitCode);
    return {
        Fault::RemoteExit, last, text.contains(u'\n') ? text : QString(), u"See docs/practice.md for what it needs."_s};
}

} // namespace

QString whyNotExecuted(const QString& script)
{
    struct stat facts { };
    QList<uid_t> owners{0, ::geteuid()};
    // Whoever wrote this program is believed already.
    if (::stat(QFile::encodeName(QCoreApplication::applicationFilePath()).constData(), &facts) == 0)
        owners.append(facts.st_uid);
    QString path = QFileInfo(script).canonicalFilePath();
    if (path.isEmpty())
        return u"%1 does not exist."_s.arg(script);
    for (;;) {
        if (::stat(QFile::encodeName(path).constData(), &facts) != 0)
            return u"%1 cannot be inspected."_s.arg(path);
        if (!owners.contains(facts.st_uid))
            return u"%1 belongs to another user."_s.arg(path);
        const bool sticky = S_ISDIR(facts.st_mode) && (facts.st_mode & S_ISVTX);
        if ((facts.st_mode & S_IWOTH) && !sticky)
            return u"Anyone may write to %1."_s.arg(path);
        const QString above = QFileInfo(path).path();
        if (above == path)
            return {};
        path = above;
    }
}

Result<PracticeStatus> readPracticeStatus(const QByteArray& json)
{
    const auto object = parseJsonObject(json, u"practice status"_s);
    if (!object)
        return fail(object.error());
    JsonReader reader(*object);
    PracticeStatus status;
    status.json = *object;
    status.running = reader.flag(u"running"_s).value_or(false);
    status.mode = reader.text(u"mode"_s).value_or(QString());
    status.host = reader.text(u"host"_s).value_or(QString());
    status.port = int(reader.integer(u"port"_s, 0, 65535).value_or(0));
    status.user = reader.text(u"user"_s).value_or(QString());
    status.identity = reader.text(u"identity"_s).value_or(QString());
    status.knownHosts = reader.text(u"knownHosts"_s).value_or(QString());
    status.fingerprints = reader.texts(u"hostKeyFingerprints"_s).value_or(QStringList());
    status.account = reader.text(u"account"_s).value_or(QString());
    status.reservation = reader.text(u"reservation"_s).value_or(QString());
    status.trainScript = reader.text(u"trainScript"_s).value_or(QString());
    status.workdir = reader.text(u"workdir"_s).value_or(QString());
    status.differences = reader.texts(u"differences"_s).value_or(QStringList());
    if (reader.fault())
        return fail(*reader.fault());
    if (status.running && (status.host.isEmpty() || status.port == 0))
        return fail(Fault::Unreadable, u"The practice cluster runs but does not report host and port."_s,
            QString::fromUtf8(json.left(400)));
    return status;
}

std::optional<PracticeStep> readPracticeStep(const QByteArray& line)
{
    static const QRegularExpression form(u"^practice: \\[(\\d{1,3})/(\\d{1,3})\\] (.*)$"_s);
    const auto match = form.match(QString::fromUtf8(line).trimmed());
    if (!match.hasMatch())
        return std::nullopt;
    return PracticeStep{match.captured(1).toInt(), match.captured(2).toInt(), match.captured(3)};
}

PracticeCluster::PracticeCluster(const QString& stateFolder, QObject* parent)
    : QObject(parent), m_stateFolder(stateFolder)
{ }

PracticeCluster::~PracticeCluster()
{
    if (!m_process)
        return;
    // The script ends an order under way in good order and keeps its own state: the next status finds what is there.
    m_process->disconnect();
    m_process->terminate();
    m_process->waitForFinished(3000);
}

QString PracticeCluster::scriptPath()
{
    // A build folder has the same layout as an installation (app/CMakeLists.txt).
    const QString script
        = QDir(QCoreApplication::applicationDirPath()).filePath(u"../share/rankwright/practice/practice.py"_s);
    return QFileInfo::exists(script) ? QDir::cleanPath(script) : QString();
}

void PracticeCluster::order(const QStringList& words, QObject* guard, Then<QByteArray> then)
{
    const QString script = scriptPath();
    const QString distrust = script.isEmpty() ? QString() : whyNotExecuted(script);
    if (m_process || script.isEmpty() || !distrust.isEmpty()) {
        const Error why = !distrust.isEmpty()
            ? Error{Fault::Invalid, u"The practice cluster's program is not executed: others could have written it."_s,
                distrust, u"Install Rankwright again, or correct that folder's owner and rights."_s}
            : script.isEmpty()
            ? Error{Fault::Io, u"The practice cluster's script was not found."_s, {}, u"Install Rankwright again."_s}
            : Error{Fault::Invalid, u"The practice cluster is still busy with the last request."_s, {},
                u"Wait a moment."_s};
        QMetaObject::invokeMethod(
            guard, [then, why] { then(fail(why)); }, Qt::QueuedConnection);
        return;
    }
    m_process = std::make_unique<QProcess>();
    m_errors.clear();
    m_pending.clear();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (!m_stateFolder.isEmpty())
        environment.insert(u"RANKWRIGHT_PRACTICE_DIR"_s, m_stateFolder);
    m_process->setProcessEnvironment(environment);
    connect(m_process.get(), &QProcess::readyReadStandardError, this, &PracticeCluster::readErrors);
    const QPointer<QObject> alive(guard);
    const QString word = words.value(0);
    const auto end = [this, alive, then, word](bool ran) {
        readErrors();
        const QByteArray output = m_process->readAllStandardOutput();
        const bool good = ran && m_process->exitStatus() == QProcess::NormalExit && m_process->exitCode() == 0;
        const Error why = good ? Error()
            : ran
            ? scriptError(word, m_process->exitCode(), m_errors)
            : Error{Fault::Io, u"python3 could not be started."_s, m_process->errorString(), u"Install Python 3."_s};
        m_process.release()->deleteLater();
        if (alive)
            then(good ? Result<QByteArray>(output) : Result<QByteArray>(fail(why)));
    };
    connect(m_process.get(), &QProcess::finished, this, [end] { end(true); });
    connect(m_process.get(), &QProcess::errorOccurred, this, [end](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            end(false);
    });
    m_process->start(interpreter(), QStringList{script} + words);
    m_process->closeWriteChannel();
}

void PracticeCluster::ask(const QString& word, QObject* guard, Then<PracticeStatus> then)
{
    order({word}, guard, [then](const Result<QByteArray>& json) {
        then(json ? readPracticeStatus(*json) : Result<PracticeStatus>(fail(json.error())));
    });
}

void PracticeCluster::up(QObject* guard, Then<PracticeStatus> then) { ask(u"up"_s, guard, std::move(then)); }
void PracticeCluster::down(QObject* guard, Then<PracticeStatus> then) { ask(u"down"_s, guard, std::move(then)); }
void PracticeCluster::status(QObject* guard, Then<PracticeStatus> then) { ask(u"status"_s, guard, std::move(then)); }

void PracticeCluster::readErrors()
{
    m_pending += m_process->readAllStandardError();
    qsizetype end;
    while ((end = m_pending.indexOf('\n')) >= 0) {
        const QByteArray line = m_pending.left(end);
        m_pending.remove(0, end + 1);
        if (const auto step = readPracticeStep(line))
            emit progressed(*step);
        else
            m_errors = QByteArray(m_errors + line + '\n').right(keptErrors);
    }
}

} // namespace rankwright
