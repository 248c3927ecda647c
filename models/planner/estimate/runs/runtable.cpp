// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/runs/runtable.h"

#include "models/core/csvtable.h"
#include "models/core/units.h"
#include "models/planner/estimate/gpufigures.h"
#include "models/planner/estimate/runs/runlayout.h"
#include "models/planner/estimate/runs/runmodel.h"
#include "models/planner/estimate/runs/runprecision.h"
#include "models/planner/estimate/runs/runstack.h"

#include <QRegularExpression>

#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

using namespace runs;

/// Images or sequences of the whole job in a second, where the notes say them and no column does.
std::optional<double> rateInNotes(const RunWords& words)
{
    static const QRegularExpression rate(
        u"([0-9]+(?:\\.[0-9]+)?) (images|samples|sequences)/s( in total| for the whole job)?"_s);
    const QRegularExpressionMatch found = rate.match(words.notes);
    return found.hasMatch() ? std::optional(found.captured(1).toDouble()) : std::nullopt;
}

void readMeasured(RunRow& row, const RunCells& cells, const RunWords& words)
{
    if (const auto peak = cells.number(u"peak_mem_gib_per_gpu"_s))
        row.peakBytes = *peak * bytesPerGib;
    row.stepSeconds = cells.number(u"step_time_s"_s);
    row.tokensPerSecondPerGpu = cells.number(u"tokens_per_s_per_gpu"_s);
    row.teraflopsPerGpu = cells.number(u"tflops_per_gpu"_s);
    const QString fits = cells.text(u"fits"_s).toLower();
    row.outOfMemory = fits == u"oom" || fits == u"no" || fits == u"false";
    row.recomputeCounted = matches(words.notes, u"count\\w* (the )?recompute|factor 8|96 b s l"_s);
    const bool images = row.workload.shape.imageSize > 0;
    if (const auto rate = images ? rateInNotes(words) : std::nullopt; rate && !row.tokensPerSecondPerGpu)
        row.tokensPerSecondPerGpu = *rate / row.layout.gpus();
}

/// A card that is not named, or one that is not known, of a size that is: what a training needs hardly depends on it.
void assumeCard(RunRow& row, const RunCells& cells, const RunWords& words)
{
    const auto gigabytes = cells.number(u"gpu_mem_gb"_s);
    if (!row.gpu.isEmpty() || !(gigabytes || has(words.hardware, u"not named"_s)))
        return;
    const double bytes = gigabytes.value_or(80) * 1e9;
    const GpuFigures* nearest = nullptr;
    const QList<GpuFigures> known = knownGpus();
    for (const GpuFigures& gpu : known) {
        if (gpu.hasBf16
            && (nearest == nullptr || std::abs(gpu.memoryBytes - bytes) < std::abs(nearest->memoryBytes - bytes)))
            nearest = &gpu;
    }
    if (nearest == nullptr)
        return;
    row.gpu = nearest->key;
    report(row.note, u"The card is not known: the context and the limit of %1 are assumed."_s.arg(nearest->name));
    report(row.missingForTime, u"The card is not named."_s);
}

RunRow readRow(const RunCells& cells)
{
    const RunWords words = RunWords::of(cells);
    RunRow row;
    row.id = cells.text(u"id"_s);
    row.source = cells.text(u"source"_s);
    row.hardware = cells.text(u"hardware"_s);
    row.stack = stackOf(words);
    row.gpu = gpuFiguresForText(row.hardware, cells.number(u"gpu_mem_gb"_s).value_or(0),
        static_cast<int>(cells.count(u"gpus_per_node"_s).value_or(0)))
                  .key;
    row.counter = counterOf(words, row.stack);
    row.ofAMoment = matches(words.notes, u"not a peak|at one moment"_s);
    assumeCard(row, cells, words);
    readShape(row, cells, words);
    readLayout(row, cells, words);
    readDefaults(row, words);
    readMeasured(row, cells, words);
    if (row.gpu.isEmpty())
        report(row.missing,
            row.hardware.isEmpty() ? u"The hardware is not named."_s
                                   : u"“%1” is not a GPU that is known."_s.arg(row.hardware.left(60)));
    for (const QString& fault : cells.faults())
        report(row.missing, fault);
    return row;
}

} // namespace

Result<QList<RunRow>> readRuns(const QByteArray& csv, const QString& name)
{
    const auto table = parseCsv(csv, name);
    if (!table)
        return fail(table.error());
    QHash<QString, qsizetype> columns;
    for (qsizetype i = 0; i < table->columns.size(); ++i)
        if (const QString column = table->columns.at(i).toLower(); !columns.contains(column))
            columns.insert(column, i);
    const bool named = columns.contains(u"model"_s) || columns.contains(u"layers"_s) || columns.contains(u"params_b"_s);
    if (!named || !columns.contains(u"hardware"_s))
        return fail(Fault::Unreadable,
            u"%1 is not a table of runs: its first line names no hardware and model."_s.arg(name), {},
            u"The columns are listed in docs/planner.md, “Table of runs”; id, hardware, model, seq_len, micro_batch "
            u"and "
            u"n_gpus are the least."_s);
    QList<RunRow> rows;
    rows.reserve(table->rows.size());
    for (const CsvTable::Row& row : table->rows)
        rows.append(readRow(RunCells(columns, row.cells)));
    return rows;
}

} // namespace rankwright::inline planner
