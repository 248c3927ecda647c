// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alertrule.h"
#include "models/insight/jobscene.h"

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr float idleUse = 5;
constexpr float restingUse = 10; ///< a GPU whose process sleeps shows less
constexpr float halfUse = 50;
constexpr qint64 blindMs = 60'000; ///< evidence must last so long where the output tells no progress
// Where the output tells seldom, GPUs and processes tell of a hang without it. With the moment and with the second or
// two that the tools average over, 6 s of it mean that nothing has gone on for 11 s.
constexpr qint64 momentMs = 4000; ///< what the GPUs show now, without what was before
constexpr qint64 stepMs = 9000; ///< no new step for so long
constexpr qint64 asleepMs = 6000; ///< others spin, the late processes sleep
constexpr qint64 firstRankMs = 30'000; ///< the same for rank 0: sending a checkpoint away looks just so

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

/// Of the package's power limit, in the last moment; NaN: not told.
float momentaryShare(const JobScene& scene, GpuAddress at)
{
    const std::vector<GpuTrack>& gpus = scene.nodes()[size_t(at.node)].gpus;
    const int dies = std::max(1, scene.expectation().gpusPerPackage);
    const int first = at.gpu / dies * dies;
    for (int die = first; die < first + dies && size_t(die) < gpus.size(); ++die) {
        const GpuTrack& track = gpus[size_t(die)];
        if (const float power = track.recent(scene.nowMs() - momentMs).power; isTold(power))
            return power / track.cap();
    }
    return notTold;
}

/// The same of the last moment only, and only GPUs that do nothing at all are late: whoever computes while its process
/// sleeps is no proof of a hang.
Spin momentarySpinOf(const JobScene& scene)
{
    Spin spin;
    for (JobScene::Gpu gpu : scene.gpus()) {
        if (!gpu.fresh || !isTold(gpu.use) || !gpu.track->hasWorked())
            continue;
        ++spin.judged;
        const GpuTrack::Recent recent = gpu.track->recent(scene.nowMs() - momentMs);
        gpu.use = recent.use;
        gpu.share = momentaryShare(scene, gpu.at);
        if (recent.samples > 0 && recent.mostUse < restingUse)
            spin.late.append(gpu.at);
        else if (JobScene::waits(gpu).value_or(false))
            ++spin.spinning;
    }
    for (const GpuAddress at : std::as_const(spin.late)) {
        if (const auto rank = scene.rankAt(at))
            spin.lateRanks.append(*rank);
    }
    return spin;
}

enum class Doing { NotTold, Something, Sleeping };

/// Sleeping only when all of them do, and for at least `sleepMs`.
Doing doingOf(const JobScene& scene, const QList<int>& ranks, qint64 sleepMs = 0)
{
    if (ranks.isEmpty())
        return Doing::NotTold;
    for (const int rank : ranks) {
        const RankBook::Entry* entry = scene.ranks().find(rank);
        if (!entry || !entry->last.cpuPercent)
            return Doing::NotTold;
        if (entry->quietSinceMs == 0 || scene.nowMs() - entry->quietSinceMs < sleepMs)
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
    if (!pace.isKnown()) // blind: the evidence itself must last
        return pace.updates() == 0 || pace.sinceLastMs(scene.nowMs()) >= std::max(limitMs, blindMs);
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

/// A job that stands still.
struct Hang {
    Spin spin;
    Doing late = Doing::NotTold;
    bool named = false; ///< the late ones are known
    qint64 lastsMs = 0, sinceMs = 0;
};

bool areFew(const Spin& spin) { return !spin.late.isEmpty() && spin.late.size() * 4 <= std::max(4, spin.judged); }

/// As the output's steps show it.
std::optional<Hang> hangByPace(const AlertRule& rule, const JobScene& scene)
{
    Hang hang{.spin = spinOf(scene)};
    if (hang.spin.judged < 2 || hang.spin.spinning == 0)
        return std::nullopt;
    hang.named = areFew(hang.spin);
    if (!hang.named && hang.spin.spinning < hang.spin.judged)
        return std::nullopt;
    hang.late = hang.named ? doingOf(scene, hang.spin.lateRanks) : Doing::NotTold;
    // A rank that writes a checkpoint leaves the others spinning just so; but it uses its processor or its disk.
    const qint64 limit = !hang.named   ? 90'000
        : hang.late == Doing::NotTold  ? 120'000
        : hang.late == Doing::Sleeping ? stepMs
                                       : 300'000;
    if (!isStalled(scene, limit))
        return std::nullopt;
    hang.lastsMs = scene.pace().isKnown() ? rule.lastsMs : std::max(limit, blindMs);
    hang.sinceMs = scene.pace().isKnown() ? scene.pace().lastMs() : 0;
    return hang;
}

/// As the GPUs and the processes show it, however seldom the output tells a step (srun hands on a bar that is redrawn
/// with carriage returns in pieces of 1 KiB only: one update in 17 s).
std::optional<Hang> hangBySleep(const JobScene& scene)
{
    const RunPace& pace = scene.pace();
    if (pace.isFinishing()
        || (pace.updates() > 0 && pace.sinceLastMs(scene.nowMs()) < std::max(stepMs, pace.longestPauseMs() * 3 / 2)))
        return std::nullopt;
    Hang hang{.spin = momentarySpinOf(scene), .late = Doing::Sleeping, .named = true};
    const qsizetype others = hang.spin.judged - hang.spin.late.size();
    if (hang.spin.judged < 2 || !areFew(hang.spin) || hang.spin.spinning == 0 || hang.spin.spinning * 10 < others * 9
        || hang.spin.lateRanks.size() < hang.spin.late.size())
        return std::nullopt;
    hang.lastsMs = hang.spin.lateRanks.contains(0) ? firstRankMs : asleepMs;
    if (doingOf(scene, hang.spin.lateRanks, hang.lastsMs) != Doing::Sleeping)
        return std::nullopt;
    return hang;
}

} // namespace

void seeHang(const AlertRule& rule, const JobScene& scene, QList<Evidence>& found)
{
    if (scene.workedGpus() < 2)
        return;
    std::optional<Hang> stands = hangByPace(rule, scene);
    bool byPace = stands.has_value();
    // Where the output tells too little, the processes may tell sooner.
    if (!stands || stands->lastsMs > asleepMs) {
        if (const auto sleep = hangBySleep(scene); sleep && (!stands || sleep->lastsMs < stands->lastsMs)) {
            stands = sleep;
            byPace = false;
        }
    }
    if (!stands)
        return;
    const Spin& spin = stands->spin;
    Evidence hang{.rule = &rule, .key = u"hang"_s, .sinceMs = stands->sinceMs, .lastsMs = stands->lastsMs};
    const QString still = byPace ? stallText(scene) + u' ' : QString();
    if (stands->named) {
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
        const QString spins = spin.spinning == 1 ? u"spins"_s : u"spin"_s;
        hang.seen = still
            + u"%1 %2 at full use and little power, %3 %4."_s.arg(countOf(spin.spinning, scene.gpuWord()), spins,
                scene.whoAndWhere(spin.late.first()),
                stands->late == Doing::Sleeping ? u"does nothing and its process sleeps"_s : u"does not"_s);
    } else {
        hang.title = u"The job hangs: all %1 wait in a collective and none is late"_s.arg(
            countOf(spin.judged, scene.gpuWord()));
        hang.seen = still + u"All spin at full use and little power."_s;
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
