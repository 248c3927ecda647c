// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/support/timedruns.h"
#include "tests/support/testbase.h"

#include "models/core/csvtable.h"
#include "models/planner/estimate/layoutcheck.h"
#include "tests/models/support/measuredpeaks.h"

#include <QFile>
#include <QMap>

using namespace Qt::StringLiterals;

namespace rankwright::test {

namespace {

using Key = std::pair<QString, std::pair<QString, QString>>; // family, stack, GPU generation

const QMap<Key, StackSpeed>& speedsLeftOut()
{
    static const QMap<Key, StackSpeed> all = [] {
        QFile file(rankwright::test::sourcePath(u"/tests/data/planner/speeds_left_out.csv"));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("tests/data/planner/speeds_left_out.csv is missing");
        const auto table = parseCsv(file.readAll(), file.fileName());
        if (!table)
            qFatal("%s", qPrintable(table.error().what));
        QMap<Key, StackSpeed> speeds;
        for (const CsvTable::Row& row : table->rows) {
            const QStringList& cells = row.cells;
            const Key key{cells.at(0), {cells.at(1), cells.at(2)}};
            StackSpeed speed = stackSpeed(cells.at(1), cells.at(2)); // the switches; all constants follow
            for (qsizetype i = 3; i < cells.size(); ++i)
                setSpeedConstant(speed, table->columns.at(i), cells.at(i).toDouble());
            speed.spread = stackSpeed({}, {}).spread; // of a source never seen
            speeds.insert(key, speed);
        }
        return speeds;
    }();
    return all;
}

bool isComplete(const RunRow& row)
{
    return row.missing.isEmpty() && row.missingForTime.isEmpty() && checkLayout(row.workload, row.layout);
}

/// What a sweep holds fixed. The batch is part of it where the source fixes it (a search keeps it).
QString sweepOf(const TimedRun& run)
{
    const Workload& w = run.row.workload;
    const bool fixedBatch = !run.family.contains(u"llm-foundry"_s) && !run.family.contains(u"torchtitan"_s);
    const bool fixedGpus = !run.family.contains(u"llm-foundry"_s);
    QStringList parts{run.family, run.row.stack, run.row.gpu};
    for (const double number :
        {double(w.shape.layers), double(w.shape.hidden), double(w.shape.experts), double(w.sequence),
            double(w.precision), double(w.float8), double(w.optimizer), double(w.attention), double(w.compiled),
            fixedBatch ? double(run.row.layout.globalBatch()) : 0.0, fixedGpus ? double(run.row.layout.gpus()) : 0.0})
        parts.append(QString::number(number));
    return parts.join(u'|');
}

} // namespace

double measuredStep(const RunRow& row)
{
    const Layout& layout = row.layout;
    const ModelShape& shape = row.workload.shape;
    const double samples = static_cast<double>(layout.globalBatch());
    const double sequence = static_cast<double>(row.workload.sequence);
    const bool images = shape.family == ModelFamily::Vision || shape.family == ModelFamily::Convolution;
    if (row.tokensPerSecondPerGpu)
        return samples * (images ? 1.0 : sequence) / (*row.tokensPerSecondPerGpu * layout.gpus());
    if (row.stepSeconds)
        return *row.stepSeconds;
    if (!row.teraflopsPerGpu)
        return 0;
    double flops = modelFlops(shape, row.workload.sequence);
    if (row.recomputeCounted) {
        const double head = 6 * sequence * static_cast<double>(shape.vocab) * static_cast<double>(shape.hidden);
        flops += (flops - head) / 3;
    }
    return samples * flops / (*row.teraflopsPerGpu * 1e12 * layout.gpus());
}

QList<TimedRun> timedRuns(bool leaveOut)
{
    QList<TimedRun> result;
    for (const RunRow& row : publishedRuns()) {
        const double measured = isComplete(row) ? measuredStep(row) : 0.0;
        if (measured <= 0)
            continue;
        TimedRun run{row, familyOf(row.source), gpuFigures(row.gpu), {}, measured};
        StackSpeed speed = stackSpeed(row.stack, run.gpu.gpuClass);
        if (leaveOut) {
            auto other = speedsLeftOut().constFind({run.family, {row.stack, run.gpu.gpuClass}});
            // A state of a stack, "fsdp2-2024", has the constants of "fsdp2" where no run of its own is left.
            if (other == speedsLeftOut().constEnd() && row.stack.section(u'-', -1).startsWith(u"20"_s))
                other = speedsLeftOut().constFind({run.family, {row.stack.section(u'-', 0, -2), run.gpu.gpuClass}});
            if (other == speedsLeftOut().constEnd())
                continue;
            speed = *other;
        }
        run.estimate = TimeModel(row.workload, speed, stackKind(row.stack), run.gpu).estimate(row.layout);
        result.append(run);
    }
    return result;
}

QList<QList<TimedRun>> sweeps(const QList<TimedRun>& runs)
{
    QMap<QString, QList<TimedRun>> groups;
    for (const TimedRun& run : runs) {
        for (const QString& family : {u"vTrain"_s, u"bigscience"_s, u"llm-foundry"_s, u"torchtitan"_s}) {
            if (run.family.contains(family))
                groups[sweepOf(run)].append(run);
        }
    }
    QList<QList<TimedRun>> result;
    for (const QList<TimedRun>& group : groups) {
        bool choice = false;
        for (const TimedRun& run : group)
            choice = choice || !(run.row.layout == group.first().row.layout)
                || run.row.workload.recompute != group.first().row.workload.recompute;
        if (choice)
            result.append(group);
    }
    return result;
}

} // namespace rankwright::test
