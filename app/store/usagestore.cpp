// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/usagestore.h"

#include "models/slurm/jobusagejson.h"

#include <QDir>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSaveFile>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QString pathOf(const QString& dataFolder, const QString& cluster, const JobId& job)
{
    static const QRegularExpression strange(u"[^A-Za-z0-9_+-]"_s);
    const auto safe = [](QString text) { return text.replace(strange, u"_"_s).left(80); };
    return dataFolder + u"/usage/"_s + safe(cluster) + u'-' + safe(job) + u".json"_s;
}

Unexpected<Error> io(const QString& what, const QString& detail)
{
    return fail(Fault::Io, what, detail, u"Check the data folder's rights and its free space."_s);
}

QJsonObject toJson(const MeasuredTraining& measured)
{
    QJsonObject object;
    const auto put = [&object](const QString& name, const auto& value) {
        if (value)
            object.insert(name, double(*value));
    };
    put(u"stepSeconds"_s, measured.stepSeconds);
    put(u"samplesPerSecond"_s, measured.samplesPerSecond);
    put(u"tokensPerSecond"_s, measured.tokensPerSecond);
    put(u"step"_s, measured.step);
    put(u"steps"_s, measured.steps);
    if (!measured.source.isEmpty())
        object.insert(u"source"_s, measured.source);
    return object;
}

MeasuredTraining measuredFrom(const QJsonObject& object)
{
    MeasuredTraining measured;
    const auto number = [&object](const QString& name) {
        const QJsonValue value = object.value(name);
        return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
    };
    const auto whole = [&number](const QString& name) {
        const auto value = number(name);
        return value && qAbs(*value) < 9e15 ? std::optional(qint64(*value)) : std::nullopt;
    };
    measured.stepSeconds = number(u"stepSeconds"_s);
    measured.samplesPerSecond = number(u"samplesPerSecond"_s);
    measured.tokensPerSecond = number(u"tokensPerSecond"_s);
    measured.step = whole(u"step"_s);
    measured.steps = whole(u"steps"_s);
    measured.source = object.value(u"source"_s).toString();
    return measured;
}

} // namespace

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
    const QJsonObject object{{u"version"_s, 1}, {u"cluster"_s, kept.cluster},
        {u"asked"_s, kept.asked.toUTC().toString(Qt::ISODate)}, {u"accounted"_s, kept.accounted},
        {u"usage"_s, rankwright::toJson(kept.usage)}, {u"training"_s, toJson(kept.measured)}};
    file.write(QJsonDocument(object).toJson(QJsonDocument::Compact));
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
    const QJsonObject object = QJsonDocument::fromJson(file.readAll()).object();
    StoredUsage kept;
    kept.cluster = object.value(u"cluster"_s).toString();
    kept.asked = QDateTime::fromString(object.value(u"asked"_s).toString(), Qt::ISODate);
    kept.accounted = object.value(u"accounted"_s).toBool();
    kept.usage = usageFromJson(object.value(u"usage"_s).toObject());
    kept.measured = measuredFrom(object.value(u"training"_s).toObject());
    if (object.value(u"version"_s).toInt() != 1 || kept.usage.job.id != job || kept.cluster != cluster)
        return fail(Fault::Unreadable, u"What was kept of job %1 cannot be read."_s.arg(job), file.fileName(),
            u"Delete the file; the cluster is asked again then."_s);
    return Found(kept);
}

} // namespace rankwright
