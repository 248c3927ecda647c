// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/alertwatch.h"
#include "models/insight/alerts/gpuwindow.h"
#include "models/insight/alerts/ranktracker.h"
#include "tests/models/support/jobstream.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;
using Planted = JobPlan::Fault;

namespace {

constexpr qint64 firstMs = 1'772'460'000'000;
constexpr qint64 gibBytes = 1LL << 30;

NodeTick workingTick(qint64 ms, const std::optional<qint64>& errors)
{
    NodeTick tick{u"n03"_s, ms, {}};
    for (int index = 0; index < 4; ++index) {
        GpuSample gpu;
        gpu.index = index;
        gpu.utilizationPercent = 98;
        gpu.powerWatts = 350;
        gpu.powerCapWatts = 400;
        gpu.memoryUsedBytes = 30 * gibBytes;
        gpu.memoryTotalBytes = 40 * gibBytes;
        gpu.memoryErrors = index == 2 ? errors : std::optional<qint64>(4); // four from before
        tick.gpus.append(gpu);
    }
    return tick;
}

NodeProcesses processesAt(qint64 ms, const NodeResources& resources)
{
    NodeProcesses reported{u"n03"_s, ms, {}, 32, 512 * gibBytes, 300 * gibBytes};
    for (int rank = 0; rank < 4; ++rank)
        reported.ranks.append({1000 + rank, rank, rank, 4, {}, u"%1-%2"_s.arg(8 * rank).arg(8 * rank + 7), 99.0,
            gibBytes, 'R', rank, 30 * gibBytes});
    reported.resources = resources;
    return reported;
}

const Alert* alertOf(const QList<Alert>& alerts, AlertKind kind)
{
    const auto found = std::find_if(alerts.begin(), alerts.end(), [kind](const Alert& one) { return one.isOf(kind); });
    return found == alerts.end() ? nullptr : &*found;
}

/// The last text of an alert of that name; empty: it was never reported.
QString seenOf(const JobPlan& plan, const QString& kind)
{
    for (const Reported& one : watchJob(plan)) {
        if (one.kind == kind)
            return one.alert.seen;
    }
    return {};
}

} // namespace

/// Network, file systems, memory and errors of the GPUs, as alerts and as evidence beside others.
class ResourceAlertsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void onlyARiseOfErrorsCounts();
    void errorsAfterADriverWasLoadedAgain();
    void aFullPageCacheIsNoShortage();
    void theJobsMemoryIsUsedUp();
    void looksAreSummedUp();
    void filesExplainALateRank();
    void linksOfRanksThatWait();
    void busyFilesOfAHealthyJob();
    void memoryOfNobodysProcess_data();
    void memoryOfNobodysProcess();
    void pageCacheOnAGpu_data();
    void pageCacheOnAGpu();
    void manyGpusWithMemoryOfOthers();
    void kernelsThatDoNotFillAGpu_data();
    void kernelsThatDoNotFillAGpu();
};

void ResourceAlertsTest::onlyARiseOfErrorsCounts()
{
    AlertWatch watch;
    for (int second = 1; second <= 120; ++second) {
        const qint64 now = firstMs + second * 1000;
        // a standing count; the tool says nothing for a while; two more
        const std::optional<qint64> errors
            = second > 30 && second < 40 ? std::nullopt : std::optional<qint64>(second < 60 ? 17 : 19);
        watch.feed(workingTick(now, errors), now);
        const QList<Alert> alerts = watch.alerts(now);
        const Alert* alert = alertOf(alerts, AlertKind::MemoryErrors);
        QCOMPARE(alert != nullptr, second >= 60);
        if (!alert)
            continue;
        QCOMPARE(alerts.size(), 1);
        QCOMPARE(alert->title, u"The memory of GPU 2 of n03 has errors that could not be corrected"_s);
        QVERIFY2(alert->seen.startsWith(u"GPU 2 of n03: 2 new errors"_s), qPrintable(alert->seen));
        QVERIFY2(alert->advice.contains(u"--exclude=n03"_s), qPrintable(alert->advice));
        QCOMPARE(alert->sinceMs, std::optional<qint64>(firstMs + 60'000));
        QCOMPARE(alert->gpus, (QList<GpuAddress>{{0, 2}}));
    }
}

void ResourceAlertsTest::errorsAfterADriverWasLoadedAgain()
{
    GpuWindow window;
    const auto add = [&window](const std::optional<qint64>& errors, qint64 ms) {
        GpuSample sample;
        sample.memoryErrors = errors;
        window.addSample(sample, ms);
        return window.newErrors();
    };
    QCOMPARE(add({}, 1000), 0);
    QCOMPARE(add(9, 2000), 0);
    QCOMPARE(add(10, 3000), 1);
    QCOMPARE(add(0, 4000), 1);
    QCOMPARE(add({}, 5000), 1);
    QCOMPARE(add(2, 6000), 3);
    QCOMPARE(window.errorsRoseMs(), 3000);
}

void ResourceAlertsTest::aFullPageCacheIsNoShortage()
{
    NodeResources resources;
    resources.memoryOf = ResourceScope::Job;
    resources.memoryLimit = 120 * gibBytes;
    resources.anonymous = 50 * gibBytes;
    resources.shared = 2 * gibBytes;
    resources.cached = 70 * gibBytes; // 2 of it are shared memory: the limit is reached
    AlertWatch watch;
    for (int second = 1; second <= 60; ++second) {
        const qint64 now = firstMs + second * 1000;
        watch.feed(workingTick(now, {}), now);
        watch.feed(processesAt(now, resources), now);
        QVERIFY2(watch.alerts(now).isEmpty(), qPrintable(watch.alerts(now).value(0).title));
    }
}

void ResourceAlertsTest::theJobsMemoryIsUsedUp()
{
    NodeResources resources;
    resources.memoryOf = ResourceScope::Job;
    resources.memoryLimit = 120 * gibBytes;
    resources.anonymous = 100 * gibBytes;
    resources.shared = 19 * gibBytes; // cannot be dropped either
    resources.cached = 20 * gibBytes;
    AlertWatch watch;
    for (int second = 1; second <= 40; ++second) {
        const qint64 now = firstMs + second * 1000;
        watch.feed(workingTick(now, {}), now);
        watch.feed(processesAt(now, resources), now);
    }
    const QList<Alert> alerts = watch.alerts(firstMs + 40'000);
    const Alert* alert = alertOf(alerts, AlertKind::HostMemory);
    QVERIFY(alert);
    QCOMPARE(alert->title, u"The job's memory on n03 is nearly used up"_s);
    QCOMPARE(QString(alert->seen).replace(u'\u2009', u' '),
        u"119 GiB of the 120 GiB that the job may use are held by its processes; 1 GiB of page cache are not counted, the kernel gives them back."_s);
}

void ResourceAlertsTest::looksAreSummedUp()
{
    RankTracker tracker;
    for (int look = 0; look < 40; ++look) {
        NodeResources resources;
        resources.waiting = look % 2;
        resources.someWait = 0.5;
        tracker.addProcesses(processesAt(firstMs + look * 3000, resources), 0, firstMs + look * 3000);
    }
    const ResourceMean mean = tracker.node(0)->newestResources(5, firstMs);
    QCOMPARE(mean.looks, 5);
    QCOMPARE(mean.waitingLooks, 3); // 39, 37, 35
    QCOMPARE(mean.someWait, std::optional<double>(0.5));
    QVERIFY(!mean.linkShare);
    QCOMPARE(tracker.node(0)->newestResources(99, firstMs).looks, 16); // what is kept
    QCOMPARE(tracker.node(0)->newestResources(5, firstMs + 38 * 3000).looks, 2);
    QCOMPARE(tracker.node(0)->newestResources(5, firstMs + 200'000).looks, 0);
}

void ResourceAlertsTest::filesExplainALateRank()
{
    JobPlan plan{.fault = Planted::HungryRank, .gpus = 4, .mi250 = false};
    QVERIFY(!seenOf(plan, u"straggler"_s).contains(u"waited for files"_s));
    plan.waitsForFiles = true;
    plan.pressureOf = ResourceScope::Node; // of other jobs, perhaps: not told
    const QString without = seenOf(plan, u"straggler"_s);
    QVERIFY2(without.contains(u" looks (cl_sync_io_wait)."_s), qPrintable(without));
    plan.pressureOf = ResourceScope::Job;
    const QString seen = seenOf(plan, u"straggler"_s);
    QVERIFY2(
        seen.contains(u"its processes waited for files in "_s) && seen.contains(u"of the time (cl_sync_io_wait)."_s),
        qPrintable(seen));
}

void ResourceAlertsTest::linksOfRanksThatWait()
{
    JobPlan plan{.fault = Planted::Collective, .linkShare = 0.85};
    const QString busy = seenOf(plan, u"waiting_collective"_s);
    QVERIFY2(busy.contains(u"The links of 2 nodes carry"_s) && busy.endsWith(u"the network is the limit."_s),
        qPrintable(busy));
    plan.linkShare = 0.01;
    const QString idle = seenOf(plan, u"waiting_collective"_s);
    QVERIFY2(idle.endsWith(u"it is not for want of network capacity."_s), qPrintable(idle));
    plan.reportsResources = false;
    QVERIFY(!seenOf(plan, u"waiting_collective"_s).contains(u"links"_s));
    // a hang in which all spin: no data moves
    const QString hang = seenOf({.fault = Planted::HangAll, .linkShare = 0.001}, u"hang"_s);
    QVERIFY2(hang.contains(u"low power. The links of 2 nodes carry 0.1"_s), qPrintable(hang));
    QVERIFY(!seenOf({.fault = Planted::HangAll, .linkShare = 0.3}, u"hang"_s).contains(u"links"_s));
}

/// Loaders that read all the time while the GPUs are at work.
void ResourceAlertsTest::busyFilesOfAHealthyJob()
{
    for (const Reported& one : watchJob({.waitsForFiles = true}))
        QVERIFY2(one.level < Alert::Level::Warning, qPrintable(one.alert.title));
}

void ResourceAlertsTest::memoryOfNobodysProcess_data()
{
    QTest::addColumn<int>("gib"); // on the third GPU
    QTest::addColumn<int>("others"); // processes on each of the others; -1: not reported
    QTest::addColumn<int>("given"); // GPUs of a node that the job got; 0: not known
    QTest::addColumn<bool>("told");
    QTest::newRow("another's") << 30 << 1 << 0 << true;
    QTest::newRow("another's on a node of the job") << 30 << 1 << 4 << true;
    QTest::newRow("another's GPU, which nothing hides") << 30 << 1 << 1 << false;
    QTest::newRow("what a driver keeps") << 1 << 1 << 0 << false;
    QTest::newRow("no process is seen at all") << 30 << 0 << 0 << false;
    QTest::newRow("not reported") << 30 << -1 << 0 << false;
}

void ResourceAlertsTest::memoryOfNobodysProcess()
{
    QFETCH(int, gib);
    QFETCH(int, others);
    QFETCH(int, given);
    QFETCH(bool, told);
    AlertWatch watch;
    JobExpectation expectation;
    expectation.nodes = QStringList{u"n03"_s};
    expectation.gpusPerNode = given;
    watch.expect(expectation);
    for (int second = 1; second <= 50; ++second) {
        const qint64 now = firstMs + second * 1000;
        NodeTick tick = workingTick(now, {});
        for (GpuSample& gpu : tick.gpus)
            gpu.processes = others < 0 ? std::nullopt : std::optional(gpu.index == 2 ? 0 : others);
        tick.gpus[2].memoryUsedBytes = gib * gibBytes;
        watch.feed(tick, now);
    }
    const QList<Alert> alerts = watch.alerts(firstMs + 50'000);
    const Alert* alert = alertOf(alerts, AlertKind::ForeignMemory);
    QCOMPARE(alert != nullptr, told);
    if (told) {
        QCOMPARE(QString(alert->title).replace(u'\u2009', u' '),
            u"30 GiB of GPU 2 of n03 are held by no process of this job"_s);
        QVERIFY(alert->seen.contains(u"no process of this job"_s) && alert->advice.contains(u"--exclude=n03"_s));
    }
}

void ResourceAlertsTest::pageCacheOnAGpu_data()
{
    QTest::addColumn<int>("gib"); // of the third GPU in use
    QTest::addColumn<int>("onGpus"); // GiB of page cache and processes; -1: the memory is the GPU's own
    QTest::addColumn<bool>("told");
    QTest::newRow("a job read files") << 30 << 40 << false;
    QTest::newRow("as much as there is") << 30 << 27 << false;
    QTest::newRow("more than files explain") << 30 << 20 << true;
    QTest::newRow("memory of its own") << 30 << -1 << true;
}

/// On Grace Hopper and MI300A page cache lies in the memory of GPUs: nobody is to blame for it.
void ResourceAlertsTest::pageCacheOnAGpu()
{
    QFETCH(int, gib);
    QFETCH(int, onGpus);
    QFETCH(bool, told);
    AlertWatch watch;
    NodeResources resources;
    if (onGpus >= 0)
        resources.onGpus = onGpus * gibBytes;
    for (int second = 1; second <= 50; ++second) {
        const qint64 now = firstMs + second * 1000;
        NodeTick tick = workingTick(now, {});
        for (GpuSample& gpu : tick.gpus)
            gpu.processes = gpu.index == 2 ? 0 : 1;
        tick.gpus[2].memoryUsedBytes = gib * gibBytes;
        watch.feed(tick, now);
        watch.feed(processesAt(now, resources), now);
    }
    const QList<Alert> alerts = watch.alerts(firstMs + 50'000);
    QCOMPARE(alertOf(alerts, AlertKind::ForeignMemory) != nullptr, told);
}

void ResourceAlertsTest::kernelsThatDoNotFillAGpu_data()
{
    QTest::addColumn<double>("compute"); // % of the multiprocessors; below 0: not reported
    QTest::addColumn<double>("watts"); // of 400
    QTest::addColumn<double>("use");
    QTest::addColumn<bool>("told");
    QTest::newRow("small kernels") << 21.0 << 200.0 << 98.0 << true;
    QTest::newRow("filled") << 60.0 << 350.0 << 98.0 << false;
    QTest::newRow("waits for others") << 12.0 << 110.0 << 100.0 << false;
    QTest::newRow("hardly used") << 21.0 << 200.0 << 60.0 << false;
    QTest::newRow("not reported") << -1.0 << 200.0 << 98.0 << false;
}

void ResourceAlertsTest::kernelsThatDoNotFillAGpu()
{
    QFETCH(double, compute);
    QFETCH(double, watts);
    QFETCH(double, use);
    QFETCH(bool, told);
    AlertWatch watch;
    for (int second = 1; second <= 150; ++second) {
        const qint64 now = firstMs + second * 1000;
        NodeTick tick = workingTick(now, {});
        for (GpuSample& gpu : tick.gpus) {
            gpu.utilizationPercent = use;
            gpu.powerWatts = watts;
            if (compute >= 0)
                gpu.activity = {12.0, compute, {}, gpu.index > 0 ? std::optional(3.0) : std::nullopt};
        }
        watch.feed(tick, now);
    }
    const QList<Alert> alerts = watch.alerts(firstMs + 150'000);
    const Alert* alert = alertOf(alerts, AlertKind::SmallKernels);
    QCOMPARE(alert != nullptr, told);
    if (!told)
        return;
    QVERIFY(alert->level == Alert::Level::Hint);
    QCOMPARE(QString(alert->title).replace(u'\u2009', u' '),
        u"4 GPUs in use for 98 % of the time, but only 21 % of their multiprocessors have work"_s);
    QVERIFY2(QString(alert->seen).replace(u'\u2009', u' ').contains(u"tensor cores 3 %, memory 12 %"_s),
        qPrintable(alert->seen));
}

/// All of them are counted, also where the map marks fewer.
void ResourceAlertsTest::manyGpusWithMemoryOfOthers()
{
    AlertWatch watch;
    for (int second = 1; second <= 50; ++second) {
        const qint64 now = firstMs + second * 1000;
        NodeTick tick = workingTick(now, {});
        for (int index = int(tick.gpus.size()); index < 80; ++index) {
            tick.gpus.append(tick.gpus.first());
            tick.gpus.last().index = index;
        }
        for (GpuSample& gpu : tick.gpus)
            gpu.processes = gpu.index < 10 ? 1 : 0;
        watch.feed(tick, now);
    }
    const QList<Alert> alerts = watch.alerts(firstMs + 50'000);
    const Alert* alert = alertOf(alerts, AlertKind::ForeignMemory);
    QVERIFY(alert != nullptr);
    QVERIFY2(alert->title.contains(u"70 GPUs"_s), qPrintable(alert->title));
}

RANKWRIGHT_TEST_MAIN(ResourceAlertsTest)
#include "tst_resourcealerts.moc"
