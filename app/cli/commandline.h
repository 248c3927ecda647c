// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/clicommand.h"

namespace rankwright {

/// The whole headless program but its commands and streams: takes the command line (without the program's name), runs
/// the command that it names and returns the exit code. `userCatalogue` is a folder of further cluster files.
int runCommandLine(const QList<CliCommand>& commands, const QStringList& arguments, QTextStream& out, QTextStream& err,
    const QString& userCatalogue = {});

} // namespace rankwright
