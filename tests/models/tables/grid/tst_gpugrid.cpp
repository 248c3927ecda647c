// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/sampling/telemetryfeed.h"
#include "models/tables/grid/gpugrid.h"
#include "tests/support/testbase.h"

#include <QSignalSpy>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

NodeTick tick(const QString& node, int gpus, double use = 90)
{
    NodeTick made;
    made.node = node;
    for (int index = 0; index < gpus; ++index) {
        GpuSample gpu;
        gpu.index = index;
        gpu.utilizationPercent = use;
        gpu.memoryUsedBytes = 34359738368; // 32 GiB
        gpu.memoryTotalBytes = 68702699520;
        gpu.temperatureCelsius = 55;
        if (index % 2 == 0)
            gpu.powerWatts = 470;
        gpu.secondaryDie = index % 2 == 1;
        made.gpus.append(gpu);
    }
    return made;
}

} // namespace

class GpuGridTest final : public test::Suite {
    Q_OBJECT
private slots:
    void keepsNewestSamples();
    void unknownStaysUnknown();
    void countsRanksUntilTold();
    void oneSignalPerFlush();
    void goesStaleAndComesBack();
    void itsClockGoesOnWithoutViews();
    void growsWithUnknownNodes();
    void brokenTicksChangeNothing();
    void resetsForAnotherJob();
    void forgetsValuesAlone();
    void keepsWhatNodesHave();
};

void GpuGridTest::keepsNewestSamples()
{
    GpuGrid grid;
    grid.reset({u"n1"_s, u"n2"_s}, 8, 2, u"GCD"_s);
    grid.store(tick(u"n2"_s, 8), 1000);
    grid.flush(1500);
    const GpuSample* sample = grid.series().latest({1, 4});
    QVERIFY(sample);
    QCOMPARE(sample->utilizationPercent, std::optional(90.0));
    QCOMPARE(TelemetrySeries::value(*sample, Measure::Memory), std::optional(32.0)); // GiB
    QCOMPARE(sample->powerWatts, std::optional(470.0));
    QCOMPARE(grid.series().latestArrival({1, 4}), 1000LL);
    QCOMPARE(grid.nowMs(), 1500LL);
    QCOMPARE(grid.gpusPerPackage(), 2);
    QCOMPARE(grid.gpuWord(), u"GCD"_s);
}

void GpuGridTest::unknownStaysUnknown()
{
    GpuGrid grid;
    grid.reset({u"n1"_s}, 2, 2, u"GCD"_s);
    grid.flush(1000);
    QVERIFY(!grid.series().latest({0, 0})); // silent from the start
    QVERIFY(!grid.series().isStale({0, 0}, grid.nowMs()));
    grid.store(tick(u"n1"_s, 2), 1000);
    QVERIFY(!grid.series().latest({0, 1})->powerWatts); // reported by the other die
    QVERIFY(!grid.series().latest({0, 0})->powerCapWatts);
    QVERIFY(!grid.series().latest({7, 0}) && !grid.series().latest({0, 7})); // no such places
}

void GpuGridTest::countsRanksUntilTold()
{
    GpuGrid grid;
    grid.reset({u"n1"_s, u"n2"_s}, 8, 2, u"GCD"_s);
    QCOMPARE(grid.rankAt({1, 4}), std::optional(12)); // second node of eight
    QVERIFY(!grid.knowsRanks() && !grid.placeAt({1, 4}));
    QSignalSpy placed(&grid, &GpuGrid::placementChanged);
    const QList<RankPlace> placement{{.rank = 3, .node = 1, .gpu = 4}};
    grid.setPlacement(placement);
    grid.setPlacement(placement);
    QCOMPARE(placed.size(), 1);
    QCOMPARE(grid.rankAt({1, 4}), std::optional(3));
    QCOMPARE(grid.placeAt({1, 4})->rank, 3);
    QVERIFY(!grid.rankAt({0, 0}));
}

void GpuGridTest::oneSignalPerFlush()
{
    GpuGrid grid;
    grid.reset({u"n1"_s, u"n2"_s, u"n3"_s, u"n4"_s}, 8, 2, u"GCD"_s);
    QSignalSpy changed(&grid, &GpuGrid::rowsFlushed);
    for (int i = 0; i < 20; ++i) {
        grid.store(tick(u"n3"_s, 8), 1000 + i);
        grid.store(tick(u"n2"_s, 8), 1000 + i);
    }
    QVERIFY(changed.isEmpty());
    grid.flush(1100);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed.first().at(0).value<QList<int>>(), QList<int>({1, 2}));
    grid.flush(1200);
    QCOMPARE(changed.size(), 1); // nothing new
}

void GpuGridTest::goesStaleAndComesBack()
{
    GpuGrid grid;
    grid.reset({u"n1"_s}, 2, 1, u"GPU"_s);
    grid.store(tick(u"n1"_s, 2), 1000);
    grid.flush(1000);
    QSignalSpy changed(&grid, &GpuGrid::rowsFlushed);
    grid.flush(7000);
    QCOMPARE(changed.size(), 1); // silence is a change, too
    QVERIFY(grid.series().isStale({0, 0}, grid.nowMs()));
    QCOMPARE(grid.series().latest({0, 0})->utilizationPercent, std::optional(90.0)); // with its age, not zero
    grid.store(tick(u"n1"_s, 2), 7500);
    grid.flush(7600);
    QVERIFY(!grid.series().isStale({0, 0}, grid.nowMs()));
}

void GpuGridTest::itsClockGoesOnWithoutViews()
{
    GpuGrid grid;
    grid.reset({u"n1"_s}, 2, 1, u"GPU"_s);
    grid.flush(1000);
    grid.store(tick(u"n1"_s, 2), 61'000); // another page is shown: nobody flushes
    QCOMPARE(grid.nowMs(), 61'000LL);
    grid.store(tick(u"n1"_s, 2), 60'000); // late; time does not go back
    QCOMPARE(grid.nowMs(), 61'000LL);
    grid.flush(5000); // another moment of the past is shown
    QCOMPARE(grid.nowMs(), 5000LL);
}

void GpuGridTest::growsWithUnknownNodes()
{
    GpuGrid grid;
    QSignalSpy shaped(&grid, &GpuGrid::shapeChanged);
    grid.store(tick(u"n1"_s, 4), 1000);
    grid.store(tick(u"n2"_s, 2), 1000);
    QCOMPARE(grid.nodeCount(), 2);
    QCOMPARE(grid.gpusPerNode(), 4);
    QCOMPARE(shaped.size(), 2);
    grid.store(tick(u"n1"_s, 4), 2000);
    QCOMPARE(shaped.size(), 2); // known
    grid.flush(1000);
    QVERIFY(!grid.series().latest({1, 3})); // n2 has no such GPU
}

void GpuGridTest::brokenTicksChangeNothing()
{
    GpuGrid grid;
    grid.reset({u"n1"_s}, 1, 1, u"GPU"_s);
    QSignalSpy shaped(&grid, &GpuGrid::shapeChanged);
    NodeTick huge = tick(u"n2"_s, 1);
    huge.gpus.first().index = 1000000;
    for (const NodeTick& broken : {huge, tick({}, 1), tick(u"n3"_s, 0)})
        grid.store(broken, 1);
    QCOMPARE(grid.nodeCount(), 1);
    QCOMPARE(grid.gpusPerNode(), 1);
    QVERIFY(shaped.isEmpty());
    huge.gpus += tick(u"n2"_s, 2).gpus; // one bad cell does not take the others with it
    grid.store(huge, 1);
    QCOMPARE(grid.nodeCount(), 2);
    QCOMPARE(grid.gpusPerNode(), 2);
}

void GpuGridTest::resetsForAnotherJob()
{
    GpuGrid grid;
    grid.reset({u"n1"_s}, 8, 2, u"GCD"_s);
    grid.store(tick(u"n1"_s, 8), 1000);
    QSignalSpy shaped(&grid, &GpuGrid::shapeChanged);
    grid.reset({u"g1"_s, u"g1"_s, u"g2"_s}, 4, 0, u"GPU"_s);
    QCOMPARE(shaped.size(), 1);
    QCOMPARE(grid.nodeCount(), 2);
    QCOMPARE(grid.gpusPerPackage(), 1); // never divided by zero
    grid.flush(9999999);
    QVERIFY(!grid.series().latest({0, 0}));
    grid.reset({}, -3, 1, u"GPU"_s);
    QCOMPARE(grid.gpusPerNode(), 0);
    grid.flush(1);
}

void GpuGridTest::forgetsValuesAlone()
{
    GpuGrid grid;
    grid.reset({u"n1"_s, u"n2"_s}, 2, 1, u"GPU"_s);
    grid.store(tick(u"n1"_s, 2), 1000);
    grid.flush(1000);
    QSignalSpy changed(&grid, &GpuGrid::rowsFlushed);
    QSignalSpy shaped(&grid, &GpuGrid::shapeChanged);
    grid.forgetValues();
    grid.flush(1000);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed.first().at(0).value<QList<int>>(), QList<int>({0, 1}));
    QVERIFY(shaped.isEmpty() && !grid.series().latest({0, 0}));
    QCOMPARE(grid.nodeCount(), 2);
}

void GpuGridTest::keepsWhatNodesHave()
{
    GpuGrid grid;
    grid.reset({u"n1"_s, u"n2"_s}, 8, 1, u"GPU"_s);
    NodeProcesses reported{u"n2"_s, 1000, {}, {}, {}, {}};
    grid.store(reported); // an older sampler
    QVERIFY(!grid.resourcesOf(1));
    reported.resources = NodeResources();
    reported.resources->waiting = 2;
    grid.store(reported);
    reported.node = u"elsewhere"_s;
    grid.store(reported);
    QVERIFY(!grid.resourcesOf(0) && !grid.resourcesOf(2) && !grid.resourcesOf(-1));
    QCOMPARE(grid.resourcesOf(1)->waiting, std::optional<int>(2));
    reported.node = u"n2"_s;
    reported.resources.reset(); // its line was lost
    grid.store(reported);
    QVERIFY(grid.resourcesOf(1));
    grid.forgetValues();
    QVERIFY(!grid.resourcesOf(1));
}

RANKWRIGHT_TEST_MAIN(GpuGridTest)
#include "tst_gpugrid.moc"
