// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace rankwright {

CliCommand parseCommand(); ///< `parse log`: what a program printed, read without a cluster

} // namespace rankwright
