// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/tools/toolparts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline insight::toolreading {

namespace {

/// "utilization.gpu [%]" -> "utilization.gpu".
QStringList columnsOf(const QString& header)
{
    QStringList columns;
    for (const QString& cell : header.split(u','))
        columns.append(cell.section(u'[', 0, 0).trimmed().toLower());
    return columns;
}

/// What is behind --query-gpu= (or --query-compute-apps=) on a command line, with or without quotes.
QStringList columnsAsked(const QString& command, const QString& option)
{
    const qsizetype at = command.indexOf(option);
    if (at < 0)
        return {};
    qsizetype begin = at + option.size();
    while (begin < command.size() && QStringView(u"= \"'").contains(command.at(begin)))
        ++begin;
    qsizetype end = begin;
    while (end < command.size() && !QStringView(u" \"'").contains(command.at(end)))
        ++end;
    return columnsOf(command.mid(begin, end - begin));
}

bool isField(const QString& name)
{
    static const QStringList fields{u"index"_s, u"uuid"_s, u"name"_s, u"gpu_name"_s, u"timestamp"_s, u"pid"_s,
        u"gpu_uuid"_s, u"process_name"_s, u"used_memory"_s, u"used_gpu_memory"_s, u"count"_s, u"pstate"_s};
    return fields.contains(name) || name.startsWith(u"utilization.") || name.startsWith(u"memory.")
        || name.startsWith(u"power.") || name.startsWith(u"temperature.") || name.startsWith(u"clocks.")
        || name.startsWith(u"pci.") || name.startsWith(u"ecc.") || name.startsWith(u"clocks_")
        || name.startsWith(u"driver_") || name.startsWith(u"mig.");
}

/// A line of field names, of which at least half are known: each driver knows some of its own.
bool isHeader(const QStringList& columns)
{
    const auto isName = [](const QString& column) {
        return !column.isEmpty() && column.at(0).isLower()
            && std::all_of(column.cbegin(), column.cend(),
                [](QChar sign) { return sign.isLower() || sign.isDigit() || sign == u'_' || sign == u'.'; });
    };
    const auto known = std::count_if(columns.cbegin(), columns.cend(), isField);
    return std::all_of(columns.cbegin(), columns.cend(), isName) && 2 * known >= columns.size()
        && columns.first() != columns.value(1);
}

/// `--query-gpu=... --format=csv[,noheader][,nounits]`, once or with -l/-lms.
class QueryCsv final : public LineReader {
public:
    bool readLine(const QString& line, ToolSink& sink) override
    {
        const QString text = line.trimmed();
        if (text.contains(u", ") || isField(text.section(u" ["_s, 0, 0))) {
            const QStringList columns = columnsOf(text);
            if (isHeader(columns))
                return readHeader(columns, sink);
        }
        if (m_columns.isEmpty() && !m_asked)
            ask(sink);
        if (m_columns.isEmpty() || (m_columns.size() == 1 && (text.isEmpty() || readRemark(line, sink))))
            return !m_columns.isEmpty(); // any sentence would do as a row of one column
        const QStringList cells = cellsOf(text);
        return cells.size() == m_columns.size() && readRow(cells, sink);
    }

private:
    void ask(const ToolSink& sink)
    {
        m_asked = true;
        m_columns = columnsAsked(sink.hint.command, u"--query-gpu"_s);
        if (m_columns.isEmpty())
            m_columns = columnsAsked(sink.hint.command, u"--query-compute-apps"_s);
    }

    bool readHeader(const QStringList& columns, ToolSink& sink)
    {
        // A loop prints its header once: a second one comes after a reconnection.
        if (m_headers++ > 0 && sink.ticksBegun() - m_ticksAtHeader >= 2)
            sink.warn(u"transport_reconnected"_s);
        sink.endTick();
        m_ticksAtHeader = sink.ticksBegun();
        m_columns = columns;
        m_row = 0;
        name(sink);
        return true;
    }

    bool areProcesses() const { return m_columns.contains(u"pid"_s); }

    void name(ToolSink& sink) const
    {
        sink.recognised("nvidia-smi", areProcesses() ? "nvidia-smi-apps-csv" : "nvidia-smi-csv");
        if (areProcesses())
            sink.understood();
    }

    /// Comma and blank: a lone comma may be a decimal sign. Some wrappers take the blanks away.
    QStringList cellsOf(const QString& text) const
    {
        QStringList cells = text.split(u", "_s);
        if (cells.size() != m_columns.size())
            cells = text.split(u',');
        if (areProcesses() && cells.size() > m_columns.size()) // names of programs may contain commas
            cells = cells.mid(0, m_columns.size());
        return cells;
    }

    bool readRow(const QStringList& cells, ToolSink& sink)
    {
        const auto cell = [&](QStringView column) { return cells.value(m_columns.indexOf(column)); };
        if (areProcesses()) {
            name(sink);
            return true;
        }
        bool fine = true;
        const int number
            = m_columns.contains(u"index"_s) ? cell(u"index").trimmed().toInt(&fine) : numberOf(cell, sink);
        if (!fine || number < 0)
            return false;
        name(sink);
        sink.inOrder(deviceOf(cells, number), number);
        for (const QString& text : cells)
            readCell(text, number, sink);
        return true;
    }

    /// Without an index: rows count from 0, a device that comes again begins the next tick.
    template <typename Cell>
    int numberOf(const Cell& cell, ToolSink& sink)
    {
        QString key = cell(u"uuid") + cell(u"gpu_uuid") + cell(u"pci.bus_id") + cell(u"gpu_bus_id");
        if (m_row == 0)
            m_firstKey = key;
        else if (!key.isEmpty() && key == m_firstKey) {
            sink.endTick();
            m_row = 0;
        }
        return m_row++;
    }

    ToolDevice deviceOf(const QStringList& cells, int number) const
    {
        const auto cell = [&](QStringView column) { return cells.value(m_columns.indexOf(column)); };
        ToolDevice device;
        device.id = QString::number(number);
        device.name = QString(cell(u"name") + cell(u"gpu_name")).trimmed();
        if (device.name.startsWith(u'['))
            device.name.clear();
        device.utilizationPercent = toolreading::number(cell(u"utilization.gpu"));
        device.memoryUsedBytes = bytes(cell(u"memory.used"), mebibyte);
        device.memoryTotalBytes = bytes(cell(u"memory.total"), mebibyte);
        device.powerWatts = watts(cell(u"power.draw"));
        if (!m_columns.contains(u"power.draw"_s))
            device.powerWatts = watts(cell(u"power.draw.average"));
        device.temperatureCelsius = toolreading::number(cell(u"temperature.gpu"));
        device.memoryActivePercent = toolreading::number(cell(u"utilization.memory"));
        device.memoryErrors = toolreading::count(cell(u"ecc.errors.uncorrected.volatile.total"));
        for (const QStringView reasons : {u"clocks_throttle_reasons.active", u"clocks_event_reasons.active"})
            readReasons(device, cell(reasons).trimmed());
        device.unreadable
            = std::any_of(cells.cbegin(), cells.cend(), [](const QString& one) { return isErrorCell(one); });
        return device;
    }

    /// Bits of NVML's nvmlClocksThrottleReasons; idle, a clock that was asked for and sync boost do not count.
    static void readReasons(ToolDevice& device, const QString& cell)
    {
        bool fine = false;
        const quint64 bits = cell.startsWith(u"0x") ? cell.mid(2).toULongLong(&fine, 16) : 0;
        if (!fine)
            return;
        addThrottle(device, (bits & 0x4) != 0 ? u"power"_s : QString());
        addThrottle(device, (bits & 0x60) != 0 ? u"thermal"_s : QString());
        addThrottle(device, (bits & 0x88) != 0 ? u"hardware"_s : QString());
    }

    static void readCell(const QString& text, int number, ToolSink& sink)
    {
        if (!text.contains(u'['))
            return;
        const QString lower = text.toLower();
        if (lower.contains(u"insufficient permissions"))
            sink.warn(u"permission"_s);
        if (lower.contains(u"gpu is lost") || lower.contains(u"requires reset"))
            sink.fault("gpu_lost", u"GPU %1: %2"_s.arg(number).arg(text.trimmed()));
    }

    QStringList m_columns;
    bool m_asked = false;
    int m_headers = 0, m_ticksAtHeader = 0, m_row = 0;
    QString m_firstKey;
};

/// `dmon` and `pmon`: columns named in "#" lines that come again and again; "-" is not a value.
class Monitor final : public LineReader {
public:
    bool readLine(const QString& line, ToolSink& sink) override
    {
        QString text = line.trimmed();
        if (text.startsWith(u'#') ? text.startsWith(u"#gpu,") || text.startsWith(u"#Idx,") : m_commas)
            text.replace(u',', u' '); // --format csv
        if (text.startsWith(u'#')) {
            m_commas = line.contains(u',');
            const QStringList names = words(text.mid(1).toLower());
            if (!names.contains(u"gpu"_s))
                return !m_columns.isEmpty();
            m_columns = names;
            m_processes = names.contains(u"pid"_s);
            sink.recognised("nvidia-smi", m_processes ? "nvidia-smi-pmon" : "nvidia-smi-dmon");
            return true;
        }
        const QStringList cells = words(text);
        bool fine = false;
        const int number = cells.value(m_columns.indexOf(u"gpu"_s)).toInt(&fine);
        if (m_columns.isEmpty() || !fine || (!m_processes && cells.size() != m_columns.size()))
            return false;
        if (m_processes) {
            sink.understood();
            return true;
        }
        const auto cell = [&](QStringView column) { return cells.value(m_columns.indexOf(column)); };
        ToolDevice device;
        device.id = QString::number(number);
        device.utilizationPercent = toolreading::number(cell(u"sm"));
        device.memoryActivePercent = toolreading::number(cell(u"mem"));
        readGpm(device, cells);
        device.memoryUsedBytes = bytes(cell(u"fb"), mebibyte);
        device.powerWatts = watts(cell(u"pwr"));
        const QString temperature = m_columns.contains(u"gtemp"_s) ? cell(u"gtemp") : cell(u"temp");
        device.temperatureCelsius = toolreading::number(temperature);
        device.unreadable
            = std::any_of(cells.cbegin(), cells.cend(), [](const QString& one) { return isErrorCell(one); });
        sink.inOrder(device, number);
        return true;
    }

private:
    /// `--gpm-metrics`: Hopper and newer; the bandwidth is a better answer than the time of its use.
    void readGpm(ToolDevice& device, const QStringList& cells) const
    {
        for (qsizetype i = 0; i < m_columns.size(); ++i) {
            const QString& name = m_columns.at(i);
            const auto value = toolreading::number(cells.at(i));
            if (name == u"smutil")
                device.computeActivePercent = value;
            else if (name == u"smocc")
                device.occupancyPercent = value;
            else if (name == u"mmaact")
                device.tensorActivePercent = value;
            else if (name.startsWith(u"dram") && value)
                device.memoryActivePercent = value;
            else if (name == u"dbecc")
                device.memoryErrors = toolreading::count(cells.at(i));
        }
    }

    QStringList m_columns;
    bool m_processes = false, m_commas = false;
};

} // namespace

void addNvidiaReaders(Readers& readers)
{
    readers.push_back(std::make_unique<Monitor>());
    readers.push_back(std::make_unique<QueryCsv>());
}

} // namespace rankwright::inline insight::toolreading
