// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/clicommand.h"

namespace rankwright {

// Files both ways, each in the file of its name.
CliCommand filesCommand();
CliCommand uploadCommand();
CliCommand putCommand(); ///< as upload, any number of paths
CliCommand downloadCommand();
CliCommand getCommand(); ///< as download, any number of paths
CliCommand outputsCommand(); ///< what a job wrote: its output files and their text

} // namespace rankwright
