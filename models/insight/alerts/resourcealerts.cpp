// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "models/insight/alerts/alertrules.h"
#include "models/insight/alerts/jobsnapshot.h"

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr double hostLeft = 0.02;
constexpr qsizetype mostErrorGpus = 64;
constexpr double foreignBytes
    = 4 * bytesPerGib; ///< drivers and what a runtime keeps on each GPU that it sees hold less

/// What processes hold of the job's memory on a node; empty: not known, or enough is left.
QString nearLimit(const NodeResources& resources)
{
    const auto held = resources.held();
    if (resources.memoryOf != ResourceScope::Job || !resources.memoryLimit || !held
        || double(*held) < (1 - hostLeft) * double(*resources.memoryLimit))
        return {};
    return u"%1 of the %2 that the job may use are held by its processes"_s.arg(
        gibText(double(*held)), gibText(double(*resources.memoryLimit)));
}

/// Where nothing hides the others' GPUs of a shared node from nvidia-smi, a node reports more of them than the job got.
bool showsGpusOfOthers(const JobSnapshot& snapshot, int row)
{
    const int given = snapshot.expectation().gpusPerNode;
    return given > 0 && int(snapshot.nodes()[size_t(row)].gpus.size()) > given;
}

/// Of what a GPU has in use what can only be of GPU programs: page cache and processes of the node may lie in it where
/// its memory is the system's, and which GPU has how much of them is not told.
double ofGpuPrograms(const JobSnapshot& snapshot, const JobSnapshot::Gpu& gpu)
{
    const RankTracker::Node* node = snapshot.ranks().node(gpu.at.node);
    const auto onGpus = node && node->resources ? node->resources->onGpus : std::nullopt;
    return gpu.track->usedBytes() - double(onGpus.value_or(0));
}

} // namespace

/// Page cache does not count: the kernel drops it when a process asks.
void findHostMemory(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    Evidence low{.rule = &rule, .key = u"host"_s};
    for (int row = 0; row < int(snapshot.nodes().size()); ++row) {
        const RankTracker::Node* node = snapshot.ranks().node(row);
        if (!node || node->ranks == 0)
            continue;
        const bool isNodeFull = node->hostTotal && node->hostAvailable
            && double(*node->hostAvailable) < hostLeft * double(*node->hostTotal);
        const QString near = node->resources ? nearLimit(*node->resources) : QString();
        if (!isNodeFull && near.isEmpty())
            continue;
        if (low.nodes.isEmpty()) {
            low.title = near.isEmpty() ? u"The memory of %1 is nearly used up"_s.arg(snapshot.nodeName(row))
                                       : u"The job's memory on %1 is nearly used up"_s.arg(snapshot.nodeName(row));
            low.seen = near.isEmpty() ? u"%1 of %2 are left for processes"_s.arg(
                           gibText(double(*node->hostAvailable)), gibText(double(*node->hostTotal)))
                                      : near;
            const auto cache = node->resources ? node->resources->droppable() : std::nullopt;
            low.seen += cache
                ? u"; %1 of page cache are not counted, the kernel gives them back."_s.arg(gibText(double(*cache)))
                : u"."_s;
        }
        low.nodes.append(snapshot.nodeName(row));
    }
    if (!low.nodes.isEmpty())
        found.append(low);
}

void findMemoryErrors(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    Evidence errors{.rule = &rule, .key = u"errors"_s};
    QStringList counts;
    qsizetype gpus = 0;
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus()) {
        const qint64 rise = gpu.track->newErrors();
        if (rise <= 0)
            continue;
        ++gpus;
        errors.sinceMs
            = errors.sinceMs == 0 ? gpu.track->errorsRoseMs() : std::min(errors.sinceMs, gpu.track->errorsRoseMs());
        if (errors.gpus.size() < mostErrorGpus)
            errors.gpus.append(gpu.at);
        if (!errors.nodes.contains(snapshot.nodeName(gpu.at.node)))
            errors.nodes.append(snapshot.nodeName(gpu.at.node));
        if (counts.size() < 3)
            counts.append(u"%1: %2"_s.arg(capitalised(snapshot.whoAndWhere(gpu.at)), counted(rise, u"new error"_s)));
    }
    if (gpus == 0)
        return;
    errors.rank = gpus == 1 ? snapshot.rankAt(errors.gpus.first()) : std::nullopt;
    errors.title = gpus == 1
        ? u"The memory of %1's %2 has errors that could not be corrected"_s.arg(
            snapshot.who(errors.gpus.first()), snapshot.gpuWord())
        : u"The memory of %1 has errors that could not be corrected"_s.arg(counted(gpus, snapshot.gpuWord()));
    if (gpus == 1 && !errors.rank)
        errors.title
            = u"The memory of %1 has errors that could not be corrected"_s.arg(snapshot.who(errors.gpus.first()));
    errors.seen = counts.join(u"; "_s) + u" since the watch began; what was counted before does not matter."_s;
    errors.advice
        = u"Continue from the last checkpoint before it, without the node: --exclude=%1; report the node to the site's support."_s
              .arg(namesText(errors.nodes));
    found.append(errors);
}

void findForeignMemory(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    // Where no process of the job is seen on any GPU of a node, the list of processes cannot be trusted there; and
    // memory on GPUs of other jobs is not in this one's way.
    std::vector<char> isListed(snapshot.nodes().size(), 0);
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus())
        isListed[size_t(gpu.at.node)] |= char(gpu.track->processes().value_or(0) > 0);
    Evidence held{.rule = &rule, .key = u"foreign"_s};
    const JobSnapshot::Gpu* first = nullptr;
    qsizetype gpus = 0;
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus()) {
        if (!gpu.fresh || gpu.track->processes() != std::optional(0) || ofGpuPrograms(snapshot, gpu) < foreignBytes
            || !isListed[size_t(gpu.at.node)] || showsGpusOfOthers(snapshot, gpu.at.node))
            continue;
        ++gpus;
        if (!first)
            first = &gpu;
        if (held.gpus.size() < mostErrorGpus)
            held.gpus.append(gpu.at);
        if (!held.nodes.contains(snapshot.nodeName(gpu.at.node)))
            held.nodes.append(snapshot.nodeName(gpu.at.node));
    }
    if (!first)
        return;
    held.title = gpus == 1
        ? u"%1 of %2 %3 of %4 are held by no process of this job"_s.arg(gibText(first->track->usedBytes()),
            snapshot.gpuWord(), QString::number(first->at.gpu), snapshot.nodeName(first->at.node))
        : u"Memory of %1 is held by no process of this job"_s.arg(counted(gpus, snapshot.gpuWord()));
    held.seen = u"%1 %2 of %3 has %4 in use and no process of this job"_s.arg(snapshot.gpuWord(),
        QString::number(first->at.gpu), snapshot.nodeName(first->at.node), gibText(first->track->usedBytes()));
    if (isReported(first->use))
        held.seen += u", at %1 use"_s.arg(percentText(double(first->use)));
    held.seen += u", while others of the node have processes of it."_s;
    held.advice
        = u"See who it is on the node (nvidia-smi, rocm-smi --showpids); end what your own earlier job left behind, else report the node, or submit without it: --exclude=%1."_s
              .arg(namesText(held.nodes));
    found.append(held);
}

} // namespace rankwright::inline insight
