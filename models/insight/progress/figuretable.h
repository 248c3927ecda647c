// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/progress/progressline.h"

#include <QByteArrayView>
#include <QList>
#include <QString>

#include <optional>

namespace rankwright::inline insight {

/// Reads a table of figures whose columns are named once: notebooks of Transformers and TRL ("Step<TAB>Training Loss"),
/// tables in Markdown, columns that a program aligns with blanks. The first column counts steps or epochs; a row has as
/// many cells as the heading, all of them numbers, and counts no less than the one before. Constant memory. Value type.
class FigureTable {
public:
    /// Could this line name columns? One pass; false is certain.
    static bool mayBegin(QByteArrayView raw);
    /// A heading was read, and rows may still come.
    bool isOpen() const { return m_patience > 0; }
    /// What a row says; nothing for a heading and for any other line.
    std::optional<ProgressHint> read(const QString& text);

private:
    enum class Border { Tabs, Bars, Blanks };
    enum class Column { Step, Epoch, Loss, EvalLoss, Reward, Kl, Tokens, Other };
    static QStringList cellsOf(const QString& text, Border border);
    static Column columnOf(const QString& name);
    bool begin(const QString& text, Border border);
    std::optional<ProgressHint> rowIn(const QString& text);

    QList<Column> m_columns;
    Border m_border = Border::Tabs;
    int m_patience = 0; ///< other lines until the table has ended
    double m_count = 0; ///< of the newest row
};

} // namespace rankwright::inline insight
