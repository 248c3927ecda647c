// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alertrule.h"
#include "models/insight/jobscene.h"

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr float idleUse = 5;
constexpr float halfUse = 50;
constexpr qint64 blindMs = 60'000; ///< evidence must last so long where the output tells no progress

struct Spin {
    int judged = 0;
    int spinning = 0;
    QList<GpuAddress> late; ///< idle, or the only ones that work
    QList<int> lateRanks;
};

/// Who spins in a collective, and who does not come to it.
Spin spinOf(const JobScene& scene)
{
    Spin spin;
    QList<GpuAddress> idle;
    QList<GpuAddress> working;
    for (const JobScene::Gpu& gpu : scene.gpus()) {
        if (!gpu.fresh || !isTold(gpu.use) || !gpu.track->hasWorked())
            continue;
        ++spin.judged;
        if (gpu.use < halfUse)
            idle.append(gpu.at);
        else if (JobScene::waits(gpu).value_or(false))
            ++spin.spinning;
        else
            working.append(gpu.at);
    }
    spin.late = idle.isEmpty() ? working : idle;
    for (const GpuAddress at : std::as_const(spin.late)) {
        if (const auto rank = scene.rankAt(at))
            spin.lateRanks.append(*rank);
    }
    return spin;
}

enum class Doing { NotTold, Something, Sleeping };

/// Sleeping only when all of them do.
Doing doingOf(const JobScene& scene, const QList<int>& ranks)
{
    if (ranks.isEmpty())
        return Doing::NotTold;
    for (const int rank : ranks) {
        const RankBook::Entry* entry = scene.ranks().find(rank);
        if (!entry || !entry->last.cpuPercent)
            return Doing::NotTold;
        if (entry->quietSinceMs == 0)
            return Doing::Something;
    }
    return Doing::Sleeping;
}

Doing doingOfAll(const JobScene& scene)
{
    QList<int> ranks;
    for (const auto& [rank, entry] : scene.ranks().ranks()) {
        if (scene.ranks().isPresent(entry))
            ranks.append(rank);
    }
    return doingOf(scene, ranks);
}

/// Since when no new step has come; what is usual and what pauses there were before are allowed for.
bool isStalled(const JobScene& scene, qint64 limitMs)
{
    const RunPace& pace = scene.pace();
    if (!pace.isKnown())
        return pace.updates() == 0; // blind: the evidence itself must last
    if (pace.isFinishing())
        return false;
    return pace.sinceLastMs(scene.nowMs()) >= std::max({limitMs, 5 * pace.usualGapMs(), pace.longestPauseMs() * 3 / 2});
}

QString stallText(const JobScene& scene)
{
    if (!scene.pace().isKnown())
        return u"The output tells no progress."_s;
    return u"No new step for %1, usually one every %2 s."_s.arg(durationText(scene.pace().sinceLastMs(scene.nowMs())))
        .arg(std::max(0.1, double(scene.pace().usualGapMs()) / 1000), 0, 'f', 1);
}

} // namespace

void seeHang(const AlertRule& rule, const JobScene& scene, QList<Evidence>& found)
{
    if (scene.workedGpus() < 2)
        return;
    const Spin spin = spinOf(scene);
    if (spin.judged < 2 || spin.spinning == 0)
        return;
    Evidence hang{.rule = &rule};
    const bool named = !spin.late.isEmpty() && spin.late.size() * 4 <= std::max(4, spin.judged);
    if (!named && spin.spinning < spin.judged)
        return;
    const Doing late = named ? doingOf(scene, spin.lateRanks) : Doing::NotTold;
    // A rank that writes a checkpoint leaves the others spinning just so; but it uses its processor or its disk.
    const qint64 limit = !named ? 90'000 : late == Doing::NotTold ? 120'000 : late == Doing::Sleeping ? 9000 : 300'000;
    if (!isStalled(scene, limit))
        return;
    hang.lastsMs = scene.pace().isKnown() ? rule.lastsMs : std::max(limit, blindMs);
    hang.sinceMs = scene.pace().isKnown() ? scene.pace().lastMs() : 0;
    hang.key = u"hang"_s;
    if (named) {
        hang.gpus = spin.late;
        for (const GpuAddress at : spin.late) {
            if (!hang.nodes.contains(scene.nodeName(at.node)))
                hang.nodes.append(scene.nodeName(at.node));
        }
        const bool one = spin.late.size() == 1;
        hang.rank = one ? scene.rankAt(spin.late.first()) : std::nullopt;
        const QString who = one                         ? scene.who(spin.late.first())
            : spin.lateRanks.size() == spin.late.size() ? u"ranks %1"_s.arg(numbersText(spin.lateRanks))
                                                        : countOf(spin.late.size(), scene.gpuWord());
        hang.title = one ? u"The job hangs: %1 does not come, the others wait for it"_s.arg(who)
                         : u"The job hangs: %1 do not come, the others wait for them"_s.arg(who);
        hang.seen = u"%1 %2 spin at full use and little power, %3 %4."_s.arg(stallText(scene),
            countOf(spin.spinning, scene.gpuWord()), scene.whoAndWhere(spin.late.first()),
            late == Doing::Sleeping ? u"does nothing and its process sleeps"_s : u"does not"_s);
    } else {
        hang.title = u"The job hangs: all %1 wait in a collective and none is late"_s.arg(
            countOf(spin.judged, scene.gpuWord()));
        hang.seen = u"%1 All spin at full use and little power."_s.arg(stallText(scene));
        hang.advice = u"Ranks wait in different collectives: an if that differs between ranks, or unequal numbers of "
                      u"batches. Run once with TORCH_DISTRIBUTED_DEBUG=DETAIL, or py-spy dump on two ranks."_s;
    }
    found.append(hang);
}

void seeStall(const AlertRule& rule, const JobScene& scene, QList<Evidence>& found)
{
    if (scene.freshGpus() == 0 || scene.freshGpus() < int(scene.gpus().size()))
        return;
    bool held = false;
    for (const JobScene::Gpu& gpu : scene.gpus()) {
        if (gpu.use >= idleUse)
            return;
        held = held || !gpu.track->isVacant().value_or(true);
    }
    if (!held && scene.ranks().present() == 0)
        return; // nobody is there: a script that copies data, or the end
    const Doing ranks = doingOfAll(scene);
    const bool begun = scene.workedGpus() > 0;
    const qint64 limit = ranks == Doing::NotTold ? 300'000
        : ranks == Doing::Something              ? 900'000
        : begun                                  ? 60'000
                                                 : 120'000;
    if (begun && !isStalled(scene, limit))
        return;
    Evidence stall{.rule = &rule, .key = u"stall"_s, .lastsMs = limit};
    if (begun && scene.pace().isKnown()) {
        stall.sinceMs = scene.pace().lastMs();
        stall.lastsMs = rule.lastsMs;
    }
    stall.title = begun ? u"Nothing goes on: all %1 are idle with memory held"_s.arg(scene.gpuWord(2))
                        : u"The job does not begin: its ranks wait and no %1 has worked"_s.arg(scene.gpuWord());
    stall.seen = begun ? stallText(scene) : u"Every %1 below 5 % since the first sample."_s.arg(scene.gpuWord());
    if (ranks == Doing::Sleeping)
        stall.seen += u" All ranks sleep."_s;
    found.append(stall);
}

} // namespace rankwright
