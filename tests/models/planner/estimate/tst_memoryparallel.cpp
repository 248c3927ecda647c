// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/memorymodel.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr double parameters = 8030261248.0;

Workload llama()
{
    Workload workload;
    ModelShape& shape = workload.shape;
    shape.layers = 32;
    shape.hidden = 4096;
    shape.heads = 32;
    shape.kvHeads = 8;
    shape.headSize = 128;
    shape.ffn = 14336;
    shape.vocab = 128256;
    shape.gatedMlp = true;
    shape.tiedEmbeddings = false;
    shape.norm = NormKind::RmsNorm;
    workload.sequence = 8192;
    return workload;
}

Layout ranks(int data, Sharding sharding = Sharding::None)
{
    Layout layout;
    layout.nodes = std::max(1, data / 8);
    layout.gpusPerNode = std::min(8, data);
    layout.data = data;
    layout.sharding = sharding;
    return layout;
}

MemoryEstimate estimate(const Workload& workload, const Layout& layout, const QString& stack = u"fsdp2"_s,
    MemoryCounter counter = MemoryCounter::Reserved)
{
    GpuFigures gpu;
    gpu.usableBytes = 85e9;
    gpu.contextBytes = 1.7e9;
    return MemoryModel(workload, *trainingStack(stack), gpu).estimate(layout, counter);
}

double statesOf(const MemoryEstimate& of) { return of.parts.weights + of.parts.gradients + of.parts.optimizer; }

} // namespace

/// What each way of spreading a training does to a rank's memory.
class MemoryParallelTest : public test::Suite {
    Q_OBJECT

private slots:
    /// DeepSeek-V3's attention (arXiv:2412.19437, 4.2): 128 heads of 128 + 64 for queries and keys, 128 for values.
    /// Megatron-Core's mla_up_proj makes them again from their latents: 2 x 24,576 + 16,384 elements of 16 bit a token
    /// are kept in no layer but the one that is computed.
    void upProjectionIsMadeAgain();

    /// Hybrid sharding: as full sharding over the GPUs of the group, whatever the number of groups.
    void hybridSharding();

    /// SHARD_GRAD_OP keeps whole 16-bit weights in the step instead of two gathered blocks and the head.
    void withoutResharding();

    /// DDP without gradient_as_bucket_view holds a second copy of all gradients as soon as there are two ranks.
    void bucketCopies();

    /// Context parallelism divides the tokens and shares the states like data parallelism.
    void contextParallel();
    void activationOffload();

    /// The logits of a large vocabulary: 14 bytes each in eager PyTorch, an eighth of it when chunked (and the head's
    /// fp32 gradient).
    void logits();

    /// 8-bit linears that are not compiled keep the casts of all blocks' weights: 34 GiB more for 8 B in torchtitan.
    void eagerFloat8();

    /// DeepSpeed gathers module by module, no more than stage3_max_live_parameters at once: a giant's blocks do not
    /// count.
    void giantsBlocks();

    /// The three counters: what is allocated, what is kept reserved, and the process's context on top.
    void counters();
};

void MemoryParallelTest::upProjectionIsMadeAgain()
{
    Workload workload = llama();
    ModelShape& shape = workload.shape;
    shape.layers = 10;
    shape.heads = shape.kvHeads = 128;
    shape.headSize = 192;
    shape.valueSize = 128;
    shape.keyValueRank = 512;
    shape.queryRank = 1536;
    const auto kept
        = [&] { return estimate(workload, ranks(1), u"fsdp2"_s, MemoryCounter::Allocated).parts.activations; };
    const double whole = kept();
    workload.recomputesUpProjection = true;
    constexpr double ofALayer = 8192.0 * (2 * 24576 + 16384) * 2;
    QCOMPARE_GE(whole - kept(), 9 * ofALayer);
    QCOMPARE_LE(whole - kept(), 10 * ofALayer); // all of them where the loss is the peak
    workload.shape.keyValueRank = 0; // of other attentions nothing is dropped
    workload.shape.queryRank = 0;
    const double dropped = kept();
    workload.recomputesUpProjection = false;
    QCOMPARE(kept(), dropped);
}

void MemoryParallelTest::hybridSharding()
{
    Layout layout = ranks(64, Sharding::Full);
    layout.shardGroup = 8;
    const MemoryEstimate hybrid = estimate(llama(), layout);
    const MemoryEstimate node = estimate(llama(), ranks(8, Sharding::Full));
    QCOMPARE(statesOf(hybrid), statesOf(node));
    QCOMPARE(hybrid.totalBytes, node.totalBytes);
    QVERIFY(estimate(llama(), ranks(64, Sharding::Full)).totalBytes < hybrid.totalBytes);
}

void MemoryParallelTest::withoutResharding()
{
    Layout layout = ranks(8, Sharding::Full);
    const MemoryEstimate resharded = estimate(llama(), layout);
    layout.reshardAfterForward = false;
    const MemoryEstimate whole = estimate(llama(), layout);
    const double block = (parameters - 2.0 * 128256 * 4096 - 4096) / 32;
    const double head = 128256.0 * 4096;
    QCOMPARE((whole.parts.temporary - resharded.parts.temporary) / (2 * parameters - 4 * block - 2 * head), 1.0);
}

void MemoryParallelTest::bucketCopies()
{
    Workload workload = llama();
    workload.sequence = 1;
    workload.fusedOptimizer = true;
    const auto temporary = [&](int data) { return estimate(workload, ranks(data), u"pytorch"_s).parts.temporary; };
    QVERIFY(temporary(2) - temporary(1) > 0.99 * 4 * parameters);
    QCOMPARE(temporary(8), temporary(2));
}

void MemoryParallelTest::contextParallel()
{
    Layout layout = ranks(8, Sharding::Full);
    const MemoryEstimate data = estimate(llama(), layout);
    layout.data = 4;
    layout.context = 2;
    const MemoryEstimate context = estimate(llama(), layout);
    QCOMPARE(statesOf(context), statesOf(data));
    QCOMPARE(context.parts.activations * 2, data.parts.activations);
}

void MemoryParallelTest::activationOffload()
{
    Workload workload = llama();
    const MemoryEstimate kept = estimate(workload, ranks(8, Sharding::Full));
    workload.offloadActivations = true;
    const MemoryEstimate offloaded = estimate(workload, ranks(8, Sharding::Full));
    QVERIFY(offloaded.parts.activations < 0.3 * kept.parts.activations);
    QCOMPARE(kept.hostBytesPerNode, 0.0);
    QVERIFY(offloaded.hostBytesPerNode > 0.7 * 8 * kept.parts.activations);
    QVERIFY(offloaded.hostBytesPerNode < 8 * kept.parts.activations);
}

void MemoryParallelTest::logits()
{
    Workload workload = llama();
    workload.recompute = Recompute::Full;
    const double whole = estimate(workload, ranks(8, Sharding::Full)).parts.temporary;
    workload.loss = LossKind::Chunked;
    const double chunked = estimate(workload, ranks(8, Sharding::Full)).parts.temporary;
    const double elements = 8192.0 * 128256;
    QCOMPARE((whole - chunked) / (14 * elements * 7 / 8 - 4.0 * 128256 * 4096), 1.0);
}

void MemoryParallelTest::eagerFloat8()
{
    Workload workload = llama();
    workload.recompute = Recompute::SelectiveOperations;
    const double plain = estimate(workload, ranks(8, Sharding::Full)).totalBytes;
    workload.float8 = Float8::Tensorwise;
    const double eager = estimate(workload, ranks(8, Sharding::Full)).totalBytes;
    QVERIFY(eager - plain > 25e9 && eager - plain < 40e9);
    workload.compiled = true;
    QVERIFY(estimate(workload, ranks(8, Sharding::Full)).totalBytes < plain);
}

void MemoryParallelTest::giantsBlocks()
{
    Workload workload = llama();
    workload.shape.layers = 105;
    workload.shape.hidden = 20480;
    workload.shape.heads = workload.shape.kvHeads = 128;
    workload.shape.headSize = 160;
    workload.shape.ffn = 81920;
    workload.shape.vocab = 51200;
    workload.recompute = Recompute::Full;
    workload.sequence = 128;
    const Layout layout = ranks(640, Sharding::Full);
    QVERIFY(estimate(workload, layout, u"deepspeed"_s).parts.temporary < 10e9);
    QVERIFY(estimate(workload, layout, u"fsdp2"_s).parts.temporary > 25e9);
}

void MemoryParallelTest::counters()
{
    const Layout layout = ranks(8, Sharding::Full);
    const double allocated = estimate(llama(), layout, u"fsdp1"_s, MemoryCounter::Allocated).totalBytes;
    const double reserved = estimate(llama(), layout, u"fsdp1"_s, MemoryCounter::Reserved).totalBytes;
    const double vendor = estimate(llama(), layout, u"fsdp1"_s, MemoryCounter::VendorTool).totalBytes;
    QVERIFY(reserved >= 1.3 * allocated);
    QCOMPARE(vendor - reserved, 1.7e9);
    QCOMPARE(estimate(llama(), layout, u"fsdp1"_s, MemoryCounter::Allocated).parts.overhead, 0.0);
}

RANKWRIGHT_TEST_MAIN(MemoryParallelTest)
#include "tst_memoryparallel.moc"
