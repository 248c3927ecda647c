// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/adapter.h"
#include "models/planner/estimate/network/modelshape.h"

namespace rankwright::inline planner {

/// In what numbers a training computes and keeps its weights. "mixed": computes in 16 bit, keeps fp32 master weights.
enum class Precision { Fp32, Tf32, Fp16Mixed, Bf16Mixed, Bf16 };
/// Paged: bitsandbytes keeps the states in unified memory, which leaves the GPU when that is full.
enum class Optimizer { AdamW, AdamW8bit, Adafactor, Sgd, SgdMomentum, Lamb, AdamWPaged, AdamW8bitPaged };
/// What is recomputed in the backward pass instead of kept.
enum class Recompute { None, SelectiveAttention, SelectiveOperations, SelectiveLayers, Full };
enum class AttentionKind { Flash, Standard };
/// What the data-parallel ranks share out (ZeRO stage 0..3; FSDP is Full).
enum class Sharding { None, OptimizerStates, Gradients, Full };
/// What a design keeps in the node's memory. A Workload has activations as a flag of their own.
enum class Offload { None, OptimizerStates, OptimizerAndParameters, Activations };
enum class PipelineSchedule { OneForwardOneBackward, GPipe, Interleaved };
/// How logits become a loss: whole; in place by one kernel (Liger's and unsloth's cross entropy); a share of the tokens
/// at a time; or fused with the head, so that no logits are kept (Liger's fused linear, cut cross-entropy).
enum class LossKind { Full, InPlace, Chunked, Fused };
enum class Float8 { None, Tensorwise, Rowwise };

/// What is trained and how, apart from how it is spread over GPUs.
struct Workload {
    ModelShape shape;
    qint64 sequence = 2048; ///< tokens of a sample; of an image model its tokens (or 1 for a ResNet)
    double realTokens = 1; ///< of the sequence, the share that is computed where padding is dropped (unpadded encoders)
    bool packed = true; ///< samples are laid end to end; false: each is padded to the longest of its micro-batch
    Precision precision = Precision::Bf16Mixed;
    Float8 float8 = Float8::None; ///< linears in 8 bit beside `precision`
    Optimizer optimizer = Optimizer::AdamW;
    AttentionKind attention = AttentionKind::Flash;
    Recompute recompute = Recompute::None;
    Offload offload = Offload::None;
    bool offloadActivations = false;
    bool offloadGradients = false; ///< with the optimiser's states, as soon as each is there (torchao)
    bool groupedExperts = false; ///< experts of a rank in one grouped product, not one after another
    bool deterministic = false; ///< torch.use_deterministic_algorithms: every new tensor is filled before it is written
    bool compiled = false; ///< torch.compile or another fusing compiler
    bool fusedNorms = true;
    bool fusedOptimizer = true;
    bool optimizerInBackward
        = false; ///< each layer is stepped in the backward pass: gradients of one layer live at a time
    LossKind loss = LossKind::Full;
    double logitBytes
        = 0; ///< of one logit from the head to its gradient, where the program does not follow its stack; 0: it does
    double reduceBuffers = 0; ///< bytes of buckets for gradients that the stack does not have by itself
    bool recomputesUpProjection = false; ///< of latent attention: queries, keys and values (Megatron's mla_up_proj)
    bool castsWeights = false; ///< torch.autocast over fp32 weights: their 16-bit copies stay until the backward pass
    bool fusedKernels = false; ///< unsloth, Liger: norms, activations and adapters recompute what they do not keep
    bool dropout = false;
    bool vocabularyLoss = true; ///< logits over the whole vocabulary; false: a classifier (fine-tuned encoder)
    Adapter adapter; ///< None: all is trained, or the share below
    double trainedFraction = 1; ///< of the parameters where the rest is frozen without an adapter; 1: all
    double frozenBytesPerParameter = 2; ///< of what is frozen; with an adapter, of its tables and norms
    bool operator==(const Workload&) const = default;
};

/// Without packing the sequence is the longest sample. A mean one is a fifth of that (fms-acceleration's orca-math
/// runs: samples of 284 tokens need the memory of five times as many), and a few samples are padded to twice the mean
/// (the expected longest of two to four whose lengths scatter as an exponential distribution: 1.5 to 2.1 times the
/// mean).
inline constexpr double meanSampleShare = 0.2;
inline constexpr double paddedSampleShare = 0.4;

/// Tokens of a sample that are computed on average: all real ones when packed, else paddedSampleShare of the longest.
double computedTokens(const Workload& workload);

/// Trained parameters / all of the model's: the adapter's where there is one.
double trainedShare(const Workload& workload);

bool isPaged(Optimizer optimizer);

/// How it is spread: nodes and degrees. GPUs = data * tensor * pipeline * context.
struct Layout {
    int nodes = 1;
    int gpusPerNode = 1;
    int data = 1; ///< D
    int tensor = 1; ///< t
    int pipeline = 1; ///< p
    int context = 1; ///< c
    int expert = 1; ///< how many ranks of a pipeline stage share one set of experts, times those that split each
    int expertTensor = 0; ///< of the tensor ranks, how many split each expert; 0: all of them
    int virtualStages = 1; ///< v, chunks per stage
    int firstLayers = 0; ///< of the first pipeline stage; 0: by the rule of stageLayers()
    int lastLayers = 0;
    int shardGroup = 0; ///< GPUs over which states are sharded; 0: all data (and context) ranks
    Sharding sharding = Sharding::None;
    bool reshardAfterForward = true; ///< false: SHARD_GRAD_OP, weights stay whole in the step
    bool sequenceParallel = false;
    bool asyncTensor = false; ///< collectives of tensor parallelism overlapped
    PipelineSchedule schedule = PipelineSchedule::OneForwardOneBackward;
    qint64 microBatch = 1; ///< b, samples per data-parallel rank and pass
    qint64 accumulation = 1; ///< m, passes per step

    int gpus() const { return data * tensor * pipeline * context; }
    int expertSplit() const { return expertTensor > 0 ? expertTensor : tensor; }
    qint64 globalBatch() const { return microBatch * accumulation * data; }
    bool operator==(const Layout&) const = default;
};

} // namespace rankwright::inline planner
