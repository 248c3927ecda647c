// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintrule.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

Hits syntax(const LintFacts& facts)
{
    constexpr qsizetype most = 5; // bash itself stops at the first; in pasted text each line would be one
    Hits hits;
    for (const ShellFault& fault : facts.batch.shell.faults.first(std::min(most, facts.batch.shell.faults.size())))
        hits.append({fault.line, u"bash would refuse this: %1"_s.arg(fault.what)});
    return hits;
}

Hits assignmentBlanks(const LintFacts& facts)
{
    static const QRegularExpression name(u"^[A-Za-z_][A-Za-z0-9_]*$"_s);
    Hits hits;
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if (command.kind != ShellCommand::Kind::Simple || command.words.size() < 2 || command.inInnerShell)
            continue;
        const bool exported = command.name() == u"export" && command.words.size() > 2;
        const ShellWord& left = command.words.at(exported ? 1 : 0);
        const ShellWord& sign = command.words.at(exported ? 2 : 1);
        if (!left.value.contains(name) || sign.text != u"=" || left.value == u"test" || left.value == u"expr")
            continue;
        const QString line = facts.batch.lines.value(command.line - 1);
        static const QRegularExpression blanks(u"\\s*=\\s*"_s);
        QString fixed = line;
        const qsizetype at = fixed.indexOf(left.value);
        const auto match = blanks.match(fixed, at + left.value.size());
        if (match.hasMatch())
            fixed.replace(match.capturedStart(), match.capturedLength(), u"="_s);
        hits.append(
            {command.line, u"“%1 =” runs a program named %1: an assignment has no blanks at “=”."_s.arg(left.value),
                Fix{u"Remove the blanks"_s, {}, {{command.line, command.line, {fixed}}}}});
    }
    return hits;
}

Hits bracketBlank(const LintFacts& facts)
{
    static const QRegularExpression glued(u"^(\\[{1,2})([^\\[\\s].*)$"_s);
    Hits hits;
    for (const ShellCommand& command : facts.batch.shell.commands) {
        const QString first = command.words.isEmpty() ? QString() : command.words.first().text;
        const auto match = glued.match(first);
        if (command.kind != ShellCommand::Kind::Simple || !match.hasMatch() || command.words.last().value.isEmpty())
            continue;
        hits.append({command.line,
            u"%1 needs a blank after the bracket: bash looks for a program of that name."_s.arg(quoted(first)),
            replaceInLine(
                facts, command.line, first, match.captured(1) + u' ' + match.captured(2), u"Add the blank"_s)});
    }
    return hits;
}

Hits defaultBlank(const LintFacts& facts)
{
    static const QRegularExpression blank(u"\\$\\{(\\w+):-(\\d+)\\s+\\}"_s);
    Hits hits;
    for (qsizetype i = 0; i < facts.codeLines.size(); ++i) {
        const auto match = blank.match(facts.codeLines.at(i));
        if (match.hasMatch())
            hits.append({static_cast<int>(i) + 1,
                u"The default in %1 ends with a blank, which becomes part of the value."_s.arg(
                    quoted(match.captured(0))),
                replaceInLine(facts, static_cast<int>(i) + 1, match.captured(0),
                    u"${%1:-%2}"_s.arg(match.captured(1), match.captured(2)), u"Remove the blank"_s)});
    }
    return hits;
}

/// The value of a variable may be its own name, as in LOGS=LOGS.
bool holdsItsOwnName(const LintFacts& facts, const QString& name)
{
    const QList<const Setting*> all = facts.settingsOf(name);
    return std::any_of(all.cbegin(), all.cend(),
        [&](const Setting* one) { return one->value->value == name || one->value->value.endsWith(u'/' + name); });
}

/// The words of a command that can only be paths.
QList<const ShellWord*> pathWords(const ShellCommand& command)
{
    static const QSet<QString> ofPaths{u"rm"_s, u"rmdir"_s, u"mkdir"_s, u"cd"_s, u"cp"_s, u"mv"_s, u"ls"_s, u"cat"_s,
        u"touch"_s, u"rsync"_s, u"du"_s, u"chmod"_s};
    static const QSet<QString> asks{u"-d"_s, u"-e"_s, u"-f"_s, u"-s"_s, u"-r"_s, u"-w"_s, u"-x"_s, u"-L"_s, u"-h"_s};
    const bool isTest = command.kind == ShellCommand::Kind::Test || command.name() == u"[" || command.name() == u"test";
    QList<const ShellWord*> words;
    for (qsizetype i = 1; i < command.words.size(); ++i) {
        if (isTest ? asks.contains(command.words.at(i - 1).value) : ofPaths.contains(command.name()))
            words.append(&command.words.at(i));
    }
    for (const ShellRedirection& one : command.redirections) {
        if (one.op.contains(u'>') || one.op == u"<")
            words.append(&one.target);
    }
    return words;
}

Hits missingDollar(const LintFacts& facts)
{
    static const QRegularExpression path(u"^([A-Z][A-Z0-9_]{3,})/"_s);
    static const QRegularExpression name(u"^[A-Z][A-Z0-9_]{3,}$"_s);
    Hits hits;
    for (const ShellCommand& command : facts.batch.shell.commands) {
        for (const ShellWord* word : pathWords(command)) {
            if (!word->isStatic() || !word->value.contains(name) || !facts.batch.sets(word->value)
                || holdsItsOwnName(facts, word->value))
                continue;
            hits.append({word->line,
                u"%1 is taken as the name of a file or folder: the variable is written $%2."_s.arg(
                    quoted(word->text), word->value),
                replaceInLine(
                    facts, word->line, word->text, u"\"$%1\""_s.arg(word->value), u"Write $"_s + word->value)});
            break;
        }
        for (const ShellWord& word : command.words) {
            const auto match = path.match(word.text);
            if (!match.hasMatch() || !facts.batch.sets(match.captured(1)))
                continue;
            hits.append({word.line,
                u"%1 is taken as the name of a folder: the variable is written $%2."_s.arg(
                    quoted(word.text), match.captured(1)),
                replaceInLine(facts, word.line, word.text, u'$' + word.text, u"Write $"_s + match.captured(1))});
        }
    }
    return hits;
}

bool isCode(const LintFacts& facts, qsizetype index) { return !facts.codeLines.value(index).trimmed().isEmpty(); }

Hits blankAfterBackslash(const LintFacts& facts)
{
    static const QRegularExpression end(u"\\\\[ \\t]+$"_s);
    static const QRegularExpression comment(u"^\\s*#"_s);
    Hits hits;
    for (qsizetype i = 0; i + 1 < facts.batch.lines.size(); ++i) {
        QString line = facts.batch.lines.at(i);
        if (!line.contains(end) || line.contains(comment) || !isCode(facts, i)
            || facts.batch.lines.at(i + 1).trimmed().isEmpty())
            continue;
        hits.append({static_cast<int>(i) + 1,
            u"The blank after “\\” ends the command here: the next line becomes a command of its own."_s,
            Fix{u"Remove the blank"_s, {},
                {{static_cast<int>(i) + 1, static_cast<int>(i) + 1, {line.replace(end, u"\\"_s)}}}}});
    }
    return hits;
}

/// A line that can be continued by a backslash at its end: no remark after it, and none there already.
bool endsPlainly(const QString& line)
{
    static const QRegularExpression other(u"(?:^|\\s)#|\\\\\\s*$"_s);
    return !line.trimmed().isEmpty() && !line.contains(other);
}

/// Lines of options right after a command that does not say that it goes on: bash takes each for a command.
Hits lostBackslash(const LintFacts& facts)
{
    static const QRegularExpression option(u"^-{1,2}[A-Za-z]"_s);
    static const QRegularExpression blankBehind(u"\\\\[ \\t]+$"_s); // R264 speaks of it
    const QStringList& lines = facts.batch.lines;
    std::unordered_map<std::optional<int>, const ShellCommand*> beforeOf; // by the command whose text holds both
    Hits hits;
    for (const ShellCommand& command : facts.batch.shell.commands) {
        const ShellCommand* before = std::exchange(beforeOf[command.parent], &command);
        const bool isLost = command.kind == ShellCommand::Kind::Simple && command.name().contains(option)
            && !command.words.isEmpty() && command.words.first().isStatic();
        if (!isLost || !before || before->kind != ShellCommand::Kind::Simple || before->words.isEmpty()
            || before->separator != ShellSeparator::NewLine || before->lastLine + 1 != command.line)
            continue;
        const QString above = lines.value(before->lastLine - 1);
        if (above.contains(blankBehind))
            continue;
        const LineEdit edit{before->lastLine, before->lastLine, {above + u" \\"_s}};
        const bool goesOn = before->name().contains(option) && !hits.isEmpty(); // of the lines that were lost before
        if (goesOn) {
            Hit& last = hits.last();
            last.lastLine = command.lastLine;
            if (last.fix && endsPlainly(above))
                last.fix->edits.append(edit);
            else
                last.fix.reset();
            continue;
        }
        hits.append({command.line,
            u"No “\\” ends line %1, so that bash runs %2 as a command of its own: the program does not get the options from here on."_s
                .arg(QString::number(before->lastLine), quoted(command.name())),
            endsPlainly(above) ? std::optional(Fix{u"Add the backslash"_s, {}, {edit}}) : std::nullopt, std::nullopt,
            command.lastLine});
    }
    return hits;
}

Hits commentInCommand(const LintFacts& facts)
{
    static const QRegularExpression comment(u"^\\s*#"_s);
    static const QRegularExpression option(u"^\\s*-{1,2}[A-Za-z]"_s);
    const QStringList& lines = facts.batch.lines;
    Hits hits;
    for (qsizetype i = 0; i + 1 < lines.size(); ++i) {
        if (!lines.at(i).endsWith(u'\\') || lines.at(i).contains(comment) || !isCode(facts, i))
            continue;
        const QString next = lines.at(i + 1);
        const bool blank = next.trimmed().isEmpty();
        if (!blank && !next.contains(comment))
            continue;
        if (!lines.value(i + 2).contains(option))
            continue;
        const int line = static_cast<int>(i) + 2;
        hits.append({line,
            (blank ? u"The empty line ends the command of line %1"_s : u"The comment ends the command of line %1"_s)
                    .arg(i + 1)
                + u": the options below are not part of it."_s,
            Fix{blank ? u"Remove the line"_s : u"Remove the comment"_s, {}, {{line, line, {}}}}});
    }
    return hits;
}

Hits unquotedArguments(const LintFacts& facts)
{
    Hits hits;
    QSet<int> seen;
    const auto add = [&](int line, const QString& text, bool fixable, bool inText = false) {
        if (seen.contains(line))
            return;
        seen.insert(line);
        hits.append({line, u"Unquoted %1 splits arguments at blanks: write \"$@\"."_s.arg(text),
            fixable ? replaceInLine(facts, line, text, u"\"$@\""_s, u"Write \"$@\""_s) : std::nullopt,
            inText ? std::optional(Severity::Hint) : std::nullopt});
    };
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if (command.kind == ShellCommand::Kind::Test || command.name() == u"echo" || command.name() == u"printf"
            || command.inSubstitution)
            continue;
        for (const ShellWord& word : command.words) {
            for (const Expansion& one : word.expansions) {
                const bool all = one.kind == Expansion::Kind::Variable && (one.name == u"@" || one.name == u"*");
                if (all && !one.inQuotes && one.operation.isEmpty() && command.kind == ShellCommand::Kind::Simple)
                    add(one.line > 0 ? one.line : word.line, one.text, !command.inInnerShell,
                        one.early && one.name == u"*"); // in bash -c "…" the form that keeps the text in one piece
            }
        }
    }
    static const QRegularExpression wrapper(
        u"(?:^|\\n)[^#\\n]*?(?:\\bexec|\\beval|\\bpython3?|\\btorchrun)\\b[^\\n\"']*?\\s(\\\\?\\$[@*])(?=\\s|$)"_s);
    for (const HereDocument& document : facts.batch.shell.hereDocuments) {
        const auto match = document.target.isEmpty() ? QRegularExpressionMatch() : wrapper.match(document.body);
        if (match.hasMatch()) {
            const int line
                = document.firstLine + static_cast<int>(document.body.left(match.capturedStart(1)).count(u'\n'));
            if (!seen.contains(line)) {
                const QString text = match.captured(1);
                const QString right = text.startsWith(u'\\') ? u"\"\\$@\""_s : u"\"$@\""_s;
                seen.insert(line);
                hits.append({line, u"Unquoted %1 splits arguments at blanks: write \"$@\"."_s.arg(text),
                    replaceInLine(facts, line, text, right, u"Write \"$@\""_s)});
            }
        }
    }
    return hits;
}

Hits nestedQuotes(const LintFacts& facts)
{
    static const QRegularExpression command(u"\\$\\([^()]*\\)"_s); // with quotes of its own
    static const QRegularExpression nested(u"^\"[^\"]*\\s[^\"]*[\\s=]\"[^\"\\s]+\"(?:[^\"]*\"|\\s|$)"_s);
    Hits hits;
    for (const ShellCommand& each : facts.batch.shell.commands) {
        for (const ShellAssignment& assignment : each.assignments) {
            QString typed = assignment.value.text;
            typed.remove(u"\\\""_s);
            typed.remove(command);
            if (!typed.contains(nested))
                continue;
            hits.append({assignment.line,
                u"The inner double quotes of %1 end the outer ones and vanish: the program never sees them. Where a value has blanks or must have quotes itself, use an array, or single quotes inside."_s
                    .arg(assignment.name)});
        }
    }
    return hits;
}

Hits posixShell(const LintFacts& facts)
{
    static const QRegularExpression sh(u"^#!\\s*(?:/usr)?/bin/(?:env\\s+)?(?:sh|dash)\\b"_s);
    if (!facts.batch.shebang.contains(sh))
        return {};
    static const QRegularExpression only(
        u"(?:^|[;&|\\s])(\\[\\[|source|declare|mapfile|readarray|shopt|function|set\\s+-o\\s+pipefail|set\\s+-\\w*o\\s+pipefail)\\s|(\\w+=\\()|(<<<)|(\\$\\{\\w+\\[)|(&>)"_s);
    const int line = facts.lineOf(only);
    if (line == 0)
        return {};
    const auto match = only.match(facts.codeLines.at(line - 1));
    const QString what = match.captured(0).trimmed();
    // sh is bash on nearly all clusters
    const bool bashThere = (facts.profile != nullptr && match.captured(2).isEmpty()) || what == u"source";
    return {{line,
        u"%1 is bash, but the first line asks for %2, which may not know it."_s.arg(
            quoted(what), quoted(facts.batch.shebang)),
        Fix{u"Use #!/bin/bash"_s, {}, {{1, 1, {u"#!/bin/bash"_s}}}},
        bashThere ? std::optional(Severity::Hint) : std::nullopt}};
}

Hits scriptPath(const LintFacts& facts)
{
    static const QRegularExpression own(
        u"(?:dirname|realpath|readlink(?:\\s+-\\w+)*)\\s+(?:--\\s+)?\"?(?:\\$0|\\$\\{0\\}|\\$\\{?BASH_SOURCE(?:\\[0\\])?\\}?)\"?|\\$\\{(?:0|BASH_SOURCE(?:\\[0\\])?)%"_s);
    static const QRegularExpression whole(
        u"\"?\\$\\(\\s*(?:cd\\s+\"?\\$\\(\\s*)?(?:cd\\s+)?(?:--\\s+)?dirname\\s+(?:--\\s+)?\"?(?:\\$0|\\$\\{?BASH_SOURCE(?:\\[0\\])?\\}?)\"?\\s*\\)\"?(?:\\s*(?:&>\\s*/dev/null\\s*)?&&\\s*pwd(?:\\s+-P)?\\s*\\)\"?)?"_s);
    Hits hits;
    for (qsizetype i = 0; i < facts.codeLines.size(); ++i) {
        const QString& line = facts.codeLines.at(i);
        if (!line.contains(u'0') && !line.contains(u"BASH_SOURCE"))
            continue;
        static const QRegularExpression submits(u"^\\s*(?:exec\\s+)?sbatch\\s"_s); // read where it is submitted
        if (!line.contains(own) || line.contains(submits) || line.contains(u"SLURM_SUBMIT_DIR")
            || line.contains(u"scontrol"))
            continue;
        static const QRegularExpression target(u"(\\w+)=\"?(?:\\$\\{(\\w+):[-=])?\"?\\$\\("_s);
        static const QRegularExpression spool(u"slurmd|/spool"_s);
        const auto assigned = target.match(line);
        const bool fallback = !assigned.captured(2).isEmpty();
        const QList<const Setting*> all = facts.settingsOf(assigned.captured(1));
        const bool otherwise = facts.mentions(spool) // the script looks where it is
            || std::any_of(all.cbegin(), all.cend(), [](const Setting* setting) {
                   return setting->value->text.contains(u"scontrol")
                       || setting->value->text.contains(u"SLURM_SUBMIT_DIR");
               });
        if (otherwise)
            continue;
        const auto match = whole.match(line);
        const int number = static_cast<int>(i) + 1;
        hits.append({number,
            u"Under sbatch $0 and BASH_SOURCE are a copy in Slurm's spool folder, not your script: use $SLURM_SUBMIT_DIR."_s,
            match.hasMatch() ? replaceInLine(
                facts, number, match.captured(0), u"\"$SLURM_SUBMIT_DIR\""_s, u"Use $SLURM_SUBMIT_DIR"_s)
                             : std::nullopt,
            fallback ? std::optional(Severity::Warning) : std::nullopt});
    }
    return hits;
}

Hits condaActivate(const LintFacts& facts)
{
    static const QRegularExpression activate(u"^\\s*conda activate\\b"_s);
    static const QRegularExpression prepared(
        u"conda\\.sh|shell\\.\\w+ hook|shell\\.bash|shell hook|bashrc|bash_profile|\\.profile|module load|module add|\\bml\\s|bin/activate|mamba init|conda init|profile\\.d"_s);
    const int line = facts.lineOf(activate);
    static const QRegularExpression login(u"\\s(?:-\\w*[li]|--login\\b)"_s);
    if (line == 0 || facts.batch.shebang.contains(login))
        return {};
    for (int i = 0; i < line; ++i) {
        if (facts.codeLines.at(i).contains(prepared))
            return {};
    }
    static const QRegularExpression ofConda(u"conda|mamba|forge"_s, QRegularExpression::CaseInsensitiveOption);
    bool sourced = false; // a file that may do it, or a set-up script that certainly comes from conda
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if ((command.name() != u"source" && command.name() != u".") || command.line > line)
            continue;
        if (command.words.size() > 1 && command.words.at(1).value.contains(ofConda))
            return {};
        sourced = true;
    }
    // a job inherits the environment that it was submitted from, functions only where the shell exported them
    const bool hint = sourced || facts.codeLines.at(line - 1).contains(u'$');
    return {
        {line, u"In a batch shell “conda activate” stops with an error unless conda's functions are loaded first."_s,
            insertLine(line, u"eval \"$(conda shell.bash hook)\""_s, u"Load them first"_s),
            hint ? std::optional(Severity::Hint) : std::nullopt}};
}

} // namespace

QList<LintRule> shellRules()
{
    const QString bash = u"bash(1)"_s;
    const QString found = u"found in public scripts"_s;
    return {
        {{u"L23"_s, u"unquoted-arguments"_s, Severity::Warning, {}, u"$* or $@ without quotes"_s, bash},
            unquotedArguments},
        {{u"L24"_s, u"nested-quotes"_s, Severity::Hint, {}, u"double quotes inside a double-quoted command"_s, bash},
            nestedQuotes},
        {{u"L31"_s, u"shell-syntax"_s, Severity::Error, {}, u"what bash -n refuses"_s, bash}, syntax},
        {{u"L31"_s, u"assignment-blanks"_s, Severity::Error, {}, u"blanks at the “=” of an assignment"_s, bash},
            assignmentBlanks},
        {{u"L31"_s, u"default-blank"_s, Severity::Warning, {}, u"${PORT:-29500 } with a blank in the value"_s, bash},
            defaultBlank},
        {{u"L31"_s, u"missing-dollar"_s, Severity::Warning, {}, u"NAME/… where $NAME/… was meant"_s, found},
            missingDollar},
        {{u"L31"_s, u"bracket-blank"_s, Severity::Error, {}, u"[$A or [[$A without a blank"_s, bash}, bracketBlank},
        {{u"L55"_s, u"script-path"_s, Severity::Error, {}, u"a path worked out from $0 or BASH_SOURCE"_s,
             u"sbatch(1); measured with Slurm 22.05"_s},
            scriptPath},
        {{u"R264"_s, u"backslash-blank"_s, Severity::Error, {}, u"a blank after the backslash at the end of a line"_s,
             bash},
            blankAfterBackslash},
        {{u"R265"_s, u"comment-in-command"_s, Severity::Error, {},
             u"a comment or empty line that cuts a continued command"_s, bash},
            commentInCommand},
        {{u"R304"_s, u"backslash-missing"_s, Severity::Error, {},
             u"a line of options after a line without “\\” at its end"_s, bash},
            lostBackslash},
        {{u"R266"_s, u"posix-shell"_s, Severity::Warning, {}, u"bash words in a script for /bin/sh"_s, bash},
            posixShell},
        {{u"R267"_s, u"conda-activate"_s, Severity::Warning, {}, u"conda activate in a shell that does not know it"_s,
             u"conda documentation"_s},
            condaActivate},
    };
}

} // namespace rankwright::inline script::lint
