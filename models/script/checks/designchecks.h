// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/batchplan.h"
#include "models/planner/design/rankplaces.h"

#include <functional>

namespace rankwright::inline planner {
struct DesignEstimate;
struct Remedy;
} // namespace rankwright::inline planner

namespace rankwright::inline script {

enum class Severity { Error, Warning, Hint };

/// A change of the design that cures a finding, applied by one click as one undo step.
struct Fix {
    QString label; ///< "Use standard-g"
    std::function<void(JobSpec&)> apply;
};

struct WrittenScript;

struct Finding {
    Severity severity = Severity::Warning;
    QString rule; ///< "L35", or "R..." of ours
    QString slug; ///< "partition-limit"
    FieldPath field; ///< where to look; may be empty
    int line = -1; ///< script line, 0 based; -1: none
    QString text; ///< one sentence a colleague would say, with the figures
    std::optional<Fix> fix;
    QString source;
    QList<Fix> otherFixes = {}; ///< further changes, each of which cures it, too

    QStringList fixLabels() const; ///< of fix and otherFixes
};

QString toText(Severity severity); ///< "error", "warning", "hint"

/// Checks a design against its cluster. Order: errors first, then as the form shows the fields (formOrder).
QList<Finding> check(const ResolvedSpec& resolved, const ClusterProfile& profile);
/// The same with a script and an estimate that are there already.
QList<Finding> check(const ResolvedSpec& resolved, const ClusterProfile& profile, const WrittenScript& script,
    const Result<DesignEstimate>& estimate, const QList<Remedy>& cures);

} // namespace rankwright::inline script
