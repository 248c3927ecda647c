// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/report/historysummary.h"
#include "tests/models/support/gpucurve.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// A recording in figures, against figures worked out by hand.
class HistorySummaryTest final : public test::Suite {
    Q_OBJECT
private slots:
    void constantCurve();
    void energyOfARamp();
    void gapsAreNotFilled();
    void powerOfAPackageCountsOnce();
    void slowIntervalsAreNoGaps();
    void severalNodes();
    void emptyRecording();
    void startUpIsAPhase();
    void startUpThatNobodySaw();
    void longSumsReportHowFar();
    void clockThatIsYearsOff();
    void heatIsReportedAlone();
    void whatWorksWhileInUse();
    void errorsThatCame();
    void whatTheNodesHad();
};

void HistorySummaryTest::constantCurve()
{
    const auto history = curve(600, [](int second) {
        return QList{gpu(0, 80), gpu(1, second % 2 == 0 ? 100 : 0, 200, 20), gpu(2, 0, 100, 1)};
    });
    const HistorySummary seen = summarise(history, span(600));
    QCOMPARE(seen.gpus.size(), 3);
    QVERIFY(qAbs(seen.seenShare - 1) < 1e-9);
    QCOMPARE(seen.gpus.at(0).meanUse, std::optional(80.0));
    QCOMPARE(seen.gpus.at(0).medianUse, std::optional(80.0));
    QCOMPARE(seen.gpus.at(0).energyJoules, std::optional(180000.0)); // 300 W for 600 s
    QCOMPARE(seen.gpus.at(1).meanUse, std::optional(50.0));
    QCOMPARE(seen.gpus.at(1).idleShare, std::optional(0.5));
    QCOMPARE(seen.gpus.at(2).idleShare, std::optional(1.0));
    QVERIFY(qAbs(seen.meanUse.value_or(0) - 130.0 / 3) < 1e-9);
    QVERIFY(qAbs(seen.idleShare.value_or(0) - 0.5) < 1e-9);
    QCOMPARE(seen.memoryPeak, std::optional(Bytes::gib(40)));
    QCOMPARE(seen.memoryTotal, std::optional(Bytes::gib(64)));
    QCOMPARE(seen.energyJoules, std::optional(360000.0)); // 0.1 kWh
    QCOMPARE(seen.meters, 3);
    QCOMPARE(seen.curve.size(), 180);
    QVERIFY(qAbs(seen.curve.at(90).power.value_or(0) - 600) < 1);
    QCOMPARE(seen.curve.at(90).leastUse, std::optional(0.0));
    QVERIFY(seen.curve.at(90).mostUse.value_or(0) >= 80);
    QVERIFY(!seen.throttledShare);
}

/// Shares of what works count while a GPU is in use, and only where they are reported.
void HistorySummaryTest::whatWorksWhileInUse()
{
    const auto history = curve(100, [](int second) {
        QList<GpuSample> all{gpu(0, second < 50 ? 0 : 100), gpu(1, 100), gpu(2, 100)};
        all[0].activity = {second < 50 ? 0.0 : 40.0, second < 50 ? 0.0 : 20.0, {}, 3.0};
        all[1].activity = {10.0, second < 50 ? std::nullopt : std::optional(30.0), {}, {}};
        return all;
    });
    const HistorySummary seen = summarise(history, span(100));
    QVERIFY(seen.gpus.at(0).activity == (GpuActivity{40.0, 20.0, {}, 3.0}));
    QVERIFY(seen.gpus.at(1).activity == (GpuActivity{10.0, 30.0, {}, {}}));
    QVERIFY(seen.gpus.at(2).activity == GpuActivity());
    QCOMPARE(seen.activity.compute, std::optional(25.0));
    QCOMPARE(seen.activity.memory, std::optional(20.0));
    QVERIFY(!seen.activity.occupancy);
}

/// What a GPU's memory counted before the job is not the job's; a driver that was loaded again counts from 0.
void HistorySummaryTest::errorsThatCame()
{
    const auto history = curve(100, [](int second) {
        QList<GpuSample> all{gpu(0, 90), gpu(1, 90), gpu(2, 90)};
        all[0].memoryErrors = second < 40 ? std::optional<qint64>(17)
            : second < 50                 ? std::nullopt
                                          : std::optional<qint64>(19);
        all[1].memoryErrors = second < 60 ? 5 : second < 80 ? 0 : 1;
        return all;
    });
    const HistorySummary seen = summarise(history, span(100));
    QCOMPARE(seen.gpus.at(0).newErrors, std::optional<qint64>(2));
    QCOMPARE(seen.gpus.at(1).newErrors, std::optional<qint64>(1));
    QVERIFY(!seen.gpus.at(2).newErrors);
    QCOMPARE(seen.newErrors, std::optional<qint64>(3));
}

void HistorySummaryTest::whatTheNodesHad()
{
    MemoryHistory history;
    for (int second = 0; second < 640; second += 10) {
        for (const QString& node : {u"n1"_s, u"n2"_s})
            history.store(NodeTick{node, startMs + second * 1000, {gpu(0, 90)}});
        NodeProcesses reported{u"n1"_s, startMs + second * 1000, {}, {}, {}, {}};
        reported.resources = NodeResources();
        reported.resources->network = NetworkKind::InfiniBand;
        reported.resources->capacity = 100'000;
        reported.resources->received = second < 320 ? 10'000 : 30'000;
        reported.resources->sent = 5'000;
        reported.resources->waiting = second < 320 ? 0 : 2;
        reported.resources->memoryOf = ResourceScope::Job;
        reported.resources->memoryLimit = 9'000;
        reported.resources->anonymous = second;
        reported.resources->shared = 1'000;
        history.store(reported);
    }
    const NodeUsage beside = summarise(history, span(640)).beside;
    QVERIFY(qAbs(beside.received.value_or(0) - 20'000) < 1000);
    QCOMPARE(beside.sent, std::optional(5'000.0));
    QVERIFY(qAbs(beside.linkShare.value_or(0) - 0.2) < 0.01);
    QVERIFY(qAbs(beside.waitingLooks.value_or(0) - 0.5) < 0.05);
    QVERIFY(!beside.someWait);
    QCOMPARE(beside.mostHeld, std::optional<qint64>(1'630));
    QCOMPARE(beside.memoryLimit, std::optional<qint64>(9'000));
    QVERIFY(summarise(MemoryHistory(), span(640)).beside == NodeUsage());
}

/// 60 s of imports, then 80 % use at little power in a quarter of the time.
void HistorySummaryTest::startUpIsAPhase()
{
    const auto history = curve(160, [](int second) {
        QList<GpuSample> both = second < 60 ? QList{gpu(0, 0, 90), gpu(1, 0, 90)}
            : second < 135                  ? QList{gpu(0, 80, 300), gpu(1, 80, 300)}
                                            : QList{gpu(0, 100, 90), gpu(1, 100, 90)};
        for (GpuSample& one : both)
            one.powerCapWatts = 400;
        return both;
    });
    const HistorySummary seen = summarise(history, span(160));
    QCOMPARE(seen.startUpSeconds, std::optional(60.0));
    QVERIFY(qAbs(seen.meanUse.value_or(0) - 8500.0 / 160) < 0.01);
    QVERIFY(qAbs(seen.useAfterStart.value_or(0) - 85) < 0.01);
    QVERIFY(qAbs(seen.waitingShare.value_or(0) - 25.0 / 160) < 0.001);
    QVERIFY(qAbs(seen.waitingAfterStart.value_or(0) - 0.25) < 0.001);
}

/// A recording that begins later than the job: when work began is not known.
void HistorySummaryTest::startUpThatNobodySaw()
{
    MemoryHistory history;
    for (int second = 400; second < 600; ++second)
        history.store(NodeTick{u"n1"_s, startMs + second * 1000, {gpu(0, second < 405 ? 0 : 90)}});
    const HistorySummary seen = summarise(history, span(600));
    QVERIFY(seen.firstWorkMs && !seen.startUpSeconds);
    QCOMPARE(seen.useAfterStart, seen.meanUse);
    const auto idle = curve(100, [](int) { return QList{gpu(0, 0)}; });
    QVERIFY(!summarise(idle, span(100)).startUpSeconds);
}

void HistorySummaryTest::energyOfARamp()
{
    const auto history = curve(601, [](int second) { return QList{gpu(0, 50, double(second))}; });
    const HistorySummary seen = summarise(history, span(600));
    QVERIFY(qAbs(seen.energyJoules.value_or(0) - 180000) < 1); // the area of the triangle
}

void HistorySummaryTest::gapsAreNotFilled()
{
    MemoryHistory history;
    for (int second = 0; second < 600; ++second) {
        if (second < 200 || second >= 400)
            history.store(NodeTick{u"n1"_s, startMs + second * 1000, {gpu(0, 90, 500)}});
    }
    const HistorySummary seen = summarise(history, span(800)); // the last 200 s were not recorded either
    QVERIFY(qAbs(seen.seenShare - 0.5) < 0.002);
    QVERIFY(qAbs(seen.powerSeenShare - 0.5) < 0.002);
    QVERIFY(qAbs(seen.energyJoules.value_or(0) - 200000) < 600); // 400 s at 500 W, not 800 s
    QCOMPARE(seen.gaps.size(), 2); // as the plot draws them
    QVERIFY(qAbs(seen.gaps.first().length() - 201000) < 2000);
    QVERIFY(qAbs(seen.gaps.last().length() - 200000) < 2000);
    QVERIFY(!seen.curve.at(67).use); // 298 s
    QVERIFY(!seen.curve.last().power);
}

void HistorySummaryTest::powerOfAPackageCountsOnce()
{
    const auto history = curve(100, [](int) {
        GpuSample second = gpu(1, 90, std::nullopt);
        second.secondaryDie = true;
        GpuSample both = gpu(3, 90, 400); // a tool that repeats the package's power on its other die
        both.secondaryDie = true;
        return QList{gpu(0, 90, 400), second, gpu(2, 90, 400), both};
    });
    const HistorySummary seen = summarise(history, span(100));
    QCOMPARE(seen.meters, 2);
    QCOMPARE(seen.energyJoules, std::optional(80000.0));
    QCOMPARE(seen.meanPower, std::optional(400.0));
    QVERIFY(!seen.gpus.at(1).meanPower && !seen.gpus.at(3).energyJoules);
}

void HistorySummaryTest::slowIntervalsAreNoGaps()
{
    MemoryHistory history;
    for (int second = 0; second < 600; second += 20) // as for a thousand nodes
        history.store(NodeTick{u"n1"_s, startMs + second * 1000, {gpu(0, 70, 500)}});
    const HistorySummary seen = summarise(history, span(600));
    QVERIFY(qAbs(seen.seenShare - 1) < 1e-9);
    QCOMPARE(seen.energyJoules, std::optional(300000.0));
    QVERIFY(seen.gaps.isEmpty());
    QVERIFY(seen.curve.size() <= 15); // two samples in each
}

void HistorySummaryTest::severalNodes()
{
    MemoryHistory history;
    for (int second = 0; second < 300; ++second) {
        for (int node = 0; node < 3; ++node)
            history.store(NodeTick{
                u"n%1"_s.arg(node), startMs + second * 1000 + node * 10, {gpu(0, 30.0 * node), gpu(1, 30.0 * node)}});
    }
    const HistorySummary seen = summarise(history, span(300));
    QCOMPARE(seen.gpus.size(), 6);
    QCOMPARE(seen.gpus.at(4).address, (GpuAddress{2, 0}));
    QVERIFY(qAbs(seen.meanUse.value_or(0) - 30) < 0.01);
    QVERIFY(qAbs(seen.curve.at(50).mostUse.value_or(0) - 60) < 0.01);
    QVERIFY(qAbs(seen.curve.at(50).power.value_or(0) - 1800) < 0.1);
}

void HistorySummaryTest::emptyRecording()
{
    const HistorySummary seen = summarise(MemoryHistory());
    QVERIFY(seen.isEmpty());
    QCOMPARE(seen.seenShare, 0.0);
    QVERIFY(!seen.meanUse && !seen.energyJoules);
}

void HistorySummaryTest::longSumsReportHowFar()
{
    // read in several stretches: what spans their borders counts once
    const auto history = curve(7200, [](int second) {
        return QList{gpu(0, second < 3600 ? 100 : 20, 250), gpu(1, 60, 150)};
    });
    SummaryWatch watch;
    const HistorySummary seen = summarise(history, span(7200), HistorySummary::usualCurvePoints, &watch);
    QCOMPARE(seen.gpus.at(0).meanUse, std::optional(60.0));
    QCOMPARE(seen.meanUse, std::optional(60.0));
    QCOMPARE(seen.energyJoules, std::optional(400.0 * 7200));
    QCOMPARE(seen.seenShare, 1.0);
    QVERIFY(seen.gaps.isEmpty());
    QVERIFY2(watch.permille >= 850 && watch.permille <= 1000, qPrintable(QString::number(watch.permille)));
    watch.cancelled = true;
    QVERIFY(summarise(history, span(7200), HistorySummary::usualCurvePoints, &watch).isEmpty());
}

/// What is kept of a job's time is bounded, whatever a node's clock says.
void HistorySummaryTest::clockThatIsYearsOff()
{
    MemoryHistory history;
    for (int second = 0; second < 700; ++second)
        history.store(NodeTick{u"n0"_s, startMs + second * 1000, {gpu(0, second < 60 ? 0.0 : 80.0)}});
    history.store(NodeTick{u"n1"_s, 4'000'000'000'000, {gpu(0, 80)}});
    const HistorySummary seen = summarise(history);
    QCOMPARE(seen.gpus.size(), 2);
    QVERIFY(qAbs(seen.gpus.at(0).meanUse.value_or(0) - 80 * 640.0 / 700) < 0.2);
    QCOMPARE(seen.gpus.at(1).meanUse, std::optional(80.0));
}

/// amdgpu's files say that a GPU is at a limit of heat; that it is at none they do not say.
void HistorySummaryTest::heatIsReportedAlone()
{
    const auto history = curve(100, [](int second) {
        GpuSample hot = gpu(0, 90);
        if (second >= 40 && second < 45)
            hot.throttle = Throttles(Throttle::Thermal);
        return QList{hot, gpu(1, 90)};
    });
    const HistorySummary seen = summarise(history, span(100));
    QVERIFY(qAbs(seen.gpus.at(0).throttledShare.value_or(1) - 0.05) < 1e-9);
    QVERIFY(!seen.gpus.at(1).throttledShare);
    QVERIFY(qAbs(seen.throttledShare.value_or(1) - 0.025) < 1e-9);
}

RANKWRIGHT_TEST_MAIN(HistorySummaryTest)
#include "tst_historysummary.moc"
