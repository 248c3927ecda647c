// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classscript.h"

#include "models/planner/design/fieldtable.h"
#include "models/teaching/classroom/classrules.h"

#include <algorithm>

namespace rankwright::inline teaching {

using namespace Qt::StringLiterals;

namespace {

constexpr int leastLines = 4;

bool isBlank(const ScriptLine& line) { return line.text.trimmed().isEmpty(); }

} // namespace

QList<ScriptSpan> classScriptSpans(const ClassFile& file, const ClassExercise& exercise, const ScriptDocument& script)
{
    QList<FieldPath> open{field::overrides};
    for (const SpecField& row : specFields())
        if (isOpenField(file, exercise, row.path))
            open.append(row.path);
    const auto isKept = [&open](const ScriptLine& line) {
        if (line.text.startsWith(u"#SBATCH"_s) || line.text.startsWith(u"#!"_s))
            return true;
        return std::any_of(line.origins.cbegin(), line.origins.cend(), [&open](const FieldPath& origin) {
            return std::any_of(
                open.cbegin(), open.cend(), [&origin](const FieldPath& path) { return fieldsOverlap(path, origin); });
        });
    };
    QList<ScriptSpan> spans;
    const int count = int(script.lines.size());
    bool goesOn = false; // the paragraph before was folded, too
    for (int begin = 0; begin < count;) {
        if (isBlank(script.lines.at(begin))) {
            ++begin;
            continue;
        }
        int end = begin;
        while (end < count && !isBlank(script.lines.at(end)))
            ++end;
        const bool kept = std::any_of(script.lines.cbegin() + begin, script.lines.cbegin() + end, isKept);
        if (!kept && goesOn)
            spans.last().last = end - 1;
        else if (!kept)
            spans.append({begin, end - 1});
        goesOn = !kept;
        begin = end;
    }
    spans.removeIf([](const ScriptSpan& span) { return span.first == 0 || span.last - span.first + 1 < leastLines; });
    return spans;
}

} // namespace rankwright::inline teaching
