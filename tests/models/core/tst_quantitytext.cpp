// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

class QuantityTextTest final : public test::Suite {
    Q_OBJECT
private slots:
    void countsHaveTheirNoun();
    void amountsHaveTheirUnit();
    void percentagesAreWrittenOneWay();
    void memoryHasThreeDigits();
};

void QuantityTextTest::countsHaveTheirNoun()
{
    QCOMPARE(counted(0, u"rank"_s), u"0 ranks"_s);
    QCOMPARE(counted(1, u"rank"_s), u"1 rank"_s);
    QCOMPARE(counted(12000, u"rank"_s), u"12\u2009000 ranks"_s);
    QCOMPARE(counted(2, u"process"_s, u"processes"_s), u"2 processes"_s);
    QCOMPARE(counted(1, u"process"_s, u"processes"_s), u"1 process"_s);
    QCOMPARE(nodesText(1), u"1 node"_s);
    QCOMPARE(nodesText(2), u"2 nodes"_s);
    QCOMPARE(gpusText(1, u"GCD"_s), u"1 GCD"_s);
    QCOMPARE(gpusText(16, u"GCD"_s), u"16 GCDs"_s);
    QCOMPARE(nounFor(1, u"slice"_s), u"slice"_s);
    QCOMPARE(nounFor(0.5, u"slice"_s), u"slices"_s);
    QCOMPARE(nounFor(2, u"other waits"_s, u"others wait"_s), u"others wait"_s);
    QCOMPARE(pluralOf(u"GCD"_s), u"GCDs"_s);
}

void QuantityTextTest::amountsHaveTheirUnit()
{
    QCOMPARE(amountText(1, u"GPU-hours"_s), u"1 GPU-hour"_s);
    QCOMPARE(amountText(3.25, u"GPU-hours"_s), u"3.25 GPU-hours"_s);
    QCOMPARE(amountText(1234.5, u"BU"_s), u"1\u2009235 BU"_s);
    QCOMPARE(amountText(1, u"BU"_s), u"1 BU"_s);
}

void QuantityTextTest::percentagesAreWrittenOneWay()
{
    QCOMPARE(percentText(97.4), u"97\u2009%"_s);
    QCOMPARE(percentText(0.44), u"0.4\u2009%"_s);
    QCOMPARE(percentText(4.24), u"4\u2009%"_s);
    QCOMPARE(percentText(4.24, 1), u"4.2\u2009%"_s);
    QCOMPARE(percentText(-3), u"−3\u2009%"_s);
    QCOMPARE(shareText(0.97), u"97\u2009%"_s);
    QCOMPARE(shareText(0.042), u"4.2\u2009%"_s);
    QCOMPARE(shareText(1), u"100\u2009%"_s);
}

void QuantityTextTest::memoryHasThreeDigits()
{
    QCOMPARE(gibFigure(0.42 * bytesPerGib), u"0.42"_s);
    QCOMPARE(gibFigure(41.26 * bytesPerGib), u"41.3"_s);
    QCOMPARE(gibFigure(128.4 * bytesPerGib), u"128"_s);
    QCOMPARE(gibFigure(-3 * bytesPerGib), u"−3"_s);
    QCOMPARE(gibText(64 * bytesPerGib), u"64\u2009GiB"_s);
}

RANKWRIGHT_TEST_MAIN(QuantityTextTest)
#include "tst_quantitytext.moc"
