// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/parsegpucommand.h"

#include "app/cli/clioutput.h"
#include "app/cli/commands/parselogcommand.h"
#include "app/cli/utf8text.h"

#include "models/telemetry/tools/toolreader.h"

#include <QFile>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

constexpr qint64 largestOutput = 256LL * 1024 * 1024;

Result<QByteArray> readStandardInput()
{
    QFile file;
    if (!file.open(stdin, QIODevice::ReadOnly))
        return fail(Fault::Io, u"standard input cannot be read"_s, file.errorString(), u"give the output with <"_s);
    QByteArray all;
    while (all.size() <= largestOutput) { // a pipe gives what it has at the moment
        const QByteArray piece = file.read(1 << 20);
        if (piece.isEmpty())
            break;
        all += piece;
    }
    if (all.size() > largestOutput)
        return fail(
            Fault::Unreadable, u"standard input: too large"_s, u"more than 256 MiB"_s, u"give the last part of it"_s);
    return all;
}

/// The tool's number; MIG instances ("0:1:0") have a text.
QJsonValue indexOf(const QString& id)
{
    bool fine = false;
    const int number = id.toInt(&fine);
    return fine ? QJsonValue(number) : QJsonValue(id);
}

QJsonObject toJson(const ToolDevice& device, const QString& node)
{
    return {{u"node"_s, orNull(node)}, {u"index"_s, indexOf(device.id)}, {u"name"_s, orNull(device.name)},
        {u"utilizationPercent"_s, orNull(device.utilizationPercent)},
        {u"memoryUsedBytes"_s, orNull(device.memoryUsedBytes)},
        {u"memoryTotalBytes"_s, orNull(device.memoryTotalBytes)}, {u"powerWatts"_s, orNull(device.powerWatts)},
        {u"temperatureCelsius"_s, orNull(device.temperatureCelsius)}, {u"package"_s, orNull(device.package)}};
}

QJsonObject toJson(const ToolReading& reading)
{
    QJsonArray devices, faults;
    for (const ToolTick& tick : newestTicks(reading)) {
        for (const ToolDevice& device : tick.devices)
            devices.append(toJson(device, tick.node));
    }
    for (const ToolFault& fault : reading.faults)
        faults.append(
            QJsonObject{{u"class"_s, fault.faultClass}, {u"text"_s, fault.text}, {u"node"_s, orNull(fault.node)}});
    return {{u"tool"_s, orNull(reading.tool)}, {u"format"_s, orNull(reading.format)}, {u"devices"_s, devices},
        {u"ticks"_s, reading.ticks.size()}, {u"faults"_s, faults},
        {u"warnings"_s, QJsonArray::fromStringList(reading.warnings)},
        {u"ignored"_s, QJsonArray::fromStringList(reading.ignored)}};
}

QString shown(const std::optional<double>& number, const QString& unit)
{
    return number ? QString::number(*number, 'g', 6) + unit : u"-"_s;
}

QString shown(const std::optional<qint64>& bytes)
{
    return bytes ? QString::number(double(*bytes) / (1024.0 * 1024 * 1024), 'f', 1) + u" GiB"_s : u"-"_s;
}

void printForPeople(QTextStream& out, const ToolReading& reading)
{
    TextTable table({u"node"_s, u"GPU"_s, u"use"_s, u"memory"_s, u"of"_s, u"power"_s, u"temp."_s, u"package"_s});
    bool any = false;
    for (const ToolTick& tick : newestTicks(reading)) {
        for (const ToolDevice& device : tick.devices) {
            any = true;
            table.add({tick.node.isEmpty() ? u"-"_s : tick.node, device.id, shown(device.utilizationPercent, u" %"_s),
                shown(device.memoryUsedBytes), shown(device.memoryTotalBytes), shown(device.powerWatts, u" W"_s),
                shown(device.temperatureCelsius, u" °C"_s),
                device.package ? QString::number(*device.package) : u"-"_s});
        }
    }
    if (any)
        table.print(out);
    for (const ToolFault& fault : reading.faults)
        out << u"fault: "_s << fault.faultClass << u": "_s << fault.text << u'\n';
    for (const QString& warning : reading.warnings)
        out << u"warning: "_s << warning << u'\n';
}

int runParseGpu(const CliContext& context)
{
    static const QStringList tools{u"rocm-smi"_s, u"amd-smi"_s, u"nvidia-smi"_s};
    const ToolHint hint{context.option(u"tool"_s), context.option(u"command"_s)};
    if (!hint.tool.isEmpty() && !tools.contains(hint.tool))
        return report(context,
            {Fault::Invalid, u"--tool: “%1” is not known"_s.arg(hint.tool), {},
                u"choose one of "_s + tools.join(u", "_s) + u", or leave it out"_s});
    const Result<QByteArray> output = readStandardInput();
    if (!output)
        return report(context, output.error());
    const ToolReading reading = readGpuTool(Utf8Text().next(*output), hint);
    if (context.json)
        printJson(context.out, toJson(reading));
    else
        printForPeople(context.out, reading);
    return ExitDone;
}

int runParse(const CliContext& context)
{
    const QString what = context.positional.first();
    if (what == u"gpu")
        return runParseGpu(context);
    if (what == u"log")
        return runParseLog(context);
    return report(
        context, {Fault::Invalid, u"parse: “%1” is not known"_s.arg(what), {}, u"use parse gpu or parse log"_s});
}

} // namespace

CliCommand parseCommand()
{
    return {"parse", "What the output of a GPU tool (gpu) or of a job (log) tells, read from standard input",
        "gpu [--tool rocm-smi|amd-smi|nvidia-smi] [--command \"LINE\"] < OUTPUT | log [FILE] [--pattern REGEX]... < "
        "OUTPUT",
        runParse, "tool= command= pattern=+", 1, 2};
}

} // namespace rankwright
