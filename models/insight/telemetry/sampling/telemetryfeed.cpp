// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/sampling/telemetryfeed.h"

#include "models/core/hostlist.h"
#include "models/core/logging.h"
#include "models/core/units.h"
#include "models/insight/telemetry/sampling/samplingend.h"
#include "models/insight/telemetry/sampling/ticklines.h"

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

/// Lines of ours are below 1 KiB: more than this without a line end is somebody else's output.
constexpr qsizetype longestPending = 64 * 1024;
constexpr qsizetype keptErrors = 8 * 1024;
constexpr qint64 turnsLastMs = 90000; // a launch that lived this long shares its place with no other

/// Where a start alone takes many seconds.
TelemetryFeed::Patience slowPatience()
{
    TelemetryFeed::Patience patience;
    patience.nodeSilentMs = 60000;
    patience.allSilentMs = 90000;
    patience.firstLineMs = 120000;
    return patience;
}

/// No node is silent before samples are overdue.
TelemetryFeed::Patience patienceFor(int intervalMs)
{
    TelemetryFeed::Patience patience;
    patience.nodeSilentMs = int(silentAfterMs(intervalMs));
    patience.allSilentMs = std::max(patience.allSilentMs, patience.nodeSilentMs * 3 / 2);
    return patience;
}

} // namespace

TelemetryFeed::TelemetryFeed(RemoteShell& shell, Target target, QObject* parent)
    : QObject(parent), m_target(std::move(target)), m_stream(shell, [this] { return nextCommand(); })
{
    m_clock.start();
    setPatience(m_target.slowLine ? slowPatience() : patienceFor(m_target.intervalMs));
    connect(&m_watch, &QTimer::timeout, this, &TelemetryFeed::checkSilence);
    connect(&m_stream, &RemoteStream::linkReturned, this, [this] { m_turns.reset(); });
    connect(&m_stream, &RemoteStream::outputArrived, this, &TelemetryFeed::readOutput);
    connect(&m_stream, &RemoteStream::errorArrived, this, &TelemetryFeed::readErrors);
    connect(&m_stream, &RemoteStream::finished, this, &TelemetryFeed::handleEnd);
    connect(&m_stream, &RemoteStream::troubleChanged, this, &TelemetryFeed::troubleChanged);
}

TelemetryFeed::~TelemetryFeed() = default;

void TelemetryFeed::setPatience(const Patience& patience)
{
    m_patience = patience;
    m_stream.setPace(patience.pace);
    m_watch.setInterval(patience.watchMs);
}

void TelemetryFeed::start()
{
    if (isRunning())
        return;
    m_hadData = false;
    m_startedMs = m_clock.elapsed();
    m_stream.start();
}

void TelemetryFeed::stop()
{
    m_cost.runningMs = cost().runningMs;
    m_watch.stop();
    m_stream.stop();
}

bool TelemetryFeed::isRunning() const { return m_stream.isWanted(); }

RemoteCommand TelemetryFeed::nextCommand()
{
    m_pending.clear();
    m_errors.clear();
    m_lastUnknown.clear();
    m_nodes.clear();
    m_ranks.clear();
    m_cpuBefore = cost().cpuSeconds;
    m_cpuSeconds.clear();
    m_lastLineMs.reset();
    m_launchedMs = m_clock.elapsed();
    const qsizetype nodes = m_target.nodes.size();
    if (m_target.way == SamplingWay::Step)
        m_cost.steps += m_target.oneStepForAllNodes || nodes <= 1 ? 1 : int(nodes);
    m_watch.start();
    return RemoteCommand::shell(samplingCommand(m_target)).withPurpose(u"Samples the GPUs of a job's nodes"_s);
}

TelemetryFeed::Cost operator+(const TelemetryFeed::Cost& a, const TelemetryFeed::Cost& b)
{
    TelemetryFeed::Cost both{
        a.bytes + b.bytes, a.ticks + b.ticks, a.steps + b.steps, a.cpuSeconds, a.runningMs + b.runningMs};
    if (b.cpuSeconds)
        both.cpuSeconds = a.cpuSeconds.value_or(0) + *b.cpuSeconds;
    return both;
}

TelemetryFeed::Cost TelemetryFeed::cost() const
{
    Cost reported = m_cost;
    reported.cpuSeconds = m_cpuBefore;
    for (const double seconds : m_cpuSeconds)
        reported.cpuSeconds = reported.cpuSeconds.value_or(0) + seconds;
    if (isRunning())
        reported.runningMs += m_clock.elapsed() - m_startedMs;
    return reported;
}

void TelemetryFeed::readOutput(const QByteArray& bytes)
{
    m_cost.bytes += bytes.size();
    QByteArrayView rest(bytes);
    const int launch = m_stream.launchNumber();
    while (m_stream.launchNumber() == launch) { // a listener may stop us between two lines
        const qsizetype end = rest.indexOf('\n');
        if (end < 0) {
            m_pending += rest;
            break;
        }
        if (m_pending.isEmpty()) {
            readLine(rest.first(end));
        } else {
            m_pending += rest.first(end);
            readLine(std::exchange(m_pending, QByteArray()));
        }
        rest = rest.sliced(end + 1);
    }
    if (m_pending.size() > longestPending)
        m_pending.clear();
}

void TelemetryFeed::readErrors(const QByteArray& bytes)
{
    m_cost.bytes += bytes.size();
    m_errors = QByteArray(m_errors + bytes).right(keptErrors);
    // srun that is not let in does not end: it goes on asking
    if (!m_lastLineMs && isStepRefused(m_errors))
        useNextWay();
}

/// After a refusal of Slurm's: the next way onto the nodes; false when there is none.
bool TelemetryFeed::useNextWay()
{
    if (m_target.way != SamplingWay::Step || m_target.otherWays.isEmpty())
        return false;
    m_target.way = m_target.otherWays.takeFirst();
    m_stream.clearFailures();
    m_stream.restartLater(
        Error{Fault::RemoteExit, u"Slurm does not let the measuring step run alongside the job's own."_s,
            QString::fromUtf8(m_errors).trimmed(), u"Sampling goes on by %1."_s.arg(toText(m_target.way))});
    return true;
}

void TelemetryFeed::readLine(QByteArrayView line)
{
    if (line.endsWith('\r'))
        line.chop(1);
    const qint64 now = m_clock.elapsed();
    if (const Result<NodeTick> tick = parseTickLine(line)) {
        m_lastLineMs = now;
        NodeWatch& node = m_nodes[tick->node];
        node.lastLineMs = now;
        node.lastTickMs = now;
        node.reason.clear();
        m_stream.clearFailures();
        m_hadData = true;
        ++m_cost.ticks;
        emit tickArrived(*tick);
        if (m_stream.hasTrouble())
            checkSilence();
    } else if (!readOtherLine(line, now) && !line.trimmed().isEmpty()) {
        m_lastUnknown = line.first(qMin(line.size(), qsizetype(300))).toByteArray();
        qCDebug(logTelemetry) << "not a sample:" << m_lastUnknown;
    }
}

/// Lines that report no samples; false: not one of ours.
bool TelemetryFeed::readOtherLine(QByteArrayView line, qint64 now)
{
    if (const auto silence = parseSilenceLine(line)) {
        m_lastLineMs = now;
        NodeWatch& node = m_nodes[silence->node];
        node.lastLineMs = now;
        node.reason = silence->reason;
        checkSilence();
    } else if (const auto ranks = parseRankLine(line)) {
        m_lastLineMs = now;
        m_nodes[ranks->reported.node].lastLineMs = now;
        if (const auto processes = m_ranks.add(*ranks))
            emit processesArrived(*processes);
    } else if (const auto resources = parseResourceLine(line)) {
        m_lastLineMs = now;
        m_nodes[resources->node].lastLineMs = now;
        m_ranks.add(*resources);
    } else if (const auto reported = parseCostLine(line)) {
        m_cpuSeconds.insert(reported->node, reported->cpuSeconds);
    } else {
        return false;
    }
    return true;
}

void TelemetryFeed::handleEnd(const Result<CommandOutcome>& outcome)
{
    if (!outcome && outcome.error().fault == Fault::Cancelled) {
        waitForTurn(outcome.error());
        return;
    }
    if (!outcome) {
        m_stream.restartLater(outcome.error().within(u"Sampling stopped"_s));
        return;
    }
    if (!m_hadData && isStepRefused(outcome->errorOutput) && useNextWay())
        return;
    const SamplingEnd end
        = samplingEnd(*outcome, m_target.job, m_hadData ? SamplesBefore::Some : SamplesBefore::None, m_target.way);
    switch (end.next) {
    case SamplingEnd::Next::RetryLater: m_stream.countFailures(3); [[fallthrough]];
    case SamplingEnd::Next::Retry: m_stream.restartLater(end.error); break;
    case SamplingEnd::Next::Stop:
        stop();
        m_stream.report(end.error);
        break;
    case SamplingEnd::Next::JobOver:
        // Not sure before Slurm says so: a step may be ended alone. The next attempt learns that the job has expired.
        if (outcome->errorOutput.contains("expired") || outcome->errorOutput.contains("Invalid job id")) {
            stop();
            m_stream.report(end.error);
        } else {
            m_stream.countFailures(2);
            m_stream.restartLater({});
        }
        break;
    }
}

/// It made room for another command, and waits for its next turn.
void TelemetryFeed::waitForTurn(const Error& why)
{
    if (!m_turns)
        setPatience(slowPatience());
    m_turns = why;
    m_stream.report(why);
    m_stream.launch();
}

void TelemetryFeed::checkSilence()
{
    if (!m_stream.isRunning())
        return;
    const qint64 now = m_clock.elapsed();
    const qint64 quiet = now - qMax(m_launchedMs, m_lastLineMs.value_or(m_launchedMs));
    if (quiet >= (!m_lastLineMs ? m_patience.firstLineMs : m_patience.allSilentMs)) {
        const QByteArray words = m_errors.isEmpty() ? m_lastUnknown : m_errors;
        m_stream.restartLater(Error{Fault::TimedOut, u"No node has sent anything for %1 s."_s.arg(quiet / 1000),
            QString::fromUtf8(words).trimmed(), u"Sampling is restarted automatically."_s});
        return;
    }
    if (m_lastLineMs && now - m_launchedMs > turnsLastMs)
        m_turns.reset();
    const std::optional<Error> silent = silentNodes(now);
    // what went wrong before the launch is kept until the first samples come
    if (m_lastLineMs || !m_stream.hasTrouble())
        m_stream.report(silent ? silent : m_turns);
}

std::optional<Error> TelemetryFeed::silentNodes(qint64 now) const
{
    QStringList silent, without, reasons;
    for (const QString& name : m_target.nodes.isEmpty() ? QStringList(m_nodes.keys()) : m_target.nodes) {
        const NodeWatch node = m_nodes.value(name);
        const qint64 quiet = now - qMax(m_launchedMs, node.lastLineMs.value_or(m_launchedMs));
        if (quiet >= m_patience.nodeSilentMs) {
            silent.append(name);
        } else if (!node.reason.isEmpty() && node.lastTickMs < node.lastLineMs) {
            without.append(name);
            if (!reasons.contains(node.reason))
                reasons.append(node.reason);
        }
    }
    QStringList sentences;
    if (!silent.isEmpty())
        sentences.append(
            u"%1 has sent nothing for %2 s or more."_s.arg(foldHostlist(silent)).arg(m_patience.nodeSilentMs / 1000));
    if (!without.isEmpty())
        sentences.append(u"%1 sends no GPU data: %2"_s.arg(foldHostlist(without), reasons.join(u"; "_s).left(300)));
    if (sentences.isEmpty())
        return {};
    return Error{silent.isEmpty() ? Fault::Unreadable : Fault::TimedOut, sentences.join(u' '),
        QString::fromUtf8(m_errors).trimmed(),
        silent.isEmpty() ? u"The job itself is not affected."_s
            : m_turns    ? u"Samples take turns with other commands of this connection, and may be late."_s
            : m_target.slowLine
            ? u"The line carries only %1 a second: samples come late, and say nothing of the node."_s.arg(
                humanBytes(Bytes{qint64(*m_target.slowLine)}))
            : u"The node may be overloaded or down; its last values are shown as stale."_s};
}

} // namespace rankwright::inline insight
