// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/harmlesstext.h"
#include "models/core/tone.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QList>
#include <QSet>

#include <functional>

namespace rankwright::inline tables {

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
    int rowOf(const QString& id) const; ///< -1: none
    /// Takes over a new list with the fewest signals: removed rows go, known ids change in place, new ones are added at
    /// the end. Of several records with one id the last counts. Linear in both lists, but for the rows behind each
    /// stretch of rows that goes, which move up.
    void assign(const QList<Record>& records);
    /// Changes or adds one.
    void upsert(const Record& record);

private:
    void removeOthers(const QSet<QString>& wanted);
    void change(int row, const Record& record);
    void append(const QList<Record>& records);

    QList<Record> m_records;
    mutable QHash<QString, int> m_rowOf; ///< by id
    mutable bool m_isIndexed = true; ///< false: m_rowOf is made again when somebody asks
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
    case Qt::DisplayRole: return harmlessText(column.text(*record)); // names of jobs and files are anybody's
    case Qt::TextAlignmentRole: return QVariant(column.alignment);
    case Qt::ToolTipRole: return column.toolTip ? QVariant(plainToolTip(column.toolTip(*record))) : QVariant();
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
    if (!m_isIndexed) {
        m_isIndexed = true;
        m_rowOf.clear();
        for (int row = 0; row < m_records.size(); ++row)
            m_rowOf.insert(m_id(m_records.at(row)), row);
    }
    return m_rowOf.value(id, -1);
}

template <typename Record>
void RecordModel<Record>::change(int row, const Record& record)
{
    if (m_records.at(row) == record)
        return;
    m_records[row] = record;
    emit dataChanged(index(row, 0), index(row, columnCount() - 1));
}

template <typename Record>
void RecordModel<Record>::append(const QList<Record>& records)
{
    if (records.isEmpty())
        return;
    const int first = int(m_records.size());
    beginInsertRows({}, first, first + int(records.size()) - 1);
    for (const Record& record : records) {
        m_rowOf.insert(m_id(record), int(m_records.size()));
        m_records.append(record);
    }
    endInsertRows();
}

template <typename Record>
void RecordModel<Record>::removeOthers(const QSet<QString>& wanted)
{
    QList<bool> stays;
    for (const Record& record : std::as_const(m_records))
        stays.append(wanted.contains(m_id(record)));
    if (!stays.contains(false))
        return;
    // Rows that are together go together, the last ones first.
    for (int last = int(stays.size()) - 1; last >= 0; --last) {
        if (stays.at(last))
            continue;
        int first = last;
        while (first > 0 && !stays.at(first - 1))
            --first;
        beginRemoveRows({}, first, last);
        m_records.remove(first, last - first + 1);
        m_isIndexed = false;
        endRemoveRows();
        last = first;
    }
}

template <typename Record>
void RecordModel<Record>::upsert(const Record& record)
{
    const int row = rowOf(m_id(record));
    if (row < 0)
        append({record});
    else
        change(row, record);
}

template <typename Record>
void RecordModel<Record>::assign(const QList<Record>& records)
{
    QSet<QString> wanted;
    for (const Record& record : records)
        wanted.insert(m_id(record));
    removeOthers(wanted);
    QList<Record> added;
    QHash<QString, qsizetype> placeOf; // among those
    for (const Record& record : records) {
        const QString id = m_id(record);
        if (const int row = rowOf(id); row >= 0) {
            change(row, record);
        } else if (const auto place = placeOf.constFind(id); place != placeOf.cend()) {
            added[*place] = record;
        } else {
            placeOf.insert(id, added.size());
            added.append(record);
        }
    }
    append(added);
}

} // namespace rankwright::inline tables
