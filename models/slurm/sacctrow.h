// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/slurm/slurmtext.h"

#include <QByteArray>
#include <QHash>
#include <QList>

namespace rankwright {

/// An answer of sacct: cells between cellMark, and a first line that names the columns, since versions differ in what
/// they have. Reads cells; knows no meaning.
class SacctRow {
public:
    explicit SacctRow(const QByteArray& header)
    {
        const QList<QByteArray> names = header.split(cellMark);
        for (int i = 0; i < names.size(); ++i)
            m_columns.insert(QString::fromUtf8(names.at(i)).trimmed(), i);
    }
    bool has(const QString& name) const { return m_columns.contains(name); }
    void setRow(const QByteArray& row) { m_cells = row.split(cellMark); }
    bool rowIsWhole() const { return m_cells.size() == m_columns.size(); }
    /// Empty for a column that is not there and for Slurm's words for nothing.
    QString text(const QString& name) const { return slurmCell(m_cells.value(m_columns.value(name, -1))); }

private:
    QHash<QString, int> m_columns;
    QList<QByteArray> m_cells;
};

} // namespace rankwright
