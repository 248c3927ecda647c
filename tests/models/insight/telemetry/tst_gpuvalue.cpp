// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/gpuvalue.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 start = 1'772'460'000'000;

/// Two dies of a package, power on `powerDie`; use counts the seconds.
NodeTick tickAt(int second, int powerDie = 0)
{
    NodeTick tick{u"n1"_s, start + second * 1000, {}};
    for (int gpu = 0; gpu < 2; ++gpu) {
        GpuSample sample;
        sample.index = gpu;
        sample.utilizationPercent = second;
        sample.memoryUsedBytes = qint64(gpu + 1) << 30;
        if (gpu == powerDie)
            sample.powerWatts = 200 + second;
        tick.gpus.append(sample);
    }
    return tick;
}

TelemetrySeries tenSeconds(int powerDie = 0)
{
    TelemetrySeries series;
    series.setShape({u"n1"_s, u"n2"_s}, 2);
    for (int second = 1; second <= 10; ++second)
        series.store(tickAt(second, powerDie), start + second * 1000);
    return series;
}

} // namespace

/// One value of a GPU at a moment: which sample, how old, how made.
class GpuValueTest final : public test::Suite {
    Q_OBJECT
private slots:
    void newestSampleWithItsAge();
    void momentsBeforeTheNewest();
    void neverAndNotReported();
    void powerBelongsToBothDies();
    void meansSayOfWhat();
    void nodesAreMeansOfFreshGpus();
};

void GpuValueTest::newestSampleWithItsAge()
{
    const TelemetrySeries series = tenSeconds();
    const GpuValue value = valueAt(series, {0, 0}, Measure::Utilization, start + 12'000);
    QCOMPARE(value.value, std::optional(10.0));
    QCOMPARE(value.takenMs, start + 10'000);
    QCOMPARE(value.ageMs, 2000);
    QVERIFY(!value.stale);
    QVERIFY(!value.isMean());
    QVERIFY(howMade(value).isEmpty());
    QVERIFY(!valueAt(series, {0, 0}, Measure::Utilization, start + 15'000).stale);
    QVERIFY(valueAt(series, {0, 0}, Measure::Utilization, start + 15'001).stale);
    QCOMPARE(valueAt(series, {0, 1}, Measure::Memory, start + 12'000).value, std::optional(2.0)); // GiB
}

void GpuValueTest::momentsBeforeTheNewest()
{
    const TelemetrySeries series = tenSeconds();
    for (int second = 1; second <= 10; ++second) {
        const GpuValue value = valueAt(series, {0, 0}, Measure::Utilization, start + second * 1000 + 400);
        QCOMPARE(value.value, std::optional(double(second)));
        QCOMPARE(value.ageMs, 400);
    }
    QVERIFY(!valueAt(series, {0, 0}, Measure::Utilization, start + 999).hasSample());
}

void GpuValueTest::neverAndNotReported()
{
    const TelemetrySeries series = tenSeconds();
    QVERIFY(!valueAt(series, {1, 0}, Measure::Utilization, start + 12'000).hasSample());
    QVERIFY(!valueAt(series, {7, 7}, Measure::Utilization, start + 12'000).hasSample());
    const GpuValue clock = valueAt(series, {0, 0}, Measure::Clock, start + 12'000);
    QVERIFY(clock.hasSample() && !clock.value); // reported, but not this: never 0
}

void GpuValueTest::powerBelongsToBothDies()
{
    for (const int die : {0, 1}) {
        const TelemetrySeries series = tenSeconds(die);
        for (const int gpu : {0, 1})
            QCOMPARE(valueAt(series, {0, gpu}, Measure::Power, start + 10'000, 2).value, std::optional(210.0));
        QVERIFY(!valueAt(series, {0, 1 - die}, Measure::Power, start + 10'000, 1).value); // of a GPU of its own
    }
}

void GpuValueTest::meansSayOfWhat()
{
    const TelemetrySeries series = tenSeconds();
    const GpuValue mean = meanUntil(series, {0, 0}, Measure::Utilization, start + 10'000, 4000);
    QVERIFY(mean.value && std::abs(*mean.value - 8) < 0.01); // of 6, 7, 8, 9 and 10
    QVERIFY(mean.isMean());
    QCOMPARE(howMade(mean), u"mean of 4 s"_s);
    QVERIFY(!meanUntil(series, {0, 0}, Measure::Utilization, start + 60'000, 4000).value);
}

void GpuValueTest::nodesAreMeansOfFreshGpus()
{
    TelemetrySeries series = tenSeconds();
    NodeTick first = tickAt(20);
    first.gpus.removeLast();
    series.store(first, start + 20'000);
    const GpuValue use = nodeValueAt(series, 0, Measure::Utilization, start + 20'000, 2);
    QCOMPARE(use.value, std::optional(20.0)); // the other die fell silent at 10 s
    QVERIFY(!use.isMean());
    const GpuValue before = nodeValueAt(series, 0, Measure::Memory, start + 10'000, 2);
    QVERIFY(before.value && std::abs(*before.value - 1.5) < 0.01);
    QCOMPARE(howMade(before, u"GCD"_s), u"mean of 2 GCDs"_s);
    const GpuValue power = nodeValueAt(series, 0, Measure::Power, start + 10'000, 2);
    QVERIFY(power.value && std::abs(*power.value - 210) < 0.2); // of the package, once
    QVERIFY(!power.isMean());
}

RANKWRIGHT_TEST_MAIN(GpuValueTest)
#include "tst_gpuvalue.moc"
