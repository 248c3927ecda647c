// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/tone.h"
#include "models/tables/hangtable.h"
#include "tests/shots/hangfixture.h"
#include "tests/support/testbase.h"

#include <QAbstractItemModelTester>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The ranks of a look as a tree: the odd ones first, those that stand alike below one line.
class HangTableTest final : public test::Suite {
    Q_OBJECT
private slots:
    void foldsThoseThatStandAlike();
    void findsEachRank();
    void takesAnotherLook();
    void saysHarmlessWords();
    void whatIsNotKnownIsNoNumber();
};

void HangTableTest::whatIsNotKnownIsNoNumber()
{
    HangTable table;
    table.setRows({HangRow{}});
    QCOMPARE(table.index(0, HangTable::Rank).data().toString(), u"a process"_s);
    HangRow known;
    known.pid = 4711;
    table.setRows({known});
    QCOMPARE(table.index(0, HangTable::Rank).data().toString(), u"pid 4711"_s);
    QCOMPARE(table.index(0, HangTable::Rank).data(Qt::AccessibleTextRole).toString(), u"pid 4711"_s);
}

void HangTableTest::foldsThoseThatStandAlike()
{
    HangTable table;
    QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    table.setRows(hangVerdict(shots::hangingEvidence(1024)).rows);
    QCOMPARE(table.rowCount(), 2);
    const QModelIndex odd = table.index(0, HangTable::Rank), fold = table.index(1, HangTable::Rank);
    QCOMPARE(odd.data().toString(), u"11"_s);
    QCOMPARE(odd.data(ToneRole).toInt(), int(Tone::Bad));
    QCOMPARE(odd.data(Qt::AccessibleTextRole).toString(), u"rank 11, odd"_s);
    QCOMPARE(table.index(0, HangTable::Place).data().toString(), u"dataset.py:88"_s);
    QCOMPARE(table.index(0, HangTable::State).data().toString(), u"D waits for files"_s);
    QVERIFY(!table.hasChildren(odd));
    QCOMPARE(fold.data().toString(), u"1023 ranks like this"_s);
    QCOMPARE(fold.data(ToneRole).toInt(), int(Tone::Plain));
    QCOMPARE(table.index(1, HangTable::Node).data().toString(), u"128 nodes"_s);
    QCOMPARE(table.index(1, HangTable::Collective).data().toString(),
        table.rowCount(fold) > 0 ? table.index(0, HangTable::Collective, fold).data().toString() : QString());
    QCOMPARE(table.rowCount(fold), 1023);
    QCOMPARE(table.index(11, HangTable::Rank, fold).data().toString(), u"12"_s);
    QCOMPARE(table.ranksAt(fold).size(), 1023);
}

void HangTableTest::findsEachRank()
{
    HangTable table;
    const QList<HangRow> rows = hangVerdict(shots::hangingEvidence()).rows;
    table.setRows(rows);
    for (qsizetype rank = 0; rank < rows.size(); ++rank)
        QCOMPARE(table.ranksAt(table.indexOf(rank)), QList<qsizetype>{rank});
    QVERIFY(!table.indexOf(-1).isValid());
    QVERIFY(!table.indexOf(rows.size()).isValid());
    QVERIFY(table.ranksAt({}).isEmpty());
}

void HangTableTest::takesAnotherLook()
{
    HangTable table;
    QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    table.setRows(hangVerdict(shots::hangingEvidence()).rows);
    table.setRows({});
    QCOMPARE(table.rowCount(), 0);
    table.setRows(hangVerdict(shots::hangingEvidence(2)).rows);
    QCOMPARE(table.rowCount(), 2); // one of each: nothing is folded
    QVERIFY(!table.hasChildren(table.index(1, 0)));
    QCOMPARE(table.index(1, HangTable::Rank).data().toString(), u"0"_s);
}

/// Names of functions and nodes are anybody's.
void HangTableTest::saysHarmlessWords()
{
    HangRow row;
    row.rank = 0;
    row.node = u"n\u202e1"_s;
    row.function = u"<b>f\x1b[31m"_s;
    HangTable table;
    table.setRows({row});
    QVERIFY(!table.index(0, HangTable::Node).data().toString().contains(QChar(0x202e)));
    QVERIFY(!table.index(0, HangTable::Function).data().toString().contains(QChar(0x1b)));
}

RANKWRIGHT_TEST_MAIN(HangTableTest)
#include "tst_hangtable.moc"
