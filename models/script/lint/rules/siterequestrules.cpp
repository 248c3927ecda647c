// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/planner/design/cost.h"
#include "models/script/lint/lintrule.h"
#include "models/script/lint/lintsite.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

QString written(const QString& name, const QString& value) { return u"--%1=%2"_s.arg(name, value); }

std::optional<Fix> useValue(const LintFacts& facts, const BatchOption* option, const QString& value)
{
    if (!option)
        return std::nullopt;
    return replaceOption(facts, *option, written(option->name, value), u"Use "_s + written(option->name, value));
}

int lineOfOption(const BatchOption* option) { return option ? option->line : 0; }

const BatchOption* gpuOption(const LintFacts& facts)
{
    return facts.request.gpuOptions.isEmpty() ? nullptr : facts.request.gpuOptions.first();
}

Hits nodeGpus(const LintFacts& facts)
{
    const LintRequest& request = facts.request;
    if (!facts.node || facts.node->gpus < 1 || !request.gpusPerNode || *request.gpusPerNode <= facts.node->gpus)
        return {};
    return {{lineOfOption(gpuOption(facts)),
        u"%1 %2s are asked for on each node, but a node of %3 has %4: the job is refused."_s.arg(
            QString::number(*request.gpusPerNode), facts.node->gpu.word, facts.profile->title,
            QString::number(facts.node->gpus))}};
}

/// The cores of a node that a job gets, with what --core-spec leaves to the system.
int coresForJobs(const LintFacts& facts)
{
    bool isNumber = false;
    const int kept = facts.optionValue(u"core-spec"_s).toInt(&isNumber);
    return isNumber && kept >= 0 && kept < facts.node->cores ? facts.node->cores - kept : facts.node->usableCores;
}

Hits nodeCores(const LintFacts& facts)
{
    const std::optional<int> asked = facts.request.coresPerNode();
    if (!facts.node || facts.node->usableCores < 1 || !asked)
        return {};
    const int usable = coresForJobs(facts);
    const QString hint = facts.optionValue(u"hint"_s);
    const bool threads = hint == u"multithread" || facts.optionValue(u"threads-per-core"_s).toInt() > 1;
    const bool cores = hint == u"nomultithread" || facts.optionValue(u"threads-per-core"_s) == u"1";
    // Where Slurm's CPUs are hardware threads, a job of one thread a core gets one of each core's.
    const int most = facts.node->cpusAreThreads ? usable / (cores ? std::max(1, facts.node->threadsPerCore) : 1)
                                                : usable * (threads ? facts.node->threadsPerCore : 1);
    if (*asked <= most)
        return {};
    // Some sites count hardware threads unless told otherwise; then more than the cores is nothing wrong.
    const bool siteSays = facts.profile->launch.extraDirectives.contains(u"--hint=nomultithread"_s);
    const int threadsPerCore = std::max(facts.node->threadsPerCore, siteSays ? 2 : 1);
    const bool mayBeThreads = !cores && !threads && !facts.node->cpusAreThreads && *asked > facts.node->cores
        && *asked <= facts.node->cores * threadsPerCore;
    QString text
        = u"%1 with %2 are %3 on each node, but a job gets %4"_s.arg(counted(*facts.request.tasksPerNode, u"task"_s),
            counted(*facts.request.cpusPerTask, u"core"_s), counted(*asked, u"core"_s), QString::number(most));
    if (facts.node->cores > usable && !threads)
        text += u" (%1 of %2 are kept for the system)"_s.arg(facts.node->cores - usable).arg(facts.node->cores);
    const BatchOption* option = facts.option(u"cpus-per-task"_s);
    const int each = most / std::max(1, *facts.request.tasksPerNode);
    return {{lineOfOption(option),
        text
            + (mayBeThreads ? u", unless hardware threads are counted here."_s
                            : u": such a job is refused or never starts."_s),
        each > 0 ? useValue(facts, option, QString::number(each)) : std::nullopt,
        mayBeThreads ? std::optional(Severity::Hint) : std::nullopt}};
}

/// Memory on each node by whichever option says it, with that option.
std::pair<std::optional<Bytes>, const BatchOption*> memoryPerNode(const LintFacts& facts)
{
    const LintRequest& request = facts.request;
    if (request.memory)
        return {request.memory, facts.option(u"mem"_s)};
    if (request.memoryPerGpu && request.gpusPerNode)
        return {Bytes{request.memoryPerGpu->count * *request.gpusPerNode}, facts.option(u"mem-per-gpu"_s)};
    if (request.memoryPerCpu && request.coresPerNode())
        return {Bytes{request.memoryPerCpu->count * *request.coresPerNode()}, facts.option(u"mem-per-cpu"_s)};
    return {std::nullopt, nullptr};
}

bool looksLikeTotal(const LintFacts& facts, Bytes memory)
{
    return facts.request.memory && facts.request.severalNodes()
        && memory.count / *facts.request.nodes <= facts.node->memory.count;
}

Hits nodeMemory(const LintFacts& facts)
{
    const auto [memory, option] = memoryPerNode(facts);
    if (!facts.node || facts.node->memory.count < 1 || !memory || *memory <= facts.node->memory
        || facts.node->memoryFollowsGpus || looksLikeTotal(facts, *memory))
        return {};
    const Bytes most = facts.node->memory;
    std::optional<Fix> fix;
    if (option->name == u"mem")
        fix = useValue(facts, option, slurmMemory(most));
    else if (option->name == u"mem-per-gpu" && *facts.request.gpusPerNode > 0)
        fix = useValue(facts, option, slurmMemory(Bytes::mib(most.inMib() / *facts.request.gpusPerNode)));
    return {{option->line,
        u"%1 of memory is asked for on each node, but a job gets up to %2 there: it is refused."_s.arg(
            slurmMemory(*memory), slurmMemory(most)),
        fix}};
}

Hits memoryTotal(const LintFacts& facts)
{
    const LintRequest& request = facts.request;
    if (!facts.node || facts.node->memory.count < 1 || !request.memory || facts.node->memoryFollowsGpus
        || *request.memory <= facts.node->memory || !looksLikeTotal(facts, *request.memory))
        return {};
    const Bytes each{request.memory->count / *request.nodes};
    return {{lineOfOption(facts.option(u"mem"_s)),
        u"%1 looks like the memory of all %2 nodes: --mem counts for each node, where %3 can be had."_s.arg(
            slurmMemory(*request.memory), QString::number(*request.nodes), slurmMemory(facts.node->memory)),
        useValue(facts, facts.option(u"mem"_s), slurmMemory(each))}};
}

Hits memoryFollows(const LintFacts& facts)
{
    if (!facts.node || !facts.node->memoryFollowsGpus || facts.request.gpuOptions.isEmpty())
        return {};
    for (const QString& name : {u"mem"_s, u"mem-per-gpu"_s, u"mem-per-cpu"_s}) {
        const BatchOption* option = facts.option(name);
        if (!option)
            continue;
        const QString share
            = facts.node->memoryPerGpu ? u" (%1)"_s.arg(humanBytes(*facts.node->memoryPerGpu)) : QString();
        return {{option->line,
            u"%1 gives memory with each %2%3: leave %4 out."_s.arg(
                facts.profile->title, facts.node->gpu.word, share, option->written),
            removeOption(facts, *option)}};
    }
    return {};
}

/// No memory option where the site's own default is too small for a training, or where it refuses such a job.
Hits memoryMissing(const LintFacts& facts)
{
    using Memory = Partition::MemoryRequest;
    if (!facts.partition || !facts.node || facts.partition->memoryRequest == Memory::Open
        || facts.request.gpuOptions.isEmpty() || facts.option(u"mem"_s) || facts.option(u"mem-per-gpu"_s)
        || facts.option(u"mem-per-cpu"_s))
        return {};
    const int gpus = facts.request.gpusPerNode.value_or(1);
    const bool refused = facts.partition->memoryRequest == Memory::Needed;
    if (refused && (facts.request.exclusive || gpus >= facts.node->gpus))
        return {}; // the nodes are the job's own
    const bool inStep = std::any_of(facts.starts.cbegin(), facts.starts.cend(),
        [](const Start& start) { return start.srunOption(u"mem"_s) || start.srunOption(u"mem-per-gpu"_s); });
    if (inStep)
        return {};
    const QString asked = facts.node->memoryPerGpu
        ? u"--mem="_s + slurmMemory(Bytes{facts.node->memoryPerGpu->count * gpus})
        : QString();
    return {{lineOfOption(gpuOption(facts)),
        (refused ? u"%1 refuses a job with a part of a node that asks for no memory%2."_s
                 : u"A job that asks for no memory gets little of it in %1%2."_s)
            .arg(refused ? facts.profile->title : facts.partition->name,
                asked.isEmpty() ? QString() : u": the share of its %1s is %2"_s.arg(facts.node->gpu.word, asked)),
        asked.isEmpty() ? std::nullopt : std::optional(addDirective(facts, asked)),
        refused ? Severity::Error : Severity::Hint}};
}

Hits wholeNodePartial(const LintFacts& facts)
{
    const LintRequest& request = facts.request;
    if (!facts.partition || facts.partition->shared || !facts.node || !request.gpusPerNode
        || *request.gpusPerNode >= facts.node->gpus)
        return {};
    const QString word = facts.node->gpu.word;
    const Partition* better = sharedPartitionFor(facts);
    return {{lineOfOption(gpuOption(facts)),
        u"%1 gives whole nodes: all %2 %3s of a node are billed, the script uses %4.%5"_s.arg(
            facts.partition->slurmName(), QString::number(facts.node->gpus), word,
            QString::number(*request.gpusPerNode),
            better ? u" For less than a node there is %1."_s.arg(better->slurmName()) : QString()),
        better ? useValue(facts, facts.option(u"partition"_s), better->slurmName()) : std::nullopt}};
}

Hits gpusMissing(const LintFacts& facts)
{
    if (!facts.node || facts.node->gpus < 1 || !facts.request.gpuOptions.isEmpty() || facts.request.exclusive
        || facts.profile->launch.gpuRequest == GpuRequest::None || !facts.partition)
        return {};
    const bool inStep = std::any_of(facts.starts.cbegin(), facts.starts.cend(), [](const Start& start) {
        return start.srunOption(u"gpus"_s) || start.srunOption(u"gres"_s) || start.srunOption(u"gpus-per-node"_s)
            || start.srunOption(u"gpus-per-task"_s) || start.srunOption(u"tres-per-task"_s);
    });
    if (inStep)
        return {};
    const bool whole = !facts.partition->shared;
    const bool steps = std::any_of(
        facts.starts.cbegin(), facts.starts.cend(), [](const Start& start) { return start.srun && start.training; });
    if (whole && !steps)
        return {}; // whole nodes, and a program that starts its own steps with what they need
    const QString asked = gpuRequestText(facts, facts.partition->shared ? 1 : facts.node->gpus);
    return {{lineOfOption(facts.option(u"partition"_s)),
        u"%1 is for jobs with %2s, and the script asks for none: it is refused, or its steps see no %2. Ask with %3."_s
            .arg(facts.partition->slurmName(), facts.node->gpu.word, asked),
        addDirective(facts, asked), whole ? std::optional(Severity::Warning) : std::nullopt}};
}

/// Cores and memory of a part of a node against what its GPUs stand for, in the site's own prices.
Hits shares(const LintFacts& facts, bool ofMemory)
{
    const LintRequest& request = facts.request;
    if (!facts.sharedNodes() || !facts.node || !request.gpusPerNode)
        return {};
    const int nodes = request.nodes.value_or(1);
    const int cores = request.coresPerNode().value_or(facts.node->coresPerGpu.value_or(1) * *request.gpusPerNode);
    const auto [memory, memoryOption] = memoryPerNode(facts);
    const CostQuote quote = quoteCost(*facts.profile, facts.partition->name, nodes, *request.gpusPerNode, cores,
        facts.node->memoryFollowsGpus ? Bytes{} : memory.value_or(Bytes{}), 1.0);
    const BatchOption* option = ofMemory ? memoryOption : facts.option(u"cpus-per-task"_s);
    const QString word = facts.node->gpu.word;
    const QString what = ofMemory ? slurmMemory(memory.value_or(Bytes{})) + u" of memory"_s : counted(cores, u"core"_s);
    if (!option || (!ofMemory && !request.coresPerNode()) || cores > facts.node->usableCores)
        return {};
    const int fair = ofMemory ? 0 : facts.node->coresPerGpu.value_or(0) * *request.gpusPerNode;
    std::optional<Fix> fix;
    if (!ofMemory && fair > 0 && request.tasksPerNode && fair % *request.tasksPerNode == 0)
        fix = useValue(facts, option, QString::number(fair / *request.tasksPerNode));
    if (ofMemory && facts.node->memoryPerGpu && option->name == u"mem")
        fix = useValue(facts, option, slurmMemory(Bytes{facts.node->memoryPerGpu->count * *request.gpusPerNode}));
    if (quote.billingAccounts && !quote.billingAccounts->isEmpty()) {
        const CostQuote::BillingAccount& billingAccount = quote.billingAccounts->first();
        const double gpuShare = billingAccount.share(BillingTerm::Of::Gpus).value_or(0);
        const BillingTerm::Of decidedBy = ofMemory ? BillingTerm::Of::MemoryGib : BillingTerm::Of::Cores;
        if (!billingAccount.summed && billingAccount.decidedBy == decidedBy && gpuShare > 0
            && billingAccount.perHour > gpuShare * 1.0001) {
            return {{option->line,
                u"%1 %2 with %3 on each node are billed like %4: %5 instead of %6 %7 for each hour."_s.arg(
                    QString::number(*request.gpusPerNode), word, what,
                    humanNumber(billingAccount.perHour / gpuShare * *request.gpusPerNode, 2),
                    humanNumber(billingAccount.perHour, 2), humanNumber(gpuShare, 2), billingAccount.unit),
                fix}};
        }
        if (billingAccount.perHour <= gpuShare * 1.0001)
            return {}; // the site's own price says that this is not more than the GPUs stand for
    }
    if (!ofMemory && fair > 0 && cores > fair) {
        return {{option->line,
            u"%1 for %2 %3 on a shared node are more than their share (%4): other %3s of the node are left without."_s
                .arg(what, QString::number(*request.gpusPerNode), word, QString::number(fair)),
            fix}};
    }
    return {};
}

Hits coreShare(const LintFacts& facts) { return shares(facts, false); }
Hits memoryShare(const LintFacts& facts) { return shares(facts, true); }

Hits wholeMemoryShared(const LintFacts& facts)
{
    const LintRequest& request = facts.request;
    const BatchOption* option = facts.option(u"mem"_s);
    if (!facts.profile && request.wholeMemory && request.gpusPerNode == 1 && !request.exclusive
        && request.nodes.value_or(1) == 1) {
        return {{option->line,
            u"--mem=0 asks for all the memory of the node for one GPU: where a node has several, the job waits for an empty one and the others stay idle."_s}};
    }
    if (!request.wholeMemory || !facts.partition || !facts.partition->shared || !facts.node || !request.gpusPerNode
        || request.exclusive || *request.gpusPerNode >= facts.node->gpus)
        return {};
    return {{option->line,
        u"--mem=0 asks for all the memory of each node, but the job has %1 of its %2 %3s: it waits for an empty node and pays for it."_s
            .arg(QString::number(*request.gpusPerNode), QString::number(facts.node->gpus), facts.node->gpu.word),
        facts.node->memoryPerGpu
            ? useValue(facts, option, slurmMemory(Bytes{facts.node->memoryPerGpu->count * *request.gpusPerNode}))
            : std::nullopt}};
}

} // namespace

QList<LintRule> siteRequestRules()
{
    const QString nodes = u"the site's node table"_s;
    const QString billing = u"the site's billing page"_s;
    const FieldPath gpus = u"resources.gpusPerNode"_s;
    const FieldPath cores = u"resources.cpusPerGpu"_s;
    const FieldPath memory = u"resources.memoryPerNode"_s;
    return {
        {{u"L34"_s, u"node-gpus"_s, Severity::Error, gpus, u"more GPUs than a node has"_s, nodes, true}, nodeGpus},
        {{u"L34"_s, u"node-cores"_s, Severity::Error, cores, u"more cores than a job gets of a node"_s, nodes, true},
            nodeCores},
        {{u"L34"_s, u"node-memory"_s, Severity::Error, memory, u"more memory than a job gets of a node"_s, nodes, true},
            nodeMemory},
        {{u"L35"_s, u"whole-node-partial"_s, Severity::Warning, gpus,
             u"part of a node in a partition that gives whole ones"_s, billing, true},
            wholeNodePartial},
        {{u"L36"_s, u"gpu-option-missing"_s, Severity::Error, gpus,
             u"a GPU partition and no option that asks for GPUs"_s, u"LUMI training materials 2026"_s, true},
            gpusMissing},
        {{u"L38"_s, u"memory-per-node"_s, Severity::Error, memory, u"--mem with the memory of all nodes together"_s,
             u"sbatch(1), --mem"_s, true},
            memoryTotal},
        {{u"L38"_s, u"memory-follows-gpus"_s, Severity::Warning, memory,
             u"a memory option where the site gives memory with the GPUs"_s, u"the site's user guide"_s, true},
            memoryFollows},
        {{u"R309"_s, u"memory-missing"_s, Severity::Hint, memory,
             u"no memory option where the site's default is small, or none"_s, u"the site's partition table"_s, true},
            memoryMissing},
        {{u"L57"_s, u"cpu-share"_s, Severity::Warning, cores,
             u"more cores than the share of the GPUs, on a shared node"_s, billing, true},
            coreShare},
        {{u"L57"_s, u"memory-share"_s, Severity::Warning, memory,
             u"more memory than the share of the GPUs, on a shared node"_s, billing, true},
            memoryShare},
        {{u"R225"_s, u"whole-memory-shared"_s, Severity::Warning, memory, u"--mem=0 for part of a shared node"_s,
             u"sbatch(1), --mem"_s},
            wholeMemoryShared},
    };
}

} // namespace rankwright::inline script::lint
