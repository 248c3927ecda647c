// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/jobspec.h"

namespace rankwright::inline planner {

/// What people call a strategy: "DDP", "ZeRO-3", "FSDP", "3D". In files and on the command line it is toText()'s.
QString strategyName(Strategy strategy);

/// Do ranks hold parts of layers or some of the layers, rather than all of them?
inline bool splitsLayers(Strategy strategy)
{
    return strategy == Strategy::Tensor || strategy == Strategy::Pipeline || strategy == Strategy::ThreeD;
}

} // namespace rankwright::inline planner
