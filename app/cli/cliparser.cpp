// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cliparser.h"

#include <QCommandLineParser>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

QString nameOf(const CliOption& option) { return QString::fromUtf8(option.name); }

QString valueOf(const CliOption& option) { return QString::fromUtf8(option.value); }

const CliOption* optionNamed(const CliCommand& command, const QString& name)
{
    const auto found = std::find_if(command.options.cbegin(), command.options.cend(),
        [&](const CliOption& option) { return nameOf(option) == name; });
    return found == command.options.cend() ? nullptr : &*found;
}

void declareOptions(QCommandLineParser& parser, const CliCommand& command)
{
    parser.addOption(QCommandLineOption(u"json"_s));
    parser.addOption(QCommandLineOption(QStringList{u"h"_s, u"help"_s}));
    for (const CliOption& option : command.options)
        parser.addOption(QCommandLineOption(nameOf(option), {}, valueOf(option)));
}

/// QCommandLineParser knows no options with several values: "--upload a b" becomes "--upload a --upload=b". At the end
/// of the line the words that the command still needs are left to it.
QStringList withListsSpread(const CliCommand& command, const QStringList& arguments)
{
    QStringList spread;
    for (qsizetype at = 0; at < arguments.size(); ++at) {
        const QString& text = arguments.at(at);
        spread.append(text);
        if (text == u"--")
            return spread + arguments.mid(at + 1);
        const QString name = text.startsWith(u"--") ? text.mid(2).section(u'=', 0, 0) : QString();
        const CliOption* option = optionNamed(command, name);
        if (!option || option->takes != CliOption::List)
            continue;
        QCommandLineParser before;
        declareOptions(before, command);
        before.parse(QStringList{QString()} + spread.mid(0, spread.size() - 1));
        if (!text.contains(u'=') && at + 1 < arguments.size())
            spread.append(arguments.at(++at));
        qsizetype end = at + 1;
        while (end < arguments.size() && !arguments.at(end).startsWith(u'-'))
            ++end;
        if (end == arguments.size())
            end -= std::clamp<qsizetype>(
                command.minimumWords - before.positionalArguments().size(), 0, arguments.size() - at - 1);
        while (at + 1 < end)
            spread.append(u"--%1=%2"_s.arg(name, arguments.at(++at)));
    }
    return spread;
}

/// As it was typed: "--hots", or "-x".
QString typedOption(const QString& unknown, const QStringList& arguments)
{
    const QString typed = u"--"_s + unknown;
    for (const QString& text : arguments) {
        if (text.section(u'=', 0, 0) == typed)
            return typed;
    }
    for (const QString& text : arguments) {
        if (text.startsWith(u'-') && !text.startsWith(u"--") && text.contains(unknown))
            return text;
    }
    return typed;
}

/// Of a line that cannot be parsed although all its options are known.
QString valueMistake(const CliCommand& command, const QStringList& arguments)
{
    for (const QString& text : arguments) {
        const QString name = text.mid(2).section(u'=', 0, 0);
        const CliOption* option = optionNamed(command, name);
        const bool isFlag = option ? valueOf(*option).isEmpty() : name == u"json" || name == u"help";
        if (text.startsWith(u"--") && text.contains(u'=') && isFlag)
            return u"--%1 takes no value"_s.arg(name);
    }
    return u"%1 needs a value"_s.arg(arguments.last());
}

QString mistakeIn(
    const QCommandLineParser& parser, bool isParsed, const CliCommand& command, const QStringList& arguments)
{
    if (!parser.unknownOptionNames().isEmpty())
        return u"unknown option "_s + typedOption(parser.unknownOptionNames().first(), arguments);
    if (!isParsed)
        return valueMistake(command, arguments);
    for (const CliOption& option : command.options) {
        if (option.takes == CliOption::Once && parser.optionNames().count(nameOf(option)) > 1)
            return u"--%1 is given twice"_s.arg(nameOf(option));
    }
    if (parser.isSet(u"help"_s))
        return {};
    const QStringList words = parser.positionalArguments();
    if (words.size() < command.minimumWords)
        return u"too few arguments"_s;
    if (words.size() > command.maximumWords)
        return u"unexpected argument “%1”"_s.arg(words.at(command.maximumWords));
    return {};
}

/// "--host HOST", "--upload PATH..."
QString formOf(const CliOption& option)
{
    QString form = u"--"_s + nameOf(option);
    if (!valueOf(option).isEmpty())
        form += u' ' + valueOf(option);
    return option.takes == CliOption::List ? form + u"..."_s : form;
}

void addRows(QString& help, const QString& title, const QList<std::pair<QString, QString>>& rows)
{
    if (rows.isEmpty())
        return;
    help += u'\n' + title + u":\n"_s;
    for (const auto& [form, text] : rows) {
        const QString line = u"  "_s + form.leftJustified(24) + u' ' + text;
        help += (text.isEmpty() ? u"  "_s + form : line) + u'\n';
    }
}

} // namespace

ParsedCommand parseCommand(const CliCommand& command, const QStringList& arguments)
{
    const QStringList spread = withListsSpread(command, arguments);
    QCommandLineParser parser;
    declareOptions(parser, command);
    const bool isParsed = parser.parse(QStringList{QString()} + spread); // the first is the program's name
    ParsedCommand parsed;
    parsed.mistake = mistakeIn(parser, isParsed, command, spread);
    parsed.words = parser.positionalArguments();
    parsed.json = parser.isSet(u"json"_s);
    parsed.help = parser.isSet(u"help"_s);
    for (const CliOption& option : command.options) {
        if (parser.isSet(nameOf(option)))
            parsed.options.insert(
                nameOf(option), valueOf(option).isEmpty() ? QStringList{QString()} : parser.values(nameOf(option)));
    }
    return parsed;
}

QString usageOf(const CliCommand& command)
{
    QStringList parts{u"rankwright-cli"_s, QString::fromUtf8(command.name), QString::fromUtf8(command.words)};
    bool logsIn = false;
    for (const CliOption& option : command.options) {
        logsIn = logsIn || option.isOfLogin;
        if (option.isOfLogin)
            continue;
        const QString form = option.isNeeded ? formOf(option) : u'[' + formOf(option) + u']';
        parts.append(option.takes == CliOption::Repeated ? form + u"..."_s : form);
    }
    if (logsIn)
        parts.append(u"[connection options]"_s);
    parts.removeAll(QString());
    return parts.join(u' ');
}

QString helpOf(const CliCommand& command)
{
    QList<std::pair<QString, QString>> own, login;
    for (const CliOption& option : command.options)
        (option.isOfLogin ? login : own).append({formOf(option), QString::fromUtf8(option.text)});
    own.append({u"--json"_s, u"the answer as one JSON document"_s});
    QString help = u"Usage: "_s + usageOf(command) + u" [--json]\n\n"_s + QString::fromUtf8(command.summary) + u".\n"_s;
    addRows(help, u"Options"_s, own);
    addRows(help, u"Connection options, else the catalogue's and ~/.ssh/config's"_s, login);
    return help;
}

} // namespace rankwright
