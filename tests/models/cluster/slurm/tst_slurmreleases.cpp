// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/draft/clusterdraft.h"
#include "models/cluster/draft/clustersurvey.h"
#include "models/cluster/slurm/clusternames.h"
#include "models/cluster/slurm/refusals.h"
#include "models/cluster/slurm/rehearsal.h"
#include "models/cluster/slurm/slurmcommands.h"
#include "models/cluster/slurm/slurmparsers.h"
#include "models/cluster/slurm/topology.h"
#include "tests/support/recordedfile.h"
#include "tests/support/testbase.h"

#include <QDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

/// "=== name" and what was answered, of one release.
QMap<QString, QByteArray> answersOf(const QString& release)
{
    QMap<QString, QByteArray> answers;
    QString name;
    for (const QByteArray& line : test::recordedSlurm(u"releases/%1.txt"_s.arg(release)).split('\n')) {
        if (line.startsWith("=== ")) {
            name = QString::fromUtf8(line.mid(4));
            answers.insert(name, {});
        } else if (!name.isEmpty()) {
            answers[name] += line + '\n';
        }
    }
    for (QByteArray& answer : answers)
        answer.chop(answer.endsWith("\n\n") ? 1 : 0); // the file's own end
    return answers;
}

Result<StartForecast> rehearsed(const QByteArray& errors, int status, const QByteArray& output = {})
{
    CommandOutcome outcome;
    outcome.output = output;
    outcome.errorOutput = errors;
    outcome.exitStatus = status;
    return readRehearsal(outcome);
}

const QStringList nodes{u"nid002001"_s, u"nid002002"_s};

} // namespace

/// Every reader of Slurm's answers over every release that is meant, from 20.11 to 26.05.
class SlurmReleasesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase_data();
    void allAreHere();
    void rehearsals();
    void refusals();
    void brokenRehearsalsAreNoRefusals();
    void submissions();
    void queue();
    void oneJob();
    void accounting();
    void usage();
    void discovery();
    void topology();
    void survey();
    void names();
    void cutAnswers();
    void commandsAskForNoJson();
};

void SlurmReleasesTest::initTestCase_data()
{
    QTest::addColumn<QString>("release");
    for (const char* release : {"20.11", "22.05", "23.11", "24.05", "24.11", "25.05", "25.11", "26.05"})
        QTest::newRow(release) << QString::fromLatin1(release);
}

void SlurmReleasesTest::allAreHere()
{
    QFETCH_GLOBAL(QString, release);
    const QByteArray file = test::recordedSlurm(u"releases/%1.txt"_s.arg(release));
    QVERIFY(file.startsWith("# Made after github.com/SchedMD/slurm, tag slurm-"));
    QCOMPARE(QDir(test::sourcePath(u"/tests/data/slurm/releases")).entryList({u"*.txt"_s}).size(), 8);
}

void SlurmReleasesTest::rehearsals()
{
    QFETCH_GLOBAL(QString, release);
    const auto answers = answersOf(release);
    int read = 0;
    for (auto [name, answer] : answers.asKeyValueRange()) {
        if (!name.startsWith(u"rehearsed"))
            continue;
        const auto forecast = rehearsed(answer, 0);
        QVERIFY_RESULT(forecast);
        QCOMPARE(forecast->answer, StartForecast::Answer::Accepted);
        ++read;
        if (name.endsWith(u"no estimate")) {
            QVERIFY(!forecast->start.isValid() && forecast->text.isEmpty());
            QVERIFY(rehearsalText(*forecast).contains(u"no estimate"_s));
            continue;
        }
        QCOMPARE(forecast->start, QDateTime(QDate(2026, 3, 4), QTime(5, 6, 7), Qt::UTC));
        QCOMPARE(forecast->nodes, nodes);
        QVERIFY2(forecast->text.startsWith(u"sbatch: Job 7200 to start"_s), qPrintable(forecast->text));
    }
    QVERIFY(read >= 5);
}

void SlurmReleasesTest::refusals()
{
    QFETCH_GLOBAL(QString, release);
    const auto answers = answersOf(release);
    for (auto [name, answer] : answers.asKeyValueRange()) {
        if (!name.startsWith(u"refused") && !name.startsWith(u"submission refused"))
            continue;
        const Error why = slurmRefusal(answer, 1);
        QCOMPARE(why.fault, Fault::RemoteExit);
        QVERIFY2(!why.what.startsWith(u"Slurm refused"_s) && !why.remedy.isEmpty(), qPrintable(name)); // all are known
        QVERIFY(!rehearsed(answer, 1));
        if (name.endsWith(u"by the site"))
            QCOMPARE(why.what, u"The site refuses it: Please name a project: --account=project_..."_s);
        if (name.endsWith(u"by cli_filter"))
            QCOMPARE(why.what, u"The site refuses it: GPU jobs belong into small-g"_s);
    }
}

void SlurmReleasesTest::brokenRehearsalsAreNoRefusals()
{
    QFETCH_GLOBAL(QString, release);
    const auto answers = answersOf(release);
    for (const QString& name : {u"broken"_s, u"not reached"_s}) {
        const auto forecast = rehearsed(answers.value(name), 1);
        QVERIFY(!forecast);
        QCOMPARE(forecast.error().fault, Fault::Offline); // no refusal
        QVERIFY(forecast.error().what.contains(u"did not answer"_s));
    }
    const auto late = rehearsed(answers.value(u"late"_s), 1);
    QVERIFY_RESULT(late);
    QCOMPARE(late->answer, StartForecast::Answer::NoAnswer);
}

void SlurmReleasesTest::submissions()
{
    QFETCH_GLOBAL(QString, release);
    const auto answers = answersOf(release);
    for (const QString& name : {u"submitted"_s, u"submitted, a named cluster"_s}) {
        const auto job = parseSubmitted(answers.value(name));
        QVERIFY_RESULT(job);
        QCOMPARE(*job, u"7200"_s);
    }
}

void SlurmReleasesTest::queue()
{
    QFETCH_GLOBAL(QString, release);
    const auto jobs = parseSqueue(answersOf(release).value(u"squeue"_s));
    QVERIFY_RESULT(jobs);
    QCOMPARE(jobs->size(), 3);
    const JobRecord& running = jobs->first();
    QCOMPARE(running.id, u"7100"_s);
    QCOMPARE(running.state, JobState::Running);
    QCOMPARE(running.gpus, std::optional<int>(16));
    QCOMPARE(running.nodeList, nodes);
    QCOMPARE(jobs->at(1).gpus, std::optional<int>(8));
    QVERIFY(!jobs->at(1).timeLimit && !jobs->at(2).gpus);
}

void SlurmReleasesTest::oneJob()
{
    QFETCH_GLOBAL(QString, release);
    const auto answers = answersOf(release);
    JobRecord job = parseSqueue(answers.value(u"squeue"_s))->first();
    job.gpus.reset();
    job.comment.clear();
    const QByteArray line = answers.value(u"scontrol job"_s).trimmed();
    job = mergeScontrol(job, line);
    QCOMPARE(job.gpus, std::optional<int>(16));
    QCOMPARE(job.qos, u"normal"_s);
    QCOMPARE(job.restarts, std::optional<int>(1));
    QCOMPARE(job.comment, u"rw-00aa11bb22cc33dd"_s);
    QCOMPARE(job.standardOutput, u"/scratch/mira/pretrain-7100.out"_s);
    QCOMPARE(standardErrorOf(line, job), u"/scratch/mira/pretrain-7100.out"_s);
    QCOMPARE(job.sluid, release >= u"25.11" ? u"sEKNKTV3WPV500"_s : QString());
    QVERIFY(!job.exitCode);
}

void SlurmReleasesTest::accounting()
{
    QFETCH_GLOBAL(QString, release);
    const auto jobs = parseSacct(answersOf(release).value(u"sacct"_s));
    QVERIFY_RESULT(jobs);
    QCOMPARE(jobs->size(), 3);
    const AccountedJob& done = jobs->first();
    QCOMPARE(done.job.state, JobState::Completed);
    QCOMPARE(done.job.gpus, std::optional<int>(16));
    QCOMPARE(done.job.elapsed, std::optional<Seconds>(Seconds{5400}));
    QCOMPARE(done.job.exitCode, std::optional<int>(0));
    QCOMPARE(done.submitLine.isEmpty(), release == u"20.11");
    // as it was typed, so below the job's folder
    QCOMPARE(done.job.standardOutput, release >= u"24.05" ? u"/scratch/mira/pretrain-7098.out"_s : QString());
    QCOMPARE(done.job.restarts, release >= u"24.11" ? std::optional<int>(1) : std::nullopt);
    QCOMPARE(done.job.sluid, release >= u"24.11" ? u"sEKNKTV3WPV500"_s : QString());
    QCOMPARE(jobs->at(1).job.stepState, JobState::OutOfMemory);
    QCOMPARE(jobs->at(2).job.state, JobState::Cancelled);
    QVERIFY(!jobs->at(2).job.started.isValid() && jobs->at(2).job.nodeList.isEmpty());
}

void SlurmReleasesTest::usage()
{
    QFETCH_GLOBAL(QString, release);
    const auto used = parseUsage(answersOf(release).value(u"usage"_s));
    QVERIFY_RESULT(used);
    QCOMPARE(used->size(), 2);
    QCOMPARE(used->first().job.id, u"7098"_s);
    QCOMPARE(used->first().job.gpus, std::optional<int>(16));
}

void SlurmReleasesTest::discovery()
{
    QFETCH_GLOBAL(QString, release);
    const auto facts = parseDiscovery(answersOf(release).value(u"discover"_s), 0.25);
    QVERIFY_RESULT(facts);
    QVERIFY(facts->slurmVersion.startsWith(release));
    QCOMPARE(facts->accounts, QStringList({u"project_900001"_s, u"project_900002"_s}));
    QCOMPARE(facts->partitions.size(), 3); // the hidden one, too
    QCOMPARE(facts->partitions.at(0).maxGpusPerUser, std::optional<int>(256)); // its own QoS
    QCOMPARE(facts->partitions.at(1).maxNodes, std::optional<int>(4));
    QVERIFY(!facts->partitions.at(1).maxGpusPerUser);
    QCOMPARE(facts->defaultQosGpus, std::optional<int>(32)); // of the association: a job's limit before a user's
}

void SlurmReleasesTest::topology()
{
    QFETCH_GLOBAL(QString, release);
    const auto answers = answersOf(release);
    for (auto [name, answer] : answers.asKeyValueRange()) {
        if (!name.startsWith(u"topology"))
            continue;
        const auto found = parseTopology(answer, {u"nid002003"_s, u"nid002011"_s});
        QVERIFY2(found.value(u"nid002003"_s) == u"s0" && found.value(u"nid002011"_s) == u"s1", qPrintable(name));
    }
}

void SlurmReleasesTest::survey()
{
    QFETCH_GLOBAL(QString, release);
    const auto survey = readSurvey(answersOf(release).value(u"survey"_s));
    QVERIFY_RESULT(survey);
    QVERIFY(survey->version.startsWith(release));
    QCOMPARE(survey->partitions.size(), 3);
    QCOMPARE(survey->nodes.size(), 1);
    QCOMPARE(survey->nodes.first().count, 4);
    QCOMPARE(survey->nodes.first().gpus, 8);
    QCOMPARE(survey->nodes.first().gpuType, u"mi250"_s);
    QCOMPARE(survey->nodes.first().usableCpus, 112);
    const ClusterDraft draft = draftCluster(*survey, {}, {});
    const auto partition = [&draft](const QString& name) -> const Partition& {
        const auto& all = draft.profile.partitions;
        return *std::find_if(all.cbegin(), all.cend(), [&name](const Partition& one) { return one.name == name; });
    };
    QVERIFY(!partition(u"standard-g"_s).shared); // OverSubscribe=EXCLUSIVE, in 26.05 Exclusive=NODE
    QVERIFY(partition(u"small-g"_s).shared);
}

void SlurmReleasesTest::names()
{
    QFETCH_GLOBAL(QString, release);
    const ClusterNames names = parseNames(answersOf(release).value(u"names"_s));
    QCOMPARE(names.qos, QStringList({u"normal"_s, u"bigjobs"_s}));
    QCOMPARE(names.reservations.first().name, u"course"_s);
}

void SlurmReleasesTest::cutAnswers()
{
    QFETCH_GLOBAL(QString, release);
    const auto answers = answersOf(release);
    for (const QByteArray& answer : answers) {
        for (qsizetype length = 0; length < answer.size(); length += 7) {
            const QByteArray cut = answer.left(length);
            rehearsed(cut, int(length % 2), cut);
            parseSqueue(cut);
            parseSacct(cut);
            parseUsage(cut);
            parseDiscovery(cut, 1);
            parseTopology(cut, nodes);
            parseNames(cut);
        }
        mergeScontrol({}, answer.left(answer.size() / 2));
    }
}

void SlurmReleasesTest::commandsAskForNoJson()
{
    // Its version, its plug-in and its numbers ("set", "infinite", "number") differ from release to release.
    for (const RemoteCommand& command : {discoverCommand(), queueCommand(), jobCommand(u"1"_s), tasksCommand(u"1"_s),
             historyCommand(1), usageCommand({u"1"_s}), findCommand(u"rw-0123456789abcdef"_s), cancelCommand(u"1"_s),
             namesCommand(), topologyCommand(), surveyCommand()})
        QVERIFY2(!command.line.contains(u"json"_s), qPrintable(command.line));
}

RANKWRIGHT_TEST_MAIN(SlurmReleasesTest)
#include "tst_slurmreleases.moc"
