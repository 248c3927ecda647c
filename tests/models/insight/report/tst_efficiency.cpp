// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/report/efficiency.h"
#include "models/insight/report/reporthtml.h"
#include "models/insight/report/reportmarkdown.h"
#include "tests/models/support/gpucurve.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>
#include <QTimeZone>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;
using Grade = EfficiencyReport::Grade;

namespace {

/// A completed job of one node with 4 GPUs, 64 CPUs and 240 GiB, an hour asked for.
ReportInputs usual(int seconds)
{
    ReportInputs in;
    in.cluster = u"Testbed"_s;
    in.accounted = true;
    JobRecord& job = in.usage.job;
    job.id = u"4711"_s;
    job.name = u"gpt"_s;
    job.state = JobState::Completed;
    job.nodes = 1;
    job.gpus = 4;
    job.elapsed = Seconds{seconds};
    job.timeLimit = Seconds{14400};
    job.submitted = QDateTime::fromMSecsSinceEpoch(startMs - 60000, Qt::UTC);
    job.started = QDateTime::fromMSecsSinceEpoch(startMs, Qt::UTC);
    job.ended = job.started.addSecs(seconds);
    in.usage.cpus = 64;
    in.usage.memory = Bytes::gib(240);
    in.usage.cpuSeconds = seconds * 8.0;
    StepUsage step;
    step.id = u"0"_s;
    step.tasks = 4;
    step.nodes = 1;
    step.largestTaskMemory = Bytes::gib(10);
    in.usage.steps = {step};
    in.rules.tasksPerNode = 4;
    return in;
}

const ReportAdvice* adviceOf(const EfficiencyReport& report, AdviceKind kind)
{
    for (const ReportAdvice& advice : report.advice) {
        if (advice.kind == kind)
            return &advice;
    }
    return nullptr;
}

} // namespace

/// The report on a job, against figures worked out by hand.
class EfficiencyTest final : public test::Suite {
    Q_OBJECT
private slots:
    void whatIsNotReportedStaysEmpty();
    void goodRun();
    void idleGpus();
    void aFailureNamesWhoFailed();
    void wholeIdleNode();
    void allIdle();
    void advisesTimeMemoryAndCores();
    void savesNothingSaysNothing();
    void timeLimitWithProgress();
    void outOfMemory();
    void aFailedJobHasNoGrade_data();
    void aFailedJobHasNoGrade();
    void tooLittleSeen();
    void accountingAlone();
    void waitingJob();
    void runningJob();
    void startUpIsNoWaiting();
    void stillStarting();
    void predictionAgainstMeasurement();
    void neverBelowWhatWasUsed();
    void markdown();
    void passingAlert();
};

void EfficiencyTest::whatIsNotReportedStaysEmpty()
{
    const auto history = curve(100, [](int) {
        GpuSample bare;
        return QList{bare};
    });
    const HistorySummary seen = summarise(history, span(100));
    QCOMPARE(seen.gpus.size(), 1);
    QVERIFY(!seen.meanUse && !seen.medianUse && !seen.idleShare && !seen.memoryPeak && !seen.memoryTotal);
    QVERIFY(!seen.meanPower && !seen.energyJoules && !seen.firstWorkMs && !seen.throttledShare);
    ReportInputs in = usual(100);
    in.recorded = seen;
    const EfficiencyReport report = makeReport(in);
    QVERIFY(!report.figure(u"gpuUse"_s)->value);
    QVERIFY(!report.figure(u"gpuEnergy"_s)->value);
    QCOMPARE(report.figure(u"gpuUse"_s)->text, u"not known"_s);
}

/// One alert of ten minutes says nothing of a day; one that stood when the recording ended does.
void EfficiencyTest::passingAlert()
{
    ReportInputs in = usual(86400);
    in.usage.job.state = JobState::Timeout;
    in.usage.job.timeLimit = Seconds{86400};
    in.recorded = summarise(curve(86400,
                                [](int) {
                                    return QList{gpu(0, 92), gpu(1, 92), gpu(2, 92), gpu(3, 92)};
                                }),
        span(86400));
    Alert hang;
    hang.kind = u"hang"_s;
    hang.level = Alert::Level::Failure;
    in.alerts = {hang};
    in.alertSeconds = {{u"hang"_s, 600.0}};
    QVERIFY(makeReport(in).grade != Grade::Poor);
    in.standingAtEnd = {u"hang"_s};
    QCOMPARE(makeReport(in).grade, Grade::Poor);
    in.standingAtEnd.clear();
    in.alertSeconds = {{u"hang"_s, 40000.0}};
    QCOMPARE(makeReport(in).grade, Grade::Poor);
}

void EfficiencyTest::goodRun()
{
    ReportInputs in = usual(12000);
    in.rules.gpuWord = u"GCD"_s;
    in.recorded = summarise(curve(12000,
                                [](int) {
                                    return QList{gpu(0, 92), gpu(1, 92), gpu(2, 92), gpu(3, 92)};
                                }),
        span(12000));
    const EfficiencyReport report = makeReport(in);
    QCOMPARE(report.grade, Grade::Good);
    QVERIFY2(report.verdict.contains(u"4 GCDs"_s) && report.verdict.contains(u"92"_s), qPrintable(report.verdict));
    QCOMPARE(report.figure(u"gpuUse"_s)->value, std::optional(92.0));
    QCOMPARE(report.figure(u"gpuEnergy"_s)->value, std::optional(4.0)); // 4 x 300 W x 12000 s = 14.4 MJ
    QVERIFY(qAbs(report.figure(u"gpuHours"_s)->value.value_or(0) - 13.3333) < 0.001);
    QVERIFY(qAbs(report.figure(u"gpuMemory"_s)->share.value_or(0) - 0.625) < 1e-9);
    QVERIFY(qAbs(report.figure(u"cpu"_s)->share.value_or(0) - 0.125) < 1e-9); // 8 of 64
    QVERIFY(qAbs(report.figure(u"hostMemory"_s)->value.value_or(0) - 40.0 * double(gib)) < 1); // 4 tasks of 10 GiB
    QVERIFY(!adviceOf(report, AdviceKind::Time)); // 3 h 20 min of 4 h
    QVERIFY(!adviceOf(report, AdviceKind::Gpus));
    QVERIFY(!report.figure(u"cost"_s)->value); // no formula: not known, not 0
    QVERIFY(report.unknown.isEmpty());
}

void EfficiencyTest::idleGpus()
{
    ReportInputs in = usual(1800);
    in.recorded = summarise(curve(1800,
                                [](int) {
                                    return QList{gpu(0, 88), gpu(1, 86), gpu(2, 0), gpu(3, 1)};
                                }),
        span(1800));
    const EfficiencyReport report = makeReport(in);
    QCOMPARE(report.grade, Grade::Poor);
    QVERIFY2(report.verdict.startsWith(u"2 of 4 GPUs never"_s), qPrintable(report.verdict));
    const ReportAdvice* advice = adviceOf(report, AdviceKind::Gpus);
    QVERIFY(advice);
    QCOMPARE(advice->option, u"--gpus-per-node=2"_s);
    QCOMPARE(advice->field, u"resources.gpusPerNode"_s);
    QVERIFY(report.findings.join(u' ').contains(u"n1 GPU 2"_s));
}

/// As the Live page, the alert and `jobs` say it (practice.test_causes found the report without the rank).
void EfficiencyTest::aFailureNamesWhoFailed()
{
    ReportInputs in = usual(1800);
    in.usage.job.state = JobState::Failed;
    Diagnosis failure;
    failure.kind = u"oom_gpu"_s;
    failure.rule = u"gpu-memory"_s;
    failure.evidence = u"torch.OutOfMemoryError: CUDA out of memory."_s;
    failure.confirmed = true;
    failure.rank = 3;
    in.diagnoses = {failure};
    QCOMPARE(makeReport(in).findings.value(0), u"Rank 3: GPU out of memory: "_s + failure.evidence);
    failure.rank.reset();
    failure.advice = u"Use a smaller batch."_s;
    in.diagnoses = {failure};
    QCOMPARE(
        makeReport(in).findings.value(0), u"GPU out of memory: "_s + failure.evidence + u" — Use a smaller batch."_s);
}

void EfficiencyTest::wholeIdleNode()
{
    MemoryHistory history;
    for (int second = 0; second < 600; ++second) {
        history.store(NodeTick{u"n1"_s, startMs + second * 1000, {gpu(0, 90), gpu(1, 90)}});
        history.store(NodeTick{u"n2"_s, startMs + second * 1000, {gpu(0, 0), gpu(1, 0)}});
    }
    ReportInputs in = usual(600);
    in.usage.job.nodes = 2;
    in.recorded = summarise(history, span(600));
    const EfficiencyReport report = makeReport(in);
    const ReportAdvice* advice = adviceOf(report, AdviceKind::Nodes);
    QVERIFY(advice);
    QCOMPARE(advice->option, u"--nodes=1"_s);
}

void EfficiencyTest::allIdle()
{
    ReportInputs in = usual(600);
    in.recorded = summarise(curve(600, [](int) { return QList{gpu(0, 0), gpu(1, 0)}; }), span(600));
    const EfficiencyReport report = makeReport(in);
    QCOMPARE(report.grade, Grade::Poor);
    QVERIFY(report.verdict.startsWith(u"No GPU did any work"_s));
    QVERIFY(!adviceOf(report, AdviceKind::Gpus)); // no advice to use zero GPUs
}

void EfficiencyTest::advisesTimeMemoryAndCores()
{
    ReportInputs in = usual(3000); // 50 min of 4 h; 10 GiB x 4 of 240 GiB; 8 of 64 CPUs
    const EfficiencyReport report = makeReport(in);
    const ReportAdvice* time = adviceOf(report, AdviceKind::Time);
    QVERIFY(time);
    QCOMPARE(time->option, u"--time=01:15:00"_s); // 62.5 min, up to the next quarter of an hour
    QCOMPARE(time->value, 4500.0);
    const ReportAdvice* memory = adviceOf(report, AdviceKind::Memory);
    QVERIFY(memory);
    QCOMPARE(memory->option, u"--mem=53G"_s); // 40 GiB x 1.3 + 1
    const ReportAdvice* cores = adviceOf(report, AdviceKind::Cpus);
    QVERIFY(cores);
    QCOMPARE(cores->value, 3.0); // 2 busy for each GPU, half as many again
    QCOMPARE(cores->option, u"--cpus-per-task=3"_s);
    in.rules.tasksPerNode = 1; // an agent starts the four ranks
    const EfficiencyReport agent = makeReport(in);
    QCOMPARE(adviceOf(agent, AdviceKind::Cpus)->option, u"--cpus-per-task=12"_s);
}

void EfficiencyTest::savesNothingSaysNothing()
{
    ReportInputs in = usual(3000);
    in.rules.wholeNodes = true;
    EfficiencyReport report = makeReport(in);
    QVERIFY(!adviceOf(report, AdviceKind::Memory) && !adviceOf(report, AdviceKind::Cpus));
    in.rules.wholeNodes = false;
    in.rules.memoryPerGpu = Bytes::gib(60); // the share of four
    in.rules.coresPerGpu = 16;
    report = makeReport(in);
    QVERIFY(!adviceOf(report, AdviceKind::Memory) && !adviceOf(report, AdviceKind::Cpus));
    in.usage.job.elapsed = Seconds{60}; // too short for Slurm's own sampling
    in.rules = {};
    report = makeReport(in);
    QVERIFY(!adviceOf(report, AdviceKind::Memory) && !adviceOf(report, AdviceKind::Cpus));
    QVERIFY(report.unknown.join(u' ').contains(u"too short"_s));
}

void EfficiencyTest::timeLimitWithProgress()
{
    ReportInputs in = usual(14400);
    in.usage.job.state = JobState::Timeout;
    in.measured.step = 8000;
    in.measured.steps = 10000;
    const EfficiencyReport report = makeReport(in);
    const ReportAdvice* time = adviceOf(report, AdviceKind::Time);
    QVERIFY(time); // 5 h for all, 15 % more: 5 h 45 min
    QCOMPARE(time->option, u"--time=05:45:00"_s);
    in.rules.longestTime = Seconds{4 * 3600};
    const EfficiencyReport bounded = makeReport(in);
    QVERIFY(!adviceOf(bounded, AdviceKind::Time));
    QVERIFY(adviceOf(bounded, AdviceKind::Hint)->text.contains(u"checkpoint"_s));
    in.measured = {};
    QVERIFY(makeReport(in).advice.first().option.isEmpty()); // how much is not known
}

void EfficiencyTest::outOfMemory()
{
    ReportInputs in = usual(100);
    in.usage.job.state = JobState::Failed;
    in.usage.job.stepState = JobState::OutOfMemory;
    in.rules.nodeMemory = Bytes::gib(300);
    const EfficiencyReport report = makeReport(in);
    QCOMPARE(adviceOf(report, AdviceKind::Memory)->option, u"--mem=300G"_s); // 360 would be half as much again
    QVERIFY(!adviceOf(report, AdviceKind::Time)); // a job that failed early says nothing of the time
    QVERIFY(report.grade != Grade::Good);
}

void EfficiencyTest::aFailedJobHasNoGrade_data()
{
    QTest::addColumn<JobState>("state");
    QTest::addColumn<int>("use");
    for (const JobState state : {JobState::Failed, JobState::OutOfMemory, JobState::NodeFail, JobState::BootFail}) {
        for (const int use : {96, 55, 10})
            QTest::addRow("%s at %d %%", qPrintable(toText(state)), use) << state << use;
    }
}

/// "Fair" beside a run that broke off praises it, "Poor" blames its GPUs for what its program did.
void EfficiencyTest::aFailedJobHasNoGrade()
{
    QFETCH(JobState, state);
    QFETCH(int, use);
    ReportInputs in = usual(3000);
    in.usage.job.state = state;
    in.recorded = summarise(curve(3000, [use](int) { return QList{gpu(0, use), gpu(1, use)}; }), span(3000));
    const EfficiencyReport report = makeReport(in);
    QCOMPARE(report.grade, Grade::Unknown);
    const QString title = u"Not graded: it failed"_s;
    QCOMPARE(gradeTitle(report), title);
    QVERIFY(toMarkdown({report}).contains(u"**"_s + title + u". "_s));
    QVERIFY(toHtml({report}, {}, {}).contains(u"\"verdict\">"_s + title + u". "_s));
    in.usage.job.state = JobState::Completed;
    const EfficiencyReport completed = makeReport(in);
    QCOMPARE(gradeTitle(completed), use == 96 ? u"Good"_s : use == 55 ? u"Fair"_s : u"Poor"_s);
    QVERIFY(toMarkdown({completed}).contains(u"**"_s + gradeTitle(completed) + u". "_s));
}

void EfficiencyTest::tooLittleSeen()
{
    ReportInputs in = usual(6000);
    in.recorded = summarise(curve(600,
                                [](int) {
                                    return QList{gpu(0, 0), gpu(1, 0), gpu(2, 0), gpu(3, 0)};
                                }),
        span(6000));
    const EfficiencyReport report = makeReport(in);
    QCOMPARE(report.grade, Grade::Unknown);
    QVERIFY2(report.verdict.contains(u"Only 10\u2009%"_s), qPrintable(report.verdict));
    QVERIFY(!adviceOf(report, AdviceKind::Gpus));
    QVERIFY(report.unknown.join(u' ').contains(u"too little to advise"_s));
}

void EfficiencyTest::accountingAlone()
{
    ReportInputs in = usual(3000);
    EfficiencyReport report = makeReport(in);
    QCOMPARE(report.grade, Grade::Unknown);
    QVERIFY(!report.figure(u"gpuUse"_s)->value);
    QVERIFY(report.figure(u"time"_s)->value);
    QVERIFY(report.unknown.join(u' ').contains(u"not recorded"_s));
    in.usage.steps.first().gpuPercent = 85;
    report = makeReport(in);
    QCOMPARE(report.grade, Grade::Good);
    QCOMPARE(report.figure(u"gpuUse"_s)->source, u"Slurm accounting"_s);
}

void EfficiencyTest::waitingJob()
{
    ReportInputs in = usual(0);
    in.usage.job.state = JobState::Pending;
    const EfficiencyReport report = makeReport(in);
    QVERIFY(report.figures.isEmpty() && report.advice.isEmpty());
    QVERIFY(report.verdict.contains(u"not started"_s));
}

void EfficiencyTest::runningJob()
{
    for (const int seconds : {60, 600}) { // it loads for the first 40 s
        ReportInputs in = usual(seconds);
        in.usage.job.state = JobState::Running;
        in.recorded
            = summarise(curve(seconds, [](int second) { return QList{gpu(0, second < 40 ? 0 : 95)}; }), span(seconds));
        const EfficiencyReport report = makeReport(in);
        QCOMPARE(report.grade, seconds < 120 ? Grade::Unknown : Grade::Good);
        QVERIFY2(report.verdict.startsWith(u"It still runs; so far it"_s), qPrintable(report.verdict));
    }
}

/// A first job of 90 s whose imports take 60 of them, and which keeps its GPUs busy afterwards.
void EfficiencyTest::startUpIsNoWaiting()
{
    ReportInputs in = usual(90);
    in.recorded = summarise(curve(90, [](int second) { return QList{gpu(0, second < 60 ? 0 : 85)}; }), span(90));
    const EfficiencyReport report = makeReport(in);
    QCOMPARE(report.grade, Grade::Good);
    QVERIFY2(report.verdict.startsWith(
                 u"It kept its 1 GPU busy: 85\u2009% of the time on average, after a start-up of 1\u2009min."_s),
        qPrintable(report.verdict));
    const ReportFigure* start = report.figure(u"startUp"_s);
    QVERIFY(start);
    QCOMPARE(start->value, std::optional(60.0));
    QCOMPARE(report.figure(u"gpuUse"_s)->value, std::optional(85.0 * 30 / 90));
    QVERIFY2(report.figure(u"gpuUse"_s)->note.contains(u"without it 85\u2009%"_s),
        qPrintable(report.figure(u"gpuUse"_s)->note));
    // What mostly waits after its start still does.
    in.recorded = summarise(curve(90, [](int second) { return QList{gpu(0, second < 30 ? 0 : 20)}; }), span(90));
    QCOMPARE(makeReport(in).grade, Grade::Poor);
}

/// No GPU has worked yet: imports that take minutes do not make GPUs idle, those of half an hour do.
void EfficiencyTest::stillStarting()
{
    for (const int seconds : {100, 400, 1800}) {
        ReportInputs in = usual(seconds);
        in.usage.job.state = JobState::Running;
        in.recorded = summarise(curve(seconds, [](int) { return QList{gpu(0, 0), gpu(1, 0)}; }), span(seconds));
        const EfficiencyReport report = makeReport(in);
        QCOMPARE(report.grade, seconds < 900 ? Grade::Unknown : Grade::Poor);
        QCOMPARE(report.verdict.startsWith(u"It is still starting: no GPU has worked in its first "_s), seconds < 900);
        QVERIFY(report.figure(u"startUp"_s));
    }
}

void EfficiencyTest::predictionAgainstMeasurement()
{
    ReportInputs in = usual(3600);
    in.recorded = summarise(curve(100, [](int) { return QList{gpu(0, 90, 300, 44)}; }), span(100));
    in.predicted.memoryBytes = JobPrediction::Band{40.0 * gib, 36.0 * gib, 45.0 * gib};
    in.predicted.stepSeconds = JobPrediction::Band{0.5, 0.4, 0.6};
    in.measured.stepSeconds = 0.65;
    in.rules.billingAccounts = {{{}, u"GPU-hours"_s, 4.0, 16.0, u"GPUs"_s, u"rules"_s}};
    const EfficiencyReport report = makeReport(in);
    QCOMPARE(report.comparisons.size(), 3);
    const ReportComparison& step = report.comparisons.at(0);
    QVERIFY(qAbs(step.differencePercent - 30) < 1e-9);
    QCOMPARE(step.insideBand, std::optional(false));
    QVERIFY(qAbs(report.comparisons.at(1).differencePercent - 10) < 1e-9);
    QCOMPARE(report.comparisons.at(1).insideBand, std::optional(true));
    QCOMPARE(report.comparisons.at(2).differencePercent, -75.0);
    QVERIFY(!report.comparisons.at(2).insideBand);
    QVERIFY(report.comparisons.at(2).isLimit);
    QCOMPARE(differenceText(report.comparisons.at(2)), u"25\u2009% of the most that it could be"_s);
    QCOMPARE(report.figure(u"cost"_s)->value, std::optional(4.0));
}

void EfficiencyTest::neverBelowWhatWasUsed()
{
    QRandomGenerator random(11);
    for (int round = 0; round < 2000; ++round) {
        ReportInputs in = usual(random.bounded(1, 400000));
        in.usage.job.timeLimit = Seconds{in.usage.job.elapsed->count + random.bounded(0, 400000)};
        in.usage.job.gpus = random.bounded(1, 17);
        in.usage.cpus = random.bounded(1, 257);
        in.usage.cpuSeconds = random.generateDouble() * *in.usage.cpus * double(in.usage.job.elapsed->count);
        in.usage.memory = Bytes::gib(random.bounded(1, 2000));
        in.usage.steps.first().tasks = 1;
        in.usage.steps.first().largestTaskMemory
            = Bytes{qint64(random.generateDouble() * double(in.usage.memory->count)) + 1};
        if (random.bounded(2) == 0)
            in.rules.memoryPerGpu = Bytes::gib(random.bounded(1, 128));
        if (random.bounded(2) == 0)
            in.rules.coresPerGpu = random.bounded(1, 64);
        const EfficiencyReport report = makeReport(in);
        for (const ReportAdvice& advice : report.advice) {
            if (advice.kind == AdviceKind::Time) {
                QVERIFY(advice.value > double(in.usage.job.elapsed->count));
                QVERIFY(advice.value < double(in.usage.job.timeLimit->count));
            } else if (advice.kind == AdviceKind::Memory) {
                QVERIFY(advice.value > double(in.usage.peakMemoryPerNode()->count));
                QVERIFY(advice.value < double(in.usage.memory->count));
            } else if (advice.kind == AdviceKind::Cpus) {
                QVERIFY(advice.value * *in.usage.job.gpus >= *in.usage.busyCpus());
                QVERIFY(advice.value * *in.usage.job.gpus < *in.usage.cpus);
            }
        }
    }
}

void EfficiencyTest::markdown()
{
    ReportInputs in = usual(3000);
    in.usage.job.name = u"a|b *c* <script>\nx"_s;
    const QString text = toMarkdown({makeReport(in)});
    QVERIFY(text.startsWith(u"# Efficiency report"_s));
    QVERIFY(text.contains(uR"(a\|b \*c\* \<script\> x)"_s));
    QVERIFY(text.contains(u"`--mem=53G`"_s));
    QVERIFY(text.contains(u"## Job 4711"_s));
    QVERIFY(!text.contains(u"cknowledge"_s));
    QVERIFY(toMarkdown({makeReport(in)}, {}, u"Thanks, award <X>."_s).endsWith(uR"(## Acknowledgement

Thanks, award \<X\>.
)"_s));
    int columns = 0;
    for (const QString& line : text.split(u'\n')) { // each table keeps its number of columns
        if (!line.startsWith(u'|')) {
            columns = 0;
            continue;
        }
        const int bars = int(QString(line).remove(u"\\|"_s).count(u'|'));
        QVERIFY2(columns == 0 || columns == bars, qPrintable(line));
        columns = bars;
    }
}

RANKWRIGHT_TEST_MAIN(EfficiencyTest)
#include "tst_efficiency.moc"
