// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lint.h"

#include "models/script/lint/lintperhaps.h"
#include "models/script/lint/lintreasons.h"
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

/// Texts quote what somebody typed; a line break in it must not break the finding in two.
QString oneLine(QString text)
{
    for (QChar& c : text) {
        if (c.category() == QChar::Other_Control)
            c = u' ';
    }
    return text;
}

/// What the rules say of a script, silences apart.
QList<LintFinding> findingsOf(const lint::LintFacts& facts)
{
    QList<LintFinding> findings;
    for (const lint::LintRule& rule : allRules()) {
        if (rule.needsSite && facts.profile == nullptr)
            continue;
        const lint::Hits hits = rule.check(facts);
        for (const lint::Hit& hit : hits) {
            findings.append({hit.severity.value_or(rule.severity), rule.id, rule.slug, hit.line,
                std::max(hit.line, hit.lastLine), rule.field, oneLine(hit.text), hit.fix, rule.source});
        }
    }
    return findings;
}

} // namespace

QList<LintRuleInfo> lintRules()
{
    QList<LintRuleInfo> list;
    for (const lint::LintRule& rule : allRules())
        list.append({rule.id, rule.slug, rule.severity, rule.what, lint::severityReason(rule.slug), rule.source,
            rule.needsSite});
    return list;
}

QList<LintFinding> lintScript(const BatchText& batch, const ClusterProfile* profile)
{
    return lintOutcome(batch, profile).findings;
}

LintOutcome lintOutcome(const BatchText& batch, const ClusterProfile* profile)
{
    const lint::LintFacts facts = lint::collectFacts(batch, profile);
    LintOutcome outcome{findingsOf(facts), {}};
    QList<LintFinding>& findings = outcome.findings;
    lint::addPerhaps(facts, findings, findingsOf);
    if (const QList<lint::Silence> silences = lint::silencesOf(facts); !silences.isEmpty())
        lint::silence(silences, findings, outcome.silenced);
    std::stable_sort(findings.begin(), findings.end(), [](const LintFinding& a, const LintFinding& b) {
        return a.line != b.line ? a.line < b.line : a.severity < b.severity;
    });
    return outcome;
}

QString applyFix(const QString& text, const TextFix& fix)
{
    const QStringList lines = text.split(u'\n');
    QStringList result;
    qsizetype at = 0; // lines that are done
    for (const LineEdit& edit : fix.edits) {
        const qsizetype first = std::clamp<qsizetype>(edit.first - 1, at, lines.size());
        result += lines.mid(at, first - at);
        result += edit.lines;
        at = std::clamp<qsizetype>(edit.last, first, lines.size());
    }
    result += lines.mid(at);
    return result.join(u'\n');
}

} // namespace rankwright::inline script
