// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/fieldwords.h"

#include <algorithm>
#include <iterator>

namespace rankwright::inline planner {

namespace {

struct WordRow {
    QLatin1StringView path;
    QLatin1StringView words;
};

using L = QLatin1StringView;

constexpr WordRow wordTable[]{
    {field::model, L("network parameters size llama gpt bert resnet hugging face architecture")},
    {field::sequence, L("context length tokens seq_len")},
    {field::precision, L("bf16 fp16 fp32 tf32 mixed dtype amp half float")},
    {field::activationCheckpointing, L("activation checkpointing gradient checkpointing recompute recomputation")},
    {field::attention, L("flash sdpa")},
    {field::optimizer, L("adam adamw sgd lamb adafactor optimiser")},
    {field::offload, L("cpu offload host memory")},
    {field::adapterMethod, L("lora qlora dora peft adapter fine-tuning finetuning full")},
    {field::adapterRank, L("lora rank r lora_r dim")},
    {field::adapterTargets, L("lora target_modules q_proj v_proj all-linear")},
    {field::adapterQuantisation, L("qlora nf4 int8 4 bit bitsandbytes load_in_4bit quantization")},
    {field::adapterAlpha, L("lora_alpha scale scaling")},
    {field::loss, L("cross entropy liger fused linear cut chunked logits")},
    {field::packed, L("packing sample_packing padding padded end to end")},
    {field::groupedExperts, L("grouped gemm --moe-grouped-gemm moe mixture of experts")},
    {field::framework,
        L("torchtune trl axolotl unsloth pytorch deepspeed megatron lightning transformers trainer stack library")},
    {field::float8, L("fp8 float8 transformer engine torchao 8 bit")},
    {field::compile, L("torch.compile inductor compiler")},
    {field::name, L("--job-name -J job name")},
    {field::cluster, L("site machine system host")},
    {field::account, L("--account -A project billing budget allocation")},
    {field::partition, L("--partition -p queue")},
    {field::reservation, L("--reservation workshop course")},
    {field::strategy, L("ddp fsdp zero horovod data parallel sharding 3d hsdp")},
    {field::tensor, L("tensor parallel tp split model parallel")},
    {field::pipeline, L("pipeline parallel pp stages bubble")},
    {field::context, L("context parallel cp sequence parallel ring attention")},
    {field::expert, L("expert parallel ep moe mixture of experts")},
    {field::firstStageLayers, L("--decoder-first-pipeline-num-layers uneven pipeline stages embedding")},
    {field::lastStageLayers, L("--decoder-last-pipeline-num-layers uneven pipeline stages head")},
    {field::virtualStages, L("virtual pipeline stages interleaved chunks vpp")},
    {field::sequenceParallel, L("--sequence-parallel sp norms dropout")},
    {field::shardOptimizer, L("--use-distributed-optimizer distributed optimizer zero 1 sharded states")},
    {field::reshard, L("reshard_after_forward shard_grad_op fsdp")},
    {field::globalBatch, L("global batch size total effective")},
    {field::microBatch, L("micro batch size per gpu per device train_batch_size")},
    {field::datasetSamples, L("dataset samples examples steps")},
    {field::datasetTokens, L("dataset tokens corpus steps")},
    {field::epochs, L("epochs passes")},
    {field::nodes, L("--nodes -N machines hosts")},
    {field::gpusPerNode, L("--gpus-per-node --gres --gpus gcd gpu accelerators devices")},
    {field::cpusPerGpu, L("--cpus-per-task --cpus-per-gpu -c cpu cores threads workers")},
    {field::memoryPerNode, L("--mem --mem-per-gpu ram host memory")},
    {field::time, L("--time -t walltime wall time limit duration hours")},
    {field::launcher, L("torchrun srun accelerate deepspeed mpirun start elastic")},
    {field::container, L("singularity apptainer image sif docker")},
    {field::modules, L("module load lmod")},
    {field::venv, L("virtualenv venv python environment pip")},
    {field::conda, L("conda mamba environment")},
    {field::setup, L("source export shell lines bash preamble")},
    {field::variables, L("environment variables export env nccl rccl omp_num_threads")},
    {field::command, L("program script python arguments train.py")},
    {field::microBatchOption, L("option argument passed batch size per gpu")},
    {field::accumulationOption, L("option argument passed gradient accumulation steps")},
    {field::globalBatchOption, L("option argument passed batch size total")},
    {field::epochsOption, L("option argument passed epochs")},
    {field::precisionOption, L("option argument passed bf16 fp16 dtype")},
    {field::workdir, L("--chdir -D directory folder working path")},
    {field::qos, L("--qos -q quality of service priority")},
    {field::constraint, L("--constraint -C feature")},
    {field::exclusive, L("--exclusive whole node sharing")},
    {field::cpuBinding, L("--cpu-bind affinity mask numa pinning binding")},
    {field::numaBinding, L("--numa-binding torchrun numactl affinity exclusive socket core-complex")},
    {field::signal, L("--signal usr1 checkpoint warning before limit")},
    {field::requeueAtLimit, L("requeue chain continue again restart timeout")},
    {field::requeue, L("--requeue --no-requeue node failure preemption")},
    {field::resumeArguments, L("resume checkpoint continue restart")},
    {field::array, L("--array -a several sweep")},
    {field::dependency, L("--dependency -d afterok afterany wait")},
    {field::sampler, L("record telemetry monitoring utilisation utilization")},
    {field::samplerInterval, L("record telemetry monitoring interval seconds")},
    {field::hangEvidence, L("hang deadlock stuck where stacks flight recorder ras nccl faulthandler py-spy")},
    {field::output, L("--output -o --error log file stdout")},
    {field::mailUser, L("--mail-user email e-mail")},
    {field::mailType, L("--mail-type email e-mail notification")},
};

} // namespace

QLatin1StringView fieldWords(QAnyStringView path)
{
    const auto found = std::find_if(
        std::begin(wordTable), std::end(wordTable), [path](const WordRow& one) { return path == one.path; });
    return found != std::end(wordTable) ? found->words : QLatin1StringView();
}

QList<FieldPath> firstFields()
{
    return {field::cluster, field::partition, field::account, field::model, field::nodes, field::gpusPerNode,
        field::strategy, field::globalBatch, field::microBatch, field::time, field::command};
}

} // namespace rankwright::inline planner
