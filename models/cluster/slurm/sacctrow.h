// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/slurmtext.h"

#include <QByteArray>
#include <QHash>
#include <QList>

namespace rankwright::inline cluster {

/// More than a job's script and all its command lines: longer text is not a row.
inline constexpr qsizetype longestSacctRow = 1 << 20;

/// The rows of an answer of sacct below its header, whole ones alone. A cell may hold line ends: SubmitLine is the
/// command as it was typed, and `srun bash -c '...'` has several lines.
inline QList<QByteArray> sacctRows(const QByteArray& answer)
{
    const qsizetype whole = answer.lastIndexOf('\n');
    const QList<QByteArray> lines = answer.left(qMax<qsizetype>(0, whole)).split('\n');
    const qsizetype marks = lines.first().count(cellMark);
    QList<QByteArray> rows;
    QByteArray begun; // a row whose last cells are still to come
    qsizetype begunMarks = 0;
    const auto forget = [&] {
        begun.clear();
        begunMarks = 0;
    };
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const QByteArray& line = lines.at(i);
        const qsizetype own = line.count(cellMark);
        if (own == marks && marks > 0) {
            rows.append(line);
            forget();
        } else if (own == 0 && begun.isEmpty()) {
            if (!rows.isEmpty())
                rows.last() += '\n' + line; // of its last cell
        } else {
            if (!begun.isEmpty())
                begun += '\n';
            begun += line;
            begunMarks += own;
            if (begunMarks == marks)
                rows.append(begun);
            if (begunMarks >= marks || begun.size() > longestSacctRow)
                forget();
        }
    }
    return rows;
}

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

} // namespace rankwright::inline cluster
