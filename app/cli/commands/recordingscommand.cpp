// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/base/datafolder.h"
#include "app/cli/clioutput.h"
#include "app/store/database.h"
#include "app/store/eventjson.h"
#include "app/store/joblog.h"
#include "app/store/recordingreader.h"
#include "app/store/usagefiles.h"
#include "models/cluster/slurm/jobrecordjson.h"
#include "models/core/harmlesstext.h"
#include "models/core/quantitytext.h"
#include "models/insight/telemetry/history/historyexport.h"
#include "models/insight/telemetry/history/samplegaps.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>

#include <limits>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

QJsonValue momentJson(qint64 ms, const TimeSpan& span)
{
    return span.length() > 0 ? QJsonValue(QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC).toString(Qt::ISODateWithMs))
                             : QJsonValue();
}

QJsonObject infoJson(const RecordingInfo& info)
{
    const bool sampled = info.span.length() > 0;
    return {
        {u"cluster"_s, orNull(info.facts.cluster)},
        {u"jobId"_s, orNull(info.facts.job.id)},
        {u"name"_s, orNull(info.facts.job.name)},
        {u"state"_s,
            info.fault || info.facts.job.state == JobState::Unknown ? QJsonValue()
                                                                    : QJsonValue(toText(info.facts.job.state))},
        {u"nodes"_s, info.nodes > 0 ? QJsonValue(info.nodes) : QJsonValue()},
        {u"gpusPerNode"_s, info.gpusPerNode > 0 ? QJsonValue(info.gpusPerNode) : QJsonValue()},
        {u"from"_s, momentJson(info.span.fromMs, info.span)},
        {u"to"_s, momentJson(info.span.toMs, info.span)},
        {u"seconds"_s, sampled ? QJsonValue(double(info.span.length()) / 1000) : QJsonValue()},
        {u"bytes"_s, double(info.bytes)},
        {u"recording"_s, info.isWritten},
        {u"path"_s, info.path},
        {u"fault"_s, info.fault ? orNull(info.fault->what) : QJsonValue()},
    };
}

/// The recordings with what became of their jobs: a recording keeps the state that its program saw last, and the job
/// log and the reports of this machine may know the end. A job that neither knows any more has no known state.
QList<RecordingInfo> listWithStates(const QString& dataFolder, const QString& folder)
{
    QList<RecordingInfo> list = listRecordings(folder);
    const auto database = Database::open(dataFolder);
    std::optional<JobLog> log;
    if (database)
        log.emplace(**database);
    for (RecordingInfo& info : list) {
        JobRecord& job = info.facts.job;
        if (info.fault || info.isWritten || hasEnded(job.state))
            continue;
        const auto entry = log && !info.facts.entryId.isEmpty() ? log->find(info.facts.entryId)
                                                                : Result<JobLogEntry>(fail(Fault::Invalid, u"none"_s));
        const auto usage = findStoredUsage(dataFolder, info.facts.cluster, job.id);
        if (entry && hasEnded(entry->state))
            job.state = entry->state;
        else if (usage && *usage && hasEnded((*usage)->usage.job.state) && (*usage)->usage.job.started == job.started)
            job.state = (*usage)->usage.job.state;
        else
            job.state = JobState::Unknown;
    }
    return list;
}

int runList(const CliContext& context, const QString& dataFolder, const QString& folder)
{
    const TextTable table({u"cluster"_s, u"job"_s, u"name"_s, u"state"_s, u"from (UTC)"_s, u"length"_s, u"nodes"_s,
        u"size"_s, u"note"_s});
    printRecords(
        context, listWithStates(dataFolder, folder), infoJson, table, [](TextTable& rows, const RecordingInfo& info) {
            const bool sampled = info.span.length() > 0;
            const QString from = QDateTime::fromMSecsSinceEpoch(info.span.fromMs, Qt::UTC).toString(Qt::ISODate);
            rows.add({info.facts.cluster, info.facts.job.id, harmlessLine(info.facts.job.name, longestTableName),
                info.facts.job.state == JobState::Unknown ? u"not known"_s : toText(info.facts.job.state),
                sampled ? from : u"-"_s, sampled ? humanDuration(Seconds{info.span.length() / 1000}) : u"-"_s,
                QString::number(info.nodes), humanBytes(Bytes{info.bytes}),
                info.fault           ? info.fault->oneLine()
                    : info.isWritten ? u"being recorded"_s
                                     : QString()});
        });
    return ExitDone;
}

/// The recordings that the words after the verb name: CLUSTER JOB, or files.
Result<QStringList> namedFiles(const QString& folder, const QStringList& words)
{
    if (words.isEmpty())
        return fail(Fault::Invalid, u"No recording is named."_s, {}, u"Give CLUSTER JOB, or the file's name."_s);
    if (!words.first().endsWith(u".rwr"_s)) {
        const QString found = words.size() == 2 ? findRecording(folder, words.at(0), words.at(1)) : QString();
        if (found.isEmpty())
            return fail(Fault::Invalid, u"There is no recording of “%1” in %2."_s.arg(words.join(u' '), folder), {},
                u"List them with: rankwright-cli recordings list"_s);
        return QStringList{found};
    }
    QStringList files;
    for (const QString& word : words)
        files.append(QFileInfo::exists(word) ? word : folder + u'/' + word);
    return files;
}

int showRecording(const CliContext& context, const QString& path)
{
    const auto reader = RecordingReader::open(path);
    if (!reader)
        return report(context, reader.error());
    const RecordingInfo info = (*reader)->info();
    const qint64 gapMs = gapLongerThanMs(usualIntervalMs(**reader));
    const QList<TimeSpan> gaps = gapsWithin(**reader, {}, gapMs);
    const auto progress = (*reader)->progressAt(info.span.toMs);
    if (context.json) {
        QJsonArray holes;
        for (const TimeSpan& gap : gaps)
            holes.append(QJsonObject{{u"from"_s, momentJson(gap.fromMs, info.span)},
                {u"to"_s, momentJson(gap.toMs, info.span)}, {u"seconds"_s, double(gap.length()) / 1000}});
        QJsonArray events;
        for (const RecordingEvent& event : (*reader)->events({0, std::numeric_limits<qint64>::max()})) {
            const auto what = eventJson(event);
            QJsonObject one{{u"time"_s, momentJson(event.atMs, {0, 1})}, {u"event"_s, event.kind},
                {u"what"_s, what ? QJsonValue(*what) : QJsonValue()}};
            if (!what)
                one.insert(u"unreadable"_s, what.error().oneLine());
            events.append(one);
        }
        QJsonObject answer = infoJson(info);
        answer.insert(u"job"_s, jobRecordJson(info.facts.job));
        answer.insert(u"nodeList"_s, QJsonArray::fromStringList((*reader)->nodes()));
        answer.insert(u"gaps"_s, holes);
        answer.insert(u"events"_s, events);
        answer.insert(u"lossPoints"_s, (*reader)->lossesAt(std::numeric_limits<qint64>::max()).size());
        answer.insert(u"lastStep"_s, progress && progress->step ? QJsonValue(double(*progress->step)) : QJsonValue());
        printJson(context.out, answer);
        return ExitDone;
    }
    TextFacts facts;
    facts.add(u"job"_s, u"%1 on %2, %3"_s.arg(info.facts.job.id, info.facts.cluster, toText(info.facts.job.state)));
    facts.add(u"name"_s, info.facts.job.name.isEmpty() ? u"-"_s : info.facts.job.name);
    facts.add(u"recorded"_s,
        info.span.length() > 0 ? u"%1, from %2"_s.arg(humanDuration(Seconds{info.span.length() / 1000}),
            QDateTime::fromMSecsSinceEpoch(info.span.fromMs, Qt::UTC).toString(Qt::ISODate))
                               : u"nothing yet"_s);
    facts.add(u"gaps"_s,
        gaps.isEmpty() ? u"none longer than %1"_s.arg(humanDuration(Seconds{gapMs / 1000})) : gapsText(gaps));
    facts.add(u"GPUs"_s,
        u"%1 with up to %2 each"_s.arg(nodesText(info.nodes), gpusText(info.gpusPerNode, info.facts.gpuWord)));
    facts.add(u"size"_s, humanBytes(Bytes{info.bytes}));
    facts.add(u"file"_s, info.path);
    facts.print(context.out);
    return ExitDone;
}

/// A moment of the command line: ISO 8601, or milliseconds since 1970.
Result<qint64> momentOf(const CliContext& context, const QString& option, qint64 fallback)
{
    if (!context.has(option))
        return fallback;
    const QString text = context.option(option);
    bool good = false;
    const qint64 number = text.toLongLong(&good);
    const QDateTime time = QDateTime::fromString(text, Qt::ISODateWithMs);
    if (!good && !time.isValid())
        return fail(Fault::Invalid, u"--%1 %2 is not a time."_s.arg(option, text), {},
            u"Give it as 2026-11-21T20:15:00Z, or in milliseconds since 1970."_s);
    return good ? number : time.toMSecsSinceEpoch();
}

Result<ExportRequest> requestOf(const CliContext& context, const RecordingReader& reader)
{
    ExportRequest request;
    const QString name = context.option(u"format"_s, context.json && !context.has(u"output"_s) ? u"json"_s : u"csv"_s);
    const auto format = exportFormatFrom(name);
    if (!format)
        return fail(
            Fault::Invalid, u"--format %1 is not known."_s.arg(name), {}, u"Give csv, typed-csv, jsonl or json."_s);
    request.format = *format;
    const TimeSpan whole = reader.span();
    const auto from = momentOf(context, u"from"_s, whole.fromMs);
    const auto to = momentOf(context, u"to"_s, whole.toMs);
    if (!from || !to)
        return fail(from ? to.error() : from.error());
    if (*from > *to || (*from == *to && whole.length() > 0))
        return fail(Fault::Invalid, u"--from is not before --to."_s, {}, u"Give an earlier --from."_s);
    request.span = {*from, *to};
    const RecordingInfo info = reader.info();
    request.cluster = info.facts.cluster;
    request.job = info.facts.job.id;
    return request;
}

int runExport(const CliContext& context, const QString& path)
{
    const auto reader = RecordingReader::open(path);
    if (!reader)
        return report(context, reader.error());
    const auto request = requestOf(context, **reader);
    if (!request)
        return report(context, request.error());
    const QString name = context.option(u"output"_s);
    if (name.isEmpty()) {
        const auto rows = exportHistory(**reader, *request, [&context](const QByteArray& bytes) {
            context.out << QString::fromUtf8(bytes);
            context.out.flush();
            return context.out.status() == QTextStream::Ok;
        });
        return rows ? ExitDone : report(context, rows.error(), ExitNo);
    }
    QFile file(name);
    if (!file.open(QIODevice::WriteOnly))
        return report(context,
            {Fault::Io, u"The file %1 cannot be written."_s.arg(name), file.errorString(), u"Choose another place."_s});
    const auto rows = exportHistory(
        **reader, *request, [&file](const QByteArray& bytes) { return file.write(bytes) == bytes.size(); });
    if (!rows || !file.flush())
        return report(context,
            rows ? Error{Fault::Io, u"The file %1 could not be written."_s.arg(name), file.errorString(), {}}
                 : rows.error(),
            ExitNo);
    QStringList files{name};
    if (request->format == ExportFormat::TypedCsv) {
        QFile schema(name + u".schema.json"_s);
        if (!schema.open(QIODevice::WriteOnly) || schema.write(exportSchema()) < 0)
            return report(context,
                {Fault::Io, u"The file %1 cannot be written."_s.arg(schema.fileName()), schema.errorString(), {}},
                ExitNo);
        files.append(schema.fileName());
    }
    if (context.json)
        printJson(
            context.out, QJsonObject{{u"rows"_s, double(*rows)}, {u"files"_s, QJsonArray::fromStringList(files)}});
    else
        context.out << u"%1 rows written to %2\n"_s.arg(*rows).arg(files.join(u" and "_s));
    return ExitDone;
}

int runDelete(const CliContext& context, const QStringList& files)
{
    QStringList deleted;
    for (const QString& file : files) {
        if (const auto done = deleteRecording(file); !done)
            return report(context, done.error(), ExitNo);
        deleted.append(file);
    }
    if (context.json)
        printJson(context.out, QJsonObject{{u"deleted"_s, QJsonArray::fromStringList(deleted)}});
    else
        context.out << u"deleted %1\n"_s.arg(deleted.join(u", "_s));
    return ExitDone;
}

int runRecordings(const CliContext& context)
{
    const auto data = prepareDataFolder(context.option(u"data-dir"_s));
    if (!data)
        return report(context, data.error());
    const QString folder = recordingsFolder(*data);
    const QString verb = context.positional.value(0);
    const QStringList words = context.positional.mid(1);
    if (verb == u"list" && words.isEmpty())
        return runList(context, *data, folder);
    if (verb != u"show" && verb != u"export" && verb != u"delete")
        return report(context,
            {Fault::Invalid, u"“recordings %1” is not known."_s.arg(context.positional.join(u' ')), {},
                u"Give list, show, export or delete."_s});
    const auto files = namedFiles(folder, words);
    if (!files)
        return report(context, files.error());
    if (verb == u"delete")
        return runDelete(context, *files);
    if (files->size() != 1)
        return report(context,
            {Fault::Invalid, u"recordings %1 takes one recording."_s.arg(verb), {}, u"Name them one after another."_s});
    return verb == u"show" ? showRecording(context, files->first()) : runExport(context, files->first());
}

} // namespace

CliCommand recordingsCommand()
{
    return {
        .name = "recordings",
        .summary = "What was recorded of watched jobs: list, show, export as a table, delete",
        .words = "list | show CLUSTER JOB | export CLUSTER JOB | delete CLUSTER JOB | delete FILE.rwr...",
        .run = runRecordings,
        .options = {{.name = "format", .value = "csv|typed-csv|jsonl|json", .text = "export: the form of the table"},
            {.name = "output", .value = "FILE", .text = "export: into this file"},
            {.name = "from", .value = "TIME", .text = "export: ISO 8601, or milliseconds since 1970"},
            {.name = "to", .value = "TIME", .text = "export: the end, likewise"},
            {.name = "data-dir", .value = "FOLDER", .text = "where the program keeps what it records"}},
        .minimumWords = 1,
    };
}

} // namespace rankwright
