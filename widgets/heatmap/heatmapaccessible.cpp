// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmapaccessible.h"

#include "widgets/base/accessiblegrid.h"
#include "widgets/heatmap/heatmapview.h"

#include <QAccessible>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

class HeatMapGrid final : public AccessibleGrid {
public:
    explicit HeatMapGrid(const HeatMapView& view) : m_view(view) { }

    // Rows as they are shown, so that the reader's order is the eye's.
    int rows() const override { return int(m_view.shownRows().size()); }
    int columns() const override { return m_view.grid().gpusPerNode(); }
    QString cellText(GridCell cell, QAccessible::Text kind) const override
    {
        const GpuAddress address = addressOf(cell);
        switch (kind) {
        case QAccessible::Name: return nameOf(address);
        case QAccessible::Value:
            return figureWithUnit(
                m_view.measure(), readGpu(m_view.grid(), address, m_view.measure(), m_view.state()).value);
        case QAccessible::Description: return describeGpu(m_view.grid(), address, m_view.state());
        default: return {};
        }
    }
    QString rowText(int row) const override
    {
        const int node = m_view.shownRows().at(row);
        return m_view.grid().series().nodes().value(node) + u", "_s + ranksOf(m_view.grid(), node);
    }
    QString columnText(int column) const override { return u"%1 %2"_s.arg(m_view.grid().gpuWord()).arg(column); }
    QRect cellBox(GridCell cell) const override { return m_view.cellOnViewport(addressOf(cell)); }
    std::optional<GridCell> cellAt(QPoint point) const override { return cellOf(m_view.cellAt(point)); }
    std::optional<GridCell> current() const override { return cellOf(m_view.current()); }

private:
    GpuAddress addressOf(GridCell cell) const { return {m_view.shownRows().value(cell.row), cell.column}; }
    std::optional<GridCell> cellOf(std::optional<GpuAddress> address) const
    {
        const int slot = address ? m_view.slotOf(address->node) : -1;
        return slot >= 0 ? std::optional(GridCell{slot, address->gpu}) : std::nullopt;
    }
    QString nameOf(GpuAddress address) const
    {
        const QString name = speakGpu(m_view.grid(), address, m_view.measure(), m_view.state());
        if (!m_view.isFolded())
            return name;
        for (const HeatMapGroup& group : m_view.groups()) {
            if (group.group.rows.contains(address.node))
                return name + u"; "_s + describeGroup(m_view.grid(), m_view.field(), group).replace(u'\n', u", "_s);
        }
        return name;
    }

    const HeatMapView& m_view;
};

QAccessibleInterface* makeHeatMapInterface(const QString& className, QObject* object)
{
    if (className != QLatin1String(HeatMapView::staticMetaObject.className()))
        return nullptr;
    auto* view = static_cast<HeatMapView*>(object);
    return makeGridInterface(*view, std::make_unique<HeatMapGrid>(*view));
}

} // namespace

void installHeatMapAccessibility()
{
    static const bool installed = [] {
        QAccessible::installFactory(&makeHeatMapInterface);
        return true;
    }();
    Q_UNUSED(installed)
}

void announceHeatMapFocus(HeatMapView& view) { announceGridFocus(view, HeatMapGrid(view)); }

} // namespace rankwright
