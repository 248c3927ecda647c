// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/history/gpusums.h"
#include "models/insight/telemetry/staleness.h"

namespace rankwright::inline insight {

/// All GPUs of a node together in one part of its time: what a start-up is evaluated by.
struct StartSums {
    qint64 seenMs = 0, useSum = 0, useMs = 0, limitMs = 0; ///< as GpuSums
    bool operator==(const StartSums&) const = default;
    void add(const StartSums& other)
    {
        seenMs += other.seenMs;
        useSum += other.useSum;
        useMs += other.useMs;
        limitMs += other.limitMs;
    }
};

/// The samples of one node from `first` to `last`, summed up: all that a report needs of them. `last` itself holds
/// until what comes next, so it is not counted yet. Value.
class NodeSums {
public:
    /// Samples further apart are not summed up together: that may be a gap, and none is shorter (gapLongerThanMs).
    static constexpr qint64 furthestApartMs = freshMs;
    static constexpr qint64 partMs = 10'000;
    /// Number of the part that a moment is in, the same for all nodes and jobs.
    static constexpr qint64 partOf(qint64 ms) { return ms >= 0 ? ms / partMs : (ms + 1) / partMs - 1; }

    /// Empty: there are none, two of them are too far apart, or they are not in order of time.
    static std::optional<NodeSums> of(const QList<NodeTick>& ticks);
    /// Adds what follows; false: too far away, nothing was added.
    bool append(const NodeSums& later);
    /// Takes everything of it into `sums`, which number a GPU's parts by `partAt(ms)` of the beginning of each.
    template <typename PartAt>
    void addTo(std::vector<GpuSums>& sums, const PartAt& partAt) const
    {
        if (sums.size() < gpus.size())
            sums.resize(gpus.size());
        for (std::size_t index = 0; index < gpus.size(); ++index) {
            sums[index].addWhole(gpus[index]);
            for (std::size_t i = 0; i < gpus[index].parts.size(); ++i)
                sums[index].part(partAt((partOf(first.takenMs) + qint64(i)) * partMs)).add(gpus[index].parts[i]);
        }
    }
    bool operator==(const NodeSums&) const = default;

    NodeTick first, last;
    std::vector<GpuSums> gpus; ///< by index; their parts as `parts`
    std::vector<StartSums> parts; ///< of 10 s, from that of `first` on
    std::optional<qint64> firstWorkMs, lastWorkMs; ///< any GPU at work

    /// The tick held for `ms`, until `next` where nothing is missing between. `part`: of the node, `gpuPart` of its
    /// GPUs.
    void count(const NodeTick& tick, qint64 ms, const NodeTick* next, std::size_t part, std::size_t gpuPart);

private:
    std::size_t place(qint64 ms) const { return std::size_t(partOf(ms) - partOf(first.takenMs)); }
};

} // namespace rankwright::inline insight
