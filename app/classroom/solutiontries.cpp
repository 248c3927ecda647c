// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/classroom/solutiontries.h"

#include "models/core/jsonreader.h"
#include "models/core/jsonvalue.h"
#include "models/teaching/classroom/classplace.h"

#include <QDir>
#include <QJsonDocument>
#include <QLockFile>
#include <QSaveFile>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype mostClasses = 100;
constexpr qint64 mostBytes = 1024 * 1024;
constexpr int lockWaitMs = 5000;

constexpr auto clusterMember = "cluster"_L1;
constexpr auto atMember = "at"_L1;
constexpr auto exercisesMember = "exercises"_L1;
constexpr auto failedMember = "failed"_L1;

QString triesPath(const QString& dataFolder) { return QDir(dataFolder).filePath(u"classtries.json"_s); }

/// Empty where there is none, or none that can be read: then the solutions count as not tried.
QJsonObject keptTries(const QString& dataFolder)
{
    QFile file(triesPath(dataFolder));
    if (!file.open(QIODevice::ReadOnly) || file.size() > mostBytes)
        return {};
    return parseJsonObject(file.readAll(), file.fileName()).valueOr(QJsonObject());
}

std::optional<SolutionsTried> triedFrom(const QJsonObject& object)
{
    JsonReader json(object);
    SolutionsTried tried;
    tried.cluster = json.requiredText(clusterMember);
    tried.at = json.time(atMember).value_or(QDateTime());
    tried.exercises = json.requiredWhole(exercisesMember);
    tried.failed = json.texts(failedMember).value_or(QStringList());
    if (json.fault() || !tried.at.isValid() || tried.exercises < 1)
        return {};
    return tried;
}

} // namespace

std::optional<SolutionsTried> solutionsTried(const ClassFile& file, const QString& dataFolder)
{
    return triedFrom(keptTries(dataFolder).value(classDigest(file)).toObject());
}

Result<void> saveSolutionsTried(const ClassFile& file, const SolutionsTried& tried, const QString& dataFolder)
{
    QLockFile lock(triesPath(dataFolder) + u".lock"_s);
    lock.tryLock(lockWaitMs);
    QJsonObject all = keptTries(dataFolder);
    all.insert(classDigest(file),
        QJsonObject{{clusterMember, tried.cluster}, {atMember, timeJson(tried.at)}, {exercisesMember, tried.exercises},
            {failedMember, QJsonArray::fromStringList(tried.failed)}});
    while (all.size() > mostClasses) {
        const QStringList keys = all.keys();
        all.remove(*std::min_element(keys.cbegin(), keys.cend(), [&all](const QString& a, const QString& b) {
            return all.value(a)[atMember].toString() < all.value(b)[atMember].toString();
        }));
    }
    QSaveFile target(triesPath(dataFolder));
    if (!target.open(QIODevice::WriteOnly) || target.write(QJsonDocument(all).toJson()) < 0 || !target.commit())
        return fail(Fault::Io, u"The results of the solutions could not be saved."_s, target.errorString(),
            u"Check the permissions of "_s + dataFolder);
    return {};
}

} // namespace rankwright
