// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/codec/sumscodec.h"

#include "models/insight/telemetry/codec/columncodec.h"
#include "models/insight/telemetry/codec/tickchunk.h"
#include "models/insight/telemetry/history/telemetryhistory.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr char sumsKind = 'S';
constexpr qint64 longestMs = 3'600'000;
constexpr int mostParts = int(longestMs / NodeSums::partMs) + 1;
constexpr double largestSum = 9007199254740992.0; // 2^53: beyond it a double skips whole numbers

/// Whole numbers that are hundredths of something: most are whole without the two places.
using Figure = qint64 GpuSums::*;
constexpr Figure scaledFigures[] = {&GpuSums::useSum, &GpuSums::powerSum, &GpuSums::clockSum};
constexpr Figure timeFigures[] = {&GpuSums::seenMs, &GpuSums::useMs, &GpuSums::idleMs, &GpuSums::powerMs,
    &GpuSums::limitMs, &GpuSums::waitingMs, &GpuSums::clockMs, &GpuSums::throttleKnownMs, &GpuSums::throttledMs};
using PartFigure = qint64 GpuSums::Part::*;
constexpr PartFigure partScaled[] = {&GpuSums::Part::useSum, &GpuSums::Part::powerSum};
constexpr PartFigure partWhole[] = {&GpuSums::Part::memorySum};
constexpr PartFigure partTimes[] = {&GpuSums::Part::useMs, &GpuSums::Part::memoryMs, &GpuSums::Part::powerMs};
using StartFigure = qint64 StartSums::*;
constexpr StartFigure startScaled[] = {&StartSums::useSum};
constexpr StartFigure startTimes[] = {&StartSums::seenMs, &StartSums::useMs, &StartSums::limitMs};

Unexpected<Error> damagedSums()
{
    return fail(Fault::Unreadable, u"A piece of the recording is damaged."_s, u"Its sums are inconsistent."_s,
        u"The rest of the recording can still be read."_s);
}

template <typename Of>
void writeWhole(ColumnWriter& out, std::size_t count, const Of& of)
{
    std::vector<std::optional<qint64>> values;
    values.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(of(i));
    out.column(values);
}

template <typename Of>
void writeScaled(ColumnWriter& out, std::size_t count, const Of& of)
{
    std::vector<std::optional<double>> values;
    values.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(double(of(i)) / GpuSums::scale);
    out.column(values);
}

/// `set` is given each value that is known; false: the bytes are wrong.
template <typename Set>
bool readColumn(ColumnReader& reader, std::size_t count, const Set& set)
{
    ColumnCursor cursor(reader.column(), qsizetype(count));
    for (std::size_t i = 0; i < count && !reader.failed(); ++i) {
        if (!cursor.next())
            return false;
        if (cursor.isKnown() && !set(i, cursor))
            return false;
    }
    return !reader.failed() && !cursor.failed();
}

template <typename At>
bool readWhole(ColumnReader& reader, std::size_t count, const At& at)
{
    return readColumn(reader, count, [&at](std::size_t i, const ColumnCursor& cursor) {
        at(i) = cursor.whole();
        return std::abs(double(cursor.whole())) < largestSum;
    });
}

template <typename At>
bool readTimes(ColumnReader& reader, std::size_t count, const At& at)
{
    return readColumn(reader, count, [&at](std::size_t i, const ColumnCursor& cursor) {
        at(i) = cursor.whole();
        return cursor.whole() >= 0 && cursor.whole() <= longestMs * TelemetrySeries::maxGpusPerNode;
    });
}

template <typename At>
bool readScaled(ColumnReader& reader, std::size_t count, const At& at)
{
    return readColumn(reader, count, [&at](std::size_t i, const ColumnCursor& cursor) {
        const double value = cursor.real() * GpuSums::scale;
        if (!(std::abs(value) < largestSum))
            return false;
        at(i) = qRound64(value);
        return true;
    });
}

void writeMoment(ColumnWriter& out, const std::optional<qint64>& ms, qint64 since)
{
    out.number(ms ? quint64(*ms - since) + 1 : 0);
}

/// Of the time that the sums are of.
std::optional<qint64> readMoment(ColumnReader& reader, const NodeSums& sums)
{
    const int after = reader.count(int(sums.last.takenMs - sums.first.takenMs) + 1);
    return after > 0 ? std::optional(sums.first.takenMs + (after - 1)) : std::nullopt;
}

/// Parts of one GPU: each sum and each time, the times only once where they are all alike.
void writeParts(ColumnWriter& out, const std::vector<GpuSums::Part>& parts)
{
    for (const PartFigure figure : partScaled)
        writeScaled(out, parts.size(), [&](std::size_t i) { return parts[i].*figure; });
    for (const PartFigure figure : partWhole)
        writeWhole(out, parts.size(), [&](std::size_t i) { return parts[i].*figure; });
    writeWhole(out, parts.size(), [&](std::size_t i) { return parts[i].mostMemory; });
    const bool alike = std::all_of(parts.cbegin(), parts.cend(),
        [](const GpuSums::Part& part) { return part.memoryMs == part.useMs && part.powerMs == part.useMs; });
    out.number(alike ? 1 : 0);
    for (const PartFigure figure : partTimes) {
        writeWhole(out, parts.size(), [&](std::size_t i) { return parts[i].*figure; });
        if (alike)
            break;
    }
}

bool readParts(ColumnReader& reader, std::vector<GpuSums::Part>& parts)
{
    for (const PartFigure figure : partScaled) {
        if (!readScaled(reader, parts.size(), [&](std::size_t i) -> qint64& { return parts[i].*figure; }))
            return false;
    }
    for (const PartFigure figure : partWhole) {
        if (!readWhole(reader, parts.size(), [&](std::size_t i) -> qint64& { return parts[i].*figure; }))
            return false;
    }
    const bool read
        = readWhole(reader, parts.size(), [&](std::size_t i) -> qint64& { return parts[i].mostMemory.emplace(); });
    if (!read)
        return false;
    const bool alike = reader.count(1) > 0;
    for (const PartFigure figure : partTimes) {
        if (!readTimes(reader, parts.size(), [&](std::size_t i) -> qint64& { return parts[i].*figure; }))
            return false;
        if (alike)
            break;
    }
    for (GpuSums::Part& part : parts) {
        if (alike)
            part.memoryMs = part.powerMs = part.useMs;
    }
    return true;
}

void writeShares(ColumnWriter& out, const GpuSums& gpu)
{
    out.number(quint64(std::count_if(gpu.useShares.cbegin(), gpu.useShares.cend(), [](qint64 ms) { return ms > 0; })));
    for (std::size_t percent = 0; percent < gpu.useShares.size(); ++percent) {
        if (gpu.useShares[percent] > 0) {
            out.number(percent);
            out.number(quint64(gpu.useShares[percent]));
        }
    }
}

bool readShares(ColumnReader& reader, GpuSums& gpu)
{
    const int known = reader.count(int(gpu.useShares.size()));
    for (int i = 0; i < known && !reader.failed(); ++i) {
        const auto percent = std::size_t(reader.count(int(gpu.useShares.size()) - 1));
        gpu.useShares[percent] = reader.count(int(longestMs));
    }
    return !reader.failed();
}

/// Behind everything else: sums of earlier releases end before it.
void writeActivity(ColumnWriter& out, const std::vector<GpuSums>& gpus)
{
    const auto isKnown = [](const GpuSums& gpu) {
        return std::any_of(gpu.activityMs.cbegin(), gpu.activityMs.cend(), [](qint64 ms) { return ms > 0; });
    };
    if (std::none_of(gpus.cbegin(), gpus.cend(), isKnown))
        return;
    for (std::size_t share = 0; share < std::tuple_size_v<decltype(GpuSums::activitySum)>; ++share) {
        writeScaled(out, gpus.size(), [&](std::size_t i) { return gpus[i].activitySum.at(share); });
        writeWhole(out, gpus.size(), [&](std::size_t i) { return gpus[i].activityMs.at(share); });
    }
}

bool readActivity(ColumnReader& reader, std::vector<GpuSums>& gpus)
{
    if (reader.atEnd())
        return true;
    for (std::size_t share = 0; share < std::tuple_size_v<decltype(GpuSums::activitySum)>; ++share) {
        const bool read = readScaled(reader, gpus.size(), [&](std::size_t i) -> qint64& {
            return gpus[i].activitySum.at(share);
        }) && readTimes(reader, gpus.size(), [&](std::size_t i) -> qint64& { return gpus[i].activityMs.at(share); });
        if (!read)
            return false;
    }
    return true;
}

void writeGpus(ColumnWriter& out, const std::vector<GpuSums>& gpus)
{
    out.number(gpus.size());
    for (const Figure figure : scaledFigures)
        writeScaled(out, gpus.size(), [&](std::size_t i) { return gpus[i].*figure; });
    for (const Figure figure : timeFigures)
        writeWhole(out, gpus.size(), [&](std::size_t i) { return gpus[i].*figure; });
    writeWhole(out, gpus.size(), [&](std::size_t i) { return gpus[i].memoryPeak; });
    writeWhole(out, gpus.size(), [&](std::size_t i) { return gpus[i].memoryTotal; });
    std::vector<std::optional<double>> hottest;
    for (const GpuSums& gpu : gpus)
        hottest.push_back(gpu.hottest);
    out.column(hottest);
    for (const GpuSums& gpu : gpus) {
        out.number(gpu.secondaryDie ? 1 : 0);
        writeShares(out, gpu);
        out.number(gpu.parts.size());
        writeParts(out, gpu.parts);
    }
}

bool readGpus(ColumnReader& reader, std::vector<GpuSums>& gpus)
{
    const auto count = std::size_t(reader.count(TelemetrySeries::maxGpusPerNode));
    gpus.resize(count);
    for (const Figure figure : scaledFigures) {
        if (!readScaled(reader, count, [&](std::size_t i) -> qint64& { return gpus[i].*figure; }))
            return false;
    }
    for (const Figure figure : timeFigures) {
        if (!readTimes(reader, count, [&](std::size_t i) -> qint64& { return gpus[i].*figure; }))
            return false;
    }
    const bool read = readWhole(reader, count, [&](std::size_t i) -> qint64& { return gpus[i].memoryPeak.emplace(); })
        && readWhole(reader, count, [&](std::size_t i) -> qint64& { return gpus[i].memoryTotal.emplace(); })
        && readColumn(reader, count, [&](std::size_t i, const ColumnCursor& cursor) {
               gpus[i].hottest = cursor.real();
               return std::isfinite(cursor.real());
           });
    if (!read)
        return false;
    for (GpuSums& gpu : gpus) {
        gpu.secondaryDie = reader.count(1) > 0;
        if (!readShares(reader, gpu))
            return false;
        gpu.parts.resize(std::size_t(reader.count(mostParts)));
        if (reader.failed() || !readParts(reader, gpu.parts))
            return false;
    }
    return true;
}

bool readEnds(ColumnReader& reader, const QString& node, NodeSums& sums)
{
    const auto ends = TickChunk::openPayload(reader.text());
    if (!ends || ends->size() < 1 || ends->size() > 2)
        return false;
    sums.first = ends->tick(0, node);
    sums.last = ends->tick(ends->size() - 1, node);
    if (sums.last.takenMs < sums.first.takenMs)
        return false;
    const quint64 length = quint64(sums.last.takenMs) - quint64(sums.first.takenMs); // of any two times
    return (ends->size() == 1) == (length == 0) && length <= quint64(longestMs);
}

} // namespace

QByteArray packSums(const NodeSums& sums)
{
    ColumnWriter out;
    const bool one = sums.first.takenMs == sums.last.takenMs;
    out.text(tickPayload(one ? QList{sums.first} : QList{sums.first, sums.last}));
    writeMoment(out, sums.firstWorkMs, sums.first.takenMs);
    writeMoment(out, sums.lastWorkMs, sums.first.takenMs);
    out.number(sums.parts.size());
    for (const StartFigure figure : startScaled)
        writeScaled(out, sums.parts.size(), [&](std::size_t i) { return sums.parts[i].*figure; });
    for (const StartFigure figure : startTimes)
        writeWhole(out, sums.parts.size(), [&](std::size_t i) { return sums.parts[i].*figure; });
    writeGpus(out, sums.gpus);
    writeActivity(out, sums.gpus);
    return packBlob(sumsKind, out.bytes());
}

Result<NodeSums> unpackSums(const QByteArray& blob, const QString& node)
{
    const auto payload = unpackBlob(sumsKind, blob);
    if (!payload)
        return fail(payload.error());
    return unpackSumsPayload(*payload, node);
}

Result<NodeSums> unpackSumsPayload(const QByteArray& payload, const QString& node)
{
    ColumnReader reader(payload);
    NodeSums sums;
    if (!readEnds(reader, node, sums))
        return damagedSums();
    sums.firstWorkMs = readMoment(reader, sums);
    sums.lastWorkMs = readMoment(reader, sums);
    const auto most = std::size_t(NodeSums::partOf(sums.last.takenMs) - NodeSums::partOf(sums.first.takenMs) + 1);
    const auto parts = std::size_t(reader.count(mostParts));
    if (reader.failed() || parts > most)
        return damagedSums();
    sums.parts.resize(parts);
    for (const StartFigure figure : startScaled) {
        if (!readScaled(reader, parts, [&](std::size_t i) -> qint64& { return sums.parts[i].*figure; }))
            return damagedSums();
    }
    for (const StartFigure figure : startTimes) {
        if (!readTimes(reader, parts, [&](std::size_t i) -> qint64& { return sums.parts[i].*figure; }))
            return damagedSums();
    }
    if (!readGpus(reader, sums.gpus) || !readActivity(reader, sums.gpus))
        return damagedSums();
    for (const GpuSums& gpu : sums.gpus) {
        if (gpu.parts.size() > most)
            return damagedSums();
    }
    return sums;
}

} // namespace rankwright::inline insight
