// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/sampling/ticklines.h"

#include "models/cluster/remote/linetags.h"
#include "models/insight/telemetry/sampling/linecells.h"

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;
using namespace linecells;

namespace {

/// Cells that the first samplers reported; what comes behind them is read only where a `;` ends it.
constexpr int firstCells = 8;
constexpr int mostProcesses = 100000;
constexpr qint64 mostErrors = qint64(1) << 48;

/// "p", "t", "h" in any order, "-" for nothing slows it.
std::optional<Throttles> throttleOf(QByteArrayView cell)
{
    if (cell.isEmpty())
        return {};
    Throttles reported;
    for (const char letter : cell) {
        switch (letter) {
        case 'p': reported |= Throttle::Power; break;
        case 't': reported |= Throttle::Thermal; break;
        case 'h': reported |= Throttle::Hardware; break;
        case '-': break;
        default: return {};
        }
    }
    return reported;
}

/// False for a record that was cut: a number may have lost its last digits.
bool readGpu(QByteArrayView record, GpuSample& gpu)
{
    Cells cells(record);
    const auto index = whole(cells.next(), 4095);
    if (!index)
        return false;
    gpu.index = int(*index);
    gpu.utilizationPercent = decimal(cells.next(), 0, 100);
    gpu.memoryUsedBytes = whole(cells.next(), mostBytes);
    gpu.memoryTotalBytes = whole(cells.next(), mostBytes);
    gpu.powerWatts = decimal(cells.next(), 0.01, 10000); // exactly 0 W is a sensor that says nothing
    gpu.powerCapWatts = decimal(cells.next(), 0.01, 10000);
    gpu.temperatureCelsius = decimal(cells.next(), 0, 250);
    gpu.secondaryDie = cells.next().contains('s');
    if (cells.count() < firstCells)
        return false;
    const QByteArrayView clock = cells.next();
    gpu.clockMhz = cells.isWhole() ? decimal(clock, 0, 20000) : std::nullopt;
    const QByteArrayView throttle = cells.next();
    gpu.throttle = cells.isWhole() ? throttleOf(throttle) : std::nullopt;
    const QByteArrayView processes = cells.next();
    if (const auto count = cells.isWhole() ? whole(processes, mostProcesses) : std::nullopt)
        gpu.processes = int(*count);
    const QByteArrayView errors = cells.next();
    gpu.memoryErrors = cells.isWhole() ? whole(errors, mostErrors) : std::nullopt;
    GpuActivity& activity = gpu.activity;
    for (std::optional<double>* share : {&activity.memory, &activity.compute, &activity.occupancy, &activity.tensor}) {
        const QByteArrayView cell = cells.next();
        *share = cells.isWhole() ? decimal(cell, 0, 100) : std::nullopt;
    }
    return true;
}

} // namespace

Result<NodeTick> parseTickLine(QByteArrayView line)
{
    const auto head = headOf(line, linetags::gpus);
    if (!head)
        return fail(Fault::Unreadable, u"Not a line of samples."_s,
            QString::fromUtf8(line.first(qMin(line.size(), qsizetype(200)))));
    NodeTick tick;
    tick.node = QString::fromUtf8(head->node);
    tick.takenMs = head->takenMs;
    tick.gpus.reserve(head->rest.count('|') + 1);
    QByteArrayView rest = head->rest;
    while (!rest.isEmpty()) {
        const qsizetype end = rest.indexOf('|');
        GpuSample& gpu = tick.gpus.emplaceBack();
        if (!readGpu(end < 0 ? rest : rest.first(end), gpu))
            tick.gpus.removeLast();
        rest = end < 0 ? QByteArrayView() : rest.sliced(end + 1);
    }
    if (tick.gpus.isEmpty())
        return fail(Fault::Unreadable, u"A line of samples without a whole sample."_s,
            QString::fromUtf8(line.first(qMin(line.size(), qsizetype(200)))));
    return tick;
}

std::optional<NodeSilence> parseSilenceLine(QByteArrayView line)
{
    const auto head = headOf(line, linetags::silence);
    if (!head)
        return {};
    return NodeSilence{QString::fromUtf8(head->node), head->takenMs, QString::fromUtf8(head->rest).simplified()};
}

std::optional<SamplerCost> parseCostLine(QByteArrayView line)
{
    const auto head = headOf(line, linetags::cost);
    if (!head)
        return {};
    Cells cells(head->rest);
    const auto seconds = decimal(cells.next(), 0, 1e9);
    if (!seconds || !cells.isWhole())
        return {};
    return SamplerCost{QString::fromUtf8(head->node), head->takenMs, *seconds};
}

} // namespace rankwright::inline insight
