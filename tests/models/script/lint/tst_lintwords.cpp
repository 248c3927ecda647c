// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintnumbers.h"
#include "models/script/lint/lintwords.h"
#include "tests/support/testbase.h"

using namespace Qt::StringLiterals;
using namespace rankwright;
using namespace rankwright::lint;

/// What the rules share: near words and sums.
class LintWordsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void distances_data();
    void distances();
    void nearest_data();
    void nearest();
    void sums_data();
    void sums();
};

void LintWordsTest::distances_data()
{
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    QTest::addColumn<int>("limit");
    QTest::addColumn<int>("distance");
    // the example of the books on edit distances: k to s, e to i, a g at the end
    QTest::newRow("kitten") << u"kitten"_s << u"sitting"_s << 3 << 3;
    QTest::newRow("the same") << u"nodes"_s << u"nodes"_s << 3 << 0;
    QTest::newRow("one left out") << u"nods"_s << u"nodes"_s << 3 << 1;
    QTest::newRow("a swap is one") << u"ndoes"_s << u"nodes"_s << 3 << 1;
    QTest::newRow("a swap at the end") << u"nodse"_s << u"nodes"_s << 3 << 1;
    QTest::newRow("beyond the limit") << u"kitten"_s << u"sitting"_s << 2 << 3;
    QTest::newRow("much longer") << u"a"_s << u"abcdefgh"_s << 2 << 3;
    QTest::newRow("64 letters") << QString(64, u'a') << QString(63, u'a') + u'b' << 3 << 1;
    // no name is longer: such words are far apart, and cost nothing
    QTest::newRow("65 letters") << QString(65, u'a') << QString(64, u'a') + u'b' << 3 << 4;
}

void LintWordsTest::distances()
{
    QFETCH(QString, a);
    QFETCH(QString, b);
    QFETCH(int, limit);
    QTEST(wordDistance(a, b, limit), "distance");
    QTEST(wordDistance(b, a, limit), "distance");
}

void LintWordsTest::nearest_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("found");
    const QStringList names{u"nodes"_s, u"ntasks"_s, u"mem"_s, u"partition"_s};
    QTest::newRow("one change in a short word") << u"nods"_s << names << u"nodes"_s;
    QTest::newRow("two in a short word are too many") << u"nod"_s << names << QString();
    QTest::newRow("two in a longer one") << u"partiton"_s + u's' << names << u"partition"_s;
    QTest::newRow("three") << u"artiton"_s + u's' << names << QString();
    QTest::newRow("two equally near") << u"nose"_s << QStringList{u"node"_s, u"nosy"_s} << QString();
    QTest::newRow("the nearer of two") << u"nodee"_s << QStringList{u"nodal"_s, u"nodes"_s} << u"nodes"_s;
}

void LintWordsTest::nearest()
{
    QFETCH(QString, typed);
    QFETCH(QStringList, words);
    QTEST(nearestWord(typed, words), "found");
}

void LintWordsTest::sums_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("result"); // -1: none
    QTest::newRow("a product of three") << u"2*3*4"_s << 24;
    QTest::newRow("from the left") << u"7 - 2 - 1"_s << 4;
    QTest::newRow("products first") << u"1 + 2 * 3"_s << 7;
    QTest::newRow("brackets first") << u"(1 + 2) * 3"_s << 9;
    QTest::newRow("whole numbers, as bash") << u"7 / 2"_s << 3;
    QTest::newRow("the rest") << u"7 % 4"_s << 3;
    QTest::newRow("names") << u"NODES * $GPUS + ${NODES}"_s << 10;
    QTest::newRow("unknown") << u"NODES * RANKS"_s << -1;
    QTest::newRow("by nothing") << u"1 / 0"_s << -1;
    QTest::newRow("left open") << u"(1 + 2"_s << -1;
    // lintnumbers.cpp gives up beyond eight
    QTest::newRow("eight brackets") << QString(8, u'(') + u'5' + QString(8, u')') << 5;
    QTest::newRow("nine brackets") << QString(9, u'(') + u'5' + QString(9, u')') << -1;
}

void LintWordsTest::sums()
{
    QFETCH(QString, text);
    const auto value = [](const QString& name) {
        return name == u"NODES" ? std::optional(2) : name == u"GPUS" ? std::optional(4) : std::nullopt;
    };
    QTEST(arithmetic(text, value).value_or(-1), "result");
}

RANKWRIGHT_TEST_MAIN(LintWordsTest)
#include "tst_lintwords.moc"
