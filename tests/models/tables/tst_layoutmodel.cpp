// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/layoutmodel.h"
#include "models/tables/measuredmodel.h"
#include "tests/support/testbase.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

LayoutRow row(int rank, int nodes, double seconds)
{
    LayoutRow row;
    row.rank = rank;
    row.layout.strategy = Strategy::Fsdp;
    row.layout.layout.nodes = nodes;
    row.layout.layout.gpusPerNode = 8;
    row.layout.layout.data = nodes * 8;
    row.layout.layout.microBatch = 4;
    row.layout.layout.accumulation = 8;
    row.layout.memoryBytes = 41.3 * 1073741824.0;
    row.layout.usableBytes = 63.9 * 1073741824.0;
    row.layout.stepSeconds = seconds;
    row.layout.mfu = 0.38;
    row.layout.why = u"It is the fastest."_s;
    row.id = idOf(row.layout);
    return row;
}

} // namespace

class LayoutModelTest final : public test::Suite {
    Q_OBJECT
private slots:
    void showsLayouts();
    void updatesInPlace();
    void namesHeads();
    void distinguishesLayouts();
    void comparesPredictionAndMeasurement();
};

void LayoutModelTest::showsLayouts()
{
    LayoutModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.show({row(1, 2, 28.9), row(2, 4, 30)}, u"GCD"_s, u"GPU-hours"_s);
    QCOMPARE(model.rowCount(), 2);
    const auto text = [&model](int column) { return model.index(0, column).data().toString(); };
    QCOMPARE(text(LayoutModel::Rank), u"1"_s);
    QCOMPARE(text(LayoutModel::Gpus), u"16"_s);
    QCOMPARE(text(LayoutModel::StrategyName), u"FSDP"_s);
    QCOMPARE(text(LayoutModel::Degrees), u"16 × 1 × 1"_s);
    QCOMPARE(text(LayoutModel::Batch), u"4 × 8"_s);
    QCOMPARE(text(LayoutModel::Step), u"28.9 s"_s);
    QCOMPARE(text(LayoutModel::Mfu), u"38\u2009%"_s);
    QCOMPARE(text(LayoutModel::Cost), u"–"_s); // no price is not a price of 0
    QCOMPARE(text(LayoutModel::Verdict), u"Fits"_s);
    QCOMPARE(model.index(0, LayoutModel::Verdict).data(ToneRole).toInt(), int(Tone::Good));
    QCOMPARE(toneOf(FitVerdict::Probably), Tone::Quiet); // no tick
    QCOMPARE(model.index(0, LayoutModel::Memory).data(LayoutModel::UsableRole).toDouble(), 63.9 * 1073741824.0);
    QVERIFY(!model.index(5, 0).data(LayoutModel::MemoryRole).isValid());
    QVERIFY(model.index(0, LayoutModel::Step).data(SortRole).toDouble()
        < model.index(1, LayoutModel::Step).data(SortRole).toDouble());
}

void LayoutModelTest::updatesInPlace()
{
    LayoutModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.show({row(1, 2, 28.9), row(2, 4, 30)}, u"GCD"_s, {});
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    LayoutRow now = row(1, 2, 28.9);
    now.current = true; // the design took this layout
    model.show({now, row(2, 4, 30)}, u"GCD"_s, {});
    QCOMPARE(inserted.count(), 0);
    QCOMPARE(changed.count(), 1);
    QVERIFY(model.index(0, 0).data(LayoutModel::CurrentRole).toBool());
    QCOMPARE(model.index(0, LayoutModel::Rank).data(ToneRole).toInt(), int(Tone::Busy));
    model.show({}, u"GPU"_s, {});
    QCOMPARE(model.rowCount(), 0);
}

void LayoutModelTest::namesHeads()
{
    LayoutModel model;
    model.show({}, u"GCD"_s, u"GPU-hours"_s);
    QCOMPARE(model.headerData(LayoutModel::Gpus, Qt::Horizontal, Qt::DisplayRole).toString(), u"GCDs"_s);
    QCOMPARE(model.headerData(LayoutModel::Cost, Qt::Horizontal, Qt::DisplayRole).toString(), u"GPU-hours"_s);
    QCOMPARE(model.columnCount(), int(LayoutModel::Why) + 1);
}

void LayoutModelTest::distinguishesLayouts()
{
    QList<Candidate> all{row(1, 2, 1).layout};
    const auto add = [&all](auto change) {
        Candidate other = all.first();
        change(other);
        all.append(other);
    };
    add([](Candidate& c) { c.layout.nodes = 3; });
    add([](Candidate& c) { c.layout.microBatch = 2; });
    add([](Candidate& c) { c.layout.tensor = 2; });
    add([](Candidate& c) { c.strategy = Strategy::Hsdp; });
    add([](Candidate& c) { c.recompute = Recompute::Full; });
    add([](Candidate& c) { c.offload = Offload::OptimizerStates; });
    add([](Candidate& c) { c.layout.virtualStages = 2; });
    add([](Candidate& c) { c.layout.expert = 2; });
    add([](Candidate& c) { c.layout.firstLayers = 7; });
    QSet<QString> ids;
    for (const Candidate& each : all)
        ids.insert(idOf(each));
    QCOMPARE(ids.size(), all.size());
}

void LayoutModelTest::comparesPredictionAndMeasurement()
{
    QCOMPARE(predictionError(44, 40), std::optional<double>(0.1));
    QVERIFY(!predictionError(44, {}));
    QVERIFY(!predictionError(44, 0.0));
    MeasuredModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    MeasuredRun run;
    run.cluster = u"lumi"_s;
    run.job = u"1234 · gpt"_s;
    run.predictedBytes = 44.0 * 1073741824;
    run.measuredBytes = 40.0 * 1073741824;
    run.predictedSeconds = 1.9;
    model.assign({run});
    QCOMPARE(model.index(0, 4).data().toString(), u"+10\u2009%"_s);
    QCOMPARE(model.index(0, 6).data().toString(), u"–"_s); // was not measured
    QCOMPARE(model.index(0, 7).data().toString(), u"–"_s);
}

RANKWRIGHT_TEST_MAIN(LayoutModelTest)
#include "tst_layoutmodel.moc"
