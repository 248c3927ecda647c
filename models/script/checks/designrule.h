// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/cost.h"
#include "models/script/checks/designchecks.h"
#include "models/script/checks/fix.h"
#include "models/script/write/scriptwriter.h"

namespace rankwright::inline script {

// The parts of check(): each file of rules gives its table, check() puts them together.

/// What a rule looks at. The spec is what the user wrote, the resolved form what would run.
struct RuleContext {
    const ResolvedSpec& resolved;
    const JobSpec& spec;
    const ClusterProfile& profile;
    BatchPlan batch;
    CostQuote cost;
    const WrittenScript& script;

    bool knowsSite() const { return !profile.name.isEmpty() && !resolved.node.name.isEmpty(); }
};

/// One place where a rule is broken.
struct RuleHit {
    FieldPath field;
    QString text;
    std::optional<Fix> fix = std::nullopt;
    std::optional<Severity> severity = std::nullopt; ///< when it differs from the rule's own
    QList<Fix> otherFixes = {}; ///< further changes, each of which cures it, too
};

struct DesignRule : Rule {
    QList<RuleHit> (*check)(const RuleContext&) = nullptr;
};

QList<DesignRule> clusterChecks(); ///< cluster, account, partition limits
QList<DesignRule> shareChecks(); ///< GPUs, cores and memory of a node, and what they are billed as
QList<DesignRule> trainingChecks(); ///< strategy, launcher, batch, precision
QList<DesignRule> passingChecks(); ///< figures of the design that do not reach the program
QList<DesignRule> optionChecks(); ///< signal, requeue, arrays, log names: the life of a job beside its run
QList<DesignRule> overrideChecks(); ///< lines of the user's own that disagree with the fields
QList<DesignRule> textChecks(); ///< variables, commands, names: what ends up as text in the script

} // namespace rankwright::inline script
