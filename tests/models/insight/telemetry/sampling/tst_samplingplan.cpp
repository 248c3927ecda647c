// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/sampling/samplingplan.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// How a job is sampled so that it costs little, from 1 node to more than any machine has.
class SamplingPlanTest final : public test::Suite {
    Q_OBJECT
private slots:
    void plans_data();
    void plans();
    void limitsHoldForAnyJob();
    void aPartIsSpreadEvenlyAndSaidClearly();
    void words();
};

void SamplingPlanTest::plans_data()
{
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<bool>("oneStep");
    QTest::addColumn<int>("request"); // 0: none
    QTest::addColumn<int>("interval");
    QTest::addColumn<int>("watched");
    QTest::addColumn<int>("steps");
    QTest::newRow("one node") << 1 << 8 << false << 0 << 1000 << 1 << 1;
    QTest::newRow("64 nodes, a step each") << 64 << 8 << false << 0 << 1000 << 64 << 64;
    QTest::newRow("65 nodes, a step each") << 65 << 8 << false << 0 << 1000 << 64 << 64;
    QTest::newRow("1024 nodes, a step each") << 1024 << 8 << false << 0 << 1000 << 64 << 64;
    QTest::newRow("1024 nodes, one step") << 1024 << 8 << true << 0 << 1000 << 1024 << 1;
    QTest::newRow("2048 nodes, one step") << 2048 << 8 << true << 0 << 3000 << 2048 << 1;
    QTest::newRow("GPUs not known") << 1024 << 0 << true << 0 << 1000 << 1024 << 1;
    QTest::newRow("request is respected") << 4 << 8 << true << 200 << 200 << 4 << 1;
    QTest::newRow("up to the cap") << 1024 << 8 << true << 200 << 1000 << 1024 << 1;
    QTest::newRow("slower as requested") << 4 << 8 << true << 10000 << 10000 << 4 << 1;
    QTest::newRow("no nodes yet") << 0 << 8 << true << 0 << 1000 << 1 << 1;
}

void SamplingPlanTest::plans()
{
    QFETCH(int, nodes);
    QFETCH(int, gpus);
    QFETCH(bool, oneStep);
    QFETCH(int, request);
    SamplingRequest requested{nodes, gpus, SamplingWay::Step, oneStep, {}};
    if (request > 0)
        requested.intervalMs = request;
    const SamplingPlan plan = samplingPlan(requested);
    QTEST(plan.intervalMs, "interval");
    QTEST(int(plan.nodes.size()), "watched");
    QTEST(plan.steps, "steps");
    QVERIFY2(plan.bytesPerSecond <= SamplingLimits().bytesPerSecond, qPrintable(plan.text));
    QVERIFY(plan.ranksEveryMs >= plan.intervalMs);
}

void SamplingPlanTest::limitsHoldForAnyJob()
{
    for (int nodes = 1; nodes < 40000; nodes = nodes * 3 / 2 + 1) {
        for (const int gpus : {1, 4, 8, 16, 72}) {
            for (const bool oneStep : {true, false}) {
                const SamplingPlan plan = samplingPlan({nodes, gpus, SamplingWay::Step, oneStep, {}});
                QVERIFY(plan.bytesPerSecond <= SamplingLimits().bytesPerSecond);
                QVERIFY(plan.steps <= SamplingLimits().steps);
                QVERIFY(plan.intervalMs <= SamplingLimits().longestMs);
                QVERIFY(!plan.nodes.isEmpty() && plan.ofNodes == nodes);
                QVERIFY(plan.nodes.first() == 0);
                for (qsizetype i = 1; i < plan.nodes.size(); ++i)
                    QVERIFY(plan.nodes.at(i) > plan.nodes.at(i - 1));
                if (plan.nodes.size() > 1)
                    QCOMPARE(plan.nodes.last(), nodes - 1);
            }
        }
    }
}

void SamplingPlanTest::aPartIsSpreadEvenlyAndSaidClearly()
{
    const SamplingPlan plan = samplingPlan({1024, 8, SamplingWay::Step, false, {}});
    QVERIFY(plan.isPart());
    QCOMPARE(plan.text,
        u"64 of 1,024 nodes, evenly spread, are sampled every second: each node takes a Slurm step of its own, and "
        "64 are as many as we start."_s);
    for (qsizetype i = 1; i < plan.nodes.size(); ++i) {
        const int gap = plan.nodes.at(i) - plan.nodes.at(i - 1);
        QVERIFY(gap == 16 || gap == 17);
    }
    QStringList names;
    for (int node = 0; node < 1024; ++node)
        names.append(QString::number(node));
    const QStringList watched = watchedNodes(plan, names);
    QCOMPARE(watched.size(), 64);
    QCOMPARE(watched.first(), u"0"_s);
    QCOMPARE(watched.last(), u"1023"_s);
}

void SamplingPlanTest::words()
{
    QCOMPARE(samplingPlan({1, 8, SamplingWay::Step, false, {}}).text, u"The node is sampled every second."_s);
    QCOMPARE(samplingPlan({4, 8, SamplingWay::Ssh, false, 2500}).text, u"All 4 nodes are sampled every 2.5 s."_s);
    QCOMPARE(samplingPlan({0, 0, SamplingWay::Here, false, {}}).text, u"This machine is sampled every second."_s);
    const QString slow = samplingPlan({2048, 8, SamplingWay::Step, true, {}}).text;
    QVERIFY2(slow.startsWith(u"All 2,048 nodes are sampled every 3 s: all of them every second would send "_s),
        qPrintable(slow));
    QCOMPARE(samplingPlan({500, 8, SamplingWay::Ssh, true, {}}).steps, 0); // no Slurm step
}

RANKWRIGHT_TEST_MAIN(SamplingPlanTest)
#include "tst_samplingplan.moc"
