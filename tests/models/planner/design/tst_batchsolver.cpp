// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/batchsolver.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

BatchTerms terms(qint64 global, qint64 micro, qint64 accumulation, qint64 ranks)
{
    const auto given = [](qint64 term) { return term == 0 ? std::nullopt : std::optional(term); };
    return {given(global), given(micro), given(accumulation), given(ranks)};
}

} // namespace

/// global = micro x accumulation x ranks, solved for any of the four; rows of published runs carry their names.
class BatchSolverTest : public test::Suite {
    Q_OBJECT
private slots:
    void solves_data();
    void solves();
    void invariants();
    void refuses_data();
    void refuses();
};

void BatchSolverTest::solves_data()
{
    QTest::addColumn<BatchTerms>("given");
    QTest::addColumn<BatchTerms>("solved");
    QTest::addColumn<QList<qint64>>("nearest");
    using Near = QList<qint64>;
    QTest::newRow("accumulation of BLOOM: 2048 on 8 ranks, micro 2")
        << terms(2048, 2, 0, 8) << terms(2048, 2, 128, 8) << Near();
    QTest::newRow("global batch of GPT-3 175B in NeMo") << terms(0, 1, 64, 4) << terms(256, 1, 64, 4) << Near();
    QTest::newRow("ranks of Goyal: 8192 at 32") << terms(8192, 32, 1, 0) << terms(8192, 32, 1, 256) << Near();
    QTest::newRow("micro-batch of LUMI 175B") << terms(1024, 0, 128, 4) << terms(1024, 2, 128, 4) << Near();
    QTest::newRow("global and ranks alone: no accumulation") << terms(128, 0, 0, 2) << terms(128, 64, 1, 2) << Near();
    QTest::newRow("global and micro alone: as many ranks as there are")
        << terms(128, 4, 0, 0) << terms(128, 4, 1, 32) << Near();
    QTest::newRow("global alone") << terms(128, 0, 0, 0) << terms(128, 1, 1, 128) << Near();
    QTest::newRow("global and accumulation") << terms(128, 0, 4, 0) << terms(128, 1, 4, 32) << Near();
    QTest::newRow("nothing") << terms(0, 0, 0, 0) << terms(1, 1, 1, 1) << Near();
    QTest::newRow("ranks alone") << terms(0, 0, 0, 16) << terms(16, 1, 1, 16) << Near();
    QTest::newRow("accumulation does not divide") << terms(100, 8, 0, 4) << terms(96, 8, 3, 4) << Near{96, 128};
    QTest::newRow("nearer above") << terms(120, 8, 0, 4) << terms(128, 8, 4, 4) << Near{96, 128};
    QTest::newRow("less than one step") << terms(3, 8, 0, 4) << terms(32, 8, 1, 4) << Near{32};
    QTest::newRow("micro-batch does not divide") << terms(100, 0, 0, 8) << terms(96, 12, 1, 8) << Near{96, 104};
    QTest::newRow("smaller than the ranks") << terms(5, 0, 0, 8) << terms(8, 1, 1, 8) << Near{8};
    QTest::newRow("ranks do not divide") << terms(100, 8, 1, 0) << terms(96, 8, 1, 12) << Near{96, 104};
    QTest::newRow("all four agree") << terms(512, 2, 8, 32) << terms(512, 2, 8, 32) << Near();
    QTest::newRow("all four disagree") << terms(500, 2, 8, 32) << terms(512, 2, 8, 32) << Near{512};
}

void BatchSolverTest::solves()
{
    QFETCH(BatchTerms, given);
    QFETCH(BatchTerms, solved);
    QFETCH(QList<qint64>, nearest);
    const auto found = solveBatch(given);
    QVERIFY(found);
    QCOMPARE((BatchTerms{found->global, found->micro, found->accumulation, found->ranks}), solved);
    QCOMPARE(found->nearest, nearest);
    QCOMPARE(found->exact, nearest.isEmpty());
    QVERIFY(found->reason.endsWith(u'.'));
}

void BatchSolverTest::invariants()
{
    for (const qint64 global : {0, 1, 7, 96, 1000, 4096})
        for (const qint64 micro : {0, 1, 3, 8})
            for (const qint64 accumulation : {0, 1, 5, 64})
                for (const qint64 ranks : {0, 1, 6, 512}) {
                    const auto found = solveBatch(terms(global, micro, accumulation, ranks));
                    QVERIFY(found);
                    QCOMPARE(found->micro * found->accumulation * found->ranks, found->global);
                    QVERIFY(micro == 0 || found->micro == micro);
                    QVERIFY(accumulation == 0 || found->accumulation == accumulation);
                    QVERIFY(ranks == 0 || found->ranks == ranks);
                    QCOMPARE(found->exact, global == 0 || found->global == global);
                    for (const qint64 near : found->nearest)
                        QVERIFY(near >= 1);
                }
}

void BatchSolverTest::refuses_data()
{
    QTest::addColumn<BatchTerms>("given");
    QTest::addColumn<QString>("says");
    constexpr qint64 huge = 1'000'000'000'000'000'000;
    QTest::newRow("no ranks") << BatchTerms{8, 1, 1, qint64(0)} << u"ranks is 0"_s;
    QTest::newRow("negative global") << BatchTerms{qint64(-8), {}, {}, {}} << u"global batch is -8"_s;
    QTest::newRow("negative micro") << terms(8, -1, 0, 0) << u"micro-batch is -1"_s;
    QTest::newRow("10^18 passes") << terms(8, 1, huge, 0) << u"accumulation is 1000000000000000000"_s;
    QTest::newRow("beyond") << terms(huge * 2, 0, 0, 0) << u"global batch is"_s;
}

void BatchSolverTest::refuses()
{
    QFETCH(BatchTerms, given);
    QFETCH(QString, says);
    const auto found = solveBatch(given);
    QVERIFY(!found);
    QVERIFY2(found.error().what.contains(says), qPrintable(found.error().what));
    QVERIFY(found.error().remedy.contains(u"from 1"_s));
}

RANKWRIGHT_TEST_MAIN(BatchSolverTest)
#include "tst_batchsolver.moc"
