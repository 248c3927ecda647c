// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/ranksample.h"
#include "models/insight/telemetry/telemetryseries.h"
#include "models/tables/grid/nodegroups.h"
#include "models/tables/grid/parallelgroups.h"

#include <QObject>
#include <QSet>

#include <optional>

namespace rankwright::inline tables {

/// All GPUs of a job, nodes x GPUs, rows being nodes: their newest samples and a while of history, which rank runs
/// where, which nodes are together. Collects dirty rows and reports them once per flush(), which the one clock of the
/// live views calls. Does not parse, does not ask the cluster, does not word or paint; AccessibleGrid shows it as a
/// table.
class GpuGrid final : public QObject {
    Q_OBJECT
public:
    explicit GpuGrid(QObject* parent = nullptr);

    int nodeCount() const { return int(m_series.nodes().size()); }
    int gpusPerNode() const { return m_gpusPerNode; } ///< of the widest node

    /// Another job: forgets everything. `gpusPerPackage` 2 on MI250X.
    void reset(const QStringList& nodes, int gpusPerNode, int gpusPerPackage, const QString& gpuWord);
    /// `arrivedMs`: our clock. A node or GPU beyond the known shape is reported at once, values by the next flush().
    void store(const NodeTick& tick, qint64 arrivedMs);
    /// What a node of the grid has beside its GPUs; the newest is kept. Others are left out.
    void store(const NodeProcesses& processes);
    /// Null: nothing was reported of it.
    const NodeResources* resourcesOf(int node) const;
    /// The same shape without values: for another picture of the same job. Reported by the next flush().
    void forgetValues();
    /// Emits what changed since the last flush, and what became stale. `nowMs`: our clock.
    void flush(qint64 nowMs);

    /// Where the ranks run, as the job's design or its processes report. Places outside of the grid are kept for when
    /// it grows. Empty: not known, and ranks are taken to follow nodes and GPUs (row * gpusPerNode + column).
    void setPlacement(const QList<RankPlace>& placement);
    const QList<RankPlace>& placement() const { return m_placement; }
    /// The rank on a GPU with its groups; null: none is known to run there.
    const RankPlace* placeAt(GpuAddress gpu) const;
    std::optional<int> rankAt(GpuAddress gpu) const; ///< also a rank that is only taken to be there
    bool knowsRanks() const { return !m_placement.isEmpty(); }
    /// Which switch a node is attached to, where the cluster reported it; for groupsOfNodes().
    void setSwitches(const QHash<QString, QString>& switchOf);
    /// The nodes in groups, for a folded picture (nodegroups.h).
    const QList<NodeGroup>& groupsOfNodes() const;

    const TelemetrySeries& series() const { return m_series; }
    int gpusPerPackage() const { return m_gpusPerPackage; }
    const QString& gpuWord() const { return m_gpuWord; }
    /// Our clock as last reported: by flush(), and by an arrival since, because flush() is not called while no view is
    /// shown.
    qint64 nowMs() const { return m_nowMs; }

signals:
    void shapeChanged(); ///< another job, more nodes, or more GPUs per node
    void rowsFlushed(const QList<int>& rows); ///< exactly the rows that differ since the last flush, in order
    void placementChanged();

private:
    TelemetrySeries m_series;
    QHash<QString, NodeResources> m_resources; ///< by node
    QSet<int> m_dirtyRows;
    QList<bool> m_staleRows;
    int m_gpusPerNode = 0;
    int m_gpusPerPackage = 1;
    QString m_gpuWord = QStringLiteral("GPU");
    qint64 m_nowMs = 0;
    QList<RankPlace> m_placement;
    QHash<quint64, qsizetype> m_placeOf; ///< row and column -> index into m_placement
    QHash<QString, QString> m_switchOf;
    mutable QList<NodeGroup> m_nodeGroups; ///< made when asked for; as many rows as m_grouped
    mutable std::optional<int> m_grouped;
};

} // namespace rankwright::inline tables
