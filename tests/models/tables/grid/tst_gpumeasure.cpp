// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/grid/gpumeasure.h"
#include "models/tables/grid/outlierorder.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>

#include <cmath>
#include <numeric>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 now = 1'772'460'751'000;

QStringList names(int nodes)
{
    QStringList all;
    for (int node = 0; node < nodes; ++node)
        all.append(u"nid%1"_s.arg(node + 1, 6, 10, QLatin1Char('0')));
    return all;
}

/// Ten seconds of a healthy run, with the odd one as reported.
void fill(GpuGrid& grid, int nodes, std::optional<GpuAddress> odd, double oddUse)
{
    const QStringList all = names(nodes);
    grid.reset(all, 8, 2, u"GCD"_s);
    QRandomGenerator random(5);
    for (int second = 9; second >= 0; --second) {
        for (int node = 0; node < nodes; ++node) {
            NodeTick tick{all.at(node), 0, {}};
            for (int gpu = 0; gpu < 8; ++gpu) {
                GpuSample sample;
                sample.index = gpu;
                sample.utilizationPercent = odd == GpuAddress{node, gpu} ? oddUse : 92 + random.bounded(8);
                if (gpu % 2 == 0) {
                    sample.powerWatts = 430 + random.bounded(20);
                    sample.powerCapWatts = 500;
                }
                tick.gpus.append(sample);
            }
            grid.store(tick, now - second * 1000);
        }
    }
    grid.flush(now);
}

QList<int> allRows(int count)
{
    QList<int> rows(count);
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

} // namespace

class GpuMeasureTest final : public test::Suite {
    Q_OBJECT
private slots:
    void findsTheOneThatDiffers_data();
    void findsTheOneThatDiffers();
    void healthyIsNotOdd();
    void powerBelongsToBothDies();
    void silentComesFirst();
    void unknownIsNoValue();
    void twoHalvesAreNoExceptions();
    void refreshTakesOnlyItsRows();
    void orderPutsTheOddestFirst();
    void orderKeepsCalm();
    void orderForgetsAnotherShape();
};

void GpuMeasureTest::findsTheOneThatDiffers_data()
{
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("node");
    QTest::newRow("of 16") << 2 << 1;
    QTest::newRow("of 512") << 64 << 40;
    QTest::newRow("of 8192") << 1024 << 777;
}

void GpuMeasureTest::findsTheOneThatDiffers()
{
    QFETCH(int, nodes);
    QFETCH(int, node);
    GpuGrid grid;
    fill(grid, nodes, GpuAddress{node, 5}, 40);
    GpuMeasure field;
    field.rebuild(grid, Measure::Utilization, GridState::Running);
    QVERIFY(field.isOutlier({node, 5}));
    int odd = 0;
    for (int row = 0; row < nodes; ++row) {
        for (int gpu = 0; gpu < 8; ++gpu)
            odd += field.isOutlier({row, gpu}) ? 1 : 0;
    }
    QCOMPARE(odd, 1);
    const FieldSummary summary = field.summaryOf(allRows(nodes));
    QCOMPARE(summary.worst, std::optional(GpuAddress{node, 5}));
    QCOMPARE(summary.low, 40.0F);
    QCOMPARE(summary.gpus, nodes * 8);
    QCOMPARE(summary.reported, nodes * 8);
    QVERIFY(summary.typical >= 92 && summary.typical <= 99);
}

void GpuMeasureTest::healthyIsNotOdd()
{
    GpuGrid grid;
    fill(grid, 32, {}, 0);
    GpuMeasure field;
    for (const Measure measure : {Measure::Utilization, Measure::Power, Measure::Clock}) {
        field.rebuild(grid, measure, GridState::Running);
        for (const float score : field.nodeScores())
            QVERIFY2(score < GpuMeasure::outlierFrom, qPrintable(QString::number(double(score))));
    }
}

void GpuMeasureTest::powerBelongsToBothDies()
{
    GpuGrid grid;
    grid.reset({u"a"_s}, 8, 2, u"GCD"_s);
    NodeTick tick{u"a"_s, 0, {}};
    for (int gpu = 0; gpu < 8; ++gpu) {
        GpuSample sample;
        sample.index = gpu;
        sample.secondaryDie = gpu % 2 == 1;
        if (gpu == 0 || gpu == 3) // a tool that names the second die instead is read alike
            sample.powerWatts = 300 + gpu;
        tick.gpus.append(sample);
    }
    grid.store(tick, now);
    grid.flush(now);
    GpuMeasure field;
    field.rebuild(grid, Measure::Power, GridState::Running);
    QCOMPARE(field.at({0, 0}).value, 300.0F);
    QCOMPARE(field.at({0, 1}).value, 300.0F);
    QCOMPARE(field.at({0, 2}).value, 303.0F);
    QCOMPARE(field.at({0, 3}).value, 303.0F);
    QVERIFY(std::isnan(field.at({0, 4}).value) && std::isnan(field.at({0, 5}).value));
}

void GpuMeasureTest::silentComesFirst()
{
    GpuGrid grid;
    fill(grid, 4, GpuAddress{1, 2}, 10);
    grid.store({u"nid000003"_s, 0, {}}, now); // a tick without GPUs is none
    GpuMeasure field;
    for (const QString& node : {u"nid000001"_s, u"nid000002"_s, u"nid000004"_s}) {
        NodeTick tick{node, 0, {}};
        GpuSample sample;
        for (sample.index = 0; sample.index < 8; ++sample.index) {
            sample.utilizationPercent = 95;
            tick.gpus.append(sample);
        }
        grid.store(tick, now + 20'000);
    }
    grid.flush(now + 20'000);
    field.rebuild(grid, Measure::Utilization, GridState::Running);
    QCOMPARE(field.at({2, 0}).freshness, Freshness::Stale);
    QCOMPARE(field.summaryOf(allRows(4)).worst, std::optional(GpuAddress{2, 0}));
    QCOMPARE(field.summaryOf(allRows(4)).silent, 8);
    QCOMPARE(field.summaryOf(allRows(4)).reported, 24);
    field.rebuild(grid, Measure::Utilization, GridState::Ended); // an ended job has no silence
    QCOMPARE(field.summaryOf(allRows(4)).silent, 0);
    QCOMPARE(field.at({2, 0}).freshness, Freshness::Last);
}

void GpuMeasureTest::unknownIsNoValue()
{
    GpuGrid grid;
    fill(grid, 2, {}, 0);
    GpuMeasure field;
    field.rebuild(grid, Measure::Clock, GridState::Running);
    const FieldSummary summary = field.summaryOf(allRows(2));
    QCOMPARE(summary.reported, 0);
    QCOMPARE(summary.silent, 0);
    QVERIFY(!field.typical());
    QVERIFY(std::isnan(field.at({0, 0}).value));
    QVERIFY(field.at({0, 0}).isTrusted());
    field.rebuild(GpuGrid(), Measure::Memory, GridState::Running);
    QCOMPARE(field.nodes(), 0);
    QVERIFY(!field.summaryOf({}).worst);
}

void GpuMeasureTest::twoHalvesAreNoExceptions()
{
    GpuGrid grid;
    grid.reset(names(2), 8, 1, u"GPU"_s);
    for (int node = 0; node < 2; ++node) {
        NodeTick tick{names(2).at(node), 0, {}};
        GpuSample sample;
        for (sample.index = 0; sample.index < 8; ++sample.index) {
            sample.utilizationPercent = sample.index < 5 ? 95 : 20;
            tick.gpus.append(sample);
        }
        grid.store(tick, now);
    }
    grid.flush(now);
    GpuMeasure field;
    field.rebuild(grid, Measure::Utilization, GridState::Running);
    for (int gpu = 0; gpu < 8; ++gpu)
        QVERIFY(!field.isOutlier({0, gpu}));
}

void GpuMeasureTest::refreshTakesOnlyItsRows()
{
    GpuGrid grid;
    fill(grid, 3, {}, 0);
    GpuMeasure field;
    field.rebuild(grid, Measure::Utilization, GridState::Running);
    const float before = field.at({0, 0}).value;
    for (int node = 0; node < 2; ++node) {
        GpuSample sample;
        sample.utilizationPercent = 7;
        grid.store({names(3).at(node), 0, {sample}}, now);
    }
    const QList<int> rows{1, 99, -1};
    field.refresh(grid, rows);
    QCOMPARE(field.at({0, 0}).value, before);
    QCOMPARE(field.at({1, 0}).value, 7.0F);
}

void GpuMeasureTest::orderPutsTheOddestFirst()
{
    OutlierOrder order;
    const std::vector<float> scores{0, 4, 1000, 0, 30, 1};
    QVERIFY(order.update(scores, now));
    QCOMPARE(order.rows(), (QList<int>{2, 4, 1, 0, 3, 5}));
}

void GpuMeasureTest::orderKeepsCalm()
{
    // Two rows whose scores swing around the same value by a fifth: they must not change places every second.
    OutlierOrder order;
    QRandomGenerator random(11);
    int changes = 0;
    for (int second = 0; second < 600; ++second) {
        std::vector<float> scores(64, 0.5F);
        scores[9] = float(10 * (1 + 0.1 * (random.generateDouble() * 2 - 1)));
        scores[40] = float(10 * (1 + 0.1 * (random.generateDouble() * 2 - 1)));
        changes += order.update(scores, now + second * 1000) ? 1 : 0;
    }
    QVERIFY2(changes <= 2, qPrintable(QString::number(changes)));
    QCOMPARE(order.rows().first(2), (QList<int>{9, 40}));
    // A true change is shown, though not at once twice.
    std::vector<float> scores(64, 0.5F);
    scores[3] = 200;
    QVERIFY(order.update(scores, now + 700'000));
    QCOMPARE(order.rows().first(), 3);
    scores[3] = 0;
    QVERIFY(!order.update(scores, now + 701'000));
    QVERIFY(order.update(scores, now + 704'000));
    QCOMPARE(order.rows().first(), 0);
}

void GpuMeasureTest::orderForgetsAnotherShape()
{
    OutlierOrder order;
    const std::vector<float> few{0, 9};
    const std::vector<float> more{0, 9, 0};
    order.update(few, now);
    QVERIFY(order.update(more, now + 1));
    QCOMPARE(order.rows(), (QList<int>{1, 0, 2}));
    order.update({}, now + 2);
    QVERIFY(order.rows().isEmpty());
}

RANKWRIGHT_TEST_MAIN(GpuMeasureTest)
#include "tst_gpumeasure.moc"
