// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

#include <algorithm>
#include <cstdio>

namespace rankwright::bench {

/// Prints one row: what, median, minimum, maximum of several runs, unit.
inline void report(const char* what, QList<double> runs, const char* unit)
{
    if (runs.isEmpty()) {
        std::printf("%-58s  no runs\n", what);
        return;
    }
    std::sort(runs.begin(), runs.end());
    const double median
        = runs.size() % 2 ? runs.at(runs.size() / 2) : (runs.at(runs.size() / 2 - 1) + runs.at(runs.size() / 2)) / 2;
    std::printf("%-58s  median %9.3f  min %9.3f  max %9.3f  %s  (%lld runs)\n", what, median, runs.first(), runs.last(),
        unit, static_cast<long long>(runs.size()));
    std::fflush(stdout);
}

/// The value at a share of the sorted runs, e.g. 0.95.
inline double quantile(QList<double> runs, double share)
{
    if (runs.isEmpty())
        return 0;
    std::sort(runs.begin(), runs.end());
    return runs.at(std::min<qsizetype>(runs.size() - 1, qsizetype(share * double(runs.size()))));
}

} // namespace rankwright::bench
