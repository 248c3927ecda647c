// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/document/design.h"
#include "models/teaching/learn/learnfigures.h"

#include <QRegularExpression>

namespace rankwright::test {

inline const Catalogue& learnCatalogue()
{
    static const Catalogue all = loadCatalogue();
    return all;
}

inline Derived derivedFor(const JobSpec& spec)
{
    const ClusterProfile* profile = learnCatalogue().find(spec.cluster);
    return derive(spec, profile != nullptr ? *profile : learnCatalogue().clusters.first());
}

/// Two whole nodes of LUMI for twelve hours, 64 samples in micro-batches of 2: 16 ranks, 2 accumulation steps.
inline JobSpec lumiSpec()
{
    JobSpec spec;
    spec.cluster = QStringLiteral("lumi");
    spec.partition = QStringLiteral("standard-g");
    spec.time = Seconds{12 * 3600};
    spec.resources.nodes = 2;
    spec.resources.gpusPerNode = 8;
    spec.training.globalBatch = 64;
    spec.training.microBatch = 2;
    return spec;
}

/// One node of Raven with four A100, 32 samples on each.
inline JobSpec ravenSpec()
{
    JobSpec spec;
    spec.cluster = QStringLiteral("raven");
    spec.time = Seconds{3600};
    spec.resources.nodes = 1;
    spec.resources.gpusPerNode = 4;
    spec.training.globalBatch = 128;
    spec.training.microBatch = 32;
    return spec;
}

/// Designs of many kinds for one cluster: as it comes, one GPU, a model, a pipeline, shards, requeueing, everything
/// named.
inline QList<JobSpec> manySpecs(const QString& cluster)
{
    JobSpec plain;
    plain.cluster = cluster;
    QList<JobSpec> all{plain};
    JobSpec one = plain;
    one.resources.nodes = 1;
    one.resources.gpusPerNode = 1;
    one.training.globalBatch = 1;
    one.training.microBatch = 1;
    all.append(one);
    JobSpec model = plain;
    model.resources.nodes = 2;
    model.model = {{QStringLiteral("preset"), QStringLiteral("llama-3-8b")}};
    model.training.globalBatch = 64;
    model.training.datasetSamples = 10000;
    model.training.epochs = 1;
    all.append(model);
    for (const Strategy strategy : {Strategy::Ddp, Strategy::Zero2, Strategy::Fsdp, Strategy::Hsdp}) {
        JobSpec other = model;
        other.parallel.strategy = strategy;
        all.append(other);
    }
    JobSpec pipeline = plain;
    pipeline.resources.nodes = 2;
    pipeline.parallel.strategy = Strategy::ThreeD;
    pipeline.parallel.tensor = 2;
    pipeline.parallel.pipeline = 2;
    pipeline.training.globalBatch = 64;
    pipeline.training.microBatch = 1;
    pipeline.model = {{QStringLiteral("preset"), QStringLiteral("llama-3-8b")}};
    all.append(pipeline);
    JobSpec full = model;
    full.account = QStringLiteral("project_465000001");
    full.reservation = QStringLiteral("course");
    full.options.qos = QStringLiteral("debug");
    full.options.array = QStringLiteral("0-9");
    full.options.requeue = true;
    full.options.requeueAtLimit = 1;
    full.options.output = QStringLiteral("run-%j.out");
    full.training.trainedFraction = 0.01;
    full.training.sequence = 1;
    full.training.activationCheckpointing = ActivationCheckpointing::Full;
    full.launcher = Launcher::Srun;
    full.environment.modules = {QStringLiteral("pytorch")};
    full.command = QStringLiteral("train.py");
    all.append(full);
    return all;
}

/// A text as one types it: thin spaces become blanks.
inline QString typed(QString text) { return text.replace(QChar(0x2009), QLatin1Char(' ')); }

/// What must not be in a sentence for people; empty: nothing is.
inline QString faultIn(const QString& sentence)
{
    static const QList<std::pair<QString, QRegularExpression>> faults{
        {QStringLiteral("a placeholder"), QRegularExpression(QStringLiteral("[{}]|%[1-9]|%L[1-9]"))},
        {QStringLiteral("no number"), QRegularExpression(QStringLiteral("\\b(?:nan|inf)\\b"))},
        {QStringLiteral("an unknown as 0"),
            QRegularExpression(QStringLiteral(
                "(?<![0-9.,])0 (?:GB/s|GiB|MiB|B\\b|W\\b|cores?\\b|GPUs?\\b|GCDs?\\b|TFLOP|tokens|samples|nodes|tasks|hardware)"))},
        {QStringLiteral("one as many"),
            QRegularExpression(
                QStringLiteral("(?<![0-9.,+-])\\b1 "
                               "(?:nodes|GCDs|GPUs|slices|ranks|cores|samples|steps|tasks|workers|times|stages|"
                               "micro-batches|readings|others|packages|agents|tokens|data-parallel ranks)\\b"))},
        {QStringLiteral("two blanks or stops"),
            QRegularExpression(QStringLiteral("  |(?<!\\.)\\.\\.(?!\\.)|\\. \\.|: \\.|,\\.| ,"))},
    };
    const QString text = typed(sentence);
    for (const auto& [what, pattern] : faults) {
        const auto match = pattern.match(text);
        if (match.hasMatch())
            return what + QStringLiteral(" (") + match.captured() + QStringLiteral("): ") + sentence;
    }
    if (text.trimmed() != text || text.isEmpty() || text.contains(QLatin1Char('\n')))
        return QStringLiteral("blanks at its ends, or nothing: ") + sentence;
    return {};
}

} // namespace rankwright::test
