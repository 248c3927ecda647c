// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/document/scriptfindings.h"

#include "models/core/linediff.h"

#include "models/lint/lint.h"
#include "models/script/read/scriptedit.h"
#include "models/script/write/scriptwriter.h"

namespace rankwright {

JobSpec editedSpec(const JobSpec& spec, const ClusterProfile& profile, const QString& shown, const QString& text)
{
    const ScriptEdit outcome = applyScriptEdit(spec, profile, text);
    if (outcome.followed == outcome.exact)
        return outcome.exact;
    const QStringList typed = linesOfText(text);
    const QStringList written = linesOfText(writeScript(resolve(outcome.followed, profile), profile).text());
    for (const LineHunk& hunk : lineDifference(linesOfText(shown), typed)) {
        for (qsizetype line = hunk.to; line < hunk.toEnd; ++line) {
            if (!written.contains(typed.at(line)))
                return outcome.exact;
        }
    }
    return outcome.followed;
}

QString generatedText(const Derived& derived) { return generatedScript(derived.resolved, *derived.profile).text(); }

QList<Finding> textFindings(const QString& text, const ClusterProfile& profile)
{
    QList<Finding> findings;
    for (const LintFinding& lint : lintScript(parseBatch(text), &profile)) {
        Finding finding{lint.severity, lint.rule, lint.slug, lint.field, lint.line - 1, lint.text, {}, lint.source};
        if (lint.fix) {
            const QString fixed = applyFix(text, *lint.fix);
            finding.fix = Fix{lint.fix->label,
                [text, fixed, &profile](JobSpec& spec) { spec = editedSpec(spec, profile, text, fixed); }};
        }
        findings.append(finding);
    }
    return findings;
}

} // namespace rankwright
