// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/strategyname.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

class StrategyNameTest final : public test::Suite {
    Q_OBJECT
private slots:
    void asThePapersWriteThem();
};

void StrategyNameTest::asThePapersWriteThem()
{
    QCOMPARE(strategyName(Strategy::Zero1), u"ZeRO-1"_s);
    QCOMPARE(strategyName(Strategy::Zero3), u"ZeRO-3"_s);
    QCOMPARE(strategyName(Strategy::Ddp), u"DDP"_s);
    QCOMPARE(strategyName(Strategy::ThreeD), u"3D"_s);
    // In files the word stays another.
    QCOMPARE(toText(Strategy::Zero3), u"zero3"_s);
}

RANKWRIGHT_TEST_MAIN(StrategyNameTest)
#include "tst_strategyname.moc"
