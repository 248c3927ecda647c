// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/rankplaces.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const ClusterProfile& site(const QString& name)
{
    static const Catalogue all = loadCatalogue();
    return *all.find(name);
}

ResolvedSpec sized(const QString& cluster, const QString& partition, int nodes, int gpus, std::optional<int> cores = {})
{
    JobSpec spec;
    spec.cluster = cluster;
    if (!partition.isEmpty())
        spec.partition = partition;
    spec.resources.nodes = nodes;
    spec.resources.gpusPerNode = gpus;
    spec.resources.cpusPerGpu = cores;
    return resolve(spec, site(cluster));
}

QStringList masksOf(const RankPlaces& plan)
{
    QStringList masks;
    for (const RankPlace& rank : plan.ranks)
        masks.append(rank.mask);
    return masks;
}

// B2: printed in the Getting Started with AI on LUMI workshop (08, 09) and the LUMI AI guide (05)
const QStringList lumiMasks
    = u"0x00fe000000000000,0xfe00000000000000,0x0000000000fe0000,0x00000000fe000000,0x00000000000000fe,"
      "0x000000000000fe00,0x000000fe00000000,0x0000fe0000000000"_s.split(u',');

} // namespace

class RankPlacesTest : public test::Suite {
    Q_OBJECT
private slots:
    void masks_data();
    void masks();
    void wholeNode();
    void coreLists_data();
    void coreLists();
    void sixCores();
    void observedRun();
    void unbound_data();
    void unbound();
    void unknownCluster();
};

void RankPlacesTest::masks_data()
{
    QTest::addColumn<QList<int>>("cores");
    QTest::addColumn<QString>("mask");
    const auto range = [](int low, int high) {
        QList<int> cores;
        for (int core = low; core <= high; ++core)
            cores.append(core);
        return cores;
    };
    QTest::newRow("header example") << range(1, 7) << u"0x00000000000000fe"_s;
    QTest::newRow("B1 GCD 0") << range(49, 55) << u"0x00fe000000000000"_s;
    QTest::newRow("B1 GCD 1") << range(57, 63) << u"0xfe00000000000000"_s;
    QTest::newRow("B8 pair of dies") << (range(49, 55) + range(57, 63)) << u"0xfefe000000000000"_s;
    QTest::newRow("B16 f05a") << QList<int>{1, 3, 4, 6, 12, 13, 14, 15} << u"0x000000000000f05a"_s;
    QTest::newRow("B5 both threads, more than 64 bits") << (range(1, 7) + range(65, 71)) << u"0xfe00000000000000fe"_s;
    QTest::newRow("A4 task 1") << range(64, 95) << u"0xffffffff0000000000000000"_s;
    QTest::newRow("none") << QList<int>() << u"0x0000000000000000"_s;
    QTest::newRow("order does not matter") << QList<int>{7, 1, 3} << u"0x000000000000008a"_s;
}

void RankPlacesTest::masks()
{
    QFETCH(QList<int>, cores);
    QTEST(coreMask(cores), "mask");
}

void RankPlacesTest::wholeNode()
{
    const RankPlaces plan = planRanks(sized(u"lumi"_s, {}, 1, 8), site(u"lumi"_s));
    QVERIFY2(plan.bound && plan.unboundReason.isEmpty(), qPrintable(plan.unboundReason));
    QCOMPARE(masksOf(plan), lumiMasks); // B1, B2
    QList<int> numa;
    for (const RankPlace& rank : plan.ranks) {
        QCOMPARE(rank.gpu, rank.localRank);
        numa.append(*rank.numa);
    }
    QCOMPARE(numa, QList<int>({3, 3, 1, 1, 0, 0, 2, 2})); // rocm-smi --showtoponuma, LUMI user guide
    // a full node of the shared partition is owned as well
    QCOMPARE(masksOf(planRanks(sized(u"lumi"_s, u"small-g"_s, 1, 8), site(u"lumi"_s))), lumiMasks);
    QCOMPARE(masksOf(planRanks(sized(u"practice"_s, u"standard-g"_s, 1, 8), site(u"practice"_s))), lumiMasks);
}

void RankPlacesTest::coreLists_data()
{
    QTest::addColumn<int>("localRank");
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("last");
    // B13: workshop, lecture 08, reference solution with CPU bindings
    const QList<int> firsts{49, 57, 17, 25, 1, 9, 33, 41};
    for (int i = 0; i < 8; ++i)
        QTest::newRow(qPrintable(u"B13 LOCAL_RANK %1"_s.arg(i))) << i << firsts.at(i) << firsts.at(i) + 6;
}

void RankPlacesTest::coreLists()
{
    QFETCH(int, localRank);
    const RankPlaces plan = planRanks(sized(u"lumi"_s, u"standard-g"_s, 1, 8), site(u"lumi"_s));
    const QList<int> cores = plan.ranks.at(localRank).cores;
    QCOMPARE(cores.size(), 7);
    QTEST(cores.first(), "first");
    QTEST(cores.last(), "last");
}

void RankPlacesTest::sixCores()
{
    // LUMI user guide, hybrid example: cores 1 to 6 of each core complex, masks 7e…
    const RankPlaces plan = planRanks(sized(u"lumi"_s, u"standard-g"_s, 1, 8, 6), site(u"lumi"_s));
    QVERIFY(plan.bound);
    QCOMPARE(plan.ranks.at(0).mask, u"0x007e000000000000"_s);
    QCOMPARE(plan.ranks.at(4).mask, u"0x000000000000007e"_s);
}

void RankPlacesTest::observedRun()
{
    // B12: 256 nodes, 2048 ranks: each of the eight masks 256 times, by local rank
    const RankPlaces plan = planRanks(sized(u"lumi"_s, {}, 256, 8), site(u"lumi"_s));
    QCOMPARE(plan.ranks.size(), 2048);
    for (int rank = 0; rank < 2048; ++rank) {
        const RankPlace& place = plan.ranks.at(rank);
        QCOMPARE(place.rank, rank);
        QCOMPARE(place.node, rank / 8);
        QCOMPARE(place.localRank, rank % 8);
        QCOMPARE(place.mask, lumiMasks.at(rank % 8));
    }
}

void RankPlacesTest::unbound_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("partition");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<int>("cores");
    QTest::addColumn<QString>("why");
    QTest::newRow("V22 part of a shared node") << u"lumi"_s << u"small-g"_s << 2 << 7 << u"2 of the 8 GCDs"_s;
    QTest::newRow("all GCDs, not all cores, shared") << u"lumi"_s << u"small-g"_s << 8 << 6 << u"48 of the 56 cores"_s;
    QTest::newRow("part of an own node") << u"lumi"_s << u"standard-g"_s << 4 << 7 << u"4 of the 8 GCDs"_s;
    QTest::newRow("map not published") << u"mahti"_s << u"gpumedium"_s << 4 << 32 << u"does not publish"_s;
    QTest::newRow("practice A100") << u"practice"_s << u"gpumedium"_s << 4 << 32 << u"does not publish"_s;
}

void RankPlacesTest::unbound()
{
    QFETCH(QString, cluster);
    QFETCH(QString, partition);
    QFETCH(int, gpus);
    QFETCH(int, cores);
    QFETCH(QString, why);
    const RankPlaces plan = planRanks(sized(cluster, partition, 2, gpus, cores), site(cluster));
    QVERIFY(!plan.bound);
    QVERIFY2(plan.unboundReason.contains(why), qPrintable(plan.unboundReason));
    QCOMPARE(plan.ranks.size(), 2 * gpus);
    for (const RankPlace& rank : plan.ranks)
        QVERIFY(rank.cores.isEmpty() && rank.mask.isEmpty() && !rank.numa);
}

void RankPlacesTest::unknownCluster()
{
    JobSpec spec;
    spec.resources.nodes = 1000000000;
    spec.resources.gpusPerNode = 1000000000;
    const ClusterProfile none;
    const RankPlaces plan = planRanks(resolve(spec, none), none);
    QVERIFY(!plan.bound && !plan.unboundReason.isEmpty());
    QCOMPARE(plan.ranks.size(), 640000);
}

RANKWRIGHT_TEST_MAIN(RankPlacesTest)
#include "tst_rankplaces.moc"
