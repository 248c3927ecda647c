// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/accessiblegrid.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPointer>

#include <map>

namespace rankwright {

namespace {

/// Where the cells stand: of what scrolls the viewport, else the view itself.
QWidget* surfaceOf(QWidget* view)
{
    auto* area = qobject_cast<QAbstractScrollArea*>(view);
    return area ? area->viewport() : view;
}

/// The grid outlives the cells' interfaces that assistive tools still hold; the view may not.
struct Shared {
    QPointer<QWidget> view;
    std::unique_ptr<AccessibleGrid> grid;
};

/// One GPU. Reads through to the view when asked, so nothing here can be out of date.
class CellAccessible final : public QAccessibleInterface, public QAccessibleTableCellInterface {
public:
    CellAccessible(std::shared_ptr<Shared> shared, GridCell cell) : m_shared(std::move(shared)), m_cell(cell) { }

    bool isValid() const override
    {
        return m_shared->view && m_cell.row < m_shared->grid->rows() && m_cell.column < m_shared->grid->columns();
    }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_shared->view); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::Cell; }
    QString text(QAccessible::Text kind) const override
    {
        return isValid() ? m_shared->grid->cellText(m_cell, kind) : QString();
    }
    void setText(QAccessible::Text, const QString&) override { }
    QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect box = m_shared->grid->cellBox(m_cell);
        return {surfaceOf(m_shared->view)->mapToGlobal(box.topLeft()), box.size()};
    }
    QAccessible::State state() const override;
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::TableCellInterface ? static_cast<QAccessibleTableCellInterface*>(this) : nullptr;
    }

    GridCell place() const { return m_cell; }
    bool isSelected() const override { return isValid() && m_shared->grid->current() == m_cell; }
    QList<QAccessibleInterface*> columnHeaderCells() const override { return {}; }
    QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return m_cell.column; }
    int rowIndex() const override { return m_cell.row; }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface* table() const override { return parent(); }

private:
    std::shared_ptr<Shared> m_shared;
    GridCell m_cell;
};

QAccessible::State CellAccessible::state() const
{
    QAccessible::State state;
    if (!isValid()) {
        state.invalid = true;
        return state;
    }
    state.selectable = true;
    state.focusable = true;
    state.readOnly = true;
    state.selected = isSelected();
    state.focused = isSelected() && m_shared->view->hasFocus();
    state.offscreen = !surfaceOf(m_shared->view)->rect().intersects(m_shared->grid->cellBox(m_cell));
    return state;
}

/// The table. Owns its cells' interfaces by their ids.
class GridAccessible final : public QAccessibleWidget, public QAccessibleTableInterface {
public:
    GridAccessible(QWidget& view, std::unique_ptr<AccessibleGrid> grid)
        : QAccessibleWidget(&view, QAccessible::Table),
          m_shared(std::make_shared<Shared>(Shared{&view, std::move(grid)}))
    { }
    ~GridAccessible() override { forget(); }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::TableInterface ? static_cast<QAccessibleTableInterface*>(this)
                                                   : QAccessibleWidget::interface_cast(type);
    }
    int childCount() const override { return rowCount() * columnCount(); }
    QAccessibleInterface* child(int index) const override;
    QAccessibleInterface* childAt(int x, int y) const override
    {
        const auto hit = m_shared->grid->cellAt(surfaceOf(m_shared->view)->mapFromGlobal(QPoint(x, y)));
        return hit ? cellAt(hit->row, hit->column) : nullptr;
    }
    int indexOfChild(const QAccessibleInterface* child) const override;
    QAccessibleInterface* focusChild() const override
    {
        const auto current = m_shared->grid->current();
        return current ? cellAt(current->row, current->column) : nullptr;
    }

    QAccessibleInterface* caption() const override { return nullptr; }
    QAccessibleInterface* summary() const override { return nullptr; }
    QAccessibleInterface* cellAt(int row, int column) const override
    {
        return row >= 0 && row < rowCount() && column >= 0 && column < columnCount()
            ? child(row * columnCount() + column)
            : nullptr;
    }
    QString columnDescription(int column) const override { return m_shared->grid->columnText(column); }
    QString rowDescription(int row) const override { return m_shared->grid->rowText(row); }
    int columnCount() const override { return m_shared->grid->columns(); }
    int rowCount() const override { return m_shared->grid->rows(); }
    int selectedCellCount() const override { return m_shared->grid->current() ? 1 : 0; }
    QList<QAccessibleInterface*> selectedCells() const override
    {
        QAccessibleInterface* cell = focusChild();
        return cell ? QList<QAccessibleInterface*>{cell} : QList<QAccessibleInterface*>{};
    }
    int selectedColumnCount() const override { return 0; }
    int selectedRowCount() const override { return 0; }
    QList<int> selectedColumns() const override { return {}; }
    QList<int> selectedRows() const override { return {}; }
    bool isColumnSelected(int) const override { return false; }
    bool isRowSelected(int) const override { return false; }
    bool selectRow(int) override { return false; }
    bool selectColumn(int) override { return false; }
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent*) override { forget(); }

private:
    void forget()
    {
        for (const auto& [cell, id] : m_cells)
            QAccessible::deleteAccessibleInterface(id);
        m_cells.clear();
    }

    std::shared_ptr<Shared> m_shared;
    mutable std::map<GridCell, QAccessible::Id> m_cells;
};

QAccessibleInterface* GridAccessible::child(int index) const
{
    if (index < 0 || index >= childCount())
        return nullptr;
    const GridCell cell{index / columnCount(), index % columnCount()};
    if (const auto known = m_cells.find(cell); known != m_cells.end())
        return QAccessible::accessibleInterface(known->second);
    auto* made = new CellAccessible(m_shared, cell);
    m_cells.emplace(cell, QAccessible::registerAccessibleInterface(made));
    return made;
}

int GridAccessible::indexOfChild(const QAccessibleInterface* child) const
{
    // Asked for every cell that is read: with thousands of them there is no time to search.
    const auto* cell = dynamic_cast<const CellAccessible*>(child);
    if (!cell)
        return -1;
    const auto known = m_cells.find(cell->place());
    return known != m_cells.end() && QAccessible::accessibleInterface(known->second) == child
        ? cell->place().row * columnCount() + cell->place().column
        : -1;
}

} // namespace

QAccessibleInterface* makeGridInterface(QWidget& view, std::unique_ptr<AccessibleGrid> grid)
{
    return new GridAccessible(view, std::move(grid));
}

void announceGridFocus(QWidget& view, const AccessibleGrid& grid)
{
    const auto current = grid.current();
    if (!current || !QAccessible::isActive())
        return;
    QAccessibleEvent event(&view, QAccessible::Focus);
    event.setChild(current->row * grid.columns() + current->column);
    QAccessible::updateAccessibility(&event);
}

} // namespace rankwright
