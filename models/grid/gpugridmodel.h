// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/grid/nodegroups.h"
#include "models/grid/parallelgroups.h"

#include <QAbstractTableModel>
#include <QSet>

namespace rankwright {

/// nodes x GPUs as an item model: rows are nodes, columns GPUs. Roles carry numbers and meaning, never colour. Collects
/// dirty rows and tells of them once per flush(), which the one clock of the live views calls. Owns the series, the
/// ranks' placement and the groups of nodes; does not parse, does not ask the cluster.
class GpuGridModel final : public QAbstractTableModel {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(GpuGridModel)
public:
    enum Role {
        UtilizationRole = Qt::UserRole + 1, ///< double percent, or invalid
        MemoryRole, ///< double GiB
        MemoryTotalRole, ///< double GiB
        PowerRole, ///< double watts; on MI250X of the package, on its first die only
        PowerCapRole,
        TemperatureRole,
        ClockRole, ///< double MHz
        ProcessesRole, ///< int: of this job, on this GPU
        StaleRole, ///< bool: had a value, none lately
        AgeMsRole, ///< qint64 since the newest sample, or invalid
        RankRole, ///< int: global rank, or invalid when none runs here
        StageRole, ///< int: pipeline stage of that rank, or invalid; the groups below likewise
        TensorGroupRole,
        DataGroupRole,
        ShardGroupRole,
        PackageRole, ///< int: package index on the node
        SecondaryDieRole, ///< bool
        NodeNameRole,
    };

    explicit GpuGridModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// Another job: forgets everything. `gpusPerPackage` 2 on MI250X.
    void reset(const QStringList& nodes, int gpusPerNode, int gpusPerPackage, const QString& gpuWord);
    void store(const NodeTick& tick, qint64 arrivedMs);
    /// The same shape without values: for another picture of the same job. Told by the next flush().
    void forgetValues();
    /// Emits what changed since the last flush, and what became stale. `nowMs`: our clock.
    void flush(qint64 nowMs);

    /// Where the ranks run, as the job's design or its processes tell. Places outside of the grid are kept for when it
    /// grows. Empty: not known, and ranks are taken to follow nodes and GPUs (row * gpusPerNode + column).
    void setPlacement(const QList<PlacedRank>& placement);
    const QList<PlacedRank>& placement() const { return m_placement; }
    /// The rank on a GPU with its groups; null: none is known to run there.
    const PlacedRank* placeAt(GpuAddress gpu) const;
    std::optional<int> rankAt(GpuAddress gpu) const; ///< also a rank that is only taken to be there
    bool knowsRanks() const { return !m_placement.isEmpty(); }
    /// Which switch a node hangs on, where the cluster told; for groupsOfNodes().
    void setSwitches(const QHash<QString, QString>& switchOf);
    /// The nodes in groups, for a folded picture (nodegroups.h).
    const QList<NodeGroup>& groupsOfNodes() const;

    const TelemetrySeries& series() const { return m_series; }
    int gpusPerPackage() const { return m_gpusPerPackage; }
    int gpusPerNode() const { return m_gpusPerNode; }
    const QString& gpuWord() const { return m_gpuWord; }
    qint64 nowMs() const { return m_nowMs; }

signals:
    /// Right after the dataChanged of a flush: exactly the rows that differ, in order. dataChanged names their span.
    void rowsFlushed(const QList<int>& rows);
    void placementChanged();

private:
    QVariant groupAt(GpuAddress gpu, int role) const;

    TelemetrySeries m_series;
    QSet<int> m_dirtyRows;
    QList<bool> m_staleRows;
    int m_gpusPerNode = 0;
    int m_gpusPerPackage = 1;
    QString m_gpuWord = QStringLiteral("GPU");
    qint64 m_nowMs = 0;
    QList<PlacedRank> m_placement;
    QHash<quint64, qsizetype> m_placeOf; ///< row and column -> index into m_placement
    QHash<QString, QString> m_switchOf;
    mutable QList<NodeGroup> m_nodeGroups; ///< made when asked for; as many rows as m_grouped
    mutable int m_grouped = -1;
};

} // namespace rankwright
