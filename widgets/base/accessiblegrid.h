// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QAccessibleInterface>

#include <memory>
#include <optional>

namespace rankwright {

/// A cell of a painted grid, mostly of GPUs.
struct GridCell {
    int row = 0;
    int column = 0;
    auto operator<=>(const GridCell&) const = default; // NOLINT(modernize-use-nullptr): of what is generated
};

/// What a painted view reports of itself as a table: nodes are rows, GPUs columns. Answers from the view as it is now.
class AccessibleGrid {
public:
    virtual ~AccessibleGrid() = default;
    virtual int rows() const = 0;
    virtual int columns() const = 0;
    virtual QString cellText(GridCell cell, QAccessible::Text kind) const = 0;
    virtual QString rowText(int row) const = 0;
    virtual QString columnText(int column) const = 0;
    virtual QRect cellBox(GridCell cell) const = 0; ///< in the viewport, or in the view that does not scroll
    virtual std::optional<GridCell> cellAt(QPoint point) const = 0; ///< in the viewport
    virtual std::optional<GridCell> current() const = 0;
};

/// The view as a table for assistive tools; a cell's interface is made when it is asked for, since a reader looks at
/// few.
QAccessibleInterface* makeGridInterface(QWidget& view, std::unique_ptr<AccessibleGrid> grid);
/// Notifies assistive tools that the current cell has the focus.
void announceGridFocus(QWidget& view, const AccessibleGrid& grid);

} // namespace rankwright
