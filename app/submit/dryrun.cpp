// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/submit/dryrun.h"

#include "models/core/logging.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QSaveFile>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype mostAMinute = 5;
constexpr qint64 minuteMs = 60000;
constexpr int lockMs = 200; // its holder writes some hundred bytes
constexpr qint64 largestFile = 4096;

/// The times of the last minute, oldest first; of a file that is missing or broken none.
QList<qint64> timesIn(const QString& path, qint64 now)
{
    QList<qint64> times;
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly) || file.size() > largestFile)
        return times;
    for (const QByteArray& line : file.readAll().split('\n')) {
        const qint64 at = line.toLongLong();
        if (at > now - minuteMs && at <= now) // later ones are of a clock that was set back
            times.append(at);
    }
    std::sort(times.begin(), times.end());
    return times;
}

} // namespace

qint64 reserveDryRun(const QString& dataFolder, const QString& cluster, qint64 now)
{
    // A cluster's name may hold anything; the file's name must not.
    const QByteArray hash = QCryptographicHash::hash(cluster.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    const QString path = u"%1/dryruns/%2"_s.arg(dataFolder, QString::fromLatin1(hash));
    QDir().mkpath(QFileInfo(path).path());
    QLockFile lock(path + u".lock"_s);
    lock.setStaleLockTime(5000);
    const bool locked = lock.tryLock(lockMs);
    QList<qint64> times = timesIn(path, now);
    if (times.size() >= mostAMinute)
        return times.at(times.size() - mostAMinute) + minuteMs - now;
    times.append(now);
    QSaveFile file(path);
    if (!locked || !file.open(QIODevice::WriteOnly)) {
        qCInfo(logApp) << "a dry run is not noted:" << path << "is locked or cannot be written";
        return 0;
    }
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    for (const qint64 at : std::as_const(times))
        file.write(QByteArray::number(at) + '\n');
    if (!file.commit())
        qCInfo(logApp) << "a dry run is not noted:" << file.errorString();
    return 0;
}

void askDryRun(
    SlurmClient& client, const QString& dataFolder, const SubmitOrder& order, QObject* guard, Then<StartForecast> then)
{
    const qint64 wait = reserveDryRun(dataFolder, order.cluster, QDateTime::currentMSecsSinceEpoch());
    if (wait == 0) {
        client.rehearse({order.script, newSubmissionToken(), order.workdir, order.options, order.partition}, guard,
            std::move(then));
        return;
    }
    StartForecast forecast;
    forecast.answer = StartForecast::Answer::NotAsked;
    forecast.note
        = u"No dry run was made: %1 within a minute are the most for one cluster; the next is possible in %2 s."_s
              .arg(mostAMinute)
              .arg((wait + 999) / 1000);
    // As every answer: when control is back in the event loop.
    QMetaObject::invokeMethod(
        guard, [then = std::move(then), forecast] { then(forecast); }, Qt::QueuedConnection);
}

} // namespace rankwright
