// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace rankwright {

/// `parse gpu [--tool NAME] [--command "LINE"] < OUTPUT` and `parse log < OUTPUT`: what an output tells.
CliCommand parseCommand();

} // namespace rankwright
