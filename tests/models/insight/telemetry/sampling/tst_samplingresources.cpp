// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/support/samplednode.h"
#include "tests/support/testbase.h"

#include <csignal>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

const QString ownJob = u"8300"_s;

} // namespace

/// What the sampler finds on a node beside the use of its GPUs: network, memory, pressure, errors of the GPUs' memory.
class SamplingResourcesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsTheNetwork_data();
    void readsTheNetwork();
    void readsTheJobsMemory_data();
    void readsTheJobsMemory();
    void memoryOfTheSystemOnGpus_data();
    void memoryOfTheSystemOnGpus();
    void readsTheNodesPressure();
    void countsErrorsOfTheDriver();
    void countsErrorsOfTheTool();
    void countsErrorsBesideTheTool();
    void whatWorksOfAGpu_data();
    void whatWorksOfAGpu();
    void noToolStaysBehind();
    void memoryTrafficOfTheDriver();
};

void SamplingResourcesTest::readsTheNetwork_data()
{
    QTest::addColumn<QString>("kind"); // empty: there is nothing to read
    QTest::addColumn<QStringList>("files"); // "PATH=TEXT"
    QTest::addColumn<QString>("counter"); // grows by 1,000 for each look
    QTest::addColumn<qint64>("bytesEach");
    QTest::addColumn<int>("links");
    QTest::addColumn<qint64>("capacity");
    const QString ib = u"sys/class/infiniband/mlx5_0/ports/1/"_s, cxi = u"sys/class/cxi/cxi0/device/telemetry/"_s,
                  hsn = u"sys/class/net/hsn0/"_s, eth = u"sys/class/net/eth0/"_s;
    const QStringList infiniband{ib + u"state=4: ACTIVE"_s, ib + u"rate=200 Gb/sec (4X HDR)"_s,
        ib + u"counters/port_rcv_data=7"_s, ib + u"counters/port_xmit_data=7"_s,
        u"sys/class/infiniband/mlx5_1/ports/1/state=1: DOWN"_s,
        u"sys/class/infiniband/mlx5_1/ports/1/counters/port_rcv_data=7"_s,
        u"sys/class/infiniband/mlx5_1/ports/1/counters/port_xmit_data=7"_s};
    const QStringList interfaces{hsn + u"speed=200000"_s, hsn + u"operstate=up"_s, hsn + u"device/vendor=x"_s,
        hsn + u"statistics/rx_bytes=7"_s, hsn + u"statistics/tx_bytes=7"_s};
    const QStringList slingshot
        = QStringList{cxi + u"hni_sts_rx_ok_octets=7@1764400000.5"_s, cxi + u"hni_sts_tx_ok_octets=7@1764400000.5"_s}
        + interfaces;
    const QStringList ethernet{eth + u"operstate=up"_s, eth + u"device/vendor=x"_s, eth + u"statistics/rx_bytes=7"_s,
        eth + u"statistics/tx_bytes=7"_s, u"sys/class/net/lo/statistics/rx_bytes=7"_s};
    QTest::newRow("InfiniBand") << u"infiniband"_s << infiniband << ib + u"counters/port_rcv_data"_s << 4LL << 1
                                << 25'000'000'000LL;
    QTest::newRow("Slingshot") << u"slingshot"_s << slingshot << cxi + u"hni_sts_rx_ok_octets"_s << 1LL << 1
                               << 25'000'000'000LL;
    QTest::newRow("its interfaces") << u"slingshot-interfaces"_s << interfaces + ethernet
                                    << hsn + u"statistics/rx_bytes"_s << 1LL << 1 << 25'000'000'000LL;
    QTest::newRow("Ethernet of unknown speed")
        << u"ethernet"_s << ethernet << eth + u"statistics/rx_bytes"_s << 1LL << 1 << -1LL;
    QTest::newRow("cards without counters")
        << QString() << ethernet + QStringList{u"sys/class/infiniband/efa_0/ports/1/state=4: ACTIVE"_s} << QString()
        << 1LL << 0 << -1LL;
}

/// Rates are of what a counter grew by; the first look has none.
void SamplingResourcesTest::readsTheNetwork()
{
    QFETCH(QString, kind);
    QFETCH(QStringList, files);
    QFETCH(QString, counter);
    QFETCH(qint64, bytesEach);
    QFETCH(int, links);
    QFETCH(qint64, capacity);
    const QTemporaryDir root;
    for (const QString& file : std::as_const(files))
        put(root.filePath(file.section(u'=', 0, 0)), file.section(u'=', 1).toUtf8() + '\n');
    SamplerRun run(here(GpuVendor::Amd, ownJob), {{u"RANKWRIGHT_SYSROOT"_s, root.path()}});
    qint64 value = 7;
    QList<NodeResources> seen;
    QVERIFY(run.readUntil([&](const QByteArray& line) {
        if (const auto read = parseResourceLine(line)) {
            seen.append(read->resources);
            value += 1'000'000'000;
            const QByteArray time = counter.contains(u"octets"_s) ? "@1764400001.25" : ""; // Slingshot's have one
            if (!counter.isEmpty())
                put(root.filePath(counter), QByteArray::number(value) + time + '\n');
        }
        return seen.size() == 3;
    }));
    for (const NodeResources& one : std::as_const(seen)) {
        QCOMPARE(one.network ? wordOf(*one.network) : QString(), kind);
        QCOMPARE(one.links, std::optional<int>(links));
        QCOMPARE(one.capacity, capacity < 0 ? std::nullopt : std::optional<qint64>(capacity));
    }
    QVERIFY(!seen.first().received && !seen.first().sent);
    QCOMPARE(seen.last().sent, kind.isEmpty() ? std::nullopt : std::optional<qint64>(0));
    if (kind.isEmpty())
        QVERIFY(!seen.last().received);
    else // a second, more or less
        QVERIFY2(*seen.last().received > bytesEach * 100'000'000 && *seen.last().received < bytesEach * 5'000'000'000,
            qPrintable(QString::number(*seen.last().received)));
}

void SamplingResourcesTest::readsTheJobsMemory_data()
{
    QTest::addColumn<QByteArray>("groups");
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<bool>("isOfJob");
    QTest::addColumn<qint64>("limit");
    const QString v2 = u"sys/fs/cgroup/system.slice/slurmstepd.scope/job_8300/"_s;
    const QString v1 = u"sys/fs/cgroup/memory/slurm/uid_1000/job_8300/"_s;
    QTest::newRow("version 2") << QByteArray("0::/system.slice/slurmstepd.scope/job_8300/step_0/user/task_0\n")
                               << QStringList{v2 + u"memory.max=10000000"_s,
                                      v2 + u"memory.stat=anon 4000000\nfile 5000000\nkernel 9\nshmem 1000000"_s}
                               << true << 10'000'000LL;
    QTest::newRow("without a limit") << QByteArray("0::/system.slice/slurmstepd.scope/job_8300/step_0\n")
                                     << QStringList{v2 + u"memory.max=max"_s,
                                            v2 + u"memory.stat=anon 4000000\nfile 5000000\nshmem 1000000"_s}
                                     << true << -1LL;
    QTest::newRow("version 1")
        << QByteArray("9:cpuset:/slurm/uid_1000/job_8300/step_0\n4:memory:/slurm/uid_1000/job_8300/step_0/task_1\n")
        << QStringList{v1 + u"memory.limit_in_bytes=9223372036854771712"_s,
               v1 + u"memory.stat=cache 1\nrss 1\nshmem 1\ntotal_cache 5000000\ntotal_rss 4000000\ntotal_shmem 1000000"_s}
        << true << -1LL;
    QTest::newRow("another job's") << QByteArray("0::/system.slice/slurmstepd.scope/job_83001/step_0\n")
                                   << QStringList() << false << -1LL;
}

/// The page cache stands apart from what processes hold; without a group of the job the node's memory is told.
void SamplingResourcesTest::readsTheJobsMemory()
{
    QFETCH(QByteArray, groups);
    QFETCH(QStringList, files);
    QFETCH(bool, isOfJob);
    QFETCH(qint64, limit);
    const QTemporaryDir root;
    for (const QString& file : std::as_const(files))
        put(root.filePath(file.section(u'=', 0, 0)), file.section(u'=', 1).toUtf8() + '\n');
    const Member member({{u"SLURM_JOB_ID"_s, ownJob}, {u"RANK"_s, u"0"_s}}, 1);
    put(root.filePath(u"proc/%1/cgroup"_s.arg(member.pid())), groups);
    SamplerRun run(here(GpuVendor::Amd, ownJob), {{u"RANKWRIGHT_SYSROOT"_s, root.path()}});
    std::optional<NodeProcesses> reported;
    RankGatherer gatherer;
    QVERIFY(run.readUntil([&](const QByteArray& line) {
        if (const auto resources = parseResourceLine(line))
            gatherer.add(*resources);
        const auto ranks = parseRankLine(line);
        reported = ranks ? gatherer.add(*ranks) : reported;
        return reported.has_value();
    }));
    QVERIFY(reported->resources); // a line of the same moment
    QVERIFY(reported->hostMemoryTotalBytes > 10'000'000 && reported->hostMemoryAvailableBytes > 0);
    const NodeResources& resources = *reported->resources;
    QVERIFY(resources.memoryOf == (isOfJob ? ResourceScope::Job : ResourceScope::Node));
    QCOMPARE(resources.memoryLimit, limit < 0 ? std::nullopt : std::optional<qint64>(limit));
    QVERIFY(resources.processes >= 1);
    if (isOfJob) {
        QCOMPARE(resources.held(), std::optional<qint64>(5'000'000));
        QCOMPARE(resources.droppable(), std::optional<qint64>(4'000'000));
    } else {
        QVERIFY(resources.anonymous > 1'000'000 && resources.cached >= resources.shared);
    }
}

void SamplingResourcesTest::memoryOfTheSystemOnGpus_data()
{
    QTest::addColumn<QByteArray>("gpu"); // PCI device
    QTest::addColumn<QByteArray>("cpus"); // of the second NUMA node
    QTest::addColumn<QString>("processor"); // as bash names it
    QTest::addColumn<qint64>("kib"); // -1: no memory is shared
    const QString x86 = u"x86_64"_s;
    QTest::newRow("Grace Hopper") << QByteArray() << QByteArray() << u"aarch64"_s << qint64(3'000'500);
    QTest::newRow("MI300A") << QByteArray("0x74a0\n") << QByteArray("24-47") << x86 << qint64(7'000'700);
    QTest::newRow("memory of its own") << QByteArray("0x74a1\n") << QByteArray("24-47") << x86 << qint64(-1);
    QTest::newRow("CXL, HBM of the processors") << QByteArray() << QByteArray() << x86 << qint64(-1);
}

/// Page cache and processes on NUMA nodes that are the memory of GPUs; such nodes without memory are left out.
void SamplingResourcesTest::memoryOfTheSystemOnGpus()
{
    QFETCH(QByteArray, gpu);
    QFETCH(QByteArray, cpus);
    QFETCH(QString, processor);
    QFETCH(qint64, kib);
    const QTemporaryDir root;
    const auto numa = [&root](int number, const QByteArray& list, int total, int files, int anonymous) {
        const QString folder = root.filePath(u"sys/devices/system/node/node%1/"_s.arg(number));
        const QByteArray head = "Node " + QByteArray::number(number) + ' ';
        put(folder + u"cpulist"_s, list + '\n');
        put(folder + u"meminfo"_s,
            head + "MemTotal:       " + QByteArray::number(total) + " kB\n" + head + "MemFree:        7 kB\n" + head
                + "FilePages:      " + QByteArray::number(files) + " kB\n" + head
                + "AnonPages:      " + QByteArray::number(anonymous) + " kB\n");
    };
    numa(0, "0-23", 100'000'000, 4'000'000, 200);
    numa(1, cpus, 99'614'720, 3'000'000, 500);
    numa(2, "", 0, 9, 9);
    if (!gpu.isEmpty())
        put(root.filePath(u"sys/class/drm/card1/device/device"_s), gpu);
    SamplerRun run(here(GpuVendor::Amd, ownJob), {{u"RANKWRIGHT_SYSROOT"_s, root.path()}, {u"HOSTTYPE"_s, processor}});
    std::optional<ResourceLine> seen;
    QVERIFY(run.readUntil([&](const QByteArray& line) {
        seen = parseResourceLine(line);
        return seen.has_value();
    }));
    QCOMPARE(seen->resources.onGpus, kib < 0 ? std::nullopt : std::optional(kib * 1024));
}

void SamplingResourcesTest::readsTheNodesPressure()
{
    const QTemporaryDir root;
    const auto pressure = [&root](qint64 some, qint64 full) {
        put(root.filePath(u"proc/pressure/io"_s),
            "some avg10=1.00 avg60=0.00 avg300=0.00 total=" + QByteArray::number(some)
                + "\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=" + QByteArray::number(full) + '\n');
    };
    pressure(5'000'000, 1'000'000);
    SamplerRun run(here(GpuVendor::Amd, ownJob), {{u"RANKWRIGHT_SYSROOT"_s, root.path()}});
    QList<NodeResources> seen;
    QVERIFY(run.readUntil([&](const QByteArray& line) {
        if (const auto read = parseResourceLine(line)) {
            seen.append(read->resources);
            pressure(5'000'000 + 60'000'000 * seen.size(), 1'000'000); // more than there was time for
        }
        return seen.size() == 2;
    }));
    QVERIFY(!seen.first().someWait && !seen.first().allWait);
    QVERIFY(seen.last().pressureOf == ResourceScope::Node);
    QCOMPARE(seen.last().someWait, std::optional<double>(1));
    QCOMPARE(seen.last().allWait, std::optional<double>(0));
    QCOMPARE(seen.last().waiting, std::optional<int>(0));
}

void SamplingResourcesTest::countsErrorsOfTheDriver()
{
    const MadeUpNode node;
    put(node.drm(2) + u"ras/umc_err_count"_s, "ue: 2\nce: 9\n");
    put(node.drm(2) + u"ras/gfx_err_count"_s, "ue: 1\nce: 0\n");
    put(node.drm(3) + u"ras/aca_umc"_s, "ue: 0\nce: 4\nde: 0\n");
    put(node.drm(4) + u"ras/umc_err_count"_s, "Query RAS failed\n");
    SamplerRun run(here(GpuVendor::Amd, ownJob), {{u"RANKWRIGHT_SYSROOT"_s, node.root()}});
    NodeTick tick;
    QVERIFY(run.readUntil([&](const QByteArray& line) {
        const auto read = parseTickLine(line);
        tick = read ? *read : tick;
        return read.hasValue();
    }));
    QCOMPARE(tick.gpus.size(), 4);
    QCOMPARE(tick.gpus.at(0).memoryErrors, std::optional<qint64>(3)); // of all its parts
    QCOMPARE(tick.gpus.at(1).memoryErrors, std::optional<qint64>(0));
    QVERIFY(!tick.gpus.at(2).memoryErrors && !tick.gpus.at(3).memoryErrors); // unreadable, and not counted
}

/// Asked for now and then, known from then on.
void SamplingResourcesTest::countsErrorsOfTheTool()
{
    SamplerRun run(here(GpuVendor::Nvidia, ownJob));
    QList<NodeTick> ticks;
    QVERIFY(run.readUntil([&](const QByteArray& line) {
        if (const auto read = parseTickLine(line))
            ticks.append(*read);
        return ticks.size() == 3;
    }));
    for (const NodeTick& tick : std::as_const(ticks)) {
        QCOMPARE(tick.gpus.at(0).memoryErrors, std::optional<qint64>(3));
        QVERIFY(!tick.gpus.at(1).memoryErrors);
        QCOMPARE(tick.gpus.at(0).clockMhz, std::optional<double>(1755));
        QVERIFY(tick.gpus.at(0).throttle == Throttles(Throttle::Power));
    }
}

/// rocm-smi reads its counts from the driver's files: so do we, where it shows the GPUs that the files are of.
void SamplingResourcesTest::countsErrorsBesideTheTool()
{
    const MadeUpNode node;
    QFile::remove(node.drm(2) + u"gpu_busy_percent"_s); // no figures without the tool
    put(node.drm(2) + u"ras/umc_err_count"_s, "ue: 2\nce: 9\n");
    for (const bool isAlike : {true, false}) {
        SamplerRun run(here(GpuVendor::Amd, ownJob),
            {{u"RANKWRIGHT_SYSROOT"_s, node.root()}, {u"FAKE_GPUS"_s, isAlike ? u"4"_s : u"8"_s}});
        QMap<int, GpuSample> newest;
        int moments = 0;
        QVERIFY(run.readUntil([&](const QByteArray& line) {
            const auto read = parseTickLine(line);
            for (const GpuSample& gpu : read ? read->gpus : QList<GpuSample>())
                newest.insert(gpu.index, gpu);
            moments += read ? 1 : 0;
            return moments == 3;
        }));
        QCOMPARE(newest.size(), isAlike ? 4 : 8);
        QCOMPARE(newest.value(0).memoryErrors, isAlike ? std::optional<qint64>(2) : std::nullopt);
        QVERIFY(!newest.value(1).memoryErrors); // the driver counts none of it
        QCOMPARE(newest.value(0).activity.memory, std::optional(37.0));
        QVERIFY(!newest.value(0).activity.compute && !newest.value(1).activity.memory);
    }
}

void SamplingResourcesTest::whatWorksOfAGpu_data()
{
    QTest::addColumn<QString>("gpm"); // what nvidia-smi dmon prints; empty: it does not know the option
    QTest::addColumn<QString>("dcgm"); // the host engine; empty: there is none
    QTest::addColumn<QString>("params"); // of the driver
    QTest::addColumn<QString>("first"); // memory, multiprocessors, warps, tensor cores of the first GPU
    QTest::addColumn<QString>("second");
    const QString head
        = u"# gpu     sm    mem  smutil  smocc  mmaact   dram\\n# Idx      %      %   GPM:%  GPM:%   GPM:%  GPM:%\\n"_s;
    const QString hopper = head + u"    0     93     20       -      -       -      -\\n"_s
        + u"    0     93     20      87     43    3.14   12.5\\n    1      0      0       0      -       0    0.4\\n"_s;
    const QString locked = u"RmProfilingAdminOnly: 1\n"_s, open = u"RmProfilingAdminOnly: 0\n"_s;
    QTest::newRow("Hopper") << hopper << u"open"_s << locked << u"13 87 43 3.1"_s << u"0.4 0 ? 0"_s;
    QTest::newRow("what is not a whole row") << hopper
            + u"    1      0      0       0    1     93     20      99     88      77     66\\n    0     93     2"_s
                                             << u"open"_s << locked << u"13 87 43 3.1"_s << u"0.4 0 ? 0"_s;
    QTest::newRow("before Hopper, by DCGM") << QString() << u"open"_s << locked << u"40 57 36 1.1"_s << u"? ? ? ?"_s;
    QTest::newRow("counters that a profiler of the job may need")
        << QString() << u"open"_s << open << u"? ? ? ?"_s << u"? ? ? ?"_s;
    QTest::newRow("counters that somebody has") << QString() << u"locked"_s << locked << u"? ? ? ?"_s << u"? ? ? ?"_s;
    QTest::newRow("no host engine") << QString() << QString() << locked << u"? ? ? ?"_s << u"? ? ? ?"_s;
}

/// Absent tools and counters are unknown, never 0.
void SamplingResourcesTest::whatWorksOfAGpu()
{
    QFETCH(QString, gpm);
    QFETCH(QString, dcgm);
    QFETCH(QString, params);
    const QTemporaryDir root;
    put(root.filePath(u"proc/driver/nvidia/params"_s), "ResmanDebugLevel: 1\n" + params.toUtf8());
    SamplerRun run(here(GpuVendor::Nvidia, ownJob),
        {{u"RANKWRIGHT_SYSROOT"_s, root.path()}, {u"FAKE_GPM"_s, gpm}, {u"FAKE_DCGM"_s, dcgm}});
    QStringList seen{u"? ? ? ?"_s, u"? ? ? ?"_s};
    int ticks = 0;
    QVERIFY(run.readUntil([&](const QByteArray& line) {
        const auto read = parseTickLine(line);
        if (!read)
            return false;
        for (const GpuSample& gpu : read->gpus) {
            const GpuActivity& one = gpu.activity;
            QStringList shares;
            for (const auto& share : {one.memory, one.compute, one.occupancy, one.tensor})
                shares.append(share ? QString::number(*share) : u"?"_s);
            if (!(one == GpuActivity()))
                seen[gpu.index] = shares.join(u' ');
        }
        return ++ticks == 6;
    }));
    QTEST(seen.at(0), "first");
    QTEST(seen.at(1), "second");
}

/// Nor where the shell in front is killed and the tool prints nothing more that would tell it that nobody listens.
void SamplingResourcesTest::noToolStaysBehind()
{
    const QTemporaryDir root;
    const QString file = root.filePath(u"pid"_s);
    SamplerRun run(here(GpuVendor::Nvidia, ownJob),
        {{u"FAKE_GPM"_s, u"# gpu  smutil  smocc  mmaact  dram\\n    0  87  43  3  12\\n"_s},
            {u"FAKE_GPM_PID"_s, file}});
    QVERIFY(run.readUntil([](const QByteArray& line) {
        const auto read = parseTickLine(line);
        return read && read->gpus.value(0).activity.compute;
    }));
    const auto contents = [](const QString& path) {
        QFile opened(path);
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    };
    const auto startedBy = [&contents](const QByteArray& process) {
        const QByteArray stat = contents(u"/proc/%1/stat"_s.arg(QLatin1StringView(process)));
        return stat.mid(stat.lastIndexOf(')') + 2).split(' ').value(1);
    };
    const QByteArray tool = contents(file).trimmed(), front = startedBy(startedBy(tool));
    const auto isRunning = [&] { // one that nobody has waited for has no words
        return !contents(u"/proc/%1/cmdline"_s.arg(QLatin1StringView(tool))).isEmpty();
    };
    QVERIFY(isRunning() && front.toInt() > 1);
    QCOMPARE(::kill(front.toInt(), SIGKILL), 0);
    QVERIFY(run.process().waitForFinished(longWaitMs));
    QTRY_VERIFY(!isRunning());
}

void SamplingResourcesTest::memoryTrafficOfTheDriver()
{
    const MadeUpNode node;
    put(node.drm(2) + u"mem_busy_percent"_s, "37\n");
    put(node.drm(3) + u"mem_busy_percent"_s, "busy\n");
    SamplerRun run(here(GpuVendor::Amd, ownJob), {{u"RANKWRIGHT_SYSROOT"_s, node.root()}});
    NodeTick tick;
    QVERIFY(run.readUntil([&](const QByteArray& line) {
        const auto read = parseTickLine(line);
        tick = read ? *read : tick;
        return read.hasValue();
    }));
    QCOMPARE(tick.gpus.at(0).activity.memory, std::optional(37.0));
    QVERIFY(tick.gpus.at(1).activity == GpuActivity() && tick.gpus.at(2).activity == GpuActivity());
}

RANKWRIGHT_TEST_MAIN(SamplingResourcesTest)
#include "tst_samplingresources.moc"
