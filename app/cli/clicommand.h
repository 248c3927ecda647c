// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/clicontext.h"

#include <QList>

namespace rankwright {

/// One option of a command. The parser, the usage line and --help are made from it.
struct CliOption {
    enum Takes {
        Once,
        Repeated, ///< may be given several times
        List, ///< takes all words up to the next option, and may be given several times
    };
    const char* name; ///< without dashes
    const char* value = ""; ///< what it takes, as --help calls it: "FILE"; empty: it is a flag
    const char* text = ""; ///< what it does, for --help
    Takes takes = Once;
    bool isNeeded = false; ///< not optional; the command itself looks
    bool isOfLogin = false; ///< one of loginOptions()
};

/// One subcommand. What is neither a word nor an option of it, nor --json or --help, is a usage error.
struct CliCommand {
    const char* name;
    const char* summary;
    const char* words = ""; ///< what it takes beside options, as --help calls it: "CLUSTER JOB"
    int (*run)(const CliContext& context) = nullptr;
    bool printsJson = false; ///< its answer is JSON without being asked for it
    QList<CliOption> options = {};
    int minimumWords = 0; ///< words it needs at least
    int maximumWords = 64;
};

} // namespace rankwright
