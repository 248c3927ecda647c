// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobfile/jobfilemanifest.h"

#include "models/cluster/slurm/jobrecordjson.h"
#include "models/cluster/slurm/slurmcommands.h"
#include "models/core/jsonvalue.h"

#include <QJsonDocument>
#include <QSet>

#include <algorithm>
#include <array>
#include <limits>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr auto formatMember = "format"_L1;
constexpr auto versionMember = "version"_L1;
constexpr auto minorMember = "minorVersion"_L1;
constexpr auto programMember = "program"_L1;
constexpr auto madeMember = "made"_L1;
constexpr auto clusterMember = "cluster"_L1;
constexpr auto titleMember = "clusterTitle"_L1;
constexpr auto jobMember = "job"_L1;
constexpr auto secretsMember = "secretsLeftOut"_L1;
constexpr auto membersMember = "members"_L1;
constexpr auto nameMember = "name"_L1;
constexpr auto kindMember = "kind"_L1;
constexpr auto bytesMember = "bytes"_L1;
constexpr auto sumMember = "sha256"_L1;
constexpr auto fileMember = "file"_L1;
constexpr auto wholeMember = "wholeBytes"_L1;

const QString formatName = u"rankwright-job"_s;
constexpr int longestName = 200;
constexpr qint64 largest = qint64(1) << 40;

using Kind = JobFileMember::Kind;
constexpr std::array kinds{
    Kind::Recording, Kind::Output, Kind::Script, Kind::Design, Kind::Usage, Kind::Report, Kind::ReportText};

Kind kindFrom(const QString& text)
{
    const auto* found = std::find_if(kinds.begin(), kinds.end(), [&](Kind kind) { return toText(kind) == text; });
    return found == kinds.end() ? Kind::Other : *found;
}

bool isSum(const QString& text)
{
    return text.size() == 64 && std::all_of(text.cbegin(), text.cend(), [](QChar c) {
        return (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f');
    });
}

JobFileMember memberFrom(JsonReader& json)
{
    JobFileMember member;
    member.name = json.requiredText(nameMember);
    member.kind = kindFrom(json.requiredText(kindMember));
    const auto bytes = json.integer(bytesMember, 0, largest);
    const QString sum = json.requiredText(sumMember);
    member.file = json.text(fileMember).value_or(QString());
    member.wholeBytes = json.integer(wholeMember, 0, std::numeric_limits<qint64>::max());
    if (!bytes)
        json.refuse(bytesMember, u"expected a size, found nothing"_s);
    member.bytes = bytes.value_or(0);
    member.sha256 = sum.toLatin1();
    if (!isSum(sum))
        json.refuse(sumMember, u"expected a SHA-256 of 64 hexadecimal digits"_s);
    if (member.name.size() > longestName || member.name == jobManifestName)
        json.refuse(nameMember, u"this is not a name for a member"_s);
    if (largestOf(member.kind) > 0 && member.bytes > largestOf(member.kind))
        json.refuse(bytesMember, u"%1 may have at most %2 bytes"_s.arg(member.name).arg(largestOf(member.kind)));
    return member;
}

} // namespace

QString toText(JobFileMember::Kind kind)
{
    switch (kind) {
    case Kind::Recording: return u"recording"_s;
    case Kind::Output: return u"output"_s;
    case Kind::Script: return u"script"_s;
    case Kind::Design: return u"design"_s;
    case Kind::Usage: return u"usage"_s;
    case Kind::Report: return u"report"_s;
    case Kind::ReportText: return u"reportText"_s;
    case Kind::Other: break;
    }
    return u"other"_s;
}

qint64 largestOf(JobFileMember::Kind kind)
{
    constexpr qint64 mebibyte = 1 << 20;
    switch (kind) {
    case Kind::Recording: return 2048 * mebibyte;
    case Kind::Output: return mebibyte;
    case Kind::Script:
    case Kind::Design: return 8 * mebibyte;
    case Kind::Usage:
    case Kind::ReportText: return 16 * mebibyte;
    case Kind::Report: return 64 * mebibyte;
    case Kind::Other: break;
    }
    return 0;
}

const JobFileMember* JobFileManifest::member(const QString& name) const
{
    const auto found = std::find_if(
        members.cbegin(), members.cend(), [&name](const JobFileMember& member) { return member.name == name; });
    return found == members.cend() ? nullptr : &*found;
}

const JobFileMember* JobFileManifest::first(JobFileMember::Kind kind) const
{
    const auto found = std::find_if(
        members.cbegin(), members.cend(), [kind](const JobFileMember& member) { return member.kind == kind; });
    return found == members.cend() ? nullptr : &*found;
}

QByteArray manifestBytes(const JobFileManifest& manifest)
{
    QJsonArray members;
    for (const JobFileMember& member : manifest.members) {
        QJsonObject one{{nameMember, member.name}, {kindMember, toText(member.kind)},
            {bytesMember, double(member.bytes)}, {sumMember, QString::fromLatin1(member.sha256)}};
        if (member.kind == Kind::Output) {
            one.insert(fileMember, orNull(member.file));
            one.insert(wholeMember, orNull(member.wholeBytes));
        }
        members.append(one);
    }
    const QJsonObject object{{formatMember, formatName}, {versionMember, jobFileVersion},
        {minorMember, manifest.minorVersion}, {programMember, orNull(manifest.program)},
        {madeMember, timeJson(manifest.made)}, {clusterMember, manifest.cluster},
        {titleMember, orNull(manifest.clusterTitle)}, {jobMember, jobRecordJson(manifest.job)},
        {secretsMember, manifest.secretsLeftOut}, {membersMember, members}};
    return QJsonDocument(object).toJson();
}

Result<JobFileManifest> manifestFrom(const QByteArray& bytes)
{
    const auto object = bytes.size() > largestJobManifest
        ? fail(Fault::Unreadable, u"its list of contents has %1 bytes"_s.arg(bytes.size()))
        : parseJsonObject(bytes, jobManifestName);
    if (!object)
        return fail(object.error());
    JsonReader json(*object);
    if (json.text(formatMember) != formatName)
        return fail(Fault::Unreadable, u"this is not a job file"_s, u"$.format is not \"%1\""_s.arg(formatName));
    const int version = json.whole(versionMember, 1).value_or(0);
    if (version > jobFileVersion)
        return fail(Fault::Invalid, u"this job file was written by a newer Rankwright"_s,
            u"version %1, this program knows %2"_s.arg(version).arg(jobFileVersion), u"open it with that one"_s);
    if (version == 0)
        json.refuse(versionMember, u"expected a number, found nothing"_s);
    JobFileManifest manifest;
    manifest.minorVersion = json.whole(minorMember, 0).value_or(0);
    manifest.program = json.text(programMember).value_or(QString());
    manifest.made = json.time(madeMember).value_or(QDateTime());
    manifest.cluster = json.requiredText(clusterMember);
    manifest.clusterTitle = json.text(titleMember).value_or(QString());
    manifest.secretsLeftOut = json.whole(secretsMember, 0).value_or(0);
    if (manifest.cluster.size() > longestName)
        json.refuse(clusterMember, u"expected a cluster's name"_s);
    if (const auto job = json.object(jobMember)) {
        const auto record = jobRecordFromJson(*job);
        if (!record)
            return fail(record.error());
        manifest.job = *record;
        if (const auto fault = jobIdFault(record->id))
            return fail(*fault);
    } else {
        json.refuse(jobMember, u"expected an object, found nothing"_s);
    }
    QSet<QString> names;
    const QList<JsonReader> members = json.objects(membersMember);
    if (members.size() > mostJobFileMembers)
        json.refuse(membersMember, u"at most %1 members are read"_s.arg(mostJobFileMembers));
    for (JsonReader member : members.first(qMin<qsizetype>(members.size(), mostJobFileMembers))) {
        manifest.members.append(memberFrom(member));
        if (names.contains(manifest.members.last().name))
            member.refuse(nameMember, u"this name occurs twice"_s);
        names.insert(manifest.members.last().name);
        json.absorb(member);
    }
    if (json.fault())
        return fail(*json.fault());
    for (const Kind once : {Kind::Recording, Kind::Script, Kind::Design, Kind::Usage, Kind::Report, Kind::ReportText}) {
        const auto count = std::count_if(manifest.members.cbegin(), manifest.members.cend(),
            [once](const JobFileMember& member) { return member.kind == once; });
        if (count > 1)
            return fail(Fault::Unreadable, u"there is more than one %1 in it"_s.arg(toText(once)));
    }
    return manifest;
}

} // namespace rankwright
