// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/stack/stackfeatures.h"

#include "models/planner/estimate/network/plannerdata.h"

#include <QHash>
#include <QJsonArray>

#include <array>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

struct FeatureName {
    StackFeature feature;
    QLatin1StringView word;
    QLatin1StringView inSentence;
};

constexpr FeatureName featureNames[]{
    {StackFeature::OneGpu, "single"_L1, "one GPU alone"_L1},
    {StackFeature::Ddp, "ddp"_L1, "DDP"_L1},
    {StackFeature::Zero1, "zero1"_L1, "ZeRO-1"_L1},
    {StackFeature::Zero2, "zero2"_L1, "ZeRO-2"_L1},
    {StackFeature::Zero3, "zero3"_L1, "ZeRO-3"_L1},
    {StackFeature::Fsdp, "fsdp"_L1, "FSDP"_L1},
    {StackFeature::Hsdp, "hsdp"_L1, "HSDP"_L1},
    {StackFeature::Horovod, "horovod"_L1, "Horovod"_L1},
    {StackFeature::Tensor, "tensor"_L1, "tensor parallelism"_L1},
    {StackFeature::Pipeline, "pipeline"_L1, "pipeline parallelism"_L1},
    {StackFeature::VirtualStages, "virtual-stages"_L1, "virtual pipeline stages"_L1},
    {StackFeature::UnevenStages, "uneven-stages"_L1, "pipeline stages of different lengths"_L1},
    {StackFeature::Expert, "expert"_L1, "expert parallelism"_L1},
    {StackFeature::Context, "context"_L1, "context parallelism"_L1},
    {StackFeature::SequenceParallel, "sequence-parallel"_L1, "sequence parallelism"_L1},
    {StackFeature::Lora, "lora"_L1, "LoRA"_L1},
    {StackFeature::Dora, "dora"_L1, "DoRA"_L1},
    {StackFeature::OtherAdapters, "other-adapters"_L1, "adapters other than LoRA"_L1},
    {StackFeature::Int8Base, "int8"_L1, "a frozen base in int8"_L1},
    {StackFeature::Nf4Base, "nf4"_L1, "a frozen base in nf4"_L1},
    {StackFeature::GptqBase, "gptq"_L1, "a frozen base in GPTQ"_L1},
    {StackFeature::AdamW8bit, "adamw-8bit"_L1, "8-bit AdamW"_L1},
    {StackFeature::PagedAdamW, "paged"_L1, "paged AdamW"_L1},
    {StackFeature::Adafactor, "adafactor"_L1, "Adafactor"_L1},
    {StackFeature::Lamb, "lamb"_L1, "LAMB"_L1},
    {StackFeature::Sgd, "sgd"_L1, "SGD"_L1},
    {StackFeature::OptimizerInBackward, "optimizer-in-backward"_L1, "the optimiser in the backward pass"_L1},
    {StackFeature::Accumulation, "accumulation"_L1, "several passes a step"_L1},
    {StackFeature::LossInPlace, "loss-in-place"_L1, "the loss in place"_L1},
    {StackFeature::LossChunked, "loss-chunked"_L1, "a chunked loss"_L1},
    {StackFeature::LossFused, "loss-fused"_L1, "a loss fused with the head"_L1},
    {StackFeature::OffloadActivations, "offload-activations"_L1, "offloading activations"_L1},
    {StackFeature::OffloadOptimizer, "offload-optimizer"_L1, "offloading the optimiser"_L1},
    {StackFeature::OffloadParameters, "offload-parameters"_L1, "offloading weights and optimiser"_L1},
    {StackFeature::Packing, "packing"_L1, "packed samples"_L1},
    {StackFeature::Float8, "float8"_L1, "8-bit floating-point products"_L1},
    {StackFeature::Compile, "compile"_L1, "torch.compile"_L1},
    {StackFeature::FlashAttention, "flash-attention"_L1, "FlashAttention"_L1},
};

struct StackRow {
    QString source;
    std::array<Support, std::size(featureNames)> support{};
    QHash<StackFeature, QString> refusals; ///< the source of each "no"
    QList<FeatureClash> clashes;
};

struct GpuRow {
    QStringList classes;
    QList<StackFeature> refused;
    QString source;
};

struct FeatureTable {
    QStringList names;
    QHash<QString, StackRow> stacks;
    QList<GpuRow> gpus;
};

QList<StackFeature> featuresIn(const QJsonValue& words)
{
    QList<StackFeature> features;
    for (const QJsonValue& word : words.toArray()) {
        for (const FeatureName& name : featureNames) {
            if (word.toString() == name.word)
                features.append(name.feature);
        }
    }
    return features;
}

StackRow readFeatures(const QJsonObject& json)
{
    StackRow row;
    row.source = json.value(u"source"_s).toString();
    const std::pair<QString, Support> columns[]{{u"yes"_s, Support::Yes}, {u"byHand"_s, Support::ByHand}};
    for (const auto& [key, support] : columns) {
        for (const StackFeature feature : featuresIn(json.value(key)))
            row.support[std::size_t(feature)] = support;
    }
    for (const QJsonValue& value : json.value(u"no"_s).toArray()) {
        const QJsonObject refusal = value.toObject();
        for (const StackFeature feature : featuresIn(refusal.value(u"features"_s))) {
            row.support[std::size_t(feature)] = Support::No;
            row.refusals.insert(feature, refusal.value(u"source"_s).toString());
        }
    }
    for (const QJsonValue& value : json.value(u"clashes"_s).toArray()) {
        const QJsonObject clash = value.toObject();
        const QList<StackFeature> features = featuresIn(clash.value(u"features"_s));
        if (features.size() == 2)
            row.clashes.append({features.at(0), features.at(1), clash.value(u"source"_s).toString()});
    }
    return row;
}

const FeatureTable& featureTable()
{
    static const FeatureTable known = [] {
        FeatureTable read;
        const QJsonObject file = plannerData(u"stacks-features.json"_s);
        for (const QJsonValue& one : file.value(u"stacks"_s).toArray()) {
            const QString name = one.toObject().value(u"name"_s).toString();
            read.names.append(name);
            read.stacks.insert(name, readFeatures(one.toObject()));
        }
        for (const QJsonValue& one : file.value(u"gpus"_s).toArray()) {
            const QJsonObject json = one.toObject();
            GpuRow row{{}, featuresIn(json.value(u"no"_s)), json.value(u"source"_s).toString()};
            for (const QJsonValue& name : json.value(u"classes"_s).toArray())
                row.classes.append(name.toString());
            read.gpus.append(row);
        }
        return read;
    }();
    return known;
}

} // namespace

QList<StackFeature> stackFeatures()
{
    QList<StackFeature> features;
    for (const FeatureName& name : featureNames)
        features.append(name.feature);
    return features;
}

QString toText(StackFeature feature) { return featureNames[std::size_t(feature)].word; }

QString featureWords(StackFeature feature) { return featureNames[std::size_t(feature)].inSentence; }

QStringList featureStacks() { return featureTable().names; }

Support supportOf(const QString& stack, StackFeature feature)
{
    const auto found = featureTable().stacks.constFind(stack);
    return found == featureTable().stacks.constEnd() ? Support::Unknown : found->support[std::size_t(feature)];
}

QString featureSource(const QString& stack) { return featureTable().stacks.value(stack).source; }

QString refusalSource(const QString& stack, StackFeature feature)
{
    return featureTable().stacks.value(stack).refusals.value(feature);
}

std::optional<FeatureClash> clashAmong(const QString& stack, const QList<StackFeature>& features)
{
    const auto found = featureTable().stacks.constFind(stack);
    if (found == featureTable().stacks.constEnd())
        return std::nullopt;
    for (const FeatureClash& clash : found->clashes) {
        if (features.contains(clash.one) && features.contains(clash.other))
            return clash;
    }
    return std::nullopt;
}

QString gpuRefuses(const QString& gpuClass, StackFeature feature)
{
    for (const GpuRow& row : featureTable().gpus) {
        if (row.classes.contains(gpuClass) && row.refused.contains(feature))
            return row.source;
    }
    return {};
}

} // namespace rankwright::inline planner
