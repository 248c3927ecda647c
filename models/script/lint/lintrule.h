// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/checks/fix.h"
#include "models/script/lint/lint.h"
#include "models/script/lint/lintfacts.h"
#include "models/script/lint/lintfixes.h"

namespace rankwright::inline script::lint {

// The parts of lintScript(): each file of rules gives its table, lintScript() puts them together.

/// One place where a rule is broken.
struct Hit {
    int line = 0;
    QString text;
    std::optional<Fix> fix = std::nullopt;
    std::optional<Severity> severity = std::nullopt; ///< when it differs from the rule's own
    int lastLine = 0; ///< 0: the same line
};
using Hits = QList<Hit>;

struct LintRule : Rule {
    Hits (*check)(const LintFacts&) = nullptr;
};

QList<LintRule> directiveRules(); ///< how the #SBATCH lines are written
QList<LintRule> valueRules(); ///< what is in them: times, sizes, names
QList<LintRule> requestRules(); ///< GPUs, tasks, memory: what is asked for as a whole
QList<LintRule> siteRequestRules(); ///< the same against the cluster: node, share, partition, account
QList<LintRule> siteRules(); ///< cluster, account, partition
QList<LintRule> bindingRules(); ///< CPU masks of srun
QList<LintRule> launchRules(); ///< who starts how many processes
QList<LintRule> rendezvousRules(); ///< where the ranks meet: address, port, rendezvous
QList<LintRule> torchrunRules(); ///< the same, torchrun's options
QList<LintRule> variableRules(); ///< what is set where, and when it is expanded
QList<LintRule> environmentRules(); ///< names and values of variables, containers, vendor's names
QList<LintRule> networkRules(); ///< network variables, containers, caches
QList<LintRule> shellRules(); ///< syntax and quoting
QList<LintRule> commandRules(); ///< commands that do not exist, values that are never there
QList<LintRule> slipRules(); ///< slips of the shell after which other things run than were meant
QList<LintRule> processRules(); ///< more or fewer processes than their starters can place
QList<LintRule> exitRules(); ///< exit status and signals
QList<LintRule> lifecycleRules(); ///< helper files, requeue, monitors, further steps
QList<LintRule> fileRules(); ///< characters of the file, secrets, places left to be filled in

} // namespace rankwright::inline script::lint
