// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/telemetry/ticklines.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// srun cuts output at 1024 bytes (SLURM_IO_MAX_MSG_LEN): a longer line is not one of ours.
constexpr qsizetype longestLine = 1023;
constexpr int cellsPerGpu = 8;

/// "3: @rw1 ..." as srun --label prints it, right-aligned with ten tasks and more.
QByteArray withoutLabel(const QByteArray& line)
{
    qsizetype at = 0;
    while (at < line.size() && line.at(at) == ' ')
        ++at;
    const qsizetype digits = at;
    while (at < line.size() && line.at(at) >= '0' && line.at(at) <= '9')
        ++at;
    const bool isLabel = at > digits && line.mid(at, 2) == ": ";
    return isLabel ? line.mid(at + 2) : line;
}

std::optional<double> number(const QByteArray& cell, double low, double high)
{
    bool fine = false;
    const double value = cell.toDouble(&fine); // always with a point, whatever the desktop's language
    return fine && !cell.trimmed().isEmpty() && value >= low && value <= high ? std::optional<double>(value)
                                                                              : std::nullopt;
}

std::optional<qint64> bytes(const QByteArray& cell)
{
    bool fine = false;
    const qint64 value = cell.toLongLong(&fine);
    return fine && value >= 0 && value < (qint64(1) << 50) ? std::optional<qint64>(value) : std::nullopt;
}

/// Empty for a record that was cut: a number may have lost its last digits.
std::optional<GpuSample> gpuFrom(const QByteArray& record)
{
    const QList<QByteArray> cells = record.split(';');
    if (cells.size() < cellsPerGpu)
        return {};
    const auto index = number(cells.at(0), 0, 4095);
    if (!index || *index != int(*index))
        return {};
    GpuSample gpu;
    gpu.index = int(*index);
    gpu.utilizationPercent = number(cells.at(1), 0, 100);
    gpu.memoryUsedBytes = bytes(cells.at(2));
    gpu.memoryTotalBytes = bytes(cells.at(3));
    gpu.powerWatts = number(cells.at(4), 0.01, 10000); // exactly 0 W is a sensor that says nothing
    gpu.powerCapWatts = number(cells.at(5), 0.01, 10000);
    gpu.temperatureCelsius = number(cells.at(6), -50, 250);
    gpu.secondaryDie = cells.at(7).contains('s');
    return gpu;
}

struct Head {
    QString node;
    qint64 takenMs = 0;
    QByteArray rest;
};

std::optional<Head> headOf(const QByteArray& line, const QByteArray& tag)
{
    if (line.size() > longestLine)
        return {};
    const QByteArray bare = withoutLabel(line);
    if (!bare.startsWith(tag))
        return {};
    const qsizetype node = tag.size();
    const qsizetype time = bare.indexOf(' ', node) + 1;
    const qsizetype rest = time > 0 ? bare.indexOf(' ', time) + 1 : 0;
    if (rest <= 0 || time - 1 == node)
        return {};
    bool fine = false;
    const qint64 ms = bare.mid(time, rest - 1 - time).toLongLong(&fine);
    if (!fine || ms < 0)
        return {};
    return Head{QString::fromUtf8(bare.mid(node, time - 1 - node)), ms, bare.mid(rest)};
}

} // namespace

Result<NodeTick> parseTickLine(const QByteArray& line)
{
    const auto head = headOf(line, "@rw1 ");
    if (!head)
        return fail(Fault::Unreadable, u"Not a line of samples."_s, QString::fromUtf8(line.left(200)));
    NodeTick tick;
    tick.node = head->node;
    tick.takenMs = head->takenMs;
    for (const QByteArray& record : head->rest.split('|')) {
        if (const auto gpu = gpuFrom(record))
            tick.gpus.append(*gpu);
    }
    if (tick.gpus.isEmpty())
        return fail(
            Fault::Unreadable, u"A line of samples without a whole sample."_s, QString::fromUtf8(line.left(200)));
    return tick;
}

std::optional<NodeSilence> parseSilenceLine(const QByteArray& line)
{
    const auto head = headOf(line, "@rwh ");
    if (!head)
        return {};
    return NodeSilence{head->node, head->takenMs, QString::fromUtf8(head->rest).simplified()};
}

} // namespace rankwright
