// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QStringList>

#include <optional>

namespace rankwright::inline core {

/// Lines [from, fromEnd) of the old text become lines [to, toEnd) of the new one.
struct LineHunk {
    qsizetype from = 0;
    qsizetype fromEnd = 0;
    qsizetype to = 0;
    qsizetype toEnd = 0;
    bool operator==(const LineHunk&) const = default;
};

/// What has to be replaced to make `to` of `from`, top to bottom; everything between stays. By the longest common
/// subsequence of lines; texts too long for that give one hunk.
QList<LineHunk> lineDifference(const QStringList& from, const QStringList& to);

/// The lines of a text whose last line may or may not be ended by a newline: none is behind it.
QStringList linesOfText(const QString& text);

/// What is shown of two texts side by side: a line of each, or nothing where the other text has more.
struct DifferenceRow {
    enum Kind { Same, Changed, Removed, Added } kind = Same;
    std::optional<int> from; ///< line of the old text, 0 based; empty: none
    std::optional<int> to; ///< line of the new text; empty: none
    std::optional<int> hunk; ///< which difference it belongs to; empty: none
    bool operator==(const DifferenceRow&) const = default;
};
/// The rows of both texts, whole, in order. Within a hunk lines are paired from its top.
QList<DifferenceRow> differenceRows(qsizetype fromLines, qsizetype toLines, const QList<LineHunk>& hunks);

/// Characters that differ between two lines: what is left without the common beginning and end.
struct ChangedSpan {
    int from = 0; ///< where they begin, in both
    int oldEnd = 0;
    int newEnd = 0;
    bool operator==(const ChangedSpan&) const = default;
};
ChangedSpan changedSpan(const QString& before, const QString& after);

} // namespace rankwright::inline core
