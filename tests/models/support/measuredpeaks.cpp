// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/support/measuredpeaks.h"
#include "tests/support/testbase.h"

#include "models/planner/estimate/runs/runestimate.h"

#include <QFile>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::test {

namespace {

QList<RunRow> runsOf(const QString& name)
{
    QFile file(rankwright::test::sourcePath(QString(u"/tests/data/planner/"_s + name)));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s is missing", qPrintable(name));
    const auto rows = readRuns(file.readAll());
    if (!rows)
        qFatal("%s", qPrintable(rows.error().what));
    return *rows;
}

} // namespace

const QList<RunRow>& publishedRuns()
{
    static const QList<RunRow> all = runsOf(u"runs.csv"_s);
    return all;
}

const QList<RunRow>& publishedFineTuning()
{
    static const QList<RunRow> all = runsOf(u"finetuning.csv"_s);
    return all;
}

const QList<RunRow>& publishedExperts()
{
    static const QList<RunRow> all = runsOf(u"experts.csv"_s);
    return all;
}

QString familyOf(const QString& source)
{
    QString family = source.startsWith(u"github:"_s) ? source.mid(7) : source;
    // All of Megatron-LM's functional tests are one organisation's runs; so are BigScience's experiments.
    const QStringList words = family.split(u' ', Qt::SkipEmptyParts);
    return source.startsWith(u"github:"_s) ? words.value(0) : words.mid(0, 3).join(u' ');
}

QList<PredictedRun> predictRuns(bool leaveOut) { return predictRuns(publishedRuns(), leaveOut); }

QList<PredictedRun> predictRuns(const QList<RunRow>& rows, bool leaveOut)
{
    QList<PredictedRun> result;
    for (const RunRow& row : rows) {
        const QString family = familyOf(row.source);
        const bool left = leaveOut && trainingStack(row.stack) != nullptr;
        const auto memory
            = left ? memoryOfRun(row, {row.stack, stackMemoryWithout(row.stack, family)}) : memoryOfRun(row);
        if (memory)
            result.append({row, family, memory->estimate, memory->worst});
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
