// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/runs/runestimate.h"
#include "tests/models/support/measuredpeaks.h"
#include "tests/models/support/timedruns.h"

#include <QMap>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

// Published memory peaks beside their predictions: the table of docs/planner_accuracy.md, or with --rows every run as
// CSV (tests/data/planner/predicted_memory.csv). --published writes resources/planner/published.json. --finetuning: the
// same of tests/data/planner/finetuning.csv, and its speeds. --experts: the tables of tests/data/planner/experts.csv.

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
void printLine(const QString& what, const QList<double>& errors, int inside)
{
    std::printf("| %s | %lld | %.1f %% | %.1f %% | %.0f %% |\n", qPrintable(what),
        static_cast<long long>(errors.size()), 100 * percentile(errors, 0.5), 100 * percentile(errors, 0.9),
        100.0 * inside / double(errors.size()));
}

void printSummary(const QString& what, const QList<PredictedRun>& runs)
{
    QList<double> errors;
    int inside = 0;
    for (const PredictedRun& run : runs) {
        errors.append(std::abs(run.error()));
        inside += run.insideBand() ? 1 : 0;
    }
    printLine(what, errors, inside);
}

/// Speeds of runs whose length and micro-batch are given.
void printSpeeds(const QList<RunRow>& rows)
{
    QList<double> errors;
    int inside = 0;
    for (const RunRow& row : rows) {
        const double seconds = measuredStep(row);
        const std::optional<StepEstimate> step = estimateRun(row).step;
        if (seconds <= 0 || !step || row.lengthAssumed)
            continue;
        errors.append(std::abs(step->seconds / seconds - 1));
        inside += step->lowSeconds <= seconds && seconds <= step->highSeconds ? 1 : 0;
    }
    std::printf("\n| runs | speeds | median error | 90th percentile | inside the band |\n|---|---|---|---|---|\n");
    printLine(u"length and micro-batch given"_s, errors, inside);
}

QString layoutWords(const RunRow& row)
{
    const Layout& layout = row.layout;
    QStringList words;
    const auto add = [&words](const char* word, int ranks) {
        if (ranks > 1)
            words.append(QLatin1String(word) + QString::number(ranks));
    };
    add("TP", layout.tensor);
    add("PP", layout.pipeline);
    add("CP", layout.context);
    add("VPP", layout.virtualStages);
    add("EP", layout.expert);
    return words.join(u' ');
}

void printExperts()
{
    std::printf("| run | GPUs | layout | step, published | here | error |\n|---|---|---|---|---|---|\n");
    for (const RunRow& row : publishedExperts()) {
        const double seconds = measuredStep(row);
        const std::optional<StepEstimate> step = estimateRun(row).step;
        if (seconds <= 0 || !step)
            continue;
        std::printf("| %s: %s | %d %s, %s | %s | %.2f s | %.2f s | %+.1f %% |\n", qPrintable(row.id),
            qPrintable(row.workload.shape.name), row.layout.gpus(), qPrintable(gpuFigures(row.gpu).name),
            row.workload.float8 == Float8::None ? "16 bit" : "8 bit", qPrintable(layoutWords(row)), seconds,
            step->seconds, 100 * (step->seconds / seconds - 1));
    }
    std::printf("\n| run | peak, published | here | error |\n|---|---|---|---|\n");
    for (const PredictedRun& run : predictRuns(publishedExperts()))
        if (run.row.peakBytes)
            std::printf("| %s: %s | %.2f GiB | %.2f GiB | %+.1f %% |\n", qPrintable(run.row.id),
                qPrintable(run.row.workload.shape.name), *run.row.peakBytes / gib, run.estimate.totalBytes / gib,
                100 * run.error());
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

void printRows(const QList<RunRow>& rows, bool leaveOut)
{
    std::printf("run,stack,gpu,counter,measured_gib,predicted_gib,error_percent,band_low_gib,band_high_gib,inside_band,"
                "assumed\n");
    for (const PredictedRun& run : withPeak(rows, leaveOut))
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

QString partWord(const Workload& workload)
{
    if (workload.adapter.method == AdapterMethod::None)
        return workload.trainedFraction < 1 ? u"adapters"_s : u"all"_s;
    return workload.adapter.quantisation == Quantisation::None ? u"adapters"_s : u"adapters of a quantised base"_s;
}

/// A member of a JSON object; empty: nothing to say.
QString member(const QString& name, const QString& value)
{
    return u"\"%1\": \"%2\""_s.arg(name, QString(value).remove(u'"'));
}

/// resources/planner/published.json: of runs that are alike (source, model, GPU, number of GPUs, stack, what is
/// trained) the one whose errors are nearest to their medians stands for all.
void printPublished()
{
    struct Alike {
        QString head;
        QList<double> memory, time;
    };
    QMap<QString, Alike> kinds;
    for (const QList<RunRow>* rows : {&publishedRuns(), &publishedFineTuning()}) {
        for (const RunRow& row : *rows) {
            const RunEstimate estimate = estimateRun(row);
            const GpuFigures gpu = gpuFigures(row.gpu);
            const double step = measuredStep(row);
            const bool peak = row.peakBytes && estimate.memory && !row.lengthAssumed;
            const bool timed = step > 0 && estimate.step;
            if ((!peak && !timed) || gpu.key.isEmpty() || row.workload.shape.assumed)
                continue;
            const ModelShape& shape = row.workload.shape;
            QString model = shape.name;
            const QStringList members{member(u"model"_s, model), member(u"gpu"_s, gpu.name),
                member(u"class"_s, gpu.gpuClass), u"\"gpus\": %1"_s.arg(row.layout.gpus()),
                member(u"stack"_s, row.stack), member(u"source"_s, familyOf(row.source)),
                member(u"trained"_s, partWord(row.workload)), member(u"family"_s, toText(shape.family)),
                u"\"parameters\": %1"_s.arg(countParameters(shape).total),
                u"\"sequence\": %1"_s.arg(row.workload.sequence),
                u"\"experts\": %1"_s.arg(shape.experts > 0 ? u"true"_s : u"false"_s)};
            Alike& alike = kinds[members.join(u", "_s)];
            alike.head = members.join(u", "_s);
            if (peak)
                alike.memory.append(estimate.memory->totalBytes / *row.peakBytes - 1.0);
            if (timed)
                alike.time.append(estimate.step->seconds / step - 1.0);
        }
    }
    std::printf("{\n  \"note\": \"Written by planner_runs --published (tests/bench): published runs and how far the "
                "planner is off, the median of runs that are alike.\",\n  \"runs\": [\n");
    qsizetype left = kinds.size();
    for (const Alike& alike : kinds) {
        QString line = u"    {"_s + alike.head;
        if (!alike.memory.isEmpty())
            line += u", \"memoryError\": %1"_s.arg(percentile(alike.memory, 0.5), 0, 'f', 3);
        if (!alike.time.isEmpty())
            line += u", \"timeError\": %1"_s.arg(percentile(alike.time, 0.5), 0, 'f', 3);
        std::printf("%s}%s\n", qPrintable(line), --left > 0 ? "," : "");
    }
    std::printf("  ]\n}\n");
}

} // namespace

int main(int argc, char** argv)
{
    const auto asked = [argc, argv](const char* word) {
        return std::any_of(argv + 1, argv + argc, [word](const char* said) { return qstrcmp(said, word) == 0; });
    };
    if (asked("--experts")) {
        printExperts();
        return 0;
    }
    const QList<RunRow>& rows = asked("--finetuning") ? publishedFineTuning() : publishedRuns();
    if (asked("--published")) {
        printPublished();
        return 0;
    }
    if (asked("--rows")) {
        printRows(rows, asked("--left-out"));
        return 0;
    }
    printSummaries(rows);
    printUnpredicted(rows);
    if (asked("--finetuning"))
        printSpeeds(rows);
    return 0;
}
