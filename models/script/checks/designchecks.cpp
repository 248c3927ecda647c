// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/checks/designchecks.h"

#include "models/script/checks/fitchecks.h"
#include "models/script/checks/launchchecks.h"

#include "models/planner/design/fieldtable.h"
#include "models/planner/planning/remedies.h"
#include "models/script/checks/designrule.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

namespace {

const QList<DesignRule>& allRules()
{
    static const QList<DesignRule> rules = clusterChecks() + shareChecks() + trainingChecks() + passingChecks()
        + optionChecks() + overrideChecks() + textChecks();
    return rules;
}

} // namespace

QList<Finding> check(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    const auto estimate = estimateDesign(resolved, planBatch(resolved), profile);
    return check(resolved, profile, writtenScript(resolved, profile), estimate, remedies(resolved, profile, estimate));
}

QList<Finding> check(const ResolvedSpec& resolved, const ClusterProfile& profile, const WrittenScript& script,
    const Result<DesignEstimate>& estimate, const QList<Remedy>& cures)
{
    const RuleContext context{
        resolved, resolved.spec, profile, planBatch(resolved), quoteCost(resolved, profile), script};
    QList<Finding> findings;
    for (const DesignRule& rule : allRules()) {
        const QList<RuleHit> hits = rule.check(context);
        for (const RuleHit& hit : hits)
            findings.append({hit.severity.value_or(rule.severity), rule.id, rule.slug, hit.field, {}, oneLine(hit.text),
                hit.fix, rule.source, hit.otherFixes});
    }
    findings += fitFindings(resolved, context.batch, profile, estimate, cures);
    if (estimate)
        findings += launchFindings(resolved, profile, *estimate, script.batch);
    std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
        if (a.severity != b.severity)
            return a.severity < b.severity;
        return formOrder(a.field) < formOrder(b.field);
    });
    return findings;
}

} // namespace rankwright::inline script
