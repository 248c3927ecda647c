// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace rankwright {

/// All subcommands in the order of the help text.
QList<CliCommand> allCommands();

/// The whole headless program but its streams: reads the command line (without the program's name), runs one command
/// and returns the exit code. `userCatalogue` is a folder of further cluster files.
int runCommandLine(const QStringList& arguments, QTextStream& out, QTextStream& err, const QString& userCatalogue = {});

} // namespace rankwright
