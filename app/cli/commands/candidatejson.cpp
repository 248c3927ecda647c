// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/candidatejson.h"

#include "app/cli/clioutput.h"

using namespace Qt::StringLiterals;

namespace rankwright {

QJsonArray assumesJson(const QList<Assumption>& assumes)
{
    QJsonArray json;
    for (const Assumption& one : assumes)
        json.append(QJsonObject{{u"field"_s, one.field}, {u"value"_s, one.value}});
    return json;
}

QJsonObject candidateJson(const Candidate& candidate)
{
    const Layout& layout = candidate.layout;
    return {{u"cluster"_s, orNull(candidate.cluster)}, {u"partition"_s, orNull(candidate.partition)},
        {u"gpu"_s, orNull(candidate.gpu)}, {u"recommended"_s, candidate.recommended},
        {u"totalSeconds"_s, orNull(candidate.totalSeconds)}, {u"totalCost"_s, orNull(candidate.totalCost)},
        {u"nodes"_s, layout.nodes}, {u"gpus"_s, layout.gpus()}, {u"gpusPerNode"_s, layout.gpusPerNode},
        {u"strategy"_s, toText(candidate.strategy)}, {u"framework"_s, toText(candidate.stack)},
        {u"data"_s, layout.data}, {u"tensor"_s, layout.tensor}, {u"pipeline"_s, layout.pipeline},
        {u"context"_s, layout.context}, {u"expert"_s, layout.expert}, {u"virtualStages"_s, layout.virtualStages},
        {u"microBatch"_s, double(layout.microBatch)}, {u"gradientAccumulation"_s, double(layout.accumulation)},
        {u"globalBatch"_s, double(layout.globalBatch())}, {u"activationCheckpointing"_s, toText(candidate.recompute)},
        {u"offload"_s, toText(candidate.offload)}, {u"memoryBytes"_s, candidate.memoryBytes},
        {u"usableBytes"_s, candidate.usableBytes}, {u"verdict"_s, toText(candidate.verdict)},
        {u"stepSeconds"_s, candidate.stepSeconds}, {u"tokensPerSecond"_s, candidate.tokensPerSecond},
        {u"efficiency"_s, candidate.efficiency}, {u"mfu"_s, candidate.mfu}, {u"cost"_s, orNull(candidate.cost)},
        {u"pareto"_s, candidate.pareto}, {u"why"_s, candidate.why}, {u"assumes"_s, assumesJson(candidate.assumes)}};
}

} // namespace rankwright
