// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/checks/designrule.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

using Hits = QList<RuleHit>;

QString shown(const QString& line) { return u'“' + line.simplified().left(80) + u'”'; }

Fix giveBack(int block)
{
    return {u"Use the generated lines again"_s, [block](JobSpec& spec) {
                if (block < spec.overrides.size())
                    spec.overrides.removeAt(block);
            }};
}

/// Notes of one kind, said in words.
Hits hitsOf(const RuleContext& context, OverrideNote::Kind kind, QString (*text)(const OverrideNote&))
{
    Hits hits;
    for (const OverrideNote& note : context.script.notes) {
        if (note.kind == kind)
            hits.append({field::overrides, text(note), giveBack(note.block)});
    }
    return hits;
}

Hits contradictions(const RuleContext& context)
{
    return hitsOf(context, OverrideNote::Kind::Contradicts, [](const OverrideNote& note) {
        return u"Your own line %1 is kept where the fields now say %2."_s.arg(shown(note.own), shown(note.generated));
    });
}

Hits twice(const RuleContext& context)
{
    return hitsOf(context, OverrideNote::Kind::Twice, [](const OverrideNote& note) {
        return u"Your own line %1 and the field's line %2 ask for the same thing: sbatch takes the last one."_s.arg(
            shown(note.own), shown(note.generated));
    });
}

Hits displaced(const RuleContext& context)
{
    return hitsOf(context, OverrideNote::Kind::Displaced, [](const OverrideNote& note) {
        return u"The line %1, below which your own line %2 was, is gone: check where it is now (line %3)."_s.arg(
            shown(note.generated), shown(note.own), QString::number(note.line + 1));
    });
}

} // namespace

QList<DesignRule> overrideChecks()
{
    const QString source = u"docs/design_file.md, overrides"_s;
    return {
        {{u"R120"_s, u"override-contradicts"_s, Severity::Warning, {}, {}, source}, contradictions},
        {{u"R121"_s, u"override-twice"_s, Severity::Warning, {}, {}, source}, twice},
        {{u"R122"_s, u"override-displaced"_s, Severity::Warning, {}, {}, source}, displaced},
    };
}

} // namespace rankwright::inline script
