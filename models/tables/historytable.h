// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/history/telemetryhistory.h"

#include <QAbstractTableModel>

namespace rankwright::inline tables {

/// Curves as a table, for reading instead of looking: a row per stretch of time, a column per curve with its mean
/// (and, where values differ, the lowest and highest). What was not reported is "-".
class HistoryTable final : public QAbstractTableModel {
    Q_OBJECT
public:
    struct Column {
        QString title; ///< "Rank 5, Power (W)"
        int decimals = 0;
        QList<HistoryBucket> curve;
    };
    explicit HistoryTable(QObject* parent = nullptr);

    /// All curves over the same buckets.
    void assign(const QList<Column>& columns);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QList<Column> m_columns;
};

} // namespace rankwright::inline tables
