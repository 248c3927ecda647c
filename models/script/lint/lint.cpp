// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lint.h"

#include "models/script/lint/lintperhaps.h"
#include "models/script/lint/lintrule.h"
#include "models/script/lint/lintsilence.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

namespace {

const QList<lint::LintRule>& allRules()
{
    using namespace lint;
    static const QList<LintRule> rules = [] {
        QList<LintRule> all = directiveRules() + valueRules() + requestRules() + siteRequestRules() + siteRules()
            + bindingRules() + launchRules() + rendezvousRules() + torchrunRules() + variableRules() + commandRules()
            + slipRules() + processRules() + environmentRules() + networkRules() + shellRules() + exitRules()
            + lifecycleRules() + fileRules();
        std::stable_sort(all.begin(), all.end(), [](const LintRule& a, const LintRule& b) { return a.id < b.id; });
        return all;
    }();
    return rules;
}

/// What the rules say of a script, silences apart.
QList<Finding> findingsOf(const lint::LintFacts& facts)
{
    QList<Finding> findings;
    for (const lint::LintRule& rule : allRules()) {
        if (rule.needsSite && facts.profile == nullptr)
            continue;
        const lint::Hits hits = rule.check(facts);
        for (const lint::Hit& hit : hits) {
            const auto lines
                = hit.line > 0 ? std::optional(LineRange{hit.line, std::max(hit.line, hit.lastLine)}) : std::nullopt;
            findings.append({hit.severity.value_or(rule.severity), rule.id, rule.slug, rule.field, lines,
                oneLine(hit.text), hit.fix, rule.source});
        }
    }
    return findings;
}

} // namespace

QList<Rule> lintRules() { return {allRules().cbegin(), allRules().cend()}; }

CheckResult lintScript(const BatchText& batch, const ClusterProfile* profile)
{
    const lint::LintFacts facts = lint::collectFacts(batch, profile);
    CheckResult result{findingsOf(facts), {}};
    QList<Finding>& findings = result.findings;
    lint::addPerhaps(facts, findings, findingsOf);
    if (const QList<lint::Silence> silences = lint::silencesOf(facts); !silences.isEmpty())
        lint::silence(silences, findings, result.silenced);
    std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
        return a.line() != b.line() ? a.line() < b.line() : a.severity < b.severity;
    });
    return result;
}

} // namespace rankwright::inline script
