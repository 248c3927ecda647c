// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/assumptions.h"

#include "models/planner/estimate/stagelayers.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

QString yesNo(bool value) { return value ? u"true"_s : u"false"_s; }

void addNumbers(QList<Assumption>& all, const Workload& work)
{
    all.append({field::precision, toText(work.precision)});
    if (work.float8 != Float8::None)
        all.append({field::float8, toText(work.float8)});
    all.append({field::optimizer, toText(work.optimizer)});
    if (work.compiled)
        all.append({field::compile, yesNo(true)});
}

/// What is trained of a loaded model. Alpha is not among them: neither memory nor time depends on it.
void addAdapter(QList<Assumption>& all, const Workload& work)
{
    const Adapter& adapter = work.adapter;
    if (adapter.method == AdapterMethod::None)
        return;
    all.append({field::adapterMethod, toText(adapter.method)});
    all.append({field::adapterRank, QString::number(adapter.rank)});
    all.append({field::adapterTargets, toWords(adapter.targets).join(u' ')});
    if (adapter.quantisation != Quantisation::None)
        all.append({field::adapterQuantisation, toText(adapter.quantisation)});
}

void addKept(QList<Assumption>& all, const Workload& work)
{
    if (work.shape.family != ModelFamily::Convolution) {
        all.append({field::activationCheckpointing, toText(work.recompute)});
        all.append({field::attention, toText(work.attention)});
    }
    if (work.loss != LossKind::Full)
        all.append({field::loss, toText(work.loss)});
    if (work.optimizerInBackward)
        all.append({field::optimizerInBackward, yesNo(true)});
    if (!work.packed)
        all.append({field::packed, yesNo(false)});
    if (work.offload != Offload::None)
        all.append({field::offload, toText(work.offload)});
    if (work.shape.experts > 0)
        all.append({field::groupedExperts, yesNo(work.groupedExperts)});
}

void addSpread(QList<Assumption>& all, const Layout& layout, const ModelShape& shape)
{
    const bool experts = shape.experts > 0;
    const auto degree = [&all](QLatin1StringView field, int value) {
        if (value > 1)
            all.append({field, QString::number(value)});
    };
    degree(field::tensor, layout.tensor);
    degree(field::pipeline, layout.pipeline);
    degree(field::context, layout.context);
    if (experts)
        all.append({field::expert, QString::number(layout.expert)});
    if (experts && layout.tensor > 1)
        all.append({field::expertTensor, QString::number(layout.expertSplit())});
    degree(field::virtualStages, layout.virtualStages);
    if (const StageLayers cut = stageLayers(pipelineLayers(shape), layout); layout.pipeline > 1 && !cut.even) {
        all.append({field::firstStageLayers, QString::number(cut.first)});
        all.append({field::lastStageLayers, QString::number(cut.last)});
    }
    if (layout.tensor > 1)
        all.append({field::sequenceParallel, yesNo(layout.sequenceParallel)});
    if (layout.data * layout.context > 1)
        all.append({field::shardOptimizer, yesNo(layout.sharding != Sharding::None)});
    if (layout.sharding == Sharding::Full)
        all.append({field::reshard, yesNo(layout.reshardAfterForward)});
    all.append({field::microBatch, QString::number(layout.microBatch)});
    all.append({field::globalBatch, QString::number(layout.globalBatch())});
}

} // namespace

QList<Assumption> assumptionsOf(Strategy strategy, const Workload& workload, const Layout& layout)
{
    QList<Assumption> all{{field::strategy, toText(strategy)}};
    addNumbers(all, workload);
    addKept(all, workload);
    addAdapter(all, workload);
    addSpread(all, layout, workload.shape);
    return all;
}

QList<Assumption> assumptionsOf(const PlannedRun& run) { return assumptionsOf(run.strategy, run.workload, run.layout); }

QString assumedValue(const QList<Assumption>& all, const FieldPath& field)
{
    const auto found
        = std::find_if(all.cbegin(), all.cend(), [&field](const Assumption& one) { return one.field == field; });
    return found != all.cend() ? found->value : QString();
}

} // namespace rankwright::inline planner
