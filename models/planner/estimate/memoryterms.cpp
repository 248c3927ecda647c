// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/memoryterms.h"

#include <algorithm>
#include <cmath>

namespace rankwright::inline planner {

namespace {

bool isMixed(const Workload& workload)
{
    return workload.precision == Precision::Fp16Mixed || workload.precision == Precision::Bf16Mixed;
}

/// Bytes per parameter of the optimiser's own states. Adam: two moments; 8 bit: Dettmers et al. 2021
/// (arXiv:2110.02861), block-wise with one fp32 scale for 256 (bitsandbytes/optim/optimizer.py; 2048 in the paper and
/// before 0.44); Adafactor: row and column sums (arXiv:1804.04235).
double stateBytes(const Workload& workload)
{
    const double moment = workload.precision == Precision::Bf16 ? 2.0 : 4.0;
    switch (workload.optimizer) {
    case Optimizer::AdamW:
    case Optimizer::AdamWPaged:
    case Optimizer::Lamb: return 2.0 * moment;
    case Optimizer::AdamW8bit:
    case Optimizer::AdamW8bitPaged: return 2.0 + 8.0 / 256.0;
    case Optimizer::Adafactor: return 0.02;
    case Optimizer::SgdMomentum: return moment;
    case Optimizer::Sgd: return 0.0;
    }
    return 0.0;
}

/// A frozen base, and states for what is trained beside it: LoRA (arXiv:2106.09685), a quantised base (QLoRA,
/// arXiv:2305.14314). Adapters have the precision that the stack gives them, under master weights that of the model.
void freeze(MemoryTerms& terms, const Workload& workload, const StackMemory& stack, double trained)
{
    const Adapter& adapter = workload.adapter;
    const bool adapted = adapter.method != AdapterMethod::None;
    terms.frozen = true;
    terms.frozenTableBytes = workload.frozenBytesPerParameter;
    terms.frozenBlockBytes = adapted && adapter.quantisation != Quantisation::None ? bytesOf(adapter.quantisation)
                                                                                   : workload.frozenBytesPerParameter;
    terms.quantised = adapted && adapter.quantisation != Quantisation::None;
    const bool unpacks = adapter.quantisation != Quantisation::None && adapter.stackedExperts && !adapter.plainExperts;
    terms.unpackedBytes = unpacks ? 2.0 : 0.0;
    terms.frozenExpertBytes = adapter.plainExperts ? 2.0 : terms.frozenBlockBytes;
    if (adapted && !(isMixed(workload) && stack.masterWeights)) {
        // Saved tables keep the precision of the model (PEFT's modules_to_save).
        Adapter saved = adapter;
        saved.targets &= {AdapterTarget::SavedEmbedding, AdapterTarget::SavedHead};
        const double all = std::max(1.0, adapterParameters(adapter, workload.shape));
        const double tables
            = adapter.method == AdapterMethod::Counted ? 0.0 : adapterParameters(saved, workload.shape) / all;
        const double bytes = (1.0 - tables) * stack.adapterBytes + tables * terms.computeBytes;
        const bool adam = workload.optimizer == Optimizer::AdamW || workload.optimizer == Optimizer::AdamWPaged;
        terms.weightBytes = terms.gradientBytes = terms.blockGradientBytes = bytes;
        if (adam)
            terms.optimizerBytes = stack.adapterStateBytes > 0 ? stack.adapterStateBytes : 2.0 * bytes;
        if (workload.optimizerInBackward)
            terms.gradientBytes = 0.0;
    }
    terms.weightBytes *= trained;
    terms.gradientBytes *= trained;
    terms.blockGradientBytes *= trained;
    terms.gradientCopyBytes *= trained;
    terms.optimizerBytes *= trained;
    terms.castBytes *= trained;
    // Autocast copies a frozen fp32 base as well (aten/src/ATen/autocast_mode.cpp, cached_cast: it caches only leaves
    // that are trained), and each product keeps its copy for the backward pass; where blocks are recomputed only one
    // block's copies live.
    if (workload.castsWeights && adapter.quantisation == Quantisation::None && workload.recompute != Recompute::Full)
        terms.frozenCastBytes = terms.computeBytes;
}

void putStates(MemoryTerms& terms, const Workload& workload, const StackMemory& stack)
{
    const bool mixed = isMixed(workload);
    const bool pure = workload.precision == Precision::Bf16;
    terms.computeBytes = mixed || pure ? 2.0 : 4.0;
    terms.weightBytes = pure || (mixed && stack.masterWeights) ? 2.0 : 4.0;
    terms.gradientBytes = pure ? 2.0 : mixed && stack.masterWeights ? stack.gradientBytes : 4.0;
    terms.gradientCopyBytes = mixed ? stack.gradientCopyBytes : 0.0;
    terms.optimizerBytes = stateBytes(workload) + (mixed && stack.masterWeights ? 4.0 : 0.0);
    terms.castBytes = mixed && !stack.masterWeights && (stack.castCache || workload.castsWeights) ? 2.0 : 0.0;
    terms.blockGradientBytes = terms.gradientBytes;
    if (workload.optimizerInBackward)
        terms.gradientBytes = terms.gradientCopyBytes = 0.0;
    const double trained = trainedShare(workload);
    if (trained < 1.0)
        freeze(terms, workload, stack, trained);
}

void putParameters(MemoryTerms& terms, const Workload& workload)
{
    const ModelShape& shape = workload.shape;
    const ParameterCount count = countParameters(shape);
    terms.layers = shape.layers * (shape.family == ModelFamily::EncoderDecoder ? 2.0 : 1.0);
    if (shape.family == ModelFamily::Convolution || terms.layers < 1)
        terms.layers = 1;
    const double blocks = static_cast<double>(count.blocks) / terms.layers;
    terms.expertParameters = static_cast<double>(count.experts) / terms.layers;
    terms.wholeParameters = std::min(static_cast<double>(count.blockNorms), blocks - terms.expertParameters);
    terms.splitParameters = blocks - terms.expertParameters - terms.wholeParameters;
    terms.embedding = static_cast<double>(count.embedding);
    terms.head = static_cast<double>(count.head);
    terms.otherParameters = static_cast<double>(count.other);
    const bool words = shape.family == ModelFamily::Decoder || shape.family == ModelFamily::Encoder
        || shape.family == ModelFamily::EncoderDecoder;
    if (!words)
        return;
    if (shape.tiedEmbeddings)
        terms.tiedHead = static_cast<double>(shape.vocab) * static_cast<double>(shape.hidden);
}

/// Bytes per token of one block, before anything is recomputed.
struct BlockBytes {
    double whole = 0;
    double split = 0;
    double score = 0; ///< of `split` what unfused attention keeps of the scores
    double core = 0; ///< of `split` what selective recomputation of operations keeps
};

/// The scores of unfused attention: softmax, dropout mask and what is dropped, of every head and key.
double scoreBytes(const Workload& workload, const StackMemory& stack, double bytes)
{
    const double pairs = static_cast<double>(workload.shape.heads) * static_cast<double>(workload.sequence);
    if (stack.autocastNorms && isMixed(workload))
        return (workload.dropout ? 7.0 : 6.0) * pairs; // softmax in fp32, its 16-bit copy, the mask
    return (workload.dropout ? 2.0 * bytes + 1.0 : bytes) * pairs;
}

double mlpBytes(const Workload& workload, const StackMemory& stack, double bytes)
{
    const ModelShape& shape = workload.shape;
    const double gated = workload.compiled ? stack.gatedBytesCompiled : stack.gatedBytes;
    const double perWidth = (shape.gatedMlp ? gated : stack.plainBytes) * bytes / 2.0;
    const double width = static_cast<double>(shape.ffn);
    if (shape.experts == 0)
        return perWidth * width;
    // Each token passes several experts; it is sent to and fetched from every one of them.
    const double active = std::max(1, shape.expertsPerToken);
    const double sparse = perWidth * (active * width + static_cast<double>(shape.sharedExpertFfn))
        + 2.0 * bytes * static_cast<double>(shape.hidden) * active;
    const double dense = perWidth * static_cast<double>(shape.denseFfn);
    const double denseShare = static_cast<double>(shape.denseLayers) / std::max(1, shape.layers);
    return sparse * (1.0 - denseShare) + dense * denseShare;
}

/// Query, key, value and what comes out of attention: 2q + 2r elements; with latent attention also its ranks.
double attentionWidth(const ModelShape& shape)
{
    const double query = static_cast<double>(shape.queryWidth());
    if (shape.keyValueRank > 0) {
        const double values = static_cast<double>(shape.heads) * static_cast<double>(shape.valueSize);
        return 2.0 * query + 2.0 * values + static_cast<double>(shape.keyValueRank + shape.queryRank);
    }
    return 2.0 * query + 2.0 * static_cast<double>(shape.keyWidth());
}

/// Of a frozen block: the inputs of its matrices are not needed for their gradients, but those of adapted and of 4-bit
/// ones are (bitsandbytes' MatMul4Bit and torchao's NF4 linear are functions of their own), once for matrices with the
/// same input; a dropped copy of every adapted input beside it. Where the block is recomputed all of it is made anyway.
void keepAdapted(BlockBytes& block, const Workload& workload, double bytes)
{
    const ModelShape& shape = workload.shape;
    const Adapter& adapter = workload.adapter;
    const double hidden = static_cast<double>(shape.hidden);
    const double query = static_cast<double>(shape.queryWidth());
    const double width = static_cast<double>(shape.ffn) * std::max(1, shape.expertsPerToken);
    const bool lora = adapter.method == AdapterMethod::Lora || adapter.method == AdapterMethod::Dora;
    const auto adapted = [&](AdapterTarget target) { return lora && adapter.targets.testFlag(target); };
    const bool fourBit = adapter.quantisation != Quantisation::None && adapter.quantisation != Quantisation::Int8;
    const bool recomputed = workload.recompute == Recompute::Full;
    const auto needed = [&](AdapterTargets any) {
        return recomputed || fourBit || (lora && (adapter.targets & any) != AdapterTargets{});
    };
    block.whole -= needed(attentionTargets & ~AdapterTargets(AdapterTarget::Output)) ? 0.0 : hidden * bytes;
    block.whole -= needed({AdapterTarget::Gate, AdapterTarget::Up}) ? 0.0 : hidden * bytes;
    block.split -= needed(AdapterTarget::Down) ? 0.0 : width * bytes;
    const double magnitude = adapter.method == AdapterMethod::Dora ? bytes : 0.0; // DoRA keeps each base output
    const double dropped
        = adapter.dropout && !workload.fusedKernels && !recomputed ? bytes + 1.0 : 0.0; // copy and mask
    const double key = static_cast<double>(shape.keyWidth());
    const struct {
        AdapterTarget target;
        double in, out;
        bool wide; ///< its input is not divided over the tensor ranks
    } matrices[]{{AdapterTarget::Query, hidden, query, true}, {AdapterTarget::Key, hidden, key, true},
        {AdapterTarget::Value, hidden, key, true}, {AdapterTarget::Output, query, hidden, false},
        {AdapterTarget::Gate, hidden, width, true}, {AdapterTarget::Up, hidden, width, true},
        {AdapterTarget::Down, width, hidden, false}};
    for (const auto& matrix : matrices) {
        if (!adapted(matrix.target))
            continue;
        (matrix.wide ? block.whole : block.split) += dropped * matrix.in;
        block.split += magnitude * matrix.out;
    }
}

BlockBytes blockBytes(const Workload& workload, const StackMemory& stack, double bytes)
{
    const ModelShape& shape = workload.shape;
    const double hidden = static_cast<double>(shape.hidden);
    const double query = static_cast<double>(shape.queryWidth());
    BlockBytes block;
    block.whole = 4.0 * hidden * bytes + (workload.dropout ? 2.0 * hidden : 0.0);
    const bool unfused = shape.norm == NormKind::RmsNorm && !workload.compiled && !workload.fusedNorms;
    block.whole += unfused ? stack.normBytes * hidden : 0.0;
    block.whole += (stack.autocastNorms || workload.castsWeights) && isMixed(workload) ? 4.0 * hidden : 0.0;
    block.split = (attentionWidth(shape) + stack.attentionCopies * query) * bytes + mlpBytes(workload, stack, bytes);
    // Both norms before they are scaled, what is scaled, and both halves before their gates.
    block.whole += shape.modulated ? 6.0 * hidden * bytes : 0.0;
    // Attention to a text beside that to itself: its norm's input and output, query, and what comes out, twice.
    if (shape.attendsToText) {
        block.whole += 3.0 * hidden * bytes;
        block.split += (2.0 + stack.attentionCopies) * query * bytes;
    }
    if (shape.qkNorm != QkNorm::None)
        block.split += (query + static_cast<double>(shape.keyWidth())) * bytes;
    if (workload.attention == AttentionKind::Flash)
        block.split += 4.0 * shape.heads;
    else
        block.score = scoreBytes(workload, stack, bytes);
    const double width = static_cast<double>(shape.ffn) * std::max(1, shape.expertsPerToken);
    // torchtitan "op": every second matrix product and the attention's output are kept; grouped products of experts are
    // not among its operations (torchtitan/distributed/activation_checkpoint.py), those of one expert after another
    // are.
    const double shared = shape.experts > 0 ? static_cast<double>(shape.sharedExpertFfn) : 0.0;
    const double products = shared + (workload.groupedExperts ? 0.0 : width);
    block.core = (attentionWidth(shape) - static_cast<double>(shape.keyWidth()) + products) * bytes;
    if (workload.float8 != Float8::None && !savesFloat8Casts(workload, stack)) {
        // Inputs of the 8-bit matrices are kept in one byte.
        const double inputs = shape.gatedMlp && !workload.compiled ? 3.0 : 2.0;
        block.whole -= hidden;
        const double active = shape.experts > 0 ? std::max(1, shape.expertsPerToken) : 0;
        block.split -= query + inputs * width + active * hidden;
    }
    if (workload.adapter.method != AdapterMethod::None) {
        keepAdapted(block, workload, bytes);
    } else if (workload.trainedFraction < 1.0) {
        // Inputs of frozen matrices are not needed for their gradients.
        block.whole -= hidden * bytes;
        block.split -= static_cast<double>(shape.ffn) * bytes;
    }
    block.split = std::max(block.split, 0.0) + block.score;
    return block;
}

void putRecompute(MemoryTerms& terms, const Workload& workload, const BlockBytes& block, double liveFactor)
{
    const double norms = workload.compiled ? 0.0 : terms.boundary;
    terms.keptWhole = block.whole;
    terms.keptSplit = block.split;
    switch (workload.recompute) {
    case Recompute::None: return;
    case Recompute::SelectiveAttention: terms.keptSplit -= block.score; return;
    case Recompute::SelectiveLayers:
        terms.keptWhole = (terms.boundary + block.whole) / 2.0;
        terms.keptSplit = block.split / 2.0;
        return;
    case Recompute::SelectiveOperations:
        terms.keptWhole = std::min(block.whole, terms.boundary + norms);
        terms.keptSplit = std::min(block.split, block.core);
        break;
    case Recompute::Full:
        terms.keptWhole = terms.keptBoundary;
        terms.keptSplit = 0.0;
        break;
    }
    terms.liveWhole = block.whole - (workload.recompute == Recompute::Full ? 0.0 : terms.keptWhole);
    terms.liveSplit = block.split - (workload.recompute == Recompute::Full ? 0.0 : terms.keptSplit);
    terms.liveWhole *= liveFactor;
    terms.liveSplit *= liveFactor;
}

/// Queries, keys and values of latent attention are made again from their latents, one block at a time
/// (Megatron-Core's recompute_modules, mla_up_proj): latents and what comes out of attention are kept.
void dropUpProjection(MemoryTerms& terms, const ModelShape& shape)
{
    if (shape.keyValueRank <= 0)
        return;
    const double values = static_cast<double>(shape.heads) * static_cast<double>(shape.valueSize);
    const double made
        = std::min(terms.keptSplit, (2.0 * static_cast<double>(shape.queryWidth()) + values) * terms.computeBytes);
    terms.keptSplit -= made;
    terms.liveSplit += made;
}

/// An encoder-decoder's mean block: the decoder also looks at the encoder and sees only the target's tokens.
void averageSides(MemoryTerms& terms, const Workload& workload, const StackMemory& stack, const BlockBytes& encoder)
{
    const ModelShape& shape = workload.shape;
    // Whisper's encoder sees 30 s of sound whatever the text is, its decoder at most its own positions.
    const bool sound = shape.audioBins > 0 && shape.encoderPositions > 0;
    const double share = std::clamp(
        sound ? double(shape.learnedPositions) / double(shape.encoderPositions) : stack.targetShare, 0.0, 1.0);
    const double cross
        = (static_cast<double>(shape.queryWidth()) + static_cast<double>(shape.keyWidth())) * terms.computeBytes;
    BlockBytes mean = encoder;
    mean.whole
        = (encoder.whole + share * (encoder.whole + static_cast<double>(shape.hidden) * terms.computeBytes)) / 2.0;
    const double decoder = encoder.split - encoder.score + cross + encoder.score * (1.0 + share);
    mean.split = (encoder.split + share * decoder) / 2.0;
    mean.score = (encoder.score + share * encoder.score * (1.0 + share)) / 2.0;
    mean.core = encoder.core * (1.0 + share) / 2.0;
    putRecompute(terms, workload, mean, stack.liveFactor);
    terms.vocabulary *= share;
}

/// Sum of the outputs of all convolutions for one 224 x 224 image, elements: counted from the published tables
/// (He et al. 2015, arXiv:1512.03385, table 1).
double convolutionOutputs(int depth)
{
    switch (depth) {
    case 18: return 2.5e6;
    case 34: return 3.7e6;
    case 101: return 16.2e6;
    case 152: return 22.6e6;
    default: return 11.1e6;
    }
}

/// Convolutions keep their input, the norm's and the activation's: 2.17 times the outputs (measured on ResNet-50).
void putImages(MemoryTerms& terms, const Workload& workload)
{
    const ModelShape& shape = workload.shape;
    if (shape.family == ModelFamily::Convolution) {
        const double edge = shape.imageSize > 0 ? shape.imageSize / 224.0 : 1.0;
        terms.samplesBytes = 2.17 * convolutionOutputs(shape.layers) * terms.computeBytes * edge * edge;
        return;
    }
    // A U-Net: every level keeps about as much per position and channel as a transformer block of that width, two
    // blocks on the way down and three on the way up.
    double positions = shape.imageSize > 0 ? static_cast<double>(shape.imageSize) * shape.imageSize / 64.0 : 4096.0;
    for (const int channels : shape.channels) {
        terms.samplesBytes += 5.0 * 20.0 * positions * channels * terms.computeBytes;
        positions /= 4.0;
    }
}

void putLoss(MemoryTerms& terms, const Workload& workload, const StackMemory& stack)
{
    terms.lossBytes = workload.compiled ? stack.lossBytesCompiled : stack.lossBytes;
    terms.lossBytesLocal = workload.compiled ? stack.lossBytesLocalCompiled : stack.lossBytesLocal;
    if (workload.shape.experts > 0 && stack.lossBytesExperts > 0)
        terms.lossBytes = terms.lossBytesLocal = stack.lossBytesExperts;
    if (workload.vocabularyLoss && terms.tiedHead + terms.head > 0)
        terms.vocabulary = static_cast<double>(workload.shape.vocab)
            * (workload.shape.family == ModelFamily::Encoder ? stack.maskedShare : 1.0);
    // fp32: logits, log-softmax and gradient of four bytes each.
    if (terms.computeBytes > 2.0)
        terms.lossBytes = terms.lossBytesLocal = 12.0;
    else if (workload.logitBytes > 0)
        terms.lossBytes = terms.lossBytesLocal = workload.logitBytes;
    const double hidden = std::max(0.0, static_cast<double>(workload.shape.hidden));
    terms.lossWhole = stack.lossHidden * hidden;
    const bool trainedHead = trainedShare(workload) >= 1.0;
    switch (workload.loss) {
    case LossKind::Full: break;
    case LossKind::InPlace:
        terms.lossBytes = terms.lossBytesLocal = workload.logitBytes > 0
            ? workload.logitBytes - 4.0 // the gradient takes the place of the fp32 logits
            : stack.lossBytesInPlace * terms.computeBytes / 2.0;
        break;
    case LossKind::Chunked:
        if (stack.lossTokens > 0) {
            terms.lossChunk = stack.lossTokens;
        } else {
            terms.lossBytes /= std::max(1.0, stack.lossChunks);
            terms.lossBytesLocal /= std::max(1.0, stack.lossChunks);
        }
        terms.headGradientBytes = trainedHead ? 4.0 : 0.0;
        break;
    case LossKind::Fused: // the gradient of the head's input, and one small chunk of logits
        terms.lossBytes = terms.lossBytesLocal = 0.0;
        terms.lossWhole = 2.0 * terms.computeBytes * hidden;
        terms.headGradientBytes = trainedHead ? terms.computeBytes : 0.0;
        break;
    }
}

} // namespace

bool savesFloat8Casts(const Workload& workload, const StackMemory& stack)
{
    return workload.float8 != Float8::None && !workload.compiled && stack.float8EagerBytes > 0.0;
}

MemoryTerms memoryTerms(const Workload& workload, const StackMemory& stack)
{
    MemoryTerms terms;
    putStates(terms, workload, stack);
    terms.reduceBuffers = workload.reduceBuffers;
    putParameters(terms, workload);
    putLoss(terms, workload, stack);
    const ModelFamily family = workload.shape.family;
    if (family == ModelFamily::Convolution || family == ModelFamily::Diffusion) {
        putImages(terms, workload);
        return terms;
    }
    terms.boundary = static_cast<double>(workload.shape.hidden) * terms.computeBytes;
    terms.keptBoundary = terms.boundary * (workload.adapter.wideStream && terms.computeBytes < 4.0 ? 2.0 : 1.0);
    terms.ring = 4.0 * static_cast<double>(workload.shape.keyWidth()) * terms.computeBytes;
    const BlockBytes block = blockBytes(workload, stack, terms.computeBytes);
    if (family == ModelFamily::EncoderDecoder)
        averageSides(terms, workload, stack, block);
    else
        putRecompute(terms, workload, block, workload.shape.experts > 0 ? 1.0 : stack.liveFactor);
    if (workload.recomputesUpProjection && workload.recompute != Recompute::Full)
        dropUpProjection(terms, workload.shape);
    return terms;
}

} // namespace rankwright::inline planner
