// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmapaccessible.h"

#include "widgets/heatmapview.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPointer>

#include <map>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// One GPU. Reads through to the view when asked, so nothing here can be out of date.
class HeatMapCellAccessible final : public QAccessibleInterface, public QAccessibleTableCellInterface {
public:
    HeatMapCellAccessible(HeatMapView& view, GpuAddress address) : m_view(&view), m_address(address) { }

    bool isValid() const override
    {
        return m_view && m_address.node < m_view->grid().rowCount() && m_address.gpu < m_view->grid().columnCount();
    }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_view); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::Cell; }
    QString text(QAccessible::Text kind) const override;
    void setText(QAccessible::Text, const QString&) override { }
    QRect rect() const override;
    QAccessible::State state() const override;
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::TableCellInterface ? static_cast<QAccessibleTableCellInterface*>(this) : nullptr;
    }

    bool isSelected() const override { return m_view && m_view->current() == m_address; }
    QList<QAccessibleInterface*> columnHeaderCells() const override { return {}; }
    QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return m_address.gpu; }
    int rowIndex() const override { return m_address.node; }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface* table() const override { return parent(); }

private:
    QPointer<HeatMapView> m_view;
    GpuAddress m_address;
};

QString HeatMapCellAccessible::text(QAccessible::Text kind) const
{
    if (!isValid())
        return {};
    switch (kind) {
    case QAccessible::Name: return speakGpu(m_view->grid(), m_address, m_view->measure(), m_view->isEnded());
    case QAccessible::Value: {
        const Measure measure = m_view->measure();
        return figureWithUnit(measure, readGpu(m_view->grid(), m_address, measure, m_view->isEnded()).value);
    }
    case QAccessible::Description: return describeGpu(m_view->grid(), m_address, m_view->isEnded());
    default: return {};
    }
}

QRect HeatMapCellAccessible::rect() const
{
    if (!isValid())
        return {};
    const QRect cell = m_view->cellOnViewport(m_address);
    return {m_view->viewport()->mapToGlobal(cell.topLeft()), cell.size()};
}

QAccessible::State HeatMapCellAccessible::state() const
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
    state.focused = isSelected() && m_view->hasFocus();
    state.offscreen = !m_view->viewport()->rect().intersects(m_view->cellOnViewport(m_address));
    return state;
}

/// The table. Owns its cells' interfaces by their ids; makes them when asked for, since a screen reader looks at few.
class HeatMapAccessible final : public QAccessibleWidget, public QAccessibleTableInterface {
public:
    explicit HeatMapAccessible(HeatMapView* view) : QAccessibleWidget(view, QAccessible::Table) { }
    ~HeatMapAccessible() override { forget(); }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::TableInterface ? static_cast<QAccessibleTableInterface*>(this)
                                                   : QAccessibleWidget::interface_cast(type);
    }
    int childCount() const override { return rowCount() * columnCount(); }
    QAccessibleInterface* child(int index) const override;
    QAccessibleInterface* childAt(int x, int y) const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QAccessibleInterface* focusChild() const override;

    QAccessibleInterface* caption() const override { return nullptr; }
    QAccessibleInterface* summary() const override { return nullptr; }
    QAccessibleInterface* cellAt(int row, int column) const override
    {
        return row >= 0 && row < rowCount() && column >= 0 && column < columnCount()
            ? child(row * columnCount() + column)
            : nullptr;
    }
    QString columnDescription(int column) const override { return u"%1 %2"_s.arg(view().grid().gpuWord()).arg(column); }
    QString rowDescription(int row) const override
    {
        return view().grid().series().nodes().value(row) + u", "_s + ranksOf(view().grid(), row);
    }
    int columnCount() const override { return view().grid().columnCount(); }
    int rowCount() const override { return view().grid().rowCount(); }
    int selectedCellCount() const override { return view().current() ? 1 : 0; }
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
    HeatMapView& view() const { return *static_cast<HeatMapView*>(object()); }
    void forget();

    mutable std::map<GpuAddress, QAccessible::Id> m_cells;
};

QAccessibleInterface* HeatMapAccessible::child(int index) const
{
    if (index < 0 || index >= childCount())
        return nullptr;
    const GpuAddress address{index / columnCount(), index % columnCount()};
    if (const auto known = m_cells.find(address); known != m_cells.end())
        return QAccessible::accessibleInterface(known->second);
    auto* cell = new HeatMapCellAccessible(view(), address);
    m_cells.emplace(address, QAccessible::registerAccessibleInterface(cell));
    return cell;
}

QAccessibleInterface* HeatMapAccessible::childAt(int x, int y) const
{
    const QPoint point = view().viewport()->mapFromGlobal(QPoint(x, y));
    const QPoint origin = view().cells().cell({0, 0}).topLeft() - view().cellOnViewport({0, 0}).topLeft();
    const std::optional<GpuAddress> hit = view().cells().cellAt(point + origin);
    return hit ? cellAt(hit->node, hit->gpu) : nullptr;
}

int HeatMapAccessible::indexOfChild(const QAccessibleInterface* child) const
{
    for (const auto& [address, id] : m_cells) {
        if (QAccessible::accessibleInterface(id) == child)
            return address.node * columnCount() + address.gpu;
    }
    return -1;
}

QAccessibleInterface* HeatMapAccessible::focusChild() const
{
    const std::optional<GpuAddress> current = view().current();
    return current ? cellAt(current->node, current->gpu) : nullptr;
}

void HeatMapAccessible::forget()
{
    for (const auto& [address, id] : m_cells)
        QAccessible::deleteAccessibleInterface(id);
    m_cells.clear();
}

QAccessibleInterface* makeInterface(const QString& className, QObject* object)
{
    if (className != QLatin1String(HeatMapView::staticMetaObject.className()))
        return nullptr;
    return new HeatMapAccessible(static_cast<HeatMapView*>(object));
}

} // namespace

void installHeatMapAccessibility()
{
    static const bool installed = [] {
        QAccessible::installFactory(&makeInterface);
        return true;
    }();
    Q_UNUSED(installed)
}

void announceHeatMapFocus(HeatMapView& view)
{
    const std::optional<GpuAddress> current = view.current();
    if (!current || !QAccessible::isActive())
        return;
    QAccessibleEvent event(&view, QAccessible::Focus);
    event.setChild(current->node * view.grid().columnCount() + current->gpu);
    QAccessible::updateAccessibility(&event);
}

} // namespace rankwright
