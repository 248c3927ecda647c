// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/noderesources.h"
#include "models/insight/telemetry/ranksample.h"

#include <QByteArrayView>
#include <QMetaType>
#include <optional>

namespace rankwright::inline insight {

/// A line about the job's ranks on a node:
/// "@rw-ranks NODE EPOCH_MS
/// CPUS;MEMORY_TOTAL;AVAILABLE;RANKS;|PID;rank;local;world;cpus;cpu%;resident;state;gpu;gpumem; visible;|..."
/// (docs/telemetry.md). Many ranks take several lines of the same moment.
struct RankLine {
    NodeProcesses reported; ///< ranks of this line
    int ranksInAll = 0; ///< of the node at this moment
    bool operator==(const RankLine&) const = default;
};
/// Empty: not such a line. Records that were cut are left out.
std::optional<RankLine> parseRankLine(QByteArrayView line);

/// A line about what a node has beside its GPUs, printed in front of those about its ranks, with their time:
/// "@rw-node NODE EPOCH_MS
/// SPAN_MS;network;links;capacity;received;sent;processes;waiting;waits_in;pressure_of;some;all;
/// memory_of;limit;anonymous;shared;cached;" (docs/telemetry.md).
struct ResourceLine {
    QString node;
    qint64 takenMs = 0; ///< node's clock
    NodeResources resources;
    bool operator==(const ResourceLine&) const = default;
};
/// Empty: not such a line, or cut.
std::optional<ResourceLine> parseResourceLine(QByteArrayView line);

} // namespace rankwright::inline insight
