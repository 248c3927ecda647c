// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QByteArray>
#include <QByteArrayView>

#include <optional>
#include <vector>

namespace rankwright::inline insight {

/// Writes numbers, texts and columns of numbers, one after another. A column holds the differences between neighbours
/// as numbers of as few bytes as they need, after the part that all values share was taken away (powers of two of byte
/// counts, up to four decimal places of readings): nothing is lost, and zlib finds the rest. Value for the stack.
class ColumnWriter {
public:
    void number(quint64 value);
    void signedNumber(qint64 value);
    void text(const QByteArray& utf8);
    void column(const std::vector<std::optional<qint64>>& values);
    void column(const std::vector<std::optional<double>>& values); ///< NaN counts as unknown
    const QByteArray& bytes() const { return m_bytes; }

private:
    QByteArray m_bytes;
};

/// Reads what ColumnWriter wrote. Bytes that it did not write make `failed()` true, and every answer 0 or empty from
/// there on. Does not own the bytes.
class ColumnReader {
public:
    explicit ColumnReader(QByteArrayView bytes) : m_left(bytes) { }
    quint64 number();
    qint64 signedNumber();
    /// A number that must be at most `most`.
    int count(int most);
    QByteArray text();
    /// The bytes of one column, for a ColumnCursor.
    QByteArrayView column();
    bool failed() const { return m_failed; }
    bool atEnd() const { return m_left.isEmpty(); }

private:
    QByteArrayView readBytes(qsizetype size);

    QByteArrayView m_left;
    bool m_failed = false;
};

/// Walks through one column, value by value. Does not own the bytes.
class ColumnCursor {
public:
    /// `count` is how many values the column has.
    ColumnCursor(QByteArrayView column, qsizetype count);
    /// To the next value; false at the end, or where the bytes are wrong.
    bool next();
    /// Over `count` values.
    bool skip(qsizetype count);
    bool failed() const { return m_failed; }
    bool isKnown() const { return m_known; }
    /// No value of this column is known.
    bool isEmpty() const { return m_kind == 0; }
    qint64 whole() const;
    double real() const;

private:
    bool step();

    ColumnReader m_reader;
    QByteArrayView m_presence; ///< a bit per value; empty: all alike
    qsizetype m_count;
    qsizetype m_passed = 0; ///< values up to the present one, with it
    quint64 m_value = 0;
    int m_kind = 0;
    int m_scale = 0;
    bool m_known = false;
    bool m_begun = false;
    bool m_failed = false;
};

/// The whole of a column; false: the bytes are wrong.
bool isWhole(QByteArrayView column, qsizetype count);

/// Bytes for storage: kind and version, checksum, zlib.
QByteArray packBlob(char kind, const QByteArray& payload);
/// And back. Error (Unreadable): another kind or a newer version, damaged, or larger than anything that is written.
Result<QByteArray> unpackBlob(char kind, const QByteArray& blob);

} // namespace rankwright::inline insight
