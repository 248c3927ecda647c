// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/historytable.h"

#include <QDateTime>

namespace rankwright::inline tables {

using namespace Qt::StringLiterals;

namespace {

QString cellText(const HistoryBucket& bucket, int decimals)
{
    if (bucket.samples == 0)
        return u"–"_s;
    const auto figure = [decimals](float value) { return QString::number(double(value), 'f', decimals); };
    const QString mean = figure(bucket.mean);
    return bucket.least < bucket.most && figure(bucket.least) != figure(bucket.most)
        ? u"%1 (%2 to %3)"_s.arg(mean, figure(bucket.least), figure(bucket.most))
        : mean;
}

} // namespace

HistoryTable::HistoryTable(QObject* parent) : QAbstractTableModel(parent) { }

void HistoryTable::assign(const QList<Column>& columns)
{
    beginResetModel();
    m_columns = columns;
    endResetModel();
}

int HistoryTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || m_columns.isEmpty() ? 0 : int(m_columns.first().curve.size());
}

int HistoryTable::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_columns.size()); }

QVariant HistoryTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount())
        return {};
    const Column& column = m_columns.at(index.column());
    if (role == Qt::DisplayRole && index.row() < column.curve.size())
        return cellText(column.curve.at(index.row()), column.decimals);
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant HistoryTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || section < 0)
        return {};
    if (orientation == Qt::Horizontal)
        return section < columnCount() ? QVariant(m_columns.at(section).title) : QVariant();
    if (section >= rowCount())
        return {};
    return QDateTime::fromMSecsSinceEpoch(m_columns.first().curve.at(section).span.fromMs).toString(u"HH:mm:ss"_s);
}

} // namespace rankwright::inline tables
