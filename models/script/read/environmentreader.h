// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/read/readstate.h"

namespace rankwright::inline script {

/// Modules, variables, and all lines that no reader before has understood: comes last.
void readSurroundings(ReadState& state);

} // namespace rankwright::inline script
