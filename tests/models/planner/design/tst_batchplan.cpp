// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/batchplan.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

ResolvedSpec ranks(int nodes, int gpus, int tensor = 1, int pipeline = 1)
{
    ResolvedSpec resolved;
    resolved.nodes = nodes;
    resolved.gpusPerNode = gpus;
    resolved.tensor = tensor;
    resolved.pipeline = pipeline;
    return resolved;
}

} // namespace

/// global = micro x accumulation x data-parallel ranks; rows of published runs carry their names.
class BatchPlanTest : public test::Suite {
    Q_OBJECT
private slots:
    void exact_data();
    void exact();
    void inexact_data();
    void inexact();
    void open();
    void epochs_data();
    void epochs();
    void learningRate();
    void warmup_data();
    void warmup();
    void overflow();
};

void BatchPlanTest::exact_data()
{
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<int>("tensor");
    QTest::addColumn<int>("pipeline");
    QTest::addColumn<qint64>("global");
    QTest::addColumn<qint64>("micro"); // 0: open
    QTest::addColumn<qint64>("expectedMicro");
    QTest::addColumn<qint64>("accumulation");
    QTest::addColumn<int>("dataParallel");
    QTest::newRow("contract example, 2 GCDs")
        << 1 << 2 << 1 << 1 << qint64(128) << qint64(0) << qint64(64) << qint64(1) << 2;
    QTest::newRow("given micro-batch") << 1 << 8 << 1 << 1 << qint64(256) << qint64(4) << qint64(4) << qint64(8) << 8;
    QTest::newRow("R39 VIK 33B: 4 x 4 x 128")
        << 256 << 8 << 4 << 4 << qint64(1024) << qint64(1) << qint64(1) << qint64(8) << 128;
    QTest::newRow("R39 tr11: 4 x 12 x 8 on 48 nodes")
        << 48 << 8 << 4 << 12 << qint64(2048) << qint64(2) << qint64(2) << qint64(128) << 8;
    QTest::newRow("1 rank") << 1 << 1 << 1 << 1 << qint64(7) << qint64(0) << qint64(7) << qint64(1) << 1;
    QTest::newRow("Goyal 2017: 8192 on 256 GPUs")
        << 32 << 8 << 1 << 1 << qint64(8192) << qint64(32) << qint64(32) << qint64(1) << 256;
}

void BatchPlanTest::exact()
{
    QFETCH(int, nodes);
    QFETCH(int, gpus);
    QFETCH(int, tensor);
    QFETCH(int, pipeline);
    QFETCH(qint64, global);
    QFETCH(qint64, micro);
    ResolvedSpec resolved = ranks(nodes, gpus, tensor, pipeline);
    resolved.spec.training.globalBatch = global;
    if (micro > 0)
        resolved.spec.training.microBatch = micro;
    const BatchPlan plan = planBatch(resolved);
    QVERIFY(plan.exact && plan.nearest.isEmpty());
    QCOMPARE(plan.globalBatch, global);
    QTEST(plan.microBatch, "expectedMicro");
    QTEST(plan.gradientAccumulation, "accumulation");
    QTEST(plan.dataParallel, "dataParallel");
    QCOMPARE(plan.microBatch * plan.gradientAccumulation * plan.dataParallel, plan.globalBatch);
    QVERIFY(!plan.reason.isEmpty() && !plan.stepsPerEpoch);
}

void BatchPlanTest::inexact_data()
{
    QTest::addColumn<int>("gpus");
    QTest::addColumn<qint64>("global");
    QTest::addColumn<qint64>("micro"); // 0: open
    QTest::addColumn<qint64>("run");
    QTest::addColumn<QList<qint64>>("nearest");
    QTest::newRow("not a multiple of the ranks")
        << 8 << qint64(130) << qint64(0) << qint64(128) << QList<qint64>{128, 136};
    QTest::newRow("nearer above") << 8 << qint64(135) << qint64(0) << qint64(136) << QList<qint64>{128, 136};
    QTest::newRow("a draw goes down: memory")
        << 8 << qint64(132) << qint64(0) << qint64(128) << QList<qint64>{128, 136};
    QTest::newRow("not a multiple of a step") << 8 << qint64(100) << qint64(4) << qint64(96) << QList<qint64>{96, 128};
    QTest::newRow("one step is already more") << 8 << qint64(16) << qint64(4) << qint64(32) << QList<qint64>{32};
    QTest::newRow("fewer samples than ranks") << 8 << qint64(3) << qint64(0) << qint64(8) << QList<qint64>{8};
}

void BatchPlanTest::inexact()
{
    QFETCH(int, gpus);
    QFETCH(qint64, global);
    QFETCH(qint64, micro);
    ResolvedSpec resolved = ranks(1, gpus);
    resolved.spec.training.globalBatch = global;
    if (micro > 0)
        resolved.spec.training.microBatch = micro;
    const BatchPlan plan = planBatch(resolved);
    QVERIFY(!plan.exact);
    QTEST(plan.globalBatch, "run");
    QTEST(plan.nearest, "nearest");
    QCOMPARE(plan.microBatch * plan.gradientAccumulation * plan.dataParallel, plan.globalBatch);
    QVERIFY(plan.nearest.contains(plan.globalBatch));
}

void BatchPlanTest::open()
{
    ResolvedSpec resolved = ranks(2, 8);
    BatchPlan plan = planBatch(resolved);
    QVERIFY(plan.exact);
    QCOMPARE(plan.globalBatch, qint64(16));
    QCOMPARE(plan.microBatch, qint64(1));
    resolved.spec.training.microBatch = 4;
    plan = planBatch(resolved);
    QCOMPARE(plan.globalBatch, qint64(64));
    QCOMPARE(plan.gradientAccumulation, qint64(1));
}

void BatchPlanTest::epochs_data()
{
    QTest::addColumn<qint64>("samples");
    QTest::addColumn<qint64>("global");
    QTest::addColumn<double>("steps");
    QTest::newRow("ImageNet-1k, Goyal 2017: 1.28 million / 8192") << qint64(1281167) << qint64(8192) << 157.0;
    QTest::newRow("exact") << qint64(25600) << qint64(128) << 200.0;
    QTest::newRow("IMDB train, the last step is smaller") << qint64(25000) << qint64(128) << 196.0;
}

void BatchPlanTest::epochs()
{
    QFETCH(qint64, samples);
    QFETCH(qint64, global);
    ResolvedSpec resolved = ranks(1, 8);
    resolved.spec.training.globalBatch = global;
    resolved.spec.training.datasetSamples = samples;
    QTEST(*planBatch(resolved).stepsPerEpoch, "steps");
}

void BatchPlanTest::learningRate()
{
    ResolvedSpec resolved = ranks(32, 8);
    resolved.spec.training.globalBatch = 8192;
    resolved.spec.training.microBatch = 32;
    const BatchPlan plan = planBatch(resolved);
    QCOMPARE(*plan.scaleLinear, 256.0); // Goyal et al. 2017, 2.1: k = 256 workers
    QCOMPARE(*plan.scaleSqrt, 16.0);
}

void BatchPlanTest::warmup_data()
{
    QTest::addColumn<qint64>("samples");
    QTest::addColumn<double>("epochs"); // 0: open
    QTest::addColumn<int>("gpus");
    QTest::addColumn<double>("steps"); // 0: none is suggested
    QTest::newRow("Goyal 2017: 5 of 90 epochs of 157 steps") << qint64(1281167) << 90.0 << 8 << 785.0;
    QTest::newRow("epochs are open") << qint64(1281167) << 0.0 << 8 << 785.0;
    QTest::newRow("9 epochs: the same share") << qint64(1281167) << 9.0 << 8 << 79.0; // 157 * 9 * 5 / 90 = 78.5
    QTest::newRow("no data set size") << qint64(0) << 90.0 << 8 << 0.0;
    QTest::newRow("one rank: nothing is scaled") << qint64(1281167) << 90.0 << 1 << 0.0;
}

void BatchPlanTest::warmup()
{
    QFETCH(qint64, samples);
    QFETCH(double, epochs);
    QFETCH(int, gpus);
    QFETCH(double, steps);
    ResolvedSpec resolved = ranks(1, gpus);
    resolved.spec.training.globalBatch = 8192;
    if (samples > 0)
        resolved.spec.training.datasetSamples = samples;
    if (epochs > 0)
        resolved.spec.training.epochs = epochs;
    const BatchPlan plan = planBatch(resolved);
    QCOMPARE(plan.warmupSteps.value_or(0), steps);
    QCOMPARE(plan.warmupReason.isEmpty(), steps == 0);
}

void BatchPlanTest::overflow()
{
    const qint64 most = std::numeric_limits<qint64>::max();
    for (const qint64 global : {most, most - 1, qint64(0), -most, qint64(1)}) {
        for (const qint64 micro : {most, qint64(1), qint64(0), -most}) {
            ResolvedSpec resolved = ranks(10000, 64);
            resolved.spec.training.globalBatch = global;
            resolved.spec.training.microBatch = micro;
            resolved.spec.training.datasetSamples = global;
            const BatchPlan plan = planBatch(resolved);
            QVERIFY(plan.globalBatch > 0 && plan.microBatch > 0 && plan.gradientAccumulation > 0);
            QCOMPARE(plan.microBatch * plan.gradientAccumulation * plan.dataParallel, plan.globalBatch);
        }
    }
}

RANKWRIGHT_TEST_MAIN(BatchPlanTest)
#include "tst_batchplan.moc"
