// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bind/fieldbinder.h"

namespace rankwright::inline script {

/// The image of a container, folders bound into it, and the image of a user environment: "environment.container",
/// "environment.binds", "environment.uenv", each only where the script has it.
void bindImages(BindState& state);

} // namespace rankwright::inline script
