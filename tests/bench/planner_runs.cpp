// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/support/measuredpeaks.h"

#include <QMap>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

// Published memory peaks beside their predictions: the table of docs/planner_accuracy.md, or with --rows every run as
// CSV (tests/data/planner/predicted_memory.csv). --finetuning: the same of tests/data/planner/finetuning.csv.

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

QList<PredictedRun> withPeak(const QList<RunRow>& rows, bool leaveOut)
{
    QList<PredictedRun> runs;
    for (const PredictedRun& run : predictRuns(rows, leaveOut))
        if (run.row.peakBytes)
            runs.append(run);
    return runs;
}

void printFamilies(const QList<PredictedRun>& runs, const QString& behind)
{
    QMap<QString, QList<PredictedRun>> families;
    for (const PredictedRun& run : runs)
        families[run.family].append(run);
    for (auto family = families.cbegin(); family != families.cend(); ++family)
        printSummary(family.key() + behind, *family);
}

void printSummaries(const QList<RunRow>& rows)
{
    std::printf("| runs | peaks | median error | 90th percentile | inside the band |\n|---|---|---|---|---|\n");
    const QList<PredictedRun> runs = withPeak(rows, false);
    printSummary(u"all"_s, runs);
    const auto some = [&](const QString& what, bool assumed) {
        QList<PredictedRun> chosen;
        for (const PredictedRun& run : runs)
            if (run.row.lengthAssumed == assumed)
                chosen.append(run);
        if (!chosen.isEmpty() && chosen.size() < runs.size())
            printSummary(what, chosen);
    };
    some(u"length and micro-batch given"_s, false);
    some(u"one of them assumed"_s, true);
    printFamilies(runs, {});
    const QList<PredictedRun> without = withPeak(rows, true);
    printSummary(u"each source predicted without what was learned from it"_s, without);
    printFamilies(without, u" left out"_s);
}

/// A cell of CSV: quoted where it needs to be.
QString cell(QString text)
{
    if (!text.contains(u',') && !text.contains(u'"'))
        return text;
    return u'"' + text.replace(u'"', u"\"\""_s) + u'"';
}

void printRows(const QList<RunRow>& rows)
{
    std::printf("run,stack,gpu,counter,measured_gib,predicted_gib,error_percent,band_low_gib,band_high_gib,inside_band,"
                "assumed\n");
    for (const PredictedRun& run : withPeak(rows, false))
        std::printf("%s,%s,%s,%s,%.2f,%.2f,%.1f,%.1f,%.1f,%s,%s\n", qPrintable(run.row.id), qPrintable(run.row.stack),
            qPrintable(run.row.gpu), counterName(run.row.counter), *run.row.peakBytes / gib,
            run.estimate.totalBytes / gib, 100 * run.error(), run.estimate.lowBytes / gib, run.estimate.highBytes / gib,
            run.insideBand() ? "yes" : "no", qPrintable(cell(run.row.note)));
}

void printUnpredicted(const QList<RunRow>& rows)
{
    std::printf("\nWithout a prediction:\n\n");
    for (const RunRow& row : rows) {
        const QString missing = row.missing.isEmpty() ? row.missingForMemory : row.missing;
        if (row.peakBytes && !missing.isEmpty())
            std::printf("* %s: %s\n", qPrintable(row.id), qPrintable(missing));
    }
}

} // namespace

int main(int argc, char** argv)
{
    const auto asked = [argc, argv](const char* word) {
        return std::any_of(argv + 1, argv + argc, [word](const char* said) { return qstrcmp(said, word) == 0; });
    };
    const QList<RunRow>& rows = asked("--finetuning") ? publishedFineTuning() : publishedRuns();
    if (asked("--rows")) {
        printRows(rows);
        return 0;
    }
    printSummaries(rows);
    printUnpredicted(rows);
    return 0;
}
