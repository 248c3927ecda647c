// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/gpusample.h"

#include <optional>

namespace rankwright::inline insight {

/// Moments that clocks can mean: 2000 to 2100. Others come from a clock that is broken.
bool isPlausibleTime(qint64 ms);
/// The tick as a history keeps it: with a moment (the node's clock, else `arrivedMs`), each GPU once, none with an
/// index that no node has. Empty: nothing is left, or no moment is given.
std::optional<NodeTick> keptTick(const NodeTick& tick, qint64 arrivedMs);
/// Adds GPUs of `more` that `tick` does not have: lines of one moment (a node of many GPUs sends several). False: there
/// was nothing new.
bool addGpus(NodeTick& tick, const NodeTick& more);

} // namespace rankwright::inline insight
