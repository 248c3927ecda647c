// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/jobsnapshot.h"

#include "models/core/hostlist.h"
#include "models/core/numberranges.h"
#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "models/insight/diagnosis/diagnosisrules.h"
#include "models/insight/telemetry/staleness.h"
#include "models/insight/telemetry/waitingpower.h"

#include <QHash>

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr int refutingUpdates = 2; ///< steps since a failure's line: no rank died of it
constexpr qint64 refutingMs = 120'000; ///< the same where the output reports no steps

constexpr qint64 leastWindowMs = 8000;
constexpr int leastSamples = 3;

} // namespace

JobSnapshot::JobSnapshot(const Parts& parts) : m_parts(parts)
{
    double interval = 0;
    size_t count = 0;
    for (const NodeTrack& node : parts.nodes) {
        interval = std::max(interval, node.intervalMs.value_or(0));
        count += node.gpus.size();
        m_columns = std::max(m_columns, int(node.gpus.size()));
    }
    m_windowMs = std::max(leastWindowMs, qint64(4 * interval));
    m_gpus.reserve(count);
    m_packages.reserve(count);
    m_rankAt.assign(parts.nodes.size() * size_t(m_columns), 0);
    for (const RankPlace& rank : parts.expectation.placement) {
        if (size_t(rank.node) < parts.nodes.size() && rank.gpu >= 0 && rank.gpu < m_columns)
            m_rankAt[size_t(rank.node) * size_t(m_columns) + size_t(rank.gpu)] = rank.rank + 1;
    }
    // What the processes show takes precedence over what was designed.
    for (const auto& [rank, entry] : parts.ranks.ranks()) {
        const int gpu = entry.last.gpu ? *entry.last.gpu : entry.last.localRank.value_or(-1);
        if (size_t(entry.node) < parts.nodes.size() && gpu >= 0 && gpu < m_columns)
            m_rankAt[size_t(entry.node) * size_t(m_columns) + size_t(gpu)] = rank + 1;
    }
    for (int row = 0; row < int(parts.nodes.size()); ++row)
        addNode(row);
}

void JobSnapshot::addNode(int row)
{
    const NodeTrack& node = m_parts.nodes[size_t(row)];
    const bool fresh = isNodeFresh(row);
    const size_t from = m_gpus.size();
    for (int index = 0; index < int(node.gpus.size()); ++index) {
        const GpuWindow& track = node.gpus[size_t(index)];
        if (track.firstMs() == 0)
            continue;
        Gpu gpu{{row, index}, &track, false, notReported, notReported, notReported};
        const GpuWindow::Recent recent = track.recent(m_parts.nowMs - m_windowMs);
        gpu.fresh = fresh && m_parts.nowMs - track.lastMs() < silentAfterMs() && recent.samples >= leastSamples;
        gpu.use = recent.use;
        gpu.power = recent.power;
        m_fresh += gpu.fresh ? 1 : 0;
        if (track.hasWorked()) {
            ++m_worked;
            m_workBegan = m_workBegan == 0 ? track.firstWorkMs() : std::min(m_workBegan, track.firstWorkMs());
            m_workComplete = std::max(m_workComplete, track.firstWorkMs());
        }
        m_gpus.push_back(gpu);
    }
    addPackages(row, from);
}

void JobSnapshot::addPackages(int row, size_t from)
{
    const int dies = std::max(1, m_parts.expectation.gpusPerPackage);
    for (size_t at = from; at < m_gpus.size();) {
        Package package;
        package.first = {row, m_gpus[at].at.gpu / dies * dies};
        package.dies = 0;
        float use = 0;
        const size_t begin = at;
        for (; at < m_gpus.size() && m_gpus[at].at.gpu / dies * dies == package.first.gpu; ++at, ++package.dies) {
            const Gpu& gpu = m_gpus[at];
            use += gpu.use;
            package.worked = package.worked || gpu.track->hasWorked();
            package.fresh = package.fresh && gpu.fresh;
            if (isReported(gpu.power) && !isReported(package.power)) {
                package.power = gpu.power;
                package.cap = gpu.track->cap();
            }
        }
        package.use = use / float(package.dies);
        for (size_t die = begin; die < at; ++die) {
            m_gpus[die].power = package.power;
            m_gpus[die].share = package.power / package.cap; // NaN where one is not reported
        }
        m_packages.push_back(package);
    }
}

qint64 JobSnapshot::silentAfterMs() const { return rankwright::silentAfterMs(m_windowMs / 4); } // of 4 intervals

bool JobSnapshot::stands(const Diagnosis& failure) const
{
    if (isHealthRule(failure.rule))
        return true;
    if (ending() != JobEnding::None)
        return ending() == JobEnding::Otherwise;
    if (failure.confirmed)
        return true;
    const auto isGone = [](const auto& rank) { return rank.second.goneLines >= 2 && rank.second.lines >= 2; };
    return !pace().isFinishing() && std::any_of(ranks().ranks().begin(), ranks().ranks().end(), isGone);
}

bool JobSnapshot::isRefuted(const Diagnosis& failure) const
{
    const SuspectedFailure since = m_parts.suspected.value(failure.rule);
    return pace().updates() >= since.updates + refutingUpdates || nowMs() - since.atMs > refutingMs;
}

bool JobSnapshot::isNodeFresh(int row) const
{
    const NodeTrack& node = m_parts.nodes[size_t(row)];
    return node.lastMs > 0 && m_parts.nowMs - node.lastMs < silentAfterMs();
}

bool JobSnapshot::allNodesFresh() const
{
    for (int row = 0; row < int(m_parts.nodes.size()); ++row) {
        if (!isNodeFresh(row))
            return false;
    }
    return !m_parts.nodes.empty();
}

std::optional<bool> JobSnapshot::waits(const Gpu& gpu)
{
    if (!isReported(gpu.use) || !isReported(gpu.share))
        return std::nullopt;
    return gpu.use >= float(fullUsePercent) && gpu.share < float(waitingPowerShare);
}

QString JobSnapshot::gpuWord(qsizetype count) const { return nounFor(double(count), gpuWord()); }

QString JobSnapshot::nodeName(int row) const
{
    return size_t(row) < m_parts.nodes.size() ? m_parts.nodes[size_t(row)].name : QString();
}

std::optional<int> JobSnapshot::rankAt(GpuAddress at) const
{
    if (at.node < 0 || size_t(at.node) >= m_parts.nodes.size() || at.gpu < 0 || at.gpu >= m_columns)
        return std::nullopt;
    const int rank = m_rankAt[size_t(at.node) * size_t(m_columns) + size_t(at.gpu)];
    return rank > 0 ? std::optional(rank - 1) : std::nullopt;
}

std::optional<GpuAddress> JobSnapshot::gpuOf(int rank) const
{
    if (const RankTracker::Entry* entry = m_parts.ranks.find(rank)) {
        const int gpu = entry->last.gpu ? *entry->last.gpu : entry->last.localRank.value_or(-1);
        if (gpu >= 0)
            return GpuAddress{entry->node, gpu};
    }
    for (const RankPlace& placed : m_parts.expectation.placement) {
        if (placed.rank == rank)
            return placed.address();
    }
    return std::nullopt;
}

QString JobSnapshot::who(GpuAddress at) const
{
    const std::optional<int> rank = rankAt(at);
    return rank ? u"rank %1"_s.arg(*rank) : u"%1 %2 of %3"_s.arg(gpuWord()).arg(at.gpu).arg(nodeName(at.node));
}

QString JobSnapshot::whoAndWhere(GpuAddress at) const
{
    const QString place = u"%1 %2 of %3"_s.arg(gpuWord()).arg(at.gpu).arg(nodeName(at.node));
    const std::optional<int> rank = rankAt(at);
    return rank ? u"rank %1 (%2)"_s.arg(*rank).arg(place) : place;
}

std::optional<int> JobSnapshot::worldSize() const
{
    return m_parts.ranks.worldSize() ? m_parts.ranks.worldSize() : m_parts.expectation.ranks;
}

QString wattText(double watts) { return u"%1 W"_s.arg(watts, 0, 'f', 0); }

QString durationText(qint64 ms) { return ms < 120'000 ? u"%1 s"_s.arg(ms / 1000) : humanDuration(Seconds{ms / 1000}); }

QString namesText(const QStringList& names) { return names.size() > 4 ? foldHostlist(names) : names.join(u", "_s); }

QString numbersText(const QList<int>& numbers)
{
    QList<int> sorted = numbers;
    std::sort(sorted.begin(), sorted.end());
    return numberRanges(sorted).replace(u","_s, u", "_s);
}

} // namespace rankwright::inline insight
