// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alertrule.h"
#include "models/insight/jobscene.h"

#include <algorithm>
#include <map>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 courseMs = 14'000; ///< of the swings that are looked at
constexpr qint64 usualWindowMs = 8000; ///< of scenes whose samples come every second or two
constexpr int leastSeconds = 6;
constexpr float hungryUse = 50; ///< %, mean of all GPUs
constexpr float wavesUse = 80;
constexpr float swing = 30; ///< points between the busy and the idle seconds
constexpr int leastWaves = 3;
constexpr float weakSwing = 15; ///< the same where use is low anyway: steps of a second or more, not of milliseconds
constexpr float evenShare = 0.25F; ///< of the mean, and at least
constexpr float evenPoints = 6; ///< so many points: how far the thirds of a course may be from it
constexpr int longestRest = 3; ///< s without work on any GPU
constexpr float restUse = 10;
constexpr int evenSeconds = 10; ///< of the course, told at all
constexpr qint64 evenMs = 1000;
constexpr qint64 seldomMs = 5000; ///< between two tellings: too seldom to see a pause by them
constexpr double longStep = 0.5; ///< s: below, the work is small; above, it is late
constexpr qint64 blindMs = 60'000;
constexpr float littlePower = 0.30F; ///< of the cap
constexpr float halfPower = 0.5F;
constexpr double tinyStep = 0.1; ///< s
constexpr double unevenShare = 0.25; ///< between the pipeline's stages

/// How all GPUs of the job went up and down together.
struct Course {
    int seconds = 0;
    float mean = 0;
    float low = 0, high = 0; ///< a tenth of the seconds is below, a tenth above
    int waves = 0; ///< times it fell from busy to idle
    bool together = true; ///< nobody works in the idle seconds
    /// Alike from its begin to its end, and never at rest for long: training that goes on, whatever the output tells.
    /// First steps, compilation and pauses are not like this.
    bool even = false;
};

bool isEven(const QList<FleetCourse::Second>& seconds, float mean)
{
    if (seconds.size() < evenSeconds)
        return false; // sampled too seldom: what lies between is not known
    int rest = 0;
    for (const FleetCourse::Second& second : seconds) {
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
qint64 courseLengthMs(const JobScene& scene)
{
    return scene.windowMs() > usualWindowMs ? 2 * scene.windowMs() : courseMs;
}

Course courseOf(const JobScene& scene)
{
    Course course;
    const qint64 length = courseLengthMs(scene);
    // The newest second may still be filling up.
    const auto seconds = scene.fleet().seconds(scene.nowMs() - length - 1000, scene.nowMs() - 1000);
    course.seconds = int(seconds.size());
    if (course.seconds < leastSeconds)
        return course;
    std::vector<float> means;
    for (const FleetCourse::Second& second : seconds) {
        means.push_back(second.mean());
        course.mean += second.mean() / float(seconds.size());
    }
    course.even = isEven(seconds, course.mean);
    std::sort(means.begin(), means.end());
    course.low = means[means.size() / 10];
    course.high = means[means.size() - 1 - means.size() / 10];
    const float middle = (course.low + course.high) / 2;
    bool busy = seconds.first().mean() > middle;
    for (const FleetCourse::Second& second : seconds) {
        const bool now = second.mean() > middle;
        course.waves += busy && !now ? 1 : 0;
        busy = now;
        if (second.mean() < course.low + swing / 4 && second.most > middle + 15)
            course.together = false;
    }
    return course;
}

qint64 lookedAtMs(const JobScene& scene) { return courseLengthMs(scene) + 2000; }

/// The whole course lies behind the first work, and not at the end.
bool isSettled(const JobScene& scene)
{
    // A GPU began two samples before it is known to work.
    return scene.workedGpus() > 0 && scene.nowMs() - scene.workBeganMs() >= lookedAtMs(scene) - 1000
        && !scene.pace().isFinishing() && scene.freshGpus() >= int(scene.gpus().size());
}

/// Without a pause, as far as the output tells.
bool isWithoutPause(const JobScene& scene)
{
    return scene.pace().updates() == 0 || scene.pace().goesOn(scene.nowMs(), lookedAtMs(scene));
}

bool isSteady(const JobScene& scene) { return isSettled(scene) && isWithoutPause(scene); }

/// None is busier than the others: no rank pauses while the others spin.
bool areAlike(const JobScene& scene)
{
    float least = 100;
    float most = 0;
    for (const JobScene::Gpu& gpu : scene.gpus()) {
        least = std::min(least, gpu.use);
        most = std::max(most, gpu.use);
    }
    return most - least < swing;
}

/// GPUs that never worked are another rule's business: they would pull the mean down.
bool allWorked(const JobScene& scene) { return scene.workedGpus() == int(scene.gpus().size()); }

QString pauses(const Course& course)
{
    return u"%1 times in the last %2 s use fell from %3 to %4 on all together."_s.arg(course.waves)
        .arg(course.seconds)
        .arg(percentText(double(course.high)), percentText(double(course.low)));
}

/// Longer than a pause that the output does not show.
qint64 lasting(const JobScene& scene, const AlertRule& rule)
{
    return scene.pace().isKnown() ? std::max<qint64>(rule.lastsMs, 3 * scene.pace().usualGapMs()) : blindMs;
}

struct StageSum {
    double power = 0, use = 0;
    int count = 0, told = 0;
};

/// Empty: not every stage tells.
std::vector<StageSum> stageSums(const JobScene& scene, int stages)
{
    std::map<GpuAddress, int> stageOf;
    for (const JobExpectation::Rank& rank : scene.expectation().placement)
        stageOf[{rank.node, rank.gpu}] = rank.stage;
    std::vector<StageSum> sums(size_t(std::min(stages, 4096)));
    for (const JobScene::Gpu& gpu : scene.gpus()) {
        const auto stage = stageOf.find(gpu.at);
        if (stage == stageOf.end() || !isTold(gpu.use) || stage->second < 0 || size_t(stage->second) >= sums.size())
            continue;
        StageSum& sum = sums[size_t(stage->second)];
        sum.use += double(gpu.use);
        ++sum.count;
        if (isTold(gpu.power)) {
            sum.power += double(gpu.power);
            ++sum.told;
        }
    }
    if (std::any_of(sums.begin(), sums.end(), [](const StageSum& sum) { return sum.count == 0; }))
        return {};
    return sums;
}

} // namespace

void seeDataLoading(const AlertRule& rule, const JobScene& scene, QList<Evidence>& found)
{
    if (!isSettled(scene) || !allWorked(scene))
        return;
    const Course course = courseOf(scene);
    const bool tellsSeldom = !scene.pace().isKnown() || scene.pace().usualGapMs() >= seldomMs;
    const bool shown = tellsSeldom && course.even && areAlike(scene);
    if (course.seconds < leastSeconds || (!shown && !isWithoutPause(scene)))
        return;
    const bool waves = course.waves >= leastWaves && course.high - course.low >= swing && course.low < course.high / 2
        && course.mean < wavesUse && course.together;
    const auto step = scene.pace().stepSeconds();
    const bool slow = step ? *step >= longStep
                           : course.waves >= leastWaves && course.high - course.low >= weakSwing && course.together;
    const bool starved = course.mean < hungryUse && slow;
    if (!waves && !starved)
        return;
    Evidence loading{.rule = &rule, .key = u"loading"_s};
    loading.lastsMs = shown ? std::min(evenMs, lasting(scene, rule)) : lasting(scene, rule);
    loading.sinceMs = scene.nowMs() - qint64(course.seconds) * 1000;
    const bool one = scene.gpus().size() == 1;
    loading.title = one
        ? u"The %1 waits for data: it works %2 of the time"_s.arg(scene.gpuWord(), percentText(double(course.mean)))
        : u"All %1 wait for data: they work %2 of the time"_s.arg(scene.gpuWord(2), percentText(double(course.mean)));
    loading.seen = waves
        ? pauses(course)
        : u"Mean use %1 in the last %2 s, alike on all."_s.arg(percentText(double(course.mean))).arg(course.seconds);
    if (step)
        loading.seen += u" A step takes %1 s."_s.arg(*step, 0, 'g', 3);
    found.append(loading);
}

void seeSmallWork(const AlertRule& rule, const JobScene& scene, QList<Evidence>& found)
{
    if (!isSteady(scene) || !allWorked(scene))
        return;
    const auto step = scene.pace().stepSeconds();
    if (!step || *step >= longStep)
        return;
    const Course course = courseOf(scene);
    double share = 0;
    int told = 0;
    for (const JobScene::Gpu& gpu : scene.gpus()) {
        if (isTold(gpu.share)) {
            share += double(gpu.share);
            ++told;
        }
    }
    const bool weak = told > 0 && share / told < double(littlePower);
    const bool notHot = told == 0 || share / told < double(halfPower);
    const bool little = course.seconds >= leastSeconds && course.mean < hungryUse;
    if (!(little && notHot) && !(weak && *step < tinyStep))
        return;
    Evidence small{.rule = &rule, .key = u"small"_s};
    small.lastsMs = lasting(scene, rule);
    small.title = u"There is little work for %1: steps of %2 s at %3 use"_s.arg(
        countOf(qsizetype(scene.gpus().size()), scene.gpuWord()), QString::number(*step, 'g', 2),
        percentText(double(course.mean)));
    small.seen = told > 0
        ? u"Mean use %1, power %2 of the limit, %3 s a step."_s.arg(
            percentText(double(course.mean)), percentText(share / told * 100), QString::number(*step, 'g', 2))
        : u"Mean use %1, %2 s a step."_s.arg(percentText(double(course.mean)), QString::number(*step, 'g', 2));
    if (scene.expectation().microBatch)
        small.seen += u" Micro-batch %1."_s.arg(*scene.expectation().microBatch);
    found.append(small);
}

void seeUnevenStages(const AlertRule& rule, const JobScene& scene, QList<Evidence>& found)
{
    const int stages = scene.expectation().pipelineStages;
    if (stages < 2 || scene.expectation().placement.isEmpty() || !isSteady(scene))
        return;
    const std::vector<StageSum> sums = stageSums(scene, stages);
    if (sums.empty())
        return;
    int most = -1;
    int least = -1;
    bool power = true;
    for (const StageSum& sum : sums)
        power = power && sum.told > 0;
    const auto figure = [&](int stage) {
        const StageSum& sum = sums[size_t(stage)];
        return power ? sum.power / sum.told : sum.use / sum.count;
    };
    for (int stage = 0; stage < int(sums.size()); ++stage) {
        most = most < 0 || figure(stage) > figure(most) ? stage : most;
        least = least < 0 || figure(stage) < figure(least) ? stage : least;
    }
    if (figure(most) <= 0 || (figure(most) - figure(least)) / figure(most) < unevenShare)
        return;
    Evidence uneven{.rule = &rule, .key = u"stages"_s};
    uneven.lastsMs = lasting(scene, rule);
    const auto text = [&](int stage) { return power ? wattText(figure(stage)) : percentText(figure(stage)); };
    uneven.title = u"The pipeline's stages are uneven: stage %1 works hardest, stage %2 waits"_s.arg(most).arg(least);
    uneven.seen = power ? u"Stage %1 draws %2 for each %5, stage %3 %4."_s.arg(most)
                              .arg(text(most))
                              .arg(least)
                              .arg(text(least), scene.expectation().gpusPerPackage > 1 ? u"package"_s : scene.gpuWord())
                        : u"Stage %1 is used %2, stage %3 %4."_s.arg(most).arg(text(most)).arg(least).arg(text(least));
    for (const JobExpectation::Rank& rank : scene.expectation().placement) {
        if (rank.stage == most && uneven.gpus.size() < 64)
            uneven.gpus.append({rank.node, rank.gpu});
    }
    found.append(uneven);
}

} // namespace rankwright
