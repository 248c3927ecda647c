// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/profilepartitions.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline cluster {

namespace {

void readQueueNames(ProfileReader& reader, Partition& partition)
{
    partition.name = reader.neededText(u"name"_s);
    partition.slurmPartition = reader.text(u"slurmPartition"_s);
    partition.partitionWritten = reader.flag(u"partitionWritten"_s, true);
    partition.qos = reader.text(u"qos"_s);
    partition.defaultQos = reader.text(u"defaultQos"_s);
    partition.constraint = reader.text(u"constraint"_s);
    if (reader.json().has(u"offered"_s))
        partition.offered = static_cast<Partition::Offer>(
            reader.oneOf(u"offered"_s, {u"normal"_s, u"last"_s, u"named"_s, u"never"_s}));
    reader.json().ignore(u"offered"_s);
    partition.node = reader.neededText(u"node"_s);
    partition.shared = reader.flag(u"shared"_s, false);
}

QList<SizeLimit> readSizeLimits(ProfileReader& reader)
{
    QList<SizeLimit> limits;
    reader.each(u"sizeLimits"_s, [&](ProfileReader& bin) {
        SizeLimit limit;
        limit.minNodes = bin.whole(u"minNodes"_s, 1, 1);
        limit.maxNodes = bin.maybeWhole(u"maxNodes"_s, 1);
        const auto time = bin.maybeTime(u"maxTime"_s);
        if (!time)
            bin.json().refuse(u"maxTime"_s, u"the wall time of these sizes is needed here"_s);
        limit.maxTime = time.value_or(Seconds{});
        if (limit.maxNodes && *limit.maxNodes < limit.minNodes)
            bin.json().refuse(u"maxNodes"_s, u"is smaller than minNodes"_s);
        limits.append(limit);
    });
    return limits;
}

void readLimits(ProfileReader& reader, Partition& partition)
{
    partition.nodes = reader.maybeWhole(u"nodes"_s, 1);
    partition.minNodes = reader.maybeWhole(u"minNodes"_s, 1);
    partition.maxNodes = reader.maybeWhole(u"maxNodes"_s, 1);
    partition.minGpusPerJob = reader.maybeWhole(u"minGpusPerJob"_s, 0);
    partition.maxGpusPerJob = reader.maybeWhole(u"maxGpusPerJob"_s, 1);
    partition.maxGpusPerUser = reader.maybeWhole(u"maxGpusPerUser"_s, 1);
    partition.minGpusPerNode = reader.maybeWhole(u"minGpusPerNode"_s, 1);
    partition.exactCoresPerGpu = reader.maybeWhole(u"exactCoresPerGpu"_s, 1);
    partition.admission = reader.text(u"admission"_s);
    partition.accountSuffix = reader.text(u"accountSuffix"_s);
    partition.modules = reader.texts(u"modules"_s);
    partition.maxCoresPerJob = reader.maybeWhole(u"maxCoresPerJob"_s, 1);
    partition.defaultTime = reader.maybeTime(u"defaultTime"_s);
    partition.maxTime = reader.maybeTime(u"maxTime"_s);
    partition.sizeLimits = readSizeLimits(reader);
    partition.maxNodeHours = reader.maybePositive(u"maxNodeHours"_s);
    reader.within(u"defaultMemory"_s, [&](ProfileReader& memory) {
        const auto size = memory.maybeMemory(u"size"_s);
        if (!size)
            memory.json().refuse(u"size"_s, u"a memory size such as \"480G\" is needed here"_s);
        const int per = memory.oneOf(u"per"_s, {u"node"_s, u"cpu"_s, u"gpu"_s});
        partition.defaultMemory = DefaultMemory{size.value_or(Bytes{}), static_cast<DefaultMemory::Per>(per)};
    });
    if (reader.json().has(u"memoryRequest"_s))
        partition.memoryRequest = static_cast<Partition::MemoryRequest>(
            reader.oneOf(u"memoryRequest"_s, {u"open"_s, u"advised"_s, u"needed"_s}));
    reader.json().ignore(u"memoryRequest"_s);
    partition.maxSubmittedJobs = reader.maybeWhole(u"maxSubmittedJobs"_s, 1);
    partition.maxRunningJobs = reader.maybeWhole(u"maxRunningJobs"_s, 1);
}

} // namespace

QList<Partition> readPartitions(ProfileReader& document)
{
    QList<Partition> partitions;
    document.each(u"partitions"_s, [&](ProfileReader& reader) {
        Partition partition;
        readQueueNames(reader, partition);
        readLimits(reader, partition);
        partition.note = reader.longText(u"note"_s);
        partition.source = reader.longText(u"source"_s);
        partition.checked = readDay(reader, u"checked"_s);
        for (const Partition& other : std::as_const(partitions)) {
            if (other.name == partition.name)
                reader.json().refuse(u"name"_s, u"“%1” is listed twice"_s.arg(partition.name));
        }
        partitions.append(partition);
    });
    return partitions;
}

} // namespace rankwright::inline cluster
