// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/tone.h"

#include <QTableView>

class QSortFilterProxyModel;

namespace rankwright {

/// A table over a RecordModel: sorted, filtered by a text, one row selected. Owns its proxy, not the model.
class RecordTable final : public QTableView {
    Q_OBJECT
public:
    explicit RecordTable(QAbstractItemModel& model, QWidget* parent = nullptr);

    void setFilter(const QString& text);
    /// RecordIdRole of the selected row; empty when none.
    QString selectedId() const;
    /// Of all selected rows, where several may be (setSelectionMode).
    QStringList selectedIds() const;
    /// False when the id is not shown.
    bool selectId(const QString& id);
    int shownRows() const;
    /// As high as its rows, no scroll bar of its own: for short tables inside a page that scrolls.
    void fitHeight();
    /// Each column as wide as what is in it, with an equal share of the room that is left; where there is none the
    /// table scrolls sideways. As high as its rows. For short tables, whose content does not change.
    void spreadColumns();

protected:
    void resizeEvent(QResizeEvent* event) override;

signals:
    void selected(const QString& id); ///< by user or program; empty: nothing selected
    void widthChanged(); ///< of what columns can share

private:
    void spread();

    QSortFilterProxyModel* m_proxy = nullptr;
};

} // namespace rankwright
