// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/batchplan.h"
#include "models/planner/design/resolve.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const Catalogue& catalogue()
{
    static const Catalogue all = loadCatalogue();
    return all;
}

const ClusterProfile& site(const QString& name) { return *catalogue().find(name); }

JobSpec sized(const QString& cluster, std::optional<int> nodes, std::optional<int> gpus)
{
    JobSpec spec;
    spec.cluster = cluster;
    spec.resources.nodes = nodes;
    spec.resources.gpusPerNode = gpus;
    return spec;
}

const Choice* choiceOf(const ResolvedSpec& resolved, QLatin1StringView name)
{
    for (const Choice& choice : resolved.choices) {
        if (choice.field == name)
            return &choice;
    }
    return nullptr;
}

} // namespace

/// Layout rules R01-R08 with the figures of the operators' guides.
class ResolveTest : public test::Suite {
    Q_OBJECT
private slots:
    void partitions_data();
    void partitions();
    void shares_data();
    void shares();
    void tasks_data();
    void tasks();
    void openDesignIsFilledWithReasons();
    void givenValuesStay();
    void oneProcessIsOneRank();
    void siteChoices();
    void nonsense_data();
    void nonsense();
    void unknownPlaces();
    void jobNames_data();
    void jobNames();
};

void ResolveTest::partitions_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<qint64>("hours");
    QTest::addColumn<QString>("partition");
    QTest::newRow("R06 LUMI: part of a node") << u"lumi"_s << 1 << 2 << qint64(1) << u"small-g"_s;
    QTest::newRow("R06 LUMI: one GCD, three days") << u"lumi"_s << 1 << 1 << qint64(72) << u"small-g"_s;
    QTest::newRow("R06 LUMI: whole node") << u"lumi"_s << 1 << 8 << qint64(1) << u"standard-g"_s;
    QTest::newRow("R06 LUMI: whole nodes, longer than 2 days") << u"lumi"_s << 4 << 8 << qint64(60) << u"small-g"_s;
    QTest::newRow("R06 LUMI: 1024 nodes") << u"lumi"_s << 1024 << 8 << qint64(48) << u"standard-g"_s;
    QTest::newRow("R06 LUMI: parts of many nodes, short") << u"lumi"_s << 8 << 4 << qint64(2) << u"dev-g"_s;
    QTest::newRow("R06 LUMI: parts of many nodes, long") << u"lumi"_s << 8 << 4 << qint64(10) << u"standard-g"_s;
    QTest::newRow("R06 LUMI: too long for all") << u"lumi"_s << 1 << 8 << qint64(100) << u"standard-g"_s;
    QTest::newRow("R06 Mahti: 2 GPUs") << u"mahti"_s << 1 << 2 << qint64(1) << u"gpusmall"_s;
    QTest::newRow("R06 Mahti: 3 GPUs") << u"mahti"_s << 1 << 3 << qint64(1) << u"gpumedium"_s;
    QTest::newRow("R06 Mahti: 4 GPUs") << u"mahti"_s << 1 << 4 << qint64(36) << u"gpumedium"_s;
    QTest::newRow("V3 Mahti: 2 nodes") << u"mahti"_s << 2 << 1 << qint64(1) << u"gpumedium"_s;
    QTest::newRow("practice: part of a node") << u"practice"_s << 1 << 2 << qint64(1) << u"small-g"_s;
    QTest::newRow("practice: whole nodes") << u"practice"_s << 2 << 8 << qint64(1) << u"standard-g"_s;
}

void ResolveTest::partitions()
{
    QFETCH(QString, cluster);
    QFETCH(int, nodes);
    QFETCH(int, gpus);
    QFETCH(qint64, hours);
    JobSpec spec = sized(cluster, nodes, gpus);
    spec.time = Seconds{hours * 3600};
    const ResolvedSpec resolved = resolve(spec, site(cluster));
    QTEST(resolved.partition, "partition");
    QCOMPARE(resolved.partitionInfo.name, resolved.partition);
    QVERIFY(!choiceOf(resolved, field::partition)->reason.isEmpty());
}

void ResolveTest::shares_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<int>("cores");
    QTest::addColumn<qint64>("mib"); // -1: not written
    QTest::newRow("R02 LUMI 1 GCD") << u"lumi"_s << 1 << 7 << qint64(61440);
    QTest::newRow("LG14 LUMI 2 GCDs, 14 cores and 120G") << u"lumi"_s << 2 << 7 << qint64(122880);
    QTest::newRow("R05 LUMI full node 480G") << u"lumi"_s << 8 << 7 << qint64(491520);
    QTest::newRow("R02 Mahti full node, memory automatic") << u"mahti"_s << 4 << 32 << qint64(-1);
    QTest::newRow("R02 Raven 1 GPU") << u"raven"_s << 1 << 18 << qint64(125000);
    QTest::newRow("R02 Raven 3 GPUs") << u"raven"_s << 3 << 18 << qint64(375000);
    QTest::newRow("R02 Raven full node") << u"raven"_s << 4 << 18 << qint64(500000);
}

void ResolveTest::shares()
{
    QFETCH(QString, cluster);
    QFETCH(int, gpus);
    QFETCH(qint64, mib);
    const ResolvedSpec resolved = resolve(sized(cluster, 1, gpus), site(cluster));
    QTEST(resolved.cpusPerGpu, "cores");
    QCOMPARE(resolved.memoryPerNode.has_value(), mib >= 0);
    if (mib >= 0)
        QCOMPARE(*resolved.memoryPerNode, Bytes::mib(double(mib)));
}

void ResolveTest::tasks_data()
{
    QTest::addColumn<Launcher>("launcher");
    QTest::addColumn<Strategy>("strategy");
    QTest::addColumn<int>("tasks");
    QTest::addColumn<int>("cpus");
    QTest::newRow("R01 torchrun") << Launcher::Torchrun << Strategy::Ddp << 1 << 56;
    QTest::newRow("R01 accelerate") << Launcher::Accelerate << Strategy::Ddp << 1 << 56;
    QTest::newRow("R01 deepspeed") << Launcher::Deepspeed << Strategy::Zero2 << 1 << 56;
    QTest::newRow("R01 srun") << Launcher::Srun << Strategy::Ddp << 8 << 7;
    QTest::newRow("R40 Lightning") << Launcher::Lightning << Strategy::Ddp << 8 << 7;
    QTest::newRow("R41 Horovod") << Launcher::Horovod << Strategy::Horovod << 8 << 7;
    QTest::newRow("R01 one process, several GPUs") << Launcher::Srun << Strategy::Single << 1 << 56;
}

void ResolveTest::tasks()
{
    QFETCH(Launcher, launcher);
    QFETCH(Strategy, strategy);
    JobSpec spec = sized(u"lumi"_s, 2, 8);
    spec.launcher = launcher;
    spec.parallel.strategy = strategy;
    const ResolvedSpec resolved = resolve(spec, site(u"lumi"_s));
    QTEST(resolved.tasksPerNode(), "tasks");
    QTEST(resolved.cpusPerTask(), "cpus");
    QCOMPARE(resolved.worldSize(), 16);
}

void ResolveTest::openDesignIsFilledWithReasons()
{
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    const ResolvedSpec resolved = resolve(spec, site(u"lumi"_s));
    QCOMPARE(resolved.nodes, 1);
    QCOMPARE(resolved.gpusPerNode, 8);
    QCOMPARE(resolved.partition, u"standard-g"_s);
    QVERIFY(resolved.wholeNodes);
    QCOMPARE(resolved.time.count, 3600);
    QCOMPARE(resolved.strategy, Strategy::Ddp);
    QCOMPARE(resolved.launcher, Launcher::Torchrun);
    QCOMPARE(resolved.command, u"train.py"_s);
    QCOMPARE(resolved.name, u"train"_s);
    QVERIFY(resolved.container.endsWith(u".sif"_s));
    for (QLatin1StringView name :
        {field::name, field::partition, field::time, field::nodes, field::gpusPerNode, field::cpusPerGpu,
            field::memoryPerNode, field::strategy, field::launcher, field::container, field::command}) {
        const Choice* choice = choiceOf(resolved, name);
        QVERIFY2(choice != nullptr, qPrintable(QString(name)));
        QVERIFY(!choice->value.isEmpty() && !choice->reason.isEmpty());
    }
}

void ResolveTest::givenValuesStay()
{
    JobSpec spec = sized(u"lumi"_s, 2, 8);
    spec.name = u"mine"_s;
    spec.partition = u"small-g"_s;
    spec.account = u"project_462000265"_s;
    spec.time = Seconds{1800};
    spec.resources.cpusPerGpu = 6;
    spec.resources.memoryPerNode = Bytes::gib(100);
    spec.parallel = {Strategy::Fsdp, 2, 2, {}};
    spec.launcher = Launcher::Srun;
    spec.environment.container = u"/x.sif"_s;
    spec.command = u"run.py"_s;
    const ResolvedSpec resolved = resolve(spec, site(u"lumi"_s));
    QVERIFY(resolved.spec == spec);
    QCOMPARE(resolved.choices, QList<Choice>());
    QCOMPARE(resolved.cpusPerGpu, 6);
    QCOMPARE(*resolved.memoryPerNode, Bytes::gib(100));
    QCOMPARE(resolved.dataParallel(), 4);
    QCOMPARE(resolved.container, u"/x.sif"_s);
}

/// "Single" stood beside "8 ranks", and the batch was counted eight times.
void ResolveTest::oneProcessIsOneRank()
{
    JobSpec spec = sized(u"lumi"_s, 1, 8);
    spec.parallel.strategy = Strategy::Single;
    spec.training.microBatch = 8;
    const ResolvedSpec alone = resolve(spec, site(u"lumi"_s));
    QCOMPARE(alone.ranks(), 1);
    QCOMPARE(alone.dataParallel(), 1);
    QCOMPARE(alone.worldSize(), 8); // these are asked for and billed
    QCOMPARE(planBatch(alone).globalBatch, 8);
    spec.parallel.strategy = Strategy::Ddp;
    QCOMPARE(resolve(spec, site(u"lumi"_s)).ranks(), 8);
}

void ResolveTest::siteChoices()
{
    QCOMPARE(
        resolve(sized(u"raven"_s, 1, 4), site(u"raven"_s)).launcher, Launcher::Srun); // clusters.md: Raven prefers srun
    QCOMPARE(resolve(sized(u"lumi"_s, 1, 1), site(u"lumi"_s)).strategy, Strategy::Single);
    QCOMPARE(resolve(sized(u"lumi"_s, 1, 1), site(u"lumi"_s)).launcher, Launcher::Srun);
    QVERIFY(resolve(sized(u"practice"_s, 1, 2), site(u"practice"_s)).container.isEmpty());

    JobSpec modules = sized(u"lumi"_s, 1, 2);
    modules.environment.modules = {u"pytorch"_s};
    QVERIFY(resolve(modules, site(u"lumi"_s)).container.isEmpty());
    JobSpec none = sized(u"lumi"_s, 1, 2);
    none.environment.container = u"none"_s;
    QVERIFY(resolve(none, site(u"lumi"_s)).container.isEmpty());

    JobSpec test = sized(u"mahti"_s, {}, {});
    test.partition = u"gputest"_s;
    const ResolvedSpec resolved = resolve(test, site(u"mahti"_s));
    QCOMPARE(resolved.time.count, 900); // the limit is lower than an hour
    test.partition = u"gpusmall"_s;
    QCOMPARE(resolve(test, site(u"mahti"_s)).gpusPerNode, 2); // no more for a job

    JobSpec part = sized(u"lumi"_s, 1, 2);
    part.partition = u"standard-g"_s;
    QVERIFY(resolve(part, site(u"lumi"_s)).wholeNodes);
    QCOMPARE(*resolve(part, site(u"lumi"_s)).memoryPerNode, Bytes::gib(480)); // "all memory by default"
}

void ResolveTest::nonsense_data()
{
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<int>("cores");
    QTest::addColumn<qint64>("memory");
    QTest::addColumn<qint64>("seconds");
    QTest::addColumn<int>("degree");
    const int most = std::numeric_limits<int>::max();
    const qint64 huge = std::numeric_limits<qint64>::max();
    QTest::newRow("zero") << 0 << 0 << 0 << qint64(0) << qint64(0) << 0;
    QTest::newRow("negative") << -1 << -8 << -7 << qint64(-1) << qint64(-3600) << -2;
    QTest::newRow("smallest") << -most - 1 << -most - 1 << -most - 1 << -huge - 1 << -huge - 1 << -most - 1;
    QTest::newRow("a thousand million nodes") << 1000000000 << 9 << 65 << huge << huge << 1000000000;
    QTest::newRow("largest") << most << most << most << huge << huge << most;
}

void ResolveTest::nonsense()
{
    QFETCH(int, nodes);
    QFETCH(int, gpus);
    QFETCH(int, cores);
    QFETCH(qint64, memory);
    QFETCH(qint64, seconds);
    QFETCH(int, degree);
    JobSpec spec = sized({}, nodes, gpus);
    spec.resources.cpusPerGpu = cores;
    spec.resources.memoryPerNode = Bytes{memory};
    spec.time = Seconds{seconds};
    spec.parallel.tensor = degree;
    spec.parallel.pipeline = degree;
    const ClusterProfile none;
    for (const ClusterProfile* profile :
        {&site(u"lumi"_s), &site(u"practice"_s), &site(u"mahti"_s), &site(u"raven"_s), &none}) {
        const ResolvedSpec r = resolve(spec, *profile);
        QVERIFY(r.nodes >= 1 && r.nodes <= 10000);
        QVERIFY(r.gpusPerNode >= 1 && r.gpusPerNode <= qMax(1, r.node.gpus));
        QVERIFY(r.cpusPerGpu >= 1 && r.tasksPerNode() >= 1 && r.cpusPerTask() >= 1);
        QVERIFY(r.time.count >= 60 && r.time.count <= 366 * 86400);
        QVERIFY(r.tensor >= 1 && r.pipeline >= 1 && r.tensor * r.pipeline <= r.worldSize() && r.dataParallel() >= 1);
        if (profile != &none) {
            QVERIFY(r.cpusPerGpu * r.gpusPerNode <= r.node.usableCores);
            QVERIFY(!r.memoryPerNode || (r.memoryPerNode->count > 0 && *r.memoryPerNode <= r.node.memory));
        }
    }
}

void ResolveTest::unknownPlaces()
{
    JobSpec spec = sized(u"nowhere"_s, 2, 4);
    const ResolvedSpec resolved = resolve(spec, ClusterProfile());
    QCOMPARE(resolved.node.gpus, 4);
    QVERIFY(resolved.node.name.isEmpty() && !resolved.wholeNodes && !resolved.memoryPerNode);
    QCOMPARE(resolved.worldSize(), 8);
    spec.partition = u"secret-g"_s;
    const ResolvedSpec lumi = resolve(spec, site(u"lumi"_s));
    QCOMPARE(lumi.partition, u"secret-g"_s);
    QCOMPARE(lumi.node.name, u"lumi-g"_s);
    QVERIFY(!lumi.wholeNodes);
}

void ResolveTest::jobNames_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("name");
    const auto row
        = [](const QString& command, const QString& name) { QTest::newRow(qPrintable(command)) << command << name; };
    row(u"train.py --epochs 3"_s, u"train"_s);
    row(u"venv/bin/python -u train.py"_s, u"train"_s);
    row(u"python3 -W ignore train.py"_s, u"train"_s);
    row(u"-W ignore train.py"_s, u"train"_s);
    row(u"-X faulthandler -u train.py"_s, u"train"_s);
    row(u"FOO=1 BAR=a/b train.py"_s, u"train"_s);
    row(u"env FOO=1 python3.11 -m pkg.train"_s, u"pkg.train"_s);
    row(u"-m torchtitan.train"_s, u"torchtitan.train"_s);
    row(u"python3 -c pass"_s, u"train"_s);
}

/// The job is called after the program, not after what is before it.
void ResolveTest::jobNames()
{
    QFETCH(QString, command);
    QFETCH(QString, name);
    JobSpec spec = sized(u"lumi"_s, 1, 1);
    spec.command = command;
    QCOMPARE(resolve(spec, site(u"lumi"_s)).name, name);
}

RANKWRIGHT_TEST_MAIN(ResolveTest)
#include "tst_resolve.moc"
