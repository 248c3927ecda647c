// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/codec/tickchunk.h"

#include <QHash>

#include <algorithm>
#include <tuple>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

enum Cell : std::size_t {
    Utilization,
    MemoryUsed,
    MemoryTotal,
    Power,
    Cap,
    Temperature,
    Clock,
    Throttled,
    Processes,
    MemoryErrors,
    MemoryActive,
    ComputeActive,
    Occupancy,
    TensorActive
};
constexpr std::size_t cellCount = 14;
constexpr std::size_t firstCellCount = 9; ///< of recordings of earlier releases
constexpr qint64 mostErrors = qint64(1) << 48; ///< as in the lines of the sampler
constexpr char tickKind = 'T';
constexpr int mostDevices = 4096;
constexpr qsizetype secondaryFlag = 1;

bool isReal(std::size_t cell)
{
    return cell == Utilization || cell == Power || cell == Cap || cell == Temperature || cell == Clock
        || cell >= MemoryActive;
}

std::optional<double> realOf(const GpuSample& gpu, std::size_t cell)
{
    switch (cell) {
    case Utilization: return gpu.utilizationPercent;
    case Power: return gpu.powerWatts;
    case Cap: return gpu.powerCapWatts;
    case Temperature: return gpu.temperatureCelsius;
    case MemoryActive: return gpu.activity.memory;
    case ComputeActive: return gpu.activity.compute;
    case Occupancy: return gpu.activity.occupancy;
    case TensorActive: return gpu.activity.tensor;
    default: return gpu.clockMhz;
    }
}

std::optional<qint64> wholeOf(const GpuSample& gpu, std::size_t cell)
{
    switch (cell) {
    case MemoryUsed: return gpu.memoryUsedBytes;
    case MemoryTotal: return gpu.memoryTotalBytes;
    case Throttled: return gpu.throttle ? std::optional<qint64>(int(*gpu.throttle)) : std::nullopt;
    case MemoryErrors: return gpu.memoryErrors;
    default: return gpu.processes ? std::optional<qint64>(*gpu.processes) : std::nullopt;
    }
}

/// A recording may come from anybody: what is not a per cent is unknown.
std::optional<double> shareOf(const ColumnCursor& cursor)
{
    const double percent = cursor.real();
    return percent >= 0 && percent <= 100 ? std::optional(percent) : std::nullopt;
}

void setCell(GpuSample& gpu, std::size_t cell, const ColumnCursor& cursor)
{
    if (!cursor.isKnown())
        return;
    switch (cell) {
    case Utilization: gpu.utilizationPercent = cursor.real(); break;
    case MemoryUsed: gpu.memoryUsedBytes = cursor.whole(); break;
    case MemoryTotal: gpu.memoryTotalBytes = cursor.whole(); break;
    case Power: gpu.powerWatts = cursor.real(); break;
    case Cap: gpu.powerCapWatts = cursor.real(); break;
    case Temperature: gpu.temperatureCelsius = cursor.real(); break;
    case Clock: gpu.clockMhz = cursor.real(); break;
    case Throttled: gpu.throttle = Throttles::fromInt(int(cursor.whole())); break;
    case MemoryErrors:
        if (cursor.whole() >= 0 && cursor.whole() <= mostErrors)
            gpu.memoryErrors = cursor.whole();
        break;
    case MemoryActive: gpu.activity.memory = shareOf(cursor); break;
    case ComputeActive: gpu.activity.compute = shareOf(cursor); break;
    case Occupancy: gpu.activity.occupancy = shareOf(cursor); break;
    case TensorActive: gpu.activity.tensor = shareOf(cursor); break;
    default: gpu.processes = int(cursor.whole()); break;
    }
}

std::size_t cellOf(Measure measure)
{
    switch (measure) {
    case Measure::Utilization: return Utilization;
    case Measure::Memory: return MemoryUsed;
    case Measure::Power: return Power;
    case Measure::Temperature: return Temperature;
    case Measure::Clock: return Clock;
    case Measure::Processes: return Processes;
    }
    return Utilization;
}

/// What stays the same of a node's GPUs over many ticks, each only once.
class Layouts {
public:
    qint64 add(const QList<GpuSample>& gpus)
    {
        std::vector<int> layout;
        for (const GpuSample& gpu : gpus)
            layout.push_back(device(gpu));
        for (std::size_t i = m_layouts.size(); i > 0; --i) { // mostly the newest one
            if (m_layouts[i - 1] == layout)
                return qint64(i - 1);
        }
        m_layouts.push_back(layout);
        return qint64(m_layouts.size() - 1);
    }

    void write(ColumnWriter& out) const
    {
        out.number(quint64(m_devices.size()));
        for (const GpuSample& device : m_devices) {
            out.signedNumber(device.index);
            out.number(device.secondaryDie ? secondaryFlag : 0);
            out.text(device.name.toUtf8());
        }
        out.number(m_layouts.size());
        for (const std::vector<int>& layout : m_layouts) {
            out.number(layout.size());
            for (const int place : layout)
                out.number(quint64(place));
        }
    }

private:
    int device(const GpuSample& gpu)
    {
        for (qsizetype i = 0; i < m_devices.size(); ++i) {
            const GpuSample& known = m_devices.at(i);
            if (known.index == gpu.index && known.secondaryDie == gpu.secondaryDie && known.name == gpu.name)
                return int(i);
        }
        m_devices.append(gpu);
        return int(m_devices.size() - 1);
    }

    QList<GpuSample> m_devices;
    std::vector<std::vector<int>> m_layouts;
};

Unexpected<Error> damagedTicks()
{
    return fail(Fault::Unreadable, u"A piece of the recording is damaged."_s, u"Its columns are inconsistent."_s,
        u"The rest of the recording can still be read."_s);
}

} // namespace

QByteArray packTicks(const QList<NodeTick>& ticks) { return packBlob(tickKind, tickPayload(ticks)); }

QByteArray tickPayload(const QList<NodeTick>& ticks)
{
    ColumnWriter out;
    Layouts layouts;
    std::vector<std::optional<qint64>> layoutOf;
    qsizetype places = 0;
    out.number(quint64(ticks.size()));
    qint64 before = 0;
    for (const NodeTick& tick : ticks) {
        out.signedNumber(qint64(quint64(tick.takenMs) - quint64(before)));
        before = tick.takenMs;
        places = qMax(places, tick.gpus.size());
        layoutOf.emplace_back(layouts.add(tick.gpus));
    }
    layouts.write(out);
    out.column(layoutOf);
    out.number(cellCount);
    for (std::size_t cell = 0; cell < cellCount; ++cell) {
        for (qsizetype place = 0; place < places; ++place) {
            std::vector<std::optional<double>> reals;
            std::vector<std::optional<qint64>> wholes;
            for (const NodeTick& tick : ticks) {
                if (tick.gpus.size() <= place)
                    continue;
                if (isReal(cell))
                    reals.push_back(realOf(tick.gpus.at(place), cell));
                else
                    wholes.push_back(wholeOf(tick.gpus.at(place), cell));
            }
            if (isReal(cell))
                out.column(reals);
            else
                out.column(wholes);
        }
    }
    return out.bytes();
}

Result<TickChunk> TickChunk::open(const QByteArray& blob)
{
    const auto payload = unpackBlob(tickKind, blob);
    if (!payload)
        return fail(payload.error());
    return openPayload(*payload);
}

Result<TickChunk> TickChunk::openPayload(const QByteArray& payload)
{
    TickChunk chunk;
    chunk.m_payload = payload;
    if (!chunk.read())
        return damagedTicks();
    return chunk;
}

bool TickChunk::readDevices(ColumnReader& reader)
{
    const int devices = reader.count(mostDevices);
    for (int i = 0; i < devices && !reader.failed(); ++i) {
        Device device;
        const qint64 index = reader.signedNumber();
        device.index = int(index);
        if (device.index != index)
            return false;
        device.secondaryDie = (reader.number() & secondaryFlag) != 0;
        device.name = QString::fromUtf8(reader.text());
        m_devices.push_back(device);
    }
    const int layouts = reader.count(mostChunkCells);
    int cells = 0;
    for (int i = 0; i < layouts && !reader.failed(); ++i) {
        Layout layout;
        const int places = reader.count(mostDevices);
        cells += places;
        if (cells > mostChunkCells || (devices == 0 && places > 0))
            return false;
        for (int place = 0; place < places && !reader.failed(); ++place)
            layout.push_back(reader.count(devices - 1));
        m_places = qMax(m_places, layout.size());
        m_layouts.push_back(std::move(layout));
    }
    return !reader.failed();
}

bool TickChunk::read()
{
    ColumnReader reader(m_payload);
    const int count = reader.count(mostChunkCells);
    qint64 before = 0;
    for (int i = 0; i < count && !reader.failed(); ++i) {
        before = qint64(quint64(before) + quint64(reader.signedNumber()));
        m_times.push_back(before);
    }
    if (reader.failed() || !readDevices(reader))
        return false;
    ColumnCursor layouts(reader.column(), count);
    qsizetype cells = 0;
    for (int i = 0; i < count; ++i) {
        if (!layouts.next() || !layouts.isKnown() || layouts.whole() < 0 || layouts.whole() >= qint64(m_layouts.size()))
            return false;
        m_layoutOf.push_back(std::size_t(layouts.whole()));
        cells += placesAt(i);
    }
    if (cells > mostChunkCells)
        return false;
    for (std::size_t place = 0; place < m_places; ++place)
        m_counts.push_back(countBefore(count, place));
    // Cells that a later version adds come behind those that are known here.
    const auto cellKinds = std::size_t(reader.count(64));
    if (reader.failed() || cellKinds < firstCellCount)
        return false;
    m_cells = std::min(cellKinds, cellCount);
    for (std::size_t cell = 0; cell < m_cells; ++cell) {
        for (std::size_t place = 0; place < m_places; ++place) {
            const QByteArrayView column = reader.column();
            if (reader.failed() || !isWhole(column, m_counts[place]))
                return false;
            m_columns.push_back(column);
        }
    }
    return true;
}

qsizetype TickChunk::countBefore(qsizetype i, std::size_t place) const
{
    if (m_layouts.size() == 1)
        return place < m_layouts.front().size() ? i : 0;
    return std::count_if(m_layoutOf.cbegin(), m_layoutOf.cbegin() + i,
        [&](std::size_t layout) { return m_layouts[layout].size() > place; });
}

qsizetype TickChunk::newestAt(qint64 ms) const
{
    return std::upper_bound(m_times.cbegin(), m_times.cend(), ms) - m_times.cbegin() - 1;
}

NodeTick TickChunk::tick(qsizetype i, const QString& node) const
{
    NodeTick tick{node, timeAt(i), {}};
    const Layout& layout = m_layouts[m_layoutOf[std::size_t(i)]];
    for (std::size_t place = 0; place < layout.size(); ++place) {
        const Device& device = m_devices[std::size_t(layout[place])];
        GpuSample gpu;
        gpu.index = device.index;
        gpu.name = device.name;
        gpu.secondaryDie = device.secondaryDie;
        const qsizetype before = countBefore(i, place);
        for (std::size_t cell = 0; cell < m_cells; ++cell) {
            ColumnCursor cursor(m_columns[cell * m_places + place], m_counts[place]);
            if (cursor.skip(before) && cursor.next())
                setCell(gpu, cell, cursor);
        }
        tick.gpus.append(gpu);
    }
    return tick;
}

QList<NodeTick> TickChunk::ticks(const QString& node) const
{
    QList<NodeTick> all;
    all.reserve(size());
    for (qsizetype i = 0; i < size(); ++i) {
        NodeTick tick{node, timeAt(i), {}};
        tick.gpus.reserve(qsizetype(m_layouts[m_layoutOf[std::size_t(i)]].size()));
        for (const int place : m_layouts[m_layoutOf[std::size_t(i)]]) {
            const Device& device = m_devices[std::size_t(place)];
            GpuSample gpu;
            gpu.index = device.index;
            gpu.name = device.name;
            gpu.secondaryDie = device.secondaryDie;
            tick.gpus.append(gpu);
        }
        all.append(tick);
    }
    for (std::size_t cell = 0; cell < m_cells; ++cell) {
        for (std::size_t place = 0; place < m_places; ++place) {
            ColumnCursor cursor(m_columns[cell * m_places + place], m_counts[place]);
            if (cursor.isEmpty())
                continue;
            for (NodeTick& tick : all) {
                if (std::size_t(tick.gpus.size()) > place && cursor.next())
                    setCell(tick.gpus[qsizetype(place)], cell, cursor);
            }
        }
    }
    return all;
}

void TickChunk::forEachValue(int gpu, Measure measure, const std::function<void(qint64 ms, float value)>& take) const
{
    const std::size_t cell = cellOf(measure);
    for (std::size_t place = 0; place < m_places; ++place) {
        const auto holds = [&](const Layout& layout) {
            return layout.size() > place && m_devices[std::size_t(layout[place])].index == gpu;
        };
        if (std::none_of(m_layouts.cbegin(), m_layouts.cend(), holds))
            continue;
        ColumnCursor cursor(m_columns[cell * m_places + place], m_counts[place]);
        for (std::size_t i = 0; i < m_times.size(); ++i) {
            const Layout& layout = m_layouts[m_layoutOf[i]];
            if (layout.size() <= place || !cursor.next())
                continue;
            if (!cursor.isKnown() || !holds(layout))
                continue;
            GpuSample sample;
            setCell(sample, cell, cursor);
            take(m_times[i], float(TelemetrySeries::value(sample, measure).value_or(0)));
        }
    }
}

int TickChunk::largestGpu() const
{
    int largest = -1;
    for (const Device& device : m_devices)
        largest = qMax(largest, device.index);
    return largest;
}

} // namespace rankwright::inline insight
