// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/layoutsearch.h"

#include <vector>

namespace rankwright::inline planner {

/// One kind of GPU node that the design may run on.
struct SearchKind {
    ResolvedSpec resolved; ///< with this kind's node and first partition
    PlannedRun base;
};

/// One way to train, apart from the degrees: what a pair of models is made for once.
struct SearchPlan {
    Strategy strategy = Strategy::Ddp;
    Framework framework = Framework::Generic;
    const TrainingStack* stack = nullptr;
    Workload workload; ///< with this plan's recomputation and offload
    LayoutDefaults defaults;
    bool tensor = false; ///< degrees that the strategy knows
    bool pipeline = false;
    bool context = false;
    bool chunks = false; ///< an interleaved schedule can be asked for
    bool uneven = false; ///< and stages with fewer layers at the ends
    bool experts = false; ///< spread over ranks
    bool oneOff = false; ///< one pass a step: what the design asks for allows no accumulation
    bool replacesProgram = false; ///< its stack splits layers, which the design has not asked for
    int kind = 0; ///< index of its SearchKind
};

/// One size of the job: what a partition takes and what an hour of it costs.
struct SearchSize {
    int nodes = 1;
    int gpusPerNode = 1;
    const Partition* partition = nullptr;
    std::optional<double> perHour; ///< empty: no published formula
    double billedGpus = 1; ///< GPUs that other jobs cannot use meanwhile
    double hostBytes = 0; ///< of a node, for this job
    int gpus() const { return nodes * gpusPerNode; }
};

/// The kinds of node that the design's account may use, its own first; one alone where it names partition, QoS or
/// constraint.
std::vector<SearchKind> searchKinds(
    const ResolvedSpec& resolved, const BatchPlan& batch, const PlannedRun& base, const ClusterProfile& profile);

/// Strategies x stacks x recomputation x offload for a design.
struct SearchPlans {
    std::vector<SearchPlan> plans; ///< those without offload first
    QStringList leftOut; ///< stacks that cannot do what the design asks for, a sentence each
};
SearchPlans searchPlans(const SearchKind& kind, Kept kept);

/// The largest number of nodes that the design's partition takes or, when that is open, any that is offered.
int mostNodesOffered(const ResolvedSpec& resolved, const ClusterProfile& profile);

/// The recommendation looks at sizes that people ask for: up to 16 nodes each, then powers of two and three times
/// those, and divisors of the global batch (0: open), up to 256 nodes.
bool isUsualSize(int nodes, qint64 globalBatch);

/// All sizes that a partition takes. With an open batch many numbers of nodes differ in nothing but speed: then powers
/// of two and three times those, beside the small ones. `refused` counts the sizes that no partition takes.
std::vector<SearchSize> searchSizes(const ResolvedSpec& resolved, const ClusterProfile& profile,
    const SearchLimits& limits, qint64 globalBatch, qint64& refused);

/// What offloading may use of a node, in bytes. What the site does not publish is bounded by what such machines have,
/// and said.
struct NodeMemory {
    double bytes = 0;
    QString assumed; ///< "64 GiB for each GPU, the least of the sites with this GPU"; empty: published
};
NodeMemory hostMemoryOf(const NodeShape& node); ///< for a job that owns it
NodeMemory hostMemoryShare(const NodeShape& node, int gpus); ///< for a job on this many of its GPUs

enum class StageCuts { Even, Any }; ///< whether stages may have different numbers of layers

/// Numbers of pipeline stages worth a look: those that divide the layers, and powers of two and three times those with
/// which the ends take fewer. Ascending.
std::vector<int> stagesFor(const ModelShape& shape);

/// Chunks of an interleaved schedule that a number of stages allows: 1, 2, 4, 5, 8, 10, as published recipes take them
/// (NeMo 24.07, Megatron Bridge 25.09 to 26.06: 2, 3, 4, 5, 8, 10, 12, 20), and all layers in chunks of their own.
std::vector<int> chunksFor(const ModelShape& shape, int stages, StageCuts cuts);

/// Expert-parallel ranks worth a look: all divisors of the experts. One entry where there are none.
std::vector<int> expertDegreesFor(const ModelShape& shape);

/// 1, ..., in ascending order, up to `most`.
std::vector<int> divisorsOf(qint64 number, int most);

} // namespace rankwright::inline planner
