// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/linediff.h"

#include <vector>

namespace rankwright::inline core {

namespace {
constexpr qsizetype mostComparisons = 1'000'000; // a table of 1000 x 1000 lines takes a millisecond
}

QList<LineHunk> lineDifference(const QStringList& from, const QStringList& to)
{
    qsizetype head = 0;
    while (head < from.size() && head < to.size() && from.at(head) == to.at(head))
        ++head;
    qsizetype tail = 0;
    while (tail < from.size() - head && tail < to.size() - head
        && from.at(from.size() - 1 - tail) == to.at(to.size() - 1 - tail))
        ++tail;
    const qsizetype rows = from.size() - head - tail;
    const qsizetype columns = to.size() - head - tail;
    if (rows == 0 && columns == 0)
        return {};
    if (rows * columns > mostComparisons)
        return {{head, head + rows, head, head + columns}};

    // common[i][j]: longest common subsequence of the lines from i and j on.
    const auto width = size_t(columns + 1);
    std::vector<int> common(size_t(rows + 1) * width, 0);
    const auto cell
        = [&common, width](qsizetype i, qsizetype j) -> int& { return common[size_t(i) * width + size_t(j)]; };
    for (qsizetype i = rows - 1; i >= 0; --i) {
        for (qsizetype j = columns - 1; j >= 0; --j)
            cell(i, j)
                = from.at(head + i) == to.at(head + j) ? cell(i + 1, j + 1) + 1 : qMax(cell(i + 1, j), cell(i, j + 1));
    }
    QList<LineHunk> hunks;
    qsizetype i = 0;
    qsizetype j = 0;
    while (i < rows || j < columns) {
        if (i < rows && j < columns && from.at(head + i) == to.at(head + j)) {
            ++i;
            ++j;
            continue;
        }
        LineHunk hunk{head + i, 0, head + j, 0};
        while ((i < rows || j < columns) && !(i < rows && j < columns && from.at(head + i) == to.at(head + j))) {
            if (j >= columns || (i < rows && cell(i + 1, j) >= cell(i, j + 1)))
                ++i;
            else
                ++j;
        }
        hunk.fromEnd = head + i;
        hunk.toEnd = head + j;
        hunks.append(hunk);
    }
    return hunks;
}

QStringList linesOfText(const QString& text)
{
    QStringList lines = text.split(u'\n');
    if (lines.last().isEmpty())
        lines.removeLast();
    return lines;
}

QList<DifferenceRow> differenceRows(qsizetype fromLines, qsizetype toLines, const QList<LineHunk>& hunks)
{
    QList<DifferenceRow> rows;
    qsizetype from = 0;
    qsizetype to = 0;
    const auto same = [&rows, &from, &to](qsizetype end) {
        for (; from < end; ++from, ++to)
            rows.append({DifferenceRow::Same, int(from), int(to), {}});
    };
    for (int number = 0; number < hunks.size(); ++number) {
        const LineHunk& hunk = hunks.at(number);
        same(hunk.from);
        while (from < hunk.fromEnd || to < hunk.toEnd) {
            const bool left = from < hunk.fromEnd;
            const bool right = to < hunk.toEnd;
            const auto kind = left && right ? DifferenceRow::Changed
                : left                      ? DifferenceRow::Removed
                                            : DifferenceRow::Added;
            DifferenceRow row{kind, {}, {}, number};
            if (left)
                row.from = int(from);
            if (right)
                row.to = int(to);
            rows.append(row);
            from += left ? 1 : 0;
            to += right ? 1 : 0;
        }
    }
    same(qMin(fromLines, from + (toLines - to)));
    return rows;
}

ChangedSpan changedSpan(const QString& before, const QString& after)
{
    qsizetype head = 0;
    const qsizetype shorter = qMin(before.size(), after.size());
    while (head < shorter && before.at(head) == after.at(head))
        ++head;
    qsizetype tail = 0;
    while (tail < shorter - head && before.at(before.size() - 1 - tail) == after.at(after.size() - 1 - tail))
        ++tail;
    return {int(head), int(before.size() - tail), int(after.size() - tail)};
}

} // namespace rankwright::inline core
