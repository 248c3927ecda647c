// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/settings.h"
#include "app/store/database.h"
#include "app/store/joblog.h"
#include "app/watch/jobwatch.h"
#include "app/window/pages/learningcontroller.h"
#include "models/script/document/design.h"
#include "models/script/document/designjson.h"
#include "tests/support/fakeshell.h"
#include "tests/support/testbase.h"

#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

JobSpec trained()
{
    JobSpec spec;
    spec.name = u"gpt"_s;
    spec.cluster = u"lumi"_s;
    spec.partition = u"standard-g"_s;
    spec.model = QJsonObject{{u"preset"_s, u"gpt-2-small"_s}};
    spec.training.microBatch = 8;
    return spec;
}

JobRecord ended(JobState state)
{
    JobRecord record;
    record.id = u"77"_s;
    record.state = state;
    return record;
}

} // namespace

/// A job's measured memory and step are beside what had been expected of it, and later estimates follow.
class LearningTest final : public test::Suite {
    Q_OBJECT
private slots:
    void learnsFromAJob();
    void failedJobsTeachNothing();
    void othersJobsTeachNothing();
    void aWatchAfterTheEndTeachesNothing();
    void standInsTeachNothing();
    void contradictionsAreReported();
    void switchedOffAndForgotten();

private:
    struct Bench;
};

struct LearningTest::Bench {
    explicit Bench(const JobSpec& spec = trained()) : submitted(spec)
    {
        auto opened = Database::open(folder.path());
        if (!opened)
            qFatal("%s", qPrintable(opened.error().oneLine()));
        database = std::move(*opened);
        log = std::make_unique<JobLog>(*database);
        design = std::make_unique<Design>(catalogue);
        design->replace(spec);
        settings = std::make_unique<Settings>(folder.path());
        learning = std::make_unique<LearningController>(*design, *database, *settings);
        watch = std::make_unique<JobWatch>(shell, *catalogue.find(spec.cluster), u"77"_s);
        learning->follow(watch.get(), spec.cluster);
    }
    void submit()
    {
        const auto entry
            = log->record({u"rw-1"_s, submitted.cluster, u"gpt"_s, writeDesign(submitted), "#!/bin/bash\n", u"/x"_s});
        if (!entry || !log->markSending(entry->id) || !log->markKnown(entry->id, u"77"_s))
            qFatal("the job log does not take the entry");
        watch->setLaunched(launchedJob(*log, submitted.cluster, u"77"_s));
    }
    /// The tool shows a peak of this many bytes.
    void run(qint64 bytes)
    {
        NodeTick tick;
        tick.gpus.resize(2);
        tick.gpus[1].memoryUsedBytes = bytes;
        emit watch->tickArrived(tick, 0);
    }

    JobSpec submitted;
    QTemporaryDir folder;
    std::unique_ptr<Settings> settings;
    Catalogue catalogue = loadCatalogue();
    test::FakeShell shell;
    std::unique_ptr<Database> database;
    std::unique_ptr<JobLog> log;
    std::unique_ptr<Design> design;
    std::unique_ptr<LearningController> learning;
    std::unique_ptr<JobWatch> watch;
};

void LearningTest::learnsFromAJob()
{
    Bench bench;
    bench.submit();
    const double expected = bench.design->derived().estimate->memory.totalBytes;
    QVERIFY(expected > 0);
    QSignalSpy learned(bench.learning.get(), &LearningController::runLearned);
    bench.run(qint64(expected * 1.2));
    emit bench.watch->jobEnded(ended(JobState::Completed));
    QCOMPARE(learned.count(), 1);
    const DesignEstimate after = *bench.design->derived().estimate;
    QVERIFY(after.memory.totalBytes > expected * 1.1);
    QVERIFY(after.memory.totalBytes < expected * 1.25);
    QVERIFY(!after.calibratedBy.isEmpty());
    QCOMPARE(bench.design->calibrations().runs.size(), 1);
    QVERIFY(!bench.design->calibrations().runs.first().measuredSeconds); // no step was reported
    // The same job measured again calibrates nothing twice.
    emit bench.watch->jobEnded(ended(JobState::Completed));
    QCOMPARE(bench.design->calibrations().runs.size(), 1);
    QCOMPARE(bench.design->derived().estimate->memory.totalBytes, after.memory.totalBytes);
    bench.learning->clear();
    QCOMPARE(bench.design->derived().estimate->memory.totalBytes, expected);
}

void LearningTest::failedJobsTeachNothing()
{
    Bench bench;
    bench.submit();
    bench.run(qint64(1) << 34);
    emit bench.watch->jobEnded(ended(JobState::Failed));
    QVERIFY(bench.design->calibrations().runs.isEmpty());
}

void LearningTest::aWatchAfterTheEndTeachesNothing()
{
    Bench bench;
    bench.submit();
    emit bench.watch->recordChanged(ended(JobState::Completed)); // the first that Slurm says of it
    TrainingProgress progress;
    progress.stepSeconds = 1e-5;
    emit bench.watch->output().progressChanged(progress);
    emit bench.watch->jobEnded(ended(JobState::Completed));
    QVERIFY(bench.design->calibrations().runs.isEmpty());
}

void LearningTest::othersJobsTeachNothing()
{
    Bench bench;
    bench.run(qint64(1) << 34);
    emit bench.watch->jobEnded(ended(JobState::Completed));
    QVERIFY(bench.design->calibrations().runs.isEmpty());
}

/// W1: one run of the practice script with a real model named took the model's memory to a quarter.
void LearningTest::standInsTeachNothing()
{
    JobSpec spec = trained();
    spec.cluster = u"practice"_s;
    spec.partition.reset();
    spec.model = QJsonObject{{u"preset"_s, u"gpt-2-xl"_s}};
    Bench bench(spec);
    bench.submit();
    QVERIFY(bench.design->derived().estimate);
    const MemoryEstimate before = bench.design->derived().estimate->memory;
    QSignalSpy learned(bench.learning.get(), &LearningController::runLearned);
    bench.run(qint64(before.totalBytes * 0.8));
    emit bench.watch->jobEnded(ended(JobState::Completed));
    QCOMPARE(learned.count(), 0);
    QCOMPARE(bench.design->derived().estimate->memory.totalBytes, before.totalBytes);
    // Also what an earlier version has learned there is not used.
    MeasuredRun old;
    old.cluster = u"practice"_s;
    old.family = u"decoder"_s;
    old.stack = toText(bench.design->derived().estimate->run.stack);
    old.predictedBytes = before.totalBytes;
    old.measuredBytes = before.totalBytes * 0.8;
    old.exactBytes = before.parts.weights;
    bench.design->setCalibrations({{old}});
    QCOMPARE(bench.design->derived().estimate->memory.totalBytes, before.totalBytes);
}

/// W1: a peak below the exact states is not a measurement of this design.
void LearningTest::contradictionsAreReported()
{
    JobSpec spec = trained();
    spec.model = QJsonObject{{u"preset"_s, u"gpt-2-xl"_s}};
    Bench bench(spec);
    bench.submit();
    const MemoryEstimate before = bench.design->derived().estimate->memory;
    QSignalSpy learned(bench.learning.get(), &LearningController::runLearned);
    QSignalSpy refused(bench.learning.get(), &LearningController::runRefused);
    bench.run(qint64(before.parts.weights));
    emit bench.watch->jobEnded(ended(JobState::Completed));
    QCOMPARE(learned.count(), 0);
    QCOMPARE(refused.count(), 1);
    QVERIFY(refused.first().at(1).toString().contains(u"less than weights, gradients and optimiser states"));
    QVERIFY(bench.design->calibrations().runs.isEmpty());
    QCOMPARE(bench.design->derived().estimate->memory.totalBytes, before.totalBytes);
}

void LearningTest::switchedOffAndForgotten()
{
    Bench bench;
    bench.submit();
    const double expected = bench.design->derived().estimate->memory.totalBytes;
    bench.run(qint64(expected * 1.2));
    emit bench.watch->jobEnded(ended(JobState::Completed));
    const Correction corrected = bench.design->derived().estimate->memoryCorrection;
    QCOMPARE(corrected.runs, 1);
    QVERIFY(corrected.share > 0.1);
    bench.learning->use(false);
    QCOMPARE(bench.design->derived().estimate->memory.totalBytes, expected);
    QCOMPARE(bench.design->derived().estimate->memoryCorrection, Correction());
    QCOMPARE(bench.design->calibrations().runs.size(), 1); // kept
    // A restart keeps the choice.
    LearningController again(*bench.design, *bench.database, *bench.settings);
    QCOMPARE(bench.design->derived().estimate->memory.totalBytes, expected);
    bench.learning->use(true);
    QCOMPARE(bench.design->derived().estimate->memoryCorrection, corrected);
    const QSignalSpy cleared(bench.learning.get(), &LearningController::runsForgotten);
    bench.learning->clear();
    QCOMPARE(bench.design->derived().estimate->memory.totalBytes, expected);
    // By mistake: they come back, also on disk.
    QCOMPARE(cleared.value(0).value(0).toInt(), 1);
    bench.learning->putBack();
    QCOMPARE(bench.design->derived().estimate->memoryCorrection, corrected);
    LearningController third(*bench.design, *bench.database, *bench.settings);
    QCOMPARE(bench.design->calibrations().runs.size(), 1);
    bench.learning->clear();
    bench.learning->clear(); // nothing is left that could be had back
    QCOMPARE(cleared.count(), 2);
}

RANKWRIGHT_TEST_MAIN(LearningTest)
#include "tst_learning.moc"
