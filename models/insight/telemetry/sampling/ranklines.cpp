// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/sampling/ranklines.h"

#include "models/cluster/remote/linetags.h"
#include "models/core/numberranges.h"
#include "models/insight/telemetry/sampling/linecells.h"

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;
using namespace linecells;

namespace {

/// More ranks than any node has: a broken line must not make us wait for them.
constexpr int mostRanks = 4096;

std::optional<int> small(QByteArrayView cell, int high)
{
    const auto value = whole(cell, high);
    return value ? std::optional<int>(int(*value)) : std::nullopt;
}

/// "xff,00000000" (Cpus_allowed of /proc, reported where the list would be longer) -> "32-39".
QString listOfMask(QByteArrayView mask)
{
    QByteArray digits = mask.toByteArray();
    digits.replace(',', "");
    QList<int> cores;
    for (int bit = 0; bit < 4 * int(digits.size()); ++bit) {
        bool fine = false;
        const int digit = digits.mid(digits.size() - 1 - bit / 4, 1).toInt(&fine, 16);
        if (!fine)
            return {};
        if ((digit >> (bit % 4) & 1) != 0)
            cores.append(bit);
    }
    return numberRanges(cores);
}

bool readRank(QByteArrayView record, RankSample& rank)
{
    Cells cells(record);
    const auto pid = whole(cells.next(), std::numeric_limits<int>::max());
    if (!pid)
        return false;
    rank.pid = *pid;
    const QByteArrayView number = cells.next();
    rank.isByTask = number.startsWith('s');
    rank.rank = small(rank.isByTask ? number.sliced(1) : number, std::numeric_limits<int>::max());
    rank.localRank = small(cells.next(), mostRanks);
    rank.worldSize = small(cells.next(), std::numeric_limits<int>::max());
    const QByteArrayView cpus = cells.next();
    rank.cpus = cpus.startsWith('x') ? listOfMask(cpus.sliced(1)) : QString::fromLatin1(cpus);
    rank.cpuPercent = decimal(cells.next(), 0, 1e6);
    rank.residentBytes = whole(cells.next(), mostBytes);
    const QByteArrayView state = cells.next();
    rank.state = state.size() == 1 ? state[0] : char(0);
    rank.gpu = small(cells.next(), 4095);
    rank.gpuMemoryBytes = whole(cells.next(), mostBytes);
    rank.visibleDevices = QString::fromUtf8(cells.next());
    return cells.isWhole(); // else the record was cut
}

constexpr qint64 mostLinks = 1024;
constexpr qint64 mostCounted = 4'000'000; ///< processes of a node: the kernel's own limit
constexpr qint64 mostRate = qint64(1) << 50; ///< bytes a second

std::optional<NetworkKind> networkOf(QByteArrayView cell)
{
    if (cell == "ib")
        return NetworkKind::InfiniBand;
    if (cell == "cxi")
        return NetworkKind::Slingshot;
    if (cell == "hsn")
        return NetworkKind::SlingshotInterfaces;
    if (cell == "eth")
        return NetworkKind::Ethernet;
    return {};
}

std::optional<ResourceScope> scopeOf(QByteArrayView cell)
{
    if (cell == "j")
        return ResourceScope::Job;
    if (cell == "n")
        return ResourceScope::Node;
    return {};
}

std::optional<int> countIn(QByteArrayView cell, qint64 most)
{
    const auto value = whole(cell, most);
    return value ? std::optional(int(*value)) : std::nullopt;
}

std::optional<double> thousandthsIn(QByteArrayView cell)
{
    const auto value = whole(cell, 1000);
    return value ? std::optional(double(*value) / 1000) : std::nullopt;
}

} // namespace

std::optional<RankLine> parseRankLine(QByteArrayView line)
{
    const auto head = headOf(line, linetags::ranks);
    if (!head)
        return {};
    RankLine read;
    read.reported.node = QString::fromUtf8(head->node);
    read.reported.takenMs = head->takenMs;
    const qsizetype begin = head->rest.indexOf('|');
    Cells cells(begin < 0 ? head->rest : head->rest.first(begin));
    read.reported.cpus = small(cells.next(), 1 << 20);
    read.reported.hostMemoryTotalBytes = whole(cells.next(), mostBytes);
    read.reported.hostMemoryAvailableBytes = whole(cells.next(), mostBytes);
    const auto inAll = small(cells.next(), mostRanks);
    if (!inAll || !cells.isWhole())
        return {};
    const QByteArrayView agents = cells.next(); // not in records of earlier releases
    if (cells.isWhole())
        read.reported.agents = small(agents, mostRanks);
    read.ranksInAll = *inAll;
    QByteArrayView rest = begin < 0 ? QByteArrayView() : head->rest.sliced(begin + 1);
    while (!rest.isEmpty()) {
        const qsizetype end = rest.indexOf('|');
        RankSample rank;
        if (readRank(end < 0 ? rest : rest.first(end), rank))
            read.reported.ranks.append(rank);
        rest = end < 0 ? QByteArrayView() : rest.sliced(end + 1);
    }
    return read;
}

std::optional<ResourceLine> parseResourceLine(QByteArrayView line)
{
    const auto head = headOf(line, linetags::node);
    if (!head)
        return {};
    ResourceLine read;
    read.node = QString::fromUtf8(head->node);
    read.takenMs = head->takenMs;
    Cells cells(head->rest);
    cells.next(); // how long the rates and shares are of
    NodeResources& resources = read.resources;
    resources.network = networkOf(cells.next());
    resources.links = countIn(cells.next(), mostLinks);
    resources.capacity = whole(cells.next(), mostRate);
    resources.received = whole(cells.next(), mostRate);
    resources.sent = whole(cells.next(), mostRate);
    resources.processes = countIn(cells.next(), mostCounted);
    resources.waiting = countIn(cells.next(), mostCounted);
    resources.waitsIn = kernelFunction(cells.next());
    resources.pressureOf = scopeOf(cells.next());
    resources.someWait = thousandthsIn(cells.next());
    resources.allWait = thousandthsIn(cells.next());
    resources.memoryOf = scopeOf(cells.next());
    resources.memoryLimit = whole(cells.next(), mostBytes);
    resources.anonymous = whole(cells.next(), mostBytes);
    resources.shared = whole(cells.next(), mostBytes);
    resources.cached = whole(cells.next(), mostBytes);
    if (!cells.isWhole())
        return {};
    const QByteArrayView onGpus = cells.next(); // of nodes that have such memory only
    resources.onGpus = cells.isWhole() ? whole(onGpus, mostBytes) : std::nullopt;
    return read;
}

} // namespace rankwright::inline insight
