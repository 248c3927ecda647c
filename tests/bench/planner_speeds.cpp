// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/support/measuredpeaks.h"
#include "tests/models/support/timedruns.h"

#include <QMap>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

// Published speeds beside their predictions: the tables of docs/planner_accuracy.md, or with --rows every run as CSV
// (tests/data/planner/predicted_speed.csv). With --left-out each run is predicted by constants that were fitted without
// its source (tests/data/planner/speeds_left_out.csv).

namespace {

/// Number, median, 90th percentile and share inside the band.
void printSummary(const QString& what, const QList<TimedRun>& runs)
{
    QList<double> errors;
    int inside = 0;
    for (const TimedRun& run : runs) {
        errors.append(std::abs(run.error()));
        inside += run.insideBand() ? 1 : 0;
    }
    std::printf("| %s | %lld | %.1f %% | %.1f %% | %.0f %% |\n", qPrintable(what), static_cast<long long>(runs.size()),
        100 * percentile(errors, 0.5), 100 * percentile(errors, 0.9), 100.0 * inside / double(runs.size()));
}

void printRows(const QList<TimedRun>& runs)
{
    std::printf("run,stack,gpu,measured_s,predicted_s,error_percent,band_low_s,band_high_s,inside_band\n");
    for (const TimedRun& run : runs)
        std::printf("%s,%s,%s,%.4g,%.4g,%.1f,%.3g,%.3g,%s\n", qPrintable(run.row.id), qPrintable(run.row.stack),
            qPrintable(run.row.gpu), run.measuredSeconds, run.estimate.seconds, 100 * run.error(),
            run.estimate.lowSeconds, run.estimate.highSeconds, run.insideBand() ? "yes" : "no");
}

} // namespace

int main(int argc, char** argv)
{
    const auto asked = [&](const char* option) {
        return std::any_of(argv, argv + argc, [&](const char* one) { return qstrcmp(one, option) == 0; });
    };
    const QList<TimedRun> runs = timedRuns(asked("--left-out"));
    if (asked("--rows")) {
        printRows(runs);
        return 0;
    }
    std::printf("| runs | speeds | median error | 90th percentile | inside the band |\n|---|---|---|---|---|\n");
    printSummary(u"all"_s, runs);
    QMap<QString, QList<TimedRun>> families, stacks;
    for (const TimedRun& run : runs) {
        families[run.family].append(run);
        stacks[run.row.stack + u" on "_s + run.gpu.gpuClass].append(run);
    }
    for (auto family = families.cbegin(); family != families.cend(); ++family)
        printSummary(family.key(), *family);
    for (auto stack = stacks.cbegin(); stack != stacks.cend(); ++stack)
        printSummary(stack.key(), *stack);
    return 0;
}
