// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/templates/designsummary.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/batchplan.h"
#include "models/planner/design/strategyname.h"
#include "models/planner/planning/designestimate.h"
#include "models/planner/planning/estimatetext.h"

namespace rankwright::inline planner {

using namespace Qt::StringLiterals;

namespace {

Tone toneOf(FitVerdict verdict)
{
    switch (verdict) {
    case FitVerdict::Fits: return Tone::Good;
    case FitVerdict::Probably:
    case FitVerdict::Borderline: return Tone::Warn;
    case FitVerdict::DoesNotFit: return Tone::Bad;
    }
    return Tone::Quiet;
}

QString memoryText(const MemoryEstimate& memory)
{
    switch (memory.verdict) {
    case FitVerdict::Fits: return u"%1 of %2"_s.arg(gibFigure(memory.totalBytes), gibText(memory.usableBytes));
    case FitVerdict::Probably:
    case FitVerdict::Borderline: return u"%1–%2"_s.arg(gibFigure(memory.lowBytes), gibText(memory.highBytes));
    case FitVerdict::DoesNotFit: return gibText(memory.totalBytes);
    }
    return {};
}

void assess(const ResolvedSpec& resolved, const ClusterProfile& profile, DesignSummary& summary)
{
    if (resolved.model.isEmpty()) {
        summary.verdict = u"No model is named"_s;
        return;
    }
    const auto estimate = estimateDesign(resolved, planBatch(resolved), profile);
    if (!estimate) {
        summary.verdict = u"No estimate"_s;
        return;
    }
    summary.verdict = EstimateText::verdict(estimate->memory.verdict);
    summary.memory = memoryText(estimate->memory);
    summary.tone = toneOf(estimate->memory.verdict);
}

} // namespace

QString DesignSummary::place() const
{
    QStringList parts{cluster};
    if (nodes > 0)
        parts.append(nodesText(nodes));
    if (!strategy.isEmpty())
        parts.append(strategy);
    return parts.join(u" · "_s);
}

DesignSummary summarise(const JobSpec& spec, const Catalogue& catalogue)
{
    DesignSummary summary;
    summary.title = spec.name;
    const ClusterProfile* profile = catalogue.find(spec.cluster);
    if (profile == nullptr) {
        summary.cluster = spec.cluster.left(60);
        summary.verdict = u"This cluster is not in the catalogue"_s;
        summary.tone = Tone::Warn;
        return summary;
    }
    const ResolvedSpec resolved = resolve(spec, *profile);
    summary.cluster = profile->title;
    summary.strategy = strategyName(resolved.strategy);
    summary.gpuWord = resolved.node.gpu.word;
    summary.nodes = resolved.nodes;
    summary.gpusPerNode = resolved.gpusPerNode;
    summary.gpusPerPackage = qMax(1, resolved.node.gpu.perPackage);
    summary.stages = qMax(1, resolved.pipeline);
    assess(resolved, *profile, summary);
    return summary;
}

} // namespace rankwright::inline planner
