// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/report/memoryshortage.h"

#include "models/core/quantitytext.h"

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr double worthAWord = 1.03; ///< of the plan: less is within what no estimate can know
constexpr double leastFragments = 0.02; ///< of the GPU: less is not a reason

QString joined(const QStringList& parts)
{
    return parts.size() < 2 ? parts.join(QString())
                            : parts.mid(0, parts.size() - 1).join(u", "_s) + u" and "_s + parts.last();
}

QString sayingOf(const MemoryMessage& said, const QString& word)
{
    QStringList parts;
    if (said.allocated)
        parts.append(u"its tensors held %1"_s.arg(humanBytes(*said.allocated)));
    if (said.tried)
        parts.append(u"it asked for %1 more"_s.arg(humanBytes(*said.tried)));
    if (said.free && said.capacity)
        parts.append(u"%1 of the %2's %3 were free"_s.arg(humanBytes(*said.free), word, humanBytes(*said.capacity)));
    else if (said.capacity)
        parts.append(u"the %1 has %2"_s.arg(word, humanBytes(*said.capacity)));
    return u"When the memory ran out, "_s + joined(parts) + u'.';
}

QString planned(const MemoryShortage::Plan& plan)
{
    QStringList parts;
    for (const MemoryShortage::Part& part : plan.parts)
        parts.append(u"%1 %2"_s.arg(part.label, gibFigure(part.bytes)));
    return u"Planned were %1 of %2 usable: %3 (GiB)."_s.arg(
        gibText(plan.totalBytes), gibText(plan.usableBytes), joined(parts));
}

QString beside(const MemoryShortage& shortage)
{
    const MemoryShortage::Plan& plan = *shortage.plan;
    const auto needed = shortage.said.needed();
    if (!needed)
        return {};
    if (const auto passing = shortage.passingBytes())
        return u"It needed at least %1, %2 more than planned: activations and what a step holds for a while took %3 or more, planned were %4."_s
            .arg(humanBytes(*needed), percentText(100 * (*shortage.excess() - 1)), gibText(*passing),
                gibText(plan.passingBytes));
    if (double(needed->count) < plan.totalBytes)
        return u"It needed at least %1 at that moment; the plan expected more before the end of a step."_s.arg(
            humanBytes(*needed));
    return u"It needed at least %1: as planned."_s.arg(humanBytes(*needed));
}

} // namespace

std::optional<double> MemoryShortage::excess() const
{
    const auto needed = said.needed();
    if (!needed || !plan || !(plan->totalBytes > 0) || double(needed->count) < worthAWord * plan->totalBytes)
        return {};
    return double(needed->count) / plan->totalBytes;
}

std::optional<double> MemoryShortage::passingBytes() const
{
    if (!excess())
        return {};
    const double rest = plan->totalBytes - plan->passingBytes;
    return double(said.needed()->count) - rest;
}

bool MemoryShortage::isFragmented() const
{
    if (!said.unused || !said.tried || *said.unused < *said.tried)
        return false;
    return !said.capacity || double(said.unused->count) > leastFragments * double(said.capacity->count);
}

QStringList statementsOf(const MemoryShortage& shortage, const QString& gpuWord)
{
    const MemoryMessage& said = shortage.said;
    QStringList all{sayingOf(said, gpuWord)};
    if (said.others && said.others->count > 0)
        all.append(u"Other processes held %1 of the same %2: several ranks use it, or it is not the job's alone."_s.arg(
            humanBytes(*said.others), gpuWord));
    if (shortage.isFragmented() && said.runtime == MemoryMessage::Runtime::Cuda)
        all.append(
            u"%1 more were reserved, in pieces too small for it: PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True joins them."_s
                .arg(humanBytes(*said.unused)));
    else if (shortage.isFragmented())
        all.append(u"%1 more were reserved, in pieces too small for it."_s.arg(humanBytes(*said.unused)));
    if (shortage.plan) {
        all.append(planned(*shortage.plan));
        if (const QString compared = beside(shortage); !compared.isEmpty())
            all.append(compared);
    }
    if (!shortage.unpassed.isEmpty())
        all.append(u"The plan counts on %1, and nothing in the script hands %2 to the program."_s.arg(
            joined(shortage.unpassed), shortage.unpassed.size() == 1 ? u"it"_s : u"them"_s));
    return all;
}

} // namespace rankwright::inline insight
