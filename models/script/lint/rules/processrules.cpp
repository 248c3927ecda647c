// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/script/lint/lintrule.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

using Kind = LaunchLayer::Kind;

/// Slots that Open MPI finds in the job: its tasks.
std::optional<int> slotsOf(const LintRequest& request)
{
    if (request.tasks)
        return request.tasks;
    if (!request.nodes || !request.tasksPerNode)
        return std::nullopt;
    return *request.nodes * *request.tasksPerNode;
}

Hits mpiSlots(const LintFacts& facts)
{
    static const QRegularExpression others(
        u"mpich|mvapich|intel|\\bimpi|hydra|mpiexec\\.hydra"_s, QRegularExpression::CaseInsensitiveOption);
    Hits hits;
    for (const Start& start : facts.starts) {
        const LaunchLayer* mpirun = start.launch->layer(Kind::Mpirun);
        const std::optional<int> room = slotsOf(facts.request);
        if (!mpirun || start.srun || !room || !start.launch->unresolved.isEmpty())
            continue;
        const BatchOption* count = nullptr;
        bool ownPlaces = facts.option(u"ntasks-per-gpu"_s) || facts.option(u"ntasks-per-socket"_s);
        for (const BatchOption& option : mpirun->options) {
            static const QSet<QString> places{u"oversubscribe"_s, u"hostfile"_s, u"machinefile"_s, u"host"_s, u"H"_s,
                u"f"_s, u"hosts"_s, u"use-hwthread-cpus"_s, u"map-by"_s, u"npernode"_s, u"ppn"_s, u"N"_s};
            ownPlaces = ownPlaces || places.contains(option.name);
            count = option.name == u"n" || option.name == u"np" || option.name == u"c" ? &option : count;
        }
        const std::optional<int> wanted = count ? facts.numberOf(*count) : std::nullopt;
        if (ownPlaces || !wanted || *wanted <= *room)
            continue;
        hits.append({count->line,
            u"%1 is asked for %2 processes in a job of %3: Open MPI stops with “not enough slots”. Ask for as many tasks (--ntasks-per-node)."_s
                .arg(mpirun->name, QString::number(*wanted), counted(*room, u"task"_s)),
            std::nullopt, facts.mentions(others) ? std::optional(Severity::Warning) : std::nullopt});
    }
    return hits;
}

Hits workersMissing(const LintFacts& facts)
{
    Hits hits;
    const int gpus = facts.request.gpusPerNode.value_or(1);
    for (const Start& start : facts.starts) {
        if (start.kind != LaunchKind::Agent || !start.training || gpus < 2 || start.agentOption(u"nproc-per-node"_s)
            || start.tasksPerNode.value_or(1) > 1 || facts.sets(u"PET_NPROC_PER_NODE"_s)
            || !start.launch->unresolved.isEmpty() || start.srunOption(u"gpus-per-task"_s)
            || start.srunOption(u"tres-per-task"_s) || start.srunOption(u"gpus"_s))
            continue;
        hits.append({start.line(),
            u"%1 without --nproc_per_node starts one worker: %2 of the %3 GPUs of a node stay idle."_s.arg(
                start.agent->name, QString::number(gpus - 1), QString::number(gpus))});
    }
    return hits;
}

Hits nestedLaunchers(const LintFacts& facts)
{
    Hits hits;
    for (const Start& start : facts.starts) {
        const QList<LaunchLayer>& layers = start.launch->layers;
        const auto at = [&](Kind kind) {
            return std::find_if(layers.cbegin(), layers.cend(), [&](const LaunchLayer& one) {
                return one.kind == kind;
            }) - layers.cbegin();
        };
        const qsizetype srun = at(Kind::Srun);
        const qsizetype mpirun = at(Kind::Mpirun);
        const qsizetype agent = at(Kind::Agent);
        const bool horovod = start.agent && start.agent->name.startsWith(u"horovod");
        if (srun < mpirun && mpirun < layers.size() && start.tasks.value_or(1) > 1) {
            hits.append({start.line(),
                u"Each of the %1 tasks of srun starts %2 of its own: use one of the two."_s.arg(
                    QString::number(*start.tasks), layers.at(mpirun).name)});
        } else if (srun < layers.size() && agent < layers.size() && horovod && start.tasks.value_or(1) > 1) {
            hits.append({start.line(),
                u"Each of the %1 tasks of srun starts horovodrun, which starts all processes itself: use one of the two."_s
                    .arg(*start.tasks)});
        } else if (mpirun < srun && srun < layers.size()) {
            hits.append({start.line(),
                u"%1 starts srun in each of its processes: use one of the two."_s.arg(layers.at(mpirun).name)});
        }
    }
    return hits;
}

/// A container that is started without the option that brings the GPU's driver into it.
Hits containerGpus(const LintFacts& facts)
{
    const bool nvidia = facts.node && facts.node->gpu.vendor == GpuVendor::Nvidia && facts.node->gpus > 0;
    static const QRegularExpression elsewhere(
        u"(?:SINGULARITY|APPTAINER)_NV|\\b(?:module|ml)\\s[^\\n]*(?:singularity|apptainer)[\\w-]*bind"_s);
    if (!nvidia || facts.request.gpuOptions.isEmpty() || facts.mentions(elsewhere))
        return {};
    Hits hits;
    for (const Start& start : facts.starts) {
        const LaunchLayer* container = start.container;
        static const QRegularExpression runtime(u"^(?:singularity|apptainer) (?:exec|run|shell)$"_s);
        if (!container || !container->name.contains(runtime) || !start.launch->unresolved.isEmpty()
            || (!start.agent && start.kind != LaunchKind::Python))
            continue;
        if (container->option(u"nv"_s) || container->option(u"nvccli"_s) || container->option(u"bind"_s)
            || container->option(u"B"_s))
            continue;
        hits.append(
            {container->line, u"%1 without --nv: the program in the container finds no GPU."_s.arg(container->name),
                replaceInLine(facts, container->line, container->name.section(u' ', 1) + u' ',
                    container->name.section(u' ', 1) + u" --nv "_s, u"Add --nv"_s)});
    }
    return hits;
}

/// Cores are meant, or GPUs that come with whole nodes or another option than those for GPUs.
bool meansOtherThanGpus(const LintFacts& facts)
{
    static const QRegularExpression cores(
        u"gloo|(?<![a-z])cpu(?!s|_?bind|-bind)|no[-_]cuda|\\bmpi\\b"_s, QRegularExpression::CaseInsensitiveOption);
    static const QSet<QString> places{u"partition"_s, u"account"_s, u"qos"_s};
    const auto isOther = [](const BatchOption& one) {
        return one.name.startsWith(u"tres-per-") || one.name.contains(u"gpu") || one.name == u"constraint"
            || one.name == u"gres" || one.name == u"exclusive"
            || (places.contains(one.name) && one.value.contains(cores));
    };
    return facts.mentions(cores) || std::any_of(facts.batch.options.cbegin(), facts.batch.options.cend(), isOther);
}

bool asksForGpus(const LaunchLayer& layer)
{
    return std::any_of(layer.options.cbegin(), layer.options.cend(),
        [](const BatchOption& one) { return one.name == u"gres" || one.name.contains(u"gpu"); });
}

/// Several workers, which take a GPU each, in a job that asks for none.
Hits workersWithoutGpus(const LintFacts& facts)
{
    constexpr int mostGpus = 16; // more workers are for cores
    if (!facts.request.gpuOptions.isEmpty() || facts.batch.options.isEmpty() || meansOtherThanGpus(facts)
        || (facts.node && facts.node->gpus > 0)) // L36 speaks of it
        return {};
    Hits hits;
    for (const Start& start : facts.starts) {
        const bool isAgent = start.kind == LaunchKind::Agent || start.kind == LaunchKind::Accelerate;
        const int workers = start.workers.value_or(1);
        if (!isAgent || !start.training || workers < 2 || workers > mostGpus
            || (start.srun && asksForGpus(*start.srun)))
            continue;
        const QString written = u"--gpus-per-node=%1"_s.arg(workers);
        hits.append({start.line(),
            u"%1 starts %2 workers, but the job asks for no GPU: where Slurm gives none without, they find none or train on cores."_s
                .arg(start.agent->name, QString::number(workers)),
            addDirective(facts, written)});
    }
    return hits;
}

/// One core or less for each worker, where the GPUs stand for many more.
Hits fewCores(const LintFacts& facts)
{
    const LintRequest& request = facts.request;
    const BatchOption* option = facts.option(u"cpus-per-task"_s);
    const std::optional<int> cores = request.coresPerNode();
    const int gpus = request.gpusPerNode.value_or(0);
    if (!facts.node || !facts.node->coresPerGpu || !option || !cores || gpus < 1)
        return {};
    const int fair = *facts.node->coresPerGpu * gpus;
    const bool trains = std::any_of(facts.starts.cbegin(), facts.starts.cend(), [&](const Start& start) {
        const bool ownCores = start.srunOption(u"cpus-per-task"_s) || start.srunOption(u"cpu-bind"_s)
            || start.srunOption(u"exclusive"_s);
        const bool limited = start.srun || !facts.wholeNodes();
        const int ranks = start.agent ? start.workers.value_or(gpus) : start.tasksPerNode.value_or(1);
        return start.training && limited && !ownCores && ranks >= gpus
            && (start.agent || start.kind == LaunchKind::Python);
    });
    if (!trains || *cores > gpus || *cores * 4 > fair)
        return {};
    const int tasks = std::max(1, request.tasksPerNode.value_or(1));
    const QString written = u"--cpus-per-task=%1"_s.arg(fair / tasks);
    if (gpus == 1)
        return {{option->line,
            u"One core for one %1, where its share is %2 cores: a program that loads data beside its training has none left for that."_s
                .arg(facts.node->gpu.word, QString::number(fair)),
            replaceOption(facts, *option, written, u"Use "_s + written), Severity::Hint}};
    return {{option->line,
        u"%1 for the %2 workers of a node, where the share of %3 is %4 cores: loading data will slow them down."_s.arg(
            counted(*cores, u"core"_s), QString::number(gpus), gpusText(gpus, facts.node->gpu.word),
            QString::number(fair)),
        replaceOption(facts, *option, written, u"Use "_s + written)}};
}

} // namespace

QList<LintRule> processRules()
{
    const QString torchrun = u"torchrun documentation"_s;
    return {
        {{u"R276"_s, u"mpi-slots"_s, Severity::Error, u"launcher"_s,
             u"mpirun with more processes than the job has tasks"_s, u"Open MPI documentation, slots"_s},
            mpiSlots},
        {{u"R277"_s, u"worker-default"_s, Severity::Warning, u"launcher"_s,
             u"torchrun without --nproc_per_node where a node has several GPUs"_s, torchrun},
            workersMissing},
        {{u"R278"_s, u"nested-launchers"_s, Severity::Warning, u"launcher"_s, u"a launcher within a launcher"_s,
             u"srun(1); Open MPI documentation"_s},
            nestedLaunchers},
        {{u"R279"_s, u"container-gpus"_s, Severity::Warning, u"environment.container"_s,
             u"singularity or apptainer without --nv on NVIDIA nodes"_s, u"Apptainer user guide, GPU support"_s, true},
            containerGpus},
        {{u"R280"_s, u"few-cores"_s, Severity::Warning, u"resources.cpusPerGpu"_s,
             u"one core or less for each worker, far below the share of the GPUs"_s, u"the site's node table"_s, true},
            fewCores},
        {{u"R305"_s, u"workers-without-gpus"_s, Severity::Hint, u"resources.gpusPerNode"_s,
             u"several workers of an agent in a job without GPUs"_s, u"sbatch(1), --gres; "_s + torchrun},
            workersWithoutGpus},
    };
}

} // namespace rankwright::inline script::lint
