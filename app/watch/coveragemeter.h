// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/gpusample.h"

#include <QHash>

#include <map>
#include <optional>
#include <vector>

namespace rankwright {

/// How much of a job was really seen: the share of its running seconds for which every GPU of every node gave a sample.
/// A sample stands for the interval that it begins; between two of a node that are at most one and a half intervals
/// apart nothing is missing. Counts by the nodes' own clock where they report it, since that is the clock of the job's
/// start and end; one bit per second, so that days of watching cost kilobytes. A value; keeps no samples.
class CoverageMeter {
public:
    /// From the job's allocation and its sampling plan. Zero GPUs per node: not known, then a node counts with whatever
    /// it sends. What was seen so far stays.
    void expect(int nodes, int gpusPerNode, int intervalMs = 1000);
    void add(const NodeTick& tick, qint64 arrivedMs);
    /// Over the whole seconds of [fromMs, toMs); empty when there is none, or nothing is expected.
    std::optional<double> share(qint64 fromMs, qint64 toMs) const;

private:
    struct Node {
        qint64 newestMs = 0; ///< its newest whole sample
        qint64 seenTo = 0; ///< first second that is not counted for it yet
    };
    void count(qint64 second);

    int m_nodes = 0;
    int m_gpusPerNode = 0;
    int m_intervalMs = 1000;
    std::optional<qint64> m_base; ///< second of bit 0; empty: no tick was added
    std::vector<bool> m_complete;
    QHash<QString, Node> m_reported;
    std::map<qint64, int> m_open; ///< seconds that may still become complete, with the number of nodes seen in each
};

} // namespace rankwright
