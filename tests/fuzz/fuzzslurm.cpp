// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording/samplerrecords.h"
#include "app/session/practicecluster.h"
#include "app/store/keptoutputs.h"
#include "app/watch/outputfilesofjob.h"
#include "models/cluster/draft/clustersurvey.h"
#include "models/cluster/slurm/clusternames.h"
#include "models/cluster/slurm/jobusage.h"
#include "models/cluster/slurm/rehearsal.h"
#include "models/cluster/slurm/slurmparsers.h"
#include "models/cluster/slurm/topology.h"
#include "models/insight/log/outputlisting.h"
#include "models/teaching/classroom/classsite.h"
#include "tests/fuzz/fuzztargets.h"

#include <QBuffer>

namespace rankwright::fuzz {

using namespace Qt::StringLiterals;

namespace {

/// What of an answer's lines becomes of records.
template <typename T>
void requireFew(const QList<T>& read, const QByteArray& bytes)
{
    require(read.size() <= bytes.size() + 1, "no more is read than is there");
}

void outputsOfAJob(const QByteArray& bytes)
{
    JobRecord job;
    job.id = u"4711"_s;
    job.workdir = u"/run"_s;
    const QList<OutputFile> files = outputFilesOf(job, bytes);
    requireFew(files, bytes);
    requireFew(listedOutputs(bytes, files), bytes);
    require(scriptIn(bytes).size() <= bytes.size(), "a script is a part of the answer");
}

} // namespace

void slurmAnswer(const QByteArray& bytes)
{
    if (const auto queue = parseSqueue(bytes))
        requireFew(*queue, bytes);
    if (const auto jobs = parseSacct(bytes))
        requireFew(*jobs, bytes);
    if (const auto usages = parseUsage(bytes))
        requireFew(*usages, bytes);
    if (const auto job = parseSubmitted(bytes))
        require(!job->isEmpty(), "a job has an id");
    (void)parseForecast(bytes);
    (void)parseDiscovery(bytes, 1);
    (void)parseNames(bytes);
    (void)parseTopology(bytes, {u"nid001"_s, u"nid002"_s});
    (void)readSurvey(bytes);
    (void)readRehearsal({bytes, bytes, 0, {}});
    requireFew(parseReservations(bytes), bytes);
    outputsOfAJob(bytes);
    if (const auto records = readRecordList(bytes))
        requireFew(*records, bytes);
    requireFew(QList<QString>(readRemoved(bytes)), bytes);
    (void)readPracticeStatus(bytes);
    (void)readPracticeStep(bytes);
}

void keptOutputs(const QByteArray& bytes)
{
    QBuffer file;
    file.setData(bytes);
    file.open(QIODevice::ReadOnly);
    const auto read = keptOutputsFrom(file, u"kept"_s);
    if (!read) {
        require(!read.error().what.isEmpty(), "an error says what happened");
        return;
    }
    require(read->size() <= mostKeptOutputs, "files are bounded");
    qint64 all = 0;
    for (const KeptOutput& output : *read) {
        require(output.bytes.size() <= largestKeptOutput, "each is bounded");
        all += output.bytes.size();
    }
    require(all <= bytes.size() && all <= mostKeptBytes, "no more is read than is there");
}

} // namespace rankwright::fuzz
