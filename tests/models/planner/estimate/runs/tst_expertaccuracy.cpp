// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/runs/runestimate.h"
#include "tests/models/support/measuredpeaks.h"
#include "tests/support/testbase.h"

#include <cmath>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

constexpr double gib = 1024.0 * 1024 * 1024;

/// Seconds of a step as published or as its rate says.
std::optional<double> secondsOf(const RunRow& row)
{
    if (row.stepSeconds)
        return row.stepSeconds;
    if (!row.tokensPerSecondPerGpu)
        return std::nullopt;
    return double(row.layout.globalBatch()) * double(row.workload.sequence) / *row.tokensPerSecondPerGpu
        / row.layout.gpus();
}

} // namespace

/// Published runs of large pipelines and of mixtures of experts (tests/data/planner/experts.csv) beside what the
/// planner says of them: seconds of a step within 20 %, peaks within 15.5 %.
class ExpertAccuracyTest : public test::Suite {
    Q_OBJECT

private slots:
    void allRowsAreAnswered();
    void speeds();

    /// Every row of the table is of a run that took place.
    void whatRanIsNotTooLarge();
    void peaks();
};

void ExpertAccuracyTest::allRowsAreAnswered()
{
    QVERIFY(publishedExperts().size() >= 12);
    for (const RunRow& row : publishedExperts())
        QVERIFY2(row.missing.isEmpty(), qPrintable(row.id + u": "_s + row.missing));
}

void ExpertAccuracyTest::speeds()
{
    QStringList off;
    for (const RunRow& row : publishedExperts()) {
        const auto measured = secondsOf(row);
        if (!measured)
            continue;
        const RunEstimate estimate = estimateRun(row);
        QVERIFY2(estimate.step, qPrintable(row.id + u": "_s + estimate.note));
        const double error = estimate.step->seconds / *measured - 1;
        const QString line = u"%1 %2: measured %3 s, here %4 s, %5 %"_s.arg(row.id, row.gpu)
                                 .arg(*measured, 0, 'f', 2)
                                 .arg(estimate.step->seconds, 0, 'f', 2)
                                 .arg(100 * error, 0, 'f', 1);
        qInfo().noquote() << line;
        if (std::abs(error) > 0.2)
            off.append(line);
    }
    QVERIFY2(off.isEmpty(), qPrintable(off.join(u'\n')));
}

void ExpertAccuracyTest::whatRanIsNotTooLarge()
{
    QStringList wrong;
    for (const RunRow& row : publishedExperts()) {
        const RunEstimate estimate = estimateRun(row);
        QVERIFY2(estimate.memory, qPrintable(row.id + u": "_s + estimate.note));
        if (estimate.memory->verdict == FitVerdict::DoesNotFit)
            wrong.append(u"%1: %2 GiB of %3"_s.arg(row.id)
                             .arg(estimate.memory->totalBytes / gib, 0, 'f', 1)
                             .arg(estimate.memory->usableBytes / gib, 0, 'f', 1));
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

void ExpertAccuracyTest::peaks()
{
    QStringList off;
    for (const RunRow& row : publishedExperts()) {
        const RunEstimate estimate = estimateRun(row);
        QVERIFY2(estimate.memory, qPrintable(row.id + u": "_s + estimate.note));
        if (!row.peakBytes)
            continue;
        const double error = estimate.memory->totalBytes / *row.peakBytes - 1;
        const QString line = u"%1: measured %2 GiB, here %3 GiB, %4 %"_s.arg(row.id)
                                 .arg(*row.peakBytes / gib, 0, 'f', 2)
                                 .arg(estimate.memory->totalBytes / gib, 0, 'f', 2)
                                 .arg(100 * error, 0, 'f', 1);
        qInfo().noquote() << line;
        if (std::abs(error) > 0.155)
            off.append(line);
    }
    QVERIFY2(off.isEmpty(), qPrintable(off.join(u'\n')));
}

RANKWRIGHT_TEST_MAIN(ExpertAccuracyTest)
#include "tst_expertaccuracy.moc"
