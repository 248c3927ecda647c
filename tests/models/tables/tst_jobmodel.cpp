// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/jobmodel.h"
#include "tests/support/testbase.h"

#include <QAbstractItemModelTester>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

JobRow running()
{
    JobRow row;
    row.cluster = u"practice"_s;
    row.job.id = u"40930016"_s;
    row.job.name = u"gpt"_s;
    row.job.state = JobState::Running;
    row.job.partition = u"small-g"_s;
    row.job.nodes = 2;
    row.job.gpus = 16;
    row.job.elapsed = Seconds{3725};
    row.job.timeLimit = Seconds{2 * 86400};
    row.job.submitted = QDateTime(QDate(2026, 3, 1), QTime(8, 0), Qt::UTC);
    row.note = u"Not ended yet."_s;
    return row;
}

QStringList texts(const JobModel& model, int row)
{
    QStringList all;
    for (int column = 0; column < model.columnCount(); ++column)
        all.append(model.data(model.index(row, column), Qt::DisplayRole).toString());
    return all;
}

} // namespace

class JobModelTest final : public test::Suite {
    Q_OBJECT
private slots:
    void columns();
    void unknownIsADash();
    void tones();
    void sortsByNumber();
    void undecidedSubmissionsHaveARow();
    void textsOfOthersAreHarmless();
    void gpusAreCalledAsTheSiteDoes();
    void clustersAreCalledByTheirTitle();
};

void JobModelTest::columns()
{
    JobModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.assign({running()});
    QStringList titles;
    for (int column = 0; column < model.columnCount(); ++column)
        titles.append(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    QCOMPARE(titles,
        QStringList({u"Job"_s, u"Name"_s, u"State"_s, u"Partition"_s, u"Nodes"_s, u"GPUs"_s, u"Elapsed / limit"_s,
            u"Submitted"_s, u"Cluster"_s, u"Note"_s}));
    const QString submitted = running().job.submitted.toLocalTime().toString(u"yyyy-MM-dd HH:mm"_s);
    QCOMPARE(texts(model, 0),
        QStringList({u"40930016"_s, u"gpt"_s, u"RUNNING"_s, u"small-g"_s, u"2"_s, u"16"_s, u"01:02:05 / 2-00:00:00"_s,
            submitted, u"practice"_s, u"Not ended yet."_s}));
}

void JobModelTest::clustersAreCalledByTheirTitle()
{
    JobModel model;
    JobRow row = running();
    row.clusterTitle = u"Practice cluster"_s;
    model.assign({row});
    QCOMPARE(texts(model, 0).at(JobModel::clusterColumn), u"Practice cluster"_s);
    // The key stays the catalogue's name: that is what jobs are asked for by.
    QCOMPARE(model.rowOf(u"practice/40930016"_s), 0);
}

void JobModelTest::unknownIsADash()
{
    JobModel model;
    JobRow row;
    row.entryId = u"entry-1"_s;
    model.assign({row});
    const QStringList cells = texts(model, 0);
    for (int column : {0, 1, 3, 4, 5, 6, 7})
        QCOMPARE(cells.at(column), u"–"_s); // never 0
    QCOMPARE(cells.at(2), u"UNKNOWN"_s);
}

void JobModelTest::tones()
{
    const QList<std::pair<JobState, Tone>> expected{
        {JobState::Running, Tone::Busy},
        {JobState::Completed, Tone::Good},
        {JobState::Failed, Tone::Bad},
        {JobState::Timeout, Tone::Bad},
        {JobState::Pending, Tone::Quiet},
        {JobState::Cancelled, Tone::Quiet},
        {JobState::Unknown, Tone::Warn},
        {JobState::NodeFail, Tone::Bad},
    };
    JobModel model;
    for (const auto& [state, tone] : expected) {
        JobRow row = running();
        row.job.state = state;
        model.assign({row});
        QCOMPARE(model.data(model.index(0, 2), ToneRole).toInt(), int(tone));
    }
}

void JobModelTest::sortsByNumber()
{
    JobModel model;
    JobRow other = running();
    other.job.id = u"9"_s;
    model.assign({running(), other});
    QVERIFY(
        model.data(model.index(1, 0), SortRole).toLongLong() < model.data(model.index(0, 0), SortRole).toLongLong());
}

void JobModelTest::undecidedSubmissionsHaveARow()
{
    JobModel model;
    JobRow undecided;
    undecided.entryId = u"entry-1"_s;
    JobRow elsewhere = running();
    elsewhere.cluster = u"lumi"_s; // the same number on another cluster is another job
    model.assign({running(), undecided, elsewhere});
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.data(model.index(1, 0), RecordIdRole).toString(), u"entry-1"_s);
}

/// Anybody names the jobs of a shared queue.
void JobModelTest::textsOfOthersAreHarmless()
{
    const QString evil
        = u"<b>x</b><img src='/etc/passwd'>\x1b[2J"_s + QChar(0x9b) + QChar(0x202e) + QChar(0x2028) + QChar(0);
    JobRow row = running();
    row.job.name = row.job.partition = row.note = row.job.reason = row.job.user = evil;
    JobModel model;
    model.assign({row});
    for (int column = 0; column < model.columnCount(); ++column) {
        for (const int role : {int(Qt::DisplayRole), int(Qt::ToolTipRole), int(Qt::AccessibleTextRole)}) {
            const QString text = model.data(model.index(0, column), role).toString();
            for (const QChar c : text)
                QVERIFY2(!isHarmful(c) || c == u'\n', qPrintable(text));
            if (role == Qt::ToolTipRole)
                QVERIFY2(!text.contains(u"<b>"_s) && !text.contains(u"<img"_s), qPrintable(text));
        }
    }
}

/// Live and the design say GCDs of the same job.
void JobModelTest::gpusAreCalledAsTheSiteDoes()
{
    JobModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto title
        = [&model] { return model.headerData(JobModel::gpuColumn, Qt::Horizontal, Qt::DisplayRole).toString(); };
    QCOMPARE(title(), u"GPUs"_s);
    JobRow lumi = running();
    lumi.gpuWord = u"GCD"_s;
    model.assign({lumi});
    QCOMPARE(title(), u"GCDs"_s);
    JobRow raven = running();
    raven.job.id = u"2"_s;
    raven.gpuWord = u"GPU"_s;
    model.assign({lumi, raven});
    QCOMPARE(title(), u"GPUs"_s);
    raven.job.gpus.reset(); // counts none
    model.assign({lumi, raven});
    QCOMPARE(title(), u"GCDs"_s);
}

RANKWRIGHT_TEST_MAIN(JobModelTest)
#include "tst_jobmodel.moc"
