// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/draft/draftnodes.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline cluster {

namespace {

constexpr int mostGpus = 64; // of a node; more is a mistake of the reader

void doubt(ClusterDraft& draft, const QString& place, const QString& text) { draft.doubts.append({place, text}); }

/// The GPU types of other entries that Slurm calls by this name, each once.
QList<std::pair<QString, GpuType>> sameName(const QString& slurmName, const QList<ClusterProfile>& known)
{
    QList<std::pair<QString, GpuType>> found;
    if (slurmName.isEmpty())
        return found;
    for (const ClusterProfile& profile : known) {
        for (const NodeShape& node : profile.nodes) {
            const bool seen = std::any_of(
                found.begin(), found.end(), [&](const auto& other) { return other.second.model == node.gpu.model; });
            if (node.gpu.slurmName == slurmName && !seen)
                found.append({profile.title, node.gpu});
        }
    }
    return found;
}

/// A GPU of which only Slurm's name is known.
GpuType unknownGpu(const QString& slurmName)
{
    GpuType gpu;
    gpu.model = slurmName.isEmpty() ? u"GPU"_s : slurmName.toUpper();
    gpu.slurmName = slurmName;
    // AMD's cards for computing are called MI...; everything else that Slurm counts is NVIDIA's so far.
    gpu.vendor = slurmName.startsWith(u"mi"_s, Qt::CaseInsensitive) ? GpuVendor::Amd : GpuVendor::Nvidia;
    gpu.packageName = gpu.model;
    return gpu;
}

/// One that agrees in all of them stays; where they differ it is not known.
void dropDifferences(GpuType& gpu, const GpuType& other)
{
    if (gpu.memory != other.memory)
        gpu.memory = {};
    if (gpu.memoryBandwidth != other.memoryBandwidth)
        gpu.memoryBandwidth.reset();
    if (gpu.bf16Teraflops != other.bf16Teraflops)
        gpu.bf16Teraflops.reset();
    if (gpu.packagePowerWatts != other.packagePowerWatts)
        gpu.packagePowerWatts.reset();
}

void draftGpu(ClusterDraft& draft, NodeShape& node, const SurveyedNodes& kind, const QList<ClusterProfile>& known)
{
    const QString place = u"$.nodes[%1].gpu"_s.arg(draft.profile.nodes.size());
    const auto found = sameName(kind.gpuType, known);
    if (found.isEmpty()) {
        node.gpu = unknownGpu(kind.gpuType);
        node.gpu.source = node.source;
        doubt(draft, place,
            kind.gpuType.isEmpty()
                ? u"Slurm does not name the GPU's type: model, maker, memory and peaks are not known. NVIDIA is assumed."_s
                : u"The catalogue has no GPU that Slurm calls “%1”: memory and peaks are not known, the maker (%2) is "
                  "guessed from the name."_s.arg(
                      kind.gpuType, node.gpu.vendor == GpuVendor::Amd ? u"AMD"_s : u"NVIDIA"_s));
        return;
    }
    node.gpu = found.first().second;
    node.gpu.note.clear();
    node.gpu.source = u"taken over from the entry of "_s + found.first().first;
    if (found.size() == 1) {
        doubt(draft, place,
            u"Model, memory and peaks are those of “%1” as %2 has it: check them."_s.arg(
                node.gpu.model, found.first().first));
        return;
    }
    QStringList models;
    for (const auto& [title, gpu] : found) {
        dropDifferences(node.gpu, gpu);
        models.append(u"%1 (%2)"_s.arg(gpu.model, title));
    }
    node.gpu.model = kind.gpuType.toUpper();
    doubt(draft, place,
        u"“%1” can be one of %2: what differs between them is left open."_s.arg(kind.gpuType, models.join(u", "_s)));
}

void draftCores(ClusterDraft& draft, NodeShape& node, const SurveyedNodes& kind)
{
    const QString place = u"$.nodes[%1]"_s.arg(draft.profile.nodes.size());
    node.cores = kind.sockets * kind.coresPerSocket;
    node.threadsPerCore = kind.threadsPerCore;
    if (node.cores == 0 || kind.cpus == 0) {
        node.cores = node.usableCores = kind.usableCpus;
        node.threadsPerCore = 1;
    } else if (kind.cpus > node.cores) {
        node.cpusAreThreads = true;
        node.usableCores = qMin(kind.usableCpus, node.cores * node.threadsPerCore);
        doubt(draft, place + u".cpusAreThreads"_s,
            u"Slurm counts %1 CPUs on %2 cores, so hardware threads are counted here. Where the site makes "
            "--cpus-per-task count cores (--hint=nomultithread), set false and halve the figures."_s.arg(kind.cpus)
                .arg(node.cores));
    } else {
        node.usableCores = qMin(kind.usableCpus, node.cores);
    }
    if (node.usableCores <= 0)
        return;
    node.coresPerGpu = qMax(1, node.usableCores / node.gpus);
    doubt(draft, place + u".coresPerGpu"_s,
        u"%1 is an even share of a node's %2 CPUs: enter what the site's own pages advise."_s.arg(*node.coresPerGpu)
            .arg(node.usableCores));
}

void draftMemory(ClusterDraft& draft, NodeShape& node, const SurveyedNodes& kind)
{
    const QString place = u"$.nodes[%1]"_s.arg(draft.profile.nodes.size());
    if (kind.memoryMib <= 1) { // 1 is Slurm's value for a size that was not set
        doubt(draft, place + u".memory"_s, u"Slurm does not report the memory of these nodes."_s);
        return;
    }
    node.memory = Bytes{kind.memoryMib * 1048576};
    if (kind.memoryMib != kind.largestMemoryMib)
        doubt(draft, place + u".memory"_s,
            u"The nodes differ: %1 is the least, %2 the most."_s.arg(
                slurmMemory(node.memory), slurmMemory(Bytes{kind.largestMemoryMib * 1048576})));
    const qint64 gib = node.memory.count / node.gpus / (qint64(1) << 30);
    node.memoryPerGpu = gib > 0 ? Bytes::gib(double(gib)) : Bytes{node.memory.count / node.gpus};
    doubt(draft, place + u".memoryPerGpu"_s,
        u"%1 is an even share of a node's memory, in whole GiB: enter what the site's own pages advise."_s.arg(
            slurmMemory(*node.memoryPerGpu)));
}

/// Slurm counts them; what an amount means (GB, GiB, disks) only the site says.
void draftOtherGres(ClusterDraft& draft, NodeShape& node, const SurveyedNodes& kind)
{
    if (kind.otherGres.isEmpty())
        return;
    static const QStringList disks{u"nvme"_s, u"tmpdisk"_s, u"localtmp"_s, u"ssd"_s, u"scratch"_s, u"localssd"_s};
    for (const QString& each : kind.otherGres) {
        if (node.localDisk.gres.isEmpty() && disks.contains(each.section(u':', 0, 0).toLower()))
            node.localDisk.gres = each.section(u':', 0, 0);
    }
    doubt(draft, u"$.nodes[%1].localDisk"_s.arg(draft.profile.nodes.size()),
        u"Beside GPUs these nodes have %1, asked for by --gres: check what the amounts mean."_s.arg(
            kind.otherGres.join(u", "_s)));
}

QString nameOf(const SurveyedNodes& kind, const ClusterProfile& profile)
{
    const QString base = kind.gpuType.isEmpty() ? u"gpu"_s : kind.gpuType;
    QString name = u"%1-x%2"_s.arg(base).arg(kind.gpus);
    const auto taken = [&](const QString& wanted) {
        return std::any_of(
            profile.nodes.begin(), profile.nodes.end(), [&](const NodeShape& node) { return node.name == wanted; });
    };
    for (int number = 2; taken(name); ++number)
        name = u"%1-x%2-%3"_s.arg(base).arg(kind.gpus).arg(number);
    return name;
}

} // namespace

QList<SurveyedNodes> gpuKinds(const ClusterSurvey& survey)
{
    QList<SurveyedNodes> kinds;
    for (const SurveyedNodes& kind : survey.nodes) {
        if (kind.gpus > 0 && kind.gpus <= mostGpus)
            kinds.append(kind);
    }
    // the most nodes first: what most jobs get
    std::stable_sort(
        kinds.begin(), kinds.end(), [](const SurveyedNodes& a, const SurveyedNodes& b) { return a.count > b.count; });
    return kinds;
}

void draftNodes(
    ClusterDraft& draft, const ClusterSurvey& survey, const QList<ClusterProfile>& known, const QString& source)
{
    for (const SurveyedNodes& kind : gpuKinds(survey)) {
        NodeShape node;
        node.name = nameOf(kind, draft.profile);
        node.count = kind.count;
        node.architecture = kind.architecture;
        node.gpus = kind.gpus;
        node.source = source;
        draftGpu(draft, node, kind, known);
        draftCores(draft, node, kind);
        draftMemory(draft, node, kind);
        draftOtherGres(draft, node, kind);
        draft.profile.nodes.append(node);
    }
    if (survey.nodesFromSinfo && !draft.profile.nodes.isEmpty())
        doubt(draft, u"$.nodes"_s,
            u"The cluster shows no single nodes; figures are sinfo's, which knows no reserved cores or memory."_s);
    if (draft.profile.nodes.isEmpty())
        doubt(draft, u"$.nodes"_s,
            u"Slurm counts no GPUs on any node: describe the nodes by hand. Jobs ask for whole nodes by --exclusive."_s);
    else
        doubt(draft, u"$.nodes"_s,
            u"Slurm does not know which cores are nearest to which GPU, how GPUs are joined, the network and its "
            "interfaces: they are left open."_s);
}

} // namespace rankwright::inline cluster
