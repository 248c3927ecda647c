// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/grid/gpugridmodel.h"

#include <algorithm>

namespace rankwright {

namespace {

constexpr double gib = 1073741824.0;

QVariant orInvalid(const std::optional<double>& value) { return value ? QVariant(*value) : QVariant(); }

QVariant inGib(const std::optional<qint64>& bytes) { return bytes ? QVariant(double(*bytes) / gib) : QVariant(); }

QVariant measured(const GpuSample& sample, int role)
{
    switch (role) {
    case GpuGridModel::UtilizationRole: return orInvalid(sample.utilizationPercent);
    case GpuGridModel::MemoryRole: return inGib(sample.memoryUsedBytes);
    case GpuGridModel::MemoryTotalRole: return inGib(sample.memoryTotalBytes);
    case GpuGridModel::PowerRole: return orInvalid(sample.powerWatts);
    case GpuGridModel::PowerCapRole: return orInvalid(sample.powerCapWatts);
    case GpuGridModel::TemperatureRole: return orInvalid(sample.temperatureCelsius);
    case GpuGridModel::ClockRole: return orInvalid(sample.clockMhz);
    case GpuGridModel::ProcessesRole: return sample.processes ? QVariant(*sample.processes) : QVariant();
    case GpuGridModel::SecondaryDieRole: return sample.secondaryDie;
    default: return {};
    }
}

quint64 keyOf(GpuAddress gpu) { return quint64(quint32(gpu.node)) << 32U | quint32(gpu.gpu); }

} // namespace

GpuGridModel::GpuGridModel(QObject* parent) : QAbstractTableModel(parent) { }

int GpuGridModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_series.nodes().size());
}

int GpuGridModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_gpusPerNode; }

QVariant GpuGridModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.model() != this || index.row() >= rowCount() || index.column() >= columnCount())
        return {};
    const GpuAddress address{index.row(), index.column()};
    switch (role) {
    case NodeNameRole: return m_series.nodes().at(index.row());
    case RankRole: {
        const std::optional<int> rank = rankAt(address);
        return rank ? QVariant(*rank) : QVariant();
    }
    case StageRole:
    case TensorGroupRole:
    case DataGroupRole:
    case ShardGroupRole: return groupAt(address, role);
    case PackageRole: return index.column() / m_gpusPerPackage;
    case StaleRole: return m_series.isStale(address, m_nowMs);
    case AgeMsRole: {
        const qint64 arrival = m_series.latestArrival(address);
        return arrival > 0 ? QVariant(qMax<qint64>(0, m_nowMs - arrival)) : QVariant();
    }
    default: break;
    }
    const GpuSample* sample = m_series.latest(address);
    if (!sample)
        return {};
    if (role == Qt::DisplayRole)
        return sample->utilizationPercent ? QVariant(QString::number(*sample->utilizationPercent, 'f', 0) + u'%')
                                          : QVariant(QStringLiteral("–"));
    return measured(*sample, role);
}

QVariant GpuGridModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || section < 0)
        return {};
    if (orientation == Qt::Horizontal)
        return section < columnCount() ? QVariant(m_gpuWord + u' ' + QString::number(section)) : QVariant();
    return section < rowCount() ? QVariant(m_series.nodes().at(section)) : QVariant();
}

void GpuGridModel::reset(const QStringList& nodes, int gpusPerNode, int gpusPerPackage, const QString& gpuWord)
{
    beginResetModel();
    m_series = TelemetrySeries();
    m_series.setShape(nodes, gpusPerNode);
    m_gpusPerNode = qBound(0, gpusPerNode, TelemetrySeries::maxGpusPerNode);
    m_gpusPerPackage = qMax(1, gpusPerPackage);
    m_gpuWord = gpuWord;
    m_placement.clear();
    m_placeOf.clear();
    m_switchOf.clear();
    m_grouped = -1;
    m_dirtyRows.clear();
    m_staleRows.fill(false, m_series.nodes().size());
    endResetModel();
}

void GpuGridModel::store(const NodeTick& tick, qint64 arrivedMs)
{
    if (!m_series.accepts(tick))
        return;
    // A node or GPU beyond the known shape changes the table itself; that is announced at once, values at the flush.
    const int rows = rowCount();
    const bool newNode = m_series.rowOf(tick.node) < 0;
    int widest = m_gpusPerNode;
    for (const GpuSample& sample : tick.gpus) {
        if (sample.index < TelemetrySeries::maxGpusPerNode)
            widest = qMax(widest, sample.index + 1);
    }
    if (widest > m_gpusPerNode) {
        beginInsertColumns({}, m_gpusPerNode, widest - 1);
        m_gpusPerNode = widest;
        endInsertColumns();
    }
    if (newNode)
        beginInsertRows({}, rows, rows);
    const QList<GpuAddress> changed = m_series.store(tick, arrivedMs);
    if (newNode) {
        m_staleRows.append(false);
        endInsertRows();
    }
    for (const GpuAddress& address : changed)
        m_dirtyRows.insert(address.node);
}

void GpuGridModel::forgetValues()
{
    m_series.setShape(QStringList(m_series.nodes()), m_gpusPerNode);
    m_staleRows.fill(false);
    for (int row = 0; row < rowCount(); ++row)
        m_dirtyRows.insert(row);
}

void GpuGridModel::flush(qint64 nowMs)
{
    m_nowMs = nowMs;
    for (int row = 0; row < rowCount(); ++row) {
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
    // One dataChanged for the whole span: views that repaint single rows listen to rowsFlushed.
    QList<int> rows(m_dirtyRows.cbegin(), m_dirtyRows.cend());
    std::sort(rows.begin(), rows.end());
    m_dirtyRows.clear();
    emit dataChanged(index(rows.first(), 0), index(rows.last(), m_gpusPerNode - 1));
    emit rowsFlushed(rows);
}

void GpuGridModel::setPlacement(const QList<PlacedRank>& placement)
{
    if (m_placement == placement)
        return;
    m_placement = placement;
    m_placeOf.clear();
    for (qsizetype index = 0; index < placement.size(); ++index)
        m_placeOf.insert(keyOf(placement.at(index).gpu), index);
    emit placementChanged();
    if (rowCount() > 0 && m_gpusPerNode > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, m_gpusPerNode - 1),
            {RankRole, StageRole, TensorGroupRole, DataGroupRole, ShardGroupRole});
}

const PlacedRank* GpuGridModel::placeAt(GpuAddress gpu) const
{
    const auto found = m_placeOf.constFind(keyOf(gpu));
    return found == m_placeOf.cend() ? nullptr : &m_placement.at(*found);
}

std::optional<int> GpuGridModel::rankAt(GpuAddress gpu) const
{
    if (!knowsRanks())
        return gpu.node * m_gpusPerNode + gpu.gpu;
    const PlacedRank* place = placeAt(gpu);
    return place ? std::optional(place->rank) : std::nullopt;
}

QVariant GpuGridModel::groupAt(GpuAddress gpu, int role) const
{
    const PlacedRank* place = placeAt(gpu);
    if (!place)
        return {};
    const GroupKind kind = role == StageRole ? GroupKind::Stage
        : role == TensorGroupRole            ? GroupKind::Tensor
        : role == DataGroupRole              ? GroupKind::Data
                                             : GroupKind::Shard;
    const std::optional<int> group = place->groupOf(kind);
    return group ? QVariant(*group) : QVariant();
}

void GpuGridModel::setSwitches(const QHash<QString, QString>& switchOf)
{
    m_switchOf = switchOf;
    m_grouped = -1;
    emit placementChanged();
}

const QList<NodeGroup>& GpuGridModel::groupsOfNodes() const
{
    if (m_grouped != rowCount()) {
        m_nodeGroups = groupNodes(m_series.nodes(), m_switchOf);
        m_grouped = rowCount();
    }
    return m_nodeGroups;
}

} // namespace rankwright
