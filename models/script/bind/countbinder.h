// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bind/fieldbinder.h"

namespace rankwright::inline script {

/// Nodes, GPUs, tasks, processes, cores: what says a number, and the number that the job has.
void bindCounts(BindState& state);

} // namespace rankwright::inline script
