// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cliparser.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

QString nameOf(const CliOption& option) { return QString::fromUtf8(option.name); }

QString valueOf(const CliOption& option) { return QString::fromUtf8(option.value); }

/// The line of one command: declared from its table, parsed by CLI11, faults in this program's words.
class CommandLineParser {
public:
    explicit CommandLineParser(const CliCommand& command) : m_command(command)
    {
        m_app.set_help_flag(); // a flag as others are: --help is also answered where words are missing
        m_app.add_flag("--json")->disable_flag_override();
        m_app.add_flag("-h,--help")->disable_flag_override();
        for (const CliOption& option : command.options)
            declare(option);
        // An option that takes a list leaves the words that are required.
        m_words = m_app.add_option("words", m_values["words"])
                      ->expected(std::max(1, command.minimumWords), std::max(1, command.maximumWords))
                      ->required(command.minimumWords > 0);
    }

    ParsedCommand parse(const QStringList& arguments)
    {
        ParsedCommand parsed;
        try {
            m_app.parse(reversed(arguments));
        } catch (const CLI::ArgumentMismatch& error) {
            // The first word of its sentence is the option: "--past: 1 required TEXT missing".
            parsed.mistake = valueMistake(QString::fromStdString(error.what()).section(u':', 0, 0), arguments);
        } catch (const CLI::ParseError& error) { // missing and surplus words: mistakeIn() has its own sentences
            parsed.mistake = QString::fromStdString(error.what());
        }
        parsed.json = m_app.count("--json") > 0;
        parsed.help = m_app.count("--help") > 0;
        for (const CliOption& option : m_command.options) {
            if (const CLI::Option* read = m_app.get_option(longName(option)); read->count() > 0)
                parsed.options.insert(nameOf(option), isFlag(option) ? QStringList{QString()} : texts(read->results()));
        }
        parsed.words = texts(m_words->results());
        if (const QString mistake = mistakeIn(parsed); !mistake.isEmpty())
            parsed.mistake = mistake;
        else if (parsed.words.size() < m_command.minimumWords) // and --help is asked for
            parsed.mistake.clear();
        return parsed;
    }

private:
    static std::string longName(const CliOption& option) { return std::string("--") + option.name; }
    static bool isFlag(const CliOption& option) { return *option.value == '\0'; }

    static QStringList texts(const std::vector<std::string>& words)
    {
        QStringList all;
        for (const std::string& word : words)
            all.append(QString::fromStdString(word));
        return all;
    }

    /// As App::parse() takes it: the last one first. "--name=" has a value, an empty one, which CLI11 takes for none.
    static std::vector<std::string> reversed(const QStringList& arguments)
    {
        const qsizetype end = arguments.indexOf(u"--"_s);
        std::vector<std::string> line;
        for (qsizetype at = arguments.size() - 1; at >= 0; --at) {
            const QString& text = arguments.at(at);
            const bool isEmptyValue
                = text.startsWith(u"--") && text.indexOf(u'=') == text.size() - 1 && (end < 0 || at < end);
            if (isEmptyValue)
                line.emplace_back();
            line.push_back((isEmptyValue ? text.chopped(1) : text).toStdString());
        }
        return line;
    }

    void declare(const CliOption& option)
    {
        if (isFlag(option)) {
            m_app.add_flag(longName(option))->disable_flag_override();
            return;
        }
        CLI::Option* declared = m_app.add_option(longName(option), m_values[longName(option)]);
        declared->take_all();
        if (option.takes == CliOption::List)
            declared->expected(1, CLI::detail::expected_max_vector_size);
        else
            declared->expected(1)->allow_extra_args(false);
    }

    /// An option without its value, or a flag with one.
    QString valueMistake(const QString& option, const QStringList& arguments) const
    {
        for (const CLI::Option* declared : m_app.get_options()) {
            const QString name = QString::fromStdString(declared->get_name());
            const bool hasValue = std::any_of(arguments.cbegin(), arguments.cend(),
                [&](const QString& text) { return text.startsWith(name + u'='); });
            if (declared->get_items_expected_max() == 0 && hasValue)
                return name + u" takes no value"_s;
        }
        return option + u" needs a value"_s;
    }

    QString mistakeIn(const ParsedCommand& parsed) const
    {
        QStringList rest = texts(m_app.remaining());
        rest.removeAll(u"--"_s);
        for (const QString& text : rest) {
            if (text.startsWith(u'-') && text != u"-")
                return u"unknown option "_s + text.section(u'=', 0, 0);
        }
        for (const CliOption& option : m_command.options) {
            if (option.takes == CliOption::Once && m_app.count(longName(option)) > 1)
                return u"--%1 is given twice"_s.arg(nameOf(option));
        }
        if (!parsed.mistake.isEmpty() && parsed.mistake.startsWith(u"--"))
            return parsed.mistake;
        if (parsed.help)
            return {};
        if (parsed.words.size() < m_command.minimumWords)
            return u"too few arguments"_s;
        const QStringList words = parsed.words + rest;
        if (words.size() > m_command.maximumWords)
            return u"unexpected argument “%1”"_s.arg(words.at(m_command.maximumWords));
        return {};
    }

    const CliCommand& m_command;
    std::map<std::string, std::vector<std::string>> m_values; ///< where CLI11 puts them
    CLI::App m_app;
    CLI::Option* m_words = nullptr;
};

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
    return CommandLineParser(command).parse(arguments);
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
