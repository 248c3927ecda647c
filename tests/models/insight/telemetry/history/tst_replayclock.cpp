// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/history/replayclock.h"
#include "tests/support/testbase.h"

using namespace rankwright;

namespace {

constexpr qint64 begin = 1'772'460'000'000;
constexpr TimeSpan hour{begin, begin + 3'600'000};

ReplayClock clockOf(ReplayClock::Job job = ReplayClock::Job::Reporting)
{
    ReplayClock clock;
    clock.setSpan(hour, job);
    return clock;
}

} // namespace

/// Which moment is shown: live, held, or played at a speed.
class ReplayClockTest final : public test::Suite {
    Q_OBJECT
private slots:
    void liveFollowsTheNewest();
    void playsAtSpeed_data();
    void playsAtSpeed();
    void reachesTheLiveEdge();
    void endsAtTheLastMomentOfAnEndedJob();
    void seekingStaysInside();
    void heldStandsStillWhileTheJobGoesOn();
    void runsPastGaps();
    void speedsAreBounded();
    void endedJobIsNeverLive();
    void lastSamplesAfterTheEnd();
};

void ReplayClockTest::liveFollowsTheNewest()
{
    ReplayClock clock = clockOf();
    QVERIFY(clock.isLive());
    QCOMPARE(clock.moment(), hour.toMs);
    clock.setSpan({begin, hour.toMs + 5000}, ReplayClock::Job::Reporting);
    QCOMPARE(clock.moment(), hour.toMs + 5000);
    QVERIFY(!clock.advance(1000)); // nothing of its own moves
}

void ReplayClockTest::playsAtSpeed_data()
{
    QTest::addColumn<double>("speed");
    QTest::addColumn<qint64>("wallMs");
    QTest::addColumn<qint64>("moved");
    QTest::newRow("a quarter") << 0.25 << qint64(1000) << qint64(250);
    QTest::newRow("as it was") << 1.0 << qint64(1500) << qint64(1500);
    QTest::newRow("a minute a second") << 60.0 << qint64(2000) << qint64(120'000);
    QTest::newRow("fastest") << 1000.0 << qint64(100) << qint64(100'000);
    QTest::newRow("any") << 7.5 << qint64(1000) << qint64(7500);
}

void ReplayClockTest::playsAtSpeed()
{
    QFETCH(double, speed);
    QFETCH(qint64, wallMs);
    QFETCH(qint64, moved);
    ReplayClock clock = clockOf();
    clock.seek(begin + 60'000);
    clock.setSpeed(speed);
    clock.play(500);
    // In many small beats as in one: nothing is lost by rounding.
    for (qint64 at = 20; at <= wallMs; at += 20)
        clock.advance(500 + at);
    QVERIFY(qAbs(clock.moment() - (begin + 60'000 + moved)) <= 1);
    QCOMPARE(clock.mode(), ReplayClock::Mode::Playing);
}

void ReplayClockTest::reachesTheLiveEdge()
{
    ReplayClock clock = clockOf();
    clock.seek(hour.toMs - 1000);
    clock.setSpeed(10);
    clock.play(0);
    QVERIFY(clock.advance(200));
    QVERIFY(clock.isLive());
    QCOMPARE(clock.moment(), hour.toMs);
}

void ReplayClockTest::endsAtTheLastMomentOfAnEndedJob()
{
    ReplayClock clock = clockOf(ReplayClock::Job::Ended);
    clock.seek(hour.toMs - 1000);
    clock.play(0);
    clock.advance(5000);
    QCOMPARE(clock.mode(), ReplayClock::Mode::Held);
    QCOMPARE(clock.moment(), hour.toMs);
    clock.play(10'000); // from the end it begins again
    QCOMPARE(clock.moment(), hour.fromMs);
    QCOMPARE(clock.mode(), ReplayClock::Mode::Playing);
}

void ReplayClockTest::seekingStaysInside()
{
    ReplayClock clock = clockOf();
    clock.seek(begin - 99);
    QCOMPARE(clock.moment(), hour.fromMs);
    clock.seek(hour.toMs + 99);
    QCOMPARE(clock.moment(), hour.toMs);
    QVERIFY(!clock.isLive()); // at the edge, and still held: only goToEnd() and playing come back
    clock.step(-10'000);
    QCOMPARE(clock.moment(), hour.toMs - 10'000);
    clock.goToEnd();
    QVERIFY(clock.isLive());
}

void ReplayClockTest::heldStandsStillWhileTheJobGoesOn()
{
    ReplayClock clock = clockOf();
    clock.hold();
    const qint64 held = clock.moment();
    clock.setSpan({begin, hour.toMs + 60'000}, ReplayClock::Job::Reporting);
    QVERIFY(!clock.advance(60'000));
    QCOMPARE(clock.moment(), held);
    QVERIFY(!clock.isLive());
}

void ReplayClockTest::runsPastGaps()
{
    ReplayClock clock = clockOf();
    clock.setGaps({{begin + 10'000, begin + 1'810'000}}); // half an hour without a laptop
    clock.seek(begin + 9000);
    clock.play(0);
    clock.advance(900);
    QCOMPARE(clock.moment(), begin + 9900);
    clock.advance(1200);
    QCOMPARE(clock.moment(), begin + 1'810'000);
}

void ReplayClockTest::speedsAreBounded()
{
    ReplayClock clock = clockOf();
    clock.setSpeed(1e9);
    QCOMPARE(clock.speed(), 1000.0);
    clock.setSpeed(-3);
    QCOMPARE(clock.speed(), 0.25);
    clock.setSpeed(std::numeric_limits<double>::quiet_NaN());
    QCOMPARE(clock.speed(), 0.25);
    clock.stepSpeed(2);
    QCOMPARE(clock.speed(), 1.0);
    clock.setSpeed(7);
    clock.stepSpeed(1);
    QVERIFY(clock.speed() > 7);
    clock.stepSpeed(-99);
    QCOMPARE(clock.speed(), 0.25);
}

void ReplayClockTest::endedJobIsNeverLive()
{
    ReplayClock clock = clockOf();
    QVERIFY(clock.isLive());
    clock.setSpan(hour, ReplayClock::Job::Ended);
    QVERIFY(!clock.isLive());
    QCOMPARE(clock.moment(), hour.toMs);
    clock.goToEnd();
    QCOMPARE(clock.mode(), ReplayClock::Mode::Held);
}

/// The nodes' last samples are written after Slurm has said that the job is over: whoever looked at the newest still
/// does.
void ReplayClockTest::lastSamplesAfterTheEnd()
{
    ReplayClock clock = clockOf();
    clock.setSpan({begin, hour.toMs + 1000}, ReplayClock::Job::Ended);
    QCOMPARE(clock.moment(), hour.toMs + 1000);
    clock.setSpan({begin, hour.toMs + 3000}, ReplayClock::Job::Ended);
    QCOMPARE(clock.moment(), hour.toMs + 3000);
    clock.seek(begin + 60'000);
    clock.setSpan({begin, hour.toMs + 4000}, ReplayClock::Job::Ended);
    QCOMPARE(clock.moment(), begin + 60'000);
}

RANKWRIGHT_TEST_MAIN(ReplayClockTest)
#include "tst_replayclock.moc"
