// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/script/checks/designrule.h"

#include "models/planner/design/partitionchoice.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

namespace {

using Hits = QList<RuleHit>;

Fix useShareOfCores()
{
    return {u"Use the site's share"_s, [](JobSpec& spec) { spec.resources.cpusPerGpu.reset(); }};
}

Fix useShareOfMemory()
{
    return {u"Use the site's share"_s, [](JobSpec& spec) { spec.resources.memoryPerNode.reset(); }};
}

Hits sizeRange(const RuleContext& context)
{
    const auto& asked = context.spec.resources;
    Hits hits;
    if (asked.nodes && (*asked.nodes < 1 || *asked.nodes > 10000))
        hits.append({field::nodes,
            u"%1 nodes cannot be asked for: a job has at least one, and no machine has more than 10 000."_s.arg(
                *asked.nodes),
            Fix{u"Use 1 node"_s, [](JobSpec& spec) { spec.resources.nodes = 1; }}});
    if (asked.gpusPerNode && *asked.gpusPerNode < 1)
        hits.append({field::gpusPerNode,
            u"%1 %2s on each node is not a GPU job: at least one is needed."_s.arg(
                QString::number(*asked.gpusPerNode), context.resolved.node.gpu.word),
            Fix{u"Use 1"_s, [](JobSpec& spec) { spec.resources.gpusPerNode = 1; }}});
    if (asked.cpusPerGpu && *asked.cpusPerGpu < 1)
        hits.append({field::cpusPerGpu,
            u"%1 cores for each %2 cannot be asked for: at least one is needed."_s.arg(
                QString::number(*asked.cpusPerGpu), context.resolved.node.gpu.word),
            useShareOfCores()});
    if (asked.memoryPerNode && asked.memoryPerNode->count < 1048576)
        hits.append({field::memoryPerNode, u"Less than 1 MiB of memory cannot be asked for."_s, useShareOfMemory()});
    return hits;
}

Hits nodeGpus(const RuleContext& context)
{
    const auto asked = context.spec.resources.gpusPerNode;
    const NodeShape& node = context.resolved.node;
    if (!context.knowsSite() || !asked || *asked <= node.gpus)
        return {};
    return {{field::gpusPerNode,
        u"A node of %1 has %2 %3s, the design asks for %4 on each node."_s.arg(
            context.profile.title, QString::number(node.gpus), node.gpu.word, QString::number(*asked)),
        Fix{u"Use %1"_s.arg(node.gpus), [most = node.gpus](JobSpec& spec) { spec.resources.gpusPerNode = most; }}}};
}

Hits nodeCores(const RuleContext& context)
{
    const auto asked = context.spec.resources.cpusPerGpu;
    const NodeShape& node = context.resolved.node;
    if (!context.knowsSite() || !asked || !node.knowsCores())
        return {};
    const qint64 total = qint64(*asked) * context.resolved.gpusPerNode;
    if (total <= node.usableCores)
        return {};
    const QString unit = node.cpusAreThreads ? u"hardware threads"_s : u"cores"_s;
    QString text = u"%1 %6 for each of %2 %3s are %4, but a job gets %5 %6 of a node"_s.arg(QString::number(*asked),
        QString::number(context.resolved.gpusPerNode), node.gpu.word, QString::number(total),
        QString::number(node.usableCores), unit);
    if (node.cores > node.usableCores)
        text += u" (%1 of its %2 are kept for the system)"_s.arg(node.cores - node.usableCores).arg(node.cores);
    return {{field::cpusPerGpu, text + u": such a job is refused or never starts."_s, useShareOfCores()}};
}

Hits nodeMemory(const RuleContext& context)
{
    const auto asked = context.spec.resources.memoryPerNode;
    const NodeShape& node = context.resolved.node;
    if (!context.knowsSite() || !node.knowsMemory() || node.memoryFollowsGpus || !asked || *asked <= node.memory)
        return {};
    if (context.resolved.nodes > 1 && asked->count / context.resolved.nodes <= node.memory.count)
        return {}; // memoryPerJob() says it better
    return {{field::memoryPerNode,
        u"%1 of memory is asked for on each node, but a job gets up to %2 there: it is refused."_s.arg(
            slurmMemory(*asked), slurmMemory(node.memory)),
        Fix{u"Use "_s + slurmMemory(node.memory),
            [most = node.memory](JobSpec& spec) { spec.resources.memoryPerNode = most; }}}};
}

Hits memoryPerJob(const RuleContext& context)
{
    const auto asked = context.spec.resources.memoryPerNode;
    const NodeShape& node = context.resolved.node;
    const int nodes = context.resolved.nodes;
    if (!context.knowsSite() || !node.knowsMemory() || node.memoryFollowsGpus || !asked || nodes < 2
        || *asked <= node.memory || asked->count / nodes > node.memory.count)
        return {};
    const Bytes each{asked->count / nodes};
    return {{field::memoryPerNode,
        u"%1 looks like the memory of all %2 nodes: Slurm counts it for each node, where %3 can be had."_s.arg(
            slurmMemory(*asked), QString::number(nodes), slurmMemory(node.memory)),
        Fix{u"Use "_s + slurmMemory(each), [each](JobSpec& spec) { spec.resources.memoryPerNode = each; }}}};
}

Hits memoryFollows(const RuleContext& context)
{
    const NodeShape& node = context.resolved.node;
    if (!context.knowsSite() || !node.memoryFollowsGpus || !context.spec.resources.memoryPerNode)
        return {};
    const QString share = node.memoryPerGpu ? u" (%1)"_s.arg(humanBytes(*node.memoryPerGpu)) : QString();
    return {{field::memoryPerNode,
        u"%1 gives memory with each %2%3: the figure is left out of the script."_s.arg(
            context.profile.title, node.gpu.word, share),
        Fix{u"Leave it out"_s, [](JobSpec& spec) { spec.resources.memoryPerNode.reset(); }}}};
}

Hits wholeNodePartial(const RuleContext& context)
{
    const auto& resolved = context.resolved;
    if (!context.knowsSite() || resolved.partitionInfo.shared || resolved.gpusPerNode >= resolved.node.gpus
        || context.profile.partition(resolved.partition) == nullptr)
        return {};
    const QString word = resolved.node.gpu.word;
    QString text = u"%1 gives whole nodes: all %2 %3s of a node are billed, the design uses %4."_s.arg(
        resolved.partition, QString::number(resolved.node.gpus), word, QString::number(resolved.gpusPerNode));
    if (!context.cost.advice.isEmpty())
        text += u' ' + context.cost.advice;
    const auto choice = choosePartition({resolved.nodes, resolved.gpusPerNode, resolved.time}, context.profile);
    std::optional<Fix> fix;
    if (choice.fits && choice.partition->shared)
        fix = Fix{u"Use "_s + choice.partition->name,
            [name = choice.partition->name](JobSpec& spec) { spec.partition = name; }};
    else
        fix = Fix{u"Use all %1 %2s"_s.arg(QString::number(resolved.node.gpus), word),
            [all = resolved.node.gpus](JobSpec& spec) { spec.resources.gpusPerNode = all; }};
    return {{field::gpusPerNode, text, fix}};
}

Hits shareImbalance(const RuleContext& context)
{
    const auto& resolved = context.resolved;
    if (!context.knowsSite() || !resolved.partitionInfo.shared || !context.cost.billingAccounts
        || context.cost.billingAccounts->isEmpty())
        return {};
    const auto& billingAccount = context.cost.billingAccounts->first();
    const bool cores = billingAccount.decidedBy == BillingTerm::Of::Cores;
    const double gpuShare = billingAccount.share(BillingTerm::Of::Gpus).value_or(0);
    if (billingAccount.summed || (!cores && billingAccount.decidedBy != BillingTerm::Of::MemoryGib) || gpuShare <= 0
        || billingAccount.perHour <= gpuShare)
        return {};
    const int total = resolved.worldSize();
    const QString word = resolved.node.gpu.word;
    const QString what = cores ? u"%1 cores"_s.arg(resolved.cpusPerGpu * resolved.gpusPerNode)
                               : slurmMemory(resolved.memoryPerNode.value_or(Bytes{})) + u" of memory"_s;
    const QString text = u"%1 with %2 on each node are billed like %3 %4s: %5 instead of %6 %7 for each hour."_s.arg(
        gpusText(total, word), what, humanNumber(billingAccount.perHour / gpuShare * total, 2), word,
        humanNumber(billingAccount.perHour, 2), humanNumber(gpuShare, 2), billingAccount.unit);
    return {{cores ? field::cpusPerGpu : field::memoryPerNode, text, cores ? useShareOfCores() : useShareOfMemory()}};
}

/// Where each core and GiB is paid for itself: more than the GPUs' share costs more, without a word of refusal.
Hits cheaperShare(const RuleContext& context)
{
    const auto& cheaper = context.cost.cheaper;
    if (!context.knowsSite() || !cheaper || !cheaper->advised || cheaper->partition
        || !context.cost.billingAccounts->first().summed)
        return {};
    const FieldPath path = cheaper->cpusPerGpu ? field::cpusPerGpu : field::memoryPerNode;
    return {{path, cheaper->text, Fix{cheaper->label, [change = *cheaper](JobSpec& spec) { change.applyTo(spec); }}}};
}

/// The same job in a partition where it costs less.
Hits cheaperPartition(const RuleContext& context)
{
    const auto& cheaper = context.cost.cheaper;
    const auto& resolved = context.resolved;
    if (!context.knowsSite() || !cheaper || !cheaper->partition
        || (!resolved.partitionInfo.shared && resolved.gpusPerNode < resolved.node.gpus)) // wholeNodePartial() says it
        return {};
    return {{field::partition, cheaper->text,
        Fix{cheaper->label, [change = *cheaper](JobSpec& spec) { change.applyTo(spec); }}}};
}

/// A number of CPUs for each GPU that the site insists on.
Hits coresExact(const RuleContext& context)
{
    const auto exact = context.resolved.partitionInfo.exactCoresPerGpu;
    const auto asked = context.spec.resources.cpusPerGpu;
    if (!exact || !asked || *asked == *exact)
        return {};
    return {{field::cpusPerGpu,
        u"%1 takes jobs with exactly %2 %3 for each %4, the design asks for %5."_s.arg(
            context.resolved.partitionInfo.name, QString::number(*exact),
            context.resolved.node.cpusAreThreads ? u"hardware threads"_s : u"cores"_s, context.resolved.node.gpu.word,
            QString::number(*asked)),
        Fix{u"Use %1"_s.arg(*exact), [count = *exact](JobSpec& spec) { spec.resources.cpusPerGpu = count; }}}};
}

/// More cores than the GPUs' share where cores cost nothing: no bill shows it, but other jobs on the node go without.
Hits coresBeyondShare(const RuleContext& context)
{
    const NodeShape& node = context.resolved.node;
    const auto asked = context.spec.resources.cpusPerGpu;
    if (context.resolved.partitionInfo.exactCoresPerGpu)
        return {}; // coresExact() says it
    const auto share = node.maxCoresPerGpu ? node.maxCoresPerGpu : node.coresPerGpu;
    const bool billed = context.cost.billingAccounts && !context.cost.billingAccounts->isEmpty()
        && context.cost.billingAccounts->first().share(BillingTerm::Of::Cores);
    if (!context.knowsSite() || !asked || !share || *asked <= *share || billed || !context.resolved.partitionInfo.shared
        || context.resolved.gpusPerNode >= node.gpus)
        return {};
    return {{field::cpusPerGpu,
        u"%1's share of one %2 is %3 cores, the design asks for %4: %2s of the node are left without cores."_s.arg(
            context.profile.title, node.gpu.word, QString::number(*share), QString::number(*asked)),
        useShareOfCores()}};
}

/// A launcher that the site's own pages advise against.
Hits launcherDiscouraged(const RuleContext& context)
{
    const QString launcher = toText(context.resolved.launcher);
    for (const DiscouragedLauncher& one : context.profile.launch.discouraged) {
        if (one.launcher != launcher || context.resolved.worldSize() < 2)
            continue;
        const auto preferred = launcherFrom(context.profile.launch.preferredLauncher);
        std::optional<Fix> fix;
        if (preferred && *preferred != context.resolved.launcher)
            fix = Fix{u"Use "_s + toText(*preferred), [to = *preferred](JobSpec& spec) { spec.launcher = to; }};
        const QString why = one.reason.isEmpty() ? QString() : u": "_s + one.reason;
        return {{field::launcher, u"%1 advises against %2%3"_s.arg(context.profile.title, launcher, why), fix}};
    }
    return {};
}

} // namespace

QList<DesignRule> shareChecks()
{
    const QString fair = u"the site's node table (fair share)"_s;
    return {
        {{u"R104"_s, u"size-range"_s, Severity::Error, {}, {}, u"sbatch(1)"_s}, sizeRange},
        {{u"L34"_s, u"node-gpus"_s, Severity::Error, {}, {}, u"the site's node table"_s}, nodeGpus},
        {{u"L34"_s, u"node-cores"_s, Severity::Error, {}, {}, u"the site's node table"_s}, nodeCores},
        {{u"L34"_s, u"cores-per-gpu"_s, Severity::Error, {}, {}, u"the site's partition table"_s}, coresExact},
        {{u"L34"_s, u"node-memory"_s, Severity::Error, {}, {}, u"the site's node table"_s}, nodeMemory},
        {{u"L38"_s, u"memory-per-node"_s, Severity::Error, {}, {},
             u"sbatch(1), --mem; LUMI AI course 2025, question 4"_s},
            memoryPerJob},
        {{u"L38"_s, u"memory-follows-gpus"_s, Severity::Warning, {}, {}, fair}, memoryFollows},
        {{u"L35"_s, u"whole-node-partial"_s, Severity::Warning, {}, {}, u"the site's billing page"_s},
            wholeNodePartial},
        {{u"L57"_s, u"cpu-share"_s, Severity::Warning, {}, {}, u"the site's billing page"_s}, shareImbalance},
        {{u"R130"_s, u"cheaper-share"_s, Severity::Hint, {}, {}, u"the site's billing page"_s}, cheaperShare},
        {{u"R132"_s, u"core-share"_s, Severity::Warning, {}, {}, fair}, coresBeyondShare},
        {{u"R133"_s, u"launcher-discouraged"_s, Severity::Warning, {}, {},
             u"the site's user guide, in the cluster catalogue"_s},
            launcherDiscouraged},
        {{u"R131"_s, u"cheaper-partition"_s, Severity::Hint, {}, {}, u"the site's billing page"_s}, cheaperPartition},
    };
}

} // namespace rankwright::inline script
