// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scripttools.h"

#include "widgets/linediff.h"

#if __has_include("models/script/scriptedit.h")
#include "models/script/scriptedit.h"
#include "models/script/scriptwriter.h"
#define RANKWRIGHT_EDITS_SCRIPTS
#endif
#if __has_include("models/lint/lint.h")
#include "models/lint/lint.h"
#define RANKWRIGHT_LINTS_SCRIPTS
#endif

namespace rankwright {

#ifdef RANKWRIGHT_EDITS_SCRIPTS

bool scriptsCanBeEdited() { return true; }

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

#else

bool scriptsCanBeEdited() { return false; }

JobSpec editedSpec(const JobSpec& spec, const ClusterProfile&, const QString&, const QString&) { return spec; }

QString generatedText(const Derived& derived) { return derived.script.text(); }

#endif

QList<Finding> textFindings(const QString& text, const ClusterProfile& profile)
{
    QList<Finding> findings;
#ifdef RANKWRIGHT_LINTS_SCRIPTS
    for (const LintFinding& lint : lintScript(parseBatch(text), &profile)) {
        Finding finding{lint.severity, lint.rule, lint.slug, lint.field, lint.line - 1, lint.text, {}, lint.source};
        if (lint.fix) {
            const QString fixed = applyFix(text, *lint.fix);
            finding.fix = Fix{lint.fix->label,
                [text, fixed, &profile](JobSpec& spec) { spec = editedSpec(spec, profile, text, fixed); }};
        }
        findings.append(finding);
    }
#else
    Q_UNUSED(text)
    Q_UNUSED(profile)
#endif
    return findings;
}

} // namespace rankwright
