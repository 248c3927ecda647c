// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/stagelayers.h"
#include "tests/support/testbase.h"

#include <numeric>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

Layout pipelineOf(int stages, int chunks)
{
    Layout layout;
    layout.pipeline = stages;
    layout.virtualStages = chunks;
    return layout;
}

} // namespace

/// How Megatron-LM cuts layers into stages and chunks: cuts of published recipes (Megatron Bridge 067f987,
/// src/megatron/bridge/perf_recipes, and its configurations of Llama 3.1 405B and Qwen3 235B-A22B with
/// account_for_embedding_in_pipeline_split).
class StageLayersTest : public test::Suite {
    Q_OBJECT

private slots:
    void cuts_data();
    void cuts();

    /// Whatever passes the check has all layers, on stages that each hold some.
    void nothingIsLost();
    void endsThatAreNamed();
    void impossible();

    /// The layout text of Megatron Bridge's recipe for DeepSeek-V3 on 1,024 H100, without the further prediction layer.
    void writtenOut();
};

void StageLayersTest::cuts_data()
{
    QTest::addColumn<int>("layers");
    QTest::addColumn<int>("stages");
    QTest::addColumn<int>("chunks");
    QTest::addColumn<QList<int>>("cut");
    QTest::newRow("Llama 3.1 405B, TP8 PP8 VP8") << 126 << 8 << 8 << QList<int>{15, 16, 15};
    QTest::newRow("Qwen3 235B-A22B, TP2 PP8 VP4") << 94 << 8 << 4 << QList<int>{11, 12, 11};
    QTest::newRow("DeepSeek-V3, TP2 PP8 VP4") << 61 << 8 << 4 << QList<int>{7, 8, 6};
    QTest::newRow("Llama 3 70B, PP8 VP5") << 80 << 8 << 5 << QList<int>{10, 10, 10};
    QTest::newRow("one stage") << 80 << 1 << 1 << QList<int>{80, 80, 80};
    QTest::newRow("32 on three") << 32 << 3 << 1 << QList<int>{11, 11, 10};
    QTest::newRow("61 on two") << 61 << 2 << 1 << QList<int>{31, 31, 30};
    QTest::newRow("DeepSeek-V3 on 16") << 61 << 16 << 1 << QList<int>{3, 4, 2};
}

void StageLayersTest::cuts()
{
    QFETCH(int, layers);
    QFETCH(int, stages);
    QFETCH(int, chunks);
    QFETCH(QList<int>, cut);
    const StageLayers found = stageLayers(layers, pipelineOf(stages, chunks));
    QCOMPARE((QList<int>{found.first, found.inner, found.last}), cut);
    QVERIFY_RESULT(checkStageLayers(layers, pipelineOf(stages, chunks)));
}

void StageLayersTest::nothingIsLost()
{
    for (int layers = 1; layers <= 130; ++layers) {
        for (int stages = 1; stages <= layers; ++stages) {
            for (const int chunks : {1, 2, 4, 5, 8, 10}) {
                const Layout layout = pipelineOf(stages, stages > 1 ? chunks : 1);
                if (stages * chunks > layers || !checkStageLayers(layers, layout))
                    continue;
                const StageLayers cut = stageLayers(layers, layout);
                int sum = 0;
                for (int stage = 0; stage < stages; ++stage) {
                    QVERIFY(cut.of(stage, stages) > 0);
                    sum += cut.of(stage, stages);
                }
                QCOMPARE(sum, layers);
            }
        }
    }
}

void StageLayersTest::endsThatAreNamed()
{
    Layout layout = pipelineOf(4, 1);
    layout.firstLayers = 8;
    layout.lastLayers = 5;
    QVERIFY_RESULT(checkStageLayers(61, layout));
    QCOMPARE(stageLayers(61, layout).inner, 24);
    layout.lastLayers = 6;
    const auto odd = checkStageLayers(61, layout);
    QVERIFY(!odd);
    QCOMPARE(odd.error().what,
        u"61 layers without the 14 of the first and last pipeline stage cannot be shared out evenly over the 2 other stages."_s);
    layout.lastLayers = 0;
    layout.firstLayers = 7;
    QVERIFY_RESULT(checkStageLayers(61, layout));
    QCOMPARE(stageLayers(61, layout).last, 18);
}

void StageLayersTest::impossible()
{
    const auto few = checkStageLayers(10, pipelineOf(8, 1));
    QVERIFY(!few);
    QCOMPARE(few.error().what,
        u"10 layers cannot be cut into 8 pipeline stages of one chunk, even with fewer layers at both ends."_s);
    QCOMPARE(few.error().remedy, u"Take 6 stages."_s);
}

void StageLayersTest::writtenOut()
{
    QCOMPARE(pipelineLayoutText(61, pipelineOf(8, 4)), u"Et|(tt|)*30L"_s);
    QCOMPARE(layersOfLayoutText(u"Et|(tt|)*30mL"_s).size(), 32);
    const QList<int> seventy = layersOfLayoutText(u"Et*2|(t*2|)*34,t*3|(t*2|)*3,tL"_s);
    QCOMPARE(seventy.size(), 40);
    QCOMPARE(std::accumulate(seventy.cbegin(), seventy.cend(), 0), 80);
    QVERIFY(layersOfLayoutText(u"(((((t*9999)*9999)*9999"_s).isEmpty());
    for (const int chunks : {1, 2, 4}) {
        const Layout layout = pipelineOf(8, chunks);
        const QList<int> read = layersOfLayoutText(pipelineLayoutText(94, layout));
        QCOMPARE(read.size(), 8 * chunks);
        QCOMPARE(std::accumulate(read.cbegin(), read.cend(), 0), 94);
    }
}

RANKWRIGHT_TEST_MAIN(StageLayersTest)
#include "tst_stagelayers.moc"
