// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planning/estimatetext.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "models/design/enumwords.h"

#include <QStringList>

#include <cmath>

namespace rankwright {

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

QString EstimateText::time(double seconds)
{
    if (!std::isfinite(seconds) || seconds < 0)
        return u"—"_s;
    if (seconds < 1)
        return tr("%1 ms").arg(humanNumber(seconds * 1000, seconds < 0.01 ? 2 : seconds < 0.1 ? 1 : 0));
    if (seconds < 180)
        return tr("%1 s").arg(humanNumber(seconds, seconds < 10 ? 2 : 1));
    return humanDuration(Seconds{qint64(std::llround(seconds))});
}

QString EstimateText::range(double low, double high)
{
    const int decimals = high < 1 ? 2 : high - low < 2 || high < 10 ? 1 : 0;
    return u"%1–%2"_s.arg(humanNumber(low, decimals), humanNumber(high, decimals));
}

QString EstimateText::rate(double perSecond)
{
    return humanNumber(perSecond, perSecond < 10 ? 2 : perSecond < 100 ? 1 : 0);
}

QString EstimateText::parameters(double count)
{
    if (count >= 1e12)
        return tr("%1 trillion").arg(humanNumber(count / 1e12, 2));
    if (count >= 1e9)
        return tr("%1 billion").arg(humanNumber(count / 1e9, count < 1e11 ? 2 : 0));
    if (count >= 1e6)
        return tr("%1 million").arg(humanNumber(count / 1e6, 1));
    return humanNumber(count, 0);
}

QString EstimateText::sampleWord(const Workload& workload)
{
    const ModelFamily family = workload.shape.family;
    return family == ModelFamily::Vision || family == ModelFamily::Convolution ? tr("images") : tr("tokens");
}

QString EstimateText::verdict(FitVerdict verdict)
{
    switch (verdict) {
    case FitVerdict::Fits: return tr("Fits");
    case FitVerdict::Probably: return tr("Probably fits");
    case FitVerdict::Borderline: return tr("Borderline");
    case FitVerdict::DoesNotFit: break;
    }
    return tr("Does not fit");
}

QString EstimateText::verdictSummary(const Result<DesignEstimate>& estimate)
{
    if (!estimate)
        return QStringList{estimate.error().what, estimate.error().remedy}.join(u' ').trimmed();
    const MemoryEstimate& memory = estimate->memory;
    const QString figures
        = tr("%1 are expected on the fullest rank, %2 in nine of ten runs; %3 can be used.")
              .arg(gibText(memory.totalBytes), range(memory.lowBytes / bytesPerGib, memory.highBytes / bytesPerGib),
                  gibText(memory.usableBytes));
    switch (memory.verdict) {
    case FitVerdict::Fits: return tr("It fits, also when the estimate is too low. %1").arg(figures);
    case FitVerdict::Probably: return tr("It should fit, but the upper end of the range is near. %1").arg(figures);
    case FitVerdict::Borderline: return tr("It may run out of memory: try it for a few steps first. %1").arg(figures);
    case FitVerdict::DoesNotFit: break;
    }
    return tr("It will run out of memory. %1").arg(figures);
}

QString EstimateText::memoryCaption(const DesignEstimate& estimate)
{
    const MemoryEstimate& memory = estimate.memory;
    return tr("%1, likely %2, of %3 usable")
        .arg(gibText(memory.totalBytes), range(memory.lowBytes / bytesPerGib, memory.highBytes / bytesPerGib),
            gibFigure(memory.usableBytes));
}

QString EstimateText::stepCaption(const DesignEstimate& estimate)
{
    const StepEstimate& step = estimate.step;
    const bool small = step.highSeconds < 1;
    const double unit = small ? 1000 : 1;
    return tr("%1, likely %2").arg(time(step.seconds), range(step.lowSeconds * unit, step.highSeconds * unit));
}

QString EstimateText::speedLine(const DesignEstimate& estimate, const QString& gpuWord)
{
    const StepEstimate& step = estimate.step;
    QStringList parts{
        tr("%1 %2/s per %3").arg(rate(step.tokensPerSecondPerGpu), sampleWord(estimate.run.workload), gpuWord)};
    if (step.teraflopsPerGpu > 0)
        parts.append(tr("%1 TFLOP/s").arg(rate(step.teraflopsPerGpu)));
    if (step.mfu > 0)
        parts.append(tr("MFU %1").arg(shareText(step.mfu)));
    return parts.join(u" · "_s);
}

QString EstimateText::weightsStory(const PlannedRun& run)
{
    const int shards = shardsOf(run.layout, Sharding::Full);
    QString text = tr("The model's %1 parameters in the precision that they are trained in.")
                       .arg(parameters(double(run.parameters.total)));
    if (run.layout.tensor * run.layout.pipeline > 1)
        text += tr(" Tensor and pipeline ranks hold 1/%1 each.").arg(run.layout.tensor * run.layout.pipeline);
    if (shards > 1)
        return text + tr(" Shared out over %1 ranks: each keeps 1/%1, more ranks keep less.").arg(humanNumber(shards));
    return text + tr(" Every data-parallel rank holds all of them; FSDP or ZeRO-3 shares them out.");
}

QString EstimateText::gradientsStory(const PlannedRun& run)
{
    const int shards = shardsOf(run.layout, Sharding::Gradients);
    const QString text = tr("One value for each trained parameter, kept until the optimiser has moved.");
    if (shards > 1)
        return text + tr(" Shared out over %1 ranks.").arg(humanNumber(shards));
    return text + tr(" Every data-parallel rank holds all of them; ZeRO-2, ZeRO-3 or FSDP shares them out.");
}

QString EstimateText::optimizerStory(const PlannedRun& run)
{
    QString text;
    switch (run.workload.optimizer) {
    case Optimizer::AdamW:
    case Optimizer::Lamb:
        text = tr("Two moments for each parameter and, in mixed precision, a 32-bit copy of it.");
        break;
    case Optimizer::AdamW8bit: text = tr("Two moments of 8 bits for each parameter."); break;
    case Optimizer::Adafactor: text = tr("Row and column statistics instead of a moment for each parameter."); break;
    case Optimizer::Sgd: text = tr("Plain SGD keeps nothing of its own; a 32-bit copy in mixed precision."); break;
    case Optimizer::SgdMomentum: text = tr("One moment for each parameter."); break;
    }
    const int shards = shardsOf(run.layout, Sharding::OptimizerStates);
    if (run.workload.offload != Offload::None)
        return text + tr(" It lies in the node's memory: less on the GPU, but slower.");
    if (shards > 1)
        return text + tr(" Shared out over %1 ranks.").arg(humanNumber(shards));
    return text + tr(" ZeRO-1 already shares it out, at next to no cost; 8-bit AdamW needs a quarter.");
}

QString EstimateText::activationsStory(const PlannedRun& run)
{
    QString text = tr("Kept from the forward for the backward pass: micro-batch %1").arg(run.layout.microBatch);
    if (run.workload.sequence > 1)
        text += tr(" × %1 tokens").arg(humanNumber(double(run.workload.sequence)));
    text += tr(", recomputation: %1.").arg(recompute(run.workload.recompute));
    QStringList ways;
    if (run.layout.microBatch > 1)
        ways.append(tr("a smaller micro-batch"));
    if (run.workload.recompute != Recompute::Full)
        ways.append(tr("recomputation"));
    if (run.workload.attention == AttentionKind::Standard)
        ways.append(tr("flash attention"));
    if (ways.isEmpty())
        ways.append(tr("more tensor or context ranks"));
    return text + tr(" Smaller with %1.").arg(ways.join(tr(" or ")));
}

QString EstimateText::temporaryStory(const PlannedRun& run)
{
    QString text = tr("Short-lived: logits and loss, buckets of the exchange, what the optimiser needs while it moves");
    if (run.layout.sharding == Sharding::Full)
        text += tr(", and the layers gathered at the moment");
    return text
        + (run.workload.chunkedLoss ? tr(". Smaller with a smaller micro-batch.")
                                    : tr(". Smaller with a smaller micro-batch or a chunked loss."));
}

QString EstimateText::overheadStory(const PlannedRun& run)
{
    return tr(
        "The GPU's context and kernels, the communication library and gaps of PyTorch's allocator, as measured on %1. Hardly yours to change; PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True closes gaps.")
        .arg(run.gpu.name.isEmpty() ? tr("such GPUs") : run.gpu.name);
}

QString EstimateText::computeStory(const DesignEstimate& estimate)
{
    QString text = tr("Forward and backward passes at the rate that this GPU reaches with matrices of this size.");
    if (estimate.run.workload.recompute != Recompute::None)
        text += tr(" Recomputation is part of it: less of it is faster and needs more memory.");
    return text + tr(" More GPUs for the same batch make it shorter.");
}

QString EstimateText::communicationStory(const PlannedRun& run)
{
    QString text = tr("Exchange between GPUs that does not hide behind computation");
    if (run.layout.nodes > 1)
        text += tr(", over %1 nodes").arg(humanNumber(run.layout.nodes));
    return text + tr(". More accumulation, tensor ranks within a node and FSDP within a node (HSDP) make it smaller.");
}

QString EstimateText::bubbleStory(const PlannedRun& run)
{
    if (run.layout.pipeline <= 1)
        return tr("Idle time of a pipeline; this layout has none.");
    return tr(
        "Stages wait while the pipeline fills and drains: %1 stages, %2 micro-batches. More micro-batches per step or fewer stages make it smaller.")
        .arg(run.layout.pipeline)
        .arg(humanNumber(double(run.layout.accumulation)));
}

QString EstimateText::otherStory()
{
    return tr("The optimiser's move, loading of data, checkpoints spread over the steps.");
}

QString EstimateText::recompute(Recompute recompute)
{
    switch (recompute) {
    case Recompute::None: return tr("none");
    case Recompute::SelectiveAttention: return tr("attention");
    case Recompute::SelectiveOperations: return tr("some operations");
    case Recompute::SelectiveLayers: return tr("some layers");
    case Recompute::Full: break;
    }
    return tr("full");
}

QString EstimateText::offload(Offload offload)
{
    switch (offload) {
    case Offload::None: break;
    case Offload::OptimizerStates: return tr("optimiser in main memory");
    case Offload::OptimizerAndParameters: return tr("optimiser and weights in main memory");
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
        parts.append(tr("%1 data").arg(humanNumber(layout.data)));
    if (layout.tensor > 1)
        parts.append(tr("%1 tensor").arg(layout.tensor));
    if (layout.pipeline > 1)
        parts.append(tr("%1 pipeline").arg(layout.pipeline));
    if (layout.context > 1)
        parts.append(tr("%1 context").arg(layout.context));
    return parts.join(u" × "_s);
}

} // namespace rankwright
