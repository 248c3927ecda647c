// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/resolve.h"

#include "models/core/programname.h"
#include "models/core/quantitytext.h"
#include "models/planner/design/commandfigures.h"
#include "models/planner/design/enumwords.h"
#include "models/planner/design/modelfit.h"
#include "models/planner/design/partitionchoice.h"
#include "models/planner/design/plannedrun.h"
#include "models/planner/design/recommendation.h"
#include "models/planner/design/trainingprogram.h"

#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

// Wide enough for every machine there is (Frontier has 9472 nodes), small enough to draw and to multiply without
// overflow.
constexpr int mostNodes = 10000;
constexpr int mostGpusPerNode = 64;
constexpr int mostNodesTried = 256; // for a model without a given size: as advise() looks
constexpr Seconds longestTime{366 * 86400};
constexpr Seconds usualTime{3600};

/// Who decides what the site leaves open of a named model's layout.
enum class By { Site, Model };

/// Fills one ResolvedSpec step by step; each step may use the results of the steps before.
class Resolver {
public:
    Resolver(const JobSpec& spec, const ClusterProfile& profile, By by) : m_profile(profile), m_by(by)
    {
        m_out.spec = spec;
        m_out.parallel = spec.parallel;
        m_out.offload = spec.training.offload;
    }
    /// With a layout for what the design leaves open.
    Resolver(const JobSpec& spec, const ClusterProfile& profile, const Candidate& best)
        : Resolver(spec, profile, By::Model)
    {
        m_best = best;
    }

    ResolvedSpec run()
    {
        applyCommand();
        resolveSize();
        resolveTime();
        resolveCores();
        resolveMemory();
        resolveParallel();
        resolveLauncher();
        resolveSignal();
        resolveContainer();
        resolveProgram();
        resolveBatch();
        return m_out;
    }

private:
    void chose(QLatin1StringView name, const QString& value, const QString& reason)
    {
        m_out.choices.append({name, value, reason});
    }

    /// A whole number of the design brought into its range, with a choice that says so when it had to be replaced.
    int clamped(QLatin1StringView name, int asked, int low, int high, const QString& limit)
    {
        const int value = qBound(low, asked, qMax(low, high));
        if (value != asked)
            chose(name, QString::number(value), u"%1 was asked for, but "_s.arg(asked) + limit);
        return value;
    }

    void resolvePartition(int nodes, std::optional<int> gpus)
    {
        const JobSpec& spec = m_out.spec;
        if (spec.partition) {
            m_out.partition = *spec.partition;
            const Partition* known = m_profile.partition(*spec.partition);
            m_out.partitionInfo = known != nullptr ? *known : entryOfSlurm(spec, m_profile);
        } else if (const Partition* meant = entryOfOptions(spec, m_profile)) {
            m_out.partition = meant->name;
            m_out.partitionInfo = *meant;
            chose(field::partition, m_out.partition, u"what the design's QoS and constraint stand for"_s);
        } else if (m_best && m_profile.partition(m_best->partition) != nullptr) {
            m_out.partitionInfo = *m_profile.partition(m_best->partition);
            m_out.partition = m_out.partitionInfo.name;
            chose(field::partition, m_out.partition,
                u"it takes the recommended %1 with %2"_s.arg(
                    nodesText(m_best->layout.nodes), m_best->gpu.isEmpty() ? u"GPUs"_s : m_best->gpu));
        } else {
            const auto choice = choosePartition(
                {nodes, gpus, spec.time.value_or(usualTime), spec.account.value_or(QString()).trimmed()}, m_profile);
            if (choice.partition != nullptr) {
                m_out.partition = choice.partition->name;
                m_out.partitionInfo = *choice.partition;
                chose(field::partition, m_out.partition, choice.reason);
            } else {
                m_out.partitionInfo = unknownPartition({});
            }
        }
        const NodeShape* shape = m_profile.nodeShape(m_out.partitionInfo.name);
        if (shape == nullptr)
            shape = m_profile.nodeShape({});
        m_out.node = shape != nullptr ? *shape : unknownNode(qBound(1, gpus.value_or(1), mostGpusPerNode));
    }

    /// Model and sequence that the design leaves open and the command names.
    void applyCommand()
    {
        m_out.model = m_out.spec.model;
        m_out.sequence = m_out.spec.training.sequence;
        const auto reason
            = [](const CommandFigure& figure) { return u"from the command: %1 %2"_s.arg(figure.option, figure.value); };
        if (m_out.model.isEmpty()) {
            if (const auto named = commandModel(m_out.spec)) {
                m_out.model = QJsonObject{{u"preset"_s, named->preset}};
                chose(field::model, named->preset, reason(named->figure));
            }
        }
        if (!m_out.sequence) {
            if (const auto typed = commandSequence(m_out.spec)) {
                m_out.sequence = typed->count();
                chose(field::sequence, QString::number(*m_out.sequence), reason(*typed));
            }
        }
    }

    void resolveSize()
    {
        const auto& asked = m_out.spec.resources;
        const bool single = m_out.spec.parallel.strategy == Strategy::Single;
        std::optional<int> gpus = asked.gpusPerNode;
        if (gpus)
            gpus = qBound(1, *gpus, mostGpusPerNode);
        else if (single)
            gpus = 1;
        const int nodes = qBound(1, asked.nodes.value_or(1), mostNodes);
        if (m_best && !gpus)
            gpus = m_best->layout.gpusPerNode;
        resolvePartition(nodes, gpus);
        const auto& training = m_out.spec.training;
        m_out.precision = training.precision.value_or(usualPrecision(m_profile, m_out.node, training.framework));
        m_out.activationCheckpointing = m_out.spec.training.activationCheckpointing;
        resolveNodes();
        resolveGpus(single);
        if (m_best)
            resolveMemorySavers();
        else if (m_by == By::Model)
            resolveNodesForModel(gpus);
        const bool hasAllGpus = m_out.gpusPerNode == m_out.node.gpus && !m_out.node.gpu.isSlice();
        m_out.wholeNodes = !m_out.partitionInfo.shared || hasAllGpus;
        m_out.wholeNodes = (m_out.wholeNodes && !isUnknownSite()) || m_out.spec.options.exclusive.value_or(false);
    }

    bool isUnknownSite() const { return m_out.node.name.isEmpty(); }
    bool knowsGpus() const { return m_out.node.gpus > 0; }
    bool knowsCores() const { return m_out.node.usableCores > 0 && !isUnknownSite(); }

    void resolveNodes()
    {
        if (m_out.spec.resources.nodes) {
            m_out.nodes = clamped(
                field::nodes, *m_out.spec.resources.nodes, 1, mostNodes, u"a job has 1 to %1 nodes"_s.arg(mostNodes));
            return;
        }
        if (m_best) {
            m_out.nodes = m_best->layout.nodes;
            chose(field::nodes, QString::number(m_out.nodes), m_best->why.section(u';', 0, 0));
            return;
        }
        const int most = qMax(1, m_out.node.gpus);
        const int least = m_out.partitionInfo.minGpusPerJob.value_or(1);
        const int perNode = qBound(1, m_out.spec.resources.gpusPerNode.value_or(most), most);
        m_out.nodes = qBound(1, (least + perNode - 1) / perNode, mostNodes);
        chose(field::nodes, QString::number(m_out.nodes),
            m_out.nodes == 1 ? u"one node: start small, GPUs of one node have the fastest links"_s
                             : u"%1 is for jobs with at least %2 GPUs"_s.arg(m_out.partition).arg(least));
    }

    /// With a model named, an open number of nodes is the fewest with which it fits.
    void resolveNodesForModel(std::optional<int> gpus)
    {
        if (m_out.spec.resources.nodes || !knowsGpus())
            return;
        ResolvedSpec soFar = m_out; // with what is resolved later: it says which program is started, and how
        soFar.command = soFar.spec.command.value_or(QString()).trimmed();
        soFar.launcher = soFar.spec.launcher.value_or(preferredLauncher().value_or(Launcher::Torchrun));
        auto size = sizeForModel(soFar, largestJob({Partition::Offer::Normal}), m_profile);
        if (!size) // then also what a site opens on request
            size = sizeForModel(soFar, largestJob({Partition::Offer::Normal, Partition::Offer::Last}), m_profile);
        if (!size || size->nodes < m_out.nodes)
            return;
        m_splitLayers = size->tensor;
        if (size->activationCheckpointing && !m_out.spec.training.activationCheckpointing) {
            m_out.activationCheckpointing = size->activationCheckpointing;
            chose(field::activationCheckpointing, toText(*size->activationCheckpointing),
                size->recomputingUnwritten ? u"without recomputation the model fits on no number of nodes"_s
                                           : u"without recomputation the model needs more nodes"_s);
        }
        if (size->nodes == m_out.nodes)
            return;
        const int perNode = m_out.gpusPerNode;
        m_out.choices.removeIf(
            [](const Choice& choice) { return choice.field == field::nodes || choice.field == field::partition; });
        resolvePartition(size->nodes, gpus.value_or(perNode));
        m_out.gpusPerNode = qMin(perNode, qMax(1, m_out.node.gpus));
        m_out.nodes = size->nodes;
        chose(field::nodes, QString::number(m_out.nodes), size->reason);
    }

    /// Nodes of the largest job that the named partition takes or, when that is open, one that is offered so.
    int largestJob(const QList<Partition::Offer>& offered) const
    {
        const int all = m_out.node.count.value_or(mostNodesTried);
        const auto most = [all](const Partition& one) {
            return qMin(mostNodesTried, one.maxNodes.value_or(one.nodes.value_or(all)));
        };
        if (m_out.spec.partition)
            return qMax(m_out.nodes, most(m_out.partitionInfo));
        int nodes = m_out.nodes;
        for (const Partition& one : m_profile.partitions) {
            if (offered.contains(one.offered) && one.node == m_out.partitionInfo.node)
                nodes = qMax(nodes, most(one));
        }
        return nodes;
    }

    void resolveGpus(bool single)
    {
        const int most = knowsGpus() ? m_out.node.gpus : mostGpusPerNode;
        const QString word = m_out.node.gpu.word;
        if (const auto asked = m_out.spec.resources.gpusPerNode) {
            m_out.gpusPerNode
                = clamped(field::gpusPerNode, *asked, 1, most, u"a node has 1 to %1 %2s"_s.arg(most).arg(word));
            return;
        }
        if (m_best) {
            m_out.gpusPerNode = qBound(1, m_best->layout.gpusPerNode, most);
            chose(field::gpusPerNode, QString::number(m_out.gpusPerNode),
                m_out.gpusPerNode == m_out.node.gpus
                    ? u"all %1 %2s of a node: they have the fastest links, and a whole node can bind each rank to its cores"_s
                          .arg(most)
                          .arg(word)
                    : u"more would cost a fifth more, or are not needed"_s);
            return;
        }
        if (single) {
            m_out.gpusPerNode = 1;
            chose(field::gpusPerNode, u"1"_s, u"the strategy “single” uses one "_s + word);
            return;
        }
        if (!knowsGpus()) {
            m_out.gpusPerNode = 1;
            chose(field::gpusPerNode, u"1"_s, u"how many a node has is not published, so the smallest job is taken"_s);
            return;
        }
        const int room = m_out.partitionInfo.maxGpusPerJob.value_or(most * m_out.nodes) / m_out.nodes;
        m_out.gpusPerNode = qBound(1, room, most);
        QString reason
            = u"all %1 %2s of a node: they have the fastest links, and a whole node can bind each rank to its cores"_s
                  .arg(most)
                  .arg(word);
        if (m_out.gpusPerNode < most)
            reason = u"%1 allows no more for a job on %2 nodes"_s.arg(m_out.partition).arg(m_out.nodes);
        else if (isUnknownSite())
            reason = u"the cluster is not described, so the smallest job is taken"_s;
        chose(field::gpusPerNode, QString::number(m_out.gpusPerNode), reason);
    }

    void resolveTime()
    {
        const auto limit = m_out.partitionInfo.maxTimeFor(m_out.nodes);
        if (const auto asked = m_out.spec.time) {
            m_out.time = qBound(Seconds{60}, *asked, longestTime);
            if (m_out.time != *asked)
                chose(field::time, slurmTime(m_out.time), u"a wall time is from one minute to 366 days"_s);
            return;
        }
        m_out.time = limit && *limit < usualTime ? *limit : usualTime;
        chose(field::time, slurmTime(m_out.time),
            m_out.time == usualTime ? u"one hour is enough for a first run; only the time that is used is billed"_s
                                    : u"the limit of "_s + m_out.partition);
    }

    void resolveCores()
    {
        const NodeShape& node = m_out.node;
        const int most = qMax(1, node.usableCores / qMax(1, m_out.gpusPerNode));
        const QString word = node.gpu.word;
        if (const auto asked = m_out.spec.resources.cpusPerGpu) {
            if (!knowsCores()) {
                m_out.cpusPerGpu = qBound(1, *asked, 1024);
                return;
            }
            m_out.cpusPerGpu = clamped(field::cpusPerGpu, *asked, 1, most,
                u"a job gets 1 to %1 cores of a node, for %2 %3s"_s.arg(node.usableCores)
                    .arg(m_out.gpusPerNode)
                    .arg(word));
            return;
        }
        if (!knowsCores() && !node.coresPerGpu) {
            m_out.coresOpen = true;
            m_out.cpusPerGpu = 1;
            chose(field::cpusPerGpu, u"none asked for"_s, u"how many cores a node has is not published"_s);
            return;
        }
        const int share = node.coresPerGpu.value_or(qMax(1, node.usableCores / qMax(1, node.gpus)));
        m_out.cpusPerGpu = node.knowsCores() ? qBound(1, share, most) : share;
        chose(field::cpusPerGpu, QString::number(m_out.cpusPerGpu),
            node.knowsCores() ? u"the fair share: a job gets %1 cores of a node for its %2 %3s"_s.arg(node.usableCores)
                                    .arg(node.gpus)
                                    .arg(word)
                              : u"the site's share of one %1"_s.arg(word));
    }

    void resolveMemory()
    {
        const NodeShape& node = m_out.node;
        const auto asked = m_out.spec.resources.memoryPerNode;
        if (isUnknownSite() || (!node.knowsMemory() && !node.memoryPerGpu && !node.memoryFollowsGpus)) {
            m_out.memoryPerNode = asked && asked->count > 0 ? asked : std::nullopt;
            return;
        }
        if (node.memoryFollowsGpus) {
            m_out.memoryPerNode.reset();
            chose(field::memoryPerNode, u"none written"_s,
                u"the site gives memory with each "_s + node.gpu.word
                    + (node.memoryPerGpu ? u": "_s + humanBytes(*node.memoryPerGpu) : QString()));
            return;
        }
        if (asked) {
            m_out.memoryPerNode = node.knowsMemory() ? qBound(Bytes::mib(1), *asked, node.memory) : *asked;
            if (*m_out.memoryPerNode != *asked)
                chose(field::memoryPerNode, slurmMemory(*m_out.memoryPerNode),
                    slurmMemory(*asked) + u" was asked for, but a job gets up to "_s + slurmMemory(node.memory)
                        + u" of a node"_s);
            return;
        }
        if (m_out.wholeNodes && !node.memoryPerGpu) {
            m_out.memoryPerNode = node.memory;
            chose(field::memoryPerNode, slurmMemory(node.memory),
                u"the job owns its nodes: all that a job can get of one"_s);
            return;
        }
        // Also of whole nodes no more than the site's share: it keeps the job off nodes that have lost some (R05).
        const bool ownsAllGpus = m_out.wholeNodes;
        const Bytes share = node.memoryPerGpu.value_or(Bytes{node.memory.count / qMax(1, node.gpus)});
        const Bytes shares{share.count * (ownsAllGpus ? node.gpus : m_out.gpusPerNode)};
        m_out.memoryPerNode = node.knowsMemory() ? qMin(node.memory, shares) : shares;
        if (ownsAllGpus && *m_out.memoryPerNode == node.memory) {
            chose(field::memoryPerNode, slurmMemory(node.memory),
                u"the job owns its nodes: all that a job can get of one"_s);
            return;
        }
        chose(field::memoryPerNode, slurmMemory(*m_out.memoryPerNode),
            u"the fair share: %1 for each of %2 %3s"_s.arg(
                slurmMemory(share), QString::number(m_out.gpusPerNode), node.gpu.word));
    }

    void resolveParallel()
    {
        const auto& asked = m_out.spec.parallel;
        const int world = m_out.worldSize();
        if (asked.strategy) {
            m_out.strategy = *asked.strategy;
        } else if (m_best) {
            m_out.strategy = m_best->strategy;
            chose(field::strategy, toText(m_out.strategy), m_best->why.section(u"; "_s, 1));
        } else if (m_splitLayers) {
            m_out.strategy = Strategy::Fsdp;
            chose(field::strategy, toText(m_out.strategy),
                u"sharded alone the model fits on no such number of nodes, so each layer is split, too"_s);
        } else if (const auto chosen = m_by == By::Model ? strategyForModel(m_out, m_profile) : std::nullopt) {
            m_out.strategy = chosen->strategy;
            chose(field::strategy, toText(m_out.strategy), chosen->reason);
        } else {
            m_out.strategy = world == 1 ? Strategy::Single : usualOfSeveral();
            chose(field::strategy, toText(m_out.strategy),
                world == 1 ? u"one %1 needs no data-parallel layer"_s.arg(m_out.node.gpu.word)
                    : m_out.strategy != Strategy::Ddp
                    ? u"what %1 does on several %2s"_s.arg(titleOf(*m_out.spec.training.framework), m_out.node.gpu.word)
                    : u"data parallel is the simplest way to use %1 %2s while the model fits one of them"_s.arg(world)
                          .arg(m_out.node.gpu.word));
        }
        if (m_best) {
            resolveDegrees();
            return;
        }
        const QString limit = u"the degrees multiply up to at most the %1 ranks of the job"_s.arg(world);
        m_out.tensor = asked.tensor ? clamped(field::tensor, *asked.tensor, 1, world, limit) : openTensor();
        m_out.pipeline = asked.pipeline ? clamped(field::pipeline, *asked.pipeline, 1, world / m_out.tensor, limit)
                                        : openPipeline();
        if (asked.context)
            m_out.context = clamped(field::context, *asked.context, 1, world / (m_out.tensor * m_out.pipeline), limit);
    }

    /// DDP, unless the stack that the design names does not do it.
    Strategy usualOfSeveral() const
    {
        const auto& stack = m_out.spec.training.framework;
        for (const Strategy strategy : {Strategy::Ddp, Strategy::Fsdp, Strategy::Zero1}) {
            if (!stack || supportOf(*stack, strategy) == Support::Yes)
                return strategy;
        }
        return Strategy::Ddp;
    }

    /// The search has kept the degrees that the design names.
    void resolveDegrees()
    {
        const auto& asked = m_out.spec.parallel;
        const Layout& layout = m_best->layout;
        m_out.tensor = layout.tensor;
        m_out.pipeline = layout.pipeline;
        m_out.context = layout.context;
        if (!asked.tensor && layout.tensor > 1)
            chose(field::tensor, QString::number(layout.tensor),
                u"tensor groups stay within a node, where the links are fastest"_s);
        if (!asked.pipeline && layout.pipeline > 1)
            chose(field::pipeline, QString::number(layout.pipeline), u"stages send little to each other"_s);
        if (!asked.context && layout.context > 1)
            chose(field::context, QString::number(layout.context), u"the sequence is shared out so that it fits"_s);
        resolveStages(layout);
    }

    /// What the search has found is what is estimated and written.
    void resolveStages(const Layout& layout)
    {
        const auto resolve = [this](std::optional<int>& member, QLatin1StringView path, int value, const QString& why) {
            if (member)
                return;
            member = value;
            chose(path, QString::number(value), why);
        };
        JobSpec::Parallel& parallel = m_out.parallel;
        if (const auto shape = namedModel(m_out.spec); shape && shape->experts > 0)
            resolve(parallel.expert, field::expert, layout.expert, u"ranks that share one set of experts"_s);
        if (layout.virtualStages > 1)
            resolve(parallel.virtualStages, field::virtualStages, layout.virtualStages,
                u"several chunks of layers shorten the wait between stages"_s);
        const QString uneven = u"the layers do not divide into equal stages"_s;
        if (layout.firstLayers > 0)
            resolve(parallel.firstStageLayers, field::firstStageLayers, layout.firstLayers, uneven);
        if (layout.lastLayers > 0)
            resolve(parallel.lastStageLayers, field::lastStageLayers, layout.lastLayers, uneven);
    }

    /// The stack's recipes recompute where a design leaves it open.
    bool recomputesUnasked() const
    {
        const auto stack = m_out.spec.training.framework;
        return stack && stackOf(*stack).memory.recomputes;
    }

    void resolveMemorySavers()
    {
        if (!m_out.activationCheckpointing && m_best->recompute != Recompute::None) {
            m_out.activationCheckpointing = checkpointingOf(m_best->recompute);
            chose(field::activationCheckpointing, toText(*m_out.activationCheckpointing),
                u"without recomputation the model needs more nodes, or smaller micro-batches"_s);
        } else if (!m_out.activationCheckpointing && recomputesUnasked()) {
            m_out.activationCheckpointing = ActivationCheckpointing::None;
            chose(field::activationCheckpointing, toText(ActivationCheckpointing::None),
                u"it fits without, and recomputing takes time"_s);
        }
        // What a stack offloads by itself (unsloth) is not chosen.
        if (!m_out.offload && m_best->offload != Offload::None && m_best->offload != Offload::Activations) {
            m_out.offload = m_best->offload;
            chose(field::offload, toText(*m_out.offload), u"the model fits on no size of job otherwise"_s);
        }
    }

    /// What the command hands to the program is what runs.
    void resolveBatch()
    {
        const auto& asked = m_out.spec.training;
        const CommandBatch given = commandBatch(m_out.spec);
        const auto say = [&](QLatin1StringView name, qint64 value, const CommandFigure& figure) {
            QString reason = u"the command passes it (%1 %2)"_s.arg(figure.option, figure.value);
            if (figure.anyBatch && batchIsAmbiguous(m_out.spec, given))
                reason += u", taken as the batch of one rank: for some programs it is that of all"_s;
            chose(name, QString::number(value), reason);
        };
        if (given.micro && !asked.microBatch) {
            m_out.microBatch = given.micro->count();
            say(field::microBatch, *m_out.microBatch, *given.micro);
        } else {
            resolveMicroBatch();
        }
        if (asked.globalBatch)
            return;
        const auto micro = asked.microBatch ? asked.microBatch : m_out.microBatch;
        if (given.global) {
            m_out.globalBatch = given.global->count();
            say(field::globalBatch, *m_out.globalBatch, *given.global);
        } else if (given.accumulation && given.micro && micro && *micro > 0 && *micro < 1'000'000'000) {
            const auto known = knownProgram(m_out.spec);
            const int ranks = known && known->accumulationOfAll ? 1 : m_out.dataParallel();
            m_out.globalBatch = *micro * qMin<qint64>(*given.accumulation->count(), 1'000'000'000 / *micro) * ranks;
            chose(field::globalBatch, QString::number(*m_out.globalBatch),
                ranks > 1 ? u"micro-batch × accumulation steps of the command × data-parallel ranks"_s
                          : u"micro-batch × accumulation steps of the command"_s);
        } else if (m_best && m_best->layout.accumulation > 1) {
            m_out.globalBatch = m_best->layout.globalBatch();
            chose(field::globalBatch, QString::number(*m_out.globalBatch),
                u"enough micro-batches to keep the stages of the pipeline busy"_s);
        }
    }

    void resolveMicroBatch()
    {
        if (m_best && !m_out.spec.training.microBatch) {
            m_out.microBatch = m_best->layout.microBatch;
            chose(field::microBatch, QString::number(*m_out.microBatch), u"the recommended layout's: it fits"_s);
            return;
        }
        const auto chosen = m_by == By::Model ? microBatchForModel(m_out, m_profile) : std::nullopt;
        if (!chosen)
            return;
        m_out.microBatch = chosen->size;
        chose(field::microBatch, QString::number(chosen->size), chosen->reason);
    }

    /// Strategies that split layers need a degree; a design that leaves it open gets the one with the fastest links.
    int openTensor()
    {
        const int degree = m_splitLayers ? m_out.gpusPerNode : openTensorDegree(m_out.strategy, m_out.gpusPerNode);
        if (m_splitLayers || m_out.strategy == Strategy::Tensor || m_out.strategy == Strategy::ThreeD)
            chose(field::tensor, QString::number(degree),
                u"tensor groups stay within a node, where the links are fastest"_s);
        return degree;
    }

    int openPipeline()
    {
        const int degree = openPipelineDegree(m_out.strategy, m_out.nodes, m_out.gpusPerNode, m_out.tensor);
        if (m_out.strategy == Strategy::Pipeline || m_out.strategy == Strategy::ThreeD)
            chose(field::pipeline, QString::number(degree),
                m_out.nodes > 1 ? u"one stage on each node: stages send little to each other"_s
                                : u"one stage on each %1 of the node"_s.arg(m_out.node.gpu.word));
        return degree;
    }

    /// A job that requeues itself has to be notified in time. torchrun's agent and its relatives die of USR1 (R31).
    void resolveSignal()
    {
        const auto& options = m_out.spec.options;
        m_out.signal = options.signal.value_or(QString()).trimmed();
        if (!m_out.signal.isEmpty() || options.requeueAtLimit.value_or(0) < 1)
            return;
        const bool agent = m_out.launcher == Launcher::Torchrun || m_out.launcher == Launcher::Accelerate
            || m_out.launcher == Launcher::Deepspeed;
        // Slurm may send it up to a minute earlier: in a short job it would come at the start, where it kills a program
        // that does not listen yet, and an agent with its workers at any time. Such a job is queued again by its
        // script.
        if (m_out.time.count < (agent ? 600 : 120))
            return;
        const qint64 lead = qBound(qint64(30), m_out.time.count / 10, qint64(300));
        m_out.signal = u"%1@%2"_s.arg(agent ? u"TERM"_s : u"USR1"_s).arg(lead);
        const QString time = lead == 300 ? u"five minutes"_s : u"%1 seconds"_s.arg(lead);
        chose(field::signal, m_out.signal,
            time
                + (agent ? u" to save; agents forward TERM to their workers and are killed by other signals"_s
                         : u" to save, by the signal that training programs usually handle"_s));
    }

    std::optional<Launcher> preferredLauncher() const { return launcherFrom(m_profile.launch.preferredLauncher); }

    void resolveLauncher()
    {
        if (m_out.spec.launcher) {
            m_out.launcher = *m_out.spec.launcher;
            return;
        }
        const auto preferred = preferredLauncher();
        QString reason;
        if (m_out.strategy == Strategy::Horovod) {
            m_out.launcher = Launcher::Horovod;
            reason = u"Horovod brings its own start: one MPI task for each GPU"_s;
        } else if (m_out.spec.training.framework == Framework::Lightning) {
            m_out.launcher = Launcher::Lightning;
            reason = u"Lightning reads Slurm's own variables: one task for each GPU"_s;
        } else if (m_out.worldSize() == 1) {
            m_out.launcher = Launcher::Srun;
            reason = u"one process needs no agent that starts it"_s;
        } else {
            m_out.launcher = preferred.value_or(Launcher::Torchrun);
            reason = preferred ? u"what %1 advises"_s.arg(m_profile.title) : u"the usual way to start PyTorch"_s;
        }
        chose(field::launcher, toText(m_out.launcher), reason);
    }

    void resolveContainer()
    {
        const auto& asked = m_out.spec.environment;
        if (asked.container) {
            m_out.container = *asked.container == u"none"_s ? QString() : *asked.container;
            return;
        }
        if (m_profile.container.image.isEmpty() || !m_profile.container.byDefault)
            return;
        if (!asked.modules.isEmpty()) {
            chose(field::container, u"none"_s, u"the design names modules, which take the container's place"_s);
            return;
        }
        if (asked.conda || asked.uenv) {
            chose(field::container, u"none"_s, u"the design names an environment, which takes the container's place"_s);
            return;
        }
        m_out.container = m_profile.container.image;
        chose(field::container, m_out.container, m_profile.container.reason.section(u'\n', 0, 0));
    }

    void resolveProgram()
    {
        m_out.account = m_out.spec.account.value_or(QString()).trimmed();
        m_out.command = m_out.spec.command.value_or(QString()).trimmed();
        if (m_out.command.isEmpty()) {
            m_out.command = u"train.py"_s;
            chose(field::command, m_out.command, u"a placeholder until the design names the program"_s);
        }
        m_out.name = m_out.spec.name.trimmed();
        if (m_out.name.isEmpty()) {
            m_out.name = nameOfProgram();
            if (m_out.name.isEmpty())
                m_out.name = u"train"_s;
            chose(field::name, m_out.name, u"named after the program"_s);
        }
    }

    /// "train" of "venv/bin/python -u train.py", "torchtitan.train" of "-m torchtitan.train".
    QString nameOfProgram() const
    {
        const NamedProgram program = programOf(m_out.command);
        return program.isModule ? program.name : QFileInfo(program.name).completeBaseName();
    }

    const ClusterProfile& m_profile;
    By m_by = By::Model;
    std::optional<Candidate> m_best; ///< what is recommended for what the design leaves open
    ResolvedSpec m_out;
    std::optional<int> m_splitLayers; ///< the model asks for it
};

} // namespace

int ResolvedSpec::tasksPerNode() const
{
    const bool perRank = launcher == Launcher::Srun || launcher == Launcher::Lightning || launcher == Launcher::Horovod;
    return perRank && strategy != Strategy::Single ? gpusPerNode : 1;
}

int ResolvedSpec::cpusPerTask() const { return cpusPerGpu * gpusPerNode / tasksPerNode(); }

ResolvedSpec resolve(const JobSpec& spec, const ClusterProfile& profile)
{
    const bool isOpen = !spec.resources.nodes || !spec.parallel.strategy;
    const bool mayChoose = spec.parallel.strategy != Strategy::Single && spec.launcher != Launcher::Horovod;
    if (isOpen && mayChoose && !spec.model.isEmpty()) {
        const ResolvedSpec bySite = Resolver(spec, profile, By::Site).run();
        if (const auto best = recommendedFor(bySite, profile))
            return Resolver(spec, profile, *best).run();
    }
    return Resolver(spec, profile, By::Model).run();
}

} // namespace rankwright::inline planner
