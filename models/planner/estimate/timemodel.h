// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/stack/trainingstack.h"
#include "models/planner/estimate/timework.h"

namespace rankwright::inline planner {

/// Seconds of one optimiser step.
struct TimeParts {
    double compute = 0;
    double communication = 0; ///< that is not hidden behind compute
    double bubble = 0; ///< idle time of the pipeline
    double other = 0; ///< optimiser, data loading, checkpoints
    double total() const { return compute + communication + bubble + other; }
    bool operator==(const TimeParts&) const = default;
};

struct StepEstimate {
    TimeParts parts;
    double seconds = 0;
    double lowSeconds = 0; ///< nine of ten measured steps lie between low and high
    double highSeconds = 0;
    double tokensPerSecondPerGpu = 0; ///< samples (images) where a sample has no tokens
    double teraflopsPerGpu = 0; ///< model FLOPs: recomputation is not counted
    double mfu = 0; ///< of the peak at the workload's precision
    bool operator==(const StepEstimate&) const = default;
};

/// Everything of (workload, stack, GPU) that does not depend on the layout, computed once: the search's inner loop.
/// Formulas and their sources: docs/planner.md, "Time".
class TimeModel {
public:
    TimeModel(const Workload& workload, const TrainingStack& stack, const GpuFigures& gpu);
    /// With constants of one's own, for fitting and tests. `kind`: stackKind().
    TimeModel(const Workload& workload, const StackSpeed& speed, const QString& kind, const GpuFigures& gpu);

    /// Pure arithmetic, no allocation. In: a layout that checkLayout() accepts.
    StepEstimate estimate(const Layout& layout) const;

    const StackSpeed& speed() const { return m_speed; }
    const TimeWork& work() const { return m_work; }

private:
    struct Ranks; // the layout as doubles and what follows from it at once
    struct Block { // seconds of one block and one micro-batch
        double pure = 0; ///< compute or launches, whichever holds it up
        double whole = 0; ///< with collectives
    };
    Ranks ranksOf(const Layout& layout) const;
    Block block(const Ranks& ranks) const;
    double computeOf(const Ranks& ranks) const;
    double launchOf(const Ranks& ranks) const;
    double collectivesOf(const Ranks& ranks) const;
    double dispatchOf(const Ranks& ranks) const;
    double blockWeights(const Ranks& ranks) const;
    double gathersOf(const Ranks& ranks) const;
    Block head(const Ranks& ranks) const;
    double handOver(const Ranks& ranks) const;
    double reduction(const Ranks& ranks, double forwardAndBackward) const;
    double optimizer(const Ranks& ranks) const;

    StackSpeed m_speed;
    TimeWork m_work;
    double m_memoryBandwidth;
    double m_nodeBus;
    double m_network;
    double m_nodeRing; ///< reached share of m_nodeBus
    double m_networkRing; ///< reached share of m_network
    double m_gatherRing; ///< the same for gathered shards
    double m_host;
    double m_linkedGpus; ///< 0: those of a node
    Offload m_offload;
    bool m_offloadActivations;
};

} // namespace rankwright::inline planner
