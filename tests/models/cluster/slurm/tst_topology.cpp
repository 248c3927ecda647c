// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/topology.h"
#include "models/tables/grid/nodegroups.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

class TopologyTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsLeaves_data();
    void readsLeaves();
    void groupsTheNodes();
};

void TopologyTest::readsLeaves_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QString>("nid3");
    QTest::addColumn<QString>("nid9");
    // Forms of Slurm's topology guide (tree) and of topology/block since 23.11.
    QTest::newRow("tree") << QByteArray("SwitchName=s0 Level=0 LinkSpeed=1 Nodes=nid[1-8]\n"
                                        "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=nid[9-16]\n"
                                        "SwitchName=top Level=1 LinkSpeed=1 Nodes=nid[1-16] Switches=s[0-1]\n")
                          << u"s0"_s << u"s1"_s;
    QTest::newRow("block") << QByteArray("BlockName=b1 BlockIndex=0 Nodes=nid[1-4] BlockSize=4\n"
                                         "BlockName=b3 BlockIndex=2 Nodes=nid[9-12] BlockSize=4\n")
                           << u"b1"_s << u"b3"_s;
    QTest::newRow("nothing") << QByteArray() << QString() << QString();
    QTest::newRow("no plugin") << QByteArray("slurm_load_topo error: Requested operation not supported\n") << QString()
                               << QString();
    QTest::newRow("a broken list") << QByteArray("SwitchName=s0 Level=0 Nodes=nid[1-\n"
                                                 "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=nid[9-16]\n")
                                   << QString() << u"s1"_s;
}

void TopologyTest::readsLeaves()
{
    QFETCH(QByteArray, answer);
    const QHash<QString, QString> found = parseTopology(answer, {u"nid3"_s, u"nid9"_s});
    QTEST(found.value(u"nid3"_s), "nid3");
    QTEST(found.value(u"nid9"_s), "nid9");
    QVERIFY(!found.contains(u"nid1"_s)); // not of this job
    for (qsizetype cut = 0; cut < answer.size(); ++cut)
        parseTopology(answer.left(cut), {u"nid3"_s});
}

void TopologyTest::groupsTheNodes()
{
    const QStringList nodes{u"nid1"_s, u"nid2"_s, u"nid9"_s, u"nid10"_s};
    const QList<NodeGroup> groups = groupNodes(nodes,
        parseTopology("SwitchName=s0 Level=0 LinkSpeed=1 Nodes=nid[1-8]\nSwitchName=s1 Level=0 LinkSpeed=1 "
                      "Nodes=nid[9-16]\n",
            nodes));
    QCOMPARE(groups.size(), 2);
    QCOMPARE(groups.at(1).rows, (QList<int>{2, 3}));
}

RANKWRIGHT_TEST_MAIN(TopologyTest)
#include "tst_topology.moc"
