// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/collect/collectplan.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

QStringList nodesOf(int count)
{
    QStringList nodes;
    for (int i = 1; i <= count; ++i)
        nodes.append(u"nid%1"_s.arg(i, 6, 10, QChar(u'0')));
    return nodes;
}

RankEvidence rankOn(const QString& node, int rank, ProcessState state, const QString& channel)
{
    RankEvidence seen;
    seen.rank = rank;
    seen.node = node;
    seen.now = ProcessSnapshot{};
    seen.now->state = state;
    seen.now->waitChannel = channel;
    seen.before = seen.now;
    return seen;
}

} // namespace

/// Which nodes of a job are asked, and how: bounded for any size.
class CollectPlanTest final : public test::Suite {
    Q_OBJECT
private slots:
    void plans_data();
    void plans();
    void oddNodesComeFirst();

    /// Of nodes that were not asked in full: those whose ranks stand otherwise than all others.
    void secondLook();
    void overSsh();
};

void CollectPlanTest::plans_data()
{
    QTest::addColumn<int>("nodes");
    QTest::addColumn<bool>("oneStep");
    QTest::addColumn<int>("deep");
    QTest::addColumn<int>("light");
    QTest::newRow("one") << 1 << false << 1 << 0;
    QTest::newRow("eight") << 8 << true << 8 << 0;
    QTest::newRow("64, a step each") << 64 << false << 64 << 0;
    QTest::newRow("65, a step each") << 65 << false << 64 << 0;
    QTest::newRow("65, one step") << 65 << true << 64 << 1;
    QTest::newRow("1024, one step") << 1024 << true << 64 << 960;
    QTest::newRow("1024, a step each") << 1024 << false << 64 << 0;
}

void CollectPlanTest::plans()
{
    QFETCH(int, nodes);
    QFETCH(bool, oneStep);
    QFETCH(int, deep);
    QFETCH(int, light);
    const QStringList all = nodesOf(nodes);
    const CollectPlan plan = collectPlan({u"7"_s, all, {}, SamplingWay::Step, oneStep});
    QCOMPARE(plan.deepNodes.size(), deep);
    QCOMPARE(plan.lightNodes.size(), light);
    QCOMPARE(plan.ofNodes, nodes);
    QCOMPARE(plan.deepNodes.first(), all.first());
    QCOMPARE(plan.deepNodes.last(), all.last());
    QCOMPARE(plan.note.isEmpty(), deep == nodes);
    QVERIFY(plan.bytesPerNode * deep <= plan.limits.bytes);
    QVERIFY(!plan.rasNodes.isEmpty() && plan.rasNodes.size() <= 2);
    const RemoteCommand command = collectCommand(plan);
    QVERIFY(command.interactive);
    QVERIFY(command.deadlineSeconds.has_value());
    QVERIFY2(command.line.size() < 100000, "one argument of a program is 128 KiB at most");
    QCOMPARE(command.line.contains(u"srun --overlap --jobid=7 "_s), oneStep || nodes == 1);
    QVERIFY(!command.line.contains(u"# "_s + u"The processes"_s));
}

void CollectPlanTest::oddNodesComeFirst()
{
    const QStringList all = nodesOf(1000);
    const CollectPlan plan
        = collectPlan({u"7"_s, all, {all.at(400), u"elsewhere"_s, all.at(7)}, SamplingWay::Step, true});
    QVERIFY(plan.deepNodes.contains(all.at(400)) && plan.deepNodes.contains(all.at(7)));
    QVERIFY(!plan.deepNodes.contains(u"elsewhere"_s));
    QCOMPARE(plan.deepNodes.size() + plan.lightNodes.size(), 1000);
    QVERIFY(plan.deepNodes.size() <= 64);
}

void CollectPlanTest::secondLook()
{
    const QStringList all = nodesOf(200);
    const CollectPlan plan = collectPlan({u"7"_s, all, {}, SamplingWay::Step, true});
    HangEvidence seen;
    for (int i = 0; i < 200; ++i)
        seen.ranks.append(rankOn(all.at(i), i, ProcessState::Sleeping, u"futex_wait_queue"_s));
    QCOMPARE(nodesToAskNext(plan, seen), QStringList());
    const auto light = [&](int which) { return all.indexOf(plan.lightNodes.at(which)); };
    seen.ranks[light(3)] = rankOn(plan.lightNodes.at(3), 3, ProcessState::Sleeping, u"hrtimer_nanosleep"_s);
    seen.ranks[light(90)] = rankOn(plan.lightNodes.at(90), 90, ProcessState::DiskSleep, u"futex_wait_queue"_s);
    const QStringList next = nodesToAskNext(plan, seen);
    QCOMPARE(next, QStringList({plan.lightNodes.at(90), plan.lightNodes.at(3)}));
    const CollectPlan second = nextPlan(plan, next);
    QCOMPARE(second.deepNodes, next);
    QVERIFY(second.lightNodes.isEmpty() && second.rasNodes.isEmpty());
    QCOMPARE(nodesToAskNext(second, seen), QStringList());
    for (qsizetype i = 0; i < plan.lightNodes.size(); ++i)
        seen.ranks[light(int(i))].now->state = seen.ranks[light(int(i))].before->state = ProcessState::Stopped;
    QCOMPARE(nodesToAskNext(plan, seen).size(), 16);
}

void CollectPlanTest::overSsh()
{
    const QString line = collectCommand(collectPlan({u"7"_s, {u"n1"_s, u"n2"_s}, {}, SamplingWay::Ssh, true})).line;
    QVERIFY(line.contains(u" ssh 7 "_s));
    QVERIFY(!line.contains(u"--ntasks-per-node"_s));
    QVERIFY(line.endsWith(u" n1 n2"_s));
}

RANKWRIGHT_TEST_MAIN(CollectPlanTest)
#include "tst_collectplan.moc"
