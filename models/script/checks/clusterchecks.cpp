// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/checks/designrule.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/partitionchoice.h"
#include "models/planner/design/siteoptions.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

namespace {

using Hits = QList<RuleHit>;

Hits clusterUnknown(const RuleContext& context)
{
    if (!context.profile.name.isEmpty())
        return {};
    const QString name = context.spec.cluster;
    return {{field::cluster,
        name.isEmpty()
            ? u"No cluster is chosen, so nothing can be checked against its limits."_s
            : u"The catalogue has no cluster “%1”, so nothing can be checked against its limits."_s.arg(name)}};
}

Hits clusterRetired(const RuleContext& context)
{
    if (context.profile.name.isEmpty() || context.profile.acceptsJobs)
        return {};
    std::optional<Fix> fix;
    if (const QString next = context.profile.replacedBy; !next.isEmpty())
        fix = Fix{u"Use "_s + next, [next](JobSpec& spec) {
                      const JobSpec before = spec;
                      spec.cluster = next;
                      clearSiteOptions(before, spec);
                  }};
    return {
        {field::cluster, u"%1 no longer accepts jobs: %2."_s.arg(context.profile.title, context.profile.status), fix}};
}

Hits accountMissing(const RuleContext& context)
{
    const auto& launch = context.profile.launch;
    if (context.profile.name.isEmpty() || !launch.accountRequired || !context.resolved.account.isEmpty())
        return {};
    const QString example
        = launch.accountExample.isEmpty() ? QString() : u", for instance %1"_s.arg(launch.accountExample);
    return {{field::account,
        u"%1 refuses a job without a project: name the one to bill%2."_s.arg(context.profile.title, example)}};
}

Hits accountForm(const RuleContext& context)
{
    const QString account = context.resolved.account;
    const QString pattern = context.profile.launch.accountPattern;
    if (account.isEmpty() || pattern.isEmpty() || QRegularExpression(pattern).match(account).hasMatch())
        return {};
    QString text = u"“%1” does not look like a project of %2"_s.arg(account.left(60), context.profile.title);
    if (!context.profile.launch.accountExample.isEmpty())
        text += u"; one is written like %1"_s.arg(context.profile.launch.accountExample);
    return {{field::account, text + u'.'}};
}

/// Sites that keep an account of its own for each kind of node tell them apart by the end of the name.
Hits accountSuffix(const RuleContext& context)
{
    const QString account = context.resolved.account;
    const QString suffix = context.resolved.partitionInfo.accountSuffix;
    if (account.isEmpty() || suffix.isEmpty() || account.endsWith(suffix))
        return {};
    const QString right = account.section(suffix.at(0), 0, 0) + suffix;
    return {{field::account,
        u"Jobs in %1 are billed to accounts that end in %2; “%3” is refused there."_s.arg(
            context.resolved.partitionInfo.name, suffix, account.left(60)),
        Fix{u"Use "_s + right, [right](JobSpec& spec) { spec.account = right; }}}};
}

/// Does the command or a line of the user's own bring an environment itself?
bool bringsItsOwn(const JobSpec& spec)
{
    static const QRegularExpression words(
        u"(^|[\\s;&|])(source|\\.|module|ml|conda|mamba|micromamba|pixi|uv|poetry|singularity|apptainer|podman|shifter)\\s"_s);
    const QString command = spec.command.value_or(QString());
    if (command.section(u' ', 0, 0).contains(u"/bin/"_s) || words.match(command).hasMatch())
        return true;
    return std::any_of(spec.overrides.begin(), spec.overrides.end(), [](const OverrideBlock& block) {
        return std::any_of(
            block.lines.begin(), block.lines.end(), [](const QString& line) { return words.match(line).hasMatch(); });
    });
}

/// Nothing named, and the site brings nothing by itself: such a job ends in "torchrun: command not found".
Hits noTorch(const RuleContext& context)
{
    const auto& environment = context.spec.environment;
    const LaunchDefaults& launch = context.profile.launch;
    if (!context.knowsSite() || launch.bringsTorch || !context.spec.command || !context.resolved.container.isEmpty()
        || !environment.modules.isEmpty() || environment.venv || environment.conda || environment.uenv
        || bringsItsOwn(context.spec))
        return {};
    const QString advice = launch.torchAdvice.isEmpty()
        ? u"Name a virtual environment, a conda environment, modules or a container."_s
        : launch.torchAdvice;
    return {{field::container,
        u"Nothing in this design brings PyTorch, and %1 offers none by itself: the job would stop at its first "
        "check. %2"_s.arg(context.profile.title, advice)}};
}

/// The partition that would take the design as it is; null when it is the present one or there is none.
const Partition* betterPartition(const RuleContext& context)
{
    const auto& spec = context.spec;
    const auto choice = choosePartition({spec.resources.nodes.value_or(context.resolved.nodes),
                                            spec.resources.gpusPerNode.value_or(context.resolved.gpusPerNode),
                                            spec.time.value_or(context.resolved.time), context.resolved.account},
        context.profile);
    return choice.fits && choice.partition->name != context.resolved.partition ? choice.partition : nullptr;
}

std::optional<Fix> usePartition(const Partition* partition)
{
    if (partition == nullptr)
        return std::nullopt;
    return Fix{u"Use "_s + partition->name, [name = partition->name](JobSpec& spec) { spec.partition = name; }};
}

Hits partitionUnknown(const RuleContext& context)
{
    if (context.profile.partitions.isEmpty() || context.profile.partition(context.resolved.partition) != nullptr)
        return {};
    QStringList names, queues;
    for (const Partition& partition : context.profile.partitions) {
        names.append(partition.name);
        if (partition.slurmName() == context.resolved.partition)
            queues.append(partition.name);
    }
    if (!queues.isEmpty()) { // Slurm has it; the design's own options say which of its queues
        const bool said = context.spec.options.qos || context.spec.options.constraint;
        if (said)
            return {};
        return {{field::partition,
            u"%1 has several queues in the partition %2: %3. Name one, so that its QoS, constraint and limits are known."_s
                .arg(context.profile.title, context.resolved.partition, queues.join(u", "_s)),
            std::nullopt, Severity::Hint}};
    }
    return {{field::partition,
        u"%1 has no partition “%2”; there are %3."_s.arg(
            context.profile.title, context.resolved.partition.left(60), names.join(u", "_s)),
        usePartition(betterPartition(context))}};
}

/// A queue that takes no ordinary batch job: on request only, interactive, or down.
Hits partitionClosed(const RuleContext& context)
{
    const Partition& partition = context.resolved.partitionInfo;
    if (partition.offered != Partition::Offer::Never
        || context.profile.partition(context.resolved.partition) == nullptr)
        return {};
    const QString why = partition.stateToday.isEmpty() ? partition.note.section(u'\n', 0, 0)
                                                       : u"Slurm reports it as "_s + partition.stateToday;
    QString text
        = u"%1 is closed to ordinary batch jobs%2"_s.arg(partition.name, why.isEmpty() ? u"."_s : u": "_s + why);
    if (!text.endsWith(u'.'))
        text += u'.';
    return {{field::partition, text, usePartition(betterPartition(context))}};
}

/// Jobs are taken into its queue and wait until it is up again.
Hits partitionDown(const RuleContext& context)
{
    const Partition& partition = context.resolved.partitionInfo;
    if (partition.stateToday.isEmpty() || partition.offered == Partition::Offer::Never)
        return {};
    return {{field::partition,
        u"Slurm reports %1 as %2: it takes the job into its queue and starts none until it is up again."_s.arg(
            partition.name, partition.stateToday),
        usePartition(betterPartition(context))}};
}

Hits partitionAdmission(const RuleContext& context)
{
    const Partition& partition = context.resolved.partitionInfo;
    if (partition.admission.isEmpty())
        return {};
    return {{field::partition,
        u"%1 opens %2 to a project only after %3: until then Slurm refuses the job."_s.arg(
            context.profile.title, partition.name, partition.admission)}};
}

/// All GPUs of a node where nodes are shared: a partition with whole nodes gives the same for the same GPUs.
Hits wholeNodeElsewhere(const RuleContext& context)
{
    const ResolvedSpec& resolved = context.resolved;
    const Partition& here = resolved.partitionInfo;
    if (context.spec.options.exclusive.value_or(false) || !here.shared || resolved.node.gpus < 2
        || resolved.gpusPerNode < resolved.node.gpus || context.profile.partition(resolved.partition) == nullptr
        || here.offered != Partition::Offer::Normal)
        return {};
    for (const Partition& other : context.profile.partitions) {
        if (other.shared || other.node != here.node || other.offered != Partition::Offer::Normal)
            continue;
        if (!partitionObstacle({resolved.nodes, resolved.gpusPerNode, resolved.time}, other, resolved.node).isEmpty())
            continue;
        return {{field::partition,
            u"The job takes all %1 %2s of a node, but %3 shares nodes: it waits until one is free as a whole, and "
            "gets no more of it than it asks for. %4 gives whole nodes."_s.arg(
                QString::number(resolved.node.gpus), resolved.node.gpu.word, here.name, other.name),
            usePartition(&other)}};
    }
    return {};
}

Hits nodeLimit(const RuleContext& context)
{
    const Partition& partition = context.resolved.partitionInfo;
    const int asked = context.spec.resources.nodes.value_or(context.resolved.nodes);
    if (partition.minNodes && asked < *partition.minNodes)
        return {{field::nodes,
            u"%1 is for jobs with at least %2, the design asks for %3."_s.arg(
                partition.name, nodesText(*partition.minNodes), QString::number(asked)),
            usePartition(betterPartition(context))}};
    if (!partition.maxNodes || asked <= *partition.maxNodes)
        return {};
    auto fix = usePartition(betterPartition(context));
    if (!fix)
        fix = Fix{u"Use "_s + nodesText(*partition.maxNodes),
            [most = *partition.maxNodes](JobSpec& spec) { spec.resources.nodes = most; }};
    return {{field::nodes,
        u"%1 allows up to %2 for a job, the design asks for %3."_s.arg(
            partition.name, nodesText(*partition.maxNodes), QString::number(asked)),
        fix}};
}

Hits gpuLimit(const RuleContext& context)
{
    const auto& resolved = context.resolved;
    const Partition& partition = resolved.partitionInfo;
    const int total = resolved.worldSize();
    const QString word = resolved.node.gpu.word;
    if (partition.maxGpusPerUser && total > *partition.maxGpusPerUser) {
        const int most = *partition.maxGpusPerUser;
        return {{field::gpusPerNode,
            u"%1 gives one user up to %2 at a time, the design asks for %3: the job would never start."_s.arg(
                partition.name, gpusText(most, word), QString::number(total)),
            usePartition(betterPartition(context))}};
    }
    if (partition.minGpusPerNode && resolved.gpusPerNode < *partition.minGpusPerNode) {
        const int least = *partition.minGpusPerNode;
        auto fix = usePartition(betterPartition(context));
        if (!fix)
            fix = Fix{u"Use %1 of each node"_s.arg(gpusText(least, word)), [least](JobSpec& spec) {
                          spec.resources.gpusPerNode = least;
                          spec.resources.cpusPerGpu.reset();
                          spec.resources.memoryPerNode.reset();
                      }};
        return {{field::gpusPerNode,
            u"%1 takes jobs with at least %2 on each node, the design asks for %3."_s.arg(
                partition.name, gpusText(least, word), QString::number(resolved.gpusPerNode)),
            fix}};
    }
    if (partition.maxGpusPerJob && total > *partition.maxGpusPerJob)
        return {{field::gpusPerNode,
            u"%1 allows up to %2 for a job, the design asks for %3 (%4 × %5)."_s.arg(partition.name,
                gpusText(*partition.maxGpusPerJob, word), QString::number(total), nodesText(resolved.nodes),
                QString::number(resolved.gpusPerNode)),
            usePartition(betterPartition(context))}};
    // sbatch --test-only does not look at a QoS: the job would be taken, and wait for ever.
    if (partition.defaultQosGpus && !context.spec.options.qos && total > *partition.defaultQosGpus)
        return {{field::gpusPerNode,
            u"The QoS that your account gets where the job names none allows up to %1, the design asks for %2: the job would never start. Name a QoS that allows more, or ask for fewer."_s
                .arg(gpusText(*partition.defaultQosGpus, word), QString::number(total)),
            std::nullopt}};
    if (partition.minGpusPerJob && total < *partition.minGpusPerJob)
        return {{field::gpusPerNode,
            u"%1 is for jobs with at least %2, the design asks for %3."_s.arg(
                partition.name, gpusText(*partition.minGpusPerJob, word), QString::number(total)),
            usePartition(betterPartition(context))}};
    return {};
}

Hits timeLimit(const RuleContext& context)
{
    const Partition& partition = context.resolved.partitionInfo;
    const int nodes = context.resolved.nodes;
    const auto longest = partition.maxTimeFor(nodes);
    if (!context.spec.time || !longest || *context.spec.time <= *longest)
        return {};
    auto fix = usePartition(betterPartition(context));
    if (!fix)
        fix = Fix{u"Use "_s + slurmTime(*longest), [most = *longest](JobSpec& spec) { spec.time = most; }};
    const QString size = longest == partition.maxTime ? QString()
        : nodes == 1                                  ? u" on one node"_s
                                                      : u" on %1 nodes"_s.arg(nodes);
    return {{field::time,
        u"%1 allows jobs of up to %2%3, the design asks for %4."_s.arg(
            partition.name, humanDuration(*longest), size, humanDuration(*context.spec.time)),
        fix}};
}

Hits timeRange(const RuleContext& context)
{
    if (!context.spec.time || (context.spec.time->count >= 60 && context.spec.time->count <= 366 * 86400))
        return {};
    return {{field::time,
        u"A time limit of %1 is not valid: Slurm counts whole minutes, up to a year."_s.arg(
            humanDuration(*context.spec.time)),
        Fix{u"Let the program choose"_s, [](JobSpec& spec) { spec.time.reset(); }}}};
}

Hits partitionNote(const RuleContext& context)
{
    const Partition& partition = context.resolved.partitionInfo;
    if (!partition.maxSubmittedJobs || *partition.maxSubmittedJobs > 10)
        return {};
    return {{field::partition,
        u"In %1 you may have %2 jobs queued and %3 running: a further one is refused."_s.arg(partition.name,
            QString::number(*partition.maxSubmittedJobs),
            QString::number(partition.maxRunningJobs.value_or(*partition.maxSubmittedJobs)))}};
}

} // namespace

QList<DesignRule> clusterChecks()
{
    return {
        {{u"R113"_s, u"cluster-unknown"_s, Severity::Error, {}, {}, u"the cluster catalogue"_s}, clusterUnknown},
        {{u"R109"_s, u"cluster-retired"_s, Severity::Error, {}, {},
             u"the operator's announcement, in the cluster catalogue"_s},
            clusterRetired},
        {{u"R101"_s, u"account-missing"_s, Severity::Error, {}, {}, u"the site's user guide"_s}, accountMissing},
        {{u"R102"_s, u"account-form"_s, Severity::Warning, {}, {}, u"the site's user guide"_s}, accountForm},
        {{u"R170"_s, u"account-suffix"_s, Severity::Error, {}, {}, u"the site's user guide"_s}, accountSuffix},
        {{u"R171"_s, u"no-pytorch"_s, Severity::Warning, {}, {}, u"the site's pages, in the cluster catalogue"_s},
            noTorch},
        {{u"R06"_s, u"partition-unknown"_s, Severity::Error, {}, {}, u"the site's partition table"_s},
            partitionUnknown},
        {{u"R134"_s, u"partition-closed"_s, Severity::Error, {}, {}, u"the site's partition table"_s}, partitionClosed},
        {{u"R138"_s, u"partition-down"_s, Severity::Hint, {}, {}, u"slurm.conf(5), PartitionName, State"_s},
            partitionDown},
        {{u"R135"_s, u"partition-admission"_s, Severity::Hint, {}, {}, u"the site's partition table"_s},
            partitionAdmission},
        {{u"R136"_s, u"whole-node-elsewhere"_s, Severity::Hint, {}, {}, u"the site's partition table"_s},
            wholeNodeElsewhere},
        {{u"L37"_s, u"partition-limit"_s, Severity::Error, {}, {}, u"the site's partition table"_s}, nodeLimit},
        {{u"L37"_s, u"partition-limit"_s, Severity::Error, {}, {}, u"the site's partition table"_s}, gpuLimit},
        {{u"L37"_s, u"partition-limit"_s, Severity::Error, {}, {}, u"the site's partition table"_s}, timeLimit},
        {{u"R07"_s, u"time-range"_s, Severity::Error, {}, {}, u"sbatch(1), --time"_s}, timeRange},
        {{u"R06"_s, u"partition-queue"_s, Severity::Hint, {}, {}, u"the site's partition table"_s}, partitionNote},
    };
}

} // namespace rankwright::inline script
