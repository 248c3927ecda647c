// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/alertreplay.h"

#include <algorithm>
#include <limits>

namespace rankwright::inline insight {

namespace {

constexpr qint64 sliceMs = 5000;
constexpr qint64 mostSamples = 600'000; // about a second's work
constexpr qint64 leastBackMs = 120'000;
constexpr qint64 mostBackMs = 1'800'000;

} // namespace

AlertReplay::AlertReplay() = default;

qint64 AlertReplay::lookbackMs(int gpus)
{
    return std::clamp(mostSamples / std::max(1, gpus) * 1000, leastBackMs, mostBackMs);
}

void AlertReplay::expect(const JobExpectation& expectation, qint64 startedMs)
{
    m_expectation = expectation;
    m_startedMs = startedMs;
    m_fedTo = m_target = 0;
}

void AlertReplay::report(const FoundFailures& found)
{
    const auto behind = std::upper_bound(m_failures.begin(), m_failures.end(), found,
        [](const FoundFailures& a, const FoundFailures& b) { return a.atMs < b.atMs; });
    m_failures.insert(behind, found);
    if (found.atMs < m_fedTo)
        m_fedTo = m_target = 0; // what was fed did not know
}

/// The last that became known after `fromMs` until `toMs`; null: nothing did.
const FoundFailures* AlertReplay::newestFailures(qint64 fromMs, qint64 toMs) const
{
    for (auto found = m_failures.crbegin(); found != m_failures.crend(); ++found) {
        if (found->atMs <= toMs)
            return found->atMs > fromMs ? &*found : nullptr;
    }
    return nullptr;
}

void AlertReplay::seek(qint64 ms, int gpus)
{
    const qint64 back = lookbackMs(gpus);
    if (m_fedTo > 0 && ms >= m_fedTo && ms - m_fedTo <= back) {
        m_target = ms;
        return;
    }
    if (m_fedTo > 0 && ms == m_target)
        return;
    m_watch = AlertWatch();
    m_watch.expect(m_expectation);
    m_watch.started(m_startedMs);
    m_fedTo = std::max(ms - back, m_startedMs);
    if (const FoundFailures* before = newestFailures(std::numeric_limits<qint64>::min(), m_fedTo))
        m_watch.feed(before->diagnoses, m_fedTo);
    m_target = std::max(ms, m_fedTo);
}

bool AlertReplay::feedNext(const TelemetryHistory& history, const ProgressTrack& progress)
{
    if (isDone())
        return false;
    const TimeSpan span{m_fedTo, std::min(m_fedTo + sliceMs, m_target)};
    // The history returns one node after another; a watch is fed as time went.
    QList<NodeTick> ticks;
    history.forEachTick({span.fromMs + 1, span.toMs + 1}, [&ticks](const NodeTick& tick) { ticks.append(tick); });
    std::stable_sort(
        ticks.begin(), ticks.end(), [](const NodeTick& a, const NodeTick& b) { return a.takenMs < b.takenMs; });
    for (const NodeTick& tick : std::as_const(ticks))
        m_watch.feed(tick, tick.takenMs);
    for (const NodeProcesses& processes : history.processesAt(span.toMs)) {
        if (processes.takenMs > span.fromMs)
            m_watch.feed(processes, processes.takenMs);
    }
    if (const ProgressTrack::Entry* entry = progress.at(span.toMs); entry && entry->atMs > span.fromMs)
        m_watch.feed(entry->progress, entry->atMs);
    if (const FoundFailures* found = newestFailures(span.fromMs, span.toMs))
        m_watch.feed(found->diagnoses, found->atMs);
    m_fedTo = span.toMs;
    return !isDone();
}

QList<Alert> AlertReplay::alerts() const { return m_watch.alerts(m_fedTo); }

} // namespace rankwright::inline insight
