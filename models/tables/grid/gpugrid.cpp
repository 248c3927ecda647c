// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/grid/gpugrid.h"

#include <algorithm>

namespace rankwright::inline tables {

namespace {

quint64 keyOf(GpuAddress gpu) { return quint64(quint32(gpu.node)) << 32U | quint32(gpu.gpu); }

} // namespace

GpuGrid::GpuGrid(QObject* parent) : QObject(parent) { }

void GpuGrid::reset(const QStringList& nodes, int gpusPerNode, int gpusPerPackage, const QString& gpuWord)
{
    m_series = TelemetrySeries();
    m_series.setShape(nodes, gpusPerNode);
    m_gpusPerNode = qBound(0, gpusPerNode, TelemetrySeries::maxGpusPerNode);
    m_gpusPerPackage = qMax(1, gpusPerPackage);
    m_gpuWord = gpuWord;
    m_resources.clear();
    m_placement.clear();
    m_placeOf.clear();
    m_switchOf.clear();
    m_grouped.reset();
    m_dirtyRows.clear();
    m_staleRows.fill(false, m_series.nodes().size());
    emit shapeChanged();
}

void GpuGrid::store(const NodeTick& tick, qint64 arrivedMs)
{
    if (!m_series.accepts(tick))
        return;
    const bool isNewNode = m_series.rowOf(tick.node) < 0;
    int widest = m_gpusPerNode;
    for (const GpuSample& sample : tick.gpus) {
        if (sample.index < TelemetrySeries::maxGpusPerNode)
            widest = qMax(widest, sample.index + 1);
    }
    const bool isWider = widest > m_gpusPerNode;
    m_gpusPerNode = widest;
    m_nowMs = qMax(m_nowMs, arrivedMs);
    const QList<GpuAddress> changed = m_series.store(tick, arrivedMs);
    if (isNewNode)
        m_staleRows.append(false);
    for (const GpuAddress& address : changed)
        m_dirtyRows.insert(address.node);
    if (isNewNode || isWider)
        emit shapeChanged();
}

void GpuGrid::store(const NodeProcesses& processes)
{
    if (processes.resources && m_series.rowOf(processes.node) >= 0)
        m_resources.insert(processes.node, *processes.resources);
}

const NodeResources* GpuGrid::resourcesOf(int node) const
{
    const auto known = m_resources.constFind(m_series.nodes().value(node));
    return known == m_resources.cend() ? nullptr : &*known;
}

void GpuGrid::forgetValues()
{
    m_resources.clear();
    m_series.setShape(QStringList(m_series.nodes()), m_gpusPerNode);
    m_staleRows.fill(false);
    for (int row = 0; row < nodeCount(); ++row)
        m_dirtyRows.insert(row);
}

void GpuGrid::flush(qint64 nowMs)
{
    m_nowMs = nowMs;
    for (int row = 0; row < nodeCount(); ++row) {
        bool stale = false;
        for (int column = 0; column < m_series.gpusOf(row); ++column)
            stale = stale || m_series.isStale({row, column}, nowMs);
        if (stale != m_staleRows.value(row)) {
            m_staleRows[row] = stale;
            m_dirtyRows.insert(row);
        }
    }
    if (m_dirtyRows.isEmpty() || m_gpusPerNode == 0)
        return;
    QList<int> rows(m_dirtyRows.cbegin(), m_dirtyRows.cend());
    std::sort(rows.begin(), rows.end());
    m_dirtyRows.clear();
    emit rowsFlushed(rows);
}

void GpuGrid::setPlacement(const QList<RankPlace>& placement)
{
    if (m_placement == placement)
        return;
    m_placement = placement;
    m_placeOf.clear();
    for (qsizetype index = 0; index < placement.size(); ++index)
        m_placeOf.insert(keyOf(placement.at(index).address()), index);
    emit placementChanged();
}

const RankPlace* GpuGrid::placeAt(GpuAddress gpu) const
{
    const auto found = m_placeOf.constFind(keyOf(gpu));
    return found == m_placeOf.cend() ? nullptr : &m_placement.at(*found);
}

std::optional<int> GpuGrid::rankAt(GpuAddress gpu) const
{
    if (!knowsRanks())
        return gpu.node * m_gpusPerNode + gpu.gpu;
    const RankPlace* place = placeAt(gpu);
    return place ? std::optional(place->rank) : std::nullopt;
}

void GpuGrid::setSwitches(const QHash<QString, QString>& switchOf)
{
    m_switchOf = switchOf;
    m_grouped.reset();
    emit placementChanged();
}

const QList<NodeGroup>& GpuGrid::groupsOfNodes() const
{
    if (m_grouped != nodeCount()) {
        m_nodeGroups = groupNodes(m_series.nodes(), m_switchOf);
        m_grouped = nodeCount();
    }
    return m_nodeGroups;
}

} // namespace rankwright::inline tables
