// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/learn/term.h"

#include "models/teaching/learn/learnsearch.h"

#include <QHash>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

QList<Term> allTerms()
{
    QList<Term> all = hardwareTerms() + slurmTerms() + launchTerms() + trainingTerms() + strategyTerms() + runTerms();
    std::sort(all.begin(), all.end(),
        [](const Term& a, const Term& b) { return QString::compare(a.name, b.name, Qt::CaseInsensitive) < 0; });
    return all;
}

/// Every spelling of every term; a name of its own goes before another's further name.
QHash<QString, qsizetype> spellings()
{
    QHash<QString, qsizetype> all;
    const auto add = [&all](const QString& spelling, qsizetype at) {
        const QString key = searchKey(spelling);
        if (!all.contains(key))
            all.insert(key, at);
    };
    for (qsizetype i = 0; i < terms().size(); ++i) {
        add(terms().at(i).id, i);
        add(terms().at(i).name, i);
    }
    for (qsizetype i = 0; i < terms().size(); ++i) {
        for (const QString& other : terms().at(i).alsoCalled)
            add(other, i);
    }
    return all;
}

const QHash<QString, QString>& table()
{
    static const QHash<QString, QString> all{
        {field::partition, u"partition"_s},
        {field::account, u"account"_s},
        {field::reservation, u"reservation"_s},
        {field::time, u"time-limit"_s},
        {field::nodes, u"node"_s},
        {field::gpusPerNode, u"gpu"_s},
        {field::cpusPerGpu, u"cpu-binding"_s},
        {field::memoryPerNode, u"mem"_s},
        {field::globalBatch, u"global-batch"_s},
        {field::microBatch, u"micro-batch"_s},
        {field::datasetSamples, u"epoch"_s},
        {field::epochs, u"epoch"_s},
        {field::strategy, u"strategy"_s},
        {field::tensor, u"tensor-parallel"_s},
        {field::pipeline, u"pipeline-parallel"_s},
        {field::context, u"context-parallel"_s},
        {field::launcher, u"launcher"_s},
        {field::container, u"container"_s},
        {field::modules, u"module"_s},
        {field::binds, u"container"_s},
        {field::qos, u"qos"_s},
        {field::exclusive, u"node"_s},
        {field::cpuBinding, u"cpu-binding"_s},
        {field::numaBinding, u"cpu-binding"_s},
        {field::signal, u"time-limit"_s},
        {field::requeue, u"requeue"_s},
        {field::requeueAtLimit, u"requeue"_s},
        {field::resumeArguments, u"checkpoint"_s},
        {field::array, u"job-array"_s},
        {field::dependency, u"job"_s},
        {field::precision, u"precision"_s},
        {field::sequence, u"sequence"_s},
        {field::activationCheckpointing, u"recomputation"_s},
        {field::optimizer, u"optimiser-states"_s},
        {field::attention, u"activations"_s},
        {field::offload, u"gpu-memory"_s},
        {field::adapterMethod, u"lora"_s},
        {field::adapterRank, u"lora"_s},
        {field::adapterTargets, u"lora"_s},
        {field::adapterQuantisation, u"lora"_s},
        {field::loss, u"activations"_s},
        {field::trainedFraction, u"lora"_s},
        {field::frozen, u"lora"_s},
        {field::sampler, u"utilisation"_s},
        {field::samplerInterval, u"utilisation"_s},
        {field::hangEvidence, u"nccl"_s},
        {field::model, u"parameters"_s},
        {field::command, u"rank"_s},
    };
    return all;
}

} // namespace

const QList<Term>& terms()
{
    static const QList<Term> all = allTerms();
    return all;
}

const Term* findTerm(const QString& word)
{
    static const QHash<QString, qsizetype> known = spellings();
    const QString key = searchKey(word.left(80));
    auto found = known.constFind(key);
    if (found == known.cend() && key.endsWith(u's'))
        found = known.constFind(key.chopped(1));
    return found == known.cend() ? nullptr : &terms().at(*found);
}

QString termOfField(const FieldPath& path)
{
    QString known = path.left(200);
    while (!known.isEmpty()) {
        if (const auto found = table().constFind(known); found != table().cend())
            return *found;
        const auto dot = known.lastIndexOf(u'.');
        known = dot < 0 ? QString() : known.left(dot);
    }
    return {};
}

} // namespace rankwright::inline teaching
