// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/layoutcheck.h"
#include "models/planner/estimate/memorymodel.h"
#include "tests/support/testbase.h"

#include <cmath>
#include <limits>
#include <random>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr double gib = 1073741824.0;

Workload eightBillion()
{
    Workload workload;
    workload.shape.layers = 32;
    workload.shape.hidden = 4096;
    workload.shape.heads = 32;
    workload.shape.kvHeads = 8;
    workload.shape.headSize = 128;
    workload.shape.ffn = 14336;
    workload.shape.vocab = 128256;
    workload.shape.gatedMlp = true;
    workload.shape.norm = NormKind::RmsNorm;
    return workload;
}

Layout sixteen()
{
    Layout layout;
    layout.nodes = 2;
    layout.gpusPerNode = 8;
    layout.data = 2;
    layout.tensor = 4;
    layout.pipeline = 2;
    return layout;
}

GpuFigures card()
{
    GpuFigures gpu;
    gpu.usableBytes = 79.1 * gib;
    gpu.contextBytes = 1.7 * gib;
    return gpu;
}

using Change = std::function<void(Workload&, Layout&)>;

bool isPlausible(double bytes) { return std::isfinite(bytes) && bytes >= 0; }

/// A number that somebody might type: usual ones mostly, nonsense at times.
class Garbage {
public:
    explicit Garbage(unsigned seed) : m_random(seed) { }

    qint64 number()
    {
        static constexpr qint64 odd[]{0, -1, 1, 2, 3, 5, 7, 8, 12, 16, 24, 32, 64, 100, 127, 128, 1000, 4096, 8192,
            65536, 1'000'000, std::numeric_limits<int>::max(), 1'000'000'000'000'000'000,
            std::numeric_limits<qint64>::min()};
        return odd[below(std::size(odd))];
    }
    qint64 usual(std::initializer_list<qint64> values)
    {
        return below(60) == 0 ? number() : *(values.begin() + static_cast<qint64>(below(values.size())));
    }
    int small(std::initializer_list<qint64> values) { return static_cast<int>(usual(values)); }
    template <typename E>
    E one(int count)
    {
        return static_cast<E>(below(static_cast<size_t>(count)));
    }
    bool flag() { return below(2) == 0; }
    size_t below(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(m_random); }

private:
    std::mt19937 m_random;
};

Workload anyWorkload(Garbage& garbage)
{
    Workload workload;
    ModelShape& shape = workload.shape;
    shape.family = garbage.one<ModelFamily>(6);
    shape.layers = garbage.small({1, 12, 32, 50, 80});
    shape.hidden = garbage.usual({512, 1024, 4096, 8192});
    shape.heads = garbage.small({8, 16, 32, 64});
    shape.kvHeads = garbage.flag() ? shape.heads : garbage.small({1, 2, 8});
    shape.headSize = garbage.usual({0, 64, 128});
    shape.ffn = garbage.usual({2048, 14336, 28672});
    shape.vocab = garbage.usual({1000, 32000, 256000});
    shape.learnedPositions = garbage.usual({0, 1024});
    shape.gatedMlp = garbage.flag();
    shape.tiedEmbeddings = garbage.flag();
    shape.experts = garbage.small({0, 0, 0, 8, 64});
    shape.expertsPerToken = garbage.small({0, 1, 2, 8});
    shape.patch = garbage.small({14, 16});
    shape.imageSize = garbage.small({224, 512});
    shape.channels = {320, 640, 1280, 1280};
    workload.sequence = garbage.usual({1, 128, 2048, 8192, 131072});
    workload.precision = garbage.one<Precision>(5);
    workload.float8 = garbage.one<Float8>(3);
    workload.optimizer = garbage.one<Optimizer>(8);
    workload.attention = garbage.one<AttentionKind>(2);
    workload.recompute = garbage.one<Recompute>(5);
    workload.offload = garbage.one<Offload>(3);
    workload.offloadActivations = garbage.flag();
    workload.compiled = garbage.flag();
    workload.loss = garbage.flag() ? LossKind::Chunked : LossKind::Full;
    workload.dropout = garbage.flag();
    constexpr double shares[]{1, 1, 1, 0.01, 0, -1, 2, std::numeric_limits<double>::quiet_NaN(), 1e300};
    workload.trainedFraction = shares[garbage.below(std::size(shares))];
    workload.frozenBytesPerParameter = garbage.flag() ? 2 : shares[garbage.below(std::size(shares))];
    return workload;
}

Layout anyLayout(Garbage& garbage)
{
    Layout layout;
    layout.data = garbage.small({1, 2, 4, 8, 64});
    layout.tensor = garbage.small({1, 1, 2, 4, 8});
    layout.pipeline = garbage.small({1, 1, 2, 4, 8});
    layout.context = garbage.small({1, 1, 1, 2, 4});
    layout.expert = garbage.small({1, 1, 1, 2, 8});
    layout.virtualStages = garbage.small({1, 1, 2});
    layout.expertTensor = garbage.small({0, 0, 1, 2});
    layout.firstLayers = garbage.small({0, 0, 0, 3, 8});
    layout.lastLayers = garbage.small({0, 0, 0, 3, 8});
    layout.shardGroup = garbage.small({0, 0, 2, 4, 8});
    const double ranks = double(layout.data) * layout.tensor * layout.pipeline * layout.context;
    const bool matching = ranks > 0 && ranks < 1e6 && garbage.below(20) != 0;
    layout.gpusPerNode = matching ? 1 : garbage.small({1, 4, 8});
    layout.nodes = matching ? static_cast<int>(ranks) : garbage.small({1, 2, 16});
    layout.sharding = garbage.one<Sharding>(4);
    layout.reshardAfterForward = garbage.flag();
    layout.sequenceParallel = garbage.flag();
    layout.schedule = garbage.one<PipelineSchedule>(3);
    layout.microBatch = garbage.usual({1, 2, 4, 16});
    layout.accumulation = garbage.usual({1, 2, 8, 64});
    return layout;
}

} // namespace

class LayoutCheckTest : public test::Suite {
    Q_OBJECT

private slots:
    void sensible() { QVERIFY_RESULT(checkLayout(eightBillion(), sixteen())); }

    void nonsense_data();
    void nonsense();

    /// Whatever passes has a finite, positive estimate; whatever does not is reported in a sentence with a suggestion.
    void garbage();

    /// What never needs more memory: more ranks to share, smaller batches, shorter samples, more recomputation.
    void less();
};

void LayoutCheckTest::nonsense_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("says");
    const auto row
        = [](const char* name, const Change& change, const QString& says) { QTest::newRow(name) << change << says; };
    row(
        "no GPU", [](Workload&, Layout& l) { l.gpusPerNode = 0; }, u"The number of GPUs per node is 0."_s);
    row(
        "no node", [](Workload&, Layout& l) { l.nodes = 0; }, u"The number of nodes is 0."_s);
    row(
        "negative", [](Workload&, Layout& l) { l.data = -2; }, u"The number of data-parallel ranks is -2."_s);
    row(
        "no batch", [](Workload&, Layout& l) { l.microBatch = 0; }, u"The number of samples in a micro-batch is 0."_s);
    row(
        "rank",
        [](Workload& w, Layout&) {
            w.adapter.method = AdapterMethod::Lora;
            w.adapter.rank = 1'000'000;
        },
        u"Adapters of rank 1000000 are larger than the matrices beside which they are trained."_s);
    row(
        "heads",
        [](Workload& w, Layout& l) {
            w.shape.heads = w.shape.kvHeads = 30;
            l.tensor = 4;
        },
        u"30 attention heads cannot be split over 4 tensor-parallel ranks."_s);
    row(
        "layers",
        [](Workload& w, Layout& l) {
            w.shape.layers = 4;
            l.pipeline = 8;
            l.tensor = 1;
        },
        u"4 layers cannot fill 8 pipeline stages of 1 chunks."_s);
    row(
        "too many", [](Workload&, Layout& l) { l.data = 4; },
        u"The layout needs 32 GPUs (data × tensor × pipeline × context), the job has 16."_s);
    row(
        "idle", [](Workload&, Layout& l) { l.data = 1; }, u"The layout uses 8 of the job's 16 GPUs."_s);
    row(
        "degrees",
        [](Workload&, Layout& l) {
            l.tensor = 1;
            l.pipeline = 3;
            l.data = 5;
        },
        u"16 GPUs cannot be split into groups of 3 (tensor × pipeline × context)."_s);
    row(
        "experts",
        [](Workload& w, Layout& l) {
            w.shape.experts = 6;
            w.shape.expertsPerToken = 2;
            l.expert = 4;
        },
        u"6 experts cannot be spread over 4 expert-parallel ranks."_s);
    row(
        "ends", [](Workload&, Layout& l) { l.firstLayers = 33; },
        u"A pipeline stage of 33 layers is not possible in a model of 32."_s);
    row(
        "expert tensor",
        [](Workload& w, Layout& l) {
            w.shape.experts = 8;
            w.shape.expertsPerToken = 2;
            l.expert = 2;
            l.expertTensor = 3;
        },
        u"4 tensor-parallel ranks cannot split each expert 3 ways."_s);
    row(
        "no experts", [](Workload&, Layout& l) { l.expert = 2; },
        u"The model has no experts to spread over 2 ranks."_s);
    row(
        "context",
        [](Workload& w, Layout& l) {
            w.sequence = 2049;
            l.context = 2;
            l.data = 1;
        },
        u"2049 tokens of a sample cannot be split over 2 context-parallel ranks."_s);
    row(
        "sequence", [](Workload& w, Layout&) { w.sequence = 0; }, u"A sample has 0 tokens."_s);
    row(
        "overflow", [](Workload&, Layout& l) { l.data = l.tensor = l.pipeline = 1'000'000; },
        u"1e+18 GPUs are more than any machine has."_s);
    row(
        "not a number", [](Workload& w, Layout&) { w.trainedFraction = std::nan(""); },
        u"The trained share of the parameters is nan."_s);
    row(
        "shard group",
        [](Workload&, Layout& l) {
            l.shardGroup = 3;
            l.tensor = 2;
            l.data = 4;
        },
        u"4 data-parallel ranks cannot shard their states in groups of 3."_s);
}

void LayoutCheckTest::nonsense()
{
    QFETCH(Change, change);
    QFETCH(QString, says);
    Workload workload = eightBillion();
    Layout layout = sixteen();
    change(workload, layout);
    const auto checked = checkLayout(workload, layout);
    QVERIFY(!checked);
    QCOMPARE(checked.error().what, says);
    QVERIFY(checked.error().remedy.endsWith(u'.'));
}

void LayoutCheckTest::garbage()
{
    Garbage garbage(20260);
    int passed = 0;
    for (int i = 0; i < 60'000; ++i) {
        const Workload workload = anyWorkload(garbage);
        const Layout layout = anyLayout(garbage);
        const auto checked = checkLayout(workload, layout);
        if (!checked) {
            QVERIFY(checked.error().what.endsWith(u'.') && !checked.error().remedy.isEmpty());
            continue;
        }
        ++passed;
        const QStringList stacks = memoryStacks();
        const QString stack = stacks.at(i % stacks.size());
        const MemoryModel model(workload, *trainingStack(stack), card());
        for (const MemoryCounter counter :
            {MemoryCounter::Allocated, MemoryCounter::Reserved, MemoryCounter::VendorTool}) {
            const MemoryEstimate estimate = model.estimate(layout, counter);
            const MemoryParts& parts = estimate.parts;
            for (const double bytes : {parts.weights, parts.gradients, parts.optimizer, parts.activations,
                     parts.temporary, parts.overhead, estimate.hostBytesPerNode})
                QVERIFY2(isPlausible(bytes), qPrintable(stack));
            QVERIFY(std::isfinite(estimate.highBytes) && estimate.totalBytes > 0);
            QVERIFY(estimate.lowBytes <= estimate.totalBytes && estimate.totalBytes <= estimate.highBytes);
            QVERIFY(estimate.worstStage >= 0 && estimate.worstStage < layout.pipeline);
        }
    }
    qInfo("%d sensible of 60000", passed);
    QVERIFY2(passed > 1000, qPrintable(QString::number(passed)));
}

void LayoutCheckTest::less()
{
    Garbage garbage(7);
    int compared = 0;
    for (int i = 0; i < 40'000; ++i) {
        Workload workload = anyWorkload(garbage);
        Layout layout = anyLayout(garbage);
        if (!checkLayout(workload, layout))
            continue;
        const TrainingStack& stack = *trainingStack(memoryStacks().at(i % memoryStacks().size()));
        const auto total
            = [&](const Workload& w, const Layout& l) { return MemoryModel(w, stack, card()).estimate(l).totalBytes; };
        const double bytes = total(workload, layout) * (1 + 1e-12);
        if (layout.sharding != Sharding::None && layout.data > 1 && layout.shardGroup == 0) {
            Layout wider = layout;
            wider.data *= 2;
            wider.nodes *= 2;
            QVERIFY(total(workload, wider) <= bytes);
        }
        if (layout.microBatch > 1) {
            Layout smaller = layout;
            smaller.microBatch = layout.microBatch / 2;
            QVERIFY(total(workload, smaller) <= bytes);
        }
        if (workload.sequence > 1) {
            Workload shorter = workload;
            shorter.sequence = std::max<qint64>(1, workload.sequence / 2 / layout.context) * layout.context;
            QVERIFY2(shorter.sequence > workload.sequence || total(shorter, layout) <= bytes,
                qPrintable(u"%1: %2 tokens take %3 bytes, %4 take %5; family %6, recompute %7, offload %8, act %9"_s
                               .arg(memoryStacks().at(i % memoryStacks().size()))
                               .arg(workload.sequence)
                               .arg(bytes, 0, 'g', 15)
                               .arg(shorter.sequence)
                               .arg(total(shorter, layout), 0, 'g', 15)
                               .arg(int(workload.shape.family))
                               .arg(int(workload.recompute))
                               .arg(int(workload.offload))
                               .arg(int(workload.offloadActivations))));
        }
        ++compared;
    }
    QVERIFY(compared > 500);
}

RANKWRIGHT_TEST_MAIN(LayoutCheckTest)
#include "tst_layoutcheck.moc"
