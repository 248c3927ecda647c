// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/templates/designtemplates.h"

#include "models/cluster/catalogue/catalogue.h"
#include "models/core/quantitytext.h"
#include "models/planner/design/batchplan.h"
#include "models/planner/design/partitionchoice.h"
#include "models/planner/design/rankplaces.h"
#include "models/planner/design/strategyname.h"
#include "models/planner/planning/designestimate.h"

#include <QJsonObject>

#include <array>

namespace rankwright::inline planner {

using namespace Qt::StringLiterals;

namespace {

constexpr int longestProposed = 24 * 3600;
constexpr QLatin1StringView allInputs("inputs.txt"); // one to a line

/// One template: what it is called, the designs to try, the most wanted first, and the line that says what came out.
/// `gpus`: of a node. A template that takes whole nodes is not offered where it is not known how large these are.
struct Recipe {
    QLatin1StringView id;
    QString (*title)(const QString& gpuWord);
    bool wholeNodes;
    QList<JobSpec> (*designs)(int gpus);
    QString (*summary)(const ResolvedSpec& resolved, const ClusterProfile& profile);
};

JobSpec begun(const QString& name, const QString& command)
{
    JobSpec spec;
    spec.name = name;
    spec.command = command;
    spec.monitor.sampler = true; // as whatever is begun in the window: it records itself unless one says no
    return spec;
}

JobSpec sized(JobSpec spec, int nodes, int gpus, Strategy strategy, qint64 globalBatch)
{
    spec.resources.nodes = nodes;
    spec.resources.gpusPerNode = gpus;
    spec.parallel.strategy = strategy;
    spec.training.globalBatch = globalBatch;
    spec.program.microBatch = u"--batch-size"_s; // the program is the user's to replace: most call it so
    return spec;
}

JobSpec withModel(JobSpec spec, const QString& preset)
{
    spec.model = QJsonObject{{u"preset"_s, preset}};
    return spec;
}

QList<JobSpec> oneGpu(int) { return {sized(begun(u"first-try"_s, u"train.py"_s), 1, 1, Strategy::Single, 32)}; }

QList<JobSpec> wholeNode(int gpus)
{
    JobSpec spec = sized(begun(u"whole-node"_s, u"train.py"_s), 1, gpus, Strategy::Ddp, 256);
    spec.launcher = Launcher::Torchrun;
    return {spec};
}

/// Bound to cores where that can be had, else without.
QList<JobSpec> boundRanks(int gpus)
{
    JobSpec spec = sized(begun(u"bound-ranks"_s, u"train.py"_s), 1, gpus, Strategy::Ddp, 256);
    spec.launcher = Launcher::Srun;
    return {spec};
}

QList<JobSpec> twoNodes(int gpus) { return {sized(begun(u"two-nodes"_s, u"train.py"_s), 2, gpus, Strategy::Ddp, 512)}; }

QList<JobSpec> fineTuning(int gpus)
{
    QList<JobSpec> designs;
    for (const int nodes : {1, 2, 4, 8}) {
        for (const bool recompute : {false, true}) {
            JobSpec spec = withModel(
                sized(begun(u"llama8b"_s, u"finetune.py"_s), nodes, gpus, Strategy::Fsdp, 64), u"llama-3-8b"_s);
            spec.program.accumulation = u"--gradient-accumulation-steps"_s;
            if (recompute)
                spec.training.activationCheckpointing = ActivationCheckpointing::Full;
            designs.append(spec);
        }
    }
    return designs;
}

/// Adapters of rank 16 on all linear layers are 0.5 % of the parameters (Hu et al. 2021, arXiv:2106.09685).
QList<JobSpec> adapters(int)
{
    QList<JobSpec> designs;
    for (const FrozenWeights frozen : {FrozenWeights::Bf16, FrozenWeights::Nf4}) {
        JobSpec spec
            = withModel(sized(begun(u"lora"_s, u"finetune_lora.py"_s), 1, 1, Strategy::Single, 16), u"llama-3-8b"_s);
        spec.program.accumulation = u"--gradient-accumulation-steps"_s;
        spec.training.sequence = 2048;
        spec.training.trainedFraction = 0.005;
        spec.training.frozen = frozen;
        spec.training.activationCheckpointing = ActivationCheckpointing::Full;
        designs.append(spec);
    }
    return designs;
}

/// Tensor-parallel within a node, up to 8 as Megatron-LM advises; with enough GPUs that every rank keeps a few billion
/// parameters.
QList<JobSpec> threeDimensions(int gpus)
{
    QList<JobSpec> designs;
    int tensor = 1;
    while (tensor < 8 && gpus % (tensor * 2) == 0)
        tensor *= 2;
    for (const int total : {128, 64, 256, 32}) {
        for (const bool recompute : {false, true}) {
            for (const int pipeline : {4, 8, 16}) {
                if (total % (tensor * pipeline) != 0 || total % gpus != 0)
                    continue;
                JobSpec spec = withModel(
                    sized(begun(u"llama70b"_s, u"pretrain_gpt.py"_s), total / gpus, gpus, Strategy::ThreeD, 1024),
                    u"llama-3-70b"_s);
                spec.training.framework = Framework::MegatronCore;
                spec.program = {}; // Megatron-LM's own options are written
                spec.training.microBatch = 1;
                spec.parallel.tensor = tensor;
                spec.parallel.pipeline = pipeline;
                if (recompute)
                    spec.training.activationCheckpointing = ActivationCheckpointing::Full;
                designs.append(spec);
            }
        }
    }
    return designs;
}

QList<JobSpec> zero3(int gpus)
{
    QList<JobSpec> designs;
    for (const int nodes : {4, 8}) {
        for (const bool recompute : {false, true}) {
            JobSpec spec = withModel(
                sized(begun(u"zero3"_s, u"train_ds.py"_s), nodes, gpus, Strategy::Zero3, 256), u"llama-2-13b"_s);
            spec.training.framework = Framework::Deepspeed;
            spec.program = {}; // in DeepSpeed's configuration
            if (recompute)
                spec.training.activationCheckpointing = ActivationCheckpointing::Full;
            designs.append(spec);
        }
    }
    return designs;
}

/// Slurm's limit is not the training's: it saves, queues itself again and goes on.
QList<JobSpec> longerThanTheLimit(int gpus)
{
    JobSpec spec = sized(begun(u"long-run"_s, u"train.py --checkpoint checkpoints/last.pt --checkpoint-every 500"_s), 1,
        gpus, Strategy::Ddp, 256);
    spec.options.requeueAtLimit = 5;
    spec.options.resumeArguments = u"--resume"_s;
    return {spec};
}

/// The program's words stand in the script as typed, so the rate of each task comes to it by a variable.
QList<JobSpec> tenRates(int)
{
    JobSpec spec = sized(begun(u"learning-rates"_s, u"train.py"_s), 1, 1, Strategy::Single, 32);
    spec.options.array = u"0-9"_s;
    spec.environment.setup = {u"rates=(1e-5 2e-5 5e-5 1e-4 2e-4 5e-4 1e-3 2e-3 5e-3 1e-2)"_s,
        u"export LEARNING_RATE=${rates[SLURM_ARRAY_TASK_ID]}"_s};
    return {spec};
}

constexpr int inferenceTasks = 10;

/// Every task works on the lines of inputs.txt that are its own. The number of parts is written out: a task that is
/// started again alone (--array=3) gets the part that it had.
QList<JobSpec> inferenceArray(int)
{
    JobSpec spec = begun(u"inference"_s, u"infer.py"_s);
    spec.resources.nodes = 1;
    spec.resources.gpusPerNode = 1;
    spec.parallel.strategy = Strategy::Single;
    spec.options.array = u"0-%1"_s.arg(inferenceTasks - 1);
    spec.environment.setup = {u"export INPUTS=inputs.$SLURM_ARRAY_TASK_ID.txt"_s,
        u"split --number=r/$((SLURM_ARRAY_TASK_ID + 1))/%1 %2 > \"$INPUTS\""_s.arg(inferenceTasks).arg(allInputs)};
    return {spec};
}

QList<JobSpec> horovod(int gpus)
{
    QList<JobSpec> designs;
    for (const int nodes : {2, 1}) {
        designs.append(sized(begun(u"horovod"_s, u"train_tf.py"_s), nodes, gpus, Strategy::Horovod, 256));
        designs.last().launcher = Launcher::Horovod;
    }
    return designs;
}

/// The program stays open: no name that is made up would be the user's. The script says what is to be filled in.
QList<JobSpec> ownScript(int gpus)
{
    JobSpec spec = sized(begun(u"my-script"_s, {}), 1, gpus, Strategy::Ddp, 256);
    spec.command.reset();
    spec.program = {};
    spec.environment.setup = {
        u"# Fill in: your program (Command) and what it needs: modules, a virtual environment, conda or a container"_s};
    return {spec};
}

QString gpusOf(const ResolvedSpec& resolved) { return gpusText(resolved.worldSize(), resolved.node.gpu.word); }

const std::array<Recipe, 13>& recipes()
{
    using R = const ResolvedSpec&;
    using P = const ClusterProfile&;
    static const std::array<Recipe, 13> all{{
        {"one-gpu"_L1, [](const QString& gpu) { return u"One %1, first try"_s.arg(gpu); }, false, oneGpu,
            [](R resolved, P) { return u"single · %1"_s.arg(gpusOf(resolved)); }},
        {"whole-node"_L1, [](const QString&) { return u"A whole node"_s; }, true, wholeNode,
            [](R resolved, P) { return u"DDP · torchrun · %1"_s.arg(gpusOf(resolved)); }},
        {"bound-ranks"_L1, [](const QString&) { return u"srun with CPU binding"_s; }, true, boundRanks,
            [](R resolved, P profile) {
                return u"DDP · %1 %2"_s.arg(counted(resolved.worldSize(), u"rank"_s),
                    planRanks(resolved, profile).bound ? u"on their cores"_s : u"started by srun"_s);
            }},
        {"two-nodes"_L1, [](const QString&) { return u"Two nodes"_s; }, true, twoNodes,
            [](R resolved, P) { return u"DDP · %1"_s.arg(gpusOf(resolved)); }},
        {"fine-tune-8b"_L1, [](const QString&) { return u"Fine-tune Llama 3 8B"_s; }, true, fineTuning,
            [](R resolved, P) { return u"FSDP · %1"_s.arg(nodesText(resolved.nodes)); }},
        {"lora-8b"_L1, [](const QString& gpu) { return u"LoRA on one %1"_s.arg(gpu); }, false, adapters,
            [](R resolved, P) {
                return resolved.spec.training.frozen == FrozenWeights::Nf4 ? u"Llama 3 8B · frozen base in 4 bit"_s
                                                                           : u"Llama 3 8B · frozen base"_s;
            }},
        {"pretrain-70b"_L1, [](const QString&) { return u"Pre-train a 70B"_s; }, true, threeDimensions,
            [](R resolved, P) { return u"3D · %1"_s.arg(nodesText(resolved.nodes)); }},
        {"zero-3"_L1, [](const QString&) { return u"DeepSpeed ZeRO-3"_s; }, true, zero3,
            [](R resolved, P) { return u"%1 · its JSON written"_s.arg(nodesText(resolved.nodes)); }},
        {"longer"_L1, [](const QString&) { return u"Longer than the limit"_s; }, true, longerThanTheLimit,
            [](R, P) { return u"saves, queues again, resumes"_s; }},
        {"ten-rates"_L1, [](const QString&) { return u"Ten learning rates"_s; }, false, tenRates,
            [](R resolved, P) { return u"array · 1 %1 each"_s.arg(resolved.node.gpu.word); }},
        {"inference-array"_L1, [](const QString&) { return u"Inference over many inputs"_s; }, false, inferenceArray,
            [](R resolved, P) {
                return u"array of %1 · 1 %2 each"_s.arg(QString::number(inferenceTasks), resolved.node.gpu.word);
            }},
        {"horovod"_L1, [](const QString&) { return u"TensorFlow with Horovod"_s; }, true, horovod,
            [](R resolved, P) { return u"Horovod · %1"_s.arg(gpusOf(resolved)); }},
        {"own-script"_L1, [](const QString&) { return u"My own script"_s; }, true, ownScript,
            [](R resolved, P) { return u"DDP · %1 · your program"_s.arg(gpusOf(resolved)); }},
    }};
    return all;
}

/// What the practice cluster has is one program; it takes and ignores arguments of others.
void adapt(JobSpec& spec, const ClusterProfile& profile)
{
    spec.cluster = profile.name;
    if (profile.name != QString::fromUtf16(practiceName) || !spec.model.isEmpty() || !spec.command)
        return;
    spec.environment.setup.replaceInStrings(QString(allInputs), u"<(seq 1 100)"_s); // no inputs lie there
    QString command = u"train_ddp.py --steps 90 --epochs 3 --seconds 60"_s;
    if (spec.training.globalBatch) {
        spec.program.globalBatch = u"--global-batch"_s;
        spec.program.microBatch = u"--micro-batch"_s;
    }
    if (spec.options.resumeArguments)
        command += u" --checkpoint last.pt"_s;
    if (spec.parallel.strategy == Strategy::Single)
        command += u" --alone"_s; // no launcher names its one rank
    spec.command = command;
}

/// Why a job cannot be run so, one sentence; empty: it can. What only the user knows is not checked.
QString obstacleOf(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    if (!profile.partitions.isEmpty()) {
        if (resolved.partitionInfo.offered == Partition::Offer::Never)
            return resolved.partition + u" is closed to ordinary batch jobs"_s;
        const PartitionRequest request{resolved.nodes, resolved.gpusPerNode, resolved.time};
        if (const QString found = partitionObstacle(request, resolved.partitionInfo, resolved.node); !found.isEmpty())
            return found;
        const double nodeHours = resolved.nodes * resolved.time.inHours();
        if (nodeHours > resolved.partitionInfo.maxNodeHours.value_or(nodeHours))
            return u"%1 allows fewer node-hours for a job"_s.arg(resolved.partition);
    }
    const auto& wanted = resolved.spec.resources;
    if (wanted.gpusPerNode.value_or(resolved.gpusPerNode) != resolved.gpusPerNode)
        return u"a node has "_s + gpusText(resolved.node.gpus, resolved.node.gpu.word);
    if (resolved.model.isEmpty())
        return {};
    const auto estimate = estimateDesign(resolved, planBatch(resolved), profile);
    if (!estimate)
        return estimate.error().what;
    if (mayRun(estimate->memory))
        return {};
    return u"%1 are needed on each %2, and %3 can be used"_s.arg(
        gibText(estimate->memory.totalBytes), resolved.node.gpu.word, gibText(estimate->memory.usableBytes));
}

/// As long as a job may be there, up to a day.
void useTheLimit(JobSpec& spec, const ClusterProfile& profile)
{
    const ResolvedSpec resolved = resolve(spec, profile);
    const auto limit = resolved.partitionInfo.maxTimeFor(resolved.nodes);
    spec.time = Seconds{qMin<qint64>(longestProposed, limit ? limit->count : longestProposed)};
}

void bindWhereItCanBe(JobSpec& spec, const ClusterProfile& profile)
{
    JobSpec bound = spec;
    bound.options.cpuBinding = true;
    if (planRanks(resolve(bound, profile), profile).bound)
        spec = bound;
}

/// The kind of nodes that a job of whole nodes gets in a partition; open: in the one that is proposed.
NodeShape nodeIn(const std::optional<QString>& partition, const ClusterProfile& profile)
{
    JobSpec spec;
    spec.cluster = profile.name;
    spec.partition = partition;
    spec.resources.nodes = 1;
    return resolve(spec, profile).node;
}

struct Attempt {
    std::optional<JobSpec> spec;
    QString obstacle; ///< the first
};

Attempt tryIn(const std::optional<QString>& partition, const Recipe& recipe, const ClusterProfile& profile)
{
    Attempt attempt;
    const NodeShape node = nodeIn(partition, profile);
    if (recipe.wholeNodes && (node.name.isEmpty() || node.gpus <= 0)) {
        attempt.obstacle = u"how many GPUs a node has is not known"_s;
        return attempt;
    }
    for (JobSpec spec : recipe.designs(qMax(1, node.gpus))) {
        adapt(spec, profile);
        spec.partition = partition;
        if (spec.options.requeueAtLimit)
            useTheLimit(spec, profile);
        if (recipe.id == "bound-ranks"_L1)
            bindWhereItCanBe(spec, profile);
        const QString obstacle = obstacleOf(resolve(spec, profile), profile);
        if (obstacle.isEmpty()) {
            attempt.spec = spec;
            return attempt;
        }
        if (attempt.obstacle.isEmpty())
            attempt.obstacle = obstacle;
    }
    if (attempt.obstacle.isEmpty())
        attempt.obstacle = u"the model cannot be split over its nodes"_s;
    return attempt;
}

/// The open partition first: then the design goes on choosing when its size is changed.
Attempt tryAll(const Recipe& recipe, const ClusterProfile& profile)
{
    Attempt first = tryIn({}, recipe, profile);
    if (first.spec)
        return first;
    for (const Partition& partition : profile.partitions) {
        if (partition.offered != Partition::Offer::Normal || !partition.admission.isEmpty())
            continue;
        Attempt further = tryIn(partition.name, recipe, profile);
        if (further.spec)
            return further;
    }
    return first;
}

/// A sentence within another: "How much is known." -> "how much is known".
QString asClause(QString sentence)
{
    if (sentence.endsWith(u'.'))
        sentence.chop(1);
    if (sentence.size() > 1 && sentence.at(1).isLower())
        sentence[0] = sentence.at(0).toLower();
    return sentence;
}

DesignTemplate templateOf(const Recipe& recipe, const ClusterProfile& profile)
{
    DesignTemplate made;
    made.id = recipe.id;
    const NodeShape usual = nodeIn({}, profile);
    made.title = recipe.title(usual.gpu.word);
    if (!profile.acceptsJobs) {
        made.whyNot = profile.retiredSince.isEmpty()
            ? u"%1 takes no jobs."_s.arg(profile.title)
            : u"%1 has taken no jobs since %2."_s.arg(profile.title, profile.retiredSince);
        return made;
    }
    Attempt attempt = tryAll(recipe, profile);
    if (!attempt.spec) {
        made.whyNot = u"Not on %1: %2."_s.arg(profile.title, asClause(attempt.obstacle));
        return made;
    }
    made.spec = *attempt.spec;
    const ResolvedSpec resolved = resolve(made.spec, profile);
    made.title = recipe.title(resolved.node.gpu.word);
    made.summary = recipe.summary(resolved, profile);
    return made;
}

} // namespace

QStringList templateIds()
{
    QStringList ids;
    for (const Recipe& recipe : recipes())
        ids.append(recipe.id);
    return ids;
}

DesignTemplate designTemplate(const QString& id, const ClusterProfile& profile)
{
    for (const Recipe& recipe : recipes()) {
        if (recipe.id == id)
            return templateOf(recipe, profile);
    }
    DesignTemplate none;
    none.id = id;
    none.whyNot = u"There is no template “%1”."_s.arg(id.left(60));
    return none;
}

QList<DesignTemplate> designTemplates(const ClusterProfile& profile)
{
    QList<DesignTemplate> all;
    for (const Recipe& recipe : recipes())
        all.append(templateOf(recipe, profile));
    return all;
}

} // namespace rankwright::inline planner
