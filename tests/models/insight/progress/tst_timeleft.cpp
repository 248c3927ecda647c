// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/steppace.h"
#include "models/insight/progress/traininglogreader.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// How long a training still takes, and what is reported without a step; figures by hand.
class TimeLeftTest final : public test::Suite {
    Q_OBJECT
private slots:
    void byRate();
    void ofAllEpochs_data();
    void ofAllEpochs();
    void oldReportsCountLess();
    void rateByItself();
    void barThatIsOpen_data();
    void barThatIsOpen();
};

/// 100 steps at 2 steps a second are 50 s, of which those since the line came are gone.
void TimeLeftTest::byRate()
{
    TrainingProgress progress;
    progress.step = 10;
    progress.steps = 110;
    progress.rate = 2.0;
    progress.rateUnit = u"it/s"_s;
    StepPace pace;
    pace.addProgress(progress, 5000);
    QCOMPARE(pace.secondsLeftByRate(5000).value_or(-1), 50.0);
    QCOMPARE(pace.secondsLeftByRate(15000).value_or(-1), 40.0);
    QCOMPARE(pace.secondsLeftByRate(95000).value_or(-1), 0.0);
    progress.steps.reset();
    pace.addProgress(progress, 5000);
    QVERIFY(!pace.secondsLeftByRate(5000));
}

void TimeLeftTest::ofAllEpochs_data()
{
    QTest::addColumn<double>("epoch");
    QTest::addColumn<double>("epochs");
    QTest::addColumn<double>("seconds"); // below 0: not known
    // 30 s for the 15 steps left of an epoch of 20: 2 s a step, 40 s for each further epoch
    QTest::newRow("two more epochs") << 1.0 << 3.0 << 110.0;
    QTest::newRow("one more epoch") << 2.0 << 3.0 << 70.0;
    QTest::newRow("the last one") << 3.0 << 3.0 << 30.0;
    QTest::newRow("how many is not known") << 1.0 << -1.0 << -1.0;
}

void TimeLeftTest::ofAllEpochs()
{
    QFETCH(double, epoch);
    QFETCH(double, epochs);
    TrainingProgress progress;
    progress.step = 5;
    progress.steps = 20;
    progress.stepWithinEpoch = true;
    progress.etaSeconds = 30.0;
    progress.epoch = epoch;
    if (epochs > 0)
        progress.epochs = epochs;
    QTEST(progress.runSecondsLeft().value_or(-1), "seconds");
}

/// When full, every second report is dropped: of 512 at 1 s and 120 at 3 s, 256 and 120 are kept; 3 s lead the newer
/// half.
void TimeLeftTest::oldReportsCountLess()
{
    StepMeter meter;
    for (int i = 0; i < 512; ++i)
        meter.report(1);
    QCOMPARE(meter.stepSeconds().value_or(-1), 1.0);
    for (int i = 0; i < 120; ++i)
        meter.report(3);
    QCOMPARE(meter.stepSeconds().value_or(-1), 3.0);
}

/// A line of one's own that says a rate and nothing else.
void TimeLeftTest::rateByItself()
{
    const auto patterns = userPatterns({u"throughput (?<rate>[\\d.]+)"_s});
    QVERIFY_RESULT(patterns);
    TrainingLogReader reader;
    reader.setPatterns(*patterns);
    reader.feed("throughput 12.5 samples/s\n");
    QCOMPARE(reader.progress().rate.value_or(-1), 12.5);
    QCOMPARE(reader.progress().rateUnit, u"samples/s"_s);
    reader.feed("throughput 14.5 samples/s\n");
    QCOMPARE(reader.progress().rate.value_or(-1), 14.5);
    // of another kind: the first one goes on
    reader.feed("throughput 3.0 it/s\n");
    QCOMPARE(reader.progress().rate.value_or(-1), 14.5);
    QCOMPARE(reader.progress().rateUnit, u"samples/s"_s);
}

void TimeLeftTest::barThatIsOpen_data()
{
    QTest::addColumn<QByteArray>("times");
    QTest::addColumn<bool>("isRead");
    QTest::newRow("seconds") << QByteArray("9.8s<14.4s") << true;
    QTest::newRow("minutes") << QByteArray("12:10<14:05") << true;
    QTest::newRow("hours") << QByteArray("1:02:10<2:01:05") << true;
    QTest::newRow("cut") << QByteArray("1:02:10<2:0") << false;
}

/// Ultralytics' bar as tests/data/logs/endings.jsonl has it, at the end of a log that nobody sees.
void TimeLeftTest::barThatIsOpen()
{
    QFETCH(QByteArray, times);
    QFETCH(bool, isRead);
    TrainingLogReader reader;
    reader.setSummaryOnly(true);
    reader.feed("\r      3/100      9.87G     0.4639     0.2342     0.8053       1469        640: 40% "
                "\xe2\x94\x81\xe2\x94\x81\xe2\x94\x80\xe2\x94\x80 40/99 4.1it/s "
        + times);
    reader.finish();
    QCOMPARE(reader.progress().step.value_or(-1), isRead ? 40 : -1);
}

RANKWRIGHT_TEST_MAIN(TimeLeftTest)
#include "tst_timeleft.moc"
