// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/telemetry/nvidiasmi.h"

#include <QRegularExpression>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr double bytesPerMib = 1048576.0;

/// "utilization.gpu [%]" -> "utilization.gpu".
QStringList columnsOf(const QString& header, const QString& separator)
{
    QStringList columns;
    for (const QString& cell : header.split(separator))
        columns.append(cell.section(u'[', 0, 0).trimmed());
    return columns;
}

QStringList columnsAsked(const QString& commandLine)
{
    static const QRegularExpression option(uR"(--query-gpu[= ]['"]?([A-Za-z0-9_.,]+))"_s);
    const auto match = option.match(commandLine);
    return match.hasMatch() ? columnsOf(match.captured(1), u","_s) : QStringList();
}

std::optional<qint64> mebibytes(const QString& cell)
{
    const auto number = gpuNumber(cell);
    return number && *number >= 0 ? std::optional<qint64>(qRound64(*number * bytesPerMib)) : std::nullopt;
}

std::optional<double> positive(const std::optional<double>& value)
{
    return value && *value > 0 ? value : std::nullopt;
}

GpuSample sampleFrom(const QStringList& columns, const QStringList& cells)
{
    const auto cell = [&](const char16_t* name) { return cells.value(columns.indexOf(QStringView(name))); };
    GpuSample gpu;
    gpu.index = cell(u"index").toInt();
    gpu.name = cell(u"name").trimmed();
    gpu.utilizationPercent = gpuNumber(cell(u"utilization.gpu"));
    gpu.memoryUsedBytes = mebibytes(cell(u"memory.used"));
    gpu.memoryTotalBytes = mebibytes(cell(u"memory.total"));
    gpu.powerWatts = positive(gpuNumber(cell(u"power.draw")));
    gpu.powerCapWatts = positive(gpuNumber(cell(u"power.limit")));
    gpu.temperatureCelsius = gpuNumber(cell(u"temperature.gpu"));
    return gpu;
}

} // namespace

GpuOutput readNvidiaSmi(const QByteArray& text, const QString& node, const QString& commandLine)
{
    GpuOutput output;
    QStringList columns = columnsAsked(commandLine);
    TickCollector ticks(node);
    QList<QByteArray> lines = text.split('\n');
    lines.removeLast(); // empty, or a line that has not ended
    int lastIndex = -1;
    for (const QByteArray& raw : lines) {
        const QString line = QString::fromUtf8(raw).trimmed();
        // comma and blank: a lone comma may be a decimal sign
        const QStringList cells = line.split(u", "_s);
        if (line.contains(u"utilization."_s) || line.contains(u"memory.used"_s)) {
            columns = columnsOf(line, u", "_s);
            output.tool = u"nvidia-smi"_s;
            continue;
        }
        bool isIndex = false;
        const int index = cells.value(columns.indexOf(u"index"_s)).toInt(&isIndex);
        if (columns.isEmpty() || cells.size() != columns.size() || !isIndex || index < 0) {
            ignoreLine(output, raw);
            continue;
        }
        if (index <= lastIndex) // a GPU may be missing from a tick: the numbers start again
            ticks.endTick();
        lastIndex = index;
        ticks.add(sampleFrom(columns, cells));
        output.tool = u"nvidia-smi"_s;
    }
    output.ticks = ticks.take();
    if (!output.tool.isEmpty())
        output.format = u"nvidia-smi-csv"_s;
    return output;
}

} // namespace rankwright
