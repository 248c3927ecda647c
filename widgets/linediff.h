// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QStringList>

namespace rankwright {

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

} // namespace rankwright
