// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/report/historysummary.h"

#include "models/core/statistics.h"
#include "models/insight/alerts/waitingpower.h"
#include "models/insight/telemetry/history/samplegaps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace rankwright::inline insight {

namespace {

constexpr double workingPercent = 50; ///< clocks of GPUs at rest say nothing
constexpr std::size_t fewestClocks = 4; ///< to say what is usual
/// A recording is read in stretches: between them the reader of the sum sees how far it is, and may have it stopped.
constexpr qint64 leastStretchMs = 900'000;
constexpr qint64 mostStretches = 64;

/// A sum of values weighted by seconds.
struct Weighted {
    double sum = 0, seconds = 0;
    void add(double value, double weight)
    {
        sum += value * weight;
        seconds += weight;
    }
    std::optional<double> mean() const { return seconds > 0 ? std::optional(sum / seconds) : std::nullopt; }
};

/// The same in half the room: at 8,192 GPUs the stretches are most of what is held.
struct Small {
    float sum = 0, seconds = 0;
    void add(double value, double weight)
    {
        sum += float(value * weight);
        seconds += float(weight);
    }
    std::optional<double> mean() const
    {
        return seconds > 0 ? std::optional(double(sum) / double(seconds)) : std::nullopt;
    }
};

/// One stretch of the curve of one GPU.
struct Bin {
    Small use, memory, power;
    float mostMemory = -1;
};

/// What is gathered of one GPU while its node's samples go by.
struct Track {
    GpuSummary reported;
    Weighted use, power, clock;
    double waitingSeconds = 0, limitReportedSeconds = 0;
    double idleSeconds = 0, throttledSeconds = 0, throttleReportedSeconds = 0;
    std::array<float, 101> useSeconds{};
    std::vector<Bin> bins;
};

struct NodeTrack {
    NodeTick before;
    bool any = false;
    std::vector<Track> gpus;
};

/// The use below which the GPU was for half of the time, in whole per cent; empty: it was never seen.
std::optional<double> medianUse(const std::array<float, 101>& seconds)
{
    std::vector<std::pair<double, double>> percentAndSeconds;
    for (std::size_t percent = 0; percent < seconds.size(); ++percent) {
        if (seconds.at(percent) > 0)
            percentAndSeconds.emplace_back(double(percent), double(seconds.at(percent)));
    }
    if (percentAndSeconds.empty())
        return {};
    return weightedMedian(std::move(percentAndSeconds));
}

class Summary {
public:
    Summary(const TelemetryHistory& history, TimeSpan job, int points) : m_history(history)
    {
        m_result.job = job.length() > 0 ? job : history.span();
        m_result.nodes = history.nodes();
        m_result.gpusPerNode = history.gpusPerNode();
        m_intervalMs = usualIntervalMs(history);
        m_gapMs = gapLongerThanMs(m_intervalMs);
        // A stretch holds at least two samples, else the curve would show the sampling and not the job.
        const qint64 fitting = m_result.job.length() / qMax<qint64>(1, 2 * m_intervalMs);
        m_bins = int(qBound(qint64(1), fitting, qint64(qMax(1, points))));
    }

    HistorySummary make(SummaryWatch* watch)
    {
        for (qsizetype row = 0; row < m_result.nodes.size(); ++row)
            m_rows.insert(m_result.nodes.at(row), int(row));
        m_tracks.resize(std::size_t(m_result.nodes.size()));
        if (!takeAll(watch))
            return {};
        for (NodeTrack& node : m_tracks)
            finishNode(node);
        for (std::size_t row = 0; row < m_tracks.size(); ++row)
            settleNode(int(row));
        settle();
        return m_result;
    }

private:
    /// False: cancelled.
    bool takeAll(SummaryWatch* watch)
    {
        const TimeSpan all{m_result.job.fromMs, m_result.job.toMs + 1};
        const qint64 stretchMs = qMax(leastStretchMs, all.length() / mostStretches);
        const auto nodes = double(qMax<qsizetype>(1, m_result.nodes.size()));
        for (qint64 from = all.fromMs; from < all.toMs; from += stretchMs) {
            const TimeSpan stretch{from, qMin(all.toMs, from + stretchMs)};
            m_history.forEachTick(stretch, [&](const NodeTick& tick) {
                const int row = m_rows.value(tick.node, -1);
                if (row < 0 || (watch && watch->cancelled))
                    return;
                take(m_tracks[std::size_t(row)], tick);
                if (watch) {
                    const double done = double(from - all.fromMs) + double(stretch.length()) * double(row) / nodes;
                    watch->permille = int(1000 * done / double(all.length()));
                }
            });
            if (watch && watch->cancelled)
                return false;
        }
        return true;
    }

    void take(NodeTrack& node, const NodeTick& tick)
    {
        if (node.any && tick.takenMs <= node.before.takenMs)
            return; // the same moment again
        if (node.any) {
            const qint64 length = tick.takenMs - node.before.takenMs;
            const bool seen = length <= m_gapMs;
            count(node, seen ? length : m_intervalMs, seen ? &tick : nullptr);
        }
        node.before = tick;
        node.any = true;
    }

    void finishNode(NodeTrack& node)
    {
        if (node.any)
            count(node, qBound(qint64(0), m_result.job.toMs - node.before.takenMs, m_intervalMs), nullptr);
    }

    /// The tick before holds for `ms`; `next` the one after it, when nothing is missing between.
    void count(NodeTrack& node, qint64 ms, const NodeTick* next)
    {
        const double seconds = double(ms) / 1000;
        for (qsizetype i = 0; i < node.before.gpus.size(); ++i) {
            const GpuSample& sample = node.before.gpus.at(i);
            if (sample.index < 0 || sample.index >= TelemetrySeries::maxGpusPerNode)
                continue;
            const auto place = std::size_t(sample.index);
            if (node.gpus.size() <= place)
                node.gpus.resize(place + 1);
            Track& track = node.gpus[place];
            if (track.bins.empty())
                track.bins.resize(std::size_t(m_bins));
            const bool pair = next && i < next->gpus.size() && next->gpus.at(i).index == sample.index;
            add(track, sample, pair ? &next->gpus.at(i) : nullptr, seconds, node.before.takenMs);
        }
    }

    void add(Track& track, const GpuSample& sample, const GpuSample* next, double seconds, qint64 atMs)
    {
        const auto spanMs = double(qMax<qint64>(1, m_result.job.length()));
        const double place = double(atMs - m_result.job.fromMs) / spanMs * m_bins;
        Bin& bin = track.bins[std::size_t(qBound(0, int(place), m_bins - 1))];
        track.reported.seenSeconds += seconds;
        track.reported.secondaryDie = track.reported.secondaryDie || sample.secondaryDie;
        if (const auto use = sample.utilizationPercent) {
            track.use.add(*use, seconds);
            bin.use.add(*use, seconds);
            track.useSeconds[std::size_t(qBound(0, qRound(*use), 100))] += float(seconds);
            if (*use < HistorySummary::idleBelowPercent)
                track.idleSeconds += seconds;
            else
                noteWork(atMs);
        }
        if (const auto memory = sample.memoryUsedBytes) {
            track.reported.memoryPeak = Bytes{qMax(*memory, track.reported.memoryPeak.value_or(Bytes{}).count)};
            bin.memory.add(double(*memory), seconds);
            bin.mostMemory = qMax(bin.mostMemory, float(*memory));
        }
        if (sample.memoryTotalBytes)
            track.reported.memoryTotal = Bytes{*sample.memoryTotalBytes};
        if (sample.powerWatts && !sample.secondaryDie) {
            const double after = next ? next->powerWatts.value_or(*sample.powerWatts) : *sample.powerWatts;
            track.power.add((*sample.powerWatts + after) / 2, seconds);
            bin.power.add(*sample.powerWatts, seconds);
        }
        if (sample.powerWatts && !sample.secondaryDie && sample.powerCapWatts && *sample.powerCapWatts > 0
            && sample.utilizationPercent) {
            const bool isFull = *sample.utilizationPercent >= fullUsePercent;
            track.limitReportedSeconds += seconds;
            if (isFull && *sample.powerWatts < waitingPowerShare * *sample.powerCapWatts)
                track.waitingSeconds += seconds;
        }
        if (sample.clockMhz && *sample.clockMhz > 0 && sample.utilizationPercent.value_or(0) >= workingPercent)
            track.clock.add(*sample.clockMhz, seconds);
        if (sample.temperatureCelsius)
            track.reported.hottest
                = qMax(track.reported.hottest.value_or(*sample.temperatureCelsius), *sample.temperatureCelsius);
        if (sample.throttle) {
            track.throttleReportedSeconds += seconds;
            track.throttledSeconds += *sample.throttle ? seconds : 0;
        }
    }

    void noteWork(qint64 atMs)
    {
        m_result.firstWorkMs = qMin(m_result.firstWorkMs.value_or(atMs), atMs);
        m_result.lastWorkMs = qMax(m_result.lastWorkMs.value_or(atMs), atMs);
    }

    void settleNode(int row)
    {
        std::vector<Track>& gpus = m_tracks[std::size_t(row)].gpus;
        for (std::size_t index = 0; index < gpus.size(); ++index) {
            Track& track = gpus[index];
            if (track.bins.empty())
                continue; // a number that the node left out
            GpuSummary reported = track.reported;
            reported.address = {row, int(index)};
            reported.meanUse = track.use.mean();
            reported.medianUse = medianUse(track.useSeconds);
            if (track.use.seconds > 0)
                reported.idleShare = track.idleSeconds / track.use.seconds;
            reported.meanPower = track.power.mean();
            if (track.power.seconds > 0)
                reported.energyJoules = track.power.sum;
            if (track.throttleReportedSeconds > 0)
                reported.throttledShare = track.throttledSeconds / track.throttleReportedSeconds;
            if (track.limitReportedSeconds > 0)
                reported.waitingShare = track.waitingSeconds / track.limitReportedSeconds;
            reported.clock = track.clock.mean();
            m_result.gpus.append(reported);
            add(track);
        }
        gpus = {}; // at scale the stretches are the most of it
    }

    /// One GPU's part of the whole.
    void add(const Track& track)
    {
        m_use.sum += track.use.sum;
        m_use.seconds += track.use.seconds;
        m_idleSeconds += track.idleSeconds;
        m_throttled += track.throttledSeconds;
        m_waiting += track.waitingSeconds;
        m_limitReported += track.limitReportedSeconds;
        m_throttleReported += track.throttleReportedSeconds;
        m_seen += track.reported.seenSeconds;
        for (std::size_t i = 0; i < m_allUse.size(); ++i)
            m_allUse[i] += track.useSeconds[i];
        if (track.power.seconds > 0) {
            ++m_result.meters;
            m_power.sum += track.power.sum;
            m_power.seconds += track.power.seconds;
        }
        m_curve.resize(std::size_t(m_bins));
        for (std::size_t i = 0; i < track.bins.size(); ++i) {
            const Bin& bin = track.bins[i];
            Whole& whole = m_curve[i];
            if (const auto use = bin.use.mean()) {
                whole.use.add(*use, 1);
                whole.least = qMin(whole.least, *use);
                whole.most = qMax(whole.most, *use);
            }
            if (const auto memory = bin.memory.mean()) {
                whole.memory.add(*memory, 1);
                whole.mostMemory = qMax(whole.mostMemory, double(bin.mostMemory));
            }
            if (const auto power = bin.power.mean())
                whole.power.add(*power, 1);
        }
    }

    void settle()
    {
        const double seconds = m_result.jobSeconds();
        const auto gpus = double(m_result.gpus.size());
        if (gpus > 0 && seconds > 0)
            m_result.seenShare = qBound(0.0, m_seen / (gpus * seconds), 1.0);
        if (m_result.meters > 0 && seconds > 0) {
            m_result.powerSeenShare = qBound(0.0, m_power.seconds / (m_result.meters * seconds), 1.0);
            m_result.energyJoules = m_power.sum;
            m_result.meanPower = m_power.mean();
        }
        m_result.meanUse = m_use.mean();
        if (m_use.seconds > 0) {
            m_result.idleShare = m_idleSeconds / m_use.seconds;
            m_result.medianUse = medianUse(m_allUse);
        }
        if (m_throttleReported > 0)
            m_result.throttledShare = m_throttled / m_throttleReported;
        for (const GpuSummary& gpu : m_result.gpus) {
            if (gpu.memoryPeak && (!m_result.memoryPeak || *gpu.memoryPeak > *m_result.memoryPeak))
                m_result.memoryPeak = gpu.memoryPeak;
            if (gpu.memoryTotal && (!m_result.memoryTotal || *gpu.memoryTotal < *m_result.memoryTotal))
                m_result.memoryTotal = gpu.memoryTotal;
        }
        if (m_limitReported > 0)
            m_result.waitingShare = m_waiting / m_limitReported;
        compareClocks();
        setStartApart(gpus);
        m_result.gaps = gapsWithin(m_history, m_result.job, m_gapMs);
        fillCurve();
    }

    /// The start-up is read a second time: when it ends is known last, and no GPU worked in it.
    void setStartApart(double gpus)
    {
        m_result.useAfterStart = m_result.meanUse;
        m_result.waitingAfterStart = m_result.waitingShare;
        const qint64 lengthMs = m_result.firstWorkMs.value_or(0) - m_result.job.fromMs;
        if (!m_result.firstWorkMs || lengthMs <= 0)
            return;
        Weighted use;
        double seen = 0, limitReported = 0;
        QHash<QString, NodeTick> before;
        const auto add = [&](const NodeTick& tick, qint64 toMs) {
            const qint64 ms = toMs - tick.takenMs;
            const double seconds = double(ms <= m_gapMs ? ms : m_intervalMs) / 1000;
            for (const GpuSample& sample : tick.gpus) {
                seen += seconds;
                if (sample.utilizationPercent)
                    use.add(*sample.utilizationPercent, seconds);
                if (sample.powerWatts && !sample.secondaryDie && sample.powerCapWatts && *sample.powerCapWatts > 0
                    && sample.utilizationPercent)
                    limitReported += seconds;
            }
        };
        m_history.forEachTick({m_result.job.fromMs, *m_result.firstWorkMs}, [&](const NodeTick& tick) {
            if (!m_rows.contains(tick.node) || tick.takenMs >= *m_result.firstWorkMs)
                return;
            if (const auto last = before.constFind(tick.node); last != before.cend() && tick.takenMs > last->takenMs)
                add(*last, tick.takenMs);
            before.insert(tick.node, tick);
        });
        for (const NodeTick& last : std::as_const(before))
            add(last, *m_result.firstWorkMs);
        if (seen * 2 < gpus * double(lengthMs) / 1000)
            return;
        m_result.startUpSeconds = double(lengthMs) / 1000;
        if (m_use.seconds > use.seconds)
            m_result.useAfterStart = qBound(0.0, (m_use.sum - use.sum) / (m_use.seconds - use.seconds), 100.0);
        if (m_result.waitingShare && m_limitReported > limitReported)
            m_result.waitingAfterStart = qBound(0.0, m_waiting / (m_limitReported - limitReported), 1.0);
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
        const TimeSpan& job = m_result.job;
        for (std::size_t i = 0; i < m_curve.size(); ++i) {
            const Whole& whole = m_curve[i];
            CurvePoint point;
            point.span
                = {job.fromMs + job.length() * qint64(i) / m_bins, job.fromMs + job.length() * qint64(i + 1) / m_bins};
            point.use = whole.use.mean();
            if (point.use) {
                point.leastUse = whole.least;
                point.mostUse = whole.most;
            }
            point.memory = whole.memory.mean();
            if (point.memory)
                point.mostMemory = whole.mostMemory;
            // meters that were silent in this stretch are taken as the others: the sum is of all of them
            if (const auto mean = whole.power.mean())
                point.power = *mean * m_result.meters;
            m_result.curve.append(point);
        }
    }

    struct Whole {
        Weighted use, memory, power;
        double least = 1e9, most = -1, mostMemory = -1;
    };

    const TelemetryHistory& m_history;
    HistorySummary m_result;
    qint64 m_intervalMs = 1000;
    qint64 m_gapMs = freshMs;
    int m_bins = 1;
    QHash<QString, int> m_rows;
    std::vector<NodeTrack> m_tracks;
    std::vector<Whole> m_curve;
    Weighted m_use, m_power;
    double m_waiting = 0, m_limitReported = 0;
    double m_idleSeconds = 0, m_throttled = 0, m_throttleReported = 0, m_seen = 0;
    std::array<float, 101> m_allUse{};
};

} // namespace

HistorySummary summarise(const TelemetryHistory& history, TimeSpan job, int curvePoints, SummaryWatch* watch)
{
    return Summary(history, job, curvePoints).make(watch);
}

} // namespace rankwright::inline insight
