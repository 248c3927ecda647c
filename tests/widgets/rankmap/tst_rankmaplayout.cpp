// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/core/numberranges.h"
#include "tests/support/testbase.h"
#include "widgets/design/batchlayout.h"
#include "widgets/design/designtext.h"
#include "widgets/rankmap/rankmaplayout.h"

using namespace Qt::StringLiterals;
using namespace rankwright;
using Detail = RankMapLayout::Detail;

namespace {

NodeShape shapeOf(const QString& cluster, const QString& partition)
{
    static const Catalogue catalogue = loadCatalogue();
    const ClusterProfile* profile = catalogue.find(cluster);
    const NodeShape* shape = profile ? profile->nodeShape(partition) : nullptr;
    return shape ? *shape : NodeShape{};
}

NodeShape lumi() { return shapeOf(u"lumi"_s, u"standard-g"_s); }
NodeShape a100() { return shapeOf(u"raven"_s, u"gpu"_s); }

} // namespace

class RankMapLayoutTest final : public test::Suite {
    Q_OBJECT
private slots:
    void drawsLumiAsPublished();
    void keepsEverythingInItsPlace_data();
    void keepsEverythingInItsPlace();
    void choosesTheDetail_data();
    void choosesTheDetail();
    void findsTheGpuUnderAPoint_data();
    void findsTheGpuUnderAPoint();
    void saysWhenCoresAreNotPublished();
    void movesByKeys();
    void knowsVisibleNodes();
    void survivesOddInput();
    void writesCoreRanges();
    void laysOutTheBatch_data();
    void laysOutTheBatch();
};

// LUMI user guide, distribution and binding: GCD 0 is next to cores 49-55 (48 is kept), GCDs 4 and 5 are in NUMA 0.
void RankMapLayoutTest::drawsLumiAsPublished()
{
    const auto layout = layOutRankMap(lumi(), 2, {600, 420});
    QCOMPARE(layout.detail, Detail::Full);
    QCOMPARE(layout.packages.size(), 4);
    QCOMPARE(layout.dies.size(), 8);
    QList<int> numas;
    for (const auto& package : layout.packages) {
        QCOMPARE(package.gpus.size(), 2);
        numas.append(package.numa.value_or(-1));
    }
    QCOMPARE(numas, (QList<int>{3, 1, 0, 2}));
    const auto& cores = layout.dies.first().cores;
    QCOMPARE(cores.size(), 8);
    QCOMPARE(cores.first().number, 48);
    QVERIFY(cores.first().reserved);
    for (int i = 1; i < 8; ++i) {
        QCOMPARE(cores.at(i).number, 48 + i);
        QVERIFY(!cores.at(i).reserved);
    }
    // Four links in packages, eight pairs outside (LUMI training 2026: two outside partners for each GCD).
    QCOMPARE(std::count_if(layout.links.begin(), layout.links.end(), [](const auto& l) { return l.inPackage; }), 4);
    QCOMPARE(std::count_if(layout.links.begin(), layout.links.end(), [](const auto& l) { return !l.inPackage; }), 8);
}

void RankMapLayoutTest::keepsEverythingInItsPlace_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<QSizeF>("viewport");
    for (const auto& cluster : {u"lumi"_s, u"raven"_s}) {
        for (const int nodes : {1, 2, 3, 16, 300}) {
            for (const QSizeF& size : {QSizeF(500, 300), QSizeF(900, 600), QSizeF(2600, 1500)})
                QTest::addRow("%s %d %d", qPrintable(cluster), nodes, int(size.width())) << cluster << nodes << size;
        }
    }
}

void RankMapLayoutTest::keepsEverythingInItsPlace()
{
    QFETCH(QString, cluster);
    QFETCH(int, nodes);
    QFETCH(QSizeF, viewport);
    const auto layout = layOutRankMap(cluster == u"lumi" ? lumi() : a100(), nodes, viewport);
    const QRectF node(QPointF(0, 0), layout.nodeSize);
    for (const auto& package : layout.packages)
        QVERIFY(node.adjusted(-0.5, -0.5, 0.5, 0.5).contains(package.box));
    for (const auto& die : layout.dies) {
        const auto& package = *std::find_if(
            layout.packages.begin(), layout.packages.end(), [&die](const auto& p) { return p.index == die.package; });
        QVERIFY(package.box.adjusted(-0.5, -0.5, 0.5, 0.5).contains(die.box));
        for (const auto& core : die.cores)
            QVERIFY(package.box.contains(core.box));
        for (const auto& other : layout.dies)
            QVERIFY(other.gpu == die.gpu || !other.box.intersects(die.box));
    }
    for (const auto& link : layout.links) {
        if (!link.inPackage)
            QVERIFY(link.start.y() - link.rise >= layout.head.bottom() - 1); // arcs stay in their lane
    }
    const QRectF last(layout.nodeOrigin(nodes - 1), layout.nodeSize);
    QVERIFY(QRectF(QPointF(0, 0), layout.contents).adjusted(-1, -1, 1, 1).contains(last));
    if (viewport.width() >= 600)
        QVERIFY(layout.contents.width() <= viewport.width() + 0.5);
}

void RankMapLayoutTest::choosesTheDetail_data()
{
    QTest::addColumn<int>("nodes");
    QTest::addColumn<QSizeF>("viewport");
    QTest::addColumn<Detail>("detail");
    QTest::newRow("one node, small window") << 1 << QSizeF(480, 200) << Detail::Full;
    QTest::newRow("two nodes as drawn") << 2 << QSizeF(590, 430) << Detail::Full;
    QTest::newRow("sixteen nodes") << 16 << QSizeF(590, 430) << Detail::Compact;
    QTest::newRow("sixteen nodes at 4K") << 16 << QSizeF(2700, 1700) << Detail::Full;
    QTest::newRow("a thousand nodes") << 1024 << QSizeF(590, 430) << Detail::Dense;
}

void RankMapLayoutTest::choosesTheDetail()
{
    QFETCH(int, nodes);
    QFETCH(QSizeF, viewport);
    QFETCH(Detail, detail);
    QCOMPARE(layOutRankMap(lumi(), nodes, viewport).detail, detail);
}

void RankMapLayoutTest::findsTheGpuUnderAPoint_data()
{
    QTest::addColumn<int>("nodes");
    QTest::newRow("full") << 2;
    QTest::newRow("compact") << 16;
    QTest::newRow("dense") << 1024;
}

void RankMapLayoutTest::findsTheGpuUnderAPoint()
{
    QFETCH(int, nodes);
    const auto layout = layOutRankMap(lumi(), nodes, {590, 430});
    for (const int node : {0, 1, nodes / 2, nodes - 1}) {
        for (int gpu = 0; gpu < 8; ++gpu) {
            const auto spot = layout.spotAt(layout.dieBox({node, gpu}).center());
            QVERIFY(spot);
            QCOMPARE(*spot, (GpuAddress{node, gpu}));
        }
    }
    QVERIFY(!layout.spotAt({-5, 10}));
    QVERIFY(!layout.spotAt({10, layout.contents.height() + 50}));
    QVERIFY(layout.dieBox({nodes, 0}).isEmpty());
    QVERIFY(layout.dieBox({0, 8}).isEmpty());
}

void RankMapLayoutTest::saysWhenCoresAreNotPublished()
{
    const auto layout = layOutRankMap(a100(), 1, {600, 300});
    QVERIFY(!layout.coreNote.isEmpty());
    for (const auto& die : layout.dies) {
        QVERIFY(die.cores.isEmpty());
        QVERIFY(die.coreArea.isEmpty());
        QVERIFY(!die.numa);
    }
    QVERIFY(layOutRankMap(lumi(), 1, {600, 300}).coreNote.isEmpty());
}

void RankMapLayoutTest::movesByKeys()
{
    const auto layout = layOutRankMap(lumi(), 2, {590, 430});
    QCOMPARE(layout.columns, 1);
    QCOMPARE(layout.neighbour({0, 7}, Qt::Key_Right), (GpuAddress{1, 0}));
    QCOMPARE(layout.neighbour({1, 0}, Qt::Key_Left), (GpuAddress{0, 7}));
    QCOMPARE(layout.neighbour({0, 3}, Qt::Key_Down), (GpuAddress{1, 3}));
    QCOMPARE(layout.neighbour({0, 3}, Qt::Key_Up), (GpuAddress{0, 3}));
    QCOMPARE(layout.neighbour({0, 3}, Qt::Key_End), (GpuAddress{1, 7}));
    QCOMPARE(layout.neighbour({1, 3}, Qt::Key_Home), (GpuAddress{0, 0}));
}

void RankMapLayoutTest::knowsVisibleNodes()
{
    const auto layout = layOutRankMap(lumi(), 1024, {590, 430});
    const auto range = layout.visibleNodes(0, 100);
    QCOMPARE(range.first, 0);
    QVERIFY(range.end < 1024);
    QVERIFY(range.end > 0);
    const auto all = layout.visibleNodes(0, layout.contents.height());
    QCOMPARE(all.end, 1024);
    QCOMPARE(layout.visibleNodes(10, 10).end, 0);
}

void RankMapLayoutTest::survivesOddInput()
{
    const auto nothing = layOutRankMap({}, 0, {0, 0});
    QCOMPARE(nothing.nodes, 0);
    QVERIFY(!nothing.spotAt({1, 1}));
    const auto unknown = layOutRankMap({}, 3, {10, 10});
    QCOMPARE(unknown.dies.size(), 1);
    NodeShape wrong = lumi();
    wrong.links.append({7, 99, 1, 50, false});
    QVERIFY(layOutRankMap(wrong, 1, {500, 300}).links.size() <= wrong.links.size() - 1);
}

void RankMapLayoutTest::writesCoreRanges()
{
    QCOMPARE(numberRangesForPeople({49, 50, 51, 52, 53, 54, 55}), u"49–55"_s);
    QCOMPARE(numberRangesForPeople({7, 0, 2, 4, 5, 6}), u"0, 2, 4–7"_s);
    QCOMPARE(numberRangesForPeople({}), QString());
}

void RankMapLayoutTest::laysOutTheBatch_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<qint64>("turns");
    QTest::addColumn<qint64>("micro");
    QTest::addColumn<bool>("gap");
    QTest::addColumn<bool>("blocks");
    QTest::newRow("as drawn") << 16 << qint64(8) << qint64(4) << false << true;
    QTest::newRow("one rank") << 1 << qint64(1) << qint64(1) << false << true;
    QTest::newRow("many accumulation steps") << 16 << qint64(4096) << qint64(1) << false << false;
    QTest::newRow("many ranks") << 8192 << qint64(4) << qint64(1) << true << true;
}

void RankMapLayoutTest::laysOutTheBatch()
{
    QFETCH(int, ranks);
    QFETCH(qint64, turns);
    QFETCH(qint64, micro);
    QFETCH(bool, gap);
    QFETCH(bool, blocks);
    const QSizeF room(560, 62);
    const auto layout = layOutBatch(ranks, turns, micro, room);
    QCOMPARE(layout.gap, gap);
    QCOMPARE(!layout.block.isEmpty(), blocks);
    const QRectF all(QPointF(0, 0), room);
    for (int rank = 0; rank < layout.shown; ++rank) {
        QVERIFY(all.contains(layout.rankBox(rank)));
        QCOMPARE(layout.rankAt(layout.rankBox(rank).center()).value_or(-1), rank);
    }
    QVERIFY(all.contains(layout.rankBox(ranks - 1)));
    QCOMPARE(layout.rankAt(layout.rankBox(ranks - 1).center()).value_or(-1), ranks - 1);
    for (int turn = 0; blocks && turn < turns; ++turn)
        QVERIFY(QRectF(QPointF(0, 0), layout.box).contains(layout.blockBox(turn)));
}

RANKWRIGHT_TEST_MAIN(RankMapLayoutTest)
#include "tst_rankmaplayout.moc"
