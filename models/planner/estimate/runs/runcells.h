// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QStringList>
#include <optional>

namespace rankwright::inline planner::runs {

/// The cells of one row by column name.
class RunCells {
public:
    RunCells(const QHash<QString, qsizetype>& columns, const QStringList& cells)
        : m_columns(columns), m_cells(cells) { }

    QString text(const QString& column) const; ///< trimmed; empty: none
    /// A whole number within bounds; what is written and is none is reported by faults().
    std::optional<qint64> count(const QString& column, qint64 least = 1, qint64 most = 1'000'000'000'000) const;
    std::optional<double> number(const QString& column) const; ///< finite and above 0
    const QStringList& faults() const { return m_faults; }

private:
    const QHash<QString, qsizetype>& m_columns;
    const QStringList& m_cells;
    mutable QStringList m_faults; // a reader's notes, no part of the row
};

} // namespace rankwright::inline planner::runs
