// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/hangtable.h"

#include "models/core/harmlesstext.h"
#include "models/core/numberranges.h"
#include "models/core/quantitytext.h"
#include "models/core/tone.h"

#include <QSet>

#include <array>

namespace rankwright::inline tables {

using namespace Qt::StringLiterals;

namespace {

/// internalId() of a line of the first level; of the second it is the number of its fold.
constexpr quintptr topLevel = ~quintptr(0);

QString stateWord(ProcessState state)
{
    switch (state) {
    case ProcessState::Running: return HangTable::tr("R running");
    case ProcessState::Sleeping: return HangTable::tr("S waits");
    case ProcessState::DiskSleep: return HangTable::tr("D waits for files");
    case ProcessState::Stopped: return HangTable::tr("T stopped");
    case ProcessState::Zombie: return HangTable::tr("Z has ended");
    }
    return {};
}

} // namespace

void HangTable::setRows(const QList<HangRow>& rows)
{
    beginResetModel();
    m_rows = rows;
    m_folds = foldedRows(rows, 0);
    m_places = QList<std::pair<int, int>>(rows.size());
    for (qsizetype fold = 0; fold < m_folds.size(); ++fold) {
        const QList<qsizetype>& members = m_folds.at(fold).rows;
        for (qsizetype line = 0; line < members.size(); ++line)
            m_places[members.at(line)] = {int(fold), int(line)};
    }
    endResetModel();
}

QList<qsizetype> HangTable::ranksAt(const QModelIndex& index) const
{
    if (!index.isValid() || index.model() != this)
        return {};
    if (index.internalId() == topLevel)
        return m_folds.at(index.row()).rows;
    return {m_folds.at(qsizetype(index.internalId())).rows.at(index.row())};
}

QModelIndex HangTable::indexOf(qsizetype rank) const
{
    if (rank < 0 || rank >= m_places.size())
        return {};
    const auto [fold, line] = m_places.at(rank);
    const QModelIndex top = index(fold, 0);
    return m_folds.at(fold).rows.size() > 1 ? index(line, 0, top) : top;
}

QModelIndex HangTable::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) : topLevel);
}

QModelIndex HangTable::parent(const QModelIndex& child) const
{
    if (!child.isValid() || child.internalId() == topLevel)
        return {};
    return createIndex(int(child.internalId()), 0, topLevel);
}

int HangTable::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return int(m_folds.size());
    if (parent.column() != 0 || parent.internalId() != topLevel)
        return 0;
    const qsizetype members = m_folds.at(parent.row()).rows.size();
    return members > 1 ? int(members) : 0;
}

int HangTable::columnCount(const QModelIndex& parent) const
{
    return !parent.isValid() || rowCount(parent) > 0 ? int(ColumnCount) : 0;
}

/// What all of them have in common; of different nodes how many there are.
QString HangTable::shared(const QList<qsizetype>& ranks, Column column) const
{
    if (column == Rank)
        return tr("%1 ranks like this").arg(ranks.size());
    if (column == Gpu)
        return {};
    if (column != Node)
        return textOf({ranks.first()}, column);
    QSet<QString> nodes;
    for (const qsizetype rank : ranks)
        nodes.insert(m_rows.at(rank).node);
    return nodes.size() == 1 ? *nodes.begin() : nodesText(nodes.size());
}

QString HangTable::textOf(const QList<qsizetype>& ranks, Column column) const
{
    if (ranks.size() > 1)
        return shared(ranks, column);
    const HangRow& row = m_rows.at(ranks.first());
    switch (column) {
    case Rank:
        if (row.rank)
            return QString::number(*row.rank);
        return row.pid ? tr("pid %1").arg(*row.pid) : tr("a process");
    case Node: return row.node;
    case Gpu: return row.gpu ? QString::number(*row.gpu) : QString();
    case State: return row.state ? stateWord(*row.state) : QString();
    case Collective: return row.collective;
    case Function: return row.function.isEmpty() ? QString() : row.function + u"()"_s;
    case Place: return fileText(row);
    case Wait: return row.waitChannel;
    case ColumnCount: break;
    }
    return {};
}

QVariant HangTable::data(const QModelIndex& index, int role) const
{
    const QList<qsizetype> ranks = ranksAt(index);
    if (ranks.isEmpty())
        return {};
    const HangRow& first = m_rows.at(ranks.first());
    const auto column = Column(index.column());
    switch (role) {
    case Qt::DisplayRole: return harmlessLine(textOf(ranks, column));
    case Qt::ToolTipRole: {
        if (ranks.size() > 1 && column == Rank) {
            QList<int> numbers;
            for (const qsizetype rank : ranks) {
                if (m_rows.at(rank).rank)
                    numbers.append(*m_rows.at(rank).rank);
            }
            return plainToolTip(tr("Ranks %1").arg(numberRangesForPeople(numbers)));
        }
        if (column == Place || column == Function)
            return plainToolTip(first.stack.value(0).isEmpty() ? first.file : first.file + u'\n' + first.stack.first());
        return plainToolTip(textOf(ranks, column));
    }
    case Qt::AccessibleTextRole:
        if (column == Rank && ranks.size() == 1) {
            const QString text = textOf(ranks, column);
            const QString name = first.rank ? tr("rank %1").arg(text) : text;
            return first.isOdd ? tr("%1, odd").arg(name) : name;
        }
        return {};
    case ToneRole: return int(column == Rank && first.isOdd ? Tone::Bad : Tone::Plain);
    default: return {};
    }
}

QVariant HangTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= ColumnCount)
        return {};
    const std::array<QString, ColumnCount> titles{tr("Rank"), tr("Node"), tr("GPU"), tr("State"), tr("Collective"),
        tr("Function"), tr("Line"), tr("Kernel wait")};
    return titles.at(size_t(section));
}

} // namespace rankwright::inline tables
