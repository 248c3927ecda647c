// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/gpureading.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "models/insight/telemetry/activitywords.h"
#include "widgets/base/translate.h"

#include <QCoreApplication>
#include <QDateTime>

#include <algorithm>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QString freshnessWords(const GpuReading& reading, qint64 nowMs)
{
    switch (reading.freshness) {
    case Freshness::Never: return tr("nothing has arrived yet");
    case Freshness::Fresh: return agoText(nowMs - reading.arrivedMs.value_or(nowMs));
    case Freshness::Stale: return tr("no fresh value since %1").arg(clockText(reading.arrivedMs.value_or(0)));
    case Freshness::Last: return tr("last value, %1").arg(clockText(reading.arrivedMs.value_or(0)));
    }
    return {};
}

} // namespace

GpuReading readGpu(const GpuGrid& grid, GpuAddress address, Measure measure, GridState state)
{
    const GpuValue value = valueOf(grid, address, measure);
    if (!value.hasSample())
        return {};
    return {freshnessOf(value, state), value.value, value.takenMs};
}

std::optional<double> powerCapOf(const GpuGrid& grid, GpuAddress address)
{
    const GpuSample* sample = grid.series().latest(powerDie(grid.series(), address, grid.gpusPerPackage()));
    return sample ? sample->powerCapWatts : std::nullopt;
}

qint64 newestArrival(const GpuGrid& grid, int node)
{
    qint64 newest = 0;
    for (int gpu = 0; gpu < grid.gpusPerNode(); ++gpu)
        newest = std::max(newest, grid.series().latestArrival({node, gpu}));
    return newest;
}

Freshness freshnessOf(const GpuGrid& grid, int node, GridState state)
{
    Freshness best = Freshness::Never;
    for (int gpu = 0; gpu < grid.gpusPerNode(); ++gpu) {
        const Freshness freshness = freshnessOf(valueOf(grid, {node, gpu}, Measure::Utilization), state);
        if (freshness == Freshness::Fresh || freshness == Freshness::Last)
            return freshness;
        if (freshness == Freshness::Stale)
            best = freshness;
    }
    return best;
}

MeasureScale scaleOf(const GpuGrid& grid, Measure measure)
{
    if (measure == Measure::Utilization)
        return {0, 100, false};
    if (measure == Measure::Temperature)
        return {20, 100, false}; // room to the edge of throttling: one scale for all makes runs comparable
    const bool limited = measure == Measure::Power || measure == Measure::Memory;
    double limit = 0;
    double seen = 0;
    const TelemetrySeries& series = grid.series();
    for (int node = 0; node < grid.nodeCount(); ++node) {
        for (int gpu = 0; gpu < grid.gpusPerNode(); ++gpu) {
            const GpuSample* sample = series.latest({node, gpu});
            if (!sample)
                continue;
            if (limited) {
                limit = std::max(limit,
                    measure == Measure::Power ? sample->powerCapWatts.value_or(0)
                                              : Bytes{sample->memoryTotalBytes.value_or(0)}.inGib());
            }
            seen = std::max(seen, valueOf(grid, {node, gpu}, measure).value.value_or(0));
        }
    }
    if (limit > 0)
        return {0, limit, false};
    if (measure == Measure::Processes)
        return {0, std::max(2.0, seen), false}; // one is the rule, and must not look like the most there is
    const double step = measure == Measure::Power ? 100 : measure == Measure::Clock ? 200 : 8;
    return {0, std::max(step, std::ceil(seen / step) * step), true};
}

QString figureOf(Measure measure, std::optional<double> value)
{
    if (!value)
        return u"–"_s;
    const int decimals = measure == Measure::Memory && *value < 100 ? 1 : 0;
    return QString::number(*value, 'f', decimals);
}

QString figureWithUnit(Measure measure, std::optional<double> value)
{
    if (!value)
        return figureOf(measure, value);
    if (measure == Measure::Processes)
        return *value == 1 ? tr("1\u2009process") : tr("%1\u2009processes").arg(figureOf(measure, value));
    return figureOf(measure, value) + u'\u2009' + unitOf(measure);
}

QString shortName(Measure measure)
{
    switch (measure) {
    case Measure::Utilization: return tr("Use");
    case Measure::Temperature: return tr("Temp.");
    case Measure::Processes: return tr("Proc.");
    default: return toText(measure);
    }
}

std::optional<int> rankOf(const GpuGrid& grid, GpuAddress address) { return grid.rankAt(address); }

QString ranksOf(const GpuGrid& grid, int node)
{
    std::optional<int> first;
    std::optional<int> last;
    int count = 0;
    for (int gpu = 0; gpu < grid.gpusPerNode(); ++gpu) {
        const std::optional<int> rank = grid.rankAt({node, gpu});
        if (!rank)
            continue;
        ++count;
        first = std::min(first.value_or(*rank), *rank);
        last = std::max(last.value_or(*rank), *rank);
    }
    if (!first)
        return grid.knowsRanks() ? tr("no ranks") : QString();
    if (*first == *last)
        return tr("rank %1").arg(*first);
    // Scattered over the nodes: the two ends alone would claim ranks that run elsewhere.
    return *last - *first + 1 == count ? tr("ranks %1–%2").arg(*first).arg(*last) : counted(count, tr("rank"));
}

QStringList groupWords(const GpuGrid& grid, GpuAddress address)
{
    QStringList lines;
    const RankPlace* place = grid.placeAt(address);
    if (!place)
        return lines;
    for (const GroupKind kind : kindsIn(grid.placement())) {
        if (const std::optional<int> group = place->groupOf(kind))
            lines.append(tr("%1 %2, %3 ranks")
                             .arg(toText(kind))
                             .arg(*group)
                             .arg(groupMembersOf(grid.placement(), *place, kind).size()));
    }
    return lines;
}

QString agoText(qint64 milliseconds)
{
    const qint64 seconds = (std::max<qint64>(0, milliseconds) + 500) / 1000;
    if (seconds == 0)
        return tr("now");
    if (seconds < 120)
        return tr("%1\u2009s ago").arg(seconds);
    if (seconds < 7200)
        return tr("%1\u2009min ago").arg(seconds / 60);
    return tr("%1\u2009h ago").arg(seconds / 3600);
}

QString clockText(qint64 msSinceEpoch) { return QDateTime::fromMSecsSinceEpoch(msSinceEpoch).toString(u"HH:mm:ss"_s); }

namespace {

QString headOf(const GpuGrid& grid, GpuAddress address)
{
    const QString place
        = u"%1 · %2 %3"_s.arg(grid.series().nodes().value(address.node), grid.gpuWord()).arg(address.gpu);
    const std::optional<int> rank = rankOf(grid, address);
    if (!rank)
        return grid.knowsRanks() ? tr("No rank · %1").arg(place) : place;
    return tr("Rank %1 · %2").arg(*rank).arg(place);
}

QString throttleLine(const GpuSample& sample)
{
    if (!sample.throttle || *sample.throttle == Throttles())
        return {};
    QStringList why;
    if (sample.throttle->testFlag(Throttle::Power))
        why << tr("the power limit");
    if (sample.throttle->testFlag(Throttle::Thermal))
        why << tr("heat");
    if (sample.throttle->testFlag(Throttle::Hardware))
        why << tr("the hardware's own brake");
    return tr("Slowed down by %1").arg(why.join(tr(" and ")));
}

QString measureLine(const GpuGrid& grid, GpuAddress address, Measure measure, GridState state)
{
    const GpuSample* sample = grid.series().latest(address);
    const GpuReading reading = readGpu(grid, address, measure, state);
    QString line = toText(measure) + u": "_s
        + (measure == Measure::Processes ? figureOf(measure, reading.value) : figureWithUnit(measure, reading.value));
    if (measure == Measure::Memory && sample && sample->memoryTotalBytes)
        line += tr(" of %1").arg(figureWithUnit(measure, Bytes{*sample->memoryTotalBytes}.inGib()));
    if (measure == Measure::Power && reading.value) {
        if (const std::optional<double> cap = powerCapOf(grid, address))
            line += tr(" of %1").arg(figureWithUnit(measure, cap));
        if (grid.gpusPerPackage() > 1)
            line += tr(", of the whole package (both dies)");
    }
    if (measure == Measure::Processes && reading.value)
        line += tr(" of this job");
    return reading.value || !sample ? line : line + tr(" (not reported)");
}

/// What the node has beside its GPUs, a line for each that is known.
QStringList nodeLines(const GpuGrid& grid, int node)
{
    QStringList lines;
    const NodeResources* resources = grid.resourcesOf(node);
    if (!resources)
        return lines;
    if (const QString network = networkText(*resources); !network.isEmpty())
        lines.append(tr("Node's network: %1").arg(network));
    if (const QString files = fileWaitText(*resources); !files.isEmpty())
        lines.append(tr("Node's files: %1").arg(files));
    if (const QString memory = hostMemoryText(*resources); !memory.isEmpty())
        lines.append(tr("Node's memory: %1").arg(memory));
    return lines;
}

} // namespace

QString describeGpu(const GpuGrid& grid, GpuAddress address, GridState state)
{
    QStringList lines{headOf(grid, address)};
    const GpuSample* sample = grid.series().latest(address);
    if (sample && !sample->name.isEmpty())
        lines.append(sample->name);
    for (const Measure measure : allMeasures)
        lines.append(measureLine(grid, address, measure, state));
    // what a silent GPU or node did is over: only its figures stay, with their age
    const Freshness freshness = readGpu(grid, address, Measure::Utilization, state).freshness;
    const bool isTrusted = freshness == Freshness::Fresh || freshness == Freshness::Last;
    if (const QString slowed = sample && isTrusted ? throttleLine(*sample) : QString(); !slowed.isEmpty())
        lines.append(slowed);
    if (const QString active = sample && isTrusted ? activityText(sample->activity) : QString(); !active.isEmpty())
        lines.append(tr("At work: %1").arg(active.left(1).toLower() + active.mid(1)));
    if (const qint64 errors = sample ? sample->memoryErrors.value_or(0) : 0; errors > 0)
        lines.append(tr("%1 that could not be corrected, since its driver was loaded")
                         .arg(counted(errors, tr("memory error"), tr("memory errors"))));
    lines += groupWords(grid, address);
    if (isTrusted)
        lines += nodeLines(grid, address.node);
    if (!grid.knowsRanks())
        lines.append(tr("rank counted by node and %1").arg(grid.gpuWord()));
    lines.append(freshnessWords(readGpu(grid, address, Measure::Utilization, state), grid.nowMs()));
    return lines.join(u'\n');
}

QString speakGpu(const GpuGrid& grid, GpuAddress address, Measure measure, GridState state)
{
    const GpuReading reading = readGpu(grid, address, measure, state);
    QStringList parts;
    if (const std::optional<int> rank = rankOf(grid, address))
        parts.append(tr("rank %1").arg(*rank));
    parts.append(u"%1 %2"_s.arg(grid.gpuWord()).arg(address.gpu));
    parts.append(grid.series().nodes().value(address.node));
    parts.append(reading.value ? toText(measure) + u' ' + figureWithUnit(measure, reading.value)
                               : tr("%1 not reported").arg(toText(measure)));
    if (reading.freshness != Freshness::Fresh)
        parts.append(freshnessWords(reading, grid.nowMs()));
    return parts.join(u", "_s);
}

} // namespace rankwright
