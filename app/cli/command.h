// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/catalogue/catalogue.h"

#include <QMultiMap>
#include <QTextStream>

namespace rankwright {

/// Exit codes that scripts rely on (docs/cli.md).
enum ExitCode { ExitDone = 0, ExitNo = 1, ExitUsage = 2, ExitUnreachable = 3 };

/// What a command is given: words, options and streams. Does not own the streams; lives for one call.
struct CliContext {
    QStringList positional; ///< without the command's own name
    QMultiMap<QString, QString> options; ///< without dashes; a flag has an empty value
    bool json = false;
    const Catalogue& catalogue;
    QTextStream& out; ///< the answer and nothing else
    QTextStream& err; ///< messages for people
    QString userCatalogue = {}; ///< folder of the user's own cluster files; empty: none

    bool has(const QString& option) const { return options.contains(option); }
    QString option(const QString& name, const QString& fallback = {}) const { return options.value(name, fallback); }
    QStringList all(const QString& name) const; ///< every value of a repeated option, in the order given
};

/// One subcommand. `options` lists what it takes beside --json and --help: words separated by blanks, "host=" with a
/// value, "wait" without, "identity=+" repeated, "upload=*" with several values. Anything else on the command line is a
/// usage error.
struct CliCommand {
    const char* name;
    const char* summary;
    const char* usage; ///< arguments and options as shown by --help: "DESIGN"
    int (*run)(const CliContext& context);
    const char* options = "";
    int minimumWords = 0; ///< positional words it needs at least
    int maximumWords = 64;
};

QList<CliCommand> offlineCommands(); ///< designcommands.cpp and clusterscommand.cpp
QList<CliCommand> networkCommands(); ///< networkcommands.cpp

/// Tells an error on one line: "rankwright-cli: what (detail); remedy". Returns `code`.
int report(const CliContext& context, const Error& error, int code = ExitUsage);

} // namespace rankwright

/// Options of every networked command, as CliCommand::options wants them.
#define RANKWRIGHT_LOGIN_OPTIONS "host= port= user= identity=+ jump= known-hosts= config= password-fd= data-dir="
