// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/design/plannedrun.h"

#include "models/estimate/network/modelchoice.h"
#include "models/estimate/stack/trainingstack.h"

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

/// Fills one PlannedRun; each open field that an estimate needs is settled with a reason.
class RunPlanner {
public:
    RunPlanner(const ResolvedSpec& resolved, const BatchPlan& batch, PlannedRun& out)
        : m_resolved(resolved), m_training(resolved.spec.training), m_batch(batch), m_out(out)
    { }

    void run()
    {
        takeStack();
        takeSequence();
        takeNumbers();
        takeMemorySavers();
        takeLayout();
    }

private:
    void chose(const char16_t* name, const QString& value, const QString& reason)
    {
        m_out.choices.append({QString::fromUtf16(name), value, reason});
    }

    void takeStack()
    {
        if (m_training.framework) {
            m_out.stack = *m_training.framework;
        } else {
            m_out.stack = usualStack(m_resolved.strategy, m_resolved.launcher);
            chose(field::framework, m_out.stack, u"what the strategy is usually trained with"_s);
        }
    }

    void takeSequence()
    {
        Workload& work = m_out.workload;
        const bool tokens = work.shape.family != ModelFamily::Vision && work.shape.family != ModelFamily::Convolution;
        if (!tokens) {
            const qint64 patches = work.shape.patch > 0 ? work.shape.imageSize / work.shape.patch : 0;
            work.sequence = qMax<qint64>(1, patches * patches + (patches > 0 ? 1 : 0));
            return;
        }
        if (m_training.sequence && *m_training.sequence > 0) {
            work.sequence = *m_training.sequence;
            return;
        }
        const qint64 longest = work.shape.maxSequence > 0 ? work.shape.maxSequence : 2048;
        work.sequence = qMin<qint64>(longest, 4096);
        chose(field::sequence, QString::number(work.sequence),
            longest <= 4096 ? u"the longest that the model was made for"_s
                            : u"a usual length; the model was made for up to %1"_s.arg(longest));
    }

    void takeNumbers()
    {
        Workload& work = m_out.workload;
        if (m_training.precision) {
            work.precision = *m_training.precision;
        } else {
            const bool bf16 = m_out.gpu.hasBf16;
            work.precision = bf16 ? Precision::Bf16Mixed : Precision::Fp16Mixed;
            chose(field::precision, toText(work.precision),
                bf16 ? u"16 bit with fp32 master weights, without a loss scale"_s
                     : u"this GPU has no bf16 units; fp16 needs a loss scale"_s);
        }
        static const QHash<QString, Optimizer> optimizers{{u"adamw"_s, Optimizer::AdamW},
            {u"adamw8bit"_s, Optimizer::AdamW8bit}, {u"adafactor"_s, Optimizer::Adafactor}, {u"sgd"_s, Optimizer::Sgd},
            {u"sgd-momentum"_s, Optimizer::SgdMomentum}};
        const bool image = work.shape.family == ModelFamily::Convolution;
        if (m_training.optimizer) {
            work.optimizer = optimizers.value(*m_training.optimizer, Optimizer::AdamW);
        } else {
            work.optimizer = image ? Optimizer::SgdMomentum : Optimizer::AdamW;
            chose(field::optimizer, toText(work.optimizer),
                image ? u"usual for convolutional models"_s : u"usual for transformers"_s);
        }
        work.attention = m_training.attention == u"standard" ? AttentionKind::Standard : AttentionKind::Flash;
        if (!m_training.attention && !image)
            chose(field::attention, u"flash"_s, u"what PyTorch's own attention does since version 2"_s);
    }

    void takeMemorySavers()
    {
        Workload& work = m_out.workload;
        const auto& asked = m_training.activationCheckpointing;
        // What "selective" recomputes is the stack's habit: torchtitan every second operation, Megatron the attention.
        const bool byOperation = m_out.stack == u"fsdp2" || m_out.stack == u"fsdp1";
        work.recompute = asked == u"full" ? Recompute::Full
            : asked == u"selective" ? (byOperation ? Recompute::SelectiveOperations : Recompute::SelectiveAttention)
                                    : Recompute::None;
        if (!asked && work.shape.family != ModelFamily::Convolution)
            chose(field::activationCheckpointing, u"none"_s, u"nothing is recomputed unless the program does"_s);
        takeFrozen();
        const auto& offload = m_training.offload;
        work.offload = offload == u"all" ? Offload::OptimizerAndParameters
            : offload == u"optimizer"    ? Offload::OptimizerStates
                                         : Offload::None;
    }

    /// LoRA: the base is frozen, adapters are trained. nf4 takes half a byte and its scales (Dettmers et al. 2023,
    /// 2305.14314, section 3).
    void takeFrozen()
    {
        const double trained = m_training.trainedFraction.value_or(1);
        if (!(trained > 0 && trained < 1))
            return;
        m_out.workload.trainedFraction = trained;
        m_out.workload.frozenBytesPerParameter = m_training.frozen == u"nf4" ? 0.55
            : m_training.frozen == u"int8"                                   ? 1.05
                                                                             : 2;
        if (!m_training.frozen)
            chose(field::frozen, u"bf16"_s, u"the base of an adapter training is usually kept in 16 bit"_s);
    }

    void takeLayout()
    {
        Layout& layout = m_out.layout;
        layout.nodes = m_resolved.nodes;
        layout.gpusPerNode = m_resolved.gpusPerNode;
        layout.tensor = m_resolved.tensor;
        layout.pipeline = m_resolved.pipeline;
        layout.context = m_resolved.context;
        layout.data = m_resolved.strategy == Strategy::Single ? 1 : m_resolved.dataParallel();
        applyDefaults(defaultsOf(m_resolved.strategy, m_out.stack, m_out.workload.shape.experts), layout);
        layout.microBatch = qMax<qint64>(1, m_batch.microBatch);
        layout.accumulation = qMax<qint64>(1, m_batch.gradientAccumulation);
    }

    const ResolvedSpec& m_resolved;
    const JobSpec::Training& m_training;
    const BatchPlan& m_batch;
    PlannedRun& m_out;
};

/// gpuFiguresFor(), which looks through words and tables: kept for the node that was asked about last, since one edit
/// asks many times about the same one.
GpuFigures figuresOf(const ClusterProfile& profile, const NodeShape& node)
{
    thread_local QString cluster;
    thread_local NodeShape shape;
    thread_local GpuFigures figures;
    if (figures.key.isEmpty() || cluster != profile.name || shape != node) {
        figures = gpuFiguresFor(profile, node);
        cluster = profile.name;
        shape = node;
    }
    return figures;
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

LayoutDefaults defaultsOf(Strategy strategy, const QString& stack, int experts)
{
    const bool megatron = stack == u"megatron-core" || stack == u"nemo";
    const bool old = stack == u"megatron-deepspeed"; // from before sequence parallelism
    return {shardingOf(strategy), strategy == Strategy::Hsdp, !old, megatron, experts};
}

void applyDefaults(const LayoutDefaults& defaults, Layout& layout)
{
    layout.sharding = defaults.sharding;
    layout.sequenceParallel = defaults.sequenceParallel && layout.tensor > 1;
    if (defaults.distributedOptimizer && layout.data > 1 && layout.sharding == Sharding::None)
        layout.sharding = Sharding::OptimizerStates; // on in Megatron's own recipes
    layout.shardGroup = defaults.hybrid ? qMin(layout.data * layout.context, layout.gpusPerNode) : 0;
    layout.expert = defaults.experts > 0 && layout.data > 1 ? expertRanks(defaults.experts, layout.data) : 1;
}

QString usualStack(Strategy strategy, Launcher launcher)
{
    if (launcher == Launcher::Lightning)
        return u"lightning"_s;
    switch (strategy) {
    case Strategy::Single:
    case Strategy::Ddp:
    case Strategy::Horovod: return u"pytorch"_s;
    case Strategy::Fsdp:
    case Strategy::Hsdp: return u"fsdp2"_s;
    case Strategy::Zero1:
    case Strategy::Zero2:
    case Strategy::Zero3: return u"deepspeed"_s;
    case Strategy::Pipeline:
    case Strategy::Tensor:
    case Strategy::ThreeD: return u"megatron-core"_s;
    }
    return u"generic"_s;
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

Result<PlannedRun> planRun(const ResolvedSpec& resolved, const BatchPlan& batch, const ClusterProfile& profile)
{
    const auto shape = chooseModel(resolved.spec.model);
    if (!shape)
        return fail(shape.error());
    PlannedRun run;
    run.workload.shape = *shape;
    run.parameters = countParameters(*shape);
    run.gpu = figuresOf(profile, resolved.node);
    if (run.gpu.usableBytes <= 0)
        return fail(Fault::Invalid,
            u"How much memory a %1 of %2 has is not published, so nothing can be estimated"_s.arg(
                resolved.node.gpu.word, profile.title.isEmpty() ? u"this cluster"_s : profile.title),
            {}, u"Choose a partition whose GPU is described, or add the figure to the cluster's file."_s);
    RunPlanner(resolved, batch, run).run();
    return run;
}

QString toText(Recompute recompute)
{
    return recompute == Recompute::None ? u"none"_s : recompute == Recompute::Full ? u"full"_s : u"selective"_s;
}

QString toText(Optimizer optimizer)
{
    switch (optimizer) {
    case Optimizer::AdamW: return u"adamw"_s;
    case Optimizer::AdamW8bit: return u"adamw8bit"_s;
    case Optimizer::Adafactor: return u"adafactor"_s;
    case Optimizer::Sgd: return u"sgd"_s;
    case Optimizer::SgdMomentum: return u"sgd-momentum"_s;
    case Optimizer::Lamb: return u"lamb"_s;
    }
    return {};
}

QString toText(Offload offload)
{
    return offload == Offload::None ? u"none"_s : offload == Offload::OptimizerStates ? u"optimizer"_s : u"all"_s;
}

} // namespace rankwright
