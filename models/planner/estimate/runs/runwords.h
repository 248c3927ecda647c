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

/// The texts of a row in lower case.
struct RunWords {
    QString source;
    QString hardware;
    QString model;
    QString strategy;
    QString precision;
    QString optimizer;
    QString checkpointing;
    QString attention;
    QString notes;
    int month = 0; ///< year * 12 + month, from the source or the notes; 0: no date is there

    static RunWords of(const RunCells& cells);
};

/// As RunWords::month counts.
constexpr int monthOf(int year, int month) { return year * 12 + month; }

bool has(const QString& text, const QString& word); ///< as a part
/// As a word of its own: no letter or digit on either side.
bool hasWord(const QString& text, const QString& word);
/// The number behind a word: 4 of "tp4", "TP 4", "cp=4"; the word is on its own.
std::optional<qint64> numberBehind(const QString& text, const QString& word);
bool matches(const QString& text, const QString& pattern);
void report(QString& sentences, const QString& sentence); ///< appends one more

} // namespace rankwright::inline planner::runs
