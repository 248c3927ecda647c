// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/tools/toolparts.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline insight::toolreading {

namespace {

/// nvidia-smi without arguments: boxes of two lines per device, in three widths; then MIG instances, then processes.
class NvidiaTable final : public LineReader {
public:
    bool readLine(const QString& line, ToolSink& sink) override
    {
        if (line.contains(u"| NVIDIA-SMI ")) {
            sink.endTick();
            sink.recognised("nvidia-smi", "nvidia-smi-table");
            m_part = Part::Devices;
            return true;
        }
        const QString text = line.trimmed();
        if (m_part == Part::None)
            return false;
        if (!text.startsWith(u'|') && !text.startsWith(u'+'))
            return text.isEmpty();
        const QStringList cells = text.split(u'|').mid(1);
        if (text.contains(u"MIG devices:")) {
            m_part = Part::Instances;
        } else if (text.contains(u"Processes:")) {
            sink.endTick();
            m_part = Part::Processes;
        } else if (m_part == Part::Devices && cells.size() >= 4) {
            readDevice(cells, sink);
        } else if (m_part == Part::Instances && cells.size() >= 4) {
            readInstance(cells, sink);
        }
        return true;
    }

    void finish(ToolSink& sink) override
    {
        if (m_waiting)
            sink.cut();
    }

private:
    enum class Part { None, Devices, Instances, Processes };

    void readDevice(const QStringList& cells, ToolSink& sink)
    {
        const QStringList left = words(cells.at(0));
        bool isNumber = false;
        left.value(0).toUInt(&isNumber);
        if (isNumber && words(cells.at(1)).value(0).count(u':') == 2) {
            m_device = {};
            m_device.id = left.first();
            m_device.name = left.mid(1, left.size() - 2).join(u' '); // the last word is the persistence mode
            m_waiting = true;
        } else if (m_waiting) { // memory is "used / total", "Not Supported" (GB10) or "GPU is lost"
            m_waiting = false;
            readValues(cells);
            sink.device(m_device);
        }
    }

    void readValues(const QStringList& cells)
    {
        const QString left = cells.at(0).section(u'/', 0, -2); // "N/A   59C    P0   263W", without "/ 300W"
        const QStringList parts = words(left);
        for (qsizetype i = 1; i < parts.size(); ++i) {
            const auto cell = quantity(parts.at(i));
            if (cell && cell->unit == u"c" && !m_device.temperatureCelsius)
                m_device.temperatureCelsius = cell->value;
            if (cell && cell->unit == u"w")
                m_device.powerWatts = watts(parts.at(i));
        }
        m_device.memoryUsedBytes = bytes(cells.at(1).section(u'/', 0, 0), mebibyte);
        m_device.memoryTotalBytes = bytes(cells.at(1).section(u'/', 1, 1), mebibyte);
        m_device.utilizationPercent = number(words(cells.at(2)).value(0));
        m_device.unreadable
            = cells.at(0).contains(u"ERR!") || cells.at(2).contains(u"ERR!") || cells.at(1).contains(u"Unknown Error");
    }

    static void readInstance(const QStringList& cells, ToolSink& sink)
    {
        const QStringList ids = words(cells.at(0)); // GPU, GI, CI, MIG device
        if (ids.size() != 4 || !cells.at(1).contains(u'/'))
            return;
        for (const QString& id : ids) {
            bool fine = false;
            id.toUInt(&fine);
            if (!fine)
                return;
        }
        ToolDevice device;
        device.id = ids.mid(0, 3).join(u':');
        device.package = ids.first().toInt();
        device.memoryUsedBytes = bytes(cells.at(1).section(u'/', 0, 0), mebibyte);
        device.memoryTotalBytes = bytes(cells.at(1).section(u'/', 1, 1), mebibyte);
        sink.device(device);
    }

    Part m_part = Part::None;
    bool m_waiting = false;
    ToolDevice m_device;
};

} // namespace

void addNvidiaTableReader(Readers& readers) { readers.push_back(std::make_unique<NvidiaTable>()); }

} // namespace rankwright::inline insight::toolreading
