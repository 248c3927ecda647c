// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintsilence.h"

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

const QString ownSlug = u"ignore-unused"_s;

bool isNamed(const Finding& finding, const QString& name)
{
    return name.compare(finding.rule, Qt::CaseInsensitive) == 0 || name == finding.slug;
}

/// What a comment that stands alone speaks of: the next directive or the whole next command.
std::pair<int, int> linesBelow(const LintFacts& facts, int line)
{
    const QStringList& lines = facts.batch.lines;
    for (int next = line + 1; next <= lines.size(); ++next) {
        const QString text = lines.at(next - 1).trimmed();
        const bool remark = text.startsWith(u'#') && !text.startsWith(u"#SBATCH");
        if (text.isEmpty() || remark)
            continue;
        int last = next;
        for (const ShellCommand& command : facts.batch.shell.commands) {
            if (!command.parent && command.line == next)
                last = std::max(last, command.lastLine);
        }
        return {next, last};
    }
    return {line, line};
}

/// Is a place of the text part of a word of a command: what echo prints, a quoted text?
bool isInWord(const LintFacts& facts, int line, qsizetype at)
{
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if (command.line > line || command.lastLine < line)
            continue;
        for (const ShellWord& word : command.words) {
            if (word.begin <= at && at < word.end)
                return true;
        }
    }
    return false;
}

} // namespace

bool Silence::covers(const Finding& finding) const
{
    const bool named
        = std::any_of(names.cbegin(), names.cend(), [&](const QString& name) { return isNamed(finding, name); });
    // what concerns the script as a whole is at no line: any comment that names the rule means it
    return named && (!finding.lines || (finding.lines->first >= first && finding.lines->first <= last));
}

QList<Silence> silencesOf(const LintFacts& facts)
{
    static const QRegularExpression form(u"#+\\s*rankwright:\\s*ignore\\b[:\\s]*([A-Za-z0-9, -]*)"_s);
    static const QRegularExpression between(u"[,\\s]+"_s);
    QList<Silence> found;
    qsizetype begin = 0;
    for (qsizetype i = 0; i < facts.batch.lines.size(); ++i) {
        const QString& line = facts.batch.lines.at(i);
        const qsizetype offset = begin;
        begin = facts.batch.text.indexOf(u'\n', begin) + 1;
        if (!line.contains(u"rankwright:"))
            continue;
        const auto match = form.match(line);
        const int number = static_cast<int>(i) + 1;
        const bool isText = std::any_of(facts.batch.shell.hereDocuments.cbegin(),
            facts.batch.shell.hereDocuments.cend(),
            [&](const HereDocument& document) { return number >= document.firstLine && number <= document.lastLine; });
        const qsizetype at = facts.batch.text.indexOf(line, offset) + match.capturedStart();
        const bool inCommand = match.hasMatch() && isInWord(facts, number, at);
        if (!match.hasMatch() || isText || inCommand)
            continue;
        Silence one{number, match.captured(1).split(between, Qt::SkipEmptyParts), number, number};
        if (line.left(match.capturedStart()).trimmed().isEmpty())
            std::tie(one.first, one.last) = linesBelow(facts, number);
        found.append(one);
    }
    return found;
}

void silence(const QList<Silence>& silences, QList<Finding>& findings, QList<Finding>& silenced)
{
    QList<Finding> hints;
    for (const Silence& one : silences) {
        QStringList idle;
        for (const QString& name : one.names) {
            const bool used = std::any_of(findings.cbegin(), findings.cend(),
                [&](const Finding& finding) { return isNamed(finding, name) && one.covers(finding); });
            if (!used)
                idle.append(name);
        }
        if (one.names.isEmpty() || !idle.isEmpty()) {
            Finding hint;
            hint.severity = Severity::Hint;
            hint.rule = u"R281"_s;
            hint.slug = ownSlug;
            hint.lines = LineRange{one.line, one.line};
            hint.text = one.names.isEmpty()
                ? u"This comment names no rule: write # rankwright: ignore L05, or a slug such as early-rank-variable."_s
                : u"Nothing is silenced by “ignore %1”: no such rule reports anything about that line."_s.arg(
                    idle.join(u' '));
            hint.source = u"docs/lint.md"_s;
            hints.append(hint);
        }
    }
    for (const Finding& finding : std::as_const(findings)) {
        if (std::any_of(silences.cbegin(), silences.cend(), [&](const Silence& one) { return one.covers(finding); }))
            silenced.append(finding);
    }
    findings.removeIf([&](const Finding& finding) {
        return std::any_of(silences.cbegin(), silences.cend(), [&](const Silence& one) { return one.covers(finding); });
    });
    findings += hints;
}

} // namespace rankwright::inline script::lint
