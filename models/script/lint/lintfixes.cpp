// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintfixes.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

Fix removeLine(const LintFacts&, int line) { return {u"Remove the line"_s, {}, {{line, line, {}}}}; }

Fix removeOption(const LintFacts& facts, const BatchOption& option)
{
    const QList<BatchOption>& options = facts.batch.options; // in the order of lines
    const auto first = std::lower_bound(options.cbegin(), options.cend(), option.line,
        [](const BatchOption& other, int line) { return other.line < line; });
    const bool alone = first == options.cend() || first + 1 == options.cend() || (first + 1)->line != option.line;
    if (alone)
        return removeLine(facts, option.line);
    return replaceOption(facts, option, QString(), u"Remove "_s + option.written);
}

Fix replaceOption(const LintFacts& facts, const BatchOption& option, const QString& written, const QString& label)
{
    QString line = facts.batch.lines.value(option.line - 1);
    const qsizetype from = option.column - 1;
    line.replace(from, option.endColumn - option.column, written);
    if (written.isEmpty()) { // two blanks would be where one did
        if (from < line.size() && from > 0 && line.at(from).isSpace() && line.at(from - 1).isSpace())
            line.remove(from, 1);
    }
    return {label, {}, {{option.line, option.line, {line}}}};
}

Fix addDirective(const LintFacts& facts, const QString& written)
{
    int after = facts.batch.shebang.isEmpty() ? 0 : 1;
    if (!facts.batch.options.isEmpty())
        after = std::max(after, facts.batch.options.last().line);
    return insertLine(after + 1, u"#SBATCH "_s + written, u"Add "_s + written);
}

std::optional<Fix> replaceInLine(
    const LintFacts& facts, int line, const QString& before, const QString& after, const QString& label)
{
    QString text = facts.batch.lines.value(line - 1);
    const qsizetype at = before.isEmpty() ? -1 : text.indexOf(before);
    if (at < 0)
        return std::nullopt;
    text.replace(at, before.size(), after);
    return Fix{label, {}, {{line, line, {text}}}};
}

Fix insertLine(int before, const QString& line, const QString& label)
{
    return {label, {}, {{before, before - 1, {line}}}};
}

QString quoted(const QString& text)
{
    QString shown = text.size() > 60 ? text.left(57) + u"..."_s : text;
    for (QChar& c : shown) {
        if (c.category() == QChar::Other_Control)
            c = u' ';
    }
    return u'“' + shown.trimmed() + u'”';
}

} // namespace rankwright::inline script::lint
