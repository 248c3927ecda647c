// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/recordtable.h"

#include "widgets/base/theme.h"
#include "widgets/base/tonedelegate.h"

#include <QHeaderView>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>
#include <QSortFilterProxyModel>

#include <algorithm>

namespace rankwright {

namespace {

constexpr int tableRowHeight = 34;

} // namespace

RecordTable::RecordTable(QAbstractItemModel& model, QWidget* parent)
    : QTableView(parent), m_proxy(new QSortFilterProxyModel(this))
{
    m_proxy->setSourceModel(&model);
    m_proxy->setSortRole(SortRole);
    m_proxy->setFilterKeyColumn(-1);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    setModel(m_proxy);
    setItemDelegate(new ToneDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTabKeyNavigation(false); // Tab leaves the table, as everywhere in the window
    setWordWrap(false);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(tableRowHeight);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setStretchLastSection(true);
    // Cells add the style's own text margin to their padding; titles are above their column's text.
    horizontalHeader()->setStyleSheet(QStringLiteral("QHeaderView::section { padding: 6px 11px; }"));
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    setSortingEnabled(true);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] { emit selected(selectedId()); });
}

void RecordTable::setFilter(const QString& text) { m_proxy->setFilterFixedString(text); }

QString RecordTable::selectedId() const
{
    const QModelIndexList rows = selectionModel()->selectedRows();
    return rows.isEmpty() ? QString() : rows.first().data(RecordIdRole).toString();
}

QStringList RecordTable::selectedIds() const
{
    QStringList ids;
    for (const QModelIndex& row : selectionModel()->selectedRows())
        ids.append(row.data(RecordIdRole).toString());
    return ids;
}

bool RecordTable::selectId(const QString& id)
{
    for (int row = 0; row < m_proxy->rowCount(); ++row) {
        if (m_proxy->index(row, 0).data(RecordIdRole).toString() == id) {
            setCurrentIndex(m_proxy->index(row, 0));
            return true;
        }
    }
    return false;
}

/// What is chosen stays in view when the table becomes lower.
void RecordTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    if (event->oldSize().height() > event->size().height() && currentIndex().isValid())
        scrollTo(currentIndex());
    if (event->oldSize().width() != event->size().width())
        emit widthChanged();
}

int RecordTable::shownRows() const { return m_proxy->rowCount(); }

void RecordTable::fitHeight()
{
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFixedHeight(horizontalHeader()->sizeHint().height() + m_proxy->rowCount() * tableRowHeight + 4);
}

void RecordTable::spreadColumns()
{
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setSortIndicatorShown(false); // it would have its room in every column
    connect(this, &RecordTable::widthChanged, this, &RecordTable::spread);
    spread();
}

void RecordTable::spread()
{
    const int columns = horizontalHeader()->count();
    int wanted = 0;
    QList<int> widths;
    for (int column = 0; column < columns; ++column) {
        widths.append(std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column)));
        wanted += widths.last();
    }
    const int room = viewport()->width();
    const int share = std::max(0, room - wanted) / columns;
    for (int column = 0; column < columns; ++column)
        horizontalHeader()->resizeSection(column, widths.at(column) + share);
    fitHeight();
    if (wanted > room) // the bar would lie over the last row
        setFixedHeight(height() + horizontalScrollBar()->sizeHint().height());
}

} // namespace rankwright
