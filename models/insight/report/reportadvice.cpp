// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/report/reportadvice.h"
#include "models/core/quantitytext.h"
#include "models/insight/report/reportfigures.h"
#include "models/insight/report/reportfindings.h"

#include <cmath>

namespace rankwright::inline insight::reportparts {

using namespace Qt::StringLiterals;

namespace {

// Margins: run times of the same training differ by some per cent, more on a busy file system; Slurm samples memory
// every 30 s by default (slurm.conf, JobAcctGatherFrequency), so that its peak is a lower bound.
constexpr double timeMargin = 1.25;
constexpr double restMargin = 1.15; // of a time that was worked out from the steps done
constexpr double memoryMargin = 1.3;
constexpr double cpuMargin = 1.5;
constexpr double worthChanging = 0.75; // of what was asked for: smaller savings are not worth a risk
constexpr qint64 shortestToAssess = 120; // seconds; below, Slurm has seen too few samples
constexpr double fullMemory = 0.92;

/// Up to a figure that a person would write.
qint64 niceTime(double seconds)
{
    const double step = seconds <= 1800 ? 300 : seconds <= 6 * 3600 ? 900 : seconds <= 86400 ? 3600 : 2 * 3600;
    return qint64(std::ceil(seconds / step - 1e-9)) * qint64(step);
}

ReportAdvice make(AdviceKind kind, const QString& text, const QString& reason, const QString& option = {},
    const QString& field = {}, double value = 0)
{
    return {kind, text, reason, option, field, value};
}

QString timeOption(qint64 seconds) { return u"--time="_s + slurmTime(Seconds{seconds}); }

ReportAdvice moreTime(const ReportInputs& in, const JobRecord& job)
{
    if (stoodStill(in))
        return make(AdviceKind::Hint, u"Find out why it stood still before asking for more time."_s,
            u"The time limit of %1 cut it off, but it had made no progress for a long time."_s.arg(
                humanDuration(*job.timeLimit)));
    const MeasuredTraining& reported = in.measured;
    const auto longest = in.rules.longestTime;
    if (!reported.step || !reported.steps || *reported.step < 1 || *reported.steps <= *reported.step
        || *reported.step * 50 < *reported.steps) // the first steps say little of the rest
        return make(AdviceKind::Hint, u"Ask for more time, or save a checkpoint before the limit and resume from it."_s,
            u"The time limit of %1 cut it off; how much was left to do is not known."_s.arg(
                humanDuration(*job.timeLimit)));
    const double whole = double(job.elapsed->count) * double(*reported.steps) / double(*reported.step);
    const qint64 need = niceTime(whole * restMargin);
    const QString seen = u"It reached step %1 of %2 in %3"_s.arg(
        humanNumber(double(*reported.step), 0), humanNumber(double(*reported.steps), 0), humanDuration(*job.elapsed));
    if (longest && need > longest->count)
        return make(AdviceKind::Hint,
            u"Save checkpoints and let the job resume from them: the whole training does not fit into one job."_s,
            u"%1, so all of it takes about %2; the partition's limit is %3."_s.arg(
                seen, humanDuration(Seconds{qint64(whole)}), humanDuration(*longest)));
    return make(AdviceKind::Time, u"Ask for %1."_s.arg(humanDuration(Seconds{need})),
        u"%1, so all of it takes about %2; 15 % are added."_s.arg(seen, humanDuration(Seconds{qint64(whole)})),
        timeOption(need), u"time"_s, double(need));
}

QList<ReportAdvice> timeAdvice(const ReportInputs& in)
{
    const JobRecord& job = in.usage.job;
    if (!job.elapsed || !job.timeLimit || job.elapsed->count < 1)
        return {};
    if (job.state == JobState::Timeout)
        return {moreTime(in, job)};
    if (job.state != JobState::Completed)
        return {};
    const qint64 enough = niceTime(double(job.elapsed->count) * timeMargin);
    if (double(enough) > worthChanging * double(job.timeLimit->count))
        return {};
    return {make(AdviceKind::Time,
        u"Ask for %1: short jobs fit into more gaps of the queue."_s.arg(humanDuration(Seconds{enough})),
        u"It ran %1 of the %2 that were asked for; a quarter is added."_s.arg(
            humanDuration(*job.elapsed), humanDuration(*job.timeLimit)),
        timeOption(enough), u"time"_s, double(enough))};
}

QList<ReportAdvice> memoryAdvice(const ReportInputs& in)
{
    const JobRecord& job = in.usage.job;
    const auto asked = in.usage.memoryPerNode();
    const auto peak = in.usage.peakMemoryPerNode();
    const bool outOfMemory = job.state == JobState::OutOfMemory || job.stepState == JobState::OutOfMemory;
    if (outOfMemory && asked) {
        qint64 more = qint64(std::ceil(asked->inGib() * 1.5));
        if (in.rules.nodeMemory)
            more = qMin(more, qint64(in.rules.nodeMemory->inGib()));
        if (in.rules.memoryFollowsGpus || double(more) <= asked->inGib())
            return {make(AdviceKind::Hint, u"Use fewer loader processes, or spread the job over more nodes."_s,
                u"The node's memory ran out at %1, and the node has no more."_s.arg(humanBytes(*asked)))};
        return {make(AdviceKind::Memory, u"Ask for %1 GiB on each node."_s.arg(more),
            u"The memory of %1 on each node ran out: half as much again is added."_s.arg(humanBytes(*asked)),
            u"--mem=%1G"_s.arg(more), u"resources.memoryPerNode"_s, double(Bytes::gib(double(more)).count))};
    }
    if (hasAlert(in, {AlertKind::HostMemory}) || hasFailure(in, {u"oom_host"}))
        return {};
    if (job.state != JobState::Completed || !asked || !peak || in.rules.memoryFollowsGpus || in.rules.wholeNodes
        || job.elapsed.value_or(Seconds{}).count < shortestToAssess)
        return {};
    const qint64 enough = qint64(std::ceil(peak->inGib() * memoryMargin)) + 1;
    const double share = in.rules.memoryPerGpu && job.gpus && job.nodes && *job.nodes > 0
        ? in.rules.memoryPerGpu->inGib() * *job.gpus / *job.nodes
        : 0;
    // what comes with the GPUs anyway costs nothing
    if (double(enough) > worthChanging * asked->inGib() || (share > 0 && asked->inGib() <= share * 1.001))
        return {};
    const qint64 reported = share > double(enough) ? qint64(share) : enough;
    QString reason = u"At most %1 of %2 on each node were used; %3 and a GiB are added."_s.arg(
        humanBytes(*peak), humanBytes(*asked), percentText(30));
    if (reported != enough)
        reason += u" %1 GiB come with the %2s anyway."_s.arg(reported).arg(in.rules.gpuWord);
    return {make(AdviceKind::Memory, u"Ask for %1 GiB on each node."_s.arg(reported), reason,
        u"--mem=%1G"_s.arg(reported), u"resources.memoryPerNode"_s, double(Bytes::gib(double(reported)).count))};
}

QList<ReportAdvice> cpuAdvice(const ReportInputs& in)
{
    const JobRecord& job = in.usage.job;
    const auto busy = in.usage.busyCpus();
    if (job.state != JobState::Completed || !busy || !in.usage.cpus || !job.gpus || *job.gpus < 1 || !job.nodes
        || *job.nodes < 1 || job.elapsed.value_or(Seconds{}).count < shortestToAssess)
        return {};
    const double asked = double(*in.usage.cpus) / in.rules.cpusPerCore / *job.gpus; // cores of one GPU
    const double used = *busy / in.rules.cpusPerCore / *job.gpus;
    const double perTask = double(*job.gpus) / *job.nodes / in.rules.tasksPerNode.value_or(1);
    const auto reported = [&](int cores, const QString& text, const QString& reason) {
        const QString option
            = in.rules.tasksPerNode ? u"--cpus-per-task=%1"_s.arg(qint64(std::ceil(cores * perTask))) : QString();
        return make(AdviceKind::Cpus, text, reason, option, u"resources.cpusPerGpu"_s, cores);
    };
    const bool starved
        = in.recorded && in.recorded->useAfterStart && *in.recorded->useAfterStart < 70 && used > 0.9 * asked;
    if (starved && seenEnough(in)) {
        const int more = int(std::ceil(asked * 2));
        return {reported(more, u"Ask for %1 for each %2."_s.arg(counted(more, u"core"_s), in.rules.gpuWord),
            u"The cores were busy for %1 of the time while the %2s waited: the data does not come fast enough."_s.arg(
                percentText(100 * used / asked), in.rules.gpuWord))};
    }
    if (in.rules.wholeNodes
        || hasAlert(in, {AlertKind::DataLoading, AlertKind::FileWait, AlertKind::SharedCores, AlertKind::WrongBinding}))
        return {};
    int enough = qMax(2, int(std::ceil(used * cpuMargin)));
    const int share = in.rules.coresPerGpu.value_or(0);
    if (share > 0 && asked <= share)
        return {}; // comes with the GPU: fewer save nothing
    enough = qMax(enough, share);
    if (enough > worthChanging * asked)
        return {};
    return {reported(enough, u"Ask for %1 for each %2."_s.arg(counted(enough, u"core"_s), in.rules.gpuWord),
        u"%1 of %2 cores for each %3 were busy on average; half as many again are left for peaks%4."_s.arg(
            humanNumber(used), humanNumber(asked), in.rules.gpuWord,
            share > 0 && enough == share ? u", and %1 come with it anyway"_s.arg(share) : QString()))};
}

/// The same number of busy GPUs on each node that had one; empty: uneven.
std::optional<int> evenly(const Workers& who)
{
    std::optional<int> each;
    for (const int busy : who.busyOnNode) {
        if (each && *each != busy)
            return {};
        each = busy;
    }
    return each;
}

QList<ReportAdvice> idleAdvice(const ReportInputs& in)
{
    const Workers who = workers(*in.recorded);
    if (who.idle.isEmpty() || who.seen < 1)
        return {};
    const QString& word = in.rules.gpuWord;
    const QString reason = u"%1 of %2 never did any work."_s.arg(who.idle.size()).arg(counted(who.seen, word));
    if (who.busy() == 0)
        return {make(AdviceKind::Hint,
            u"Find out why no %1 was used before asking for any again: is PyTorch built for them, and are the model and the data moved to the device?"_s
                .arg(word),
            reason)};
    const qsizetype nodes = in.recorded->nodes.size();
    const auto each = evenly(who);
    if (!each)
        return {make(AdviceKind::Hint,
            u"Start one rank for each %1, or ask for %2."_s.arg(word, counted(who.busy(), word)), reason)};
    if (who.busyOnNode.size() < nodes)
        return {make(AdviceKind::Nodes,
            u"Ask for %1, or start ranks on all of them."_s.arg(counted(int(who.busyOnNode.size()), u"node"_s)),
            reason + u" All of them were on nodes where nothing ran."_s, u"--nodes=%1"_s.arg(who.busyOnNode.size()),
            u"resources.nodes"_s, double(who.busyOnNode.size()))};
    return {make(AdviceKind::Gpus,
        u"Ask for %1 on each node, or start a rank for each of them."_s.arg(counted(*each, word)), reason,
        u"--gpus-per-node=%1"_s.arg(*each), u"resources.gpusPerNode"_s, *each)};
}

QList<ReportAdvice> batchAdvice(const ReportInputs& in)
{
    const HistorySummary& seen = *in.recorded;
    if (!seen.memoryPeak || !seen.memoryTotal || seen.memoryTotal->count < 1
        || in.usage.job.state != JobState::Completed)
        return {};
    const double full = double(seen.memoryPeak->count) / double(seen.memoryTotal->count);
    const QString held = u"The fullest %1 held %2 of %3"_s.arg(
        in.rules.gpuWord, humanBytes(*seen.memoryPeak), humanBytes(*seen.memoryTotal));
    if (full > fullMemory)
        return {make(AdviceKind::Hint, u"Leave some memory free: a smaller micro-batch or activation checkpointing."_s,
            held
                + u" (%1): a longer sample or another version of a library may not fit."_s.arg(
                    percentText(100 * full)))};
    if (hasAlert(in, {AlertKind::MemoryGrowing, AlertKind::LossNan, AlertKind::CrowdedGpu})
        || hasFailure(in, {u"oom_gpu", u"nan_loss"}))
        return {};
    if (full > 0.4 || !in.rules.microBatch || *in.rules.microBatch < 1)
        return {};
    // Part of the memory does not grow with the micro-batch, so this many times the batch needs less than that.
    const auto larger = qint64(double(*in.rules.microBatch) * 0.85 / full);
    qint64 power = *in.rules.microBatch;
    while (power * 2 <= larger && power < (qint64(1) << 20))
        power *= 2;
    if (power == *in.rules.microBatch)
        return {};
    const QString reason = held
        + u" (%1). A larger micro-batch keeps a %2 busier; memory grows at most in proportion."_s.arg(
            percentText(100 * full), in.rules.gpuWord);
    // What the design does not hand to the program, no edit of it can change.
    if (!in.rules.passesMicroBatch)
        return {make(AdviceKind::Hint,
            u"Try a micro-batch of %1 in place of %2, where your program is given it: its command passes none."_s
                .arg(power)
                .arg(*in.rules.microBatch),
            reason)};
    return {
        make(AdviceKind::MicroBatch, u"Try a micro-batch of %1 in place of %2."_s.arg(power).arg(*in.rules.microBatch),
            reason, {}, u"training.microBatch"_s, double(power))};
}

QList<ReportAdvice> waitingAdvice(const ReportInputs& in)
{
    const HistorySummary& seen = *in.recorded;
    QList<ReportAdvice> all;
    if (!seen.firstWorkMs || !seen.lastWorkMs || seen.jobSeconds() < 1)
        return all;
    const Seconds before{qint64(seen.startUpSeconds.value_or(0))}, after{(seen.job.toMs - *seen.lastWorkMs) / 1000};
    if (before.count >= 120 && double(before.count) > 0.1 * seen.jobSeconds())
        all.append(
            make(AdviceKind::Hint, u"Make the start faster: a container in one file, data prepared beforehand."_s,
                u"For the first %1 (%2 of the job) no %3 worked."_s.arg(humanDuration(before),
                    percentText(100 * double(before.count) / seen.jobSeconds()), in.rules.gpuWord)));
    if (after.count >= 300 && double(after.count) > 0.1 * seen.jobSeconds())
        all.append(make(AdviceKind::Hint,
            u"End the job when the training ends, and do what follows in a job without %1s."_s.arg(in.rules.gpuWord),
            u"For the last %1 (%2 of the job) no %3 worked any more."_s.arg(
                humanDuration(after), percentText(100 * double(after.count) / seen.jobSeconds()), in.rules.gpuWord)));
    return all;
}

QList<ReportAdvice> useAdvice(const ReportInputs& in)
{
    const Workers who = workers(*in.recorded);
    const auto use = in.recorded->useAfterStart;
    if (stoodStill(in) || !in.diagnoses.isEmpty() || bestGrade(in) == EfficiencyReport::Grade::Poor)
        return {};
    if (!use || *use >= 40 || who.busy() == 0 || !who.idle.isEmpty() || in.recorded->jobSeconds() < 600)
        return {};
    return {make(AdviceKind::Hint,
        u"Before asking for more %1s, make these busier: more loader processes, a larger micro-batch, or fewer %1s."_s
            .arg(in.rules.gpuWord),
        hasNoticeableStart(in)
            ? u"After the start-up they worked for %1 of the time on average."_s.arg(percentText(*use))
            : u"They worked for %1 of the time on average."_s.arg(percentText(*use)))};
}

} // namespace

bool seenEnough(const ReportInputs& in) { return in.recorded && in.recorded->seenShare >= enoughSeen; }

bool hasNoticeableStart(const ReportInputs& in)
{
    return in.recorded && in.recorded->startUpSeconds.value_or(0) >= noticeableStartSeconds;
}

bool isStarting(const ReportInputs& in)
{
    return !hasEnded(in.usage.job.state) && in.recorded && in.recorded->meanUse && !in.recorded->firstWorkMs
        && seenEnough(in) && !in.measured.step;
}

Workers workers(const HistorySummary& recorded)
{
    Workers who;
    for (const GpuSummary& gpu : recorded.gpus) {
        if (!gpu.idleShare)
            continue;
        ++who.seen;
        if (*gpu.idleShare > 0.99)
            who.idle.append(gpu);
        else
            ++who.busyOnNode[gpu.address.node];
    }
    return who;
}

QList<ReportAdvice> advice(const ReportInputs& in)
{
    if (!hasEnded(in.usage.job.state))
        return {};
    QList<ReportAdvice> all;
    if (in.shortageChange)
        all.append(*in.shortageChange);
    if (seenEnough(in))
        all += idleAdvice(in);
    all += memoryAdvice(in);
    all += timeAdvice(in);
    all += cpuAdvice(in);
    if (seenEnough(in)) {
        all += batchAdvice(in);
        all += waitingAdvice(in);
        all += useAdvice(in);
    }
    return all;
}

} // namespace rankwright::inline insight::reportparts
