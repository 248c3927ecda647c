// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintrule.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

bool isDirective(const QString& line) { return line.startsWith(u"#SBATCH"); }

Hits carriageReturns(const LintFacts& facts)
{
    if (!facts.batch.hasCrlf)
        return {};
    QStringList clean = facts.batch.lines;
    const int all = static_cast<int>(clean.size());
    const qsizetype first = facts.batch.text.indexOf(u"\r\n");
    const int line = first < 0 ? all : static_cast<int>(facts.batch.text.left(first).count(u'\n')) + 1;
    return {{line, u"The lines end as on Windows (CR LF): sbatch refuses such a script."_s,
        Fix{u"Use Unix line ends"_s, {}, {{1, all, clean}}}}};
}

Hits byteOrderMark(const LintFacts& facts)
{
    if (!facts.batch.hasBom)
        return {};
    return {{1,
        u"The file begins with an invisible byte order mark, so that “#!” is not at its start: sbatch refuses it."_s,
        Fix{u"Remove it"_s, {}, {{1, 1, {facts.batch.lines.value(0)}}}}}};
}

Hits oddBlanks(const LintFacts& facts)
{
    static const QRegularExpression blank(
        u"[\\x{a0}\\x{2000}-\\x{200b}\\x{202f}\\x{205f}\\x{2060}\\x{3000}\\x{feff}]"_s);
    Hits hits;
    for (const int line : facts.batch.oddBlankLines) {
        QString text = facts.batch.lines.value(line - 1);
        static const QRegularExpression disguised(u"^#\\W{0,2}SBATCH"_s);
        const bool inCode = facts.codeLines.value(line - 1).contains(blank);
        if (!inCode && !isDirective(text) && line != 1 && !text.contains(disguised))
            continue;
        const bool onlyInRemark = isDirective(text) && !QString(text.section(u" #"_s, 0, 0)).contains(blank);
        if (onlyInRemark)
            continue;
        static const QRegularExpression tail(
            u"^#SBATCH\\s+(?:-[oeJ]|--(?:output|error|job-name|comment|mail-user))[= ]?[\\x{21}-\\x{7e}]+[\\x{a0}\\s]+$"_s);
        const bool atEnd = text.contains(tail); // of a name, which is only odd then
        hits.append({line,
            u"A space in this line is not an ordinary one (a no-break space, as copied from a web page): it becomes part of a word."_s,
            Fix{u"Use ordinary spaces"_s, {}, {{line, line, {text.replace(blank, u" "_s)}}}},
            atEnd ? std::optional(Severity::Warning) : std::nullopt});
    }
    return hits;
}

/// A line in the middle of a quoted text: whatever stands there is text.
bool isInsideText(const LintFacts& facts, int line)
{
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if (command.line > line || command.lastLine < line || command.parent)
            continue;
        const auto spans
            = [&](const ShellWord& word) { return word.quoted && word.line < line && line < word.lastLine; };
        if (std::any_of(command.words.cbegin(), command.words.cend(), spans)
            || std::any_of(command.assignments.cbegin(), command.assignments.cend(),
                [&](const ShellAssignment& one) { return spans(one.value); }))
            return true;
    }
    return false;
}

/// Typographic characters where the shell or sbatch wants the plain ones.
Hits oddQuotes(const LintFacts& facts)
{
    static const QRegularExpression dash(u"(?:^|[\\s\"'(])[\\x{2010}-\\x{2015}\\x{2212}]{1,2}(?=[A-Za-z])"_s);
    static const QRegularExpression quote(u"(?:^|[\\s=(])[\\x{201c}\\x{201d}\\x{201e}\\x{2018}\\x{201a}]"_s);
    static const QRegularExpression plainText(
        u"^\\s*(?:echo|printf)\\b|^[^\"']*(?:\"[^\"]*|'[^']*)[\\x{2010}-\\x{201f}\\x{2212}]"_s);
    Hits hits;
    for (const int line : facts.batch.oddQuoteLines) {
        QString text = facts.batch.lines.value(line - 1);
        const QString read = line == 1 && text.startsWith(u"#!") ? text
            : isDirective(text)                                  ? text.section(u" #"_s, 0, 0)
                                                                 : facts.codeLines.value(line - 1);
        const bool isDash = read.contains(dash);
        if (!isDirective(text) && isInsideText(facts, line))
            continue;
        static const QRegularExpression named(u"^#SBATCH\\s+(?:-J|--job-name|--comment)"_s);
        const bool onlyName = !isDash && text.contains(named);
        if ((!isDash && !read.contains(quote)) || (!isDirective(text) && read.contains(plainText)))
            continue;
        const QString shown = text;
        text.replace(QRegularExpression(u"[\\x{201c}-\\x{201f}]"_s), u"\""_s);
        text.replace(QRegularExpression(u"[\\x{2018}-\\x{201b}]"_s), u"'"_s);
        text.replace(QRegularExpression(u"(?<=[\\s=])[\\x{2010}-\\x{2015}\\x{2212}](?=[A-Za-z]{2})"_s), u"--"_s);
        text.replace(QRegularExpression(u"[\\x{2010}-\\x{2015}\\x{2212}]"_s), u"-"_s);
        hits.append({line,
            isDash ? u"There is a typographic dash where an option needs plain “-”, as copied from a text: %1."_s.arg(
                quoted(shown))
                   : u"Typographic quotes are ordinary letters to sbatch and the shell: %1."_s.arg(quoted(shown)),
            Fix{u"Use plain characters"_s, {}, {{line, line, {text}}}},
            onlyName ? std::optional(Severity::Warning) : std::nullopt});
    }
    return hits;
}

/// What people leave in the place of a name or path of their own, in a directive as in a command.
const QString openPlace
    = u"/path/to/|(?<![\\w./${-])path/to/|(?<![\\w.${-])path_to_\\w+(?![\\w]*[}=])|\\b(?:CHANGE|REPLACE|FILL|INSERT)_?(?:ME|THIS|IN|WITH\\w*|HERE)\\b|(?<![A-Za-z0-9${-])your[-_/][A-Za-z]+(?![\\w-]*[}=])|\\[(?:your|project|account)[^\\]]*\\]"_s;

Hits placeholders(const LintFacts& facts)
{
    static const QRegularExpression inValue(openPlace
            + u"|<[A-Za-z][^<>]*>|X{4,}|x{4,}|^x{3}(?=@|$)|\\{\\{?[ \\t]*[A-Za-z][A-Za-z0-9_. -]*\\}|\\b(?:TODO|FIXME)\\b|\\byour[ ]?(?:project|account|name|email|username)|\\bmy[-_]?(?:project|account)(?:[-_]?id)?\\b|\\b(?:project|partition|account|queue|qos|reservation)_(?:id|number|code|name)\\b"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression inCode(openPlace
            + u"|=\"?<[A-Za-z][A-Za-z0-9 _./-]*>|[\\s/]<(?:your|path|project|account|user|partition|dir|name|container|image|script|insert|model|data)[A-Za-z0-9 _-]*>"_s,
        QRegularExpression::CaseInsensitiveOption);
    Hits hits;
    for (const BatchOption& option : facts.batch.options) {
        const auto match = inValue.match(option.value);
        if (!match.hasMatch() || option.name == u"job-name" || option.name == u"comment" || option.value.contains(u'$'))
            continue;
        static const QRegularExpression address(u"^<[^<>@\\s]+@[^<>\\s]+>$"_s); // as mail programs write it
        if (option.name == u"mail-user" && option.value.contains(address))
            continue;
        hits.append({option.line, u"%1 is a placeholder that was not filled in."_s.arg(quoted(option.value)),
            std::nullopt, option.name == u"mail-user" ? std::optional(Severity::Warning) : std::nullopt});
    }
    // {account} in a path: letters to bash. Other names may be a program's own pattern.
    static const QRegularExpression braces(
        u"(?<=/)\\{\\{?[ ]*(?:account|project|partition|user|username|your_\\w+|(?:account|project)_?(?:id|name))[ ]*\\}\\}?(?=[/\\s\"'.]|$)"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression otherReader(
        u"\\bf[\"']|\\b(?:python3?|perl|awk|xargs|parallel|curl)\\b[^|;]*\\s-\\w*[ceI]\\b"_s);
    static const QRegularExpression bareWord(u"(?:^|[\\s;])([A-Z][A-Z0-9_]*=[\"']?path[\"']?)(?=$|[\\s;])"_s);
    static const QRegularExpression compared(u"(?:\\[\\[?|\\btest)\\s[^\\]]*$|\\bcase\\s"_s);
    static const QRegularExpression fallback(u"\\$\\{\\w+:?[-=][^}]*$"_s);
    for (qsizetype i = 0; i < facts.codeLines.size(); ++i) {
        const QString& line = facts.codeLines.at(i);
        if (isDirective(facts.batch.lines.value(i)))
            continue;
        auto match = inCode.match(line);
        if (!match.hasMatch())
            match = bareWord.match(line);
        const bool isOpen = match.hasMatch();
        if (!isOpen && !line.contains(otherReader))
            match = braces.match(line);
        if (!match.hasMatch())
            continue;
        const QString before = line.left(match.capturedStart());
        static const QRegularExpression complaint(u"\\$\\{\\w+:?\\?[^}]*$"_s);
        if (before.contains(compared) || before.contains(complaint)) // looks whether it was filled in
            continue;
        hits.append({static_cast<int>(i) + 1,
            u"%1 is a placeholder that was not filled in%2."_s.arg(quoted(match.captured(0).trimmed()),
                match.captured(0).contains(u'<') ? u"; to the shell it means “read from a file”"_s : QString()),
            std::nullopt, before.contains(fallback) || !isOpen ? std::optional(Severity::Warning) : std::nullopt});
    }
    return hits;
}

/// Does a value only hold the place of a secret?
bool holdsNoSecret(const QString& value)
{
    static const QRegularExpression open(
        u"\\s|<|your|x{3,}|\\*{3,}|\\.{3}|change|replace|insert|todo|fill|secret|token|password|api.?key|^(.)\\1*$|^(?:true|false|dummy|none|null|empty|test)$"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression number(u"^\\d{1,8}$"_s); // how many tokens, not which
    return value.size() < 4 || value.contains(number) || value.startsWith(u'/') || value.startsWith(u'~')
        || value.contains(open);
}

Hits secrets(const LintFacts& facts)
{
    static const QRegularExpression name(u"(?:^|_)(?:TOKEN|API_?KEY|ACCESS_KEY|SECRET|SECRET_KEY|PASSWORD|PASSWD)$"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression known(
        u"\\b(?:hf_[A-Za-z0-9]{20,}|sk-[A-Za-z0-9_-]{20,}|gh[pousr]_[A-Za-z0-9]{30,}|AKIA[0-9A-Z]{16})"_s);
    static const QRegularExpression given(
        u"(?:wandb\\s+login\\s+(?:--relogin\\s+)?|--?(?:redis[-_])?(?:api[-_]?key|password|passwd|(?:access|auth|hf|hub)[-_]?token|token)[= ])[\"']?(?![\"'$<-])([A-Za-z0-9_-]{8,})"_s,
        QRegularExpression::CaseInsensitiveOption);
    // Ray's tutorials put a password of their own between the processes of one job
    static const QRegularExpression ofRay(u"redis"_s, QRegularExpression::CaseInsensitiveOption);
    const QString advice
        = u": everybody who can read the script or Slurm's record of the job can read it. Keep it in a file of mode 600, or set it where you log in."_s;
    Hits hits;
    QSet<int> seen;
    for (const Setting& setting : facts.settings) {
        if (!setting.value->isStatic() || !setting.name.contains(name) || holdsNoSecret(setting.value->value)
            || seen.contains(setting.line))
            continue;
        seen.insert(setting.line);
        hits.append({setting.line, setting.name + u" holds a secret"_s + advice, removeLine(facts, setting.line),
            setting.name.contains(ofRay) ? std::optional(Severity::Hint) : std::nullopt});
    }
    for (qsizetype i = 0; i < facts.codeLines.size(); ++i) {
        const int line = static_cast<int>(i) + 1;
        const QString& code = facts.codeLines.at(i);
        const auto match = given.match(code);
        const bool isSecret = match.hasMatch() && !holdsNoSecret(match.captured(1));
        if (!seen.contains(line) && (isSecret || code.contains(known)))
            hits.append({line, u"This line holds a secret"_s + advice, std::nullopt,
                match.captured(0).contains(ofRay) ? std::optional(Severity::Hint) : std::nullopt});
    }
    return hits;
}

Hits openHereDocument(const LintFacts& facts)
{
    Hits hits;
    for (const HereDocument& document : facts.batch.shell.hereDocuments) {
        if (document.closed || document.delimiter.isEmpty())
            continue;
        int indented = 0;
        for (int line = document.firstLine; line <= facts.batch.lines.size() && indented == 0; ++line) {
            const QString& text = facts.batch.lines.at(line - 1);
            if (text != document.delimiter && text.trimmed() == document.delimiter)
                indented = line;
        }
        hits.append({indented > 0 ? indented : document.line,
            indented > 0
                ? u"“%1” ends the here-document of line %2 only at the very start of a line, with nothing after it."_s
                      .arg(document.delimiter, QString::number(document.line))
                : u"The here-document is never ended by a line “%1”: the rest of the script becomes its text."_s.arg(
                    document.delimiter),
            indented > 0
                ? std::optional(Fix{u"Move it to the start"_s, {}, {{indented, indented, {document.delimiter}}}})
                : std::nullopt});
    }
    return hits;
}

} // namespace

QList<LintRule> fileRules()
{
    const QString found = u"found in public scripts"_s;
    const QString slurm = u"sbatch; measured with Slurm 22.05"_s;
    return {
        {{u"L53"_s, u"placeholder"_s, Severity::Error, {},
             u"placeholders that were not filled in: <project>, {account}, XXXX, /path/to/, NAME=path"_s, found},
            placeholders},
        {{u"L54"_s, u"secret"_s, Severity::Error, {}, u"tokens, keys and passwords in the script"_s, found}, secrets},
        {{u"R205"_s, u"carriage-return"_s, Severity::Error, {}, u"line ends of Windows"_s, slurm}, carriageReturns},
        {{u"R206"_s, u"byte-order-mark"_s, Severity::Error, {}, u"a byte order mark before “#!”"_s, slurm},
            byteOrderMark},
        {{u"R207"_s, u"odd-blank"_s, Severity::Error, {}, u"no-break and other special blanks"_s,
             u"sbatch(1), bash(1)"_s},
            oddBlanks},
        {{u"R208"_s, u"odd-quote"_s, Severity::Error, {}, u"typographic quotes and dashes"_s, u"sbatch(1), bash(1)"_s},
            oddQuotes},
        {{u"R209"_s, u"open-here-document"_s, Severity::Error, {},
             u"a here-document whose end is missing or indented"_s, u"bash(1)"_s},
            openHereDocument},
    };
}

} // namespace rankwright::inline script::lint
