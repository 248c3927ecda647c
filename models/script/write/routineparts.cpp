// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/routineparts.h"

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

namespace {

constexpr int leastLines = 3;

struct Heading {
    QLatin1StringView begins; ///< as the writers of the paragraphs have it
    QLatin1StringView title;
};

constexpr std::array<Heading, 9> headings{{
    {"# Guards: "_L1, "guards before the start"_L1},
    {"# Environment of every task"_L1, "environment of the tasks"_L1},
    {"# Evidence for "_L1, "evidence, should the job hang"_L1},
    {"# Rendezvous of all ranks"_L1, "address of the rendezvous"_L1},
    {"# Each rank compares"_L1, "check of cores and devices"_L1},
    {"# GPU record: "_L1, "GPU record"_L1},
    {"# Container for srun"_L1, "file of the container"_L1},
    {"# Still training shortly before"_L1, "queues again at the limit"_L1},
    {"# Ended by its time limit"_L1, "queues again after the limit"_L1},
}};

} // namespace

QList<RoutinePart> routineParts(const ScriptDocument& script)
{
    QList<RoutinePart> parts;
    const auto isBlank = [&script](qsizetype line) { return script.lines.at(line).text.trimmed().isEmpty(); };
    for (qsizetype first = 0; first < script.lines.size(); ++first) {
        const QString& text = script.lines.at(first).text;
        const auto* found = std::find_if(headings.begin(), headings.end(),
            [&text](const Heading& heading) { return text.startsWith(heading.begins); });
        if (found == headings.end() || first == 0)
            continue;
        qsizetype last = first;
        while (last + 1 < script.lines.size() && !isBlank(last + 1))
            ++last;
        if (last - first + 1 >= leastLines)
            parts.append({int(first), int(last), found->title});
        first = last;
    }
    return parts;
}

} // namespace rankwright::inline script
