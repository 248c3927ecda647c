// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/clicommand.h"

namespace rankwright {

/// The words and options after a command's name.
struct ParsedCommand {
    QStringList words;
    QMap<QString, QStringList> options; ///< as CliContext::options, without --json and --help
    bool json = false;
    bool help = false;
    QString mistake; ///< the first one, as a piece of a sentence: "unknown option --hots"; empty: none
};

/// Options may be before or after words, as `--name value` or `--name=value`; "--" ends them, "-" is a word.
ParsedCommand parseCommand(const CliCommand& command, const QStringList& arguments);

/// One line: "rankwright-cli script DESIGN", with all options but --json; those of the login in two words.
QString usageOf(const CliCommand& command);
/// What `COMMAND --help` prints: the usage, the summary, each option.
QString helpOf(const CliCommand& command);

} // namespace rankwright
