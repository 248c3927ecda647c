// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bind/fieldbinder.h"

namespace rankwright::inline script {

/// Modules, set-up lines, exported variables, working folder.
void bindEnvironment(BindState& state);

} // namespace rankwright::inline script
