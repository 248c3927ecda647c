// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace rankwright {

/// `check`: a design against its cluster, or the text of a batch script against one named by --cluster.
CliCommand checkCommand();

} // namespace rankwright
