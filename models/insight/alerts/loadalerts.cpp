// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/insight/alerts/alertrules.h"
#include "models/insight/alerts/fleetcurve.h"
#include "models/insight/alerts/jobsnapshot.h"
#include "models/insight/alerts/resourcewords.h"
#include "models/insight/telemetry/activitywords.h"
#include "models/insight/telemetry/waitingpower.h"

#include <algorithm>
#include <array>
#include <map>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 curveMs = 14'000; ///< of the swings that are examined
constexpr qint64 usualWindowMs = 8000; ///< of snapshots whose samples come every second or two
constexpr int leastSeconds = 6;
constexpr float hungryUse = 50; ///< %, mean of all GPUs
constexpr float wavesUse = 80;
constexpr float swing = 30; ///< points between the busy and the idle seconds
constexpr int leastWaves = 3;
constexpr float weakSwing = 15; ///< the same where use is low anyway: steps of a second or more, not of milliseconds
constexpr float evenShare = 0.25F; ///< of the mean, and at least
constexpr float evenPoints = 6; ///< percentage points by which the thirds of a curve may differ from its mean
constexpr int longestRest = 3; ///< s without work on any GPU
constexpr float restUse = 10;
constexpr int evenSeconds = 10; ///< of the curve, reported at all
constexpr qint64 evenMs = 1000;
constexpr qint64 seldomMs = 5000; ///< between two reports: too seldom to see a pause by them
constexpr double longStep = 0.5; ///< s: below, the work is small; above, it is late
constexpr qint64 blindMs = 60'000;
constexpr float littlePower = 0.30F; ///< of the cap
constexpr float halfPower = 0.5F;
constexpr double tinyStep = 0.1; ///< s
constexpr double unevenShare = 0.25; ///< between the pipeline's stages

/// How all GPUs of the job went up and down together.
struct Curve {
    int seconds = 0;
    float mean = 0;
    float low = 0, high = 0; ///< a tenth of the seconds is below, a tenth above
    int waves = 0; ///< times it fell from busy to idle
    bool together = true; ///< no GPU works in the idle seconds
    /// Alike from its begin to its end, and never at rest for long: training that goes on, whatever the output reports.
    /// First steps, compilation and pauses are not like this.
    bool even = false;
};

bool isEven(const QList<FleetCurve::Second>& seconds, float mean)
{
    if (seconds.size() < evenSeconds)
        return false; // sampled too seldom: what lies between is not known
    int rest = 0;
    for (const FleetCurve::Second& second : seconds) {
        rest = second.most < restUse ? rest + 1 : 0;
        if (rest > longestRest)
            return false;
    }
    const qsizetype third = seconds.size() / 3;
    for (qsizetype from = 0; from + third <= seconds.size(); from += third) {
        float sum = 0;
        for (qsizetype at = from; at < from + third; ++at)
            sum += seconds.at(at).mean();
        if (std::abs(sum / float(third) - mean) > std::max(evenPoints, evenShare * mean))
            return false;
    }
    return true;
}

/// Long enough for samples that come seldom.
qint64 curveLengthMs(const JobSnapshot& snapshot)
{
    return snapshot.windowMs() > usualWindowMs ? 2 * snapshot.windowMs() : curveMs;
}

Curve overviewOf(const JobSnapshot& snapshot)
{
    Curve curve;
    const qint64 length = curveLengthMs(snapshot);
    // The newest second may still be filling up.
    const auto seconds = snapshot.fleet().seconds(snapshot.nowMs() - length - 1000, snapshot.nowMs() - 1000);
    curve.seconds = int(seconds.size());
    if (curve.seconds < leastSeconds)
        return curve;
    std::vector<float> means;
    for (const FleetCurve::Second& second : seconds) {
        means.push_back(second.mean());
        curve.mean += second.mean() / float(seconds.size());
    }
    curve.even = isEven(seconds, curve.mean);
    std::sort(means.begin(), means.end());
    curve.low = means[means.size() / 10];
    curve.high = means[means.size() - 1 - means.size() / 10];
    const float middle = (curve.low + curve.high) / 2;
    bool busy = seconds.first().mean() > middle;
    for (const FleetCurve::Second& second : seconds) {
        const bool now = second.mean() > middle;
        curve.waves += busy && !now ? 1 : 0;
        busy = now;
        if (second.mean() < curve.low + swing / 4 && second.most > middle + 15)
            curve.together = false;
    }
    return curve;
}

qint64 lookedAtMs(const JobSnapshot& snapshot) { return curveLengthMs(snapshot) + 2000; }

/// The whole curve lies behind the first work, and not at the end.
bool isSettled(const JobSnapshot& snapshot)
{
    // A GPU began two samples before it is known to work.
    return snapshot.workedGpus() > 0 && snapshot.nowMs() - snapshot.workBeganMs() >= lookedAtMs(snapshot) - 1000
        && !snapshot.pace().isFinishing() && snapshot.freshGpus() >= int(snapshot.gpus().size());
}

/// Without a pause, as far as the output reports.
bool isWithoutPause(const JobSnapshot& snapshot)
{
    return snapshot.pace().updates() == 0 || snapshot.pace().goesOn(snapshot.nowMs(), lookedAtMs(snapshot));
}

bool isSteady(const JobSnapshot& snapshot) { return isSettled(snapshot) && isWithoutPause(snapshot); }

/// None is busier than the others: no rank pauses while the others spin.
bool areAlike(const JobSnapshot& snapshot)
{
    float least = 100;
    float most = 0;
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus()) {
        least = std::min(least, gpu.use);
        most = std::max(most, gpu.use);
    }
    return most - least < swing;
}

/// GPUs that never worked are another rule's business: they would pull the mean down.
bool allWorked(const JobSnapshot& snapshot) { return snapshot.workedGpus() == int(snapshot.gpus().size()); }

/// Somebody's GPU is empty: its rank is elsewhere, and that is the cause of what the others show.
bool hasVacantGpu(const JobSnapshot& snapshot)
{
    return std::any_of(snapshot.gpus().begin(), snapshot.gpus().end(), [](const JobSnapshot::Gpu& gpu) {
        return gpu.track->isVacant().value_or(false) && (!isReported(gpu.use) || gpu.use < restUse);
    });
}

QString pauses(const Curve& curve)
{
    return u"%1 times in the last %2 s use fell from %3 to %4 on all together."_s.arg(curve.waves)
        .arg(curve.seconds)
        .arg(percentText(double(curve.high)), percentText(double(curve.low)));
}

/// Longer than a pause that the output does not show.
qint64 lasting(const JobSnapshot& snapshot, const AlertRule& rule)
{
    return snapshot.pace().isKnown() ? std::max<qint64>(rule.lastsMs, 3 * snapshot.pace().usualGapMs().value_or(0))
                                     : blindMs;
}

struct StageSum {
    double power = 0, use = 0;
    int count = 0, reported = 0;
};

/// Empty: not every stage reports.
std::vector<StageSum> stageSums(const JobSnapshot& snapshot, int stages)
{
    std::map<GpuAddress, int> stageOf;
    for (const RankPlace& rank : snapshot.expectation().placement)
        stageOf[rank.address()] = rank.stage.value_or(0);
    std::vector<StageSum> sums(size_t(std::min(stages, 4096)));
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus()) {
        const auto stage = stageOf.find(gpu.at);
        if (stage == stageOf.end() || !isReported(gpu.use) || stage->second < 0 || size_t(stage->second) >= sums.size())
            continue;
        StageSum& sum = sums[size_t(stage->second)];
        sum.use += double(gpu.use);
        ++sum.count;
        if (isReported(gpu.power)) {
            sum.power += double(gpu.power);
            ++sum.reported;
        }
    }
    if (std::any_of(sums.begin(), sums.end(), [](const StageSum& sum) { return sum.count == 0; }))
        return {};
    return sums;
}

/// All GPUs together are short of work, and the training goes on: they wait for data. Title and figures, without a
/// cause.
std::optional<Evidence> loadingOf(const AlertRule& rule, const JobSnapshot& snapshot, const QString& what)
{
    if (!isSettled(snapshot) || !allWorked(snapshot))
        return std::nullopt;
    const Curve curve = overviewOf(snapshot);
    const bool reportsSeldom = !snapshot.pace().isKnown() || snapshot.pace().usualGapMs().value_or(0) >= seldomMs;
    const bool shown = reportsSeldom && curve.even && areAlike(snapshot);
    if (curve.seconds < leastSeconds || (!shown && !isWithoutPause(snapshot)))
        return std::nullopt;
    const bool waves = curve.waves >= leastWaves && curve.high - curve.low >= swing && curve.low < curve.high / 2
        && curve.mean < wavesUse && curve.together;
    const auto step = snapshot.pace().stepSeconds();
    const bool slow
        = step ? *step >= longStep : curve.waves >= leastWaves && curve.high - curve.low >= weakSwing && curve.together;
    const bool starved = curve.mean < hungryUse && slow;
    if (!waves && !starved)
        return std::nullopt;
    Evidence loading{.rule = &rule, .key = u"loading"_s};
    loading.lastsMs = shown ? std::min(evenMs, lasting(snapshot, rule)) : lasting(snapshot, rule);
    loading.sinceMs = snapshot.nowMs() - qint64(curve.seconds) * 1000;
    const bool one = snapshot.gpus().size() == 1;
    loading.title = one ? u"The %1 waits for %2: it works %3 of the time"_s.arg(
                        snapshot.gpuWord(), what, percentText(double(curve.mean)))
                        : u"All %1 wait for %2: they work %3 of the time"_s.arg(
                            snapshot.gpuWord(2), what, percentText(double(curve.mean)));
    loading.seen = waves
        ? pauses(curve)
        : u"Mean use %1 in the last %2 s, alike on all."_s.arg(percentText(double(curve.mean))).arg(curve.seconds);
    if (step)
        loading.seen += u" A step takes %1 s."_s.arg(*step, 0, 'g', 3);
    return loading;
}

} // namespace

void findDataLoading(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    if (const auto loading = loadingOf(rule, snapshot, u"data"_s))
        found.append(*loading);
}

void findFileWait(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    QStringList nodes;
    QString first;
    for (int row = 0; row < int(snapshot.nodes().size()); ++row) {
        const QString words = fileWaitWords(snapshot, row);
        if (words.isEmpty())
            continue;
        if (first.isEmpty())
            first = words;
        nodes.append(snapshot.nodeName(row));
    }
    if (nodes.isEmpty())
        return;
    auto loading = loadingOf(rule, snapshot, u"the file system"_s);
    if (!loading)
        return;
    loading->nodes = nodes;
    loading->seen += u' ' + first;
    if (nodes.size() > 1)
        loading->seen += u" It is so on %1."_s.arg(nodesText(nodes.size()));
    found.append(*loading);
}

void findSmallWork(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    if (!isSteady(snapshot) || !allWorked(snapshot))
        return;
    const auto step = snapshot.pace().stepSeconds();
    if (!step || *step >= longStep || hasVacantGpu(snapshot))
        return;
    const Curve curve = overviewOf(snapshot);
    double share = 0;
    int reported = 0;
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus()) {
        if (isReported(gpu.share)) {
            share += double(gpu.share);
            ++reported;
        }
    }
    const bool weak = reported > 0 && share / reported < double(littlePower);
    const bool notHot = reported == 0 || share / reported < double(halfPower);
    const bool little = curve.seconds >= leastSeconds && curve.mean < hungryUse;
    if (!(little && notHot) && !(weak && *step < tinyStep))
        return;
    Evidence small{.rule = &rule, .key = u"small"_s};
    small.lastsMs = lasting(snapshot, rule);
    small.title = u"There is little work for %1: steps of %2 s at %3 use"_s.arg(
        counted(qsizetype(snapshot.gpus().size()), snapshot.gpuWord()), QString::number(*step, 'g', 2),
        percentText(double(curve.mean)));
    small.seen = reported > 0
        ? u"Mean use %1, power %2 of the limit, %3 s a step."_s.arg(
            percentText(double(curve.mean)), percentText(share / reported * 100), QString::number(*step, 'g', 2))
        : u"Mean use %1, %2 s a step."_s.arg(percentText(double(curve.mean)), QString::number(*step, 'g', 2));
    if (snapshot.expectation().microBatch)
        small.seen += u" Micro-batch %1."_s.arg(*snapshot.expectation().microBatch);
    found.append(small);
}

/// The job as a whole: one GPU with less work is another rule's business. Where power is not reported, or shows that
/// GPUs wait, few multiprocessors are at work because the others wait.
void findSmallKernels(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    if (!isSteady(snapshot) || !allWorked(snapshot))
        return;
    std::array<double, 4> sums{};
    std::array<int, 4> counts{};
    double use = 0;
    int filled = 0;
    for (const JobSnapshot::Gpu& gpu : snapshot.gpus()) {
        const GpuActivity& activity = gpu.track->activity();
        if (!gpu.fresh || !isReported(gpu.use) || double(gpu.use) < fullUsePercent
            || JobSnapshot::waits(gpu).value_or(true))
            return;
        use += double(gpu.use);
        filled += isFilled(activity).value_or(false) ? 1 : 0;
        const std::array shares{activity.memory, activity.compute, activity.occupancy, activity.tensor};
        for (std::size_t i = 0; i < shares.size(); ++i) {
            sums.at(i) += shares.at(i).value_or(0);
            counts.at(i) += shares.at(i) ? 1 : 0;
        }
    }
    const auto mean = [&](std::size_t share) { // of the GPUs that report it
        return counts.at(share) > 0 ? std::optional(sums.at(share) / counts.at(share)) : std::nullopt;
    };
    const GpuActivity means{mean(0), mean(1), mean(2), mean(3)};
    const int reported = counts.at(1);
    if (reported == 0 || reported * 2 < int(snapshot.gpus().size()) || filled * 4 > reported)
        return;
    if (isFilled(means).value_or(true))
        return;
    Evidence small{.rule = &rule, .key = u"kernels"_s};
    small.lastsMs = lasting(snapshot, rule);
    small.title = u"%1 in use for %2 of the time, but only %3 of their multiprocessors have work"_s.arg(
        counted(qsizetype(snapshot.gpus().size()), snapshot.gpuWord()),
        percentText(use / double(snapshot.gpus().size())), percentText(*means.compute));
    small.seen = u"Means of the last seconds: "_s + activityText(means) + u'.';
    found.append(small);
}

void findUnevenStages(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    const int stages = snapshot.expectation().pipelineStages;
    if (stages < 2 || snapshot.expectation().placement.isEmpty() || !isSteady(snapshot))
        return;
    const std::vector<StageSum> sums = stageSums(snapshot, stages);
    if (sums.empty())
        return;
    int most = -1;
    int least = -1;
    bool power = true;
    for (const StageSum& sum : sums)
        power = power && sum.reported > 0;
    const auto figure = [&](int stage) {
        const StageSum& sum = sums[size_t(stage)];
        return power ? sum.power / sum.reported : sum.use / sum.count;
    };
    for (int stage = 0; stage < int(sums.size()); ++stage) {
        most = most < 0 || figure(stage) > figure(most) ? stage : most;
        least = least < 0 || figure(stage) < figure(least) ? stage : least;
    }
    if (figure(most) <= 0 || (figure(most) - figure(least)) / figure(most) < unevenShare)
        return;
    Evidence uneven{.rule = &rule, .key = u"stages"_s};
    uneven.lastsMs = lasting(snapshot, rule);
    const auto text = [&](int stage) { return power ? wattText(figure(stage)) : percentText(figure(stage)); };
    uneven.title = u"The pipeline's stages are uneven: stage %1 works hardest, stage %2 waits"_s.arg(most).arg(least);
    uneven.seen = power
        ? u"Stage %1 draws %2 for each %5, stage %3 %4."_s.arg(most)
              .arg(text(most))
              .arg(least)
              .arg(text(least), snapshot.expectation().gpusPerPackage > 1 ? u"package"_s : snapshot.gpuWord())
        : u"Stage %1 is used %2, stage %3 %4."_s.arg(most).arg(text(most)).arg(least).arg(text(least));
    for (const RankPlace& rank : snapshot.expectation().placement) {
        if (rank.stage.value_or(0) == most && uneven.gpus.size() < 64)
            uneven.gpus.append(rank.address());
    }
    found.append(uneven);
}

} // namespace rankwright::inline insight
