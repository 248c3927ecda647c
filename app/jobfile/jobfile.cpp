// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobfile/jobfile.h"

#include "app/store/recordings.h"
#include "app/store/usagefiles.h"
#include "models/core/harmlesstext.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

Unexpected<Error> ofAnother(const QString& what, const QString& why)
{
    return fail(Fault::Unreadable, u"The job file cannot be read."_s,
        u"%1 in it belongs to another job: %2"_s.arg(what, why), u"Ask for a new one."_s);
}

} // namespace

Result<std::unique_ptr<JobFile>> JobFile::open(const QString& path)
{
    std::unique_ptr<JobFile> opened(new JobFile);
    opened->m_path = path;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(Fault::Io, u"The job file %1 cannot be read."_s.arg(path), file.errorString(),
            u"Check its name and permissions."_s);
    opened->m_bytes = file.size();
    if (!opened->m_folder.isValid())
        return fail(Fault::Io, u"There is no room for temporary files."_s, opened->m_folder.errorString());
    QFile recording(opened->m_folder.filePath(u"unpacked"_s));
    if (!recording.open(QIODevice::WriteOnly))
        return fail(Fault::Io, u"There is no room for temporary files."_s, recording.errorString());
    recording.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    auto contents = readJobFile(file, recording);
    const bool isWhole = recording.flush();
    recording.close();
    if (!contents) {
        Error why = contents.error();
        why.what = QFileInfo(path).fileName() + u": "_s + why.what;
        return fail(why);
    }
    if (!isWhole)
        return fail(Fault::Io, u"There is no room for temporary files."_s, recording.errorString());
    opened->m_contents = std::move(*contents);
    if (const auto done = opened->unpack(); !done)
        return fail(done.error());
    return opened;
}

Result<void> JobFile::unpack()
{
    const JobFileManifest& known = manifest();
    if (known.first(JobFileMember::Kind::Recording)) {
        const QString folder = recordingsFolder(dataFolder());
        const QString place = folder + u'/' + recordingName(known.cluster, known.job.id, 1);
        if (!QDir().mkpath(folder) || !QFile::rename(m_folder.filePath(u"unpacked"_s), place))
            return fail(Fault::Io, u"The job file could not be unpacked."_s, folder);
        const auto info = readRecordingInfo(place);
        if (!info)
            return fail(info.error().within(u"The recording in the job file"_s));
        if (info->fault)
            return fail(info->fault->within(u"The recording in the job file"_s));
        if (info->facts.cluster != known.cluster || info->facts.job.id != known.job.id)
            return ofAnother(u"The recording"_s, info->facts.cluster + u' ' + info->facts.job.id);
        m_recording = place;
    }
    if (const JobFileMember* member = known.first(JobFileMember::Kind::Usage)) {
        const auto usage = usageFrom(text(*member), member->name);
        if (!usage)
            return fail(usage.error().within(u"The job file"_s));
        if (usage->cluster != known.cluster || usage->usage.job.id != known.job.id)
            return ofAnother(u"The use"_s, usage->cluster + u' ' + usage->usage.job.id);
        return storeUsage(dataFolder(), *usage);
    }
    return {};
}

QByteArray JobFile::text(JobFileMember::Kind kind) const
{
    const JobFileMember* member = manifest().first(kind);
    return member ? text(*member) : QByteArray();
}

QString JobFile::origin() const
{
    const QString name = harmlessLine(QFileInfo(m_path).fileName(), 80);
    return manifest().made.isValid()
        ? u"from %1, made on %2"_s.arg(name, manifest().made.toUTC().toString(u"yyyy-MM-dd"_s))
        : u"from %1"_s.arg(name);
}

} // namespace rankwright
