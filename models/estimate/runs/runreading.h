// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/estimate/runs/runtable.h"

#include <QHash>
#include <QRegularExpression>
#include <QStringList>

namespace rankwright::runs {

// The parts of readRuns(): each looks at the words of a row and fills in what it understands.

/// The cells of one row by column name.
class Cells {
public:
    Cells(const QHash<QString, qsizetype>& columns, const QStringList& cells) : m_columns(columns), m_cells(cells) { }

    QString text(const QString& column) const; ///< trimmed; empty: none
    /// A whole number within bounds; what is written and is none is told by faults().
    std::optional<qint64> count(const QString& column, qint64 least = 1, qint64 most = 1'000'000'000'000) const;
    std::optional<double> number(const QString& column) const; ///< finite and above 0
    const QStringList& faults() const { return m_faults; }

private:
    const QHash<QString, qsizetype>& m_columns;
    const QStringList& m_cells;
    mutable QStringList m_faults; // a reader's notes, no part of the row
};

/// The texts of a row in lower case.
struct Words {
    QString source;
    QString hardware;
    QString model;
    QString strategy;
    QString precision;
    QString optimizer;
    QString checkpointing;
    QString attention;
    QString notes;
    int month = 0; ///< year * 12 + month, from the source or the notes; 0: no date stands there

    static Words of(const Cells& cells);
};

bool has(const QString& text, const QString& word); ///< as a part
/// As a word of its own: no letter or digit on either side.
bool hasWord(const QString& text, const QString& word);
/// The number behind a word: 4 of "tp4", "TP 4", "cp=4"; the word stands on its own.
std::optional<qint64> numberBehind(const QString& text, const QString& word);
bool matches(const QString& text, const QString& pattern);
void report(QString& sentences, const QString& sentence); ///< appends one more

QString stackOf(const Words& words); ///< runstack.cpp
bool isFsdp(const QString& stack); ///< one of PyTorch's own
bool isMegatron(const QString& stack);

/// Precision, optimiser, recomputation, attention and switches. In: stack and layout are there, the shape too.
void readDefaults(RunRow& row, const Words& words); ///< runwords.cpp
MemoryCounter counterOf(const Words& words);

/// Degrees and batch. In: the stack, the shape. Out: layout, missing, missingForTime, note.
void readLayout(RunRow& row, const Cells& cells, const Words& words); ///< runlayout.cpp

/// The model. In: the stack. Out: workload.shape and .sequence, missing, note.
void readShape(RunRow& row, const Cells& cells, const Words& words); ///< runmodel.cpp

} // namespace rankwright::runs
