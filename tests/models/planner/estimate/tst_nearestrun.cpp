// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/memorymodel.h"
#include "models/planner/estimate/nearestrun.h"
#include "models/planner/estimate/network/modellist.h"
#include "models/planner/estimate/stack/stacknames.h"
#include "models/planner/estimate/timemodel.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

Workload loraOf(const QString& model)
{
    Workload work;
    work.shape = findListedModel(model)->shape;
    work.sequence = 4096;
    work.precision = Precision::Bf16;
    work.recompute = Recompute::Full;
    work.adapter.method = AdapterMethod::Lora;
    work.adapter.rank = 16;
    work.adapter.targets = allLinear;
    return work;
}

double bytesOn(const Workload& work, const QString& stack, qint64 microBatch = 1)
{
    Layout layout;
    layout.microBatch = microBatch;
    return MemoryModel(work, *trainingStack(stack), gpuFigures(u"a100-80"_s))
        .estimate(layout, MemoryCounter::Allocated)
        .totalBytes;
}

} // namespace

/// The published run that a workload is most like, and what packing and experts change.
class NearestRunTest : public test::Suite {
    Q_OBJECT

private slots:
    void table();

    /// Megatron-DeepSpeed's Llama 2 7B on LUMI is what a 7 billion model there is like.
    void sameRun();
    void bandsWiden();

    /// Adapters of a quantised base are not like training everything.
    void adaptersAreLikeAdapters();

    /// Padded samples compute fewer tokens in a step, and an epoch of short ones stays below the longest one's peak
    /// (torchtune's ladder: Llama 3.2 3B at 25.5 GiB unpacked, 60.0 packed, 2,091 and 7,075 tokens/s).
    void packing();

    /// GLM-4.7-Flash, nf4: 24 GiB with its experts quantised, 34 with them adapted, too (axolotl's examples); in 16 bit
    /// they alone take 52 GiB.
    void experts();

    /// Selective recomputation keeps the products of experts that are computed one after another, not grouped ones.
    void groupedExperts();
};

void NearestRunTest::table()
{
    QVERIFY(publishedRunTable().size() > 200);
    for (const PublishedRun& run : publishedRunTable()) {
        QVERIFY2(run.memoryError || run.timeError, qPrintable(run.model));
        QVERIFY2(run.parameters > 0 && run.gpus > 0 && !run.source.isEmpty(), qPrintable(run.model));
    }
}

void NearestRunTest::sameRun()
{
    const PublishedRun* lumi = nullptr;
    for (const PublishedRun& run : publishedRunTable()) {
        if (run.source == u"spyysalo/lumi-llm-scaling"_s && run.memoryError)
            lumi = &run;
    }
    QVERIFY(lumi != nullptr);
    Workload work;
    work.shape = findListedModel(u"llama-2-7b"_s)->shape;
    work.sequence = static_cast<qint64>(lumi->sequence);
    Layout layout;
    layout.nodes = qMax(1, lumi->gpus / 8);
    layout.gpusPerNode = 8;
    layout.data = lumi->gpus;
    GpuFigures gpu;
    gpu.gpuClass = lumi->gpuClass;
    const auto nearest = nearestRun(work, layout, lumi->stack, gpu);
    QVERIFY(nearest);
    QCOMPARE(nearest->run.source, lumi->source);
    QVERIFY2(nearest->distance < 0.5, qPrintable(QString::number(nearest->distance)));
    QVERIFY2(
        nearest->text().contains(u"% off"_s) && nearest->text().startsWith(u"Like "_s), qPrintable(nearest->text()));
}

void NearestRunTest::bandsWiden()
{
    QCOMPARE(bandFactor(0.2), 1.0);
    QCOMPARE(bandFactor(1.0), 1.0);
    QVERIFY(bandFactor(3.0) > bandFactor(2.0));
    QCOMPARE(bandFactor(100.0), 2.0);
}

void NearestRunTest::adaptersAreLikeAdapters()
{
    Workload work = loraOf(u"mistral-7b"_s);
    work.adapter.quantisation = Quantisation::Nf4Double;
    const auto nearest = nearestRun(work, Layout(), stackname::trl, gpuFigures(u"a100-80"_s));
    QVERIFY(nearest);
    QCOMPARE(nearest->run.part, TrainedPart::AdaptersOfQuantised);
    QCOMPARE(nearest->run.source, u"foundation-model-stack/fms-acceleration"_s);
}

void NearestRunTest::packing()
{
    Workload packed = loraOf(u"llama-3.2-3b"_s);
    Workload padded = packed;
    padded.packed = false;
    const GpuFigures gpu = gpuFigures(u"a100-80"_s);
    const TrainingStack& stack = *trainingStack(stackname::torchtune);
    const StepEstimate fast = TimeModel(packed, stack, gpu).estimate(Layout());
    const StepEstimate slow = TimeModel(padded, stack, gpu).estimate(Layout());
    QVERIFY(slow.seconds < 0.7 * fast.seconds);
    QVERIFY(slow.tokensPerSecondPerGpu < 0.7 * fast.tokensPerSecondPerGpu);
    const MemoryEstimate whole = MemoryModel(packed, stack, gpu).estimate(Layout());
    const MemoryEstimate some = MemoryModel(padded, stack, gpu).estimate(Layout());
    QCOMPARE(some.totalBytes, whole.totalBytes);
    QVERIFY(some.lowBytes < whole.lowBytes);
}

void NearestRunTest::experts()
{
    Workload work = loraOf(u"glm-4.7-flash"_s);
    work.adapter.quantisation = Quantisation::Nf4Double;
    work.adapter.stackedExperts = true;
    work.adapter.expertAdapters = false;
    const double alone = bytesOn(work, stackname::axolotl);
    work.adapter.expertAdapters = true;
    const double adapted = bytesOn(work, stackname::axolotl);
    const ModelShape& shape = work.shape;
    const double weights = 16.0 * 3.0 * double(shape.hidden + shape.ffn) * shape.experts * shape.layers;
    QVERIFY(adapted - alone > 8.0 * weights * 0.9); // 16 bit weights, gradients and Adam's states at least
    work.adapter.expertAdapters = false;
    work.adapter.plainExperts = true;
    QVERIFY(bytesOn(work, stackname::axolotl) > alone + 30e9);
}

void NearestRunTest::groupedExperts()
{
    Workload work;
    work.shape = findListedModel(u"mixtral-8x7b"_s)->shape;
    work.sequence = 4096;
    work.recompute = Recompute::SelectiveOperations;
    work.groupedExperts = true;
    const double grouped = bytesOn(work, stackname::fsdp2, 64);
    work.groupedExperts = false;
    QVERIFY(bytesOn(work, stackname::fsdp2, 64) > grouped);
}

RANKWRIGHT_TEST_MAIN(NearestRunTest)
#include "tst_nearestrun.moc"
