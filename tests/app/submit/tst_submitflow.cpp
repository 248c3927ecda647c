// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/database.h"
#include "app/store/processmark.h"
#include "app/submit/submitorder.h"
#include "models/core/linediff.h"
#include "models/script/read/scriptedit.h"
#include "tests/app/support/openstore.h"
#include "tests/app/support/slurmwords.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QSqlQuery>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;
using Stage = SubmitState::Stage;

class SubmitFlowTest final : public Suite {
    Q_OBJECT

    /// A flow over a scripted cluster; times are short so that the tests are.
    struct Bench {
        explicit Bench(int graceMs = 150)
            : database(openStore(folder.path())), log(*database), client(shell),
              recovery(shell, client, log, u"practice"_s, {graceMs, 20, 40, 60, 1000}, nullptr),
              flow(shell, client, log, recovery)
        {
            QObject::connect(&flow, &SubmitFlow::stateChanged, &flow,
                [this](const SubmitState& state) { stages.append(state.stage); });
        }
        qsizetype sent() const
        {
            qsizetype count = 0;
            for (const QString& line : shell.lines())
                count += line.contains(u"--parsable"_s) ? 1 : 0;
            return count;
        }
        JobLogEntry entry() { return *log.find(flow.entryId()); }
        QTemporaryDir folder;
        std::unique_ptr<Database> database;
        JobLog log;
        FakeShell shell;
        SlurmClient client;
        SubmitRecovery recovery;
        SubmitFlow flow;
        QList<Stage> stages;
    };

    static SubmitOrder order()
    {
        SubmitOrder made;
        made.cluster = u"practice"_s;
        made.name = u"first"_s;
        made.design = "{}";
        made.script = "#!/bin/bash\ntrue\n";
        return made;
    }
    static Finding finding(Severity severity)
    {
        Finding made;
        made.severity = severity;
        made.text = u"The time limit is longer than small-g allows."_s;
        return made;
    }

    enum class Owner { StillSending, GaveUp };

private slots:
    void goesStepByStep()
    {
        Bench bench;
        bench.shell.expect(u"--test-only"_s, rehearsedWell());
        bench.shell.expect(u"--parsable"_s, {"4711\n", {}});
        QVERIFY(bench.flow.start(order()));
        QTRY_COMPARE(bench.flow.state().stage, Stage::Submitted);
        QCOMPARE(bench.stages,
            QList<Stage>({Stage::Checking, Stage::Rehearsing, Stage::Recording, Stage::Sending, Stage::Submitted}));
        QCOMPARE(bench.flow.state().job, u"4711"_s);
        QCOMPARE(bench.entry().stage, EntryStage::Known);
        QCOMPARE(bench.entry().job, u"4711"_s);
        const RemoteCommand& sent = bench.shell.commands().at(1); // behind it: what Slurm has of the job
        QCOMPARE(sent.input, order().script);
        QVERIFY(sent.line.contains(bench.flow.token()));
    }

    /// Launch pressed twice: both jobs run, and nothing said so.
    void aSecondJobOfTheSameScriptIsSaid()
    {
        Bench bench;
        const auto submits = [&bench](const QByteArray& job, const SubmitOrder& made) {
            bench.shell.expect(u"--test-only"_s, rehearsedWell());
            bench.shell.expect(u"--parsable"_s, {job + '\n', {}});
            if (!bench.flow.start(made) || !comes([&] { return bench.flow.state().stage == Stage::Submitted; }))
                return QString();
            bench.flow.acknowledge();
            return bench.flow.state().text;
        };
        QCOMPARE(submits("4711", order()), u"Submitted as job 4711."_s);
        const QString again = submits("4712", order());
        QVERIFY2(again.startsWith(u"Submitted as job 4712. Job 4711 runs the same script"_s), qPrintable(again));
        SubmitOrder other = order();
        other.script += "false\n";
        QCOMPARE(submits("4713", other), u"Submitted as job 4713."_s);
        for (const JobLogEntry& entry : *bench.log.newest({}, 10))
            QVERIFY(bench.log.noteState(entry.id, JobState::Completed));
        QCOMPARE(submits("4714", order()), u"Submitted as job 4714."_s); // the others have ended
    }

    void putsTheSamplerInPlaceFirst_data()
    {
        QTest::addColumn<int>("status");
        QTest::newRow("there") << 0;
        QTest::newRow("folder not writable") << 1;
    }

    void putsTheSamplerInPlaceFirst()
    {
        QFETCH(int, status);
        Bench bench;
        bench.shell.expect(u"--test-only"_s, rehearsedWell());
        bench.shell.expect(u".rankwright/sampler"_s, {{}, "no", status});
        bench.shell.expect(u"--parsable"_s, {"4711\n", {}});
        SubmitOrder recorded = order();
        recorded.recordsItself = true;
        QVERIFY(bench.flow.start(recorded));
        QTRY_COMPARE(bench.flow.state().stage, Stage::Submitted); // with it or without
        QCOMPARE(bench.shell.lines().size(), 4); // the last asks what Slurm has of the job
        QVERIFY(bench.shell.lines().at(1).contains(u"sampler"_s));
        QVERIFY(bench.shell.commands().at(1).input.startsWith("#!/bin/bash"));
        QCOMPARE(bench.flow.state().text.contains(u"not record"_s), status != 0);
    }

    void isOnTheDiskBeforeItIsSent()
    {
        Bench bench;
        bench.shell.expect(u"--test-only"_s, rehearsedWell());
        bench.shell.expect(u"--parsable"_s, {"1\n", {}, 0, 100});
        bench.flow.start(order());
        QTRY_COMPARE(bench.sent(), 1);
        // Another program reads the file while sbatch has not answered.
        const auto other = Database::open(bench.folder.path());
        QVERIFY_RESULT(other);
        JobLog seen(**other);
        const auto entries = seen.unresolved(u"practice"_s);
        QVERIFY_RESULT(entries);
        QCOMPARE(entries->size(), 1);
        QCOMPARE(entries->first().stage, EntryStage::Sending);
        QTRY_COMPARE(bench.flow.state().stage, Stage::Submitted);
    }

    void findingsOfSeverityErrorStopIt_data()
    {
        QTest::addColumn<Severity>("severity");
        QTest::addColumn<Stage>("stage");
        QTest::newRow("error") << Severity::Error << Stage::Refused;
        QTest::newRow("warning") << Severity::Warning << Stage::Submitted;
        QTest::newRow("hint") << Severity::Hint << Stage::Submitted;
    }

    void findingsOfSeverityErrorStopIt()
    {
        QFETCH(Severity, severity);
        QFETCH(Stage, stage);
        Bench bench;
        bench.shell.expect(u"--test-only"_s, rehearsedWell());
        bench.shell.expect(u"--parsable"_s, {"1\n", {}});
        SubmitOrder made = order();
        made.findings = {finding(severity)};
        bench.flow.start(made);
        QTRY_COMPARE(bench.flow.state().stage, stage);
        QCOMPARE(bench.sent(), stage == Stage::Submitted ? 1 : 0);
        if (stage == Stage::Refused)
            QCOMPARE(bench.flow.state().error.what, made.findings.first().text);
    }

    void aDeletedLineStopsIt_data()
    {
        QTest::addColumn<bool>("deleted");
        QTest::newRow("as generated") << false;
        QTest::newRow("without #!") << true; // sbatch: "This does not look like a batch script."
    }

    void aDeletedLineStopsIt()
    {
        QFETCH(bool, deleted);
        const Catalogue catalogue = loadCatalogue();
        const ClusterProfile& lumi = *catalogue.find(u"lumi"_s);
        JobSpec spec;
        spec.cluster = lumi.name;
        spec.partition = u"standard-g"_s;
        spec.account = u"project_465000001"_s;
        spec.resources.nodes = 2;
        spec.time = Seconds{3600};
        spec.command = u"train.py"_s;
        if (deleted) {
            QStringList lines = linesOfText(derive(spec, lumi).script.text());
            lines.removeFirst();
            spec = applyScriptEdit(spec, lumi, lines.join(u'\n') + u'\n').exact;
        }
        Bench bench;
        bench.shell.expect(u"--test-only"_s, rehearsedWell());
        bench.shell.expect(u"--parsable"_s, {"1\n", {}});
        const SubmitOrder made = submitOrder(spec, derive(spec, lumi), SubmitPurpose::Submission);
        QCOMPARE(made.script.startsWith("#!"), !deleted);
        bench.flow.start(made);
        QTRY_COMPARE(bench.flow.state().stage, deleted ? Stage::Refused : Stage::Submitted);
        QCOMPARE(bench.sent(), deleted ? 0 : 1);
    }

    /// An estimate stops nobody who knows better; any other error does.
    void forceLetsPassWhatIsOnlyPredicted()
    {
        SubmitOrder made = order();
        Finding unfit;
        unfit.severity = Severity::Error;
        unfit.slug = u"memory-does-not-fit"_s;
        unfit.text = u"441 GiB are expected on each GPU."_s;
        unfit.fix = Fix{u"Use FSDP"_s, {}};
        unfit.otherFixes = {Fix{u"Use 4 nodes"_s, {}}};
        made.findings = {unfit};
        Bench stopped;
        stopped.flow.start(made);
        QTRY_COMPARE(stopped.flow.state().stage, Stage::Refused);
        QVERIFY2(stopped.flow.state().error.remedy.contains(u"Use FSDP, or: Use 4 nodes"_s),
            qPrintable(stopped.flow.state().error.remedy));
        QCOMPARE(letPassUnfitting(made).size(), 1);
        Bench passed;
        passed.shell.expect(u"--test-only"_s, rehearsedWell());
        passed.shell.expect(u"--parsable"_s, {"1\n", {}});
        passed.flow.start(made);
        QTRY_COMPARE(passed.flow.state().stage, Stage::Submitted);
        Finding refused = unfit;
        refused.slug = u"partition-closed"_s;
        made.findings.append(refused);
        QCOMPARE(letPassUnfitting(made).size(), 0);
        Bench other;
        other.flow.start(made);
        QTRY_COMPARE(other.flow.state().stage, Stage::Refused);
    }

    void aDryRunQueuesNothing()
    {
        Bench bench;
        bench.shell.expect(u"--test-only"_s, rehearsedWell());
        SubmitOrder made = order();
        made.rehearseOnly = true;
        bench.flow.start(made);
        QTRY_COMPARE(bench.flow.state().stage, Stage::Rehearsed);
        QCOMPARE(bench.flow.state().forecast.nodes, QStringList({u"nid005001"_s, u"nid005002"_s}));
        QCOMPARE(bench.sent(), 0);
        QCOMPARE(bench.log.newest({}, 10)->size(), 0);
    }

    void aRefusedRehearsalEndsIt()
    {
        Bench bench;
        // As Slurm 22.05.8 says it.
        bench.shell.expect(u"--test-only"_s,
            {{}, "allocation failure: Invalid account or account/partition combination specified\n", 1});
        bench.flow.start(order());
        QTRY_COMPARE(bench.flow.state().stage, Stage::Refused);
        QVERIFY(!bench.flow.state().error.what.isEmpty());
        QCOMPARE(bench.sent(), 0);
        QCOMPARE(bench.log.newest({}, 10)->size(), 0);
    }

    void everyReleaseIsSubmitted_data()
    {
        QTest::addColumn<QByteArray>("line");
        const QByteArray place = "using 16 processors on nodes nid[005001-005002] in partition small-g\n";
        QTest::newRow("to 24.11") << "sbatch: Job 12 to start at 2026-07-14T08:00:00 " + place;
        QTest::newRow("25.05 to 26.05") << "sbatch: Job 12 to start at 2026-07-14T08:00:00 a " + place;
        QTest::newRow("a named cluster") << "sbatch: Job 12 to start at 2026-07-14T08:00:00 on cluster aurinko a "
                + place;
        QTest::newRow("other words") << QByteArray("sbatch: It will begin in a while.\n");
        QTest::newRow("no words") << QByteArray();
    }

    /// What a command that succeeded prints stops nothing.
    void everyReleaseIsSubmitted()
    {
        QFETCH(QByteArray, line);
        Bench bench;
        bench.shell.expect(u"--test-only"_s, {{}, line});
        bench.shell.expect(u"--parsable"_s, {"4711\n", {}});
        QVERIFY(bench.flow.start(order()));
        QTRY_COMPARE(bench.flow.state().stage, Stage::Submitted);
        QCOMPARE(bench.flow.state().forecast.start.isValid(), line.contains("to start at"));
        QVERIFY(bench.flow.state().text.startsWith(u"Submitted as job 4711."_s));

        Bench dry;
        dry.shell.expect(u"--test-only"_s, {{}, line});
        SubmitOrder asked = order();
        asked.rehearseOnly = true;
        dry.flow.start(asked);
        QTRY_COMPARE(dry.flow.state().stage, Stage::Rehearsed);
        if (!line.contains("to start at"))
            QCOMPARE(dry.flow.state().text, u"Slurm would take it; it gave no estimate of the start."_s);
    }

    void aControllerThatEndsInARehearsal_data()
    {
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("it broke off") << QByteArray("allocation failure: Zero Bytes were transmitted or received\n");
        QTest::newRow("it is not there") << QByteArray(
            "allocation failure: Unable to contact slurm controller (connect failure)\n");
    }

    /// No refusal, and nothing is sent to a controller that is not there.
    void aControllerThatEndsInARehearsal()
    {
        QFETCH(QByteArray, words);
        Bench bench;
        bench.shell.expect(u"--test-only"_s, {{}, words, 1});
        bench.flow.start(order());
        QTRY_COMPARE(bench.flow.state().stage, Stage::Refused);
        QCOMPARE(bench.flow.state().error.fault, Fault::Offline);
        QCOMPARE(bench.flow.state().error.what, u"Slurm's controller did not answer the dry run; nothing was sent."_s);
        QCOMPARE(bench.shell.commands().size(), 1); // asked once
        QCOMPARE(bench.log.newest({}, 10)->size(), 0);
    }

    /// A controller too busy for a dry run may have time for a job.
    void aRehearsalThatIsLateDoesNotStopIt()
    {
        Bench bench;
        bench.shell.expect(u"--test-only"_s, {{}, "allocation failure: Socket timed out on send/recv operation\n", 1});
        bench.shell.expect(u"--parsable"_s, {"4711\n", {}});
        bench.flow.start(order());
        QTRY_COMPARE(bench.flow.state().stage, Stage::Submitted);
        QVERIFY2(bench.flow.state().text.contains(u"too busy for the dry run"_s), qPrintable(bench.flow.state().text));
    }

    /// One partition of a list says nothing about the others: sbatch itself decides.
    void oneOfAListThatRefusesDoesNotStopIt()
    {
        const FakeShell::Reply refusing{"\x1d"
                                        "asked\ndebug\n1\n",
            "allocation failure: Requested time limit is invalid (missing or exceeds some limit)\n", 1};
        SubmitOrder list = order();
        list.partition = u"debug,standard-g"_s;
        Bench bench;
        bench.shell.expect(u"debug,standard-g"_s, refusing); // the list goes into the question
        bench.shell.expect(u"--parsable"_s, {"4711\n", {}});
        bench.flow.start(list);
        QTRY_COMPARE(bench.flow.state().stage, Stage::Submitted);
        QVERIFY2(
            bench.flow.state().text.contains(u"In debug Slurm would refuse it"_s), qPrintable(bench.flow.state().text));

        Bench dry;
        dry.shell.expect(u"--test-only"_s, refusing);
        list.rehearseOnly = true;
        dry.flow.start(list);
        QTRY_COMPARE(dry.flow.state().stage, Stage::Rehearsed);
        QVERIFY(dry.flow.state().text.contains(u"In debug Slurm would refuse it"_s));
    }

    void theSiteSaysWhyItRefuses()
    {
        Bench bench;
        bench.shell.expect(u"--test-only"_s,
            {{}, "sbatch: error: Please name a project.\nallocation failure: Unspecified error\n", 1});
        bench.flow.start(order());
        QTRY_COMPARE(bench.flow.state().stage, Stage::Refused);
        QCOMPARE(bench.flow.state().error.what, u"The site refuses it: Please name a project."_s);
    }

    /// More would burden the controller: what is sixth within a minute is submitted unasked.
    void theSixthIsSubmittedUnasked()
    {
        Bench bench;
        bench.shell.expect(u"--test-only"_s, rehearsedWell(), true);
        bench.shell.expect(u"--parsable"_s, {"4711\n", {}}, true);
        for (int i = 0; i < 6; ++i) {
            SubmitOrder made = order();
            made.script += QByteArray::number(i);
            bench.flow.start(made);
            QTRY_COMPARE(bench.flow.state().stage, Stage::Submitted);
            bench.flow.acknowledge();
        }
        QCOMPARE(bench.sent(), 6);
        QCOMPARE(bench.shell.lines().filter(u"--test-only"_s).size(), 5);
        QVERIFY2(bench.flow.state().text.contains(u"No dry run was made"_s), qPrintable(bench.flow.state().text));
    }

    void aRefusedSubmissionIsNotUnknown()
    {
        Bench bench;
        bench.shell.expect(u"--test-only"_s, rehearsedWell());
        bench.shell.expect(u"--parsable"_s,
            {{},
                "sbatch: error: QOSMaxSubmitJobPerUserLimit\nsbatch: error: Batch job submission failed: Job violates "
                "accounting/QOS policy (job submit limit, user's size and/or time limits)\n",
                1});
        bench.flow.start(order());
        QTRY_COMPARE(bench.flow.state().stage, Stage::Refused);
        QCOMPARE(bench.entry().stage, EntryStage::Refused);
        QVERIFY(!bench.entry().outcome.isEmpty());
    }

    void aDoubleClickSubmitsOnce()
    {
        Bench bench;
        bench.shell.expect(u"--test-only"_s, rehearsedWell(), true);
        bench.shell.expect(u"--parsable"_s, {"1\n", {}, 0, 50}, true);
        QVERIFY(bench.flow.start(order()));
        QVERIFY(!bench.flow.start(order()));
        QTRY_COMPARE(bench.flow.state().stage, Stage::Sending);
        QVERIFY(!bench.flow.start(order()));
        QTRY_COMPARE(bench.flow.state().stage, Stage::Submitted);
        QCOMPARE(bench.sent(), 1);
        QCOMPARE(bench.log.newest({}, 10)->size(), 1);
    }

    void withoutALinkNothingIsRecorded()
    {
        Bench bench;
        bench.shell.setState(LinkState::Offline);
        bench.flow.start(order());
        QCOMPARE(bench.flow.state().stage, Stage::Refused);
        QCOMPARE(bench.flow.state().error.fault, Fault::Offline);
        QCOMPARE(bench.log.newest({}, 10)->size(), 0);
    }

    void aLostAnswerIsSearchedFor_data()
    {
        QTest::addColumn<bool>("arrived");
        QTest::addColumn<int>("emptyAnswers");
        QTest::newRow("found at once") << true << 0;
        QTest::newRow("found after the accounting has caught up") << true << 3;
        QTest::newRow("never arrived") << false << 0;
    }

    void aLostAnswerIsSearchedFor()
    {
        QFETCH(bool, arrived);
        QFETCH(int, emptyAnswers);
        Bench bench;
        bench.shell.expect(u"--test-only"_s, rehearsedWell());
        bench.shell.expect(u"--parsable"_s, {{}, {}, 0, 10000});
        bench.flow.start(order());
        QTRY_COMPARE(bench.sent(), 1);
        bench.shell.setState(LinkState::Lost, linkLost());
        QCOMPARE(bench.flow.state().stage, Stage::Recovering);
        QCOMPARE(bench.entry().stage, EntryStage::Unknown);
        for (int i = 0; i < emptyAnswers; ++i)
            bench.shell.expect(u"sacct"_s, {nothingFound(), {}});
        if (arrived)
            bench.shell.expect(u"sacct"_s, {foundInQueue(u"88"_s, bench.flow.token()), {}}, true);
        else
            bench.shell.expect(u"sacct"_s, {nothingFound(), {}}, true);
        bench.shell.setState(LinkState::Online);
        QTRY_COMPARE(bench.flow.state().stage, arrived ? Stage::Submitted : Stage::Refused);
        QCOMPARE(bench.entry().stage, arrived ? EntryStage::Known : EntryStage::Absent);
        QCOMPARE(bench.flow.state().job, arrived ? u"88"_s : QString());
        QCOMPARE(bench.sent(), 1);
    }

    void noAnswerIsNotAbsence()
    {
        Bench bench;
        bench.shell.expect(u"--test-only"_s, rehearsedWell());
        bench.shell.expect(u"--parsable"_s, {{}, {}, 0, 0, linkLost()});
        QSignalSpy troubles(&bench.recovery, &SubmitRecovery::recoveryFailed);
        bench.shell.expect(
            u"sacct"_s, {{}, "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n", 1}, true);
        bench.flow.start(order());
        QTRY_VERIFY(troubles.count() > 8); // far beyond the grace period of this bench
        QCOMPARE(bench.flow.state().stage, Stage::Recovering);
        QCOMPARE(bench.entry().stage, EntryStage::Unknown);
    }

    void aLostLinkStartsTheGraceAnew()
    {
        Bench bench(2500);
        bench.shell.expect(u"--test-only"_s, rehearsedWell());
        bench.shell.expect(u"--parsable"_s, {{}, {}, 0, 0, linkLost()});
        bench.shell.expect(u"sacct"_s, {nothingFound(), {}}, true);
        bench.flow.start(order());
        QTRY_COMPARE(bench.flow.state().stage, Stage::Recovering);
        for (int i = 0; i < 3; ++i) {
            test::quietFor(1000);
            bench.shell.setState(LinkState::Lost, linkLost());
            bench.shell.setState(LinkState::Online);
        }
        QCOMPARE(bench.entry().stage, EntryStage::Unknown);
        QTRY_COMPARE(bench.entry().stage, EntryStage::Absent);
    }

    void ambiguousRefusals_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<Fault>("fault");
        QTest::addColumn<bool>("ambiguous");
        // Words of slurm_strerror() and of sbatch.
        QTest::newRow("socket")
            << u"sbatch: error: Batch job submission failed: Socket timed out on send/recv operation"_s
            << Fault::RemoteExit << true;
        QTest::newRow("zero") << u"Zero Bytes were transmitted or received"_s << Fault::RemoteExit << true;
        QTest::newRow("no status") << u"exit status -1"_s << Fault::RemoteExit << true;
        QTest::newRow("offline") << u"The connection was lost."_s << Fault::Offline << true;
        QTest::newRow("unreadable") << u"not a job id"_s << Fault::Unreadable << true;
        QTest::newRow("account") << u"Invalid account or account/partition combination specified"_s << Fault::RemoteExit
                                 << false;
        QTest::newRow("connect") << u"Unable to contact slurm controller (connect failure)"_s << Fault::RemoteExit
                                 << false;
    }

    void ambiguousRefusals()
    {
        QFETCH(QString, words);
        QFETCH(Fault, fault);
        QFETCH(bool, ambiguous);
        QCOMPARE(isAmbiguousRefusal({fault, u"Refused."_s, words, {}}), ambiguous);
    }

    void theSameScriptWaitsForTheUndecidedOne()
    {
        Bench bench;
        bench.flow.setPatience(30);
        bench.shell.expect(u"--test-only"_s, rehearsedWell());
        bench.shell.expect(u"--parsable"_s, {{}, {}, 0, 10000});
        bench.flow.start(order());
        QTRY_COMPARE(bench.sent(), 1);
        bench.shell.setState(LinkState::Lost, linkLost());
        QTRY_COMPARE(bench.flow.state().stage, Stage::Unknown);
        bench.flow.start(order());
        QCOMPARE(bench.flow.state().stage, Stage::Refused);
        QCOMPARE(bench.sent(), 1);
        QCOMPARE(bench.log.newest({}, 10)->size(), 1);
    }

    /// The entry of a program that was killed while sbatch had the script.
    static QString killedWhileSending(Bench& bench)
    {
        const QString id = bench.log.record({u"rw-00000000000000aa"_s, u"practice"_s, {}, {}, order().script, {}})->id;
        if (!bench.log.markSending(id)
            || !bench.database->run( // a process that cannot exist: the kernel's largest id is 4194304
                u"UPDATE entries SET owner=? || '/4194305/1'"_s, {bench.log.find(id)->owner.section(u'/', 0, 0)}))
            qFatal("the job log could not be written");
        return id;
    }

    void theKilledOneIsDecidedFirst_data()
    {
        QTest::addColumn<bool>("arrived");
        QTest::newRow("Slurm has it") << true;
        QTest::newRow("never reached Slurm") << false;
    }

    void theKilledOneIsDecidedFirst()
    {
        QFETCH(bool, arrived);
        Bench bench;
        bench.shell.setState(LinkState::Offline);
        const QString id = killedWhileSending(bench);
        bench.shell.expect(u"--test-only"_s, rehearsedWell());
        bench.shell.expect(u"--parsable"_s, {"6\n", {}});
        bench.shell.expect(
            u"sacct"_s, {arrived ? foundInQueue(u"5"_s, u"rw-00000000000000aa"_s) : nothingFound(), {}}, true);
        bench.shell.setState(LinkState::Online);
        QVERIFY(bench.flow.start(order()));
        QCOMPARE(bench.flow.state().stage, Stage::Recovering);
        QTRY_COMPARE(bench.flow.state().stage, Stage::Submitted);
        QCOMPARE(bench.flow.state().job, arrived ? u"5"_s : u"6"_s);
        QCOMPARE(bench.flow.state().wasFound, arrived);
        QCOMPARE(bench.sent(), arrived ? 0 : 1);
        QCOMPARE(bench.log.find(id)->stage, arrived ? EntryStage::Known : EntryStage::Absent);
        // Once told it is done: the same script started again is another job.
        bench.flow.acknowledge();
        bench.shell.expect(u"--test-only"_s, rehearsedWell());
        bench.shell.expect(u"--parsable"_s, {"7\n", {}});
        QVERIFY(bench.flow.start(order()));
        QTRY_COMPARE(bench.flow.state().job, arrived ? u"6"_s : u"7"_s);
    }

    void aJobThatNobodyWasToldOfIsReportedFirst()
    {
        Bench bench;
        const QString id = killedWhileSending(bench);
        QVERIFY_RESULT(bench.log.markKnown(id, u"5"_s)); // killed between Slurm's answer and the message
        QVERIFY(bench.flow.start(order()));
        QCOMPARE(bench.flow.state().job, u"5"_s);
        QVERIFY2(bench.flow.state().text.contains(u"Nothing was sent again"), qPrintable(bench.flow.state().text));
        QCOMPARE(bench.sent(), 0);
    }

    /// An entry of another program that lives, in a stage of its submission.
    static QString ofALivingProgram(Bench& bench, const QProcess& program, Owner owner)
    {
        const QString id = bench.log.record({u"rw-00000000000000aa"_s, u"practice"_s, {}, {}, order().script, {}})->id;
        QFile stat(u"/proc/%1/stat"_s.arg(program.processId()));
        if (!stat.open(QIODevice::ReadOnly) || !bench.log.markSending(id))
            qFatal("no other program");
        const QByteArray all = stat.readAll();
        const QString mark = u"%1/%2/%3"_s.arg(bench.log.find(id)->owner.section(u'/', 0, 0))
                                 .arg(program.processId())
                                 .arg(QString::fromLatin1(all.mid(all.lastIndexOf(')') + 2).split(' ').at(19)));
        if (!bench.database->run(u"UPDATE entries SET owner=?"_s, {mark}) || lifeOf(mark) != ProcessLife::Running)
            qFatal("the job log could not be written");
        if (owner == Owner::GaveUp && !bench.log.markUnknown(id, linkLost()))
            qFatal("the job log could not be written");
        return id;
    }

    /// A window whose link broke while Slurm had the script; the same design is then submitted in a terminal.
    void whatALivingProgramGaveUpIsReported_data()
    {
        QTest::addColumn<bool>("toldElsewhere");
        QTest::newRow("found by this one") << false;
        QTest::newRow("the other one has shown it meanwhile") << true;
    }

    void whatALivingProgramGaveUpIsReported()
    {
        QFETCH(bool, toldElsewhere);
        QProcess other;
        other.start(u"sleep"_s, {u"60"_s});
        QVERIFY(other.waitForStarted());
        Bench bench;
        bench.shell.setState(LinkState::Offline);
        const QString id = ofALivingProgram(bench, other, Owner::GaveUp);
        bench.shell.expect(u"--test-only"_s, rehearsedWell());
        bench.shell.expect(u"--parsable"_s, {"6\n", {}});
        bench.shell.expect(u"sacct"_s, {foundInQueue(u"5"_s, u"rw-00000000000000aa"_s), {}}, true);
        connect(&bench.recovery, &SubmitRecovery::submissionDecided, this, [&] {
            if (toldElsewhere)
                QVERIFY_RESULT(bench.log.markAnswered(id));
        });
        bench.shell.setState(LinkState::Online);
        QVERIFY(bench.flow.start(order()));
        QTRY_COMPARE(bench.flow.state().stage, Stage::Submitted);
        QCOMPARE(bench.sent(), 0);
        QCOMPARE(bench.flow.state().job, u"5"_s);
        QVERIFY(bench.flow.state().wasFound);
        other.kill();
        other.waitForFinished(test::longWaitMs);
    }

    void whoStillSendsIsNamed_data()
    {
        QTest::addColumn<bool>("gaveUp");
        QTest::newRow("still sending") << false;
        QTest::newRow("gave it up") << true;
    }

    void whoStillSendsIsNamed()
    {
        QFETCH(bool, gaveUp);
        QProcess other;
        other.start(u"sleep"_s, {u"60"_s});
        QVERIFY(other.waitForStarted());
        Bench bench;
        bench.shell.setState(LinkState::Offline);
        ofALivingProgram(bench, other, gaveUp ? Owner::GaveUp : Owner::StillSending);
        bench.shell.expect(
            u"sacct"_s, {{}, "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n", 1}, true);
        bench.flow.setPatience(1500);
        bench.shell.setState(LinkState::Online);
        QVERIFY(bench.flow.start(order()));
        QTRY_COMPARE(bench.flow.state().stage, Stage::Refused);
        const QString why = bench.flow.state().error.oneLine();
        QCOMPARE(why.contains(u"process %1 is still submitting it"_s.arg(other.processId())), !gaveUp);
        QCOMPARE(why.contains(u"Unable to contact"_s), gaveUp);
        QCOMPARE(bench.sent(), 0);
        other.kill();
        other.waitForFinished(test::longWaitMs);
    }

    void anSbatchStillAtWorkIsNotAbsence()
    {
        Bench bench;
        bench.shell.setState(LinkState::Offline);
        killedWhileSending(bench);
        QByteArray atWork = nothingFound();
        bench.shell.expect(u"sacct"_s, {"\x1dsending\n1\n" + atWork, {}}, true);
        QSignalSpy troubles(&bench.recovery, &SubmitRecovery::recoveryFailed);
        bench.flow.setPatience(1500);
        bench.shell.setState(LinkState::Online);
        QVERIFY(bench.flow.start(order()));
        QTRY_COMPARE(bench.flow.state().stage, Stage::Refused);
        QVERIFY(troubles.count() > 3);
        QCOMPARE(bench.sent(), 0);
        QVERIFY(bench.flow.state().error.oneLine().contains(u"still running on the login node"));
    }

    void whatSlurmHasIsComparedWithTheScript()
    {
        Bench bench;
        bench.shell.expect(u"--test-only"_s, rehearsedWell());
        bench.shell.expect(u"--parsable"_s, {"4711\n", {}});
        JobRecord has;
        has.id = u"4711"_s;
        has.state = JobState::Pending;
        has.account = u"project_465000002"_s;
        has.partition = u"debug"_s;
        has.nodes = 1;
        bench.shell.expect(u"sacct"_s, {jobPage(has), {}}, true);
        SubmitOrder made = order();
        made.script = "#!/bin/bash\n#SBATCH --account=project_465000001 --partition=small-g,debug\n"
                      "#SBATCH --time=00:30:00 --nodes=2\ntrue\n";
        QSignalSpy compared(&bench.flow, &SubmitFlow::jobCompared);
        bench.flow.start(made);
        QTRY_COMPARE(compared.count(), 1);
        const QStringList differences = bench.flow.state().differences;
        QCOMPARE(differences,
            QStringList({u"Slurm has the account project_465000002, the script says project_465000001."_s,
                u"Slurm has the time limit 00:15:00, the script says 00:30:00."_s,
                u"Slurm has a number of nodes of 1, the script says 2."_s})); // the partition is one of those asked for
    }

    void aProgramThatDiedIsCleanedUpAfter_data()
    {
        QTest::addColumn<bool>("sending");
        QTest::addColumn<bool>("arrived");
        QTest::addColumn<EntryStage>("stage");
        QTest::newRow("before sending") << false << false << EntryStage::Absent;
        QTest::newRow("while sending, arrived") << true << true << EntryStage::Known;
        QTest::newRow("while sending, not arrived") << true << false << EntryStage::Absent;
    }

    void aProgramThatDiedIsCleanedUpAfter()
    {
        QFETCH(bool, sending);
        QFETCH(bool, arrived);
        QFETCH(EntryStage, stage);
        Bench bench;
        bench.shell.setState(LinkState::Offline);
        const QString id = bench.log.record({u"rw-00000000000000aa"_s, u"practice"_s, {}, {}, "#!/bin/sh\n", {}})->id;
        if (sending)
            QVERIFY_RESULT(bench.log.markSending(id));
        // A process that cannot exist: the kernel's largest id is 4194304.
        QVERIFY_RESULT(bench.database->run(
            u"UPDATE entries SET owner=? || '/4194305/1'"_s, {bench.log.find(id)->owner.section(u'/', 0, 0)}));
        bench.shell.expect(
            u"sacct"_s, {arrived ? foundInQueue(u"5"_s, u"rw-00000000000000aa"_s) : nothingFound(), {}}, true);
        QSignalSpy decided(&bench.recovery, &SubmitRecovery::submissionDecided);
        bench.shell.setState(LinkState::Online);
        QTRY_COMPARE(decided.count(), 1);
        QCOMPARE(bench.log.find(id)->stage, stage);
        QCOMPARE(bench.sent(), 0);
    }

    void anotherLivingProgramIsLeftAlone()
    {
        Bench bench;
        bench.shell.setState(LinkState::Offline);
        const QString id = bench.log.record({u"rw-00000000000000aa"_s, u"practice"_s, {}, {}, "#!/bin/sh\n", {}})->id;
        QVERIFY_RESULT(bench.log.markSending(id)); // by this very process, which lives
        bench.shell.expect(u"sacct"_s, {nothingFound(), {}}, true);
        bench.shell.setState(LinkState::Online);
        test::quietFor(300);
        QCOMPARE(bench.log.find(id)->stage, EntryStage::Sending);
        QVERIFY(bench.shell.lines().isEmpty());
    }

    void closingWhileSendingIsReportedInTheLog()
    {
        Bench bench;
        QString id;
        {
            SubmitFlow flow(bench.shell, bench.client, bench.log, bench.recovery);
            bench.shell.expect(u"--test-only"_s, rehearsedWell());
            bench.shell.expect(u"--parsable"_s, {{}, {}, 0, 10000});
            flow.start(order());
            QTRY_COMPARE(flow.state().stage, Stage::Sending);
            id = flow.entryId();
        }
        QCOMPARE(bench.log.find(id)->stage, EntryStage::Unknown);
    }
};

RANKWRIGHT_TEST_MAIN(SubmitFlowTest)
#include "tst_submitflow.moc"
