// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/support/runrows.h"
#include "tests/support/testbase.h"

#include <cmath>

using namespace rankwright;
using namespace Qt::StringLiterals;
using test::Cells;
using test::changed;

/// Tables of runs: degrees, batches and models, given, solved and missing.
class RunLayoutsTest : public test::Suite {
    Q_OBJECT
private slots:
    void degrees_data();
    void degrees();
    void overlapInNotes();
    void solved_data();
    void solved();
    void incomplete_data();
    void incomplete();
    void shapes_data();
    void shapes();
};

void RunLayoutsTest::degrees_data()
{
    QTest::addColumn<QString>("strategy");
    QTest::addColumn<Layout>("expected");
    Layout layout;
    layout.nodes = 8;
    layout.gpusPerNode = 8;
    layout.data = 64;
    layout.microBatch = 2;
    const auto add = [&layout](const char* strategy, auto change) {
        Layout expected = layout;
        change(expected);
        expected.data = 64 / (expected.tensor * expected.pipeline * expected.context);
        expected.accumulation = 1024 / (2 * expected.data);
        QTest::newRow(strategy) << QString::fromLatin1(strategy) << expected;
    };
    add("DDP", [](Layout&) {});
    add("FSDP full shard", [](Layout& l) { l.sharding = Sharding::Full; });
    add("FSDP SHARD_GRAD_OP", [](Layout& l) {
        l.sharding = Sharding::Full;
        l.reshardAfterForward = false;
    });
    add("HSDP", [](Layout& l) {
        l.sharding = Sharding::Full;
        l.shardGroup = 8;
    });
    add("ZeRO-1", [](Layout& l) { l.sharding = Sharding::OptimizerStates; });
    add("DeepSpeed ZeRO-2", [](Layout& l) { l.sharding = Sharding::Gradients; });
    add("distributed optimizer+TP2+SP+PP4+VPP(layers/stage=1)+CP2", [](Layout& l) {
        l.sharding = Sharding::OptimizerStates;
        l.tensor = 2;
        l.pipeline = 4;
        l.context = 2;
        l.sequenceParallel = true;
        l.virtualStages = 8; // 32 layers / 4 / 1
        l.schedule = PipelineSchedule::Interleaved;
    });
    add("DDP+TP4+PP2 GPipe", [](Layout& l) {
        l.tensor = 4;
        l.pipeline = 2;
        l.sequenceParallel = true;
        l.schedule = PipelineSchedule::GPipe;
    });
    add("TP8+SP+PP8 interleaved (m=3)", [](Layout& l) {
        l.tensor = 8;
        l.pipeline = 8;
        l.sequenceParallel = true;
        l.virtualStages = 3;
        l.schedule = PipelineSchedule::Interleaved;
    });
    add("FSDP2 8 + TP 8 async", [](Layout& l) {
        l.sharding = Sharding::Full;
        l.tensor = 8;
        l.sequenceParallel = true;
        l.asyncTensor = true;
    });
    add("distributed optimizer+EP4", [](Layout& l) {
        l.sharding = Sharding::OptimizerStates;
        l.expert = 4;
    });
}

void RunLayoutsTest::degrees()
{
    QFETCH(QString, strategy);
    QFETCH(Layout, expected);
    const QString none;
    const RunRow row = changed({{u"source"_s, u"somebody"_s}, {u"strategy"_s, strategy}, {u"n_nodes"_s, u"8"_s},
        {u"n_gpus"_s, u"64"_s}, {u"tp"_s, none}, {u"pp"_s, none}, {u"dp"_s, none}, {u"zero_stage"_s, none},
        {u"grad_accum"_s, none}, {u"global_batch"_s, u"1024"_s}});
    QCOMPARE(row.missing, QString());
    QCOMPARE(row.layout, expected);
}

/// Megatron's --tp-comm-overlap is a word of the notes.
void RunLayoutsTest::overlapInNotes()
{
    QMap<QString, QString> cells{{u"source"_s, u"github:NVIDIA/Megatron-LM images/model_table.png"_s},
        {u"strategy"_s, u"distributed optimizer+TP8+PP2"_s}, {u"n_nodes"_s, u"8"_s}, {u"n_gpus"_s, u"64"_s},
        {u"tp"_s, {}}, {u"pp"_s, {}}, {u"dp"_s, {}}, {u"zero_stage"_s, {}}, {u"notes"_s, u"MFU as printed"_s}};
    QVERIFY(!changed(cells).layout.asyncTensor);
    cells[u"notes"_s] = u"MFU as printed; tp-comm-overlap (README)"_s;
    QVERIFY(changed(cells).layout.asyncTensor);
}

void RunLayoutsTest::solved_data()
{
    QTest::addColumn<Cells>("cells");
    QTest::addColumn<qint64>("micro");
    QTest::addColumn<qint64>("accumulation");
    QTest::addColumn<int>("data");
    const QString none;
    QTest::newRow("accumulation") << Cells{{u"grad_accum"_s, none}, {u"global_batch"_s, u"128"_s}} << qint64(2)
                                  << qint64(8) << 8;
    QTest::newRow("micro-batch") << Cells{{u"micro_batch"_s, none}, {u"grad_accum"_s, u"4"_s},
        {u"global_batch"_s, u"128"_s}}
                                 << qint64(4) << qint64(4) << 8;
    QTest::newRow("data ranks") << Cells{{u"dp"_s, none}, {u"tp"_s, u"4"_s}} << qint64(2) << qint64(1) << 2;
    QTest::newRow("GPUs") << Cells{{u"dp"_s, none}, {u"n_gpus"_s, none}} << qint64(2) << qint64(1) << 8;
    QTest::newRow("global batch") << Cells{{u"global_batch"_s, none}} << qint64(2) << qint64(1) << 8;
    QTest::newRow("torchtitan's pipelines cut the local batch")
        << Cells{{u"pp"_s, u"2"_s}, {u"dp"_s, u"4"_s}, {u"micro_batch"_s, u"16"_s}, {u"global_batch"_s, u"64"_s}}
        << qint64(8) << qint64(2) << 4; // 2024-12: as many as stages
    QTest::newRow("torchtitan's pipelines of 2025 take single samples")
        << Cells{{u"source"_s, u"github:pytorch/torchtitan commit 36a4b6942 (2025-12-17)"_s}, {u"pp"_s, u"2"_s},
               {u"dp"_s, u"4"_s}, {u"micro_batch"_s, u"16"_s}, {u"global_batch"_s, u"64"_s}}
        << qint64(1) << qint64(16) << 4;
    QTest::newRow("torchtitan's pipelines take no more micro-batches than samples")
        << Cells{{u"pp"_s, u"4"_s}, {u"dp"_s, u"2"_s}, {u"micro_batch"_s, u"3"_s}, {u"global_batch"_s, u"6"_s}}
        << qint64(1) << qint64(3) << 2;
}

void RunLayoutsTest::solved()
{
    QFETCH(Cells, cells);
    QFETCH(qint64, micro);
    QFETCH(qint64, accumulation);
    QFETCH(int, data);
    const RunRow row = changed(cells);
    QCOMPARE(row.missing, QString());
    QCOMPARE(row.layout.microBatch, micro);
    QCOMPARE(row.layout.accumulation, accumulation);
    QCOMPARE(row.layout.data, data);
}

void RunLayoutsTest::incomplete_data()
{
    QTest::addColumn<Cells>("cells");
    QTest::addColumn<QString>("says");
    const QString none;
    QTest::newRow("no sequence") << Cells{{u"seq_len"_s, none}} << u"sequence length is not given"_s;
    QTest::newRow("no batch") << Cells{{u"micro_batch"_s, none}, {u"grad_accum"_s, none}, {u"global_batch"_s, none}}
                              << u"micro-batch is not given"_s;
    QTest::newRow("unknown GPU") << Cells{{u"hardware"_s, u"Graphcore IPU"_s}} << u"“Graphcore IPU” is not a GPU"_s;
    QTest::newRow("lines in a cell") << Cells{{u"hardware"_s, u"Graph\ncore"_s}} << u"“Graph core” is not a GPU"_s;
    QTest::newRow("tensor parallel in words")
        << Cells{{u"tp"_s, none}, {u"strategy"_s, u"4D tensor parallel"_s}} << u"tensor-parallel ranks is not given"_s;
    QTest::newRow("experts without figures") << Cells{{u"model"_s, u"Somebody 17B-16E"_s}, {u"layers"_s, none},
        {u"hidden"_s, none}} << u"layers and experts"_s;
    QTest::newRow("no GPU") << Cells{{u"hardware"_s, none}} << u"hardware is not named"_s;
    QTest::newRow("TP of unknown width") << Cells{{u"tp"_s, none}, {u"strategy"_s, u"ZeRO-1 + TP"_s}}
                                         << u"tensor-parallel ranks is not given"_s;
    QTest::newRow("more ranks than GPUs")
        << Cells{{u"tp"_s, u"4"_s}, {u"pp"_s, u"4"_s}} << u"are 16, more than the 8 GPUs"_s;
    QTest::newRow("negative") << Cells{{u"micro_batch"_s, u"-2"_s}} << u"micro_batch is “-2”"_s;
    QTest::newRow("a half") << Cells{{u"n_gpus"_s, u"7.5"_s}} << u"n_gpus is “7.5”"_s;
    QTest::newRow("not a number") << Cells{{u"layers"_s, u"NaN"_s}} << u"layers is “NaN”"_s;
    QTest::newRow("10^18 layers") << Cells{{u"layers"_s, u"1e18"_s}} << u"layers is “1e18”"_s;
    QTest::newRow("heads share unevenly")
        << Cells{{u"heads"_s, u"30"_s}, {u"kv_heads"_s, u"7"_s}} << u"cannot share 7"_s;
    QTest::newRow("an unknown model without figures") << Cells{{u"model"_s, u"Inception V3"_s}, {u"layers"_s, none},
        {u"hidden"_s, none}, {u"params_b"_s, none}} << u"layers and the hidden size of “inception v3” are not given"_s;
    QTest::newRow("diffusion") << Cells{{u"model"_s, u"Stable Diffusion 1.4"_s}, {u"layers"_s, none},
        {u"hidden"_s, none}} << u"not modelled"_s;
}

void RunLayoutsTest::incomplete()
{
    QFETCH(Cells, cells);
    QFETCH(QString, says);
    const RunRow row = changed(cells);
    QVERIFY2(row.missing.contains(says), qPrintable(row.missing));
    QVERIFY(!row.missing.contains(u'\n'));
    QVERIFY(row.layout.gpus() >= 1 && row.layout.globalBatch() >= 1);
}

void RunLayoutsTest::shapes_data()
{
    QTest::addColumn<Cells>("cells");
    QTest::addColumn<double>("billions"); // as the publication says
    QTest::addColumn<QString>("note");
    const QString none;
    const auto figures
        = [](int layers, int hidden, int heads, int ffn, const QString& vocab, const QString& parameters) {
              return Cells{{u"layers"_s, QString::number(layers)}, {u"hidden"_s, QString::number(hidden)},
                  {u"heads"_s, QString::number(heads)}, {u"kv_heads"_s, QString::number(heads)},
                  {u"ffn"_s, QString::number(ffn)}, {u"vocab"_s, vocab}, {u"params_b"_s, parameters},
                  {u"seq_len"_s, u"2048"_s}, {u"source"_s, u"somebody"_s}};
          };
    const auto named = [](Cells cells, const QString& model, const QString& notes = {}) {
        cells.insert(u"model"_s, model);
        cells.insert(u"notes"_s, notes);
        return cells;
    };
    QTest::newRow("GPT 175B of Megatron's paper")
        << named(figures(96, 12288, 96, 49152, u"51200"_s, u"174.62"_s), u"GPT 174.6B"_s) << 174.62 << none;
    QTest::newRow("its vocabulary is open")
        << named(figures(96, 12288, 96, 49152, none, u"174.62"_s), u"GPT 174.6B"_s) << 174.62 << u"51200"_s;
    QTest::newRow("its vocabulary stands in the notes") << named(
        figures(24, 1024, 16, 4096, none, u"0.3568"_s), u"GPT 24x1024"_s, u"params derived with a 51200 vocabulary"_s)
                                                        << 0.3568 << none;
    QTest::newRow("the count shows a gated, untied model")
        << named(figures(32, 4096, 32, 11008, u"32000"_s, u"6.7384"_s), u"our LLM"_s) << 6.7384 << none;
    QTest::newRow("the count shows rotary positions")
        << named(figures(12, 512, 8, 2048, u"50304"_s, u"0.0636"_s), u"GPT 12x512"_s) << 0.0636 << none;
    QTest::newRow("the count is another model's") << named(figures(12, 512, 8, 2048, u"50304"_s, u"3.1"_s),
        u"GPT 12x512"_s) << 0.0646 << u"the table says 3.10"_s;
    QTest::newRow("experts by the name") << named(figures(32, 4096, 32, 14336, u"32000"_s, none), u"Llama MoE 8x7B"_s)
                                         << 47.5 << none;
    QTest::newRow("count alone") << Cells{{u"model"_s, u"7B (Llama type)"_s}, {u"layers"_s, none}, {u"hidden"_s, none},
        {u"heads"_s, none}, {u"kv_heads"_s, none}, {u"ffn"_s, none}, {u"vocab"_s, none}, {u"params_b"_s, u"7"_s}}
                                 << 7.0 << u"typical dense decoder"_s;
    QTest::newRow("count in the name") << Cells{{u"model"_s, u"GPT 13B"_s}, {u"layers"_s, none}, {u"hidden"_s, none},
        {u"heads"_s, none}, {u"kv_heads"_s, none}, {u"ffn"_s, none}, {u"vocab"_s, none}, {u"params_b"_s, none}}
                                       << 13.0 << u"typical"_s;
    QTest::newRow("MPT with a table of 65536 positions") << named(
        [] {
            Cells cells{{u"layers"_s, u"32"_s}, {u"hidden"_s, u"4096"_s}, {u"heads"_s, u"32"_s},
                {u"kv_heads"_s, u"32"_s}, {u"ffn"_s, u"16384"_s}, {u"vocab"_s, u"50368"_s}, {u"seq_len"_s, u"65536"_s},
                {u"params_b"_s, u"6.9189"_s}};
            return cells;
        }(),
        u"MPT-7b"_s) << 6.9189 << none;
    QTest::newRow("T5 by sides") << named(figures(48, 1024, 16, 4096, u"32128"_s, u"0.7377"_s), u"T5 large"_s) << 0.7377
                                 << none;
    QTest::newRow("ResNet-50") << named(figures(50, 2048, 1, 1, u"1000"_s, u"0.0256"_s), u"ResNet-50"_s) << 0.02556
                               << none;
}

void RunLayoutsTest::shapes()
{
    QFETCH(Cells, cells);
    QFETCH(double, billions);
    QFETCH(QString, note);
    const RunRow row = changed(cells);
    QCOMPARE(row.missing, QString());
    const double counted = double(countParameters(row.workload.shape).total) / 1e9;
    QVERIFY2(std::abs(counted / billions - 1) < (row.workload.shape.assumed ? 0.05 : 0.002),
        qPrintable(QString::number(counted)));
    QVERIFY2(note.isEmpty() ? row.note.isEmpty() : row.note.contains(note), qPrintable(row.note));
}

RANKWRIGHT_TEST_MAIN(RunLayoutsTest)
#include "tst_runlayouts.moc"
