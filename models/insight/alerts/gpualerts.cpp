// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/core/statistics.h"
#include "models/insight/alerts/alertrules.h"
#include "models/insight/alerts/jobsnapshot.h"
#include "models/insight/telemetry/waitingpower.h"

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 othersWorkMs = 8000; ///< GPUs that do nothing are evaluated when others have worked this long
constexpr qint64 startSpreadMs = 40'000; ///< programs may reach their GPUs one after the other
constexpr float fullShare = 0.95F;
constexpr double littleShare = 0.35;
constexpr qint64 littleAfterMs = 300'000;
constexpr float coldClockShare = 0.8F;
constexpr float hotCelsius = 90;
constexpr int mostGpusNamed = 64;
constexpr float vacantUse = 5;

bool isVacant(const JobSnapshot::Gpu& gpu)
{
    return gpu.fresh && gpu.track->reportsUse() && !gpu.track->hasWorked() && gpu.track->busySamples() <= 1
        && gpu.track->isVacant().value_or(false);
}

/// Empty now, whatever it did before: work of its first seconds, or of the job before this one, is over.
bool isVacantNow(const JobSnapshot& snapshot, const JobSnapshot::Gpu& gpu)
{
    const float most = gpu.track->recent(snapshot.nowMs() - snapshot.windowMs()).mostUse;
    return isVacant(gpu)
        || (gpu.fresh && gpu.track->reportsUse() && isReported(most) && most <= vacantUse
            && gpu.track->isVacant().value_or(false));
}

bool worksSteadily(const JobSnapshot& snapshot, const JobSnapshot::Gpu& gpu)
{
    return gpu.track->hasWorked() && snapshot.nowMs() - gpu.track->firstWorkMs() >= othersWorkMs;
}

void addGpu(Evidence& evidence, GpuAddress at)
{
    if (evidence.gpus.size() < mostGpusNamed)
        evidence.gpus.append(at);
}

/// "--ntasks-per-node=8 (srun) or --nproc_per_node=8 (torchrun)", or as this job says it.
QString oneRankPerGpu(const JobSnapshot& snapshot, int gpusPerNode)
{
    const QString& option = snapshot.expectation().launchOption;
    return option.isEmpty() ? u"--ntasks-per-node=%1 for srun, --nproc_per_node=%1 for torchrun"_s.arg(gpusPerNode)
                            : option;
}

} // namespace

void findIdleGpus(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    Evidence idle{.rule = &rule};
    qsizetype vacant = 0;
    qsizetype fresh = 0;
    bool othersWork = false;
    std::vector<int> vacantOn(snapshot.nodes().size(), 0);
    std::vector<int> gpusOn(snapshot.nodes().size(), 0);
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus()) {
        fresh += gpu.fresh ? 1 : 0;
        ++gpusOn[size_t(gpu.at.node)];
        othersWork = othersWork || worksSteadily(snapshot, gpu);
        // Several ranks on one GPU of this node is another matter; so is a rank that is there and has not begun.
        const int ranks = snapshot.ranks().presentOn(gpu.at.node);
        if (!isVacant(gpu) || (ranks > 0 && ranks >= int(snapshot.nodes()[size_t(gpu.at.node)].gpus.size())))
            continue;
        ++vacant;
        ++vacantOn[size_t(gpu.at.node)];
        addGpu(idle, gpu.at);
    }
    if (vacant == 0 || !othersWork)
        return;
    QStringList emptyNodes;
    int widest = 0;
    for (size_t row = 0; row < gpusOn.size(); ++row) {
        widest = std::max(widest, gpusOn[row]);
        if (vacantOn[row] > 0)
            idle.nodes.append(snapshot.nodeName(int(row)));
        if (vacantOn[row] > 0 && vacantOn[row] == gpusOn[row])
            emptyNodes.append(snapshot.nodeName(int(row)));
    }
    const int world = snapshot.worldSize().value_or(0);
    const bool ranksExplain = snapshot.ranks().present() > 0 && world > 0 && world < int(fresh);
    idle.key = u"idle"_s;
    idle.sinceMs = snapshot.workBeganMs();
    idle.lastsMs = ranksExplain || snapshot.ranks().present() > 0 ? rule.lastsMs : startSpreadMs;
    idle.title = u"%1 of %2 never did any work"_s.arg(vacant).arg(counted(fresh, snapshot.gpuWord()));
    if (ranksExplain)
        idle.title += u": WORLD_SIZE is %1"_s.arg(world);
    else if (!emptyNodes.isEmpty())
        idle.title += u": no rank works on %1"_s.arg(namesText(emptyNodes));
    idle.seen
        = u"No use above 5 % and hardly any memory on them, while %1 at work for %2."_s
              .arg(u"%1 %2"_s.arg(counted(snapshot.workedGpus(), snapshot.gpuWord()), isOrAre(snapshot.workedGpus())))
              .arg(durationText(snapshot.nowMs() - snapshot.workBeganMs()));
    idle.advice = u"Start one rank for each %1 (%2), or ask for fewer: --gpus-per-node=%3."_s
                      .arg(snapshot.gpuWord(), oneRankPerGpu(snapshot, widest))
                      .arg(std::max(1,
                          widest - (emptyNodes.isEmpty() ? *std::max_element(vacantOn.begin(), vacantOn.end()) : 0)));
    if (!emptyNodes.isEmpty())
        idle.advice = u"Start the program on all nodes: srun in front of it with --nodes=%1, or ask for --nodes=%2."_s
                          .arg(snapshot.nodes().size())
                          .arg(snapshot.nodes().size() - size_t(emptyNodes.size()));
    found.append(idle);
}

void findCrowdedGpu(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    std::vector<QList<const JobSnapshot::Gpu*>> byNode(snapshot.nodes().size());
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus())
        byNode[size_t(gpu.at.node)].append(&gpu);
    Evidence crowd{.rule = &rule, .key = u"crowd"_s};
    int ranksThere = 0;
    qsizetype empty = 0;
    for (const QList<const JobSnapshot::Gpu*>& gpus : byNode) {
        QList<const JobSnapshot::Gpu*> taken;
        bool reported = false;
        bool work = false;
        for (const JobSnapshot::Gpu* gpu : gpus) {
            if (isVacantNow(snapshot, *gpu))
                continue;
            taken.append(gpu);
            reported = reported || gpu->track->processes().value_or(0) >= 2;
            work = work || worksSteadily(snapshot, *gpu);
        }
        if (taken.isEmpty() || taken.size() == gpus.size())
            continue;
        const int row = gpus.first()->at.node;
        int ranks = snapshot.ranks().presentOn(row);
        if (ranks == 0 && reported) {
            for (const JobSnapshot::Gpu* gpu : taken)
                ranks += gpu->track->processes().value_or(0);
        }
        if (ranks <= taken.size() || ranks < 2 || (!reported && !work))
            continue;
        ranksThere = std::max(ranksThere, ranks);
        empty += gpus.size() - taken.size();
        crowd.nodes.append(snapshot.nodeName(row));
        for (const JobSnapshot::Gpu* gpu : taken)
            addGpu(crowd, gpu->at);
    }
    if (crowd.nodes.isEmpty())
        return;
    QList<int> numbers;
    for (const GpuAddress at : std::as_const(crowd.gpus)) {
        if (snapshot.nodeName(at.node) == crowd.nodes.first())
            numbers.append(at.gpu);
    }
    crowd.title = u"%1 ranks share %2 %3, %4 empty"_s.arg(ranksThere)
                      .arg(snapshot.gpuWord(numbers.size()), numbersText(numbers))
                      .arg(u"%1 %2"_s.arg(counted(empty, snapshot.gpuWord()), isOrAre(empty)));
    crowd.seen = u"On %1: %2 rank processes, work and memory on %3 only."_s.arg(namesText(crowd.nodes))
                     .arg(ranksThere)
                     .arg(u"%1 %2"_s.arg(snapshot.gpuWord(numbers.size()), numbersText(numbers)));
    const auto& all = snapshot.ranks().ranks();
    const auto odd = std::find_if(all.begin(), all.end(), [&](const auto& pair) {
        return snapshot.nodeName(pair.second.node) == crowd.nodes.first() && !pair.second.last.visibleDevices.isEmpty();
    });
    if (odd != all.end())
        crowd.seen += u" Rank %1 sees device %2."_s.arg(odd->first).arg(odd->second.last.visibleDevices);
    found.append(crowd);
}

void findMemoryFull(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    Evidence full{.rule = &rule, .key = u"full"_s};
    const JobSnapshot::Gpu* worst = nullptr;
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus()) {
        const float share = gpu.track->memoryShare();
        if (!gpu.fresh || !isReported(share) || share < fullShare || !gpu.track->isMemoryGrowing())
            continue;
        addGpu(full, gpu.at);
        if (!worst || share > worst->track->memoryShare())
            worst = &gpu;
    }
    if (!worst)
        return;
    full.rank = snapshot.rankAt(worst->at);
    full.title = u"Memory is nearly full and still grows: %1 at %2 of %3"_s.arg(
        snapshot.who(worst->at), gibText(worst->track->usedBytes()), gibText(worst->track->totalBytes()));
    full.seen = u"%1 above 95 %; the highest value rose in each of the last four half minutes."_s.arg(
        u"%1 %2"_s.arg(counted(full.gpus.size(), snapshot.gpuWord()), isOrAre(full.gpus.size())));
    found.append(full);
}

void findMemoryUnused(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    if (snapshot.workedGpus() == 0 || snapshot.nowMs() - snapshot.workBeganMs() < littleAfterMs)
        return;
    const JobSnapshot::Gpu* fullest = nullptr;
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus()) {
        if (!gpu.track->hasWorked())
            continue;
        if (gpu.track->totalBytes() <= 0 || gpu.track->peakBytes() < 0)
            return; // not all of them report
        if (!fullest || gpu.track->peakBytes() > fullest->track->peakBytes())
            fullest = &gpu;
    }
    if (!fullest || fullest->track->peakBytes() > littleShare * fullest->track->totalBytes())
        return;
    Evidence little{.rule = &rule, .key = u"little"_s, .sinceMs = snapshot.workBeganMs()};
    little.gpus = {fullest->at};
    little.title = u"Most memory stays unused: at most %1 of %2 on any %3"_s.arg(
        gibText(fullest->track->peakBytes()), gibText(fullest->track->totalBytes()), snapshot.gpuWord());
    little.seen = u"Highest value since work began %1 ago: %2, on %3."_s.arg(
        durationText(snapshot.nowMs() - snapshot.workBeganMs()),
        percentText(100 * fullest->track->peakBytes() / fullest->track->totalBytes()),
        snapshot.whoAndWhere(fullest->at));
    found.append(little);
}

void findThrottled(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    std::vector<float> clocks;
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus()) {
        if (gpu.fresh && gpu.use >= float(fullUsePercent) && isReported(gpu.track->clock()))
            clocks.push_back(gpu.track->clock());
    }
    float typical = notReported;
    if (clocks.size() >= 4)
        typical = median(clocks);
    Evidence slow{.rule = &rule, .key = u"slow"_s};
    QStringList reasons;
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus()) {
        if (!gpu.fresh)
            continue;
        const GpuWindow& track = *gpu.track;
        const bool reported = track.throttledSinceMs() > 0;
        const bool hot = isReported(track.temperature()) && track.temperature() >= hotCelsius;
        const bool cold = isReported(typical) && isReported(track.clock()) && gpu.use >= float(fullUsePercent)
            && track.clock() < coldClockShare * typical && (hot || gpu.share > fullShare);
        if (!reported && !cold)
            continue;
        if (slow.gpus.isEmpty() || (reported && track.throttledSinceMs() < slow.sinceMs))
            slow.sinceMs = reported ? track.throttledSinceMs() : 0;
        addGpu(slow, gpu.at);
        if (reasons.size() >= 2)
            continue;
        QStringList facts;
        if (reported)
            facts.append(track.throttle().testFlag(Throttle::Thermal) ? u"says it is too hot"_s
                                                                      : u"says that hardware slows it down"_s);
        if (isReported(track.temperature()))
            facts.append(u"%1 °C"_s.arg(double(track.temperature()), 0, 'f', 0));
        if (isReported(track.clock()))
            facts.append(isReported(typical) ? u"%1 MHz, the others %2 MHz"_s.arg(int(track.clock())).arg(int(typical))
                                             : u"%1 MHz"_s.arg(int(track.clock())));
        reasons.append(u"%1: %2"_s.arg(capitalised(snapshot.whoAndWhere(gpu.at)), facts.join(u", "_s)));
    }
    if (slow.gpus.isEmpty())
        return;
    slow.rank = slow.gpus.size() == 1 ? snapshot.rankAt(slow.gpus.first()) : std::nullopt;
    for (const GpuAddress at : std::as_const(slow.gpus)) {
        if (!slow.nodes.contains(snapshot.nodeName(at.node)))
            slow.nodes.append(snapshot.nodeName(at.node));
    }
    slow.title = slow.gpus.size() == 1 ? u"%1 is throttled"_s.arg(capitalised(snapshot.who(slow.gpus.first())))
                                       : u"%1 are throttled"_s.arg(counted(slow.gpus.size(), snapshot.gpuWord()));
    slow.seen = reasons.join(u"; "_s) + u'.';
    slow.advice
        = u"Report the node to the site's support; submit without it: --exclude=%1."_s.arg(namesText(slow.nodes));
    found.append(slow);
}

void findSecondaryDies(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    if (snapshot.expectation().gpusPerPackage < 2)
        return;
    qsizetype silent = 0;
    qsizetype reported = 0;
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus()) {
        silent += gpu.fresh && gpu.track->isSecondaryDie() ? 1 : 0;
        reported += gpu.fresh ? 1 : 0;
    }
    if (silent == 0)
        return;
    found.append({.rule = &rule,
        .key = u"dies"_s,
        .title = u"Power is reported once per package: normal"_s,
        .seen = u"%1 of %2 report no power of their own."_s.arg(silent).arg(counted(reported, snapshot.gpuWord()))});
}

} // namespace rankwright::inline insight
