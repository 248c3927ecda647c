// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/sampling/ranklines.h"
#include "models/insight/telemetry/sampling/ticklines.h"

#include <QByteArrayList>
#include <QHash>

namespace rankwright::inline insight {

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

/// What lines of the sampling command report, sorted. `gatherer` keeps moments whose lines come later.
struct SamplerContent {
    QList<NodeTick> ticks;
    QList<NodeProcesses> processes;
};
SamplerContent samplerContent(const QByteArrayList& lines, RankGatherer& gatherer);

} // namespace rankwright::inline insight
