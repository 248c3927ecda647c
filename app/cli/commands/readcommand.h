// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace rankwright {

/// `read --cluster C SCRIPT.sh [--exact]`: a hand-written batch script as a design.
CliCommand readCommand();

} // namespace rankwright
