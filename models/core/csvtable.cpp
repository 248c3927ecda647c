// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/csvtable.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline core {

namespace {

constexpr qsizetype largestFile = 64 * 1024 * 1024;
constexpr qsizetype mostCells = 10'000; // of a row: more is not one of our tables

/// Walks over the text once.
class CsvReader {
public:
    explicit CsvReader(const QString& text) : m_text(text) { }

    bool atEnd() const { return m_at >= m_text.size(); }
    int line() const { return m_line; }

    /// One row; false: a quote was never closed.
    bool row(QStringList& cells)
    {
        for (;;) {
            QString cell;
            if (!atEnd() && m_text.at(m_at) == u'"' && !quoted(cell))
                return false;
            plain(cell);
            cells.append(cell);
            if (atEnd() || m_text.at(m_at) == u'\n' || cells.size() >= mostCells)
                break;
            ++m_at; // the comma
        }
        endLine();
        return true;
    }

private:
    bool quoted(QString& cell)
    {
        for (++m_at; !atEnd(); ++m_at) {
            const QChar c = m_text.at(m_at);
            if (c == u'"' && (m_at + 1 >= m_text.size() || m_text.at(m_at + 1) != u'"')) {
                ++m_at;
                return true;
            }
            if (c == u'"')
                ++m_at; // doubled: one quote
            if (c == u'\n')
                ++m_line;
            cell.append(c);
        }
        return false;
    }

    /// Up to the next comma or line end; behind a closing quote this is what should not be there.
    void plain(QString& cell)
    {
        for (; !atEnd() && m_text.at(m_at) != u',' && m_text.at(m_at) != u'\n'; ++m_at)
            if (m_text.at(m_at) != u'\r')
                cell.append(m_text.at(m_at));
    }

    void endLine()
    {
        while (!atEnd() && m_text.at(m_at) != u'\n')
            ++m_at;
        if (!atEnd()) {
            ++m_at;
            ++m_line;
        }
    }

    const QString& m_text;
    qsizetype m_at = 0;
    int m_line = 1;
};

} // namespace

Result<CsvTable> parseCsv(const QByteArray& bytes, const QString& name)
{
    if (bytes.size() > largestFile)
        return fail(Fault::Unreadable, u"%1 is larger than 64 MiB."_s.arg(name), {}, u"Give a part of it."_s);
    if (bytes.contains('\0'))
        return fail(Fault::Unreadable, u"%1 is not a text file."_s.arg(name), {}, u"Save the table as CSV in UTF-8."_s);
    QString text = QString::fromUtf8(bytes);
    if (text.startsWith(QChar(QChar::ByteOrderMark)))
        text.remove(0, 1);
    CsvTable table;
    for (CsvReader reader(text); !reader.atEnd();) {
        CsvTable::Row row;
        row.line = reader.line();
        if (!reader.row(row.cells))
            return fail(Fault::Unreadable,
                u"%1, line %2: a quote is opened and never closed."_s.arg(name, QString::number(row.line)), {},
                u"Close it, or double quotes that belong to the text."_s);
        if (row.cells.size() == 1 && row.cells.first().trimmed().isEmpty())
            continue;
        if (table.columns.isEmpty()) {
            for (const QString& cell : row.cells)
                table.columns.append(cell.trimmed());
            continue;
        }
        table.rows.append(row);
    }
    return table;
}

} // namespace rankwright::inline core
