// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmapaccessible.h"

#include "widgets/gridaccessible.h"
#include "widgets/heatmapview.h"

#include <QAccessible>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

class HeatMapGrid final : public AccessibleGrid {
public:
    explicit HeatMapGrid(const HeatMapView& view) : m_view(view) { }

    int rows() const override { return m_view.grid().rowCount(); }
    int columns() const override { return m_view.grid().columnCount(); }
    QString cellText(GridCell cell, QAccessible::Text kind) const override
    {
        const GpuAddress address{cell.row, cell.column};
        switch (kind) {
        case QAccessible::Name: return speakGpu(m_view.grid(), address, m_view.measure(), m_view.isEnded());
        case QAccessible::Value:
            return figureWithUnit(
                m_view.measure(), readGpu(m_view.grid(), address, m_view.measure(), m_view.isEnded()).value);
        case QAccessible::Description: return describeGpu(m_view.grid(), address, m_view.isEnded());
        default: return {};
        }
    }
    QString rowText(int row) const override
    {
        return m_view.grid().series().nodes().value(row) + u", "_s + ranksOf(m_view.grid(), row);
    }
    QString columnText(int column) const override { return u"%1 %2"_s.arg(m_view.grid().gpuWord()).arg(column); }
    QRect cellBox(GridCell cell) const override { return m_view.cellOnViewport({cell.row, cell.column}); }
    std::optional<GridCell> cellAt(QPoint point) const override
    {
        const QPoint origin = m_view.cells().cell({0, 0}).topLeft() - m_view.cellOnViewport({0, 0}).topLeft();
        const std::optional<GpuAddress> hit = m_view.cells().cellAt(point + origin);
        return hit ? std::optional(GridCell{hit->node, hit->gpu}) : std::nullopt;
    }
    std::optional<GridCell> current() const override
    {
        const std::optional<GpuAddress> address = m_view.current();
        return address ? std::optional(GridCell{address->node, address->gpu}) : std::nullopt;
    }

private:
    const HeatMapView& m_view;
};

QAccessibleInterface* makeInterface(const QString& className, QObject* object)
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
        QAccessible::installFactory(&makeInterface);
        return true;
    }();
    Q_UNUSED(installed)
}

void announceHeatMapFocus(HeatMapView& view) { announceGridFocus(view, HeatMapGrid(view)); }

} // namespace rankwright
