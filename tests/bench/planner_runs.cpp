// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/support/measuredpeaks.h"

#include <QMap>

#include <cmath>
#include <cstdio>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

// Published memory peaks beside their predictions: the table of docs/planner_accuracy.md, or with --rows every run as
// CSV (tests/data/planner/predicted_memory.csv).

namespace {

constexpr double gib = 1073741824.0;

const char* counterName(MemoryCounter counter)
{
    switch (counter) {
    case MemoryCounter::Allocated: return "allocated";
    case MemoryCounter::Reserved: return "reserved";
    case MemoryCounter::VendorTool: break;
    }
    return "vendor tool";
}

/// Number, median, 90th percentile and share inside the band.
void printSummary(const QString& what, const QList<PredictedRun>& runs)
{
    QList<double> errors;
    int inside = 0;
    for (const PredictedRun& run : runs) {
        errors.append(std::abs(run.error()));
        inside += run.insideBand() ? 1 : 0;
    }
    std::printf("| %s | %lld | %.1f %% | %.1f %% | %.0f %% |\n", qPrintable(what), static_cast<long long>(runs.size()),
        100 * percentile(errors, 0.5), 100 * percentile(errors, 0.9), 100.0 * inside / double(runs.size()));
}

QList<PredictedRun> withPeak(bool leaveOut)
{
    QList<PredictedRun> runs;
    for (const PredictedRun& run : predictRuns(leaveOut))
        if (run.row.peakBytes)
            runs.append(run);
    return runs;
}

void printSummaries()
{
    std::printf("| runs | peaks | median error | 90th percentile | inside the band |\n|---|---|---|---|---|\n");
    const QList<PredictedRun> runs = withPeak(false);
    printSummary(u"all"_s, runs);
    QMap<QString, QList<PredictedRun>> families;
    for (const PredictedRun& run : runs)
        families[run.family].append(run);
    for (auto family = families.cbegin(); family != families.cend(); ++family)
        printSummary(family.key(), *family);
    const QList<PredictedRun> without = withPeak(true);
    printSummary(u"each source predicted without what was learned from it"_s, without);
    QMap<QString, QList<PredictedRun>> left;
    for (const PredictedRun& run : without)
        left[run.family].append(run);
    for (auto family = left.cbegin(); family != left.cend(); ++family)
        printSummary(family.key() + u" left out"_s, *family);
}

void printRows()
{
    std::printf(
        "run,stack,gpu,counter,measured_gib,predicted_gib,error_percent,band_low_gib,band_high_gib,inside_band\n");
    for (const PredictedRun& run : withPeak(false))
        std::printf("%s,%s,%s,%s,%.2f,%.2f,%.1f,%.1f,%.1f,%s\n", qPrintable(run.row.id), qPrintable(run.row.stack),
            qPrintable(run.row.gpu), counterName(run.row.counter), *run.row.peakBytes / gib,
            run.estimate.totalBytes / gib, 100 * run.error(), run.estimate.lowBytes / gib, run.estimate.highBytes / gib,
            run.insideBand() ? "yes" : "no");
}

void printUnpredicted()
{
    std::printf("\nWithout a prediction:\n\n");
    for (const RunRow& row : publishedRuns()) {
        const QString missing = row.missing.isEmpty() ? row.missingForMemory : row.missing;
        if (row.peakBytes && !missing.isEmpty())
            std::printf("* %s: %s\n", qPrintable(row.id), qPrintable(missing));
    }
}

} // namespace

int main(int argc, char** argv)
{
    if (argc > 1 && qstrcmp(argv[1], "--rows") == 0) {
        printRows();
        return 0;
    }
    printSummaries();
    printUnpredicted();
    return 0;
}
