// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: PyTorch's and Megatron-LM's manuals; Goyal et al. 2017 (arXiv 1706.02677), Micikevicius et al. 2018
// (1710.03740), Chen et al. 2016 (1604.06174), Hu et al. 2021 (2106.09685).
#include "models/teaching/learn/term.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/enumwords.h"
#include "models/planner/planning/estimatetext.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

using F = const LearnFigures&;

QString samples(qint64 count) { return counted(count, u"sample"_s); }

/// "4 × 2 accumulation steps × 8 data-parallel ranks = 64"
QString batchEquation(F f)
{
    const BatchPlan& batch = f.derived.batch;
    return u"%1 × %2 × %3 = %4"_s.arg(samples(batch.microBatch),
        counted(batch.gradientAccumulation, u"accumulation step"_s),
        counted(batch.dataParallel, u"data-parallel rank"_s), humanNumber(double(batch.globalBatch), 0));
}

QString microNumbers(F f)
{
    const BatchPlan& batch = f.derived.batch;
    QString text = u"This design computes %1 at a time on each %2."_s.arg(samples(batch.microBatch), f.word());
    if (const DesignEstimate* estimate = f.estimate(); estimate && estimate->largestMicroBatch > 0)
        text += u" The largest that should fit is %1."_s.arg(humanNumber(double(estimate->largestMicroBatch), 0));
    else if (!estimate)
        text += u" The largest that fits is not known yet: "_s + f.noEstimate();
    return text;
}

QString globalNumbers(F f)
{
    const BatchPlan& batch = f.derived.batch;
    const QString now = u"In this design: %1 for each step."_s.arg(batchEquation(f));
    return batch.exact ? now : QString(now + u' ' + batch.reason);
}

QString accumulationNumbers(F f)
{
    const BatchPlan& batch = f.derived.batch;
    if (batch.gradientAccumulation <= 1)
        return u"This design needs none: its global batch of %1 is reached in one pass of all ranks."_s.arg(
            humanNumber(double(batch.globalBatch), 0));
    return u"In this design each rank adds up %1 before it steps: %2."_s.arg(
        counted(batch.gradientAccumulation, u"micro-batch"_s, u"micro-batches"_s), batchEquation(f));
}

QString epochNumbers(F f)
{
    const BatchPlan& batch = f.derived.batch;
    if (!batch.stepsPerEpoch)
        return u"How many steps an epoch has is not known yet: the design does not say how many samples the data set has."_s;
    return u"The data set of this design has %1: an epoch is %2."_s.arg(
        samples(f.resolved.spec.training.datasetSamples.value_or(0)), counted(qint64(*batch.stepsPerEpoch), u"step"_s));
}

QString stepNumbers(F f)
{
    const QString samplesOfStep = samples(f.derived.batch.globalBatch);
    const DesignEstimate* estimate = f.estimate();
    if (!estimate)
        return u"A step of this design uses %1; how long it takes is not known yet: %2"_s.arg(
            samplesOfStep, f.noEstimate());
    return u"A step of this design uses %1 and should take %2."_s.arg(
        samplesOfStep, EstimateText::stepCaption(*estimate));
}

QString learningRateNumbers(F f)
{
    const BatchPlan& batch = f.derived.batch;
    if (!batch.scaleLinear || batch.globalBatch == batch.microBatch)
        return u"This design computes its whole batch on one rank in one pass, so nothing has to be scaled."_s;
    QString text
        = u"From a rate tuned for a batch of %1 to this design's %2: × %3 by the linear rule, × %4 by the square root."_s
              .arg(humanNumber(double(batch.microBatch), 0), humanNumber(double(batch.globalBatch), 0),
                  humanNumber(*batch.scaleLinear, 2), humanNumber(batch.scaleSqrt.value_or(0), 2));
    if (batch.warmupSteps)
        text += u" Warm up over %1."_s.arg(counted(qint64(*batch.warmupSteps), u"step"_s));
    return text;
}

QString precisionNumbers(F f)
{
    const QString now = u"This design trains in %1."_s.arg(QString(titleOf(f.resolved.precision)));
    if (!f.node.gpu.bf16Teraflops)
        return now + u" How fast a %1 of %2 computes in bf16 is not known."_s.arg(f.word(), f.siteName());
    return now
        + u" One %1 of %2 can do at most %3 TFLOP/s in bf16."_s.arg(
            f.word(), f.siteName(), humanNumber(*f.node.gpu.bf16Teraflops));
}

QString partOfMemory(F f, const QString& what, double MemoryParts::*part)
{
    const DesignEstimate* estimate = f.estimate();
    if (!estimate)
        return u"How much %1 take here is not known yet: %2"_s.arg(what, f.noEstimate());
    return u"In this design %1 take about %2 of %3 on the fullest rank."_s.arg(
        what, memoryText(estimate->memory.parts.*part), memoryText(estimate->memory.totalBytes));
}

QString activationNumbers(F f) { return partOfMemory(f, u"activations"_s, &MemoryParts::activations); }
QString optimizerNumbers(F f) { return partOfMemory(f, u"optimiser states"_s, &MemoryParts::optimizer); }
QString gradientNumbers(F f) { return partOfMemory(f, u"gradients"_s, &MemoryParts::gradients); }
QString weightNumbers(F f) { return partOfMemory(f, u"weights"_s, &MemoryParts::weights); }

QString recomputationNumbers(F f)
{
    if (const auto asked = f.resolved.activationCheckpointing)
        return u"This design recomputes: %1. %2"_s.arg(QString(titleOf(*asked)), activationNumbers(f));
    return u"This design leaves it to the program. "_s + activationNumbers(f);
}

QString loraNumbers(F f)
{
    auto share = f.resolved.spec.training.trainedFraction;
    if (f.estimate() && f.estimate()->run.workload.adapter.method != AdapterMethod::None)
        share = trainedShare(f.estimate()->run.workload);
    if (!share || *share >= 1)
        return u"This design trains all parameters%1."_s.arg(
            f.parameters().isEmpty() ? QString() : u", %1 of them"_s.arg(f.parameters()));
    const QString count = f.estimate()
        ? u", about %1"_s.arg(EstimateText::parameters(*share * double(f.estimate()->run.parameters.total)))
        : QString();
    return u"This design trains %1 of the parameters%2; the rest stays frozen."_s.arg(
        percentText(100 * *share, 2), count);
}

/// AdamW in mixed precision keeps 32 bit weights and two moments: 12 bytes for each trained parameter.
QString checkpointNumbers(F f)
{
    const DesignEstimate* estimate = f.estimate();
    if (!estimate)
        return u"How large a checkpoint is, is not known yet: "_s + f.noEstimate();
    const bool all = trainedShare(estimate->run.workload) >= 1;
    const bool adam = estimate->run.workload.optimizer == Optimizer::AdamW;
    const double parameters = double(estimate->run.parameters.total);
    if (all && adam)
        return u"To go on exactly, %1 parameters with AdamW need about %2 (12 bytes each); the weights alone in bf16 %3."_s
            .arg(f.parameters(), memoryText(12 * parameters), memoryText(2 * parameters));
    return u"The weights of %1 parameters alone are about %2 in bf16; the optimiser's states come on top."_s.arg(
        f.parameters(), memoryText(2 * parameters));
}

QString loaderNumbers(F f)
{
    if (f.resolved.coresOpen)
        return u"How many cores a rank gets here is not known, so the right number of workers is not either."_s;
    const int cores = f.resolved.cpusPerGpu;
    const QString unit = f.node.cpusAreThreads ? u"hardware thread"_s : u"core"_s;
    if (cores == 1)
        return u"Each rank of this design has one %1: a worker would compete with the rank itself."_s.arg(unit);
    return u"Each rank of this design has %1: begin with num_workers=%2, and leave one for the rank itself."_s.arg(
        counted(cores, unit), QString::number(cores - 1));
}

QString sequenceNumbers(F f)
{
    if (const auto asked = f.resolved.sequence)
        return u"Samples of this design have %1."_s.arg(counted(*asked, u"token"_s));
    if (const DesignEstimate* estimate = f.estimate())
        return u"This design leaves it open; the estimate counts with %1."_s.arg(
            counted(estimate->run.workload.sequence, u"token"_s));
    return u"This design does not say how long its samples are."_s;
}

QString parameterNumbers(F f)
{
    if (!f.estimate())
        return u"How many this training has is not known yet: "_s + f.noEstimate();
    return u"The model of this design has %1 parameters."_s.arg(f.parameters());
}

} // namespace

QList<Term> trainingTerms()
{
    return {
        {u"micro-batch"_s, u"Micro-batch"_s,
            {u"micro batch"_s, u"microbatch"_s, u"per-device batch size"_s, u"local batch"_s, u"batch per GPU"_s},
            u"The micro-batch is how many samples one rank computes at a time. It is what fills the memory of the {gpu}; "
            u"larger ones use it better, until they do not fit."_s,
            TinyPicture::Batch, {u"global-batch"_s, u"accumulation"_s, u"gpu-memory"_s}, false, microNumbers},
        {u"global-batch"_s, u"Global batch"_s, {u"batch size"_s, u"effective batch"_s, u"total batch"_s, u"batch"_s},
            u"The global batch is all samples behind one step of the optimiser: micro-batch × accumulation steps × "
            u"data-parallel ranks. It decides how the training behaves, wherever it is computed."_s,
            TinyPicture::Batch, {u"micro-batch"_s, u"accumulation"_s, u"learning-rate"_s, u"step"_s}, false,
            globalNumbers},
        {u"accumulation"_s, u"Gradient accumulation"_s,
            {u"accumulation"_s, u"accumulation steps"_s, u"gradient accumulation steps"_s, u"accumulate"_s},
            u"With accumulation a rank computes several micro-batches and adds up their gradients before one step. It "
            u"reaches a large global batch with little memory, at the price of time."_s,
            TinyPicture::Accumulate, {u"global-batch"_s, u"micro-batch"_s, u"step"_s}, false, accumulationNumbers},
        {u"step"_s, u"Step"_s, {u"iteration"_s, u"optimiser step"_s, u"training step"_s, u"optimizer step"_s},
            u"In one step all ranks compute their samples, average the gradients, and the optimiser changes the weights once. "
            u"The time of a step is what to watch: it shows every slowdown at once."_s,
            TinyPicture::Accumulate, {u"epoch"_s, u"global-batch"_s, u"straggler"_s}, false, stepNumbers},
        {u"epoch"_s, u"Epoch"_s, {u"pass over the data"_s, u"epochs"_s},
            u"An epoch is one pass over the whole data set. With more ranks at the same micro-batch it has fewer steps, each "
            u"over more samples."_s,
            TinyPicture::Loop, {u"step"_s, u"global-batch"_s}, false, epochNumbers},
        {u"learning-rate"_s, u"Learning rate"_s, {u"lr"_s, u"warm-up"_s, u"warmup"_s, u"linear scaling"_s},
            u"The learning rate says how far a step moves the weights. A larger global batch usually wants a larger one, "
            u"reached slowly over a warm-up; check it on your own loss."_s,
            TinyPicture::Curve, {u"global-batch"_s, u"step"_s}, false, learningRateNumbers},
        {u"precision"_s, u"Mixed precision, bf16"_s,
            {u"bf16"_s, u"fp16"_s, u"mixed precision"_s, u"bfloat16"_s, u"amp"_s, u"fp32"_s, u"half precision"_s},
            u"In mixed precision the heavy arithmetic uses 16 bits and what must stay exact 32. bf16 has the range of fp32 "
            u"and needs no loss scaling, fp16 is finer but overflows."_s,
            TinyPicture::Bits, {u"gpu-memory"_s, u"mfu"_s, u"weights"_s}, false, precisionNumbers},
        {u"weights"_s, u"Weights"_s, {u"parameter memory"_s, u"model weights"_s},
            u"The weights are the numbers that are trained. In bf16 each takes 2 bytes, in fp32 4."_s,
            TinyPicture::Memory, {u"parameters"_s, u"gradients"_s, u"optimiser-states"_s}, false, weightNumbers},
        {u"parameters"_s, u"Parameters"_s, {u"model size"_s, u"7B"_s, u"billions"_s, u"number of parameters"_s},
            u"The number of parameters says how large a model is: 8B has eight billion. Memory and time of the training grow "
            u"with it."_s,
            TinyPicture::Memory, {u"weights"_s, u"gpu-memory"_s}, false, parameterNumbers},
        {u"gradients"_s, u"Gradients"_s, {u"gradient"_s, u"backward pass"_s},
            u"A gradient says for each weight in which direction it should change; the backward pass computes them. Data-"
            u"parallel ranks average theirs after each step."_s,
            TinyPicture::Memory, {u"all-reduce"_s, u"weights"_s, u"accumulation"_s}, false, gradientNumbers},
        {u"optimiser-states"_s, u"Optimiser states"_s,
            {u"optimizer state"_s, u"optimiser state"_s, u"optimizer states"_s, u"Adam states"_s, u"AdamW"_s,
                u"moments"_s, u"master weights"_s},
            u"AdamW remembers two running means for each weight, in mixed precision also the weight itself in 32 bits. That "
            u"is often more memory than weights and gradients together."_s,
            TinyPicture::Memory, {u"zero"_s, u"fsdp"_s, u"weights"_s, u"checkpoint"_s}, false, optimizerNumbers},
        {u"activations"_s, u"Activations"_s, {u"activation memory"_s, u"forward pass"_s},
            u"Activations are what each layer computes on the way forward and needs again on the way back. They grow with "
            u"micro-batch and sequence length."_s,
            TinyPicture::Memory, {u"recomputation"_s, u"micro-batch"_s, u"sequence"_s}, false, activationNumbers},
        {u"recomputation"_s, u"Activation recomputation"_s,
            {u"activation checkpointing"_s, u"gradient checkpointing"_s, u"recompute"_s, u"selective recomputation"_s},
            u"Instead of keeping all activations, a layer computes them again in the backward pass. It saves much memory and "
            u"costs up to a third more computing; a checkpoint on disk is something else."_s,
            TinyPicture::Recompute, {u"activations"_s, u"gpu-memory"_s, u"checkpoint"_s}, false, recomputationNumbers},
        {u"lora"_s, u"LoRA"_s, {u"adapter"_s, u"PEFT"_s, u"QLoRA"_s, u"low-rank adaptation"_s, u"fine-tuning"_s},
            u"LoRA freezes the model and trains small matrices beside it. Gradients and optimiser states are needed for "
            u"these alone, which saves most of the memory."_s,
            TinyPicture::Adapter, {u"optimiser-states"_s, u"gpu-memory"_s, u"weights"_s}, false, loraNumbers},
        {u"checkpoint"_s, u"Checkpoint"_s, {u"save"_s, u"resume"_s, u"state dict"_s, u"restart file"_s},
            u"A checkpoint is a file from which the training can go on: weights, optimiser states, step and random state. "
            u"Save often enough that the time limit never costs more than you would give away."_s,
            TinyPicture::Loop, {u"requeue"_s, u"time-limit"_s, u"rank-zero"_s}, false, checkpointNumbers},
        {u"data-loader"_s, u"Data-loader workers"_s,
            {u"dataloader"_s, u"num_workers"_s, u"workers"_s, u"data loading"_s, u"spawn"_s, u"fork"_s},
            u"Workers are further processes of a rank that read and prepare samples while the {gpu} computes. Too few leave "
            u"it waiting, more than cores slow each other down."_s,
            TinyPicture::Loader, {u"cpu-binding"_s, u"mem"_s, u"step"_s}, false, loaderNumbers},
        {u"sequence"_s, u"Sequence length"_s, {u"context length"_s, u"tokens"_s, u"max_length"_s, u"sequence"_s},
            u"The sequence length is how many tokens a sample has. Activations grow with it, with plain attention even with "
            u"its square."_s,
            TinyPicture::Sequence, {u"activations"_s, u"context-parallel"_s, u"micro-batch"_s}, false, sequenceNumbers},
    };
}

} // namespace rankwright::inline teaching
