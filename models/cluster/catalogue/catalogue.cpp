// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"

#include "models/cluster/catalogue/pricereader.h"
#include "models/cluster/catalogue/profilenodes.h"
#include "models/cluster/catalogue/profilepartitions.h"
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

constexpr int formatVersion = 1;
constexpr qint64 largestFile = 4 * 1024 * 1024;

void readLaunch(ProfileReader& reader, LaunchDefaults& launch)
{
    const QStringList requests{u"gpus-per-node"_s, u"gres"_s, u"none"_s};
    if (reader.json().has(u"gpuRequest"_s))
        launch.gpuRequest = requests.at(reader.oneOf(u"gpuRequest"_s, requests));
    reader.json().ignore(u"gpuRequest"_s);
    if (reader.json().has(u"gpusPerTask"_s)) {
        const QStringList manners{u"works"_s, u"needs-sharing"_s, u"breaks"_s};
        launch.gpusPerTask = manners.at(reader.oneOf(u"gpusPerTask"_s, manners));
    }
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
