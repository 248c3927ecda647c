// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/clioutput.h"

#include <QJsonDocument>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright {

void printJson(QTextStream& out, const QJsonObject& object)
{
    out << QString::fromUtf8(QJsonDocument(object).toJson());
}

void printJson(QTextStream& out, const QJsonArray& array) { out << QString::fromUtf8(QJsonDocument(array).toJson()); }

void JsonArrayPrinter::add(const QJsonObject& object)
{
    QByteArray text = QJsonDocument(object).toJson().trimmed();
    text.replace('\n', "\n    "); // as QJsonDocument writes an array; in a text it would be escaped
    m_out << (m_isEmpty ? u"\n    "_s : u",\n    "_s) << QString::fromUtf8(text);
    m_isEmpty = false;
}

void TextTable::print(QTextStream& out) const
{
    static const QRegularExpression figure(u"^[-+]?[0-9][0-9.\\x{2009}]*$"_s);
    QList<qsizetype> widths(m_rows.first().size(), 0);
    for (const QStringList& row : m_rows) {
        for (qsizetype column = 0; column < row.size() && column < widths.size(); ++column)
            widths[column] = qMax(widths.at(column), row.at(column).size());
    }
    const auto printRow = [&](const QStringList& row) {
        QString line;
        for (qsizetype column = 0; column < widths.size(); ++column) {
            const QString cell = row.value(column);
            const int width = static_cast<int>(widths.at(column));
            line += figure.match(cell).hasMatch() ? cell.rightJustified(width) : cell.leftJustified(width);
            line += u"  "_s;
        }
        while (line.endsWith(u' '))
            line.chop(1);
        out << line << u'\n';
    };
    printRow(m_rows.first());
    qsizetype total = 2 * (widths.size() - 1);
    for (const qsizetype width : std::as_const(widths))
        total += width;
    out << QString(total, u'-') << u'\n';
    for (qsizetype row = 1; row < m_rows.size(); ++row)
        printRow(m_rows.at(row));
}

void TextFacts::print(QTextStream& out) const
{
    qsizetype width = 0;
    for (const auto& [name, value] : m_facts)
        width = qMax(width, name.size());
    for (const auto& [name, value] : m_facts)
        out << QString(name + u':').leftJustified(static_cast<int>(width) + 2) << value << u'\n';
}

} // namespace rankwright
