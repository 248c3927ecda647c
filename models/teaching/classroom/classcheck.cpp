// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classcheck.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "models/planner/design/strategyname.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rankwright::inline teaching {

using namespace Qt::StringLiterals;

namespace {

struct KindRow {
    ClassCheckKind kind;
    QLatin1StringView word;
    CheckParameter parameter;
    bool ofDesign;
    bool compares;
};
using K = ClassCheckKind;
using P = CheckParameter;
constexpr std::array kinds{
    KindRow{K::GlobalBatch, QLatin1StringView("global-batch"), P::Count, true, false},
    KindRow{K::LauncherIs, QLatin1StringView("launcher"), P::Word, true, false},
    KindRow{K::StrategyIs, QLatin1StringView("strategy"), P::Word, true, false},
    KindRow{K::NodesAsked, QLatin1StringView("nodes"), P::Count, true, false},
    KindRow{K::GpusAsked, QLatin1StringView("gpus"), P::Count, true, false},
    KindRow{K::BoundInDesign, QLatin1StringView("bound-in-design"), P::None, true, false},
    KindRow{K::NoErrors, QLatin1StringView("no-errors"), P::None, true, false},
    KindRow{K::WithinLimits, QLatin1StringView("within-limits"), P::None, true, false},
    KindRow{K::Submitted, QLatin1StringView("submitted"), P::None, false, false},
    KindRow{K::Completed, QLatin1StringView("completed"), P::None, false, false},
    KindRow{K::RanOnNodes, QLatin1StringView("ran-on-nodes"), P::Count, false, false},
    KindRow{K::GpusBusy, QLatin1StringView("gpus-busy"), P::Value, false, false},
    KindRow{K::RanksBound, QLatin1StringView("ranks-bound"), P::None, false, false},
    KindRow{K::Resumed, QLatin1StringView("resumed"), P::None, false, false},
    KindRow{K::LossFell, QLatin1StringView("loss-fell"), P::Value, false, false},
    KindRow{K::SpeedUp, QLatin1StringView("speed-up"), P::Value, false, true},
    KindRow{K::Efficiency, QLatin1StringView("efficiency"), P::Value, false, true},
    KindRow{K::Throughput, QLatin1StringView("throughput"), P::Value, false, false},
};

const KindRow& rowOf(ClassCheckKind kind)
{
    return *std::find_if(kinds.cbegin(), kinds.cend(), [kind](const KindRow& row) { return row.kind == kind; });
}

struct CheckOutcome {
    CheckState state = CheckState::Unknown;
    QString where;
    QString remedy = {};
};

CheckOutcome seenIf(bool seen, const QString& where) { return {seen ? CheckState::Seen : CheckState::NotYet, where}; }

QString jobWords(const RunFacts& run)
{
    const QString time = run.at.isValid() ? u", "_s + run.at.toLocalTime().toString(u"HH:mm"_s) : QString();
    return u"job "_s + run.job + time;
}

CheckOutcome bound(const Derived& derived)
{
    for (const Finding& finding : derived.findings())
        if (finding.field == field::cpuBinding && finding.severity != Severity::Hint)
            return {CheckState::NotYet, finding.text};
    if (!derived.ranks.bound)
        return {CheckState::NotYet,
            derived.ranks.unboundReason.isEmpty() ? u"no rank is put on cores"_s : derived.ranks.unboundReason};
    return {CheckState::Seen, u"all %1, in this design"_s.arg(counted(derived.ranks.ranks.size(), u"rank"_s))};
}

/// "2 of 2 nodes, 16 of 16 GCDs": what is asked for or was had, of what the class allows.
CheckOutcome within(const QString& who, const ClassLimits& limits, std::optional<int> nodes, std::optional<qint64> gpus,
    std::optional<Seconds> time, const QString& gpuWord)
{
    QStringList parts;
    bool fits = true;
    if (limits.maxNodes && nodes) {
        fits = fits && *nodes <= *limits.maxNodes;
        parts.append(u"%1 of %2"_s.arg(QString::number(*nodes), nodesText(*limits.maxNodes)));
    }
    if (limits.maxGpus && gpus) {
        fits = fits && *gpus <= *limits.maxGpus;
        parts.append(u"%1 of %2"_s.arg(QString::number(*gpus), gpusText(*limits.maxGpus, gpuWord)));
    }
    if (limits.maxTime && time) {
        fits = fits && *time <= *limits.maxTime;
        parts.append(u"%1 of %2"_s.arg(slurmTime(*time), slurmTime(*limits.maxTime)));
    }
    return seenIf(fits, who + u": "_s + parts.join(u", "_s));
}

/// The design, and the newest job: what was submitted in another way counts, too.
CheckOutcome withinLimits(const Derived& derived, const CheckContext& context)
{
    if (!context.limits || context.limits->isEmpty())
        return {CheckState::Unknown, u"the class has no limits"_s};
    const ResolvedSpec& resolved = derived.resolved;
    const QString word = resolved.node.gpu.word;
    const CheckOutcome design
        = within(u"this design"_s, *context.limits, resolved.nodes, resolved.worldSize(), resolved.time, word);
    if (design.state != CheckState::Seen || context.runs.isEmpty())
        return design;
    const RunFacts& newest = context.runs.first();
    const CheckOutcome had = within(jobWords(newest), *context.limits, newest.nodes, newest.gpus, {}, word);
    return had.state == CheckState::Seen ? design : had;
}

CheckOutcome checkOfDesign(const ClassCheck& check, const Derived& derived, const CheckContext& context)
{
    const ResolvedSpec& resolved = derived.resolved;
    switch (check.kind) {
    case K::GlobalBatch: {
        const BatchPlan& batch = derived.batch;
        return seenIf(batch.globalBatch == check.count,
            u"%1 = %2 × %3 × %4 (micro-batch × accumulation × ranks)"_s.arg(batch.globalBatch)
                .arg(batch.microBatch)
                .arg(batch.gradientAccumulation)
                .arg(batch.dataParallel));
    }
    case K::LauncherIs:
        return seenIf(toText(resolved.launcher) == check.word, u"this design starts by "_s + toText(resolved.launcher));
    case K::StrategyIs:
        return seenIf(
            toText(resolved.strategy) == check.word, u"this design trains with "_s + strategyName(resolved.strategy));
    case K::NodesAsked:
        return seenIf(resolved.nodes == check.count, u"this design asks for "_s + nodesText(resolved.nodes));
    case K::GpusAsked:
        return seenIf(resolved.worldSize() == check.count,
            u"this design asks for "_s + gpusText(resolved.worldSize(), resolved.node.gpu.word));
    case K::BoundInDesign: return bound(derived);
    case K::WithinLimits: return withinLimits(derived, context);
    default: {
        const auto errors = std::count_if(derived.findings().cbegin(), derived.findings().cend(),
            [](const Finding& finding) { return finding.severity == Severity::Error; });
        return seenIf(errors == 0, errors == 0 ? u"none in this design"_s : counted(errors, u"error"_s));
    }
    }
}

/// The first run for which `known` gives an answer decides; a later (older) one that was seen counts, too: what was
/// reached stays reached.
template <typename Known>
CheckOutcome checkOfRuns(const QList<RunFacts>& runs, const QString& unknown, Known known)
{
    std::optional<CheckOutcome> first;
    for (const RunFacts& run : runs) {
        if (run.job.isEmpty())
            continue;
        const std::optional<CheckOutcome> verdict = known(run);
        if (verdict && verdict->state == CheckState::Seen)
            return *verdict;
        if (verdict && !first)
            first = verdict;
    }
    if (first)
        return *first;
    const bool any = std::any_of(runs.cbegin(), runs.cend(), [](const RunFacts& run) { return !run.job.isEmpty(); });
    return any ? CheckOutcome{CheckState::Unknown, unknown}
               : CheckOutcome{CheckState::NotYet, u"no job of this exercise yet"_s};
}

std::optional<CheckOutcome> completed(const RunFacts& run)
{
    if (run.state == JobState::Unknown)
        return {};
    if (run.state == JobState::Completed)
        return CheckOutcome{CheckState::Seen, u"seen in "_s + jobWords(run)};
    const QString why = run.trouble.isEmpty() ? QString() : u": "_s + run.trouble;
    return CheckOutcome{CheckState::NotYet, u"%1 is %2"_s.arg(jobWords(run), toText(run.state)) + why, run.remedy};
}

std::optional<CheckOutcome> ranOnNodes(const RunFacts& run, qint64 wanted)
{
    if (!run.nodes || isWaiting(run.state) || run.state == JobState::Unknown)
        return {};
    return seenIf(*run.nodes == wanted, u"%1 ran on %2"_s.arg(jobWords(run), nodesText(*run.nodes)));
}

std::optional<CheckOutcome> busy(const RunFacts& run, double wanted)
{
    if (!run.leastBusyPercent || !std::isfinite(*run.leastBusyPercent))
        return {};
    const QString who = run.leastBusyGpu.isEmpty() ? u"the least busy one"_s : run.leastBusyGpu;
    return seenIf(*run.leastBusyPercent >= wanted,
        u"%1: %2 was busy for %3"_s.arg(jobWords(run), who, percentText(*run.leastBusyPercent)));
}

std::optional<CheckOutcome> ranksBound(const RunFacts& run)
{
    if (!run.ranks || !run.ranksBound || *run.ranks < 1)
        return {};
    return seenIf(*run.ranksBound == *run.ranks,
        u"%1: %2 of %3 as planned"_s.arg(jobWords(run)).arg(*run.ranksBound).arg(counted(*run.ranks, u"rank"_s)));
}

std::optional<CheckOutcome> lossFell(const RunFacts& run, double wanted)
{
    if (!run.firstLoss || !run.lastLoss || !std::isfinite(*run.firstLoss))
        return {};
    if (!std::isfinite(*run.lastLoss))
        return CheckOutcome{CheckState::NotYet, u"%1: the loss is no longer a number"_s.arg(jobWords(run))};
    if (!(*run.firstLoss > 0))
        return {}; // a share of nothing, or of a loss below 0
    const double percent = 100 * (*run.firstLoss - *run.lastLoss) / *run.firstLoss;
    const QString from = humanNumber(*run.firstLoss, 3), to = humanNumber(*run.lastLoss, 3);
    const QString how = percent >= 0 ? u"down "_s + percentText(percent, 1) : u"up "_s + percentText(-percent, 1);
    return seenIf(percent >= wanted, u"%1: loss %2, then %3 (%4)"_s.arg(jobWords(run), from, to, how));
}

std::optional<CheckOutcome> throughput(const RunFacts& run, double wanted)
{
    if (!run.samplesPerSecond || !std::isfinite(*run.samplesPerSecond))
        return {};
    return seenIf(*run.samplesPerSecond >= wanted,
        u"%1: %2 samples per second"_s.arg(jobWords(run), humanNumber(*run.samplesPerSecond, 1)));
}

/// How much faster `run` was: by samples per second, else by steps (one global batch), else by run time.
std::optional<double> speedUp(const RunFacts& run, const RunFacts& base)
{
    const auto ratio = [](std::optional<double> over, std::optional<double> under) -> std::optional<double> {
        if (!over || !under || !(*over > 0) || !(*under > 0) || !std::isfinite(*over / *under))
            return {};
        return *over / *under;
    };
    if (const auto by = ratio(run.samplesPerSecond, base.samplesPerSecond))
        return by;
    if (const auto by = ratio(base.stepSeconds, run.stepSeconds))
        return by;
    if (run.state != JobState::Completed || base.state != JobState::Completed)
        return {};
    return ratio(base.elapsedSeconds, run.elapsedSeconds);
}

CheckOutcome checkOfScaling(const ClassCheck& check, const CheckContext& context)
{
    const QList<RunFacts> bases = context.runsByExercise.value(check.against);
    const bool efficiency = check.kind == K::Efficiency;
    const auto known = [&](const RunFacts& run) -> std::optional<CheckOutcome> {
        for (const RunFacts& base : bases) {
            const auto faster = speedUp(run, base);
            if (!faster)
                continue;
            if (!efficiency)
                return seenIf(*faster >= check.value,
                    u"%1 × of %2, in %3"_s.arg(humanNumber(*faster, 2), jobWords(base), jobWords(run)));
            if (!run.gpus || !base.gpus || *run.gpus < 1 || *base.gpus < 1)
                continue;
            const double percent = 100 * *faster * *base.gpus / *run.gpus;
            return seenIf(percent >= check.value,
                u"%1 of %2's speed for each GPU, in %3"_s.arg(percentText(percent, 1), jobWords(base), jobWords(run)));
        }
        return {};
    };
    return checkOfRuns(
        context.runs, u"its speed and that of exercise “%1” are not both known"_s.arg(check.against), known);
}

CheckOutcome checkOfJobs(const ClassCheck& check, const CheckContext& context)
{
    const QList<RunFacts>& runs = context.runs;
    switch (check.kind) {
    case K::Submitted:
        return checkOfRuns(runs, {}, [](const RunFacts& run) {
            return std::optional(CheckOutcome{CheckState::Seen, u"seen: "_s + jobWords(run)});
        });
    case K::Completed: return checkOfRuns(runs, u"the job's state is not known"_s, completed);
    case K::RanOnNodes:
        return checkOfRuns(runs, u"the job's nodes are not known yet"_s,
            [&](const RunFacts& run) { return ranOnNodes(run, check.count); });
    case K::GpusBusy:
        return checkOfRuns(runs, u"no GPU was measured: open the job on Live while it runs"_s,
            [&](const RunFacts& run) { return busy(run, check.value); });
    case K::RanksBound: return checkOfRuns(runs, u"the ranks have not reported where they run"_s, ranksBound);
    case K::Resumed:
        return checkOfRuns(runs, u"the job's log does not say where it began"_s,
            [](const RunFacts& run) -> std::optional<CheckOutcome> {
                if (!run.resumed)
                    return {};
                return seenIf(*run.resumed,
                    jobWords(run) + (*run.resumed ? u" went on from a checkpoint"_s : u" began at the beginning"_s));
            });
    case K::LossFell:
        return checkOfRuns(runs, u"the training's log has not reported a loss"_s,
            [&](const RunFacts& run) { return lossFell(run, check.value); });
    case K::Throughput:
        return checkOfRuns(runs, u"the training's speed is not known"_s,
            [&](const RunFacts& run) { return throughput(run, check.value); });
    default: return checkOfScaling(check, context);
    }
}

/// Not met, and not for want of trying.
bool hasFailed(const ClassCheck& check, const CheckOutcome& verdict, const CheckContext& context)
{
    if (verdict.state != CheckState::NotYet)
        return false;
    if (check.kind == K::NoErrors || check.kind == K::WithinLimits)
        return true;
    const auto newest = std::find_if(
        context.runs.cbegin(), context.runs.cend(), [](const RunFacts& run) { return !run.job.isEmpty(); });
    return newest != context.runs.cend() && hasEnded(newest->state);
}

} // namespace

bool looksAtDesign(ClassCheckKind kind) { return rowOf(kind).ofDesign; }
CheckParameter parameterOf(ClassCheckKind kind) { return rowOf(kind).parameter; }
bool comparesExercises(ClassCheckKind kind) { return rowOf(kind).compares; }
QString toText(ClassCheckKind kind) { return rowOf(kind).word; }

std::optional<ClassCheckKind> classCheckFrom(const QString& text)
{
    for (const KindRow& row : kinds)
        if (row.word == text)
            return row.kind;
    return {};
}

QList<ClassCheckKind> allClassChecks()
{
    QList<ClassCheckKind> all;
    for (const KindRow& row : kinds)
        all.append(row.kind);
    return all;
}

QString toText(CheckState state)
{
    switch (state) {
    case CheckState::Seen: return u"seen"_s;
    case CheckState::NotYet: return u"not-yet"_s;
    case CheckState::Unknown: break;
    }
    return u"unknown"_s;
}

std::optional<CheckState> checkStateFrom(const QString& text)
{
    for (const CheckState state : {CheckState::Seen, CheckState::NotYet, CheckState::Unknown})
        if (toText(state) == text)
            return state;
    return {};
}

QString checkText(const ClassCheck& check)
{
    if (!check.text.isEmpty())
        return check.text;
    const QString value = humanNumber(check.value, 2);
    switch (check.kind) {
    case K::GlobalBatch: return u"Global batch is %1"_s.arg(check.count);
    case K::LauncherIs: return u"Started by "_s + check.word;
    case K::StrategyIs: {
        const auto strategy = strategyFrom(check.word);
        return u"Trains with "_s + (strategy ? strategyName(*strategy) : check.word);
    }
    case K::NodesAsked: return u"Asks for "_s + nodesText(check.count);
    case K::GpusAsked: return u"Asks for %1 in all"_s.arg(gpusText(check.count, u"GPU"_s));
    case K::BoundInDesign: return u"Each rank on the cores next to its GPU"_s;
    case K::NoErrors: return u"No errors in design and script"_s;
    case K::WithinLimits: return u"Within the limits of the class"_s;
    case K::Submitted: return u"A job was submitted"_s;
    case K::Completed: return u"A job COMPLETED"_s;
    case K::RanOnNodes: return u"A job ran on "_s + nodesText(check.count);
    case K::GpusBusy: return u"Every GPU was busy for %1 % at least"_s.arg(value);
    case K::RanksBound: return u"All ranks ran where the plan has them"_s;
    case K::Resumed: return u"A job went on from a checkpoint"_s;
    case K::LossFell: return u"The loss fell by %1 % at least"_s.arg(value);
    case K::SpeedUp: return u"At least %1 × as fast as in exercise “%2”"_s.arg(value, check.against);
    case K::Efficiency: return u"At least %1 % efficiency against exercise “%2”"_s.arg(value, check.against);
    case K::Throughput: return u"At least %1 samples per second"_s.arg(value);
    }
    return {};
}

CheckVerdict evaluate(const ClassCheck& check, const CheckContext& context)
{
    CheckOutcome verdict{CheckState::Unknown, u"no design is open"_s};
    if (!looksAtDesign(check.kind))
        verdict = checkOfJobs(check, context);
    else if (context.derived != nullptr)
        verdict = checkOfDesign(check, *context.derived, context);
    return {verdict.state, checkText(check), verdict.where, verdict.remedy,
        hasFailed(check, verdict, context) ? check.hint : QString()};
}

QList<CheckVerdict> evaluate(const QList<ClassCheck>& checks, const CheckContext& context)
{
    QList<CheckVerdict> verdicts;
    for (const ClassCheck& check : checks)
        verdicts.append(evaluate(check, context));
    return verdicts;
}

} // namespace rankwright::inline teaching
