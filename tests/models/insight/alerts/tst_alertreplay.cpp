// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/alertreplay.h"
#include "tests/support/memoryhistory.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 begin = 1'772'460'000'000;
constexpr int gpus = 8;

/// Healthy for ten minutes; then GPU 3 goes on working while the others wait for it at full use and low power.
MemoryHistory straggling()
{
    MemoryHistory history({u"n1"_s}, gpus);
    for (int second = 0; second < 1500; ++second) {
        const bool waiting = second >= 600;
        NodeTick tick;
        tick.node = u"n1"_s;
        tick.takenMs = begin + second * 1000;
        for (int gpu = 0; gpu < gpus; ++gpu) {
            GpuSample sample;
            sample.index = gpu;
            sample.utilizationPercent = waiting && gpu == 3 ? 96 : 100;
            sample.memoryUsedBytes = qint64(60) << 30;
            sample.memoryTotalBytes = qint64(80) << 30;
            sample.powerWatts = (waiting && gpu != 3 ? 120 : 620) + (second * 7 + gpu * 3) % 11;
            sample.powerCapWatts = 700;
            sample.temperatureCelsius = 55;
            tick.gpus.append(sample);
        }
        history.store(tick);
    }
    return history;
}

QList<Alert> alertsAt(AlertReplay& replay, const MemoryHistory& history, qint64 ms)
{
    const ProgressTrack none;
    replay.seek(ms, gpus);
    while (replay.feedNext(history, none)) { }
    return replay.alerts();
}

bool speaksOf(const QList<Alert>& alerts, int gpu)
{
    return std::any_of(alerts.begin(), alerts.end(), [gpu](const Alert& alert) {
        return alert.level >= Alert::Level::Warning && alert.gpus.contains(GpuAddress{0, gpu});
    });
}

bool warns(const QList<Alert>& alerts)
{
    return std::any_of(
        alerts.begin(), alerts.end(), [](const Alert& alert) { return alert.level >= Alert::Level::Warning; });
}

} // namespace

/// Alerts of a moment of the past are those that a watch would have reported then.
class AlertReplayTest final : public test::Suite {
    Q_OBJECT
private slots:
    void saysWhatStoodThen();
    void saysTheSameHoweverItGotThere();
    void failuresAreKnownFromTheirMoment();
    void looksBackLessForThousands();
};

void AlertReplayTest::saysWhatStoodThen()
{
    const MemoryHistory history = straggling();
    AlertReplay replay;
    replay.expect({}, begin);
    QVERIFY(!warns(alertsAt(replay, history, begin + 550'000)));
    const QList<Alert> later = alertsAt(replay, history, begin + 900'000);
    QVERIFY(speaksOf(later, 3));
    // Back again: what was not yet there is not said.
    QVERIFY(!warns(alertsAt(replay, history, begin + 500'000)));
}

void AlertReplayTest::saysTheSameHoweverItGotThere()
{
    const MemoryHistory history = straggling();
    AlertReplay at;
    at.expect({}, begin);
    AlertReplay along;
    along.expect({}, begin);
    const QList<Alert> jumped = alertsAt(at, history, begin + 1'000'000);
    QList<Alert> played;
    for (qint64 ms = begin + 580'000; ms <= begin + 1'000'000; ms += 20'000)
        played = alertsAt(along, history, ms);
    QCOMPARE(played.size(), jumped.size());
    for (qsizetype place = 0; place < played.size(); ++place)
        QCOMPARE(played.at(place).kind, jumped.at(place).kind);
}

void AlertReplayTest::failuresAreKnownFromTheirMoment()
{
    const MemoryHistory history = straggling();
    AlertReplay replay;
    replay.expect({}, begin);
    Diagnosis found;
    found.kind = u"oom_gpu"_s;
    found.rule = u"F01"_s;
    found.rank = 3;
    replay.report({begin + 700'000, {found}});
    const auto reports = [](const QList<Alert>& alerts) {
        return std::any_of(
            alerts.begin(), alerts.end(), [](const Alert& alert) { return alert.rule == AlertKind::OutputFailure; });
    };
    QVERIFY(!reports(alertsAt(replay, history, begin + 690'000)));
    QVERIFY(reports(alertsAt(replay, history, begin + 720'000))); // played on
    QVERIFY(!reports(alertsAt(replay, history, begin + 500'000)));
    QVERIFY(reports(alertsAt(replay, history, begin + 1'400'000))); // jumped
    AlertReplay late;
    late.expect({}, begin);
    QVERIFY(!reports(alertsAt(late, history, begin + 900'000)));
    late.report({begin + 700'000, {found}}); // becomes known of a time that was looked at
    QVERIFY(reports(alertsAt(late, history, begin + 900'000)));
}

void AlertReplayTest::looksBackLessForThousands()
{
    QCOMPARE(AlertReplay::lookbackMs(8), 1'800'000);
    QVERIFY(AlertReplay::lookbackMs(8192) >= 120'000);
    QVERIFY(AlertReplay::lookbackMs(8192) < AlertReplay::lookbackMs(512));
    QCOMPARE(AlertReplay::lookbackMs(0), 1'800'000);
}

RANKWRIGHT_TEST_MAIN(AlertReplayTest)
#include "tst_alertreplay.moc"
