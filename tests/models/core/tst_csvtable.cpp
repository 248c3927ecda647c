// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/csvtable.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// RFC 4180, section 2, and what tables in the wild do beside it.
class CsvTableTest : public test::Suite {
    Q_OBJECT
private slots:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void linesOfRows();
};

void CsvTableTest::reads_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QStringList>("columns");
    QTest::addColumn<QStringList>("first");
    QTest::newRow("rule 1: lines by CRLF")
        << QByteArray("a,b\r\naaa,bbb\r\n") << QStringList{u"a"_s, u"b"_s} << QStringList{u"aaa"_s, u"bbb"_s};
    QTest::newRow("rule 2: no last line break")
        << QByteArray("a,b\nzzz,yyy") << QStringList{u"a"_s, u"b"_s} << QStringList{u"zzz"_s, u"yyy"_s};
    QTest::newRow("rule 6: a line break in quotes")
        << QByteArray("a,b\r\n\"x\r\ny\",z\r\n") << QStringList{u"a"_s, u"b"_s} << QStringList{u"x\r\ny"_s, u"z"_s};
    QTest::newRow("rule 7: doubled quotes")
        << QByteArray("a,b\n\"b\"\"bb\",\"1,5\"\n") << QStringList{u"a"_s, u"b"_s} << QStringList{u"b\"bb"_s, u"1,5"_s};
    QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbf"
                                                   "a,b\n1,2\n")
                                     << QStringList{u"a"_s, u"b"_s} << QStringList{u"1"_s, u"2"_s};
    QTest::newRow("empty cells and lines")
        << QByteArray("a, b \n\n,\n") << QStringList{u"a"_s, u"b"_s} << QStringList{QString(u""_s), QString(u""_s)};
    QTest::newRow("fewer cells than columns")
        << QByteArray("a,b\n1\n") << QStringList{u"a"_s, u"b"_s} << QStringList{u"1"_s};
    QTest::newRow("text behind a closing quote")
        << QByteArray("a,b\n\"1\"x,2\n") << QStringList{u"a"_s, u"b"_s} << QStringList{u"1x"_s, u"2"_s};
    QTest::newRow("a quote in the middle")
        << QByteArray("a,b\n5\" disk,2\n") << QStringList{u"a"_s, u"b"_s} << QStringList{u"5\" disk"_s, u"2"_s};
    QTest::newRow("only a head") << QByteArray("a,b\n") << QStringList{u"a"_s, u"b"_s} << QStringList();
    QTest::newRow("nothing") << QByteArray() << QStringList() << QStringList();
}

void CsvTableTest::reads()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QStringList, columns);
    QFETCH(QStringList, first);
    const auto table = parseCsv(bytes, u"t.csv"_s);
    QVERIFY(table);
    QCOMPARE(table->columns, columns);
    QCOMPARE(table->rows.value(0).cells, first);
}

void CsvTableTest::refuses_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    QTest::newRow("open quote") << QByteArray("a,b\n1,2\n\"3,4\n") << u"t.csv, line 3"_s;
    QTest::newRow("binary") << QByteArray("a,b\n1,\0 2\n", 10) << u"not a text"_s;
}

void CsvTableTest::refuses()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    const auto table = parseCsv(bytes, u"t.csv"_s);
    QVERIFY(!table);
    QVERIFY2(table.error().oneLine().contains(says), qPrintable(table.error().oneLine()));
}

void CsvTableTest::linesOfRows()
{
    const auto table = parseCsv("a\n\"1\n2\"\n3\n", u"t.csv"_s);
    QVERIFY(table);
    QCOMPARE(table->rows.size(), 2);
    QCOMPARE(table->rows.at(0).line, 2);
    QCOMPARE(table->rows.at(1).line, 4);
}

RANKWRIGHT_TEST_MAIN(CsvTableTest)
#include "tst_csvtable.moc"
