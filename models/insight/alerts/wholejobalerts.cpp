// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/insight/alerts/alertrules.h"
#include "models/insight/alerts/failuretitle.h"
#include "models/insight/alerts/jobsnapshot.h"
#include "models/insight/diagnosis/diagnosisrules.h"

#include "models/core/units.h"

#include <QHash>

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 neverReportedMs = 30'000; ///< a node's sampler may start late
constexpr qint64 rateKnownMs = 20'000; ///< of reports, before the end is computed from them
constexpr int rateKnownUpdates = 5;
constexpr double limitSlack = 1.02;
constexpr double earlySlack = 1.5; ///< the output's own rate may still hold slow first steps
constexpr qint64 waitsMs = 5000;
constexpr qint64 billingMs = 60'000;
constexpr qint64 echoMs
    = 4000; ///< for the line that reports the cause: it may come after those of the ranks that noticed

struct Silence {
    QStringList silent; ///< reported before
    QStringList never;
    QList<int> rows;
    qint64 since = 0; ///< the first of them
    bool othersReport = false;
};

Silence silenceOf(const JobSnapshot& snapshot)
{
    Silence silence;
    const qint64 recent = snapshot.silentAfterMs() * 6 / 10;
    for (int row = 0; row < int(snapshot.nodes().size()); ++row) {
        const NodeTrack& node = snapshot.nodes()[size_t(row)];
        if (node.lastMs > 0 && snapshot.nowMs() - node.lastMs < recent)
            silence.othersReport = true;
        if (node.lastMs == 0 && snapshot.watchedMs() > 0
            && snapshot.nowMs() - snapshot.watchedMs() >= neverReportedMs) {
            silence.never.append(node.name);
        } else if (node.lastMs > 0 && !snapshot.isNodeFresh(row)
            && snapshot.nowMs() - snapshot.resumedMs() >= snapshot.silentAfterMs()) {
            silence.silent.append(node.name);
            silence.rows.append(row);
            silence.since = silence.since == 0 ? node.lastMs : std::min(silence.since, node.lastMs);
        }
    }
    return silence;
}

/// Only how others noticed that a process is gone.
bool isEcho(const Diagnosis& diagnosis)
{
    const DiagnosisRule* rule = diagnosisRule(diagnosis.rule);
    return rule != nullptr && rule->tier == DiagnosisRule::Echo;
}

/// The ranks of the other nodes do not come on: they spin, or no step comes any more.
bool othersWait(const JobSnapshot& snapshot, const Silence& silence)
{
    if (snapshot.pace().isFinishing())
        return false;
    if (snapshot.pace().isKnown())
        return snapshot.pace().lastMs() < silence.since + 2 * snapshot.pace().usualGapMs().value_or(0) + waitsMs
            && snapshot.pace().sinceLastMs(snapshot.nowMs()) >= waitsMs + 2 * snapshot.pace().usualGapMs().value_or(0);
    int fresh = 0;
    int waiting = 0;
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus()) {
        fresh += gpu.fresh ? 1 : 0;
        waiting += gpu.fresh && JobSnapshot::waits(gpu).value_or(false) ? 1 : 0;
    }
    return fresh > 0 && waiting * 10 >= fresh * 9;
}

} // namespace

void findSilentNode(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    const Silence silence = silenceOf(snapshot);
    if (!silence.othersReport)
        return; // no node reports: the link, not a node
    if (!silence.silent.isEmpty()) {
        Evidence silent{.rule = &rule, .key = u"silent"_s, .sinceMs = silence.since};
        silent.nodes = silence.silent;
        silent.title = silence.silent.size() == 1 ? u"%1 is silent"_s.arg(silence.silent.first())
                                                  : u"%1 nodes are silent"_s.arg(silence.silent.size());
        silent.seen = u"No value from %1 for %2."_s.arg(
            namesText(silence.silent), durationText(snapshot.nowMs() - silence.since));
        found.append(silent);
    }
    if (!silence.never.isEmpty()) {
        Evidence never{.rule = &rule, .key = u"never"_s, .sinceMs = snapshot.watchedMs()};
        never.nodes = silence.never;
        never.title = silence.never.size() == 1
            ? u"%1 has reported nothing yet"_s.arg(silence.never.first())
            : u"%1 of %2 nodes have reported nothing yet"_s.arg(silence.never.size()).arg(snapshot.nodes().size());
        never.seen = u"The first value came %1 ago, from %2 none."_s.arg(
            durationText(snapshot.nowMs() - snapshot.watchedMs()), namesText(silence.never));
        found.append(never);
    }
}

void findDeadNode(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    const Silence silence = silenceOf(snapshot);
    const bool isNoticed = std::any_of(snapshot.diagnoses().begin(), snapshot.diagnoses().end(), isEcho);
    if (silence.silent.isEmpty() || !silence.othersReport || (!isNoticed && !othersWait(snapshot, silence)))
        return;
    Evidence dead{.rule = &rule, .key = u"dead"_s, .sinceMs = silence.since};
    dead.nodes = silence.silent;
    dead.title = silence.silent.size() == 1
        ? u"%1 is gone and the job waits for it"_s.arg(silence.silent.first())
        : u"%1 nodes are gone and the job waits for them"_s.arg(silence.silent.size());
    dead.seen
        = u"No value from %1 for %2"_s.arg(namesText(silence.silent), durationText(snapshot.nowMs() - silence.since));
    dead.seen += isNoticed ? u"; the output says that connections to other ranks broke."_s
        : snapshot.pace().isKnown()
        ? u", no new step for %1."_s.arg(durationText(snapshot.pace().sinceLastMs(snapshot.nowMs())))
        : u"; the others spin at full use and low power."_s;
    dead.advice
        = u"Slurm will end the job as NODE_FAIL when its own timeout is over. Submit again from the last checkpoint, without the node: --exclude=%1."_s
              .arg(namesText(silence.silent));
    found.append(dead);
}

void findTimeLimit(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    const auto limit = snapshot.expectation().timeLimitSeconds;
    const StepPace& pace = snapshot.pace();
    if (!limit || *limit <= 0 || snapshot.startedMs() <= 0 || pace.isFinishing())
        return;
    const bool measured = pace.updates() >= rateKnownUpdates && pace.lastMs() - pace.firstMs() >= rateKnownMs;
    if (!measured && (snapshot.workedGpus() == 0 || snapshot.nowMs() - snapshot.workBeganMs() < rateKnownMs))
        return;
    const auto needed = measured ? pace.secondsLeft(snapshot.nowMs()) : pace.secondsLeftByRate(snapshot.nowMs());
    const double left = *limit - double(snapshot.nowMs() - snapshot.startedMs()) / 1000;
    if (!needed || left <= 0 || *needed <= left * (measured ? limitSlack : earlySlack) + 20)
        return;
    Evidence late{.rule = &rule, .key = u"limit"_s};
    const auto text = [](double seconds) { return humanDuration(Seconds{qint64(seconds)}); };
    late.title = u"The time limit comes before the end"_s;
    late.seen = u"At this pace it needs %1 more, the limit leaves %2."_s.arg(text(*needed), text(left));
    const double whole = (*limit - left + *needed) * 1.1;
    late.advice
        = u"Save a checkpoint before (--signal=B:USR1@300 gives notice), and next time ask for --time=%1."_s.arg(
            slurmTime(Seconds{(qint64(whole) / 60 + 1) * 60}));
    found.append(late);
}

void findLossNotANumber(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    if (snapshot.pace().lossesNotANumber() < 2)
        return;
    Evidence bad{.rule = &rule, .key = u"nan"_s};
    bad.title = u"The loss is not a number any more"_s;
    bad.seen = u"The last %1 losses in the output are not finite"_s.arg(snapshot.pace().lossesNotANumber());
    if (snapshot.pace().latest().step)
        bad.seen += u", the newest at step %1"_s.arg(*snapshot.pace().latest().step);
    bad.seen += u'.';
    found.append(bad);
}

void findUnusedShare(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    const auto billed = snapshot.expectation().billedGpuUnits;
    const int used = int(snapshot.gpus().size());
    if (!billed || used == 0 || *billed <= used || snapshot.watchedMs() == 0
        || snapshot.nowMs() - snapshot.watchedMs() < billingMs || !snapshot.allNodesFresh())
        return;
    Evidence paid{.rule = &rule, .key = u"billing"_s};
    paid.title = u"%1 paid for, %2 in the job"_s.arg(counted(*billed, snapshot.gpuWord()), QString::number(used));
    paid.seen = u"The site bills the largest share of the node: cores, memory or whole nodes count as %1."_s.arg(
        counted(*billed, snapshot.gpuWord()));
    found.append(paid);
}

namespace {

/// Some node has not reported for longer than usual: it may be gone, and silence is known later than broken
/// connections.
bool mayBeGone(const JobSnapshot& snapshot)
{
    return std::any_of(snapshot.nodes().begin(), snapshot.nodes().end(), [&](const NodeTrack& node) {
        const auto usual = qint64(std::max(1000.0, node.intervalMs.value_or(0)));
        return node.lastMs > 0 && snapshot.nowMs() - node.lastMs > 2 * usual + 1000;
    });
}

/// Broken connections and the like: another rank, or its node, is the cause.
bool isOfPeers(const Diagnosis& diagnosis) { return isEcho(diagnosis) || diagnosis.kind.startsWith(u"nccl_"); }

Evidence evidenceOf(const AlertRule& rule, const JobSnapshot& snapshot, const Diagnosis& diagnosis)
{
    Evidence reported{.rule = &rule, .key = diagnosis.rule, .kind = diagnosis.kind};
    reported.title
        = failureTitle(diagnosis, snapshot.ending() == JobEnding::None ? OutputState::Growing : OutputState::Whole);
    reported.seen = diagnosis.line
        ? u"Line %1 of the output: %2"_s.arg(humanNumber(double(*diagnosis.line), 0)).arg(diagnosis.evidence)
        : diagnosis.evidence;
    reported.source = diagnosis.source;
    if (isOfWholeJob(diagnosis.kind))
        return reported;
    reported.rank = diagnosis.rank;
    if (!diagnosis.node.isEmpty())
        reported.nodes = {diagnosis.node};
    else if (!diagnosis.rank)
        reported.nodes = diagnosis.amongNodes;
    if (diagnosis.rank) {
        if (const auto at = snapshot.gpuOf(*diagnosis.rank))
            reported.gpus = {*at};
    }
    return reported;
}

} // namespace

void findOutput(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    const Silence silence = silenceOf(snapshot);
    const bool isNodeGone = silence.othersReport && !silence.silent.isEmpty();
    for (const Diagnosis& diagnosis : snapshot.diagnoses()) {
        if (!snapshot.stands(diagnosis))
            continue;
        if (isEcho(diagnosis) && isNodeGone)
            continue; // the node is the cause
        const bool isRunning = snapshot.ending() == JobEnding::None;
        if (isRunning && isOfPeers(diagnosis) && snapshot.nodes().size() > 1 && mayBeGone(snapshot))
            continue;
        Evidence reported = evidenceOf(rule, snapshot, diagnosis);
        reported.advice = diagnosis.advice;
        if (isEcho(diagnosis) && isRunning)
            reported.lastsMs = echoMs;
        found.append(reported);
    }
}

void findSuspicion(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    for (const Diagnosis& diagnosis : snapshot.diagnoses()) {
        if (snapshot.ending() != JobEnding::None || snapshot.stands(diagnosis) || snapshot.isRefuted(diagnosis))
            continue;
        if (isOfPeers(diagnosis) && snapshot.nodes().size() > 1 && mayBeGone(snapshot))
            continue;
        Evidence suspected = evidenceOf(rule, snapshot, diagnosis);
        suspected.kind.clear();
        suspected.title = u"The output may report a failure: "_s + failureWords(diagnosis.kind);
        if (isOfPeers(diagnosis))
            suspected.lastsMs = echoMs;
        found.append(suspected);
    }
}

} // namespace rankwright::inline insight
