// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/gpureading.h"

#include "models/core/units.h"

#include <QCoreApplication>
#include <QDateTime>

#include <algorithm>
#include <array>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(rankwright::GpuReading)
};

constexpr std::array allMeasures{Measure::Utilization, Measure::Memory, Measure::Power, Measure::Temperature};

Freshness freshnessOf(const GpuGridModel& grid, GpuAddress address, bool ended)
{
    const TelemetrySeries& series = grid.series();
    if (!series.latest(address))
        return Freshness::Never;
    if (ended)
        return Freshness::Last;
    return series.isStale(address, grid.nowMs()) ? Freshness::Stale : Freshness::Fresh;
}

/// The die of the package that tells power; the GPU itself when none does or packages are single.
GpuAddress powerDie(const GpuGridModel& grid, GpuAddress address)
{
    const int perPackage = std::max(1, grid.gpusPerPackage());
    const int first = address.gpu / perPackage * perPackage;
    for (int gpu = first; gpu < std::min(first + perPackage, grid.gpusPerNode()); ++gpu) {
        const GpuSample* sample = grid.series().latest({address.node, gpu});
        if (sample && sample->powerWatts)
            return {address.node, gpu};
    }
    return address;
}

QString freshnessWords(const GpuReading& reading, qint64 nowMs)
{
    switch (reading.freshness) {
    case Freshness::Never: return Words::tr("nothing has arrived yet");
    case Freshness::Fresh: return agoText(nowMs - reading.arrivedMs.value_or(nowMs));
    case Freshness::Stale: return Words::tr("no fresh value since %1").arg(clockText(reading.arrivedMs.value_or(0)));
    case Freshness::Last: return Words::tr("last value, %1").arg(clockText(reading.arrivedMs.value_or(0)));
    }
    return {};
}

} // namespace

GpuReading readGpu(const GpuGridModel& grid, GpuAddress address, Measure measure, bool ended)
{
    const GpuAddress source = measure == Measure::Power ? powerDie(grid, address) : address;
    const GpuSample* sample = grid.series().latest(source);
    if (!sample)
        return {};
    return {freshnessOf(grid, source, ended), TelemetrySeries::value(*sample, measure),
        grid.series().latestArrival(source)};
}

std::optional<double> powerCapOf(const GpuGridModel& grid, GpuAddress address)
{
    const GpuSample* sample = grid.series().latest(powerDie(grid, address));
    return sample ? sample->powerCapWatts : std::nullopt;
}

qint64 newestArrival(const GpuGridModel& grid, int node)
{
    qint64 newest = 0;
    for (int gpu = 0; gpu < grid.gpusPerNode(); ++gpu)
        newest = std::max(newest, grid.series().latestArrival({node, gpu}));
    return newest;
}

Freshness freshnessOf(const GpuGridModel& grid, int node, bool ended)
{
    Freshness best = Freshness::Never;
    for (int gpu = 0; gpu < grid.gpusPerNode(); ++gpu) {
        const Freshness freshness = freshnessOf(grid, GpuAddress{node, gpu}, ended);
        if (freshness == Freshness::Fresh || freshness == Freshness::Last)
            return freshness;
        if (freshness == Freshness::Stale)
            best = freshness;
    }
    return best;
}

MeasureScale scaleOf(const GpuGridModel& grid, Measure measure)
{
    if (measure == Measure::Utilization)
        return {0, 100, false};
    if (measure == Measure::Temperature)
        return {20, 100, false}; // room to the edge of throttling: one scale for all makes runs comparable
    double limit = 0;
    double seen = 0;
    const TelemetrySeries& series = grid.series();
    for (int node = 0; node < grid.rowCount(); ++node) {
        for (int gpu = 0; gpu < grid.gpusPerNode(); ++gpu) {
            const GpuSample* sample = series.latest({node, gpu});
            if (!sample)
                continue;
            const double told = measure == Measure::Power ? sample->powerCapWatts.value_or(0)
                                                          : Bytes{sample->memoryTotalBytes.value_or(0)}.inGib();
            limit = std::max(limit, told);
            seen = std::max(seen, TelemetrySeries::value(*sample, measure).value_or(0));
        }
    }
    if (limit > 0)
        return {0, limit, false};
    const double step = measure == Measure::Power ? 100 : 8;
    return {0, std::max(step, std::ceil(seen / step) * step), true};
}

QString figureOf(Measure measure, std::optional<double> value)
{
    if (!value)
        return u"—"_s;
    const int decimals = measure == Measure::Memory && *value < 100 ? 1 : 0;
    return QString::number(*value, 'f', decimals);
}

QString figureWithUnit(Measure measure, std::optional<double> value)
{
    return value ? figureOf(measure, value) + u'\u2009' + unitOf(measure) : figureOf(measure, value);
}

std::optional<int> rankOf(const GpuGridModel& grid, GpuAddress address)
{
    const QVariant rank = grid.data(grid.index(address.node, address.gpu), GpuGridModel::RankRole);
    return rank.isValid() ? std::optional(rank.toInt()) : std::nullopt;
}

QString ranksOf(const GpuGridModel& grid, int node)
{
    const std::optional<int> first = rankOf(grid, {node, 0});
    const std::optional<int> last = rankOf(grid, {node, grid.gpusPerNode() - 1});
    if (!first || !last)
        return {};
    return *first == *last ? Words::tr("rank %1").arg(*first) : Words::tr("ranks %1–%2").arg(*first).arg(*last);
}

QString agoText(qint64 milliseconds)
{
    const qint64 seconds = (std::max<qint64>(0, milliseconds) + 500) / 1000;
    if (seconds == 0)
        return Words::tr("now");
    if (seconds < 120)
        return Words::tr("%1\u2009s ago").arg(seconds);
    if (seconds < 7200)
        return Words::tr("%1\u2009min ago").arg(seconds / 60);
    return Words::tr("%1\u2009h ago").arg(seconds / 3600);
}

QString clockText(qint64 msSinceEpoch) { return QDateTime::fromMSecsSinceEpoch(msSinceEpoch).toString(u"HH:mm:ss"_s); }

QString describeGpu(const GpuGridModel& grid, GpuAddress address, bool ended)
{
    const QString node = grid.series().nodes().value(address.node);
    QStringList lines{u"%1 · %2 %3"_s.arg(node, grid.gpuWord()).arg(address.gpu)};
    if (const std::optional<int> rank = rankOf(grid, address))
        lines[0].prepend(Words::tr("Rank %1 · ").arg(*rank));
    const GpuSample* sample = grid.series().latest(address);
    if (sample && !sample->name.isEmpty())
        lines.append(sample->name);
    for (const Measure measure : allMeasures) {
        const GpuReading reading = readGpu(grid, address, measure, ended);
        QString line = toText(measure) + u": "_s + figureWithUnit(measure, reading.value);
        if (measure == Measure::Memory && sample && sample->memoryTotalBytes)
            line += Words::tr(" of %1").arg(figureWithUnit(measure, Bytes{*sample->memoryTotalBytes}.inGib()));
        if (measure == Measure::Power && reading.value) {
            if (const std::optional<double> cap = powerCapOf(grid, address))
                line += Words::tr(" of %1").arg(figureWithUnit(measure, cap));
            if (grid.gpusPerPackage() > 1)
                line += Words::tr(", of the whole package (both dies)");
        }
        if (!reading.value)
            line += sample ? Words::tr(" (not told)") : QString();
        lines.append(line);
    }
    lines.append(freshnessWords(readGpu(grid, address, Measure::Utilization, ended), grid.nowMs()));
    return lines.join(u'\n');
}

QString speakGpu(const GpuGridModel& grid, GpuAddress address, Measure measure, bool ended)
{
    const GpuReading reading = readGpu(grid, address, measure, ended);
    QStringList parts;
    if (const std::optional<int> rank = rankOf(grid, address))
        parts.append(Words::tr("rank %1").arg(*rank));
    parts.append(u"%1 %2"_s.arg(grid.gpuWord()).arg(address.gpu));
    parts.append(grid.series().nodes().value(address.node));
    parts.append(reading.value ? toText(measure) + u' ' + figureWithUnit(measure, reading.value)
                               : Words::tr("%1 not told").arg(toText(measure)));
    if (reading.freshness != Freshness::Fresh)
        parts.append(freshnessWords(reading, grid.nowMs()));
    return parts.join(u", "_s);
}

} // namespace rankwright
