// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintuses.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

void blankOut(QString& code, qsizetype from, qsizetype to)
{
    for (qsizetype i = std::max<qsizetype>(0, from); i < std::min(to, code.size()); ++i) {
        if (code.at(i) != u'\n')
            code[i] = u' ';
    }
}

/// Comments between the elements of NAME=( ... ).
void blankComments(QString& code, const ShellAssignment& assignment)
{
    const auto clear = [&](qsizetype from, qsizetype to) {
        to = std::min(to, code.size());
        for (qsizetype i = std::max<qsizetype>(0, from); i < to; ++i) {
            if (code.at(i) != u'#')
                continue;
            const qsizetype end = code.indexOf(u'\n', i);
            blankOut(code, i, end < 0 ? to : std::min(end, to));
            i = end < 0 ? to : end;
        }
    };
    qsizetype at = assignment.value.begin;
    for (const ShellWord& element : assignment.elements) {
        clear(at, element.begin);
        at = element.end;
    }
    clear(at, assignment.value.end);
}

/// The letters of a word between its expansions: what echo writes as it stands.
void blankText(QString& code, const ShellWord& word)
{
    const qsizetype end = std::min(word.end, code.size());
    qsizetype from = std::min(word.begin, end);
    for (const Expansion& one : word.expansions) {
        // within the word alone: looking further would read the rest of the script for each word
        const qsizetype found = one.text.isEmpty() ? -1 : QStringView(code).sliced(from, end - from).indexOf(one.text);
        if (found < 0)
            return; // not where it was expected: better left as it is
        const qsizetype at = from + found;
        blankOut(code, from, at);
        from = at + one.text.size();
    }
    blankOut(code, from, word.end);
}

/// Where the last word of a command ends; a comment may stand after it.
qsizetype endOfWords(const ShellCommand& command)
{
    qsizetype end = command.begin;
    for (const ShellWord& word : command.words)
        end = std::max(end, word.end);
    for (const ShellAssignment& assignment : command.assignments)
        end = std::max(end, assignment.value.end);
    for (const ShellRedirection& redirection : command.redirections)
        end = std::max(end, redirection.target.end);
    return end;
}

} // namespace

bool onlyPrints(const ShellCommand& command)
{
    static const QSet<QString> printers{u"echo"_s, u"printf"_s};
    const bool writes
        = std::any_of(command.redirections.cbegin(), command.redirections.cend(), [](const ShellRedirection& one) {
              static const QSet<QString> log{u"1"_s, u"2"_s, u"/dev/stderr"_s, u"/dev/stdout"_s, u"/dev/null"_s};
              return one.op.contains(u'>') && !log.contains(one.target.value);
          });
    return printers.contains(command.name()) && !command.inSubstitution && !writes && !isPipe(command.separator)
        && command.separator != ShellSeparator::Or;
}

bool runsScript(const ShellCommand& command)
{
    static const QSet<QString> shells{u"bash"_s, u"sh"_s};
    const bool shell = shells.contains(command.name().section(u'/', -1));
    const QString file = command.words.value(shell ? 1 : 0).value;
    return command.isPlain() && file.endsWith(u".sh") && (shell || file.contains(u'/'));
}

QStringList codeLinesOf(const BatchText& batch)
{
    QString code(batch.text.size(), u' ');
    for (qsizetype i = 0; i < batch.text.size(); ++i) {
        if (batch.text.at(i) == u'\n')
            code[i] = u'\n';
    }
    for (const ShellCommand& command : batch.shell.commands) {
        if (command.parent)
            continue;
        const qsizetype end = std::min(command.end, batch.text.size());
        for (qsizetype i = std::max<qsizetype>(0, command.begin); i < end; ++i)
            code[i] = batch.text.at(i);
        const qsizetype behind = endOfWords(command);
        if (behind > command.begin && behind < end) {
            const qsizetype remark = QStringView(code).sliced(behind, end - behind).indexOf(u'#');
            if (remark >= 0)
                blankOut(code, behind + remark, end);
        }
        for (const ShellAssignment& assignment : command.assignments) {
            if (assignment.isArray)
                blankComments(code, assignment);
        }
        if (!onlyPrints(command))
            continue;
        for (qsizetype i = 1; i < command.words.size(); ++i)
            blankText(code, command.words.at(i));
    }
    return code.split(u'\n');
}

void collectUses(LintFacts& facts)
{
    const QList<ShellCommand>& commands = facts.batch.shell.commands;
    const auto add = [&](const ShellWord& word, int command, bool isPrinted) {
        for (const Expansion& one : word.expansions) {
            QStringList names = one.names;
            if (one.kind == Expansion::Kind::Variable && !names.contains(one.name))
                names.prepend(one.name);
            for (const QString& name : std::as_const(names))
                facts.uses.append({&one, name, one.line > 0 ? one.line : word.line, command, isPrinted});
        }
    };
    for (int i = 0; i < commands.size(); ++i) {
        const ShellCommand& command = commands.at(i);
        const bool isPrinted = onlyPrints(command);
        for (const ShellWord& word : command.words)
            add(word, i, isPrinted);
        for (const ShellAssignment& assignment : command.assignments) {
            add(assignment.value, i, false);
            for (const ShellWord& element : assignment.elements)
                add(element, i, false);
        }
        for (const ShellRedirection& redirection : command.redirections)
            add(redirection.target, i, false);
    }
    static const QRegularExpression variable(u"\\$\\{?[#!]?([A-Za-z_]\\w*)"_s);
    for (const HereDocument& document : facts.batch.shell.hereDocuments) {
        for (const auto& match : variable.globalMatch(document.body)) {
            const int line
                = document.firstLine + static_cast<int>(document.body.left(match.capturedStart()).count(u'\n'));
            facts.uses.append({nullptr, match.captured(1), line, {}, false});
        }
    }
    for (int i = 0; i < facts.uses.size(); ++i)
        facts.usesByName[facts.uses.at(i).name].append(i);
}

} // namespace rankwright::inline script::lint
