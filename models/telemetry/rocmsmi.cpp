// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/telemetry/rocmsmi.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QRegularExpression>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// One GPU while its keys come in, in any order.
struct Draft {
    GpuSample gpu;
    std::optional<double> edge, junction;
    bool capIsZero = false;
    bool saysSecondary = false;

    /// False: a key that is not of interest.
    bool take(const QString& key, const QString& cell)
    {
        const QString name = key.trimmed().toLower(); // spelling of product names differs between versions
        const std::optional<double> number = gpuNumber(cell);
        if (name == u"gpu use (%)"_s) {
            gpu.utilizationPercent = number;
        } else if (name == u"vram total memory (b)"_s) {
            gpu.memoryTotalBytes = whole(cell);
        } else if (name == u"vram total used memory (b)"_s) {
            gpu.memoryUsedBytes = whole(cell);
        } else if (name == u"max graphics package power (w)"_s) {
            takeCap(number);
        } else if (name.endsWith(u"graphics package power (w)"_s)) { // "Average ...", MI300: "Current Socket ..."
            takePower(cell, number);
        } else if (name == u"temperature (sensor edge) (c)"_s) {
            edge = number;
        } else if (name == u"temperature (sensor junction) (c)"_s) {
            junction = number;
        } else if (name == u"card series"_s || name == u"device name"_s) {
            gpu.name = cell.trimmed();
        } else {
            return false;
        }
        return true;
    }

    void takeCap(std::optional<double> watts)
    {
        capIsZero = watts && *watts == 0;
        gpu.powerCapWatts = capIsZero ? std::nullopt : watts;
    }

    void takePower(const QString& cell, std::optional<double> watts)
    {
        saysSecondary = saysSecondary || cell.contains(u"secondary"_s, Qt::CaseInsensitive);
        gpu.powerWatts = watts && *watts > 0 ? watts : std::nullopt; // 0 W is no reading
    }

    GpuSample finished() const
    {
        GpuSample done = gpu;
        done.temperatureCelsius = edge ? edge : junction; // MI300 has no edge sensor
        done.secondaryDie = !gpu.powerWatts && (saysSecondary || capIsZero);
        return done;
    }

    static std::optional<qint64> whole(const QString& cell)
    {
        bool fine = false;
        const qint64 value = cell.trimmed().toLongLong(&fine);
        return fine && value >= 0 ? std::optional<qint64>(value) : std::nullopt;
    }
};

std::optional<int> cardNumber(const QString& text)
{
    static const QRegularExpression form(uR"(^card(\d{1,4})$)"_s);
    const auto match = form.match(text.trimmed());
    return match.hasMatch() ? std::optional<int>(match.captured(1).toInt()) : std::nullopt;
}

QList<QByteArray> wholeLines(const QByteArray& text)
{
    QList<QByteArray> lines = text.split('\n');
    lines.removeLast(); // empty, or a line that has not ended
    for (QByteArray& line : lines)
        line = line.trimmed();
    return lines;
}

/// Every tick has its own header: a key that the first GPU lacks moves to the end.
void readCsv(const QByteArray& text, TickCollector& ticks, GpuOutput& output)
{
    QStringList header;
    for (const QByteArray& line : wholeLines(text)) {
        const QStringList cells = QString::fromUtf8(line).split(u',');
        const auto card = cardNumber(cells.first());
        if (cells.first() == u"device"_s) {
            ticks.endTick();
            header = cells;
        } else if (card && cells.size() == header.size()) {
            Draft draft;
            draft.gpu.index = *card;
            for (qsizetype i = 1; i < cells.size(); ++i)
                draft.take(header.at(i), cells.at(i));
            ticks.add(draft.finished());
        } else {
            ignoreLine(output, line);
        }
    }
}

/// Objects one after another, perhaps cut into pieces by srun, perhaps spread over lines; a broken one is left out.
QList<QByteArray> jsonObjects(const QByteArray& text, GpuOutput& output)
{
    QList<QByteArray> objects;
    qsizetype at = 0;
    while (at < text.size()) {
        const qsizetype begin = text.indexOf('{', at);
        for (const QByteArray& noise : text.mid(at, (begin < 0 ? text.size() : begin) - at).split('\n'))
            ignoreLine(output, noise);
        if (begin < 0)
            break;
        int depth = 0;
        bool quoted = false;
        qsizetype end = begin;
        for (; end < text.size(); ++end) {
            const char symbol = text.at(end);
            if (end > begin && symbol == '{' && text.mid(end, 6) == "{\"card") // the one before was cut off
                break;
            if (symbol == '"' && text.at(end - 1) != '\\')
                quoted = !quoted;
            else if (!quoted)
                depth += symbol == '{' ? 1 : symbol == '}' ? -1 : 0;
            if (depth == 0) {
                objects.append(text.mid(begin, end + 1 - begin).replace('\n', "").replace('\r', ""));
                ++end;
                break;
            }
        }
        at = end;
    }
    return objects;
}

void readJson(const QByteArray& text, TickCollector& ticks, GpuOutput& output)
{
    for (const QByteArray& bytes : jsonObjects(text, output)) {
        const QJsonObject cards = QJsonDocument::fromJson(bytes).object();
        QMap<int, QJsonObject> byNumber; // "card10" stands before "card2" in the text's order
        for (auto card = cards.begin(); card != cards.end(); ++card) {
            if (const auto number = cardNumber(card.key()))
                byNumber.insert(*number, card.value().toObject());
        }
        for (auto [number, keys] : byNumber.asKeyValueRange()) {
            Draft draft;
            draft.gpu.index = number;
            for (auto key = keys.begin(); key != keys.end(); ++key)
                draft.take(key.key(), key.value().toVariant().toString());
            ticks.add(draft.finished());
        }
        ticks.endTick();
    }
}

void readTextLines(const QByteArray& text, TickCollector& ticks, GpuOutput& output)
{
    static const QRegularExpression form(uR"(^GPU\[(\d{1,4})\]\s*: (.+?): (.*)$)"_s);
    QMap<int, Draft> drafts;
    for (const QByteArray& line : wholeLines(text)) {
        const auto match = form.match(QString::fromUtf8(line));
        const int index = match.captured(1).toInt();
        if (!match.hasMatch()) {
            if (!line.startsWith('='))
                ignoreLine(output, line);
            continue;
        }
        Draft& draft = drafts[index];
        draft.gpu.index = index;
        if (!draft.take(match.captured(2), match.captured(3)))
            ignoreLine(output, line);
    }
    for (const Draft& draft : std::as_const(drafts))
        ticks.add(draft.finished());
}

/// The table without options: columns move between versions, so cells are known by their look. At the end of every row
/// stand SCLK MCLK Fan Perf PwrCap VRAM% GPU%. Bytes are not told.
void readConcise(const QByteArray& text, TickCollector& ticks, GpuOutput& output)
{
    static const QRegularExpression warmth(uR"(^\d+(?:\.\d+)?(?:°?C|c)$)"_s), watts(uR"(^(\d+(?:\.\d+)?)W$)"_s),
        percent(uR"(^(\d+(?:\.\d+)?)%$)"_s);
    static constexpr int cellsAtEnd = 7;
    bool inTable = false;
    for (const QByteArray& line : wholeLines(text)) {
        const QStringList cells = QString::fromUtf8(line).split(u' ', Qt::SkipEmptyParts);
        bool isIndex = false;
        const int index = cells.value(0).toInt(&isIndex);
        inTable = inTable || line.contains("VRAM%");
        if (!inTable || !isIndex || cells.size() < cellsAtEnd + 3) {
            if (!line.startsWith('=') && !line.contains("VRAM%") && !line.startsWith('\x1b'))
                ignoreLine(output, line);
            continue;
        }
        Draft draft;
        draft.gpu.index = index;
        const QString use = percent.match(cells.last()).captured(1);
        draft.gpu.utilizationPercent = gpuNumber(use);
        draft.takeCap(gpuNumber(watts.match(cells.at(cells.size() - 3)).captured(1)));
        for (qsizetype i = 1; i < cells.size() - cellsAtEnd; ++i) {
            if (!draft.edge && warmth.match(cells.at(i)).hasMatch())
                draft.edge = gpuNumber(cells.at(i));
            if (!draft.gpu.powerWatts && watts.match(cells.at(i)).hasMatch())
                draft.takePower({}, gpuNumber(cells.at(i)));
        }
        ticks.add(draft.finished());
    }
}

} // namespace

GpuOutput readRocmSmi(const QByteArray& text, const QString& node, const QString& commandLine)
{
    Q_UNUSED(commandLine);
    GpuOutput output;
    TickCollector ticks(node);
    static const QRegularExpression lines(uR"(^GPU\[\d+\]\s*: .+: )"_s, QRegularExpression::MultilineOption);
    if (text.startsWith("device,") || text.contains("\ndevice,")) {
        output.format = u"rocm-smi-csv"_s;
        readCsv(text, ticks, output);
    } else if (text.contains("\"card")) {
        output.format = u"rocm-smi-json"_s;
        readJson(text, ticks, output);
    } else if (text.contains("VRAM%") && text.contains("GPU%")) {
        output.format = u"rocm-smi-concise"_s;
        readConcise(text, ticks, output);
    } else if (lines.match(QString::fromUtf8(text)).hasMatch()) {
        output.format = u"rocm-smi-text"_s;
        readTextLines(text, ticks, output);
    } else {
        for (const QByteArray& line : text.split('\n'))
            ignoreLine(output, line);
        return output;
    }
    output.tool = u"rocm-smi"_s;
    output.ticks = ticks.take();
    return output;
}

} // namespace rankwright
