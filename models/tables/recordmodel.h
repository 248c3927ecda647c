// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QList>

#include <functional>

namespace rankwright {

/// Roles shared by all tables: meaning, never colour.
enum RecordRole { SortRole = Qt::UserRole, ToneRole, RecordIdRole, FirstOwnRole = Qt::UserRole + 100 };
/// What a cell means, for the delegate's colour.
enum class Tone { Plain, Quiet, Good, Warn, Bad, Busy };

/// Table model over a list of structs; columns are data (title, text, sort value, tone, alignment). Rows are keyed by
/// an id and updated in place, so that selection and scroll position stay. Header-only template: no Q_OBJECT.
template <typename Record>
class RecordModel : public QAbstractTableModel {
public:
    struct Column {
        QString title;
        std::function<QString(const Record&)> text;
        std::function<QVariant(const Record&)> sort = {}; ///< text when empty
        std::function<Tone(const Record&)> tone = {}; ///< Plain when empty
        std::function<QString(const Record&)> toolTip = {};
        Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter;
    };

    RecordModel(QList<Column> columns, std::function<QString(const Record&)> id, QObject* parent = nullptr)
        : QAbstractTableModel(parent), m_columns(std::move(columns)), m_id(std::move(id))
    { }

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(m_records.size()); }
    int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_columns.size());
    }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    const QList<Record>& records() const { return m_records; }
    const Record* at(const QModelIndex& index) const;
    int rowOf(const QString& id) const;
    /// Takes over a new list with the fewest signals: removed rows go, known ids change in place, new ones are added.
    void assign(const QList<Record>& records);
    /// Changes or adds one.
    void upsert(const Record& record);

private:
    QList<Record> m_records;
    QList<Column> m_columns;
    std::function<QString(const Record&)> m_id;
};

template <typename Record>
QVariant RecordModel<Record>::data(const QModelIndex& index, int role) const
{
    const Record* record = at(index);
    if (!record || index.column() >= m_columns.size())
        return {};
    const Column& column = m_columns.at(index.column());
    switch (role) {
    case Qt::DisplayRole: return column.text(*record);
    case Qt::TextAlignmentRole: return QVariant(column.alignment);
    case Qt::ToolTipRole: return column.toolTip ? QVariant(column.toolTip(*record)) : QVariant();
    case SortRole: return column.sort ? column.sort(*record) : QVariant(column.text(*record));
    case ToneRole: return int(column.tone ? column.tone(*record) : Tone::Plain);
    case RecordIdRole: return m_id(*record);
    default: return {};
    }
}

template <typename Record>
QVariant RecordModel<Record>::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= m_columns.size())
        return {};
    if (role == Qt::DisplayRole)
        return m_columns.at(section).title;
    if (role == Qt::TextAlignmentRole)
        return QVariant(m_columns.at(section).alignment);
    return {};
}

template <typename Record>
const Record* RecordModel<Record>::at(const QModelIndex& index) const
{
    if (!index.isValid() || index.model() != this || index.row() < 0 || index.row() >= m_records.size())
        return nullptr;
    return &m_records.at(index.row());
}

template <typename Record>
int RecordModel<Record>::rowOf(const QString& id) const
{
    for (int row = 0; row < m_records.size(); ++row) {
        if (m_id(m_records.at(row)) == id)
            return row;
    }
    return -1;
}

template <typename Record>
void RecordModel<Record>::upsert(const Record& record)
{
    const int row = rowOf(m_id(record));
    if (row < 0) {
        beginInsertRows({}, int(m_records.size()), int(m_records.size()));
        m_records.append(record);
        endInsertRows();
    } else if (!(m_records.at(row) == record)) {
        m_records[row] = record;
        emit dataChanged(index(row, 0), index(row, columnCount() - 1));
    }
}

template <typename Record>
void RecordModel<Record>::assign(const QList<Record>& records)
{
    QStringList wanted;
    for (const Record& record : records)
        wanted.append(m_id(record));
    for (int row = int(m_records.size()) - 1; row >= 0; --row) {
        if (!wanted.contains(m_id(m_records.at(row)))) {
            beginRemoveRows({}, row, row);
            m_records.removeAt(row);
            endRemoveRows();
        }
    }
    for (const Record& record : records)
        upsert(record);
}

} // namespace rankwright
