// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/network/modelshape.h"

namespace rankwright::inline planner {

/// A typical dense decoder (Llama-like blocks, 4096 context) with about this many parameters: figures rounded as
/// published models have them; `assumed` is set and `note` says it. Fails outside 10^5 .. 10^14.
Result<ModelShape> typicalShape(double parameters);

} // namespace rankwright::inline planner
