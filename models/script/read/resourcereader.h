// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/read/readstate.h"

namespace rankwright::inline script {

void readDirectiveFields(ReadState& state); ///< job name, account, partition, time, options
void readSize(ReadState& state); ///< nodes, GPUs, cores, memory

} // namespace rankwright::inline script
