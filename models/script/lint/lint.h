// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/script/batch/batchtext.h"
#include "models/script/checks/designchecks.h"

namespace rankwright::inline script {

/// Whole lines of a script replaced by others. Lines count from 1; `last` before `first` inserts before `first`.
struct LineEdit {
    int first = 1;
    int last = 0;
    QStringList lines;
    bool operator==(const LineEdit&) const = default;
};

/// A change of the text that cures a finding, applied by one click as one undo step. Edits are in order and do not
/// overlap; all line numbers are those of the text before the change.
struct TextFix {
    QString label; ///< "Remove the line"
    QList<LineEdit> edits;
    bool operator==(const TextFix&) const = default;
};

/// What the linter says of one place in a script.
struct LintFinding {
    Severity severity = Severity::Warning;
    QString rule; ///< "L09", or "R2.." of ours
    QString slug; ///< "gpus-per-task"
    int line = 0; ///< counts from 1, as in BatchText; 0: the script as a whole
    int lastLine = 0; ///< of the place
    FieldPath field; ///< of a design, where one fits; may be empty
    QString text; ///< one sentence with the figures: what, and what to do
    std::optional<TextFix> fix;
    QString source;
};

/// One rule as shown in docs/lint.md. Several may share an id: the id names the mistake, the slug its form.
struct LintRuleInfo {
    QString id;
    QString slug;
    Severity severity = Severity::Warning; ///< the usual one; a finding may have another, the text then says why
    QString what; ///< what it detects
    QString reason; ///< why it has this severity, and when a finding has another
    QString source;
    bool needsSite = false; ///< silent without a cluster profile
};

/// All rules, by id.
QList<LintRuleInfo> lintRules();

/// Checks the text of a batch script, written by anybody, against Slurm, the launchers and, when `profile` is not null,
/// against the cluster. In order of lines, errors first within a line. Linear in the length of the text; never fails.
/// Without what comments in the script silence.
QList<LintFinding> lintScript(const BatchText& batch, const ClusterProfile* profile = nullptr);

/// The same, with what “# rankwright: ignore RULE…” silences, on the same line or on the line before.
struct LintOutcome {
    QList<LintFinding> findings;
    QList<LintFinding> silenced;
};
LintOutcome lintOutcome(const BatchText& batch, const ClusterProfile* profile = nullptr);

/// The text after a fix. Lines that no edit names stay as they are, with their own line ends.
QString applyFix(const QString& text, const TextFix& fix);

} // namespace rankwright::inline script
