// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/batch/batchtext.h"

#include "models/script/batch/directivereader.h"
#include "models/script/batch/innershell.h"
#include "models/script/batch/launchreader.h"

#include <QRegularExpression>
#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

void splitLines(BatchText& batch)
{
    QString text = batch.text;
    batch.hasBom = text.startsWith(QChar(0xfeff));
    if (batch.hasBom)
        text.remove(0, 1);
    batch.endsWithNewline = text.isEmpty() || text.endsWith(u'\n');
    if (text.endsWith(u'\n'))
        text.chop(1);
    batch.lines = text.split(u'\n');
    for (QString& line : batch.lines) {
        if (line.endsWith(u'\r')) {
            batch.hasCrlf = true;
            line.chop(1);
        }
    }
}

bool isOddBlank(QChar c)
{
    const ushort code = c.unicode();
    return code == 0xa0 || (code >= 0x2000 && code <= 0x200b) || code == 0x202f || code == 0x205f || code == 0x2060
        || code == 0x3000 || code == 0xfeff;
}

bool isOddQuote(QChar c)
{
    const ushort code = c.unicode();
    return (code >= 0x2018 && code <= 0x201f) || (code >= 0x2010 && code <= 0x2015) || code == 0x2212;
}

void noteOddities(BatchText& batch)
{
    for (int i = 0; i < batch.lines.size(); ++i) {
        const QString& line = batch.lines.at(i);
        if (line.startsWith(u"#SBATCH") && line.contains(u'\t'))
            batch.tabLines.append(i + 1);
        if (std::any_of(line.cbegin(), line.cend(), isOddBlank))
            batch.oddBlankLines.append(i + 1);
        if (std::any_of(line.cbegin(), line.cend(), isOddQuote))
            batch.oddQuoteLines.append(i + 1);
    }
}

bool exports(const ShellCommand& command)
{
    if (command.name() == u"export")
        return !(command.words.size() > 1 && command.words.at(1).value == u"-n");
    const bool declares = command.name() == u"declare" || command.name() == u"typeset";
    return declares && command.words.size() > 1 && command.words.at(1).value.startsWith(u'-')
        && command.words.at(1).value.contains(u'x');
}

/// What `set -a` and plain assignments, export and its kin leave behind in the batch shell.
class VariableCollector {
public:
    explicit VariableCollector(BatchText& batch) : m_batch(batch) { }

    void run()
    {
        const QList<ShellCommand>& commands = m_batch.shell.commands;
        for (int i = 0; i < commands.size(); ++i) {
            const ShellCommand& command = commands.at(i);
            if (command.parent || command.subshellDepth > 0)
                continue; // another shell
            if (command.name() == u"set")
                noteAllExport(command);
            const bool declares = exports(command);
            if (command.words.isEmpty() || command.name() == u"declare" || command.name() == u"typeset"
                || command.name() == u"readonly" || command.name() == u"local" || declares)
                addCommand(command, i, declares);
            if (command.name() == u"read")
                addDocument(command, i);
            if (command.name() == u":")
                addDefaults(command, i);
            if (declares)
                exportNames(command);
        }
        for (int i = 0; i < m_batch.variables.size(); ++i)
            m_batch.variablesByName[m_batch.variables.at(i).name].append(i);
        for (BatchVariable& variable : m_batch.variables) {
            variable.certain = variable.certain && m_batch.variablesByName.value(variable.name).size() == 1;
            variable.exported = variable.exported || m_exported.contains(variable.name);
        }
    }

private:
    void noteAllExport(const ShellCommand& command)
    {
        for (qsizetype i = 1; i < command.words.size(); ++i) {
            const QString& word = command.words.at(i).value;
            if (word == u"-a" || word == u"allexport")
                m_all = true;
            else if (word == u"+a")
                m_all = false;
        }
    }

    void addCommand(const ShellCommand& command, int index, bool exported)
    {
        for (const ShellAssignment& assignment : command.assignments) {
            BatchVariable variable;
            variable.name = assignment.name;
            variable.value = documentOf(assignment, index).value_or(assignment.value);
            variable.elements = assignment.elements;
            variable.isArray = assignment.isArray;
            variable.appends = assignment.appends;
            variable.exported = exported || m_all;
            variable.line = assignment.line;
            variable.command = index;
            variable.certain = command.isPlain() && !assignment.appends;
            append(variable);
        }
    }

    /// NAME=$(cat <<EOF ...): the text of the here-document, without the new lines that end it.
    std::optional<ShellWord> documentOf(const ShellAssignment& assignment, int index) const
    {
        const ShellWord& value = assignment.value;
        const QList<ShellCommand>& commands = m_batch.shell.commands;
        const bool isOutput = value.expansions.size() == 1 && value.expansions.first().kind == Expansion::Kind::Command
            && value.expansions.first().text.size() == value.value.size();
        std::optional<int> document;
        for (int i = index + 1; isOutput && i < commands.size() && commands.at(i).parent.value_or(-1) >= index; ++i) {
            const ShellCommand& inner = commands.at(i);
            if (inner.begin < value.begin || inner.end > value.end)
                continue;
            const bool copies = inner.name() == u"cat" && inner.words.size() == 1 && inner.assignments.isEmpty()
                && inner.redirections.size() == 1 && inner.separator != ShellSeparator::Background;
            if (!copies || document || !inner.redirections.first().hereDocument)
                return {};
            document = inner.redirections.first().hereDocument;
        }
        if (!document)
            return {};
        ShellWord word = documentWord(m_batch.shell.hereDocuments.at(*document));
        QSet<qsizetype> last;
        for (qsizetype at = word.value.size(); at > 0 && word.value.at(at - 1) == u'\n'; --at)
            last.insert(at - 1);
        word = without(word, last);
        word.begin = value.begin;
        word.end = value.end;
        word.column = value.column;
        return word;
    }

    void append(const BatchVariable& variable)
    {
        m_set.insert(variable.name);
        m_batch.variables.append(variable);
    }

    /// : ${NAME:=value}: the value that a variable has unless somebody sets it before.
    void addDefaults(const ShellCommand& command, int index)
    {
        static const QRegularExpression form(
            u"^\\$\\{([A-Za-z_]\\w*):?=((?<quote>[\"']?)[^\"'`$\\\\{}]+\\k<quote>)\\}$"_s);
        for (const ShellWord& word : command.words.mid(1)) {
            const auto match = form.match(word.value);
            const bool placed = word.origins.size() == word.value.size();
            if (!match.hasMatch() || !placed || m_set.contains(match.captured(1)))
                continue;
            BatchVariable variable;
            variable.name = match.captured(1);
            ShellWord& value = variable.value;
            value.text = match.captured(2);
            value.quoted = !match.captured(u"quote").isEmpty();
            const qsizetype quote = value.quoted ? 1 : 0;
            value.value = value.text.mid(quote, value.text.size() - 2 * quote);
            value.origins = word.origins.mid(match.capturedStart(2) + quote, value.value.size());
            value.begin = word.origins.at(match.capturedStart(2));
            value.end = word.origins.at(match.capturedEnd(2) - 1) + 1;
            value.line = word.line;
            value.lastLine = word.line;
            value.column = word.column + static_cast<int>(value.begin - word.begin);
            variable.exported = m_all;
            variable.line = word.line;
            variable.command = index;
            variable.certain = command.isPlain();
            append(variable);
        }
    }

    enum class Backslashes { Kept, Taken };
    /// What `read` takes of a text: without the blanks around it, and without -r without backslashes. Nothing: it is
    /// not followed here.
    static std::optional<ShellWord> asRead(ShellWord word, const ShellCommand& command, Backslashes backslashes)
    {
        if (backslashes == Backslashes::Taken) {
            QSet<qsizetype> joined;
            for (qsizetype at = word.value.indexOf(u'\\'); at >= 0; at = word.value.indexOf(u'\\', at + 1)) {
                if (word.value.mid(at + 1, 1) != u"\n")
                    return {};
                joined << at << at + 1;
            }
            word = without(word, joined);
        }
        const auto separators = std::find_if(command.assignments.cbegin(), command.assignments.cend(),
            [](const ShellAssignment& assignment) { return assignment.name == u"IFS"; });
        if (separators != command.assignments.cend())
            return separators->value.value.isEmpty() ? std::optional(word) : std::nullopt;
        QSet<qsizetype> around;
        qsizetype first = 0, last = word.value.size();
        const auto isBlank = [&word](qsizetype at) { return QStringView(u" \t\n").contains(word.value.at(at)); };
        while (first < last && isBlank(first))
            around << first++;
        while (last > first && isBlank(last - 1))
            around << --last;
        return without(word, around);
    }

    /// read -r -d '' NAME <<EOF: the variable holds the whole text.
    void addDocument(const ShellCommand& command, int index)
    {
        const QList<ShellWord>& words = command.words;
        if (words.size() < 4 || command.redirections.isEmpty())
            return;
        const std::optional<int> document = command.redirections.last().hereDocument;
        const QString& option = words.at(words.size() - 3).value;
        const bool whole = option.startsWith(u'-') && option.endsWith(u'd') // the end that never comes: ''
            && words.at(words.size() - 2).value.isEmpty();
        static const QRegularExpression name(u"^[A-Za-z_]\\w*$"_s);
        if (!document || !whole || !name.match(words.last().value).hasMatch())
            return;
        const bool raw = std::any_of(words.cbegin() + 1, words.cend() - 2,
            [](const ShellWord& word) { return word.value.startsWith(u'-') && word.value.contains(u'r'); });
        const auto text = asRead(documentWord(m_batch.shell.hereDocuments.at(*document)), command,
            raw ? Backslashes::Kept : Backslashes::Taken);
        if (!text)
            return;
        BatchVariable variable;
        variable.name = words.last().value;
        variable.value = *text;
        variable.exported = m_all;
        variable.line = command.line;
        variable.command = index;
        variable.certain = command.isPlain();
        append(variable);
    }

    void exportNames(const ShellCommand& command)
    {
        for (qsizetype i = 1; i < command.words.size(); ++i) {
            const QString& word = command.words.at(i).value;
            if (!word.startsWith(u'-') && !word.contains(u'='))
                m_exported.insert(word);
        }
    }

    BatchText& m_batch;
    QSet<QString> m_set; ///< names of the variables so far
    QSet<QString> m_exported;
    bool m_all = false;
};

} // namespace

const BatchOption* LaunchLayer::option(const QString& optionName) const
{
    const auto found = std::find_if(
        options.crbegin(), options.crend(), [&](const BatchOption& option) { return option.name == optionName; });
    return found != options.crend() ? &*found : nullptr;
}

const LaunchLayer* Launch::layer(LaunchLayer::Kind kind) const
{
    const auto found
        = std::find_if(layers.cbegin(), layers.cend(), [&](const LaunchLayer& layer) { return layer.kind == kind; });
    return found != layers.cend() ? &*found : nullptr;
}

const BatchOption* BatchText::option(const QString& name) const
{
    const auto found = std::find_if(
        options.crbegin(), options.crend(), [&](const BatchOption& option) { return option.name == name; });
    return found != options.crend() ? &*found : nullptr;
}

QList<BatchOption> BatchText::optionsNamed(const QString& name) const
{
    QList<BatchOption> named;
    std::copy_if(options.cbegin(), options.cend(), std::back_inserter(named),
        [&](const BatchOption& option) { return option.name == name; });
    return named;
}

const BatchVariable* BatchText::variable(const QString& name, int beforeLine) const
{
    const QList<int> places = variablesByName.value(name);
    if (beforeLine == 0 && !places.isEmpty())
        return &variables.at(places.last());
    const auto later = std::lower_bound(places.cbegin(), places.cend(), beforeLine,
        [&](int place, int line) { return variables.at(place).line < line; });
    return later != places.cbegin() && !places.isEmpty() ? &variables.at(*(later - 1)) : nullptr;
}

BatchText parseBatch(const QString& text)
{
    BatchText batch;
    batch.text = text;
    splitLines(batch);
    noteOddities(batch);
    batch.shell = parseShell(batch.hasBom ? text.mid(1) : text);
    readDirectives(batch);
    VariableCollector(batch).run();
    readLaunches(batch);
    return batch;
}

} // namespace rankwright::inline script

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

constexpr int deepestVariable = 8; // variables made of variables; a ring of them ends here
constexpr qsizetype longest = 1 << 16;

/// How sure a value has to be.
enum class Trust { Certain, Usual };

std::optional<QString> valueOf(const BatchText& batch, const Expansion& expansion, int line, Trust trust, int depth);

std::optional<QString> filledIn(const BatchText& batch, const ShellWord& word, int line, Trust trust, int depth)
{
    QString out;
    qsizetype at = 0;
    for (const Expansion& expansion : word.expansions) {
        const auto value = valueOf(batch, expansion, line, trust, depth);
        if (!value || out.size() + value->size() > longest)
            return std::nullopt;
        out += word.value.mid(at, expansion.at - at) + *value;
        at = expansion.at + expansion.text.size();
    }
    return out + word.value.mid(at);
}

std::optional<QString> valueOf(const BatchText& batch, const Expansion& expansion, int line, Trust trust, int depth)
{
    if (expansion.kind != Expansion::Kind::Variable || depth > deepestVariable)
        return std::nullopt;
    const bool usual = trust == Trust::Usual;
    const BatchVariable* variable = batch.variable(expansion.name, line);
    if (variable == nullptr) {
        // not set before: a plain default is what it will be, unless the job's environment has the name
        const bool placeholder = expansion.operation.startsWith(u":-") && expansion.names.size() == 1
            && (usual || !batch.sets(expansion.name)) && !expansion.name.startsWith(u"SLURM");
        return placeholder ? std::optional(expansion.operation.mid(2)) : std::nullopt;
    }
    if (!(usual || variable->certain) || variable->isArray || variable->appends
        || !(expansion.operation.isEmpty() || expansion.operation.startsWith(u":-")))
        return std::nullopt;
    return filledIn(batch, variable->value, variable->line, trust, depth + 1);
}

} // namespace

std::optional<QString> staticValue(const BatchText& batch, const ShellWord& word, int line)
{
    return filledIn(batch, word, line, Trust::Certain, 0);
}

std::optional<QString> usualValue(const BatchText& batch, const ShellWord& word, int line)
{
    return filledIn(batch, word, line, Trust::Usual, 0);
}

} // namespace rankwright::inline script
