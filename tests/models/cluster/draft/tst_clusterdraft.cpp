// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/cluster/catalogue/profilewriter.h"
#include "models/cluster/draft/clusterdraft.h"
#include "tests/support/testbase.h"

#include <QFile>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

/// An answer made of sections, as surveyCommand() has them sent.
QByteArray answerOf(const QList<std::pair<QByteArray, QByteArray>>& sections)
{
    QByteArray answer;
    for (const auto& [name, text] : sections)
        answer += '\x1d' + name + '\n' + text + (text.endsWith('\n') || text.isEmpty() ? "" : "\n");
    return answer;
}

QByteArray nodeLine(const QByteArray& name, const QByteArray& gres, const QByteArray& partitions,
    const QByteArray& features = "(null)", const QByteArray& rest = "RealMemory=500000")
{
    return "NodeName=" + name + " Arch=x86_64 CoresPerSocket=36 CPUEfctv=72 CPUTot=72 AvailableFeatures=" + features
        + " Gres=" + gres + " OS=Linux 5.14 #1 SMP PREEMPT 2026 " + rest
        + " Sockets=2 State=IDLE ThreadsPerCore=1 Partitions=" + partitions + " Reason=x=y Sockets=99 [root@2026]\n";
}

QByteArray partitionLine(const QByteArray& name, const QByteArray& more = {})
{
    return "PartitionName=" + name
        + " AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL Default=NO QoS=N/A DefaultTime=NONE MaxNodes=UNLIMITED "
          "MaxTime=1-00:00:00 MinNodes=0 OverSubscribe=NO State=UP TotalNodes=4 JobDefaults=(null) "
          "DefMemPerNode=UNLIMITED "
        + more + '\n';
}

DraftRequest requestOf(const QString& name)
{
    DraftRequest request;
    request.name = name;
    request.login.host = u"login.example.org"_s;
    request.day = u"2026-11-21"_s;
    return request;
}

bool hasDoubt(const ClusterDraft& draft, const QString& place, const QString& word)
{
    return std::any_of(draft.doubts.begin(), draft.doubts.end(),
        [&](const DraftDoubt& doubt) { return doubt.place.startsWith(place) && doubt.text.contains(word); });
}

} // namespace

/// Recorded: the practice cluster's own Slurm 22.05.8. The rest is written after the man pages of scontrol, sinfo and
/// sacctmgr.
class ClusterDraftTest : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void cells();
    void surveyOfThePracticeCluster();
    void draftOfThePracticeCluster();
    void agreesWithTheHandMadeFile();
    void unknownGpu();
    void ambiguousGpu();
    void severalKindsInOnePartition();
    void hardwareThreads();
    void limitsOfAQos();
    void spentAccountsReservationsAndDisks();
    void fencedAndClosedPartitions();
    void nodesHidden();
    void noGpusAtAll();
    void modulesAndScratch();
    void nothingAnswered();
    void names();
    void cutAnywhere();

private:
    ClusterDraft drafted(const QByteArray& answer) const
    {
        const auto survey = readSurvey(answer);
        if (!survey)
            qFatal("%s", qPrintable(survey.error().oneLine()));
        return draftCluster(*survey, requestOf(u"mine"_s), m_known);
    }
    QByteArray m_recorded;
    QList<ClusterProfile> m_known;
};

void ClusterDraftTest::initTestCase()
{
    QFile file(rankwright::test::sourcePath(u"/tests/data/slurm/survey_22.05.txt"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    m_recorded = file.readAll();
    for (const ClusterProfile& profile : loadCatalogue().clusters) {
        if (profile.name != u"practice"_s)
            m_known.append(profile);
    }
}

void ClusterDraftTest::cells()
{
    const SlurmCells cells = slurmCells(u"NodeName=n1 OS=Linux 5.14 #1 SMP  RealMemory=10 QoS=N/A Reason=a b=c"_s);
    QCOMPARE(cells.value(u"NodeName"_s), u"n1"_s);
    QCOMPARE(cells.value(u"OS"_s), u"Linux 5.14 #1 SMP"_s);
    QCOMPARE(cells.value(u"RealMemory"_s), u"10"_s);
    QVERIFY(cells.contains(u"QoS"_s) && cells.value(u"QoS"_s).isEmpty());
    QVERIFY(slurmCells(QString()).isEmpty());
}

void ClusterDraftTest::surveyOfThePracticeCluster()
{
    const auto survey = readSurvey(m_recorded);
    QVERIFY_RESULT(survey);
    QCOMPARE(survey->clusterName, u"practice"_s);
    QCOMPARE(survey->version, u"22.05.8"_s);
    QCOMPARE(survey->partitions.size(), 4);
    QCOMPARE(survey->nodes.size(), 2); // five nodes of two kinds
    QCOMPARE(survey->nodes.at(1).gpuType, u"mi250"_s);
    QCOMPARE(survey->nodes.at(1).count, 3);
    QCOMPARE(survey->nodes.at(1).usableCpus, 56);
    QVERIFY(!survey->nodesFromSinfo);
    QVERIFY(survey->accounts.contains(u"project_465000001"_s));
    QVERIFY(survey->modules.isEmpty() && !survey->hasScratch);
    QCOMPARE(survey->qos.size(), 2);
}

void ClusterDraftTest::draftOfThePracticeCluster()
{
    const ClusterDraft draft = drafted(m_recorded);
    const ClusterProfile& profile = draft.profile;
    QCOMPARE(profile.name, u"mine"_s);
    QCOMPARE(profile.nodes.size(), 2);
    QCOMPARE(profile.nodes.first().gpu.model, u"MI250X GCD"_s); // from LUMI's entry
    QVERIFY(hasDoubt(draft, u"$.nodes[0].gpu"_s, u"LUMI"_s));
    QVERIFY(hasDoubt(draft, u"$.nodes[0].coresPerGpu"_s, u"even share"_s));
    QVERIFY(hasDoubt(draft, u"$.billing"_s, u"prices"_s));
    QVERIFY(profile.nodes.first().places.isEmpty() && profile.nodes.first().links.isEmpty());
    QVERIFY(profile.billing.isEmpty());
    QVERIFY(profile.sources.first().contains(u"2026-11-21"_s));
    for (const Partition& partition : profile.partitions)
        QVERIFY(!partition.source.isEmpty());
    const auto again = readClusterProfile(writeClusterProfile(profile), u"mine.json"_s);
    QVERIFY_RESULT(again);
    QVERIFY(*again == profile);
}

void ClusterDraftTest::agreesWithTheHandMadeFile()
{
    const ClusterDraft draft = drafted(m_recorded);
    const Catalogue catalogue = loadCatalogue();
    const ClusterProfile& hand = *catalogue.find(u"practice"_s);
    QCOMPARE(draft.profile.partitions.size(), hand.partitions.size());
    for (const Partition& wanted : hand.partitions) {
        const Partition* found = draft.profile.partition(wanted.name);
        QVERIFY2(found != nullptr, qPrintable(wanted.name));
        QCOMPARE(found->shared, wanted.shared);
        QCOMPARE(found->maxNodes, wanted.maxNodes);
        QCOMPARE(found->maxTime, wanted.maxTime);
        QCOMPARE(found->maxRunningJobs, wanted.maxRunningJobs);
        QCOMPARE(found->maxSubmittedJobs, wanted.maxSubmittedJobs);
        const NodeShape& node = *draft.profile.nodeShape(wanted.name);
        const NodeShape& handNode = *hand.nodeShape(wanted.name);
        QCOMPARE(node.gpus, handNode.gpus);
        QCOMPARE(node.usableCores, handNode.usableCores);
        QCOMPARE(node.memory, handNode.memory);
        QCOMPARE(node.coresPerGpu, handNode.coresPerGpu);
        QCOMPARE(node.gpu.slurmName, handNode.gpu.slurmName);
    }
}

void ClusterDraftTest::unknownGpu()
{
    const ClusterDraft draft = drafted(
        answerOf({{"partitions", partitionLine("gpu")}, {"nodes", nodeLine("n1", "gpu:b300:8(S:0-1)", "gpu")}}));
    const NodeShape& node = draft.profile.nodes.first();
    QCOMPARE(node.gpus, 8);
    QCOMPARE(node.gpu.model, u"B300"_s);
    QCOMPARE(node.gpu.memory.count, 0);
    QVERIFY(hasDoubt(draft, u"$.nodes[0].gpu"_s, u"b300"_s));
    const ClusterDraft amd
        = drafted(answerOf({{"partitions", partitionLine("gpu")}, {"nodes", nodeLine("n1", "gpu:mi355:8", "gpu")}}));
    QCOMPARE(amd.profile.nodes.first().gpu.vendor, GpuVendor::Amd);
}

void ClusterDraftTest::ambiguousGpu()
{
    const ClusterDraft draft
        = drafted(answerOf({{"partitions", partitionLine("gpu")}, {"nodes", nodeLine("n1", "gpu:a100:4", "gpu")}}));
    const GpuType& gpu = draft.profile.nodes.first().gpu;
    QCOMPARE(gpu.memory.count, 0); // 40 or 80 GB
    QCOMPARE(*gpu.bf16Teraflops, 312.0); // the same for both
    QVERIFY(hasDoubt(draft, u"$.nodes[0].gpu"_s, u"can be one of"_s));
}

void ClusterDraftTest::severalKindsInOnePartition()
{
    const ClusterDraft draft = drafted(answerOf({{"partitions", partitionLine("gpu")},
        {"nodes",
            nodeLine("n1", "gpu:a40:4", "gpu", "a40,ib") + nodeLine("n2", "gpu:v100:4", "gpu", "v100,ib")
                + nodeLine("n3", "gpu:v100:4", "gpu", "v100,ib")}}));
    QCOMPARE(draft.profile.nodes.size(), 2);
    QCOMPARE(draft.profile.partitions.size(), 2);
    QCOMPARE(draft.profile.partitions.first().name, u"gpu"_s);
    QCOMPARE(draft.profile.partitions.first().node, u"v100-x4"_s); // most nodes
    const Partition& other = draft.profile.partitions.last();
    QCOMPARE(other.slurmName(), u"gpu"_s);
    QCOMPARE(other.constraint, u"a40"_s);
    QCOMPARE(other.offered, Partition::Offer::Named);
    QCOMPARE(draft.profile.launch.gpuRequest, GpuRequest::Gres); // the type has to be named
}

void ClusterDraftTest::hardwareThreads()
{
    const QByteArray node = "NodeName=n1 Arch=x86_64 CoresPerSocket=64 CPUTot=128 CoreSpecCount=8 Gres=gpu:a100:4 "
                            "RealMemory=256000 MemSpecLimit=6000 Sockets=1 ThreadsPerCore=2 Partitions=gpu\n";
    const ClusterDraft draft = drafted(answerOf({{"config", "SelectType = select/cons_tres\n"},
        {"partitions", partitionLine("gpu", "Default=YES")}, {"nodes", node}}));
    const NodeShape& shape = draft.profile.nodes.first();
    QCOMPARE(shape.cores, 64);
    QVERIFY(shape.cpusAreThreads);
    QCOMPARE(shape.usableCores, 112); // eight cores with two threads each are the system's
    QCOMPARE(shape.memory, Bytes::mib(250000));
    QVERIFY(hasDoubt(draft, u"$.nodes[0].cpusAreThreads"_s, u"hardware threads"_s));
    QCOMPARE(draft.profile.launch.gpuRequest, GpuRequest::GpusPerNode);
}

void ClusterDraftTest::limitsOfAQos()
{
    const ClusterDraft draft
        = drafted(answerOf({{"partitions", partitionLine("gpu").replace("QoS=N/A", "QoS=part_gpu")},
            {"nodes", nodeLine("n1", "gpu:v100:4", "gpu")},
            {"qos", "normal||||||\npart_gpu|12:00:00|cpu=400,gres/gpu=40,node=10|gres/gpu=80|4|20|gres/gpu=1\n"}}));
    const Partition& partition = draft.profile.partitions.first();
    QCOMPARE(partition.maxTime->count, 43200); // shorter than the partition's own day
    QCOMPARE(*partition.maxNodes, 10);
    QCOMPARE(*partition.maxGpusPerJob, 40);
    QCOMPARE(*partition.maxGpusPerUser, 80);
    QCOMPARE(*partition.minGpusPerJob, 1);
    QCOMPARE(*partition.maxRunningJobs, 4);
    QCOMPARE(*partition.maxSubmittedJobs, 20);
}

void ClusterDraftTest::spentAccountsReservationsAndDisks()
{
    const ClusterDraft draft = drafted(answerOf({{"accounts", "spent\nmine\n"},
        {"shares",
            "spent|gres/gpu=100,cpu=5000|cpu=40,gres/gpu=100\n spent||\nmine|gres/gpu=100|gres/gpu=99\n mine||\n"},
        {"reservations",
            "ReservationName=course StartTime=2026-11-22T14:49:27 EndTime=2026-12-01T00:00:00 Nodes=n[1-2]\n"},
        {"partitions", partitionLine("gpu")}, {"nodes", nodeLine("n1", "gpu:v100:4(S:0-1),nvme:3500(S:0)", "gpu")}}));
    QCOMPARE(draft.profile.launch.accountExample, u"mine"_s);
    QVERIFY(hasDoubt(draft, u"$.launch.accountExample"_s, u"spent"_s));
    QVERIFY(hasDoubt(draft, u"$.partitions"_s, u"“course” keeps n[1-2]"_s));
    QCOMPARE(draft.profile.nodes.first().localDisk.gres, u"nvme"_s);
    QVERIFY(hasDoubt(draft, u"$.nodes[0].localDisk"_s, u"nvme:3500"_s));
}

void ClusterDraftTest::fencedAndClosedPartitions()
{
    const ClusterDraft draft = drafted(answerOf({{"accounts", "mine\n"},
        {"partitions",
            partitionLine("theirs").replace("AllowAccounts=ALL", "AllowAccounts=bob")
                + partitionLine("ours").replace("AllowAccounts=ALL", "AllowAccounts=bob,mine")
                + partitionLine("group").replace("AllowGroups=ALL", "AllowGroups=staff")
                + partitionLine("down").replace("State=UP", "State=DOWN") + partitionLine("cpu")
                + partitionLine("test").replace("1-00:00:00", "00:30:00")},
        {"nodes", nodeLine("n1", "gpu:v100:4", "theirs,ours,group,down,test") + nodeLine("n2", "(null)", "cpu")}}));
    const auto offered = [&](const QString& name) { return draft.profile.partition(name)->offered; };
    QCOMPARE(offered(u"theirs"_s), Partition::Offer::Never);
    QCOMPARE(offered(u"ours"_s), Partition::Offer::Normal);
    QCOMPARE(offered(u"down"_s), Partition::Offer::Named); // on the day it was drafted
    QCOMPARE(offered(u"group"_s), Partition::Offer::Named); // which groups one is in, Slurm does not say
    QCOMPARE(offered(u"test"_s), Partition::Offer::Last);
    QVERIFY(draft.profile.partition(u"cpu"_s) == nullptr);
    QVERIFY(hasDoubt(draft, u"$.partitions"_s, u"cpu"_s));
    QCOMPARE(draft.profile.partitions.first().name, u"ours"_s);
}

void ClusterDraftTest::nodesHidden()
{
    QByteArray row = "gpu|20|gpu:v100:4,nvme:3600|40|382000|2|20|1|cas,ib\n";
    const ClusterDraft draft
        = drafted(answerOf({{"partitions", partitionLine("gpu")}, {"nodes", ""}, {"sinfo", row.replace('|', '\x1f')}}));
    const NodeShape& node = draft.profile.nodes.first();
    QCOMPARE(*node.count, 20);
    QCOMPARE(node.gpus, 4);
    QCOMPARE(node.cores, 40);
    QCOMPARE(node.memory, Bytes::mib(382000));
    QVERIFY(hasDoubt(draft, u"$.nodes"_s, u"sinfo"_s));
}

void ClusterDraftTest::noGpusAtAll()
{
    const ClusterDraft draft
        = drafted(answerOf({{"partitions", partitionLine("dev")}, {"nodes", nodeLine("n1", "(null)", "dev")}}));
    QVERIFY(draft.profile.nodes.isEmpty() && draft.profile.partitions.isEmpty());
    QCOMPARE(draft.profile.launch.gpuRequest, GpuRequest::None);
    QVERIFY(hasDoubt(draft, u"$.nodes"_s, u"no GPUs"_s));
    QVERIFY_RESULT(readClusterProfile(writeClusterProfile(draft.profile), u"x"_s));
}

void ClusterDraftTest::modulesAndScratch()
{
    const ClusterDraft draft = drafted(answerOf(
        {{"partitions", partitionLine("gpu")}, {"nodes", nodeLine("n1", "gpu:v100:4", "gpu")}, {"scratch", "yes\n"},
            {"modules", "/appl/modules:\ncuda/12.6\npytorch/2.4(default)\npytorch/2.5\nLmod has no words here\n"}}));
    QCOMPARE(draft.profile.launch.modules, QStringList{u"pytorch"_s});
    QCOMPARE(draft.profile.scratch, u"$SCRATCH"_s);
    QVERIFY(hasDoubt(draft, u"$.launch.modules"_s, u"cuda"_s));
    QVERIFY(hasDoubt(draft, u"$.launch.modules"_s, u"Of 3 modules “pytorch” is loaded"_s));
}

void ClusterDraftTest::nothingAnswered()
{
    for (const QByteArray& answer : {QByteArray(), QByteArray("bash: scontrol: command not found\n"),
             answerOf({{"partitions", "slurm_load_partitions: Unable to contact slurm controller\n"}})}) {
        const auto survey = readSurvey(answer);
        QVERIFY(!survey.hasValue());
        QVERIFY(survey.error().what.contains(u"no partition"_s) && !survey.error().remedy.isEmpty());
    }
}

void ClusterDraftTest::names()
{
    for (const QString& good : {u"mine"_s, u"my-cluster.2"_s, u"a_b"_s})
        QVERIFY(isClusterName(good));
    for (const QString& bad : {u""_s, u"-x"_s, u"../x"_s, u"My"_s, u"a b"_s, u"a/b"_s, u"x\n"_s, QString(80, u'a')})
        QVERIFY(!isClusterName(bad));
}

void ClusterDraftTest::cutAnywhere()
{
    for (qsizetype length = 0; length < m_recorded.size(); length += 7) {
        const auto survey = readSurvey(m_recorded.left(length));
        if (!survey)
            continue;
        const ClusterDraft draft = draftCluster(*survey, requestOf(u"cut"_s), {});
        const auto again = readClusterProfile(writeClusterProfile(draft.profile), u"cut.json"_s);
        QVERIFY2(again.hasValue(), again ? "" : qPrintable(u"%1: "_s.arg(length) + again.error().what));
    }
}

RANKWRIGHT_TEST_MAIN(ClusterDraftTest)
#include "tst_clusterdraft.moc"
