// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/tools/toolparts.h"

#include <QMap>

using namespace Qt::StringLiterals;

namespace rankwright::inline insight::toolreading {

namespace {

/// "card3" -> "3".
QString cardId(const QString& text)
{
    bool fine = false;
    const int number = text.startsWith(u"card") ? text.mid(4).toInt(&fine) : -1;
    return fine && number >= 0 ? QString::number(number) : QString();
}

/// `--csv`. Every tick has its own header: a key that the first device lacks moves to the end.
class RocmCsv final : public LineReader {
public:
    bool readLine(const QString& line, ToolSink& sink) override
    {
        const QString text = line.trimmed();
        if (text.startsWith(u"device,")) {
            sink.endTick();
            m_header = text.split(u',');
            sink.recognised("rocm-smi", "rocm-smi-csv");
            return true;
        }
        if (m_header.isEmpty())
            return false;
        if (text.isEmpty()) {
            sink.endTick();
            return true;
        }
        // srun may have cut a row in two: the pieces make one row together
        QString whole = m_piece + line;
        m_piece.clear();
        if (!text.startsWith(u"card") && whole.size() == line.size())
            return false;
        if (text.startsWith(u"card"))
            whole = text;
        const QStringList cells = csvCells(whole.trimmed());
        const QString id = cardId(cells.first());
        if (id.isEmpty() || cells.size() != m_header.size()) {
            if (cells.size() < m_header.size())
                m_piece = whole;
            return !id.isEmpty();
        }
        ToolDevice device;
        device.id = id;
        for (qsizetype i = 1; i < cells.size(); ++i)
            rocmValue(device, m_header.at(i), cells.at(i));
        sink.device(device);
        return true;
    }

private:
    QStringList m_header;
    QString m_piece;
};

/// "GPU[0]<TAB><TAB>: key: value" lines of the show options, section by section.
class RocmText final : public LineReader {
public:
    bool readLine(const QString& line, ToolSink& sink) override
    {
        const QString text = line.trimmed();
        if (text.startsWith(u"===") && text.contains(u"System Management Interface"))
            flush(sink);
        if (!text.startsWith(u"GPU["))
            return false;
        const qsizetype close = text.indexOf(u']');
        bool fine = false;
        const int number = text.mid(4, close - 4).toInt(&fine);
        const qsizetype colon = text.indexOf(u':', close);
        const qsizetype last = text.lastIndexOf(u": ");
        if (!fine || close < 0 || colon < 0 || last <= colon)
            return false;
        ToolDevice device;
        rocmValue(device, text.mid(colon + 1, last - colon - 1), text.mid(last + 2));
        if (device == ToolDevice())
            return false;
        ToolDevice& known = m_devices[number];
        known.id = QString::number(number);
        rocmValue(known, text.mid(colon + 1, last - colon - 1), text.mid(last + 2));
        return true;
    }

    void finish(ToolSink& sink) override { flush(sink); }

private:
    void flush(ToolSink& sink)
    {
        if (m_devices.isEmpty())
            return;
        for (const ToolDevice& device : std::as_const(m_devices)) {
            sink.recognised("rocm-smi", "rocm-smi-text");
            sink.device(device);
        }
        m_devices.clear();
        sink.endTick();
    }

    QMap<int, ToolDevice> m_devices;
};

/// The table without options: columns move between versions, so cells are known by their look. At the end of every row
/// are SCLK MCLK Fan Perf PwrCap VRAM% GPU%. Bytes are not reported.
class RocmConcise final : public LineReader {
public:
    bool readLine(const QString& line, ToolSink& sink) override
    {
        if (line.contains(u"VRAM%") && line.contains(u"GPU%") && line.contains(u"PwrCap")) {
            sink.endTick();
            sink.recognised("rocm-smi", "rocm-smi-concise");
            m_inTable = true;
            return true;
        }
        if (!m_inTable)
            return false;
        if (line.trimmed().startsWith(u"===")) {
            if (line.contains(u"End of ROCm")) {
                sink.endTick();
                m_inTable = false;
            }
            return true;
        }
        const QStringList cells = words(line);
        static constexpr qsizetype cellsAtEnd = 7;
        bool isIndex = false;
        const int index = cells.value(0).toInt(&isIndex);
        if (line.startsWith(u' ') && !cells.isEmpty() && !isIndex) { // ROCm 6.0: the name on a line of its own
            if (sink.last() != nullptr && !line.contains(u"(Mem,"))
                sink.last()->name = line.trimmed();
            return true;
        }
        if (!isIndex || index < 0 || cells.size() < cellsAtEnd + 3)
            return false;
        sink.device(deviceOf(cells, index, cellsAtEnd));
        return true;
    }

private:
    static ToolDevice deviceOf(const QStringList& cells, int index, qsizetype cellsAtEnd)
    {
        ToolDevice device;
        device.id = QString::number(index);
        const QString use = cells.last();
        device.utilizationPercent = number(use);
        device.unreadable = isErrorCell(use);
        const auto cap = number(cells.at(cells.size() - 3));
        device.secondaryDie = cap && *cap == 0;
        for (qsizetype i = 1; i < cells.size() - cellsAtEnd; ++i) {
            const auto cell = quantity(cells.at(i));
            if (cell && !device.temperatureCelsius && (cell->unit == u"c" || cell->unit == u"°c"))
                device.temperatureCelsius = cell->value;
            if (cell && !device.powerWatts && cell->unit == u"w")
                device.powerWatts = watts(cells.at(i));
        }
        device.secondaryDie = device.secondaryDie && !device.powerWatts;
        return device;
    }

    bool m_inTable = false;
};

} // namespace

void rocmValue(ToolDevice& device, const QString& key, const QString& cell)
{
    const QString name = key.trimmed().toLower(); // spelling of names differs between versions
    if (name == u"gpu use (%)") {
        device.utilizationPercent = number(cell);
    } else if (name == u"gpu memory use (%)" || name == u"gpu memory read/write activity (%)") {
        device.memoryActivePercent = number(cell); // of its controller: the first name is that of ROCm up to 6.0
    } else if (name == u"vram total memory (b)") {
        device.memoryTotalBytes = bytes(cell, 1);
    } else if (name == u"vram total used memory (b)") {
        device.memoryUsedBytes = bytes(cell, 1);
    } else if (name == u"max graphics package power (w)") {
        const auto cap = number(cell);
        device.secondaryDie = device.secondaryDie || (cap && *cap == 0);
    } else if (name.endsWith(u"graphics package power (w)")) { // "Average ...", MI300: "Current Socket ..."
        device.powerWatts = device.powerWatts ? device.powerWatts : watts(cell);
        device.secondaryDie = device.secondaryDie || cell.contains(u"secondary"_s, Qt::CaseInsensitive);
    } else if (name == u"temperature (sensor edge) (c)") {
        device.temperatureCelsius = number(cell) ? number(cell) : device.temperatureCelsius;
    } else if (name == u"temperature (sensor junction) (c)") { // MI300 has no edge sensor
        device.temperatureCelsius = device.temperatureCelsius ? device.temperatureCelsius : number(cell);
    } else if (name == u"card series" || (name == u"device name" && device.name.isEmpty())) {
        device.name = quantity(cell) || cell.trimmed() == u"N/A" ? device.name : cell.trimmed();
    }
}

void addRocmReaders(Readers& readers)
{
    readers.push_back(std::make_unique<RocmCsv>());
    readers.push_back(std::make_unique<RocmText>());
    readers.push_back(std::make_unique<RocmConcise>());
}

} // namespace rankwright::inline insight::toolreading
