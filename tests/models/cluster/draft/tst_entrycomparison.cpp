// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/cluster/draft/entrycomparison.h"
#include "tests/support/testbase.h"

#include <QFile>

#include <algorithm>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

QByteArray section(const QByteArray& name, const QByteArray& text) { return '\x1d' + name + '\n' + text + '\n'; }

/// A site of two queues after the man pages of scontrol and sacctmgr: `partition` and `node` are put behind the cells.
ClusterSurvey surveyWith(const QByteArray& partition = {}, const QByteArray& node = {}, const QByteArray& qos = {},
    const QByteArray& accounts = "mine@h100")
{
    const QByteArray cells = " AllowGroups=ALL AllowAccounts=ALL Default=NO QoS=N/A MaxNodes=UNLIMITED MinNodes=0 "
                             "OverSubscribe=NO State=UP TotalNodes=4 ";
    const QByteArray answer = section("config", "ClusterName = site\nAccountingStorageEnforce = associations,limits")
        + section("partitions",
            "PartitionName=gpu " + partition + cells + "MaxTime=1-00:00:00\nPartitionName=cpu" + cells
                + "MaxTime=1-00:00:00")
        + section("nodes",
            "NodeName=n1 " + node
                + " Arch=x86_64 CoresPerSocket=48 CPUTot=96 AvailableFeatures=h100 Gres=gpu:h100:4 RealMemory=480000 "
                  "Sockets=2 ThreadsPerCore=1 Partitions=gpu\nNodeName=c1 CoresPerSocket=64 CPUTot=128 Sockets=2 "
                  "RealMemory=256000 Partitions=cpu")
        + section("qos", "normal||||||\ndev|02:00:00|gres/gpu=32,node=8||1|10|\n" + qos) + section("accounts", accounts)
        + section("defaultaccount", accounts);
    const auto survey = readSurvey(answer);
    if (!survey)
        qFatal("%s", qPrintable(survey.error().oneLine()));
    return *survey;
}

/// The same site as an entry without a difference.
ClusterProfile entry()
{
    ClusterProfile profile;
    profile.name = u"site"_s;
    NodeShape node;
    node.name = u"h100"_s;
    node.gpu.slurmName = u"h100"_s;
    node.gpus = 4;
    node.cores = node.usableCores = 96;
    node.memory = Bytes::mib(468000);
    profile.nodes = {node};
    Partition gpu;
    gpu.name = u"gpu"_s;
    gpu.node = u"h100"_s;
    gpu.shared = true;
    gpu.maxTime = Seconds{86400};
    Partition dev = gpu;
    dev.name = u"dev"_s;
    dev.slurmPartition = u"gpu"_s;
    dev.qos = u"dev"_s;
    dev.constraint = u"h100"_s;
    dev.maxTime = Seconds{7200};
    dev.maxNodes = 8;
    dev.maxGpusPerJob = 32;
    dev.maxRunningJobs = 1;
    dev.maxSubmittedJobs = 10;
    profile.partitions = {gpu, dev};
    profile.launch.accountPattern = u"^[a-z]+@h100$"_s;
    return profile;
}

QStringList lines(const EntryComparison& comparison)
{
    QStringList all;
    for (const EntryDifference& one : comparison.differences)
        all.append(u"%1|%2|%3|%4"_s.arg(one.place, one.subject, one.entry, one.cluster));
    return all;
}

} // namespace

class EntryComparisonTest : public test::Suite {
    Q_OBJECT
private slots:
    void practiceIsAsItsFileSays();
    void nothingDiffers();
    void anotherSiteIsSeen();
    void differences_data();
    void differences();
    void slurmsSilenceIsNoDifference();
    void memoryALittleBelowIsTheSame();
    void hiddenNodesAndFiltersAreNamed();
};

void EntryComparisonTest::practiceIsAsItsFileSays()
{
    QFile file(test::sourcePath(u"/tests/data/slurm/survey_22.05.txt"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto survey = readSurvey(file.readAll());
    QVERIFY_RESULT(survey);
    const Catalogue catalogue = loadCatalogue();
    QCOMPARE(lines(compareEntry(*catalogue.find(u"practice"_s), *survey)), QStringList());
}

void EntryComparisonTest::nothingDiffers() { QCOMPARE(lines(compareEntry(entry(), surveyWith())), QStringList()); }

void EntryComparisonTest::anotherSiteIsSeen()
{
    const Catalogue catalogue = loadCatalogue();
    const QStringList found = lines(compareEntry(*catalogue.find(u"lumi"_s), surveyWith()));
    QVERIFY(found.contains(u"$.partitions[0]|partition small-g|there, with GPUs|"_s));
    QVERIFY(found.contains(u"$.partitions|partition gpu||there, with GPUs"_s));
    QVERIFY(std::any_of(found.begin(), found.end(),
        [](const QString& one) { return one.startsWith(u"$.launch.accountPattern|form of an account|"_s); }));
}

void EntryComparisonTest::differences_data()
{
    QTest::addColumn<QByteArray>("partition");
    QTest::addColumn<QByteArray>("node");
    QTest::addColumn<QByteArray>("qos");
    QTest::addColumn<QStringList>("wanted");
    const auto row
        = [](const char* name, const char* partition, const char* node, const char* qos, const QStringList& wanted) {
              QTest::newRow(name) << QByteArray(partition) << QByteArray(node) << QByteArray(qos) << wanted;
          };
    row("longest time", "MaxTime=12:00:00", "", "",
        {u"$.partitions[0].maxTime|partition gpu: longest time|1-00:00:00|12:00:00"_s});
    row("whole nodes", "OverSubscribe=EXCLUSIVE", "", "",
        {u"$.partitions[0].shared|partition gpu: nodes are given|shared|whole"_s,
            u"$.partitions[1].shared|partition dev: nodes are given|shared|whole"_s});
    row("down", "State=DOWN", "", "",
        {u"$.partitions[0].offered|partition gpu: open to you|yes|no: down, or for other accounts or groups"_s,
            u"$.partitions[1].offered|partition dev: open to you|yes|no: down, or for other accounts or groups"_s});
    row("a limit that the entry lacks", "QoS=part", "", "part||node=2||||",
        {u"$.partitions[0].maxNodes|partition gpu: most nodes of a job||2"_s,
            u"$.partitions[1].maxNodes|partition dev: most nodes of a job|8|2"_s});
    row("GPUs", "", "Gres=gpu:h100:8", "", {u"$.nodes[0].gpus|node h100: GPUs|4|8"_s});
    row("GPU type", "", "Gres=gpu:h200:4", "", {u"$.nodes[0].gpu.slurmName|node h100: GPU type of Slurm|h100|h200"_s});
    row("cores", "", "CPUEfctv=88", "", {u"$.nodes[0].usableCores|node h100: cores for jobs|96|88"_s});
    row("memory", "", "RealMemory=240000", "", {u"$.nodes[0].memory|node h100: memory for jobs|468000M|240000M"_s});
    row("feature", "", "AvailableFeatures=gh200", "",
        {u"$.partitions[1].constraint|partition dev: feature of its nodes|h100|"_s});
}

void EntryComparisonTest::differences()
{
    QFETCH(QByteArray, partition);
    QFETCH(QByteArray, node);
    QFETCH(QByteArray, qos);
    QFETCH(QStringList, wanted);
    QCOMPARE(lines(compareEntry(entry(), surveyWith(partition, node, qos))), wanted);
}

void EntryComparisonTest::slurmsSilenceIsNoDifference()
{
    ClusterProfile profile = entry();
    profile.partitions[0].maxNodes = 2; // in words alone, on the site's pages
    profile.partitions[0].maxGpusPerUser = 8;
    QCOMPARE(lines(compareEntry(profile, surveyWith())), QStringList());
    profile.partitions[1].qos = u"gone"_s;
    QVERIFY(lines(compareEntry(profile, surveyWith())).contains(u"$.partitions[1].qos|partition dev: QoS|gone|"_s));
}

void EntryComparisonTest::memoryALittleBelowIsTheSame()
{
    ClusterProfile profile = entry();
    profile.nodes[0].memory = Bytes::mib(480000);
    QVERIFY(lines(compareEntry(profile, surveyWith())).isEmpty());
    profile.nodes[0].memory = Bytes::mib(480001); // such a job never starts
    QCOMPARE(compareEntry(profile, surveyWith()).differences.size(), 1);
}

void EntryComparisonTest::hiddenNodesAndFiltersAreNamed()
{
    ClusterProfile profile = entry();
    profile.partitions[1].slurmPartition.clear();
    profile.partitions[1].partitionWritten = false;
    const EntryComparison comparison = compareEntry(profile, surveyWith());
    QCOMPARE(comparison.differences.size(), 0);
    QVERIFY(comparison.notCompared.first().contains(u"“dev” writes no --partition"_s));
    const EntryComparison other = compareEntry(profile, surveyWith({}, {}, {}, "other"));
    QCOMPARE(other.differences.size(), 1);
    QCOMPARE(other.differences.first().cluster, u"other"_s);
    const EntryComparison none = compareEntry(profile, surveyWith({}, {}, {}, ""));
    QCOMPARE(none.differences.size(), 0);
    QVERIFY(none.notCompared.last().contains(u"no account"_s));
}

RANKWRIGHT_TEST_MAIN(EntryComparisonTest)
#include "tst_entrycomparison.moc"
