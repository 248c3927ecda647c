// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/profilenodes.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline cluster {

namespace {

GpuType readGpuType(ProfileReader& gpu)
{
    GpuType type;
    type.model = gpu.neededText(u"model"_s);
    type.vendor = gpu.oneOf(u"vendor"_s, {u"amd"_s, u"nvidia"_s}) == 0 ? GpuVendor::Amd : GpuVendor::Nvidia;
    if (const QString word = gpu.text(u"word"_s); !word.isEmpty())
        type.word = word;
    type.slurmName = gpu.text(u"slurmName"_s);
    type.memory = gpu.maybeMemory(u"memory"_s).value_or(Bytes{});
    type.perPackage = gpu.whole(u"perPackage"_s, 1, 1);
    type.packageName = gpu.text(u"packageName"_s);
    type.packagePowerWatts = gpu.maybePositive(u"packagePowerWatts"_s);
    type.bf16Teraflops = gpu.maybePositive(u"bf16Teraflops"_s);
    type.memoryBandwidth = gpu.maybePositive(u"memoryBandwidth"_s);
    type.standIn = gpu.flag(u"standIn"_s, false);
    type.note = gpu.longText(u"note"_s);
    type.source = gpu.longText(u"source"_s);
    return type;
}

GpuPlace readPlace(ProfileReader& place)
{
    GpuPlace result;
    result.gpu = place.whole(u"gpu"_s, 0, 0);
    result.package = place.whole(u"package"_s, 0, result.gpu);
    result.numa = place.maybeWhole(u"numa"_s, 0);
    result.ccd = place.maybeWhole(u"ccd"_s, 0);
    result.cores = place.cores(u"cores"_s);
    result.reservedCores = place.cores(u"reservedCores"_s);
    result.pciBus = place.text(u"pciBus"_s);
    return result;
}

GpuLink readLink(ProfileReader& link)
{
    GpuLink result;
    result.from = link.whole(u"from"_s, 0, 0);
    result.to = link.whole(u"to"_s, 0, 0);
    result.links = link.whole(u"links"_s, 1, 1);
    result.gigabytesPerSecond = link.neededNumber(u"gigabytesPerSecond"_s);
    result.inPackage = link.flag(u"inPackage"_s, false);
    return result;
}

NodeNic readNic(ProfileReader& nic)
{
    NodeNic result;
    result.interfaceName = nic.text(u"interface"_s);
    result.gigabitsPerSecond = nic.maybePositive(u"gigabitsPerSecond"_s);
    result.package = nic.maybeWhole(u"package"_s, 0);
    result.numa = nic.maybeWhole(u"numa"_s, 0);
    return result;
}

void readCpus(ProfileReader& node, NodeShape& shape)
{
    shape.cpu = node.text(u"cpu"_s);
    shape.architecture = node.text(u"architecture"_s);
    shape.cores = node.whole(u"cores"_s, 1, 0);
    shape.threadsPerCore = node.whole(u"threadsPerCore"_s, 1, 1);
    shape.cpusAreThreads = node.flag(u"cpusAreThreads"_s, false);
    const int all = shape.cores * (shape.cpusAreThreads ? shape.threadsPerCore : 1);
    shape.usableCores = node.whole(u"usableCores"_s, 1, all);
    shape.numaDomains = node.maybeWhole(u"numaDomains"_s, 1);
    shape.coresPerGpu = node.maybeWhole(u"coresPerGpu"_s, 1);
    shape.maxCoresPerGpu = node.maybeWhole(u"maxCoresPerGpu"_s, 1);
    if (shape.usableCores > all)
        node.json().refuse(u"usableCores"_s, u"a job cannot get more cores than the node has"_s);
    for (const auto& [key, share] :
        {std::pair{u"coresPerGpu"_s, shape.coresPerGpu}, std::pair{u"maxCoresPerGpu"_s, shape.maxCoresPerGpu}}) {
        if (share && shape.usableCores > 0 && *share > shape.usableCores)
            node.json().refuse(key, u"the share of one GPU is larger than what a job gets of the whole node"_s);
    }
}

void readMemory(ProfileReader& node, NodeShape& shape)
{
    shape.memory = node.maybeMemory(u"memory"_s).value_or(Bytes{});
    shape.installedMemory = node.maybeMemory(u"installedMemory"_s);
    shape.memoryPerGpu = node.maybeMemory(u"memoryPerGpu"_s);
    shape.maxMemoryPerGpu = node.maybeMemory(u"maxMemoryPerGpu"_s);
    shape.memoryFollowsGpus = node.flag(u"memoryFollowsGpus"_s, false);
    node.within(u"localDisk"_s, [&](ProfileReader& disk) {
        shape.localDisk = {disk.maybeMemory(u"size"_s), disk.text(u"gres"_s), disk.text(u"path"_s)};
    });
    if (shape.installedMemory && shape.memory > *shape.installedMemory)
        node.json().refuse(u"memory"_s, u"a job cannot get more memory than is installed"_s);
    if (shape.memoryPerGpu && shape.knowsMemory() && *shape.memoryPerGpu > shape.memory)
        node.json().refuse(
            u"memoryPerGpu"_s, u"the share of one GPU is larger than what a job gets of the whole node"_s);
}

/// The map and the links point at GPUs of this node, the map at each once.
void checkMaps(ProfileReader& node, const NodeShape& shape)
{
    const auto isGpu = [&](int gpu) { return gpu >= 0 && gpu < shape.gpus; };
    QList<int> seen;
    for (const GpuPlace& place : shape.places) {
        if (!isGpu(place.gpu) || seen.contains(place.gpu))
            node.json().refuse(u"places"_s, u"the map must name each of the %1 GPUs once"_s.arg(shape.gpus));
        seen.append(place.gpu);
    }
    if (!shape.places.isEmpty() && shape.places.size() != shape.gpus)
        node.json().refuse(u"places"_s, u"the map must name each of the %1 GPUs once"_s.arg(shape.gpus));
    for (const GpuLink& link : shape.links) {
        if (!isGpu(link.from) || !isGpu(link.to) || link.from == link.to)
            node.json().refuse(
                u"links"_s, u"a link joins two different GPUs of the node, 0 to %1"_s.arg(qMax(0, shape.gpus - 1)));
    }
}

NodeShape readNodeShape(ProfileReader& node)
{
    NodeShape shape;
    shape.name = node.neededText(u"name"_s);
    shape.count = node.maybeWhole(u"count"_s, 1);
    if (!node.json().has(u"gpu"_s))
        node.json().refuse(u"gpu"_s, u"the node's GPU is described here"_s);
    node.within(u"gpu"_s, [&](ProfileReader& gpu) { shape.gpu = readGpuType(gpu); });
    // Drawn and counted everywhere: a node kind without its number of GPUs says nothing.
    if (!node.json().has(u"gpus"_s))
        node.json().refuse(u"gpus"_s, u"the number of GPUs that a job sees on a node is needed here"_s);
    shape.gpus = qMin(node.whole(u"gpus"_s, 1, 1), mostGpusOfNode);
    readCpus(node, shape);
    readMemory(node, shape);
    node.each(u"places"_s, [&](ProfileReader& place) { shape.places.append(readPlace(place)); });
    node.each(u"links"_s, [&](ProfileReader& link) { shape.links.append(readLink(link)); });
    node.each(u"nics"_s, [&](ProfileReader& nic) { shape.nics.append(readNic(nic)); });
    shape.nicGigabytesPerSecond = node.maybePositive(u"nicGigabytesPerSecond"_s);
    shape.nicNote = node.longText(u"nicNote"_s);
    shape.note = node.longText(u"note"_s);
    shape.source = node.longText(u"source"_s);
    checkMaps(node, shape);
    return shape;
}

} // namespace

QList<NodeShape> readNodeShapes(ProfileReader& document)
{
    QList<NodeShape> shapes;
    document.each(u"nodes"_s, [&](ProfileReader& node) {
        shapes.append(readNodeShape(node));
        for (qsizetype i = 0; i + 1 < shapes.size(); ++i) {
            if (shapes.at(i).name == shapes.last().name)
                node.json().refuse(u"name"_s, u"“%1” is described twice"_s.arg(shapes.last().name));
        }
    });
    return shapes;
}

} // namespace rankwright::inline cluster
