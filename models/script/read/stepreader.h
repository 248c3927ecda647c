// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/read/readstate.h"

namespace rankwright::inline script {

void readStep(ReadState& state); ///< container, binding, other options of srun, what each task does

} // namespace rankwright::inline script
