// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/history/historyexport.h"

#include <QDateTime>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>

#include <array>
#include <cmath>
#include <map>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

struct Column {
    const char* heading; ///< for people
    const char* name; ///< for programs
    const char* json;
    const char* type; ///< as Apache Arrow spells it
    const char* unit;
    const char* meaning;
    bool isText;
    bool nullable;
};

constexpr std::array<Column, 31> columns = {{
    {"time (UTC)", "time", "time", "timestamp[ms, tz=UTC]", "", "ISO 8601, the node's clock", true, false},
    {"time (ms since 1970)", "epoch_ms", "epochMs", "int64", "ms", "the same moment, since 1970-01-01T00:00:00Z", false,
        false},
    {"cluster", "cluster", "cluster", "string", "", "name in the catalogue", true, true},
    {"job", "job", "jobId", "string", "", "Slurm's id", true, true},
    {"node", "node", "node", "string", "", "host name", true, false},
    {"GPU", "gpu", "index", "int32", "", "as the vendor's tool numbers it within the job's allocation", false, false},
    {"rank", "rank", "rank", "int32", "", "whose process holds memory on it; empty: not reported, or several", false,
        true},
    {"GPU name", "gpu_name", "name", "string", "", "as the vendor's tool calls it", true, true},
    {"utilisation (%)", "utilization_percent", "utilizationPercent", "double", "%",
        "share of time in which any kernel ran", false, true},
    {"memory used (B)", "memory_used_bytes", "memoryUsedBytes", "int64", "B", "device memory in use", false, true},
    {"memory total (B)", "memory_total_bytes", "memoryTotalBytes", "int64", "B", "device memory", false, true},
    {"power (W)", "power_watts", "powerWatts", "double", "W", "of the package where two dies share one", false, true},
    {"power cap (W)", "power_cap_watts", "powerCapWatts", "double", "W", "limit that is set", false, true},
    {"temperature (°C)", "temperature_celsius", "temperatureCelsius", "double", "°C", "edge sensor, else junction",
        false, true},
    {"clock (MHz)", "clock_mhz", "clockMhz", "double", "MHz", "of the compute units", false, true},
    {"slowed by power limit", "throttled_power", "throttledPower", "bool", "", "clock lowered by the power limit",
        false, true},
    {"slowed by heat", "throttled_thermal", "throttledThermal", "bool", "", "clock lowered by temperature", false,
        true},
    {"slowed by hardware", "throttled_hardware", "throttledHardware", "bool", "",
        "clock lowered from outside (power brake)", false, true},
    {"processes", "processes", "processes", "int32", "", "of this job that hold memory on it", false, true},
    {"second die", "secondary_die", "secondaryDie", "bool", "", "its power is reported on the package's other die",
        false, false},
    {"memory errors", "memory_errors", "memoryErrors", "int64", "",
        "that could not be corrected, since its driver was loaded (ECC, RAS)", false, true},
    {"memory active (%)", "memory_active_percent", "memoryActivePercent", "double", "%",
        "share of its memory's bandwidth (NVIDIA), of the time in which it was accessed (AMD)", false, true},
    {"compute active (%)", "compute_active_percent", "computeActivePercent", "double", "%",
        "share of its multiprocessors that had work, on the average of the time", false, true},
    {"occupancy (%)", "occupancy_percent", "occupancyPercent", "double", "%",
        "share of the warps that its multiprocessors can hold", false, true},
    {"tensor active (%)", "tensor_active_percent", "tensorActivePercent", "double", "%",
        "share of the time in which its tensor cores were at work", false, true},
    {"node received (B/s)", "node_received_bytes_per_second", "nodeReceivedBytesPerSecond", "int64", "B/s",
        "by all its links, as last reported in the minute before; so are the columns behind it", false, true},
    {"node sent (B/s)", "node_sent_bytes_per_second", "nodeSentBytesPerSecond", "int64", "B/s", "by all its links",
        false, true},
    {"node processes waiting for files", "node_processes_waiting", "nodeProcessesWaiting", "int32", "",
        "of the job, in an uninterruptible wait", false, true},
    {"node time waiting for files", "node_wait_share", "nodeWaitShare", "double", "",
        "0 to 1: some process waited for input or output", false, true},
    {"node memory held (B)", "node_memory_held_bytes", "nodeMemoryHeldBytes", "int64", "B",
        "by the job's processes, or by all where the job's are not counted", false, true},
    {"node page cache (B)", "node_page_cache_bytes", "nodePageCacheBytes", "int64", "B",
        "what the kernel gives back when it is asked for", false, true},
}};
using Cells = std::array<QByteArray, columns.size()>;

constexpr qsizetype pieceBytes = 256 * 1024;
constexpr int rankMoments = 32; // ranks seldom move; a job of a day is looked at every 45 minutes

QByteArray textOf(const std::optional<double>& value)
{
    if (!value || !std::isfinite(*value))
        return {};
    return QByteArray::number(*value, std::abs(*value) < 1e15 ? 'f' : 'g', QLocale::FloatingPointShortest);
}

template <typename Whole>
QByteArray textOf(const std::optional<Whole>& value)
{
    return value ? QByteArray::number(qint64(*value)) : QByteArray();
}

QByteArray textOf(const std::optional<Throttles>& throttle, Throttle reason)
{
    return throttle ? (throttle->testFlag(reason) ? "true" : "false") : QByteArray();
}

/// Which rank had which GPU, and since when.
class RankTable {
public:
    RankTable(const TelemetryHistory& history, TimeSpan span)
    {
        for (int i = 0; i <= rankMoments; ++i) {
            for (const NodeProcesses& reported : history.processesAt(span.fromMs + span.length() * i / rankMoments))
                add(reported);
        }
    }

    std::optional<int> at(const QString& node, int gpu, qint64 ms) const
    {
        const auto known = m_ranks.find({node, gpu});
        if (known == m_ranks.end())
            return std::nullopt;
        const auto after = known->second.upper_bound(ms);
        // Before the first answer the first one is the best that is known: a rank keeps its GPU.
        return after == known->second.begin() ? after->second : std::prev(after)->second;
    }

private:
    void add(const NodeProcesses& reported)
    {
        std::map<int, QList<int>> byGpu;
        for (const RankSample& rank : reported.ranks) {
            if (rank.rank && rank.gpu && !byGpu[*rank.gpu].contains(*rank.rank))
                byGpu[*rank.gpu].append(*rank.rank);
        }
        for (const auto& [gpu, ranks] : byGpu)
            m_ranks[{reported.node, gpu}][reported.takenMs]
                = ranks.size() == 1 ? std::optional<int>(ranks.first()) : std::nullopt;
    }

    std::map<std::pair<QString, int>, std::map<qint64, std::optional<int>>> m_ranks;
};

/// What a node had beside its GPUs, tick by tick.
class NodeTable {
public:
    explicit NodeTable(const TelemetryHistory& history) : m_history(history)
    {
        const QStringList nodes = history.nodes();
        for (int row = 0; row < int(nodes.size()); ++row)
            m_rows.insert(nodes.at(row), row);
    }

    /// As last reported in the minute before; asked for again every few seconds, as it comes.
    const NodeResources& at(const QString& node, qint64 ms)
    {
        const int row = m_rows.value(node, -1);
        if (row == m_row && ms >= m_askedMs && ms - m_askedMs < askEveryMs)
            return m_known;
        m_row = row;
        m_askedMs = ms;
        const auto reported = m_history.processesOf(row, ms);
        const bool isNew = reported && reported->resources && ms - reported->takenMs <= keptMs;
        m_known = isNew ? *reported->resources : NodeResources();
        return m_known;
    }

private:
    static constexpr qint64 askEveryMs = 3000, keptMs = 60'000;
    const TelemetryHistory& m_history;
    QHash<QString, int> m_rows;
    NodeResources m_known;
    std::optional<int> m_row;
    qint64 m_askedMs = 0;
};

Cells cellsOf(const NodeTick& tick, const GpuSample& gpu, const std::optional<int>& rank, const NodeResources& node,
    const ExportRequest& request)
{
    return {QDateTime::fromMSecsSinceEpoch(tick.takenMs, Qt::UTC).toString(Qt::ISODateWithMs).toUtf8(),
        QByteArray::number(tick.takenMs), request.cluster.toUtf8(), request.job.toUtf8(), tick.node.toUtf8(),
        QByteArray::number(gpu.index), textOf(rank), gpu.name.toUtf8(), textOf(gpu.utilizationPercent),
        textOf(gpu.memoryUsedBytes), textOf(gpu.memoryTotalBytes), textOf(gpu.powerWatts), textOf(gpu.powerCapWatts),
        textOf(gpu.temperatureCelsius), textOf(gpu.clockMhz), textOf(gpu.throttle, Throttle::Power),
        textOf(gpu.throttle, Throttle::Thermal), textOf(gpu.throttle, Throttle::Hardware), textOf(gpu.processes),
        gpu.secondaryDie ? "true" : "false", textOf(gpu.memoryErrors), textOf(gpu.activity.memory),
        textOf(gpu.activity.compute), textOf(gpu.activity.occupancy), textOf(gpu.activity.tensor),
        textOf(node.received), textOf(node.sent), textOf(node.waiting), textOf(node.someWait), textOf(node.held()),
        textOf(node.droppable())};
}

/// RFC 4180: quotes around what holds a separator, a quote or a line end.
QByteArray quoted(const QByteArray& cell)
{
    const bool plain = !cell.contains(',') && !cell.contains('"') && !cell.contains('\n') && !cell.contains('\r');
    return plain ? cell : QByteArray('"' + QByteArray(cell).replace('"', "\"\"") + '"');
}

QByteArray csvRow(const Cells& cells)
{
    QByteArray row;
    for (std::size_t i = 0; i < cells.size(); ++i)
        row += (i > 0 ? "," : "") + quoted(cells[i]);
    return row + "\r\n";
}

QByteArray jsonText(const QString& text)
{
    const QByteArray list = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return list.mid(1, list.size() - 2);
}

QByteArray jsonRow(const Cells& cells)
{
    QByteArray row = "{";
    for (std::size_t i = 0; i < cells.size(); ++i) {
        row += (i > 0 ? ",\"" : "\"") + QByteArray(columns[i].json) + "\":";
        row += cells[i].isEmpty() ? "null" : columns[i].isText ? jsonText(QString::fromUtf8(cells[i])) : cells[i];
    }
    return row + '}';
}

QByteArray headOf(const ExportRequest& request, TimeSpan span)
{
    const auto timeOf
        = [](qint64 ms) { return QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC).toString(Qt::ISODateWithMs); };
    switch (request.format) {
    case ExportFormat::JsonWriter: return {};
    case ExportFormat::Json:
        return "{\"cluster\":" + jsonText(request.cluster) + ",\"jobId\":" + jsonText(request.job) + ",\"from\":"
            + jsonText(timeOf(span.fromMs)) + ",\"to\":" + jsonText(timeOf(span.toMs)) + ",\"samples\":[\n";
    case ExportFormat::Csv:
    case ExportFormat::TypedCsv: break;
    }
    Cells heads;
    for (std::size_t i = 0; i < columns.size(); ++i)
        heads[i] = request.format == ExportFormat::Csv ? columns[i].heading : columns[i].name;
    return csvRow(heads);
}

} // namespace

std::optional<ExportFormat> exportFormatFrom(const QString& text)
{
    if (text == u"csv")
        return ExportFormat::Csv;
    if (text == u"typed-csv")
        return ExportFormat::TypedCsv;
    if (text == u"jsonl")
        return ExportFormat::JsonWriter;
    if (text == u"json")
        return ExportFormat::Json;
    return std::nullopt;
}

Result<qint64> exportHistory(const TelemetryHistory& history, const ExportRequest& request, const ExportSink& sink)
{
    const TimeSpan span = request.span.length() > 0 ? request.span : history.span();
    const RankTable ranks(history, span);
    NodeTable nodes(history);
    QByteArray pending = headOf(request, span);
    qint64 rows = 0;
    bool refused = false;
    history.forEachTick(span, [&](const NodeTick& tick) {
        if (refused)
            return;
        const NodeResources& node = nodes.at(tick.node, tick.takenMs);
        for (const GpuSample& gpu : tick.gpus) {
            if (refused)
                return;
            const Cells cells = cellsOf(tick, gpu, ranks.at(tick.node, gpu.index, tick.takenMs), node, request);
            switch (request.format) {
            case ExportFormat::Csv:
            case ExportFormat::TypedCsv: pending += csvRow(cells); break;
            case ExportFormat::JsonWriter: pending += jsonRow(cells) + '\n'; break;
            case ExportFormat::Json: pending += (rows > 0 ? ",\n" : "") + jsonRow(cells); break;
            }
            ++rows;
            if (pending.size() >= pieceBytes) {
                refused = !sink(pending);
                pending.clear();
            }
        }
    });
    if (request.format == ExportFormat::Json)
        pending += "\n]}\n";
    if (refused || (!pending.isEmpty() && !sink(pending)))
        return fail(Fault::Io, u"The export could not be written after %1 rows."_s.arg(rows), {},
            u"Make room on that disk, or choose another place."_s);
    return rows;
}

QByteArray exportSchema()
{
    QJsonArray fields;
    for (const Column& column : columns)
        fields.append(QJsonObject{{u"name"_s, QString::fromUtf8(column.name)},
            {u"type"_s, QString::fromUtf8(column.type)}, {u"nullable"_s, column.nullable},
            {u"unit"_s, *column.unit ? QJsonValue(QString::fromUtf8(column.unit)) : QJsonValue()},
            {u"meaning"_s, QString::fromUtf8(column.meaning)}});
    const QJsonObject schema{{u"format"_s, u"CSV, RFC 4180, UTF-8, header row, decimal point, empty cell = null"_s},
        {u"version"_s, 1}, {u"fields"_s, fields}};
    return QJsonDocument(schema).toJson();
}

} // namespace rankwright::inline insight
