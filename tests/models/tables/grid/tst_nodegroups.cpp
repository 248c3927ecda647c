// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/grid/nodegroups.h"
#include "models/tables/grid/parallelgroups.h"
#include "tests/support/testbase.h"

#include <algorithm>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

QStringList counted(const QString& pattern, int from, int count, int width)
{
    QStringList names;
    for (int number = from; number < from + count; ++number)
        names.append(pattern.arg(number, width, 10, QLatin1Char('0')));
    return names;
}

} // namespace

class NodeGroupsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void groups_data();
    void groups();
    void switchesComeFirst();
    void spans_data();
    void spans();
    void kindsOfGroups();
};

void NodeGroupsTest::groups_data()
{
    QTest::addColumn<QStringList>("nodes");
    QTest::addColumn<int>("expected");
    QTest::addColumn<QString>("firstName");
    QTest::newRow("none") << QStringList() << 0 << QString();
    QTest::newRow("LUMI-G") << counted(u"nid%1"_s, 5000, 1024, 6) << 32 << u"nid005000–5031"_s;
    QTest::newRow("Frontier, a part") << counted(u"frontier%1"_s, 1, 128, 5) << 8 << u"frontier00001–0016"_s;
    QStringList racks; // MareNostrum 5: rack and blade
    for (int rack = 1; rack <= 6; ++rack)
        racks += counted(u"as%1r1b%2"_s.arg(rack, 2, 10, QLatin1Char('0')).arg(u"%1"_s), 1, 18, 2);
    QTest::newRow("MareNostrum 5") << racks << 6 << u"as01r1"_s;
    QStringList cray; // HPE Cray EX: cabinet, chassis, slot, board, node
    for (int cabinet = 1000; cabinet < 1002; ++cabinet) {
        for (int chassis = 0; chassis < 4; ++chassis) {
            for (int slot = 0; slot < 8; ++slot) {
                for (int node = 0; node < 2; ++node)
                    cray.append(u"x%1c%2s%3b0n%4"_s.arg(cabinet).arg(chassis).arg(slot).arg(node));
            }
        }
    }
    QTest::newRow("names of an HPE Cray EX") << cray << 8 << u"x1000c0"_s;
    QTest::newRow("words only") << QStringList(QList<QString>(40, u"node"_s)) << 3 << u"node"_s;
    QTest::newRow("one rack is not a group") << counted(u"r05n%1"_s, 1, 72, 2) << 5 << u"r05n01–16"_s;
}

void NodeGroupsTest::groups()
{
    QFETCH(QStringList, nodes);
    QFETCH(int, expected);
    QFETCH(QString, firstName);
    const QList<NodeGroup> groups = groupNodes(nodes);
    QCOMPARE(int(groups.size()), expected);
    QList<int> rows;
    for (const NodeGroup& group : groups)
        rows += group.rows;
    std::sort(rows.begin(), rows.end());
    QCOMPARE(rows.size(), nodes.size());
    for (int row = 0; row < rows.size(); ++row)
        QCOMPARE(rows.at(row), row); // every node once
    if (expected > 0)
        QCOMPARE(groups.first().name, firstName);
}

void NodeGroupsTest::switchesComeFirst()
{
    const QStringList nodes = counted(u"nid%1"_s, 1, 96, 4);
    QHash<QString, QString> switchOf;
    for (int node = 0; node < 90; ++node)
        switchOf.insert(nodes.at(node), u"s%1"_s.arg(node % 3)); // dragonfly: neighbours are apart
    const QList<NodeGroup> groups = groupNodes(nodes, switchOf);
    QCOMPARE(groups.size(), 4);
    QCOMPARE(groups.at(0).origin, NodeGroup::Origin::Switch);
    QCOMPARE(groups.at(1).name, u"s1"_s);
    QCOMPARE(groups.at(1).rows.first(3), (QList<int>{1, 4, 7}));
    QCOMPARE(groups.at(3).rows.size(), 6); // of which nothing is known
    switchOf.removeIf([](const auto& entry) { return entry.key() > u"nid0020"_s; });
    QCOMPARE(groupNodes(nodes, switchOf).first().origin, NodeGroup::Origin::Block);
}

void NodeGroupsTest::spans_data()
{
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("last");
    QTest::addColumn<QString>("expected");
    QTest::newRow("numbers") << u"nid005500"_s << u"nid005515"_s << u"nid005500–5515"_s;
    QTest::newRow("one") << u"g1"_s << u"g1"_s << u"g1"_s;
    QTest::newRow("letters") << u"alpha"_s << u"beta"_s << u"alpha–beta"_s;
    QTest::newRow("short") << u"g1"_s << u"g16"_s << u"g1–16"_s;
}

void NodeGroupsTest::spans()
{
    QFETCH(QString, first);
    QFETCH(QString, last);
    QTEST(nodeSpanText(first, last), "expected");
}

void NodeGroupsTest::kindsOfGroups()
{
    // Megatron's order for 8 ranks, tensor 2, pipeline 2: tensor ranks are neighbours, stages furthest apart.
    QList<RankPlace> placement;
    for (int rank = 0; rank < 8; ++rank) {
        RankPlace place{.rank = rank, .gpu = rank};
        place.tensorGroup = rank / 2;
        place.stage = rank / 4;
        place.dataGroup = rank / 4 * 2 + rank % 2;
        placement.append(place);
    }
    QCOMPARE(kindsIn(placement), (QList<GroupKind>{GroupKind::Tensor, GroupKind::Stage, GroupKind::Data}));
    const QList<RankPlace> data = groupMembersOf(placement, placement.at(5), GroupKind::Data);
    QCOMPARE(data.size(), 2);
    QCOMPARE(data.at(0).rank, 5);
    QCOMPARE(data.at(1).rank, 7);
    QVERIFY(groupMembersOf(placement, placement.at(5), GroupKind::Shard).isEmpty());
    for (RankPlace& place : placement) // pure data parallelism: all ranks in one group, nothing to distinguish
    {
        place.tensorGroup = place.rank;
        place.stage = place.dataGroup = place.shardGroup = 0;
    }
    QVERIFY(kindsIn(placement).isEmpty());
    QVERIFY(kindsIn({}).isEmpty());
}

RANKWRIGHT_TEST_MAIN(NodeGroupsTest)
#include "tst_nodegroups.moc"
