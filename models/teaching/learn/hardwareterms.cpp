// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: AMD's MI250X documentation, the NVIDIA and ROCm manuals, srun(1), the sites' catalogue entries.
#include "models/teaching/learn/term.h"

#include "models/core/numberranges.h"
#include "models/core/quantitytext.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

using F = const LearnFigures&;

QString notDescribed(F f)
{
    return u"The nodes of %1 are not described here, so its hardware is not known yet."_s.arg(f.siteName());
}

/// "64 GiB of memory each"; empty: not published.
QString memoryEach(F f)
{
    const Bytes memory = f.node.gpu.memory;
    return memory.count > 0 ? humanBytes(memory) + u" of memory each"_s : QString();
}

QString withMemory(F f, const QString& text)
{
    const QString memory = memoryEach(f);
    return memory.isEmpty() ? text : text + u", "_s + memory;
}

QString gcdNumbers(F f)
{
    if (!f.knowsNode())
        return notDescribed(f);
    if (f.word() != u"GCD")
        return u"%1 has none: one %2 is one %3 for Slurm and for PyTorch. This design takes %4."_s.arg(
            f.siteName(), f.node.gpu.model, f.word(), f.size());
    return u"A node of %1 has %2. This design takes %3."_s.arg(
        f.siteName(), withMemory(f, f.gpus(f.node.gpus)), f.size());
}

QString gpuNumbers(F f)
{
    if (!f.knowsNode())
        return u"This design takes %1. "_s.arg(f.size()) + notDescribed(f);
    const QString count = withMemory(f, f.gpus(f.node.gpus));
    if (f.word() == u"GCD")
        return u"%1 counts GCDs as GPUs: a node has %2. This design takes %3."_s.arg(f.siteName(), count, f.size());
    return u"A node of %1 has %2 (%3). This design takes %4."_s.arg(f.siteName(), count, f.node.gpu.model, f.size());
}

QString packageNumbers(F f)
{
    if (!f.knowsNode())
        return notDescribed(f);
    const int each = qMax(1, f.node.gpu.perPackage);
    const QString name = f.node.gpu.packageName.isEmpty() ? f.node.gpu.model : f.node.gpu.packageName;
    if (each == 1)
        return u"On %1 a package holds one %2 (%3), so nothing is shared between two of them."_s.arg(
            f.siteName(), f.word(), name);
    const int used = f.resolved.gpusPerNode;
    if (used % each != 0)
        return u"%1 holds %2. The %3 that this design takes on a node do not fill their packages, so a neighbour may "
               u"share one."_s.arg(withArticle(name), f.gpus(each), f.gpus(used));
    return u"%1 holds %2: the %3 of this design are %4."_s.arg(withArticle(name), f.gpus(each),
        f.gpus(f.resolved.worldSize()), counted(f.resolved.worldSize() / each, u"package"_s));
}

QString nodeNumbers(F f)
{
    if (!f.knowsNode())
        return u"This design takes %1. "_s.arg(nodesText(f.resolved.nodes)) + notDescribed(f);
    QStringList parts{f.gpus(f.node.gpus)};
    if (f.node.knowsCores())
        parts.append(counted(f.node.usableCores, f.node.cpusAreThreads ? u"hardware thread"_s : u"core"_s));
    if (f.node.knowsMemory())
        parts.append(humanBytes(f.node.memory));
    const QString last = parts.size() > 1 ? u" and "_s + parts.takeLast() : QString();
    return u"A node of %1 gives a job up to %2. This design takes %3."_s.arg(
        f.siteName(), parts.join(u", "_s) + last, nodesText(f.resolved.nodes));
}

QString numaNumbers(F f)
{
    if (!f.knowsNode())
        return notDescribed(f);
    if (!f.node.numaDomains)
        return u"How many NUMA domains a node of %1 has is not published."_s.arg(f.siteName());
    const QString domains = u"A node of %1 has %2"_s.arg(f.siteName(), counted(*f.node.numaDomains, u"NUMA domain"_s));
    const QList<RankPlace>& ranks = f.derived.ranks.ranks;
    if (ranks.isEmpty() || !ranks.first().numa)
        return domains + u"; which %1 of this job is in which is not known before it starts."_s.arg(f.word());
    return domains
        + u"; rank 0 of this design has %1 %2, which is in domain %3."_s.arg(f.word())
              .arg(ranks.first().gpu)
              .arg(*ranks.first().numa);
}

QString bindingNumbers(F f)
{
    const RankPlaces& places = f.derived.ranks;
    if (!places.bound || places.ranks.isEmpty())
        return places.unboundReason.isEmpty() ? u"The ranks of this design are not bound to cores."_s
                                              : u"Not bound in this design: "_s + asSentence(places.unboundReason);
    const RankPlace& first = places.ranks.first();
    const QString rank = u"Rank 0 gets the cores %1 beside %2 %3, as a mask %4."_s.arg(
        numberRanges(first.cores), f.word(), QString::number(first.gpu), first.mask);
    return places.note.isEmpty() ? rank : rank + u' ' + asSentence(places.note);
}

QString networkNumbers(F f)
{
    if (f.resolved.nodes == 1)
        return u"This design stays on one node, so its ranks never use the network to reach each other."_s;
    if (!f.node.nicGigabytesPerSecond)
        return u"This design spans %1; how fast the network of a node of %2 is, is not published."_s.arg(
            nodesText(f.resolved.nodes), f.siteName());
    return u"A node of %1 sends up to %2 GB/s in each direction, shared by its %3. This design spans %4."_s.arg(
        f.siteName(), humanNumber(*f.node.nicGigabytesPerSecond), f.gpus(f.resolved.gpusPerNode),
        nodesText(f.resolved.nodes));
}

QString linkNumbers(F f)
{
    const auto inside = f.node.fastestLink(true);
    const auto between = f.node.fastestLink(false);
    if (!inside && !between)
        return u"The links between the %1 of a node of %2 are not published."_s.arg(f.words(), f.siteName());
    QStringList parts;
    if (inside)
        parts.append(u"%1 GB/s within a package"_s.arg(humanNumber(*inside)));
    if (between)
        parts.append(u"up to %1 GB/s %2"_s.arg(
            humanNumber(*between), inside ? u"between packages"_s : u"between two %1"_s.arg(f.words())));
    return u"On a node of %1: %2, in each direction."_s.arg(f.siteName(), parts.join(u", "_s));
}

QString deviceNumbers(F f)
{
    const QString name = f.visibleVariable();
    const QString value = f.scriptValue(name);
    if (value.isEmpty())
        return u"The script of this design does not set %1: each process sees the %2 that Slurm gave to the job on its "
               u"node and takes the one with its local rank."_s.arg(name, f.gpus(f.resolved.gpusPerNode));
    return u"The script of this design sets %1 to %2."_s.arg(name, value);
}

QString memoryNumbers(F f)
{
    if (f.node.gpu.memory.count <= 0)
        return u"How much memory one %1 of %2 has is not known."_s.arg(f.word(), f.siteName());
    const DesignEstimate* estimate = f.estimate();
    const QString one = u"One %1 of %2 has %3."_s.arg(f.word(), f.siteName(), humanBytes(f.node.gpu.memory));
    if (!estimate)
        return one + u" How much this training needs is not known yet: "_s + f.noEstimate();
    return u"One %1 of %2 has %3, of which %4 can be used. This design needs about %5 on its fullest rank."_s.arg(
        f.word(), f.siteName(), humanBytes(f.node.gpu.memory), memoryText(estimate->memory.usableBytes),
        memoryText(estimate->memory.totalBytes));
}

} // namespace

QList<Term> hardwareTerms()
{
    return {
        {u"gcd"_s, u"GCD"_s, {u"graphics compute die"_s, u"die"_s, u"MI250X"_s, u"GCDs"_s},
            u"A GCD (graphics compute die) is one of the two chips of an AMD MI250X package, with memory of its own. "
            u"Slurm, ROCm and PyTorch count each GCD as one GPU."_s,
            TinyPicture::Package, {u"package"_s, u"gpu"_s, u"node"_s, u"rank"_s}, true, gcdNumbers},
        {u"gpu"_s, u"GPU"_s, {u"graphics processor"_s, u"accelerator"_s, u"device"_s, u"card"_s, u"GPUs"_s},
            u"A GPU does thousands of simple calculations at once, which is what training is made of. In a job, a GPU "
            u"is whatever Slurm counts as one, with its own memory."_s,
            TinyPicture::Node, {u"gcd"_s, u"gpu-memory"_s, u"node"_s, u"rank"_s}, true, gpuNumbers},
        {u"package"_s, u"Package"_s, {u"card"_s, u"OAM"_s, u"module of two dies"_s, u"MI250X package"_s},
            u"A package is what is soldered to the board: one chip, or several that share power and cooling. Two {gpus} "
            u"of one package talk to each other faster than to any other, and have one power reading together."_s,
            TinyPicture::Package, {u"gcd"_s, u"power-draw"_s, u"gpu-link"_s}, true, packageNumbers},
        {u"node"_s, u"Node"_s, {u"compute node"_s, u"server"_s, u"machine"_s, u"nodes"_s},
            u"A node is one computer of the cluster, with processors, memory and several {gpus}. What stays on one node "
            u"talks over fast links; what crosses nodes goes through the network."_s,
            TinyPicture::Node, {u"gpu"_s, u"network"_s, u"numa"_s, u"partition"_s}, true, nodeNumbers},
        {u"gpu-memory"_s, u"{gpu} memory"_s,
            {u"GPU memory"_s, u"GCD memory"_s, u"VRAM"_s, u"HBM"_s, u"device memory"_s, u"out of memory"_s, u"OOM"_s},
            u"GPU memory is the fast memory on the {gpu} itself, and everything of the training has to fit in it: "
            u"weights, gradients, optimiser states and activations. It has nothing to do with --mem, which is the "
            u"memory of the node."_s,
            TinyPicture::Memory, {u"activations"_s, u"optimiser-states"_s, u"mem"_s, u"recomputation"_s}, false,
            memoryNumbers},
        {u"numa"_s, u"NUMA domain"_s, {u"NUMA"_s, u"NUMA node"_s, u"socket"_s, u"memory domain"_s, u"CCD"_s},
            u"A node's cores and memory are divided into NUMA domains: near memory is fast, that of another domain "
            u"slower. A rank should run on cores in the domain to which its {gpu} is attached."_s,
            TinyPicture::Cores, {u"cpu-binding"_s, u"node"_s, u"data-loader"_s}, true, numaNumbers},
        {u"cpu-binding"_s, u"CPU binding"_s,
            {u"CPU mask"_s, u"mask"_s, u"affinity"_s, u"pinning"_s, u"cpu-bind"_s, u"core binding"_s, u"binding"_s},
            u"Binding keeps each rank on the cores that are nearest to its {gpu}. A mask writes these cores as one "
            u"hexadecimal number, a bit for each core."_s,
            TinyPicture::Cores, {u"numa"_s, u"srun"_s, u"local-rank"_s, u"task"_s}, true, bindingNumbers},
        {u"network"_s, u"Network"_s, {u"interconnect"_s, u"Slingshot"_s, u"InfiniBand"_s, u"NIC"_s, u"fabric"_s},
            u"The network joins the nodes of a cluster, and every exchange between ranks on different nodes goes "
            u"through it. It is slower than the links inside a node, so traffic should stay inside where it can."_s,
            TinyPicture::Network, {u"all-reduce"_s, u"nccl"_s, u"gpu-link"_s}, false, networkNumbers},
        {u"gpu-link"_s, u"{gpu} link"_s,
            {u"GPU link"_s, u"GCD link"_s, u"NVLink"_s, u"Infinity Fabric"_s, u"xGMI"_s, u"peer to peer"_s, u"P2P"_s},
            u"GPU links join the {gpus} of one node directly, without a way through the processor. Tensor parallel "
            u"groups live on them, because they exchange data in every layer."_s,
            TinyPicture::Node, {u"package"_s, u"tensor-parallel"_s, u"network"_s}, true, linkNumbers},
        {u"visible-devices"_s, u"ROCR_VISIBLE_DEVICES, CUDA_VISIBLE_DEVICES"_s,
            {u"ROCR_VISIBLE_DEVICES"_s, u"CUDA_VISIBLE_DEVICES"_s, u"HIP_VISIBLE_DEVICES"_s, u"visible devices"_s},
            u"This variable lists which {gpus} a process may see, and in which order; inside the process they are "
            u"numbered from 0 again. AMD's runtime reads ROCR_VISIBLE_DEVICES, NVIDIA's CUDA_VISIBLE_DEVICES."_s,
            TinyPicture::Node, {u"local-rank"_s, u"gpu"_s, u"task"_s}, true, deviceNumbers},
    };
}

} // namespace rankwright::inline teaching
