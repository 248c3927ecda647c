// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/sampling/telemetryfeed.h"
#include "models/insight/telemetry/telemetryseries.h"
#include "tests/support/testbase.h"

#include <cmath>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

NodeTick tick(const QString& node, const QList<int>& gpus, double use = 50, qint64 takenMs = 0)
{
    NodeTick made;
    made.node = node;
    made.takenMs = takenMs;
    for (const int index : gpus) {
        GpuSample gpu;
        gpu.index = index;
        gpu.utilizationPercent = use;
        gpu.memoryUsedBytes = 3221225472; // 3 GiB
        made.gpus.append(gpu);
    }
    return made;
}

} // namespace

class TelemetrySeriesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void silentGpusAreVisible();
    void storesAndReports();
    void unknownNodesExtendTheShape();
    void brokenTicksDoNot_data();
    void brokenTicksDoNot();
    void memoryIsBounded();
    void linesOfOneMomentAreOne();
    void oldPointsAreNearlyExact_data();
    void oldPointsAreNearlyExact();
    void windowIsOldestFirst();
    void goesStale();
    void coverage_data();
    void coverage();
    void coverageOfAFullRing();
    void outOfRange();
    void words();
};

void TelemetrySeriesTest::silentGpusAreVisible()
{
    TelemetrySeries series;
    series.setShape({u"n1"_s, u"n2"_s, u"n1"_s}, 4);
    QCOMPARE(series.nodes(), QStringList({u"n1"_s, u"n2"_s}));
    QCOMPARE(series.gpusOf(1), 4);
    QVERIFY(!series.latest({1, 3}));
    QVERIFY(!series.isStale({1, 3}, 99999)); // stale is what once spoke
    QCOMPARE(series.coverage({1, 3}, 0, 10000), 0.0);
}

void TelemetrySeriesTest::storesAndReports()
{
    TelemetrySeries series;
    series.setShape({u"n1"_s}, 2);
    const auto changed = series.store(tick(u"n1"_s, {1, 0}, 77, 123), 1000);
    QCOMPARE(changed, QList<GpuAddress>({{0, 1}, {0, 0}}));
    QCOMPARE(series.latest({0, 1})->utilizationPercent, std::optional<double>(77));
    QCOMPARE(series.latestArrival({0, 1}), qint64(1000));
    const auto points = series.window({0, 1}, 1000, 1);
    QCOMPARE(points.size(), 1);
    QCOMPARE(points.first().takenMs, qint64(123));
    QCOMPARE(points.first().memoryGib, 3.0F);
    QVERIFY(std::isnan(points.first().power)); // not reported
}

void TelemetrySeriesTest::unknownNodesExtendTheShape()
{
    TelemetrySeries series;
    series.setShape({u"n1"_s}, 1);
    series.store(tick(u"n9"_s, {2}), 5);
    QCOMPARE(series.nodes(), QStringList({u"n1"_s, u"n9"_s}));
    QCOMPARE(series.gpusOf(1), 3);
    QVERIFY(!series.latest({1, 0}));
    QVERIFY(series.latest({1, 2}));
}

void TelemetrySeriesTest::brokenTicksDoNot_data()
{
    QTest::addColumn<NodeTick>("broken");
    QTest::newRow("no node") << tick({}, {0});
    QTest::newRow("negative") << tick(u"n2"_s, {-1});
    QTest::newRow("huge") << tick(u"n2"_s, {1000000});
    QTest::newRow("nothing") << tick(u"n2"_s, {});
}

void TelemetrySeriesTest::brokenTicksDoNot()
{
    QFETCH(NodeTick, broken);
    TelemetrySeries series;
    series.setShape({u"n1"_s}, 1);
    QVERIFY(!series.accepts(broken));
    QVERIFY(series.store(broken, 1).isEmpty());
    QCOMPARE(series.nodes().size(), 1);
}

void TelemetrySeriesTest::memoryIsBounded()
{
    TelemetrySeries series(10);
    for (int i = 0; i < 1000; ++i)
        series.store(tick(u"n1"_s, {0}, i % 100), i * 1000);
    QCOMPARE(series.window({0, 0}, 999999999, 999999999).size(), 10);
    QCOMPARE(series.window({0, 0}, 999000, 999999).first().arrivedMs, qint64(990000));
}

void TelemetrySeriesTest::linesOfOneMomentAreOne()
{
    // a node with 16 GPUs reports a moment in two lines: its history is as long as that of a node with 8
    TelemetrySeries series(5);
    for (int i = 1; i <= 9; ++i) {
        series.store(tick(u"n1"_s, {0, 1}, i, i * 1000), i * 1000 + 10);
        series.store(tick(u"n1"_s, {12, 13}, i + 50, i * 1000), i * 1000 + 20);
    }
    for (const int gpu : {0, 1, 12, 13}) {
        const auto points = series.window({0, gpu}, 99999, 99999);
        QCOMPARE(points.size(), 5);
        QCOMPARE(points.first().takenMs, qint64(5000));
        QCOMPARE(points.last().utilization, gpu < 12 ? 9.0F : 59.0F);
    }
    QVERIFY(series.window({0, 5}, 99999, 99999).isEmpty()); // never reported
    QCOMPARE(series.latestArrival({0, 13}), qint64(9020));
    // without the node's clock, lines that come apart are moments of their own
    TelemetrySeries other(5);
    other.store(tick(u"n1"_s, {0}), 1000);
    other.store(tick(u"n1"_s, {0}), 1000);
    QCOMPARE(other.window({0, 0}, 1000, 10).size(), 2);
}

void TelemetrySeriesTest::oldPointsAreNearlyExact_data()
{
    QTest::addColumn<Measure>("measure");
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("within");
    QTest::newRow("use") << Measure::Utilization << 33.337 << 0.0051;
    QTest::newRow("all") << Measure::Utilization << 100.0 << 0.0;
    QTest::newRow("none") << Measure::Utilization << 0.0 << 0.0;
    QTest::newRow("MI250X die, GiB") << Measure::Memory << 65520.0 / 1024 << 4.1 / 1024;
    QTest::newRow("B300, GiB") << Measure::Memory << 268.6 << 4.1 / 1024;
    QTest::newRow("power") << Measure::Power << 466.27 << 0.101;
    QTest::newRow("power of a module") << Measure::Power << 2700.0 << 0.101;
    QTest::newRow("temperature") << Measure::Temperature << 56.4 << 0.251;
    QTest::newRow("clock") << Measure::Clock << 1699.6 << 0.51;
    QTest::newRow("processes") << Measure::Processes << 17.0 << 0.0;
}

void TelemetrySeriesTest::oldPointsAreNearlyExact()
{
    QFETCH(Measure, measure);
    QFETCH(double, value);
    QFETCH(double, within);
    GpuSample gpu;
    switch (measure) {
    case Measure::Utilization: gpu.utilizationPercent = value; break;
    case Measure::Memory: gpu.memoryUsedBytes = qRound64(value * 1073741824.0); break;
    case Measure::Power: gpu.powerWatts = value; break;
    case Measure::Temperature: gpu.temperatureCelsius = value; break;
    case Measure::Clock: gpu.clockMhz = value; break;
    case Measure::Processes: gpu.processes = int(value); break;
    }
    TelemetrySeries series;
    series.store({u"n1"_s, 5, {gpu}}, 1000);
    const auto point = series.window({0, 0}, 1000, 1).first();
    QVERIFY2(std::abs(double(point.of(measure)) - value) <= within + 1e-6 * value,
        qPrintable(QString::number(double(point.of(measure)))));
    for (const Measure other : {Measure::Utilization, Measure::Memory, Measure::Power, Measure::Temperature,
             Measure::Clock, Measure::Processes})
        QCOMPARE(std::isnan(point.of(other)), other != measure); // unknown stays unknown
    QVERIFY(*series.latest({0, 0}) == gpu); // the newest is as it came
}

void TelemetrySeriesTest::windowIsOldestFirst()
{
    TelemetrySeries series(5);
    for (int i = 1; i <= 8; ++i)
        series.store(tick(u"n1"_s, {0}), i * 1000);
    QList<qint64> times;
    for (const auto& point : series.window({0, 0}, 8000, 3000))
        times.append(point.arrivedMs);
    QCOMPARE(times, QList<qint64>({5000, 6000, 7000, 8000}));
    QVERIFY(series.window({0, 0}, 3000, 1000).isEmpty()); // no longer held
}

void TelemetrySeriesTest::goesStale()
{
    TelemetrySeries series(10, 5000);
    series.store(tick(u"n1"_s, {0}, 42), 1000);
    QVERIFY(!series.isStale({0, 0}, 6000));
    QVERIFY(series.isStale({0, 0}, 6001));
    QCOMPARE(series.latest({0, 0})->utilizationPercent, std::optional<double>(42)); // readable with its age
}

void TelemetrySeriesTest::coverage_data()
{
    QTest::addColumn<QList<qint64>>("arrivals");
    QTest::addColumn<qint64>("from");
    QTest::addColumn<qint64>("to");
    QTest::addColumn<double>("share");
    const auto row = [](const char* name, const QList<qint64>& arrivals, qint64 from, qint64 to, double share) {
        QTest::newRow(name) << arrivals << from << to << share;
    };
    row("every second", {500, 1500, 2500, 3500}, 0, 4000, 1.0);
    row("one gap", {500, 1500, 3500}, 0, 4000, 0.75);
    row("two in one second", {100, 900, 1500}, 0, 4000, 0.5);
    row("only whole seconds count", {500, 1500, 2100}, 0, 2900, 1.0);
    row("counted from the start", {1250, 2250}, 1200, 3200, 1.0);
    row("border belongs to the next", {1000}, 0, 1000, 0.0);
    row("empty span", {500}, 0, 0, 0.0);
    row("backwards", {500}, 1000, 0, 0.0);
}

void TelemetrySeriesTest::coverage()
{
    QFETCH(QList<qint64>, arrivals);
    QFETCH(qint64, from);
    QFETCH(qint64, to);
    QFETCH(double, share);
    TelemetrySeries series;
    for (const qint64 arrival : arrivals)
        series.store(tick(u"n1"_s, {0}), arrival);
    QCOMPARE(series.coverage({0, 0}, from, to), share);
}

void TelemetrySeriesTest::coverageOfAFullRing()
{
    TelemetrySeries series(10);
    for (int i = 0; i < 100; ++i)
        series.store(tick(u"n1"_s, {0}), i * 1000 + 400);
    // seconds 0 to 89 were overwritten: they are not counted as missing
    QCOMPARE(series.coverage({0, 0}, 0, 100000), 1.0);
    QCOMPARE(series.coverage({0, 0}, 0, 110000), 0.5); // ten seconds of silence since
}

void TelemetrySeriesTest::outOfRange()
{
    TelemetrySeries series;
    series.store(tick(u"n1"_s, {0}), 1);
    for (const GpuAddress address : {GpuAddress{-1, 0}, GpuAddress{0, -1}, GpuAddress{1, 0}, GpuAddress{0, 1}}) {
        QVERIFY(!series.latest(address));
        QCOMPARE(series.latestArrival(address), qint64(0));
        QVERIFY(!series.isStale(address, 100000));
        QVERIFY(series.window(address, 100000, 100000).isEmpty());
        QCOMPARE(series.coverage(address, 0, 100000), 0.0);
    }
    QCOMPARE(series.gpusOf(7), 0);
}

void TelemetrySeriesTest::words()
{
    QCOMPARE(toText(Measure::Utilization), u"Utilisation"_s);
    QCOMPARE(unitOf(Measure::Memory), u"GiB"_s);
    GpuSample gpu;
    gpu.memoryUsedBytes = 68702699520; // an MI250X die: 65520 MiB
    QCOMPARE(TelemetrySeries::value(gpu, Measure::Memory), std::optional<double>(65520.0 / 1024));
    QVERIFY(!TelemetrySeries::value(gpu, Measure::Temperature));
}

RANKWRIGHT_TEST_MAIN(TelemetrySeriesTest)
#include "tst_telemetryseries.moc"
