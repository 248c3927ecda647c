// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/clicontext.h"
#include "models/core/jsonvalue.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTextStream>

namespace rankwright {

/// Prints one JSON document and a newline: the whole of a --json answer.
void printJson(QTextStream& out, const QJsonObject& object);
void printJson(QTextStream& out, const QJsonArray& array);

/// A job's name in a table, in characters: one of 200 would push the other columns out of the terminal.
inline constexpr qsizetype longestTableName = 60;

/// A table for a terminal: columns as wide as their widest cell, numbers on the right, a rule below the heads.
class TextTable {
public:
    explicit TextTable(const QStringList& heads) : m_rows{heads} { }
    void add(const QStringList& cells) { m_rows.append(cells); }
    void print(QTextStream& out) const;

private:
    QList<QStringList> m_rows;
};

/// Prints a JSON array value by value, so that a long answer is never in memory as a whole.
class JsonArrayPrinter {
    Q_DISABLE_COPY_MOVE(JsonArrayPrinter)
public:
    explicit JsonArrayPrinter(QTextStream& out) : m_out(out) { m_out << u'['; }
    void add(const QJsonObject& object);
    ~JsonArrayPrinter() { m_out << QStringView(m_isEmpty ? u"]\n" : u"\n]\n"); }

private:
    QTextStream& m_out;
    bool m_isEmpty = true;
};

/// A list as the whole answer: a JSON array of `toJson(record)`, or the table after `addRows(table, record)` for each.
template <typename Record, typename ToJson, typename AddRows>
void printRecords(
    const CliContext& context, const QList<Record>& records, ToJson toJson, TextTable table, AddRows addRows)
{
    if (context.json) {
        JsonArrayPrinter all(context.out);
        for (const Record& record : records)
            all.add(toJson(record));
        return;
    }
    for (const Record& record : records)
        addRows(table, record);
    table.print(context.out);
}

/// "name: value" lines for a terminal, values aligned.
class TextFacts {
public:
    void add(const QString& name, const QString& value) { m_facts.append({name, value}); }
    void print(QTextStream& out) const;

private:
    QList<std::pair<QString, QString>> m_facts;
};

} // namespace rankwright
