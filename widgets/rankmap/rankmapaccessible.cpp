// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rankmap/rankmapaccessible.h"

#include "widgets/base/accessiblegrid.h"
#include "widgets/base/translate.h"
#include "widgets/rankmap/rankmapview.h"

#include <QAccessible>
#include <QCoreApplication>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

class RankMapGrid final : public AccessibleGrid {
public:
    explicit RankMapGrid(const RankMapView& view) : m_view(view) { }

    int rows() const override { return m_view.layoutShown().nodes; }
    int columns() const override { return int(m_view.layoutShown().dies.size()); }
    /// The description's first line names the rank, the rest describes it.
    QString cellText(GridCell cell, QAccessible::Text kind) const override
    {
        const QString summary = m_view.storyOf(spot(cell));
        switch (kind) {
        case QAccessible::Name: return summary.section(u'\n', 0, 0);
        case QAccessible::Description: return summary.section(u'\n', 1).replace(u'\n', u"; "_s);
        case QAccessible::Value: {
            const RankPlace* place = m_view.dataShown().placeAt(spot(cell));
            return place ? QString::number(place->rank) : QString();
        }
        default: return {};
        }
    }
    QString rowText(int row) const override { return tr("node %1").arg(row + 1); }
    QString columnText(int column) const override
    {
        return u"%1 %2"_s.arg(m_view.dataShown().shape.gpu.word).arg(spot({0, column}).gpu);
    }
    QRect cellBox(GridCell cell) const override { return m_view.boxOnViewport(spot(cell)); }
    std::optional<GridCell> cellAt(QPoint point) const override { return cellOf(m_view.spotAt(point)); }
    std::optional<GridCell> current() const override { return cellOf(m_view.selectedSpot()); }

private:
    GpuAddress spot(GridCell cell) const { return {cell.row, m_view.layoutShown().dies.value(cell.column).gpu}; }
    std::optional<GridCell> cellOf(const std::optional<GpuAddress>& at) const
    {
        for (int column = 0; at && column < columns(); ++column) {
            if (m_view.layoutShown().dies.at(column).gpu == at->gpu)
                return GridCell{at->node, column};
        }
        return std::nullopt;
    }

    const RankMapView& m_view;
};

QAccessibleInterface* makeRankMapInterface(const QString& className, QObject* object)
{
    if (className != QLatin1String(RankMapView::staticMetaObject.className()))
        return nullptr;
    auto* view = static_cast<RankMapView*>(object);
    return makeGridInterface(*view, std::make_unique<RankMapGrid>(*view));
}

} // namespace

void installRankMapAccessibility()
{
    static const bool installed = [] {
        QAccessible::installFactory(&makeRankMapInterface);
        return true;
    }();
    Q_UNUSED(installed)
}

void announceRankMapFocus(RankMapView& view) { announceGridFocus(view, RankMapGrid(view)); }

} // namespace rankwright
