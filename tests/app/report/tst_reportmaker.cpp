// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/commands/commands.h"
#include "app/report/reportmaker.h"
#include "app/store/joblog.h"
#include "app/store/recordings.h"
#include "app/store/recordingwriter.h"
#include "models/cluster/slurm/slurmclient.h"
#include "models/cluster/slurm/slurmtext.h"
#include "models/script/document/designjson.h"
#include "tests/app/support/openstore.h"
#include "tests/app/support/recordedjob.h"
#include "tests/support/fakeshell.h"
#include "tests/support/recordedfile.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QThreadPool>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

QByteArray section(int number, const QByteArray& text)
{
    return '\n' + QByteArray(1, sectionMark) + QByteArray::number(number) + '\n' + text;
}

} // namespace

/// From a cluster's answers and what is kept here to reports.
class ReportMakerTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void asksOnceAndKeeps();
    void damagedUsageIsTold();
    void readsRecordingsAside();
    void withoutAccounting();
    void unknownJob();
    void cpusOfHardwareThreads();
    void logsOfEveryUnit_data();
    void logsOfEveryUnit();
    void outputsAreFound();
    void errorsInAFileOfTheirOwn();
    void advicesChangeTheDesign();
    void headless_data();
    void headless();

private:
    Result<JobReports> made(const QList<JobId>& jobs, const QString& cluster = u"lumi"_s);
    Catalogue m_catalogue = loadCatalogue({});
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<test::FakeShell> m_shell;
    std::unique_ptr<SlurmClient> m_client;
    std::unique_ptr<ReportMaker> m_maker;
};

void ReportMakerTest::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    m_client.reset();
    m_shell = std::make_unique<test::FakeShell>();
    m_client = std::make_unique<SlurmClient>(*m_shell);
    m_maker = std::make_unique<ReportMaker>(m_catalogue, nullptr, m_folder->path());
}

Result<JobReports> ReportMakerTest::made(const QList<JobId>& jobs, const QString& cluster)
{
    std::optional<Result<JobReports>> answer;
    m_maker->make(*m_client, *m_shell, cluster, jobs, SumUp::All, this,
        [&](const Result<JobReports>& reported) { answer = reported; });
    (void)test::comes([&answer] { return answer.has_value(); });
    return answer ? *answer : Result<JobReports>(fail(Fault::TimedOut, u"no answer"_s));
}

void ReportMakerTest::asksOnceAndKeeps()
{
    m_shell->expect(u"sacct"_s, {test::recordedSlurm(u"usage_22.05.txt"_s)});
    m_shell->expect(u"tail -c"_s, {section(0, "step 400/1000 loss 2.1 64.0 samples/s\n")});
    const auto reported = made({u"7100"_s});
    QVERIFY_RESULT(reported);
    QCOMPARE(m_shell->commands().size(), 2); // one question to Slurm, one to the files
    const EfficiencyReport& report = reported->reports.first();
    QCOMPARE(report.job.id, u"7100"_s);
    QCOMPARE(report.gpuWord, u"GCD"_s);
    // LUMI: a whole node for an hour is 4 GPU-hours (docs.lumi-supercomputer.eu, billing)
    QCOMPARE(report.figure(u"cost"_s)->value, std::optional(4.0));
    QCOMPARE(report.figure(u"nodeEnergy"_s)->value, std::optional(5.0)); // 18 MJ
    QCOMPARE(report.figure(u"samplesPerSecond"_s)->value, std::optional(64.0));
    QCOMPARE(report.figure(u"steps"_s)->value, std::optional(400.0));
    QVERIFY(!report.figure(u"gpuUse"_s)->value);
    const auto again = m_maker->makeOfflineNow(u"lumi"_s, {u"7100"_s});
    QVERIFY_RESULT(again);
    QCOMPARE(again->reports, reported->reports);
    QVERIFY(again->keptSince.isValid());
    QVERIFY(!m_maker->makeOfflineNow(u"lumi"_s, {u"7105"_s}));
    QVERIFY(!m_maker->canOffline(u"lumi"_s, {u"7100"_s, u"7105"_s}));
}

/// The report is made all the same; what was kept is not taken for nothing.
void ReportMakerTest::damagedUsageIsTold()
{
    QVERIFY(QDir(m_folder->path()).mkpath(u"usage"_s));
    QFile kept(m_folder->filePath(u"usage/lumi-7100.json"_s));
    QVERIFY(kept.open(QIODevice::WriteOnly) && kept.write(R"({"version":2,"cluster":7})") > 0);
    kept.close();
    const auto offline = m_maker->makeOfflineNow(u"lumi"_s, {u"7100"_s});
    QVERIFY(!offline);
    QVERIFY(offline.error().detail.contains(u"$.cluster: expected text, found the number 7"_s));
    m_shell->expect(u"sacct"_s, {test::recordedSlurm(u"usage_22.05.txt"_s)});
    m_shell->expect(u"tail -c"_s, {section(0, "step 400/1000 loss 2.1 64.0 samples/s\n")});
    const auto reported = made({u"7100"_s});
    QVERIFY_RESULT(reported);
    QCOMPARE(reported->notes.size(), 1);
    QVERIFY2(reported->notes.first().contains(u"$.cluster"_s), qPrintable(reported->notes.first()));
    QVERIFY_RESULT(m_maker->makeOfflineNow(u"lumi"_s, {u"7100"_s})); // reported again it took its place
}

void ReportMakerTest::readsRecordingsAside()
{
    const RecordingFacts facts = test::recordedJob(u"12"_s, {u"n1"_s});
    {
        auto writer = RecordingWriter::open(recordingsFolder(m_folder->path()), facts);
        QVERIFY_RESULT(writer);
        QRandomGenerator random{1};
        for (int second = 0; second < 120; ++second)
            (*writer)->append(test::trainingTick(random, u"n1"_s, test::recordedStart + second * 1000LL), 0);
        QVERIFY_RESULT((*writer)->commit(test::recordedStart + 120'000));
    }
    const QString& cluster = facts.cluster;
    const auto now = m_maker->makeOfflineNow(cluster, {u"12"_s});
    QVERIFY_RESULT(now);
    QVERIFY(now->reports.first().figure(u"gpuUse"_s)->value);
    std::optional<Result<JobReports>> reported;
    const auto keep = [&reported](const Result<JobReports>& made) { reported = made; };
    QSignalSpy summed(m_maker.get(), &ReportMaker::sumProgressed);
    m_maker->makeOffline(cluster, {u"12"_s}, SumUp::First, this, keep);
    QVERIFY(!reported); // the window goes on meanwhile
    QTRY_VERIFY(reported);
    QVERIFY_RESULT(*reported);
    QCOMPARE((*reported)->reports, now->reports);
    for (const QVariantList& share : std::as_const(summed))
        QVERIFY(share.first().toDouble() >= 0 && share.first().toDouble() <= 1);
    reported.reset();
    m_maker->makeOffline(cluster, {u"12"_s}, SumUp::None, this, keep);
    QVERIFY(reported && *reported && !(*reported)->reports.first().figure(u"gpuUse"_s)->value);
    reported.reset();
    auto guard = std::make_unique<QObject>();
    m_maker->makeOffline(cluster, {u"12"_s}, SumUp::All, guard.get(), keep);
    guard.reset();
    QVERIFY(QThreadPool::globalInstance()->waitForDone(test::longWaitMs));
    test::quietFor(20);
    QVERIFY(!reported); // nobody waits for it any more
}

void ReportMakerTest::withoutAccounting()
{
    m_shell->expect(u"sacct"_s, {{}, "Slurm accounting storage is disabled\n", 1});
    const QByteArray us(1, cellMark);
    QByteArrayList cells{"7100", "COMPLETED", "None", "pretrain", "mira", "project_900001", "small-g", "1", "nid002001",
        "gres:gpu:8", "1:00:00", "2:00:00", "2026-03-01T08:00:00", "2026-03-01T08:00:07", "2026-03-01T09:00:07", "",
        "/scratch"};
    m_shell->expect(
        u"squeue"_s, {QByteArray(1, sectionMark) + "squeue\n" + QByteArray(1, recordMark) + cells.join(us) + '\n'});
    m_shell->expect(u"tail -c"_s, {{}});
    const auto reported = made({u"7100"_s});
    QVERIFY_RESULT(reported);
    QCOMPARE(reported->notes.size(), 1);
    QCOMPARE(reported->reports.first().figure(u"gpuHours"_s)->value, std::optional(8.0));
    QVERIFY(!reported->reports.first().figure(u"hostMemory"_s)->value);
    QVERIFY(reported->reports.first().unknown.join(u' ').contains(u"accounting"_s));
}

void ReportMakerTest::unknownJob()
{
    m_shell->expect(u"sacct"_s, {test::recordedSlurm(u"usage_22.05.txt"_s).split('\n').first() + '\n'});
    m_shell->expect(u"squeue"_s, {{}, "slurm_load_jobs error: Invalid job id specified\n", 1});
    const auto reported = made({u"99"_s});
    QVERIFY(!reported);
    QCOMPARE(reported.error().fault, Fault::Invalid);
}

void ReportMakerTest::cpusOfHardwareThreads()
{
    // 112 CPUs of a LUMI-G node are the threads of its 56 cores: no more than the share of 8 GCDs
    const auto usage = parseUsage(test::recordedSlurm(u"usage_22.05.txt"_s));
    QVERIFY_RESULT(usage);
    const JobCase made = makeCase(usage->first(), UsageSource::Accounting, {}, m_catalogue.find(u"lumi"_s), {});
    QCOMPARE(made.inputs.rules.cpusPerCore, 2);
    QVERIFY(made.inputs.rules.wholeNodes);
    const EfficiencyReport report = makeReport(made.inputs);
    for (const ReportAdvice& advice : report.advice)
        QVERIFY2(advice.kind != AdviceKind::Cpus && advice.kind != AdviceKind::Memory, qPrintable(advice.text));
    QCOMPARE(report.advice.first().option, u"--time=01:15:00"_s); // an hour of two days
}

void ReportMakerTest::logsOfEveryUnit_data()
{
    QTest::addColumn<QString>("unit");
    QTest::addColumn<double>("rate");
    QTest::addColumn<double>("stepSeconds");
    QTest::addColumn<double>("samplesPerSecond");
    QTest::newRow("it/s") << u"it/s"_s << 4.0 << 0.25 << -1.0;
    QTest::newRow("s/it") << u"s/it"_s << 2.5 << 2.5 << -1.0;
    QTest::newRow("ms/it") << u"ms/it"_s << 300.0 << 0.3 << -1.0;
    QTest::newRow("samples/s") << u"samples/s"_s << 128.0 << 0.5 << 128.0; // 64 in a step
    QTest::newRow("unknown unit") << u"foo/s"_s << 128.0 << -1.0 << -1.0;
}

void ReportMakerTest::logsOfEveryUnit()
{
    QFETCH(QString, unit);
    QFETCH(double, rate);
    QFETCH(double, stepSeconds);
    QFETCH(double, samplesPerSecond);
    TrainingProgress progress;
    progress.rate = rate;
    progress.rateUnit = unit;
    const MeasuredTraining reported = measuredBy(progress, 64);
    QCOMPARE(reported.stepSeconds.value_or(-1), stepSeconds);
    QCOMPARE(reported.samplesPerSecond.value_or(-1), samplesPerSecond);
}

void ReportMakerTest::outputsAreFound()
{
    JobRecord job;
    job.id = u"12"_s;
    job.name = u"gpt"_s;
    job.workdir = u"/scratch/mira"_s;
    QCOMPARE(outputPaths(job, {}), QStringList({u"/scratch/mira/slurm-12.out"_s, u"/scratch/mira/gpt-12.out"_s}));
    job.standardOutput = u"/logs/a.out"_s;
    QCOMPARE(outputPaths(job, {}).first(), u"/logs/a.out"_s);
    job = {};
    job.id = u"12_3"_s;
    job.workdir = u"/w"_s;
    QVERIFY(outputPaths(job, {}).contains(u"/w/slurm-12_3.out"_s));
    const QStringList paths{u"/a'b"_s, u"/none"_s};
    QVERIFY(logEndingCommand(paths).line.contains(uR"('/a'\''b')"_s));
    const QByteArray ranks = "rankwright: rank 0 of 4 on node n1: cores 0-6 as planned, device 0\n";
    const auto found = splitLogEndings(
        section(0, "step 3/10 loss 1.5 8.0 samples/s\n") + section(0, ranks).replace("0\nrank", "ranks0\nrank"), paths);
    QCOMPARE(readLogEnding({found.value(paths.first())}).binding.bound(), std::optional(4));
    const auto endings = splitLogEndings(section(0, "step 3/10 loss 1.5 8.0 samples/s\n") + section(1, {}), paths);
    QCOMPARE(endings.size(), 1);
    QCOMPARE(readLogEnding({endings.value(u"/a'b"_s)}).progress.step, std::optional<qint64>(3));
}

/// With --error the ranks report there, bars and tracebacks go there, too: all of it was missing in the report.
void ReportMakerTest::errorsInAFileOfTheirOwn()
{
    const auto database = test::openStore(m_folder->path());
    JobLog log(*database);
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    spec.name = u"pretrain"_s;
    spec.options.output = u"logs/%x-%j.out"_s;
    spec.options.error = u"logs/%x-%j.err"_s;
    const auto entry = log.record({u"rw-00aa11bb22cc33dd"_s, u"lumi"_s, u"pretrain"_s, writeDesign(spec),
        "#!/bin/bash\n#SBATCH --error=logs/%x-%j.err\ntrue\n", u"/scratch/project_900001/mira"_s});
    QVERIFY_RESULT(entry);
    QVERIFY_RESULT(log.markKnown(entry->id, u"7100"_s));
    m_shell->expect(u"sacct"_s, {test::recordedSlurm(u"usage_22.05.txt"_s)});
    m_shell->expect(u"tail -c"_s, {}, true); // which files are asked for
    ReportMaker asking(m_catalogue, &log, m_folder->path());
    bool done = false;
    asking.make(*m_client, *m_shell, u"lumi"_s, {u"7100"_s}, SumUp::None, this,
        [&done](const Result<JobReports>&) { done = true; });
    QTRY_VERIFY(done);
    const QString asked = m_shell->lines().last();
    QVERIFY2(asked.contains(u"/scratch/project_900001/mira/logs/pretrain-7100.err"_s), qPrintable(asked));

    const QStringList paths{u"/w/a.out"_s, u"/w/a.err"_s};
    const QByteArray ranks = "rankwright: rank 0 of 4 on node n1: cores 0-6 as planned, device 0\n";
    const auto found = splitLogEndings(section(0, "loading the data\n")
            + section(1,
                " 30%|###   | 300/1000 [01:00<02:20,  5.00it/s]\n"
                "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n")
            + section(1, ranks).replace("1\nrank", "ranks1\nrank"),
        paths);
    const LogEnding ending = readLogEnding({found.value(paths.at(0)), found.value(paths.at(1))});
    QCOMPARE(ending.binding.bound(), std::optional(4));
    QCOMPARE(ending.progress.step, std::optional<qint64>(300));
    QVERIFY(!ending.diagnoses.isEmpty());
    QCOMPARE(ending.diagnoses.first().kind, u"oom_gpu"_s);
}

void ReportMakerTest::advicesChangeTheDesign()
{
    JobSpec spec;
    const auto advice = [](const QString& field, double value) { return ReportAdvice{{}, {}, {}, {}, field, value}; };
    QVERIFY(applyAdvice(spec, advice(u"time"_s, 5400)));
    QCOMPARE(spec.time, std::optional(Seconds{5400}));
    QVERIFY(applyAdvice(spec, advice(u"resources.memoryPerNode"_s, double(Bytes::gib(53).count))));
    QCOMPARE(spec.resources.memoryPerNode, std::optional(Bytes::gib(53)));
    QVERIFY(applyAdvice(spec, advice(u"resources.gpusPerNode"_s, 2)));
    QCOMPARE(spec.resources.gpusPerNode, std::optional(2));
    QVERIFY(applyAdvice(spec, advice(u"resources.cpusPerGpu"_s, 3)));
    QVERIFY(applyAdvice(spec, advice(u"resources.nodes"_s, 1)));
    QVERIFY(applyAdvice(spec, advice(u"training.microBatch"_s, 16)));
    QCOMPARE(spec.training.microBatch, std::optional<qint64>(16));
    QVERIFY(!applyAdvice(spec, advice({}, 1)));
}

void ReportMakerTest::headless_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("code");
    QTest::newRow("no job") << QStringList{u"report"_s, u"lumi"_s} << 2;
    QTest::newRow("no id") << QStringList{u"report"_s, u"lumi"_s, u"abc"_s} << 2;
    QTest::newRow("no cluster") << QStringList{u"report"_s, u"nowhere"_s, u"1"_s} << 2;
    QTest::newRow("nothing kept") << QStringList{u"report"_s, u"lumi"_s, u"1"_s, u"--offline"_s} << 1;
    QTest::newRow("kept") << QStringList{u"report"_s, u"lumi"_s, u"7100"_s, u"--offline"_s, u"--json"_s} << 0;
}

void ReportMakerTest::headless()
{
    QFETCH(QStringList, words);
    QFETCH(int, code);
    const auto usage = parseUsage(test::recordedSlurm(u"usage_22.05.txt"_s));
    QVERIFY_RESULT(usage);
    QVERIFY_RESULT(
        storeUsage(m_folder->path(), {u"lumi"_s, QDateTime::currentDateTimeUtc(), usage->first(), true, {}}));
    QString out, err;
    QTextStream outStream(&out), errStream(&err);
    words += {u"--data-dir"_s, m_folder->path()};
    QCOMPARE(runCommandLine(allCommands(), words, outStream, errStream, {}), code);
    if (code != 0) {
        QVERIFY(out.isEmpty());
        QVERIFY(err.startsWith(u"rankwright-cli: "_s));
        return;
    }
    const QJsonObject answer = QJsonDocument::fromJson(out.toUtf8()).object();
    const QJsonObject job = answer.value(u"jobs"_s).toArray().at(0).toObject();
    QCOMPARE(job.value(u"jobId"_s).toString(), u"7100"_s);
    QVERIFY(job.value(u"gpuUsePercent"_s).isNull());
    QCOMPARE(job.value(u"cost"_s).toObject().value(u"amount"_s).toDouble(), 4.0);
    const QJsonObject base = answer.value(u"speedup"_s).toArray().at(0).toObject();
    QCOMPARE(base.value(u"gpus"_s).toInt(), 8);
    QCOMPARE(base.value(u"seconds"_s).toDouble(), 3600.0);
    QCOMPARE(base.value(u"efficiency"_s).toDouble(), 1.0);
}

RANKWRIGHT_TEST_MAIN(ReportMakerTest)
#include "tst_reportmaker.moc"
