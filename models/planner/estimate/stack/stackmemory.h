// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace rankwright::inline planner {

/// What a training stack keeps in GPU memory and in which precision: its defaults, each a named figure whose source
/// is beside it in resources/planner/stacks-memory.json. Bytes are per parameter, per element or per token as said.
struct StackMemory {
    QString source;
    QString nearest; ///< whose figures stand in for those that a source taught while it is left out; empty: "generic"
    QStringList evidence; ///< sources of runs that taught one of its figures; empty: code and documents only

    // Model states, mixed precision
    bool masterWeights
        = false; ///< 16-bit weights with fp32 master copies beside them; false: fp32 weights, 16-bit casts
    double gradientBytes = 4; ///< per parameter, of the gradient buffer (with masterWeights)
    double gradientCopyBytes = 0; ///< per parameter, of a further fp32 gradient for the optimiser
    bool gradientCopySharded = false; ///< that copy is shared out from ZeRO-1 on
    bool gradientsResident = false; ///< exist during the whole step, not only from the backward pass on
    double reduceCopyBytes = 0; ///< per parameter, flattened copy made for the all-reduce after the backward pass
    bool castCache = true; ///< autocast keeps 16-bit copies of all weights in the step (fp32 weights, not sharded)

    // Buffers
    double bucketElements = 0; ///< of one ZeRO-1/2 reduce or gather bucket
    double bucketCopies = 2; ///< 16-bit buckets that live at once with a pipeline ...
    double bucketCopiesAlone = 2; ///< ... and without
    double liveElements = 0; ///< most parameters that sharded weights are gathered to at once; 0: whole blocks
    bool bucketIsView = true; ///< DDP gradients are views of the buckets; false: a second copy
    bool foreachOptimizer = false; ///< an unfused optimiser makes one temporary of all its gradients
    double workspaceBytes = 0; ///< cuBLAS and Transformer Engine work areas inside the allocator
    double float8CacheBytes = 0; ///< per parameter, 8-bit copies of weights kept over the micro-batches
    double float8EagerBytes = 4; ///< per parameter of the blocks, casts saved by 8-bit linears without a compiler

    // Logits and loss: bytes per token and vocabulary element of this rank
    double lossBytes = 14;
    double lossBytesCompiled = 5;
    double lossBytesLocal = 18; ///< vocabulary split over tensor ranks
    double lossBytesLocalCompiled = 5;
    double lossBytesExperts = 0; ///< mixture of experts: loss compiled though the model is not; 0: as the others
    double lossBytesInPlace = 7; ///< one kernel that writes the gradient over the logits
    double lossHidden = 0; ///< per token and hidden width: the last norm and what the head's backward pass makes of it
    bool chunksLoss = false; ///< by default
    bool fusesLoss = false; ///< by default one kernel in place
    double lossTokens = 0; ///< tokens of one chunk of a chunked loss; 0: one of lossChunks parts
    double maskedShare = 1; ///< of an encoder's tokens, those that the loss is computed for
    double lossChunks = 8; ///< of a chunked loss

    // Activations
    double gatedBytes = 8; ///< per feed-forward width and token, SwiGLU: gate, up, silu, product
    double gatedBytesCompiled = 6;
    double plainBytes = 4; ///< the same of GELU or ReLU
    double normBytes = 0; ///< per hidden width and token: fp32 intermediates of an unfused RMSNorm
    bool eagerNorms = false; ///< its models compute RMSNorm step by step in fp32
    bool autocastNorms = false; ///< autocast runs norms and softmax in fp32 and keeps that
    double attentionCopies = 0; ///< of attention's output, made by transposing heads and tokens
    bool hostCheckpoints = false; ///< ZeRO-3 with full recomputation keeps its checkpoints in the node's memory
    double targetShare = 1; ///< tokens of an encoder-decoder's target for one of its input
    double offloadedShare = 1; ///< of activations, when they are offloaded

    bool recomputes = false; ///< its recipes recompute all blocks unless they are asked not to
    double liveFactor = 1; ///< of the recomputed block: gradients of its intermediates beside them

    // Adapters on a frozen base
    double adapterRank = 8; ///< where nothing is said
    double ownTables = 0; ///< vocabulary above which embedding and head are units of their own; 0: never
    double keptRatio
        = 0; ///< reserved to allocated on a card with room to spare, as a published counter shows it; 0: reservedRatio
    double keptRatioSharded = 0; ///< the same where weights are gathered
    double quantisingBytes = 0; ///< per parameter, kept by the allocator from quantising a base on loading
    double subGroupElements = 0; ///< of sharded states, stepped at a time with their gradients in fp32
    double usualMicroBatch = 1; ///< samples of a pass of fine-tuning where nothing is said
    double usualTokens = 1024; ///< of a sample of fine-tuning, padding included, where nothing is said
    bool adaptsAll = false; ///< all linear matrices where nothing is said; false: queries and values
    double adapterBytes = 2; ///< of an adapter's parameter and of its gradient
    double adapterStateBytes = 0; ///< of its Adam states; 0: twice as many as of the parameter
    bool kbitStream = false; ///< a quantised base is prepared by PEFT: fp32 norms, fp32 between blocks, if not sharded
    bool wholeGradients = false; ///< of sharded ranks under accumulation: passes in between are not reduced
    bool heldInputGradients = false; ///< sharded frozen blocks keep the gradients of their inputs: FSDP1's hooks
    bool rootGathered = false; ///< embedding and head of a sharded frozen model stay whole in the step
    bool frozenUnsharded
        = false; ///< without recomputation gathered frozen blocks stay so until the backward pass has ended: FSDP1

    // Counters
    double reservedRatio = 1.1; ///< the allocator's reserved for allocated
    double contextShare = 1; ///< of the GPU's context figure that this stack's processes take
    double collectiveBytes = 0; ///< NCCL/RCCL of a job with several GPUs beyond the GPU's context figure
    /// Half widths of the band as a share, so that nine of ten measured peaks lie inside.
    double spreadAllocated = 0.3;
    double spreadReserved = 0.3;
    double spreadVendorTool = 0.3;
    bool operator==(const StackMemory&) const = default;
};

/// The names in stacks-memory.json, in its order.
QStringList memoryStacks();

/// Of a name that memoryStacks() has; of any other the defaults of "generic".
const StackMemory& stackMemory(const QString& name);

/// The same without the runs of `source` ("pytorch/torchtitan"): figures that these
/// runs taught are those of the nearest stack, which in its turn does not know them. What follows from a program's code
/// stays.
StackMemory stackMemoryWithout(const QString& name, const QString& source);

/// Source of one default of a stack ("reservedRatio"); empty: the stack takes it over from the one it is like, or the
/// general figure of StackMemory.
QString habitSource(const QString& name, const QString& habit);

} // namespace rankwright::inline planner
