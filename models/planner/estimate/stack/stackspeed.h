// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace rankwright::inline planner {

/// How fast a training stack runs on one generation of GPUs: the named constants of the step-time model
/// (docs/planner.md, "Time", says where each stands). Read from resources/planner/stacks-speed.json, where every level
/// states how many published runs it was fitted on.
struct StackSpeed {
    double linearEfficiency = 0; ///< of the peak that large matrix products reach
    double rollOff = 0; ///< size (cube root of m*n*k) at which a product reaches half of it, on a 312 TFLOP/s chip
    double elementwise = 0; ///< passes over the activations that a layer makes in memory, forward
    double compiledElementwise = 0; ///< factor on it when a compiler fuses them
    double launch = 0; ///< seconds that the processor takes to start one pass of one layer
    double backwardLaunch = 0; ///< of the backward pass, as a multiple of the forward one
    double tensorLaunch = 0; ///< more launch time for each doubling of the tensor-parallel ranks, a share
    double contextLaunch = 0; ///< the same for each doubling of context-parallel ranks: steps of the ring
    double unfusedSoftmax = 0; ///< factor on it when Megatron's fused softmax does not take the shape
    double crossLaunch = 0; ///< factor on it for encoder-decoder blocks
    double attentionEfficiency = 0; ///< of the peak, score and value products
    double scoreTraffic = 0; ///< passes over materialised scores in memory
    double collectiveLatency = 0; ///< seconds of one collective inside a node
    double nodeBus = 0; ///< share of the node's ring bandwidth
    double network = 0; ///< share of the network's ring bandwidth: reductions, pipelines
    double gatherNetwork = 0; ///< the same for gathered shards (ZeRO-3, FSDP)
    double gatherOverlap = 0; ///< 0..1, of shard traffic hidden behind compute
    double gradientVolume = 0; ///< of an fp32 gradient that the reduction sends
    double reduceOverlap = 0; ///< 0..1, of the gradient reduction hidden behind the backward pass
    double sendLatency = 0; ///< seconds of one pipeline hand-over
    double sendBandwidth = 0; ///< share of a link that one hand-over reaches
    double stepOverhead = 0; ///< seconds for each step: data, logging, loss scale
    double optimizerBandwidth = 0; ///< share of the memory bandwidth that the optimiser reaches
    double optimizerLaunch = 0; ///< seconds for each parameter tensor
    double hostOptimizer = 0; ///< seconds for each parameter and socket when the processor does the optimiser's step
    double float8Tensorwise = 0; ///< speed-up of linears against 16 bit
    double float8Rowwise = 0;
    double lossTraffic = 0; ///< passes over the logits in memory
    double straggling = 0; ///< more time for each doubling of the nodes, a share
    double misaligned = 0; ///< extra matmul time, a share, if head size or split width is not a multiple of 8
    double expertEfficiency = 0; ///< of linears in a mixture of experts
    double convolutionEfficiency = 0; ///< of the peak
    double convolutionTraffic = 0; ///< passes over feature maps in memory
    double spread = 0; ///< half width of the band, a share: nine of ten measured steps lie inside
    bool fusedFloat8 = false; ///< casts to 8 bit are fused without a compiler (Transformer Engine)
    bool overlapsTensor = false; ///< collectives of tensor parallelism run beside the products (userbuffers)
    bool dispatchesByNode = false; ///< a token goes to each node once, however many of its experts are there
    bool known = false; ///< the stack has published runs on this generation of GPUs
    QString source; ///< what it was fitted on, one sentence
};

/// Of a stack ("megatron-core") on a GPU generation ("a100"); falls back from stack and GPU to the stack, its kind
/// ("fsdp", "megatron", "ddp"), the GPU generation and all runs (a year behind a stack's name is a state of that
/// stack), so that an unseen pair has sensible figures too.
StackSpeed stackSpeed(const QString& stack, const QString& gpuClass);

/// Names of the constants as the table has them, and one of them by name (an unknown name does nothing).
QStringList speedConstants();
void setSpeedConstant(StackSpeed& speed, const QString& name, double value);

/// "megatron", "fsdp", "deepspeed", "ddp"; empty: a stack of no kind that is known.
QString stackKind(const QString& stack);

} // namespace rankwright::inline planner
