// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/usagefiles.h"

#include "models/cluster/slurm/jobusagejson.h"
#include "models/core/jsonvalue.h"
#include "models/insight/progress/rankbindingjson.h"

#include <QDir>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSaveFile>

#include <limits>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr auto versionMember = "version"_L1;
constexpr auto clusterMember = "cluster"_L1;
constexpr auto askedMember = "asked"_L1;
constexpr auto accountedMember = "accounted"_L1;
constexpr auto usageMember = "usage"_L1;
constexpr auto trainingMember = "training"_L1;
constexpr auto bindingMember = "binding"_L1;
constexpr auto stepSecondsMember = "stepSeconds"_L1;
constexpr auto samplesMember = "samplesPerSecond"_L1;
constexpr auto tokensMember = "tokensPerSecond"_L1;
constexpr auto stepMember = "step"_L1;
constexpr auto stepsMember = "steps"_L1;
constexpr auto sourceMember = "source"_L1;

constexpr int newestVersion = 2; // 1: the job's record had other members

QString pathOf(const QString& dataFolder, const QString& cluster, const JobId& job)
{
    static const QRegularExpression strange(u"[^A-Za-z0-9_+-]"_s);
    const auto safe = [](QString text) { return text.replace(strange, u"_"_s).left(80); };
    return dataFolder + u"/usage/"_s + safe(cluster) + u'-' + safe(job) + u".json"_s;
}

Unexpected<Error> io(const QString& what, const QString& detail)
{
    return fail(Fault::Io, what, detail, u"Check the data folder's permissions and its free space."_s);
}

Unexpected<Error> unreadable(const JobId& job, const QString& path, const QString& why)
{
    return fail(Fault::Unreadable, u"What was kept of job %1 cannot be read."_s.arg(job), path + u": "_s + why,
        u"Delete the file; the cluster is asked again then."_s);
}

QJsonObject measuredJson(const MeasuredTraining& measured)
{
    return {{stepSecondsMember, orNull(measured.stepSeconds)}, {samplesMember, orNull(measured.samplesPerSecond)},
        {tokensMember, orNull(measured.tokensPerSecond)}, {stepMember, orNull(measured.step)},
        {stepsMember, orNull(measured.steps)}, {sourceMember, orNull(measured.source)}};
}

MeasuredTraining readMeasured(JsonReader& json)
{
    constexpr qint64 largest = std::numeric_limits<qint64>::max();
    MeasuredTraining measured;
    measured.stepSeconds = json.number(stepSecondsMember);
    measured.samplesPerSecond = json.number(samplesMember);
    measured.tokensPerSecond = json.number(tokensMember);
    measured.step = json.integer(stepMember, -largest, largest);
    measured.steps = json.integer(stepsMember, -largest, largest);
    measured.source = json.text(sourceMember).value_or(QString());
    return measured;
}

/// Version 1 had the job's members among those of its use, the id as "job".
QJsonObject ofVersion1(QJsonObject usage)
{
    QJsonObject job = usage;
    job.insert("jobId"_L1, usage.value("job"_L1));
    usage.insert("job"_L1, job);
    return usage;
}

Result<StoredUsage> readStored(const QJsonObject& object)
{
    JsonReader json(object);
    StoredUsage kept;
    const int version = json.whole(versionMember, 1, newestVersion).value_or(0);
    if (version == 0)
        json.refuse(versionMember, u"expected a number, found nothing"_s);
    kept.cluster = json.requiredText(clusterMember);
    kept.asked = json.time(askedMember).value_or(QDateTime());
    kept.accounted = json.flag(accountedMember).value_or(false);
    if (const auto usage = json.object(usageMember)) {
        const auto read
            = jobUsageFromJson(version == 1 ? JsonReader(ofVersion1(usage->json()), usage->path()) : *usage);
        if (!read)
            return fail(read.error());
        kept.usage = *read;
    } else {
        json.refuse(usageMember, u"expected an object, found nothing"_s);
    }
    if (auto training = json.object(trainingMember)) {
        kept.measured = readMeasured(*training);
        json.absorb(*training);
    }
    if (const auto binding = json.object(bindingMember)) { // older files have none
        const auto read = rankBindingFromJson(*binding);
        if (!read)
            return fail(read.error());
        kept.binding = *read;
    }
    return json.fault() ? fail(*json.fault()) : Result<StoredUsage>(kept);
}

} // namespace

QByteArray usageBytes(const StoredUsage& kept)
{
    const QJsonObject object{{versionMember, newestVersion}, {clusterMember, kept.cluster},
        {askedMember, timeJson(kept.asked)}, {accountedMember, kept.accounted}, {usageMember, jobUsageJson(kept.usage)},
        {trainingMember, measuredJson(kept.measured)}, {bindingMember, rankBindingJson(kept.binding)}};
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

Result<StoredUsage> usageFrom(const QByteArray& bytes, const QString& name)
{
    const auto object = parseJsonObject(bytes, name);
    return object ? readStored(*object) : fail(object.error());
}

Result<void> storeUsage(const QString& dataFolder, const StoredUsage& kept)
{
    const QString path = pathOf(dataFolder, kept.cluster, kept.usage.job.id);
    const QString what = u"What job %1 used could not be kept."_s.arg(kept.usage.job.id);
    if (!QDir().mkpath(QFileInfo(path).path()))
        return io(what, path);
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return io(what, file.errorString());
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    file.write(usageBytes(kept));
    if (!file.commit())
        return io(what, file.errorString());
    return {};
}

Result<std::optional<StoredUsage>> findStoredUsage(const QString& dataFolder, const QString& cluster, const JobId& job)
{
    using Found = std::optional<StoredUsage>;
    QFile file(pathOf(dataFolder, cluster, job));
    if (!file.exists())
        return Found();
    if (!file.open(QIODevice::ReadOnly) || file.size() > (16 << 20))
        return io(u"What job %1 used could not be read."_s.arg(job), file.errorString());
    const auto object = parseJsonObject(file.readAll(), file.fileName());
    const auto kept = object ? readStored(*object) : fail(object.error());
    if (!kept)
        return unreadable(job, file.fileName(), object ? kept.error().what : kept.error().oneLine());
    if (kept->usage.job.id != job || kept->cluster != cluster)
        return unreadable(job, file.fileName(), u"it is of job %1 of %2"_s.arg(kept->usage.job.id, kept->cluster));
    return Found(*kept);
}

} // namespace rankwright
