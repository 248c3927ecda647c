// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintrule.h"
#include "models/script/lint/lintwords.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

using Why = LostDirective::Why;

QList<LostDirective> lostFor(const LintFacts& facts, std::initializer_list<Why> reasons)
{
    QList<LostDirective> found;
    for (const LostDirective& lost : facts.batch.lost) {
        if (std::find(reasons.begin(), reasons.end(), lost.why) != reasons.end())
            found.append(lost);
    }
    return found;
}

/// Does a line that sbatch does not read as a directive look like one at all, not like prose?
bool asksForSomething(const LostDirective& lost)
{
    static const QRegularExpression option(u"SBATCH\\s+-{1,2}[A-Za-z]"_s, QRegularExpression::CaseInsensitiveOption);
    return !lost.options.isEmpty() || lost.text.contains(option);
}

/// Options without which a job runs all the same: names, remarks, mails.
bool namesOnly(const QString& option)
{
    static const QSet<QString> names{u"job-name"_s, u"J"_s, u"comment"_s, u"mail-user"_s, u"mail-type"_s};
    return names.contains(option);
}

/// The same request as a line that sbatch reads.
QString asDirective(const QString& line)
{
    static const QRegularExpression start(u"^\\s*#*\\s*SBATCH\\b[\\s:]*"_s, QRegularExpression::CaseInsensitiveOption);
    return u"#SBATCH "_s + QString(line).remove(start).trimmed();
}

/// Does every option of such a line only name something (or a log)?
bool asksOnlyNames(const QString& line, bool orLogs = false)
{
    static const QSet<QString> logs{u"o"_s, u"output"_s, u"e"_s, u"error"_s};
    static const QRegularExpression option(u"\\s--?([A-Za-z][\\w-]*)"_s);
    bool names = false;
    for (const auto& match : option.globalMatch(line)) {
        if (!namesOnly(match.captured(1)) && !(orLogs && logs.contains(match.captured(1))))
            return false;
        names = true;
    }
    return names;
}

Hits late(const LintFacts& facts)
{
    int last = facts.batch.shebang.isEmpty() ? 0 : 1;
    if (!facts.batch.options.isEmpty())
        last = std::max(last, facts.batch.options.last().line);
    const QString first = facts.batch.firstCommandLine > 0
        ? u"the first command (line %1)"_s.arg(facts.batch.firstCommandLine)
        : u"the first command"_s;
    Hits hits;
    for (const LostDirective& lost : lostFor(facts, {Why::Late})) {
        if (!asksForSomething(lost))
            continue;
        const QString line = facts.batch.lines.value(lost.line - 1).trimmed();
        hits.append({lost.line,
            u"%1 comes after %2, where sbatch no longer reads directives: it is silently ignored. Move it above the first command."_s
                .arg(quoted(line), first),
            Fix{u"Move it up"_s, {}, {{last + 1, last, {line}}, {lost.line, lost.line, {}}}},
            asksOnlyNames(line, true) ? std::optional(Severity::Warning) : std::nullopt});
    }
    return hits;
}

Hits disabled(const LintFacts& facts)
{
    Hits hits;
    for (const LostDirective& lost : lostFor(facts, {Why::Disabled, Why::Spaced})) {
        if (!asksForSomething(lost))
            continue;
        const bool blank = lost.why == Why::Spaced;
        const QString line = facts.batch.lines.value(lost.line - 1);
        static const QRegularExpression remark(u"^\\s*#\\s+sbatch\\b"_s); // how to call it
        if (line.contains(remark))
            continue;
        const bool amongOthers = !facts.batch.options.isEmpty(); // switched off on purpose, as others are not
        hits.append({lost.line,
            u"%1 is a comment for sbatch, %2: it asks for nothing."_s.arg(
                quoted(line.trimmed()), blank ? u"because of the blank after “#”"_s : u"because of the second “#”"_s),
            Fix{u"Make it a directive"_s, {}, {{lost.line, lost.line, {asDirective(line)}}}},
            blank && !amongOthers ? Severity::Warning : Severity::Hint});
    }
    return hits;
}

/// “#SBTACH --gres=gpu:1”. Something in front of the whole word (#xSBATCH) is a way to switch a directive off.
Hits misspeltSbatch(const LintFacts& facts)
{
    static const QRegularExpression form(u"^#([A-Za-z]{5,7})\\s+-{1,2}[A-Za-z]"_s);
    Hits hits;
    for (qsizetype i = 0; i < facts.batch.lines.size(); ++i) {
        const int number = static_cast<int>(i) + 1;
        if (facts.batch.firstCommandLine > 0 && number >= facts.batch.firstCommandLine)
            break;
        const QString line = facts.batch.lines.at(i);
        const auto match = form.match(line);
        const QString word = match.captured(1).toUpper();
        if (!match.hasMatch() || word.contains(u"SBATCH") || wordDistance(word, u"SBATCH"_s, 1) != 1)
            continue;
        hits.append({number,
            u"“#%1” is not “#SBATCH”: for sbatch the line is a comment and asks for nothing."_s.arg(match.captured(1)),
            replaceInLine(facts, number, u'#' + match.captured(1), u"#SBATCH"_s, u"Write #SBATCH"_s),
            asksOnlyNames(line) ? std::optional(Severity::Warning) : std::nullopt});
    }
    return hits;
}

Hits malformed(const LintFacts& facts)
{
    Hits hits;
    for (const LostDirective& lost : lostFor(facts, {Why::NoHash, Why::WrongCase, Why::Indented})) {
        if (!asksForSomething(lost))
            continue;
        const bool late = facts.batch.firstCommandLine > 0 && lost.line > facts.batch.firstCommandLine;
        static const QRegularExpression script(
            u"=\\S+\\s+(?:['\"$./\\w][^\\s=]*\\s*)+$"_s); // a file behind the options
        const bool remark
            = lost.why == Why::WrongCase && (late || lost.text.contains(script)); // a command, switched off
        if (remark)
            continue;
        const QString line = facts.batch.lines.value(lost.line - 1);
        const QString why = lost.why == Why::NoHash ? u"has no “#” in front, so the shell tries to run it"_s
            : lost.why == Why::WrongCase            ? u"is not spelt “#SBATCH” in capitals, so sbatch ignores it"_s
                                                    : u"does not start at the first column, so sbatch ignores it"_s;
        hits.append(
            {lost.line, u"%1 %2: write #SBATCH at the very start of the line."_s.arg(quoted(line.trimmed()), why),
                Fix{u"Write it as a directive"_s, {}, {{lost.line, lost.line, {asDirective(line)}}}},
                asksOnlyNames(line) ? std::optional(Severity::Warning) : std::nullopt});
    }
    return hits + misspeltSbatch(facts);
}

Hits shebang(const LintFacts& facts)
{
    const BatchText& batch = facts.batch;
    if (batch.hasBom || batch.text.trimmed().isEmpty())
        return {};
    static const QRegularExpression broken(u"^#!\\s*[^/\\s]"_s);
    if (batch.shebangLine == 1) {
        if (!batch.shebang.contains(broken))
            return {};
        return {{1, u"%1 names no program: the path must start with “/”."_s.arg(quoted(batch.shebang)),
            Fix{u"Use #!/bin/bash"_s, {}, {{1, 1, {u"#!/bin/bash"_s}}}}}};
    }
    if (batch.shebangLine > 1) {
        const QString line = batch.lines.value(batch.shebangLine - 1);
        return {{batch.shebangLine,
            u"%1 is in line %2, but sbatch refuses a script whose very first line does not begin with “#!”."_s.arg(
                quoted(line), QString::number(batch.shebangLine)),
            Fix{u"Move it to the first line"_s, {}, {{1, 0, {line}}, {batch.shebangLine, batch.shebangLine, {}}}}}};
    }
    return {{1, u"The first line must begin with “#!” (#!/bin/bash): sbatch refuses the script without it."_s,
        insertLine(1, u"#!/bin/bash"_s, u"Add #!/bin/bash"_s)}};
}

/// Jobs of several parts (#SBATCH hetjob) give each part its own options.
bool isHeterogeneous(const LintFacts& facts)
{
    static const QRegularExpression part(u"^#SBATCH\\s+(?:hetjob|packjob)\\b"_s);
    return std::any_of(facts.batch.lines.cbegin(), facts.batch.lines.cend(),
        [](const QString& line) { return line.startsWith(u"#SBATCH") && line.contains(part); });
}

/// All of a directive's words that belong to no option, as one text.
struct StrayWords {
    int line = 0;
    int column = 0;
    int endColumn = 0;
    QString text;
};

QList<StrayWords> strayWords(const LintFacts& facts)
{
    static const QRegularExpression blank(u"(--[a-z-]+)\\s*=\\s*(\\S)"_s);
    QSet<int> unknown; // what follows an option that does not exist is its value
    for (const LostDirective& lost : lostFor(facts, {Why::UnknownOption, Why::Ambiguous}))
        unknown.insert(lost.line);
    QList<StrayWords> found;
    for (const LostDirective& lost : lostFor(facts, {Why::StrayText, Why::Colon})) {
        const QString line = facts.batch.lines.value(lost.line - 1);
        if (unknown.contains(lost.line) || QString(line).replace(blank, u"\\1=\\2"_s) != line)
            continue; // blankInOption() says it better
        if (found.isEmpty() || found.last().line != lost.line)
            found.append({lost.line, lost.column, lost.endColumn, {}});
        StrayWords& words = found.last();
        words.endColumn = std::max(words.endColumn, lost.endColumn);
        words.text = line.mid(words.column - 1, words.endColumn - words.column).trimmed();
    }
    return found;
}

/// “<your project name>”, “{{ account }}” around a word that sbatch stops at; empty: none.
QString placeholderAround(const QString& line, int column)
{
    static const QRegularExpression form(u"<[A-Za-z][^<>]*>|\\{\\{[^{}]*\\}\\}"_s);
    for (const auto& match : form.globalMatch(line)) {
        if (match.capturedStart() < column && column <= match.capturedEnd())
            return match.captured(0);
    }
    return {};
}

/// One finding for each text, with the lines that have it.
Hits strayText(const LintFacts& facts)
{
    if (isHeterogeneous(facts))
        return {};
    QStringList texts;
    QList<QStringList> others; // lines that repeat it
    Hits hits;
    for (const StrayWords& words : strayWords(facts)) {
        const QString line = facts.batch.lines.value(words.line - 1);
        const QString open = placeholderAround(line, words.column);
        const QString text = open.isEmpty() ? words.text : open;
        if (const qsizetype known = texts.indexOf(text); known >= 0) {
            others[known].append(QString::number(words.line));
            hits[known].fix.reset();
            continue;
        }
        texts.append(text);
        others.append(QStringList());
        hits.append({words.line,
            open.isEmpty()
                ? u"%1 in %2 is not an option: sbatch stops there. Quote a value with blanks, and start a remark with “#”."_s
                      .arg(quoted(text), quoted(line.trimmed()))
                : u"%1 is a placeholder that was not filled in: sbatch stops at its blank."_s.arg(quoted(open)),
            open.isEmpty() ? std::optional(Fix{u"Make the rest a comment"_s, {},
                {{words.line, words.line, {line.left(words.column - 1) + u"# "_s + line.mid(words.column - 1)}}}})
                           : std::nullopt});
    }
    for (qsizetype i = 0; i < hits.size(); ++i) {
        if (!others.at(i).isEmpty())
            hits[i].text += u" The same in line %1."_s.arg(others.at(i).join(u", "_s));
    }
    return hits;
}

Hits blankInOption(const LintFacts& facts)
{
    static const QRegularExpression blank(u"^#SBATCH\\b[^#]*?--[a-z-]+(?:\\s+=\\s*|=\\s+)[^\\s#-]"_s);
    static const QRegularExpression join(u"(--[a-z-]+)\\s*=\\s*"_s);
    Hits hits;
    for (qsizetype i = 0; i < facts.batch.lines.size(); ++i) {
        const QString& line = facts.batch.lines.at(i);
        const int number = static_cast<int>(i) + 1;
        if (facts.batch.firstCommandLine > 0 && number >= facts.batch.firstCommandLine)
            break;
        if (!line.startsWith(u"#SBATCH") || !line.contains(blank))
            continue;
        hits.append({number,
            u"%1 has a blank at “=”: sbatch takes the option without its value and stops. Write --option=value."_s.arg(
                quoted(line)),
            Fix{u"Remove the blanks"_s, {}, {{number, number, {QString(line).replace(join, u"\\1="_s)}}}}});
    }
    return hits;
}

Hits unknownOption(const LintFacts& facts)
{
    Hits hits;
    for (const LostDirective& lost : lostFor(facts, {Why::UnknownOption, Why::Ambiguous})) {
        const QString typed = lost.text.section(u'=', 0, 0).trimmed();
        const QString name = QString(typed).remove(QRegularExpression(u"^-+"_s));
        const QString nearest = nearestOption(name);
        if (lost.why == Why::Ambiguous) {
            hits.append({lost.line,
                u"%1 is short for several options (%2): sbatch stops. Write the name in full."_s.arg(
                    quoted(typed), slurmOptionsBeginning(name, SlurmOption::Of::Sbatch).join(u", "_s))});
            continue;
        }
        if (nearest.isEmpty()) {
            hits.append({lost.line,
                u"Slurm has no option %1: sbatch stops, unless a plugin of this site adds it."_s.arg(quoted(typed)),
                std::nullopt, Severity::Warning});
            continue;
        }
        hits.append(
            {lost.line, u"Slurm has no option %1: sbatch stops. The nearest one is --%2."_s.arg(quoted(typed), nearest),
                replaceInLine(facts, lost.line, typed, u"--"_s + nearest, u"Use --"_s + nearest)});
    }
    return hits;
}

Hits optionValue(const LintFacts& facts)
{
    Hits hits;
    for (const LostDirective& lost : lostFor(facts, {Why::NoValue, Why::ExtraValue, Why::OpenQuote})) {
        static const QRegularExpression blank(u"--[a-z-]+\\s*=\\s"_s);
        if (lost.why == Why::NoValue && facts.batch.lines.value(lost.line - 1).contains(blank))
            continue; // blankInOption() says it better
        const QString what = lost.why == Why::NoValue ? u"needs a value"_s
            : lost.why == Why::ExtraValue             ? u"takes no value"_s
                                                      : u"has an unbalanced quote"_s;
        hits.append({lost.line, u"%1 %2: sbatch stops."_s.arg(quoted(lost.text), what)});
    }
    const BatchOption* requeue = facts.option(u"requeue"_s); // since 25.11 with "expedite", before without a value
    if (requeue && requeue->hasValue && requeue->value.compare(u"expedite", Qt::CaseInsensitive) != 0)
        hits.append({requeue->line,
            u"%1 takes no value but “expedite”, which is new in Slurm 25.11: sbatch stops."_s.arg(
                quoted(requeue->written))});
    return hits;
}

Hits duplicates(const LintFacts& facts)
{
    if (isHeterogeneous(facts))
        return {};
    Hits hits;
    const QList<BatchOption>& options = facts.batch.options;
    for (qsizetype i = 0; i < options.size(); ++i) {
        const BatchOption& first = options.at(i);
        if (first.name == u"mail-type") // adds up (sbatch(1))
            continue;
        const auto later = std::find_if(options.cbegin() + i + 1, options.cend(),
            [&](const BatchOption& other) { return other.name == first.name; });
        if (later == options.cend())
            continue;
        hits.append({first.line,
            u"--%1 is given again in line %2: this one (%3) is ignored, the last one (%4) counts."_s.arg(
                first.name, QString::number(later->line), quoted(first.written), quoted(later->written)),
            removeOption(facts, first)});
    }
    return hits;
}

QString patternFor(const QString& name)
{
    static const QHash<QString, QString> patterns{{u"SLURM_JOB_ID"_s, u"%j"_s}, {u"SLURM_JOBID"_s, u"%j"_s},
        {u"SLURM_JOB_NAME"_s, u"%x"_s}, {u"SLURM_ARRAY_TASK_ID"_s, u"%a"_s}, {u"SLURM_ARRAY_JOB_ID"_s, u"%A"_s},
        {u"USER"_s, u"%u"_s}, {u"SLURM_JOB_USER"_s, u"%u"_s}};
    return patterns.value(name);
}

Hits variableInDirective(const LintFacts& facts)
{
    static const QRegularExpression variable(u"\\$\\{?([A-Za-z_][A-Za-z0-9_]*)\\}?|\\$\\(|`"_s);
    Hits hits;
    for (const BatchOption& option : facts.batch.options) {
        if (!option.value.contains(variable) || option.name == u"wrap")
            continue;
        const bool isLog = option.name == u"output" || option.name == u"error";
        std::optional<Fix> fix;
        if (isLog) {
            QString written = option.written;
            for (const auto& match : variable.globalMatch(option.written)) {
                const QString pattern = patternFor(match.captured(1));
                if (!pattern.isEmpty())
                    written.replace(match.captured(0), pattern);
            }
            if (written.contains(variable))
                written = u"--%1=%x-%j.%2"_s.arg(option.name, option.name == u"output" ? u"out"_s : u"err"_s);
            fix = replaceOption(facts, option, written, u"Use "_s + written);
        }
        // taken as they are; a log is written under the odd name, unless the folder would have it
        const bool mild = namesOnly(option.name) || (isLog && !option.value.section(u'/', 0, -2).contains(variable));
        hits.append({option.line,
            u"sbatch expands no variables in directives: %1 is taken literally%2."_s.arg(quoted(option.written),
                isLog ? u" as a file name. It knows %j (job id), %x (job name), %a (array task)"_s
                      : u". Write the value itself, or give the option on the command line of sbatch"_s),
            fix, mild ? std::optional(Severity::Warning) : std::nullopt});
    }
    return hits;
}

Hits tilde(const LintFacts& facts)
{
    Hits hits;
    for (const BatchOption& option : facts.batch.options) {
        if (!option.value.startsWith(u"~/"))
            continue;
        hits.append({option.line,
            u"sbatch does not replace “~” in a directive: %1 means a folder of that name. Write the full path."_s.arg(
                quoted(option.value))});
    }
    return hits;
}

/// A line break got lost between two directives: the second one became part of a value or of a comment.
Hits joined(const LintFacts& facts)
{
    static const QRegularExpression lost(u"(?:#\\s*SBATCH\\s*(?=-)|SBATCH\\s*(?=--))(-{1,2}[A-Za-z].*)$"_s);
    Hits hits;
    int reported = 0;
    for (const BatchOption& option : facts.batch.options) {
        static const QRegularExpression second(u"^(#+)\\s*SBATCH\\s*(?=-)"_s); // not: a remark that mentions one
        const bool inValue = option.value.contains(lost);
        const auto remark = second.match(option.trailing);
        if ((!inValue && !remark.hasMatch()) || option.line == reported)
            continue;
        const bool off = !inValue && remark.captured(1).size() > 1;
        reported = option.line;
        const QString line = facts.batch.lines.value(option.line - 1);
        const auto match = lost.match(line, line.indexOf(u"SBATCH") + 6);
        std::optional<Fix> fix;
        if (match.hasMatch())
            fix = Fix{u"Put it on a line of its own"_s, {},
                {{option.line, option.line,
                    {line.left(match.capturedStart(0)).trimmed(), u"#SBATCH "_s + match.captured(1).trimmed()}}}};
        hits.append({option.line,
            inValue
                ? u"%1 has a second directive in its value: the line break between the two is missing."_s.arg(
                    quoted(option.written))
                : u"%1 is a comment here and asks for nothing: each directive needs a line of its own, without a second #SBATCH."_s
                      .arg(quoted(option.trailing)),
            fix, off ? std::optional(Severity::Hint) : std::nullopt});
    }
    return hits;
}

} // namespace

QList<LintRule> directiveRules()
{
    const QString measured = u"measured with Slurm 22.05"_s;
    return {
        {{u"L11"_s, u"duplicate-directive"_s, Severity::Warning, {},
             u"one option in two directives: only the last counts (--mail-type adds up)"_s, measured},
            duplicates},
        {{u"L16"_s, u"directive-after-command"_s, Severity::Error, {}, u"a directive after the first command"_s,
             u"sbatch(1); "_s + measured},
            late},
        {{u"L16"_s, u"directive-disabled"_s, Severity::Warning, {},
             u"“# SBATCH”, “##SBATCH”: comments that look like directives"_s, measured},
            disabled},
        {{u"L16"_s, u"directive-malformed"_s, Severity::Error, {},
             u"“SBATCH” without “#”, in small letters, or indented"_s, measured},
            malformed},
        {{u"L16"_s, u"shebang"_s, Severity::Error, {}, u"no “#!” at the very start of the file"_s, measured}, shebang},
        {{u"L17"_s, u"directive-variable"_s, Severity::Error, {}, u"a shell variable in a directive"_s,
             u"sbatch(1); "_s + measured},
            variableInDirective},
        {{u"R200"_s, u"directive-blank"_s, Severity::Error, {}, u"a blank beside the “=” of an option"_s, measured},
            blankInOption},
        {{u"R201"_s, u"directive-stray-text"_s, Severity::Error, {}, u"words in a directive that belong to no option"_s,
             measured},
            strayText},
        {{u"R202"_s, u"unknown-option"_s, Severity::Error, {},
             u"an option that sbatch does not have, with the nearest one that it has"_s, u"sbatch(1)"_s},
            unknownOption},
        {{u"R203"_s, u"option-value"_s, Severity::Error, {},
             u"an option without its value, a value too many, or an open quote"_s, u"sbatch(1)"_s},
            optionValue},
        {{u"R204"_s, u"directive-tilde"_s, Severity::Error, {}, u"“~” in a directive, which only a shell replaces"_s,
             u"sbatch(1)"_s},
            tilde},
        {{u"R226"_s, u"directive-joined"_s, Severity::Error, {},
             u"two directives on one line, the second lost in the value or comment of the first"_s, u"sbatch(1)"_s},
            joined},
    };
}

} // namespace rankwright::inline script::lint
