// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/jobusagejson.h"
#include "models/cluster/slurm/slurmclient.h"
#include "models/cluster/slurm/slurmcommands.h"
#include "models/cluster/slurm/slurmtext.h"
#include "tests/support/fakeshell.h"
#include "tests/support/recordedfile.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr double gib = 1073741824.0;

} // namespace

/// What sacct reports about a job's use, by version; the figures are worked out by hand from the recorded answers.
class JobUsageTest final : public test::Suite {
    Q_OBJECT
private slots:
    void cpuTimes_data();
    void cpuTimes();
    void memorySizes_data();
    void memorySizes();
    void slurm2011();
    void slurm2205();
    void oneThatWasKilled();
    void slurm2411();
    void memoryPerCpu();
    void stepsSideBySide();
    void readsCommandsOfSeveralLines();
    void manyLinesOfOneCell();
    void survivesAnything();
    void keptAndReadBack_data();
    void keptAndReadBack();
    void clientAsksOnceAndSorts();
    void refusesWhatIsNoId();
};

void JobUsageTest::cpuTimes_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("seconds"); // below 0: unknown
    QTest::newRow("minutes") << u"00:01.234"_s << 1.234;
    QTest::newRow("minutes over an hour's") << u"75:30.000"_s << 4530.0;
    QTest::newRow("hours") << u"02:10:33"_s << 7833.0;
    QTest::newRow("days") << u"1-02:03:04"_s << 93784.0;
    QTest::newRow("days with fraction") << u"12-00:00:00.500"_s << 1036800.5;
    QTest::newRow("zero is not measured") << u"00:00:00"_s << -1.0;
    QTest::newRow("zero with fraction") << u"00:00.000"_s << -1.0;
    QTest::newRow("empty") << QString() << -1.0;
    QTest::newRow("word") << u"INVALID"_s << -1.0;
    QTest::newRow("comma") << u"00:01,234"_s << -1.0;
}

void JobUsageTest::cpuTimes()
{
    QFETCH(QString, text);
    QFETCH(double, seconds);
    QCOMPARE(slurmCpuTime(text).value_or(-1), seconds);
}

void JobUsageTest::memorySizes_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("bytes"); // below 0: unknown
    QTest::newRow("K") << u"5156K"_s << 5156.0 * 1024;
    QTest::newRow("M") << u"512M"_s << 512.0 * 1048576;
    QTest::newRow("G with fraction") << u"90.50G"_s << 90.5 * gib;
    QTest::newRow("T") << u"1T"_s << 1024 * gib;
    QTest::newRow("bare bytes") << u"1523904"_s << 1523904.0;
    QTest::newRow("zero is not measured") << u"0"_s << -1.0;
    QTest::newRow("zero with unit") << u"0K"_s << -1.0;
    QTest::newRow("empty") << QString() << -1.0;
    QTest::newRow("word") << u"16?"_s << -1.0;
    QTest::newRow("negative") << u"-5K"_s << -1.0;
    QTest::newRow("beyond all machines") << u"999999999999E"_s << -1.0;
}

void JobUsageTest::memorySizes()
{
    QFETCH(QString, text);
    QFETCH(double, bytes);
    const auto read = slurmUsedMemory(text);
    QCOMPARE(read ? double(read->count) : -1, bytes);
}

void JobUsageTest::slurm2011()
{
    const auto reported = parseUsage(test::recordedSlurm(u"usage_20.11.txt"_s));
    QVERIFY_RESULT(reported);
    QCOMPARE(reported->size(), 1);
    const JobUsage& job = reported->first();
    QCOMPARE(job.job.id, u"5100"_s);
    QCOMPARE(job.job.gpus, std::optional(8));
    QCOMPARE(job.cpus, std::optional(80));
    QCOMPARE(job.memory, std::optional(Bytes::gib(700)));
    QCOMPARE(job.memoryPerNode(), std::optional(Bytes::gib(350)));
    QCOMPARE(job.cpuSeconds, std::optional(144000.0)); // 1 day 16 hours
    QCOMPARE(job.busyCpus(), std::optional(20.0)); // 144000 s / 7200 s
    QVERIFY(!job.energyJoules); // 0: no meter
    QVERIFY(!job.suspended);
    QCOMPARE(job.billingPerHour, std::optional(80.0));
    QCOMPARE(job.qos, u"normal"_s);
    QCOMPARE(job.steps.size(), 2); // Slurm's own "extern" is none of the user's
    QCOMPARE(job.steps.at(1).tasks, std::optional(8));
    QVERIFY(!job.steps.at(1).energyJoules);
    // The batch shell beside the step: 4 tasks on a node at 20 GiB each are 80 GiB, below the 120 GiB of all tasks.
    QCOMPARE(job.peakMemoryPerNode()->count, 80 * qint64(gib) + 5156 * 1024);
    QCOMPARE(job.tasksPerNode(), std::optional(4));
    QVERIFY(!job.gpuPercent() && !job.gpuMemoryMost());
}

void JobUsageTest::slurm2205()
{
    const auto reported = parseUsage(test::recordedSlurm(u"usage_22.05.txt"_s));
    QVERIFY_RESULT(reported);
    QCOMPARE(reported->size(), 2);
    const JobUsage& job = reported->first();
    QCOMPARE(job.memory, std::optional(Bytes::gib(480)));
    QCOMPARE(job.energyJoules, std::optional(18e6)); // 5 kWh
    QVERIFY(qFuzzyCompare(job.busyCpus().value_or(0), 11.2)); // 11.2 h of 112 CPUs in 1 h
    QCOMPARE(job.steps.size(), 3);
    // 100 GiB with the shell's 20 MiB, and for ten minutes a monitoring step of 30 MiB
    QCOMPARE(job.peakMemoryPerNode()->count, 100 * qint64(gib) + 50 * 1048576);
    QCOMPARE(job.tasksPerNode(), std::optional(1));
}

void JobUsageTest::oneThatWasKilled()
{
    const auto reported = parseUsage(test::recordedSlurm(u"usage_22.05.txt"_s));
    QVERIFY_RESULT(reported);
    const JobUsage& job = reported->at(1);
    QCOMPARE(job.job.stepState, JobState::OutOfMemory);
    QVERIFY(!job.cpuSeconds && !job.busyCpus()); // 00:00:00: the step died before it could report
    QVERIFY(!job.energyJoules); // NO_VAL
    QVERIFY(!job.job.timeLimit);
    QCOMPARE(job.peakMemoryPerNode()->count, qint64(62910000) * 1024);
}

void JobUsageTest::slurm2411()
{
    const auto reported = parseUsage(test::recordedSlurm(u"usage_24.11.txt"_s));
    QVERIFY_RESULT(reported);
    QCOMPARE(reported->size(), 1);
    const JobUsage& job = reported->first();
    QCOMPARE(job.job.id, u"9001_4"_s);
    QCOMPARE(job.job.standardOutput, u"/home/mira/slurm-9001_4.out"_s);
    QCOMPARE(job.suspended, std::optional(Seconds{300}));
    QCOMPARE(job.gpuPercent(), std::optional(71.0));
    QCOMPARE(job.gpuMemoryMost(), std::optional(Bytes::gib(64)));
    QCOMPARE(job.peakMemoryPerNode(), std::optional(Bytes::gib(90.5)));
    QVERIFY(!job.energyJoules);
}

void JobUsageTest::memoryPerCpu()
{
    QByteArray answer = test::recordedSlurm(u"usage_20.11.txt"_s);
    answer.replace("mem=700G,", "");
    answer.replace("350Gn", "4000Mc");
    const auto reported = parseUsage(answer);
    QVERIFY_RESULT(reported);
    QCOMPARE(reported->first().memory, std::optional(Bytes::mib(80 * 4000)));
}

/// Minutes 0 to 10 with 10 GiB, 10 to 20 with 30 GiB, 5 to 15 with 4 GiB, one without times: what ran together is
/// added.
void JobUsageTest::stepsSideBySide()
{
    const QDateTime start(QDate(2026, 3, 1), QTime(10, 0), Qt::UTC);
    const auto step = [&](int from, int to, double memory) {
        StepUsage one;
        one.started = start.addSecs(60 * from);
        one.ended = start.addSecs(60 * to);
        one.summedMemory = Bytes::gib(memory);
        return one;
    };
    JobUsage usage;
    usage.steps = {step(0, 10, 10), step(10, 20, 30)};
    QCOMPARE(usage.peakMemoryPerNode(), std::optional(Bytes::gib(30)));
    usage.steps.append(step(5, 15, 4));
    QCOMPARE(usage.peakMemoryPerNode(), std::optional(Bytes::gib(34)));
    usage.steps.append(step(30, 40, 33));
    QCOMPARE(usage.peakMemoryPerNode(), std::optional(Bytes::gib(34)));
    usage.steps.last().ended = {}; // still runs
    usage.steps.append(step(35, 36, 2));
    QCOMPARE(usage.peakMemoryPerNode(), std::optional(Bytes::gib(35)));
}

/// SubmitLine is the command as it was typed: that of `srun bash -c '...'` has several lines.
void JobUsageTest::readsCommandsOfSeveralLines()
{
    const QByteArray answer = test::recordedSlurm(u"usage_22.05.txt"_s);
    const auto before = parseUsage(answer);
    QVERIFY_RESULT(before);
    QByteArray several = answer;
    QVERIFY(several.contains("sbatch --parsable"));
    several.replace(
        "sbatch --parsable", "srun bash -c 'export RANK=$SLURM_PROCID\n exec \"$@\"' _ \n python3 train.py");
    const auto after = parseUsage(several);
    QVERIFY_RESULT(after);
    QCOMPARE(after->size(), before->size());
    for (qsizetype i = 0; i < after->size(); ++i)
        QCOMPARE(after->at(i).steps, before->at(i).steps);
}

/// A command may have tens of thousands of lines: reading takes time in proportion to them, not minutes.
void JobUsageTest::manyLinesOfOneCell()
{
    const QByteArray answer = test::recordedSlurm(u"usage_22.05.txt"_s);
    const auto before = parseUsage(answer);
    QVERIFY_RESULT(before);
    QByteArray several = answer;
    const QByteArray lines = QByteArray("echo a line\n").repeated(50'000 / int(answer.count("sbatch --parsable")));
    several.replace("sbatch --parsable", lines);
    const auto after = parseUsage(several);
    QVERIFY_RESULT(after);
    QCOMPARE(after->size(), before->size());
    QCOMPARE(after->first().steps, before->first().steps);
    // no row takes that much: what is after it is read
    QByteArray endless = answer;
    const QByteArray begun = cellMark + QByteArray("begun\n") + QByteArray("x\n").repeated(2'000'000);
    endless.insert(endless.indexOf('\n') + 1, begun);
    const auto behind = parseUsage(endless);
    QVERIFY_RESULT(behind);
    QCOMPARE(behind->size(), before->size());
}

void JobUsageTest::survivesAnything()
{
    QVERIFY(!parseUsage("sacct: error: Slurm accounting storage is disabled\n"));
    QVERIFY(parseUsage({}));
    QRandomGenerator random(7);
    for (const QString& file : {u"usage_20.11.txt"_s, u"usage_22.05.txt"_s, u"usage_24.11.txt"_s}) {
        const QByteArray whole = test::recordedSlurm(file);
        for (int length = 0; length <= whole.size(); length += 3)
            parseUsage(whole.left(length));
        for (int round = 0; round < 300; ++round) {
            QByteArray changed = whole;
            for (int i = 0; i < 5; ++i)
                changed[random.bounded(int(changed.size()))] = char(random.bounded(256));
            const auto reported = parseUsage(changed);
            for (const JobUsage& job : reported.valueOr({})) {
                QVERIFY(!job.cpuSeconds || *job.cpuSeconds > 0);
                QVERIFY(!job.energyJoules || *job.energyJoules > 0);
                QVERIFY(!job.peakMemoryPerNode() || job.peakMemoryPerNode()->count > 0);
            }
        }
    }
}

void JobUsageTest::keptAndReadBack_data()
{
    QTest::addColumn<QString>("file");
    for (const char* version : {"20.11", "22.05", "24.11"})
        QTest::newRow(version) << u"usage_%1.txt"_s.arg(QLatin1String(version));
}

void JobUsageTest::keptAndReadBack()
{
    QFETCH(QString, file);
    const auto reported = parseUsage(test::recordedSlurm(file));
    QVERIFY_RESULT(reported);
    for (const JobUsage& job : *reported) {
        const auto back = jobUsageFromJson(JsonReader(jobUsageJson(job)));
        QVERIFY_RESULT(back);
        QCOMPARE(*back, job);
    }
    const auto nothing = jobUsageFromJson(JsonReader(QJsonObject()));
    QVERIFY(!nothing);
    QCOMPARE(nothing.error().what, u"$.job: expected an object, found nothing"_s);
}

void JobUsageTest::clientAsksOnceAndSorts()
{
    test::FakeShell shell;
    shell.expect(u"sacct"_s, {test::recordedSlurm(u"usage_22.05.txt"_s)});
    SlurmClient client(shell);
    QStringList order;
    client.usage({u"7105"_s, u"7100"_s}, &shell, [&](const Result<QList<JobUsage>>& reported) {
        QVERIFY_RESULT(reported);
        for (const JobUsage& job : *reported)
            order.append(job.job.id);
    });
    QTRY_COMPARE(order, QStringList({u"7105"_s, u"7100"_s}));
}

void JobUsageTest::refusesWhatIsNoId()
{
    test::FakeShell shell;
    SlurmClient client(shell);
    bool refused = false;
    client.usage({u"7100"_s, u"7100; rm -rf ~"_s}, &shell, [&](const Result<QList<JobUsage>>& reported) {
        refused = !reported && reported.error().fault == Fault::Invalid;
    });
    QVERIFY(refused);
}

RANKWRIGHT_TEST_MAIN(JobUsageTest)
#include "tst_jobusage.moc"
