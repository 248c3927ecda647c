// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/planner/design/enumwords.h"
#include "models/planner/design/plannedrun.h"
#include "models/planner/design/strategyname.h"
#include "models/planner/design/trainingprogram.h"
#include "models/script/checks/designrule.h"
#include "models/script/write/launchers.h"
#include "models/script/write/launchlayout.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

namespace {

using Hits = QList<RuleHit>;

Fix useDdp()
{
    return {u"Use ddp"_s, [](JobSpec& spec) { spec.parallel.strategy = Strategy::Ddp; }};
}

Hits singleWithGpus(const RuleContext& context)
{
    const int world = context.resolved.worldSize();
    if (context.resolved.strategy != Strategy::Single || world == 1)
        return {};
    return {{field::strategy,
        u"The strategy “single” trains on one %1, but %2 are asked for and billed: the others stay idle."_s.arg(
            context.resolved.node.gpu.word, QString::number(world)),
        useDdp()}};
}

Hits launcherMismatch(const RuleContext& context)
{
    const QString problem = launchProblem(context.resolved);
    if (problem.isEmpty())
        return {};
    const bool horovod = context.resolved.strategy == Strategy::Horovod;
    return {
        {field::launcher, problem + u'.', Fix{horovod ? u"Use horovod"_s : u"Use torchrun"_s, [horovod](JobSpec& spec) {
                                                  spec.launcher = horovod ? Launcher::Horovod : Launcher::Torchrun;
                                              }}}};
}

Hits parallelDegrees(const RuleContext& context)
{
    const qint64 tensor = context.spec.parallel.tensor.value_or(1);
    const qint64 pipeline = context.spec.parallel.pipeline.value_or(1);
    const qint64 shared = context.spec.parallel.context.value_or(1);
    const int world = context.resolved.worldSize();
    const Fix one{shared == 1 ? u"Use 1 and 1"_s : u"Use 1 for each"_s, [](JobSpec& spec) {
                      spec.parallel.tensor = spec.parallel.pipeline = 1;
                      spec.parallel.context.reset();
                  }};
    const QString names = shared == 1
        ? u"Tensor × pipeline = %1 × %2"_s.arg(tensor).arg(pipeline)
        : u"Tensor × pipeline × context = %1 × %2 × %3"_s.arg(tensor).arg(pipeline).arg(shared);
    const QString place = tensor != 1 ? field::tensor : pipeline != 1 ? field::pipeline : field::context;
    if (tensor < 1 || pipeline < 1 || shared < 1)
        return {{tensor < 1    ? field::tensor
                : pipeline < 1 ? field::pipeline
                               : field::context,
            names + u" is not possible: each is at least 1."_s, one}};
    if (tensor > world || pipeline > world || shared > world || world % (tensor * pipeline * shared) != 0)
        return {{place, u"%1 does not divide the %2 ranks of the job."_s.arg(names).arg(world), one}};
    if (tensor > context.resolved.gpusPerNode)
        return {{field::tensor,
            u"Tensor parallel over %1 ranks leaves the node, which has %2 %3s in this job: every layer would wait for the network."_s
                .arg(QString::number(tensor), QString::number(context.resolved.gpusPerNode),
                    context.resolved.node.gpu.word),
            std::nullopt, Severity::Warning}};
    return {};
}

Hits batchRange(const RuleContext& context)
{
    const auto& asked = context.spec.training;
    Hits hits;
    const auto positive = [&](QLatin1StringView name, const std::optional<qint64>& value, const Fix& fix) {
        if (value && *value < 1)
            hits.append({name, u"%1 is given, at least 1 is needed."_s.arg(*value), fix});
    };
    positive(field::globalBatch, asked.globalBatch,
        {u"Let the program choose"_s, [](JobSpec& spec) { spec.training.globalBatch.reset(); }});
    positive(field::microBatch, asked.microBatch,
        {u"Let the program choose"_s, [](JobSpec& spec) { spec.training.microBatch.reset(); }});
    positive(
        field::sequence, asked.sequence, {u"Use the model's"_s, [](JobSpec& spec) { spec.training.sequence.reset(); }});
    positive(field::datasetSamples, asked.datasetSamples,
        {u"Leave it open"_s, [](JobSpec& spec) { spec.training.datasetSamples.reset(); }});
    positive(field::datasetTokens, asked.datasetTokens,
        {u"Leave it open"_s, [](JobSpec& spec) { spec.training.datasetTokens.reset(); }});
    if (asked.epochs && !(*asked.epochs > 0))
        hits.append({field::epochs, u"%1 epochs are given, more than 0 are needed."_s.arg(*asked.epochs),
            Fix{u"Leave it open"_s, [](JobSpec& spec) { spec.training.epochs.reset(); }}});
    return hits;
}

Hits batchSplit(const RuleContext& context)
{
    const auto& asked = context.spec.training;
    const BatchPlan& batch = context.batch;
    if (batch.exact || !asked.globalBatch)
        return {};
    const qint64 global = *asked.globalBatch;
    if (asked.microBatch && batch.microBatch > 0 && global / batch.dataParallel < batch.microBatch) {
        const qint64 share = qMax<qint64>(1, global / batch.dataParallel);
        return {{field::microBatch,
            u"One step of %1 samples on each of %2 ranks is %3, more than the global batch of %4."_s.arg(
                QString::number(batch.microBatch), QString::number(batch.dataParallel),
                QString::number(batch.microBatch * batch.dataParallel), QString::number(global)),
            Fix{u"Use a micro-batch of %1"_s.arg(share),
                [share](JobSpec& spec) { spec.training.microBatch = share; }}}};
    }
    QStringList near;
    for (const qint64 value : batch.nearest)
        near.append(QString::number(value));
    const QString step = batch.gradientAccumulation > 1 || asked.microBatch
        ? u"steps of %1 × %2 = %3"_s.arg(QString::number(batch.microBatch), QString::number(batch.dataParallel),
            QString::number(batch.microBatch * batch.dataParallel))
        : u"%1 equal parts"_s.arg(batch.dataParallel);
    return {{field::globalBatch,
        u"A global batch of %1 cannot be split into %2; %3 can."_s.arg(
            QString::number(global), step, near.join(u" or "_s)),
        Fix{u"Use %1"_s.arg(batch.globalBatch),
            [value = batch.globalBatch](JobSpec& spec) { spec.training.globalBatch = value; }}}};
}

Hits fp16OnMi250x(const RuleContext& context)
{
    const GpuType& gpu = context.resolved.node.gpu;
    if (context.spec.training.precision != Precision::Fp16Mixed || !gpu.model.contains(u"MI250X"_s))
        return {};
    return {{u"training.precision"_s,
        u"MI250X flushes the smallest fp16 numbers to zero in its matrix units: training runs that converged with ROCm 6.0 broke under 6.4; bf16 has the same speed and range to spare."_s,
        Fix{u"Use bf16-mixed"_s, [](JobSpec& spec) { spec.training.precision = Precision::Bf16Mixed; }}}};
}

Hits bf16OnV100(const RuleContext& context)
{
    const auto precision = context.spec.training.precision;
    if ((precision != Precision::Bf16Mixed && precision != Precision::Bf16)
        || !context.resolved.node.gpu.model.contains(u"V100"_s))
        return {};
    return {{u"training.precision"_s, u"V100 has no bf16 tensor units: bf16 would run many times slower than fp16."_s,
        Fix{u"Use fp16-mixed"_s, [](JobSpec& spec) { spec.training.precision = Precision::Fp16Mixed; }}}};
}

Hits float8Units(const RuleContext& context)
{
    if (context.spec.training.float8.value_or(Float8::None) == Float8::None || !context.knowsSite())
        return {};
    const GpuFigures gpu = gpuFiguresFor(context.profile, context.resolved.node);
    if (gpu.key.isEmpty() || gpu.peakFlopsFp8 > 0)
        return {};
    return {{field::float8,
        u"%1 has no 8-bit floating-point units: Transformer Engine and torchao refuse it."_s.arg(
            context.resolved.node.gpu.model),
        Fix{u"Compute in 16 bit"_s, [](JobSpec& spec) { spec.training.float8.reset(); }}}};
}

/// Megatron-LM stops where layers cannot be cut into the stages; other cuts than the open one are checkLayout()'s.
Hits stageCut(const RuleContext& context)
{
    const ResolvedSpec& resolved = context.resolved;
    const auto& asked = resolved.spec.parallel;
    const bool isOpen = asked.virtualStages.value_or(1) == 1 && !asked.firstStageLayers && !asked.lastStageLayers;
    if (resolved.pipeline < 2 || !isOpen || trainerOf(resolved) != Trainer::Megatron)
        return {};
    const auto shape = namedModel(resolved.spec);
    const int layers = shape ? pipelineLayers(*shape) : 0;
    if (layers < resolved.pipeline)
        return {};
    Layout layout;
    layout.pipeline = resolved.pipeline;
    const auto cut = checkStageLayers(layers, layout);
    if (cut)
        return {};
    int fewer = resolved.pipeline;
    while (layers % fewer != 0)
        --fewer;
    return {{field::pipeline, cut.error().what,
        Fix{u"Take %1"_s.arg(counted(fewer, u"stage"_s)), [fewer](JobSpec& spec) { spec.parallel.pipeline = fewer; }}}};
}

QString alternatives(const QStringList& words)
{
    return words.size() < 2 ? words.join(QString())
                            : words.mid(0, words.size() - 1).join(u", "_s) + u" or "_s + words.last();
}

/// Changes after which a stack can do all that a design asks beside its layout: another strategy, another stack, both.
QList<Fix> ableStacks(const ResolvedSpec& resolved, const QString& gpuClass, Framework stack,
    const QList<StackFeature>& beside, const QList<StackFeature>& layout)
{
    const bool alone = resolved.worldSize() == 1;
    QList<std::pair<std::optional<Framework>, std::optional<Strategy>>> changes;
    QList<Strategy> others = alone ? QList{Strategy::Single} : QList{Strategy::Fsdp, Strategy::Ddp, Strategy::Zero1};
    others.removeOne(resolved.strategy);
    for (const Strategy strategy : std::as_const(others)) {
        if (stacksThatCan(gpuClass, beside + featuresOf(strategy)).contains(stack))
            changes.append({std::nullopt, strategy});
    }
    for (const Framework able : stacksThatCan(gpuClass, beside + layout))
        changes.append({able, std::nullopt});
    for (const Strategy strategy : std::as_const(others)) {
        for (const Framework able : stacksThatCan(gpuClass, beside + featuresOf(strategy)))
            changes.append({able, strategy});
    }
    QList<Fix> fixes;
    constexpr int mostFixes = 3;
    for (const auto& [framework, strategy] : std::as_const(changes)) {
        if (fixes.size() == mostFixes)
            break;
        const QString words = framework && strategy
            ? u"Use %1 with %2"_s.arg(titleOf(*framework), strategyName(*strategy))
            : framework ? u"Use %1"_s.arg(titleOf(*framework))
                        : u"Use %1"_s.arg(strategyName(*strategy));
        fixes.append(Fix{words, [framework = framework, strategy = strategy](JobSpec& spec) {
                             if (framework)
                                 spec.training.framework = *framework;
                             if (strategy) {
                                 spec.parallel = {};
                                 spec.parallel.strategy = *strategy;
                             }
                         }});
    }
    return fixes;
}

/// What the table of stacks says against the design.
Hits stackCannot(const RuleContext& context)
{
    const ResolvedSpec& resolved = context.resolved;
    const Framework stack = stackInUse(resolved);
    const QString gpuClass = context.knowsSite() ? gpuFiguresFor(context.profile, resolved.node).gpuClass : QString();
    const QList<StackNeed> besides = needsBesideLayout(context.spec), layouts = layoutNeeds(resolved);
    QList<StackFeature> beside, layout;
    for (const StackNeed& need : besides)
        beside.append(need.feature);
    for (const StackNeed& need : layouts)
        layout.append(need.feature);
    if (context.batch.gradientAccumulation > 1)
        layout.append(StackFeature::Accumulation);
    const auto obstacle = stackObstacle(stack, gpuClass, beside + layout);
    if (!obstacle)
        return {};
    FieldPath place = field::framework;
    for (const StackNeed& need : besides + layouts)
        place = need.feature == obstacle->feature ? need.field : place;
    QList<Fix> fixes = ableStacks(resolved, gpuClass, stack, beside, layout);
    QStringList able;
    for (const Fix& fix : std::as_const(fixes))
        able.append(fix.label.section(u' ', 1));
    QString text = u"This cannot run: %1 (%2). "_s.arg(obstacle->text, obstacle->source);
    text += able.isEmpty() ? u"No stack in the table does all that this design asks for at once."_s
                           : u"What does: %1."_s.arg(alternatives(able));
    RuleHit hit{place, text};
    if (!fixes.isEmpty())
        hit.fix = fixes.takeFirst();
    hit.otherFixes = fixes;
    if (obstacle->feature == StackFeature::FlashAttention)
        hit.severity = Severity::Warning; // PyTorch's attention takes another kernel
    return {hit};
}

Hits lightningName(const RuleContext& context)
{
    const bool lightning
        = context.resolved.launcher == Launcher::Lightning || context.spec.training.framework == Framework::Lightning;
    const QString name = context.resolved.name;
    if (!lightning || (name != u"bash"_s && name != u"interactive"_s))
        return {};
    return {{field::name,
        u"Lightning takes a job called “%1” for an interactive shell and ignores Slurm: every rank would train alone."_s
            .arg(name),
        Fix{u"Call it train"_s, [](JobSpec& spec) { spec.name = u"train"_s; }}}};
}

/// Degrees that no argument hands to the program: only Megatron-LM's and torchtitan's ways are known.
Hits degreesUnsaid(const RuleContext& context)
{
    const ResolvedSpec& resolved = context.resolved;
    const bool splits = resolved.strategy == Strategy::Tensor || resolved.strategy == Strategy::Pipeline
        || resolved.strategy == Strategy::ThreeD;
    const Trainer trainer = trainerOf(resolved);
    if (!splits || (trainer != Trainer::Plain && trainer != Trainer::Lightning)
        || starterOf(resolved) == Starter::Accelerate)
        return {};
    return {{field::framework,
        u"“%1” gets no argument with its degrees (tensor %2, pipeline %3): it is not known as a program of Megatron-LM, so "
        "none of Megatron's arguments are written. Name the framework, or give the program its own options in the command."_s
            .arg(resolved.command.section(u' ', 0, 0).left(60), QString::number(resolved.tensor),
                QString::number(resolved.pipeline)),
        Fix{u"It is Megatron-LM"_s, [](JobSpec& spec) { spec.training.framework = Framework::MegatronCore; }}}};
}

} // namespace

QList<DesignRule> trainingChecks()
{
    return {
        {{u"R108"_s, u"single-with-gpus"_s, Severity::Warning, {}, {}, u"PyTorch documentation; rule R01"_s},
            singleWithGpus},
        {{u"R110"_s, u"launcher-strategy"_s, Severity::Error, {}, {},
             u"launch contracts of the frameworks; rules R01, R41"_s},
            launcherMismatch},
        {{u"R39"_s, u"parallel-degrees"_s, Severity::Error, {}, {}, u"Megatron-LM documentation; rule R39"_s},
            parallelDegrees},
        {{u"R137"_s, u"degrees-unsaid"_s, Severity::Hint, {}, {}, u"launch contracts of the frameworks; rule R39"_s},
            degreesUnsaid},
        {{u"R104"_s, u"size-range"_s, Severity::Error, {}, {}, u"arithmetic"_s}, batchRange},
        {{u"R105"_s, u"batch-split"_s, Severity::Warning, {}, {},
             u"global = micro × accumulation × data-parallel ranks"_s},
            batchSplit},
        {{u"R106"_s, u"fp16-mi250x"_s, Severity::Warning, {}, {},
             u"LUMI user coffee break, March 2026, question 23; OLCF Frontier user guide"_s},
            fp16OnMi250x},
        {{u"R107"_s, u"bf16-v100"_s, Severity::Warning, {}, {}, u"NVIDIA V100 data sheet"_s}, bf16OnV100},
        {{u"R165"_s, u"float8-units"_s, Severity::Error, {}, {},
             u"data sheets of the GPUs (resources/planner/gpus.json)"_s},
            float8Units},
        {{u"R166"_s, u"stage-cut"_s, Severity::Error, {}, {},
             u"Megatron-LM, megatron/training/arguments.py: layers per pipeline stage"_s},
            stageCut},
        {{u"R167"_s, u"stack-cannot"_s, Severity::Error, {}, {},
             u"documentation of the stacks (docs/planner.md, What a stack can do)"_s},
            stackCannot},
        {{u"L39"_s, u"lightning-job-name"_s, Severity::Error, {}, {}, u"Lightning documentation, SLURMEnvironment"_s},
            lightningName},
    };
}

} // namespace rankwright::inline script
