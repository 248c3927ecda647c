// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/telemetry/telemetryseries.h"

#include <QAbstractTableModel>
#include <QSet>

namespace rankwright {

/// nodes x GPUs as an item model: rows are nodes, columns GPUs. Roles carry numbers and meaning, never colour. Collects
/// dirty cells and emits one dataChanged per flush(), which the one clock of the live views calls (4 Hz). Owns the
/// series; does not parse, does not ask the cluster.
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
        StaleRole, ///< bool: had a value, none lately
        AgeMsRole, ///< qint64 since the newest sample, or invalid
        RankRole, ///< int: global rank, or invalid
        PackageRole, ///< int: package index on the node
        SecondaryDieRole, ///< bool
        NodeNameRole,
    };

    explicit GpuGridModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// Another job: forgets everything. `gpusPerPackage` 2 on MI250X; rank = row * gpusPerNode + column.
    void reset(const QStringList& nodes, int gpusPerNode, int gpusPerPackage, const QString& gpuWord);
    void store(const NodeTick& tick, qint64 arrivedMs);
    /// Emits what changed since the last flush, and what became stale. `nowMs`: our clock.
    void flush(qint64 nowMs);

    const TelemetrySeries& series() const { return m_series; }
    int gpusPerPackage() const { return m_gpusPerPackage; }
    int gpusPerNode() const { return m_gpusPerNode; }
    const QString& gpuWord() const { return m_gpuWord; }
    qint64 nowMs() const { return m_nowMs; }

private:
    TelemetrySeries m_series;
    QSet<int> m_dirtyRows;
    QList<bool> m_staleRows;
    int m_gpusPerNode = 0;
    int m_gpusPerPackage = 1;
    QString m_gpuWord = QStringLiteral("GPU");
    qint64 m_nowMs = 0;
};

} // namespace rankwright
