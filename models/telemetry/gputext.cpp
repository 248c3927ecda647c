// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/telemetry/gputext.h"

#include "models/telemetry/nvidiasmi.h"
#include "models/telemetry/rocmsmi.h"

#include <QMap>
#include <QRegularExpression>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostIgnored = 100;

/// Splits a stream by srun's labels; without labels everything is of one nameless node. Pieces of a line that srun cut
/// at 1024 bytes get a label each: they stay lines here, the readers know how to join theirs.
QMap<QString, QByteArray> byLabel(const QByteArray& output)
{
    static const QRegularExpression label(uR"(^ *(\d+): ?)"_s);
    const QList<QByteArray> lines = output.split('\n');
    const auto labelled = [](const QByteArray& line) {
        return line.trimmed().isEmpty() || label.match(QString::fromLatin1(line)).hasMatch();
    };
    if (output.trimmed().isEmpty() || !std::all_of(lines.cbegin(), lines.cend(), labelled))
        return {{QString(), output}};
    QMap<QString, QByteArray> streams;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const auto match = label.match(QString::fromLatin1(lines.at(i)));
        if (match.hasMatch())
            streams[match.captured(1)] += lines.at(i).mid(match.capturedLength()) + (i + 1 < lines.size() ? "\n" : "");
    }
    return streams;
}

} // namespace

std::optional<double> gpuNumber(const QString& cell)
{
    // A number with its unit; a comma may be the decimal sign of the node's language.
    static const QRegularExpression form(uR"(^\s*\(?(-?\d+(?:[.,]\d+)?)\s*(?:%|MiB|W|MHz|Mhz|C|c|°C)?\)?\s*$)"_s);
    const auto match = form.match(cell);
    if (!match.hasMatch())
        return {};
    return match.captured(1).replace(u',', u'.').toDouble();
}

void TickCollector::add(const GpuSample& gpu)
{
    const auto again = [&gpu](const GpuSample& known) { return known.index == gpu.index; };
    if (std::any_of(m_open.gpus.cbegin(), m_open.gpus.cend(), again))
        endTick();
    m_open.gpus.append(gpu);
}

void TickCollector::endTick()
{
    if (m_open.gpus.isEmpty())
        return;
    m_open.node = m_node;
    m_ticks.append(m_open);
    m_open = {};
}

QList<NodeTick> TickCollector::take()
{
    endTick();
    return std::exchange(m_ticks, {});
}

void ignoreLine(GpuOutput& output, const QByteArray& line)
{
    const QString text = QString::fromUtf8(line.left(500)).trimmed();
    if (!text.isEmpty() && output.ignored.size() < mostIgnored)
        output.ignored.append(text);
}

GpuOutput readGpuOutput(const QByteArray& output, const QString& commandLine)
{
    GpuOutput all;
    for (auto [label, text] : byLabel(output).asKeyValueRange()) {
        GpuOutput one;
        for (const auto& read : {&readRocmSmi, &readNvidiaSmi}) {
            one = read(text, label, commandLine);
            if (!one.tool.isEmpty())
                break;
        }
        if (!one.tool.isEmpty()) {
            all.tool = one.tool;
            all.format = one.format;
        }
        all.ticks += one.ticks;
        all.ignored += one.ignored.mid(0, qMax<qsizetype>(0, mostIgnored - all.ignored.size()));
    }
    return all;
}

} // namespace rankwright
