// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/tools/toolparts.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline insight::toolreading {

namespace {

constexpr double percent = 100; ///< DCGM's activity is a fraction

/// `dcgmi dmon`: a heading of short names, then "GPU 0 ..." or, of instances, "GPU-I 21 ...". Names: DCGM, field tags.
class DcgmMonitor final : public LineReader {
public:
    bool readLine(const QString& line, ToolSink& sink) override
    {
        const QString text = line.trimmed();
        if (text.startsWith(u"Error setting watches"))
            return failed("permission", text, sink);
        if (text.startsWith(u"Error: unable to establish a connection to the specified host"))
            return failed("unreachable", text, sink);
        if (text.startsWith(u'#')) {
            const QStringList names = words(text.mid(1));
            if (names.value(0) != u"Entity")
                return false;
            m_columns = names.mid(1);
            sink.recognised("dcgmi", "dcgmi-dmon");
            return true;
        }
        const QStringList cells = words(text);
        if (m_columns.isEmpty())
            return false;
        if (cells.value(0).compare(u"ID"_s, Qt::CaseInsensitive) == 0)
            return true; // the heading's second line: units
        bool isNumber = false;
        cells.value(1).toUInt(&isNumber);
        if (!isNumber || !cells.first().startsWith(u"GPU") || cells.size() != m_columns.size() + 2)
            return false;
        ToolDevice device;
        device.id = cells.first() == u"GPU" ? cells.at(1) : QString(cells.first() + u' ' + cells.at(1));
        for (qsizetype i = 0; i < m_columns.size(); ++i)
            readCell(device, m_columns.at(i), cells.at(i + 2));
        sink.device(device);
        return true;
    }

private:
    static bool failed(const char* faultClass, const QString& text, ToolSink& sink)
    {
        sink.recognised("dcgmi", "dcgmi-dmon");
        sink.fault(faultClass, text);
        return true;
    }

    static void readCell(ToolDevice& device, const QString& name, const QString& cell)
    {
        const auto value = number(cell);
        const auto share = value && *value >= 0 && *value <= 1 ? std::optional(*value * percent) : std::nullopt;
        if (name == u"GPUTL")
            device.utilizationPercent = value;
        else if (name == u"GRACT" && !device.utilizationPercent)
            device.utilizationPercent = share;
        else if (name == u"SMACT")
            device.computeActivePercent = share;
        else if (name == u"SMOCC")
            device.occupancyPercent = share;
        else if (name == u"TENSO")
            device.tensorActivePercent = share;
        else if (name == u"DRAMA")
            device.memoryActivePercent = share;
        else if (name == u"FBUSD")
            device.memoryUsedBytes = bytes(cell, mebibyte);
        else if (name == u"FBTTL")
            device.memoryTotalBytes = bytes(cell, mebibyte);
        else if (name == u"POWER")
            device.powerWatts = watts(cell);
        else if (name == u"TMPTR")
            device.temperatureCelsius = value;
    }

    QStringList m_columns;
};

} // namespace

void addDcgmReader(Readers& readers) { readers.push_back(std::make_unique<DcgmMonitor>()); }

} // namespace rankwright::inline insight::toolreading
