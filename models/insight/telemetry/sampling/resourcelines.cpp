// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/sampling/resourcelines.h"

#include "models/cluster/remote/linetags.h"
#include "models/insight/telemetry/sampling/linecells.h"

namespace rankwright::inline insight {

using namespace linecells;

namespace {

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
