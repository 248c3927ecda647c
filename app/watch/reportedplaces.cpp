// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/reportedplaces.h"

#include <algorithm>

namespace rankwright {

namespace {

constexpr int mostRanks = 1'000'000;

} // namespace

bool ReportedPlaces::add(const NodeProcesses& processes, int row)
{
    if (row < 0)
        return false;
    bool isNew = false;
    int largest = 0; // of several programs at once the largest is the job's
    for (const RankSample& sample : processes.ranks) {
        if (!sample.isByTask)
            largest = std::max(largest, sample.worldSize.value_or(0));
    }
    for (const RankSample& sample : processes.ranks) {
        // A task holds a GPU, or it may be an agent that starts the ranks.
        const std::optional<int> gpu = sample.gpu ? sample.gpu : sample.isByTask ? std::nullopt : sample.localRank;
        if (!sample.rank || !gpu || *sample.rank < 0 || *sample.rank >= mostRanks || *gpu < 0
            || (sample.isByTask ? m_areRanks : sample.worldSize.value_or(largest) < largest))
            continue;
        if (!sample.isByTask && !m_areRanks) {
            m_places.clear();
            m_worldSize.reset();
            m_areRanks = true;
        }
        if (sample.worldSize && sample.worldSize != m_worldSize) {
            m_places.clear(); // another program of the job: its ranks are others
            m_worldSize = sample.worldSize;
            isNew = true;
        }
        RankPlace place;
        place.rank = *sample.rank;
        place.node = row;
        place.localRank = sample.localRank.value_or(*gpu);
        place.gpu = *gpu;
        const auto found = m_places.find(place.rank);
        isNew = isNew || found == m_places.end() || found->second != place;
        m_places.insert_or_assign(place.rank, place);
    }
    return isNew;
}

QList<RankPlace> ReportedPlaces::placement() const
{
    if (!m_worldSize || *m_worldSize < 1 || int(m_places.size()) != *m_worldSize)
        return {};
    QList<RankPlace> placement;
    placement.reserve(qsizetype(m_places.size()));
    for (const auto& [rank, place] : m_places)
        placement.append(place);
    return placement;
}

} // namespace rankwright
