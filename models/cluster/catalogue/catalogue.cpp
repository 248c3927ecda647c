// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"

#include "models/cluster/catalogue/profilenodes.h"
#include "models/cluster/catalogue/profilereader.h"

#include <QDate>
#include <QDir>
#include <QFile>
#include <QRegularExpression>

#include <algorithm>
#include <climits>

using namespace Qt::StringLiterals;

// Q_INIT_RESOURCE must be outside any namespace: the function it calls is a global one. A static library's resources
// are not linked in unless somebody calls it.
static void initCatalogueResource() { Q_INIT_RESOURCE(catalogue); }

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
        partition.offered = reader.oneOf<Partition::Offer>(u"offered"_s);
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
        const auto per = memory.oneOf<DefaultMemory::Per>(u"per"_s);
        partition.defaultMemory = DefaultMemory{size.value_or(Bytes{}), per};
    });
    if (reader.json().has(u"memoryRequest"_s))
        partition.memoryRequest = reader.oneOf<Partition::MemoryRequest>(u"memoryRequest"_s);
    reader.json().ignore(u"memoryRequest"_s);
    partition.maxSubmittedJobs = reader.maybeWhole(u"maxSubmittedJobs"_s, 1);
    partition.maxRunningJobs = reader.maybeWhole(u"maxRunningJobs"_s, 1);
}

/// The partitions of a cluster file with their limits; the reader keeps the first fault.
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

// What a cluster file says of prices, and of binding where it has a formula; the reader keeps the first fault.

BillingTerm readTerm(ProfileReader& term)
{
    const auto of = term.oneOf<BillingTerm::Of>(u"of"_s);
    const auto per = term.json().number(u"per"_s);
    if (per && *per <= 0)
        term.json().refuse(u"per"_s, u"a slice must be larger than 0"_s);
    return {of, term.json().number(u"weight"_s).value_or(1.0), per};
}

QList<BillingRule> readBilling(ProfileReader& document)
{
    QList<BillingRule> rules;
    document.each(u"billing"_s, [&](ProfileReader& reader) {
        BillingRule rule;
        rule.partitions = reader.texts(u"partitions"_s);
        rule.elsewhere = reader.flag(u"elsewhere"_s, false);
        rule.billingAccount = reader.text(u"purse"_s);
        rule.unit = reader.neededText(u"unit"_s);
        rule.factor = reader.json().number(u"factor"_s).value_or(1.0);
        rule.combine = reader.oneOf<BillingRule::Combine>(u"combine"_s);
        reader.each(u"terms"_s, [&](ProfileReader& term) { rule.terms.append(readTerm(term)); });
        rule.source = reader.longText(u"source"_s);
        rule.note = reader.longText(u"note"_s);
        if (rule.elsewhere && rule.partitions.isEmpty())
            reader.json().refuse(u"elsewhere"_s, u"a rule for other partitions must name them"_s);
        rules.append(rule);
    });
    return rules;
}

QList<StoragePrice> readStorage(ProfileReader& document)
{
    QList<StoragePrice> prices;
    document.each(u"storage"_s, [&](ProfileReader& reader) {
        StoragePrice price;
        price.place = reader.neededText(u"place"_s);
        price.billingAccount = reader.text(u"purse"_s);
        price.unit = reader.neededText(u"unit"_s);
        price.sizeUnit = QStringList{u"TB"_s, u"TiB"_s}.at(reader.oneOf(u"sizeUnit"_s, {u"TB"_s, u"TiB"_s}));
        price.weight = reader.neededNumber(u"weight"_s);
        price.freeSize = reader.json().number(u"freeSize"_s).value_or(0.0);
        price.source = reader.text(u"source"_s);
        if (price.weight < 0 || price.freeSize < 0)
            reader.json().refuse(u"weight"_s, u"weight and freeSize cannot be below 0"_s);
        prices.append(price);
    });
    return prices;
}

BindingDefaults readBinding(ProfileReader& reader)
{
    BindingDefaults binding;
    binding.bySlurm = reader.flag(u"bySlurm"_s, false);
    binding.contiguousCores = reader.flag(u"contiguousCores"_s, false);
    binding.gpuOrder = reader.cores(u"gpuOrder"_s);
    binding.soleGpu = reader.maybeWhole(u"soleGpu"_s, 0);
    binding.reason = reader.longText(u"reason"_s);
    binding.source = reader.text(u"source"_s);
    QList<int> sorted = binding.gpuOrder;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.cbegin(), sorted.cend()) != sorted.cend())
        reader.json().refuse(u"gpuOrder"_s, u"each GPU can be in the order once"_s);
    return binding;
}

constexpr int formatVersion = 1;
constexpr qint64 largestFile = 4 * 1024 * 1024;

void readLaunch(ProfileReader& reader, LaunchDefaults& launch)
{
    if (reader.json().has(u"gpuRequest"_s))
        launch.gpuRequest = reader.oneOf<GpuRequest>(u"gpuRequest"_s);
    reader.json().ignore(u"gpuRequest"_s);
    if (reader.json().has(u"gpusPerTask"_s))
        launch.gpusPerTask = reader.oneOf<GpusPerTask>(u"gpusPerTask"_s);
    reader.json().ignore(u"gpusPerTask"_s);
    reader.each(u"discouraged"_s, [&](ProfileReader& one) {
        launch.discouraged.append(
            {one.neededText(u"launcher"_s), one.longText(u"reason"_s), one.longText(u"source"_s)});
    });
    launch.extraDirectives = reader.texts(u"extraDirectives"_s);
    launch.partitionRequired = reader.flag(u"partitionRequired"_s, true);
    launch.accountRequired = reader.flag(u"accountRequired"_s, true);
    launch.accountPattern = reader.text(u"accountPattern"_s);
    launch.accountExample = reader.text(u"accountExample"_s);
    launch.cpuBindMasks = reader.flag(u"cpuBindMasks"_s, false);
    launch.masterAddressSuffix = reader.text(u"masterAddressSuffix"_s);
    launch.rendezvousHostNamed = reader.flag(u"rendezvousHostNamed"_s, false);
    launch.preferredLauncher = reader.text(u"preferredLauncher"_s);
    if (const QString python = reader.text(u"pythonCommand"_s); !python.isEmpty())
        launch.pythonCommand = python;
    if (const QString torchrun = reader.text(u"torchrunCommand"_s); !torchrun.isEmpty())
        launch.torchrunCommand = torchrun;
    launch.modules = reader.texts(u"modules"_s);
    launch.bringsTorch = reader.flag(u"bringsTorch"_s, false);
    launch.torchAdvice = reader.text(u"torchAdvice"_s);
    launch.monitorAllNodesInOneStep = reader.flag(u"monitorAllNodesInOneStep"_s, false);
    launch.mailWorks = reader.json().flag(u"mailWorks"_s);
    reader.within(u"binding"_s, [&](ProfileReader& binding) { launch.binding = readBinding(binding); });
    launch.note = reader.longText(u"note"_s);
    launch.source = reader.longText(u"source"_s);
    launch.evidence = readEvidence(reader);
    if (!QRegularExpression(launch.accountPattern).isValid())
        reader.json().refuse(u"accountPattern"_s, u"this is not a regular expression"_s);
}

void readContainer(ProfileReader& reader, ContainerRule& container)
{
    container.image = reader.text(u"image"_s);
    container.byDefault = reader.flag(u"byDefault"_s, true);
    container.runner = reader.text(u"runner"_s);
    container.moduleCommands = reader.texts(u"moduleCommands"_s);
    container.numactl = reader.flag(u"numactl"_s, false);
    container.reason = reader.longText(u"reason"_s);
    container.source = reader.text(u"source"_s);
    container.evidence = readEvidence(reader);
}

void readEnvironment(ProfileReader& document, QList<EnvironmentRule>& environment)
{
    static const QRegularExpression variableName(u"^[A-Za-z_][A-Za-z0-9_]*$"_s);
    document.each(u"environment"_s, [&](ProfileReader& reader) {
        EnvironmentRule rule;
        rule.name = reader.neededText(u"name"_s);
        rule.value = reader.text(u"value"_s);
        rule.expand = reader.flag(u"expand"_s, false);
        rule.inTask = reader.flag(u"inTask"_s, false);
        rule.multiNodeOnly = reader.flag(u"multiNodeOnly"_s, false);
        rule.singleNodeOnly = reader.flag(u"singleNodeOnly"_s, false);
        rule.fromNodes = reader.maybeWhole(u"fromNodes"_s, 1);
        rule.softwareOnly = reader.flag(u"softwareOnly"_s, false);
        rule.reason = reader.longText(u"reason"_s);
        rule.source = reader.text(u"source"_s);
        rule.evidence = readEvidence(reader);
        if (!variableName.match(rule.name).hasMatch())
            reader.json().refuse(u"name"_s, u"this is not the name of a shell variable"_s);
        environment.append(rule);
    });
}

void readQuirks(ProfileReader& document, QList<Quirk>& quirks)
{
    document.each(u"quirks"_s, [&](ProfileReader& reader) {
        quirks.append({reader.text(u"field"_s), reader.longText(u"text"_s), reader.text(u"source"_s)});
    });
}

/// What was read and when. A day may be a month or a year alone.
void readChecked(ProfileReader& document, QList<ReadSource>& checked)
{
    document.each(u"checked"_s, [&](ProfileReader& reader) {
        ReadSource one;
        one.source = reader.neededText(u"source"_s);
        one.state = readDay(reader, u"state"_s);
        one.readOn = readDay(reader, u"on"_s);
        one.byOperator = reader.flag(u"byOperator"_s, true);
        if (one.readOn.isEmpty())
            reader.json().refuse(u"on"_s, u"a text is needed here"_s);
        else if (one.state.left(one.readOn.size()) > one.readOn)
            reader.json().refuse(u"on"_s, u"is before the day of the copy"_s);
        checked.append(one);
    });
}

/// Faults that only show when the parts are put together: names that point nowhere.
void checkReferences(JsonReader& json, const ClusterProfile& profile)
{
    for (const Partition& partition : profile.partitions) {
        const bool known = std::any_of(profile.nodes.begin(), profile.nodes.end(),
            [&](const NodeShape& shape) { return shape.name == partition.node; });
        if (!known)
            json.refuse(u"partitions"_s,
                u"partition “%1” uses node kind “%2”, which “nodes” does not describe"_s.arg(
                    partition.name, partition.node));
    }
    for (const BillingRule& rule : profile.billing) {
        for (const QString& name : rule.partitions) {
            if (!rule.elsewhere && profile.partition(name) == nullptr)
                json.refuse(u"billing"_s, u"a rule names the partition “%1”, which is not listed"_s.arg(name));
        }
    }
}

ClusterProfile readMembers(ProfileReader& document)
{
    ClusterProfile profile;
    profile.order = document.maybeWhole(u"order"_s, 0);
    profile.name = document.neededText(u"name"_s);
    profile.title = document.text(u"title"_s);
    if (profile.title.isEmpty())
        profile.title = profile.name;
    profile.summary = document.longText(u"summary"_s);
    profile.operatorName = document.text(u"operator"_s);
    profile.status = document.text(u"status"_s);
    profile.acceptsJobs = document.flag(u"acceptsJobs"_s, true);
    profile.retiredSince = document.text(u"retiredSince"_s);
    if (!profile.retiredSince.isEmpty() && !QDate::fromString(profile.retiredSince, Qt::ISODate).isValid())
        document.json().refuse(u"retiredSince"_s, u"expected a day such as \"2026-07-31\""_s);
    profile.replacedBy = document.text(u"replacedBy"_s);
    document.within(u"login"_s, [&](ProfileReader& login) { readLogin(login, profile.login); });
    profile.nodes = readNodeShapes(document);
    profile.partitions = readPartitions(document);
    profile.billing = readBilling(document);
    profile.storage = readStorage(document);
    readEnvironment(document, profile.environment);
    document.within(u"container"_s, [&](ProfileReader& container) { readContainer(container, profile.container); });
    document.within(u"launch"_s, [&](ProfileReader& launch) { readLaunch(launch, profile.launch); });
    profile.scratch = document.text(u"scratch"_s);
    readQuirks(document, profile.quirks);
    profile.sources = document.texts(u"sources"_s);
    readChecked(document, profile.checked);
    return profile;
}

void addProfile(Catalogue& catalogue, const QString& path, bool mayReplace)
{
    QFile file(path);
    const QString name = path.startsWith(u':') ? QFileInfo(path).fileName() : path;
    if (!file.open(QIODevice::ReadOnly) || file.size() > largestFile) {
        catalogue.faults.append({Fault::Io, name + u": the cluster file cannot be read"_s, file.errorString(), {}});
        return;
    }
    auto profile = readClusterProfile(file.readAll(), name);
    if (!profile) {
        catalogue.faults.append(profile.error());
        return;
    }
    if (!profile->unknownMembers.isEmpty())
        catalogue.warnings.append(
            {Fault::Unreadable, u"%1: the program does not know %2"_s.arg(name, profile->unknownMembers.join(u", "_s)),
                {}, u"Look for a typing mistake; the members are listed in docs/catalogue.md."_s});
    if (!mayReplace)
        dropUnproven(*profile);
    const auto same = std::find_if(catalogue.clusters.begin(), catalogue.clusters.end(),
        [&](const ClusterProfile& known) { return known.name == profile->name; });
    if (same != catalogue.clusters.end() && mayReplace)
        *same = *profile;
    else
        catalogue.clusters.append(*profile);
}

} // namespace

void dropUnproven(ClusterProfile& profile)
{
    profile.environment.removeIf([](const EnvironmentRule& rule) { return !rule.evidence.isComplete(rule.source); });
    if (!profile.container.evidence.isComplete(profile.container.source))
        profile.container = {};
    profile.partitions.removeIf([](const Partition& one) { return one.source.isEmpty() || one.checked.isEmpty(); });
    if (LaunchDefaults& launch = profile.launch; !launch.evidence.isComplete(launch.source)) {
        launch.extraDirectives.clear();
        launch.modules.clear();
        launch.masterAddressSuffix.clear();
        launch.pythonCommand = LaunchDefaults().pythonCommand;
        launch.torchrunCommand = LaunchDefaults().torchrunCommand;
        launch.cpuBindMasks = launch.rendezvousHostNamed = false;
        launch.binding = {};
    }
}

Result<ClusterProfile> readClusterProfile(const QByteArray& json, const QString& name)
{
    const auto object = parseJsonObject(json, name);
    if (!object)
        return fail(object.error());
    JsonReader reader(*object);
    const auto version = reader.integer(u"version"_s, 1, 1'000'000);
    if (!reader.fault() && version.value_or(0) != formatVersion) {
        return fail(Fault::Unreadable, name + u": $.version: this program reads cluster files of version 1"_s,
            u"$.version"_s, u"Put \"version\": 1 first, or use a newer program for a newer file."_s);
    }
    ProfileReader document(reader);
    ClusterProfile profile = readMembers(document);
    checkReferences(reader, profile);
    if (reader.fault()) {
        Error error = reader.fault()->within(name);
        error.remedy = u"Correct the file; the format is described in docs/catalogue.md."_s;
        return fail(error);
    }
    profile.unknownMembers = reader.unknownMembers();
    return profile;
}

Catalogue loadCatalogue(const QString& userFolder)
{
    initCatalogueResource();
    Catalogue catalogue;
    const QStringList pattern{u"*.json"_s};
    const auto place = [](const ClusterProfile& profile) { return profile.order.value_or(INT_MAX); };
    const QStringList builtIn = QDir(u":/catalogue"_s).entryList(pattern, QDir::Files, QDir::Name);
    for (const QString& file : builtIn)
        addProfile(catalogue, u":/catalogue/"_s + file, false);
    std::stable_sort(catalogue.clusters.begin(), catalogue.clusters.end(),
        [&](const ClusterProfile& a, const ClusterProfile& b) { return place(a) < place(b); });
    if (!userFolder.isEmpty()) {
        const QDir folder(userFolder);
        const QStringList own = folder.entryList(pattern, QDir::Files, QDir::Name);
        for (const QString& file : own)
            addProfile(catalogue, folder.filePath(file), true);
    }
    return catalogue;
}

const ClusterProfile* Catalogue::find(const QString& name) const
{
    for (const ClusterProfile& profile : clusters) {
        if (profile.name == name)
            return &profile;
    }
    return nullptr;
}

QStringList Catalogue::names() const
{
    QStringList all;
    for (const ClusterProfile& profile : clusters)
        all.append(profile.name);
    return all;
}

std::optional<double> leastHostBytesPerGpu(const QString& gpuModel)
{
    static const Catalogue builtIn = loadCatalogue();
    std::optional<double> least;
    for (const ClusterProfile& site : builtIn.clusters) {
        for (const NodeShape& node : site.nodes) {
            if (node.gpus < 1 || node.gpu.model.contains(u"slice"_s)
                || node.gpu.model.section(u' ', 0, 0) != gpuModel.section(u' ', 0, 0) || site.name == practiceName)
                continue;
            const double bytes = node.knowsMemory() ? double(node.memory.count) / node.gpus
                : node.memoryPerGpu                 ? double(node.memoryPerGpu->count)
                : node.installedMemory ? leastUsableMemory * double(node.installedMemory->count) / node.gpus
                                       : 0;
            if (bytes > 0)
                least = qMin(least.value_or(bytes), bytes);
        }
    }
    return least;
}

} // namespace rankwright::inline cluster
