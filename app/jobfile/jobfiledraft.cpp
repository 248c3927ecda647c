// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobfile/jobfiledraft.h"

#include "app/report/reportjson.h"
#include "app/store/recordingcopy.h"
#include "app/store/recordings.h"
#include "models/cluster/remote/tarheader.h"
#include "models/cluster/slurm/jobrecordjson.h"
#include "models/core/quantitytext.h"
#include "models/core/sharedtext.h"
#include "models/insight/report/reportmarkdown.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSaveFile>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

using Kind = JobFileMember::Kind;

constexpr qint64 copiedBytes = 1 << 20;

/// Whose job it is: the job's id tells the site, and no other reader needs it.
QJsonValue withoutUser(const QJsonValue& value)
{
    if (value.isArray()) {
        QJsonArray made;
        for (const QJsonValue& each : value.toArray())
            made.append(withoutUser(each));
        return made;
    }
    if (!value.isObject())
        return value;
    QJsonObject made = value.toObject();
    const QStringList names = made.keys();
    for (const QString& name : names)
        made.insert(name, withoutUser(made.value(name)));
    if (made.contains(u"jobId"_s) && made.contains(u"user"_s))
        made.insert(u"user"_s, QJsonValue());
    return made;
}

QJsonObject cleanObject(SharedText& shared, const QJsonObject& object)
{
    return withoutUser(shared.json(object)).toObject();
}

/// Empty: no JSON object, which cannot be looked through.
QByteArray cleanJson(SharedText& shared, const QByteArray& json)
{
    const auto before = parseJsonObject(json, u"value"_s);
    if (!before)
        return {};
    const QJsonObject after = cleanObject(shared, *before);
    return after == *before ? json : QJsonDocument(after).toJson(QJsonDocument::Compact);
}

/// Before Markdown puts its own marks between the letters of a secret.
EfficiencyReport cleanReport(SharedText& shared, EfficiencyReport report)
{
    report.job.user.clear();
    for (QString* text : {&report.job.name, &report.verdict})
        *text = shared.text(*text);
    for (QStringList* texts : {&report.findings, &report.unknown}) {
        for (QString& text : *texts)
            text = shared.text(text);
    }
    for (ReportAdvice& advice : report.advice) {
        for (QString* text : {&advice.text, &advice.reason, &advice.option})
            *text = shared.text(*text);
    }
    for (ReportFigure& figure : report.figures) {
        for (QString* text : {&figure.text, &figure.of, &figure.note})
            *text = shared.text(*text);
    }
    return report;
}

QString markdownOf(SharedText& shared, const JobReports& made)
{
    QList<EfficiencyReport> reports;
    for (const EfficiencyReport& report : made.reports)
        reports.append(cleanReport(shared, report));
    return toMarkdown(reports, made.speedup, made.acknowledgement);
}

/// From the first whole line on: half a secret is not known as one.
QByteArray wholeLines(const QByteArray& end, bool isCut)
{
    if (!isCut)
        return end;
    for (qsizetype at = 0; at < end.size(); ++at) {
        if (end.at(at) == '\n' || end.at(at) == '\r')
            return end.sliced(at + 1);
    }
    return {};
}

QString memberName(const QString& file, qsizetype number)
{
    static const QRegularExpression odd(u"[^A-Za-z0-9_.+=-]"_s);
    return u"output/%1-%2"_s.arg(number).arg(QString(file).replace(odd, u"_"_s).right(80));
}

Result<QByteArray> sumOf(const QString& path)
{
    QFile file(path);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!file.open(QIODevice::ReadOnly) || !hash.addData(&file))
        return fail(Fault::Io, u"The recording could not be read again."_s, file.errorString());
    return hash.result().toHex();
}

TarEntry entryOf(const QString& name, qint64 size, const QDateTime& made)
{
    TarEntry entry;
    entry.path = name;
    entry.size = size;
    entry.modified = made.toSecsSinceEpoch();
    return entry;
}

} // namespace

void JobFileDraft::add(JobFileMember member, const QByteArray& text)
{
    if (text.isEmpty())
        return;
    if (text.size() > largestOf(member.kind)) {
        m_notes.append(
            u"%1 is left out: it has %2."_s.arg(member.name, humanBytes(Bytes{static_cast<qint64>(text.size())})));
        return;
    }
    member.bytes = text.size();
    member.sha256 = QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex();
    m_manifest.members.append(member);
    m_texts.append(text);
}

void JobFileDraft::addOutputs(
    const QList<JobFileOutput>& outputs, const std::function<QByteArray(const QByteArray&)>& clean)
{
    if (outputs.size() > mostJobFileOutputs)
        m_notes.append(u"Of %1 output files the first %2 are in it."_s.arg(outputs.size()).arg(mostJobFileOutputs));
    for (qsizetype i = 0; i < qMin<qsizetype>(outputs.size(), mostJobFileOutputs); ++i) {
        const JobFileOutput& output = outputs.at(i);
        const bool isCut = output.end.size() >= longestOutputEnd || output.wholeBytes.value_or(0) > longestOutputEnd;
        JobFileMember member;
        member.kind = Kind::Output;
        member.file = QString::fromUtf8(clean(output.path.section(u'/', -1).left(120).toUtf8()));
        member.name = memberName(member.file, i + 1);
        member.wholeBytes = output.wholeBytes;
        add(member, clean(wholeLines(output.end.right(longestOutputEnd), isCut)).right(largestOf(Kind::Output)));
    }
}

Result<void> JobFileDraft::addRecording(const QString& path, const std::function<QByteArray(const QByteArray&)>& clean)
{
    if (!m_folder.isValid())
        return fail(Fault::Io, u"There is no room for temporary files."_s, m_folder.errorString());
    const QString copy = m_folder.filePath(u"recording.rwr"_s);
    if (const auto copied = copyRecording(path, copy, clean); !copied)
        return copied;
    JobFileMember member;
    member.name = u"recording.rwr"_s;
    member.kind = Kind::Recording;
    member.bytes = QFileInfo(copy).size();
    if (member.bytes > largestOf(Kind::Recording)) {
        m_notes.append(u"The recording is left out: it has %1."_s.arg(humanBytes(Bytes{member.bytes})));
        return {};
    }
    const auto sum = sumOf(copy);
    if (!sum)
        return fail(sum.error());
    member.sha256 = *sum;
    m_manifest.members.append(member);
    m_texts.append(QByteArray());
    return {};
}

Result<std::unique_ptr<JobFileDraft>> JobFileDraft::make(const JobFileParts& parts)
{
    std::unique_ptr<JobFileDraft> draft(new JobFileDraft);
    const JobRecord& job = parts.usage.usage.job;
    SharedText shared(job.user);
    const auto cleanText = [&shared](const QByteArray& text) { return shared.bytes(text); };
    const auto clean = [&shared](const QByteArray& json) { return cleanJson(shared, json); };
    JobFileManifest& manifest = draft->m_manifest;
    manifest.program = QLatin1String(RANKWRIGHT_VERSION);
    manifest.made = QDateTime::currentDateTimeUtc();
    manifest.cluster = parts.cluster;
    manifest.clusterTitle = parts.clusterTitle;
    const auto record = jobRecordFromJson(JsonReader(cleanObject(shared, jobRecordJson(job))));
    if (!record)
        return fail(record.error());
    manifest.job = *record;
    const auto member = [](const QString& name, Kind kind) { return JobFileMember{name, kind, 0, {}, {}, {}}; };
    if (parts.report) {
        draft->add(member(u"report.md"_s, Kind::ReportText), markdownOf(shared, *parts.report).toUtf8());
        draft->add(member(u"report.json"_s, Kind::Report),
            QJsonDocument(cleanObject(shared, reportsJson(*parts.report))).toJson());
    }
    draft->add(member(u"usage.json"_s, Kind::Usage), clean(usageBytes(parts.usage)));
    draft->add(member(u"script.sh"_s, Kind::Script), cleanText(parts.script));
    draft->add(member(u"design.json"_s, Kind::Design), clean(parts.design));
    draft->addOutputs(parts.outputs, cleanText);
    if (!parts.recording.isEmpty()) {
        if (const auto added = draft->addRecording(parts.recording, clean); !added)
            return fail(added.error());
    }
    manifest.secretsLeftOut = shared.secretsLeftOut();
    return draft;
}

qint64 JobFileDraft::bytes() const
{
    const auto withHeader = [this](const QString& name, qint64 size) {
        return tarHeader(entryOf(name, size, m_manifest.made)).size() + size + tarPadding(size);
    };
    qint64 sum = withHeader(jobManifestName, manifestBytes(m_manifest).size()) + tarEnd().size();
    for (const JobFileMember& member : m_manifest.members)
        sum += withHeader(member.name, member.bytes);
    return sum;
}

Result<void> JobFileDraft::write(const QString& path, JobFileWriting* writing) const
{
    QSaveFile file(path);
    const auto failed = [&](const QString& why) {
        return fail(Fault::Io, u"The job file %1 cannot be written."_s.arg(path), why,
            u"Check the folder's permissions and its free space."_s);
    };
    if (!file.open(QIODevice::WriteOnly))
        return failed(file.errorString());
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    const auto put = [&](const QString& name, const QByteArray& text) {
        file.write(tarHeader(entryOf(name, text.size(), m_manifest.made)));
        file.write(text);
        file.write(QByteArray(qsizetype(tarPadding(text.size())), '\0'));
    };
    put(jobManifestName, manifestBytes(m_manifest));
    for (qsizetype i = 0; i < m_manifest.members.size(); ++i) {
        const JobFileMember& member = m_manifest.members.at(i);
        if (member.kind != Kind::Recording) {
            put(member.name, m_texts.at(i));
            continue;
        }
        QFile recording(m_folder.filePath(u"recording.rwr"_s));
        if (!recording.open(QIODevice::ReadOnly))
            return failed(recording.errorString());
        file.write(tarHeader(entryOf(member.name, member.bytes, m_manifest.made)));
        qint64 left = member.bytes;
        while (left > 0) {
            if (writing && writing->cancelled)
                return fail(Fault::Cancelled, u"The job file was not written: it was stopped."_s);
            if (writing)
                writing->permille = int(1000 * (member.bytes - left) / member.bytes);
            const QByteArray piece = recording.read(qMin(left, copiedBytes));
            if (piece.isEmpty() || file.write(piece) != piece.size())
                return failed(piece.isEmpty() ? recording.errorString() : file.errorString());
            left -= piece.size();
        }
        file.write(QByteArray(qsizetype(tarPadding(member.bytes)), '\0'));
    }
    file.write(tarEnd());
    if (writing && writing->cancelled)
        return fail(Fault::Cancelled, u"The job file was not written: it was stopped."_s);
    return file.commit() ? Result<void>() : Result<void>(failed(file.errorString()));
}

QString jobFileName(const QString& cluster, const JobId& job)
{
    QString name = recordingName(cluster, job, 1);
    return name.replace(u".rwr"_s, jobFileSuffix);
}

} // namespace rankwright
