// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/rankorder.h"
#include "tests/support/testbase.h"

#include <QSet>

using namespace Qt::StringLiterals;
using namespace rankwright;

class RankOrderTest final : public test::Suite {
    Q_OBJECT
private slots:
    void followsMegatron();
    void findsEveryRankOnce();
};

// Megatron-LM, parallel_state.initialize_model_parallel: "16 GPUs, 2 tensor, 4 pipeline: 8 tensor groups [g0, g1] ...,
// 8 data-parallel groups [g0, g2], [g1, g3], [g4, g6] ..., 4 pipeline groups [g0, g4, g8, g12], [g1, g5, g9, g13] ...".
void RankOrderTest::followsMegatron()
{
    const RankOrder order{2, 1, 2, 4};
    QCOMPARE(order.world(), 16);
    for (const auto& [one, two] : {std::pair{0, 1}, {2, 3}, {14, 15}}) {
        QCOMPARE(order.dataIndex(one), order.dataIndex(two));
        QCOMPARE(order.stage(one), order.stage(two));
    }
    for (const auto& [one, two] : {std::pair{0, 2}, {1, 3}, {4, 6}, {13, 15}}) {
        QVERIFY(order.dataIndex(one) != order.dataIndex(two));
        QCOMPARE(order.tensorIndex(one), order.tensorIndex(two));
        QCOMPARE(order.stage(one), order.stage(two));
    }
    for (const int rank : {0, 4, 8, 12}) {
        QCOMPARE(order.stage(rank), rank / 4);
        QCOMPARE(order.dataIndex(rank), 0);
        QCOMPARE(order.tensorIndex(rank), 0);
    }
    QVERIFY(order.splitsModel());
    QVERIFY(!(RankOrder{1, 1, 16, 1}.splitsModel()));
}

void RankOrderTest::findsEveryRankOnce()
{
    const RankOrder order{4, 2, 3, 5};
    QSet<int> met;
    for (int stage = 0; stage < order.pipeline; ++stage) {
        for (int shard = 0; shard < order.data * order.context; ++shard) {
            for (int slice = 0; slice < order.tensor; ++slice) {
                const int rank = order.rankOfShard(shard, stage, slice);
                QCOMPARE(order.shardIndex(rank), shard);
                QCOMPARE(order.stage(rank), stage);
                QCOMPARE(order.tensorIndex(rank), slice);
                QCOMPARE(order.dataIndex(rank), shard / order.context);
                met.insert(rank);
            }
        }
    }
    QCOMPARE(met.size(), order.world());
    QCOMPARE(order.rankOfData(2), 16);
}

RANKWRIGHT_TEST_MAIN(RankOrderTest)
#include "tst_rankorder.moc"
