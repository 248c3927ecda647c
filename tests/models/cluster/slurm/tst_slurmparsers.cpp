// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/slurmcommands.h"
#include "models/cluster/slurm/slurmparsers.h"
#include "models/cluster/slurm/slurmtext.h"
#include "tests/support/recordedfile.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>
#include <QTimeZone>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

/// A recorded answer, its control characters put back in the place of their pictures.
QDateTime utc(int day, int hour, int minute, int second, int month = 3)
{
    return QDateTime(QDate(2026, month, day), QTime(hour, minute, second), Qt::UTC);
}

} // namespace

class SlurmParsersTest final : public test::Suite {
    Q_OBJECT
private slots:
    void queue();
    void queueEmptyIsNoError();
    void queueGarbageIsUnreadable();
    void accounting_data();
    void accounting();
    void accountingKeepsTheSubmitLine();
    void accountingOfUnknownColumns();
    void scontrolFillsTheRest();
    void scontrolOfNewerSlurm();
    void submitted_data();
    void submitted();
    void forecast_data();
    void forecast();
    void discovery();
    void discoveryWithLimits();
    void discoveryWithoutSlurm();
    void outputPatterns_data();
    void outputPatterns();
    void numbersInPatterns();
    void ids_data();
    void ids();
    void anythingIsSurvived_data();
    void anythingIsSurvived();
};

void SlurmParsersTest::queue()
{
    const auto jobs = parseSqueue(test::recordedSlurm(u"squeue.txt"_s));
    QVERIFY_RESULT(jobs);
    QCOMPARE(jobs->size(), 6);

    const JobRecord& running = jobs->at(0);
    QCOMPARE(running.id, u"7100"_s);
    QCOMPARE(running.name, u"pretrain | phase 2"_s);
    QCOMPARE(running.state, JobState::Running);
    QVERIFY(running.reason.isEmpty());
    QCOMPARE(running.nodeList, QStringList({u"nid002001"_s, u"nid002002"_s}));
    QCOMPARE(running.gpus, std::optional<int>(16)); // 8 per node on 2 nodes
    QCOMPARE(running.elapsed, std::optional<Seconds>(Seconds{93784}));
    QCOMPARE(running.timeLimit, std::optional<Seconds>(Seconds{172800}));
    QCOMPARE(running.submitted, utc(1, 8, 0, 0));
    QCOMPARE(running.started, utc(1, 8, 0, 7));
    QVERIFY(!running.ended.isValid()); // reported is the limit, not the end
    QCOMPARE(running.comment, u"rw-00aa11bb22cc33dd"_s);

    const JobRecord& broke = jobs->at(1);
    QCOMPARE(broke.name, u"None"_s); // a name, not nothing
    QCOMPARE(broke.reason, u"AssocGrpGRESMinutes"_s);
    QVERIFY(broke.comment.isEmpty() && broke.nodeList.isEmpty() && !broke.started.isValid());
    QCOMPARE(broke.gpus, std::optional<int>(1));

    const JobRecord& array = jobs->at(2);
    QCOMPARE(array.id, u"7102_[5-9%2]"_s);
    QVERIFY(!array.timeLimit); // UNLIMITED
    QCOMPARE(array.started, utc(2, 0, 0, 0)); // expected
    QCOMPARE(jobs->at(3).id, u"7102_4"_s);
    QVERIFY(!jobs->at(3).ended.isValid()); // completing has not ended
    QCOMPARE(jobs->at(4).name, u"two\nlines"_s);
    QCOMPARE(jobs->at(4).ended, utc(1, 7, 0, 43));
    QVERIFY(!jobs->at(4).gpus); // not reported: not zero
    QCOMPARE(jobs->at(5).state, JobState::Unknown);
    QVERIFY(!jobs->at(5).elapsed && !jobs->at(5).submitted.isValid());
}

void SlurmParsersTest::queueEmptyIsNoError()
{
    for (const QByteArray& nothing : {QByteArray(), QByteArray("\n")}) {
        const auto jobs = parseSqueue(nothing);
        QVERIFY_RESULT(jobs);
        QVERIFY(jobs->isEmpty());
    }
}

void SlurmParsersTest::queueGarbageIsUnreadable()
{
    const auto jobs = parseSqueue("Welcome to the login node!\n");
    QVERIFY(!jobs);
    QCOMPARE(jobs.error().fault, Fault::Unreadable);
    QVERIFY(jobs.error().detail.contains(u"Welcome"_s));
}

void SlurmParsersTest::accounting_data()
{
    QTest::addColumn<QString>("file");
    for (const char* version : {"20.11", "22.05", "24.11"})
        QTest::newRow(version) << u"sacct_%1.txt"_s.arg(QString::fromLatin1(version));
}

void SlurmParsersTest::accounting()
{
    QFETCH(QString, file);
    const auto jobs = parseSacct(test::recordedSlurm(file));
    QVERIFY_RESULT(jobs);
    QCOMPARE(jobs->size(), 5); // steps are not jobs
    const JobRecord& done = jobs->at(0).job;
    QCOMPARE(done.id, u"7100"_s);
    QCOMPARE(done.state, JobState::Completed);
    QCOMPARE(done.gpus, std::optional<int>(16));
    QCOMPARE(done.nodes, std::optional<int>(2));
    QCOMPARE(done.elapsed, std::optional<Seconds>(Seconds{93784}));
    QCOMPARE(done.timeLimit, std::optional<Seconds>(Seconds{2880 * 60}));
    QCOMPARE(done.ended, utc(2, 10, 3, 11));
    QCOMPARE(done.exitCode, std::optional<int>(0));

    const JobRecord& hungry = jobs->at(1).job;
    QCOMPARE(hungry.state, JobState::Failed);
    QVERIFY(!hungry.timeLimit); // Partition_Limit
    QCOMPARE(hungry.exitCode, std::optional<int>(1));
    if (file != u"sacct_24.11.txt"_s) // asked for without steps
        QCOMPARE(hungry.stepState, JobState::OutOfMemory);

    const JobRecord& cancelled = jobs->at(2).job;
    QCOMPARE(cancelled.state, JobState::Cancelled);
    QVERIFY(cancelled.nodeList.isEmpty() && !cancelled.started.isValid() && !cancelled.gpus);
    QCOMPARE(jobs->at(3).job.exitSignal, std::optional<int>(11));
    QVERIFY(!jobs->at(4).job.ended.isValid() && !jobs->at(4).job.exitCode); // runs: no exit code yet
}

void SlurmParsersTest::accountingKeepsTheSubmitLine()
{
    const auto jobs = parseSacct(test::recordedSlurm(u"sacct_22.05.txt"_s));
    QVERIFY_RESULT(jobs);
    // without AccountingStoreFlags=job_comment the comment is empty, but the command line is there
    QVERIFY(jobs->at(1).job.comment.isEmpty());
    QVERIFY(jobs->at(1).submitLine.contains(u"--comment=rw-9999888877776666"_s));
}

void SlurmParsersTest::accountingOfUnknownColumns()
{
    const auto jobs = parseSacct(test::recordedSlurm(u"sacct_24.11.txt"_s)); // has a column "Mood"
    QVERIFY_RESULT(jobs);
    QCOMPARE(jobs->at(0).job.standardOutput, u"/users/mira/logs/pretrain | phase 2-07100.out"_s);
    QVERIFY(!parseSacct("sacct: error: Slurm accounting storage is disabled\n"));
    QVERIFY_RESULT(parseSacct(QByteArray()));
}

void SlurmParsersTest::scontrolFillsTheRest()
{
    JobRecord job = parseSqueue(test::recordedSlurm(u"squeue.txt"_s))->at(0);
    job.gpus.reset();
    job = mergeScontrol(job, test::recordedSlurm(u"scontrol_22.05.txt"_s));
    QCOMPARE(job.gpus, std::optional<int>(16));
    QCOMPARE(job.standardOutput, u"/scratch/project_900001/mira/my runs/a b-7100.out"_s);
    QVERIFY(!job.exitCode); // it runs: "ExitCode=0:0" means nothing
    QCOMPARE(job.name, u"pretrain | phase 2"_s);
}

void SlurmParsersTest::scontrolOfNewerSlurm()
{
    JobRecord job;
    job.id = u"7105"_s;
    job = mergeScontrol(job, test::recordedSlurm(u"scontrol_24.11.txt"_s));
    QCOMPARE(job.state, JobState::Failed);
    QCOMPARE(job.gpus, std::optional<int>(1));
    QCOMPARE(job.exitCode, std::optional<int>(1));
    QCOMPARE(job.ended, utc(1, 10, 2, 10));
    QCOMPARE(job.standardOutput, u"/users/mira/slurm-7105.out"_s);
    QVERIFY(job.comment.isEmpty());
}

void SlurmParsersTest::submitted_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QString>("id");
    QTest::newRow("plain") << QByteArray("4711\n") << u"4711"_s;
    QTest::newRow("cluster") << QByteArray("4711;aurinko\n") << u"4711"_s;
    QTest::newRow("plug-in") << QByteArray("Billing project_1: 3 GPU-h left\n4711\n") << u"4711"_s;
    QTest::newRow("nothing") << QByteArray() << QString();
    QTest::newRow("words") << QByteArray("Submitted\n") << QString();
}

void SlurmParsersTest::submitted()
{
    QFETCH(QByteArray, answer);
    QFETCH(QString, id);
    const auto read = parseSubmitted(answer);
    QCOMPARE(read.valueOr({}), id);
    QCOMPARE(bool(read), !id.isEmpty());
}

void SlurmParsersTest::forecast_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QStringList>("nodes");
    const QStringList two{u"nid002001"_s, u"nid002002"_s};
    QTest::newRow("22.05") << QByteArray(
        "sbatch: Job 7200 to start at 2026-03-04T05:06:07 using 16 processors on nodes nid[002001-002002] "
        "in partition small-g\n")
                           << two;
    QTest::newRow("18.08 to 20.02") << QByteArray(
        "sbatch: Job 7200 to start at 2026-03-04T05:06:07 using 16 processors on nid[002001-002002]\n")
                                    << two;
    QTest::newRow("25.05 to 26.05") << QByteArray(
        "sbatch: Job 7200 to start at 2026-03-04T05:06:07 a using 16 processors on nodes nid[002001-002002] "
        "in partition small-g\n") << two;
    QTest::newRow("25.05 to 26.05, a named cluster") << QByteArray(
        "sbatch: Job 7200 to start at 2026-03-04T05:06:07 on cluster aurinko a using 16 processors on nodes "
        "nid[002001-002002] in partition small-g\n") << two;
    QTest::newRow("words that nobody has printed yet") << QByteArray(
        "sbatch: Job sEKNKTV3WPV500 (7200) is estimated to start at 2026-03-04T05:06:07, perhaps, using about 16 "
        "processors on nodes nid[002001-002002]\n") << two;
    QTest::newRow("warning first") << QByteArray(
        "sbatch: lua: you ask for much\nsbatch: Job 7200 to start at 2026-03-04T05:06:07 using 16 "
        "processors on nodes nid[002001-002002] in partition x\n")
                                   << two;
}

void SlurmParsersTest::forecast()
{
    QFETCH(QByteArray, answer);
    QFETCH(QStringList, nodes);
    const auto read = parseForecast(answer);
    QCOMPARE(read.start, utc(4, 5, 6, 7));
    QCOMPARE(read.nodes, nodes);
    QVERIFY(read.text.startsWith(u"sbatch: Job "_s));
    // whatever else is printed: no estimate
    for (const char* other : {"", "sbatch: welcome\n", "sbatch: large jobs are to start at night\n", "\xff\xfe\n",
             "sbatch: Job 7200 to start at\n"}) {
        const StartForecast none = parseForecast(other);
        QVERIFY(!none.start.isValid() && none.nodes.isEmpty() && none.text.isEmpty());
    }
}

void SlurmParsersTest::discovery()
{
    const auto facts = parseDiscovery(test::recordedSlurm(u"discover.txt"_s), 0.25);
    QVERIFY_RESULT(facts);
    QCOMPARE(facts->user, u"mira"_s);
    QCOMPARE(facts->host, u"uan02"_s);
    QCOMPARE(facts->slurmVersion, u"23.02.7"_s);
    QCOMPARE(facts->clusterName, u"aurinko"_s);
    QCOMPARE(facts->accounts, QStringList({u"project_900001"_s, u"project_900002"_s}));
    QCOMPARE(facts->partitions.size(), 3);
    const auto& small = facts->partitions.at(1); // two lines of sinfo
    QCOMPARE(small.nodes, std::optional<int>(36));
    QCOMPARE(small.idleNodes, std::optional<int>(11));
    QCOMPARE(small.maxTime, std::optional<Seconds>(Seconds{3 * 86400}));
    QCOMPARE(small.gres, u"gpu:mi250:8(S:0-3)"_s);
    QCOMPARE(facts->partitions.at(2).state, u"down"_s);
    QVERIFY(!facts->partitions.at(2).maxTime && facts->partitions.at(2).gres.isEmpty());
    // we waited 0.25 s, of which the remote used 0.18
    QVERIFY(facts->latencySeconds && qAbs(*facts->latencySeconds - 0.07) < 1e-6);
}

/// T5: what a partition and its QoS allow comes with the discovery.
void SlurmParsersTest::discoveryWithLimits()
{
    QByteArray answer = test::recordedSlurm(u"discover.txt"_s);
    const qsizetype end = answer.indexOf("\035ended");
    QVERIFY(end > 0);
    answer.insert(end,
        "\035limits\n"
        "PartitionName=standard-g AllowGroups=ALL QoS=bigjobs MaxNodes=UNLIMITED MaxTime=2-00:00:00 State=UP\n"
        "PartitionName=small-g AllowGroups=ALL QoS=N/A MaxNodes=4 MaxTime=3-00:00:00 State=UP\n"
        "\035qos\nnormal|\nbigjobs|cpu=512,gres/gpu=64,node=8\n");
    const auto facts = parseDiscovery(answer, 0.25);
    QVERIFY_RESULT(facts);
    QCOMPARE(facts->partitions.at(0).maxGpusPerUser, std::optional<int>(64));
    QVERIFY(!facts->partitions.at(0).maxNodes);
    QCOMPARE(facts->partitions.at(1).maxNodes, std::optional<int>(4));
    QVERIFY(!facts->partitions.at(1).maxGpusPerUser);
}

void SlurmParsersTest::discoveryWithoutSlurm()
{
    QByteArray answer = test::recordedSlurm(u"discover.txt"_s);
    answer.replace("slurm 23.02.7", "");
    QVERIFY(!parseDiscovery(answer, 0.1));
    // a date(1) that knows no nanoseconds
    answer = test::recordedSlurm(u"discover.txt"_s);
    answer.replace("1772352000180000000", "1772352000N");
    const auto facts = parseDiscovery(answer, 0.25);
    QVERIFY_RESULT(facts);
    QVERIFY(!facts->latencySeconds);
}

void SlurmParsersTest::outputPatterns_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("expanded");
    const auto row = [](const char* path, const char* expanded) {
        QTest::newRow(path) << QString::fromLatin1(path) << QString::fromLatin1(expanded);
    };
    // sbatch(1), filename pattern
    row("slurm-%A_%a.out", "slurm-7102_4.out");
    row("%x/%u.txt", "sweep/mira.txt");
    row("job%4a.out", "job0004.out");
    row("%8A.out", "00007102.out");
    row("100%%", "100%");
    row("%N.log", "nid002003.log");
    row("\\%j.out", "%j.out");
    row("a\\b%a.out", "ab%a.out"); // anywhere in it
    row("%b.out", "4.out");
    row("%3b-%r-%2r.out", "004-2-02.out");
    row("%n-%4n.%t", "0-0000.0"); // the batch script: task 0 of node 0
    row("%s-%5s.out", "batch-batch.out");
    row("%S.out", "sEKNKTV3WPV500.out");
    row("%99A.out", "0000007102.out"); // ten digits at most
    row("%20x.%9u", "sweep.mira"); // no number
    row("%0a.out", "4.out");
    row("%5%.out", "%5%.out");
    row("%%j.out", "%j.out");
    row("%j.out", "%j.out"); // of an array's task: its own number is not reported
    row("%q.out", "%q.out");
    row("", "");
}

void SlurmParsersTest::outputPatterns()
{
    QFETCH(QString, path);
    QFETCH(QString, expanded);
    JobRecord job;
    job.id = u"7102_4"_s;
    job.name = u"sweep"_s;
    job.user = u"mira"_s;
    job.nodeList = {u"nid002003"_s};
    job.restarts = 2;
    job.sluid = u"sEKNKTV3WPV500"_s;
    QCOMPARE(expandOutputPattern(path, job), expanded);
}

void SlurmParsersTest::numbersInPatterns()
{
    JobRecord job;
    job.id = u"42"_s;
    job.name = u"7"_s;
    QCOMPARE(expandOutputPattern(u"%5x-%5j-%a-%b-%r-%S"_s, job), u"7-00042-%a-%b-%r-%S"_s); // a name is not a number
    job.id = u"7102_4"_s;
    job.stepJob = u"7110"_s; // reported by scontrol
    QCOMPARE(expandOutputPattern(u"%j_%A"_s, job), u"7110_7102"_s);
    job.id = u"7102_[5-9]"_s;
    QCOMPARE(expandOutputPattern(u"%b-%a"_s, job), u"%b-%a"_s);
}

void SlurmParsersTest::ids_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isId");
    for (const char* id : {"1", "123_4", "123_[5-9%2]", "123+1", "sEKNKTV3WPV500", "s0000000000000"})
        QTest::newRow(id) << QString::fromLatin1(id) << true;
    for (const char* other : {"", "0x1", "12x", "sEKNKTV3WPV50", "sEKNKTV3WPV5000", "sEKNKTV3WPV50U", "seknktv3wpv500",
             "SEKNKTV3WPV500", "sEKNKTV3WPV500;ls", "sEKNKTV3WPV500\n", "sEKNKTV3WPV500_1"})
        QTest::newRow(other) << QString::fromLatin1(other) << false;
}

void SlurmParsersTest::ids()
{
    QFETCH(QString, text);
    QFETCH(bool, isId);
    QCOMPARE(isJobId(text), isId);
    QCOMPARE(jobIdFault(text).has_value(), !isId);
}

void SlurmParsersTest::anythingIsSurvived_data()
{
    QTest::addColumn<QByteArray>("bytes");
    for (const char* name : {"squeue.txt", "sacct_22.05.txt", "scontrol_22.05.txt", "discover.txt"})
        QTest::newRow(name) << test::recordedSlurm(QString::fromLatin1(name));
    QByteArray noise(4000, '\0');
    QRandomGenerator random(20260301);
    for (char& byte : noise)
        byte = char(random.bounded(256));
    QTest::newRow("noise") << noise;
    QTest::newRow("marks") << QByteArray("\x1e\x1f\x1d\n\x1e\x1f\n\x1d\x1d\n");
}

void SlurmParsersTest::anythingIsSurvived()
{
    QFETCH(QByteArray, bytes);
    const auto whole = parseSqueue(bytes).valueOr({});
    for (qsizetype length = 0; length <= bytes.size(); ++length) {
        const QByteArray cut = bytes.left(length);
        // a cut answer gives fewer records, never other ones
        const auto part = parseSqueue(cut).valueOr({});
        QVERIFY(part.size() <= whole.size());
        for (qsizetype i = 0; i < part.size(); ++i)
            QVERIFY(part.at(i) == whole.at(i));
        parseSacct(cut);
        if (length < 1500) {
            mergeScontrol({}, cut);
            parseSubmitted(cut);
            parseForecast(cut);
        }
        parseDiscovery(cut, 1);
    }
}

RANKWRIGHT_TEST_MAIN(SlurmParsersTest)
#include "tst_slurmparsers.moc"
