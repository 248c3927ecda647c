// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/core/statistics.h"
#include "models/insight/alerts/alertrules.h"
#include "models/insight/alerts/jobsnapshot.h"
#include "models/insight/alerts/resourcewords.h"
#include "models/insight/telemetry/waitingpower.h"

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr float fullUse = float(fullUsePercent);
constexpr float oddUse = 25; ///< points from the median
constexpr double oddCapShare = 0.15;
constexpr double oddMedianShare = 0.30; ///< where no cap is reported
constexpr double deviations = 4 * 1.4826; ///< of the median absolute deviation, for a normal distribution
constexpr double fewRatio = 1.6; ///< with two or three packages there is no median to trust
constexpr qint64 warmMs = 5000; ///< after the last GPU began to work
constexpr qint64 warmComputingMs = 2000; ///< the same where power shows that most GPUs compute
constexpr double computingShare = 0.38; ///< of the cap: more than spinning costs, on any GPU that we know
constexpr qint64 momentMs = 4000;
/// Longer than what the begin or the end of a pause of one rank shows while most GPUs still, or again, compute.
constexpr qint64 sureMs = 7000;
constexpr qint64 warmBlindMs = 60'000; ///< the same where the output reports no progress
constexpr qint64 noStepsMs = 60'000; ///< evidence must last this long where the output reports no progress
constexpr float waitingPower = float(waitingPowerShare); ///< of the cap, mean of all GPUs
constexpr float mostPower = 0.4F; ///< of the cap, on any of them

struct Odd {
    size_t index = 0;
    double value = 0;
};
struct Odds {
    std::vector<Odd> above, below;
    double median = 0;
};

/// Who is far from the median: further than `limit` and than four robust deviations. More than a quarter on one side
/// is a second group, not an exception.
Odds oddOnesOf(const std::vector<double>& values, double limit)
{
    Odds odds;
    odds.median = median(values);
    std::vector<double> distances;
    distances.reserve(values.size());
    for (const double value : values)
        distances.push_back(std::abs(value - odds.median));
    const double bound = std::max(limit, deviations * median(distances));
    for (size_t index = 0; index < values.size(); ++index) {
        if (std::abs(values[index] - odds.median) > bound)
            (values[index] > odds.median ? odds.above : odds.below).push_back({index, values[index]});
    }
    if (odds.above.size() * 4 > values.size())
        odds.above.clear();
    if (odds.below.size() * 4 > values.size())
        odds.below.clear();
    return odds;
}

/// What GPUs that report power drew in the last moments, as a share of their cap. Where most draw clearly more than
/// GPUs that only spin in a collective, all of them computed: the training goes on even where its output does not show
/// it (srun hands on a bar that is redrawn with carriage returns in pieces of 1 KiB only: one update in 17 s).
struct Moment {
    double median = 0; ///< 0: too few report
    QList<std::pair<GpuAddress, double>> shares;
    bool doMostCompute() const { return median > computingShare; }
    /// Is the package above the others also now, not only in the mean that still holds a pause which is over?
    bool isAbove(const JobSnapshot::Package& package) const
    {
        return std::any_of(shares.begin(), shares.end(), [&](const auto& one) {
            return one.first.node == package.first.node && one.first.gpu >= package.first.gpu
                && one.first.gpu < package.first.gpu + package.dies && one.second - median > oddCapShare;
        });
    }
};

Moment momentOf(const JobSnapshot& snapshot)
{
    Moment moment;
    std::vector<double> shares;
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus()) {
        if (!gpu.fresh || !gpu.track->hasWorked() || !isReported(gpu.track->cap()))
            continue;
        const float power = gpu.track->recent(snapshot.nowMs() - momentMs).power;
        if (!isReported(power))
            continue;
        moment.shares.append({gpu.at, double(power / gpu.track->cap())});
        shares.push_back(moment.shares.last().second);
    }
    if (shares.size() >= 4)
        moment.median = median(std::move(shares));
    return moment;
}

/// Are ranks to be compared now: all at work for a while, and the training goes on. A pause (checkpoint, evaluation on
/// one rank) looks like a straggler and is none.
bool isComparable(const JobSnapshot& snapshot)
{
    if (snapshot.workedGpus() < 2 || snapshot.freshGpus() < 2 || snapshot.expectation().pipelineStages > 1)
        return false;
    const qint64 worked = snapshot.nowMs() - snapshot.workCompleteMs();
    if (snapshot.pace().updates() == 0)
        return worked >= warmBlindMs;
    return worked >= warmMs && snapshot.pace().goesOn(snapshot.nowMs(), snapshot.windowMs() + 2000)
        && !snapshot.pace().isFinishing();
}

/// The same but for the output: what goes on is left to the power.
bool isJudgedByPower(const JobSnapshot& snapshot)
{
    return snapshot.workedGpus() >= 2 && snapshot.freshGpus() >= 2 && snapshot.expectation().pipelineStages <= 1
        && snapshot.nowMs() - snapshot.workCompleteMs() >= warmComputingMs && !snapshot.pace().isFinishing();
}

/// Longer than a pause that the output does not show (less than three of its usual gaps) can leave its trace.
qint64 stragglerLastsMs(const JobSnapshot& snapshot, const AlertRule& rule)
{
    if (snapshot.pace().updates() == 0)
        return noStepsMs;
    return std::max<qint64>(rule.lastsMs, 3 * snapshot.pace().usualGapMs().value_or(0) + snapshot.windowMs() - 3500);
}

struct PowerOdds {
    QList<JobSnapshot::Package> above, below;
    double median = 0;
    double cap = 0;
};

PowerOdds powerOdds(const JobSnapshot& snapshot)
{
    PowerOdds result;
    std::vector<double> powers;
    QList<JobSnapshot::Package> judged;
    int dies = 1;
    for (const JobSnapshot::Package& package : snapshot.packages())
        dies = std::max(dies, package.dies);
    for (const JobSnapshot::Package& package : snapshot.packages()) {
        // A package of which the job has a part only draws less, or what another job's die draws.
        if (!package.fresh || !package.worked || !isReported(package.power) || package.dies < dies)
            continue;
        powers.push_back(double(package.power));
        judged.append(package);
    }
    if (powers.size() < 2)
        return result;
    if (isReported(judged.first().cap))
        result.cap = double(judged.first().cap);
    if (powers.size() < 4) {
        const auto most = std::max_element(powers.begin(), powers.end());
        const qsizetype place = most - powers.begin();
        const double value = *most;
        powers.erase(most);
        result.median = median(powers);
        const double second = *std::max_element(powers.begin(), powers.end());
        const bool allFull = std::all_of(
            judged.begin(), judged.end(), [](const JobSnapshot::Package& package) { return package.use >= fullUse; });
        if (allFull && value > fewRatio * second)
            result.above.append(judged.at(place));
        return result;
    }
    const double typical = median(powers);
    const Odds odds = oddOnesOf(powers, result.cap > 0 ? oddCapShare * result.cap : oddMedianShare * typical);
    result.median = odds.median;
    for (const Odd& odd : odds.above)
        result.above.append(judged.at(qsizetype(odd.index)));
    for (const Odd& odd : odds.below)
        result.below.append(judged.at(qsizetype(odd.index)));
    return result;
}

/// "rank 5", or of a package whose dies look alike "one of ranks 4 and 5".
QString packageWho(const JobSnapshot& snapshot, const JobSnapshot::Package& package, Evidence& evidence)
{
    for (int die = 0; die < package.dies; ++die)
        evidence.gpus.append({package.first.node, package.first.gpu + die});
    if (package.dies == 1) {
        evidence.rank = snapshot.rankAt(package.first);
        return snapshot.who(package.first);
    }
    QList<int> ranks;
    for (int die = 0; die < package.dies; ++die) {
        if (const auto rank = snapshot.rankAt({package.first.node, package.first.gpu + die}))
            ranks.append(*rank);
    }
    if (ranks.size() == package.dies)
        return u"one of ranks %1"_s.arg(numbersText(ranks));
    return u"one of %1s %2-%3 of %4"_s.arg(snapshot.gpuWord())
        .arg(package.first.gpu)
        .arg(package.first.gpu + package.dies - 1)
        .arg(snapshot.nodeName(package.first.node));
}

/// The die of a package that is unlike its partner: it is used clearly less.
std::optional<GpuAddress> oddDie(const JobSnapshot& snapshot, const JobSnapshot::Package& package)
{
    std::optional<GpuAddress> odd;
    float least = 101;
    float most = 0;
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus()) {
        if (gpu.at.node != package.first.node || gpu.at.gpu < package.first.gpu
            || gpu.at.gpu >= package.first.gpu + package.dies || !isReported(gpu.use))
            continue;
        if (gpu.use < least)
            odd = gpu.at;
        least = std::min(least, gpu.use);
        most = std::max(most, gpu.use);
    }
    return most - least >= 3 ? odd : std::nullopt;
}

void addLatePackage(const AlertRule& rule, const JobSnapshot& snapshot, const PowerOdds& odds,
    const JobSnapshot::Package& package, qint64 lastsMs, QList<Evidence>& found)
{
    Evidence late{.rule = &rule, .lastsMs = lastsMs};
    late.key = u"package %1.%2"_s.arg(package.first.node).arg(package.first.gpu);
    late.nodes = {snapshot.nodeName(package.first.node)};
    QString who = packageWho(snapshot, package, late);
    if (const auto die = package.dies > 1 ? oddDie(snapshot, package) : std::nullopt) {
        late.gpus = {*die};
        late.rank = snapshot.rankAt(*die);
        who = snapshot.who(*die);
    }
    late.title = u"%1 is late, the others wait for it"_s.arg(capitalised(who));
    late.seen = u"%1 %2 on %3 draws %4 at %5 use, the others typically %6 (means of %7 s)."_s
                    .arg(package.dies > 1 ? u"Package"_s : snapshot.gpuWord())
                    .arg(package.dies > 1 ? package.first.gpu / package.dies : package.first.gpu)
                    .arg(late.nodes.first(), wattText(double(package.power)), percentText(double(package.use)),
                        wattText(odds.median))
                    .arg(snapshot.windowMs() / 1000)
        + besideSentence(fileWaitWords(snapshot, package.first.node))
        + besideSentence(linkWords(snapshot, LinkWords::WhenTelling));
    found.append(late);
}

/// A rank whose GPU has pauses that the others' spinning shows: it waits for its processor or its data.
void addHungryRanks(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    std::vector<double> uses;
    QList<GpuAddress> who;
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus()) {
        if (!gpu.fresh || !gpu.track->hasWorked() || !isReported(gpu.use))
            continue;
        uses.push_back(double(gpu.use));
        who.append(gpu.at);
    }
    if (uses.size() < 4)
        return;
    const Odds odds = oddOnesOf(uses, double(oddUse));
    for (const Odd& odd : odds.below) {
        const GpuAddress at = who.at(qsizetype(odd.index));
        Evidence late{.rule = &rule, .lastsMs = stragglerLastsMs(snapshot, rule)};
        late.key = u"use %1.%2"_s.arg(at.node).arg(at.gpu);
        late.gpus = {at};
        late.nodes = {snapshot.nodeName(at.node)};
        late.rank = snapshot.rankAt(at);
        late.title = u"%1 is late: its %2 waits for work"_s.arg(capitalised(snapshot.who(at)), snapshot.gpuWord());
        late.seen
            = u"%1 is used %2, the others typically %3 (means of %4 s); what they show is mostly waiting for it."_s
                  .arg(capitalised(snapshot.whoAndWhere(at)), percentText(odd.value), percentText(odds.median))
                  .arg(snapshot.windowMs() / 1000)
            + besideSentence(fileWaitWords(snapshot, at.node))
            + besideSentence(linkWords(snapshot, LinkWords::WhenTelling));
        late.advice
            = u"Check what this rank does on its CPU cores: its share of the data, its binding, other processes. More loader workers (num_workers) or its own cores (%bind) help."_s;
        found.append(late);
    }
}

} // namespace

void findStraggler(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    const bool reported = isComparable(snapshot);
    const Moment moment = momentOf(snapshot);
    const bool seen = isJudgedByPower(snapshot) && moment.doMostCompute();
    if (!reported && !seen)
        return;
    const PowerOdds odds = powerOdds(snapshot);
    for (const JobSnapshot::Package& package : odds.above) {
        // Rank 0 has work of its own (evaluation, checkpoints): only the output shows that.
        bool hasRank0 = false;
        for (int die = 0; die < package.dies; ++die)
            hasRank0 = hasRank0 || snapshot.rankAt({package.first.node, package.first.gpu + die}) == std::optional(0);
        const bool sure = seen && !hasRank0 && moment.isAbove(package);
        const qint64 lastsMs = !sure ? stragglerLastsMs(snapshot, rule)
            : !reported              ? sureMs
                                     : std::min(sureMs, stragglerLastsMs(snapshot, rule));
        if (reported || sure)
            addLatePackage(rule, snapshot, odds, package, lastsMs, found);
    }
    if (odds.above.isEmpty() && reported)
        addHungryRanks(rule, snapshot, found);
}

void findUnevenWork(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    if (!isComparable(snapshot))
        return;
    const PowerOdds odds = powerOdds(snapshot);
    for (const JobSnapshot::Package& package : odds.below) {
        Evidence less{.rule = &rule};
        less.lastsMs = std::max<qint64>(rule.lastsMs, stragglerLastsMs(snapshot, rule));
        less.key = u"package %1.%2"_s.arg(package.first.node).arg(package.first.gpu);
        less.nodes = {snapshot.nodeName(package.first.node)};
        less.title = u"%1 does less than the others"_s.arg(capitalised(packageWho(snapshot, package, less)));
        less.seen = u"%1 on %2 against typically %3 (means of %4 s)."_s
                        .arg(wattText(double(package.power)), less.nodes.first(), wattText(odds.median))
                        .arg(snapshot.windowMs() / 1000);
        found.append(less);
    }
}

void findWaiting(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    if (snapshot.workedGpus() < 2 || snapshot.freshGpus() < int(snapshot.gpus().size())
        || snapshot.pace().isFinishing())
        return;
    if (snapshot.pace().updates() > 0 && !snapshot.pace().goesOn(snapshot.nowMs(), 0))
        return; // no new step: a pause or a hang
    double share = 0;
    int reported = 0;
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus()) {
        if (gpu.use < fullUse || gpu.share >= mostPower)
            return;
        if (isReported(gpu.share)) {
            share += double(gpu.share);
            ++reported;
        }
    }
    if (reported == 0 || share / reported >= double(waitingPower))
        return;
    Evidence waiting{.rule = &rule, .key = u"waiting"_s};
    waiting.title = u"All %1 show full use at %2 of their power limit: they wait"_s.arg(
        counted(snapshot.freshGpus(), snapshot.gpuWord()), percentText(share / reported * 100));
    waiting.seen = u"More than 90 % use at less than 40 % of the power limit on every one."_s;
    if (const auto step = snapshot.pace().stepSeconds())
        waiting.seen += u" A step takes %1 s."_s.arg(*step, 0, 'g', 3);
    waiting.seen += besideSentence(linkWords(snapshot, LinkWords::Always));
    found.append(waiting);
}

} // namespace rankwright::inline insight
