// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/designaccessible.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "widgets/base/accessiblegrid.h"
#include "widgets/base/translate.h"
#include "widgets/design/batchview.h"
#include "widgets/design/strategyview.h"

#include <QAccessible>
#include <QCoreApplication>

#include <array>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

class BatchGrid final : public AccessibleGrid {
public:
    explicit BatchGrid(const BatchView& view) : m_view(view) { }

    int rows() const override { return m_view.planShown().dataParallel; }
    int columns() const override { return 3; }
    QString cellText(GridCell cell, QAccessible::Text kind) const override
    {
        if (kind != QAccessible::Name && kind != QAccessible::Value)
            return {};
        const BatchPlan& plan = m_view.planShown();
        const std::array<qint64, 3> figures{
            plan.microBatch, plan.gradientAccumulation, plan.microBatch * plan.gradientAccumulation};
        return humanNumber(double(figures.at(size_t(cell.column))));
    }
    QString rowText(int row) const override { return tr("Data-parallel rank %1").arg(row); }
    QString columnText(int column) const override
    {
        const std::array<QString, 3> heads{
            tr("Sequences at a time"), tr("Accumulation steps"), tr("Sequences per step")};
        return heads.at(size_t(column));
    }
    QRect cellBox(GridCell cell) const override { return m_view.boxOf(cell.row); }
    std::optional<GridCell> cellAt(QPoint point) const override
    {
        const auto index = m_view.indexAt(point);
        return index ? std::optional(GridCell{*index, 0}) : std::nullopt;
    }
    std::optional<GridCell> current() const override
    {
        const std::optional<int> index = m_view.selectedIndex();
        return index ? std::optional(GridCell{*index, 0}) : std::nullopt;
    }

private:
    const BatchView& m_view;
};

/// Who holds what; of a strategy without data-parallel ranks the stages, and of one without these the slices of a
/// layer.
class StrategyGrid final : public AccessibleGrid {
public:
    explicit StrategyGrid(const StrategyView& view) : m_view(view) { }

    int rows() const override
    {
        const StrategyPicture& picture = m_view.pictureShown();
        return picture.data    ? picture.data->ranks
            : picture.pipeline ? int(picture.pipeline->stages.size())
            : picture.tensor   ? picture.tensor->ranks
                               : 0;
    }
    int columns() const override { return m_view.pictureShown().data ? 3 : 1; }
    QString cellText(GridCell cell, QAccessible::Text kind) const override
    {
        if (kind != QAccessible::Name && kind != QAccessible::Value)
            return {};
        const StrategyPicture& picture = m_view.pictureShown();
        if (picture.data) {
            const auto row = size_t(cell.column);
            const QString held = gibText(picture.data->each.at(row));
            return picture.data->sharded.at(row) ? tr("%1 of %2").arg(held, gibText(picture.data->whole.at(row)))
                                                 : held;
        }
        if (picture.pipeline) {
            const auto& stage = picture.pipeline->stages.at(cell.row);
            const QString layers = tr("Layers %1 to %2").arg(stage.firstLayer).arg(stage.lastLayer);
            return stage.extra.isEmpty() ? layers : layers + u", "_s + stage.extra;
        }
        return picture.tensor ? picture.tensor->caption : QString();
    }
    QString rowText(int row) const override
    {
        const StrategyPicture& picture = m_view.pictureShown();
        return picture.data    ? tr("Data-parallel rank %1").arg(row)
            : picture.pipeline ? tr("Stage %1").arg(row + 1)
                               : tr("Tensor rank %1").arg(row);
    }
    QString columnText(int column) const override
    {
        const std::array<QString, 3> heads{tr("Weights"), tr("Gradients"), tr("Optimiser state")};
        return m_view.pictureShown().data ? heads.at(size_t(column)) : tr("Holds");
    }
    QRect cellBox(GridCell) const override { return m_view.rect(); }
    std::optional<GridCell> cellAt(QPoint) const override { return current(); }
    std::optional<GridCell> current() const override
    {
        const StrategyPicture& picture = m_view.pictureShown();
        const std::optional<int> rank = m_view.selectedRank();
        if (!rank)
            return {};
        const int row = picture.data ? picture.shardIndex(*rank)
            : picture.pipeline       ? picture.stageIndex(*rank)
                                     : picture.tensorIndex(*rank);
        return row >= 0 && row < rows() ? std::optional(GridCell{row, 0}) : std::nullopt;
    }

private:
    const StrategyView& m_view;
};

QAccessibleInterface* makeDesignInterface(const QString& className, QObject* object)
{
    if (className == QLatin1String(BatchView::staticMetaObject.className())) {
        auto* view = static_cast<BatchView*>(object);
        return makeGridInterface(*view, std::make_unique<BatchGrid>(*view));
    }
    if (className == QLatin1String(StrategyView::staticMetaObject.className())) {
        auto* view = static_cast<StrategyView*>(object);
        return makeGridInterface(*view, std::make_unique<StrategyGrid>(*view));
    }
    return nullptr;
}

} // namespace

void installDesignAccessibility()
{
    static const bool installed = [] {
        QAccessible::installFactory(&makeDesignInterface);
        return true;
    }();
    Q_UNUSED(installed)
}

} // namespace rankwright
