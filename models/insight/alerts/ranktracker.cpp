// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/ranktracker.h"

#include <QStringList>

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr double quietPercent = 10; // of one core: a thread that polls a socket now and then
constexpr double workPercent = 50; // of one core: imports, a compiler, tokens being made
constexpr int mostCpus = 8192;

bool isQuiet(const RankSample& sample)
{
    return sample.cpuPercent && *sample.cpuPercent < quietPercent && sample.state != 'R' && sample.state != 'D';
}

} // namespace

void RankTracker::addProcesses(const NodeProcesses& processes, int row, qint64 ms)
{
    if (row < 0)
        return;
    if (size_t(row) >= m_nodes.size())
        m_nodes.resize(size_t(row) + 1);
    Node& node = m_nodes[size_t(row)];
    const bool continues = node.lines > 0 && processes.takenMs != 0 && processes.takenMs == node.takenMs;
    if (!continues) {
        closeLine(row);
        ++node.lines;
        node.takenMs = processes.takenMs;
        node.partMs = ms;
        node.counting = 0;
    }
    node.lastMs = m_lastMs = ms;
    if (processes.cpus)
        node.cpus = processes.cpus;
    if (processes.hostMemoryTotalBytes)
        node.hostTotal = processes.hostMemoryTotalBytes;
    if (processes.hostMemoryAvailableBytes)
        node.hostAvailable = processes.hostMemoryAvailableBytes;
    node.agents = processes.agents.value_or(0);
    if (processes.resources)
        addResources(node, *processes.resources, ms);
    for (const RankSample& sample : processes.ranks) {
        if (sample.isByTask && m_isCertain)
            continue; // the ranks of another node have come already
        if (!sample.isByTask && sample.rank && !m_isCertain)
            forgetTasks();
        if (sample.worldSize)
            m_worldSize = std::max(m_worldSize.value_or(0), *sample.worldSize);
        ++node.counting;
        if (!sample.rank)
            continue;
        Entry& entry = m_ranks[*sample.rank];
        if (entry.lines == 0 || entry.node != row)
            node.who.push_back(*sample.rank);
        if (entry.lines++ == 0 || entry.goneSinceMs > 0)
            entry.firstMs = m_newestRankMs = ms;
        if (sample.cpuPercent.value_or(0) >= workPercent)
            entry.workedMs = ms;
        if (!isQuiet(sample))
            entry.quietSinceMs = 0;
        else if (entry.quietSinceMs == 0)
            entry.quietSinceMs = ms;
        if (entry.cpus.isEmpty() || entry.last.cpus != sample.cpus)
            entry.cpus = cpusOfList(sample.cpus);
        entry.last = sample;
        entry.node = row;
        entry.lastMs = ms;
        entry.goneSinceMs = 0;
        entry.goneLines = 0;
    }
    node.ranks = std::max(node.counting, continues ? node.ranks : 0);
}

void RankTracker::addResources(Node& node, const NodeResources& resources, qint64 ms)
{
    node.resources = resources;
    ResourceLook look{ms, {}, resources.someWait, resources.linkShare()};
    if (resources.waiting)
        look.waits = *resources.waiting > 0;
    node.looks[size_t(node.lookCount++) % node.looks.size()] = look;
}

ResourceMean RankTracker::Node::newestResources(int most, qint64 fromMs) const
{
    ResourceMean mean;
    double some = 0, links = 0;
    int someCount = 0, linkCount = 0;
    for (int back = 1; back <= std::min({most, int(looks.size()), lookCount}); ++back) {
        const ResourceLook& look = looks[size_t(lookCount - back) % looks.size()];
        if (look.ms < fromMs)
            break;
        if (look.waits) {
            ++mean.looks;
            mean.waitingLooks += *look.waits ? 1 : 0;
        }
        if (look.someWait) {
            some += *look.someWait;
            ++someCount;
        }
        if (look.linkShare) {
            links += *look.linkShare;
            ++linkCount;
        }
    }
    if (someCount > 0)
        mean.someWait = some / someCount;
    if (linkCount > 0)
        mean.linkShare = links / linkCount;
    return mean;
}

/// What was there until now started the ranks.
void RankTracker::forgetTasks()
{
    m_isCertain = true;
    m_ranks.clear();
    m_worldSize.reset();
    for (Node& node : m_nodes) {
        node.who.clear();
        node.counting = node.ranks = 0;
    }
}

/// The line before is complete: a rank that is not in it has gone.
void RankTracker::closeLine(int row)
{
    const Node& node = m_nodes[size_t(row)];
    if (node.lines == 0)
        return;
    for (const int rank : node.who) {
        Entry& entry = m_ranks[rank];
        if (entry.node != row || entry.lastMs >= node.partMs)
            continue;
        if (entry.goneSinceMs == 0)
            entry.goneSinceMs = node.partMs;
        ++entry.goneLines;
    }
}

void RankTracker::moveRows(const std::vector<int>& newRow)
{
    std::vector<Node> nodes(newRow.size());
    for (size_t old = 0; old < m_nodes.size() && old < newRow.size(); ++old)
        nodes[size_t(newRow[old])] = m_nodes[old];
    m_nodes = std::move(nodes);
    for (auto& [rank, entry] : m_ranks) {
        if (size_t(entry.node) < newRow.size())
            entry.node = newRow[size_t(entry.node)];
    }
}

const RankTracker::Entry* RankTracker::find(int rank) const
{
    const auto found = m_ranks.find(rank);
    return found == m_ranks.end() ? nullptr : &found->second;
}

const RankTracker::Node* RankTracker::node(int row) const
{
    if (row < 0 || size_t(row) >= m_nodes.size() || m_nodes[size_t(row)].lines == 0)
        return nullptr;
    return &m_nodes[size_t(row)];
}

int RankTracker::nodesReported() const
{
    return int(std::count_if(
        m_nodes.begin(), m_nodes.end(), [](const Node& node) { return node.lines > 0 && node.ranks > 0; }));
}

int RankTracker::present() const
{
    return int(
        std::count_if(m_ranks.begin(), m_ranks.end(), [this](const auto& pair) { return isPresent(pair.second); }));
}

int RankTracker::agents() const
{
    int all = 0;
    for (const Node& node : m_nodes)
        all += node.agents;
    return all;
}

int RankTracker::presentOn(int row) const
{
    const Node* reported = node(row);
    return reported ? reported->ranks : 0;
}

QList<int> cpusOfList(const QString& list)
{
    QList<int> cpus;
    for (const QString& part : list.split(u',', Qt::SkipEmptyParts)) {
        bool good = false;
        bool goodEnd = true;
        const int first = part.section(u'-', 0, 0).trimmed().toInt(&good);
        const int last = part.contains(u'-') ? part.section(u'-', 1).trimmed().toInt(&goodEnd) : first;
        if (!good || !goodEnd || first < 0 || last < first || last >= mostCpus)
            return {};
        for (int cpu = first; cpu <= last; ++cpu)
            cpus.append(cpu);
    }
    std::sort(cpus.begin(), cpus.end());
    cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
    return cpus;
}

} // namespace rankwright::inline insight
