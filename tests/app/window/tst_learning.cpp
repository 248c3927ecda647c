// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/database.h"
#include "app/store/joblog.h"
#include "app/watch/jobwatch.h"
#include "app/window/learningcontroller.h"
#include "models/document/design.h"
#include "models/document/designjson.h"
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

private:
    struct Bench;
};

struct LearningTest::Bench {
    Bench()
    {
        auto opened = Database::open(folder.path());
        if (!opened)
            qFatal("%s", qPrintable(opened.error().oneLine()));
        database = std::move(*opened);
        log = std::make_unique<JobLog>(*database);
        design = std::make_unique<Design>(catalogue);
        design->replace(trained());
        learning = std::make_unique<LearningController>(*design, *database);
        watch = std::make_unique<JobWatch>(shell, *catalogue.find(u"lumi"_s), u"77"_s);
        learning->follow(watch.get(), u"lumi"_s);
    }
    void submit()
    {
        const auto entry
            = log->record({u"rw-1"_s, u"lumi"_s, u"gpt"_s, writeDesign(trained()), "#!/bin/bash\n", u"/x"_s});
        if (!entry || !log->markSending(entry->id) || !log->markKnown(entry->id, u"77"_s))
            qFatal("the job log does not take the entry");
        watch->setLaunched(launchedJob(*log, u"lumi"_s, u"77"_s));
    }
    /// The tool shows a peak of so many bytes.
    void run(qint64 bytes)
    {
        NodeTick tick;
        tick.gpus.resize(2);
        tick.gpus[1].memoryUsedBytes = bytes;
        emit watch->tickArrived(tick, 0);
    }

    QTemporaryDir folder;
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
    QSignalSpy learned(bench.learning.get(), &LearningController::learned);
    bench.run(qint64(expected * 1.2));
    emit bench.watch->over(ended(JobState::Completed));
    QCOMPARE(learned.count(), 1);
    const DesignEstimate after = *bench.design->derived().estimate;
    QVERIFY(after.memory.totalBytes > expected * 1.1);
    QVERIFY(after.memory.totalBytes < expected * 1.25);
    QVERIFY(!after.calibratedBy.isEmpty());
    QCOMPARE(bench.design->calibrations().runs.size(), 1);
    QVERIFY(!bench.design->calibrations().runs.first().measuredSeconds); // no step was reported
    // The same job measured again calibrates nothing twice.
    emit bench.watch->over(ended(JobState::Completed));
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
    emit bench.watch->over(ended(JobState::Failed));
    QVERIFY(bench.design->calibrations().runs.isEmpty());
}

void LearningTest::othersJobsTeachNothing()
{
    Bench bench;
    bench.run(qint64(1) << 34);
    emit bench.watch->over(ended(JobState::Completed));
    QVERIFY(bench.design->calibrations().runs.isEmpty());
}

RANKWRIGHT_TEST_MAIN(LearningTest)
#include "tst_learning.moc"
