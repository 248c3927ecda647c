// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/heatmap/heatmaparrangement.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

class HeatMapArrangementTest final : public test::Suite {
    Q_OBJECT
private slots:
    void fewNodesStandByPlace();
    void manyNodesFold();
    void oneGroupAlone();
    void pinnedNodesComeFirst();
    void oddestNodesComeFirst();
    void zoomStaysBetweenItsEnds();
    void keysLeadToNeighbours();
    void pointsAndCellsAgree();
    void anotherJobForgetsTheNodes();

private:
    static constexpr QSize room{820, 270};
    static HeatMapArrangement arranged(int nodes);
    /// Groups of 16 neighbours.
    static QList<NodeGroup> groups(int nodes);
    static HeatMapShape shape(int nodes) { return {nodes, 8, 2, 80}; }
};

QList<NodeGroup> HeatMapArrangementTest::groups(int nodes)
{
    QList<NodeGroup> groups;
    for (int node = 0; node < nodes; ++node) {
        if (node % 16 == 0)
            groups.append({u"group %1"_s.arg(node / 16), NodeGroup::Origin::Block, {}});
        groups.last().rows.append(node);
    }
    return groups;
}

HeatMapArrangement HeatMapArrangementTest::arranged(int nodes)
{
    HeatMapArrangement arrangement;
    arrangement.setRoom(room);
    arrangement.setNodes(shape(nodes), groups(nodes));
    return arrangement;
}

void HeatMapArrangementTest::fewNodesStandByPlace()
{
    const HeatMapArrangement few = arranged(4);
    QVERIFY(!few.canFold() && !few.isFolded());
    QCOMPARE(few.rows(), (QList<int>{0, 1, 2, 3}));
    QCOMPARE(few.groups().size(), 0);
    QCOMPARE(few.layout().shape().nodes, 4);
    QCOMPARE(few.slotOf(3), 3);
    QCOMPARE(few.slotOf(4), -1);
    QVERIFY(few.nodeRect(4).isEmpty());
    QVERIFY(few.cellRect({3, 8}).isEmpty());
}

void HeatMapArrangementTest::manyNodesFold()
{
    HeatMapArrangement many = arranged(96);
    QVERIFY(many.isFolded());
    QCOMPARE(many.groups().size(), 6);
    QCOMPARE(many.tiles().count(), 6);
    QCOMPARE(many.rows().size(), 96);
    QCOMPARE(many.tileOf(95), 5);
    QVERIFY(many.contentSize().height() <= room.height() && many.contentSize().width() <= room.width());
    QVERIFY(many.tiles().tile(5).contains(many.cellRect({95, 7})));
    QCOMPARE(many.focusRect({95, 7}), many.tiles().tile(5));
    many.setFold(HeatMapArrangement::Fold::Nodes);
    QVERIFY(many.canFold() && !many.isFolded());
    QCOMPARE(many.layout().shape().nodes, 96);
    QVERIFY(!many.openGroupOf(3)); // nothing is folded that could be opened
}

void HeatMapArrangementTest::oneGroupAlone()
{
    HeatMapArrangement many = arranged(96);
    QVERIFY(many.openGroupOf(20));
    QCOMPARE(many.openGroup(), u"group 1"_s);
    QVERIFY(!many.openGroupOf(21)); // the same
    QVERIFY(!many.isFolded());
    QCOMPARE(many.rows(), many.groups().at(1).group.rows);
    QCOMPARE(many.slotOf(20), 4);
    QCOMPARE(many.slotOf(0), -1);
    many.setNodes(shape(96), {}); // reported again, without that group
    QCOMPARE(many.openGroup(), QString());
    many = arranged(96);
    many.openGroupOf(20);
    many.closeGroup();
    QVERIFY(many.isFolded());
}

void HeatMapArrangementTest::pinnedNodesComeFirst()
{
    HeatMapArrangement few = arranged(4);
    few.setPins({{2, 5}, {2, 6}});
    QCOMPARE(few.rows(), (QList<int>{2, 0, 1, 3}));
    HeatMapArrangement many = arranged(96);
    many.setPins({{40, {}}, {17, 3}});
    QVERIFY(many.groups().first().pinned);
    QCOMPARE(many.groups().first().group.rows, (QList<int>{17, 40}));
    QVERIFY(!many.groups().at(2).group.rows.contains(17)); // in one group only
    QCOMPARE(many.tileOf(40), 0);
    many.openGroupOf(0);
    QCOMPARE(many.rows().first(), 17); // in sight in every group
    QCOMPARE(many.rows().size(), 18);
}

void HeatMapArrangementTest::oddestNodesComeFirst()
{
    HeatMapArrangement few = arranged(4);
    const std::vector<float> scores{0, 0, 40, 8};
    QVERIFY(!few.setScores(scores, 0)); // they stand by place
    few.setOrder(HeatMapArrangement::Order::OutlierScore);
    QCOMPARE(few.rows(), (QList<int>{2, 3, 0, 1}));
    QVERIFY(few.setScores(std::vector<float>{90, 0, 0, 0}, OutlierOrder::pauseMs + 1));
    QCOMPARE(few.rows().first(), 0);
    few.restartScores(scores, OutlierOrder::pauseMs + 2); // of another measure: no pause
    QCOMPARE(few.rows().first(), 2);
    few.setNodes(shape(5), {}); // scores of four nodes say nothing of five
    QCOMPARE(few.rows(), (QList<int>{0, 1, 2, 3, 4}));

    HeatMapArrangement many = arranged(96);
    std::vector<float> oneOdd(96, 0);
    oneOdd[70] = 40;
    many.setScores(oneOdd, 0);
    many.setOrder(HeatMapArrangement::Order::OutlierScore);
    QCOMPARE(many.groups().first().group.name, u"group 4"_s);
}

void HeatMapArrangementTest::zoomStaysBetweenItsEnds()
{
    HeatMapArrangement few = arranged(4);
    QVERIFY(!few.isZoomed());
    int closer = 0;
    while (few.zoom(1))
        ++closer;
    QCOMPARE(few.layout().level(), HeatMapLevel::Cards);
    int away = 0;
    while (few.zoom(-1))
        ++away;
    QVERIFY(away >= closer);
    QCOMPARE(few.layout().level(), HeatMapLevel::Dense);
    QCOMPARE(few.layout().cellWidth(), 3);
    few.setLevel({});
    QVERIFY(!few.isZoomed());
    QVERIFY(!arranged(96).zoom(1)); // folded: one opens a group instead
    QVERIFY(!arranged(0).zoom(1));
}

void HeatMapArrangementTest::keysLeadToNeighbours()
{
    using Move = HeatMapLayout::Move;
    HeatMapArrangement few = arranged(4);
    few.setPins({{2, 0}}); // shown: 2, 0, 1, 3
    QCOMPARE(few.moved({2, 0}, Move::Last), (GpuAddress{3, 7}));
    QCOMPARE(few.moved({3, 7}, Move::First), (GpuAddress{2, 0}));
    QCOMPARE(few.moved({9, 0}, Move::First), std::nullopt); // not shown
    QCOMPARE(arranged(96).moved({0, 0}, Move::Right), std::nullopt); // no figures: nobody is the worst of a group
}

void HeatMapArrangementTest::pointsAndCellsAgree()
{
    for (const int nodes : {4, 96}) {
        const HeatMapArrangement shown = arranged(nodes);
        for (const GpuAddress gpu : {GpuAddress{0, 0}, GpuAddress{nodes / 2, 3}, GpuAddress{nodes - 1, 7}}) {
            QCOMPARE(shown.cellAt(shown.cellRect(gpu).center()), gpu);
            QVERIFY(shown.nodeRect(gpu.node).contains(shown.cellRect(gpu)));
        }
        QCOMPARE(shown.cellAt({-5, -5}), std::nullopt);
    }
}

void HeatMapArrangementTest::anotherJobForgetsTheNodes()
{
    HeatMapArrangement many = arranged(96);
    many.setOrder(HeatMapArrangement::Order::OutlierScore);
    many.setPins({{17, 3}});
    many.openGroupOf(20);
    many.zoom(1);
    many.forgetNodes();
    many.setNodes(shape(70), groups(70));
    QVERIFY(many.isFolded() && !many.isZoomed() && many.pins().empty());
    QCOMPARE(many.order(), HeatMapArrangement::Order::OutlierScore); // a choice of the user
}

RANKWRIGHT_TEST_MAIN(HeatMapArrangementTest)
#include "tst_heatmaparrangement.moc"
