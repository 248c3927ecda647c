// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/reportinputs.h"

#include "app/report/knowndesign.h"
#include "app/report/memorycase.h"
#include "models/cluster/slurm/slurmparsers.h"
#include "models/insight/diagnosis/diagnosisrules.h"
#include "models/insight/progress/stepmeter.h"
#include "models/planner/design/cost.h"
#include "models/script/batch/batchtext.h"
#include "models/script/document/designjson.h"
#include "models/script/write/figurepassing.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// Tokens make no sense of an image model: its rate is reported in samples.
bool countsTokens(const Workload& workload)
{
    return workload.shape.family != ModelFamily::Convolution && workload.shape.family != ModelFamily::Vision;
}

/// Samples of a step and of one GPU's pass, where somebody said so.
struct BatchSizes {
    std::optional<qint64> global, micro;
};

/// What the design itself says; a batch that only follows from defaults does not count.
bool saysBatch(const std::optional<KnownDesign>& design)
{
    return design && (design->resolved.spec.training.globalBatch || design->resolved.spec.training.microBatch);
}

/// Of the log where it says one: it is what ran.
BatchSizes batchOf(const JobEvidence& evidence, const std::optional<KnownDesign>& design)
{
    BatchSizes sizes;
    if (saysBatch(design) && design->batch.globalBatch > 0)
        sizes.global = design->batch.globalBatch;
    if (saysBatch(design) && design->batch.microBatch > 0)
        sizes.micro = design->batch.microBatch;
    for (const auto& progress : {std::optional(evidence.ending.progress), evidence.progress}) {
        if (!progress || (!progress->globalBatch && !progress->microBatch))
            continue;
        if (progress->microBatch && progress->microBatch != sizes.micro && !progress->globalBatch)
            sizes.global.reset(); // the design's was another
        if (progress->globalBatch && progress->globalBatch != sizes.global && !progress->microBatch)
            sizes.micro.reset();
        if (progress->microBatch)
            sizes.micro = progress->microBatch;
        if (progress->globalBatch)
            sizes.global = progress->globalBatch;
        break;
    }
    return sizes;
}

/// Slurm's CPUs in one core of a design: sites whose nodes run two threads on a core count them in the accounting.
int cpusPerCore(const JobUsage& usage, const NodeShape& shape, const std::optional<KnownDesign>& design)
{
    if (shape.cpusAreThreads || shape.threadsPerCore < 2 || !usage.cpus)
        return 1;
    const auto twice = [&](double cores) { return cores > 0 && *usage.cpus >= 1.9 * cores; };
    if (design && !design->resolved.coresOpen && usage.job.gpus
        && twice(double(design->resolved.cpusPerGpu) * *usage.job.gpus))
        return shape.threadsPerCore;
    if (usage.job.nodes && *usage.job.nodes > 0 && shape.cores > 0 && *usage.cpus / *usage.job.nodes > shape.cores)
        return shape.threadsPerCore;
    return usage.askedCpus && twice(*usage.askedCpus) ? shape.threadsPerCore : 1;
}

void addBillingAccounts(
    RequestRules& rules, const JobUsage& usage, const ClusterProfile& profile, const QString& partition)
{
    const JobRecord& job = usage.job;
    if (!job.gpus || !job.nodes || *job.nodes < 1 || !job.elapsed)
        return;
    const int cores = usage.cpus ? *usage.cpus / rules.cpusPerCore / *job.nodes : 0;
    const Bytes memory = usage.memoryPerNode().value_or(Bytes{});
    const auto quote = [&](Seconds time) {
        return quoteCost(profile, partition, *job.nodes, *job.gpus / *job.nodes, cores, memory, time.inHours())
            .billingAccounts;
    };
    const auto used = quote(*job.elapsed);
    const auto asked = job.timeLimit ? quote(*job.timeLimit) : std::nullopt;
    if (!used)
        return;
    for (qsizetype i = 0; i < used->size(); ++i) {
        const CostQuote::BillingAccount& billingAccount = used->at(i);
        rules.billingAccounts.append({billingAccount.billingAccount, billingAccount.unit, billingAccount.amount,
            asked && i < asked->size() ? std::optional(asked->at(i).amount) : std::nullopt,
            billingAccount.decidedBy ? billedText(*billingAccount.decidedBy, rules.gpuWord) : QString(),
            billingAccount.source});
    }
}

RequestRules rulesOf(const JobUsage& usage, const ClusterProfile* profile, const std::optional<KnownDesign>& design)
{
    RequestRules rules;
    rules.tasksPerNode = usage.tasksPerNode();
    if (design) {
        if (!rules.tasksPerNode)
            rules.tasksPerNode = design->resolved.tasksPerNode();
    }
    if (!profile)
        return rules;
    const Partition* partition = design ? profile->partition(design->resolved.partition) : nullptr;
    if (!partition || partition->slurmName() != usage.job.partition)
        partition = profile->partitionAsked({usage.job.partition, usage.qos, {}, {}, {}});
    if (!partition)
        partition = profile->partitionAsked({usage.job.partition, {}, {}, {}, {}});
    if (!partition)
        return rules;
    rules.wholeNodes = !partition->shared;
    rules.longestTime = partition->maxTimeFor(usage.job.nodes.value_or(1));
    const NodeShape* shape = profile->nodeShape(partition->name);
    if (!shape)
        return rules;
    rules.gpuWord = shape->gpu.word;
    if (shape->gpu.perPackage > 1)
        rules.packageWord = shape->gpu.packageName;
    rules.cpusPerCore = cpusPerCore(usage, *shape, design);
    rules.memoryFollowsGpus = shape->memoryFollowsGpus;
    rules.coresPerGpu = shape->coresPerGpu;
    rules.memoryPerGpu = shape->memoryPerGpu;
    if (shape->knowsMemory())
        rules.nodeMemory = shape->memory;
    addBillingAccounts(rules, usage, *profile, partition->name);
    return rules;
}

JobPrediction predictionOf(const KnownDesign& design)
{
    JobPrediction reported;
    if (!design.estimate)
        return reported;
    const DesignEstimate& estimate = *design.estimate;
    if (estimate.memory.totalBytes > 0)
        reported.memoryBytes
            = JobPrediction::Band{estimate.memory.totalBytes, estimate.memory.lowBytes, estimate.memory.highBytes};
    const StepEstimate& step = estimate.step;
    if (!(step.seconds > 0))
        return reported;
    reported.stepSeconds = JobPrediction::Band{step.seconds, step.lowSeconds, step.highSeconds};
    const double rate = step.tokensPerSecondPerGpu * design.resolved.worldSize();
    reported.perSample = !countsTokens(estimate.run.workload);
    if (rate > 0 && step.lowSeconds > 0 && step.highSeconds > 0)
        reported.tokensPerSecond
            = JobPrediction::Band{rate, rate * step.seconds / step.highSeconds, rate * step.seconds / step.lowSeconds};
    return reported;
}

void fillRates(MeasuredTraining& reported, std::optional<qint64> batch, const std::optional<KnownDesign>& design)
{
    if (reported.stepSeconds && *reported.stepSeconds > 0 && batch && !reported.samplesPerSecond)
        reported.samplesPerSecond = double(*batch) / *reported.stepSeconds;
    if (!reported.samplesPerSecond || reported.tokensPerSecond || !design || !design->estimate
        || !countsTokens(design->estimate->run.workload))
        return;
    reported.tokensPerSecond = *reported.samplesPerSecond * double(design->estimate->run.workload.sequence);
}

MeasuredTraining measuredOf(
    const JobEvidence& evidence, std::optional<qint64> batch, const std::optional<KnownDesign>& design)
{
    MeasuredTraining reported = measuredBy(evidence.ending.progress, batch);
    if (!reported.step && !reported.stepSeconds && !reported.samplesPerSecond)
        reported = evidence.kept;
    if (evidence.progress) {
        const MeasuredTraining seen = measuredBy(*evidence.progress, batch);
        if (!reported.step || (seen.step && *seen.step > *reported.step)) {
            reported.step = seen.step;
            reported.steps = seen.steps;
        }
        if (!reported.stepSeconds && !reported.samplesPerSecond)
            reported = seen;
    }
    if (evidence.stepSeconds) {
        reported.stepSeconds = evidence.stepSeconds;
        if (batch) { // worked out again below, so that they agree; else the log's own rates stand
            reported.samplesPerSecond.reset();
            reported.tokensPerSecond.reset();
        }
        reported.source = u"measured while watching"_s;
    }
    fillRates(reported, batch, design);
    return reported;
}

} // namespace

MeasuredTraining measuredBy(const TrainingProgress& progress, std::optional<qint64> globalBatch)
{
    MeasuredTraining reported;
    reported.source = u"the job's log"_s;
    if (!progress.stepWithinEpoch) {
        reported.step = progress.step;
        reported.steps = progress.steps;
    } else if (progress.step && progress.steps && progress.epoch && progress.epochs && *progress.steps > 0) {
        // "epoch 3" of 10 is the third: two are behind it
        const double whole = qMax(0.0, *progress.epoch - 1);
        reported.step = qint64(whole * double(*progress.steps)) + *progress.step;
        reported.steps = qint64(*progress.epochs * double(*progress.steps));
    }
    reported.stepSeconds = progress.stepSeconds ? progress.stepSeconds : stepSecondsByRate(progress);
    if (!progress.rate || !(*progress.rate > 0))
        return reported;
    if (progress.rateUnit == u"tokens/s"_s)
        reported.tokensPerSecond = *progress.rate;
    else if (progress.rateUnit == u"samples/s"_s)
        reported.samplesPerSecond = *progress.rate;
    if (!reported.stepSeconds && reported.samplesPerSecond && globalBatch)
        reported.stepSeconds = double(*globalBatch) / *reported.samplesPerSecond;
    return reported;
}

QStringList outputPaths(const JobRecord& job, const QByteArray& design)
{
    QStringList paths;
    const auto add = [&](const QString& pattern, const QString& folder) {
        if (pattern.isEmpty())
            return;
        const QString path = expandOutputPattern(pattern, job);
        const QString whole = path.startsWith(u'/') ? path : folder.isEmpty() ? QString() : folder + u'/' + path;
        if (!whole.isEmpty() && !whole.contains(u'%') && !paths.contains(whole))
            paths.append(whole);
    };
    add(job.standardOutput, job.workdir);
    if (const auto read = readDesign(design, u"design"_s); !design.isEmpty() && read) {
        const QString folder = job.workdir.isEmpty() ? read->spec.workdir.value_or(QString()) : job.workdir;
        add(read->spec.options.output.value_or(QString()), folder);
        add(u"%x-%j.out"_s, folder);
        add(u"%x-%A_%a.out"_s, folder);
    }
    add(job.id.contains(u'_') ? u"slurm-%A_%a.out"_s : u"slurm-%j.out"_s, job.workdir);
    add(job.id.contains(u'_') ? u"%x-%A_%a.out"_s : u"%x-%j.out"_s, job.workdir);
    return paths;
}

QStringList errorPaths(const JobRecord& job, const JobEvidence& evidence)
{
    QString folder = job.workdir;
    QStringList patterns;
    if (const auto read = readDesign(evidence.design, u"design"_s); !evidence.design.isEmpty() && read) {
        patterns.append(read->spec.options.error.value_or(QString()));
        if (folder.isEmpty())
            folder = read->spec.workdir.value_or(QString());
    }
    const BatchText batch = parseBatch(QString::fromUtf8(evidence.script));
    if (const BatchOption* option = batch.option(u"error"_s))
        patterns.append(option->value);
    QStringList paths;
    for (const QString& pattern : std::as_const(patterns)) {
        const QString path = pattern.isEmpty() ? QString() : expandOutputPattern(pattern, job);
        const QString whole = path.isEmpty() || path.startsWith(u'/') ? path : folder + u'/' + path;
        if (whole.startsWith(u'/') && !whole.contains(u'%') && !paths.contains(whole))
            paths.append(whole);
    }
    return paths;
}

JobCase makeCase(const JobUsage& usage, UsageSource source, const JobEvidence& evidence, const ClusterProfile* profile,
    const CalibrationTable& learned)
{
    const auto design = knownDesign(evidence.design, profile, learned);
    JobCase made;
    ReportInputs& in = made.inputs;
    in.cluster = profile ? profile->title : QString();
    in.usage = usage;
    in.accounted = source == UsageSource::Accounting;
    in.rules = rulesOf(usage, profile, design);
    in.recorded = evidence.recorded;
    if (design)
        in.predicted = predictionOf(*design);
    const BatchSizes batch = batchOf(evidence, design);
    in.rules.microBatch = batch.micro;
    in.rules.passesMicroBatch = design && canPassMicroBatch(design->resolved, *profile);
    in.measured = measuredOf(evidence, batch.global, design);
    in.binding = evidence.ending.binding.isReported() ? evidence.ending.binding : evidence.keptBinding;
    if (usage.job.state == JobState::Completed)
        in.binding.begin();
    const auto planned = design
        ? std::optional(PlannedJob{design->resolved, design->batch, design->estimate, *profile, learned})
        : std::nullopt;
    in.shortage = memoryShortage(evidence.ending.diagnoses, planned ? &*planned : nullptr, evidence.script);
    if (in.shortage && planned)
        in.shortageChange = memoryChange(*in.shortage, *planned, evidence.script);
    in.alerts = evidence.alerts;
    in.alertSeconds = evidence.alertSeconds;
    in.standingAtEnd = evidence.standingAtEnd;
    // A job that completed had no failure but one of its training.
    for (Diagnosis one : evidence.ending.diagnoses) {
        one.confirmed = true;
        if (hasEnded(usage.job.state) && (usage.job.state != JobState::Completed || isHealthRule(one.rule)))
            in.diagnoses.append(one);
    }
    made.run = {usage.job, batch.global, in.measured.step, in.measured.stepSeconds};
    return made;
}

} // namespace rankwright
