// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/calibration.h"
#include "tests/models/support/measuredpeaks.h"
#include "tests/models/support/timedruns.h"
#include "tests/support/testbase.h"

#include <QMap>

#include <algorithm>
#include <cmath>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

QList<double> errorsOf(const QList<TimedRun>& runs)
{
    QList<double> errors;
    for (const TimedRun& run : runs)
        errors.append(std::abs(run.error()));
    return errors;
}

QString figuresOf(const QList<double>& errors)
{
    return u"%1 runs: median %2 %, 90th percentile %3 %"_s.arg(errors.size())
        .arg(100 * percentile(errors, 0.5), 0, 'f', 1)
        .arg(100 * percentile(errors, 0.9), 0, 'f', 1);
}

QMap<QString, QList<TimedRun>> byFamily(const QList<TimedRun>& runs)
{
    QMap<QString, QList<TimedRun>> groups;
    for (const TimedRun& run : runs)
        groups[run.family].append(run);
    return groups;
}

QMap<QString, QList<TimedRun>> byStack(const QList<TimedRun>& runs)
{
    QMap<QString, QList<TimedRun>> groups;
    for (const TimedRun& run : runs)
        groups[run.row.stack + u" on "_s + run.gpu.gpuClass].append(run);
    return groups;
}

/// Errors of all runs but one of each kind after that one has calibrated the others.
QList<double> errorsAfterOne(const QList<TimedRun>& runs)
{
    QList<double> errors;
    // Kinds as a user has them: one cluster, one sort of model, one stack.
    QMap<QString, QList<TimedRun>> kinds;
    for (const TimedRun& run : runs)
        kinds[run.family + u'|' + run.row.stack + u'|' + run.row.gpu + u'|'
            + QString::number(run.row.workload.shape.hidden)]
            .append(run);
    for (const QList<TimedRun>& kind : kinds) {
        if (kind.size() < 2)
            continue;
        const TimedRun& first = kind.at(kind.size() / 2);
        MeasuredRun measured;
        measured.predictedSeconds = first.estimate.seconds;
        measured.measuredSeconds = first.measuredSeconds;
        measured.timeSpread = first.estimate.highSeconds / first.estimate.seconds - 1;
        const Calibration calibration = calibrate({measured});
        for (qsizetype i = 0; i < kind.size(); ++i) {
            if (i != kind.size() / 2)
                errors.append(
                    std::abs(calibrated(kind.at(i).estimate, calibration).seconds / kind.at(i).measuredSeconds - 1));
        }
    }
    return errors;
}

} // namespace

/// The step-time model against published speeds (tests/data/planner/runs.csv). The goals are those of the planner:
/// median 8 %, 90th percentile 20 %; 12 and 25 % with the source left out; 5 % after one run of one's own.
class TimeAccuracyTest : public test::Suite {
    Q_OBJECT

private slots:
    void mostRowsAreComplete();
    void errorsOfAllRuns();
    void errorsByStack();
    void nineOfTenInsideTheBand();
    void oneSourceLeftOut();
    void afterOneRunOfOnesOwn();
    void recommendedLayoutIsAmongTheBest();
};

void TimeAccuracyTest::mostRowsAreComplete()
{
    int measured = 0;
    for (const RunRow& row : publishedRuns())
        measured += row.stepSeconds || row.tokensPerSecondPerGpu || row.teraflopsPerGpu ? 1 : 0;
    QVERIFY(measured > 1200);
    const qsizetype predicted = timedRuns().size();
    QVERIFY2(predicted >= 0.95 * measured, qPrintable(u"%1 of %2"_s.arg(predicted).arg(measured)));
}

void TimeAccuracyTest::errorsOfAllRuns()
{
    const QList<TimedRun> runs = timedRuns();
    const QString figures = figuresOf(errorsOf(runs));
    qInfo("%s", qPrintable(figures));
    QVERIFY2(percentile(errorsOf(runs), 0.5) <= 0.08, qPrintable(figures));
    QVERIFY2(percentile(errorsOf(runs), 0.9) <= 0.20, qPrintable(figures));
    // One source has most of the rows: the others alone must hold too.
    QList<TimedRun> others;
    for (const TimedRun& run : runs) {
        if (!run.family.contains(u"vTrain"_s))
            others.append(run);
    }
    const QString rest = figuresOf(errorsOf(others));
    qInfo("without vTrain: %s", qPrintable(rest));
    QVERIFY2(percentile(errorsOf(others), 0.5) <= 0.08, qPrintable(rest));
    QVERIFY2(percentile(errorsOf(others), 0.9) <= 0.25, qPrintable(rest));
}

void TimeAccuracyTest::errorsByStack()
{
    const auto stacks = byStack(timedRuns());
    for (auto stack = stacks.begin(); stack != stacks.end(); ++stack) {
        const QList<double> errors = errorsOf(stack.value());
        qInfo("%-34s %s", qPrintable(stack.key()), qPrintable(figuresOf(errors)));
        // Two are above 8 %: Megatron-Core's regression tests of tiny models, where equal set-ups differ by 10 to
        // 20 %, and a year of torchtitan's versions on H100.
        const double goal = 0.10;
        if (errors.size() >= 15)
            QVERIFY2(percentile(errors, 0.5) <= goal, qPrintable(stack.key() + u": "_s + figuresOf(errors)));
    }
}

void TimeAccuracyTest::nineOfTenInsideTheBand()
{
    const QList<TimedRun> runs = timedRuns();
    QList<double> widths;
    qsizetype inside = 0;
    for (const TimedRun& run : runs) {
        inside += run.insideBand() ? 1 : 0;
        widths.append(run.estimate.highSeconds / run.estimate.seconds - 1);
    }
    qInfo("%lld of %lld inside, half width: median %.3f", static_cast<long long>(inside),
        static_cast<long long>(runs.size()), percentile(widths, 0.5));
    QVERIFY(inside >= 0.9 * runs.size());
    QVERIFY2(percentile(widths, 0.5) <= 0.25, "the band is so wide that it says nothing");
    for (const TimedRun& run : runs)
        QVERIFY(run.estimate.lowSeconds < run.estimate.seconds && run.estimate.seconds < run.estimate.highSeconds);
}

void TimeAccuracyTest::oneSourceLeftOut()
{
    const QList<TimedRun> runs = timedRuns(true);
    QVERIFY2(runs.size() >= 0.97 * timedRuns().size(), "speeds_left_out.csv is older than the table of runs");
    const auto families = byFamily(runs);
    for (auto family = families.begin(); family != families.end(); ++family)
        qInfo("%-44s %s", qPrintable(family.key()), qPrintable(figuresOf(errorsOf(family.value()))));
    const QString figures = figuresOf(errorsOf(runs));
    qInfo("left out: %s", qPrintable(figures));
    // docs/planner.md says which rows are off by more.
    QVERIFY2(percentile(errorsOf(runs), 0.5) <= 0.12, qPrintable(figures));
    QVERIFY2(percentile(errorsOf(runs), 0.9) <= 0.25, qPrintable(figures));
}

void TimeAccuracyTest::afterOneRunOfOnesOwn()
{
    const QList<double> known = errorsAfterOne(timedRuns());
    qInfo("known stacks, one run: %s", qPrintable(figuresOf(known)));
    QVERIFY2(percentile(known, 0.5) <= 0.05, qPrintable(figuresOf(known)));
    const QList<double> unseen = errorsAfterOne(timedRuns(true));
    qInfo("source never seen, one run: %s", qPrintable(figuresOf(unseen)));
    QVERIFY2(percentile(unseen, 0.5) <= 0.10, qPrintable(figuresOf(unseen)));
}

void TimeAccuracyTest::recommendedLayoutIsAmongTheBest()
{
    int good = 0;
    const QList<QList<TimedRun>> all = sweeps(timedRuns());
    for (const QList<TimedRun>& sweep : all) {
        const auto perSample = [](double seconds, const TimedRun& run) {
            return seconds * run.row.layout.gpus() / static_cast<double>(run.row.layout.globalBatch());
        };
        const auto chosen = std::min_element(sweep.begin(), sweep.end(), [&](const TimedRun& a, const TimedRun& b) {
            return perSample(a.estimate.seconds, a) < perSample(b.estimate.seconds, b);
        });
        double best = perSample(chosen->measuredSeconds, *chosen);
        for (const TimedRun& run : sweep) {
            // Set-ups that are equal in all that is published differ by their program versions: no choice of layouts.
            if (!(run.row.layout == chosen->row.layout) || run.row.workload.recompute != chosen->row.workload.recompute)
                best = std::min(best, perSample(run.measuredSeconds, run));
        }
        if (perSample(chosen->measuredSeconds, *chosen) <= best / 0.95)
            ++good;
    }
    qInfo("%d of %lld sweeps", good, static_cast<long long>(all.size()));
    QVERIFY(all.size() >= 120);
    QVERIFY2(good >= 0.88 * all.size(), qPrintable(u"%1 of %2"_s.arg(good).arg(all.size())));
}

RANKWRIGHT_TEST_MAIN(TimeAccuracyTest)
#include "tst_timeaccuracy.moc"
