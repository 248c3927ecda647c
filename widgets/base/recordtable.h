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
    Q_DISABLE_COPY_MOVE(RecordTable)
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

protected:
    void resizeEvent(QResizeEvent* event) override;

signals:
    void selected(const QString& id); ///< by user or program; empty: nothing selected

private:
    QSortFilterProxyModel* m_proxy = nullptr;
};

} // namespace rankwright
