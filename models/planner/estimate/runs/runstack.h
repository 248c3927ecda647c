// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/runs/runwords.h"

namespace rankwright::inline planner {

namespace runs {
QString stackOf(const RunWords& words); ///< one of knownStacks()
bool isFsdp(const QString& stack); ///< one of PyTorch's own
/// Stacks that only train loaded models: torchtune, TRL, PEFT, axolotl, …
bool isTuner(const QString& stack);
bool namesTuner(const RunWords& words); ///< one of them, also where another engine (DeepSpeed) has its states
bool isMegatron(const QString& stack);
} // namespace runs

/// Names of the training stacks that rows are recognised as (docs/planner.md, "Table of runs").
QStringList knownStacks();

} // namespace rankwright::inline planner
