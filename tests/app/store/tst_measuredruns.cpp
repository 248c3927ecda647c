// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/database.h"
#include "app/store/measuredruns.h"
#include "app/watch/runmeter.h"
#include "models/insight/progress/stepmeter.h"
#include "tests/support/testbase.h"

#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

MeasuredRun runOf(const QString& job, double seconds)
{
    MeasuredRun run;
    run.cluster = u"lumi"_s;
    run.family = u"decoder"_s;
    run.stack = u"fsdp2"_s;
    run.job = job;
    run.when = QDateTime::fromMSecsSinceEpoch(1'790'000'000'000, Qt::UTC);
    run.predictedBytes = 40e9;
    run.measuredBytes = 44e9;
    run.predictedSeconds = 2;
    run.measuredSeconds = seconds;
    run.timeSpread = 0.2;
    run.memorySpread = 0.125;
    run.exactBytes = 16e9;
    run.gpuBytes = 64e9;
    run.shortestSeconds = 0.5;
    return run;
}

TrainingProgress at(qint64 step, bool withinEpoch = false)
{
    TrainingProgress progress;
    progress.step = step;
    progress.stepWithinEpoch = withinEpoch;
    return progress;
}

} // namespace

/// What a user's own runs measured: metering one, keeping them all.
class MeasuredRunsTest : public test::Suite {
    Q_OBJECT
private slots:
    void keepsAndClears();
    void sameJobTakesItsPlace();
    void unknownStaysUnknown();
    void peakOfAnyGpu();
    void medianStep();
    void stepsOfEpochs();
    void aBacklogTeachesNoStep();
    void whatWasMeasuredStays();
    void fewStepsReportNothing();
    void longRunsStaySmall();
};

void MeasuredRunsTest::keepsAndClears()
{
    QTemporaryDir folder;
    {
        auto database = Database::open(folder.path());
        QVERIFY_RESULT(database);
        MeasuredRuns runs(**database);
        QVERIFY_RESULT(runs.add(runOf(u"1"_s, 2.5)));
        QVERIFY_RESULT(runs.add(runOf(u"2"_s, 3)));
    }
    auto database = Database::open(folder.path());
    QVERIFY_RESULT(database);
    MeasuredRuns runs(**database);
    auto table = runs.load();
    QVERIFY_RESULT(table);
    QCOMPARE(table->runs.size(), 2);
    QCOMPARE(table->runs.first(), runOf(u"1"_s, 2.5));
    QVERIFY_RESULT(runs.clear());
    table = runs.load();
    QVERIFY(table && table->runs.isEmpty());
}

void MeasuredRunsTest::sameJobTakesItsPlace()
{
    QTemporaryDir folder;
    auto database = Database::open(folder.path());
    QVERIFY_RESULT(database);
    MeasuredRuns runs(**database);
    QVERIFY_RESULT(runs.add(runOf(u"1"_s, 2.5)));
    QVERIFY_RESULT(runs.add(runOf(u"1"_s, 2.75)));
    const auto table = runs.load();
    QVERIFY_RESULT(table);
    QCOMPARE(table->runs.size(), 1);
    QCOMPARE(*table->runs.first().measuredSeconds, 2.75);
}

void MeasuredRunsTest::unknownStaysUnknown()
{
    QTemporaryDir folder;
    auto database = Database::open(folder.path());
    QVERIFY_RESULT(database);
    MeasuredRuns runs(**database);
    MeasuredRun run = runOf(u"1"_s, 1);
    run.measuredBytes.reset();
    QVERIFY_RESULT(runs.add(run));
    const auto table = runs.load();
    QVERIFY_RESULT(table);
    QVERIFY(!table->runs.first().measuredBytes);
}

void MeasuredRunsTest::peakOfAnyGpu()
{
    RunMeter meter;
    QVERIFY(!meter.peakBytes());
    NodeTick tick;
    tick.node = u"n1"_s;
    tick.gpus.resize(2);
    meter.addTick(tick); // the tool reported no memory
    QVERIFY(!meter.peakBytes());
    tick.gpus[0].memoryUsedBytes = 5;
    tick.gpus[1].memoryUsedBytes = 9;
    meter.addTick(tick);
    tick.gpus[1].memoryUsedBytes = 7;
    meter.addTick(tick);
    QCOMPARE(*meter.peakBytes(), 9.0);
}

void MeasuredRunsTest::medianStep()
{
    StepMeter meter;
    qint64 now = 1000;
    for (int step = 0; step < 40; ++step) {
        meter.addProgress(at(step), now);
        now += step < 5 ? 30000 : step == 30 ? 60000 : 2000; // warming up, one checkpoint, else two seconds
    }
    QCOMPARE(*meter.stepSeconds(), 2.0);
}

void MeasuredRunsTest::stepsOfEpochs()
{
    StepMeter meter;
    qint64 now = 0;
    for (int epoch = 0; epoch < 4; ++epoch) {
        for (int step = 1; step <= 10; ++step)
            meter.addProgress(at(step, true), now += 500);
    }
    QCOMPARE(*meter.stepSeconds(), 0.5);
}

/// The output of a job that has ended comes at once: its arrivals were learned as 9.8e-06 s a step.
void MeasuredRunsTest::aBacklogTeachesNoStep()
{
    RunMeter meter;
    for (const int step : {1200, 2500, 3800, 5100, 6400, 7700, 9000, 10000})
        meter.addProgress(at(step));
    QVERIFY(!meter.stepSeconds());
    TrainingProgress reported = at(10001);
    reported.stepSeconds = 0.5; // as the meter of the output says
    meter.addProgress(reported);
    meter.addProgress(at(10002));
    QCOMPARE(meter.stepSeconds(), std::optional(0.5));
}

void MeasuredRunsTest::whatWasMeasuredStays()
{
    QTemporaryDir folder;
    auto database = Database::open(folder.path());
    QVERIFY_RESULT(database);
    MeasuredRuns runs(**database);
    const MeasuredRun whole = runOf(u"1"_s, 1);
    QVERIFY_RESULT(runs.add(whole));
    MeasuredRun again = runOf(u"1"_s, 2); // looked at once more: no sample came
    again.measuredBytes.reset();
    again.measuredSeconds = 7;
    QVERIFY_RESULT(runs.add(again));
    const auto table = runs.load();
    QVERIFY_RESULT(table);
    QCOMPARE(table->runs.size(), 1);
    QCOMPARE(table->runs.first().measuredBytes, whole.measuredBytes);
    QCOMPARE(table->runs.first().measuredSeconds, std::optional(7.0));
}

void MeasuredRunsTest::fewStepsReportNothing()
{
    StepMeter meter;
    meter.addProgress(at(1), 0);
    meter.addProgress(at(2), 1000);
    QVERIFY(!meter.stepSeconds());
    meter.addProgress({}, 2000);
    QVERIFY(!meter.stepSeconds());
}

void MeasuredRunsTest::longRunsStaySmall()
{
    StepMeter meter;
    for (qint64 step = 0; step < 100000; ++step)
        meter.addProgress(at(step), step * 250);
    QCOMPARE(*meter.stepSeconds(), 0.25);
}

RANKWRIGHT_TEST_MAIN(MeasuredRunsTest)
#include "tst_measuredruns.moc"
