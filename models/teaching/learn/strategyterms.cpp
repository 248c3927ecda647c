// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: PyTorch DDP (arXiv 2006.15704) and FSDP (2304.11277), ZeRO (1910.02054), Megatron-LM (1909.08053,
// 2104.04473), GPipe (1811.06965), the NCCL manual.
#include "models/teaching/learn/term.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/strategyname.h"
#include "models/planner/planning/estimatetext.h"
#include "models/planner/planning/pipelinetimeline.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

using F = const LearnFigures&;

/// "This design uses FSDP instead."
QString usesOther(F f) { return u"This design uses %1 instead."_s.arg(strategyName(f.resolved.strategy)); }

QString statesPart(F f)
{
    const DesignEstimate* estimate = f.estimate();
    if (!estimate)
        return u" How much that is, is not known yet: "_s + f.noEstimate();
    const MemoryParts& parts = estimate->memory.parts;
    return u" Weights, gradients and optimiser states take about %1 on its fullest rank."_s.arg(
        memoryText(parts.weights + parts.gradients + parts.optimizer));
}

QString dataRanks(F f) { return counted(f.resolved.dataParallel(), u"data-parallel rank"_s); }

QString ddpNumbers(F f)
{
    if (f.resolved.strategy != Strategy::Ddp)
        return usesOther(f);
    return u"This design uses it: each of %1 holds a whole copy."_s.arg(dataRanks(f)) + statesPart(f);
}

QString fsdpNumbers(F f)
{
    if (f.resolved.strategy == Strategy::Hsdp)
        return u"This design uses its hybrid form, HSDP: shared out within a node, copied between nodes."_s
            + statesPart(f);
    if (f.resolved.strategy != Strategy::Fsdp)
        return usesOther(f);
    return u"This design uses it: %1 share everything out."_s.arg(dataRanks(f)) + statesPart(f);
}

QString zeroNumbers(F f)
{
    switch (f.resolved.strategy) {
    case Strategy::Zero1:
    case Strategy::Zero2:
    case Strategy::Zero3:
        return u"This design uses %1 over %2."_s.arg(strategyName(f.resolved.strategy), dataRanks(f)) + statesPart(f);
    default: return usesOther(f);
    }
}

QString dataParallelNumbers(F f)
{
    if (f.resolved.dataParallel() == 1)
        return u"This design has one data-parallel rank: nobody else works on other samples."_s;
    return u"In this design %1 work on different samples of one step."_s.arg(dataRanks(f));
}

QString strategyNumbers(F f)
{
    const QString now = u"This design uses %1"_s.arg(strategyName(f.resolved.strategy));
    for (const Choice& choice : f.derived.choices) {
        if (choice.field == field::strategy && !choice.reason.isEmpty())
            return now + u": "_s + asSentence(choice.reason);
    }
    return now + u", as it says."_s;
}

QString tensorNumbers(F f)
{
    const int degree = f.resolved.tensor;
    if (degree == 1)
        return u"This design splits no layer: its tensor degree is 1."_s;
    const QString groups = u"This design splits each layer over %1"_s.arg(f.gpus(degree));
    if (degree > f.resolved.gpusPerNode)
        return groups + u", more than a node of it has: every layer then waits for the network."_s;
    return groups + u", all on one node, where the links are fastest."_s;
}

QString pipelineNumbers(F f)
{
    if (f.resolved.pipeline == 1)
        return u"This design has no pipeline: each rank holds all layers, or its share of each."_s;
    return u"This design lays the layers over %1 and sends %2 through them in each step."_s.arg(
        counted(f.resolved.pipeline, u"stage"_s),
        counted(f.derived.batch.gradientAccumulation, u"micro-batch"_s, u"micro-batches"_s));
}

QString bubbleNumbers(F f)
{
    const int stages = f.resolved.pipeline;
    if (stages == 1)
        return u"This design has no pipeline, so it has no bubble."_s;
    const qint64 passes = f.derived.batch.gradientAccumulation;
    return u"With %1 and %2 the stages of this design idle %3 of the time: (p − 1) / (m + p − 1)."_s.arg(
        counted(stages, u"stage"_s), counted(passes, u"micro-batch"_s, u"micro-batches"_s),
        shareText(pipelineIdleShare(stages, passes)));
}

QString expertNumbers(F f)
{
    const DesignEstimate* estimate = f.estimate();
    if (!estimate)
        return u"Whether the model of this design has experts is not known yet: "_s + f.noEstimate();
    const ModelShape& shape = estimate->run.workload.shape;
    if (shape.experts < 1)
        return u"The model of this design has no experts, so there is nothing to spread."_s;
    return u"The model of this design has %1, of which each token passes %2."_s.arg(
        counted(shape.experts, u"expert"_s), QString::number(shape.expertsPerToken));
}

QString contextNumbers(F f)
{
    if (f.resolved.context == 1)
        return u"This design keeps each sample whole on its rank: its context degree is 1."_s;
    return u"In this design %1 share each sample."_s.arg(counted(f.resolved.context, u"rank"_s));
}

/// Ring all-reduce sends and receives 2 (n - 1) / n times the data (Patarasuk and Yuan 2009).
QString allReduceNumbers(F f)
{
    const int ranks = f.resolved.dataParallel();
    if (ranks == 1)
        return u"This design has one data-parallel rank, so its gradients go nowhere."_s;
    if (f.usesFullSharding())
        return u"%1 replaces it by reduce-scatter and all-gather among the %2 of this design."_s.arg(
            strategyName(f.resolved.strategy), dataRanks(f));
    const DesignEstimate* estimate = f.estimate();
    if (!estimate)
        return u"In this design %1 average their gradients in each step; how much that is, is not known yet: %2"_s.arg(
            dataRanks(f), f.noEstimate());
    return u"In this design the gradients of %1 parameters go round %2 in each step; a ring sends them nearly twice (× %3)."_s
        .arg(f.parameters(), dataRanks(f), humanNumber(2.0 * (ranks - 1) / ranks, 2));
}

QString allGatherNumbers(F f)
{
    const int ranks = f.resolved.dataParallel();
    if (ranks == 1 || !f.usesFullSharding())
        return u"%1 keeps the weights whole on every rank, so this design gathers none of them."_s.arg(
            strategyName(f.resolved.strategy));
    const DesignEstimate* estimate = f.estimate();
    if (!estimate || estimate->run.parameters.block <= 0)
        return u"In this design each of %1 collects a layer just before it is needed, and forgets it again."_s.arg(
            dataRanks(f));
    return u"In this design each rank collects a layer (%1 parameters, about %2 in bf16) just before it is needed, and "
           u"forgets it again."_s.arg(EstimateText::parameters(double(estimate->run.parameters.block)),
               humanBytes(Bytes{qint64(2 * estimate->run.parameters.block)}));
}

QString reduceScatterNumbers(F f)
{
    const int ranks = f.resolved.dataParallel();
    if (ranks == 1)
        return u"This design has one data-parallel rank, so there is nothing to share out."_s;
    return u"In this design each of %1 would keep 1/%2 of the averaged gradients; %3"_s.arg(dataRanks(f),
        QString::number(ranks),
        f.usesFullSharding() || f.resolved.strategy == Strategy::Zero2
            ? u"%1 works so."_s.arg(strategyName(f.resolved.strategy))
            : u"%1 keeps all of them instead."_s.arg(strategyName(f.resolved.strategy)));
}

} // namespace

QList<Term> strategyTerms()
{
    return {
        {u"strategy"_s, u"Strategy"_s,
            {u"parallelism"_s, u"parallel strategy"_s, u"3D parallelism"_s, u"how to split"_s},
            u"The strategy says how the ranks share the work: different samples, pieces of the states, parts of each layer, or "
            u"layers in a row. Take the simplest one with which the model fits."_s,
            TinyPicture::Replicas, {u"ddp"_s, u"fsdp"_s, u"zero"_s, u"tensor-parallel"_s, u"pipeline-parallel"_s},
            false, strategyNumbers},
        {u"data-parallel"_s, u"Data parallel"_s,
            {u"data parallelism"_s, u"data-parallel ranks"_s, u"replica"_s, u"DP"_s},
            u"Data-parallel ranks train the same model on different samples and average their gradients after each step. DDP, "
            u"FSDP and ZeRO are all data parallel; they differ in what each rank keeps."_s,
            TinyPicture::Replicas, {u"ddp"_s, u"fsdp"_s, u"global-batch"_s, u"all-reduce"_s}, false,
            dataParallelNumbers},
        {u"ddp"_s, u"DDP"_s, {u"DistributedDataParallel"_s, u"distributed data parallel"_s},
            u"With DDP every rank has a whole copy of the model and sees other samples; after the backward pass all average "
            u"their gradients. It is the simplest and usually the fastest way, as long as the model fits one {gpu}."_s,
            TinyPicture::Replicas, {u"data-parallel"_s, u"all-reduce"_s, u"fsdp"_s, u"global-batch"_s}, false,
            ddpNumbers},
        {u"fsdp"_s, u"FSDP"_s,
            {u"fully sharded data parallel"_s, u"FullyShardedDataParallel"_s, u"HSDP"_s, u"sharding"_s, u"FSDP2"_s},
            u"With FSDP each rank keeps only a piece of weights, gradients and optimiser states. Layer by layer the pieces are "
            u"gathered, used and forgotten: more traffic, far less memory."_s,
            TinyPicture::Shards, {u"zero"_s, u"all-gather"_s, u"reduce-scatter"_s, u"ddp"_s}, false, fsdpNumbers},
        {u"zero"_s, u"ZeRO-1, ZeRO-2, ZeRO-3"_s,
            {u"ZeRO"_s, u"zero-1"_s, u"zero-2"_s, u"zero-3"_s, u"ZeRO 1"_s, u"ZeRO 2"_s, u"ZeRO 3"_s, u"zero1"_s,
                u"zero2"_s, u"zero3"_s, u"DeepSpeed"_s, u"zero redundancy optimizer"_s},
            u"ZeRO shares out what data-parallel ranks would all keep: stage 1 the optimiser states, stage 2 also the "
            u"gradients, stage 3 also the weights, as FSDP does. Each stage saves memory, the third one costs traffic."_s,
            TinyPicture::Shards, {u"fsdp"_s, u"optimiser-states"_s, u"data-parallel"_s}, false, zeroNumbers},
        {u"tensor-parallel"_s, u"Tensor parallel"_s,
            {u"tensor parallelism"_s, u"TP"_s, u"model parallel"_s, u"tensor"_s},
            u"Tensor parallelism cuts every layer into parts that several {gpus} compute together. They exchange results in "
            u"each layer, so they belong on one node."_s,
            TinyPicture::Split, {u"gpu-link"_s, u"pipeline-parallel"_s, u"context-parallel"_s}, true, tensorNumbers},
        {u"pipeline-parallel"_s, u"Pipeline parallel"_s,
            {u"pipeline parallelism"_s, u"PP"_s, u"pipeline"_s, u"stage"_s, u"1F1B"_s},
            u"A pipeline gives each {gpu} some layers in a row; micro-batches flow through like cars on a belt. Stages send "
            u"little to each other, so they may be on different nodes."_s,
            TinyPicture::Stages, {u"pipeline-bubble"_s, u"accumulation"_s, u"tensor-parallel"_s}, true,
            pipelineNumbers},
        {u"pipeline-bubble"_s, u"Pipeline bubble"_s, {u"bubble"_s, u"idle time of the pipeline"_s},
            u"The bubble is the time in which stages wait: at the start for the first micro-batch, at the end for the last. "
            u"More micro-batches in a step make it smaller."_s,
            TinyPicture::Bubble, {u"pipeline-parallel"_s, u"accumulation"_s}, false, bubbleNumbers},
        {u"expert-parallel"_s, u"Expert parallel"_s,
            {u"expert parallelism"_s, u"mixture of experts"_s, u"MoE"_s, u"EP"_s, u"experts"_s},
            u"A mixture-of-experts model has many feed-forward parts, of which each token passes a few. Expert parallelism "
            u"spreads them over ranks, and tokens travel to theirs."_s,
            TinyPicture::Experts, {u"data-parallel"_s, u"tensor-parallel"_s}, false, expertNumbers},
        {u"context-parallel"_s, u"Context parallel"_s,
            {u"context parallelism"_s, u"CP"_s, u"ring attention"_s, u"sequence parallel"_s},
            u"Context parallelism cuts each long sample into pieces for several ranks, which pass keys and values round. It is "
            u"for sequences whose activations do not fit one {gpu}."_s,
            TinyPicture::Sequence, {u"sequence"_s, u"tensor-parallel"_s, u"activations"_s}, false, contextNumbers},
        {u"all-reduce"_s, u"All-reduce"_s, {u"allreduce"_s, u"gradient averaging"_s, u"collective"_s, u"collectives"_s},
            u"In an all-reduce every rank gives its numbers and every rank gets the sum of all. DDP does it with the gradients "
            u"in every step."_s,
            TinyPicture::Ring, {u"reduce-scatter"_s, u"all-gather"_s, u"nccl"_s, u"ddp"_s}, false, allReduceNumbers},
        {u"all-gather"_s, u"All-gather"_s, {u"allgather"_s, u"gather"_s},
            u"In an all-gather every rank has one piece and afterwards every rank has all pieces. FSDP does it with the weights "
            u"of a layer, just before the layer is computed."_s,
            TinyPicture::Gather, {u"reduce-scatter"_s, u"fsdp"_s, u"all-reduce"_s}, false, allGatherNumbers},
        {u"reduce-scatter"_s, u"Reduce-scatter"_s, {u"reducescatter"_s, u"scatter"_s},
            u"In a reduce-scatter all ranks add up their numbers, but each keeps the sum of one piece only. Followed by an "
            u"all-gather it is an all-reduce."_s,
            TinyPicture::Scatter, {u"all-gather"_s, u"all-reduce"_s, u"zero"_s}, false, reduceScatterNumbers},
    };
}

} // namespace rankwright::inline teaching
