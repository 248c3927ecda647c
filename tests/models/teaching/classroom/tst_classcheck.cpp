// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classcheck.h"
#include "models/teaching/classroom/classrules.h"
#include "models/teaching/classroom/shippedclasses.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

using K = ClassCheckKind;

Derived derivedOf(int nodes, int gpus, Launcher launcher, std::optional<bool> bind = {})
{
    static const Catalogue catalogue = loadCatalogue();
    JobSpec spec;
    spec.cluster = u"practice"_s;
    spec.account = u"project_465000001"_s;
    spec.partition = gpus == 8 ? u"standard-g"_s : u"small-g"_s;
    spec.resources.nodes = nodes;
    spec.resources.gpusPerNode = gpus;
    spec.training.globalBatch = 32;
    spec.training.microBatch = 2;
    spec.launcher = launcher;
    spec.options.cpuBinding = bind;
    spec.parallel.strategy = Strategy::Ddp;
    return derive(spec, *catalogue.find(spec.cluster));
}

RunFacts run(const QString& job, JobState state = JobState::Completed)
{
    RunFacts facts;
    facts.job = job;
    facts.state = state;
    return facts;
}

ClassCheck check(K kind, qint64 count = 0, double value = 0, const QString& word = {})
{
    ClassCheck made;
    made.kind = kind;
    made.count = count;
    made.value = value;
    made.word = word;
    if (comparesExercises(kind))
        made.against = u"base"_s;
    return made;
}

CheckState stateOf(const ClassCheck& asked, const QList<RunFacts>& runs, const QList<RunFacts>& base = {})
{
    return evaluate(asked, {nullptr, runs, {{u"base"_s, base}}}).state;
}

} // namespace

class ClassCheckTest final : public test::Suite {
    Q_OBJECT
private slots:
    void words();
    void designChecks();
    void jobChecks();
    void measuredChecks();
    void scaling();
    void whatWasSeenStays();
    void lossFell();
    void withinLimits();
    void aHintIsForWhatHasFailed();
    void aFailedJobSaysWhy();
};

void ClassCheckTest::words()
{
    for (const K kind : allClassChecks()) {
        QCOMPARE(classCheckFrom(toText(kind)), kind);
        QVERIFY(!checkText(check(kind, 1, 1, u"srun"_s)).isEmpty());
    }
    QCOMPARE(allClassChecks().size(), 18);
    ClassCheck named = check(K::Completed);
    named.text = u"My words"_s;
    QCOMPARE(checkText(named), u"My words"_s);
}

void ClassCheckTest::designChecks()
{
    const Derived one = derivedOf(1, 8, Launcher::Torchrun, false);
    const Derived two = derivedOf(2, 8, Launcher::Srun, true);
    const auto state = [](const ClassCheck& asked, const Derived& derived) {
        return evaluate(asked, {&derived, {}, {}}).state;
    };
    QCOMPARE(state(check(K::GlobalBatch, 32), one), CheckState::Seen);
    QCOMPARE(state(check(K::GlobalBatch, 64), one), CheckState::NotYet);
    QCOMPARE(state(check(K::LauncherIs, 0, 0, u"srun"_s), one), CheckState::NotYet);
    QCOMPARE(state(check(K::LauncherIs, 0, 0, u"srun"_s), two), CheckState::Seen);
    QCOMPARE(state(check(K::StrategyIs, 0, 0, u"ddp"_s), two), CheckState::Seen);
    QCOMPARE(state(check(K::StrategyIs, 0, 0, u"fsdp"_s), two), CheckState::NotYet);
    QCOMPARE(state(check(K::NodesAsked, 2), one), CheckState::NotYet);
    QCOMPARE(state(check(K::NodesAsked, 2), two), CheckState::Seen);
    QCOMPARE(state(check(K::GpusAsked, 16), two), CheckState::Seen);
    QCOMPARE(state(check(K::GpusAsked, 16), one), CheckState::NotYet);
    QCOMPARE(state(check(K::BoundInDesign), one), CheckState::NotYet);
    QCOMPARE(state(check(K::BoundInDesign), two), CheckState::Seen);
    QCOMPARE(state(check(K::NoErrors), two), CheckState::Seen);
    QCOMPARE(state(check(K::NoErrors), derivedOf(1, 9, Launcher::Srun)), CheckState::NotYet);
    for (const K kind : allClassChecks())
        if (looksAtDesign(kind)) // no design is open
            QCOMPARE(stateOf(check(kind, 1, 1, u"ddp"_s), {}), CheckState::Unknown);
}

void ClassCheckTest::jobChecks()
{
    for (const K kind : allClassChecks())
        if (!looksAtDesign(kind))
            QCOMPARE(stateOf(check(kind, 1, 1), {}), CheckState::NotYet); // no job
    QCOMPARE(stateOf(check(K::Submitted), {run(u"7"_s, JobState::Pending)}), CheckState::Seen);
    QCOMPARE(stateOf(check(K::Submitted), {run({})}), CheckState::NotYet);
    QCOMPARE(stateOf(check(K::Completed), {run(u"7"_s)}), CheckState::Seen);
    QCOMPARE(stateOf(check(K::Completed), {run(u"7"_s, JobState::Running)}), CheckState::NotYet);
    QCOMPARE(stateOf(check(K::Completed), {run(u"7"_s, JobState::Unknown)}), CheckState::Unknown);
    RunFacts facts = run(u"7"_s);
    QCOMPARE(stateOf(check(K::RanOnNodes, 2), {facts}), CheckState::Unknown);
    facts.nodes = 2;
    QCOMPARE(stateOf(check(K::RanOnNodes, 2), {facts}), CheckState::Seen);
    QCOMPARE(stateOf(check(K::RanOnNodes, 3), {facts}), CheckState::NotYet);
    facts.state = JobState::Pending; // asked for, not run
    QCOMPARE(stateOf(check(K::RanOnNodes, 2), {facts}), CheckState::Unknown);
    const auto verdict = evaluate(check(K::Completed), {nullptr, {run(u"4711"_s)}, {}});
    QVERIFY2(verdict.where.contains(u"4711"_s), qPrintable(verdict.where));
}

void ClassCheckTest::measuredChecks()
{
    RunFacts facts = run(u"7"_s);
    for (const K kind : {K::GpusBusy, K::RanksBound, K::Resumed, K::Throughput})
        QCOMPARE(stateOf(check(kind, 0, 50), {facts}), CheckState::Unknown);
    facts.leastBusyPercent = 49;
    facts.leastBusyGpu = u"nid005124, GCD 4"_s;
    facts.ranks = 16;
    facts.ranksBound = 14;
    facts.resumed = false;
    facts.samplesPerSecond = 40;
    for (const K kind : {K::GpusBusy, K::RanksBound, K::Resumed, K::Throughput})
        QCOMPARE(stateOf(check(kind, 0, 50), {facts}), CheckState::NotYet);
    QVERIFY(evaluate(check(K::GpusBusy, 0, 50), {nullptr, {facts}, {}}).where.contains(u"GCD 4"_s));
    QVERIFY(evaluate(check(K::RanksBound), {nullptr, {facts}, {}}).where.contains(u"14 of 16"_s));
    facts.leastBusyPercent = 50;
    facts.ranksBound = 16;
    facts.resumed = true;
    facts.samplesPerSecond = 50;
    for (const K kind : {K::GpusBusy, K::RanksBound, K::Resumed, K::Throughput})
        QCOMPARE(stateOf(check(kind, 0, 50), {facts}), CheckState::Seen);
    facts.samplesPerSecond = std::numeric_limits<double>::quiet_NaN();
    QCOMPARE(stateOf(check(K::Throughput, 0, 50), {facts}), CheckState::Unknown);
}

void ClassCheckTest::scaling()
{
    RunFacts one = run(u"1"_s), four = run(u"2"_s);
    one.gpus = 1;
    four.gpus = 4;
    QCOMPARE(stateOf(check(K::SpeedUp, 0, 3.5), {four}, {one}), CheckState::Unknown);
    one.stepSeconds = 0.381; // the tutorial's: 3.81 times, 95.2 %
    four.stepSeconds = 0.1;
    QCOMPARE(stateOf(check(K::SpeedUp, 0, 3.8), {four}, {one}), CheckState::Seen);
    QCOMPARE(stateOf(check(K::SpeedUp, 0, 3.9), {four}, {one}), CheckState::NotYet);
    QCOMPARE(stateOf(check(K::Efficiency, 0, 95.2), {four}, {one}), CheckState::Seen);
    QCOMPARE(stateOf(check(K::Efficiency, 0, 96), {four}, {one}), CheckState::NotYet);
    QCOMPARE(stateOf(check(K::SpeedUp, 0, 3), {four}, {}), CheckState::Unknown); // nothing to compare with
    one.stepSeconds = 0;
    QCOMPARE(stateOf(check(K::SpeedUp, 0, 3), {four}, {one}), CheckState::Unknown);
    one.elapsedSeconds = 400;
    four.elapsedSeconds = 100;
    QCOMPARE(stateOf(check(K::SpeedUp, 0, 4), {four}, {one}), CheckState::Seen);
    four.state = JobState::Failed; // a run that broke off was not faster
    QCOMPARE(stateOf(check(K::SpeedUp, 0, 4), {four}, {one}), CheckState::Unknown);
}

void ClassCheckTest::whatWasSeenStays()
{
    QCOMPARE(stateOf(check(K::Completed), {run(u"8"_s, JobState::Failed), run(u"7"_s)}), CheckState::Seen);
}

void ClassCheckTest::lossFell()
{
    RunFacts facts = run(u"7"_s);
    const auto state = [&facts](double percent) { return stateOf(check(K::LossFell, 0, percent), {facts}); };
    QCOMPARE(state(20), CheckState::Unknown);
    facts.firstLoss = 2.5;
    QCOMPARE(state(20), CheckState::Unknown);
    facts.lastLoss = 2.0;
    QCOMPARE(state(20), CheckState::Seen); // (2.5 - 2) / 2.5
    QCOMPARE(state(20.1), CheckState::NotYet);
    const auto verdict = evaluate(check(K::LossFell, 0, 10), {nullptr, {facts}, {}});
    QVERIFY2(verdict.where.contains(u"2.5"_s) && verdict.where.contains(u"20"_s), qPrintable(verdict.where));
    facts.lastLoss = 3.0; // it rose
    QCOMPARE(state(0.1), CheckState::NotYet);
    facts.lastLoss = std::numeric_limits<double>::infinity();
    QCOMPARE(state(0.1), CheckState::NotYet);
    facts.lastLoss = 2.0;
    for (const double first : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) { // no share of these
        facts.firstLoss = first;
        QCOMPARE(state(0.1), CheckState::Unknown);
    }
}

void ClassCheckTest::withinLimits()
{
    const Derived two = derivedOf(2, 8, Launcher::Srun, true);
    const ClassCheck asked = check(K::WithinLimits);
    const auto state = [&](const ClassLimits& limits, const QList<RunFacts>& runs = {}) {
        return evaluate(asked, {&two, runs, {}, limits}).state;
    };
    QCOMPARE(evaluate(asked, {&two, {}, {}}).state, CheckState::Unknown); // limits are not known
    QCOMPARE(state({}), CheckState::Unknown);
    QCOMPARE(state({2, 16, two.resolved.time}), CheckState::Seen);
    QCOMPARE(state({1, {}, {}}), CheckState::NotYet);
    QCOMPARE(state({{}, 15, {}}), CheckState::NotYet);
    QCOMPARE(state({{}, {}, Seconds{two.resolved.time.count - 1}}), CheckState::NotYet);
    const auto verdict = evaluate(asked, {&two, {}, {}, ClassLimits{2, 16, {}}});
    QVERIFY2(verdict.where.contains(u"2 of 2 nodes"_s) && verdict.where.contains(u"16 of 16 GCDs"_s),
        qPrintable(verdict.where));
    RunFacts larger = run(u"7"_s); // submitted past the form
    larger.nodes = 4;
    QCOMPARE(state({2, 16, {}}, {larger}), CheckState::NotYet);
    QVERIFY(evaluate(asked, {&two, {larger}, {}, ClassLimits{2, 16, {}}}).where.contains(u"job 7"_s));
    QCOMPARE(state({2, 16, {}}, {run(u"8"_s), larger}), CheckState::Seen); // the newest counts
}

void ClassCheckTest::aHintIsForWhatHasFailed()
{
    const Derived derived = derivedOf(1, 8, Launcher::Torchrun, false);
    const auto hintOf = [&derived](ClassCheck asked, const QList<RunFacts>& runs) {
        asked.hint = u"Look."_s;
        return evaluate(asked, {&derived, runs, {}, ClassLimits{1, 4, {}}}).hint;
    };
    const ClassCheck launcher = check(K::LauncherIs, 0, 0, u"srun"_s);
    QCOMPARE(hintOf(launcher, {}), QString()); // it is the task
    QCOMPARE(hintOf(launcher, {run({})}), QString());
    QCOMPARE(hintOf(launcher, {run(u"7"_s, JobState::Running)}), QString());
    QCOMPARE(hintOf(launcher, {run(u"7"_s)}), u"Look."_s); // launched with torchrun again
    QCOMPARE(hintOf(check(K::LauncherIs, 0, 0, u"torchrun"_s), {run(u"7"_s)}), QString());
    QCOMPARE(hintOf(check(K::GpusBusy, 0, 50), {run(u"7"_s)}), QString()); // not known is not failed
    RunFacts idle = run(u"7"_s);
    idle.leastBusyPercent = 3;
    QCOMPARE(hintOf(check(K::GpusBusy, 0, 50), {idle}), u"Look."_s);
    idle.state = JobState::Running;
    QCOMPARE(hintOf(check(K::GpusBusy, 0, 50), {idle}), QString());
    QCOMPARE(hintOf(check(K::WithinLimits), {}), u"Look."_s); // nothing can be launched before
}

void ClassCheckTest::aFailedJobSaysWhy()
{
    RunFacts failed = run(u"7"_s, JobState::Failed);
    failed.trouble = u"torch.OutOfMemoryError: HIP out of memory."_s;
    failed.remedy = u"Halve the micro-batch."_s;
    const auto verdict = evaluate(check(K::Completed), {nullptr, {failed}, {}});
    QCOMPARE(verdict.state, CheckState::NotYet);
    QVERIFY2(verdict.where.contains(u"job 7"_s) && verdict.where.contains(failed.trouble), qPrintable(verdict.where));
    QCOMPARE(verdict.remedy, failed.remedy);
    QCOMPARE(evaluate(check(K::Completed), {nullptr, {failed, run(u"6"_s)}, {}}).remedy, QString()); // one was seen
}

RANKWRIGHT_TEST_MAIN(ClassCheckTest)
#include "tst_classcheck.moc"
