// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/numberranges.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

class NumberRangesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void folds_data();
    void folds();
};

void NumberRangesTest::folds_data()
{
    QTest::addColumn<QList<int>>("numbers");
    QTest::addColumn<QString>("list");
    QTest::addColumn<QString>("forPeople");
    QTest::newRow("none") << QList<int>{} << QString() << QString();
    QTest::newRow("one") << QList<int>{7} << u"7"_s << u"7"_s;
    QTest::newRow("two") << QList<int>{7, 8} << u"7-8"_s << u"7–8"_s;
    QTest::newRow("gaps") << QList<int>{0, 1, 2, 3, 8, 10, 11, 12} << u"0-3,8,10-12"_s << u"0–3, 8, 10–12"_s;
    // For Slurm the order says which rank gets which core; people look one up.
    QTest::newRow("unsorted") << QList<int>{7, 0, 2, 4, 5, 6} << u"7,0,2,4-6"_s << u"0, 2, 4–7"_s;
    QTest::newRow("falling") << QList<int>{3, 2, 1} << u"3,2,1"_s << u"1–3"_s;
    QTest::newRow("twice") << QList<int>{4, 4, 5} << u"4,4-5"_s << u"4, 4–5"_s;
}

void NumberRangesTest::folds()
{
    QFETCH(QList<int>, numbers);
    QFETCH(QString, list);
    QFETCH(QString, forPeople);
    QCOMPARE(numberRanges(numbers), list);
    QCOMPARE(numberRangesForPeople(numbers), forPeople);
}

RANKWRIGHT_TEST_MAIN(NumberRangesTest)
#include "tst_numberranges.moc"
