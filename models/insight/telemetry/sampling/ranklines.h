// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/ranksample.h"
#include "models/insight/telemetry/sampling/resourcelines.h"

#include <QByteArrayView>
#include <QHash>
#include <QMetaType>

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

/// Puts the lines of one moment together, what the node has beside its GPUs included. A moment that stays incomplete (a
/// line was lost or cut) is dropped: a rank that is missing because of us must not look like one that died.
class RankGatherer {
public:
    /// The whole moment when `line` completes it.
    std::optional<NodeProcesses> add(const RankLine& line);
    /// Comes in front of the lines of ranks of the same moment.
    void add(const ResourceLine& line);
    void clear();

private:
    NodeProcesses completed(NodeProcesses processes) const;

    QHash<QString, NodeProcesses> m_open;
    QHash<QString, ResourceLine> m_resources; ///< by node, until its ranks come
};

} // namespace rankwright::inline insight
