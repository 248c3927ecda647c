// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/insight/alerts/alertrules.h"
#include "models/insight/alerts/jobsnapshot.h"
#include "models/insight/alerts/resourcewords.h"

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr float hangUse = 5;
constexpr float restingUse = 10; ///< a GPU whose process sleeps shows less
constexpr float halfUse = 50;
constexpr qint64 silentOutputMs = 60'000; ///< evidence must last this long where the output reports no progress
// Where the output reports seldom, GPUs and processes reveal a hang without it. With the moment and with the second or
// two that the tools average over, 6 s of it mean that nothing has gone on for 11 s.
constexpr qint64 recentMs = 4000; ///< what the GPUs show now, without what was before
constexpr qint64 stepMs = 9000; ///< without a new step
constexpr qint64 sleepingMs = 6000; ///< others spin, the late processes sleep
constexpr qint64 firstRankMs = 30'000; ///< the same for rank 0: sending a checkpoint away looks just so
// A late rank that uses its processor or its disk. Rank 0 may write a checkpoint for minutes; longer than PyTorch's own
// timeout for a collective (10 min) the others would not wait.
constexpr qint64 busyMs = 300'000;
constexpr qint64 writingMs = 600'000;
// All GPUs idle, by what the processes do.
constexpr qint64 restedMs = 60'000, restedAtStartMs = 120'000;
constexpr qint64 unseenMs = 300'000; ///< processes are not reported
constexpr qint64 hardlyBusyMs = 900'000; ///< some of them read, or poll
constexpr qint64 workingMs = 3'600'000; ///< before any step: compilation, tokens; longer, it is a job for processors
constexpr qint64 workedWithinMs = 300'000;
constexpr qint64 servingMs = 600'000; ///< no step was ever reported: a server that waits for requests looks just so

struct Spin {
    int judged = 0;
    int spinning = 0;
    QList<GpuAddress> late; ///< idle, or the only ones that work
    QList<int> lateRanks;
};

/// Who spins in a collective, and who does not come to it.
Spin spinOf(const JobSnapshot& snapshot)
{
    Spin spin;
    QList<GpuAddress> idle;
    QList<GpuAddress> working;
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus()) {
        if (!gpu.fresh || !isReported(gpu.use) || !gpu.track->hasWorked())
            continue;
        ++spin.judged;
        if (gpu.use < halfUse)
            idle.append(gpu.at);
        else if (JobSnapshot::waits(gpu).value_or(false))
            ++spin.spinning;
        else
            working.append(gpu.at);
    }
    spin.late = idle.isEmpty() ? working : idle;
    for (const GpuAddress at : std::as_const(spin.late)) {
        if (const auto rank = snapshot.rankAt(at))
            spin.lateRanks.append(*rank);
    }
    return spin;
}

/// Of the package's power limit, in the last moment; NaN: not reported.
float momentaryShare(const JobSnapshot& snapshot, GpuAddress at)
{
    const std::vector<GpuWindow>& gpus = snapshot.nodes()[size_t(at.node)].gpus;
    const int dies = std::max(1, snapshot.expectation().gpusPerPackage);
    const int first = at.gpu / dies * dies;
    for (int die = first; die < first + dies && size_t(die) < gpus.size(); ++die) {
        const GpuWindow& track = gpus[size_t(die)];
        if (const float power = track.recent(snapshot.nowMs() - recentMs).power; isReported(power))
            return power / track.cap();
    }
    return notReported;
}

/// The same of the last moment only, and only GPUs that do nothing at all are late: whoever computes while its process
/// sleeps does not prove a hang.
Spin momentarySpinOf(const JobSnapshot& snapshot)
{
    Spin spin;
    for (JobSnapshot::Gpu gpu : snapshot.gpus()) {
        if (!gpu.fresh || !isReported(gpu.use) || !gpu.track->hasWorked())
            continue;
        ++spin.judged;
        const GpuWindow::Recent recent = gpu.track->recent(snapshot.nowMs() - recentMs);
        gpu.use = recent.use;
        gpu.share = momentaryShare(snapshot, gpu.at);
        if (recent.samples > 0 && recent.mostUse < restingUse)
            spin.late.append(gpu.at);
        else if (JobSnapshot::waits(gpu).value_or(false))
            ++spin.spinning;
    }
    for (const GpuAddress at : std::as_const(spin.late)) {
        if (const auto rank = snapshot.rankAt(at))
            spin.lateRanks.append(*rank);
    }
    return spin;
}

enum class Doing { NotReported, Working, Something, Sleeping };

/// Sleeping only when all of them do, and for at least `sleepMs`.
Doing doingOf(const JobSnapshot& snapshot, const QList<int>& ranks, qint64 sleepMs = 0)
{
    if (ranks.isEmpty())
        return Doing::NotReported;
    for (const int rank : ranks) {
        const RankTracker::Entry* entry = snapshot.ranks().find(rank);
        if (!entry || !entry->last.cpuPercent)
            return Doing::NotReported;
        if (entry->quietSinceMs == 0 || snapshot.nowMs() - entry->quietSinceMs < sleepMs)
            return Doing::Something;
    }
    return Doing::Sleeping;
}

Doing doingOfAll(const JobSnapshot& snapshot, qint64 sleepMs)
{
    QList<int> ranks;
    bool works = false;
    for (const auto& [rank, entry] : snapshot.ranks().ranks()) {
        if (!snapshot.ranks().isPresent(entry))
            continue;
        ranks.append(rank);
        works = works || (entry.workedMs > 0 && snapshot.nowMs() - entry.workedMs < workedWithinMs);
    }
    const Doing doing = doingOf(snapshot, ranks, sleepMs);
    return doing == Doing::Something && works ? Doing::Working : doing;
}

/// How long all GPUs may be idle.
qint64 stallMs(const JobSnapshot& snapshot, Doing ranks)
{
    switch (ranks) {
    case Doing::NotReported: return unseenMs;
    case Doing::Working: // in the midst of its steps it is not preparation: ranks may poll for others that never come
        return snapshot.pace().updates() == 0 ? workingMs : hardlyBusyMs;
    case Doing::Something: return hardlyBusyMs;
    case Doing::Sleeping: break;
    }
    if (snapshot.workedGpus() == 0)
        return restedAtStartMs;
    return snapshot.pace().updates() == 0 ? servingMs : restedMs;
}

/// Since when no new step has come; what is usual and what pauses there were before are allowed for.
bool isStalled(const JobSnapshot& snapshot, qint64 limitMs)
{
    const StepPace& pace = snapshot.pace();
    if (!pace.isKnown()) // blind: the evidence itself must last
        return pace.updates() == 0 || pace.sinceLastMs(snapshot.nowMs()) >= std::max(limitMs, silentOutputMs);
    if (pace.isFinishing())
        return false;
    return pace.sinceLastMs(snapshot.nowMs())
        >= std::max({limitMs, 5 * pace.usualGapMs().value_or(0), pace.longestPauseMs() * 3 / 2});
}

QString stallText(const JobSnapshot& snapshot)
{
    if (!snapshot.pace().isKnown())
        return u"The output reports no progress."_s;
    return u"No new step for %1, usually one every %2 s."_s
        .arg(durationText(snapshot.pace().sinceLastMs(snapshot.nowMs())))
        .arg(std::max(0.1, double(snapshot.pace().usualGapMs().value_or(0)) / 1000), 0, 'f', 1);
}

/// A job that stands still.
struct Hang {
    Spin spin;
    Doing late = Doing::NotReported;
    bool named = false; ///< the late ones are known
    qint64 lastsMs = 0, sinceMs = 0;
};

bool areFew(const Spin& spin) { return !spin.late.isEmpty() && spin.late.size() * 4 <= std::max(4, spin.judged); }

/// As the output's steps show it.
std::optional<Hang> hangByPace(const AlertRule& rule, const JobSnapshot& snapshot)
{
    Hang hang{.spin = spinOf(snapshot)};
    if (hang.spin.judged < 2 || hang.spin.spinning == 0)
        return std::nullopt;
    hang.named = areFew(hang.spin);
    if (!hang.named && hang.spin.spinning < hang.spin.judged)
        return std::nullopt;
    hang.late = hang.named ? doingOf(snapshot, hang.spin.lateRanks) : Doing::NotReported;
    // A rank that writes a checkpoint leaves the others spinning just so; but it uses its processor or its disk.
    const qint64 limit = !hang.named      ? 90'000
        : hang.late == Doing::NotReported ? 120'000
        : hang.late == Doing::Sleeping    ? stepMs
        : hang.spin.lateRanks.contains(0) ? writingMs
                                          : busyMs;
    if (!isStalled(snapshot, limit))
        return std::nullopt;
    hang.lastsMs = snapshot.pace().isKnown() ? rule.lastsMs : std::max(limit, silentOutputMs);
    hang.sinceMs = snapshot.pace().isKnown() ? snapshot.pace().lastMs() : 0;
    return hang;
}

/// As the GPUs and the processes show it, however seldom the output reports a step (srun hands on a bar that is redrawn
/// with carriage returns in pieces of 1 KiB only: one update in 17 s).
std::optional<Hang> hangBySleep(const JobSnapshot& snapshot)
{
    const StepPace& pace = snapshot.pace();
    if (pace.isFinishing()
        || (pace.updates() > 0 && pace.sinceLastMs(snapshot.nowMs()) < std::max(stepMs, pace.longestPauseMs() * 3 / 2)))
        return std::nullopt;
    Hang hang{.spin = momentarySpinOf(snapshot), .late = Doing::Sleeping, .named = true};
    const qsizetype others = hang.spin.judged - hang.spin.late.size();
    if (hang.spin.judged < 2 || !areFew(hang.spin) || hang.spin.spinning == 0 || hang.spin.spinning * 10 < others * 9
        || hang.spin.lateRanks.size() < hang.spin.late.size())
        return std::nullopt;
    hang.lastsMs = hang.spin.lateRanks.contains(0) ? firstRankMs : sleepingMs;
    if (doingOf(snapshot, hang.spin.lateRanks, hang.lastsMs) != Doing::Sleeping)
        return std::nullopt;
    return hang;
}

} // namespace

void findHang(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    if (snapshot.workedGpus() < 2)
        return;
    std::optional<Hang> stands = hangByPace(rule, snapshot);
    bool byPace = stands.has_value();
    // Where the output reports too little, the processes may show it sooner.
    if (!stands || stands->lastsMs > sleepingMs) {
        if (const auto sleep = hangBySleep(snapshot); sleep && (!stands || sleep->lastsMs < stands->lastsMs)) {
            stands = sleep;
            byPace = false;
        }
    }
    if (!stands)
        return;
    const Spin& spin = stands->spin;
    Evidence hang{.rule = &rule, .key = u"hang"_s, .sinceMs = stands->sinceMs, .lastsMs = stands->lastsMs};
    const QString still = byPace ? stallText(snapshot) + u' ' : QString();
    if (stands->named) {
        hang.gpus = spin.late;
        for (const GpuAddress at : spin.late) {
            if (!hang.nodes.contains(snapshot.nodeName(at.node)))
                hang.nodes.append(snapshot.nodeName(at.node));
        }
        const bool one = spin.late.size() == 1;
        hang.rank = one ? snapshot.rankAt(spin.late.first()) : std::nullopt;
        const QString who = one                         ? snapshot.who(spin.late.first())
            : spin.lateRanks.size() == spin.late.size() ? u"ranks %1"_s.arg(numbersText(spin.lateRanks))
                                                        : counted(spin.late.size(), snapshot.gpuWord());
        hang.title = one ? u"The job hangs: %1 does not arrive, the others wait for it"_s.arg(who)
                         : u"The job hangs: %1 do not arrive, the others wait for them"_s.arg(who);
        const QString spins = spin.spinning == 1 ? u"spins"_s : u"spin"_s;
        hang.seen = still
            + u"%1 %2 at full use and low power, %3 %4."_s.arg(counted(spin.spinning, snapshot.gpuWord()), spins,
                snapshot.whoAndWhere(spin.late.first()),
                stands->late == Doing::Sleeping ? u"does nothing and its process sleeps"_s : u"does not"_s)
            + besideSentence(fileWaitWords(snapshot, spin.late.first().node));
    } else {
        hang.title = u"The job hangs: all %1 wait in a collective and none is late"_s.arg(
            counted(spin.judged, snapshot.gpuWord()));
        hang.seen = still + u"All spin at full use and low power."_s
            + besideSentence(linkWords(snapshot, LinkWords::WhenTelling));
        hang.advice
            = u"Ranks wait in different collectives: an if that differs between ranks, or unequal numbers of batches. Run once with TORCH_DISTRIBUTED_DEBUG=DETAIL, or py-spy dump on two ranks."_s;
    }
    found.append(hang);
}

void findStall(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    if (snapshot.freshGpus() == 0 || snapshot.freshGpus() < int(snapshot.gpus().size()))
        return;
    bool held = false;
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus()) {
        if (gpu.use >= hangUse)
            return;
        held = held || !gpu.track->isVacant().value_or(true);
    }
    if (!held && snapshot.ranks().present() == 0)
        return; // no rank is there: a script that copies data, or the end
    const bool begun = snapshot.workedGpus() > 0;
    // A rank that has just begun to wait for others has not waited long.
    const Doing ranks = doingOfAll(snapshot, stallMs(snapshot, Doing::Sleeping));
    const qint64 limit = stallMs(snapshot, ranks);
    if (begun && !isStalled(snapshot, limit))
        return;
    Evidence stall{.rule = &rule, .key = u"stall"_s, .lastsMs = limit};
    if (begun && snapshot.pace().isKnown()) {
        stall.sinceMs = snapshot.pace().lastMs();
        stall.lastsMs = rule.lastsMs;
    }
    stall.title = begun ? u"No progress: all %1 are idle with memory held"_s.arg(snapshot.gpuWord(2))
                        : u"The job does not start: its ranks wait and no %1 has worked"_s.arg(snapshot.gpuWord());
    if (ranks == Doing::Working) {
        stall.meaning = u"Its ranks use their processors only, while the GPUs are paid for."_s;
        stall.advice = u"Prepare data and statistics in a job without GPUs, and keep what was made for the next run."_s;
    }
    stall.seen = begun ? stallText(snapshot) : u"Every %1 below 5 % since the first sample."_s.arg(snapshot.gpuWord());
    if (ranks == Doing::Sleeping)
        stall.seen += u" All ranks sleep."_s;
    found.append(stall);
}

} // namespace rankwright::inline insight
