// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/guide/guidescript.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/strategyname.h"

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

enum Part { Request, Software, Safety, Places, Recording, Launch };
constexpr int partCount = 6;

bool has(const ScriptLine& line, std::initializer_list<QLatin1StringView> fields)
{
    return std::any_of(fields.begin(), fields.end(),
        [&line](QLatin1StringView field) { return line.origins.contains(QString(field)); });
}

/// What a paragraph of the script is for, by its heading and by the fields that made it; the script's writer keeps each
/// purpose in a paragraph of its own.
Part partOf(const QList<ScriptLine>& lines)
{
    const QString first = lines.first().text;
    const auto any = [&lines](QStringView text) {
        return std::any_of(
            lines.cbegin(), lines.cend(), [text](const ScriptLine& line) { return line.text.startsWith(text); });
    };
    if (any(u"#SBATCH") || first.startsWith(u"#!"_s))
        return Request;
    if (first.startsWith(u"# Launch"_s))
        return Launch;
    if (has(lines.first(), {field::sampler, field::samplerInterval}))
        return Recording;
    if (has(lines.first(), {field::hangEvidence}))
        return Software;
    if (first.startsWith(u"# Rendezvous"_s) || first.startsWith(u"# Cores next"_s) || first.startsWith(u"# NOT BOUND"_s)
        || any(u"export MASTER_") || any(u"MASTER_ADDR="))
        return Places;
    if (first.startsWith(u"# Guards"_s) || any(u"set -"))
        return Safety;
    if (any(u"srun ") || any(u"torchrun ") || any(u"exec srun"))
        return Launch;
    if (first.startsWith(u"# "_s) && first.contains(u"rank"_s, Qt::CaseInsensitive))
        return Places;
    return Software;
}

QString titleOf(Part part)
{
    switch (part) {
    case Request: return u"What Slurm is asked for"_s;
    case Software: return u"The software"_s;
    case Safety: return u"Stop early, not late"_s;
    case Places: return u"Where each rank works"_s;
    case Recording: return u"The recorder"_s;
    case Launch: break;
    }
    return u"The start"_s;
}

QString idOf(Part part)
{
    constexpr std::array<const char16_t*, partCount> ids{
        u"request", u"software", u"safety", u"places", u"recording", u"launch"};
    return QString::fromUtf16(ids.at(size_t(part)));
}

QString textOf(Part part, const ResolvedSpec& resolved)
{
    const QString word = resolved.node.gpu.word;
    switch (part) {
    case Request:
        return u"%1 with %2 each for at most %3, in the queue %4: comments to bash, orders to Slurm."_s.arg(
            nodesText(resolved.nodes), gpusText(resolved.gpusPerNode, word), humanDuration(resolved.time),
            resolved.partition.isEmpty() ? u"of the site"_s : resolved.partition);
    case Software:
        return resolved.container.isEmpty()
            ? u"A job begins with an empty shell: modules, Python and variables are set here, for all %1."_s.arg(
                counted(resolved.worldSize(), u"rank"_s))
            : u"Python and PyTorch come from a container, the same for all %1; variables are set beside it."_s.arg(
                counted(resolved.worldSize(), u"rank"_s));
    case Safety:
        return u"The first line that fails ends the job, so that nobody pays %1 for %2 that do nothing."_s.arg(
            humanDuration(resolved.time), gpusText(resolved.worldSize(), word));
    case Places:
        return resolved.worldSize() > 1
            ? u"The %1 ranks have to find each other at one address, and each works on its own %2 with the cores beside it."_s
                  .arg(resolved.worldSize())
                  .arg(word)
            : u"The one rank works on the cores beside its %1."_s.arg(word);
    case Recording:
        return u"A small step beside the training notes what each of the %1 does, so that you can look at it later."_s
            .arg(gpusText(resolved.worldSize(), word));
    case Launch: break;
    }
    return u"%1 with %2: one process for each %3."_s.arg(
        counted(resolved.worldSize(), u"process starts your program"_s, u"processes start your program"_s),
        strategyName(resolved.strategy), word);
}

} // namespace

QList<GuideScriptPart> guideScriptParts(const ScriptDocument& script, const ResolvedSpec& resolved)
{
    std::array<QList<int>, partCount> lines;
    for (int begin = 0; begin < script.lines.size();) {
        if (script.lines.at(begin).text.trimmed().isEmpty()) {
            ++begin;
            continue;
        }
        int end = begin;
        QList<ScriptLine> paragraph;
        while (end < script.lines.size() && !script.lines.at(end).text.trimmed().isEmpty())
            paragraph.append(script.lines.at(end++));
        const Part part = partOf(paragraph);
        for (int line = begin; line < end; ++line)
            lines.at(size_t(part)).append(line);
        begin = end;
    }
    QList<GuideScriptPart> parts;
    for (int part = 0; part < partCount; ++part) {
        if (!lines.at(size_t(part)).isEmpty())
            parts.append({idOf(Part(part)), titleOf(Part(part)), textOf(Part(part), resolved), lines.at(size_t(part))});
    }
    std::stable_sort(parts.begin(), parts.end(),
        [](const GuideScriptPart& a, const GuideScriptPart& b) { return a.lines.first() < b.lines.first(); });
    return parts;
}

} // namespace rankwright::inline teaching
