// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Processes of a node's ranks, packed: what a process is comes once, what it uses in columns.
#include "models/insight/telemetry/codec/processcodec.h"

#include <QHash>
#include <QStringList>

#include <array>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr char processKind = 'P';
constexpr int mostReported = 1 << 16;
constexpr int mostFigures = 64; ///< of a node at one moment
constexpr int mostRanks = 1 << 14; ///< of one node, all its moments together 16 times as many

/// A number that may be unknown: 0, or 1 and the number.
void writeMaybe(ColumnWriter& out, const std::optional<int>& number)
{
    out.number(number ? 1 : 0);
    if (number)
        out.signedNumber(*number);
}

std::optional<int> readMaybe(ColumnReader& reader)
{
    return reader.count(1) ? std::optional<int>(int(reader.signedNumber())) : std::nullopt;
}

/// What of a process does not change.
RankSample identityOf(const RankSample& rank)
{
    RankSample same = rank;
    same.cpuPercent.reset();
    same.residentBytes.reset();
    same.state = 0;
    same.gpuMemoryBytes.reset();
    return same;
}

/// What processes are, each only once.
class Identities {
public:
    /// Its number.
    qsizetype add(const RankSample& identity)
    {
        const std::size_t key = qHashMulti(0, identity.pid, identity.rank.value_or(-1), identity.gpu.value_or(-1),
            identity.visibleDevices, identity.cpus);
        const auto [from, to] = m_places.equal_range(key);
        for (auto place = from; place != to; ++place) {
            if (m_all.at(*place) == identity)
                return *place;
        }
        m_places.insert(key, m_all.size());
        m_all.append(identity);
        return m_all.size() - 1;
    }
    const QList<RankSample>& all() const { return m_all; }

private:
    QList<RankSample> m_all;
    QMultiHash<std::size_t, qsizetype> m_places;
};

void writeIdentity(ColumnWriter& out, const RankSample& rank)
{
    out.signedNumber(rank.pid);
    // One that only may be a rank, since it is a task of a step, is below 0.
    writeMaybe(out, rank.isByTask && rank.rank ? std::optional(-1 - *rank.rank) : rank.rank);
    writeMaybe(out, rank.localRank);
    writeMaybe(out, rank.worldSize);
    writeMaybe(out, rank.gpu);
    out.text(rank.visibleDevices.toUtf8());
    out.text(rank.cpus.toUtf8());
}

RankSample readIdentity(ColumnReader& reader)
{
    RankSample rank;
    rank.pid = reader.signedNumber();
    rank.rank = readMaybe(reader);
    rank.isByTask = rank.rank && *rank.rank < 0;
    if (rank.isByTask)
        rank.rank = -1 - *rank.rank;
    rank.localRank = readMaybe(reader);
    rank.worldSize = readMaybe(reader);
    rank.gpu = readMaybe(reader);
    rank.visibleDevices = QString::fromUtf8(reader.text());
    rank.cpus = QString::fromUtf8(reader.text());
    return rank;
}

struct Columns {
    std::vector<std::optional<qint64>> which; ///< process by number
    std::vector<std::optional<double>> cpu;
    std::vector<std::optional<qint64>> resident, state, gpuMemory;
};

Unexpected<Error> damagedProcesses()
{
    return fail(Fault::Unreadable, u"A piece of the recording is damaged."_s, u"Its processes are inconsistent."_s,
        u"The rest of the recording can still be read."_s);
}

/// Heads of the moments: time, what is reported of the node, how many processes.
bool readMoments(ColumnReader& reader, QList<NodeProcesses>& all, std::vector<int>& sizes, const QString& node)
{
    const int count = reader.count(mostReported);
    ColumnCursor times(reader.column(), count);
    ColumnCursor cpus(reader.column(), count);
    ColumnCursor totals(reader.column(), count);
    ColumnCursor free(reader.column(), count);
    ColumnCursor ranks(reader.column(), count);
    qint64 processes = 0;
    for (int i = 0; i < count; ++i) {
        if (!times.next() || !cpus.next() || !totals.next() || !free.next() || !ranks.next() || !times.isKnown()
            || !ranks.isKnown() || ranks.whole() < 0 || ranks.whole() > mostRanks)
            return false;
        processes += ranks.whole();
        if (processes > 16 * qint64(mostRanks))
            return false;
        NodeProcesses reported;
        reported.node = node;
        reported.takenMs = times.whole();
        if (cpus.isKnown())
            reported.cpus = int(cpus.whole());
        if (totals.isKnown())
            reported.hostMemoryTotalBytes = totals.whole();
        if (free.isKnown())
            reported.hostMemoryAvailableBytes = free.whole();
        all.append(reported);
        sizes.push_back(int(ranks.whole()));
    }
    return !reader.failed();
}

bool readRanks(ColumnReader& reader, QList<NodeProcesses>& all, const std::vector<int>& sizes)
{
    QList<RankSample> identities;
    const int known = reader.count(16 * mostRanks);
    for (int i = 0; i < known && !reader.failed(); ++i)
        identities.append(readIdentity(reader));
    qsizetype count = 0;
    for (const int size : sizes)
        count += size;
    ColumnCursor which(reader.column(), count);
    ColumnCursor cpu(reader.column(), count);
    ColumnCursor resident(reader.column(), count);
    ColumnCursor state(reader.column(), count);
    ColumnCursor gpuMemory(reader.column(), count);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        for (int at = 0; at < sizes[i]; ++at) {
            if (reader.failed() || !which.next() || !cpu.next() || !resident.next() || !state.next()
                || !gpuMemory.next() || !which.isKnown() || which.whole() < 0 || which.whole() >= identities.size())
                return false;
            RankSample rank = identities.at(which.whole());
            if (cpu.isKnown())
                rank.cpuPercent = cpu.real();
            if (resident.isKnown())
                rank.residentBytes = resident.whole();
            if (gpuMemory.isKnown())
                rank.gpuMemoryBytes = gpuMemory.whole();
            rank.state = state.isKnown() ? char(state.whole()) : char(0);
            all[qsizetype(i)].ranks.append(rank);
        }
    }
    return !reader.failed();
}

/// What the nodes have beside their GPUs: the names of functions once, then a column for each figure.
void writeResources(ColumnWriter& out, const QList<NodeProcesses>& reported)
{
    QStringList functions;
    QHash<QString, qsizetype> places; ///< of names in `functions`
    std::vector<std::optional<qint64>> function;
    std::array<std::vector<std::optional<qint64>>, NodeResources::numberCount> columns;
    bool any = false;
    for (const NodeProcesses& one : reported) {
        const NodeResources resources = one.resources.value_or(NodeResources());
        any = any || one.resources.has_value();
        const auto numbers = resources.numbers();
        for (std::size_t i = 0; i < columns.size(); ++i)
            columns[i].push_back(numbers[i]);
        // 0: nothing was reported at this moment
        if (one.resources && !places.contains(resources.waitsIn)) {
            places.insert(resources.waitsIn, functions.size());
            functions.append(resources.waitsIn);
        }
        function.emplace_back(one.resources ? 1 + places.value(resources.waitsIn) : 0);
    }
    if (!any)
        return;
    out.number(quint64(functions.size()));
    for (const QString& name : std::as_const(functions))
        out.text(name.toUtf8());
    out.column(function);
    out.number(columns.size());
    for (const auto& column : columns)
        out.column(column);
}

/// Recordings of earlier releases have none of it.
bool readResources(ColumnReader& reader, QList<NodeProcesses>& all)
{
    if (reader.failed() || reader.atEnd())
        return !reader.failed();
    QStringList functions;
    const int known = reader.count(mostReported);
    for (int i = 0; i < known && !reader.failed(); ++i)
        functions.append(kernelFunction(reader.text()));
    ColumnCursor function(reader.column(), all.size());
    // Figures that a later version adds come behind those that are known here.
    const int figures = reader.count(mostFigures);
    std::vector<ColumnCursor> columns;
    for (int i = 0; i < figures && !reader.failed(); ++i)
        columns.emplace_back(reader.column(), all.size());
    if (reader.failed())
        return false;
    for (NodeProcesses& one : all) {
        if (!function.next() || !function.isKnown() || function.whole() < 0 || function.whole() > functions.size())
            return false;
        std::array<std::optional<qint64>, NodeResources::numberCount> numbers;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (!columns[i].next())
                return false;
            if (i < numbers.size() && columns[i].isKnown())
                numbers[i] = columns[i].whole();
        }
        if (function.whole() == 0)
            continue;
        one.resources = NodeResources::ofNumbers(numbers);
        one.resources->waitsIn = functions.at(function.whole() - 1);
    }
    return true;
}

} // namespace

QByteArray packProcesses(const QList<NodeProcesses>& reported)
{
    std::vector<std::optional<qint64>> times, cpus, totals, free, sizes;
    Identities identities;
    Columns columns;
    for (const NodeProcesses& one : reported) {
        times.emplace_back(one.takenMs);
        cpus.push_back(one.cpus ? std::optional<qint64>(*one.cpus) : std::nullopt);
        totals.push_back(one.hostMemoryTotalBytes);
        free.push_back(one.hostMemoryAvailableBytes);
        sizes.emplace_back(one.ranks.size());
        for (const RankSample& rank : one.ranks) {
            columns.which.emplace_back(identities.add(identityOf(rank)));
            columns.cpu.push_back(rank.cpuPercent);
            columns.resident.push_back(rank.residentBytes);
            columns.state.push_back(rank.state ? std::optional<qint64>(rank.state) : std::nullopt);
            columns.gpuMemory.push_back(rank.gpuMemoryBytes);
        }
    }
    ColumnWriter out;
    out.number(quint64(reported.size()));
    for (const auto* column : {&times, &cpus, &totals, &free, &sizes})
        out.column(*column);
    out.number(quint64(identities.all().size()));
    for (const RankSample& identity : identities.all())
        writeIdentity(out, identity);
    out.column(columns.which);
    out.column(columns.cpu);
    for (const auto* column : {&columns.resident, &columns.state, &columns.gpuMemory})
        out.column(*column);
    writeResources(out, reported);
    return packBlob(processKind, out.bytes());
}

Result<QList<NodeProcesses>> unpackProcesses(const QByteArray& blob, const QString& node)
{
    const auto payload = unpackBlob(processKind, blob);
    if (!payload)
        return fail(payload.error());
    return unpackProcessesPayload(*payload, node);
}

Result<QList<NodeProcesses>> unpackProcessesPayload(const QByteArray& payload, const QString& node)
{
    ColumnReader reader(payload);
    QList<NodeProcesses> all;
    std::vector<int> sizes;
    if (!readMoments(reader, all, sizes, node) || !readRanks(reader, all, sizes) || !readResources(reader, all))
        return damagedProcesses();
    return all;
}

} // namespace rankwright::inline insight
