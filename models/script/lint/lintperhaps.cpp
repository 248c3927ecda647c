// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintperhaps.h"

#include "models/script/lint/lintbranches.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

bool isSame(const Finding& a, const Finding& b) { return a.slug == b.slug && a.line() == b.line(); }

const Finding* sameIn(const QList<Finding>& findings, const Finding& wanted)
{
    const auto found
        = std::find_if(findings.cbegin(), findings.cend(), [&](const Finding& one) { return isSame(one, wanted); });
    return found != findings.cend() ? &*found : nullptr;
}

/// What one way brings, as far as it hangs on the choice.
struct Outcome {
    const Way* way = nullptr;
    QList<Finding> findings;
};

bool changesLines(const Fix& fix, const Choice& choice)
{
    return std::any_of(fix.edits.cbegin(), fix.edits.cend(), [&](const LineEdit& edit) {
        return edit.first <= choice.lastLine && std::max(edit.first, edit.last) >= choice.firstLine;
    });
}

void soften(Finding& finding, const Way& way)
{
    finding.severity = Severity::Hint;
    finding.text = u"Perhaps, "_s + way.when + u": "_s + finding.text;
    finding.fix.reset(); // on another way it may be right as it is
}

/// Only lines that are there on every way, and whose commands read a name that hangs on the choice.
bool hangs(const LintFacts& facts, const Finding& finding, const Choice& choice)
{
    if (!finding.lines)
        return false;
    const LineRange lines = *finding.lines;
    if (lines.first <= choice.lastLine && lines.last >= choice.firstLine)
        return false;
    // a command that is itself a variable may be any other on the other ways
    const QSet<QString>& names = choice.ways.first().names;
    const bool isNamed = std::any_of(
        facts.batch.shell.commands.cbegin(), facts.batch.shell.commands.cend(), [&](const ShellCommand& command) {
            return !command.parent && command.line <= lines.last && command.lastLine >= lines.first
                && !command.words.isEmpty() && std::any_of(names.cbegin(), names.cend(), [&](const QString& name) {
                       return command.words.first().expands(name);
                   });
        });
    return !isNamed && namesReadAt(facts, lines.first, lines.last).intersects(names);
}

QList<Outcome> outcomesOf(const LintFacts& facts, const Choice& choice, const LintRun& relint)
{
    QList<Outcome> outcomes;
    for (const Way& way : choice.ways) {
        Outcome outcome{&way, {}};
        if (!way.setsNone) {
            BatchText text = parseBatch(way.text);
            mergeBranches(text);
            outcome.findings = relint(collectFacts(text, facts.profile));
        }
        outcome.findings.removeIf([&](const Finding& finding) { return !hangs(facts, finding, choice); });
        outcomes.append(outcome);
    }
    return outcomes;
}

} // namespace

void addPerhaps(const LintFacts& facts, QList<Finding>& findings, const LintRun& relint)
{
    for (const Choice& choice : choicesOf(facts)) {
        const QList<Outcome> outcomes = outcomesOf(facts, choice, relint);
        // what was said without a look at the ways, and does not hold on one of them
        for (Finding& finding : findings) {
            if (!choice.isPlain || finding.severity == Severity::Hint || !hangs(facts, finding, choice))
                continue;
            const auto without = std::find_if(outcomes.cbegin(), outcomes.cend(),
                [&](const Outcome& one) { return !one.way->setsNone && !sameIn(one.findings, finding); });
            const auto with = std::find_if(
                outcomes.cbegin(), outcomes.cend(), [&](const Outcome& one) { return sameIn(one.findings, finding); });
            if (without != outcomes.cend() && with != outcomes.cend())
                soften(finding, *with->way);
        }
        for (const Outcome& outcome : outcomes) {
            for (Finding finding : outcome.findings) {
                if (sameIn(findings, finding))
                    continue;
                const bool alike = std::all_of(outcomes.cbegin(), outcomes.cend(), [&](const Outcome& other) {
                    const Finding* same = sameIn(other.findings, finding);
                    return same != nullptr && same->text == finding.text && same->severity == finding.severity;
                });
                if (!alike)
                    soften(finding, *outcome.way);
                else if (finding.fix && changesLines(*finding.fix, choice))
                    finding.fix.reset();
                findings.append(finding);
            }
        }
    }
}

} // namespace rankwright::inline script::lint
