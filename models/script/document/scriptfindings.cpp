// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/document/scriptfindings.h"

#include "models/core/linediff.h"
#include "models/script/read/scriptedit.h"
#include "models/script/write/overrides.h"
#include "models/script/write/scriptwriter.h"

#include <QHash>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

namespace {

/// The most severe finding of each slug.
QHash<QString, Severity> severityOfSlugs(const QList<Finding>& findings)
{
    QHash<QString, Severity> severities;
    for (const Finding& finding : findings)
        severities.insert(finding.slug, std::min(finding.severity, severities.value(finding.slug, Severity::Hint)));
    return severities;
}

enum class OnTie { Stays, Goes };

/// `more` without the slugs of which `others` have a more severe finding; with one of the same severity, as `onTie`
/// says.
QList<Finding> moreSevere(const QList<Finding>& more, const QList<Finding>& others, OnTie onTie)
{
    const QHash<QString, Severity> own = severityOfSlugs(more), other = severityOfSlugs(others);
    QList<Finding> kept;
    for (const Finding& finding : more) {
        const auto rival = other.constFind(finding.slug);
        if (rival == other.cend() || own.value(finding.slug) < *rival
            || (onTie == OnTie::Stays && own.value(finding.slug) == *rival))
            kept.append(finding);
    }
    return kept;
}

/// The linter's fixes also as changes of the design whose script is `text`.
void offerInDesign(QList<Finding>& findings, const QString& text, const ClusterProfile* profile)
{
    for (Finding& finding : findings) {
        if (!finding.fix)
            continue;
        finding.fix->apply = [text, fix = *finding.fix, profile](JobSpec& spec) {
            static const ClusterProfile unknown;
            spec = editedSpec(spec, profile ? *profile : unknown, textAfter(text, fix));
        };
    }
}

CheckResult linted(const BatchText& batch, const ClusterProfile* profile)
{
    CheckResult result = lintScript(batch, profile);
    offerInDesign(result.findings, batch.text, profile);
    offerInDesign(result.silenced, batch.text, profile);
    return result;
}

/// What these fields say is in commands alone: where the commands are the user's own, they are evaluated by the text.
bool makesCommandsOnly(const FieldPath& path)
{
    static const QSet<QString> fields{field::command, field::launcher, field::container, field::modules, field::venv,
        field::conda, field::setup, field::binds, field::variables, field::cpuBinding, field::config, field::mpi,
        field::resumeArguments, field::sampler, field::samplerInterval, field::hangEvidence};
    return fields.contains(path) || path.startsWith(u"program."_s);
}

JobSpec editedSpec(const JobSpec& spec, const WrittenScript& shown, const ClusterProfile& profile, const QString& text)
{
    if (authorText(spec.overrides)) { // its text is its author's; the design reads the fields from it
        JobSpec typed = spec;
        typed.overrides = authorBlocks(text, encodingOf(spec.overrides));
        return typed;
    }
    const ScriptEdit outcome = applyScriptEdit(spec, shown, profile, text);
    if (outcome.followed == outcome.exact)
        return outcome.exact;
    const QStringList typed = linesOfText(text);
    const QStringList written = applyOverrides(outcome.generated, outcome.followed.overrides).document.texts();
    for (const LineHunk& hunk : lineDifference(shown.texts(), typed)) {
        for (qsizetype line = hunk.to; line < hunk.toEnd; ++line) {
            if (!written.contains(typed.at(line)))
                return outcome.exact;
        }
    }
    return outcome.followed;
}

/// A mistake that the linter looks for as well, in the text itself, which says more than fields do: a trap for a
/// signal, an option that a launcher has of its own.
bool isLinted(const Finding& finding)
{
    static const QSet<QString> ids = [] {
        QSet<QString> all;
        for (const Rule& rule : lintRules())
            all.insert(rule.id);
        return all;
    }();
    return ids.contains(finding.rule);
}

} // namespace

CheckResult allFindings(const Derived& derived)
{
    QList<Finding> design
        = check(derived.resolved, *derived.profile, derived.script, derived.estimate, derived.remedies);
    if (derived.author) // all of its text is its author's
        design.removeIf([](const Finding& finding) { return makesCommandsOnly(finding.field) || isLinted(finding); });
    CheckResult text = linted(derived.script.batch, derived.profile);
    QList<Finding>& script = text.findings;
    // A text without changes can still say what the fields do not show to be wrong (a variable in a path, a
    // launcher's module); hints on how it is written are for those who write.
    if (derived.resolved.spec.overrides.isEmpty()
        || (!derived.author && derived.script.text() == derived.script.generated.text()))
        script.removeIf([](const Finding& finding) { return finding.severity == Severity::Hint; });
    return {joinedFindings(design, script), text.silenced};
}

QList<Finding> joinedFindings(const QList<Finding>& fields, const QList<Finding>& script)
{
    QList<Finding> all = moreSevere(fields, script, OnTie::Stays) + moreSevere(script, fields, OnTie::Goes);
    std::stable_sort(
        all.begin(), all.end(), [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
    return all;
}

CheckResult textFindings(const QString& text, const ClusterProfile* profile)
{
    return linted(parseBatch(text), profile);
}

JobSpec editedSpec(const Derived& derived, const QString& text)
{
    return editedSpec(derived.resolved.spec, derived.script, *derived.profile, text);
}

JobSpec editedSpec(const JobSpec& spec, const ClusterProfile& profile, const QString& text)
{
    return editedSpec(spec, writtenScript(resolve(spec, profile), profile), profile, text);
}

} // namespace rankwright::inline script
