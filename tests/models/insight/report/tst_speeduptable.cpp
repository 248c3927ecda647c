// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/report/reportmarkdown.h"
#include "models/insight/report/speeduptable.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;
using Basis = SpeedupTable::Basis;
using Scaling = SpeedupTable::Scaling;

namespace {

SpeedupRun run(int id, int gpus, qint64 seconds, std::optional<qint64> batch = {}, std::optional<qint64> steps = {},
    std::optional<double> stepSeconds = {})
{
    SpeedupRun made;
    made.job.id = QString::number(id);
    made.job.name = u"gpt"_s;
    made.job.state = JobState::Completed;
    made.job.gpus = gpus;
    made.job.elapsed = Seconds{seconds};
    made.globalBatch = batch;
    made.steps = steps;
    made.stepSeconds = stepSeconds;
    return made;
}

} // namespace

/// Speed-up of the same training on different numbers of GPUs; figures by hand or from published tables.
class SpeedupTableTest final : public test::Suite {
    Q_OBJECT
private slots:
    void publishedTable();
    void accountingAlone();
    void baseIsTheSmallest();
    void repeatedRuns();
    void differentLengths();
    void weakScaling();
    void leftOut();
    void nothingToCompare();
};

/// MPCDF's multi-GPU tutorial: 362.45 s on one GPU, 95.23 s on four: 3.81 times, 95.2 % (shared out as whole seconds).
void SpeedupTableTest::publishedTable()
{
    const SpeedupTable table = speedupTable({run(1, 1, 36245), run(2, 4, 9523)});
    QCOMPARE(table.points.size(), 2);
    QVERIFY(qAbs(table.points.at(1).speedup - 3.806) < 0.001);
    QVERIFY(qAbs(table.points.at(1).efficiency - 0.9515) < 0.0005);
}

void SpeedupTableTest::accountingAlone()
{
    const SpeedupTable table = speedupTable({run(1, 1, 1000), run(2, 2, 520), run(3, 4, 300)});
    QCOMPARE(table.basis, Basis::WholeJob);
    QCOMPARE(table.scaling, Scaling::Unknown);
    QCOMPARE(table.points.at(0).speedup, 1.0);
    QCOMPARE(table.points.at(0).efficiency, 1.0);
    QVERIFY(qAbs(table.points.at(2).speedup - 1000.0 / 300) < 1e-12);
    QVERIFY(qAbs(table.points.at(2).efficiency - 1000.0 / 1200) < 1e-12);
    QVERIFY(!table.points.at(0).stepSeconds);
    QVERIFY(table.notes.join(u' ').contains(u"not known"_s));
}

void SpeedupTableTest::baseIsTheSmallest()
{
    const SpeedupTable table = speedupTable({run(3, 16, 150), run(1, 4, 400), run(2, 8, 220)});
    QCOMPARE(table.points.first().gpus, 4);
    QCOMPARE(table.points.last().gpus, 16);
    QVERIFY(qAbs(table.points.last().efficiency - 400.0 / 150 / 4) < 1e-12);
}

void SpeedupTableTest::repeatedRuns()
{
    const SpeedupTable table = speedupTable({run(1, 1, 100), run(2, 2, 50), run(3, 2, 60), run(4, 2, 200)});
    QCOMPARE(table.points.size(), 2);
    QCOMPARE(table.points.at(1).seconds, 60.0); // the median
    QCOMPARE(table.points.at(1).jobs, QStringList({u"2"_s, u"3"_s, u"4"_s}));
}

void SpeedupTableTest::differentLengths()
{
    // the same global batch, but the run on four GPUs was a short trial
    const SpeedupTable table = speedupTable({run(1, 1, 1000, 64, 900, 1.0), run(2, 4, 60, 64, 100, 0.3)});
    QCOMPARE(table.basis, Basis::Step);
    QCOMPARE(table.scaling, Scaling::Strong);
    QVERIFY(qAbs(table.points.at(1).speedup - 1 / 0.3) < 1e-12);
    // the same work: whole jobs are compared, and that steps are half of the time is said
    const SpeedupTable same = speedupTable({run(1, 1, 1000, 64, 900, 1.0), run(2, 4, 540, 64, 900, 0.3)});
    QCOMPARE(same.basis, Basis::WholeJob);
    QVERIFY2(same.notes.join(u' ').contains(u"50\u2009%"_s), qPrintable(same.notes.join(u' ')));
}

void SpeedupTableTest::weakScaling()
{
    // 32 samples on each GPU, as many steps: twice the samples in nearly the same time
    const SpeedupTable table
        = speedupTable({run(1, 1, 500, 32, 400, 1.0), run(2, 2, 550, 64, 400, 1.1), run(3, 4, 600, 128, 400, 1.25)});
    QCOMPARE(table.scaling, Scaling::Weak);
    QCOMPARE(table.basis, Basis::Sample);
    QVERIFY(qAbs(table.points.at(2).speedup - 3.2) < 1e-9); // 128/1.25 against 32/1.0
    QVERIFY(qAbs(table.points.at(2).efficiency - 0.8) < 1e-9);
    QVERIFY(describe(table).contains(u"weak"_s));
    // a global batch that grows with the GPUs over the same samples: whole jobs
    const SpeedupTable epochs = speedupTable({run(1, 1, 500, 32, 400, 1.0), run(2, 2, 260, 64, 200, 1.1)});
    QCOMPARE(epochs.basis, Basis::WholeJob);
    QCOMPARE(epochs.scaling, Scaling::Weak);
}

void SpeedupTableTest::leftOut()
{
    SpeedupRun failed = run(2, 2, 10);
    failed.job.state = JobState::Failed;
    SpeedupRun noGpus = run(3, 1, 100);
    noGpus.job.gpus.reset();
    const SpeedupTable table = speedupTable({run(1, 1, 100), failed, noGpus, run(4, 4, 0)});
    QCOMPARE(table.points.size(), 1);
    QVERIFY(table.notes.join(u' ').contains(u"Job 2 is left out"_s));
    QVERIFY(table.notes.join(u' ').contains(u"Job 3 is left out"_s));
    QVERIFY(table.notes.join(u' ').contains(u"Job 4 is left out"_s));
}

void SpeedupTableTest::nothingToCompare()
{
    QVERIFY(speedupTable({}).points.isEmpty());
    QCOMPARE(speedupTable({run(1, 8, 100)}).points.size(), 1);
    QVERIFY(!toMarkdown({}, speedupTable({run(1, 8, 100)})).contains(u"Speed-up"_s));
    QVERIFY(toMarkdown({}, speedupTable({run(1, 1, 100), run(2, 2, 60)})).contains(u"| 2 | 1\u2009min | 1.67 | 83"_s));
}

RANKWRIGHT_TEST_MAIN(SpeedupTableTest)
#include "tst_speeduptable.moc"
