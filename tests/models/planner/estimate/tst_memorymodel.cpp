// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/layoutcheck.h"
#include "models/planner/estimate/memorymodel.h"
#include "models/planner/estimate/memoryterms.h"
#include "tests/models/support/publishedmemory.h"
#include "tests/support/testbase.h"

#include <cmath>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr double gib = 1073741824.0;

/// GPT-3 175B as in Korthikanti et al. 2022, table 1.
ModelShape gpt()
{
    ModelShape shape;
    shape.layers = 96;
    shape.hidden = 12288;
    shape.heads = shape.kvHeads = 96;
    shape.headSize = 128;
    shape.ffn = 4 * 12288;
    shape.vocab = 51200;
    shape.learnedPositions = 2048;
    shape.qkvBias = shape.attentionOutBias = shape.mlpBias = true;
    return shape;
}

ModelShape llama()
{
    ModelShape shape;
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
    return shape;
}

Workload published(const ModelShape& shape)
{
    Workload workload;
    workload.shape = shape;
    workload.attention = AttentionKind::Standard;
    workload.dropout = true;
    return workload;
}

GpuFigures card(double usableGib = 80)
{
    GpuFigures gpu;
    gpu.usableBytes = usableGib * gib;
    gpu.contextBytes = 1.7 * gib;
    return gpu;
}

MemoryParts partsOf(
    const Workload& workload, const Layout& layout, const QString& stack = u"megatron-core"_s, int stage = 0)
{
    return MemoryModel(workload, *trainingStack(stack), card()).stage(layout, stage, MemoryCounter::Allocated);
}

Layout over(int data, int tensor = 1, int pipeline = 1, qint64 micro = 1, qint64 accumulation = 1)
{
    Layout layout;
    layout.data = data;
    layout.tensor = tensor;
    layout.pipeline = pipeline;
    layout.microBatch = micro;
    layout.accumulation = accumulation;
    layout.gpusPerNode = layout.gpus();
    return layout;
}

} // namespace

/// Formulas of the memory model against what papers and tools print.
class MemoryModelTest : public test::Suite {
    Q_OBJECT

private slots:
    /// Rajbhandari et al. 2020 (arXiv:1910.02054), figure 1: 7.5e9 parameters, 64 GPUs, K = 12.
    void zeroTable_data();
    void zeroTable();

    /// Rombach et al. 2022 (arXiv:2112.10752): the U-Net works on an eighth of the image's edge, 64 x 64 for 512
    /// pixels, which is taken where no size is said. What it keeps goes with its positions.
    void latentImages();

    /// DeepSpeed's documentation, "Memory Requirements": T5-3B (2851M parameters, largest layer 32M), one node, 8 GPUs.
    void deepSpeedEstimator_data();
    void deepSpeedEstimator();

    /// Korthikanti et al. 2022 (arXiv:2205.05198), table 2: bytes of a layer.
    void activations_data();
    void activations();

    /// Full recomputation: the inputs of all blocks and one live block.
    void fullRecomputation();

    /// 1F1B holds p - i micro-batches; interleaving multiplies stage 0 by 1 + (p-1)/(p*v) (arXiv:2205.05198, 4.2.3);
    /// GPipe holds all.
    void inFlight_data();
    void inFlight();

    /// A tied embedding is held by the first stage and again by the last one. 96 layers on five stages: 20 each, and 18
    /// at both ends (Megatron-LM's --decoder-first-pipeline-num-layers).
    void unevenStages();

    /// Bytes a parameter without sharding (facts: the recipes' table).
    void bytesAParameter_data();
    void bytesAParameter();

    /// ZeRO-1 of Megatron-Core: 6 + 12/D; of LUMI's BF16 optimiser: 8 + 12/D; of BigScience's: 4 + 16/D.
    void shardedStates_data();
    void shardedStates();
    void offloading();

    /// Adapters of 0.1 %: the frozen base, and next to nothing of gradients and states.
    void adapters();

    /// torchtune's optimizer_in_bwd: 2 bytes a parameter less in bf16, but for one block.
    void optimizerInBackward();
    void experts();

    /// A model known by its count alone has a wider band; the band holds the estimate.
    void band();
    void verdicts();

    /// Every default in the table is one that is read, and has a source.
    void defaults();

    /// Left out is what a source's runs taught, not what the program's code says.
    void withoutASource();
};

void MemoryModelTest::zeroTable_data()
{
    QTest::addColumn<Sharding>("sharding");
    QTest::addColumn<double>("gigabytes");
    QTest::newRow("baseline") << Sharding::None << 120.0;
    QTest::newRow("optimiser states") << Sharding::OptimizerStates << 31.4;
    QTest::newRow("gradients") << Sharding::Gradients << 16.6;
    QTest::newRow("parameters") << Sharding::Full << 1.9;
}

void MemoryModelTest::zeroTable()
{
    QFETCH(Sharding, sharding);
    QFETCH(double, gigabytes);
    QVERIFY(std::abs(zeroModelStates(7.5e9, 64, sharding) / 1e9 - gigabytes) <= 0.05);
}

void MemoryModelTest::latentImages()
{
    Workload workload;
    workload.shape.family = ModelFamily::Diffusion;
    workload.shape.channels = {320, 640, 1280, 1280};
    const auto kept = [&](int pixels) {
        workload.shape.imageSize = pixels;
        return memoryTerms(workload, StackMemory()).samplesBytes;
    };
    QVERIFY(kept(512) > 0);
    QCOMPARE(kept(0), kept(512));
    QCOMPARE(kept(1024) / kept(512), 4.0);
    QCOMPARE(kept(256) / kept(512), 0.25);
}

void MemoryModelTest::deepSpeedEstimator_data()
{
    QTest::addColumn<double>("bytes");
    QTest::addColumn<double>("printed");
    constexpr double t5 = 2851598336.0;
    constexpr double layer = 32899072.0;
    const auto three = [&](Offload offload) { return deepSpeedZero3Needs(t5, layer, 8, 1, offload); };
    QTest::newRow("ZeRO-2") << deepSpeedZero2Needs(t5, 8, 1, false).gpuBytes << 15.93;
    QTest::newRow("ZeRO-2, offload") << deepSpeedZero2Needs(t5, 8, 1, true).gpuBytes << 5.31;
    QTest::newRow("ZeRO-2, offload, node") << deepSpeedZero2Needs(t5, 8, 1, true).hostBytes << 127.48;
    QTest::newRow("ZeRO-3") << three(Offload::None).gpuBytes << 6.10;
    QTest::newRow("ZeRO-3, optimiser") << three(Offload::OptimizerStates).gpuBytes << 0.79;
    QTest::newRow("ZeRO-3, all") << three(Offload::OptimizerAndParameters).gpuBytes << 0.12;
    QTest::newRow("ZeRO-3, all, node") << three(Offload::OptimizerAndParameters).hostBytes << 127.48;
}

void MemoryModelTest::deepSpeedEstimator()
{
    QFETCH(double, bytes);
    QFETCH(double, printed);
    QCOMPARE(std::round(bytes / gib * 100) / 100, printed);
}

void MemoryModelTest::activations_data()
{
    QTest::addColumn<int>("tensor");
    QTest::addColumn<bool>("sequence");
    QTest::addColumn<Recompute>("recompute");
    for (const int tensor : {1, 2, 8})
        for (const bool sequence : {false, true})
            for (const Recompute recompute : {Recompute::None, Recompute::SelectiveAttention}) {
                if (sequence && tensor == 1)
                    continue;
                QTest::addRow("t%d sp%d selective%d", tensor, sequence, recompute == Recompute::SelectiveAttention)
                    << tensor << sequence << recompute;
            }
}

void MemoryModelTest::activations()
{
    QFETCH(int, tensor);
    QFETCH(bool, sequence);
    QFETCH(Recompute, recompute);
    Workload workload = published(gpt());
    workload.recompute = recompute;
    Layout layout = over(1, tensor);
    layout.sequenceParallel = sequence;
    const double tokens = 2048.0;
    const double layer = publishedActivations(tokens, 12288, 96, 2048, tensor, sequence, recompute);
    const double embedded = 2.0 * tokens * 12288 / (sequence ? tensor : 1);
    QCOMPARE(partsOf(workload, layout).activations / (96 * layer + embedded), 1.0);
}

void MemoryModelTest::fullRecomputation()
{
    Workload workload = published(gpt());
    workload.recompute = Recompute::Full;
    const double tokens = 2048.0;
    const double block = publishedActivations(tokens, 12288, 96, 2048, 8, false, Recompute::None);
    const double input = publishedActivations(tokens, 12288, 96, 2048, 8, false, Recompute::Full);
    QCOMPARE(partsOf(workload, over(1, 8)).activations / (97 * input + block), 1.0);
}

void MemoryModelTest::inFlight_data()
{
    QTest::addColumn<PipelineSchedule>("schedule");
    QTest::addColumn<int>("chunks");
    QTest::addColumn<int>("stage");
    QTest::addColumn<double>("batches");
    QTest::newRow("1F1B first") << PipelineSchedule::OneForwardOneBackward << 1 << 0 << 8.0;
    QTest::newRow("1F1B last") << PipelineSchedule::OneForwardOneBackward << 1 << 7 << 1.0;
    QTest::newRow("GPipe") << PipelineSchedule::GPipe << 1 << 3 << 64.0;
    QTest::newRow("interleaved") << PipelineSchedule::Interleaved << 3 << 0 << 8.0 * (1 + 7.0 / 24.0);
}

void MemoryModelTest::inFlight()
{
    QFETCH(PipelineSchedule, schedule);
    QFETCH(int, chunks);
    QFETCH(int, stage);
    QFETCH(double, batches);
    Workload workload = published(gpt());
    Layout layout = over(1, 1, 8, 1, 64);
    layout.schedule = schedule;
    layout.virtualStages = chunks;
    const double layer = publishedActivations(2048, 12288, 96, 2048, 1, false, Recompute::None);
    const double embedded = stage == 0 ? 2.0 * 2048 * 12288 : 0.0;
    QCOMPARE(partsOf(workload, layout, u"megatron-core"_s, stage).activations / (12 * batches * layer + embedded), 1.0);
}

void MemoryModelTest::unevenStages()
{
    Workload workload = published(gpt());
    const double first = partsOf(workload, over(1, 1, 5, 1, 8), u"megatron-core"_s, 0).weights;
    const double second = partsOf(workload, over(1, 1, 5, 1, 8), u"megatron-core"_s, 1).weights;
    const double last = partsOf(workload, over(1, 1, 5, 1, 8), u"megatron-core"_s, 4).weights;
    const double embedding = 2.0 * 51200 * 12288;
    const double positions = 2.0 * 2048 * 12288;
    const double block = 2.0 * static_cast<double>(countParameters(gpt()).block);
    QCOMPARE((first - 18 * block) / (embedding + positions), 1.0);
    QVERIFY(std::abs((last - 18 * block) / embedding - 1.0) < 1e-3); // and the final norm
    QCOMPARE(second, 20.0 * block);
}

void MemoryModelTest::bytesAParameter_data()
{
    QTest::addColumn<QString>("stack");
    QTest::addColumn<Precision>("precision");
    QTest::addColumn<Optimizer>("optimizer");
    QTest::addColumn<double>("bytes");
    const auto row = [](const char* name, const QString& stack, Precision precision, Optimizer optimizer,
                         double bytes) { QTest::newRow(name) << stack << precision << optimizer << bytes; };
    row("fp32 AdamW", u"pytorch"_s, Precision::Fp32, Optimizer::AdamW, 16);
    row("tf32 momentum", u"pytorch"_s, Precision::Tf32, Optimizer::SgdMomentum, 12);
    row("fp32 SGD", u"pytorch"_s, Precision::Fp32, Optimizer::Sgd, 8);
    row("autocast AdamW", u"fsdp2"_s, Precision::Bf16Mixed, Optimizer::AdamW, 16);
    row("autocast LAMB", u"fsdp2"_s, Precision::Fp16Mixed, Optimizer::Lamb, 16);
    row("pure bf16", u"fsdp2"_s, Precision::Bf16, Optimizer::AdamW, 8);
    row("8-bit Adam", u"fsdp2"_s, Precision::Bf16Mixed, Optimizer::AdamW8bit, 10.03125);
    row("Adafactor", u"fsdp2"_s, Precision::Bf16Mixed, Optimizer::Adafactor, 8.02);
    row("Megatron-Core", u"megatron-core"_s, Precision::Bf16Mixed, Optimizer::AdamW, 18);
    row("NeMo", u"nemo"_s, Precision::Bf16Mixed, Optimizer::AdamW, 16);
    row("Megatron 2021", u"megatron-2021"_s, Precision::Fp16Mixed, Optimizer::AdamW, 20);
    row("DeepSpeed", u"deepspeed"_s, Precision::Fp16Mixed, Optimizer::AdamW, 16);
    row("BF16 optimiser", u"megatron-deepspeed"_s, Precision::Bf16Mixed, Optimizer::AdamW, 20);
}

void MemoryModelTest::bytesAParameter()
{
    QFETCH(QString, stack);
    QFETCH(Precision, precision);
    QFETCH(Optimizer, optimizer);
    QFETCH(double, bytes);
    Workload workload = published(llama());
    workload.precision = precision;
    workload.optimizer = optimizer;
    workload.sequence = 1;
    const MemoryParts parts
        = MemoryModel(workload, *trainingStack(stack), card()).stage(over(1), 0, MemoryCounter::Reserved);
    const double states = parts.weights + parts.gradients + parts.optimizer;
    QVERIFY(std::abs(states / 8030261248.0 - bytes) < 1e-3);
}

void MemoryModelTest::shardedStates_data()
{
    QTest::addColumn<QString>("stack");
    QTest::addColumn<Sharding>("sharding");
    QTest::addColumn<double>("bytes");
    QTest::newRow("Megatron-Core") << u"megatron-core"_s << Sharding::OptimizerStates << 6 + 12 / 16.0;
    QTest::newRow("NeMo") << u"nemo"_s << Sharding::OptimizerStates << 4 + 12 / 16.0;
    QTest::newRow("LUMI") << u"megatron-deepspeed"_s << Sharding::OptimizerStates << 8 + 12 / 16.0;
    QTest::newRow("BigScience") << u"megatron-deepspeed-2022"_s << Sharding::OptimizerStates << 4 + 16 / 16.0;
    QTest::newRow("ZeRO-2") << u"deepspeed"_s << Sharding::Gradients << 2 + 14 / 16.0;
    QTest::newRow("FSDP") << u"fsdp2"_s << Sharding::Full << 16 / 16.0;
}

void MemoryModelTest::shardedStates()
{
    QFETCH(QString, stack);
    QFETCH(Sharding, sharding);
    QFETCH(double, bytes);
    Workload workload = published(llama());
    Layout layout = over(16);
    layout.sharding = sharding;
    const MemoryParts parts
        = MemoryModel(workload, *trainingStack(stack), card()).stage(layout, 0, MemoryCounter::Reserved);
    QCOMPARE((parts.weights + parts.gradients + parts.optimizer) / (bytes * 8030261248.0), 1.0);
}

void MemoryModelTest::offloading()
{
    Workload workload = published(llama());
    Layout layout = over(8);
    layout.sharding = Sharding::Full;
    const MemoryModel without(workload, *trainingStack(u"deepspeed"_s), card());
    QCOMPARE(without.estimate(layout).hostBytesPerNode, 0.0);
    workload.offload = Offload::OptimizerStates;
    const MemoryEstimate states = MemoryModel(workload, *trainingStack(u"deepspeed"_s), card()).estimate(layout);
    workload.offload = Offload::OptimizerAndParameters;
    const MemoryEstimate all = MemoryModel(workload, *trainingStack(u"deepspeed"_s), card()).estimate(layout);
    QVERIFY(all.totalBytes < states.totalBytes && states.totalBytes < without.estimate(layout).totalBytes);
    QCOMPARE(all.parts.optimizer, 0.0);
    QCOMPARE(states.hostBytesPerNode / (1.5 * 16 * 8030261248.0), 1.0);
    QCOMPARE(all.hostBytesPerNode / (1.5 * 18 * 8030261248.0), 1.0);
    layout.nodes = 2;
    layout.gpusPerNode = 4;
    QCOMPARE(MemoryModel(workload, *trainingStack(u"deepspeed"_s), card()).estimate(layout).hostBytesPerNode * 2,
        all.hostBytesPerNode);
}

void MemoryModelTest::adapters()
{
    Workload workload = published(llama());
    workload.precision = Precision::Bf16;
    workload.trainedFraction = 0.001;
    const MemoryParts lora = partsOf(workload, over(1), u"torchtune"_s);
    QVERIFY(std::abs(lora.weights / 8030261248.0 - 2.002) < 1e-3);
    QVERIFY(lora.gradients + lora.optimizer < 0.01 * lora.weights);
    workload.fusedOptimizer = false; // its temporaries are as small as what it steps
    QCOMPARE(partsOf(workload, over(1), u"torchtune"_s).total(), lora.total());
    workload.frozenBytesPerParameter = 0.55;
    QVERIFY(partsOf(workload, over(1), u"torchtune"_s).weights < 0.3 * lora.weights);
}

void MemoryModelTest::optimizerInBackward()
{
    Workload workload = published(llama());
    workload.precision = Precision::Bf16;
    workload.optimizer = Optimizer::AdamW8bit;
    const auto total = [&] {
        return MemoryModel(workload, *trainingStack(u"torchtune"_s), card())
            .estimate(over(1), MemoryCounter::Reserved)
            .parts;
    };
    const MemoryParts whole = total();
    workload.optimizerInBackward = true;
    QCOMPARE((whole.gradients - total().gradients) / (2.0 * 8030261248.0), 1.0);
    QVERIFY(total().total() < whole.total());
}

void MemoryModelTest::experts()
{
    ModelShape shape = llama();
    shape.experts = 8;
    shape.expertsPerToken = 2;
    Workload workload = published(shape);
    Layout layout = over(8);
    const double spread = static_cast<double>(countParameters(shape).experts);
    const double whole = partsOf(workload, layout).weights;
    layout.expert = 8;
    QCOMPARE((whole - partsOf(workload, layout).weights) / (2.0 * spread * 7 / 8), 1.0);
}

void MemoryModelTest::band()
{
    Workload workload = published(llama());
    const MemoryModel exact(workload, *trainingStack(u"fsdp2"_s), card());
    workload.shape.assumed = true;
    const MemoryModel guessed(workload, *trainingStack(u"fsdp2"_s), card());
    const MemoryEstimate narrow = exact.estimate(over(1));
    const MemoryEstimate wide = guessed.estimate(over(1));
    QCOMPARE(narrow.totalBytes, wide.totalBytes);
    QVERIFY(narrow.lowBytes < narrow.totalBytes && narrow.totalBytes < narrow.highBytes);
    QVERIFY(wide.lowBytes < narrow.lowBytes && narrow.highBytes < wide.highBytes);
}

void MemoryModelTest::verdicts()
{
    Workload workload = published(llama());
    Layout layout = over(8);
    layout.sharding = Sharding::Full;
    const TrainingStack& stack = *trainingStack(u"fsdp2"_s);
    const double allocated = MemoryModel(workload, stack, card()).estimate(layout, MemoryCounter::Allocated).totalBytes;
    const double need = allocated * stack.memory.reservedRatio / gib + 1.7;
    const auto verdictAt
        = [&](double use) { return MemoryModel(workload, stack, card(need / use)).estimate(layout).verdict; };
    QCOMPARE(verdictAt(0.79), FitVerdict::Fits);
    QCOMPARE(verdictAt(0.81), FitVerdict::Probably);
    QCOMPARE(verdictAt(0.9), FitVerdict::Borderline);
    QCOMPARE(verdictAt(1.09), FitVerdict::Borderline);
    QCOMPARE(verdictAt(1.11), FitVerdict::DoesNotFit);
}

void MemoryModelTest::defaults()
{
    QVERIFY(memoryStacks().contains(u"generic"_s));
    for (const QString& name : memoryStacks()) {
        const TrainingStack* stack = trainingStack(name);
        QVERIFY(stack != nullptr);
        QVERIFY2(!stack->memory.source.isEmpty(), qPrintable(name));
        QVERIFY2(stack->memory.nearest.isEmpty() || trainingStack(stack->memory.nearest), qPrintable(name));
        QVERIFY2(stack->memory.reservedRatio >= 1.0, qPrintable(name));
        QVERIFY2(!habitSource(name, u"spreadReserved"_s).isEmpty(), qPrintable(name));
    }
    QCOMPARE(stackMemory(u"a stack that nobody knows"_s), stackMemory(u"generic"_s));
    QCOMPARE(trainingStack(u"a stack that nobody knows"_s), nullptr);
    QVERIFY(habitSource(u"megatron-core"_s, u"gradientBytes"_s).contains(u"fp32"_s));
}

void MemoryModelTest::withoutASource()
{
    const QString fms = u"foundation-model-stack/fms-acceleration"_s;
    const StackMemory trl = stackMemory(u"trl"_s);
    QVERIFY(trl.evidence.contains(fms));
    const StackMemory unseen = stackMemoryWithout(u"trl"_s, fms);
    QCOMPARE(unseen.lossBytes, stackMemory(u"transformers"_s).lossBytes);
    QCOMPARE(unseen.keptRatio, 0.0);
    QCOMPARE(unseen.lossTokens, trl.lossTokens); // trl/trainer/sft_trainer.py
    QVERIFY(!unseen.evidence.contains(fms));
    QCOMPARE(stackMemoryWithout(u"trl"_s, u"nobody/nothing"_s), trl);
    // Inherited figures are left out, too: LLaMA-Factory's loss is that of TRL.
    QCOMPARE(stackMemoryWithout(u"llama-factory"_s, fms).lossBytes, unseen.lossBytes);
    // Each other's nearest.
    const StackMemory core = stackMemoryWithout(u"megatron-core"_s, u"NVIDIA/Megatron-LM"_s);
    QCOMPARE(core.workspaceBytes, 0.0);
    QCOMPARE(core.gradientBytes, 4.0); // fp32 main gradients: megatron/core/distributed
    for (const QString& name : memoryStacks())
        for (const QString& source : stackMemory(name).evidence)
            QVERIFY2(stackMemoryWithout(name, source).reservedRatio >= 1.0, qPrintable(name + source));
}

RANKWRIGHT_TEST_MAIN(MemoryModelTest)
#include "tst_memorymodel.moc"
