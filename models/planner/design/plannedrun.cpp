// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/plannedrun.h"

#include "models/planner/design/enumwords.h"
#include "models/planner/design/trainingprogram.h"
#include "models/planner/estimate/network/modelchoice.h"
#include "models/planner/estimate/stack/stacknames.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

bool groupsExperts(Framework stack);

qint64 longestOf(const ModelShape& shape) { return shape.maxSequence > 0 ? shape.maxSequence : 2048; }

/// Fills one PlannedRun; each open field that an estimate needs is filled with a reason.
class RunPlanner {
public:
    RunPlanner(const ResolvedSpec& resolved, const BatchPlan& batch, PlannedRun& out)
        : m_resolved(resolved), m_training(resolved.spec.training), m_batch(batch), m_out(out)
    { }

    void run()
    {
        fillStack();
        fillSequence();
        m_out.workload.packed = m_training.packed.value_or(true) || m_out.workload.shape.family != ModelFamily::Decoder;
        fillNumbers();
        fillMemorySavers();
        fillLayout();
    }

private:
    void chose(QLatin1StringView name, const QString& value, const QString& reason)
    {
        m_out.choices.append({name, value, reason});
    }

    void fillStack()
    {
        m_out.strategy = m_resolved.strategy;
        if (m_training.framework) {
            m_out.stack = *m_training.framework;
        } else {
            m_out.stack = usualStack(m_resolved.strategy, m_resolved.launcher);
            chose(field::framework, toText(m_out.stack), u"what the strategy is usually trained with"_s);
        }
    }

    void fillSequence()
    {
        Workload& work = m_out.workload;
        const bool tokens = work.shape.family != ModelFamily::Vision && work.shape.family != ModelFamily::Convolution;
        if (!tokens) {
            const qint64 patches = work.shape.patch > 0 ? work.shape.imageSize / work.shape.patch : 0;
            work.sequence = qMax<qint64>(1, patches * patches + (patches > 0 ? 1 : 0));
            return;
        }
        if (work.shape.audioBins > 0 && work.shape.encoderPositions > 0) {
            work.sequence = work.shape.encoderPositions; // 30 s of sound, padded (Whisper, arXiv:2212.04356, 2.2)
            return;
        }
        if (m_resolved.sequence && *m_resolved.sequence > 0) {
            work.sequence = *m_resolved.sequence;
            return;
        }
        work.sequence = usualSequence(work.shape);
        const qint64 longest = longestOf(work.shape);
        chose(field::sequence, QString::number(work.sequence),
            longest <= 4096 ? u"the longest that the model was made for"_s
                            : u"a usual length; the model was made for up to %1"_s.arg(longest));
    }

    void fillNumbers()
    {
        Workload& work = m_out.workload;
        work.precision = m_resolved.precision;
        if (!m_training.precision) {
            chose(field::precision, toText(work.precision),
                work.precision == Precision::Bf16Mixed  ? u"16 bit with fp32 master weights, without a loss scale"_s
                    : work.precision == Precision::Bf16 ? u"this stack trains the weights in the type that they have"_s
                                                        : u"this GPU has no bf16 units; fp16 needs a loss scale"_s);
        }
        const bool image = work.shape.family == ModelFamily::Convolution;
        if (m_training.optimizer) {
            work.optimizer = *m_training.optimizer;
        } else {
            work.optimizer = image ? Optimizer::SgdMomentum : Optimizer::AdamW;
            chose(field::optimizer, toText(work.optimizer),
                image ? u"usual for convolutional models"_s : u"usual for transformers"_s);
        }
        work.attention = m_training.attention.value_or(AttentionKind::Flash);
        if (!m_training.attention && !image)
            chose(field::attention, toText(work.attention), u"the default of PyTorch's attention since version 2"_s);
    }

    void fillMemorySavers()
    {
        Workload& work = m_out.workload;
        auto asked = m_resolved.activationCheckpointing;
        if (!asked && stackOf(m_out.stack).memory.recomputes)
            asked = ActivationCheckpointing::Full;
        work.recompute = recomputeOf(asked.value_or(ActivationCheckpointing::None), m_out.stack);
        if (!m_training.activationCheckpointing && work.shape.family != ModelFamily::Convolution)
            chose(field::activationCheckpointing, toText(work.recompute),
                !asked                                      ? u"nothing is recomputed unless the program does"_s
                    : !m_resolved.activationCheckpointing   ? u"the default of this stack's recipes"_s
                    : writesRecomputing(m_resolved, *asked) ? u"without recomputation the model needs more nodes"_s
                                                            : u"the model fits only when the program recomputes"_s);
        fillFrozen();
        fillAdapter();
        const Offload offload = m_resolved.offload.value_or(Offload::None);
        work.offload = offload == Offload::Activations ? Offload::None : offload;
        work.offloadActivations = offload == Offload::Activations;
        if (!m_resolved.offload && offloadsByHabit(m_out.stack, work.recompute)) {
            work.offloadActivations = true;
            chose(field::offload, toText(Offload::Activations),
                u"unsloth's checkpointing keeps them in the node's memory"_s);
        }
        work.optimizerInBackward = m_training.optimizerInBackward.value_or(false);
        fillLoss();
        work.float8 = m_training.float8.value_or(Float8::None);
        work.compiled = m_training.compile.value_or(false);
        work.groupedExperts = m_training.groupedExperts.value_or(groupsExperts(m_out.stack)) && work.shape.experts > 0;
    }

    /// LoRA: the base is frozen, adapters are trained. nf4 takes half a byte and its scales (Dettmers et al. 2023,
    /// 2305.14314, section 3).
    void fillFrozen()
    {
        const double trained = m_training.trainedFraction.value_or(1);
        if (!(trained > 0 && trained < 1))
            return;
        m_out.workload.trainedFraction = trained;
        const FrozenWeights frozen = m_training.frozen.value_or(FrozenWeights::Bf16);
        m_out.workload.frozenBytesPerParameter = frozen == FrozenWeights::Nf4 ? 0.55
            : frozen == FrozenWeights::Int8                                   ? 1.05
                                                                              : 2;
        if (!m_training.frozen)
            chose(field::frozen, toText(frozen), u"the base of an adapter training is usually kept in 16 bit"_s);
    }

    void fillLoss()
    {
        Workload& work = m_out.workload;
        work.fusedKernels = m_out.stack == Framework::Unsloth;
        work.fusedNorms = !stackOf(m_out.stack).memory.eagerNorms || work.shape.norm != NormKind::RmsNorm;
        if (m_training.loss) {
            work.loss = *m_training.loss;
            return;
        }
        const StackMemory& habits = stackOf(m_out.stack).memory;
        work.loss = habits.chunksLoss ? LossKind::Chunked : habits.fusesLoss ? LossKind::Fused : LossKind::Full;
        if (work.loss != LossKind::Full)
            chose(field::loss, toText(work.loss), u"the default of this stack's recipes"_s);
    }

    /// LoRA and the like: what is not said is the stack's default.
    void fillAdapter()
    {
        const JobSpec::AdapterChoice& asked = m_resolved.spec.adapter;
        const bool quantised = asked.quantisation.value_or(Quantisation::None) != Quantisation::None;
        Adapter& adapter = m_out.workload.adapter;
        adapter.method = asked.method.value_or(quantised ? AdapterMethod::Lora : AdapterMethod::None);
        if (adapter.method == AdapterMethod::None)
            return;
        if (!asked.method)
            chose(field::adapterMethod, toText(adapter.method), u"a quantised base is trained by adapters"_s);
        const StackMemory& habits = stackOf(m_out.stack).memory;
        m_out.workload.trainedFraction = 1;
        m_out.workload.frozenBytesPerParameter
            = m_out.workload.precision == Precision::Fp32 || m_out.workload.precision == Precision::Tf32 ? 4 : 2;
        adapter.rank = asked.rank && *asked.rank > 0 ? *asked.rank : static_cast<int>(habits.adapterRank);
        if (!asked.rank)
            chose(field::adapterRank, QString::number(adapter.rank), u"the default of this stack's recipes"_s);
        AdapterTargets targets;
        for (const QString& word : asked.targets)
            targets |= adapterTargets(word.section(u'.', -1));
        adapter.targets = targets ? targets : habits.adaptsAll ? allLinear : queryAndValue;
        if (!targets)
            chose(field::adapterTargets, toWords(adapter.targets).join(u' '), u"the default of this stack's recipes"_s);
        adapter.quantisation = asked.quantisation.value_or(Quantisation::None);
        if (!asked.quantisation)
            chose(field::adapterQuantisation, toText(adapter.quantisation), u"the base is usually kept in 16 bit"_s);
        const bool sharded = shardingOf(m_resolved.strategy) == Sharding::Full;
        adapter.wideStream = quantised && habits.kbitStream && !sharded;
        adapter.wholeBase = quantised && sharded && m_out.stack == Framework::Axolotl;
    }

    void fillLayout()
    {
        Layout& layout = m_out.layout;
        layout.nodes = m_resolved.nodes;
        layout.gpusPerNode = m_resolved.gpusPerNode;
        layout.tensor = m_resolved.tensor;
        layout.pipeline = m_resolved.pipeline;
        layout.context = m_resolved.context;
        layout.data = m_resolved.strategy == Strategy::Single ? 1 : m_resolved.dataParallel();
        const JobSpec::Parallel& asked = m_resolved.parallel;
        applyDefaults(defaultsOf(m_resolved.strategy, m_out.stack, m_out.workload.shape.experts, asked), layout);
        layout.virtualStages = qMax(1, asked.virtualStages.value_or(1)); // also where it makes no sense: checkLayout()
        sayLayout();
        layout.microBatch = qMax<qint64>(1, m_batch.microBatch);
        layout.accumulation = qMax<qint64>(1, m_batch.gradientAccumulation);
    }

    /// What the stack determines and the design leaves open.
    void sayLayout()
    {
        const Layout& layout = m_out.layout;
        const JobSpec::Parallel& asked = m_resolved.parallel;
        const QString stack = titleOf(m_out.stack);
        const auto yesNo = [](bool value) { return value ? u"yes"_s : u"no"_s; };
        if (!asked.sequenceParallel && layout.tensor > 1)
            chose(field::sequenceParallel, yesNo(layout.sequenceParallel),
                layout.sequenceParallel
                    ? u"norms and dropout are split over the tensor ranks, too: %1 can, and it costs nothing"_s.arg(
                        stack)
                    : u"%1 is from before sequence parallelism"_s.arg(stack));
        if (!asked.shardOptimizer && m_out.stack == Framework::MegatronCore && layout.data * layout.context > 1)
            chose(field::shardOptimizer, yesNo(layout.sharding != Sharding::None),
                u"the distributed optimiser is on in Megatron's own recipes"_s);
        if (!asked.expert && m_out.workload.shape.experts > 0)
            chose(field::expert, QString::number(layout.expert),
                layout.expert > 1 ? u"as many ranks as can share out the experts evenly"_s
                                  : u"each rank holds all experts unless the design says otherwise"_s);
    }

    const ResolvedSpec& m_resolved;
    const JobSpec::Training& m_training;
    const BatchPlan& m_batch;
    PlannedRun& m_out;
};

/// gpuFiguresFor(), which looks through words and tables: a memo of the node that was asked about last, since one edit
/// asks many times about the same one. Its key is all that gpuFiguresFor() reads.
GpuFigures figuresOf(const ClusterProfile& profile, const NodeShape& node)
{
    thread_local std::optional<GpuFigures> figures;
    thread_local QString title;
    thread_local NodeShape shape;
    if (!figures || title != profile.title || shape != node) {
        figures = gpuFiguresFor(profile, node);
        title = profile.title;
        shape = node;
    }
    return *figures;
}

/// Grouped products are what Megatron's recipes for experts pass (--moe-grouped-gemm; Megatron-LM d98e8a6,
/// megatron/core/transformer/moe/README.md) and torchtitan's default (use_grouped_mm, v0.2.0, models/moe/moe.py).
bool groupsExperts(Framework stack)
{
    return stack == Framework::MegatronCore || stack == Framework::Nemo || stack == Framework::Fsdp2;
}

/// The largest number of data-parallel ranks that can share out the experts evenly.
int expertRanks(int experts, int data)
{
    int best = 1;
    for (int ranks = 1; ranks <= qMin(experts, data); ++ranks) {
        if (experts % ranks == 0 && data % ranks == 0)
            best = ranks;
    }
    return best;
}

} // namespace

LayoutDefaults defaultsOf(Strategy strategy, Framework stack, int experts, const JobSpec::Parallel& asked)
{
    const bool megatron = stack == Framework::MegatronCore || stack == Framework::Nemo;
    const bool old = stack == Framework::MegatronDeepspeed; // from before sequence parallelism
    LayoutDefaults defaults;
    defaults.sharding = shardingOf(strategy);
    defaults.hybrid = strategy == Strategy::Hsdp;
    defaults.sequenceParallel = asked.sequenceParallel.value_or(!old);
    defaults.distributedOptimizer = asked.shardOptimizer.value_or(megatron);
    defaults.reshard = asked.reshard.value_or(true);
    defaults.experts = megatron || old ? experts : 0;
    defaults.expert = asked.expert;
    defaults.wholeExperts = stack == Framework::MegatronCore && experts > 0;
    defaults.expertTensor = asked.expertTensor;
    defaults.virtualStages = qMax(1, asked.virtualStages.value_or(1));
    defaults.firstLayers = qMax(0, asked.firstStageLayers.value_or(0));
    defaults.lastLayers = qMax(0, asked.lastStageLayers.value_or(0));
    return defaults;
}

void applyDefaults(const LayoutDefaults& defaults, Layout& layout)
{
    layout.sharding = defaults.sharding;
    layout.sequenceParallel = defaults.sequenceParallel && layout.tensor > 1;
    if (defaults.distributedOptimizer && layout.data * layout.context > 1 && layout.sharding == Sharding::None)
        layout.sharding = Sharding::OptimizerStates; // on in Megatron's own recipes
    layout.shardGroup = defaults.hybrid ? qMin(layout.data * layout.context, layout.gpusPerNode) : 0;
    layout.expert = defaults.expert               ? qMax(1, *defaults.expert)
        : defaults.experts > 0 && layout.data > 1 ? expertRanks(defaults.experts, layout.data)
                                                  : 1;
    layout.expertTensor = defaults.expertTensor ? *defaults.expertTensor : defaults.wholeExperts ? 1 : 0;
    layout.firstLayers = layout.pipeline > 1 ? defaults.firstLayers : 0;
    layout.lastLayers = layout.pipeline > 1 ? defaults.lastLayers : 0;
    layout.reshardAfterForward = defaults.reshard || layout.sharding != Sharding::Full;
    layout.virtualStages = layout.pipeline > 1 ? defaults.virtualStages : 1;
    layout.schedule
        = layout.virtualStages > 1 ? PipelineSchedule::Interleaved : PipelineSchedule::OneForwardOneBackward;
}

bool offloadsByHabit(Framework stack, Recompute recompute)
{
    return stack == Framework::Unsloth && recompute == Recompute::Full;
}

Precision usualPrecision(const ClusterProfile& profile, const NodeShape& node, std::optional<Framework> stack)
{
    if (!figuresOf(profile, node).hasBf16)
        return Precision::Fp16Mixed;
    const bool asLoaded = stack == Framework::Torchtune || stack == Framework::Axolotl || stack == Framework::MsSwift
        || stack == Framework::Unsloth;
    return asLoaded ? Precision::Bf16 : Precision::Bf16Mixed;
}

std::optional<ModelShape> namedModel(const JobSpec& spec)
{
    if (spec.model.isEmpty())
        return std::nullopt;
    const auto shape = chooseModel(spec.model);
    return shape ? std::optional(*shape) : std::nullopt;
}

qint64 usualSequence(const ModelShape& shape) { return qMin<qint64>(longestOf(shape), 4096); }

Framework usualStack(Strategy strategy, Launcher launcher)
{
    if (launcher == Launcher::Lightning)
        return Framework::Lightning;
    switch (strategy) {
    case Strategy::Single:
    case Strategy::Ddp:
    case Strategy::Horovod: return Framework::Pytorch;
    case Strategy::Fsdp:
    case Strategy::Hsdp: return Framework::Fsdp2;
    case Strategy::Zero1:
    case Strategy::Zero2:
    case Strategy::Zero3: return Framework::Deepspeed;
    case Strategy::Pipeline:
    case Strategy::Tensor:
    case Strategy::ThreeD: return Framework::MegatronCore;
    }
    return Framework::Generic;
}

const TrainingStack& stackOf(Framework stack)
{
    const TrainingStack* known = trainingStack(toText(stack));
    return known != nullptr ? *known : *trainingStack(stackname::generic);
}

Calibration learnedFor(const CalibrationTable& calibrations, const ClusterProfile& profile, const NodeShape& node,
    const Workload& workload, const TrainingStack& stack)
{
    return node.gpu.standIn ? Calibration() : calibrations.of(profile.name, toText(workload.shape.family), stack.name);
}

Sharding shardingOf(Strategy strategy)
{
    switch (strategy) {
    case Strategy::Zero1: return Sharding::OptimizerStates;
    case Strategy::Zero2: return Sharding::Gradients;
    case Strategy::Zero3:
    case Strategy::Fsdp:
    case Strategy::Hsdp: return Sharding::Full;
    default: return Sharding::None;
    }
}

PlannedRun planTraining(const ResolvedSpec& resolved, const BatchPlan& batch, const ModelShape& shape)
{
    PlannedRun run;
    run.workload.shape = shape;
    RunPlanner(resolved, batch, run).run();
    return run;
}

Result<PlannedRun> planRun(const ResolvedSpec& resolved, const BatchPlan& batch, const ClusterProfile& profile)
{
    const auto shape = chooseModel(resolved.model);
    if (!shape)
        return fail(shape.error());
    PlannedRun run;
    run.workload.shape = *shape;
    run.parameters = countParameters(*shape);
    run.gpu = figuresOf(profile, resolved.node);
    run.gpuWord = resolved.node.gpu.word;
    if (run.gpu.usableBytes <= 0)
        return fail(Fault::Invalid,
            u"How much memory a %1 of %2 has is not published, so nothing can be estimated"_s.arg(
                resolved.node.gpu.word, profile.title.isEmpty() ? u"this cluster"_s : profile.title),
            {},
            profile.nodes.isEmpty()
                ? u"The catalogue has no nodes of it, because each such cluster is another. Draft a cluster file from what its own Slurm says (clusters --draft), or describe its nodes in one of your own."_s
                : u"Choose a partition whose GPU is described, or add the figure to the cluster's file."_s);
    RunPlanner(resolved, batch, run).run();
    return run;
}

Recompute recomputeOf(ActivationCheckpointing asked, Framework stack)
{
    if (asked == ActivationCheckpointing::None)
        return Recompute::None;
    if (asked == ActivationCheckpointing::Full)
        return Recompute::Full;
    const bool byOperation = stack == Framework::Fsdp2 || stack == Framework::Fsdp1;
    return byOperation ? Recompute::SelectiveOperations : Recompute::SelectiveAttention;
}

ActivationCheckpointing checkpointingOf(Recompute recompute)
{
    if (recompute == Recompute::None)
        return ActivationCheckpointing::None;
    return recompute == Recompute::Full ? ActivationCheckpointing::Full : ActivationCheckpointing::Selective;
}

QString toText(Recompute recompute) { return toText(checkpointingOf(recompute)); }

} // namespace rankwright::inline planner
