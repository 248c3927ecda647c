// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The training itself: batch, learning rate, seeds, memory, strategy, data. Sources beside the terms
// (trainingterms.cpp).
#include "models/teaching/learn/question.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/enumwords.h"
#include "models/planner/design/strategyname.h"
#include "models/planner/planning/estimatetext.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

using F = const LearnFigures&;

QString number(qint64 value) { return humanNumber(double(value), 0); }

QString batchAnswer(F f)
{
    const BatchPlan& batch = f.derived.batch;
    const qint64 twice = batch.microBatch * batch.gradientAccumulation * batch.dataParallel * 2;
    QString answer
        = u"Global batch = micro-batch × accumulation steps × data-parallel ranks: here %1 × %2 × %3 = %4. Twice as many %5 "
          u"would make %6 of it with half the steps in an epoch."_s.arg(number(batch.microBatch),
              number(batch.gradientAccumulation), QString::number(batch.dataParallel), number(batch.globalBatch),
              f.words(), number(twice));
    if (batch.gradientAccumulation % 2 == 0)
        return answer
            + u" To train as before, halve the accumulation steps to %1."_s.arg(number(batch.gradientAccumulation / 2));
    if (batch.microBatch % 2 == 0)
        return answer + u" To train as before, halve the micro-batch to %1."_s.arg(number(batch.microBatch / 2));
    return answer + u" Neither micro-batch nor accumulation can be halved here, so change the learning rate instead."_s;
}

/// Li et al. 2020 (PyTorch Distributed, VLDB 13, section 3.2): gradients travel while the backward pass goes on.
QString stepAnswer(F f)
{
    const BatchPlan& batch = f.derived.batch;
    const int ranks = f.resolved.dataParallel();
    if (ranks == 1)
        return u"Three phases: forward (the loss of %1), backward (the gradients, from the last layer to the first), and the "
               u"optimiser's step. With the one data-parallel rank of this design nothing travels between them."_s.arg(
                   counted(batch.microBatch, u"sample"_s));
    const QString again = batch.gradientAccumulation > 1
        ? u" Forward and backward come %1 times before that, and only the last backward pass exchanges."_s.arg(
            number(batch.gradientAccumulation))
        : QString();
    return u"Three phases. Forward: each of %1 computes the loss of its own %2, and nothing travels. Backward: gradients come out from "
           u"the last layer to the first, and %3 adds them up over all ranks while the rest is still being computed. Step: all take the "
           u"same optimiser step with the mean of %4 samples, so that the copies stay equal.%5"_s.arg(
               counted(ranks, u"rank"_s), counted(batch.microBatch, u"sample"_s), f.library(),
               number(batch.globalBatch), again);
}

QString learningRateCode(F f)
{
    const BatchPlan& batch = f.derived.batch;
    if (!batch.scaleLinear || !batch.scaleSqrt || batch.globalBatch == batch.microBatch)
        return {};
    const QString linear = QString::number(*batch.scaleLinear, 'g', 6);
    return u"base_lr = 1e-4  # that worked with a batch of %1\n"
           "lr = base_lr * %2 ** 0.5  # Adam, batch of %3; with SGD: base_lr * %2\n"
           "optimizer = torch.optim.AdamW(model.parameters(), lr=lr)\n"
           "warm_up = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.01, total_iters=%4)\n"_s.arg(
               QString::number(batch.microBatch), linear, QString::number(batch.globalBatch),
               QString::number(qint64(batch.warmupSteps.value_or(500))));
}

QString seedCode(F f)
{
    if (f.resolved.worldSize() == 1)
        return u"import torch\n\ntorch.manual_seed(42)\n"_s;
    return u"import os\nimport torch\nfrom torch.utils.data.distributed import DistributedSampler\n\n"
           "rank = int(os.environ[\"RANK\"])\n"
           "torch.manual_seed(42)  # before the model is made: the same weights on every rank\n"
           "torch.manual_seed(42 + rank)  # after it: dropout and augmentation differ\n"
           "sampler = DistributedSampler(data, shuffle=True, seed=42)  # the same on every rank\n"
           "for epoch in range(epochs):\n    sampler.set_epoch(epoch)  # another order in each epoch\n"_s;
}

/// One less than the cores of a rank; what is not known begins with 2, as workersAnswer() says.
int usualWorkers(F f) { return f.resolved.coresOpen ? 2 : qMax(0, f.resolved.cpusPerGpu - 1); }

QString workersCode(F f)
{
    const int workers = usualWorkers(f);
    return u"from torch.utils.data import DataLoader\n\nloader = DataLoader(data, batch_size=%1, num_workers=%2%3)\n"_s
        .arg(QString::number(f.derived.batch.microBatch), QString::number(workers),
            workers > 0 ? u", pin_memory=True, persistent_workers=True"_s : u", pin_memory=True"_s);
}

QString spawnCode(F f)
{
    return u"from torch.utils.data import DataLoader\n\n"
           "loader = DataLoader(data, num_workers=%1, multiprocessing_context=\"spawn\", persistent_workers=True)\n"
           "# spawn imports this file again in each worker: start the program below if __name__ == \"__main__\":\n"_s
               .arg(qMax(1, usualWorkers(f)));
}

QString samplerCode(F f)
{
    if (f.resolved.dataParallel() == 1)
        return {};
    return u"from torch.utils.data import DataLoader\nfrom torch.utils.data.distributed import DistributedSampler\n\n"
           "sampler = DistributedSampler(data)  # in place of shuffle=True\n"
           "loader = DataLoader(data, batch_size=%1, sampler=sampler)\n"_s.arg(f.derived.batch.microBatch);
}

QString learningRateAnswer(F f)
{
    const BatchPlan& batch = f.derived.batch;
    const QString rule
        = u"A larger global batch averages more, so steps may be longer: multiply by the ratio of the batches for SGD, "
          u"by its square root as a careful start for Adam, and warm up."_s;
    if (!batch.scaleLinear || batch.globalBatch == batch.microBatch)
        return rule
            + u" This design computes its whole batch of %1 on one rank, so nothing has to be scaled."_s.arg(
                number(batch.globalBatch));
    QString answer = u"%1 Here, from %2 to %3 samples: × %4, or × %5."_s.arg(rule, number(batch.microBatch),
        number(batch.globalBatch), humanNumber(*batch.scaleLinear, 2), humanNumber(batch.scaleSqrt.value_or(0), 2));
    if (batch.warmupSteps)
        answer += u" Warm up over %1."_s.arg(counted(qint64(*batch.warmupSteps), u"step"_s));
    return answer;
}

QString seedAnswer(F f)
{
    const int ranks = f.resolved.worldSize();
    if (ranks == 1)
        return u"This design has one rank: set one seed, and the run is repeatable as far as the {gpu}'s kernels are."_s
            .replace(u"{gpu}"_s, f.word());
    return u"The same seed on all %1 for the weights; DDP copies those of rank 0 anyway. Then seed + rank (here + 0 to + %2) for dropout "
           u"and augmentation. DistributedSampler needs the same seed everywhere, and set_epoch(epoch) in each epoch, or the order "
           u"never changes."_s.arg(f.ranks(), QString::number(ranks - 1));
}

QString spawnAnswer(F f)
{
    QString answer
        = u"fork is Linux's default and quick, but copies a process with its threads and its open network; spawn starts "
          u"workers afresh, slower and safe. If workers crash or hang at the start, set "
          u"torch.multiprocessing.set_start_method('spawn')."_s;
    for (const QString& remark : siteRemarks(f, u"command"_s, u"spawn"_s))
        answer += u" %1 says: %2"_s.arg(f.siteName(), remark);
    if (!f.resolved.coresOpen && f.resolved.cpusPerGpu > 1)
        answer += u" With %1 for each rank this design starts up to %2 on a node."_s.arg(
            counted(f.resolved.cpusPerGpu, f.node.cpusAreThreads ? u"hardware thread"_s : u"core"_s),
            counted(qint64(f.resolved.cpusPerGpu - 1) * f.resolved.gpusPerNode, u"worker"_s));
    return answer;
}

QString workersAnswer(F f)
{
    if (f.resolved.coresOpen)
        return u"One less than the cores of a rank. How many cores a rank gets on %1 is not known, so begin with 2 and watch whether "
               u"the %2 wait."_s.arg(f.siteName(), f.words());
    const int cores = f.resolved.cpusPerGpu;
    if (cores == 1)
        return u"Each rank of this design has one core, so none: ask for more cores if loading is slow."_s;
    return u"Each rank of this design has %1, so begin with num_workers=%2. If the use of the %3 has gaps, loading is too slow; more "
           u"workers than cores only slow each other down."_s.arg(
               counted(cores, f.node.cpusAreThreads ? u"hardware thread"_s : u"core"_s), QString::number(cores - 1),
               f.words());
}

QString fitAnswer(F f)
{
    if (!f.derived.estimate)
        return u"That is not known yet: "_s + f.noEstimate();
    return u"%1: %2. %3"_s.arg(EstimateText::verdict(f.estimate()->memory.verdict),
        EstimateText::memoryCaption(*f.estimate()), EstimateText::verdictSummary(f.derived.estimate));
}

QString noFitAnswer(F f)
{
    if (!f.derived.estimate)
        return u"In this order: a smaller micro-batch with more accumulation, activation recomputation, FSDP or ZeRO, then more %1. Which "
               u"of them helps here is not known yet: %2"_s.arg(f.words(), f.noEstimate());
    const FitVerdict verdict = f.estimate()->memory.verdict;
    if (f.derived.remedies.isEmpty())
        return verdict == FitVerdict::DoesNotFit
            ? u"No single change makes this design fit (%1): take more %2, or a smaller model."_s.arg(
                EstimateText::memoryCaption(*f.estimate()), f.words())
            : u"Nothing has to be done: %1."_s.arg(EstimateText::memoryCaption(*f.estimate()));
    QStringList ways;
    for (const Remedy& remedy : f.derived.remedies.mid(0, 3))
        ways.append(u"%1 (%2)"_s.arg(remedy.label, remedy.effect));
    return u"For this design, the least change first: %1."_s.arg(ways.join(u"; "_s));
}

QString strategyAnswer(F f)
{
    const QString rule
        = u"The simplest one with which the model fits: DDP, then FSDP or ZeRO, then layers split within a node."_s;
    const QString name = strategyName(f.resolved.strategy);
    for (const Choice& choice : f.derived.choices) {
        if (choice.field == field::strategy && !choice.reason.isEmpty())
            return u"%1 Here %2: %3"_s.arg(rule, name, asSentence(choice.reason));
    }
    return u"%1 This design says %2."_s.arg(rule, name);
}

QString precisionAnswer(F f)
{
    const QString rule = u"bf16 where the hardware has it: the range of fp32 and no loss scaling."_s;
    const QStringList remarks = siteRemarks(f, QString(field::precision));
    const QString site = remarks.isEmpty() ? QString() : u" On %1: %2"_s.arg(f.siteName(), remarks.first());
    return u"%1%2 This design trains in %3."_s.arg(rule, site, QString(titleOf(f.resolved.precision)));
}

QString datasetAnswer(F f)
{
    const int ranks = f.resolved.dataParallel();
    if (ranks == 1)
        return u"This design has one data-parallel rank, so it sees every sample itself."_s;
    const BatchPlan& batch = f.derived.batch;
    QString answer
        = u"With DistributedSampler each of %1 gets 1/%2 of the data set; without it all train on the same samples."_s
              .arg(counted(ranks, u"data-parallel rank"_s), QString::number(ranks));
    if (batch.stepsPerEpoch)
        answer += u" An epoch of this design has %1."_s.arg(counted(qint64(*batch.stepsPerEpoch), u"step"_s));
    return answer;
}

QString resumeAnswer(F f)
{
    const auto& options = f.resolved.spec.options;
    const int times = options.requeueAtLimit.value_or(0);
    QString answer
        = u"At the limit of %1 Slurm stops the job. Save checkpoints often, and let the program load the newest one when it "
          u"starts; then the same script can simply be submitted again."_s.arg(humanDuration(f.resolved.time));
    if (times > 0)
        answer += u" This design queues itself again, %1 at most."_s.arg(counted(times, u"time"_s));
    if (!f.resolved.signal.isEmpty())
        answer += u" Before the limit every task gets the signal %1."_s.arg(f.resolved.signal);
    return answer;
}

} // namespace

QList<Question> trainingQuestions()
{
    return {
        {u"batch-and-gpus"_s, u"What happens to my batch when I take more {gpus}?"_s,
            {u"batch size"_s, u"global batch"_s, u"per-device batch"_s, u"accumulation"_s, u"128"_s, u"32"_s},
            TinyPicture::Batch, {u"global-batch"_s, u"micro-batch"_s, u"accumulation"_s}, batchAnswer},
        {u"learning-rate-with-batch"_s, u"Do I change the learning rate with the batch?"_s,
            {u"lr"_s, u"learning rate"_s, u"warm-up"_s, u"scaling rule"_s, u"more GPUs"_s}, TinyPicture::Curve,
            {u"learning-rate"_s, u"global-batch"_s}, learningRateAnswer, learningRateCode},
        {u"step-of-ddp"_s, u"What happens in one step of DDP?"_s,
            {u"phases"_s, u"forward"_s, u"backward"_s, u"optimiser step"_s, u"all-reduce"_s, u"synchronise"_s},
            TinyPicture::Step, {u"ddp"_s, u"all-reduce"_s, u"accumulation"_s}, stepAnswer},
        {u"seeds"_s, u"Which seeds do the ranks need?"_s,
            {u"seed"_s, u"random"_s, u"reproducible"_s, u"DistributedSampler"_s, u"shuffle"_s, u"set_epoch"_s},
            TinyPicture::Ranks, {u"seed"_s, u"rank"_s}, seedAnswer, seedCode},
        {u"spawn-or-fork"_s, u"Data-loader workers: spawn or fork?"_s,
            {u"spawn"_s, u"fork"_s, u"multiprocessing"_s, u"crash"_s, u"workers"_s, u"set_start_method"_s},
            TinyPicture::Loader, {u"data-loader"_s}, spawnAnswer, spawnCode},
        {u"how-many-workers"_s, u"How many data-loader workers?"_s,
            {u"num_workers"_s, u"cores"_s, u"slow loading"_s, u"too many workers"_s}, TinyPicture::Loader,
            {u"data-loader"_s, u"cpu-binding"_s}, workersAnswer, workersCode},
        {u"does-it-fit"_s, u"Does my model fit?"_s, {u"memory"_s, u"fits"_s, u"large"_s, u"how many GPUs"_s, u"OOM"_s},
            TinyPicture::Memory, {u"gpu-memory"_s, u"parameters"_s, u"fsdp"_s}, fitAnswer},
        {u"out-of-memory"_s, u"What helps against out of memory?"_s,
            {u"OOM"_s, u"CUDA out of memory"_s, u"HIP out of memory"_s, u"does not fit"_s, u"too large"_s},
            TinyPicture::Memory, {u"micro-batch"_s, u"recomputation"_s, u"fsdp"_s, u"gpu-memory"_s}, noFitAnswer},
        {u"which-strategy"_s, u"Which strategy should I use, and why?"_s,
            {u"DDP or FSDP"_s, u"ZeRO"_s, u"parallel"_s, u"strategy"_s}, TinyPicture::Shards,
            {u"strategy"_s, u"ddp"_s, u"fsdp"_s}, strategyAnswer},
        {u"bf16-or-fp16"_s, u"bf16 or fp16?"_s, {u"precision"_s, u"mixed precision"_s, u"loss scaling"_s, u"nan"_s},
            TinyPicture::Bits, {u"precision"_s}, precisionAnswer},
        {u"same-data"_s, u"Do all ranks see the same data?"_s,
            {u"DistributedSampler"_s, u"data set"_s, u"duplicate"_s, u"sampler"_s, u"shards"_s}, TinyPicture::Batch,
            {u"data-parallel"_s, u"epoch"_s, u"seed"_s}, datasetAnswer, samplerCode},
        {u"at-the-time-limit"_s, u"What happens at the time limit, and how do I go on?"_s,
            {u"resume"_s, u"checkpoint"_s, u"TIMEOUT"_s, u"requeue"_s, u"killed"_s}, TinyPicture::Loop,
            {u"time-limit"_s, u"checkpoint"_s, u"requeue"_s}, resumeAnswer},
    };
}

} // namespace rankwright::inline teaching
