// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/runs/runprecision.h"

#include "models/planner/estimate/gpufigures.h"
#include "models/planner/estimate/runs/runadapter.h"
#include "models/planner/estimate/runs/runmodel.h"
#include "models/planner/estimate/runs/runstack.h"
#include "models/planner/estimate/stack/stackmemory.h"
#include "models/planner/estimate/stack/stacknames.h"

#include <QRegularExpression>

#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner::runs {

namespace {

const QString llamaFactoryPaper = u"2403.13372"_s;

bool is16BitPure(const RunWords& words)
{
    return matches(
        words.precision, u"pure bf16|(bf16|bfloat16|fp16|float16) ?\\(pure\\)|bf16 params|bf16.true|bf16 weights"_s);
}

Precision precisionOf(const RunWords& words, const QString& stack, const GpuFigures& gpu, QString& note)
{
    const QString& text = words.precision;
    if (text.isEmpty()
        && (stack == stackname::axolotl || stack == stackname::torchtune || stack == stackname::unsloth
            || has(words.source, llamaFactoryPaper))) {
        report(note, u"The precision is not given: bf16 alone, the stack's default, is assumed."_s);
        return Precision::Bf16;
    }
    if (text.isEmpty()) {
        const bool brain = gpu.key.isEmpty() || gpu.hasBf16;
        report(note,
            brain ? u"The precision is not given: bf16 with fp32 weights is assumed."_s
                  : u"The precision is not given: fp16 with fp32 weights is assumed."_s);
        return brain ? Precision::Bf16Mixed : Precision::Fp16Mixed;
    }
    // Recipes of torchtune, axolotl and NeMo AutoModel train in bf16 alone (AutoModel's benchmarks: from_config of
    // Hugging Face's bf16 configurations, torch.optim.Adam; examples/benchmark/configs at 037e04a).
    const bool alone
        = stack == stackname::torchtune || stack == stackname::axolotl || has(words.source, u"automodel"_s);
    if (is16BitPure(words) || (alone && text == u"bf16"))
        return Precision::Bf16;
    if (has(text, u"bf16"_s) || has(text, u"bfloat16"_s) || matches(text, u"fp8|float8"_s))
        return Precision::Bf16Mixed;
    if (matches(text, u"fp16|float16|half|\\bamp\\b|mixed"_s))
        return Precision::Fp16Mixed;
    if (has(text, u"tf32"_s))
        return Precision::Tf32;
    if (has(text, u"state"_s)) // "fp32 training state": of what is kept, not of what is computed in
        return Precision::Bf16Mixed;
    return Precision::Fp32;
}

Float8 float8Of(const RunWords& words)
{
    if (!matches(words.precision, u"fp8|float8"_s))
        return Float8::None;
    return has(words.precision, u"rowwise"_s) ? Float8::Rowwise : Float8::Tensorwise;
}

Optimizer optimizerOf(const RunWords& words, const QString& stack, QString& note)
{
    const QString& text = words.optimizer;
    // adamw_bnb_8bit in axolotl's examples; what LLaMA-Factory's paper trained with (arXiv:2403.13372, 4.1).
    if (text.isEmpty() && (stack == stackname::axolotl || has(words.source, llamaFactoryPaper))) {
        report(note, u"The optimiser is not given: 8-bit AdamW, which the source's recipes name, is assumed."_s);
        return Optimizer::AdamW8bit;
    }
    if (has(text, u"paged"_s))
        return matches(text, u"8-?bit"_s) ? Optimizer::AdamW8bitPaged : Optimizer::AdamWPaged;
    if (matches(text, u"8-?bit"_s))
        return Optimizer::AdamW8bit;
    if (matches(text, u"4-?bit"_s)) {
        report(note, u"“%1” is counted as an 8-bit optimiser."_s.arg(text.left(40)));
        return Optimizer::AdamW8bit;
    }
    if (has(text, u"adafactor"_s))
        return Optimizer::Adafactor;
    if (has(text, u"lamb"_s))
        return Optimizer::Lamb;
    if (has(text, u"sgd"_s))
        return has(text, u"momentum"_s) || has(text, u"nesterov"_s) ? Optimizer::SgdMomentum : Optimizer::Sgd;
    if (matches(text, u"lion|momentum|muon"_s)) {
        report(note, u"“%1” keeps one state per parameter: counted as SGD with momentum."_s.arg(text.left(40)));
        return Optimizer::SgdMomentum;
    }
    if (text.isEmpty())
        report(note, u"The optimiser is not given: AdamW is assumed."_s);
    return Optimizer::AdamW;
}

Recompute recomputeOf(const RunWords& words, const QString& stack, QString& note)
{
    const QString& text = words.checkpointing;
    // diffusers' UVit2DModel takes the option and keeps its activations (models/unets/uvit_2d.py): the published peaks
    // grow with the batch as those of whole blocks do.
    if (has(words.model, u"amused"_s))
        return Recompute::None;
    if (text.isEmpty()) {
        // PEFT's prepare_model_for_kbit_training() switches it on (peft/utils/other.py).
        const bool prepared = stackMemory(stack).kbitStream
            && matches(words.strategy + u' ' + words.precision, u"qlora|nf4|int[48]|[48]-?bit"_s);
        const bool maxText = has(words.source + words.strategy, u"maxtext"_s); // remat_policy: full in its base.yml
        const bool usual = stackMemory(stack).recomputes || prepared || maxText;
        report(note,
            usual ? u"Activation checkpointing is not given: the stack's default, all blocks, is assumed."_s
                  : u"Activation checkpointing is not given: none is assumed."_s);
        return usual ? Recompute::Full : Recompute::None;
    }
    if (has(text, u"full"_s) || matches(text, u"^(yes|true|on|uniform|block)"_s))
        return Recompute::Full;
    if (!has(text, u"selective"_s))
        return Recompute::None;
    if (has(text, u"attention"_s) || has(text, u"core"_s))
        return Recompute::SelectiveAttention;
    if (has(text, u"layer"_s) || has(text, u"every"_s))
        return Recompute::SelectiveLayers;
    if (has(text, u"op"_s) && !has(text, u"opt"_s))
        return Recompute::SelectiveOperations;
    if (has(text, u"graph"_s))
        return Recompute::SelectiveOperations;
    if (isMegatron(stack))
        return Recompute::SelectiveAttention;
    return stack == stackname::fsdp1 ? Recompute::SelectiveLayers : Recompute::SelectiveOperations;
}

AttentionKind attentionOf(const RunWords& words, const RunRow& row, const GpuFigures& gpu, QString& note)
{
    const QString& text = words.attention;
    // timm's published training tables were measured with PyTorch 1.10 to 1.12, before it had a fused kernel.
    if (row.stack == stackname::timm && matches(words.source, u"benchmark-train-amp-n[a-z]+-|pt11[0-2]"_s))
        return AttentionKind::Standard;
    if (matches(text, u"standard|materiali|unfused|math"_s))
        return AttentionKind::Standard;
    if (matches(text, u"flash|sdpa|fused|flex|cudnn|\\bte\\b|efficient|xformers"_s))
        return AttentionKind::Flash;
    if (has(text, u"eager"_s))
        return AttentionKind::Standard;
    // As in a design: PyTorch 2 (March 2023) has a fused kernel, and what names no date and no older stack has it, too.
    static const QStringList older{stackname::megatronOf2021, stackname::megatronVtrain, stackname::megatronDeepspeed,
        stackname::megatronDeepspeedOf2022, stackname::dle, stackname::oneflow};
    const bool before = words.month > 0 && words.month < monthOf(2023, 3);
    // Decoders with RMSNorm came after PyTorch had a fused kernel, and their trainers use it.
    const ModelShape& shape = row.workload.shape;
    const bool recent = shape.family == ModelFamily::Decoder && shape.norm == NormKind::RmsNorm && !shape.assumed;
    const bool old = ((older.contains(row.stack) || before) && !recent) || (!gpu.key.isEmpty() && !gpu.hasBf16);
    report(note,
        old ? u"The attention kernel is not given: the standard one is assumed."_s
            : u"The attention kernel is not given: a flash kernel is assumed."_s);
    return old ? AttentionKind::Standard : AttentionKind::Flash;
}

/// Whether the trainer drops out: what the notes say, else the model's default, else Megatron's default (0.1).
bool dropoutOf(const RunWords& words, const RunRow& row)
{
    static const QRegularExpression said(u"dropout\\s*=?\\s*([0-9.]+)"_s);
    if (const QRegularExpressionMatch found = said.match(words.notes); found.hasMatch())
        return found.captured(1).toDouble() > 0;
    const ModelShape& shape = row.workload.shape;
    if (shape.family == ModelFamily::Encoder || shape.family == ModelFamily::EncoderDecoder)
        return true; // BERT, T5: 0.1
    if (shape.family != ModelFamily::Decoder || shape.norm == NormKind::RmsNorm)
        return false;
    return (isMegatron(row.stack) && row.workload.attention == AttentionKind::Standard)
        || matches(words.model, u"gpt-?2|\\bopt"_s);
}

/// RMSNorm of plain PyTorch computes in fp32 step by step until mid 2025, and keeps what it computes.
bool fusedNormsOf(const RunWords& words, const RunRow& row)
{
    if (has(words.notes, u"fused rmsnorm"_s) || row.workload.compiled || row.workload.shape.norm != NormKind::RmsNorm)
        return true;
    if (isTuner(row.stack))
        return !stackMemory(row.stack).eagerNorms;
    if (row.stack == stackname::hfTrainer || row.stack == stackname::deepspeed || row.stack == stackname::pytorch
        || row.stack == stackname::fsdp1)
        return false;
    return row.stack != stackname::fsdp2Of2024 && (row.stack != stackname::fsdp2 || words.month >= monthOf(2025, 6));
}

bool compiledOf(const RunWords& words)
{
    if (matches(words.notes, u"no compile|compile=0|eager(?! float8)"_s))
        return false;
    if (matches(words.source + u' ' + words.strategy, u"maxtext|\\bjax\\b"_s)) // XLA compiles the whole step
        return true;
    return matches(words.notes + u' ' + words.strategy, u"compile=1|torch\\.compile|\\bcompiled?\\b|inductor"_s);
}

/// An encoder that is fine-tuned has a small head; one that is pre-trained predicts words.
bool predictsWords(const RunWords& words, const ModelShape& shape)
{
    if (shape.family == ModelFamily::Vision || shape.family == ModelFamily::Convolution
        || shape.family == ModelFamily::Diffusion)
        return false;
    if (shape.family != ModelFamily::Encoder)
        return true;
    if (matches(words.notes, u"pre-?train|mlm|masked|nsp"_s))
        return true;
    return !matches(words.source + words.notes, u"squad|fine-?tun|glue|classif|transformers docs|hugging face blog"_s);
}

/// Bytes of one logit where a program does not do what its stack does with them; 0: it does.
double logitBytesOf(const RunWords& words, const QString& stack, Precision precision)
{
    // DeepSpeed's fp16 engine makes the whole model fp16 and computes without autocast: logits, their shifted copy,
    // log-softmax and gradient.
    if (precision == Precision::Fp16Mixed && matches(words.strategy + words.notes, u"deepspeed"_s))
        return 8.0;
    // A loop of one's own in bf16 alone: the same but the copy, because it shifts the tokens beforehand.
    if (precision == Precision::Bf16 && stack == stackname::pytorch)
        return 6.0;
    // GPT-BigCode does not cast its logits (transformers/models/gpt_bigcode/modeling_gpt_bigcode.py before 4.46: a
    // shifted copy goes into CrossEntropyLoss). Under autocast the loss casts that copy, and accelerate all that the
    // model returns (accelerate/accelerator.py, convert_outputs_to_fp32): 2 + 2 and four times 4.
    const bool transformers = stack == stackname::trl || stack == stackname::peft || stack == stackname::hfTrainer;
    if (transformers && matches(words.model, u"santacoder|starcoder(?!2)|bigcode"_s))
        return precision == Precision::Bf16 ? 8.0 : 20.0;
    return 0.0;
}

} // namespace

MemoryCounter counterOf(const RunWords& words, const QString& stack)
{
    static const QRegularExpression kind(u"mem_kind=([a-z]+)"_s);
    const QString said = kind.match(words.notes).captured(1);
    if (said == u"reserved")
        return MemoryCounter::Reserved;
    // axolotl's own log says what is active, allocated and reserved, in GiB (axolotl/core/trainers/base.py); people
    // read GB off nvidia-smi.
    if (said == u"peak" && stack == stackname::axolotl && has(words.notes, u"gib printed"_s))
        return MemoryCounter::Reserved;
    if (said == u"peak" && matches(words.notes, u"counter (is )?not (stated|printed)|counter is not"_s))
        return MemoryCounter::VendorTool; // most print what nvidia-smi shows
    if (said == u"peak" && isTuner(stack)) // trainers that do not say which: the one between the two others
        return MemoryCounter::Reserved;
    return said == u"allocated" || said == u"active" || said == u"peak" ? MemoryCounter::Allocated
                                                                        : MemoryCounter::VendorTool;
}

void readDefaults(RunRow& row, const RunWords& words)
{
    const GpuFigures gpu = gpuFigures(row.gpu);
    const QString everything = words.strategy + u' ' + words.checkpointing + u' ' + words.notes;
    Workload& work = row.workload;
    const bool transformer = work.shape.heads > 0;
    work.precision = precisionOf(words, row.stack, gpu, row.note);
    work.float8 = float8Of(words);
    work.optimizer = optimizerOf(words, row.stack, row.note);
    if (matches(words.optimizer + u' ' + words.strategy, u"galore|badam|\\blisa\\b|apollo|\\badalomo|\\blomo"_s))
        report(row.missing, u"The optimiser “%1” is not modelled."_s.arg(words.optimizer.left(40)));
    work.recompute = transformer ? recomputeOf(words, row.stack, row.note) : Recompute::None;
    if (transformer)
        work.attention = attentionOf(words, row, gpu, row.note);
    work.recomputesUpProjection = matches(everything, u"up-?projection of latent attention|mla_up_proj"_s);
    work.offloadActivations = matches(words.checkpointing + words.notes,
        u"act(ivation)?s? (off-?load|checkpoints in cpu)|activation checkpoints [a-z ]*off-?loaded|activations? off-?load|off-?load(ing)? of activations"_s);
    // unsloth's own checkpointing, its default, keeps the inputs of blocks in the node's memory
    // (unsloth/models/llama.py, use_gradient_checkpointing = "unsloth"; unsloth_zoo/gradient_checkpointing.py).
    if (row.stack == stackname::unsloth && work.recompute == Recompute::Full)
        work.offloadActivations = true;
    work.compiled = compiledOf(words);
    work.deterministic = matches(words.notes, u"\\bdeterministic\\b"_s);
    work.fusedNorms = fusedNormsOf(words, row);
    work.fusedOptimizer = matches(words.optimizer, u"fused|apex|distributed"_s) || isMegatron(row.stack)
        || row.stack == stackname::deepspeed || row.stack == stackname::dle;
    // bitsandbytes' paged states are unified memory, which moves to the node when the GPU needs its own.
    if (has(words.optimizer, u"paged"_s) && work.offload == Offload::None)
        work.offload = Offload::OptimizerStates;
    work.optimizerInBackward = matches(everything + u' ' + words.optimizer,
                                   u"(fused|optimi[sz]er|optim|step).{0,12}in(to)?.?(the )?(bwd|backward)"_s)
        || matches(words.optimizer, u"\\bin(to)? (the )?(bwd|backward)"_s);
    work.loss = lossOf(words, row.stack);
    // Two buffers in 16 bit (contiguous_gradients, overlap_comm) of 2e8 elements in QwenLM/Qwen's
    // finetune/ds_config_zero2.json, and in ms-swift's zero2.json.
    const bool buckets = row.stack != stackname::deepspeed && matches(words.notes, u"deepspeed zero-2 config"_s);
    work.reduceBuffers = buckets ? 2.0 * 2e8 * 2.0 : 0.0;
    work.logitBytes = logitBytesOf(words, row.stack, work.precision);
    work.offloadGradients = matches(
        words.strategy + u' ' + words.notes, u"gradients? (are )?(on the host|off-?loaded)|off-?load(ed)? gradients"_s);
    work.dropout = dropoutOf(words, row);
    // NVIDIA's BERT drops the padding of its second phase (github.com/mlcommons/training_results_v1.1): half of the
    // tokens of Wikipedia's samples of 512 (arXiv:2107.02027: up to 50 % are padding).
    if (row.stack == stackname::dle && work.shape.family == ModelFamily::Encoder && work.sequence >= 512)
        work.realTokens = 0.5;
    work.groupedExperts = work.shape.experts > 0
        && ((isFsdp(row.stack) && row.stack != stackname::fsdp1) || isMegatron(row.stack)); // their default
    work.vocabularyLoss = predictsWords(words, work.shape) && !generatesImages(words);
    readAdapters(row, words);
}

} // namespace rankwright::inline planner::runs
