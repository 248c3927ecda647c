// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/slurmclient.h"
#include "models/cluster/slurm/slurmcommands.h"
#include "tests/support/fakeshell.h"
#include "tests/support/recordedfile.h"
#include "tests/support/testbase.h"

#include <QSet>

using namespace rankwright;
using namespace Qt::StringLiterals;
using test::FakeShell;

namespace {

const QByteArray inQueue = test::withSlurmMarks(
    "␞7100␟RUNNING␟None␟pretrain␟mira␟project_900001␟standard-g␟2␟nid[002001-002002]␟gres:gpu:8␟1:00␟2:00:00"
    "␟2026-03-01T08:00:00␟2026-03-01T08:00:07␟2026-03-03T08:00:07␟rw-00aa11bb22cc33dd␟/scratch\n");

} // namespace

class SlurmClientTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void tokens();
    void discovers();
    void saysWhenThereIsNoSlurm();
    void submitsOnceWithTokenAndScript();
    void reportsARefusalInPlainWords();
    void reportsTheSitesOwnWords();
    void leavesALostLinkUndecided();
    void findsTheTokenInTheQueue();
    void findsTheTokenInTheAccounting_data();
    void findsTheTokenInTheAccounting();
    void findsTheTokenInAScript_data();
    void findsTheTokenInAScript();
    void looksAtAScriptOnce();
    void submitsOnTheWordOnly();
    void findsNothing();
    void doesNotKnowWhenNobodyAnswers_data();
    void doesNotKnowWhenNobodyAnswers();
    void rehearsesWithoutQueueing();
    void readsAJobFromTheQueue();
    void readsAFailedJobWithItsStep();
    void readsAForgottenJob();
    void aJobThatOnlyTheAccountingKnowsAsPendingIsLost();
    void unknownJob();
    void controllerAway();
    void refusesWhatIsNoId();
    void cancels();
    void cancelOfAnEndedJobIsFine();
    void cancelOfAnUnknownJobIsSaid();
    void history();
    void guardGone();

private:
    template <typename T>
    Then<T> into(std::optional<Result<T>>& slot)
    {
        return [&slot](Result<T> result) { slot.emplace(std::move(result)); };
    }
    std::unique_ptr<FakeShell> m_shell;
    std::unique_ptr<SlurmClient> m_client;
};

void SlurmClientTest::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_client.reset();
    m_shell = std::make_unique<FakeShell>();
    m_client = std::make_unique<SlurmClient>(*m_shell);
}

void SlurmClientTest::tokens()
{
    static const QRegularExpression form(u"^rw-[0-9a-f]{16}$"_s);
    QSet<QString> seen;
    for (int i = 0; i < 100; ++i) {
        const QString token = newSubmissionToken();
        QVERIFY(form.match(token).hasMatch());
        seen.insert(token);
        QVERIFY(isOurToken(token));
    }
    QCOMPARE(seen.size(), 100);
    QVERIFY(!isOurToken({}));
    QVERIFY(!isOurToken(u"forward to rw-users"_s));
}

void SlurmClientTest::discovers()
{
    m_shell->expect(u"sacctmgr"_s, {test::recordedSlurm(u"discover.txt"_s)});
    std::optional<Result<ClusterFacts>> facts;
    m_client->discover(this, into(facts));
    QTRY_VERIFY(facts);
    QVERIFY_RESULT(*facts);
    QCOMPARE((*facts)->slurmVersion, u"23.02.7"_s);
    QCOMPARE(m_shell->commands().size(), 1); // one round trip
}

void SlurmClientTest::saysWhenThereIsNoSlurm()
{
    m_shell->expect(u"sinfo"_s,
        {test::withSlurmMarks("␝user\nmira\n␝host\nbox\n␝version\n"), "sh: 1: sinfo: command not found\n", 127});
    std::optional<Result<ClusterFacts>> facts;
    m_client->discover(this, into(facts));
    QTRY_VERIFY(facts);
    QVERIFY(!*facts);
    QVERIFY(facts->error().what.contains(u"Slurm's commands were not found"_s));
    QVERIFY(!facts->error().remedy.isEmpty());
}

void SlurmClientTest::submitsOnceWithTokenAndScript()
{
    m_shell->expect(u"sbatch"_s, {"4711;aurinko\n"});
    std::optional<Result<JobId>> id;
    m_client->submit({"#!/bin/bash\nsrun true\n", u"rw-0123456789abcdef"_s, u"/scratch/my runs"_s}, this, into(id));
    QTRY_VERIFY(id);
    QVERIFY_RESULT(*id);
    QCOMPARE(**id, u"4711"_s);
    QCOMPARE(m_shell->commands().size(), 1);
    const RemoteCommand& sent = m_shell->commands().first();
    QVERIFY2(sent.line.endsWith(u" | sbatch --parsable --comment=rw-0123456789abcdef '--chdir=/scratch/my runs'"_s),
        qPrintable(sent.line));
    QCOMPARE(sent.input, QByteArray("#!/bin/bash\nsrun true\n"));
    QVERIFY(sent.urgent);
}

void SlurmClientTest::reportsARefusalInPlainWords()
{
    const QByteArray words
        = "sbatch: error: QOSMaxSubmitJobPerUserLimit\nsbatch: error: Batch job submission failed: Job violates "
          "accounting/QOS policy (job submit limit, user's size and/or time limits)\n";
    m_shell->expect(u"sbatch"_s, {{}, words, 1});
    std::optional<Result<JobId>> id;
    m_client->submit({"x", u"rw-0123456789abcdef"_s, {}}, this, into(id));
    QTRY_VERIFY(id);
    QVERIFY(!*id);
    QCOMPARE(id->error().fault, Fault::RemoteExit);
    QVERIFY(id->error().what.contains(u"as many jobs in this partition or QoS"_s));
    QVERIFY(id->error().detail.contains(u"QOSMaxSubmitJobPerUserLimit"_s)); // Slurm's own words stay
    QVERIFY(!id->error().remedy.isEmpty());
}

void SlurmClientTest::reportsTheSitesOwnWords()
{
    const auto refused = [this](const QByteArray& words) {
        m_shell->expect(u"sbatch"_s, {{}, words, 1});
        std::optional<Result<JobId>> id;
        m_client->submit({"x", u"rw-0123456789abcdef"_s, {}}, this, into(id));
        [&] { QTRY_VERIFY(id); }();
        return id && !*id ? id->error().what : QString();
    };
    QCOMPARE(refused("sbatch: error: ---------------\nsbatch: error: Name a project,\nsbatch: error: see the "
                     "guide.\nsbatch: error: Batch job submission failed: Unspecified error\n"),
        u"The site refuses it: Name a project, see the guide."_s);
    QCOMPARE(refused("sbatch: error: Your quota is used up.\nsbatch: error: Batch job submission failed: Invalid qos "
                     "specification\n"),
        u"This quality of service is not offered to you here. In its words: “Your quota is used up.”"_s);
    QCOMPARE(refused("sbatch: error: Batch job submission failed: Unspecified error\n"),
        u"The site's own rules refused the job without saying why."_s);
    // sbatch's own words, over two lines
    QCOMPARE(
        refused("sbatch: error: Batch script contains DOS line breaks (\\r\\n)\nsbatch: error: instead of expected "
                "UNIX line breaks (\\n).\n"),
        u"The script has DOS line ends, which the node's shell cannot read."_s);
}

void SlurmClientTest::leavesALostLinkUndecided()
{
    m_shell->expect(u"sbatch"_s, {.delayMs = 60000});
    std::optional<Result<JobId>> id;
    m_client->submit({"x", u"rw-0123456789abcdef"_s, {}}, this, into(id));
    QTRY_COMPARE(m_shell->commands().size(), 1);
    m_shell->setState(LinkState::Lost);
    QTRY_VERIFY(id);
    QVERIFY(!*id);
    QCOMPARE(id->error().fault, Fault::Offline);
    QCOMPARE(m_shell->commands().size(), 1); // never tried again from here
}

void SlurmClientTest::findsTheTokenInTheQueue()
{
    m_shell->expect(u"rw-00aa11bb22cc33dd"_s, {test::withSlurmMarks("␝squeue\n") + inQueue});
    std::optional<Result<std::optional<JobId>>> found;
    m_client->findSubmitted(u"rw-00aa11bb22cc33dd"_s, this, into(found));
    QTRY_VERIFY(found);
    QVERIFY_RESULT(*found);
    QCOMPARE(**found, std::optional<JobId>(u"7100"_s));
}

void SlurmClientTest::findsTheTokenInTheAccounting_data()
{
    QTest::addColumn<QString>("token");
    QTest::addColumn<QString>("id");
    QTest::newRow("comment stored") << u"rw-00aa11bb22cc33dd"_s << u"7100"_s;
    QTest::newRow("command line only") << u"rw-9999888877776666"_s << u"7105"_s;
}

void SlurmClientTest::findsTheTokenInTheAccounting()
{
    QFETCH(QString, token);
    QFETCH(QString, id);
    m_shell->expect(token, {test::withSlurmMarks("␝squeue\n\n␝sacct\n") + test::recordedSlurm(u"sacct_22.05.txt"_s)});
    std::optional<Result<std::optional<JobId>>> found;
    m_client->findSubmitted(token, this, into(found));
    QTRY_VERIFY(found);
    QVERIFY_RESULT(*found);
    QCOMPARE(**found, std::optional<JobId>(id));
}

void SlurmClientTest::findsTheTokenInAScript_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<bool>("known");
    QTest::addColumn<QString>("id");
    QTest::newRow("there") << QByteArray("7120 found\n") << true << u"7120"_s;
    QTest::newRow("behind an interactive job")
        << QByteArray("7119 job script retrieval failed: Job script not specified\n7120 found\n") << true << u"7120"_s;
    QTest::newRow("nowhere") << QByteArray("7119 job script retrieval failed: Invalid job id specified\n") << true
                             << QString();
    // "not submitted" must not be said while one of the scripts has not been seen
    QTest::newRow("no answer") << QByteArray(
        "7120 job script retrieval failed: Unable to contact slurm controller (connect failure)\n")
                               << false << QString();
}

/// A site has replaced the comments, and the accounting does not list a job that may not start yet.
void SlurmClientTest::findsTheTokenInAScript()
{
    QFETCH(QByteArray, answer);
    QFETCH(bool, known);
    QFETCH(QString, id);
    QByteArray queue = inQueue; // 7100 has a comment of ours: another submission
    for (const char* job : {"7119", "7120_[0-3]", "7105", "7121"}) {
        QByteArray other = inQueue;
        queue += other.replace("7100", job).replace("rw-00aa11bb22cc33dd", "checked by the site");
    }
    queue.replace("7121\x1fRUNNING", "7121\x1fPENDING");
    m_shell->expect(u"squeue"_s,
        {test::withSlurmMarks("␝squeue\n") + queue + test::withSlurmMarks("␝sacct\n")
            + test::recordedSlurm(u"sacct_22.05.txt"_s)}); // has the command of 7105
    m_shell->expect(u"batch_script"_s, {answer});
    std::optional<Result<std::optional<JobId>>> found;
    m_client->findSubmitted(u"rw-ffffffffffffffff"_s, this, into(found));
    QTRY_VERIFY(found);
    QVERIFY2(m_shell->lines().last().contains(u"for j in 7119 7120 7121; do"_s), qPrintable(m_shell->lines().last()));
    QCOMPARE(bool(*found), known);
    if (known)
        QCOMPARE((*found)->value_or(QString()), id);
}

void SlurmClientTest::looksAtAScriptOnce()
{
    QByteArray queue = inQueue;
    queue.replace("rw-00aa11bb22cc33dd", "checked by the site");
    const QByteArray answer = test::withSlurmMarks("␝squeue\n") + queue + test::withSlurmMarks("␝sacct\n");
    m_shell->expect(u"squeue"_s, {answer, "Slurm accounting storage is disabled\n", 1}, true);
    m_shell->expect(u"batch_script"_s, {});
    for (int i = 0; i < 2; ++i) {
        std::optional<Result<std::optional<JobId>>> found;
        m_client->findSubmitted(u"rw-ffffffffffffffff"_s, this, into(found));
        QTRY_VERIFY(found);
        QVERIFY_RESULT(*found);
        QVERIFY(!(*found)->has_value());
    }
    QCOMPARE(m_shell->commands().size(), 3);
    QCOMPARE(m_shell->unexpected(), 0);
}

void SlurmClientTest::submitsOnTheWordOnly()
{
    m_shell->expect(u"sbatch"_s, {.staysOpen = true});
    std::optional<Result<JobId>> id;
    m_client->submit({"#!/bin/bash\n", u"rw-0123456789abcdef"_s, {}}, this, into(id));
    QTRY_VERIFY(m_shell->newest());
    test::FakeProcess& far = *m_shell->newest();
    QTRY_COMPARE(far.input(), QByteArray("#!/bin/bash\n"));
    QVERIFY(!far.isInputClosed());
    far.say("rankwright: the scr");
    QCOMPARE(far.input(), QByteArray("#!/bin/bash\n"));
    far.say("ipt is here\n");
    QCOMPARE(far.input(), QByteArray("#!/bin/bash\ngo"));
    QVERIFY(far.isInputClosed());
    far.say("47");
    far.say("11\n");
    far.end();
    QTRY_VERIFY(id);
    QVERIFY_RESULT(*id);
    QCOMPARE(**id, u"4711"_s);
}

void SlurmClientTest::findsNothing()
{
    m_shell->expect(u"rw-"_s,
        {test::withSlurmMarks("␝squeue\n") + inQueue + test::withSlurmMarks("␝sacct\n")
            + test::recordedSlurm(u"sacct_22.05.txt"_s)});
    std::optional<Result<std::optional<JobId>>> found;
    m_client->findSubmitted(u"rw-ffffffffffffffff"_s, this, into(found));
    QTRY_VERIFY(found);
    QVERIFY_RESULT(*found);
    QVERIFY(!(*found)->has_value());
}

void SlurmClientTest::doesNotKnowWhenNobodyAnswers_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QByteArray>("errors");
    QTest::addColumn<bool>("known");
    QTest::newRow("controller away")
        << QByteArray() << QByteArray("slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n")
        << false;
    // "not submitted" must not be said when the job may have ended and the accounting is away
    QTest::newRow("slurmdbd away")
        << test::withSlurmMarks("␝squeue\n\n␝sacct\n")
        << QByteArray("sacct: error: slurm_persist_conn_open_without_init: failed to open persistent connection\n")
        << false;
    QTest::newRow("no accounting at all")
        << test::withSlurmMarks("␝squeue\n\n␝sacct\n") << QByteArray("Slurm accounting storage is disabled\n") << true;
    // its job may still come
    QTest::newRow("one sbatch still runs") << test::withSlurmMarks("␝squeue\n\n␝sacct\n\n␝sending\n1\n")
                                           << QByteArray("Slurm accounting storage is disabled\n") << false;
    QTest::newRow("no sbatch runs") << test::withSlurmMarks("␝squeue\n\n␝sacct\n\n␝sending\n0\n")
                                    << QByteArray("Slurm accounting storage is disabled\n") << true;
}

void SlurmClientTest::doesNotKnowWhenNobodyAnswers()
{
    QFETCH(QByteArray, output);
    QFETCH(QByteArray, errors);
    QFETCH(bool, known);
    m_shell->expect(u"rw-"_s, {output, errors, 1});
    std::optional<Result<std::optional<JobId>>> found;
    m_client->findSubmitted(u"rw-ffffffffffffffff"_s, this, into(found));
    QTRY_VERIFY(found);
    QCOMPARE(bool(*found), known);
}

void SlurmClientTest::rehearsesWithoutQueueing()
{
    m_shell->expect(u"--test-only"_s,
        {{},
            "sbatch: Job 7200 to start at 2026-03-04T05:06:07 using 16 processors on nodes nid002001 in partition "
            "x\n"});
    std::optional<Result<StartForecast>> forecast;
    m_client->rehearse({"#!/bin/bash\n", {}, {}}, this, into(forecast));
    QTRY_VERIFY(forecast);
    QVERIFY_RESULT(*forecast);
    QCOMPARE((*forecast)->nodes, QStringList{u"nid002001"_s});
    QVERIFY(m_shell->lines().first().contains(u"TZ=UTC0"_s)); // the time is read as UTC

    m_shell->expect(u"--test-only"_s, {{}, "allocation failure: Requested node configuration is not available\n", 1});
    std::optional<Result<StartForecast>> refused;
    m_client->rehearse({"#!/bin/bash\n", {}, {}}, this, into(refused));
    QTRY_VERIFY(refused);
    QVERIFY(!*refused);
    QVERIFY(refused->error().what.contains(u"No node of this partition"_s));
}

void SlurmClientTest::readsAJobFromTheQueue()
{
    m_shell->expect(u"7100"_s,
        {test::withSlurmMarks("␝squeue\n") + inQueue + test::withSlurmMarks("␝scontrol\n")
            + test::recordedSlurm(u"scontrol_22.05.txt"_s)});
    std::optional<Result<JobRecord>> job;
    m_client->job(u"7100"_s, this, into(job));
    QTRY_VERIFY(job);
    QVERIFY_RESULT(*job);
    QCOMPARE((*job)->standardOutput, u"/scratch/project_900001/mira/my runs/a b-7100.out"_s);
    QCOMPARE((*job)->state, JobState::Running);
    QCOMPARE((*job)->gpus, std::optional<int>(16));
}

void SlurmClientTest::readsAFailedJobWithItsStep()
{
    QByteArray queued = inQueue;
    queued.replace("7100", "7105").replace("RUNNING", "FAILED");
    m_shell->expect(u"7105"_s,
        {test::withSlurmMarks("␝squeue\n") + queued + test::withSlurmMarks("␝scontrol\n")
            + test::recordedSlurm(u"scontrol_24.11.txt"_s) + test::withSlurmMarks("␝sacct\n")
            + test::recordedSlurm(u"sacct_22.05.txt"_s)});
    std::optional<Result<JobRecord>> job;
    m_client->job(u"7105"_s, this, into(job));
    QTRY_VERIFY(job);
    QVERIFY_RESULT(*job);
    QCOMPARE((*job)->state, JobState::Failed); // as Slurm says ...
    QCOMPARE((*job)->stepState, JobState::OutOfMemory); // ... and why
    QCOMPARE((*job)->exitCode, std::optional<int>(1));
}

void SlurmClientTest::readsAForgottenJob()
{
    // "squeue -j" of a job that left the queue exits with 1
    m_shell->expect(u"7107"_s,
        {test::withSlurmMarks("␝squeue\n␝sacct\n") + test::recordedSlurm(u"sacct_22.05.txt"_s),
            "slurm_load_jobs error: Invalid job id specified\n", 1});
    std::optional<Result<JobRecord>> job;
    m_client->job(u"7107"_s, this, into(job));
    QTRY_VERIFY(job);
    QVERIFY_RESULT(*job);
    QCOMPARE((*job)->exitSignal, std::optional<int>(11));
}

/// What a controller leaves that was killed just after it had confirmed a job: a row of the accounting that never ends,
/// without comment and command.
void SlurmClientTest::aJobThatOnlyTheAccountingKnowsAsPendingIsLost()
{
    const QByteArray rows = test::recordedSlurm(u"sacct_22.05.txt"_s);
    const QByteArray header = rows.left(rows.indexOf('\n') + 1);
    const QList<QByteArray> names = header.trimmed().split('\x1f');
    QVERIFY(names.contains("State"));
    QByteArrayList cells;
    for (const QByteArray& name : names)
        cells.append(name == "JobID" ? "9998" : name == "JobName" ? "allocation" : name == "State" ? "PENDING" : "");
    m_shell->expect(u"9998"_s,
        {test::withSlurmMarks("␝squeue\n␝sacct\n") + header + cells.join('\x1f') + '\n',
            "slurm_load_jobs error: Invalid job id specified\n", 1});
    std::optional<Result<JobRecord>> job;
    m_client->job(u"9998"_s, this, into(job));
    QTRY_VERIFY(job);
    QVERIFY(!*job);
    QCOMPARE(job->error().fault, Fault::Invalid);
    QVERIFY(job->error().what.contains(u"PENDING"_s));
}

void SlurmClientTest::unknownJob()
{
    const QByteArray header
        = test::recordedSlurm(u"sacct_22.05.txt"_s).left(test::recordedSlurm(u"sacct_22.05.txt"_s).indexOf('\n') + 1);
    m_shell->expect(u"9999"_s,
        {test::withSlurmMarks("␝squeue\n␝sacct\n") + header, "slurm_load_jobs error: Invalid job id specified\n", 1});
    std::optional<Result<JobRecord>> job;
    m_client->job(u"9999"_s, this, into(job));
    QTRY_VERIFY(job);
    QVERIFY(!*job);
    QCOMPARE(job->error().fault, Fault::Invalid);
}

void SlurmClientTest::controllerAway()
{
    m_shell->expect(
        u"squeue"_s, {{}, "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n", 1});
    std::optional<Result<QList<JobRecord>>> jobs;
    m_client->queue(this, into(jobs));
    QTRY_VERIFY(jobs);
    QVERIFY(!*jobs);
    QVERIFY(jobs->error().what.contains(u"controller does not answer"_s));
}

void SlurmClientTest::refusesWhatIsNoId()
{
    std::optional<Result<JobRecord>> job;
    m_client->job(u"1; rm -rf ."_s, this, into(job));
    QVERIFY(job && !*job);
    std::optional<Result<void>> cancelled;
    m_client->cancel({}, this, into(cancelled));
    QVERIFY(cancelled && !*cancelled);
    QVERIFY(m_shell->commands().isEmpty());
    // what was typed is repeated, but not pages of it
    const std::optional<Error> fault = jobIdFault(QString(500, u'x'));
    QVERIFY(fault);
    QCOMPARE(fault->what, u'"' + QString(80, u'x') + u"\" is not a job id."_s);
}

void SlurmClientTest::cancels()
{
    m_shell->expect(u"scancel"_s, {});
    std::optional<Result<void>> done;
    m_client->cancel(u"7102_[5-9%2]"_s, this, into(done));
    QTRY_VERIFY(done);
    QVERIFY_RESULT(*done);
    QVERIFY(m_shell->lines().first().endsWith(u"; scancel '7102_[5-9]'"_s)); // scancel does not know the %-limit
}

/// In the window, too: a reader there was told to run rankwright-cli.
void SlurmClientTest::cancelOfAnUnknownJobIsSaid()
{
    m_shell->expect(
        u"scancel"_s, {{}, "scancel: error: Kill job error on job id 999999: Invalid job id specified\n", 0});
    std::optional<Result<void>> done;
    m_client->cancel(u"999999"_s, this, into(done));
    QTRY_VERIFY(done);
    QVERIFY(!*done);
    QVERIFY(done->error().what.contains(u"does not know a job 999999"));
    QVERIFY2(!done->error().remedy.contains(u"rankwright-cli"), qPrintable(done->error().remedy));
}

void SlurmClientTest::cancelOfAnEndedJobIsFine()
{
    m_shell->expect(u"scancel"_s,
        {{}, "scancel: error: Kill job error on job id 7: Job/step already completing or completed\n", 1});
    m_shell->expect(u"scancel"_s, {{}, "scancel: error: Kill job error on job id 7: Access/permission denied\n", 1});
    std::optional<Result<void>> done, denied;
    m_client->cancel(u"7"_s, this, into(done));
    m_client->cancel(u"7"_s, this, into(denied));
    QTRY_VERIFY(done && denied);
    QVERIFY_RESULT(*done);
    QVERIFY(!*denied);
}

void SlurmClientTest::history()
{
    m_shell->expect(u"now-3days"_s, {test::recordedSlurm(u"sacct_20.11.txt"_s)});
    std::optional<Result<QList<JobRecord>>> jobs;
    m_client->history(3, this, into(jobs));
    QTRY_VERIFY(jobs);
    QVERIFY_RESULT(*jobs);
    QCOMPARE((*jobs)->size(), 5);
}

void SlurmClientTest::guardGone()
{
    m_shell->expect(u"squeue"_s, {}, true);
    bool called = false;
    {
        QObject guard;
        m_client->queue(&guard, [&called](const Result<QList<JobRecord>>&) { called = true; });
    }
    test::quietFor(20);
    QVERIFY(!called);
    QVERIFY(m_shell->running().isEmpty());
}

RANKWRIGHT_TEST_MAIN(SlurmClientTest)
#include "tst_slurmclient.moc"
