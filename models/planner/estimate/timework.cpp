// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/timework.h"

#include <algorithm>
#include <cmath>

namespace rankwright::inline planner {

namespace {

/// Multiply-adds and output elements of all convolutions of a ResNet (He et al. 2015, table 1) for one image.
struct ConvolutionWork {
    double multiplyAdds = 0;
    double elements = 0;
};

ConvolutionWork resNetWork(int depth, int imageSize)
{
    struct Family {
        int depth;
        int blocks[4];
        bool bottleneck;
    };
    constexpr Family families[]{{18, {2, 2, 2, 2}, false}, {34, {3, 4, 6, 3}, false}, {50, {3, 4, 6, 3}, true},
        {101, {3, 4, 23, 3}, true}, {152, {3, 8, 36, 3}, true}};
    const Family* family = &families[2];
    for (const Family& one : families) {
        if (one.depth <= std::max(depth, 18))
            family = &one;
    }
    const double edge = imageSize > 0 ? imageSize : 224.0;
    ConvolutionWork work;
    const auto add = [&](double kernel, double in, double out, double side) {
        work.multiplyAdds += kernel * kernel * in * out * side * side;
        work.elements += out * side * side;
    };
    add(7, 3, 64, edge / 2);
    double in = 64;
    for (int stage = 0; stage < 4; ++stage) {
        const double side = edge / (4 << stage);
        const double width = 64.0 * (1 << stage);
        const double out = family->bottleneck ? 4 * width : width;
        for (int block = 0; block < family->blocks[stage]; ++block) {
            const double entry = block == 0 && stage > 0 ? 2 * side : side; // v1.5: the 3 x 3 has the stride
            if (family->bottleneck) {
                add(1, in, width, entry);
                add(3, width, width, side);
                add(1, width, out, side);
            } else {
                add(3, in, width, side);
                add(3, width, out, side);
            }
            if (in != out)
                add(1, in, out, side);
            in = out;
        }
    }
    return work;
}

/// A U-Net on a latent image an eighth as wide (Stable Diffusion): its weights are spread over the resolutions as the
/// square of the channels, each halves the width. 309 * 10^9 multiply-adds for Stable Diffusion 1.5 at 512 pixels,
/// where 339 were counted (BK-SDM, arXiv:2305.15798, table 1).
ConvolutionWork diffusionWork(const ModelShape& shape)
{
    constexpr double mapsPerLevel = 60; // feature maps of a level's residual and attention blocks, both ways
    const double side = (shape.imageSize > 0 ? shape.imageSize : 512) / 8.0;
    double squares = 0;
    double positions = 0;
    ConvolutionWork work;
    for (qsizetype level = 0; level < shape.channels.size(); ++level) {
        const double width = static_cast<double>(shape.channels.at(level));
        const double here = std::max(1.0, side * side / std::pow(4.0, static_cast<double>(level)));
        squares += width * width;
        positions += width * width * here;
        work.elements += mapsPerLevel * width * here;
    }
    work.multiplyAdds = squares > 0 ? static_cast<double>(countParameters(shape).total) * positions / squares : 0.0;
    return work;
}

bool isConvolutional(const ModelShape& shape)
{
    return shape.family == ModelFamily::Convolution || shape.family == ModelFamily::Diffusion;
}

ConvolutionWork convolutionWork(const ModelShape& shape)
{
    return shape.family == ModelFamily::Diffusion ? diffusionWork(shape) : resNetWork(shape.layers, shape.imageSize);
}

/// Projections of one attention; latent ones as docs/planner.md, "Models", has them (arXiv:2405.04434).
double attentionWeights(const ModelShape& shape)
{
    const double h = static_cast<double>(shape.hidden);
    const double query = static_cast<double>(shape.queryWidth());
    if (shape.keyValueRank <= 0)
        return h * (2 * query + 2 * static_cast<double>(shape.keyWidth()));
    const double heads = shape.heads, keyRank = static_cast<double>(shape.keyValueRank);
    const double values = heads * static_cast<double>(shape.valueSize), rope = static_cast<double>(shape.ropeSize);
    const double down = static_cast<double>(shape.queryRank);
    return (down > 0 ? h * down + down * query : h * query) + h * (keyRank + rope)
        + keyRank * (query - heads * rope + values) + values * h;
}

/// Of latent attention a value is narrower than a query, which has the position beside it.
double valueWidth(const ModelShape& shape)
{
    return static_cast<double>(shape.keyValueRank > 0 ? shape.heads * shape.valueSize : shape.queryWidth());
}

double active(const ModelShape& shape, bool all)
{
    const double h = static_cast<double>(shape.hidden);
    const double matrices = shape.gatedMlp ? 3 : 2;
    const double attention = attentionWeights(shape);
    const double dense = matrices * h * static_cast<double>(shape.ffn);
    double mlp = dense;
    if (shape.experts > 0) {
        const double shared = matrices * h * static_cast<double>(shape.sharedExpertFfn);
        const double routed = dense * (all ? shape.experts : std::max(1, shape.expertsPerToken));
        const double layers = std::max(1, shape.layers);
        const double plain = std::clamp<double>(shape.denseLayers, 0, layers) / layers;
        mlp = (1 - plain) * (shared + routed) + plain * matrices * h * static_cast<double>(shape.denseFfn);
    }
    // Half of an encoder-decoder's blocks have a second, crossed attention.
    return (shape.family == ModelFamily::EncoderDecoder ? 1.5 : 1.0) * attention + mlp;
}

/// Calls that a layer's forward pass starts, as a share of a transformer block's. Counted in torchvision's resnet.py
/// for ResNet-50: 53 convolutions and as many norms, 49 activations, 16 sums and four more in 50 layers; autocast casts
/// the weights of each convolution as well. Of a U-Net's residual and attention blocks 14.
double callShare(const Workload& workload)
{
    constexpr double ofBlock = 40, ofConvolution = 3.5, ofCast = 1, ofDiffusion = 14;
    const bool casts = workload.precision == Precision::Fp16Mixed || workload.precision == Precision::Bf16Mixed;
    switch (workload.shape.family) {
    case ModelFamily::Convolution: return (ofConvolution + (casts ? ofCast : 0)) / ofBlock;
    case ModelFamily::Diffusion: return ofDiffusion / ofBlock;
    default: return 1;
    }
}

// torch.use_deterministic_algorithms fills every new tensor with a kernel of its own (pytorch issue 117081): one more
// move of memory beside reading and writing, and a small GPT bound by launches takes 1.30 times as long on 8 H100
// (72.4 against 55.5 ms, NVIDIA/Megatron-LM issue 5747).
constexpr double filledTraffic = 1.5;
constexpr double filledLaunch = 1.3;

double blocks(const ModelShape& shape)
{
    if (shape.family == ModelFamily::Diffusion) {
        constexpr double perLevel = 12; // residual and attention blocks, both ways
        return perLevel * static_cast<double>(std::max<qsizetype>(1, shape.channels.size()));
    }
    return std::max(1, shape.layers) * (shape.family == ModelFamily::EncoderDecoder ? 2.0 : 1.0);
}

void setPrecision(TimeWork& work, const Workload& workload, const StackSpeed& speed, const GpuFigures& gpu)
{
    switch (workload.precision) {
    case Precision::Fp32: work.labelPeak = gpu.peakFlopsFp32; break;
    case Precision::Tf32: work.labelPeak = gpu.peakFlopsTf32 > 0 ? gpu.peakFlopsTf32 : gpu.peakFlopsFp32; break;
    case Precision::Fp16Mixed: work.labelPeak = gpu.peakFlopsFp16; break;
    case Precision::Bf16Mixed:
    case Precision::Bf16: work.labelPeak = gpu.hasBf16 ? gpu.peakFlops : gpu.peakFlopsFp32; break;
    }
    work.labelPeak = std::max(work.labelPeak, 1e9);
    work.peak = work.labelPeak * gpu.sustainedShare;
    const bool single = workload.precision == Precision::Fp32 || workload.precision == Precision::Tf32;
    work.bytes = single ? 4 : 2;
    work.gatherBytes = work.bytes;
    work.gradientBytes = single ? 4 : 4 * speed.gradientVolume;
    if (workload.float8 != Float8::None) {
        // Without a compiler every cast is a pass of its own and eats the gain (torchtitan's eager rows).
        constexpr double eager = 0.8;
        const bool row = workload.float8 == Float8::Rowwise;
        const bool fused = workload.compiled || speed.fusedFloat8;
        work.float8 = gpu.peakFlopsFp8 <= 0 ? 1 : !fused ? eager : row ? speed.float8Rowwise : speed.float8Tensorwise;
    }
    // Only Transformer Engine's stacks multiply the experts in 8 bit as well.
    if (workload.float8 != Float8::None && speed.fusedFloat8)
        work.groupedFloat8 = gpu.groupedFloat8;
    constexpr double rollOffChip = 312e12; // the chip that `rollOff` is given for; wider ones want larger products
    work.rollOff = speed.rollOff * std::sqrt(work.peak / rollOffChip * work.float8);
    // Grouped products want twice the size, and on Hopper 8 bit gains nothing there: learned from Megatron Bridge's
    // releases and Megatron-LM's Mixtral runs (docs/planner_accuracy.md), where experts of 768 to 14336 columns agree
    // on it.
    constexpr double grouped = 2;
    work.expertRollOff = grouped * speed.rollOff * std::sqrt(work.peak / rollOffChip);
}

void setOptimizer(TimeWork& work, Optimizer optimizer)
{
    // fp32 gradient, master weight and states read and written, 16-bit weight written.
    switch (optimizer) {
    case Optimizer::AdamW:
    case Optimizer::AdamWPaged: work.optimizerBytes = 30; break;
    case Optimizer::AdamW8bit:
    case Optimizer::AdamW8bitPaged: work.optimizerBytes = 18; break;
    case Optimizer::Adafactor: work.optimizerBytes = 14; break;
    case Optimizer::Sgd: work.optimizerBytes = 12; break;
    case Optimizer::SgdMomentum: work.optimizerBytes = 20; break;
    case Optimizer::Lamb: work.optimizerBytes = 44; break; // a second pass for the trust ratio
    }
}

void setRecompute(TimeWork& work, Recompute recompute)
{
    switch (recompute) {
    case Recompute::None: break;
    case Recompute::SelectiveAttention:
        work.recomputeAttention = 1;
        work.recomputePasses = 0.2;
        break;
    case Recompute::SelectiveOperations: // every second product is kept
        work.recomputeLinear = 0.35;
        work.recomputeElementwise = 0.7;
        work.recomputePasses = 0.6;
        break;
    case Recompute::SelectiveLayers: // every second block
        work.recomputeLinear = work.recomputeElementwise = work.recomputeAttention = 0.5;
        work.recomputePasses = 0.6;
        work.collectives = 5;
        break;
    case Recompute::Full:
        work.recomputeLinear = work.recomputeElementwise = work.recomputeAttention = 1;
        work.recomputePasses = 1;
        work.collectives = 6;
        break;
    }
}

constexpr qint64 matrixMultiple = 8; // that sizes of 16-bit matrices should be of

void setBlock(TimeWork& work, const Workload& workload)
{
    const ModelShape& shape = workload.shape;
    work.layers = blocks(shape);
    work.sequence = std::max(1.0, computedTokens(workload));
    // Published rates of unpadded encoders count the padding that was dropped.
    work.realShare = workload.packed ? static_cast<double>(std::max<qint64>(1, workload.sequence)) / work.sequence
                                     : meanSampleShare / paddedSampleShare;
    work.hidden = static_cast<double>(shape.hidden);
    work.heads = shape.heads;
    work.width = shape.hidden;
    work.headCount = shape.heads;
    work.alignedHeads = shape.heads <= 0 || shape.headSize % matrixMultiple == 0;
    work.queryWidth = static_cast<double>(shape.queryWidth());
    work.valueWidth = valueWidth(shape);
    work.keyWidth = static_cast<double>(shape.keyWidth());
    work.ffn = static_cast<double>(shape.ffn);
    work.linear = active(shape, false);
    work.weights = active(shape, true);
    const double sparse
        = 1 - std::clamp<double>(shape.denseLayers, 0, std::max(1, shape.layers)) / std::max(1, shape.layers);
    work.expertLinear = shape.experts > 0
        ? sparse * std::max(1, shape.expertsPerToken) * (shape.gatedMlp ? 3 : 2) * work.hidden * work.ffn
        : 0;
    work.linear -= work.expertLinear;
    work.denseWidth = shape.experts > 0 ? work.queryWidth : work.ffn;
    work.expertWeights = sparse * shape.experts * (shape.gatedMlp ? 3 : 2) * work.hidden * work.ffn;
    work.experts = shape.experts;
    work.topK = shape.experts > 0 ? std::max(1, shape.expertsPerToken) : 1;
    constexpr int mostGroups = 64;
    const bool grouped = shape.experts > 0 && shape.expertGroups > 1 && shape.expertGroups <= mostGroups
        && shape.groupsPerToken > 0 && shape.groupsPerToken < shape.expertGroups;
    work.groups = grouped ? shape.expertGroups : 0;
    work.groupsPerToken = grouped ? shape.groupsPerToken : 0;
    work.materialisedScores = workload.attention == AttentionKind::Standard;
    work.causal = shape.family == ModelFamily::Decoder && !work.materialisedScores ? 0.5 : 1.0;
    work.samplesOnly = shape.family == ModelFamily::Vision || isConvolutional(shape);
    work.vocab = work.samplesOnly || !workload.vocabularyLoss ? 0.0 : static_cast<double>(shape.vocab);
    work.blockElements
        = 3 * work.queryWidth + 2 * work.keyWidth + 2 * work.ffn * work.topK * (shape.gatedMlp ? 1.5 : 1.0);
    if (!isConvolutional(shape))
        return;
    const ConvolutionWork convolutions = convolutionWork(shape);
    work.sequence = 1;
    work.hidden = 512;
    work.width = 512;
    work.ffn = 512;
    work.denseWidth = 512;
    work.queryWidth = work.valueWidth = work.keyWidth = work.heads = 0;
    if (shape.family == ModelFamily::Convolution)
        work.tensors = 3.2; // 161 of ResNet-50 in 50 layers
    work.convolution = convolutions.multiplyAdds / work.layers;
    work.featureMaps = convolutions.elements / work.layers;
    work.weights = static_cast<double>(countParameters(shape).total) / work.layers;
    work.linear = work.weights;
}

/// What adapters cost beside their few products: each input is cast, dropped and read, each output added (a third of it
/// with kernels of their own); a dozen kernels more for each target; and quantised weights are unpacked before every
/// product. bitsandbytes' nf4 moves 2.5 bytes a weight; GPTQ's kernels take ten times as long (Qwen's README: 14 ps a
/// weight and pass on A100 at every length and size from 1.8 to 72 billion).
void setAdapter(TimeWork& work, const Workload& workload)
{
    const Adapter& adapter = workload.adapter;
    if (adapter.method == AdapterMethod::None)
        return;
    switch (adapter.quantisation) {
    case Quantisation::None: break;
    case Quantisation::Int8: work.dequantiseBytes = 3; break;
    case Quantisation::Nf4:
    case Quantisation::Nf4Double: work.dequantiseBytes = 2.5; break;
    case Quantisation::Gptq: work.dequantiseBytes = 28; break;
    }
    work.wideStream = adapter.wideStream ? 2 : 1;
    if (adapter.method == AdapterMethod::Counted)
        return;
    const double in = workload.fusedKernels ? 4 : adapter.dropout ? 14 : 8; // bytes of an element
    const double out = workload.fusedKernels ? 4 : 8;
    const double active = work.topK;
    int targets = 0;
    const auto add = [&](AdapterTarget target, double from, double to) {
        if (!adapter.targets.testFlag(target))
            return;
        work.adapterTraffic += in * from + out * to;
        ++targets;
    };
    add(AdapterTarget::Query, work.hidden, work.queryWidth);
    add(AdapterTarget::Key, work.hidden, work.keyWidth);
    add(AdapterTarget::Value, work.hidden, work.keyWidth);
    add(AdapterTarget::Output, work.queryWidth, work.hidden);
    add(AdapterTarget::Gate, active * work.hidden, active * work.ffn);
    add(AdapterTarget::Up, active * work.hidden, active * work.ffn);
    add(AdapterTarget::Down, active * work.ffn, active * work.hidden);
    if (adapter.method == AdapterMethod::Dora) // the norm of each row of W + BA, and the scaling
        work.adapterTraffic *= 2;
    work.launch *= 1 + (workload.fusedKernels ? 0.05 : 0.1) * targets;
}

} // namespace

double modelFlops(const ModelShape& shape, qint64 sequence, double perWeight)
{
    if (isConvolutional(shape))
        return perWeight * convolutionWork(shape).multiplyAdds;
    const double s = static_cast<double>(std::max<qint64>(1, sequence));
    const bool vision = shape.family == ModelFamily::Vision;
    const double head = vision ? 0.0 : static_cast<double>(shape.vocab) * static_cast<double>(shape.hidden);
    return s
        * (perWeight * (blocks(shape) * active(shape, false) + head)
            + 6 * blocks(shape) * (static_cast<double>(shape.queryWidth()) + valueWidth(shape)) * s);
}

TimeWork timeWork(const Workload& workload, const StackSpeed& speed, const GpuFigures& gpu, StackKernels kernels)
{
    const bool megatron = kernels == StackKernels::Megatron;
    TimeWork work;
    setPrecision(work, workload, speed, gpu);
    setOptimizer(work, workload.optimizer);
    setRecompute(work, workload.recompute);
    // Grouped products and all-to-alls are not among the operations that are kept
    // (torchtitan/distributed/activation_checkpoint.py).
    work.recomputeExperts = workload.recompute == Recompute::SelectiveOperations ? 1 : work.recomputeLinear;
    setBlock(work, workload);
    work.fused = workload.compiled ? speed.compiledElementwise : 1.0;
    if (workload.deterministic)
        work.fused *= filledTraffic;
    work.launch = speed.launch * gpu.hostLaunch * (workload.compiled ? 0.7 : 1.0) * callShare(workload)
        * (workload.deterministic ? filledLaunch : 1.0) * (work.experts > 0 ? 1.5 : 1.0)
        * (workload.shape.family == ModelFamily::EncoderDecoder ? speed.crossLaunch : 1.0);
    work.megatronSoftmax = megatron && work.materialisedScores && workload.shape.family == ModelFamily::Decoder;
    work.trained = trainedShare(workload);
    work.modelFlops
        = modelFlops(workload.shape, static_cast<qint64>(std::llround(work.sequence)), 4 + 2 * work.trained);
    if (!megatron) // whose adapters are fused with its linears
        setAdapter(work, workload);
    work.forwards = work.trained < 0.5 ? 2 : 3; // frozen weights have no gradient of their own
    return work;
}

} // namespace rankwright::inline planner
