// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/fuzztargets.h"

#include "models/insight/hang/collect/collectreader.h"
#include "models/insight/hang/collect/gunzip.h"
#include "models/insight/telemetry/sampling/rankgatherer.h"
#include "models/insight/telemetry/sampling/ticklines.h"
#include "models/insight/telemetry/telemetryseries.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace rankwright::fuzz {

namespace {

void useTick(const NodeTick& tick, TelemetrySeries& series)
{
    require(!tick.node.isEmpty() && !tick.gpus.isEmpty() && tick.takenMs >= 0, "a tick has a node, a time and GPUs");
    for (const GpuSample& gpu : tick.gpus) {
        require(gpu.index >= 0 && gpu.index < 4096, "an index is one of a node's GPUs");
        require(
            !gpu.utilizationPercent || (*gpu.utilizationPercent >= 0 && *gpu.utilizationPercent <= 100), "0 to 100 %");
        require(!gpu.powerWatts || *gpu.powerWatts > 0, "0 W is not a reading");
    }
    for (const GpuAddress address : series.store(tick, tick.takenMs)) {
        const auto points = series.window(address, tick.takenMs, 1);
        require(series.latest(address) != nullptr && !points.isEmpty(), "what was stored is there");
        const auto reported = TelemetrySeries::value(*series.latest(address), Measure::Utilization);
        require(reported.has_value() != std::isnan(points.last().utilization), "unknown stays unknown");
    }
}

void useResources(const ResourceLine& line)
{
    const NodeResources& resources = line.resources;
    require(!line.node.isEmpty() && line.takenMs >= 0, "a line has a node and a time");
    for (const auto& share : {resources.someWait, resources.allWait, resources.linkShare()})
        require(!share || (*share >= 0 && *share <= 1), "a share is one");
    for (const auto& number : resources.numbers())
        require(!number || *number >= 0, "nothing is below nothing");
    NodeResources again = NodeResources::ofNumbers(resources.numbers());
    again.waitsIn = resources.waitsIn;
    require(again == resources, "numbers lose nothing");
    require(!networkText(resources).contains(u'\n') && !fileWaitText(resources).contains(u'\n'), "words are a line");
}

} // namespace

void samplingStream(const QByteArray& bytes)
{
    TelemetrySeries series(4);
    RankGatherer gatherer;
    for (const QByteArray& line : bytes.split('\n')) {
        if (const auto tick = parseTickLine(line))
            useTick(*tick, series);
        if (const auto ranks = parseRankLine(line)) {
            if (const auto moment = gatherer.add(*ranks))
                require(moment->ranks.size() >= ranks->ranksInAll, "a moment is reported when it is whole");
        }
        if (const auto resources = parseResourceLine(line)) {
            useResources(*resources);
            gatherer.add(*resources);
        }
        if (const auto cost = parseCostLine(line))
            require(cost->cpuSeconds >= 0 && std::isfinite(cost->cpuSeconds), "a cost is a number");
        parseSilenceLine(line);
    }
}

void collectedLines(const QByteArray& bytes)
{
    constexpr qsizetype most = 1 << 20;
    if (const auto text = gunzip(bytes, most))
        require(text->size() <= most, "a text is no larger than asked for");
    CollectReader reader;
    reader.feed(bytes);
    const QStringList nodes{QStringLiteral("nid005001"), QStringLiteral("nid005002")};
    const HangEvidence seen = reader.evidence(nodes, CollectReader::Asked::AllNodes);
    int last = 0;
    for (const RankEvidence& rank : seen.ranks) {
        require(rank.rank && rank.pid && !rank.node.isEmpty(), "a rank has its number, its process and its node");
        require(*rank.rank >= last, "ranks are in order");
        last = *rank.rank;
        require(!rank.before || rank.now, "what was seen once is the newest");
        require(rank.notes.size() <= 16, "notes of a rank are bounded");
    }
    require(!seen.isComplete || reader.nodesDone() >= nodes.size(), "whole is what all nodes have said");
    HangEvidence twice = seen;
    replaceRanks(twice, seen);
    require(twice.ranks.size() == seen.ranks.size(), "the same look again changes nothing");
}

} // namespace rankwright::fuzz
