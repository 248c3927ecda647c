// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/motion/motionaccessible.h"

#include "widgets/base/accessiblegrid.h"
#include "widgets/motion/motionview.h"

#include <QAccessible>

namespace rankwright {

namespace {

class MotionGrid final : public AccessibleGrid {
public:
    explicit MotionGrid(const MotionView& view) : m_view(view) { }

    int rows() const override { return int(m_view.picture().frames.size()); }
    int columns() const override { return 1; }
    QString cellText(GridCell cell, QAccessible::Text kind) const override
    {
        return kind == QAccessible::Name ? m_view.picture().frames.value(cell.row).sentence : QString();
    }
    QString rowText(int row) const override { return MotionView::tr("Frame %1 of %2").arg(row + 1).arg(rows()); }
    QString columnText(int) const override { return MotionView::tr("What happens"); }
    /// The frame that is shown fills the view; the others are nowhere.
    QRect cellBox(GridCell cell) const override
    {
        return cell.row == m_view.frame() ? m_view.viewport()->rect() : QRect();
    }
    std::optional<GridCell> cellAt(QPoint) const override { return current(); }
    std::optional<GridCell> current() const override
    {
        return rows() > 0 ? std::optional(GridCell{m_view.frame(), 0}) : std::nullopt;
    }

private:
    const MotionView& m_view;
};

QAccessibleInterface* makeMotionInterface(const QString& className, QObject* object)
{
    if (className != QLatin1String(MotionView::staticMetaObject.className()))
        return nullptr;
    auto* view = static_cast<MotionView*>(object);
    return makeGridInterface(*view, std::make_unique<MotionGrid>(*view));
}

} // namespace

void installMotionAccessibility()
{
    static const bool installed = [] {
        QAccessible::installFactory(&makeMotionInterface);
        return true;
    }();
    Q_UNUSED(installed)
}

} // namespace rankwright
