// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/timeline.h"
#include "models/insight/progress/progresstrack.h"
#include "models/insight/telemetry/history/joboverview.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 begin = 1'772'460'000'000;

NodeTick tickOf(qint64 ms, const QList<double>& use, std::optional<double> watts = {})
{
    NodeTick tick;
    tick.node = u"n1"_s;
    tick.takenMs = ms;
    for (int gpu = 0; gpu < use.size(); ++gpu) {
        GpuSample sample;
        sample.index = gpu;
        sample.utilizationPercent = use.at(gpu);
        if (gpu == 0)
            sample.powerWatts = watts;
        tick.gpus.append(sample);
    }
    return tick;
}

Alert alertOf(const QString& kind, Alert::Level level, qint64 since)
{
    Alert alert;
    alert.kind = kind;
    alert.level = level;
    alert.sinceMs = since;
    alert.title = kind;
    return alert;
}

} // namespace

/// What the time slider shows: the job's curve as a whole, how far it was, what happened when.
class JobOverviewTest final : public test::Suite {
    Q_OBJECT
private slots:
    void meanAndBandOverAllGpus();
    void unknownIsNoZero();
    void memoryStaysBounded();
    void wideCellsFillTheirBuckets();
    void earlierRecordsJoin();
    void bucketsMerge();
    void progressIsThatOfTheMoment();
    void progressIsThinned();
    void marksBeginAndEnd();
    void normalThingsAreNoMarks();
};

void JobOverviewTest::meanAndBandOverAllGpus()
{
    JobOverview curve;
    curve.add(tickOf(begin, {100, 80, 0, 20}));
    curve.add(tickOf(begin + 1000, {40, 40, 40, 40}));
    const QList<HistoryBucket> two = curve.curve(Measure::Utilization, {begin, begin + 2000}, 2);
    QCOMPARE(two.size(), 2);
    QCOMPARE(two.at(0).samples, 4);
    QCOMPARE(two.at(0).mean, 50.0F); // (100 + 80 + 0 + 20) / 4
    QCOMPARE(two.at(0).least, 0.0F);
    QCOMPARE(two.at(0).most, 100.0F);
    QCOMPARE(two.at(1).mean, 40.0F);
    const QList<HistoryBucket> one = curve.curve(Measure::Utilization, {begin, begin + 2000}, 1);
    QCOMPARE(one.first().mean, 45.0F);
    QCOMPARE(one.first().samples, 8);
}

void JobOverviewTest::unknownIsNoZero()
{
    JobOverview curve;
    curve.add(tickOf(begin, {100, 80}));
    curve.add(tickOf(begin + 60'000, {100, 80}, 431));
    QCOMPARE(curve.curve(Measure::Power, {begin, begin + 1000}, 1).first().samples, 0);
    const QList<HistoryBucket> power = curve.curve(Measure::Power, {begin + 60'000, begin + 61'000}, 1);
    QCOMPARE(power.first().samples, 1);
    QCOMPARE(power.first().least, 431.0F);
    QCOMPARE(curve.curve(Measure::Utilization, {begin + 30'000, begin + 31'000}, 1).first().samples, 0);
    NodeTick untimed = tickOf(0, {50});
    curve.add(untimed); // no clock at all: nowhere to put it
    curve.add(untimed, begin + 90'000);
    QCOMPARE(curve.curve(Measure::Utilization, {begin + 90'000, begin + 91'000}, 1).first().mean, 50.0F);
}

void JobOverviewTest::memoryStaysBounded()
{
    JobOverview curve(64);
    for (int second = 0; second < 86'400; ++second) // a day
        curve.add(tickOf(begin + second * 1000LL, {second < 43'200 ? 10.0 : 90.0}));
    QVERIFY(curve.cellMs() >= 86'400'000 / 64);
    QVERIFY(curve.cellMs() <= 4 * 86'400'000 / 64);
    const QList<HistoryBucket> quarters = curve.curve(Measure::Utilization, {begin, begin + 86'400'000}, 4);
    QVERIFY(quarters.first().mean < 15);
    QVERIFY(quarters.last().mean > 85);
    int samples = 0;
    for (const HistoryBucket& quarter : quarters)
        samples += quarter.samples;
    QVERIFY(samples > 80'000);
}

void JobOverviewTest::wideCellsFillTheirBuckets()
{
    JobOverview curve(2048, 60'000);
    curve.add(tickOf(begin, {70}));
    for (const HistoryBucket& bucket : curve.curve(Measure::Utilization, {begin, begin + 10'000}, 10))
        QCOMPARE(bucket.mean, 70.0F);
}

void JobOverviewTest::earlierRecordsJoin()
{
    JobOverview curve;
    curve.add(tickOf(begin + 100'000, {60}));
    curve.add(
        Measure::Utilization, {{{begin, begin + 1000}, 10, 5, 30, 55}, {{begin + 1000, begin + 2000}, 0, 0, 0, 0}});
    const QList<HistoryBucket> first = curve.curve(Measure::Utilization, {begin, begin + 2000}, 2);
    QCOMPARE(first.at(0).samples, 10);
    QCOMPARE(first.at(0).most, 55.0F);
    QCOMPARE(first.at(1).samples, 0);
}

void JobOverviewTest::bucketsMerge()
{
    const TimeSpan span{begin, begin + 1000};
    const QList<HistoryBucket> merged
        = mergedBuckets({{{span, 0, 0, 0, 0}}, {{span, 1, 10, 10, 10}}, {{span, 3, 20, 30, 50}}});
    QCOMPARE(merged.size(), 1);
    QCOMPARE(merged.first().samples, 4);
    QCOMPARE(merged.first().mean, 25.0F); // (10 + 3 * 30) / 4
    QCOMPARE(merged.first().least, 10.0F);
    QCOMPARE(merged.first().most, 50.0F);
    QVERIFY(mergedBuckets({}).isEmpty());
}

void JobOverviewTest::progressIsThatOfTheMoment()
{
    ProgressTrack track;
    QVERIFY(!track.at(begin));
    const auto step = [](qint64 ms, qint64 number) {
        ProgressTrack::Entry entry;
        entry.atMs = ms;
        entry.progress.step = number;
        return entry;
    };
    track.add(step(begin + 1000, 1));
    track.add(step(begin + 3000, 3));
    track.add(step(begin + 2000, 2)); // reported late
    track.add(step(begin + 3000, 4)); // reported again
    QVERIFY(!track.at(begin + 999));
    QCOMPARE(track.at(begin + 1000)->progress.step, std::optional<qint64>(1));
    QCOMPARE(track.at(begin + 2999)->progress.step, std::optional<qint64>(2));
    QCOMPARE(track.at(begin + 9'000'000)->progress.step, std::optional<qint64>(4));
}

void JobOverviewTest::progressIsThinned()
{
    ProgressTrack track;
    for (int number = 0; number < 100'000; ++number) {
        ProgressTrack::Entry entry;
        entry.atMs = begin + number * 100LL;
        entry.progress.step = number;
        track.add(entry);
    }
    QVERIFY(track.entries().size() <= ProgressTrack::mostEntries);
    QCOMPARE(track.at(begin + 1'000'000'000)->progress.step, std::optional<qint64>(99'999));
    QVERIFY(qAbs(*track.at(begin + 5'000'000)->progress.step - 50'000) < 100);
}

void JobOverviewTest::marksBeginAndEnd()
{
    Timeline track;
    track.addState(u"began to run"_s, begin);
    const Alert late = alertOf(u"straggler"_s, Alert::Level::Warning, begin + 10'000);
    track.setAlerts({late}, begin + 20'000);
    track.setAlerts({late}, begin + 21'000);
    QCOMPARE(track.marks().size(), 2);
    QCOMPARE(track.marks().last().fromMs, begin + 10'000); // since it was seen, not since it was said
    QCOMPARE(track.marks().last().toMs, 0);
    track.setAlerts({}, begin + 60'000);
    QCOMPARE(track.marks().last().toMs, begin + 60'000);
    track.setAlerts({alertOf(u"straggler"_s, Alert::Level::Failure, begin + 70'000)}, begin + 75'000);
    QCOMPARE(track.marks().size(), 3); // the same again is a stretch of its own
    for (int again = 0; again < 2000; ++again)
        track.addState(u"x"_s, begin + 80'000 + again);
    QVERIFY(track.marks().size() <= Timeline::mostMarks);
}

void JobOverviewTest::normalThingsAreNoMarks()
{
    Timeline track;
    track.setAlerts({alertOf(u"half_power"_s, Alert::Level::Normal, begin)}, begin + 1000);
    QVERIFY(track.marks().isEmpty());
}

RANKWRIGHT_TEST_MAIN(JobOverviewTest)
#include "tst_joboverview.moc"
