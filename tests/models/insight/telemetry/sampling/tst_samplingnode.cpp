// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/support/samplednode.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;
using namespace rankwright::test;

namespace {

/// The last of `moments` reports of the ranks, by rank.
QMap<int, RankSample> ranksOf(SamplerRun& run, int moments)
{
    QMap<int, RankSample> ranks;
    RankGatherer gatherer;
    run.readUntil([&](const QByteArray& line) {
        const auto read = parseRankLine(line);
        const auto reported = read ? gatherer.add(*read) : std::nullopt;
        if (!reported || --moments > 0)
            return false;
        for (const RankSample& rank : reported->ranks)
            ranks.insert(rank.rank.value_or(-1), rank);
        return true;
    });
    return ranks;
}

} // namespace

/// What the sampler finds on a node: GPUs by amdgpu's files, and the job's ranks in /proc.
class SamplingNodeTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsTheDriversFiles();
    void heatSlowsAGpuDown();
    void leavesOddCardsToTheTool();
    void ranksOfTorchrun();
    void ranksOfSteps();
    void ranksByControlGroup_data();
    void ranksByControlGroup();
    void agentsAreNoRanks();
    void whatStartsRanksIsCounted();
    void manyRanksTakeManyLines();
    void processesPerGpu_data();
    void processesPerGpu();
    void reportsItsCost();
};

void SamplingNodeTest::readsTheDriversFiles()
{
    const MadeUpNode node;
    Environment rank{{u"SLURM_JOB_ID"_s, u"7300"_s}, {u"RANK"_s, u"4"_s}, {u"LOCAL_RANK"_s, u"0"_s}};
    const Member member(rank, 40);
    const Member foreign({{u"SLURM_JOB_ID"_s, u"7301"_s}, {u"RANK"_s, u"0"_s}}, 40);
    node.holds(member.pid(), 12, 49'000'000'000);
    node.holds(member.pid(), 11, 400'000); // what the runtime takes on every GPU
    node.holds(foreign.pid(), 13, 9'000'000'000);
    SamplerRun run(here(GpuVendor::Amd, u"7300"_s), {{u"RANKWRIGHT_SYSROOT"_s, node.root()}});
    NodeTick tick;
    QVERIFY(run.readUntil([&](const QByteArray& line) {
        const auto read = parseTickLine(line);
        tick = read ? *read : tick;
        return read && read->gpus.first().processes.has_value();
    }));
    QCOMPARE(tick.gpus.size(), 0 + 4); // not the display, not the other job's
    // in the order of their addresses: cards 2, 3, 4, 1
    const QList<GpuSample> expected{
        {0, {}, 88, 50'000'000'000, 68702699520, 466.2, 500, 57, 1700, {}, 1, false},
        {1, {}, 0, 11'000'000, 68702699520, {}, {}, 41, 1700, {}, 0, true},
        {2, {}, {}, 12'000'000, 68702699520, 301.5, 500, 40, 1700, {}, 0, false},
        {3, {}, 97, 60'000'000'000, 68702699520, {}, {}, 56, 1700, {}, 0, true},
    };
    for (qsizetype i = 0; i < expected.size(); ++i)
        QVERIFY2(tick.gpus.at(i) == expected.at(i), qPrintable(QString::number(i)));
    const auto ranks = ranksOf(run, 1);
    QCOMPARE(ranks.size(), 1);
    QCOMPARE(ranks.first().pid, member.pid());
    QCOMPARE(ranks.first().gpu, std::optional<int>(0));
    QCOMPARE(ranks.first().gpuMemoryBytes, std::optional<qint64>(49'000'000'000));
}

/// The driver names the temperature at which it slows a GPU down; junction and memory count as the edge does.
void SamplingNodeTest::heatSlowsAGpuDown()
{
    const MadeUpNode node;
    const auto sensors
        = [&node](int number, const QByteArray& edge, const QByteArray& junction, const QByteArray& memory) {
              const QString hwmon = node.drm(number) + u"hwmon/hwmon%1/temp"_s.arg(number + 3);
              put(hwmon + u"1_input"_s, edge + '\n');
              put(hwmon + u"2_input"_s, junction + '\n');
              put(hwmon + u"3_input"_s, memory + '\n');
              put(hwmon + u"2_crit"_s, "105000\n");
              put(hwmon + u"3_crit"_s, "94000\n");
          };
    sensors(2, "91000", "105000", "80000"); // junction at its limit
    sensors(3, "91000", "104000", "93000"); // hot, and nothing is at its limit
    sensors(4, "75000", "90000", "94500"); // memory beyond it
    SamplerRun run(here(GpuVendor::Amd, u"7300"_s), {{u"RANKWRIGHT_SYSROOT"_s, node.root()}}); // card 1 names no limits
    NodeTick tick;
    QVERIFY(run.readUntil([&](const QByteArray& line) {
        const auto read = parseTickLine(line);
        tick = read ? *read : tick;
        return read.hasValue();
    }));
    QCOMPARE(tick.gpus.size(), 4);
    QVERIFY(tick.gpus.at(0).throttle == Throttles(Throttle::Thermal));
    QVERIFY(!tick.gpus.at(1).throttle); // other reasons are not known
    QVERIFY(tick.gpus.at(2).throttle == Throttles(Throttle::Thermal));
    QVERIFY(!tick.gpus.at(3).throttle);
}

void SamplingNodeTest::leavesOddCardsToTheTool()
{
    const MadeUpNode node; // one GPU in partitions: more GPUs for the runtime than cards with figures
    put(node.path(u"/sys/class/kfd/kfd/topology/nodes/9/gpu_id"_s), "99\n");
    put(node.path(u"/sys/class/kfd/kfd/topology/nodes/9/properties"_s), "location_id 1\ndrm_render_minor 140\n");
    put(node.path(u"/dev/dri/renderD140"_s), "");
    SamplerRun run(here(GpuVendor::Amd, u"7300"_s), {{u"RANKWRIGHT_SYSROOT"_s, node.root()}});
    int gpus = 0;
    QVERIFY(run.readUntil([&](const QByteArray& line) {
        const auto read = parseTickLine(line);
        gpus = read ? gpus + int(read->gpus.size()) : gpus;
        return gpus >= 14; // the stub for rocm-smi has that many
    }));
}

void SamplingNodeTest::ranksOfTorchrun()
{
    // The agent was given a RANK of its own by its script; rank 3 is behind a wrapper and has a data loader, which
    // inherits everything.
    QTemporaryDir folder;
    const auto script = [&folder](const QString& name, const QByteArray& text) -> QString {
        put(folder.filePath(name), text);
        return u"bash "_s + folder.filePath(name);
    };
    const QString loader = script(u"loader"_s,
        "printf -v y '%*s' 20000000 ''\nwhile read -r -t 0.02 x <&3; [ $? -gt 128 ]; do for ((i = 0; i < 4000; ++i)); "
        "do :; "
        "done; done\n");
    const QString plain = script(u"rank"_s, "printf -v x '%*s' 60000000 ''\nread -r x <&3\n");
    const QString loading
        = script(u"loading"_s, "printf -v x '%*s' 60000000 ''\n" + loader.toUtf8() + " &\nread -r x <&3\nwait\n");
    const QString wrapper = script(u"wrapper"_s, loading.toUtf8() + " & wait\n");
    const Member agent({{u"SLURM_JOB_ID"_s, u"7300"_s}, {u"RANK"_s, u"1"_s}}, 30,
        u"exec 3<&0; export TORCHELASTIC_RUN_ID=7 WORLD_SIZE=4 ROCR_VISIBLE_DEVICES='0;1'; RANK=2 LOCAL_RANK=0 %1 & "
        "RANK=3 LOCAL_RANK=1 %2 & sleep 1.5;"_s.arg(plain, wrapper));
    const Member foreign({{u"SLURM_JOB_ID"_s, u"7301"_s}, {u"RANK"_s, u"0"_s}}, 40);
    SamplerRun run(here(GpuVendor::Amd, u"7300"_s));
    const auto ranks = ranksOf(run, 3);
    QCOMPARE(ranks.keys(), QList<int>({2, 3}));
    QCOMPARE(ranks.value(2).localRank, std::optional<int>(0));
    QCOMPARE(ranks.value(3).worldSize, std::optional<int>(4));
    QCOMPARE(ranks.value(2).visibleDevices, u"0,1"_s);
    QVERIFY(ranks.value(2).residentBytes.value_or(0) > 55'000'000);
    QVERIFY(ranks.value(3).residentBytes.value_or(0) > 55'000'000); // neither the wrapper nor the loader
    QVERIFY(!ranks.value(3).cpus.isEmpty());
    QVERIFY(ranks.value(3).cpuPercent > 1.0); // its loader's work is its own
    QVERIFY(ranks.value(2).cpuPercent < 1.0);
    QCOMPARE(ranks.value(2).state, 'S');
}

void SamplingNodeTest::ranksByControlGroup_data()
{
    QTest::addColumn<QString>("ours");
    QTest::addColumn<QString>("foreign");
    QTest::newRow("by number") << u"job_7300"_s << u"job_7301"_s;
    QTest::newRow("by SLUID, 26.05") << u"sEKNKTV3WPV500"_s << u"sEKNKTV3WPV501"_s;
}

/// A container may start its program with an empty environment: the control group says whose it is.
void SamplingNodeTest::ranksByControlGroup()
{
    QFETCH(QString, ours);
    QFETCH(QString, foreign);
    const QTemporaryDir root;
    const auto group = [&root](const Member& member, const QString& job) {
        put(root.filePath(u"proc/%1/cgroup"_s.arg(member.pid())),
            "0::/system.slice/slurmstepd.scope/" + job.toUtf8() + "/step_0/user/task_0\n");
    };
    const Member named({{u"SLURM_JOB_ID"_s, u"7300"_s}, {u"RANK"_s, u"0"_s}, {u"LOCAL_RANK"_s, u"0"_s}}, 40);
    const Member clean({{u"RANK"_s, u"1"_s}, {u"LOCAL_RANK"_s, u"1"_s}}, 40);
    const Member others({{u"RANK"_s, u"5"_s}, {u"LOCAL_RANK"_s, u"5"_s}}, 40);
    group(named, ours);
    group(clean, ours);
    group(others, foreign);
    SamplerRun run(here(GpuVendor::Amd, u"7300"_s), {{u"RANKWRIGHT_SYSROOT"_s, root.path()}});
    const auto ranks = ranksOf(run, 2);
    QCOMPARE(ranks.keys(), QList<int>({0, 1}));
    QCOMPARE(ranks.value(1).pid, clean.pid());
}

void SamplingNodeTest::ranksOfSteps()
{
    // srun python train.py: nobody sets RANK; the user's own monitoring step is too small to be a rank
    const auto task = [](int number, int step) {
        return Environment{{u"SLURM_JOB_ID"_s, u"7300"_s}, {u"SLURM_STEP_ID"_s, QString::number(step)},
            {u"SLURM_PROCID"_s, QString::number(number)}, {u"SLURM_LOCALID"_s, QString::number(number)},
            {u"SLURM_STEP_NUM_TASKS"_s, u"2"_s}};
    };
    const Member first(task(0, 0), 50), second(task(1, 0), 50), small(task(0, 1), 1);
    const Member batch({{u"SLURM_JOB_ID"_s, u"7300"_s}, {u"SLURM_PROCID"_s, u"0"_s}}, 50); // the script, no step
    SamplerRun run(here(GpuVendor::Amd, u"7300"_s));
    const auto ranks = ranksOf(run, 1);
    QCOMPARE(ranks.keys(), QList<int>({0, 1}));
    QCOMPARE(ranks.value(0).pid, first.pid());
    QCOMPARE(ranks.value(1).pid, second.pid());
    QCOMPARE(ranks.value(1).localRank, std::optional<int>(1));
    QCOMPARE(ranks.value(1).worldSize, std::optional<int>(2));
    QVERIFY(ranks.value(0).isByTask && ranks.value(1).isByTask); // they may yet start ranks
}

/// N3: agents that still import have a task's number as ranks of srun have; they, and the shells around them, are none.
void SamplingNodeTest::agentsAreNoRanks()
{
    const auto task = [](int number) {
        return Environment{{u"SLURM_JOB_ID"_s, u"7300"_s}, {u"SLURM_STEP_ID"_s, u"0"_s},
            {u"SLURM_PROCID"_s, QString::number(number)}, {u"SLURM_LOCALID"_s, QString::number(number)},
            {u"SLURM_STEP_NUM_TASKS"_s, u"5"_s}};
    };
    const Member torchrun(task(0), 50, u": /usr/bin/torchrun --nnodes=2 train.py;"_s);
    const Member module(task(1), 50, u": python3 -m torch.distributed.run --nnodes 2 train.py;"_s);
    const Member accelerate(task(2), 50, u": accelerate launch train.py;"_s);
    const Member program(task(3), 50, u": python3 multigpu_torchrun.py;"_s); // PyTorch's tutorial calls it so
    SamplerRun run(here(GpuVendor::Amd, u"7300"_s));
    const auto ranks = ranksOf(run, 1);
    QCOMPARE(ranks.keys(), QList<int>({3}));
    QCOMPARE(ranks.value(3).pid, program.pid());
}

/// A site's own start program of PyTorch's size has a task's number, and WORLD_SIZE of the ranks that it will start; so
/// has the container around an agent, which counts once.
void SamplingNodeTest::whatStartsRanksIsCounted()
{
    const auto task = [](int number) {
        return Environment{{u"SLURM_JOB_ID"_s, u"7300"_s}, {u"SLURM_STEP_ID"_s, u"0"_s}, {u"WORLD_SIZE"_s, u"16"_s},
            {u"SLURM_PROCID"_s, QString::number(number)}, {u"SLURM_LOCALID"_s, u"0"_s},
            {u"SLURM_STEP_NUM_TASKS"_s, u"2"_s}};
    };
    Environment unset = task(2); // nobody exported WORLD_SIZE: a process that started an agent is not a rank
    unset.remove(u"WORLD_SIZE"_s);
    const Member own(task(0), 50), torchrun(task(1), 50, u": /usr/bin/torchrun --nnodes=2 train.py;"_s),
        around(task(1), 50), wrapper(unset, 50), started(unset, 50, u": /usr/bin/torchrun --nnodes=2 train.py;"_s);
    SamplerRun run(here(GpuVendor::Amd, u"7300"_s));
    std::optional<NodeProcesses> reported;
    run.readUntil([&](const QByteArray& line) {
        if (const auto read = parseRankLine(line))
            reported = read->reported;
        return reported.has_value();
    });
    QVERIFY(reported);
    QCOMPARE(reported->ranks, QList<RankSample>());
    QCOMPARE(reported->agents, std::optional<int>(3));
}

void SamplingNodeTest::manyRanksTakeManyLines()
{
    QString start;
    for (int rank = 0; rank < 24; ++rank)
        start += u"RANK=%1 LOCAL_RANK=%1 bash -c 'read -r x <&3' & "_s.arg(rank);
    const Member all(
        {{u"SLURM_JOB_ID"_s, u"7300"_s}, {u"WORLD_SIZE"_s, u"24"_s}, {u"CUDA_VISIBLE_DEVICES"_s, u"0,1,2,3,4,5,6,7"_s}},
        1, u"exec 3<&0; "_s + start + u"sleep 0.5;"_s);
    SamplerRun run(here(GpuVendor::Amd, u"7300"_s));
    const auto ranks = ranksOf(run, 2);
    QCOMPARE(ranks.size(), 24);
    QCOMPARE(ranks.value(23).localRank, std::optional<int>(23));
    QVERIFY2(run.longestLine() < 1000, qPrintable(QString::number(run.longestLine())));
}

void SamplingNodeTest::processesPerGpu_data()
{
    QTest::addColumn<bool>("nvidia");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<int>("holding");
    QTest::newRow("nvidia-smi") << true << 2 << 1;
    QTest::newRow("rocm-smi") << false << 14 << 3;
}

void SamplingNodeTest::processesPerGpu()
{
    QFETCH(bool, nvidia);
    QFETCH(int, gpus);
    QFETCH(int, holding);
    const Environment job{{u"SLURM_JOB_ID"_s, u"7300"_s}, {u"RANK"_s, u"0"_s}};
    const Member first(job, 1), second({{u"SLURM_JOB_ID"_s, u"7300"_s}}, 1), foreign({{u"SLURM_JOB_ID"_s, u"9"_s}}, 1);
    SamplerRun run(here(nvidia ? GpuVendor::Nvidia : GpuVendor::Amd, u"7300"_s),
        {{u"FAKE_PIDS"_s, u"%1 %2 %3"_s.arg(first.pid()).arg(second.pid()).arg(foreign.pid())}});
    QMap<int, std::optional<int>> reported;
    QVERIFY(run.readUntil([&](const QByteArray& line) {
        const auto read = parseTickLine(line);
        for (const GpuSample& gpu : read ? read->gpus : QList<GpuSample>())
            reported.insert(gpu.index, gpu.processes);
        return reported.size() == gpus && reported.last().has_value();
    }));
    for (auto [gpu, count] : reported.asKeyValueRange())
        QCOMPARE(count, std::optional<int>(gpu == holding ? 2 : 0)); // of this job only
    const auto ranks = ranksOf(run, 2);
    QCOMPARE(ranks.value(0).gpu, std::optional<int>(holding));
    if (nvidia)
        QCOMPARE(ranks.value(0).gpuMemoryBytes, std::optional<qint64>(70000LL << 20));
}

void SamplingNodeTest::reportsItsCost()
{
    SamplerRun run(here(GpuVendor::Amd, u"7300"_s));
    double spent = -1;
    QVERIFY(run.readUntil([&](const QByteArray& line) {
        const auto cost = parseCostLine(line);
        spent = cost ? cost->cpuSeconds : spent;
        return cost.has_value();
    }));
    QVERIFY2(spent > 0 && spent < 100, qPrintable(QString::number(spent)));
}

RANKWRIGHT_TEST_MAIN(SamplingNodeTest)
#include "tst_samplingnode.moc"
