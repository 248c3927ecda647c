// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/lint/lintfacts.h"

namespace rankwright::inline script::lint {

/// "--gpus-per-node=8" or "--gres=gpu:a100:4", as the site spells it. Needs a profile and a node.
QString gpuRequestText(const LintFacts& facts, int gpus);

/// A partition of the site that shares nodes and would take the job as it is; null: none.
const Partition* sharedPartitionFor(const LintFacts& facts);

/// Why the job does not fit a partition of the site, one sentence each, with the option it lies at.
struct LimitBroken {
    const BatchOption* option = nullptr;
    QString text;
    QString value; ///< the most that fits, as the option takes it; empty: no single figure
};
QList<LimitBroken> brokenLimits(const LintFacts& facts, const Partition& partition);

} // namespace rankwright::inline script::lint
