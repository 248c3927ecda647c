// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/trainerfiles.h"

#include "models/planner/design/batchplan.h"
#include "models/planner/design/plannedrun.h"
#include "models/script/write/launchlayout.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

const QString zeroSource = u"R28"_s;

/// What the estimate reads: the files say the same.
PlannedRun plannedBy(const ResolvedSpec& resolved)
{
    return planTraining(resolved, planBatch(resolved), namedModel(resolved.spec).value_or(ModelShape()));
}

int zeroStage(Strategy strategy)
{
    switch (strategy) {
    case Strategy::Zero1: return 1;
    case Strategy::Zero2: return 2;
    case Strategy::Zero3: return 3;
    default: return 0;
    }
}

QString stageReason(int stage)
{
    switch (stage) {
    case 0: return u"Every rank holds the whole state of the training, as with plain data parallelism."_s;
    case 1: return u"The optimiser's state is split over the ranks; weights and gradients are whole on each."_s;
    case 2: return u"Optimiser state and gradients are split over the ranks; the weights are whole on each."_s;
    default: return u"Weights, gradients and optimiser state are split over the ranks."_s;
    }
}

/// Lines of one block "key: { ... }"; commas are set when the file is put together.
using Block = QList<ScriptLine>;

Block one(const QString& text, const QList<FieldPath>& origins, const QString& reason)
{
    return {{u"  "_s + text, origins, reason, zeroSource}};
}

ConfigFile jsonFile(const QString& name, const QString& title, const QList<Block>& blocks)
{
    ConfigFile file{name, title, {{u"{"_s, {field::strategy}, u"Start of the configuration."_s, zeroSource}}};
    for (qsizetype i = 0; i < blocks.size(); ++i) {
        file.lines += blocks.at(i);
        if (i + 1 < blocks.size())
            file.lines.last().text += u',';
    }
    file.lines.append({u"}"_s, {field::strategy}, u"End of the configuration."_s, zeroSource});
    return file;
}

QList<Block> batchBlocks(const ResolvedSpec& resolved, bool trainerClass)
{
    const BatchPlan batch = planBatch(resolved);
    const QString automatic = u"\"auto\""_s;
    const QString reason = trainerClass ? u"The Trainer fills in its own value, so that the two cannot disagree."_s
                                        : u"Has to agree with global batch = micro-batch x accumulation x ranks."_s;
    return {
        one(u"\"train_micro_batch_size_per_gpu\": "_s + (trainerClass ? automatic : QString::number(batch.microBatch)),
            {field::microBatch, field::globalBatch}, reason),
        one(u"\"gradient_accumulation_steps\": "_s
                + (trainerClass ? automatic : QString::number(batch.gradientAccumulation)),
            {field::globalBatch, field::microBatch}, reason)};
}

QList<Block> precisionBlocks(const ResolvedSpec& resolved, bool trainerClass)
{
    const Precision precision = resolved.precision;
    const QList<FieldPath> origins{field::precision};
    if (trainerClass)
        return {one(u"\"bf16\": { \"enabled\": \"auto\" }"_s, origins, u"As passed to the Trainer."_s),
            one(u"\"fp16\": { \"enabled\": \"auto\" }"_s, origins, u"As passed to the Trainer."_s)};
    if (precision == Precision::Bf16Mixed || precision == Precision::Bf16)
        return {one(u"\"bf16\": { \"enabled\": true }"_s, origins, u"Computes in bf16, keeps the weights in fp32."_s)};
    if (precision == Precision::Fp16Mixed)
        return {one(u"\"fp16\": { \"enabled\": true }"_s, origins,
            u"Computes in fp16 with a loss scale that DeepSpeed adjusts."_s)};
    return {};
}

/// Activations are the program's to offload: no file of a trainer has a word for it.
Offload offloadOf(const ResolvedSpec& resolved)
{
    const Offload offload = resolved.offload.value_or(Offload::None);
    return offload == Offload::Activations ? Offload::None : offload;
}

/// Where the node's own memory takes what the GPUs have no room for (DeepSpeed configuration JSON, "ZeRO
/// Optimizations": offload_optimizer for stages 1 to 3, offload_param for stage 3).
QString offloadText(const QString& member)
{
    return u"\"%1\": {\"device\": \"cpu\", \"pin_memory\": true}"_s.arg(member);
}

Block zeroBlock(int stage, Offload offload)
{
    const QList<FieldPath> origins{field::strategy};
    Block block{{u"  \"zero_optimization\": {"_s, origins, u"How the state of the training is split."_s, zeroSource},
        {u"    \"stage\": %1"_s.arg(stage), origins, stageReason(stage), zeroSource}};
    const auto add = [&](const QString& text, const QString& reason) {
        block.last().text += u',';
        block.append({u"    "_s + text, origins, reason, zeroSource});
    };
    if (stage > 0) {
        add(u"\"overlap_comm\": true"_s, u"Gradients travel while the backward pass still computes."_s);
        add(u"\"contiguous_gradients\": true"_s, u"Keeps gradients in one piece, against fragmented memory."_s);
    }
    if (stage == 3)
        add(u"\"stage3_gather_16bit_weights_on_model_save\": true"_s,
            u"Saving collects the whole model; otherwise each rank writes its shard only."_s);
    if (stage > 0 && offload != Offload::None)
        add(offloadText(u"offload_optimizer"_s),
            u"Keeps the optimiser's state in the node's memory: slower, but fits."_s);
    if (stage == 3 && offload == Offload::OptimizerAndParameters)
        add(offloadText(u"offload_param"_s), u"Keeps the weights in the node's memory, too."_s);
    block.append({u"  }"_s, origins, u"End of the block."_s, zeroSource});
    return block;
}

/// Collects "key: value" lines of YAML or TOML.
struct Lines {
    QString source;
    QList<ScriptLine> all;
    void add(const QString& text, const QList<FieldPath>& origins, const QString& reason)
    {
        all.append({text, origins, reason, source});
    }
};

QString acceleratePrecision(Precision precision)
{
    if (precision == Precision::Bf16Mixed)
        return u"bf16"_s;
    return precision == Precision::Fp16Mixed ? u"fp16"_s : u"'no'"_s; // quoted: a bare no is false in YAML
}

void addShardedOptions(Lines& lines, const ResolvedSpec& resolved)
{
    const QList<FieldPath> origins{field::strategy};
    const bool hybrid = resolved.strategy == Strategy::Hsdp;
    const bool reshards = resolved.spec.parallel.reshard.value_or(true);
    const QList<FieldPath> reshardOrigins{field::strategy, field::reshard};
    lines.add(u"fsdp_config:"_s, origins, u"How accelerate wraps the model for FSDP."_s);
    if (resolved.spec.training.framework == Framework::Fsdp2 && !hybrid) {
        lines.add(u"  fsdp_version: 2"_s, {field::framework}, u"The newer implementation in PyTorch."_s);
        lines.add(u"  fsdp_reshard_after_forward: %1"_s.arg(reshards ? u"true"_s : u"false"_s), reshardOrigins,
            reshards ? u"Weights are split again after each layer."_s
                     : u"Gathered weights stay until the backward pass: less traffic, more memory."_s);
    } else {
        const QString kind = reshards ? (hybrid ? u"HYBRID_SHARD"_s : u"FULL_SHARD"_s)
                                      : (hybrid ? u"HYBRID_SHARD_ZERO2"_s : u"SHARD_GRAD_OP"_s);
        lines.add(u"  fsdp_sharding_strategy: "_s + kind, reshardOrigins,
            hybrid ? u"Split within a node, copied between nodes: less traffic on the network."_s
                   : u"Weights, gradients and optimiser state are split over all ranks."_s);
    }
    lines.add(u"  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP"_s, origins,
        u"One unit per transformer block, so that one block at a time is gathered."_s);
    lines.add(u"  fsdp_state_dict_type: SHARDED_STATE_DICT"_s, origins,
        u"Each rank saves its shard; a whole state would have to fit one rank."_s);
    if (resolved.activationCheckpointing == ActivationCheckpointing::Full)
        lines.add(u"  fsdp_activation_checkpointing: true"_s, {field::activationCheckpointing},
            u"Activations are computed again instead of kept."_s);
    if (offloadOf(resolved) == Offload::OptimizerAndParameters)
        lines.add(u"  fsdp_offload_params: true"_s, {field::offload},
            u"Keeps shards in the node's memory: slower, but fits."_s);
}

/// Degrees beside FSDP 2 (accelerate v1.10, docs/source/concept_guides and parallelism_config.py).
void addDegrees(Lines& lines, const ResolvedSpec& resolved)
{
    const bool isNewer = resolved.spec.training.framework == Framework::Fsdp2 && resolved.strategy == Strategy::Fsdp;
    if (!isNewer || resolved.tensor * resolved.context == 1)
        return;
    lines.add(u"parallelism_config:"_s, {field::tensor, field::context}, u"How the ranks are arranged."_s);
    const auto add = [&lines](const QString& name, int degree, const QList<FieldPath>& origins, const QString& reason) {
        lines.add(u"  parallelism_config_%1: %2"_s.arg(name).arg(degree), origins, reason);
    };
    add(u"dp_shard_size"_s, resolved.dataParallel(), {field::strategy}, u"Ranks that the states are split over."_s);
    add(u"tp_size"_s, resolved.tensor, {field::tensor}, u"Ranks that share each layer; neighbours within a node."_s);
    add(u"cp_size"_s, resolved.context, {field::context}, u"Ranks that share each sequence."_s);
}

void addZeroOptions(Lines& lines, const ResolvedSpec& resolved)
{
    const int stage = zeroStage(resolved.strategy);
    const QList<FieldPath> origins{field::strategy};
    lines.add(u"deepspeed_config:"_s, origins, u"How accelerate sets up DeepSpeed."_s);
    lines.add(u"  deepspeed_multinode_launcher: standard"_s, {field::launcher},
        u"Workers are started by this job's tasks; the default would log in to the other nodes by ssh."_s);
    lines.add(u"  gradient_accumulation_steps: %1"_s.arg(planBatch(resolved).gradientAccumulation),
        {field::globalBatch}, u"Accumulation steps per optimiser step."_s);
    lines.add(u"  zero_stage: %1"_s.arg(stage), origins, stageReason(stage));
    if (stage == 3) {
        lines.add(u"  zero3_init_flag: true"_s, origins, u"The model is split while it is built, not after."_s);
        lines.add(u"  zero3_save_16bit_model: true"_s, origins, u"Saving collects the whole model."_s);
    }
    const Offload offload = offloadOf(resolved);
    if (offload != Offload::None)
        lines.add(u"  offload_optimizer_device: cpu"_s, {field::offload},
            u"Keeps the optimiser's state in the node's memory: slower, but fits."_s);
    if (stage == 3 && offload == Offload::OptimizerAndParameters)
        lines.add(
            u"  offload_param_device: cpu"_s, {field::offload}, u"Keeps the weights in the node's memory, too."_s);
}

void addMegatronOptions(Lines& lines, const ResolvedSpec& resolved)
{
    lines.add(u"megatron_lm_config:"_s, {field::strategy}, u"How accelerate sets up Megatron-LM."_s);
    lines.add(
        u"  megatron_lm_tp_degree: %1"_s.arg(resolved.tensor), {field::tensor}, u"Ranks that share each layer."_s);
    lines.add(u"  megatron_lm_pp_degree: %1"_s.arg(resolved.pipeline), {field::pipeline},
        u"Stages that the layers are cut into."_s);
    const Layout layout = plannedBy(resolved).layout;
    const auto flag = [](bool value) { return value ? u"true"_s : u"false"_s; };
    lines.add(u"  megatron_lm_sequence_parallelism: "_s + flag(layout.sequenceParallel), {field::sequenceParallel},
        u"Norms and dropout are split over the tensor ranks, too."_s);
    lines.add(u"  megatron_lm_use_distributed_optimizer: "_s + flag(layout.sharding == Sharding::OptimizerStates),
        {field::shardOptimizer, field::strategy}, u"Splits the optimiser's state over the data-parallel ranks."_s);
    lines.add(u"  megatron_lm_recompute_activations: "_s
            + flag(resolved.activationCheckpointing.value_or(ActivationCheckpointing::None)
                == ActivationCheckpointing::Selective),
        {field::activationCheckpointing}, u"Computes attention again instead of keeping it."_s);
    lines.add(u"  megatron_lm_num_micro_batches: %1"_s.arg(planBatch(resolved).gradientAccumulation),
        {field::globalBatch}, u"Micro-batches in flight; many keep the pipeline full."_s);
}

/// torchtitan's name of a model, for presets whose name says it: "llama-3-8b" -> llama3, 8B.
void addTitanModel(Lines& lines, const ResolvedSpec& resolved)
{
    static const QRegularExpression llama(
        u"^llama-?3(?:\\.1)?-(\\d{1,3}b)$"_s, QRegularExpression::CaseInsensitiveOption);
    const auto match = llama.match(resolved.spec.model.value(u"preset"_s).toString());
    const Float8 float8 = resolved.spec.training.float8.value_or(Float8::None);
    if (!match.hasMatch() && float8 == Float8::None)
        return;
    lines.add(u"[model]"_s, {field::model, field::float8}, u"Which model is built, and how."_s);
    if (match.hasMatch()) {
        lines.add(u"name = \"llama3\""_s, {field::model}, u"torchtitan's name of the family."_s);
        lines.add(u"flavor = \"%1\""_s.arg(match.captured(1).toUpper()), {field::model}, u"Its size."_s);
    }
    if (float8 == Float8::None)
        return;
    lines.add(u"converters = [\"quantize.linear.float8\"]"_s, {field::float8}, u"Linear layers in 8 bit (torchao)."_s);
    lines.add(u"[quantize.linear.float8]"_s, {field::float8}, u"How they are scaled."_s);
    lines.add(u"recipe_name = \"%1\""_s.arg(toText(float8)), {field::float8}, u"One scale for each tensor, or row."_s);
}

/// How torchtitan spreads what the degrees leave open. Names of v0.2 (torchtitan/config/job_config.py).
void addTitanSpread(Lines& lines, const PlannedRun& run, const JobSpec::Parallel& asked)
{
    const Layout& layout = run.layout;
    const qint64 layers = run.workload.shape.layers, pieces = qint64(layout.pipeline) * layout.virtualStages;
    if (layout.virtualStages > 1) {
        lines.add(u"pipeline_parallel_schedule = \"Interleaved1F1B\""_s, {field::virtualStages},
            u"Each stage holds several shorter chunks, so that it waits less."_s);
        if (layers > 0)
            lines.add(u"pipeline_parallel_layers_per_stage = %1"_s.arg((layers + pieces - 1) / pieces),
                {field::virtualStages, field::pipeline}, u"Layers of one chunk."_s);
    }
    if (layout.pipeline > 1 && layers > 0) {
        const StageLayers cut = stageLayers(pipelineLayers(run.workload.shape), layout);
        lines.add(u"pipeline_parallel_first_stage_less_layers = %1"_s.arg(cut.inner - cut.first),
            {field::firstStageLayers, field::pipeline}, u"Layers that the first chunk has less than others."_s);
        lines.add(u"pipeline_parallel_last_stage_less_layers = %1"_s.arg(cut.inner - cut.last),
            {field::lastStageLayers, field::pipeline}, u"The same of the last one; torchtitan's default is 1."_s);
    }
    if (layout.context > 1)
        lines.add(u"context_parallel_degree = %1"_s.arg(layout.context), {field::context},
            u"Ranks that share each sequence."_s);
    if (layout.expert > 1)
        lines.add(u"expert_parallel_degree = %1"_s.arg(layout.expert), {field::expert},
            u"Ranks that share one set of experts; without it each holds all of them."_s);
    if (layout.sharding != Sharding::Full || (layout.pipeline > 1 && !asked.reshard))
        return; // with a pipeline torchtitan's default keeps gathered weights, as the estimate does
    lines.add(u"fsdp_reshard_after_forward = \"%1\""_s.arg(layout.reshardAfterForward ? u"always"_s : u"never"_s),
        {field::reshard, field::strategy},
        layout.reshardAfterForward ? u"Weights are split again after each layer."_s
                                   : u"Gathered weights stay until the backward pass: less traffic, more memory."_s);
}

/// torchtitan recomputes by itself (mode "selective") unless it is told not to.
void addTitanMemory(Lines& lines, const ResolvedSpec& resolved, const PlannedRun& run)
{
    const bool hasEstimate = !resolved.spec.model.isEmpty();
    const auto& mode = resolved.activationCheckpointing;
    if (mode || hasEstimate) {
        const auto taken = mode.value_or(ActivationCheckpointing::None);
        lines.add(u"[activation_checkpoint]"_s, {field::activationCheckpointing}, u"Memory against time."_s);
        lines.add(u"mode = \"%1\""_s.arg(toText(taken)), {field::activationCheckpointing},
            u"Which activations are computed again instead of kept."_s);
        if (taken == ActivationCheckpointing::Selective)
            lines.add(u"selective_ac_option = \"op\""_s, {field::activationCheckpointing},
                u"Every second matrix product is kept; the default would skip every second layer."_s);
    }
    if (run.workload.compiled) {
        lines.add(u"[compile]"_s, {field::compile}, u"torch.compile."_s);
        lines.add(u"enable = true"_s, {field::compile}, u"Fuses small operations; takes some minutes to start."_s);
    }
}

void addTitanTraining(Lines& lines, const ResolvedSpec& resolved)
{
    const auto& training = resolved.spec.training;
    const BatchPlan batch = planBatch(resolved);
    lines.add(u"[training]"_s, {field::globalBatch}, u"Batch, sequence and precision."_s);
    lines.add(u"local_batch_size = %1"_s.arg(batch.microBatch), {field::microBatch},
        u"Sequences that one rank computes at a time."_s);
    lines.add(u"global_batch_size = %1"_s.arg(batch.globalBatch), {field::globalBatch},
        u"Sequences of all ranks per optimiser step."_s);
    if (training.sequence)
        lines.add(u"seq_len = %1"_s.arg(*training.sequence), {field::sequence}, u"Tokens of one sequence."_s);
    const bool full = resolved.precision == Precision::Fp32 || resolved.precision == Precision::Tf32;
    lines.add(u"mixed_precision_param = \"%1\""_s.arg(full ? u"float32"_s : u"bfloat16"_s), {field::precision},
        u"Type in which layers compute; torchtitan offers no fp16."_s);
    if (offloadOf(resolved) == Offload::OptimizerAndParameters)
        lines.add(u"enable_cpu_offload = true"_s, {field::offload},
            u"Keeps shards and optimiser in the node's memory: slower, but fits."_s);
}

} // namespace

ConfigFile deepspeedConfig(const ResolvedSpec& resolved)
{
    const bool trainerClass = trainerOf(resolved) == Trainer::HfTrainer;
    QList<Block> blocks = batchBlocks(resolved, trainerClass) + precisionBlocks(resolved, trainerClass);
    blocks.append(zeroBlock(zeroStage(resolved.strategy), offloadOf(resolved)));
    return jsonFile(u"ds_config.json"_s, u"DeepSpeed"_s, blocks);
}

ConfigFile accelerateConfig(const ResolvedSpec& resolved)
{
    Lines lines{u"R27"_s, {}};
    lines.add(u"compute_environment: LOCAL_MACHINE"_s, {field::launcher},
        u"Not a cloud service; Slurm brings the machines."_s);
    const Strategy strategy = resolved.strategy;
    const bool sharded = strategy == Strategy::Fsdp || strategy == Strategy::Hsdp;
    const bool layers = strategy == Strategy::Tensor || strategy == Strategy::Pipeline || strategy == Strategy::ThreeD;
    const bool zero = zeroStage(strategy) > 0 || resolved.spec.training.framework == Framework::Deepspeed;
    const bool alone = resolved.nodes * workersPerNode(resolved) == 1;
    const QString type = sharded ? u"FSDP"_s
        : layers                 ? u"MEGATRON_LM"_s
        : zero                   ? u"DEEPSPEED"_s
        : alone                  ? u"'NO'"_s
                                 : u"MULTI_GPU"_s;
    lines.add(u"distributed_type: "_s + type, {field::strategy}, u"How the ranks share the work."_s);
    lines.add(u"mixed_precision: "_s + acceleratePrecision(resolved.precision), {field::precision},
        u"Precision that accelerate prepares the model for."_s);
    if (sharded) {
        addShardedOptions(lines, resolved);
        addDegrees(lines, resolved);
    } else if (layers) {
        addMegatronOptions(lines, resolved);
    } else if (zero) {
        addZeroOptions(lines, resolved);
    }
    if (resolved.spec.training.compile.value_or(false)) {
        lines.add(u"dynamo_config:"_s, {field::compile}, u"torch.compile, before the model is wrapped."_s);
        lines.add(u"  dynamo_backend: INDUCTOR"_s, {field::compile}, u"PyTorch's own compiler."_s);
    }
    lines.add(u"use_cpu: false"_s, {field::gpusPerNode}, u"Trains on the GPUs."_s);
    return {u"accelerate.yaml"_s, u"accelerate"_s, lines.all};
}

ConfigFile titanConfig(const ResolvedSpec& resolved)
{
    Lines lines{u"R39"_s, {}};
    addTitanModel(lines, resolved);
    addTitanTraining(lines, resolved);
    const int data = resolved.dataParallel();
    const int copies = resolved.strategy == Strategy::Ddp ? data
        : resolved.strategy == Strategy::Hsdp             ? qMin(resolved.nodes, data)
                                                          : 1;
    lines.add(u"[parallelism]"_s, {field::strategy}, u"How the ranks are arranged; the degrees multiply up."_s);
    lines.add(u"data_parallel_replicate_degree = %1"_s.arg(copies), {field::strategy, field::nodes},
        u"Copies of the model."_s);
    lines.add(u"data_parallel_shard_degree = %1"_s.arg(qMax(1, data / qMax(1, copies))),
        {field::strategy, field::gpusPerNode}, u"Ranks that each copy is split over."_s);
    lines.add(u"tensor_parallel_degree = %1"_s.arg(resolved.tensor), {field::tensor},
        u"Ranks that share each layer; neighbours within a node."_s);
    lines.add(u"pipeline_parallel_degree = %1"_s.arg(resolved.pipeline), {field::pipeline},
        u"Stages that the layers are cut into."_s);
    const PlannedRun run = plannedBy(resolved);
    addTitanSpread(lines, run, resolved.spec.parallel);
    addTitanMemory(lines, resolved, run);
    return {u"titan.toml"_s, u"torchtitan"_s, lines.all};
}

QList<ScriptLine> titanArguments(const ResolvedSpec& resolved)
{
    QList<ScriptLine> arguments;
    QString section;
    for (ScriptLine line : titanConfig(resolved).lines) {
        if (line.text.startsWith(u'[')) {
            section = line.text.mid(1, line.text.indexOf(u']') - 1);
            continue;
        }
        if (section != u"training"_s && section != u"parallelism"_s && section != u"compile"_s)
            continue;
        const QString value = line.text.section(u" = "_s, 1).remove(u'"');
        line.text = u"--"_s + section + u'.' + line.text.section(u" = "_s, 0, 0);
        if (value != u"true"_s) // tyro's flags take no value
            line.text += u'=' + value;
        arguments.append(line);
    }
    return arguments;
}

} // namespace rankwright::inline script
