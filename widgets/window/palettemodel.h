// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/palette/paletteindex.h"

#include <QAbstractListModel>

#include <optional>

namespace rankwright {

/// What answers a query, in sections: rows that are headings, which cannot be selected, and rows that are entries. The
/// section with the best answer comes first.
class PaletteModel final : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { IdRole = Qt::UserRole, HeadingRole, ShortcutRole, ReasonRole, OffRole, MatchedRole };

    explicit PaletteModel(QObject* parent = nullptr) : QAbstractListModel(parent) { }

    /// `recent`: ids of what was used lately, the latest first.
    void setEntries(const QList<PaletteEntry>& entries, const QStringList& recent);
    void setQuery(const QString& query);

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(m_rows.size()); }
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// The row of an entry at or beyond `row` in this direction, 1 or -1; -1: there is none.
    int entryFrom(int row, int step) const;
    /// How many rows are entries.
    int entries() const;

private:
    struct Row {
        std::optional<int> entry; ///< empty: a heading
        QString heading;
        QList<int> matched;
    };

    PaletteIndex m_index;
    QStringList m_recent;
    QList<Row> m_rows;
};

} // namespace rankwright
