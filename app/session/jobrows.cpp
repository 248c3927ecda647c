// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/jobrows.h"

#include "app/recording/recordedpast.h"
#include "app/watch/jobwatch.h"
#include "models/cluster/slurm/slurmclient.h"
#include "models/insight/diagnosis/explain.h"
#include "models/script/lint/lintrequest.h"

#include <algorithm>

#include <QHash>
#include <QObject>

namespace rankwright {

using namespace Qt::StringLiterals;

QString undecidedNote(const JobLogEntry& entry)
{
    switch (entry.stage) {
    case EntryStage::Recorded:
    case EntryStage::Sending: return u"being submitted"_s;
    case EntryStage::Unknown: return u"not known: the link was lost while submitting; it is searched for"_s;
    case EntryStage::Refused: return u"refused: %1"_s.arg(entry.outcome);
    case EntryStage::Absent: return entry.outcome;
    case EntryStage::Known: break;
    }
    return entry.outcome;
}

namespace {

JobRow rowOf(const QString& cluster, const JobRecord& record)
{
    JobRow row;
    row.job = record;
    row.cluster = cluster;
    if (isWaiting(record.state) && !record.reason.isEmpty())
        row.note = explainPendingReason(record.reason);
    else if (hasEnded(record.state))
        row.note = explainOutcome(record);
    else if (record.state == JobState::Unknown)
        row.note = u"left the queue; its end is not reported yet"_s;
    return row;
}

/// A row from the job log alone: the cluster was not asked, or has forgotten the job.
JobRow rowOf(const JobLogEntry& entry)
{
    JobRow row;
    row.cluster = entry.cluster;
    row.launchedHere = true;
    row.entryId = entry.id;
    row.job.id = entry.job.isEmpty() ? entry.id : entry.job;
    row.job.name = entry.name;
    row.job.state = entry.stage == EntryStage::Known ? entry.state : JobState::Unknown;
    row.job.submitted = entry.created;
    row.job.comment = entry.token;
    row.job.workdir = entry.workdir;
    row.note = undecidedNote(entry);
    if (entry.stage == EntryStage::Known && !hasEnded(entry.state) && row.note.isEmpty())
        row.note = u"last heard of on %1"_s.arg(entry.heard.toLocalTime().toString(u"yyyy-MM-dd HH:mm"_s));
    return row;
}

void addRecordings(const QString& cluster, const QList<RecordingInfo>& recordings, QList<JobRow>& rows)
{
    for (const RecordingInfo& recording : recordings) { // the newest of a job comes first
        if (recording.facts.cluster != cluster || recording.fault)
            continue;
        const auto known = std::find_if(rows.begin(), rows.end(), [&recording](const JobRow& row) {
            RecordingFacts facts = recording.facts;
            facts.job = row.job;
            return row.job.id == recording.facts.job.id && isSameJob(facts, recording.facts);
        });
        if (known != rows.end()) {
            if (known->recording.isEmpty())
                known->recording = recording.path;
            continue;
        }
        JobRow row = rowOf(cluster, recordedJob(recording));
        row.recording = recording.path;
        row.entryId = recording.facts.entryId;
        row.launchedHere = !row.entryId.isEmpty();
        if (row.note.isEmpty())
            row.note = u"recorded; how it ended was not seen"_s;
        rows.append(row);
    }
}

} // namespace

JobRecord requestOf(const QByteArray& script)
{
    const BatchText batch = parseBatch(QString::fromUtf8(script));
    const lint::LintRequest request = lint::readRequest(batch);
    JobRecord job;
    if (const BatchOption* partition = batch.option(u"partition"_s))
        job.partition = partition->value;
    if (const BatchOption* account = batch.option(u"account"_s))
        job.account = account->value;
    job.nodes = request.nodes;
    job.timeLimit = request.time;
    if (request.gpusTotal)
        job.gpus = request.gpusTotal;
    else if (request.gpusPerNode && request.nodes)
        job.gpus = *request.gpusPerNode * *request.nodes;
    return job;
}

QList<JobRow> jobRows(const QString& cluster, const QList<JobRecord>& queue, const QList<JobRecord>& history,
    const QList<JobLogEntry>& entries, const QList<RecordingInfo>& recordings)
{
    QList<JobRow> rows;
    QHash<JobId, qsizetype> places;
    for (const QList<JobRecord>* source : {&queue, &history}) {
        for (const JobRecord& record : *source) {
            if (const auto place = places.constFind(record.id); place != places.cend()) {
                // The queue was read first and is fresher; the accounting may know more.
                JobRow& row = rows[*place];
                row = rowOf(cluster, mergedRecord(record, row.job));
                continue;
            }
            places.insert(record.id, rows.size());
            rows.append(rowOf(cluster, record));
        }
    }
    for (const JobLogEntry& entry : entries) {
        const auto place = entry.job.isEmpty() ? places.cend() : places.constFind(entry.job);
        const bool reported = place != places.cend();
        // The same id with another token is another job of a cluster that was set up again.
        const QString comment = reported ? rows.at(*place).job.comment : QString();
        if (reported && (comment == entry.token || (!isOurToken(comment) && !rows.at(*place).launchedHere))) {
            JobRow& row = rows[*place];
            row.launchedHere = true;
            row.entryId = entry.id;
            if (row.job.name.isEmpty())
                row.job.name = entry.name;
            if (row.note.isEmpty())
                row.note = entry.outcome;
        } else if (!reported) {
            const JobRow row = rowOf(entry);
            places.insert(row.job.id, rows.size());
            rows.append(row);
        }
    }
    addRecordings(cluster, recordings, rows);
    return rows;
}

} // namespace rankwright
