// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/batch/optionwords.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

using Argument = SlurmOption::Argument;
using Why = LostDirective::Why;

class OptionReader {
public:
    OptionReader(const QList<OptionWord>& words, qsizetype from, SlurmOption::Of command)
        : m_words(words), m_command(command)
    {
        m_out.next = from;
    }

    ReadOptions read()
    {
        while (m_out.next < m_words.size()) {
            const OptionWord& word = m_words.at(m_out.next);
            if (word.value == u"--") {
                ++m_out.next;
                break;
            }
            if (!word.value.startsWith(u'-') || word.value == u"-")
                break;
            if (word.value.startsWith(u"--"))
                readLong(word);
            else
                readShort(word);
        }
        return m_out;
    }

private:
    static BatchOption started(const OptionWord& word, const QString& name, const QString& typed)
    {
        BatchOption option;
        option.name = name;
        option.typedName = typed;
        option.written = word.text;
        option.line = word.line;
        option.column = word.column;
        option.endColumn = word.endColumn;
        return option;
    }

    void fault(Why why, const OptionWord& word, const BatchOption& option)
    {
        m_out.faults.append({why, word.line, word.column, word.endColumn, word.text, {option}});
    }

    static void giveValue(BatchOption& option, const OptionWord& word, qsizetype behind)
    {
        option.hasValue = true;
        option.value = word.value.mid(behind);
        option.valueColumn = word.column + static_cast<int>(behind);
        option.valueEndColumn = word.endColumn;
        if (word.word)
            option.word = behind == 0 ? *word.word : wordBehind(*word.word, behind);
    }

    /// The next word as the value of an option that needs one.
    bool readNext(BatchOption& option)
    {
        if (m_out.next + 1 >= m_words.size())
            return false;
        const OptionWord& value = m_words.at(++m_out.next);
        giveValue(option, value, 0);
        option.written += u' ' + value.text;
        if (value.line == option.line)
            option.endColumn = value.endColumn;
        return true;
    }

    void readLong(const OptionWord& word)
    {
        const qsizetype equals = word.value.indexOf(u'=');
        const QString typed = equals < 0 ? word.value : word.value.left(equals);
        const SlurmOption* known = findSlurmOption(typed.mid(2), m_command);
        BatchOption option = started(word, known != nullptr ? known->name : typed.mid(2), typed);
        option.known = known != nullptr;
        if (equals >= 0)
            giveValue(option, word, equals + 1);
        if (known == nullptr)
            fault(slurmOptionsBeginning(typed.mid(2), m_command).size() > 1 ? Why::Ambiguous : Why::UnknownOption, word,
                option);
        else if (equals >= 0 && known->argument == Argument::None)
            fault(Why::ExtraValue, word, option);
        else if (equals < 0 && known->argument == Argument::Required && !readNext(option))
            fault(Why::NoValue, word, option);
        ++m_out.next;
        m_out.options.append(option);
    }

    void readShort(const OptionWord& word)
    {
        for (qsizetype at = 1; at < word.value.size(); ++at) {
            const SlurmOption* known = findSlurmOption(word.value.at(at), m_command);
            const QString typed = u'-' + word.value.at(at);
            BatchOption option = started(word, known != nullptr ? known->name : typed.mid(1), typed);
            option.known = known != nullptr;
            if (known == nullptr) {
                fault(Why::UnknownOption, word, option);
                m_out.options.append(option);
                break; // the rest cannot be distinguished from a value
            }
            const bool last = at + 1 == word.value.size();
            if (known->argument != Argument::None && !last)
                giveValue(option, word, at + 1);
            else if (known->argument == Argument::Required && last && !readNext(option))
                fault(Why::NoValue, word, option);
            m_out.options.append(option);
            if (known->argument != Argument::None)
                break;
        }
        ++m_out.next;
    }

    const QList<OptionWord>& m_words;
    SlurmOption::Of m_command;
    ReadOptions m_out;
};

} // namespace

ReadOptions readOptionWords(const QList<OptionWord>& words, qsizetype from, SlurmOption::Of command)
{
    return OptionReader(words, from, command).read();
}

ShellWord wordBehind(const ShellWord& word, qsizetype count)
{
    ShellWord rest = word;
    rest.value = word.value.mid(count);
    rest.text = word.text.startsWith(word.value.left(count)) ? word.text.mid(count) : rest.value;
    rest.expansions.clear();
    for (Expansion expansion : word.expansions) {
        expansion.at -= count;
        if (expansion.at >= 0)
            rest.expansions.append(expansion);
    }
    rest.origins = word.origins.mid(count);
    rest.begin = word.end - rest.text.size();
    if (word.line == word.lastLine)
        rest.column = word.column + static_cast<int>(rest.begin - word.begin);
    return rest;
}

OptionWord optionWord(const ShellWord& word)
{
    const int end = word.column + static_cast<int>(word.end - word.begin);
    return {word.value, word.text, word.line, word.column, end, word};
}

} // namespace rankwright::inline script
