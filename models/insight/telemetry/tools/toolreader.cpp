// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/tools/toolreader.h"

#include "models/insight/telemetry/tools/toolparts.h"

#include <QHash>

using namespace Qt::StringLiterals;

namespace rankwright::inline insight {

using namespace toolreading;

namespace {

void readNode(const NodeLines& node, const ToolHint& hint, ToolReading& reading)
{
    Readers readers;
    addJsonReader(readers);
    addDcgmReader(readers);
    addNvidiaReportReaders(readers);
    addSysfsReader(readers);
    addRocmReaders(readers);
    addAmdReaders(readers);
    addNvidiaTableReader(readers);
    addNvidiaReaders(readers);
    ToolSink sink(reading, node.node, hint);
    LineReader* active = nullptr;
    for (qsizetype i = 0; i < node.lines.size(); ++i) {
        const QString& line = node.lines.at(i);
        const bool ended = !(node.endsWithin && i + 1 == node.lines.size());
        const QString trimmed = line.trimmed();
        // A last line without its end may be half a line. Only what closes itself (JSON, XML) is safe.
        if (!ended && !trimmed.endsWith(u'}') && !trimmed.endsWith(u']') && !trimmed.endsWith(u'>')) {
            if (!readRemark(line, sink)) {
                sink.cut();
                sink.ignore(line);
            }
            continue;
        }
        if (active != nullptr && active->readLine(line, sink))
            continue;
        bool taken = false;
        for (const auto& reader : readers) {
            if (reader.get() == active || !reader->readLine(line, sink))
                continue;
            active = reader.get();
            taken = true;
            break;
        }
        if (!taken && !readRemark(line, sink))
            sink.ignore(line);
    }
    sink.closeCut();
    for (const auto& reader : readers)
        reader->finish(sink);
    sink.finish();
}

QString toolIn(const QString& text)
{
    for (const QString& tool : {u"rocm-smi"_s, u"amd-smi"_s, u"nvidia-smi"_s}) {
        if (text.contains(tool, Qt::CaseInsensitive))
            return tool;
    }
    if (text.contains(u"NVML"_s) || text.contains(u"NVIDIA"_s) || text.contains(u"infoROM"_s)
        || text.contains(u"No devices were found"_s) || text.contains(u"device handle for GPU"_s)
        || text.contains(u"not a valid field to query"_s) || text.contains(u"Not supported on the device(s)"_s))
        return u"nvidia-smi"_s;
    if (text.contains(u"AMDSMI"_s) || text.contains(u"amdsmi"_s) || text.contains(u"Unable to get devices"_s)
        || text.contains(u"Unable to detect any"_s))
        return u"amd-smi"_s;
    if (text.contains(u"rocm_smi"_s) || text.contains(u"amdgpu not found"_s) || text.contains(u"AMD GPUs"_s)
        || text.contains(u"concise output"_s))
        return u"rocm-smi"_s;
    return {};
}

/// What programs ask a tool for: named where the output shows a failure and no layout.
QString usualFormat(const QString& tool) { return tool == u"nvidia-smi" ? u"nvidia-smi-csv"_s : tool + u"-json"_s; }

/// Where no layout was recognised: the tool, as far as the command line or the failure reports.
void nameWhatFailed(ToolReading& reading, const ToolHint& hint)
{
    QString reported;
    for (const ToolFault& fault : std::as_const(reading.faults))
        reported += fault.text + u'\n';
    reading.tool = hint.tool;
    for (const QString& text : {hint.command, reported, reading.ignored.join(u'\n')}) {
        if (reading.tool.isEmpty())
            reading.tool = toolIn(text);
    }
    for (const ToolFault& fault : std::as_const(reading.faults)) {
        if (fault.faultClass == u"step_blocked" || fault.faultClass == u"no_job_on_node"
            || fault.faultClass == u"unreachable")
            reading.format = u"transport"_s;
    }
    if (!reading.format.isEmpty() || reading.tool.isEmpty())
        return;
    reading.format = usualFormat(reading.tool);
}

template <typename T>
void dropOutside(std::optional<T>& value, T least, T most)
{
    if (value && (*value < least || *value > most))
        value.reset();
}

/// Drivers print the largest number of a type (65535, 4294967295) where they have no reading: what no GPU can have is
/// unknown.
void dropImpossible(ToolDevice& device)
{
    constexpr qint64 largestMemory = qint64(1) << 50;
    dropOutside(device.utilizationPercent, 0.0, 100.0);
    dropOutside(device.memoryUsedBytes, qint64(0), largestMemory);
    dropOutside(device.memoryTotalBytes, qint64(1), largestMemory);
    dropOutside(device.powerWatts, 0.0, 10000.0);
    dropOutside(device.temperatureCelsius, -50.0, 250.0);
}

} // namespace

ToolReading readGpuTool(const QByteArray& output, const ToolHint& hint)
{
    ToolReading reading;
    const QList<NodeLines> nodes = splitByNode(output);
    const bool labelled = nodes.size() > 1;
    for (const NodeLines& node : nodes) {
        if (!labelled || !node.node.isEmpty()) {
            readNode(node, hint, reading);
            continue;
        }
        ToolSink sink(reading, {}, hint); // lines of the transport between those of the nodes
        for (const QString& line : node.lines) {
            if (!readRemark(line, sink))
                sink.ignore(line);
        }
    }
    if (nodes.isEmpty()) {
        ToolSink sink(reading, {}, hint);
        sink.finish();
    }
    if (reading.format.isEmpty())
        nameWhatFailed(reading, hint);
    for (ToolTick& tick : reading.ticks) {
        for (ToolDevice& device : tick.devices)
            dropImpossible(device);
    }
    return reading;
}

QList<ToolTick> newestTicks(const ToolReading& reading)
{
    QList<ToolTick> newest;
    QHash<QString, qsizetype> places;
    for (const ToolTick& tick : reading.ticks) {
        const auto place = places.constFind(tick.node);
        if (place == places.constEnd()) {
            places.insert(tick.node, newest.size());
            newest.append(tick);
        } else if (tick.complete || !newest.at(*place).complete) {
            newest[*place] = tick;
        }
    }
    return newest;
}

} // namespace rankwright::inline insight
