// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/tables/layoutmodel.h"
#include "widgets/base/recordtable.h"

namespace rankwright {

/// Memory of a layout as a bar against what can be used, the figure beside it.
class MemoryBarDelegate final : public QStyledItemDelegate {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(MemoryBarDelegate)
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// Dresses a table over a LayoutModel: widths, bar, what stands at the end.
void dressLayoutTable(RecordTable& table);

} // namespace rankwright
