// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/gpufigures.h"

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/core/units.h"
#include "models/planner/estimate/network/plannerdata.h"

#include <QJsonArray>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

// Share of a link's label that a ring really gets (facts: A100 235 of 300 GB/s, MI250X 70 of 100 GB/s; 8 x HDR 140 of
// 200 GB/s, LUMI 60 of 100 GB/s).
constexpr double nodeShareNvidia = 0.78;
constexpr double nodeShareAmd = 0.70;
constexpr double networkShareNvidia = 0.75;
constexpr double networkShareAmd = 0.60;

struct GpuEntry {
    GpuFigures figures;
    QStringList words;
};

struct SystemEntry {
    QString key;
    QStringList words;
    QStringList gpus; ///< words that the GPU's key must begin with
    int gpusPerNode = 0;
    double networkBandwidth = 0;
    double nodeBusBandwidth = 0; ///< 0: as the GPU's
    QString source;
};

struct Tables {
    QList<GpuEntry> gpus;
    QList<SystemEntry> systems;
};

QStringList texts(const QJsonValue& value)
{
    QStringList result;
    for (const QJsonValue& one : value.toArray())
        result.append(one.toString());
    return result;
}

GpuEntry readGpu(const QJsonObject& json)
{
    const auto number = [&](QStringView key) { return json.value(key).toDouble(); };
    GpuEntry entry;
    entry.words = texts(json.value(u"words"_s));
    GpuFigures& gpu = entry.figures;
    gpu.key = json.value(u"key"_s).toString();
    gpu.name = json.value(u"name"_s).toString();
    gpu.gpuClass = json.value(u"class"_s).toString();
    gpu.memoryBytes = number(u"memoryGb") * 1e9;
    gpu.usableBytes = number(u"usableGib") * bytesPerGib;
    gpu.contextBytes = number(u"contextGib") * bytesPerGib;
    gpu.hasBf16 = number(u"bf16Teraflops") > 0;
    gpu.peakFlopsFp16 = number(u"fp16Teraflops") * 1e12;
    gpu.peakFlops = gpu.hasBf16 ? number(u"bf16Teraflops") * 1e12 : gpu.peakFlopsFp16;
    gpu.peakFlopsFp32 = number(u"fp32Teraflops") * 1e12;
    gpu.peakFlopsTf32 = number(u"tf32Teraflops") * 1e12;
    gpu.peakFlopsFp8 = number(u"fp8Teraflops") * 1e12;
    gpu.hostLaunch = json.value(u"hostLaunch"_s).toDouble(1.0);
    gpu.groupedFloat8 = json.value(u"groupedFloat8"_s).toDouble(1.0);
    gpu.sustainedShare = json.value(u"sustained"_s).toDouble(1.0);
    gpu.memoryBandwidth = number(u"memoryGBs") * 1e9;
    gpu.nodeBusBandwidth = number(u"nodeBusGBs") * 1e9;
    gpu.packageBusBandwidth = number(u"packageBusGBs") * 1e9;
    gpu.networkBandwidth = number(u"networkGBs") * 1e9;
    gpu.hostBandwidth = number(u"hostLinkGBs") * 1e9;
    gpu.gpusPerNode = static_cast<int>(number(u"gpusPerNode"));
    gpu.linkedGpus = json.value(u"linkedGpus"_s).toInt();
    if (const QString assumed = json.value(u"assumed"_s).toString(); !assumed.isEmpty())
        gpu.assumed.append(assumed);
    gpu.source = json.value(u"source"_s).toString();
    return entry;
}

const Tables& tables()
{
    static const Tables known = [] {
        Tables read;
        const QJsonObject json = plannerData(u"gpus.json"_s);
        for (const QJsonValue& one : json.value(u"gpus"_s).toArray())
            read.gpus.append(readGpu(one.toObject()));
        for (const QJsonValue& one : json.value(u"systems"_s).toArray()) {
            const QJsonObject system = one.toObject();
            read.systems.append(
                {system.value(u"key"_s).toString(), texts(system.value(u"words"_s)), texts(system.value(u"gpus"_s)),
                    system.value(u"gpusPerNode"_s).toInt(), system.value(u"networkGBs"_s).toDouble() * 1e9,
                    system.value(u"nodeBusGBs"_s).toDouble() * 1e9, system.value(u"source"_s).toString()});
        }
        return read;
    }();
    return known;
}

void putSystem(GpuFigures& gpu, const SystemEntry& system)
{
    gpu.key += u'@' + system.key;
    gpu.gpusPerNode = system.gpusPerNode;
    gpu.networkBandwidth = system.networkBandwidth;
    if (system.nodeBusBandwidth > 0)
        gpu.nodeBusBandwidth = system.nodeBusBandwidth;
    gpu.source += u"; "_s + system.source;
}

bool belongs(const SystemEntry& system, const QString& gpuKey)
{
    return std::any_of(
        system.gpus.begin(), system.gpus.end(), [&](const QString& word) { return gpuKey.startsWith(word); });
}

/// Is `word` in the text, not as the beginning of a longer name ("a10" is not in "a100", "l40" not in "l40s")?
bool names(const QString& text, const QString& word)
{
    const QString needle = word.trimmed();
    for (qsizetype at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
        const bool startsWord = at == 0 || !text.at(at - 1).isLetterOrNumber();
        const qsizetype end = at + needle.size();
        if (startsWord && (end >= text.size() || !text.at(end).isLetterOrNumber()))
            return true;
    }
    return false;
}

/// "80GB", "80 GiB"; 0: the text has none.
double memoryInText(const QString& text)
{
    static const QRegularExpression size(u"(\\d+)\\s*-?\\s*gi?b"_s, QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = size.match(text);
    return match.hasMatch() ? match.captured(1).toDouble() : 0.0;
}

/// Gbit/s of one direction of all cards of a node, from "4x200G", "8x HDR", "800 Gbit/s", "(400G)"; 0: none.
double networkInText(const QString& text)
{
    // Not "MI325X 256GB": a card's name, and bytes.
    static const QRegularExpression cards(u"(?<![a-z0-9])(\\d+)\\s*x\\s*(\\d+)\\s*g(?!i?b(?![/p]))"_s);
    static const QRegularExpression named(u"(\\d+)\\s*x\\s*(edr|hdr|ndr)"_s);
    static const QRegularExpression rate(u"(\\d+)\\s*g(?:bit/s|bps|b/s|\\b)"_s);
    if (const auto match = cards.match(text); match.hasMatch())
        return match.captured(1).toDouble() * match.captured(2).toDouble();
    if (const auto match = named.match(text); match.hasMatch()) {
        const QString word = match.captured(2);
        return match.captured(1).toDouble() * (word == u"edr" ? 100.0 : word == u"hdr" ? 200.0 : 400.0);
    }
    const auto match = rate.match(text);
    return match.hasMatch() ? match.captured(1).toDouble() : 0.0;
}

double networkShare(const GpuFigures& gpu) { return gpu.key.startsWith(u"mi") ? networkShareAmd : networkShareNvidia; }

/// A network with this many Gbit/s for each node; nothing when 0 or no number.
void putNetwork(GpuFigures& gpu, double gigabits)
{
    if (!(gigabits > 0) || !std::isfinite(gigabits))
        return;
    gpu.networkBandwidth = gigabits / 8.0 * 1e9 * networkShare(gpu);
    gpu.key += u'@' + QString::number(gigabits, 'g', 6) + u"Gbit"_s;
}

/// The GPU that a text names: the entry with the longest word in it, of several the nearest in memory.
GpuFigures gpuNamed(const QString& lowered, double memoryGb)
{
    GpuFigures best;
    qsizetype bestWord = 0;
    double bestGap = 0;
    for (const GpuEntry& entry : tables().gpus) {
        for (const QString& word : entry.words) {
            if (!names(lowered, word))
                continue;
            const double gap = memoryGb > 0 ? std::abs(std::log(entry.figures.memoryBytes / 1e9 / memoryGb)) : 0.0;
            if (word.size() > bestWord || (word.size() == bestWord && gap < bestGap)) {
                best = entry.figures;
                bestWord = word.size();
                bestGap = gap;
            }
        }
    }
    // A common chip without its size: the larger version is the usual one.
    if (memoryGb <= 0 && (best.key == u"a100-40" || best.key == u"h100-64" || best.key == u"v100-16")) {
        best = gpuFigures(best.key == u"a100-40" ? u"a100-80"_s : best.key == u"h100-64" ? u"h100-80"_s : u"v100-32"_s);
        best.assumed.append(u"The size of the GPU's memory is not named: taken as %1."_s.arg(best.name));
    }
    return best;
}

/// The least that one GPU has to all others outside its package; 0: no links are published.
double linksOfAGpu(const NodeShape& node)
{
    double least = 0;
    for (int gpu = 0; gpu < node.gpus; ++gpu) {
        double sum = 0;
        for (const GpuLink& link : node.links) {
            if (!link.inPackage && (link.from == gpu || link.to == gpu))
                sum += link.gigabytesPerSecond;
        }
        if (gpu == 0 || sum < least)
            least = sum;
    }
    return least;
}

double networkOf(const NodeShape& node)
{
    if (node.nicGigabytesPerSecond)
        return *node.nicGigabytesPerSecond;
    double sum = 0;
    for (const NodeNic& nic : node.nics)
        sum += nic.gigabitsPerSecond.value_or(0.0) / 8.0;
    return sum;
}

void putLinks(GpuFigures& gpu, const NodeShape& node)
{
    const bool amd = node.gpu.vendor == GpuVendor::Amd;
    if (const double links = linksOfAGpu(node); links > 0)
        gpu.nodeBusBandwidth = links * 1e9 * (amd ? nodeShareAmd : nodeShareNvidia);
    else
        gpu.assumed.append(
            u"The links inside a node are not published: those of a usual %1 node are taken."_s.arg(gpu.name));
    const double network = networkOf(node);
    if (network > 0) {
        gpu.networkBandwidth = network * 1e9 * (amd ? networkShareAmd : networkShareNvidia);
        return;
    }
    // The table's figure is that of a whole node of its own size: a smaller node has fewer network cards.
    if (gpu.gpusPerNode > 0 && node.gpus > 0 && node.gpus < gpu.gpusPerNode)
        gpu.networkBandwidth *= static_cast<double>(node.gpus) / gpu.gpusPerNode;
    gpu.assumed.append(
        u"The network of a node is not published: %1 GB/s are assumed."_s.arg(gpu.networkBandwidth / 1e9, 0, 'f', 0));
}

} // namespace

QList<GpuFigures> knownGpus()
{
    QList<GpuFigures> result;
    for (const GpuEntry& entry : tables().gpus)
        result.append(entry.figures);
    return result;
}

GpuFigures gpuFigures(const QString& key)
{
    const QString chip = key.section(u'@', 0, 0);
    const QString around = key.section(u'@', 1);
    for (const GpuEntry& entry : tables().gpus) {
        if (entry.figures.key != chip)
            continue;
        GpuFigures gpu = entry.figures;
        for (const SystemEntry& system : tables().systems) {
            if (system.key == around && belongs(system, chip))
                putSystem(gpu, system);
        }
        if (around.endsWith(u"Gbit"))
            putNetwork(gpu, around.chopped(4).toDouble());
        return gpu;
    }
    return {};
}

GpuFigures gpuFiguresForText(const QString& hardware, double memoryGb, int gpusPerNode)
{
    const QString lowered = hardware.toLower();
    GpuFigures gpu = gpuNamed(lowered, memoryGb > 0 ? memoryGb : memoryInText(lowered));
    if (gpu.key.isEmpty())
        return gpu;
    bool systemKnown = false;
    for (const SystemEntry& system : tables().systems) {
        const bool named = std::any_of(
            system.words.begin(), system.words.end(), [&](const QString& word) { return names(lowered, word); });
        if (named && !systemKnown && belongs(system, gpu.key)) {
            putSystem(gpu, system);
            systemKnown = true;
        }
    }
    if (!systemKnown) {
        putNetwork(gpu, networkInText(lowered));
    }
    if (gpusPerNode > 0)
        gpu.gpusPerNode = gpusPerNode;
    return gpu;
}

GpuFigures gpuFiguresFor(const ClusterProfile& cluster, const NodeShape& node)
{
    const GpuType& type = node.gpu;
    const double memoryGb = type.memory.inGib();
    GpuFigures gpu = gpuNamed(type.model.toLower(), memoryGb);
    if (gpu.key.isEmpty() && !type.packageName.isEmpty())
        gpu = gpuNamed(type.packageName.toLower(), memoryGb);
    if (gpu.key.isEmpty())
        return gpu;
    const bool slice = memoryGb > 0 && memoryGb * 1e9 < 0.5 * gpu.memoryBytes;
    const double share = slice ? memoryGb * 1e9 / gpu.memoryBytes : 1.0;
    if (memoryGb > 0 && std::abs(memoryGb * 1e9 - gpu.memoryBytes) > 0.02 * gpu.memoryBytes) {
        gpu.usableBytes *= memoryGb * 1e9 / gpu.memoryBytes;
        gpu.memoryBytes = memoryGb * 1e9;
        gpu.assumed.append(
            u"This memory size is not in the planner's table: usable memory is scaled from %1."_s.arg(gpu.name));
    }
    if (slice) {
        for (double* figure : {&gpu.peakFlops, &gpu.peakFlopsFp16, &gpu.peakFlopsFp32, &gpu.peakFlopsTf32,
                 &gpu.peakFlopsFp8, &gpu.memoryBandwidth})
            *figure *= share;
        gpu.assumed.append(u"A slice of a GPU: peak and bandwidth are scaled by its share of the memory."_s);
    }
    if (type.bf16Teraflops && gpu.hasBf16) {
        gpu.peakFlops = *type.bf16Teraflops * 1e12;
        gpu.peakFlopsFp16 = std::max(gpu.peakFlopsFp16, gpu.peakFlops);
    }
    if (type.memoryBandwidth)
        gpu.memoryBandwidth = *type.memoryBandwidth;
    gpu.name = type.model;
    putLinks(gpu, node);
    if (node.gpus > 0)
        gpu.gpusPerNode = node.gpus;
    gpu.source = QStringList{type.source, gpu.source, cluster.title}.filter(QRegularExpression(u"."_s)).join(u"; "_s);
    return gpu;
}

} // namespace rankwright::inline planner
