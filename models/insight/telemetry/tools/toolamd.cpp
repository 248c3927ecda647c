// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/tools/toolparts.h"

#include <QMap>

using namespace Qt::StringLiterals;

namespace rankwright::inline insight::toolreading {

namespace {

/// Rows under a header whose columns are named: CSV of `monitor` and `metric`, and the table of `monitor`.
class AmdRows : public LineReader {
protected:
    bool readRow(const QStringList& cells, ToolSink& sink)
    {
        bool fine = false;
        const int number = cells.value(m_columns.indexOf(u"gpu"_s)).trimmed().toInt(&fine);
        if (!fine || cells.size() != m_columns.size())
            return false;
        ToolDevice device;
        device.id = QString::number(number);
        const QString partition = cells.value(m_columns.indexOf(u"xcp"_s)).trimmed();
        if (sink.last() != nullptr && partition.toInt() > 0 && sink.last()->id.section(u':', 0, 0) == device.id) {
            device.id += u':' + partition; // a further partition of the same GPU
            device.package = number;
        }
        for (qsizetype i = 0; i < cells.size(); ++i)
            amdValue(device, m_columns.at(i), cells.at(i));
        sink.device(device);
        return true;
    }

    QStringList m_columns;
};

class AmdCsv final : public AmdRows {
public:
    bool readLine(const QString& line, ToolSink& sink) override
    {
        const QString text = line.trimmed();
        if (text.startsWith(u"gpu,") || text.startsWith(u"timestamp,gpu,")) {
            sink.endTick();
            m_columns = text.toLower().split(u',');
            sink.recognised("amd-smi", "amd-smi-csv");
            return true;
        }
        if (m_columns.isEmpty() || !text.contains(u','))
            return false;
        return readRow(csvCells(text), sink);
    }
};

/// The table of `monitor`: a unit is behind a blank, "0.0/  8.0 GB" has blanks inside.
class AmdMonitor final : public AmdRows {
public:
    bool readLine(const QString& line, ToolSink& sink) override
    {
        const QStringList parts = words(line);
        if (parts.contains(u"GPU"_s) && parts.size() >= 2 && parts.indexOf(u"GPU"_s) <= 1
            && (parts.first() == u"GPU" || parts.first() == u"TIMESTAMP") && isHeader(parts)) {
            sink.endTick();
            m_columns = QStringList();
            for (const QString& part : parts)
                m_columns.append(part.toLower());
            sink.recognised("amd-smi", "amd-smi-monitor");
            return true;
        }
        if (m_columns.isEmpty())
            return false;
        if (parts.isEmpty()) {
            sink.endTick();
            return true;
        }
        return readRow(cellsOf(parts), sink);
    }

private:
    static bool isHeader(const QStringList& parts)
    {
        for (const QString& part : parts) {
            if (part.startsWith(u"GFX") || part.startsWith(u"POWER") || part.startsWith(u"VRAM")
                || part.startsWith(u"GPU_T"))
                return !parts.contains(u"AvgPwr"_s) && !parts.contains(u"|"_s);
        }
        return false;
    }

    static QStringList cellsOf(const QStringList& parts)
    {
        static const QStringList units{u"W"_s, u"°C"_s, u"C"_s, u"%"_s, u"MHz"_s, u"MB"_s, u"GB"_s, u"Mb/s"_s, u"MiB"_s,
            u"GiB"_s, u"GT/s"_s, u"KB"_s, u"B"_s, u"V"_s, u"mV"_s, u"J"_s, u"MB/s"_s, u"GB/s"_s};
        QStringList cells;
        for (const QString& part : parts) {
            if (!cells.isEmpty() && (units.contains(part) || cells.last().endsWith(u'/')))
                cells.last() += u' ' + part;
            else
                cells.append(part);
        }
        return cells;
    }
};

/// `amd-smi metric` for people: "GPU: 0", then indented "KEY: value" under sections.
class AmdText final : public LineReader {
public:
    bool readLine(const QString& line, ToolSink& sink) override
    {
        const qsizetype colon = line.indexOf(u':');
        if (colon < 0)
            return false;
        const QString value = line.mid(colon + 1).trimmed();
        if (line.startsWith(u"GPU:")) {
            flush(sink);
            bool fine = false;
            value.toUInt(&fine);
            m_device = ToolDevice();
            m_section.clear();
            m_device.id = fine ? value : QString();
            return fine;
        }
        if (m_device.id.isEmpty() || !line.startsWith(u' '))
            return false;
        const QString name = line.left(colon).trimmed().toLower();
        if (value.isEmpty())
            m_section = name;
        else if (m_section == u"vram" && name == u"size") // `static` reports the size alone
            amdValue(m_device, u"vram_total"_s, value);
        else if (m_section != u"limit") // what may be drawn, not what is
            amdValue(m_device, name, value);
        return true;
    }

    void finish(ToolSink& sink) override { flush(sink); }

private:
    void flush(ToolSink& sink)
    {
        if (m_device.id.isEmpty())
            return;
        sink.recognised("amd-smi", "amd-smi-text");
        sink.device(m_device);
        m_device = {};
    }

    ToolDevice m_device;
    QString m_section;
};

/// `amd-smi` without arguments (7.x): two lines per device in a box.
class AmdTable final : public LineReader {
public:
    bool readLine(const QString& line, ToolSink& sink) override
    {
        if (line.contains(u"AMD-SMI") && line.startsWith(u'|')) {
            sink.endTick();
            sink.recognised("amd-smi", "amd-smi-table");
            m_inTable = true;
            return true;
        }
        if (!m_inTable || (!line.startsWith(u'|') && !line.startsWith(u'+')))
            return false;
        if (line.contains(u"Processes:")) {
            sink.endTick();
            m_inTable = false;
            return true;
        }
        const QStringList halves = line.split(u'|');
        if (halves.size() != 4)
            return true;
        const QStringList left = words(halves.at(1)), right = words(halves.at(2));
        if (left.value(0).count(u':') == 2 && left.value(0).contains(u'.'))
            takeFirst(left, right);
        else if (m_waiting)
            readSecond(left, right, sink);
        return true;
    }

private:
    void takeFirst(const QStringList& left, const QStringList& right)
    {
        m_device = {};
        m_device.name = left.mid(1).join(u' ');
        m_waiting = true;
        for (qsizetype i = 0; i + 1 < right.size(); ++i) {
            if (right.at(i + 1) == u"°C" || right.at(i + 1) == u"C")
                m_device.temperatureCelsius = number(right.at(i));
            if (right.at(i + 1) == u"W")
                m_device.powerWatts = watts(right.at(i).section(u'/', 0, 0));
        }
    }

    void readSecond(const QStringList& left, const QStringList& right, ToolSink& sink)
    {
        m_waiting = false;
        bool fine = false;
        left.value(0).toUInt(&fine);
        if (!fine)
            return;
        m_device.id = left.first();
        if (right.value(1) == u"%")
            m_device.utilizationPercent = number(right.first());
        const QString unit = right.isEmpty() ? QString() : right.last();
        if (right.size() >= 2 && right.at(right.size() - 2).contains(u'/')) {
            const QString memory = right.at(right.size() - 2);
            m_device.memoryUsedBytes = bytes(QString(memory.section(u'/', 0, 0) + u' ' + unit), mebibyte);
            m_device.memoryTotalBytes = bytes(QString(memory.section(u'/', 1, 1) + u' ' + unit), mebibyte);
        }
        sink.device(m_device);
    }

    ToolDevice m_device;
    bool m_inTable = false, m_waiting = false;
};

/// "171.4/192.0 GB".
void readUsage(ToolDevice& device, const QString& cell)
{
    const QString unit = cell.section(u' ', -1);
    device.memoryUsedBytes = bytes(QString(cell.section(u'/', 0, 0).trimmed() + u' ' + unit), mebibyte);
    device.memoryTotalBytes = bytes(cell.section(u'/', 1, 1), mebibyte);
}

/// "ppt_violation_status", "hbm_thermal_violation_status" (6.3 and later): "ACTIVE", "NOT ACTIVE". `throttle_status` of
/// older ones does not tell the reason: only that there is none.
void readViolation(ToolDevice& device, const QString& name, const QString& cell)
{
    const bool isActive = cell == u"ACTIVE";
    if (name == u"throttle_status" && cell == u"UNTHROTTLED")
        addThrottle(device, {});
    if (!isActive && cell != u"NOT ACTIVE")
        return;
    if (name.startsWith(u"ppt"))
        addThrottle(device, isActive ? u"power"_s : QString());
    else if (name.contains(u"thermal") || name.contains(u"thm"))
        addThrottle(device, isActive ? u"thermal"_s : QString());
    else if (name.startsWith(u"prochot"))
        addThrottle(device, isActive ? u"hardware"_s : QString());
}

} // namespace

void amdValue(ToolDevice& device, const QString& name, const QString& cell)
{
    static const QStringList use{u"gfx"_s, u"gfx_activity"_s, u"gfx_usage"_s, u"gfx_util"_s, u"gfx%"_s};
    static const QStringList power{u"power_usage"_s, u"socket_power"_s, u"current_power"_s, u"current_socket_power"_s,
        u"average_socket_power"_s, u"power"_s};
    static const QStringList traffic{
        u"umc_activity"_s, u"mem"_s, u"mem%"_s, u"mem_util"_s, u"mem_usage"_s, u"mem_activity"_s};
    static const QStringList errors{u"total_uncorrectable_count"_s, u"double_bit_ecc"_s, u"double_ecc"_s};
    static const QStringList edge{u"edge"_s, u"edge_temperature"_s};
    static const QStringList hot{u"hotspot"_s, u"hotspot_temperature"_s, u"gpu_temp"_s, u"gpu_t"_s};
    if (use.contains(name) && !device.utilizationPercent) {
        device.utilizationPercent = number(cell);
        device.unreadable = device.unreadable || isErrorCell(cell);
    } else if (power.contains(name) && !device.powerWatts) {
        device.powerWatts = watts(cell);
    } else if (edge.contains(name)) {
        device.temperatureCelsius = number(cell) ? number(cell) : device.temperatureCelsius;
    } else if (hot.contains(name) && !device.temperatureCelsius) {
        device.temperatureCelsius = number(cell);
    } else if (name == u"vram_used" || name == u"used_vram") {
        device.memoryUsedBytes = bytes(cell, mebibyte);
    } else if (name == u"vram_total" || name == u"total_vram") {
        device.memoryTotalBytes = bytes(cell, mebibyte);
    } else if (name == u"vram_usage" || name == u"gtt_usage") { // APUs: the larger pool of the two
        readUsage(device, cell);
    } else if (traffic.contains(name) && !device.memoryActivePercent) {
        device.memoryActivePercent = number(cell);
    } else if (errors.contains(name)) {
        if (const auto counted = count(cell))
            device.memoryErrors = counted;
    } else if (name.endsWith(u"violation_status") || name == u"throttle_status") {
        readViolation(device, name, cell.trimmed().toUpper());
    } else if (name == u"market_name") {
        device.name = cell.trimmed();
    }
}

void addAmdReaders(Readers& readers)
{
    readers.push_back(std::make_unique<AmdCsv>());
    readers.push_back(std::make_unique<AmdMonitor>());
    readers.push_back(std::make_unique<AmdText>());
    readers.push_back(std::make_unique<AmdTable>());
}

} // namespace rankwright::inline insight::toolreading
