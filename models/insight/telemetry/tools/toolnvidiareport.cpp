// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/tools/toolparts.h"

#include <QXmlStreamReader>

using namespace Qt::StringLiterals;

namespace rankwright::inline insight::toolreading {

namespace {

/// Of each kind of memory: "SRAM Uncorrectable", "dram_uncorrectable".
void addErrors(ToolDevice& device, const QString& cell)
{
    if (const auto errors = count(cell))
        device.memoryErrors = device.memoryErrors.value_or(0) + *errors;
}

/// "SW Power Cap", "clocks_event_reason_sw_thermal_slowdown": "Active", "Not Active".
void readReason(ToolDevice& device, const QString& name, const QString& cell)
{
    const bool isActive = cell == u"Active";
    if (!isActive && cell != u"Not Active")
        return;
    const QString what = QString(name).replace(u'_', u' ');
    if (what.endsWith(u"sw power cap"))
        addThrottle(device, isActive ? u"power"_s : QString());
    else if (what.endsWith(u"thermal slowdown"))
        addThrottle(device, isActive ? u"thermal"_s : QString());
    else if (what.endsWith(u"hw slowdown") || what.endsWith(u"power brake slowdown"))
        addThrottle(device, isActive ? u"hardware"_s : QString());
}

/// Values by their path in the report, the same for XML and text after renaming.
void readValue(ToolDevice& device, const QString& section, const QString& name, const QString& cell)
{
    const QString where = section.toLower(), what = name.toLower();
    if (what == u"product_name" || what == u"product name")
        device.name = cell;
    else if ((where == u"fb_memory_usage" || where == u"fb memory usage") && what == u"total")
        device.memoryTotalBytes = bytes(cell, mebibyte);
    else if ((where == u"fb_memory_usage" || where == u"fb memory usage") && what == u"used")
        device.memoryUsedBytes = bytes(cell, mebibyte);
    else if (where == u"utilization" && (what == u"gpu_util" || what == u"gpu"))
        device.utilizationPercent = number(cell);
    else if (where == u"temperature" && (what == u"gpu_temp" || what == u"gpu current temp"))
        device.temperatureCelsius = number(cell);
    else if ((where == u"power_readings" || where == u"gpu_power_readings" || where == u"power readings"
                 || where == u"gpu power readings")
        && (what == u"power_draw" || what == u"average_power_draw" || what == u"power draw"
            || what == u"average power draw"))
        device.powerWatts = device.powerWatts ? device.powerWatts : watts(cell);
    else if (where == u"utilization" && (what == u"memory_util" || what == u"memory"))
        device.memoryActivePercent = number(cell);
    else if (where == u"volatile" && what.contains(u"uncorrectable"))
        addErrors(device, cell);
    else if (where.endsWith(u"reasons"))
        return readReason(device, what, cell);
    else
        return;
    device.unreadable = device.unreadable || isErrorCell(cell);
}

/// `-q -x`: documents of schema v11, v12 and v13, one after another with -l.
class NvidiaXml final : public LineReader {
public:
    bool readLine(const QString& line, ToolSink& sink) override
    {
        const QString text = line.trimmed();
        if (text.startsWith(u"<?xml") || text.startsWith(u"<!DOCTYPE nvidia_smi_log")) {
            m_text.clear(); // the document before was cut off
            m_inside = false;
            return true;
        }
        if (text.startsWith(u"<nvidia_smi_log")) {
            m_text.clear();
            m_inside = true;
        }
        if (!m_inside || (!text.contains(u'<') && readRemark(text, sink)))
            return m_inside;
        m_text += line + u'\n';
        if (text.endsWith(u"</nvidia_smi_log>")) {
            m_inside = false;
            read(sink);
            m_text.clear();
        }
        return true;
    }

    void finish(ToolSink& sink) override
    {
        if (m_inside)
            sink.cut();
    }

private:
    void read(ToolSink& sink)
    {
        sink.recognised("nvidia-smi", "nvidia-smi-xml");
        QXmlStreamReader xml(m_text);
        QList<ToolDevice> devices;
        QStringList path;
        int gpu = -1;
        qsizetype instance = -1;
        while (!xml.atEnd()) {
            const auto token = xml.readNext();
            if (token == QXmlStreamReader::StartElement) {
                path.append(xml.name().toString());
                if (path.size() == 2 && path.last() == u"gpu") {
                    devices.append(ToolDevice());
                    devices.last().id = QString::number(++gpu);
                    instance = devices.size() - 1;
                    m_parent = instance;
                } else if (path.last() == u"mig_device" && gpu >= 0) {
                    devices.append(ToolDevice());
                    devices.last().package = gpu;
                    instance = devices.size() - 1;
                }
            } else if (token == QXmlStreamReader::EndElement && !path.isEmpty()) {
                if (path.takeLast() == u"mig_device")
                    instance = m_parent;
            } else if (token == QXmlStreamReader::Characters && instance >= 0 && path.size() >= 2
                && !xml.isWhitespace()) {
                readText(devices[instance], gpu, path, xml.text().toString().trimmed());
            }
        }
        if (xml.hasError())
            return sink.ignore(u"XML: "_s + xml.errorString());
        for (const ToolDevice& device : std::as_const(devices))
            sink.device(device);
        sink.endTick();
    }

    static void readText(ToolDevice& device, int gpu, const QStringList& path, const QString& cell)
    {
        const QString& name = path.last();
        const QString& section = path.at(path.size() - 2);
        if (section == u"mig_device" && name == u"gpu_instance_id")
            device.id = QString::number(gpu) + u':' + cell;
        else if (section == u"mig_device" && name == u"compute_instance_id")
            device.id += u':' + cell;
        else
            readValue(device, section, name, cell);
    }

    QString m_text;
    bool m_inside = false;
    qsizetype m_parent = -1;
};

/// `-q`: "Key   : value" under indented sections, one block per device.
class NvidiaText final : public LineReader {
public:
    bool readLine(const QString& line, ToolSink& sink) override
    {
        if (line.startsWith(u"=") && line.contains(u"NVSMI LOG")) {
            flush(sink);
            sink.endTick();
            m_gpu = -1;
            m_inLog = true;
            sink.recognised("nvidia-smi", "nvidia-smi-text");
            return true;
        }
        if (!m_inLog)
            return false;
        const QString text = line.trimmed();
        if (line.startsWith(u"GPU ") && !text.contains(u" : ")) {
            flush(sink);
            m_devices = {ToolDevice()};
            m_devices.last().id = QString::number(++m_gpu);
            m_instanceIndent = -1;
            return true;
        }
        const qsizetype colon = line.indexOf(u" : ");
        const qsizetype indent = indentOf(line);
        if (text.isEmpty())
            return true;
        if (m_instanceIndent >= 0 && indent <= m_instanceIndent)
            m_instanceIndent = -1;
        if (colon < 0) {
            m_section = text;
            if (text == u"MIG Device" && !m_devices.isEmpty()) {
                m_instanceIndent = indent;
                m_devices.append(ToolDevice());
                m_devices.last().package = m_gpu;
            }
            return true;
        }
        if (!m_devices.isEmpty())
            readNamedValue(line.left(colon).trimmed(), line.mid(colon + 3).trimmed());
        return true;
    }

    void finish(ToolSink& sink) override
    {
        flush(sink);
        if (m_inLog)
            sink.endTick();
    }

private:
    static qsizetype indentOf(const QString& line)
    {
        qsizetype blanks = 0;
        while (blanks < line.size() && line.at(blanks).isSpace())
            ++blanks;
        return blanks;
    }

    void readNamedValue(const QString& name, const QString& cell)
    {
        ToolDevice& device = m_instanceIndent >= 0 ? m_devices.last() : m_devices.first();
        if (m_instanceIndent >= 0 && name == u"GPU Instance ID")
            device.id = QString::number(m_gpu) + u':' + cell;
        else if (m_instanceIndent >= 0 && name == u"Compute Instance ID")
            device.id += u':' + cell;
        else
            readValue(device, m_section, name, cell);
    }

    void flush(ToolSink& sink)
    {
        for (const ToolDevice& device : std::as_const(m_devices))
            sink.device(device);
        m_devices.clear();
    }

    QList<ToolDevice> m_devices; ///< the GPU and its MIG instances
    QString m_section;
    int m_gpu = -1;
    qsizetype m_instanceIndent = -1;
    bool m_inLog = false;
};

} // namespace

void addNvidiaReportReaders(Readers& readers)
{
    readers.push_back(std::make_unique<NvidiaXml>());
    readers.push_back(std::make_unique<NvidiaText>());
}

} // namespace rankwright::inline insight::toolreading
