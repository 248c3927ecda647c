// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/alertrules.h"
#include "models/insight/report/efficiency.h"
#include "tests/models/support/gpucurve.h"
#include "tests/support/reportcontradictions.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>
#include <QRegularExpression>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;
using Grade = EfficiencyReport::Grade;

namespace {

Alert alertOf(const QString& kind)
{
    Alert alert;
    for (const AlertRule& rule : alertRules()) {
        if (kind != nameOf(rule.kind))
            continue;
        alert.level = rule.level;
        alert.rule = rule.kind;
        alert.meaning = QString::fromUtf8(rule.meaning);
    }
    alert.kind = kind;
    alert.title = u"Title of "_s + kind;
    return alert;
}

/// A job of four GPUs on one node; what the made-up figures say of it is not always likely, but possible.
struct MadeUp {
    JobState state = JobState::Completed;
    double use = 90, power = 300; ///< of 400 W
    int idle = 0; ///< of the four
    bool isOneLate = false; ///< the others show full use at low power
    double memory = 40; ///< GiB of 64
    QStringList alerts;
    QString failure;
    std::optional<double> stepSeconds;
    std::optional<qint64> step, steps;
    int seconds = 3600;
};

GpuSample sampleOf(const MadeUp& job, int index)
{
    const bool isIdle = index >= 4 - job.idle;
    GpuSample sample = gpu(index, isIdle ? 0 : job.use);
    sample.powerCapWatts = 400;
    sample.powerWatts = isIdle ? 60 : job.power;
    if (job.isOneLate && !isIdle) {
        sample.utilizationPercent = 98;
        sample.powerWatts = index == 0 ? 350 : 110;
    }
    sample.memoryTotalBytes = 64LL * gib;
    sample.memoryUsedBytes = isIdle ? qint64(0) : qint64(job.memory * double(gib));
    return sample;
}

ReportInputs inputsOf(const MadeUp& made)
{
    ReportInputs in;
    in.cluster = u"Testbed"_s;
    in.accounted = true;
    JobRecord& job = in.usage.job;
    job.id = u"1"_s;
    job.state = made.state;
    job.nodes = 1;
    job.gpus = 4;
    job.elapsed = Seconds{made.seconds};
    job.timeLimit = Seconds{made.state == JobState::Timeout ? made.seconds : 4 * made.seconds};
    job.started = QDateTime::fromMSecsSinceEpoch(startMs, Qt::UTC);
    job.submitted = job.started;
    job.ended = job.started.addSecs(made.seconds);
    in.usage.cpus = 64;
    in.usage.cpuSeconds = made.seconds * 6.0;
    in.usage.memory = Bytes::gib(240);
    StepUsage step;
    step.id = u"0"_s;
    step.tasks = 4;
    step.nodes = 1;
    step.largestTaskMemory = Bytes::gib(10);
    in.usage.steps = {step};
    in.rules.tasksPerNode = 4;
    in.rules.microBatch = 2;
    in.rules.passesMicroBatch = true;
    in.recorded = summarise(curve(made.seconds,
                                [&made](int) {
                                    QList<GpuSample> all;
                                    for (int index = 0; index < 4; ++index)
                                        all.append(sampleOf(made, index));
                                    return all;
                                }),
        span(made.seconds));
    for (const QString& kind : made.alerts)
        in.alerts.append(alertOf(kind));
    if (!made.failure.isEmpty()) {
        Diagnosis diagnosis;
        diagnosis.kind = made.failure;
        diagnosis.evidence = u"evidence"_s;
        in.diagnoses = {diagnosis};
    }
    in.measured.stepSeconds = made.stepSeconds;
    in.measured.step = made.step;
    in.measured.steps = made.steps;
    return in;
}

MadeUp madeUp(unsigned seed)
{
    QRandomGenerator random(seed);
    static const QStringList kinds = [] {
        QStringList all{u"oom_gpu"_s, u"nccl_error"_s, u"missing_module"_s};
        for (const AlertRule& rule : alertRules())
            all.append(nameOf(rule.kind).toString());
        return all;
    }();
    static const QList<JobState> states{JobState::Completed, JobState::Completed, JobState::Failed, JobState::Cancelled,
        JobState::Timeout, JobState::OutOfMemory, JobState::NodeFail, JobState::Running};
    MadeUp made;
    made.state = states.at(random.bounded(int(states.size())));
    made.use = random.bounded(100);
    made.power = 60 + random.bounded(330);
    made.idle = random.bounded(4) == 0 ? random.bounded(5) : 0;
    made.isOneLate = random.bounded(5) == 0;
    made.memory = 1 + random.bounded(62);
    for (int i = random.bounded(3); i > 0; --i)
        made.alerts.append(kinds.at(random.bounded(int(kinds.size()))));
    if (hasEnded(made.state) && made.state != JobState::Completed && random.bounded(2) == 0)
        made.failure = u"oom_gpu"_s;
    if (random.bounded(2) == 0) {
        made.steps = 2000;
        made.step = made.state == JobState::Completed ? 2000 : 1 + random.bounded(1990);
        made.stepSeconds = 0.05 + random.bounded(2.0);
    }
    made.seconds = 400 + random.bounded(1500);
    return made;
}

} // namespace

/// No statement of a report contradicts another.
class AgreementTest final : public test::Suite {
    Q_OBJECT
private slots:
    void madeUpJobs();
    void stragglerIsNotGood();
    void hungJobIsNotAskedForMore();
    void workBesideTheSteps();
    void healthyJobWithAFailureOfItsStart();
    void spinningIsNoWork();
};

void AgreementTest::madeUpJobs()
{
    QStringList wrong;
    for (unsigned seed = 1; seed <= 60; ++seed) {
        const MadeUp made = madeUp(seed);
        const ReportInputs in = inputsOf(made);
        const EfficiencyReport report = makeReport(in);
        for (const QString& one : contradictionsIn(report, in))
            wrong.append(u"seed %1: %2: %3 | %4"_s.arg(seed).arg(one, report.verdict, report.findings.join(u" / "_s)));
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

void AgreementTest::stragglerIsNotGood()
{
    MadeUp made;
    made.use = 97;
    made.alerts = {u"straggler"_s};
    const EfficiencyReport report = makeReport(inputsOf(made));
    QCOMPARE(report.grade, Grade::Fair);
    QVERIFY2(report.verdict.contains(u"Title of straggler"_s), qPrintable(report.verdict));
    // nobody watched, the recording alone: power says it
    made.alerts.clear();
    made.isOneLate = true;
    const EfficiencyReport alone = makeReport(inputsOf(made));
    QVERIFY(alone.grade == Grade::Fair || alone.grade == Grade::Poor);
    QVERIFY2(alone.findings.join(u' ').contains(u"n1 GPU 0 computed while the others waited"_s),
        qPrintable(alone.findings.join(u'\n')));
    // a straggler of a minute in a job of an hour
    made.isOneLate = false;
    made.alerts = {u"straggler"_s};
    ReportInputs brief = inputsOf(made);
    brief.alertSeconds.insert(u"straggler"_s, 60);
    QCOMPARE(makeReport(brief).grade, Grade::Good);
}

void AgreementTest::hungJobIsNotAskedForMore()
{
    for (const JobState state : {JobState::Cancelled, JobState::Timeout}) {
        MadeUp made;
        made.state = state;
        made.use = 98;
        made.power = 110; // they wait in a collective
        made.step = 53;
        made.steps = 2000;
        made.stepSeconds = 0.8;
        const EfficiencyReport report = makeReport(inputsOf(made));
        QCOMPARE(report.grade, Grade::Poor);
        QVERIFY2(!report.verdict.contains(u"more work"_s) && report.verdict.contains(u"stood still"_s),
            qPrintable(report.verdict));
        for (const ReportAdvice& advice : report.advice)
            QVERIFY2(advice.kind == AdviceKind::Hint && !advice.text.contains(u"busier"_s), qPrintable(advice.text));
    }
}

/// Evaluations and generated answers are not steps: of a job that was cut while its GPUs worked nobody says that it
/// stood.
void AgreementTest::workBesideTheSteps()
{
    MadeUp made;
    made.state = JobState::Timeout;
    made.step = 1000;
    made.steps = 100'000;
    made.stepSeconds = 0.8; // 800 s of an hour
    const EfficiencyReport report = makeReport(inputsOf(made));
    QVERIFY2(!report.verdict.contains(u"stood still"_s), qPrintable(report.verdict));
    QCOMPARE(report.grade, Grade::Fair); // it did not reach its end
}

void AgreementTest::healthyJobWithAFailureOfItsStart()
{
    MadeUp made;
    made.alerts = {u"missing_module"_s, u"output_suspicion"_s, u"lost_rank"_s};
    ReportInputs in = inputsOf(made);
    in.alerts.first().level = Alert::Level::Failure;
    const EfficiencyReport report = makeReport(in);
    QCOMPARE(report.grade, Grade::Good);
    QVERIFY2(report.findings.isEmpty(), qPrintable(report.findings.join(u'\n')));
}

void AgreementTest::spinningIsNoWork()
{
    MadeUp made;
    made.use = 99;
    made.power = 110; // 28 % of the limit
    const EfficiencyReport report = makeReport(inputsOf(made));
    QCOMPARE(report.grade, Grade::Poor);
    QVERIFY2(report.verdict.contains(u"waited"_s), qPrintable(report.verdict));
}

RANKWRIGHT_TEST_MAIN(AgreementTest)
#include "tst_agreement.moc"
