// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/jobexpectation.h"

#include "app/watch/joblayout.h"
#include "models/insight/alerts/ranktracker.h"
#include "models/script/document/designjson.h"

#include <algorithm>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QString launchOption(const ResolvedSpec& resolved)
{
    const QString count = QString::number(resolved.gpusPerNode);
    if (resolved.tasksPerNode() > 1)
        return u"--ntasks-per-node="_s + count;
    switch (resolved.launcher) {
    case Launcher::Accelerate: return u"--num_processes=%1"_s.arg(resolved.worldSize());
    case Launcher::Srun:
    case Launcher::Lightning:
    case Launcher::Horovod: return u"--ntasks-per-node="_s + count;
    default: return u"--nproc_per_node="_s + count;
    }
}

QString bindOption(const RankPlaces& plan)
{
    if (!plan.bound || plan.boundBy != BoundBy::Masks)
        return {};
    QList<QList<int>> tasks;
    for (const RankPlace& place : plan.ranks) {
        if (place.node == 0)
            tasks.append(place.cores);
    }
    return u"--cpu-bind="_s + maskOption(tasks);
}

/// GPUs that the price pays for: the whole price by the price of the GPUs that were asked for.
std::optional<int> billedGpus(const Derived& derived)
{
    const ResolvedSpec& resolved = derived.resolved;
    std::optional<int> billed;
    if (resolved.wholeNodes && resolved.node.gpus > resolved.gpusPerNode)
        billed = resolved.nodes * resolved.node.gpus;
    if (!derived.cost.billingAccounts || derived.cost.billingAccounts->isEmpty())
        return billed;
    const CostQuote::BillingAccount& billingAccount = derived.cost.billingAccounts->first();
    const auto share = billingAccount.share(BillingTerm::Of::Gpus);
    if (share && *share > 0) {
        const double gpus = double(resolved.worldSize()) * billingAccount.perHour / *share;
        billed = std::max(billed.value_or(0), int(std::floor(gpus + 0.01)));
    }
    return billed;
}

QList<RankPlace> placementOf(const Derived& derived)
{
    // Under deepspeed's own command the script binds only when the design asks for it; elsewhere the plan is what runs.
    const bool byOthers = derived.ranks.boundBy == BoundBy::Program && derived.resolved.launcher == Launcher::Deepspeed
        && !derived.resolved.spec.options.cpuBinding.value_or(false);
    const bool mustBind = derived.ranks.bound && derived.ranks.boundBy != BoundBy::Nobody && !byOthers;
    QList<RankPlace> placement = derived.ranks.ranks;
    for (RankPlace& place : placement) {
        if (!mustBind)
            place.cores.clear();
    }
    return placement;
}

} // namespace

JobExpectation expectationOf(const ClusterProfile& profile, const JobRecord& record)
{
    JobExpectation expectation;
    const NodeShape* shape = profile.nodeShape(record.partition);
    expectation.nodes = record.nodeList;
    const int nodes = record.nodes.value_or(int(record.nodeList.size()));
    if (nodes > 0 && record.gpus)
        expectation.gpusPerNode = *record.gpus / nodes;
    if (shape) {
        expectation.gpusPerPackage = std::max(1, shape->gpu.perPackage);
        if (!shape->gpu.word.isEmpty())
            expectation.gpuWord = shape->gpu.word;
    }
    if (record.timeLimit)
        expectation.timeLimitSeconds = double(record.timeLimit->count);
    return expectation;
}

JobExpectation expectationOf(const Derived& derived, const JobRecord& record)
{
    const ResolvedSpec& resolved = derived.resolved;
    JobExpectation expectation = expectationOf(*derived.profile, record);
    expectation.gpusPerPackage = std::max(1, resolved.node.gpu.perPackage);
    if (!resolved.node.gpu.word.isEmpty())
        expectation.gpuWord = resolved.node.gpu.word;
    expectation.launchOption = launchOption(resolved);
    expectation.bindOption = bindOption(derived.ranks);
    const bool sameNodes = record.nodeList.isEmpty() || record.nodeList.size() == resolved.nodes;
    if (!sameNodes || !gotItsGpus(resolved, record))
        return expectation; // somebody changed the script, or the job
    expectation.gpusPerNode = resolved.gpusPerNode;
    expectation.strategy = toText(resolved.strategy);
    expectation.pipelineStages = std::max(1, resolved.pipeline);
    expectation.billedGpuUnits = billedGpus(derived);
    if (resolved.strategy != Strategy::Single) {
        expectation.ranks = resolved.worldSize();
        expectation.placement = placementOf(derived);
    }
    if (resolved.microBatch)
        expectation.microBatch = int(*resolved.microBatch);
    if (derived.estimate) {
        expectation.predictedStepSeconds = derived.estimate->step.seconds;
        expectation.predictedMemoryBytes = qint64(derived.estimate->memory.totalBytes);
    }
    return expectation;
}

JobExpectation expectationOf(const RecordingFacts& facts, const std::optional<JobSpec>& design,
    const QStringList& nodes, const ClusterProfile* profile)
{
    JobRecord record = facts.job;
    record.nodeList = nodes;
    if (profile)
        return design ? expectationOf(derive(*design, *profile), record) : expectationOf(*profile, record);
    JobExpectation expectation;
    expectation.nodes = nodes;
    expectation.gpusPerNode = facts.gpusPerNode.value_or(0);
    expectation.gpusPerPackage = std::max(1, facts.gpusPerPackage);
    expectation.gpuWord = facts.gpuWord;
    if (record.timeLimit)
        expectation.timeLimitSeconds = double(record.timeLimit->count);
    return expectation;
}

} // namespace rankwright
