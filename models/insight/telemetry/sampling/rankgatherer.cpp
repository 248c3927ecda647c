// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/sampling/rankgatherer.h"

namespace rankwright::inline insight {

namespace {

constexpr int mostNodes = 20000;

} // namespace

std::optional<NodeProcesses> RankGatherer::add(const RankLine& line)
{
    if (line.reported.ranks.size() >= line.ranksInAll) { // all in one line
        m_open.remove(line.reported.node);
        return completed(line.reported);
    }
    if (m_open.size() >= mostNodes && !m_open.contains(line.reported.node))
        return {};
    NodeProcesses& open = m_open[line.reported.node];
    if (open.takenMs != line.reported.takenMs || open.node.isEmpty())
        open = line.reported;
    else
        open.ranks += line.reported.ranks;
    if (open.ranks.size() < line.ranksInAll)
        return {};
    return completed(m_open.take(line.reported.node));
}

void RankGatherer::add(const ResourceLine& line)
{
    if (m_resources.size() < mostNodes || m_resources.contains(line.node))
        m_resources.insert(line.node, line);
}

void RankGatherer::clear()
{
    m_open.clear();
    m_resources.clear();
}

NodeProcesses RankGatherer::completed(NodeProcesses processes) const
{
    const auto known = m_resources.constFind(processes.node);
    if (known != m_resources.cend() && known->takenMs == processes.takenMs)
        processes.resources = known->resources;
    return processes;
}

SamplerContent samplerContent(const QByteArrayList& lines, RankGatherer& gatherer)
{
    SamplerContent content;
    for (const QByteArray& line : lines) {
        if (const auto ranks = parseRankLine(line)) {
            if (const auto whole = gatherer.add(*ranks))
                content.processes.append(*whole);
        } else if (const auto resources = parseResourceLine(line)) {
            gatherer.add(*resources);
        } else if (const auto tick = parseTickLine(line)) {
            content.ticks.append(*tick);
        }
    }
    return content;
}

} // namespace rankwright::inline insight
