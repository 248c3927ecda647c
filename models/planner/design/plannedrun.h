// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/planner/design/batchplan.h"
#include "models/planner/design/resolve.h"
#include "models/planner/estimate/calibration.h"
#include "models/planner/estimate/gpufigures.h"
#include "models/planner/estimate/stack/trainingstack.h"
#include "models/planner/estimate/stagelayers.h"
#include "models/planner/estimate/workload.h"

namespace rankwright::inline planner {

/// A design in the planner's terms: what is trained, how it is spread, by which stack, on which GPU.
struct PlannedRun {
    Workload workload;
    Layout layout;
    ParameterCount parameters;
    Framework stack = Framework::Generic;
    Strategy strategy = Strategy::Ddp;
    GpuFigures gpu;
    QString gpuWord = QStringLiteral("GPU"); ///< as the site says: "GCD"
    QList<Choice> choices; ///< what the planner took for fields that the design leaves open, and why
};

/// In: a resolved design and its batch. Fails with one sentence when no model is named or it makes no sense; an
/// impossible layout (heads not divisible by tensor ranks) is checkLayout()'s to report. Pure: each thread remembers
/// the GPU figures of the node shape that it asked about last, by everything that gpuFiguresFor() looks at.
Result<PlannedRun> planRun(const ResolvedSpec& resolved, const BatchPlan& batch, const ClusterProfile& profile);

/// The same of a model's shape alone, without GPU figures: all that a script has to launch (writer and estimate read
/// this one). Any shape, also an empty one: then only what does not depend on the model means something.
PlannedRun planTraining(const ResolvedSpec& resolved, const BatchPlan& batch, const ModelShape& shape);

/// What an open precision means on a GPU, for the estimate and for every file that the script writes: bf16 or fp16 over
/// fp32 weights, but bf16 alone for stacks that train the weights in the type in which they load them (torchtune:
/// recipes/configs, dtype; axolotl: utils/config, torch_dtype; ms-swift: base_args/model_args.py, torch_dtype; unsloth:
/// models/vision.py, "bfloat16 full finetuning").
Precision usualPrecision(const ClusterProfile& profile, const NodeShape& node, std::optional<Framework> stack);
/// The shape of the model that a design names; empty: none, or one that makes no sense (planRun() says why).
std::optional<ModelShape> namedModel(const JobSpec& spec);
/// Tokens of a sample where a design leaves them open: the model's longest, at most 4096.
qint64 usualSequence(const ModelShape& shape);

/// The stack that a strategy suggests when the design names none: FSDP 2 for FSDP, DeepSpeed for ZeRO, ...
Framework usualStack(Strategy strategy, Launcher launcher);
/// Its defaults; those of Generic where a table should lack it.
const TrainingStack& stackOf(Framework stack);
/// What the user's runs teach for a kind of training on this cluster; nothing where its GPUs are stand-ins.
Calibration learnedFor(const CalibrationTable& calibrations, const ClusterProfile& profile, const NodeShape& node,
    const Workload& workload, const TrainingStack& stack);
/// What strategy and stack determine of a layout beside its degrees.
struct LayoutDefaults {
    Sharding sharding = Sharding::None;
    bool hybrid = false; ///< states are sharded within a node only
    bool sequenceParallel = false; ///< where layers are split
    bool distributedOptimizer = false; ///< Megatron's, on where there are data-parallel ranks
    bool reshard = true; ///< sharded weights are dropped after the forward pass
    int experts = 0; ///< of the model, where the stack spreads them; 0: it does not
    std::optional<int> expert; ///< asked for
    bool wholeExperts = false; ///< tensor ranks do not split experts (Megatron's parallel folding)
    std::optional<int> expertTensor; ///< asked for
    int virtualStages = 1; ///< asked for, where there is a pipeline
    int firstLayers = 0, lastLayers = 0; ///< asked for; 0: open
};
/// `asked`: what a design says itself goes before the stack's defaults.
LayoutDefaults defaultsOf(Strategy strategy, Framework stack, int experts, const JobSpec::Parallel& asked = {});
/// Sets sharding, shard group, sequence and expert parallelism, chunks and resharding of a layout whose degrees are
/// set. No allocation.
void applyDefaults(const LayoutDefaults& defaults, Layout& layout);

/// A stack whose own checkpointing of all blocks keeps their inputs in the node's memory unless it is told otherwise:
/// unsloth (get_peft_model, unsloth/models/llama.py).
bool offloadsByHabit(Framework stack, Recompute recompute);

/// How a strategy shares out states, whatever the degrees.
Sharding shardingOf(Strategy strategy);

/// What a stack recomputes when it is asked so: "selective" is every second operation for torchtitan, the attention for
/// Megatron.
Recompute recomputeOf(ActivationCheckpointing asked, Framework stack);
/// How a design asks for it.
ActivationCheckpointing checkpointingOf(Recompute recompute);
QString toText(Recompute recompute); ///< of its checkpointing: "none", "selective", "full"

} // namespace rankwright::inline planner
