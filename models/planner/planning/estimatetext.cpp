// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/planning/estimatetext.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "models/planner/design/enumwords.h"

#include <QStringList>

#include <cmath>

namespace rankwright::inline planner {

using namespace Qt::StringLiterals;

namespace {

/// Ranks that share out one kind of state beside tensor and pipeline ranks.
int shardsOf(const Layout& layout, Sharding from)
{
    if (layout.sharding < from)
        return 1;
    return qMax(1, layout.shardGroup > 0 ? layout.shardGroup : layout.data * layout.context);
}

} // namespace

namespace {
constexpr double longSeconds = 180; // from here on in minutes
}

QString EstimateText::time(double seconds)
{
    if (!std::isfinite(seconds) || seconds < 0)
        return u"–"_s;
    if (seconds < 1)
        return u"%1 ms"_s.arg(humanNumber(seconds * 1000, seconds < 0.01 ? 2 : seconds < 0.1 ? 1 : 0));
    if (seconds < longSeconds)
        return u"%1 s"_s.arg(humanNumber(seconds, seconds < 10 ? 2 : 1));
    return humanDuration(Seconds{qint64(std::llround(seconds))});
}

QString EstimateText::range(double low, double high)
{
    const int decimals = high < 1 ? 2 : high - low < 2 || high < 10 ? 1 : 0;
    return u"%1–%2"_s.arg(humanNumber(low, decimals), humanNumber(high, decimals));
}

QString EstimateText::timeBand(const StepEstimate& step)
{
    if (step.seconds >= longSeconds) {
        const auto minutes = [](double seconds) { return humanDuration(Seconds{qint64(std::llround(seconds))}); };
        return u"%1–%2"_s.arg(minutes(step.lowSeconds), minutes(step.highSeconds));
    }
    const int scale = step.seconds < 1 ? 1000 : 1;
    return range(step.lowSeconds * scale, step.highSeconds * scale);
}

QString EstimateText::timeBandWithUnit(const StepEstimate& step)
{
    const QString band = timeBand(step);
    return step.seconds >= longSeconds ? band : band + (step.seconds < 1 ? u" ms"_s : u" s"_s);
}

QString EstimateText::rate(double perSecond)
{
    return humanNumber(perSecond, perSecond < 10 ? 2 : perSecond < 100 ? 1 : 0);
}

QString EstimateText::parameters(double count)
{
    if (count >= 1e12)
        return u"%1 trillion"_s.arg(humanNumber(count / 1e12, 2));
    if (count >= 1e9)
        return u"%1 billion"_s.arg(humanNumber(count / 1e9, count < 1e11 ? 2 : 0));
    if (count >= 1e6)
        return u"%1 million"_s.arg(humanNumber(count / 1e6, 1));
    return humanNumber(count, 0);
}

QString EstimateText::sampleWord(const Workload& workload)
{
    const ModelFamily family = workload.shape.family;
    return family == ModelFamily::Vision || family == ModelFamily::Convolution ? u"images"_s : u"tokens"_s;
}

QString EstimateText::verdict(FitVerdict verdict)
{
    switch (verdict) {
    case FitVerdict::Fits: return u"Fits"_s;
    case FitVerdict::Probably: return u"Probably fits"_s;
    case FitVerdict::Borderline: return u"Borderline"_s;
    case FitVerdict::DoesNotFit: break;
    }
    return u"Does not fit"_s;
}

QString EstimateText::verdictSummary(const Result<DesignEstimate>& estimate)
{
    if (!estimate)
        return QStringList{estimate.error().what, estimate.error().remedy}.join(u' ').trimmed();
    const MemoryEstimate& memory = estimate->memory;
    const QString figures = u"%1 are expected on the fullest rank, %2 in nine of ten runs; %3 can be used."_s.arg(
        gibText(memory.totalBytes), range(memory.lowBytes / bytesPerGib, memory.highBytes / bytesPerGib),
        gibText(memory.usableBytes));
    switch (memory.verdict) {
    case FitVerdict::Fits: return u"It fits, also when the estimate is too low. %1"_s.arg(figures);
    case FitVerdict::Probably:
        return (memory.highBytes > memory.usableBytes
                ? u"It should fit, but may not: the upper end of the range is beyond what can be used. %1"_s
                : u"It should fit, but the upper end of the range is near. %1"_s)
            .arg(figures);
    case FitVerdict::Borderline: return u"It may run out of memory: try it for a few steps first. %1"_s.arg(figures);
    case FitVerdict::DoesNotFit: break;
    }
    return u"It will run out of memory. %1"_s.arg(figures);
}

QString EstimateText::memoryCaption(const DesignEstimate& estimate)
{
    const MemoryEstimate& memory = estimate.memory;
    return u"%1, likely %2, of %3 usable"_s.arg(gibText(memory.totalBytes),
        range(memory.lowBytes / bytesPerGib, memory.highBytes / bytesPerGib), gibFigure(memory.usableBytes));
}

QString EstimateText::nearest(const DesignEstimate& estimate)
{
    return estimate.nearest ? estimate.nearest->text() + u'.' : QString();
}

QString EstimateText::stepCaption(const DesignEstimate& estimate)
{
    return u"%1, likely %2"_s.arg(time(estimate.step.seconds), timeBand(estimate.step));
}

QString EstimateText::correction(const Correction& correction)
{
    if (correction.runs == 0)
        return {};
    const int percent = int(std::lround(100 * correction.share));
    const QString sign = percent < 0 ? u"−"_s : percent > 0 ? u"+"_s : u"±"_s;
    return u"corrected by %1, %2%3 %"_s.arg(counted(correction.runs, u"run"_s), sign).arg(std::abs(percent));
}

QString EstimateText::speedLine(const DesignEstimate& estimate, const QString& gpuWord)
{
    const StepEstimate& step = estimate.step;
    QStringList parts{
        u"%1 %2/s per %3"_s.arg(rate(step.tokensPerSecondPerGpu), sampleWord(estimate.run.workload), gpuWord)};
    if (step.teraflopsPerGpu > 0)
        parts.append(u"%1 TFLOP/s"_s.arg(rate(step.teraflopsPerGpu)));
    if (step.mfu > 0)
        parts.append(u"MFU %1"_s.arg(shareText(step.mfu)));
    return parts.join(u" · "_s);
}

QString EstimateText::weightsReason(const PlannedRun& run)
{
    const int shards = shardsOf(run.layout, Sharding::Full);
    QString text = u"The model's %1 parameters in the precision that they are trained in."_s.arg(
        parameters(double(run.parameters.total)));
    if (run.layout.tensor * run.layout.pipeline > 1)
        text += u" Tensor and pipeline ranks hold 1/%1 each."_s.arg(run.layout.tensor * run.layout.pipeline);
    if (shards > 1)
        return text + u" Sharded over %1 ranks: each keeps 1/%1, more ranks keep less."_s.arg(humanNumber(shards));
    return text + u" Every data-parallel rank holds all of them; FSDP or ZeRO-3 shards them."_s;
}

QString EstimateText::gradientsReason(const PlannedRun& run)
{
    const int shards = shardsOf(run.layout, Sharding::Gradients);
    const QString text = u"One value for each trained parameter, kept until the optimiser step."_s;
    if (shards > 1)
        return text + u" Sharded over %1 ranks."_s.arg(humanNumber(shards));
    return text + u" Every data-parallel rank holds all of them; ZeRO-2, ZeRO-3 or FSDP shards them."_s;
}

QString EstimateText::optimizerReason(const PlannedRun& run)
{
    QString text;
    switch (run.workload.optimizer) {
    case Optimizer::AdamW:
    case Optimizer::Lamb:
        text = u"Two moments for each parameter and, in mixed precision, a 32-bit copy of it."_s;
        break;
    case Optimizer::AdamW8bit: text = u"Two moments of 8 bits for each parameter."_s; break;
    case Optimizer::AdamWPaged:
    case Optimizer::AdamW8bitPaged:
        text = u"Its states are in unified memory: they leave the %1 when that is full, and training slows down then."_s
                   .arg(run.gpuWord);
        break;
    case Optimizer::Adafactor: text = u"Row and column statistics instead of a moment for each parameter."_s; break;
    case Optimizer::Sgd: text = u"Plain SGD keeps nothing of its own; a 32-bit copy in mixed precision."_s; break;
    case Optimizer::SgdMomentum: text = u"One moment for each parameter."_s; break;
    }
    const int shards = shardsOf(run.layout, Sharding::OptimizerStates);
    if (run.workload.offload != Offload::None)
        return text + u" It lies in the node's memory: less on the %1, but slower."_s.arg(run.gpuWord);
    if (shards > 1)
        return text + u" Sharded over %1 ranks."_s.arg(humanNumber(shards));
    return text + u" ZeRO-1 already shares it out, at next to no cost; 8-bit AdamW needs a quarter."_s;
}

QString EstimateText::activationsReason(const PlannedRun& run)
{
    QString text = u"Kept from the forward for the backward pass: micro-batch %1"_s.arg(run.layout.microBatch);
    if (run.workload.sequence > 1)
        text += u" × %1 tokens"_s.arg(humanNumber(double(run.workload.sequence)));
    text += u", recomputation: %1."_s.arg(recompute(run.workload.recompute));
    QStringList ways;
    if (run.layout.microBatch > 1)
        ways.append(u"a smaller micro-batch"_s);
    if (run.workload.recompute != Recompute::Full)
        ways.append(u"recomputation"_s);
    if (run.workload.attention == AttentionKind::Standard)
        ways.append(u"flash attention"_s);
    if (ways.isEmpty())
        ways.append(u"more tensor or context ranks"_s);
    return text + u" Smaller with %1."_s.arg(ways.join(u" or "_s));
}

QString EstimateText::temporaryReason(const PlannedRun& run)
{
    QString text = u"Short-lived: logits and loss, buckets of the exchange, what the optimiser step needs"_s;
    if (run.layout.sharding == Sharding::Full)
        text += u", and the layers gathered at the moment"_s;
    return text
        + (run.workload.loss != LossKind::Full ? u". Smaller with a smaller micro-batch."_s
                                               : u". Smaller with a smaller micro-batch or a chunked loss."_s);
}

QString EstimateText::overheadReason(const PlannedRun& run)
{
    return u"The %2's context and kernels, the communication library and gaps of PyTorch's allocator, as measured on %1. Little of it can be changed; PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True closes gaps."_s
        .arg(run.gpu.name.isEmpty() ? u"such %1s"_s.arg(run.gpuWord) : run.gpu.name, run.gpuWord);
}

QString EstimateText::computeReason(const DesignEstimate& estimate)
{
    QString text = u"Forward and backward passes at the rate that this %1 reaches with matrices of this size."_s.arg(
        estimate.run.gpuWord);
    if (estimate.run.workload.recompute != Recompute::None)
        text += u" Recomputation is part of it: less of it is faster and needs more memory."_s;
    return text + u" More %1s for the same batch make it shorter."_s.arg(estimate.run.gpuWord);
}

QString EstimateText::communicationReason(const PlannedRun& run)
{
    QString text = u"Exchange between %1s that does not hide behind computation"_s.arg(run.gpuWord);
    if (run.layout.nodes > 1)
        text += u", over %1 nodes"_s.arg(humanNumber(run.layout.nodes));
    return text
        + u". More accumulation steps, tensor ranks within a node and FSDP within a node (HSDP) make it smaller."_s;
}

QString EstimateText::bubbleReason(const PlannedRun& run)
{
    if (run.layout.pipeline <= 1)
        return u"Idle time of a pipeline; this layout has none."_s;
    return u"Stages wait while the pipeline fills and drains: %1 stages, %2 micro-batches. More micro-batches per step or fewer stages make it smaller."_s
        .arg(run.layout.pipeline)
        .arg(humanNumber(double(run.layout.accumulation)));
}

QString EstimateText::otherReason()
{
    return u"The optimiser step, data loading and checkpoints, spread over the steps."_s;
}

QString EstimateText::recompute(Recompute recompute)
{
    switch (recompute) {
    case Recompute::None: return u"none"_s;
    case Recompute::SelectiveAttention: return u"attention"_s;
    case Recompute::SelectiveOperations: return u"some operations"_s;
    case Recompute::SelectiveLayers: return u"some layers"_s;
    case Recompute::Full: break;
    }
    return u"full"_s;
}

QString EstimateText::offload(Offload offload)
{
    switch (offload) {
    case Offload::None: break;
    case Offload::Activations: return u"activations in main memory"_s;
    case Offload::OptimizerStates: return u"optimiser in main memory"_s;
    case Offload::OptimizerAndParameters: return u"optimiser and weights in main memory"_s;
    }
    return {};
}

QString EstimateText::degrees(const Layout& layout)
{
    QString text = u"%1 × %2 × %3"_s.arg(layout.data).arg(layout.tensor).arg(layout.pipeline);
    return layout.context > 1 ? text + u" × %1"_s.arg(layout.context) : text;
}

QString EstimateText::degreesInWords(const Layout& layout)
{
    QStringList parts;
    if (layout.data > 1 || layout.gpus() == 1)
        parts.append(u"%1 data"_s.arg(humanNumber(layout.data)));
    if (layout.tensor > 1)
        parts.append(u"%1 tensor"_s.arg(layout.tensor));
    if (layout.pipeline > 1)
        parts.append(u"%1 pipeline"_s.arg(layout.pipeline));
    if (layout.context > 1)
        parts.append(u"%1 context"_s.arg(layout.context));
    const QString product = parts.join(u" × "_s);
    return layout.expert > 1 ? product + u", experts over %1"_s.arg(layout.expert) : product;
}

} // namespace rankwright::inline planner
