// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/jobwatch.h"

#include "app/watch/outputfilesofjob.h"
#include "models/core/logging.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace rankwright {

namespace {

// Asking each second for this long catches the start of a job that the scheduler takes at once; a longer wait is the
// ordinary poll's business.
constexpr qint64 eagerMs = 30000;
constexpr int tailGraceMs = 3000;
// Samples come every second; when they stop, most likely the job has ended.
constexpr int silenceMs = 2500;
constexpr qint64 pastSliceMs = 60'000;
constexpr qint64 mostPastReadings = 4'000'000; // of a larger past only what alerts look at is read
// Of a slow line: how long the output waits for a first sample, and how many seconds of the line its end may take.
constexpr int outputWaitMs = 30000;
constexpr qint64 leastOutputBytes = 2048;
constexpr double outputSeconds = 4;

/// Not the run that was seen last: it waits again, or it began later.
bool isNewRun(const JobRecord& before, const JobRecord& now)
{
    return isWaiting(now.state) || (isActive(now.state) && before.started.isValid() && now.started > before.started);
}

bool haveSameNames(const QStringList& a, const QStringList& b)
{
    return a == b || QSet<QString>(a.begin(), a.end()) == QSet<QString>(b.begin(), b.end());
}

} // namespace

JobWatch::JobWatch(RemoteShell& shell, const ClusterProfile& profile, JobId job, QObject* parent)
    : QObject(parent), m_shell(shell), m_profile(profile), m_job(std::move(job)), m_output(shell), m_alerts(profile)
{
    m_record.id = m_job;
    m_age.start();
    m_silence.setSingleShot(true);
    m_silence.setInterval(silenceMs);
    connect(&m_silence, &QTimer::timeout, this, &JobWatch::askWanted);
    m_outputWait.setSingleShot(true);
    m_outputWait.setInterval(outputWaitMs);
    connect(&m_outputWait, &QTimer::timeout, this, [this] {
        m_line.isPending = false;
        m_sampled = true; // none came: the output need not wait for it
        if (isActive(m_record.state))
            startOutput();
    });
    connect(&m_output, &JobOutput::progressChanged, this, [this](const TrainingProgress& progress) {
        m_alerts.addProgress(progress, QDateTime::currentMSecsSinceEpoch());
    });
    connect(&m_output, &JobOutput::diagnosesChanged, this, [this](const QList<Diagnosis>& diagnoses) {
        m_alerts.setDiagnoses(diagnoses, QDateTime::currentMSecsSinceEpoch());
    });
    connect(&m_alerts, &JobAlerts::changed, this, [this](const QList<Alert>& alerts) {
        const bool isDead = std::any_of(alerts.begin(), alerts.end(),
            [](const Alert& one) { return one.isOf(AlertKind::LostRank) || one.isOf(AlertKind::DeadNode); });
        if (isDead && !m_record.ended.isValid())
            m_output.confirmFailures();
    });
    connect(&m_output, &JobOutput::troubleChanged, this,
        [this](const std::optional<Error>& why) { emit troubleChanged(TroubleSource::Output, why); });
    connect(&m_output, &JobOutput::ended, this, &JobWatch::finish);
}

JobWatch::~JobWatch() = default;

void JobWatch::setLaunched(const LaunchedJob& launched)
{
    m_launched = launched;
    if (launched.spec)
        m_alerts.setDesign(*launched.spec);
}

bool JobWatch::isEager() const
{
    return !m_over && !isActive(m_record.state) && !hasEnded(m_record.state) && m_age.elapsed() < eagerMs;
}

TelemetryFeed::Cost JobWatch::cost() const { return m_feed ? m_lastCost + m_feed->cost() : m_lastCost; }

std::optional<double> JobWatch::coverage(qint64 nowMs) const
{
    if (!m_record.started.isValid() || isWaiting(m_record.state))
        return std::nullopt;
    const bool ended = hasEnded(m_record.state) && m_record.ended.isValid();
    return m_coverage.share(m_record.started.toMSecsSinceEpoch(), ended ? m_record.ended.toMSecsSinceEpoch() : nowMs);
}

void JobWatch::update(const JobRecord& record)
{
    if (m_ending && hasEnded(m_record.state) && !hasEnded(record.state))
        return; // an answer that was under way when the end was reported
    if (std::exchange(m_missing, false))
        emit troubleChanged(TroubleSource::Scheduler, std::nullopt);
    JobRecord merged = mergedRecord(m_record, record);
    if (isActive(m_record.state) && isNewRun(m_record, merged))
        restart();
    if (isWaiting(merged.state))
        m_output.forgetBinding();
    // Some time after its end Slurm reports no path any more.
    if (hasEnded(merged.state) && merged.standardOutput.isEmpty())
        merged.standardOutput = outputPathOf(merged, m_launched.script);
    if (!(merged == m_record)) {
        m_record = merged;
        expectCoverage();
        m_alerts.setRecord(m_record);
        emit recordChanged(m_record);
    }
    if (hasEnded(m_record.state)) {
        end();
        return;
    }
    if (!isActive(m_record.state))
        return;
    // Samples first: where one session or a few bytes a second are all there is, the output would keep them away.
    if (m_record.state != JobState::Completing) {
        if (m_feed && !haveSameNames(m_record.nodeList, m_fedNodes))
            stopFeed(); // the job shrank, or grew
        startFeed();
    }
    startOutput();
}

void JobWatch::setLineRate(const LineRate& rate)
{
    m_line = rate;
    if (isActive(m_record.state))
        startOutput();
}

void JobWatch::startOutput()
{
    if (m_output.isStarted())
        return;
    const bool waits = m_line.isPending || (m_line.isSlow() && m_feed && !m_sampled);
    if (waits && m_outputWait.interval() > 0) {
        if (!m_outputWait.isActive())
            m_outputWait.start();
        return;
    }
    m_outputWait.stop();
    readOutput();
}

/// Of a slow line only the end, of a running job and of one that has ended.
void JobWatch::readOutput()
{
    if (m_line.isSlow())
        m_output.setLastBytes(qMax(leastOutputBytes, qint64(*m_line.bytesPerSecond * outputSeconds)));
    m_output.start(m_record);
}

void JobWatch::addPast(
    const TelemetryHistory& history, const ProgressTrack& progress, const QList<FoundFailures>& failures)
{
    const TimeSpan span = history.span();
    const qint64 readings = span.length() / 1000 * history.nodes().size() * history.gpusPerNode();
    if (readings > 0 && readings <= mostPastReadings) {
        m_coverage = {};
        expectCoverage();
        // In slices: the history returns one node after another, and the meter counts as time goes.
        for (qint64 from = span.fromMs; from <= span.toMs; from += pastSliceMs) {
            QList<NodeTick> ticks;
            history.forEachTick({from, std::min(from + pastSliceMs, span.toMs + 1)},
                [&ticks](const NodeTick& tick) { ticks.append(tick); });
            std::stable_sort(
                ticks.begin(), ticks.end(), [](const NodeTick& a, const NodeTick& b) { return a.takenMs < b.takenMs; });
            for (const NodeTick& tick : std::as_const(ticks))
                m_coverage.add(tick, tick.takenMs);
        }
    }
    m_alerts.addPast(history, progress, failures);
}

/// Slurm took the job off its nodes (requeue, preemption, a dead node): what was seen of the run before says nothing of
/// the next one, which may have other nodes.
void JobWatch::restart()
{
    stopFeed();
    m_silence.stop();
    m_coverage = {};
    m_alerts.restart();
    m_age.restart();
    emit troubleChanged(TroubleSource::Telemetry, std::nullopt);
}

void JobWatch::stopFeed()
{
    if (!m_feed)
        return;
    m_lastCost = cost();
    m_feed->stop();
    m_feed.release()->deleteLater(); // may be inside one of its signals
}

void JobWatch::reportMissing(const Error& why)
{
    m_missing = true;
    emit troubleChanged(TroubleSource::Scheduler, why);
}

void JobWatch::expectCoverage()
{
    const int nodes = m_record.nodes.value_or(int(m_record.nodeList.size()));
    const bool part = m_plan && m_plan->isPart();
    m_coverage.expect(part ? int(m_plan->nodes.size()) : nodes, nodes > 0 ? m_record.gpus.value_or(0) / nodes : 0,
        m_plan ? m_plan->intervalMs : 1000);
}

SamplingPlan JobWatch::planSampling() const
{
    const int nodes = int(m_record.nodeList.size());
    SamplingLimits limits;
    if (m_line.isSlow())
        limits.bytesPerSecond = qMin(limits.bytesPerSecond, *m_line.bytesPerSecond / 2);
    return samplingPlan({nodes, m_record.gpus.value_or(0) / nodes, m_sampling.way.value_or(SamplingWay::Step),
                            m_profile.launch.monitorAllNodesInOneStep, m_sampling.intervalMs},
        limits);
}

TelemetryFeed::Target JobWatch::target(const SamplingPlan& plan) const
{
    const NodeShape* shape = m_profile.nodeShape(m_record.partition);
    if (!shape)
        shape = m_profile.nodeShape({});
    TelemetryFeed::Target target;
    target.way = m_sampling.way.value_or(SamplingWay::Step);
    if (m_line.isSlow())
        target.slowLine = m_line.bytesPerSecond;
    target.job = m_record.stepJob.isEmpty() ? m_job : m_record.stepJob;
    target.nodes = watchedNodes(plan, m_record.nodeList);
    target.part = plan.isPart();
    target.vendor = shape ? shape->gpu.vendor : GpuVendor::Nvidia;
    target.oneStepForAllNodes = m_profile.launch.monitorAllNodesInOneStep;
    target.intervalMs = plan.intervalMs;
    target.ranksEveryMs = plan.ranksEveryMs;
    if (!m_sampling.way && m_profile.login.nodeLogin.value_or(false))
        target.otherWays = {SamplingWay::Ssh};
    return target;
}

void JobWatch::startFeed()
{
    if (m_feed || m_record.nodeList.isEmpty())
        return;
    m_fedNodes = m_record.nodeList;
    m_plan = planSampling();
    m_feed = std::make_unique<TelemetryFeed>(m_shell, target(*m_plan));
    expectCoverage();
    m_silence.setInterval(silenceMs + m_plan->intervalMs - 1000);
    emit samplingPlanned(*m_plan);
    connect(m_feed.get(), &TelemetryFeed::tickArrived, this, [this](const NodeTick& tick) {
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        m_coverage.add(tick, now);
        m_silence.start();
        if (!std::exchange(m_sampled, true))
            startOutput();
        m_alerts.addTick(tick, now);
        emit tickArrived(tick, now);
    });
    connect(m_feed.get(), &TelemetryFeed::processesArrived, this, [this](const NodeProcesses& processes) {
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        m_alerts.addProcesses(processes, now);
        emit processesArrived(processes, now);
    });
    connect(m_feed.get(), &TelemetryFeed::troubleChanged, this, [this](const std::optional<Error>& why) {
        emit troubleChanged(TroubleSource::Telemetry, why);
        if (why)
            emit askWanted();
    });
    m_feed->start();
}

void JobWatch::end()
{
    if (m_ending)
        return;
    m_ending = true;
    m_silence.stop();
    stopFeed();
    emit troubleChanged(TroubleSource::Telemetry, std::nullopt);
    readOutput();
    m_output.finishUp(tailGraceMs, m_record.state);
}

void JobWatch::finish()
{
    if (m_over)
        return;
    m_over = true;
    emit jobEnded(m_record);
}

} // namespace rankwright
