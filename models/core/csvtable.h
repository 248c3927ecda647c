// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QList>
#include <QStringList>

namespace rankwright::inline core {

/// A table of texts with a head.
struct CsvTable {
    struct Row {
        int line = 0; ///< in the file, 1 based, where the row begins
        QStringList cells; ///< as many as were written
        bool operator==(const Row&) const = default;
    };
    QStringList columns; ///< the first line's cells, trimmed
    QList<Row> rows; ///< empty lines are left out
};

/// RFC 4180 in UTF-8: commas, CRLF or LF, quotes around a cell with commas, newlines or doubled quotes inside. A byte
/// order mark is skipped; a quote inside an unquoted cell is taken as it stands. Fails on a quote that is never closed
/// (with its line), on binary data, and beyond 64 MiB.
Result<CsvTable> parseCsv(const QByteArray& bytes, const QString& name);

} // namespace rankwright::inline core
