// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/report/historysummary.h"

#include "models/core/statistics.h"
#include "models/insight/telemetry/history/nodesums.h"
#include "models/insight/telemetry/history/samplegaps.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace rankwright::inline insight {

namespace {

constexpr std::size_t fewestClocks = 4; ///< to say what is usual
/// Of a job's time, for its start-up: 121 days. Later ones count as the last; a clock may be years off.
constexpr qint64 mostStartParts = qint64(1) << 20;
constexpr qint64 wholePartsFromMs = 600'000; ///< longer jobs: the curve is of parts that sums have too
constexpr double bytesPerMib = 1 << 20;
constexpr double msPerSecond = 1000;

/// Mean of a sum of hundredths, weighted by ms; empty: nothing was reported.
std::optional<double> meanOf(qint64 sum, qint64 ms)
{
    return ms > 0 ? std::optional(double(sum) / (double(ms) * GpuSums::scale)) : std::nullopt;
}

std::optional<double> shareOf(qint64 part, qint64 whole)
{
    return whole > 0 ? std::optional(double(part) / double(whole)) : std::nullopt;
}

/// Of the whole time seen, since amdgpu's files only say when a GPU is slowed down, not when it is not.
std::optional<double> throttledShareOf(const GpuSums& sums)
{
    return sums.throttleKnownMs > 0 ? shareOf(sums.throttledMs, sums.seenMs) : std::nullopt;
}

GpuActivity activityOf(const GpuSums& sums)
{
    const auto mean = [&sums](std::size_t i) { return meanOf(sums.activitySum.at(i), sums.activityMs.at(i)); };
    return {mean(0), mean(1), mean(2), mean(3)};
}

/// Joules of twice the area below a curve of power.
double joulesOf(qint64 twice) { return double(twice) / (2 * GpuSums::scale * msPerSecond); }

/// The use below which the GPU was for half of the time, in whole per cent; empty: it was never seen.
std::optional<double> medianUse(const std::array<qint64, 101>& ms)
{
    std::vector<std::pair<double, double>> percentAndMs;
    for (std::size_t percent = 0; percent < ms.size(); ++percent) {
        if (ms.at(percent) > 0)
            percentAndMs.emplace_back(double(percent), double(ms.at(percent)));
    }
    if (percentAndMs.empty())
        return {};
    return weightedMedian(std::move(percentAndMs));
}

constexpr qint64 mostNewErrors = qint64(1) << 40; ///< more were never counted: a recording may come from anybody

/// Of one GPU's memory.
struct ErrorCount {
    std::optional<qint64> last;
    qint64 rise = 0;
};

class Summary {
public:
    Summary(const TelemetryHistory& history, TimeSpan job, int points) : m_history(history)
    {
        m_result.job = job.length() > 0 ? job : history.span();
        m_result.nodes = history.nodes();
        m_result.gpusPerNode = history.gpusPerNode();
        m_intervalMs = usualIntervalMs(history);
        m_gapMs = gapLongerThanMs(m_intervalMs);
        divideCurve(qMax(1, points));
    }

    HistorySummary make(SummaryWatch* watch)
    {
        for (qsizetype row = 0; row < m_result.nodes.size(); ++row)
            m_rows.insert(m_result.nodes.at(row), int(row));
        if (!addAll(watch))
            return {};
        finish();
        m_result.beside = nodeUsage(m_history, m_result.job);
        return m_result;
    }

private:
    /// A stretch of the curve holds at least two samples, else it would show the sampling and not the job.
    void divideCurve(int points)
    {
        const qint64 length = m_result.job.length();
        m_firstPart = NodeSums::partOf(m_result.job.fromMs);
        m_curve.resize(std::size_t(qBound(qint64(1), length / qMax<qint64>(1, 2 * m_intervalMs), qint64(points))));
        if (length <= wholePartsFromMs)
            return;
        const qint64 parts = NodeSums::partOf(m_result.job.toMs - 1) - m_firstPart + 1;
        // one more than asked for rather than half of it: jobs seldom begin where a part does
        m_stretchParts = qMax((parts - 1 + points - 1) / points, (2 * m_intervalMs - 1) / NodeSums::partMs + 1);
        m_curve.resize(std::size_t((parts + m_stretchParts - 1) / m_stretchParts));
    }

    std::size_t curvePlace(qint64 ms) const
    {
        const auto last = qint64(m_curve.size()) - 1;
        if (m_stretchParts > 0)
            return std::size_t(qBound(qint64(0), (NodeSums::partOf(ms) - m_firstPart) / m_stretchParts, last));
        const auto spanMs = double(qMax<qint64>(1, m_result.job.length()));
        const double place = double(ms - m_result.job.fromMs) / spanMs * double(m_curve.size());
        return std::size_t(qBound(qint64(0), qint64(place), last));
    }

    TimeSpan curveSpan(std::size_t place) const
    {
        const TimeSpan& job = m_result.job;
        if (m_stretchParts > 0) {
            const auto at = [&](qint64 i) { return (m_firstPart + i * m_stretchParts) * NodeSums::partMs; };
            return {qMax(job.fromMs, at(qint64(place))), qMin(job.toMs, at(qint64(place) + 1))};
        }
        const auto at = [&](qint64 i) { return job.fromMs + job.length() * i / qint64(m_curve.size()); };
        return {at(qint64(place)), at(qint64(place) + 1)};
    }

    /// False: cancelled.
    bool addAll(SummaryWatch* watch)
    {
        const TimeSpan all{m_result.job.fromMs, m_result.job.toMs + 1};
        const auto nodes = double(qMax<qsizetype>(1, m_result.nodes.size()));
        const auto wanted = [&](const QString& node, qint64 ms) {
            const int row = m_rows.value(node, -1);
            if (row >= 0 && row != m_row) {
                finishNode();
                m_row = row;
            }
            if (!watch)
                return row;
            const double done = double(ms - all.fromMs) / double(all.length());
            watch->permille = qBound(0, int(1000 * (double(qMax(0, row)) + done) / nodes), 1000);
            return row;
        };
        HistoryVisitor visitor{[&](const NodeTick& tick) {
            if (wanted(tick.node, tick.takenMs) >= 0)
                add(tick);
            return !watch || !watch->cancelled;
        }};
        if (m_stretchParts > 0)
            visitor.sums = [&](const NodeSums& sums) {
                if (wanted(sums.first.node, sums.first.takenMs) >= 0)
                    add(sums);
                return !watch || !watch->cancelled;
            };
        m_history.visit(all, visitor);
        finishNode();
        return !watch || !watch->cancelled;
    }

    void add(const NodeTick& tick)
    {
        if (m_before && tick.takenMs <= m_before->takenMs)
            return; // the same moment again
        countBefore(tick);
        noteErrors(tick);
        m_before = tick;
    }

    void add(const NodeSums& sums)
    {
        if (m_before && sums.first.takenMs <= m_before->takenMs)
            return;
        countBefore(sums.first);
        noteErrors(sums.first);
        noteErrors(sums.last);
        sums.addTo(m_node.gpus, [this](qint64 ms) { return curvePlace(ms); });
        addParts(sums);
        noteWork(sums);
        m_before = sums.last;
    }

    /// The tick before holds until this one, unless something is missing between.
    void countBefore(const NodeTick& next)
    {
        if (!m_before)
            return;
        const qint64 length = next.takenMs - m_before->takenMs;
        const bool seen = length <= m_gapMs;
        count(*m_before, seen ? length : m_intervalMs, seen ? &next : nullptr);
    }

    void count(const NodeTick& tick, qint64 ms, const NodeTick* next)
    {
        m_node.count(tick, ms, next, startPlace(NodeSums::partOf(tick.takenMs)), curvePlace(tick.takenMs));
    }

    std::size_t startPlace(qint64 part) const
    {
        return std::size_t(qBound(qint64(0), part - m_firstPart, mostStartParts - 1));
    }

    /// Every sample has the count as last known: a rise shows between any two of them.
    void noteErrors(const NodeTick& tick)
    {
        for (const GpuSample& gpu : tick.gpus) {
            if (!gpu.memoryErrors)
                continue;
            ErrorCount& count = m_errors[gpu.index];
            if (count.last)
                count.rise += std::clamp<qint64>(*gpu.memoryErrors - *count.last, 0, mostNewErrors - count.rise);
            count.last = gpu.memoryErrors;
        }
    }

    void noteWork(const NodeSums& sums)
    {
        if (sums.firstWorkMs)
            m_result.firstWorkMs = qMin(m_result.firstWorkMs.value_or(*sums.firstWorkMs), *sums.firstWorkMs);
        if (sums.lastWorkMs)
            m_result.lastWorkMs = qMax(m_result.lastWorkMs.value_or(*sums.lastWorkMs), *sums.lastWorkMs);
    }

    void addParts(const NodeSums& sums)
    {
        const qint64 first = NodeSums::partOf(sums.first.takenMs);
        for (std::size_t i = 0; i < sums.parts.size(); ++i) {
            const std::size_t place = startPlace(first + qint64(i));
            if (m_parts.size() <= place)
                m_parts.resize(place + 1);
            m_parts[place].add(sums.parts[i]);
        }
    }

    /// A node's samples have been gone through: its GPUs are known.
    void finishNode()
    {
        if (m_before)
            count(*m_before, qBound(qint64(0), m_result.job.toMs - m_before->takenMs, m_intervalMs), nullptr);
        noteWork(m_node);
        if (m_parts.size() < m_node.parts.size())
            m_parts.resize(m_node.parts.size());
        for (std::size_t i = 0; i < m_node.parts.size(); ++i)
            m_parts[i].add(m_node.parts[i]);
        for (std::size_t index = 0; index < m_node.gpus.size(); ++index) {
            if (!m_node.gpus[index].parts.empty()) // else a number that the node left out
                finishGpu(m_node.gpus[index], {m_row, int(index)});
        }
        m_node = {};
        m_errors.clear();
        m_before.reset();
    }

    void finishGpu(const GpuSums& sums, GpuAddress address)
    {
        GpuSummary gpu;
        gpu.address = address;
        gpu.secondaryDie = sums.secondaryDie;
        gpu.seenSeconds = double(sums.seenMs) / msPerSecond;
        gpu.meanUse = meanOf(sums.useSum, sums.useMs);
        gpu.medianUse = medianUse(sums.useShares);
        gpu.idleShare = shareOf(sums.idleMs, sums.useMs);
        if (sums.memoryPeak)
            gpu.memoryPeak = Bytes{qMax<qint64>(0, *sums.memoryPeak)};
        if (sums.memoryTotal)
            gpu.memoryTotal = Bytes{*sums.memoryTotal};
        if (sums.powerMs > 0) {
            gpu.energyJoules = joulesOf(sums.powerSum);
            gpu.meanPower = *gpu.energyJoules / (double(sums.powerMs) / msPerSecond);
            ++m_result.meters;
        }
        gpu.hottest = sums.hottest;
        gpu.waitingShare = shareOf(sums.waitingMs, sums.limitMs);
        gpu.clock = meanOf(sums.clockSum, sums.clockMs);
        gpu.throttledShare = throttledShareOf(sums);
        gpu.activity = activityOf(sums);
        if (const auto errors = m_errors.find(address.gpu); errors != m_errors.end()) {
            gpu.newErrors = errors->second.rise;
            m_result.newErrors = std::min(mostNewErrors, m_result.newErrors.value_or(0) + *gpu.newErrors);
        }
        m_result.gpus.append(gpu);
        m_all.addWhole(sums);
        for (std::size_t i = 0; i < sums.parts.size() && i < m_curve.size(); ++i)
            m_curve[i].add(sums.parts[i]);
    }

    void finish()
    {
        std::stable_sort(m_result.gpus.begin(), m_result.gpus.end(), [](const GpuSummary& a, const GpuSummary& b) {
            return std::pair(a.address.node, a.address.gpu) < std::pair(b.address.node, b.address.gpu);
        });
        const double seconds = m_result.jobSeconds();
        const auto gpus = double(m_result.gpus.size());
        if (gpus > 0 && seconds > 0)
            m_result.seenShare = qBound(0.0, double(m_all.seenMs) / msPerSecond / (gpus * seconds), 1.0);
        if (m_result.meters > 0 && seconds > 0) {
            const double powerSeconds = double(m_all.powerMs) / msPerSecond;
            m_result.powerSeenShare = qBound(0.0, powerSeconds / (m_result.meters * seconds), 1.0);
            m_result.energyJoules = joulesOf(m_all.powerSum);
            m_result.meanPower = *m_result.energyJoules / powerSeconds;
        }
        m_result.meanUse = meanOf(m_all.useSum, m_all.useMs);
        m_result.medianUse = medianUse(m_all.useShares);
        m_result.idleShare = shareOf(m_all.idleMs, m_all.useMs);
        m_result.throttledShare = throttledShareOf(m_all);
        m_result.activity = activityOf(m_all);
        for (const GpuSummary& gpu : m_result.gpus) {
            if (gpu.memoryPeak && (!m_result.memoryPeak || *gpu.memoryPeak > *m_result.memoryPeak))
                m_result.memoryPeak = gpu.memoryPeak;
            if (gpu.memoryTotal && (!m_result.memoryTotal || *gpu.memoryTotal < *m_result.memoryTotal))
                m_result.memoryTotal = gpu.memoryTotal;
        }
        m_result.waitingShare = shareOf(m_all.waitingMs, m_all.limitMs);
        compareClocks();
        setStartApart(gpus);
        m_result.gaps = gapsWithin(m_history, m_result.job, m_gapMs);
        fillCurve();
    }

    /// Samples before the first work, each with the time that it counted for in the whole.
    StartSums beforeWork(qint64 workMs) const
    {
        StartSums start;
        const qint64 part = NodeSums::partOf(workMs);
        for (std::size_t i = 0; i < m_parts.size() && qint64(i) < part - m_firstPart; ++i)
            start.add(m_parts[i]);
        // Within its own part the samples themselves say what came before.
        NodeSums rest;
        std::optional<NodeTick> before;
        const auto hold = [&](qint64 ms, const NodeTick* next) {
            if (before && before->takenMs < workMs)
                rest.count(*before, ms, next, 0, 0);
        };
        const auto holdLast = [&] {
            if (before)
                hold(qBound(qint64(0), m_result.job.toMs - before->takenMs, m_intervalMs), nullptr);
        };
        const TimeSpan read{
            qMax(m_result.job.fromMs, part * NodeSums::partMs), qMin(m_result.job.toMs + 1, workMs + m_gapMs + 1)};
        m_history.forEachTick(read, [&](const NodeTick& tick) {
            if (!m_rows.contains(tick.node) || (before && before->node == tick.node && tick.takenMs <= before->takenMs))
                return;
            if (before && before->node == tick.node) {
                const qint64 length = tick.takenMs - before->takenMs;
                hold(length <= m_gapMs ? length : m_intervalMs, &tick);
            } else {
                holdLast();
            }
            before = tick;
        });
        holdLast();
        for (const StartSums& sums : rest.parts)
            start.add(sums);
        return start;
    }

    void setStartApart(double gpus)
    {
        m_result.useAfterStart = m_result.meanUse;
        m_result.waitingAfterStart = m_result.waitingShare;
        const qint64 lengthMs = m_result.firstWorkMs.value_or(0) - m_result.job.fromMs;
        if (!m_result.firstWorkMs || lengthMs <= 0)
            return;
        const StartSums start = beforeWork(*m_result.firstWorkMs);
        if (double(start.seenMs) * 2 < gpus * double(lengthMs))
            return;
        m_result.startUpSeconds = double(lengthMs) / msPerSecond;
        if (const auto use = meanOf(m_all.useSum - start.useSum, m_all.useMs - start.useMs))
            m_result.useAfterStart = qBound(0.0, *use, 100.0);
        if (const auto waiting = shareOf(m_all.waitingMs, m_all.limitMs - start.limitMs); waiting && m_all.limitMs > 0)
            m_result.waitingAfterStart = qBound(0.0, *waiting, 1.0);
    }

    void compareClocks()
    {
        std::vector<double> clocks;
        for (const GpuSummary& gpu : m_result.gpus) {
            if (gpu.clock)
                clocks.push_back(*gpu.clock);
        }
        if (clocks.size() < fewestClocks)
            return;
        const double usual = median(clocks);
        for (const GpuSummary& gpu : m_result.gpus) {
            if (!gpu.clock || *gpu.clock >= HistorySummary::slowClock * usual)
                continue;
            m_result.slowClocks.append(gpu);
            m_result.slowClockShare = qMin(m_result.slowClockShare.value_or(1), *gpu.clock / usual);
        }
    }

    void fillCurve()
    {
        for (std::size_t i = 0; i < m_curve.size(); ++i) {
            const Whole& whole = m_curve[i];
            CurvePoint point;
            point.span = curveSpan(i);
            if (whole.uses > 0) {
                point.use = whole.use / whole.uses;
                point.leastUse = whole.leastUse;
                point.mostUse = whole.mostUse;
            }
            if (whole.memories > 0) {
                point.memory = whole.memory / whole.memories;
                point.mostMemory = whole.mostMemory;
            }
            // meters that were silent in this stretch are taken as the others: the sum is of all of them
            if (whole.powers > 0)
                point.power = whole.power / whole.powers * m_result.meters;
            m_result.curve.append(point);
        }
    }

    /// All GPUs together in one stretch of the curve: of each its mean.
    struct Whole {
        double use = 0, memory = 0, power = 0;
        int uses = 0, memories = 0, powers = 0;
        double leastUse = 0, mostUse = 0, mostMemory = 0;

        void add(const GpuSums::Part& part)
        {
            if (const auto mean = meanOf(part.useSum, part.useMs)) {
                leastUse = uses > 0 ? qMin(leastUse, *mean) : *mean;
                mostUse = uses > 0 ? qMax(mostUse, *mean) : *mean;
                use += *mean;
                ++uses;
            }
            if (const auto mean = shareOf(part.memorySum, part.memoryMs)) {
                memory += *mean * bytesPerMib;
                mostMemory = qMax(mostMemory, double(part.mostMemory.value_or(0)) * bytesPerMib);
                ++memories;
            }
            if (const auto mean = meanOf(part.powerSum, part.powerMs)) {
                power += *mean;
                ++powers;
            }
        }
    };

    std::map<int, ErrorCount> m_errors; ///< of the node that is gone through, by GPU
    const TelemetryHistory& m_history;
    HistorySummary m_result;
    qint64 m_intervalMs = 1000;
    qint64 m_gapMs = freshMs;
    qint64 m_firstPart = 0; ///< that the job begins in
    qint64 m_stretchParts = 0; ///< of one stretch of the curve; 0: it is divided more finely
    QHash<QString, int> m_rows;
    int m_row = 0; ///< of the node whose samples come now
    std::optional<NodeTick> m_before; ///< its newest sample, which is not counted yet
    NodeSums m_node; ///< of it, so far
    std::vector<StartSums> m_parts; ///< of all nodes
    GpuSums m_all; ///< of all GPUs
    std::vector<Whole> m_curve;
};

} // namespace

HistorySummary summarise(const TelemetryHistory& history, TimeSpan job, int curvePoints, SummaryWatch* watch)
{
    return Summary(history, job, curvePoints).make(watch);
}

} // namespace rankwright::inline insight
