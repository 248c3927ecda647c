// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/recordings.h"

#include "app/store/keptoutputs.h"
#include "app/store/processmark.h"
#include "app/store/recordingfile.h"
#include "models/cluster/slurm/jobrecordjson.h"
#include "models/core/logging.h"

#include <QAtomicInt>
#include <QDateTime>
#include <QDir>
#include <QRegularExpression>
#include <QSqlQuery>
#include <QSysInfo>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

const QString suffix = u".rwr"_s;
// A writer on another machine that shares the folder writes more often than this.
constexpr qint64 ownerSilentMs = 60'000;
constexpr int listedWithinMs = 2000; // what a list shows of one file

QString fileWord(const QString& text)
{
    static const QRegularExpression odd(u"[^A-Za-z0-9_+=@-]"_s);
    QString word = text;
    return word.replace(odd, u"_"_s).left(80);
}

qint64 sizeOf(const QString& path)
{
    qint64 bytes = 0;
    for (const QString& part : {u""_s, u"-wal"_s, u"-shm"_s})
        bytes += QFileInfo(path + part).size();
    return bytes;
}

/// A record that is damaged does not take the samples with it: `fault` reports, and the job is not known.
void readJob(const QByteArray& json, RecordingInfo& info)
{
    const QString name = u"the job's record in %1"_s.arg(QFileInfo(info.path).fileName());
    const auto object = parseJsonObject(json, name);
    const auto record = object ? jobRecordFromJson(JsonReader(*object)) : fail(object.error());
    if (record)
        info.facts.job = *record;
    else
        info.fault = object ? record.error().within(name) : record.error();
}

Result<void> readMeta(RecordingFile& file, RecordingInfo& info)
{
    QString owner;
    qint64 seen = 0;
    const auto read = file.run(u"SELECT key, value FROM meta"_s, {}, [&](const QSqlQuery& row) {
        const QString key = row.value(0).toString();
        const QVariant value = row.value(1);
        if (key == u"cluster"_s)
            info.facts.cluster = value.toString();
        else if (key == u"job"_s)
            readJob(value.toString().toUtf8(), info);
        else if (key == u"gpu_word"_s)
            info.facts.gpuWord = value.toString();
        else if (key == u"gpus_per_package"_s)
            info.facts.gpusPerPackage = value.toInt();
        else if (key == u"gpus_per_node"_s && value.toInt() > 0)
            info.facts.gpusPerNode = value.toInt();
        else if (key == u"design"_s)
            info.facts.design = value.toByteArray();
        else if (key == u"entry"_s)
            info.facts.entryId = value.toString();
        else if (key == u"owner"_s)
            owner = value.toString();
        else if (key == u"owner_seen"_s)
            seen = value.toLongLong();
    });
    if (!read)
        return fail(read.error());
    info.isWritten = isOwnerAlive(owner, QDateTime::currentMSecsSinceEpoch() - seen);
    return {};
}

} // namespace

QString recordingsFolder(const QString& dataFolder) { return QDir(dataFolder).filePath(u"recordings"_s); }

QString recordingName(const QString& cluster, const JobId& job, int number)
{
    const QString name = fileWord(cluster) + u'-' + fileWord(job);
    return number > 1 ? QString(name + u'.' + QString::number(number) + suffix) : QString(name + suffix);
}

Result<RecordingFacts> readRecordingFacts(const QString& path)
{
    const auto file = RecordingFile::open(path, RecordingFile::Mode::Read);
    if (!file)
        return fail(file.error());
    RecordingInfo info;
    info.path = path;
    if (const auto read = readMeta(**file, info); !read)
        return fail(read.error());
    if (info.fault)
        return fail(*info.fault);
    return info.facts;
}

Result<RecordingInfo> readRecordingInfo(const QString& path)
{
    const auto file = RecordingFile::open(path, RecordingFile::Mode::Read);
    if (!file)
        return fail(file.error());
    (void)(*file)->limitTo(listedWithinMs);
    return readRecordingInfo(**file);
}

Result<RecordingInfo> readRecordingInfo(RecordingFile& file)
{
    RecordingInfo info;
    info.path = file.path();
    info.bytes = sizeOf(info.path);
    if (const auto read = readMeta(file, info); !read)
        return fail(read.error());
    auto read = file.run(u"SELECT COUNT(*), MAX(gpus) FROM nodes"_s, {}, [&info](const QSqlQuery& row) {
        info.nodes = row.value(0).toInt();
        info.gpusPerNode = qMax(info.facts.gpusPerNode.value_or(0), row.value(1).toInt());
    });
    if (read)
        read = file.run(u"SELECT (SELECT MIN(from_ms) FROM ticks), (SELECT MAX(to_ms) FROM ticks WHERE from_ms >= "
                        "(SELECT MAX(from_ms) FROM ticks) - 300000)"_s,
            {}, [&info](const QSqlQuery& row) {
                if (!row.value(0).isNull())
                    info.span = {row.value(0).toLongLong(), row.value(1).toLongLong() + 1};
            });
    if (!read)
        return fail(read.error());
    return info;
}

QList<RecordingInfo> listRecordings(const QString& folder)
{
    QList<RecordingInfo> all;
    for (const QFileInfo& entry : QDir(folder).entryInfoList({u'*' + suffix}, QDir::Files)) {
        auto info = readRecordingInfo(entry.filePath());
        if (info) {
            all.append(*info);
            continue;
        }
        RecordingInfo broken;
        broken.path = entry.filePath();
        broken.bytes = sizeOf(broken.path);
        broken.fault = info.error();
        all.append(broken);
    }
    std::stable_sort(all.begin(), all.end(),
        [](const RecordingInfo& a, const RecordingInfo& b) { return a.span.toMs > b.span.toMs; });
    return all;
}

QString findRecording(const QString& folder, const QString& cluster, const JobId& job)
{
    const QString first = recordingName(cluster, job, 1);
    const QString further = first.chopped(suffix.size()) + u".*"_s + suffix;
    QString found;
    qint64 newest = -1;
    for (const QFileInfo& entry : QDir(folder).entryInfoList({first, further}, QDir::Files)) {
        const auto info = readRecordingInfo(entry.filePath());
        if (info && info->facts.cluster == cluster && info->facts.job.id == job && info->span.toMs > newest) {
            newest = info->span.toMs;
            found = entry.filePath();
        }
    }
    return found;
}

/// Error: there is none, or it is being written.
static Result<void> mayGo(const QString& path)
{
    const auto info = readRecordingInfo(path);
    if (info && info->isWritten)
        return fail(Fault::Invalid, u"Job %1 is being recorded now."_s.arg(info->facts.job.id), {},
            u"Delete its recording when nobody watches the job any more."_s);
    if (!QFile::exists(path))
        return fail(Fault::Io, u"There is no recording %1."_s.arg(path), {},
            u"List them with: rankwright-cli recordings list"_s);
    return {};
}

Result<TrashedRecording> trashRecording(const QString& path)
{
    if (const auto may = mayGo(path); !may)
        return fail(may.error());
    TrashedRecording trashed{path, {}};
    for (const QString& file : QStringList{path, path + u"-wal"_s, keptOutputsPath(path)}) {
        QString there;
        if (file != path && !QFile::exists(file))
            continue;
        if (!QFile::moveToTrash(file, &there)) {
            (void)restoreRecording(trashed); // not half of it
            return fail(Fault::Io, u"The recording %1 could not be moved to the trash."_s.arg(path), {},
                u"Remove it for good in its folder, or with: rankwright-cli recordings delete"_s);
        }
        trashed.files.append(there);
        trashed.endings.append(file.mid(path.size()));
    }
    QFile::remove(path + u"-shm"_s); // written again when the recording is opened
    return trashed;
}

Result<void> restoreRecording(const TrashedRecording& trashed)
{
    for (qsizetype i = 0; i < trashed.files.size(); ++i) {
        const QString& there = trashed.files.at(i);
        const QString place = trashed.path + trashed.endings.value(i);
        if (there.isEmpty() || !QFile::exists(there))
            return fail(Fault::Io, u"The recording %1 is no longer in the trash."_s.arg(trashed.path), {},
                u"It is gone for good, or was taken out by hand."_s);
        if (QFile::exists(place) || !QFile::rename(there, place))
            return fail(Fault::Io, u"The recording could not be put back to %1."_s.arg(place), {},
                u"It is still in the trash: take it out there."_s);
        // Linux desktops keep a note beside the trash's files (freedesktop.org, Trash specification 1.0)
        const QFileInfo file(there);
        QFile::remove(file.absolutePath() + u"/../info/"_s + file.fileName() + u".trashinfo"_s);
    }
    return {};
}

Result<void> deleteRecording(const QString& path)
{
    if (const auto may = mayGo(path); !may)
        return may;
    if (!QFile::remove(path))
        return fail(Fault::Io, u"The recording %1 could not be deleted."_s.arg(path), {},
            u"Check the permissions of its folder."_s);
    QFile::remove(path + u"-wal"_s);
    QFile::remove(path + u"-shm"_s);
    QFile::remove(keptOutputsPath(path));
    return {};
}

QStringList pruneRecordings(const QString& folder, qint64 limitBytes, const QString& keep)
{
    const QList<RecordingInfo> all = listRecordings(folder);
    qint64 bytes = 0;
    for (const RecordingInfo& info : all)
        bytes += info.bytes;
    QStringList gone;
    for (auto info = all.crbegin(); info != all.crend() && bytes > limitBytes; ++info) {
        // What cannot be read is not ours to throw away: it may belong to a newer program.
        const bool kept
            = info->isWritten || info->fault || (!keep.isEmpty() && QFileInfo(info->path) == QFileInfo(keep));
        if (kept)
            continue;
        if (const auto done = deleteRecording(info->path); !done) {
            qCWarning(logApp) << done.error().oneLine();
            continue;
        }
        bytes -= info->bytes;
        gone.append(info->path);
    }
    return gone;
}

QString newRecordingOwner()
{
    static QAtomicInt counter;
    return u"%1|%2|%3"_s.arg(QString::fromLatin1(QSysInfo::machineUniqueId()), ownProcessMark())
        .arg(counter.fetchAndAddRelaxed(1));
}

bool isOwnerAlive(const QString& owner, qint64 silentMs)
{
    const QStringList parts = owner.split(u'|');
    if (parts.size() != 3)
        return false;
    if (parts.at(0) == QString::fromLatin1(QSysInfo::machineUniqueId()))
        return lifeOf(parts.at(1)) == ProcessLife::Running;
    return silentMs < ownerSilentMs;
}

} // namespace rankwright
