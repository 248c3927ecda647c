// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"

#include "app/cli/cliparser.h"
#include "app/cli/harmlessoutput.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

void printHelp(const QList<CliCommand>& commands, QTextStream& out)
{
    out << u"Design, check and launch distributed GPU training jobs on Slurm clusters, without a window.\n\n"
           "Usage: rankwright-cli COMMAND [ARGUMENTS] [--json]\n\nCommands:\n"_s;
    for (const CliCommand& command : commands)
        out << u"  "_s << QString::fromLatin1(command.name).leftJustified(12) << QString::fromUtf8(command.summary)
            << u'\n';
    out << u"\nDESIGN is a design file (JSON), or - for standard input. `rankwright-cli COMMAND --help` shows more.\n"
           "Exit codes: 0 done, 1 the answer is no, 2 wrong usage or unreadable input, 3 cluster not reached.\n"_s;
}

int usageError(QTextStream& err, const QString& what, const QString& remedy)
{
    err << u"rankwright-cli: "_s << what << u"; "_s << remedy << u'\n';
    return ExitUsage;
}

} // namespace

/// On streams that are safe to write anything to.
static int runFiltered(const QList<CliCommand>& commands, const QStringList& arguments, QTextStream& out,
    QTextStream& err, const QString& userCatalogue)
{
    if (arguments.isEmpty())
        return usageError(err, u"no command given"_s, u"rankwright-cli --help lists them"_s);
    const QString& name = arguments.first();
    if (name == u"--help" || name == u"-h" || name == u"help") {
        printHelp(commands, out);
        return ExitDone;
    }
    if (name == u"--version") {
        out << u"rankwright-cli "_s << QLatin1String(RANKWRIGHT_VERSION) << u'\n';
        return ExitDone;
    }
    const auto command = std::find_if(
        commands.cbegin(), commands.cend(), [&](const CliCommand& one) { return name == QLatin1String(one.name); });
    if (command == commands.cend())
        return usageError(err, u"unknown command “%1”"_s.arg(name), u"rankwright-cli --help lists them"_s);
    const ParsedCommand parsed = parseCommand(*command, arguments.mid(1));
    if (!parsed.mistake.isEmpty())
        return usageError(err, parsed.mistake, u"usage: "_s + usageOf(*command));
    if (parsed.help) {
        out << helpOf(*command);
        return ExitDone;
    }
    const Catalogue catalogue = loadCatalogue(userCatalogue);
    const CliContext context{parsed.words, parsed.options, parsed.json, catalogue, out, err, userCatalogue};
    for (const Error& fault : catalogue.faults + catalogue.warnings)
        report(context, fault);
    return command->run(context);
}

static bool answersInJson(const QList<CliCommand>& commands, const QStringList& arguments)
{
    const auto command = std::find_if(commands.cbegin(), commands.cend(),
        [&](const CliCommand& one) { return arguments.value(0) == QLatin1String(one.name); });
    return command != commands.cend() && (command->printsJson || parseCommand(*command, arguments.mid(1)).json);
}

int runCommandLine(const QList<CliCommand>& commands, const QStringList& arguments, QTextStream& out, QTextStream& err,
    const QString& userCatalogue)
{
    HarmlessOutput safeOut(
        out, answersInJson(commands, arguments) ? HarmlessOutput::Kind::Json : HarmlessOutput::Kind::Text);
    HarmlessOutput safeErr(err, HarmlessOutput::Kind::Text);
    QTextStream outStream(&safeOut);
    QTextStream errStream(&safeErr);
    const int code = runFiltered(commands, arguments, outStream, errStream, userCatalogue);
    outStream.flush();
    errStream.flush();
    return code;
}

} // namespace rankwright
