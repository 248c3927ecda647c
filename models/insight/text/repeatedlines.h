// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>

#include <functional>
#include <vector>

namespace rankwright::inline insight {

/// How a line ended: by a newline, or by a carriage return, so that the next one is written over it.
enum class LineEnd { Newline, Return };

/// For a long log of which only the newest state is wanted: a line of the same shape as a later one need not be read.
/// Lines of a new or rare shape are read where they stand; of the frequent ones the last 256 lines are kept back and
/// read in order when something rare comes, or at flush(). A shape is the line with its numbers taken for one and the
/// same, but for numbers behind a slash: "30/1000" and "30/100" count two different things. Memory is bounded.
class RepeatedLines {
public:
    struct Line {
        QByteArray bytes;
        LineEnd end = LineEnd::Newline;
        quint64 shape = 0;
        qint64 number = 0;
    };
    using Reader = std::function<void(const QByteArray& bytes, LineEnd end)>;

    void add(QByteArrayView bytes, LineEnd end, const Reader& read);
    void flush(const Reader& read);

    static quint64 shapeOf(QByteArrayView bytes);

private:
    struct Seen {
        int count = 0;
        qint64 last = 0; ///< number of the newest
    };
    void leave(const Line& line, const Reader& read) const;

    std::vector<Line> m_ring;
    size_t m_first = 0;
    size_t m_held = 0;
    qint64 m_number = 0;
    QHash<quint64, Seen> m_seen;
};

} // namespace rankwright::inline insight
