// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace rankwright {

/// `recordings list|show|export|delete`: what was kept of watched jobs. Needs no network.
CliCommand recordingsCommand();

} // namespace rankwright
