// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/batch/batchtext.h"

namespace rankwright {

/// Fills launches: every command that starts tasks, layer by layer, with variables replaced where their value is
/// certain. Directives, shell text and variables must have been read.
void readLaunches(BatchText& batch);

} // namespace rankwright
