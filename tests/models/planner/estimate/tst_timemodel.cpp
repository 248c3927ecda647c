// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/calibration.h"
#include "models/planner/estimate/layoutcheck.h"
#include "models/planner/estimate/network/modellist.h"
#include "models/planner/estimate/scalingcurve.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>

#include <cmath>
#include <limits>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

ModelShape gpt(int layers, int hidden, int heads)
{
    ModelShape shape;
    shape.layers = layers;
    shape.hidden = hidden;
    shape.heads = shape.kvHeads = heads;
    shape.headSize = hidden / heads;
    shape.ffn = 4 * hidden;
    shape.vocab = 51200;
    return shape;
}

Workload training(const ModelShape& shape, qint64 sequence = 2048)
{
    Workload workload;
    workload.shape = shape;
    workload.sequence = sequence;
    return workload;
}

TimeModel modelOf(const Workload& workload, const QString& stack, const QString& gpu)
{
    return TimeModel(workload, stackSpeed(stack, gpuFigures(gpu).gpuClass), stackKind(stack), gpuFigures(gpu));
}

Layout layoutOf(int data, int tensor, int pipeline, qint64 micro, qint64 passes, int perNode = 8)
{
    Layout layout;
    layout.data = data;
    layout.tensor = tensor;
    layout.pipeline = pipeline;
    layout.microBatch = micro;
    layout.accumulation = passes;
    layout.gpusPerNode = std::min(perNode, layout.gpus());
    layout.nodes = (layout.gpus() + perNode - 1) / perNode;
    return layout;
}

void finite(const StepEstimate& step)
{
    for (const double figure :
        {step.parts.compute, step.parts.communication, step.parts.bubble, step.parts.other, step.seconds,
            step.lowSeconds, step.highSeconds, step.tokensPerSecondPerGpu, step.teraflopsPerGpu, step.mfu})
        QVERIFY(std::isfinite(figure) && figure >= 0);
    QVERIFY(step.seconds > 0 && step.lowSeconds <= step.seconds && step.seconds <= step.highSeconds);
}

} // namespace

class TimeModelTest : public test::Suite {
    Q_OBJECT

private slots:
    void flopsAsPublished();
    void latentAttention();
    void bubbleAsPublished();
    void recomputationCostsAThird();
    void everyConstantIsThere();
    void filledTensors();
    void callsOfConvolutions();
    void hostsOfGrace();
    void groupsOfExperts();
    void expertsInEightBits();
    void linksBeyondTheNode();
    void unseenStacksAndGpus();
    void moreWorkTakesLonger();
    void garbage();
    void curves();
    void calibration();
    void contradictionsTeachNothing();
};

void TimeModelTest::flopsAsPublished()
{
    // Korthikanti et al. 2022, equation 7: 72 B L s h^2 (1 + s/6h + V/12hL), GPT-3 175B at batch 1.
    const double L = 96, h = 12288, s = 2048, V = 51200;
    const double published = 72 * L * s * h * h * (1 + s / (6 * h) + V / (12 * h * L));
    QVERIFY(std::abs(modelFlops(gpt(96, 12288, 96), 2048) / published - 1) < 1e-9);
    // He et al. 2015: 3.8 * 10^9 multiply-adds of ResNet-50; torchvision's v1.5 (stride in the 3 x 3) 4.09.
    ModelShape resnet;
    resnet.family = ModelFamily::Convolution;
    resnet.layers = 50;
    resnet.imageSize = 224;
    QVERIFY(std::abs(modelFlops(resnet, 1) / (6 * 4.09e9) - 1) < 0.02);
    // Kim et al. 2023 (BK-SDM, arXiv:2305.15798, table 1): 339 * 10^9 multiply-adds of Stable Diffusion's U-Net.
    const ListedModel* diffusion = findListedModel(u"stable-diffusion-1.5"_s);
    QVERIFY(diffusion);
    QVERIFY(std::abs(modelFlops(diffusion->shape, 1) / (6 * 339e9) - 1) < 0.15);
    resnet.layers = 152;
    QVERIFY(std::abs(modelFlops(resnet, 1) / (6 * 11.51e9) - 1) < 0.02);
}

/// DeepSeek-V2-Lite (arXiv:2405.04434, appendix B: 2.4 * 10^9 of its parameters work on a token), weight by weight.
void TimeModelTest::latentAttention()
{
    const ListedModel* lite = findListedModel(u"deepseek-v2-lite"_s);
    QVERIFY(lite);
    const double hidden = 2048, heads = 16, latent = 512, rope = 64, plain = 128, values = 128;
    const double attention = hidden * heads * (plain + rope) + hidden * (latent + rope)
        + latent * heads * (plain + values) + heads * values * hidden;
    const double dense = 3 * hidden * 10944, experts = 3 * hidden * (2816 + 6 * 1408);
    const double weights = 27 * attention + dense + 26 * experts + 102400 * hidden;
    QVERIFY(std::abs(weights / 2.4e9 - 1) < 0.03);
    // what grows with the square of the sequence is taken off
    const double perToken = 2 * modelFlops(lite->shape, 1) - modelFlops(lite->shape, 2) / 2;
    QVERIFY2(std::abs(perToken / (6 * weights) - 1) < 0.003, qPrintable(QString::number(perToken / 6)));
    // Scores are of queries 192 wide, the sums of values 128 wide: 2 * s * heads * (192 + 128), forward.
    const double square = (modelFlops(lite->shape, 2) - 2 * modelFlops(lite->shape, 1)) / 2; // of one token with one
    QVERIFY(std::abs(square / (27 * 3 * 2 * heads * (plain + rope + values)) - 1) < 1e-6);
}

/// torch.use_deterministic_algorithms: 1.30 times as long where launches bind (NVIDIA/Megatron-LM issue 5747), "roughly
/// 15 %" of large models (pull requests 5718, 7093).
void TimeModelTest::filledTensors()
{
    const auto ratio = [](const ModelShape& shape, const Layout& layout) {
        Workload workload = training(shape);
        const double without = modelOf(workload, u"megatron-core"_s, u"h100-80"_s).estimate(layout).seconds;
        workload.deterministic = true;
        return modelOf(workload, u"megatron-core"_s, u"h100-80"_s).estimate(layout).seconds / without;
    };
    const double small = ratio(gpt(12, 512, 8), layoutOf(8, 1, 1, 4, 8));
    QVERIFY2(std::abs(small / 1.30 - 1) < 0.05, qPrintable(QString::number(small)));
    const double large = ratio(gpt(32, 6144, 48), layoutOf(8, 8, 1, 4, 8));
    QVERIFY2(large > 1.05 && large < 1.25, qPrintable(QString::number(large)));
}

/// A ResNet starts few kernels: CSC's ResNet-50 in fp16, 32 images a pass on A100, takes 29.6 ms (1,083 images/s).
void TimeModelTest::callsOfConvolutions()
{
    Workload workload = training({}, 1);
    workload.shape.family = ModelFamily::Convolution;
    workload.shape.layers = 50;
    workload.shape.imageSize = 224;
    workload.precision = Precision::Fp16Mixed;
    workload.optimizer = Optimizer::SgdMomentum;
    const double seconds = modelOf(workload, u"pytorch"_s, u"a100-40"_s).estimate(layoutOf(1, 1, 1, 32, 1)).seconds;
    QVERIFY2(std::abs(seconds / 0.0296 - 1) < 0.1, qPrintable(QString::number(seconds)));
}

/// Grace starts kernels slowly (NVIDIA/TransformerEngine issue 2053): a small model is slower there than on a DGX.
void TimeModelTest::hostsOfGrace()
{
    const Workload small = training(gpt(12, 512, 8));
    const Workload large = training(gpt(32, 8192, 64));
    const Layout layout = layoutOf(4, 1, 1, 4, 8, 4);
    const auto seconds = [&](const Workload& workload, const QString& gpu) {
        return modelOf(workload, u"megatron-core"_s, gpu).estimate(layout).seconds;
    };
    const double slower = seconds(small, u"gh200-96"_s) / seconds(small, u"h100-80"_s);
    QVERIFY2(slower > 1.8 && slower <= 2.5, qPrintable(QString::number(slower)));
    const double alike = seconds(large, u"gh200-96"_s) / seconds(large, u"h100-80"_s);
    QVERIFY2(alike > 0.9 && alike < 1.1, qPrintable(QString::number(alike)));
}

void TimeModelTest::bubbleAsPublished()
{
    // Narayanan et al. 2021, section 2.2: idle time / ideal time = (p - 1) / (m v).
    Workload workload = training(gpt(64, 8192, 64));
    workload.shape.vocab = 0; // equal stages
    const TimeModel model = modelOf(workload, u"megatron-core"_s, u"a100-80"_s);
    for (const int chunks : {1, 2, 4}) {
        Layout layout = layoutOf(1, 8, 8, 1, 16);
        layout.virtualStages = chunks;
        const TimeParts parts = model.estimate(layout).parts;
        const TimeParts whole = model.estimate(layoutOf(1, 8, 1, 1, 1)).parts;
        const double ideal = 16 * (whole.compute + whole.communication) / 8;
        QVERIFY(std::abs(parts.bubble / ideal - 7.0 / (16 * chunks)) < 0.05 * 7.0 / (16 * chunks));
    }
    // No pipeline, no bubble.
    QCOMPARE(model.estimate(layoutOf(8, 8, 1, 1, 4)).parts.bubble, 0.0);
}

void TimeModelTest::recomputationCostsAThird()
{
    // Korthikanti et al. 2022, table 4: recomputing a 22B layer whole costs 39 % of its time, attention alone 7 % more
    // than nothing; a forward pass is a third of forward and backward.
    Workload none = training(gpt(48, 6144, 64));
    none.attention = AttentionKind::Standard;
    Workload full = none, core = none;
    full.recompute = Recompute::Full;
    core.recompute = Recompute::SelectiveAttention;
    const auto seconds = [](const Workload& workload) {
        return modelOf(workload, u"megatron-2021"_s, u"a100-80"_s).estimate(layoutOf(1, 8, 1, 4, 1)).seconds;
    };
    const double overhead = seconds(full) / seconds(none) - 1;
    QVERIFY2(overhead > 0.25 && overhead < 0.45, qPrintable(QString::number(overhead)));
    QVERIFY(seconds(core) / seconds(none) - 1 < 0.15);
    QVERIFY(seconds(core) > seconds(none));
}

void TimeModelTest::everyConstantIsThere()
{
    QVERIFY(speedConstants().size() > 25);
    for (const QString& stack :
        {u"fsdp2"_s, u"megatron-core"_s, u"pytorch"_s, u"deepspeed"_s, u"nemo"_s, u"generic"_s}) {
        for (const QString& gpu : {u"v100"_s, u"a100"_s, u"h100"_s, u"b200"_s, u"mi250x"_s, u"mi300"_s}) {
            const StackSpeed speed = stackSpeed(stack, gpu);
            QVERIFY(speed.linearEfficiency > 0.2 && speed.linearEfficiency < 2.5);
            QVERIFY(speed.gatherOverlap > 0 && speed.gatherOverlap < 1);
            QVERIFY(speed.reduceOverlap > 0 && speed.reduceOverlap < 1);
            QVERIFY(speed.launch > 1e-5 && speed.launch < 1e-2);
            QVERIFY(speed.spread > 0.02 && speed.spread < 1.5);
            QVERIFY(!speed.source.isEmpty());
        }
    }
    QVERIFY(stackSpeed(u"megatron-vtrain"_s, u"a100"_s).known);
    QVERIFY(!stackSpeed(u"megatron-vtrain"_s, u"mi300"_s).known);
}

/// DeepSeek-V3 over 8 nodes: each has one of 8 groups, a token takes 8 experts of 4 groups (arXiv:2412.19437). A node
/// gets 1/2 * (1 - (3/4)^8) of the tokens, without groups 1 - (7/8)^8; over 4 nodes of two groups 1 - P, where P is
/// 15/70 + 40/70 * (3/4)^8 + 15/70 * (1/2)^8, without 1 - (3/4)^8.
void TimeModelTest::groupsOfExperts()
{
    const ListedModel* listed = findListedModel(u"deepseek-v3"_s);
    QVERIFY(listed);
    StackSpeed speed = stackSpeed(u"nemo"_s, u"h100"_s);
    speed.straggling = 0;
    speed.launch = 0;
    const auto sent = [&](const ModelShape& shape, int expert) {
        const TimeModel model(training(shape, 4096), speed, u"megatron"_s, gpuFigures(u"h100-80"_s));
        const auto communication = [&](qint64 micro) {
            Layout layout = layoutOf(64, 1, 1, micro, 1);
            layout.expert = expert;
            return model.estimate(layout).parts.communication;
        };
        return communication(64) - communication(32); // what every step costs is taken off
    };
    ModelShape anywhere = listed->shape;
    anywhere.expertGroups = 0;
    const double eight = sent(listed->shape, 64) / sent(anywhere, 64);
    QVERIFY2(std::abs(eight / (0.44995 / 0.65639) - 1) < 0.01, qPrintable(QString::number(eight)));
    const double four = sent(listed->shape, 32) / sent(anywhere, 32);
    QVERIFY2(std::abs(four / (0.72766 / 0.89989) - 1) < 0.01, qPrintable(QString::number(four)));
}

/// torchao measures grouped products in MXFP8 1.39 times as fast on B200; on Hopper 8 bit gains nothing, and only
/// Transformer Engine's stacks have them.
void TimeModelTest::expertsInEightBits()
{
    const ListedModel* listed = findListedModel(u"qwen3-235b-a22b"_s);
    QVERIFY(listed);
    Workload workload = training(listed->shape, 4096);
    workload.float8 = Float8::Tensorwise;
    const auto gain = [&](const QString& stack, const QString& key) {
        GpuFigures without = gpuFigures(key);
        without.groupedFloat8 = 1;
        const Layout layout = layoutOf(8, 1, 1, 4, 1);
        const auto compute = [&](const GpuFigures& gpu) {
            return TimeModel(workload, stackSpeed(stack, gpu.gpuClass), stackKind(stack), gpu)
                .estimate(layout)
                .parts.compute;
        };
        return compute(without) / compute(gpuFigures(key));
    };
    const double blackwell = gain(u"nemo"_s, u"b200"_s);
    QVERIFY2(blackwell > 1.15 && blackwell < 1.39, qPrintable(QString::number(blackwell)));
    QCOMPARE(gain(u"nemo"_s, u"h100-80"_s), 1.0);
    QCOMPARE(gain(u"fsdp2"_s, u"b200"_s), 1.0);
}

/// Sixteen nodes of GB200 with four GPUs each have NVLink in common.
void TimeModelTest::linksBeyondTheNode()
{
    const ListedModel* listed = findListedModel(u"deepseek-v3"_s);
    QVERIFY(listed);
    const GpuFigures joined = gpuFigures(u"gb200"_s);
    GpuFigures apart = joined;
    apart.linkedGpus = 0;
    Layout layout = layoutOf(64, 1, 1, 1, 16, 4);
    layout.expert = 64;
    const auto communication = [&](const GpuFigures& gpu) {
        return TimeModel(training(listed->shape, 4096), stackSpeed(u"nemo"_s, gpu.gpuClass), u"megatron"_s, gpu)
            .estimate(layout)
            .parts.communication;
    };
    QVERIFY(communication(joined) < 0.5 * communication(apart));
    layout = layoutOf(128, 1, 1, 1, 16, 4);
    layout.expert = 128; // beyond 72
    QVERIFY(communication(joined) < communication(apart));
}

void TimeModelTest::unseenStacksAndGpus()
{
    const StackSpeed unseen = stackSpeed(u"a stack of tomorrow"_s, u"a gpu of tomorrow"_s);
    QVERIFY(!unseen.known);
    QVERIFY(unseen.spread > stackSpeed(u"llm-foundry"_s, u"a100"_s).spread);
    for (const GpuFigures& gpu : knownGpus()) {
        const StepEstimate step
            = TimeModel(training(gpt(32, 4096, 32)), stackSpeed(u"fsdp2"_s, gpu.gpuClass), u"fsdp"_s, gpu)
                  .estimate(layoutOf(8, 1, 1, 1, 4));
        finite(step);
        QVERIFY2(step.mfu > 0.01 && step.mfu < 0.9, qPrintable(gpu.key + u' ' + QString::number(step.mfu)));
    }
}

void TimeModelTest::moreWorkTakesLonger()
{
    const TimeModel model = modelOf(training(gpt(32, 4096, 32)), u"megatron-core"_s, u"a100-80"_s);
    const auto seconds = [&](const Layout& layout) { return model.estimate(layout).seconds; };
    QVERIFY(seconds(layoutOf(8, 1, 1, 2, 4)) > seconds(layoutOf(8, 1, 1, 1, 4)));
    QVERIFY(seconds(layoutOf(8, 1, 1, 1, 8)) > seconds(layoutOf(8, 1, 1, 1, 4)));
    QVERIFY(seconds(layoutOf(16, 1, 1, 1, 4)) > seconds(layoutOf(8, 1, 1, 1, 4))); // the network
    // Tensor ranks across nodes: twice the GPUs are not even a fifth faster.
    const double across = seconds(layoutOf(1, 16, 1, 1, 4)) / seconds(layoutOf(1, 8, 1, 1, 4));
    QVERIFY2(across > 0.8, qPrintable(QString::number(across)));
    Workload offloaded = training(gpt(32, 4096, 32));
    offloaded.offload = Offload::OptimizerStates;
    QVERIFY(modelOf(offloaded, u"deepspeed"_s, u"v100-32"_s).estimate(layoutOf(8, 1, 1, 1, 1)).seconds
        > modelOf(training(gpt(32, 4096, 32)), u"deepspeed"_s, u"v100-32"_s).estimate(layoutOf(8, 1, 1, 1, 1)).seconds);
}

void TimeModelTest::garbage()
{
    QRandomGenerator random(20261121);
    const QStringList stacks{u"fsdp2"_s, u"megatron-core"_s, u"deepspeed"_s, u"pytorch"_s, u"unknown"_s};
    const QList<GpuFigures> gpus = knownGpus();
    const auto number
        = [&](qint64 most) { return static_cast<qint64>(std::exp(random.generateDouble() * std::log(double(most)))); };
    int accepted = 0;
    for (int i = 0; i < 20000; ++i) {
        Workload workload = training(gpt(int(number(200)), int(64 * number(400)), 1), number(1 << 20));
        workload.shape.heads = workload.shape.kvHeads = int(1 << random.bounded(7));
        workload.shape.headSize = workload.shape.hidden / workload.shape.heads;
        workload.shape.family = ModelFamily(random.bounded(5));
        workload.shape.experts = random.bounded(4) == 0 ? int(number(256)) : 0;
        workload.shape.expertsPerToken = std::min(2, workload.shape.experts);
        workload.shape.expertGroups = int(number(100)) - 1;
        workload.shape.groupsPerToken = int(number(100)) - 1;
        workload.shape.vocab = number(1 << 20) - 1;
        workload.precision = Precision(random.bounded(5));
        workload.float8 = Float8(random.bounded(3));
        workload.recompute = Recompute(random.bounded(5));
        workload.offload = Offload(random.bounded(3));
        workload.attention = AttentionKind(random.bounded(2));
        Layout layout
            = layoutOf(int(number(4096)), int(1 << random.bounded(5)), int(number(64)), number(64), number(512));
        layout.context = int(1 << random.bounded(4));
        layout.sharding = Sharding(random.bounded(4));
        layout.virtualStages = layout.pipeline > 1 ? int(number(8)) : 1;
        layout.nodes = (layout.gpus() + 7) / 8;
        layout.gpusPerNode = std::min(8, layout.gpus());
        if (!checkLayout(workload, layout))
            continue;
        ++accepted;
        const GpuFigures gpu = i % 50 == 0 ? GpuFigures() : gpus.at(random.bounded(int(gpus.size())));
        const QString stack = stacks.at(random.bounded(int(stacks.size())));
        finite(TimeModel(workload, stackSpeed(stack, gpu.gpuClass), stackKind(stack), gpu).estimate(layout));
        if (QTest::currentTestFailed())
            return;
    }
    QVERIFY2(accepted > 200, qPrintable(QString::number(accepted)));
}

void TimeModelTest::curves()
{
    const TimeModel model = modelOf(training(gpt(24, 1024, 16), 1024), u"pytorch"_s, u"v100-32@puhti"_s);
    const ScalingCurve strong = scalingCurve(model, layoutOf(4, 1, 1, 8, 2, 4), Scaling::Strong, 1024);
    QCOMPARE(strong.points.first().gpus, 1);
    QCOMPARE(strong.points.first().efficiency, 1.0);
    for (const ScalingPoint& point : strong.points) {
        QCOMPARE(point.layout.globalBatch(), 64);
        QVERIFY(point.gpus <= 64);
    }
    QVERIFY(strong.points.last().efficiency < 0.9);
    QVERIFY2(strong.sentence.startsWith(u"Beyond "_s), qPrintable(strong.sentence));
    // W12: "Beyond 64 GPUs" beside a design of 192: the design's own number is a point of its curve.
    const ScalingCurve odd = scalingCurve(model, layoutOf(192, 1, 1, 8, 1, 4), Scaling::Strong, 4096);
    QVERIFY(
        std::any_of(odd.points.begin(), odd.points.end(), [](const ScalingPoint& point) { return point.gpus == 192; }));
    QVERIFY2(!odd.sentence.contains(u"cannot be split"_s) || odd.points.last().layout.data == 1536,
        qPrintable(odd.sentence));
    // On a site whose users say GCD the sentence says it too.
    const ScalingCurve gcds = scalingCurve(model, layoutOf(4, 1, 1, 8, 2, 4), Scaling::Strong, 1024, u"GCD"_s);
    QVERIFY2(gcds.sentence.contains(u" GCDs"_s) && !gcds.sentence.contains(u"GPU"_s), qPrintable(gcds.sentence));
    const ScalingCurve weak = scalingCurve(model, layoutOf(1, 1, 1, 8, 2, 4), Scaling::Weak, 64);
    QCOMPARE(weak.points.last().gpus, 64);
    QCOMPARE(weak.points.last().layout.globalBatch(), 64 * 16);
    QVERIFY(weak.points.last().efficiency <= 1.0);
    const ScalingCurve none = scalingCurve(model, layoutOf(1, 4, 2, 1, 2), Scaling::Strong, 4);
    QVERIFY(none.points.isEmpty());
    QVERIFY(none.sentence.contains(u"8 GPUs"_s));
    QVERIFY(!spreadOver(layoutOf(4, 1, 1, 3, 1), 5, Scaling::Strong));
}

void TimeModelTest::calibration()
{
    MeasuredRun run;
    run.cluster = u"lumi"_s;
    run.family = u"decoder"_s;
    run.stack = u"fsdp2"_s;
    run.predictedSeconds = 1;
    run.measuredSeconds = 1.5;
    run.predictedBytes = 10e9;
    run.measuredBytes = 12e9;
    run.exactBytes = 6e9;
    CalibrationTable table{{run}};
    QCOMPARE(table.of(u"mahti"_s, u"decoder"_s, u"fsdp2"_s), Calibration());
    const Calibration one = table.of(u"lumi"_s, u"decoder"_s, u"fsdp2"_s);
    QCOMPARE(one.timeRuns, 1);
    QVERIFY(one.timeScale > 1.3 && one.timeScale < 1.5); // pulled a little towards 1
    QVERIFY(one.restScale > 1.3 && one.restScale < 1.5); // 6 in place of 4 beside the states
    table.used = false;
    QCOMPARE(table.of(u"lumi"_s, u"decoder"_s, u"fsdp2"_s), Calibration());
    table.used = true;
    run.timeSpread = 0.14; // a stack that is known well: one run says little
    QVERIFY(calibrate({run}).timeScale < 1.15);
    run.timeSpread.reset();
    for (int i = 0; i < 9; ++i)
        table.runs.append(run);
    QVERIFY(table.of(u"lumi"_s, u"decoder"_s, u"fsdp2"_s).timeScale > 1.48);
    const double odd[]{
        0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e6};
    for (const double measured : odd) {
        run.measuredSeconds = measured;
        run.measuredBytes = measured * 1e9;
        QCOMPARE(calibrate({run}).timeScale, 1.0);
    }
    StepEstimate step;
    step.seconds = step.parts.compute = 2;
    step.lowSeconds = 1.6;
    step.highSeconds = 2.5;
    step.tokensPerSecondPerGpu = 100;
    const StepEstimate later = calibrated(step, {1, 1.25, 0, 2});
    QCOMPARE(later.seconds, 2.5);
    QCOMPARE(later.parts.total(), 2.5);
    QCOMPARE(later.tokensPerSecondPerGpu, 80.0);
    QCOMPARE(later.highSeconds / later.seconds, 1.25); // the scatter of the stack's runs stays
    // W1: never faster than published runs have reached of a GPU's peak.
    step.mfu = 0.4;
    QCOMPARE(calibrated(step, {1, 0.25, 0, 2}).mfu, 0.7);
    step.mfu = 0;
    QCOMPARE(calibrated(step, {}), step);
    MemoryEstimate memory;
    memory.parts.weights = 4e9;
    memory.parts.activations = 6e9;
    memory.totalBytes = 10e9;
    memory.lowBytes = 8e9;
    memory.highBytes = 12e9;
    memory.usableBytes = 16e9;
    memory.heldBytes = 11e9;
    const MemoryEstimate more = calibrated(memory, {4.0 / 3, 1, 1, 0});
    QCOMPARE(more.totalBytes, 12e9);
    QCOMPARE(more.verdict, fitVerdict(4e9 + 7e9 * 4 / 3, 16e9));
    QCOMPARE(more.parts.weights, 4e9); // counted exactly
    QVERIFY(std::abs(more.parts.total() - more.totalBytes) < 1);
    QCOMPARE(more.highBytes / more.totalBytes, 1.2); // the scatter of the stack's runs stays
    // W1: never below the exact states, whatever was learned.
    for (const double scale : {0.0, 0.01, 100.0}) {
        const MemoryEstimate bound = calibrated(memory, {scale, 1, 9, 0});
        QCOMPARE(bound.parts.weights, 4e9);
        QCOMPARE(bound.totalBytes, scale < 1 ? 7e9 : 16e9); // half and twice the rest
        QVERIFY(bound.lowBytes >= 4e9);
    }
}

void TimeModelTest::contradictionsTeachNothing()
{
    MeasuredRun run;
    run.predictedSeconds = 1;
    run.measuredSeconds = 1.1;
    run.shortestSeconds = 0.4;
    run.predictedBytes = 90e9;
    run.measuredBytes = 80e9;
    run.exactBytes = 25e9;
    run.gpuBytes = 96e9;
    QVERIFY(contradiction(run).isEmpty());
    QCOMPARE(calibrate({run}).memoryRuns, 1);
    const auto refused = [run](std::optional<double> bytes, std::optional<double> seconds) {
        MeasuredRun odd = run;
        odd.measuredBytes = bytes;
        odd.measuredSeconds = seconds;
        return !contradiction(odd).isEmpty() && calibrate({odd}) == Calibration();
    };
    QVERIFY(refused(22e9, 1.1)); // less than weights, gradients and optimiser
    QVERIFY(refused(22e9, std::nullopt));
    QVERIFY(refused(110e9, 1.1)); // more than the GPU has
    QVERIFY(refused(80e9, 0.3)); // faster than the peak
    QVERIFY(refused(80e9, 5)); // another job's
    run.exactBytes.reset(); // measured before they were kept: the time alone counts
    QCOMPARE(calibrate({run}).memoryRuns, 0);
    QCOMPARE(calibrate({run}).timeRuns, 1);
}

RANKWRIGHT_TEST_MAIN(TimeModelTest)
#include "tst_timemodel.moc"
