// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clioutput.h"
#include "app/cli/inputstream.h"
#include "models/insight/diagnosis/diagnosisjson.h"
#include "models/insight/diagnosis/logdiagnoser.h"
#include "models/insight/progress/progressjson.h"
#include "models/insight/progress/traininglogreader.h"
#include "models/insight/telemetry/tools/toolreader.h"

#include <QStringDecoder>

#include <algorithm>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

constexpr qsizetype largestOutput = 256LL * 1024 * 1024;

/// Bytes of a text as UTF-8, piece by piece. What begins with the mark of UTF-16 is recoded (files that PowerShell
/// wrote), all else passes as it is.
class Utf8Text {
public:
    QByteArray next(const QByteArray& bytes);

private:
    std::optional<QStringDecoder> m_decoder;
    QByteArray m_held;
    bool m_begun = false;
};

QByteArray Utf8Text::next(const QByteArray& bytes)
{
    const QByteArray piece = m_held + bytes;
    m_held.clear();
    if (!m_begun && (piece == "\xff" || piece == "\xfe")) { // half of the mark; no text in UTF-8 begins with it
        m_held = piece;
        return {};
    }
    const bool isMarked = piece.startsWith("\xff\xfe") || piece.startsWith("\xfe\xff");
    if (!std::exchange(m_begun, true) && isMarked)
        m_decoder.emplace(QStringDecoder::Utf16);
    if (!m_decoder)
        return piece;
    const QString text = m_decoder->decode(piece);
    return text.toUtf8();
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
        {u"temperatureCelsius"_s, orNull(device.temperatureCelsius)}, {u"package"_s, orNull(device.package)},
        {u"memoryErrors"_s, orNull(device.memoryErrors)},
        {u"throttle"_s, device.throttle ? QJsonValue(QJsonArray::fromStringList(*device.throttle)) : QJsonValue()},
        {u"memoryActivePercent"_s, orNull(device.memoryActivePercent)},
        {u"computeActivePercent"_s, orNull(device.computeActivePercent)},
        {u"occupancyPercent"_s, orNull(device.occupancyPercent)},
        {u"tensorActivePercent"_s, orNull(device.tensorActivePercent)}};
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

QString shownThrottle(const ToolDevice& device)
{
    if (!device.throttle)
        return u"-"_s;
    return device.throttle->isEmpty() ? u"nothing"_s : device.throttle->join(u", "_s);
}

/// "SM 87 %, tensor 3 %, memory 12 %".
QString shownActivity(const ToolDevice& device)
{
    QStringList parts;
    const auto add = [&parts](const QString& what, const std::optional<double>& percent) {
        if (percent)
            parts.append(what + u' ' + QString::number(*percent, 'g', 3) + u" %"_s);
    };
    add(u"SM"_s, device.computeActivePercent);
    add(u"warps"_s, device.occupancyPercent);
    add(u"tensor"_s, device.tensorActivePercent);
    add(u"memory"_s, device.memoryActivePercent);
    return parts.isEmpty() ? u"-"_s : parts.join(u", "_s);
}

void printForPeople(QTextStream& out, const ToolReading& reading)
{
    TextTable table({u"node"_s, u"GPU"_s, u"use"_s, u"memory"_s, u"of"_s, u"power"_s, u"temp."_s, u"package"_s,
        u"errors"_s, u"slowed by"_s, u"at work"_s});
    bool any = false;
    for (const ToolTick& tick : newestTicks(reading)) {
        for (const ToolDevice& device : tick.devices) {
            any = true;
            table.add({tick.node.isEmpty() ? u"-"_s : tick.node, device.id, shown(device.utilizationPercent, u" %"_s),
                shown(device.memoryUsedBytes), shown(device.memoryTotalBytes), shown(device.powerWatts, u" W"_s),
                shown(device.temperatureCelsius, u" °C"_s), device.package ? QString::number(*device.package) : u"-"_s,
                device.memoryErrors ? QString::number(*device.memoryErrors) : u"-"_s, shownThrottle(device),
                shownActivity(device)});
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
    static const QStringList tools{u"rocm-smi"_s, u"amd-smi"_s, u"nvidia-smi"_s, u"dcgmi"_s};
    const ToolHint hint{context.option(u"tool"_s), context.option(u"command"_s)};
    if (!hint.tool.isEmpty() && !tools.contains(hint.tool))
        return report(context,
            {Fault::Invalid, u"--tool: “%1” is not known"_s.arg(hint.tool), {},
                u"choose one of "_s + tools.join(u", "_s) + u", or leave it out"_s});
    InputStream input(u"-"_s);
    const Result<void> open = input.open();
    const Result<QByteArray> output = open ? input.readAll(largestOutput) : fail(open.error());
    if (!output)
        return report(context, output.error());
    const ToolReading reading = readGpuTool(Utf8Text().next(*output), hint);
    if (context.json)
        printJson(context.out, toJson(reading));
    else
        printForPeople(context.out, reading);
    return ExitDone;
}

constexpr qsizetype pieceBytes = 256 * 1024; // stays in the processor's cache

void printText(QTextStream& out, const TrainingProgress& progress, const QList<Diagnosis>& diagnoses)
{
    const auto of = [](const auto& value, const auto& total) {
        const QString first = value ? QString::number(double(*value), 'g', 12) : u"unknown"_s;
        return total ? u"%1 of %2"_s.arg(first, QString::number(double(*total), 'g', 12)) : first;
    };
    TextFacts facts;
    if (progress.epoch)
        facts.add(u"epoch"_s, of(progress.epoch, progress.epochs));
    if (progress.step)
        facts.add(u"step"_s, of(progress.step, progress.steps));
    if (progress.loss)
        facts.add(u"loss"_s, QString::number(*progress.loss));
    const auto addFigure = [&facts](const QString& name, const std::optional<double>& figure) {
        if (figure)
            facts.add(name, QString::number(*figure, 'g', 8));
    };
    addFigure(u"validation loss"_s, progress.evalLoss);
    addFigure(u"reward"_s, progress.reward);
    addFigure(u"KL"_s, progress.kl);
    if (progress.rate)
        facts.add(u"rate"_s, QString::number(*progress.rate, 'g', 8) + u' ' + progress.rateUnit);
    if (progress.etaSeconds)
        facts.add(u"time left"_s, humanDuration(Seconds(qint64(*progress.etaSeconds))));
    facts.print(out);
    for (const Diagnosis& diagnosis : diagnoses) {
        QString who;
        if (diagnosis.rank)
            who += u", rank %1"_s.arg(*diagnosis.rank);
        if (diagnosis.gpu)
            who += u", GPU %1"_s.arg(*diagnosis.gpu);
        if (!diagnosis.node.isEmpty())
            who += u", node "_s + diagnosis.node;
        else if (!diagnosis.amongNodes.isEmpty())
            who += u", "_s + oneOfRanks(diagnosis);
        if (diagnosis.line)
            who += u", line %1"_s.arg(*diagnosis.line);
        out << diagnosis.kind << who << u"\n  "_s << diagnosis.evidence << u"\n  "_s << diagnosis.advice << u'\n';
    }
    if (diagnoses.isEmpty())
        out << u"No known failure in this output.\n"_s;
}

int runParseLog(const CliContext& context)
{
    if (context.positional.size() > 2)
        return report(
            context, {Fault::Invalid, u"parse log reads one output at a time."_s, {}, u"Use parse log < OUTPUT."_s});
    const QString path = context.positional.value(1, u"-"_s);
    InputStream input(path);
    if (const auto open = input.open(); !open)
        return report(context, open.error());
    const auto patterns = userPatterns(context.all(u"pattern"_s));
    if (!patterns)
        return report(context, patterns.error());
    TrainingLogReader reader;
    reader.setSummaryOnly(true);
    reader.setPatterns(*patterns);
    LogDiagnoser diagnoser;
    Utf8Text text;
    while (true) {
        const Result<QByteArray> bytes = input.next(pieceBytes);
        if (!bytes)
            return report(context, bytes.error());
        if (bytes->isEmpty())
            break;
        const QByteArray piece = text.next(*bytes);
        reader.feed(piece);
        diagnoser.feed(piece);
    }
    reader.finish();
    if (!reader.patternTrouble().isEmpty())
        report(context, {Fault::Invalid, reader.patternTrouble(), {}, u"Simplify it."_s}, ExitDone);
    const QList<Diagnosis> diagnoses = diagnoser.diagnoses();
    if (!context.json) {
        printText(context.out, reader.progress(), diagnoses);
        return ExitDone;
    }
    QJsonArray reported;
    for (const Diagnosis& diagnosis : diagnoses)
        reported.append(diagnosisJson(diagnosis));
    const QString framework
        = reader.progress().framework.isEmpty() ? diagnoser.framework() : reader.progress().framework;
    printJson(context.out,
        {{u"framework"_s, orNull(framework)}, {u"progress"_s, progressJson(reader.progress())},
            {u"diagnoses"_s, reported}});
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
    return {
        .name = "parse",
        .summary = "Read the output of a GPU tool (gpu) or of a job (log) from standard input",
        .words = "gpu|log [FILE]",
        .run = runParse,
        .options = {{.name = "tool",
                        .value = "rocm-smi|amd-smi|nvidia-smi|dcgmi",
                        .text = "gpu: the tool that printed it, when it is not recognised"},
            {.name = "command",
                .value = "LINE",
                .text = "gpu: the command line that printed it (a CSV without a header needs it)"},
            {.name = "pattern",
                .value = "REGEX",
                .text = "log: how the program's own lines of progress look: named groups step, loss, rate ...",
                .takes = CliOption::Repeated}},
        .minimumWords = 1,
        .maximumWords = 2,
    };
}

} // namespace rankwright
