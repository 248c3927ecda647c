// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/refusals.h"
#include "models/insight/diagnosis/explain.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

class ExplainTest final : public test::Suite {
    Q_OBJECT
private slots:
    void pendingReasons_data();
    void pendingReasons();
    void unknownReasonsKeepTheirName();
    void outcomes_data();
    void outcomes();
    void refusals_data();
    void refusals();
    void unknownRefusalsKeepSlurmsWords();
};

void ExplainTest::pendingReasons_data()
{
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* reason, const char* says) {
        QTest::newRow(reason) << QString::fromLatin1(reason) << QString::fromLatin1(says);
    };
    row("Priority", "Other jobs are ahead of yours");
    row("Resources", "next in line");
    row("PartitionDown", "closed");
    row("QOSMaxJobsPerUserLimit", "as many jobs in this partition or QoS");
    row("AssocGrpGRESMinutes", "GPU-hours are used up");
    row("ReqNodeNotAvail, UnavailableNodes:nid[001-004]", "maintenance");
    row("DependencyNeverSatisfied", "never start");
    row("QOSGrpNodeLimit", "All jobs of this partition or QoS");
    row("JobHeldUser", "scontrol release");
}

void ExplainTest::pendingReasons()
{
    QFETCH(QString, reason);
    QFETCH(QString, says);
    QVERIFY2(explainPendingReason(reason).contains(says), qPrintable(explainPendingReason(reason)));
}

void ExplainTest::unknownReasonsKeepTheirName()
{
    QVERIFY(explainPendingReason(u"SomethingNewIn26"_s).contains(u"SomethingNewIn26"_s));
    QVERIFY(explainPendingReason({}).isEmpty());
}

void ExplainTest::outcomes_data()
{
    QTest::addColumn<JobRecord>("job");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, JobState state, std::optional<int> code, std::optional<int> signal,
                         const char* says, JobState step = JobState::Unknown) {
        JobRecord job;
        job.state = state;
        job.exitCode = code;
        job.exitSignal = signal;
        job.elapsed = Seconds{125};
        job.timeLimit = Seconds{3600};
        job.stepState = step;
        QTest::newRow(name) << job << QString::fromLatin1(says);
    };
    row("completed", JobState::Completed, 0, 0, "Completed after 2");
    row("failed", JobState::Failed, 1, 0, "exit code 1");
    // FAILED 0:53 without any output: the directory of --output is missing
    row("no output file", JobState::Failed, 0, 53, "directory of --output");
    row("segfault", JobState::Failed, 0, 11, "SIGSEGV");
    row("shell's word for a signal", JobState::Failed, 137, 0, "SIGKILL");
    row("not found", JobState::Failed, 127, 0, "not found");
    row("step out of memory", JobState::Failed, 1, 0, "more host memory", JobState::OutOfMemory);
    row("exit code unknown", JobState::Failed, {}, {}, "Failed after");
    row("time limit", JobState::Timeout, 0, 0, "time limit of 1");
    row("memory", JobState::OutOfMemory, 0, 125, "more host memory");
    row("node", JobState::NodeFail, {}, {}, "not at fault");
    row("cancelled", JobState::Cancelled, 0, 15, "Cancelled after");
    row("unknown", JobState::Unknown, {}, {}, "did not report");
    row("running", JobState::Running, {}, {}, "Not ended");
}

void ExplainTest::outcomes()
{
    QFETCH(JobRecord, job);
    QFETCH(QString, says);
    QVERIFY2(explainOutcome(job).contains(says), qPrintable(explainOutcome(job)));
}

void ExplainTest::refusals_data()
{
    QTest::addColumn<QByteArray>("words");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* words, const char* says) {
        QTest::newRow(words) << QByteArray(words) << QString::fromLatin1(says);
    };
    // texts seen with sbatch 22.05
    row("sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified",
        "does not take this account");
    row("sbatch: error: invalid partition specified: x\nsbatch: error: Batch job submission failed: Invalid partition "
        "name specified",
        "no such partition");
    row("sbatch: error: Batch job submission failed: Node count specification invalid", "number of nodes");
    row("sbatch: error: Batch job submission failed: Requested node configuration is not available",
        "No node of this partition");
    row("sbatch: error: Batch job submission failed: Requested time limit is invalid (missing or exceeds some limit)",
        "time limit is missing");
    row("sbatch: error: Batch job submission failed: Access denied to requested reservation",
        "may not use this reservation");
    row("sbatch: error: Batch job submission failed: Requested reservation is invalid", "no such reservation");
    row("sbatch: error: Batch job submission failed: Invalid qos specification", "quality of service");
    row("sbatch: error: QOSMaxSubmitJobPerUserLimit\nsbatch: error: Batch job submission failed: Job violates "
        "accounting/QOS policy (job submit "
        "limit, user's size and/or time limits)",
        "as many jobs in this partition or QoS");
    row("sbatch: error: Batch script contains DOS line breaks (\\r\\n)\nsbatch: error: instead of expected UNIX line "
        "breaks (\\n).",
        "DOS line ends");
    row("sbatch: error: This does not look like a batch script.  The first\nsbatch: error: line must start with #!",
        "#! line");
    row("sbatch: error: Invalid --time specification", "not written as Slurm reads it");
    row("sbatch: unrecognized option '--gpus-per-rack=3'", "does not know an option");
    row("sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)",
        "controller does not answer");
}

void ExplainTest::refusals()
{
    QFETCH(QByteArray, words);
    QFETCH(QString, says);
    const Error why = slurmRefusal(words, 1);
    QCOMPARE(why.fault, Fault::RemoteExit);
    QVERIFY2(why.what.contains(says), qPrintable(why.what));
    QVERIFY(!why.remedy.isEmpty());
    QCOMPARE(why.detail, QString::fromUtf8(words)); // Slurm's own words, whole
}

void ExplainTest::unknownRefusalsKeepSlurmsWords()
{
    QCOMPARE(slurmRefusal("sbatch: error: Batch job submission failed: The moon is full\n", 1).what,
        u"Slurm refused: The moon is full"_s);
    QVERIFY(slurmRefusal({}, 255).what.contains(u"255"_s));
    const Error noise = slurmRefusal(QByteArray(100000, '\xff'), 1);
    QVERIFY(noise.what.size() < 400);
}

RANKWRIGHT_TEST_MAIN(ExplainTest)
#include "tst_explain.moc"
