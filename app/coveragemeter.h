// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/telemetry/gpusample.h"

#include <QHash>
#include <QSet>

#include <optional>
#include <vector>

namespace rankwright {

/// How much of a job was really seen: the share of its running seconds in which every GPU of every node gave a sample.
/// Counts by the nodes' own clock where they tell it, since that is the clock of the job's start and end; one bit per
/// second, so that days of watching cost kilobytes. A value; keeps no samples.
class CoverageMeter {
public:
    /// From the job's allocation. Zero GPUs per node: not known, then a node counts with whatever it sends.
    void expect(int nodes, int gpusPerNode);
    void add(const NodeTick& tick, qint64 arrivedMs);
    /// Over the whole seconds of [fromMs, toMs); empty when there is none, or nothing is expected.
    std::optional<double> share(qint64 fromMs, qint64 toMs) const;

private:
    int m_nodes = 0;
    int m_gpusPerNode = 0;
    qint64 m_base = -1; ///< second of bit 0
    std::vector<bool> m_complete;
    QHash<qint64, QSet<QString>> m_open; ///< seconds that may still become complete: nodes seen
};

} // namespace rankwright
