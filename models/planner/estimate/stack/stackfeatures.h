// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace rankwright::inline planner {

// What each training stack can do: the one reader of resources/planner/stacks-features.json, whose rows name the
// documents that they are taken from.

enum class StackFeature {
    OneGpu,
    Ddp,
    Zero1,
    Zero2,
    Zero3,
    Fsdp,
    Hsdp,
    Horovod,
    Tensor,
    Pipeline,
    VirtualStages,
    UnevenStages,
    Expert,
    Context,
    SequenceParallel,
    Lora,
    Dora,
    OtherAdapters, ///< of PEFT: prefixes, IA3 ...
    Int8Base, ///< a frozen base in 8 bit
    Nf4Base,
    GptqBase,
    AdamW8bit,
    PagedAdamW,
    Adafactor,
    Lamb,
    Sgd,
    OptimizerInBackward,
    Accumulation, ///< several passes a step
    LossInPlace,
    LossChunked,
    LossFused,
    OffloadActivations,
    OffloadOptimizer,
    OffloadParameters, ///< and the optimiser
    Packing,
    Float8,
    Compile,
    FlashAttention
};

enum class Support {
    Unknown, ///< the table does not say
    No, ///< refuses it, or knows nothing of it
    ByHand, ///< by code or options of the user's own: the search does not propose it
    Yes ///< by its options
};

/// All features, in the order of the enum.
QList<StackFeature> stackFeatures();
/// As in the table: "nf4", "virtual-stages".
QString toText(StackFeature feature);
/// In a sentence: "an nf4 base".
QString featureWords(StackFeature feature);

/// The stacks of the table, in its order.
QStringList featureStacks();
/// Unknown for a stack that is not in the table.
Support supportOf(const QString& stack, StackFeature feature);
/// The documents that a stack's row is taken from.
QString featureSource(const QString& stack);
/// The file or document that shows that a stack does not do a feature; empty: the table has no "no" there.
QString refusalSource(const QString& stack, StackFeature feature);

/// Two features of a stack that exclude each other.
struct FeatureClash {
    StackFeature one, other;
    QString source;
};
std::optional<FeatureClash> clashAmong(const QString& stack, const QList<StackFeature>& features);

/// The source that says so, when a generation of GPUs (GpuFigures::gpuClass) cannot run a feature; empty: nothing
/// is known against it.
QString gpuRefuses(const QString& gpuClass, StackFeature feature);

} // namespace rankwright::inline planner
