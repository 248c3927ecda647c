// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/jobviews.h"

#include "app/report/recordedevidence.h"
#include "app/session/jobrows.h"
#include "app/store/eventjson.h"
#include "app/store/recordings.h"
#include "app/store/recordingwriter.h"
#include "app/watch/jobexpectation.h"
#include "models/insight/diagnosis/diagnosisrules.h"
#include "models/insight/diagnosis/logdiagnoser.h"
#include "models/insight/progress/traininglogreader.h"
#include "models/script/document/designjson.h"

#include <cmath>

namespace rankwright::test {

using namespace Qt::StringLiterals;

namespace {

constexpr int commitEveryS = 4;
constexpr int ranksEveryMs = 3000;
constexpr qint64 sameAlertsMs = 60'000;
constexpr qsizetype endingBytes = 262'144;

qint64 msAt(double second) { return madeStart + qint64(second * 1000); }

template <typename Value>
void check(const Value& result)
{
    if (!result)
        qFatal("%s", qPrintable(result.error().oneLine()));
}

} // namespace

/// Hands on what comes as JobWatch, JobOutput, JobAlerts and JobRecorder do, whose clock is the wall's.
class JobViews::Feed {
public:
    Feed(JobViews& views, std::unique_ptr<RecordingWriter> writer) : m_views(views), m_writer(std::move(writer)) { }

    void begin(double second);
    void read(const QByteArray& bytes, double second);
    void take(const NodeTick& tick, double second);
    void take(const NodeProcesses& processes, double second);
    void look(double second);
    void restart(double second);
    void end();

private:
    void refreshDiagnoses(double second);
    void writeAlerts(const QList<Alert>& alerts, double second);

    JobViews& m_views;
    std::unique_ptr<RecordingWriter> m_writer;
    AlertWatch m_watch;
    TrainingLogReader m_reader;
    LogDiagnoser m_diagnoser;
    StepMeter m_meter;
    TrainingProgress m_read;
    quint64 m_revision = 0;
    bool m_isConfirmed = false;
    QString m_written;
    double m_writtenS = 0;
    std::optional<JobState> m_ended;
};

void JobViews::Feed::begin(double second)
{
    const JobRecord record = m_views.m_job.record(second);
    m_watch.expect(m_views.expectation(record));
    m_watch.started(record.started.toMSecsSinceEpoch());
    m_diagnoser.setNodes(record.nodes);
}

void JobViews::Feed::read(const QByteArray& bytes, double second)
{
    m_views.m_output += bytes;
    m_reader.feed(bytes);
    if (m_reader.progress() != TrainingProgress() && m_reader.progress() != m_read) {
        m_read = m_reader.progress();
        m_meter.addProgress(m_read, msAt(second));
        m_views.m_progress = m_read;
        m_views.m_progress.stepSeconds = m_meter.stepSeconds();
        m_watch.feed(m_views.m_progress, msAt(second));
        m_writer->note(m_views.m_progress, msAt(second));
    }
    m_diagnoser.feed(bytes);
    if (m_diagnoser.revision() != m_revision)
        refreshDiagnoses(second);
}

void JobViews::Feed::refreshDiagnoses(double second)
{
    m_revision = m_diagnoser.revision();
    QList<Diagnosis> found = m_diagnoser.diagnoses();
    if (m_ended == JobState::Completed)
        found.removeIf([](const Diagnosis& one) { return !isHealthRule(one.rule); });
    const bool failed = m_ended && *m_ended != JobState::Completed && *m_ended != JobState::Cancelled;
    for (Diagnosis& one : found)
        one.confirmed = one.confirmed || failed || m_isConfirmed;
    if (found == m_views.m_diagnoses)
        return;
    m_views.m_diagnoses = found;
    m_watch.feed(found, msAt(second));
    m_writer->note(failuresEvent(found, msAt(second)));
}

void JobViews::Feed::take(const NodeTick& tick, double second)
{
    if (tick.gpus.isEmpty())
        return;
    m_watch.feed(tick, msAt(second));
    m_writer->append(tick, msAt(second));
}

void JobViews::Feed::take(const NodeProcesses& processes, double second)
{
    m_watch.feed(processes, msAt(second));
    m_writer->append(processes, msAt(second));
}

void JobViews::Feed::look(double second)
{
    const QList<Alert> alerts = m_watch.alerts(msAt(second));
    m_views.hear(alerts, second, m_views.m_live);
    writeAlerts(alerts, second);
    const bool isDead = std::any_of(alerts.begin(), alerts.end(),
        [](const Alert& one) { return one.isOf(AlertKind::LostRank) || one.isOf(AlertKind::DeadNode); });
    if (isDead && !m_ended && !std::exchange(m_isConfirmed, true))
        refreshDiagnoses(second);
    if (int(second) % commitEveryS == 0)
        check(m_writer->commit(msAt(second)));
}

void JobViews::Feed::writeAlerts(const QList<Alert>& alerts, double second)
{
    QString which;
    for (const Alert& alert : alerts)
        which += alert.kind + u'/' + alert.nodes.join(u',') + u'/' + QString::number(alert.gpus.size()) + u' ';
    const bool isSame = which == m_written && (second - m_writtenS) * 1000 < double(sameAlertsMs);
    if (isSame || (which.isEmpty() && m_written.isEmpty()))
        return;
    m_written = which;
    m_writtenS = second;
    m_writer->note(alertsEvent(alerts, msAt(second)));
}

void JobViews::Feed::restart(double second)
{
    m_watch = AlertWatch();
    begin(second);
    m_reader.reset();
    m_reader.startAt(0);
    m_diagnoser.startAt(0);
    m_diagnoser.forget(0);
    m_views.m_output.clear();
    refreshDiagnoses(second);
}

void JobViews::Feed::end()
{
    const MadeJob& job = m_views.m_job;
    RecordingFacts facts;
    const JobRecord record = job.record(job.seconds);
    m_ended = record.state;
    if (record.state == JobState::Completed)
        m_watch.completed(msAt(job.seconds));
    else
        m_watch.ended(msAt(job.seconds));
    m_reader.finish();
    refreshDiagnoses(job.seconds);
    look(job.seconds);
    facts.cluster = job.machine.cluster;
    facts.job = record;
    facts.gpuWord = job.machine.gpuWord;
    facts.gpusPerPackage = job.machine.dies;
    facts.gpusPerNode = job.gpus;
    facts.design = job.design;
    m_writer->setFacts(facts);
    check(m_writer->commit(msAt(job.seconds)));
}

JobViews::JobViews(const MadeJob& job, const Catalogue& catalogue, QString dataFolder)
    : m_job(job), m_profile(catalogue.find(job.machine.cluster)), m_folder(std::move(dataFolder))
{ }

JobExpectation JobViews::expectation(const JobRecord& record) const
{
    if (const auto design = readDesign(m_job.design, u"design"_s); !m_job.design.isEmpty() && design)
        return expectationOf(derive(design->spec, *m_profile), record);
    return expectationOf(*m_profile, record);
}

void JobViews::hear(const QList<Alert>& alerts, double second, QList<Statement>& heard) const
{
    for (const Alert& alert : alerts) {
        const auto known = std::find_if(heard.begin(), heard.end(), [&](const Statement& one) {
            return one.alert.kind == alert.kind && one.alert.rank == alert.rank && one.alert.nodes == alert.nodes;
        });
        if (known == heard.end())
            heard.append({alert, second, second});
        else
            known->toS = second;
    }
}

void JobViews::watch()
{
    RecordingFacts facts;
    facts.cluster = m_job.machine.cluster;
    facts.job = m_job.record(0);
    facts.gpuWord = m_job.machine.gpuWord;
    facts.gpusPerPackage = m_job.machine.dies;
    facts.gpusPerNode = m_job.gpus;
    facts.design = m_job.design;
    auto writer = RecordingWriter::open(recordingsFolder(m_folder), facts);
    check(writer);
    (*writer)->setNodes(m_job.nodeNames());
    Feed feed(*this, std::move(*writer));
    feed.begin(0);
    qsizetype line = 0;
    const int everyS = m_job.everyMs / 1000;
    const int ranksS = std::max(everyS, ranksEveryMs / 1000);
    QList<NodeTick> late;
    for (int second = 1; second < int(m_job.seconds); ++second) {
        if (m_job.requeuedS > 0 && second == int(m_job.requeuedS))
            feed.restart(second);
        for (; line < m_job.output.size() && m_job.output.at(line).atS <= second; ++line)
            feed.read(m_job.output.at(line).text, second);
        const bool isLate = second >= m_job.lateFromS && second < m_job.lateToS;
        for (int node = 0; node < m_job.nodes; ++node) {
            if (second % everyS == 0 && isLate)
                late.append(m_job.tick(node, second));
            else if (second % everyS == 0)
                feed.take(m_job.tick(node, second), second);
            if (second % ranksS == node % ranksS && !isLate) {
                const bool isSilent = std::any_of(m_job.holes.begin(), m_job.holes.end(), [&](const auto& hole) {
                    return !hole.gpu && (hole.node < 0 || hole.node == node) && second >= hole.fromS
                        && second < hole.toS;
                });
                if (!isSilent)
                    feed.take(m_job.processes(node, second), second);
            }
        }
        if (!isLate) {
            for (const NodeTick& tick : std::as_const(late))
                feed.take(tick, second);
            late.clear();
        }
        feed.look(second);
    }
    for (; line < m_job.output.size(); ++line)
        feed.read(m_job.output.at(line).text, m_job.seconds);
    feed.end();
}

QList<Statement> JobViews::replay(double everyS) const
{
    QList<Statement> heard;
    const auto recording = RecordingReader::open(
        findRecording(recordingsFolder(m_folder), m_job.machine.cluster, m_job.record(m_job.seconds).id));
    check(recording);
    const RecordedPast past = recordedPast(**recording);
    if (past.trouble)
        qFatal("%s", qPrintable(past.trouble->oneLine()));
    const RecordingFacts facts = (*recording)->info().facts;
    std::optional<JobSpec> design;
    if (const auto read = readDesign(facts.design, u"design"_s); !facts.design.isEmpty() && read)
        design = read->spec;
    AlertReplay replay;
    replay.expect(
        expectationOf(facts, design, (*recording)->nodes(), m_profile), facts.job.started.toMSecsSinceEpoch());
    for (const FoundFailures& found : past.failures)
        replay.report(found);
    ProgressTrack progress;
    for (const ProgressTrack::Entry& entry : past.progress)
        progress.add(entry);
    const int gpus = m_job.nodes * m_job.gpus;
    for (double second = everyS; second < m_job.seconds; second += everyS) {
        replay.seek(msAt(second), gpus);
        while (replay.feedNext(**recording, progress)) { }
        hear(replay.alerts(), second, heard);
    }
    return heard;
}

JobViews::Reported JobViews::report() const
{
    const JobUsage usage = m_job.usage();
    SummaryWatch watch;
    JobEvidence evidence = recordedEvidence(m_folder, m_job.machine.cluster, usage.job, &watch);
    evidence.ending = readLogEnding({{m_output.right(endingBytes), {}}}, m_job.nodes);
    const JobCase made = makeCase(usage, UsageSource::Accounting, evidence, m_profile, {});
    check(storeUsage(
        m_folder, {m_job.machine.cluster, usage.job.ended, usage, true, made.inputs.measured, made.inputs.binding}));
    return {made.inputs, makeReport(made.inputs)};
}

JobRow JobViews::row() const
{
    const QList<JobRow> rows = jobRows(
        m_job.machine.cluster, {}, {m_job.record(m_job.seconds)}, {}, listRecordings(recordingsFolder(m_folder)));
    return rows.size() == 1 ? rows.first() : JobRow();
}

JobViews::Sums JobViews::sums() const
{
    Sums sums;
    const int everyS = m_job.everyMs / 1000;
    std::map<GpuAddress, double> most;
    double uses = 0, count = 0;
    for (int second = int(m_job.requeuedS) + 1; second < int(m_job.seconds); ++second) {
        for (int node = 0; node < m_job.nodes && second % everyS == 0; ++node) {
            for (const GpuSample& gpu : m_job.tick(node, second).gpus) {
                sums.energyJoules += gpu.powerWatts.value_or(0) * everyS;
                uses += gpu.utilizationPercent.value_or(0);
                ++count;
                double& one = most[{node, gpu.index}];
                one = std::max(one, gpu.utilizationPercent.value_or(0));
            }
        }
    }
    sums.use = count > 0 ? uses / count : 0;
    for (const auto& [gpu, use] : most) {
        if (use <= 5)
            sums.unused.append(gpu);
    }
    return sums;
}

} // namespace rankwright::test
