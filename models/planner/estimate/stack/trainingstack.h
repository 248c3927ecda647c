// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/stack/stackmemory.h"

namespace rankwright::inline planner {

/// The defaults of one training stack (framework and its usual settings): named, sourced data
/// (resources/planner/stacks-memory.json; how fast it runs: stackSpeed()), never a fudge factor per run.
struct TrainingStack {
    QString name; ///< "fsdp2", "megatron-deepspeed"
    StackMemory memory;
};

/// Null: no such stack.
const TrainingStack* trainingStack(const QString& name);

} // namespace rankwright::inline planner
