// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/catalogue/profilereader.h"

#include "models/core/hostlist.h"

#include <limits>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

constexpr int mostCores = 4096; // of one node; a longer list is a mistake of the file

GpuType readGpuType(ProfileReader& gpu)
{
    GpuType type;
    type.model = gpu.neededText(u"model"_s);
    type.vendor = gpu.oneOf(u"vendor"_s, {u"amd"_s, u"nvidia"_s}) == 0 ? GpuVendor::Amd : GpuVendor::Nvidia;
    if (const QString word = gpu.text(u"word"_s); !word.isEmpty())
        type.word = word;
    type.slurmName = gpu.text(u"slurmName"_s);
    type.memory = gpu.neededMemory(u"memory"_s);
    type.perPackage = gpu.whole(u"perPackage"_s, 1, 1);
    type.packageName = gpu.text(u"packageName"_s);
    type.packagePowerWatts = gpu.json().number(u"packagePowerWatts"_s);
    type.bf16Teraflops = gpu.json().number(u"bf16Teraflops"_s);
    type.memoryBandwidth = gpu.json().number(u"memoryBandwidth"_s);
    return type;
}

GpuPlace readPlace(ProfileReader& place)
{
    GpuPlace result;
    result.gpu = place.whole(u"gpu"_s, 0, 0);
    result.package = place.whole(u"package"_s, 0, 0);
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

NodeShape readNodeShape(ProfileReader& node)
{
    NodeShape shape;
    shape.name = node.neededText(u"name"_s);
    node.within(u"gpu"_s, [&](ProfileReader& gpu) { shape.gpu = readGpuType(gpu); });
    shape.gpus = node.whole(u"gpus"_s, 0, 0);
    shape.cores = node.whole(u"cores"_s, 1, 1);
    shape.usableCores = node.whole(u"usableCores"_s, 1, shape.cores);
    shape.threadsPerCore = node.whole(u"threadsPerCore"_s, 1, 1);
    shape.memory = node.neededMemory(u"memory"_s);
    shape.coresPerGpu = node.maybeWhole(u"coresPerGpu"_s, 1);
    shape.memoryPerGpu = node.maybeMemory(u"memoryPerGpu"_s);
    shape.memoryFollowsGpus = node.flag(u"memoryFollowsGpus"_s, false);
    node.each(u"places"_s, [&](ProfileReader& place) { shape.places.append(readPlace(place)); });
    node.each(u"links"_s, [&](ProfileReader& link) { shape.links.append(readLink(link)); });
    shape.nicGigabytesPerSecond = node.json().number(u"nicGigabytesPerSecond"_s);
    shape.nicNote = node.longText(u"nicNote"_s);
    if (shape.usableCores > shape.cores)
        node.json().refuse(u"usableCores"_s, u"a job cannot get more cores than the node has"_s);
    if (!shape.places.isEmpty() && shape.places.size() != shape.gpus)
        node.json().refuse(u"places"_s, u"the map must name each of the %1 GPUs once"_s.arg(shape.gpus));
    return shape;
}

} // namespace

ProfileReader::ProfileReader(JsonReader& json) : m_json(json)
{
    m_json.ignore(u"note"_s);
    m_json.ignore(u"source"_s);
}

QString ProfileReader::text(const QString& key) { return m_json.text(key).value_or(QString()); }
QString ProfileReader::longText(const QString& key) { return m_json.lines(key).value_or(QString()); }

QString ProfileReader::neededText(const QString& key)
{
    const auto value = m_json.text(key);
    if (!value || value->isEmpty())
        m_json.refuse(key, u"a text is needed here"_s);
    return value.value_or(QString());
}

int ProfileReader::whole(const QString& key, int low, int fallback) { return maybeWhole(key, low).value_or(fallback); }

std::optional<int> ProfileReader::maybeWhole(const QString& key, int low)
{
    const auto value = m_json.integer(key, low, 100'000'000);
    return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

double ProfileReader::neededNumber(const QString& key)
{
    const auto value = m_json.number(key);
    if (!value)
        m_json.refuse(key, u"a number is needed here"_s);
    return value.value_or(0.0);
}

bool ProfileReader::flag(const QString& key, bool fallback) { return m_json.flag(key).value_or(fallback); }
QStringList ProfileReader::texts(const QString& key) { return m_json.texts(key).value_or(QStringList()); }

std::optional<Bytes> ProfileReader::maybeMemory(const QString& key)
{
    const auto value = m_json.text(key);
    if (!value)
        return std::nullopt;
    const auto memory = parseSlurmMemory(*value);
    if (!memory)
        m_json.refuse(key, memory.error().what);
    return memory ? std::optional(*memory) : std::nullopt;
}

Bytes ProfileReader::neededMemory(const QString& key)
{
    const auto memory = maybeMemory(key);
    if (!memory || memory->count == 0)
        m_json.refuse(key, u"a memory size such as \"480G\" is needed here"_s);
    return memory.value_or(Bytes{});
}

std::optional<Seconds> ProfileReader::maybeTime(const QString& key)
{
    const auto value = m_json.text(key);
    if (!value)
        return std::nullopt;
    const auto time = parseSlurmTime(*value);
    if (!time)
        m_json.refuse(key, time.error().what);
    return time ? std::optional(*time) : std::nullopt;
}

QList<int> ProfileReader::cores(const QString& key)
{
    QList<int> numbers;
    const QString ranges = text(key);
    if (ranges.isEmpty())
        return numbers;
    // "49-55,57" is what stands between the brackets of a node list
    const auto expanded = expandHostlist(u'[' + ranges + u']', mostCores);
    if (!expanded) {
        m_json.refuse(key, u"expected cores such as \"49-55,57\", found “"_s + ranges.left(60) + u"”"_s);
        return numbers;
    }
    for (const QString& core : *expanded)
        numbers.append(core.toInt());
    return numbers;
}

int ProfileReader::oneOf(const QString& key, const QStringList& words)
{
    const QString word = text(key);
    const auto at = words.indexOf(word);
    if (at < 0)
        m_json.refuse(key, u"expected one of "_s + words.join(u", "_s) + u"; found “"_s + word.left(60) + u"”"_s);
    return static_cast<int>(qMax<qsizetype>(0, at));
}

void ProfileReader::each(const QString& key, const std::function<void(ProfileReader&)>& part)
{
    QList<JsonReader> elements = m_json.objects(key);
    for (JsonReader& element : elements) {
        ProfileReader reader(element);
        part(reader);
        m_json.absorb(element);
    }
}

void ProfileReader::within(const QString& key, const std::function<void(ProfileReader&)>& part)
{
    auto member = m_json.object(key);
    if (!member)
        return;
    ProfileReader reader(*member);
    part(reader);
    m_json.absorb(*member);
}

QList<NodeShape> readNodeShapes(ProfileReader& document)
{
    QList<NodeShape> shapes;
    document.each(u"nodes"_s, [&](ProfileReader& node) { shapes.append(readNodeShape(node)); });
    return shapes;
}

QList<Partition> readPartitions(ProfileReader& document)
{
    QList<Partition> partitions;
    document.each(u"partitions"_s, [&](ProfileReader& reader) {
        Partition partition;
        partition.name = reader.neededText(u"name"_s);
        partition.node = reader.neededText(u"node"_s);
        partition.shared = reader.flag(u"shared"_s, false);
        partition.minGpusPerJob = reader.maybeWhole(u"minGpusPerJob"_s, 0);
        partition.maxGpusPerJob = reader.maybeWhole(u"maxGpusPerJob"_s, 1);
        partition.maxNodes = reader.maybeWhole(u"maxNodes"_s, 1);
        partition.maxTime = reader.maybeTime(u"maxTime"_s);
        partition.maxSubmittedJobs = reader.maybeWhole(u"maxSubmittedJobs"_s, 1);
        partition.maxRunningJobs = reader.maybeWhole(u"maxRunningJobs"_s, 1);
        partition.note = reader.longText(u"note"_s);
        partitions.append(partition);
    });
    return partitions;
}

QList<BillingRule> readBilling(ProfileReader& document)
{
    QList<BillingRule> rules;
    document.each(u"billing"_s, [&](ProfileReader& reader) {
        BillingRule rule;
        rule.partitions = reader.texts(u"partitions"_s);
        rule.purse = reader.text(u"purse"_s);
        rule.unit = reader.neededText(u"unit"_s);
        rule.factor = reader.json().number(u"factor"_s).value_or(1.0);
        rule.combine = reader.oneOf(u"combine"_s, {u"max"_s, u"sum"_s}) == 0 ? BillingRule::Combine::Max
                                                                             : BillingRule::Combine::Sum;
        reader.each(u"terms"_s, [&](ProfileReader& term) {
            const int of = term.oneOf(u"of"_s, {u"gpus"_s, u"cores"_s, u"memoryGib"_s, u"nvmeGib"_s, u"nodes"_s});
            const auto per = term.json().number(u"per"_s);
            if (per && *per <= 0)
                term.json().refuse(u"per"_s, u"a slice must be larger than 0"_s);
            rule.terms.append({static_cast<BillingTerm::Of>(of), term.json().number(u"weight"_s).value_or(1.0), per});
        });
        rule.source = reader.text(u"source"_s);
        rules.append(rule);
    });
    return rules;
}

} // namespace rankwright
