// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bind/fieldbinder.h"

namespace rankwright::inline script {

/// The program that trains, its arguments, and the launcher's rendezvous.
void bindCommandFields(BindState& state);

} // namespace rankwright::inline script
