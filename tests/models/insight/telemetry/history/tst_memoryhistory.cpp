// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/history/bucketfiller.h"
#include "tests/support/memoryhistory.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 start = 1'790'000'000'000;

NodeTick tick(const QString& node, qint64 seconds, const QList<int>& gpus = {0, 1}, double use = 50)
{
    NodeTick made{node, start + seconds * 1000, {}};
    for (const int index : gpus) {
        GpuSample gpu;
        gpu.index = index;
        gpu.utilizationPercent = use;
        made.gpus.append(gpu);
    }
    return made;
}

} // namespace

/// A job's samples in memory: frames, curves, gaps, whatever the order they came in.
class MemoryHistoryTest final : public test::Suite {
    Q_OBJECT
private slots:
    void empty();
    void frames();
    void lateTicksTakeTheirPlace();
    void linesOfOneMomentAreOneTick();
    void brokenTicksAreLeftOut();
    void curves();
    void unknownIsNoValue();
    void gaps();
    void processes();
};

void MemoryHistoryTest::empty()
{
    const MemoryHistory history({u"n1"_s, u"n2"_s}, 4);
    QCOMPARE(history.nodes(), QStringList({u"n1"_s, u"n2"_s}));
    QCOMPARE(history.gpusPerNode(), 4);
    QCOMPARE(history.span().length(), 0);
    QVERIFY(history.frameAt(start).isEmpty());
    QVERIFY(history.gaps(1).isEmpty());
    QVERIFY(history.processesAt(start).isEmpty());
    const auto buckets = history.buckets({0, 0}, Measure::Power, {start, start + 1000}, 3);
    QCOMPARE(buckets.size(), 3);
    QCOMPARE(buckets.at(1).samples, 0);
    QCOMPARE(buckets.at(0).span.fromMs, start);
    QCOMPARE(buckets.at(2).span.toMs, start + 1000);
    QVERIFY(history.buckets({9, 0}, Measure::Power, {start, start}, 3).isEmpty());
}

void MemoryHistoryTest::frames()
{
    MemoryHistory history({u"n1"_s, u"n2"_s}, 2);
    QVERIFY(history.store(tick(u"n1"_s, 0)));
    QVERIFY(history.store(tick(u"n1"_s, 10)));
    QVERIFY(history.store(tick(u"n2"_s, 8, {0, 1, 2})));
    QCOMPARE(history.gpusPerNode(), 3);
    QCOMPARE(history.span(), (TimeSpan{start, start + 10'001}));
    QVERIFY(history.frameAt(start - 1).isEmpty());
    QCOMPARE(history.frameAt(start).size(), 1);
    QCOMPARE(history.frameAt(start + 5000).size(), 1); // 5 s old: still reported
    QCOMPARE(history.frameAt(start + 5001).size(), 0);
    QCOMPARE(history.frameAt(start + 9999, 20'000).at(0).takenMs, start);
    QCOMPARE(history.frameAt(start + 10'000).size(), 2);
    QCOMPARE(history.frameAt(start + 10'000).at(1).node, u"n2"_s);
}

void MemoryHistoryTest::lateTicksTakeTheirPlace()
{
    MemoryHistory history;
    for (const qint64 second : {5, 1, 3, 1, 4, 2})
        history.store(tick(u"n1"_s, second));
    QList<qint64> seconds;
    history.forEachTick({start + 2000, start + 5000},
        [&seconds](const NodeTick& one) { seconds.append((one.takenMs - start) / 1000); });
    QCOMPARE(seconds, QList<qint64>({2, 3, 4}));
    QVERIFY(!history.store(tick(u"n1"_s, 3)));
}

void MemoryHistoryTest::linesOfOneMomentAreOneTick()
{
    MemoryHistory history;
    QVERIFY(history.store(tick(u"n1"_s, 1, {0, 1, 2})));
    QVERIFY(history.store(tick(u"n1"_s, 1, {2, 3}, 99)));
    const QList<NodeTick> frame = history.frameAt(start + 1000);
    QCOMPARE(frame.size(), 1);
    QCOMPARE(frame.at(0).gpus.size(), 4);
    QCOMPARE(frame.at(0).gpus.at(2).utilizationPercent, 50.0);
}

void MemoryHistoryTest::brokenTicksAreLeftOut()
{
    MemoryHistory history;
    QVERIFY(!history.store(tick({}, 1)));
    QVERIFY(!history.store(tick(u"n1"_s, 1, {})));
    QVERIFY(!history.store(tick(u"n1"_s, 1, {-1, 100'000})));
    NodeTick clockless = tick(u"n1"_s, 1);
    clockless.takenMs = 0;
    QVERIFY(!history.store(clockless));
    QVERIFY(history.store(clockless, start + 7000)); // our clock stands in
    QCOMPARE(history.frameAt(start + 7000).at(0).takenMs, start + 7000);
    QCOMPARE(history.nodes(), QStringList({u"n1"_s}));
}

void MemoryHistoryTest::curves()
{
    MemoryHistory history;
    for (int second = 0; second < 100; ++second)
        history.store(tick(u"n1"_s, second, {0}, second));
    const auto buckets = history.buckets({0, 0}, Measure::Utilization, {start, start + 100'000}, 10);
    QCOMPARE(buckets.size(), 10);
    QCOMPARE(buckets.at(3).samples, 10);
    QCOMPARE(buckets.at(3).least, 30.0F);
    QCOMPARE(buckets.at(3).mean, 34.5F);
    QCOMPARE(buckets.at(3).most, 39.0F);
    QCOMPARE(buckets.at(3).span, (TimeSpan{start + 30'000, start + 40'000}));
    // Beyond what was recorded: empty, not 0.
    QCOMPARE(history.buckets({0, 0}, Measure::Utilization, {start, start + 200'000}, 4).at(3).samples, 0);
    QCOMPARE(history.buckets({0, 5}, Measure::Utilization, {start, start + 200'000}, 4).at(0).samples, 0);
}

void MemoryHistoryTest::unknownIsNoValue()
{
    BucketFiller filler({0, 100}, 1);
    filler.add(1, TelemetrySeries::unknown);
    filler.add(100, 5); // half-open
    filler.add(2, 7);
    filler.add({{0, 10}, 3, 1, 2, 9});
    filler.add({{0, 10}, 0, -5, -5, -5}); // nothing was reported there
    const HistoryBucket bucket = filler.buckets().at(0);
    QCOMPARE(bucket.samples, 4);
    QCOMPARE(bucket.least, 1.0F);
    QCOMPARE(bucket.mean, (7.0F + 6.0F) / 4);
    QCOMPARE(bucket.most, 9.0F);
}

void MemoryHistoryTest::gaps()
{
    MemoryHistory history;
    for (const qint64 second : {0, 1, 2, 30, 31})
        history.store(tick(u"n1"_s, second));
    for (const qint64 second : {3, 4, 29})
        history.store(tick(u"n2"_s, second));
    QCOMPARE(history.gaps(5000), (QList<TimeSpan>{{start + 4000, start + 29'000}}));
    QVERIFY(history.gaps(25'000).isEmpty());
}

void MemoryHistoryTest::processes()
{
    MemoryHistory history;
    NodeProcesses reported{u"n1"_s, start + 1000, {}, 7, std::nullopt, std::nullopt};
    QVERIFY(history.store(reported));
    QVERIFY(!history.store(reported));
    reported.takenMs += 5000;
    reported.ranks.append(RankSample{42, 0, 0, 2, u"0"_s, u"1-7"_s, 99.5, std::nullopt, 'R', 0, std::nullopt});
    QVERIFY(history.store(reported));
    QVERIFY(history.processesAt(start).isEmpty());
    QVERIFY(history.processesAt(start + 5999).at(0).ranks.isEmpty());
    QCOMPARE(history.processesAt(start + 1'000'000).at(0), reported);
    QVERIFY(!history.store(NodeProcesses{}));
}

RANKWRIGHT_TEST_MAIN(MemoryHistoryTest)
#include "tst_memoryhistory.moc"
