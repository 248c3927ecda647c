// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/history/historycurves.h"
#include "models/insight/telemetry/history/samplegaps.h"
#include "models/insight/telemetry/history/serieshistory.h"
#include "models/tables/historytable.h"
#include "tests/support/memoryhistory.h"
#include "tests/support/testbase.h"

#include <QAbstractItemModelTester>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 begin = 1'772'460'000'000;

/// One node of four dies, two to a package: use 10, 20, 30, 40 %, power on each package's first die.
NodeTick tickOf(qint64 ms)
{
    NodeTick tick;
    tick.node = u"n1"_s;
    tick.takenMs = ms;
    for (int gpu = 0; gpu < 4; ++gpu) {
        GpuSample sample;
        sample.index = gpu;
        sample.utilizationPercent = 10.0 * (gpu + 1);
        if (gpu % 2 == 0)
            sample.powerWatts = 300.0 + gpu * 50;
        tick.gpus.append(sample);
    }
    return tick;
}

} // namespace

/// What plots show of a history: curves of GPUs and nodes, holes, the same as a table; and the live buffers as one.
class HistoryCurvesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void nodeIsItsGpusTogether();
    void packagePowerBelongsToBothDies();
    void fetchesOneAtATime();
    void holesSplitACourse();
    void slowSamplingHasNoHoles();
    void tableSaysWhatWasNotReported();
    void liveBuffersAreAHistory();
};

void HistoryCurvesTest::nodeIsItsGpusTogether()
{
    MemoryHistory history({u"n1"_s}, 4);
    history.store(tickOf(begin));
    const TimeSpan span{begin, begin + 1000};
    const HistoryBucket node = overviewOf(history, {0, {}}, Measure::Utilization, span, 1).first();
    QCOMPARE(node.samples, 4);
    QCOMPARE(node.mean, 25.0F); // (10 + 20 + 30 + 40) / 4
    QCOMPARE(node.least, 10.0F);
    QCOMPARE(node.most, 40.0F);
    QCOMPARE(overviewOf(history, {0, 2}, Measure::Utilization, span, 1).first().mean, 30.0F);
}

void HistoryCurvesTest::packagePowerBelongsToBothDies()
{
    MemoryHistory history({u"n1"_s}, 4);
    history.store(tickOf(begin));
    const TimeSpan span{begin, begin + 1000};
    QCOMPARE(overviewOf(history, {0, 3}, Measure::Power, span, 1, 2).first().mean, 400.0F);
    QCOMPARE(overviewOf(history, {0, 3}, Measure::Power, span, 1, 1).first().samples,
        0); // a GPU of its own reported nothing
    const HistoryBucket node = overviewOf(history, {0, {}}, Measure::Power, span, 1, 2).first();
    QCOMPARE(node.samples, 2); // each package once
    QCOMPARE(node.mean, 350.0F);
}

void HistoryCurvesTest::fetchesOneAtATime()
{
    MemoryHistory history({u"n1"_s}, 4);
    history.store(tickOf(begin));
    HistoryCurves curves;
    const HistoryCurves::Key use{{0, 0}, Measure::Utilization};
    const HistoryCurves::Key power{{0, 0}, Measure::Power};
    const TimeSpan span{begin, begin + 1000};
    curves.want({use, power}, span, 4, HistoryCurves::Fetch::Missing);
    QVERIFY(curves.fetchNext(history, 1));
    QCOMPARE(curves.curve(use).size(), 4);
    QVERIFY(curves.curve(power).isEmpty());
    QVERIFY(curves.fetchNext(history, 1));
    QVERIFY(curves.isComplete());
    QVERIFY(!curves.fetchNext(history, 1));
    curves.want({use, power}, span, 4, HistoryCurves::Fetch::Missing); // nothing new is wanted
    QVERIFY(curves.isComplete());
    curves.want({use}, span, 8, HistoryCurves::Fetch::Missing); // finer; what was there stays to be seen meanwhile
    QVERIFY(!curves.isComplete());
    QCOMPARE(curves.curve(use).size(), 4);
    QVERIFY(curves.curve(power).isEmpty());
    curves.fetchNext(history, 1);
    QCOMPARE(curves.curve(use).size(), 8);
}

void HistoryCurvesTest::holesSplitACourse()
{
    MemoryHistory history({u"n1"_s}, 4);
    for (int second = 0; second < 60; ++second) {
        if (second < 20 || second >= 40)
            history.store(tickOf(begin + second * 1000));
    }
    const auto pieces = [&](Measure measure, qint64 length, int count) {
        const QList<HistoryBucket> curve = history.buckets({0, 0}, measure, {begin, begin + length}, count);
        return piecesOf(curve, holesOf(curve, {}, 5000));
    };
    QCOMPARE(pieces(Measure::Utilization, 60'000, 60).size(), 2);
    QCOMPARE(pieces(Measure::Utilization, 60'000, 60).first().size(), 20);
    QVERIFY(pieces(Measure::Clock, 60'000, 60).isEmpty());
    // Buckets finer than the sampling are not holes.
    QCOMPARE(pieces(Measure::Utilization, 20'000, 200).size(), 1);
}

void HistoryCurvesTest::slowSamplingHasNoHoles()
{
    MemoryHistory history({u"n1"_s}, 4);
    for (int tick = 0; tick < 60; ++tick)
        history.store(tickOf(begin + tick * 10'000)); // every 10 s
    const QList<HistoryBucket> curve = history.buckets({0, 0}, Measure::Utilization, {begin, begin + 600'000}, 300);
    QCOMPARE(gapLongerThanMs(usualIntervalMs(history)), 30'000);
    QVERIFY(holesOf(curve, gapsWithin(history), 30'000).isEmpty());
}

void HistoryCurvesTest::tableSaysWhatWasNotReported()
{
    HistoryTable table;
    const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const TimeSpan span{begin, begin + 1000};
    table.assign({{u"rank 0, Power (W)"_s, 0, {{span, 3, 90, 100, 120}, {span, 0, 0, 0, 0}}},
        {u"rank 0, Memory (GiB)"_s, 1, {{span, 1, 41.95F, 41.95F, 41.95F}, {span, 1, 0, 0, 0}}}});
    QCOMPARE(table.rowCount(), 2);
    QCOMPARE(table.index(0, 0).data().toString(), u"100 (90 to 120)"_s);
    QCOMPARE(table.index(1, 0).data().toString(), u"–"_s);
    QCOMPARE(table.index(0, 1).data().toString(), u"42.0"_s);
    QCOMPARE(table.index(1, 1).data().toString(), u"0.0"_s); // reported as 0 is 0
    QCOMPARE(table.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), u"rank 0, Power (W)"_s);
}

void HistoryCurvesTest::liveBuffersAreAHistory()
{
    TelemetrySeries series;
    series.setShape({u"n1"_s, u"n2"_s}, 4);
    qint64 now = begin;
    const SeriesHistory history(series, [&now] { return now; });
    QCOMPARE(history.span().length(), 0);
    for (int second = 0; second < 120; ++second) {
        if (second < 50 || second >= 80)
            series.store(tickOf(begin + second * 1000), begin + second * 1000);
    }
    now = begin + 120'000;
    QCOMPARE(history.span(), (TimeSpan{begin, begin + 119'001}));
    QCOMPARE(history.gpusPerNode(), 4);
    const QList<NodeTick> frame = history.frameAt(begin + 10'500);
    QCOMPARE(frame.size(), 1); // the other node reported nothing
    QCOMPARE(frame.first().takenMs, begin + 10'000);
    QCOMPARE(frame.first().gpus.at(2).utilizationPercent, std::optional(30.0));
    QVERIFY(!frame.first().gpus.at(1).powerWatts);
    QVERIFY(history.frameAt(begin + 70'000).isEmpty());
    const QList<TimeSpan> gaps = history.gaps(10'000);
    QCOMPARE(gaps.size(), 1);
    QCOMPARE(gaps.first(), (TimeSpan{begin + 49'000, begin + 80'000}));
    const QList<HistoryBucket> curve = history.buckets({0, 3}, Measure::Utilization, {begin, begin + 60'000}, 6);
    QCOMPARE(curve.at(0).samples, 10);
    QCOMPARE(curve.at(0).mean, 40.0F);
    QCOMPARE(curve.at(5).samples, 0);
    int ticks = 0;
    history.forEachTick({begin, begin + 10'000}, [&ticks](const NodeTick&) { ++ticks; });
    QCOMPARE(ticks, 10);
}

RANKWRIGHT_TEST_MAIN(HistoryCurvesTest)
#include "tst_historycurves.moc"
