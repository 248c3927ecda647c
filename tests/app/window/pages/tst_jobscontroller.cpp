// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/clustersession.h"
#include "app/session/recordedcause.h"
#include "app/store/eventjson.h"
#include "app/store/recordingwriter.h"
#include "app/window/pages/jobscontroller.h"
#include "tests/app/support/openstore.h"
#include "tests/app/support/recordedjob.h"
#include "tests/app/support/slurmwords.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/jobs/jobspage.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

const QByteArray submitted
    = "#!/bin/bash\n#SBATCH --partition=standard-g\n#SBATCH --nodes=2\n#SBATCH --gpus-per-node=8\n"
      "#SBATCH --time=02:00:00\nsrun python3 train.py\n";

} // namespace

/// W14: the Jobs page follows what is connected, and what was launched here is known without any connection.
class JobsControllerTest final : public Suite {
    Q_OBJECT
private slots:
    void showsWhatIsConnected();
    void aJobThatLeftTheQueueStays();
    void knowsWhatWasLaunchedHere();
    void outputOfAnEndedJobIsOffered();
    void aRecordedFailureHasItsCause();

private:
    struct Bench {
        Bench() : database(openStore(folder.path())), log(*database), page(model), jobs(model, page, log) { }
        Theme theme;
        QTemporaryDir folder;
        std::unique_ptr<Database> database;
        JobLog log;
        JobModel model;
        JobsPage page;
        JobsController jobs;
    };
    /// A session of the bench over a shell that is offline, with one job of somebody in the queue that is read first.
    struct Connection {
        Connection(Bench& bench, const ClusterProfile& profile)
            : Connection(bench, profile, std::make_unique<FakeShell>())
        { }

        JobRecord job;
        FakeShell* shell;
        ClusterSession session;

    private:
        Connection(Bench& bench, const ClusterProfile& profile, std::unique_ptr<FakeShell> made)
            : shell(made.get()), session(profile, std::move(made), bench.log)
        {
            job.id = u"7"_s;
            job.name = u"mine"_s;
            job.state = JobState::Running;
            shell->setState(LinkState::Offline);
            shell->expect(u"sinfo"_s, {}, true);
            bench.jobs.add(session);
        }
    };
};

void JobsControllerTest::showsWhatIsConnected()
{
    Bench bench;
    ClusterProfile profile;
    profile.name = u"elsewhere"_s;
    profile.title = u"Elsewhere"_s;
    Connection connection(bench, profile);
    connection.shell->expect(u"squeue"_s, {squeueRecord(connection.job), {}}, true);
    connection.session.open();
    connection.shell->setState(LinkState::Online);
    QTRY_VERIFY(bench.jobs.find(u"elsewhere"_s, u"7"_s) != nullptr);
    QCOMPARE(bench.jobs.newest()->cluster, u"elsewhere"_s);
    bench.jobs.remove(connection.session);
    QVERIFY(bench.jobs.find(u"elsewhere"_s, u"7"_s)); // as it was then
    QStringList texts;
    for (const QLabel* label : bench.page.findChildren<QLabel*>())
        texts.append(label->text());
    QVERIFY2(texts.join(u'\n').contains(u"not connected, as of"_s), qPrintable(texts.join(u'\n')));
}

/// Somebody's job that was not launched here: the queue forgets it minutes after its end.
void JobsControllerTest::aJobThatLeftTheQueueStays()
{
    Bench bench;
    ClusterProfile profile;
    profile.name = u"elsewhere"_s;
    Connection connection(bench, profile);
    connection.shell->expect(u"squeue"_s, {squeueRecord(connection.job), {}});
    connection.shell->expect(u"squeue"_s, {}, true);
    connection.session.open();
    connection.shell->setState(LinkState::Online);
    QTRY_VERIFY(bench.jobs.find(u"elsewhere"_s, u"7"_s) != nullptr);
    const auto historyAsked = [shell = connection.shell] {
        const QStringList lines = shell->lines();
        return std::count_if(lines.cbegin(), lines.cend(),
            [](const QString& line) { return line.contains(u"sacct"_s) && !line.contains(u"squeue"_s); });
    };
    const qsizetype before = historyAsked();
    connection.session.refresh();
    QTRY_VERIFY(connection.session.queue().isEmpty());
    QVERIFY(bench.jobs.find(u"elsewhere"_s, u"7"_s));
    QCOMPARE(bench.jobs.find(u"elsewhere"_s, u"7"_s)->job.state, JobState::Unknown);
    QVERIFY(bench.jobs.find(u"elsewhere"_s, u"7"_s)->note.contains(u"left the queue"_s));
    QCOMPARE(historyAsked(), before + 1);
}

void JobsControllerTest::knowsWhatWasLaunchedHere()
{
    Bench bench;
    const QString id = bench.log.record({u"rw-1"_s, u"lumi"_s, u"llama"_s, {}, submitted, u"/scratch/me"_s})->id;
    QVERIFY_RESULT(bench.log.markKnown(id, u"4711"_s));
    QVERIFY_RESULT(bench.log.noteState(id, JobState::Running));
    QTRY_VERIFY(bench.jobs.find(u"lumi"_s, u"4711"_s) != nullptr);
    const JobRow& row = *bench.jobs.find(u"lumi"_s, u"4711"_s);
    QCOMPARE(row.job.partition, u"standard-g"_s);
    QCOMPARE(row.job.standardOutput, u"/scratch/me/slurm-4711.out"_s); // sbatch's own name; sacct does not keep it
    QCOMPARE(row.job.nodes.value_or(0), 2);
    QCOMPARE(row.job.gpus.value_or(0), 16);
    QVERIFY(row.job.timeLimit && row.job.timeLimit->count == 7200);
    QVERIFY2(row.note.contains(u"last heard of"_s), qPrintable(row.note));
}

/// F5
void JobsControllerTest::outputOfAnEndedJobIsOffered()
{
    Bench bench;
    const QString id = bench.log.record({u"rw-1"_s, u"lumi"_s, u"llama"_s, {}, submitted, u"/scratch/me"_s})->id;
    QVERIFY_RESULT(bench.log.markKnown(id, u"4711"_s));
    QVERIFY_RESULT(bench.log.noteState(id, JobState::Failed, u"It failed."_s));
    QTRY_VERIFY(bench.jobs.find(u"lumi"_s, u"4711"_s) != nullptr);
    bench.page.show();
    bench.page.selectJob(u"4711"_s, u"lumi"_s);
    QSignalSpy wanted(&bench.page, &JobsPage::outputRequested);
    for (QPushButton* button : bench.page.findChildren<QPushButton*>()) {
        if (button->text() == u"Output"_s && button->isVisible())
            button->click();
    }
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted.first().at(0).toString(), u"4711"_s);
    QCOMPARE(wanted.first().at(1).toString(), u"lumi"_s);
}

/// The words of the Live page and the report, where Slurm only has an exit code.
void JobsControllerTest::aRecordedFailureHasItsCause()
{
    Bench bench;
    const QString id = bench.log.record({u"rw-1"_s, u"lumi"_s, u"llama"_s, {}, submitted, u"/scratch/me"_s})->id;
    QVERIFY_RESULT(bench.log.markKnown(id, u"4711"_s));
    QVERIFY_RESULT(bench.log.noteState(id, JobState::Failed, u"Failed with exit code 1."_s));
    RecordingFacts facts = recordedJob();
    facts.entryId = id;
    facts.job.state = JobState::Failed;
    const QString folder = recordingsFolder(bench.folder.path());
    {
        auto writer = RecordingWriter::open(folder, facts);
        QVERIFY_RESULT(writer);
        Alert alert;
        alert.kind = u"process_killed"_s;
        alert.rule = AlertKind::OutputFailure;
        alert.level = Alert::Level::Failure;
        alert.title = u"Rank 3: a process was killed"_s;
        (*writer)->note(alertsEvent({alert}, recordedStart + 5000));
        QVERIFY_RESULT((*writer)->commit(recordedStart + 6000));
    }
    bench.jobs.setRecordings(folder);
    QTRY_COMPARE(bench.jobs.find(u"lumi"_s, u"4711"_s)->note, u"Rank 3: a process was killed"_s);
    QCOMPARE(recordedCause(folder, u"lumi"_s, facts.job), u"Rank 3: a process was killed"_s);
    facts.job.state = JobState::Completed;
    QCOMPARE(recordedCause(folder, u"lumi"_s, facts.job), QString());
}

RANKWRIGHT_WIDGET_TEST_MAIN(JobsControllerTest)
#include "tst_jobscontroller.moc"
