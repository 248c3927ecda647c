// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"

#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

/// A command line after reading: words, options, and the first mistake in it.
struct ParsedLine {
    QStringList words;
    QMultiMap<QString, QString> options;
    bool json = false;
    bool help = false;
    QString mistake;
};

/// How an option is declared by its command.
struct OptionForm {
    bool takesValue = false;
    bool repeats = false;
    bool takesList = false;
};

std::optional<OptionForm> formOf(const QString& name, const CliCommand& command)
{
    const QStringList declared = QString::fromLatin1(command.options).split(u' ', Qt::SkipEmptyParts);
    for (const QString& option : declared) {
        const qsizetype equals = option.indexOf(u'=');
        if (option.left(equals < 0 ? option.size() : equals) == name)
            return OptionForm{equals >= 0, option.endsWith(u'+') || option.endsWith(u'*'), option.endsWith(u'*')};
    }
    return {};
}

/// Further values of an option that takes a list: all words up to the next option, but those that the command itself
/// still needs.
void takeList(
    ParsedLine& line, const QStringList& arguments, qsizetype& at, const QString& name, const CliCommand& command)
{
    QStringList values;
    for (qsizetype next = at + 1; next < arguments.size() && !arguments.at(next).startsWith(u'-'); ++next)
        values.append(arguments.at(next));
    const bool isLast = at + 1 + values.size() >= arguments.size();
    const qsizetype needed = isLast ? qMax<qsizetype>(0, command.minimumWords - line.words.size()) : 0;
    for (qsizetype i = 0; i + needed < values.size(); ++i, ++at)
        line.options.insert(name, values.at(i));
}

/// Takes one "--name", "--name=value" or "--name value"; `at` moves over what was read.
void takeOption(ParsedLine& line, const QStringList& arguments, qsizetype& at, const CliCommand& command)
{
    const QString text = arguments.at(at);
    const qsizetype equals = text.indexOf(u'=');
    const QString name = text.mid(2, equals < 0 ? -1 : equals - 2);
    if (text == u"--json")
        line.json = true;
    else if (text == u"--help")
        line.help = true;
    if (text == u"--json" || text == u"--help")
        return;
    const std::optional<OptionForm> form = formOf(name, command);
    if (!form)
        line.mistake = u"unknown option --"_s + name;
    else if (!form->takesValue && equals >= 0)
        line.mistake = u"--%1 takes no value"_s.arg(name);
    else if (form->takesValue && equals < 0 && at + 1 >= arguments.size())
        line.mistake = u"--%1 needs a value"_s.arg(name);
    else if (!form->repeats && line.options.contains(name))
        line.mistake = u"--%1 is given twice"_s.arg(name);
    else if (!form->takesValue)
        line.options.insert(name, {});
    else
        line.options.insert(name, equals >= 0 ? text.mid(equals + 1) : arguments.at(++at));
    if (form && form->takesList && line.mistake.isEmpty())
        takeList(line, arguments, at, name, command);
}

ParsedLine parseLine(const QStringList& arguments, const CliCommand& command)
{
    ParsedLine line;
    bool onlyWords = false;
    for (qsizetype at = 0; at < arguments.size() && line.mistake.isEmpty(); ++at) {
        const QString& text = arguments.at(at);
        if (onlyWords || text == u"-" || !text.startsWith(u'-'))
            line.words.append(text);
        else if (text == u"--")
            onlyWords = true;
        else if (text == u"-h")
            line.help = true;
        else if (text.startsWith(u"--"))
            takeOption(line, arguments, at, command);
        else
            line.mistake = u"unknown option "_s + text;
    }
    if (line.mistake.isEmpty() && !line.help) {
        if (line.words.size() < command.minimumWords)
            line.mistake = u"too few arguments"_s;
        else if (line.words.size() > command.maximumWords)
            line.mistake = u"unexpected argument “%1”"_s.arg(line.words.at(command.maximumWords));
    }
    return line;
}

QString usageOf(const CliCommand& command)
{
    return u"rankwright-cli "_s + QLatin1String(command.name) + u' ' + QString::fromUtf8(command.usage);
}

void printHelp(QTextStream& out)
{
    out << u"Design, check and launch distributed GPU training jobs on Slurm clusters, without a window.\n\n"
           "Usage: rankwright-cli COMMAND [ARGUMENTS] [--json]\n\nCommands:\n"_s;
    const QList<CliCommand> commands = allCommands();
    for (const CliCommand& command : commands)
        out << u"  "_s << QString::fromLatin1(command.name).leftJustified(12) << QString::fromUtf8(command.summary)
            << u'\n';
    out << u"\nDESIGN is a design file (JSON), or - for standard input. `rankwright-cli COMMAND --help` tells more.\n"
           "Exit codes: 0 done, 1 the answer is no, 2 wrong usage or unreadable input, 3 cluster not reached.\n"_s;
}

void printCommandHelp(const CliCommand& command, QTextStream& out)
{
    out << u"Usage: "_s << usageOf(command) << u" [--json]\n\n"_s << QString::fromUtf8(command.summary) << u".\n"_s;
}

int usageError(QTextStream& err, const QString& what, const QString& remedy)
{
    err << u"rankwright-cli: "_s << what << u"; "_s << remedy << u'\n';
    return ExitUsage;
}

} // namespace

QStringList CliContext::all(const QString& name) const
{
    QStringList values = options.values(name); // newest first
    std::reverse(values.begin(), values.end());
    return values;
}

int report(const CliContext& context, const Error& error, int code)
{
    QString line = u"rankwright-cli: "_s + error.oneLine();
    line.replace(u'\n', u' ');
    context.err << line << u'\n';
    return code;
}

QList<CliCommand> allCommands() { return offlineCommands() + networkCommands(); }

int runCommandLine(const QStringList& arguments, QTextStream& out, QTextStream& err, const QString& userCatalogue)
{
    if (arguments.isEmpty())
        return usageError(err, u"no command given"_s, u"rankwright-cli --help lists them"_s);
    const QString name = arguments.first();
    if (name == u"--help" || name == u"-h" || name == u"help") {
        printHelp(out);
        return ExitDone;
    }
    if (name == u"--version") {
        out << u"rankwright-cli "_s << QLatin1String(RANKWRIGHT_VERSION) << u'\n';
        return ExitDone;
    }
    const QList<CliCommand> commands = allCommands();
    const auto command = std::find_if(
        commands.cbegin(), commands.cend(), [&](const CliCommand& one) { return name == QLatin1String(one.name); });
    if (command == commands.cend())
        return usageError(err, u"unknown command “%1”"_s.arg(name), u"rankwright-cli --help lists them"_s);
    const ParsedLine line = parseLine(arguments.mid(1), *command);
    if (!line.mistake.isEmpty())
        return usageError(err, line.mistake, u"usage: "_s + usageOf(*command));
    if (line.help) {
        printCommandHelp(*command, out);
        return ExitDone;
    }
    const Catalogue catalogue = loadCatalogue(userCatalogue);
    const CliContext context{line.words, line.options, line.json, catalogue, out, err, userCatalogue};
    for (const Error& fault : catalogue.faults + catalogue.warnings)
        report(context, fault);
    return command->run(context);
}

} // namespace rankwright
