// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/catalogue.h"

#include <QMap>
#include <QTextStream>

namespace rankwright {

/// Exit codes that scripts rely on (docs/cli.md).
enum ExitCode { ExitDone = 0, ExitNo = 1, ExitUsage = 2, ExitUnreachable = 3 };

/// What a command is given: words, options and streams. Does not own the streams; lives for one call.
struct CliContext {
    QStringList positional; ///< without the command's own name
    QMap<QString, QStringList> options; ///< without dashes, values in the order given; a flag has an empty value
    bool json = false;
    const Catalogue& catalogue;
    QTextStream& out; ///< the answer and nothing else
    QTextStream& err; ///< messages for people
    QString userCatalogue = {}; ///< folder of the user's own cluster files; empty: none

    bool has(const QString& option) const { return options.contains(option); }
    QString option(const QString& name, const QString& fallback = {}) const
    {
        return options.contains(name) ? options.value(name).last() : fallback;
    }
    /// Every value of a repeated option.
    QStringList all(const QString& name) const { return options.value(name); }
};

/// Reports an error on one line: "rankwright-cli: what (detail); remedy". Returns `code`.
int report(const CliContext& context, const Error& error, int code = ExitUsage);

} // namespace rankwright
