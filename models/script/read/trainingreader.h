// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/read/readstate.h"

namespace rankwright::inline script {

void findTrainingLaunch(ReadState& state); ///< comes before all other readers
void readTraining(ReadState& state); ///< launcher, strategy, degrees, command

} // namespace rankwright::inline script
