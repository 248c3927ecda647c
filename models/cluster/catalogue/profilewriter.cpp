// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/profilewriter.h"

#include "models/core/jsonwriter.h"
#include "models/core/numberranges.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline cluster {

namespace {

constexpr auto onOneLine = JsonWriter::Layout::OneLine;

QString memoryText(const std::optional<Bytes>& memory)
{
    return memory && memory->count > 0 ? slurmMemory(*memory) : QString();
}
QString memoryText(Bytes memory) { return memoryText(std::optional(memory)); }
QString timeText(const std::optional<Seconds>& time) { return time ? slurmTime(*time) : QString(); }
std::optional<int> known(int count) { return count > 0 ? std::optional(count) : std::nullopt; }

template <typename Part, typename Write>
QList<JsonWriter> each(const QList<Part>& parts, Write write)
{
    QList<JsonWriter> all;
    for (const Part& part : parts)
        all.append(write(part));
    return all;
}

JsonWriter withEvidence(JsonWriter& lines, const LineEvidence& evidence)
{
    if (!evidence.images.isEmpty())
        lines.texts(u"images"_s, evidence.images);
    if (!evidence.releases.isEmpty())
        lines.texts(u"releases"_s, evidence.releases);
    return lines.text(u"checked"_s, evidence.checked);
}

JsonWriter loginLines(const LoginRule& login)
{
    JsonWriter lines;
    lines.text(u"host"_s, login.host).whole(u"port"_s, login.port).text(u"jump"_s, login.jump);
    lines.text(u"method"_s, login.method).text(u"secondFactor"_s, login.secondFactor);
    if (login.takesKeys)
        lines.flag(u"takesKeys"_s, *login.takesKeys, !*login.takesKeys);
    const KeyRegistration& page = login.keyRegistration;
    if (!page.title.isEmpty())
        lines.object(u"keyRegistration"_s,
            JsonWriter().text(u"title"_s, page.title).text(u"url"_s, page.url).text(u"delay"_s, page.delay));
    lines.objects(u"others"_s,
        each(login.others,
            [](const LoginHost& other) {
                return JsonWriter().text(u"host"_s, other.host).text(u"purpose"_s, other.purpose);
            }),
        onOneLine);
    lines.texts(u"fingerprints"_s, login.fingerprints).texts(u"jumpFingerprints"_s, login.jumpFingerprints);
    if (login.nodeLogin)
        lines.flag(u"nodeLogin"_s, *login.nodeLogin, !*login.nodeLogin);
    return lines.text(u"note"_s, login.note).text(u"source"_s, login.source);
}

JsonWriter gpuLines(const GpuType& gpu)
{
    JsonWriter lines;
    lines.text(u"model"_s, gpu.model).text(u"vendor"_s, gpu.vendor == GpuVendor::Amd ? u"amd"_s : u"nvidia"_s);
    if (gpu.word != GpuType().word)
        lines.text(u"word"_s, gpu.word);
    lines.text(u"slurmName"_s, gpu.slurmName).text(u"memory"_s, memoryText(gpu.memory));
    if (gpu.perPackage != 1)
        lines.whole(u"perPackage"_s, gpu.perPackage);
    lines.text(u"packageName"_s, gpu.packageName).number(u"packagePowerWatts"_s, gpu.packagePowerWatts);
    lines.number(u"bf16Teraflops"_s, gpu.bf16Teraflops).number(u"memoryBandwidth"_s, gpu.memoryBandwidth);
    lines.flag(u"standIn"_s, gpu.standIn, false);
    return lines.text(u"note"_s, gpu.note).text(u"source"_s, gpu.source);
}

JsonWriter placeLines(const GpuPlace& place)
{
    JsonWriter lines;
    lines.whole(u"gpu"_s, place.gpu).whole(u"package"_s, place.package);
    lines.whole(u"numa"_s, place.numa).whole(u"ccd"_s, place.ccd);
    lines.text(u"cores"_s, numberRanges(place.cores)).text(u"reservedCores"_s, numberRanges(place.reservedCores));
    return lines.text(u"pciBus"_s, place.pciBus);
}

JsonWriter linkLines(const GpuLink& link)
{
    JsonWriter lines;
    lines.whole(u"from"_s, link.from).whole(u"to"_s, link.to).whole(u"links"_s, link.links);
    return lines.number(u"gigabytesPerSecond"_s, link.gigabytesPerSecond).flag(u"inPackage"_s, link.inPackage, false);
}

JsonWriter nicLines(const NodeNic& nic)
{
    JsonWriter lines;
    lines.text(u"interface"_s, nic.interfaceName).number(u"gigabitsPerSecond"_s, nic.gigabitsPerSecond);
    return lines.whole(u"package"_s, nic.package).whole(u"numa"_s, nic.numa);
}

JsonWriter nodeLines(const NodeShape& node)
{
    JsonWriter lines;
    lines.text(u"name"_s, node.name).whole(u"count"_s, node.count).text(u"cpu"_s, node.cpu);
    lines.text(u"architecture"_s, node.architecture).object(u"gpu"_s, gpuLines(node.gpu)).whole(u"gpus"_s, node.gpus);
    lines.whole(u"cores"_s, known(node.cores)).whole(u"usableCores"_s, known(node.usableCores));
    lines.whole(u"threadsPerCore"_s, node.threadsPerCore).flag(u"cpusAreThreads"_s, node.cpusAreThreads, false);
    lines.whole(u"numaDomains"_s, node.numaDomains);
    lines.text(u"memory"_s, memoryText(node.memory)).text(u"installedMemory"_s, memoryText(node.installedMemory));
    lines.whole(u"coresPerGpu"_s, node.coresPerGpu).text(u"memoryPerGpu"_s, memoryText(node.memoryPerGpu));
    lines.whole(u"maxCoresPerGpu"_s, node.maxCoresPerGpu);
    lines.text(u"maxMemoryPerGpu"_s, memoryText(node.maxMemoryPerGpu));
    lines.flag(u"memoryFollowsGpus"_s, node.memoryFollowsGpus, false);
    JsonWriter disk;
    disk.text(u"size"_s, memoryText(node.localDisk.size)).text(u"gres"_s, node.localDisk.gres);
    lines.object(u"localDisk"_s, disk.text(u"path"_s, node.localDisk.path), onOneLine);
    lines.objects(u"places"_s, each(node.places, placeLines), onOneLine);
    lines.objects(u"links"_s, each(node.links, linkLines), onOneLine);
    lines.number(u"nicGigabytesPerSecond"_s, node.nicGigabytesPerSecond).text(u"nicNote"_s, node.nicNote);
    lines.objects(u"nics"_s, each(node.nics, nicLines), onOneLine);
    return lines.text(u"note"_s, node.note).text(u"source"_s, node.source);
}

JsonWriter sizeLines(const SizeLimit& limit)
{
    JsonWriter lines;
    lines.whole(u"minNodes"_s, limit.minNodes).whole(u"maxNodes"_s, limit.maxNodes);
    return lines.text(u"maxTime"_s, slurmTime(limit.maxTime));
}

JsonWriter partitionLines(const Partition& partition)
{
    JsonWriter lines;
    lines.text(u"name"_s, partition.name).text(u"slurmPartition"_s, partition.slurmPartition);
    lines.flag(u"partitionWritten"_s, partition.partitionWritten, true);
    lines.text(u"qos"_s, partition.qos).text(u"defaultQos"_s, partition.defaultQos);
    lines.text(u"constraint"_s, partition.constraint);
    if (partition.offered != Partition::Offer::Normal)
        lines.text(u"offered"_s, wordOf(partition.offered).toString());
    lines.text(u"node"_s, partition.node).flag(u"shared"_s, partition.shared, !partition.shared);
    lines.whole(u"nodes"_s, partition.nodes).whole(u"minNodes"_s, partition.minNodes);
    lines.whole(u"maxNodes"_s, partition.maxNodes).whole(u"minGpusPerJob"_s, partition.minGpusPerJob);
    lines.whole(u"maxGpusPerJob"_s, partition.maxGpusPerJob).whole(u"maxGpusPerUser"_s, partition.maxGpusPerUser);
    lines.whole(u"minGpusPerNode"_s, partition.minGpusPerNode);
    lines.whole(u"exactCoresPerGpu"_s, partition.exactCoresPerGpu);
    lines.whole(u"maxCoresPerJob"_s, partition.maxCoresPerJob).text(u"admission"_s, partition.admission);
    lines.text(u"accountSuffix"_s, partition.accountSuffix);
    if (!partition.modules.isEmpty())
        lines.texts(u"modules"_s, partition.modules);
    lines.text(u"defaultTime"_s, timeText(partition.defaultTime)).text(u"maxTime"_s, timeText(partition.maxTime));
    lines.objects(u"sizeLimits"_s, each(partition.sizeLimits, sizeLines), onOneLine);
    lines.number(u"maxNodeHours"_s, partition.maxNodeHours);
    if (partition.defaultMemory) {
        JsonWriter memory;
        memory.text(u"size"_s, memoryText(partition.defaultMemory->size));
        lines.object(
            u"defaultMemory"_s, memory.text(u"per"_s, wordOf(partition.defaultMemory->per).toString()), onOneLine);
    }
    if (partition.memoryRequest != Partition::MemoryRequest::Open)
        lines.text(u"memoryRequest"_s, wordOf(partition.memoryRequest).toString());
    lines.whole(u"maxSubmittedJobs"_s, partition.maxSubmittedJobs);
    lines.whole(u"maxRunningJobs"_s, partition.maxRunningJobs);
    lines.text(u"note"_s, partition.note).text(u"source"_s, partition.source);
    return lines.text(u"checked"_s, partition.checked);
}

JsonWriter billingLines(const BillingRule& rule)
{
    JsonWriter lines;
    lines.texts(u"partitions"_s, rule.partitions).flag(u"elsewhere"_s, rule.elsewhere, false);
    lines.text(u"purse"_s, rule.billingAccount).text(u"unit"_s, rule.unit);
    if (rule.factor != 1)
        lines.number(u"factor"_s, rule.factor);
    lines.text(u"combine"_s, wordOf(rule.combine).toString());
    lines.objects(u"terms"_s,
        each(rule.terms,
            [](const BillingTerm& term) {
                JsonWriter row;
                row.text(u"of"_s, wordOf(term.of).toString()).number(u"weight"_s, term.weight);
                return row.number(u"per"_s, term.per);
            }),
        onOneLine);
    return lines.text(u"source"_s, rule.source).text(u"note"_s, rule.note);
}

JsonWriter storageLines(const StoragePrice& price)
{
    JsonWriter lines;
    lines.text(u"place"_s, price.place).text(u"purse"_s, price.billingAccount).text(u"unit"_s, price.unit);
    lines.text(u"sizeUnit"_s, price.sizeUnit).number(u"weight"_s, price.weight);
    if (price.freeSize > 0)
        lines.number(u"freeSize"_s, price.freeSize);
    return lines.text(u"source"_s, price.source);
}

JsonWriter bindingLines(const BindingDefaults& binding)
{
    JsonWriter lines;
    lines.flag(u"bySlurm"_s, binding.bySlurm, false).flag(u"contiguousCores"_s, binding.contiguousCores, false);
    lines.text(u"gpuOrder"_s, numberRanges(binding.gpuOrder)).whole(u"soleGpu"_s, binding.soleGpu);
    return lines.text(u"reason"_s, binding.reason).text(u"source"_s, binding.source);
}

JsonWriter environmentLines(const EnvironmentRule& rule)
{
    JsonWriter lines;
    lines.text(u"name"_s, rule.name).text(u"value"_s, rule.value).flag(u"expand"_s, rule.expand, false);
    lines.flag(u"inTask"_s, rule.inTask, false).flag(u"multiNodeOnly"_s, rule.multiNodeOnly, false);
    lines.flag(u"singleNodeOnly"_s, rule.singleNodeOnly, false);
    lines.whole(u"fromNodes"_s, rule.fromNodes).flag(u"softwareOnly"_s, rule.softwareOnly, false);
    lines.text(u"reason"_s, rule.reason).text(u"source"_s, rule.source);
    return withEvidence(lines, rule.evidence);
}

JsonWriter containerLines(const ContainerRule& container)
{
    JsonWriter lines;
    lines.text(u"image"_s, container.image).flag(u"byDefault"_s, container.byDefault, true);
    lines.text(u"runner"_s, container.runner).texts(u"moduleCommands"_s, container.moduleCommands);
    lines.flag(u"numactl"_s, container.numactl, false);
    lines.text(u"reason"_s, container.reason).text(u"source"_s, container.source);
    return withEvidence(lines, container.evidence);
}

JsonWriter launchLines(const LaunchDefaults& launch)
{
    const LaunchDefaults usual;
    JsonWriter lines;
    lines.text(u"gpuRequest"_s, wordOf(launch.gpuRequest).toString());
    if (launch.gpusPerTask)
        lines.text(u"gpusPerTask"_s, wordOf(*launch.gpusPerTask).toString());
    lines.texts(u"extraDirectives"_s, launch.extraDirectives);
    lines.flag(u"partitionRequired"_s, launch.partitionRequired, !launch.partitionRequired);
    lines.flag(u"accountRequired"_s, launch.accountRequired, !launch.accountRequired);
    lines.text(u"accountPattern"_s, launch.accountPattern).text(u"accountExample"_s, launch.accountExample);
    lines.flag(u"cpuBindMasks"_s, launch.cpuBindMasks, false);
    lines.text(u"masterAddressSuffix"_s, launch.masterAddressSuffix);
    lines.flag(u"rendezvousHostNamed"_s, launch.rendezvousHostNamed, false);
    lines.text(u"preferredLauncher"_s, launch.preferredLauncher);
    lines.objects(u"discouraged"_s, each(launch.discouraged, [](const DiscouragedLauncher& one) {
        JsonWriter row;
        row.text(u"launcher"_s, one.launcher).text(u"reason"_s, one.reason);
        return row.text(u"source"_s, one.source);
    }));
    if (launch.pythonCommand != usual.pythonCommand)
        lines.text(u"pythonCommand"_s, launch.pythonCommand);
    if (launch.torchrunCommand != usual.torchrunCommand)
        lines.text(u"torchrunCommand"_s, launch.torchrunCommand);
    lines.texts(u"modules"_s, launch.modules);
    lines.flag(u"bringsTorch"_s, launch.bringsTorch, false).text(u"torchAdvice"_s, launch.torchAdvice);
    lines.flag(u"monitorAllNodesInOneStep"_s, launch.monitorAllNodesInOneStep, false);
    if (launch.mailWorks)
        lines.flag(u"mailWorks"_s, *launch.mailWorks, !*launch.mailWorks);
    lines.object(u"binding"_s, bindingLines(launch.binding));
    lines.text(u"note"_s, launch.note).text(u"source"_s, launch.source);
    return withEvidence(lines, launch.evidence);
}

JsonWriter readLines(const ReadSource& one)
{
    JsonWriter lines;
    lines.text(u"source"_s, one.source).text(u"state"_s, one.state).text(u"on"_s, one.readOn);
    return lines.flag(u"byOperator"_s, one.byOperator, true);
}

JsonWriter quirkLines(const Quirk& quirk)
{
    JsonWriter lines;
    lines.text(u"field"_s, quirk.field).text(u"text"_s, quirk.text);
    return lines.text(u"source"_s, quirk.source);
}

} // namespace

QByteArray writeClusterProfile(const ClusterProfile& profile)
{
    JsonWriter lines;
    lines.whole(u"version"_s, 1).whole(u"order"_s, profile.order).text(u"name"_s, profile.name);
    lines.text(u"title"_s, profile.title).text(u"summary"_s, profile.summary);
    lines.text(u"operator"_s, profile.operatorName).text(u"status"_s, profile.status);
    lines.flag(u"acceptsJobs"_s, profile.acceptsJobs, !profile.acceptsJobs);
    lines.text(u"retiredSince"_s, profile.retiredSince).text(u"replacedBy"_s, profile.replacedBy);
    lines.object(u"login"_s, loginLines(profile.login));
    lines.objects(u"nodes"_s, each(profile.nodes, nodeLines));
    lines.objects(u"partitions"_s, each(profile.partitions, partitionLines));
    lines.objects(u"billing"_s, each(profile.billing, billingLines));
    lines.objects(u"storage"_s, each(profile.storage, storageLines), onOneLine);
    lines.objects(u"environment"_s, each(profile.environment, environmentLines));
    lines.object(u"container"_s, containerLines(profile.container));
    lines.object(u"launch"_s, launchLines(profile.launch)).text(u"scratch"_s, profile.scratch);
    lines.objects(u"quirks"_s, each(profile.quirks, quirkLines)).texts(u"sources"_s, profile.sources);
    lines.objects(u"checked"_s, each(profile.checked, readLines), onOneLine);
    return lines.write().toUtf8() + '\n';
}

} // namespace rankwright::inline cluster
