// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/support/measuredpeaks.h"

#include "models/estimate/gpufigures.h"
#include "models/estimate/layoutcheck.h"

#include <QFile>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::test {

const QList<RunRow>& publishedRuns()
{
    static const QList<RunRow> all = [] {
        QFile file(QStringLiteral(RANKWRIGHT_SOURCE_DIR "/tests/data/planner/runs.csv"));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("tests/data/planner/runs.csv is missing");
        const auto rows = readRuns(file.readAll());
        if (!rows)
            qFatal("%s", qPrintable(rows.error().what));
        return *rows;
    }();
    return all;
}

QString familyOf(const QString& source)
{
    QString family = source.startsWith(u"github:"_s) ? source.mid(7) : source;
    // All of Megatron-LM's functional tests are one house's runs; so are BigScience's experiments.
    const QStringList words = family.split(u' ', Qt::SkipEmptyParts);
    return source.startsWith(u"github:"_s) ? words.value(0) : words.mid(0, 3).join(u' ');
}

QList<PredictedRun> predictRuns(bool leaveOut)
{
    QList<PredictedRun> result;
    for (const RunRow& row : publishedRuns()) {
        if (!row.missing.isEmpty() || !row.missingForMemory.isEmpty() || !checkLayout(row.workload, row.layout))
            continue;
        PredictedRun run{row, familyOf(row.source), {}, {}};
        const TrainingStack* stack = trainingStack(row.stack);
        if (stack == nullptr)
            stack = trainingStack(u"generic"_s);
        if (leaveOut && stack->memory.evidence.contains(run.family))
            stack = trainingStack(stack->memory.nearest);
        const MemoryModel model(row.workload, *stack, gpuFigures(row.gpu));
        run.worst = model.estimate(row.layout, row.counter);
        run.estimate = row.stage < 0 ? run.worst : model.estimateStage(row.layout, row.stage, row.counter);
        result.append(run);
    }
    return result;
}

double percentile(QList<double> values, double share)
{
    std::sort(values.begin(), values.end());
    const auto at = static_cast<qsizetype>(std::floor(share * static_cast<double>(values.size() - 1) + 0.5));
    return values.at(at);
}

} // namespace rankwright::test
