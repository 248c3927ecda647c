// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/traininglogreader.h"
#include "tests/models/support/progresstext.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Tables of figures whose columns are named once.
class FigureTableTest final : public test::Suite {
    Q_OBJECT
private slots:
    void understands_data();
    void understands();
    void curveOfRowsBesideABar();
    void notebookBarsCountTheRun();
    void endsAfterOtherLines();
};

void FigureTableTest::understands_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const QByteArray& log, const char* expected) {
        QTest::newRow(name) << log << QString::fromLatin1(expected);
    };
    row("notebook, tabs", "Step\tTraining Loss\n10\t1.912300\n20\t1.811200\n", "-/- 20/- 1.8112 - - -");
    row("notebook, epochs and a validation",
        "Epoch\tTraining Loss\tValidation Loss\tAccuracy\n1\t0.5234\t0.4102\t0.812\n2\t0.391\t0.3881\t0.836\n",
        "2/- -/- 0.391 - - -");
    row("no loss yet", "Epoch\tTraining Loss\tValidation Loss\n1\tNo log\t0.4102\n", "1/- -/- - - - -");
    row("rows older than the bar above",
        "[ 75/500 02:31 < 18:56, 0.39 it/s, Epoch 0.12/1]\nStep\tTraining Loss\n10\t1.9\n60\t1.5\n",
        "0.12/1 75/500 1.5 0.39 it/s 1136");
    row("Markdown", "| Step | Training Loss | reward |\n|---|---|---|\n| 9 | 0.1 | -3.0 |\n| 10 | 0.2 | -10.5 |\n",
        "-/- 10/- 0.2 - - -");
    row("aligned with blanks, other lines between",
        "step   lr        gnorm   loss     tok/s\n100    3.0e-04   0.51    3.2123   41231\n"
        "saved a checkpoint\n110    3.0e-04   0.49    3.1912   41102\n",
        "-/- 110/- 3.1912 41102 tokens/s -");
    row("a column of times",
        "epoch  train_loss  valid_loss  time\n0      0.51  0.41  00:41\n1      0.39  0.38  00:40\n",
        "1/- -/- 0.39 - - -");
    row("line ends of DOS", "Step\tTraining Loss\r\n10\t1.9\r\n", "-/- 10/- 1.9 - - -");
    // none
    row("a table of classes", "Class\tLoss\n1\t0.5\n", "-/- -/- - - - -");
    row("a sentence", "Step through the loss function\n1 2 3 4 5\n", "-/- -/- - - - -");
    row("other cells", "Step\tTraining Loss\n10\t1.9\n20\t1.8\t0.5\nten\t1.7\n", "-/- 10/- 1.9 - - -");
    row("counts backwards", "Step\tTraining Loss\n20\t1.8\n7\t12.5\n", "-/- 20/- 1.8 - - -");
    row("no loss among the columns", "step  lr  accuracy\n10  0.1  0.5\n", "-/- -/- - - - -");
    row("validation only", "Step\tValidation Loss\n10\t1.9\n", "-/- -/- - - - -");
}

void FigureTableTest::understands()
{
    QFETCH(QByteArray, log);
    QTEST(test::reported(test::readAll(log).progress()), "expected");
    TrainingLogReader summary;
    summary.setSummaryOnly(true);
    for (qsizetype at = 0; at < log.size(); at += 13)
        summary.feed(log.mid(at, 13));
    summary.finish();
    QTEST(test::reported(summary.progress()), "expected");
}

void FigureTableTest::curveOfRowsBesideABar()
{
    const TrainingLogReader reader = test::readAll(
        "[ 75/500 02:31 < 18:56, 0.39 it/s, Epoch 0.12/1]\nStep\tTraining Loss\n10\t1.9\n20\t1.8\n60\t1.5\n");
    QList<double> steps;
    for (const LossPoint& point : reader.losses())
        steps.append(point.step);
    QCOMPARE(steps, QList<double>({10, 20, 60}));
}

void FigureTableTest::notebookBarsCountTheRun()
{
    const TrainingLogReader reader
        = test::readAll("step 900/1000 loss 2.1\n[ 75/500 02:31 < 18:56, 0.39 it/s, Epoch 0.75/5]\n");
    QCOMPARE(test::reported(reader.progress()), u"0.75/5 75/500 2.1 0.39 it/s 1136"_s);
    QVERIFY(!reader.progress().stepWithinEpoch);
    QCOMPARE(reader.progress().fraction(), 0.15);
}

void FigureTableTest::endsAfterOtherLines()
{
    QByteArray log = "Step\tTraining Loss\n10\t1.9\n";
    for (int i = 0; i < 30; ++i)
        log += "saving part " + QByteArray(i + 1, 'x') + '\n';
    QCOMPARE(test::readAll(log + "4711\t12.5\n").progress().step, 10);
}

RANKWRIGHT_TEST_MAIN(FigureTableTest)
#include "tst_figuretable.moc"
