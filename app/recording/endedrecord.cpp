// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording/endedrecord.h"

#include "app/store/recordingreader.h"
#include "app/store/recordings.h"
#include "app/store/recordingwriter.h"
#include "models/cluster/catalogue/clusterprofile.h"
#include "models/core/logging.h"

namespace rankwright {

namespace {

constexpr qint64 longerThanMs
    = 6500; ///< holes between the steps of a record, as written by default, and a little jitter
constexpr int mostRounds = 40; ///< of at most GapFiller::mostBytes

} // namespace

void describeGpus(RecordingFacts& facts, const ClusterProfile* profile, const JobRecord& job)
{
    const int nodes = job.nodes.value_or(int(job.nodeList.size()));
    if (nodes > 0 && job.gpus.value_or(0) >= nodes)
        facts.gpusPerNode = *job.gpus / nodes;
    const NodeShape* shape = profile ? profile->nodeShape(job.partition) : nullptr;
    if (!shape && profile)
        shape = profile->nodeShape({});
    if (shape) {
        facts.gpuWord = shape->gpu.word;
        facts.gpusPerPackage = shape->gpu.perPackage;
    }
}

RecordingFacts factsOf(const QString& cluster, const ClusterProfile* profile, const JobRecord& job)
{
    RecordingFacts facts;
    facts.cluster = cluster;
    facts.job = job;
    describeGpus(facts, profile, job);
    return facts;
}

void bringEndedRecords(RemoteShell& shell, const ClusterProfile& profile, const QString& dataFolder,
    const QString& cluster, const QList<JobRecord>& jobs, QObject* guard, const std::function<void()>& then)
{
    QList<RecordingFacts> facts;
    for (const JobRecord& job : jobs)
        facts.append(factsOf(cluster, &profile, job));
    auto* records = new EndedRecord(shell, recordingsFolder(dataFolder), guard);
    records->bring(facts, [then](qint64) { then(); });
}

EndedRecord::EndedRecord(RemoteShell& shell, QString folder, QObject* parent)
    : QObject(parent), m_folder(std::move(folder)), m_filler(shell)
{
    connect(&m_filler, &GapFiller::ticksFilled, this, [this](const QList<NodeTick>& ticks) {
        if (!openWriter())
            return;
        m_writer->fill(ticks);
        m_roundTicks += ticks.size();
    });
    connect(&m_filler, &GapFiller::processesFilled, this, [this](const QList<NodeProcesses>& processes) {
        if (!openWriter())
            return;
        for (const NodeProcesses& reported : processes)
            m_writer->append(reported, reported.takenMs);
    });
    connect(&m_filler, &GapFiller::finished, this, &EndedRecord::handleEnd);
}

EndedRecord::~EndedRecord() = default;

void EndedRecord::bring(const QList<RecordingFacts>& jobs, std::function<void(qint64 ticks)> then)
{
    m_jobs = jobs;
    m_then = std::move(then);
    m_ticks = 0;
    readNextRecord();
}

/// Begins with the first of those that are left.
void EndedRecord::readNextRecord()
{
    m_writer.reset();
    m_rounds = 0;
    while (!m_jobs.isEmpty()) {
        const JobRecord& job = m_jobs.first().job;
        if (hasEnded(job.state) && job.started.isValid() && job.ended.isValid() && !job.workdir.isEmpty()) {
            checkNext();
            return;
        }
        m_jobs.removeFirst();
    }
    if (const auto then = std::exchange(m_then, nullptr))
        then(m_ticks);
}

void EndedRecord::checkNext()
{
    RecordingFacts& facts = m_jobs.first();
    const TimeSpan ran{facts.job.started.toMSecsSinceEpoch(), facts.job.ended.toMSecsSinceEpoch()};
    QList<MissingSpan> missing{{{}, ran}};
    const QString path = findRecording(m_folder, facts.cluster, facts.job.id);
    const auto opened
        = path.isEmpty() ? Result<std::unique_ptr<RecordingReader>>(nullptr) : RecordingReader::open(path);
    if (opened && *opened) {
        RecordingFacts known = (*opened)->info().facts;
        if (isSameJob(known, facts)) {
            known.job = facts.job;
            facts = known; // its design and what else was known
            missing = missingSpans(**opened, ran, longerThanMs);
        }
    }
    m_roundTicks = 0;
    if (++m_rounds <= mostRounds && m_filler.fill(facts.job.workdir, facts.job.id, missing))
        return;
    m_jobs.removeFirst();
    readNextRecord();
}

bool EndedRecord::openWriter()
{
    if (m_writer)
        return true;
    auto opened = RecordingWriter::open(m_folder, m_jobs.first());
    if (!opened) {
        qCWarning(logApp) << opened.error().oneLine();
        return false;
    }
    m_writer = std::move(*opened);
    m_writer->setNodes(m_jobs.first().job.nodeList);
    return true;
}

void EndedRecord::handleEnd(const Result<GapSummary>& outcome)
{
    if (m_writer) {
        if (const auto written = m_writer->commit(QDateTime::currentMSecsSinceEpoch()); !written)
            qCWarning(logApp) << written.error().oneLine();
        m_writer.reset(); // also closed between two rounds, which read the file
    }
    m_ticks += m_roundTicks;
    const bool more = outcome && outcome->limited && m_roundTicks > 0;
    if (!more)
        m_jobs.removeFirst();
    // The filler's process ends inside its signal.
    QMetaObject::invokeMethod(
        this, more ? &EndedRecord::checkNext : &EndedRecord::readNextRecord, Qt::QueuedConnection);
}

} // namespace rankwright
