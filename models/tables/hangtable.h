// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/hangrows.h"

#include <QAbstractItemModel>

namespace rankwright::inline tables {

/// The ranks of a verdict as a tree of two levels: the odd ones first, each a line; of the others those that stand
/// alike under one line ("31 ranks like this"). What is not known is empty.
class HangTable final : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Rank, Node, Gpu, State, Collective, Function, Place, Wait, ColumnCount };

    using QAbstractItemModel::QAbstractItemModel;

    /// Takes another verdict's rows.
    void setRows(const QList<HangRow>& rows);
    const QList<HangRow>& ranks() const { return m_rows; }
    /// Places in ranks() that a line stands for; empty: no line.
    QList<qsizetype> ranksAt(const QModelIndex& index) const;
    /// The line of one of ranks(), below its fold where it has one; invalid: there is none.
    QModelIndex indexOf(qsizetype rank) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textOf(const QList<qsizetype>& ranks, Column column) const;
    QString shared(const QList<qsizetype>& ranks, Column column) const;

    QList<HangRow> m_rows;
    QList<HangFold> m_folds;
    QList<std::pair<int, int>> m_places; ///< of each rank: its fold, and its line in that
};

} // namespace rankwright::inline tables
