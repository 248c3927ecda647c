// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/report/speeduptable.h"

#include "models/core/quantitytext.h"
#include "models/core/statistics.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;
using Basis = SpeedupTable::Basis;
using Scaling = SpeedupTable::Scaling;

namespace {

bool alike(double a, double b) { return std::abs(a - b) <= 0.02 * std::max(std::abs(a), std::abs(b)); }

/// Does every run report it?
template <typename Value>
bool all(const QList<SpeedupRun>& runs, Value value)
{
    return !runs.isEmpty()
        && std::all_of(runs.begin(), runs.end(), [&](const SpeedupRun& run) { return value(run).has_value(); });
}

template <typename Value>
bool same(const QList<SpeedupRun>& runs, Value value)
{
    return std::all_of(runs.begin(), runs.end(),
        [&](const SpeedupRun& run) { return alike(double(value(run)), double(value(runs.first()))); });
}

Scaling scalingOf(const QList<SpeedupRun>& runs)
{
    if (!all(runs, [](const SpeedupRun& run) { return run.globalBatch; }))
        return Scaling::Unknown;
    if (same(runs, [](const SpeedupRun& run) { return *run.globalBatch; }))
        return Scaling::Strong;
    if (same(runs, [](const SpeedupRun& run) { return double(*run.globalBatch) / *run.job.gpus; }))
        return Scaling::Weak;
    return Scaling::Mixed;
}

/// What may be compared: whole jobs when they did the same work, or when nothing says that they did not.
Basis basisOf(const QList<SpeedupRun>& runs, Scaling scaling)
{
    const bool steps = all(runs, [](const SpeedupRun& run) { return run.steps; });
    const bool timed = all(runs, [](const SpeedupRun& run) { return run.stepSeconds; });
    const bool sameSteps = steps && same(runs, [](const SpeedupRun& run) { return *run.steps; });
    if (!timed)
        return Basis::WholeJob;
    if (scaling == Scaling::Unknown || scaling == Scaling::Strong)
        return steps && !sameSteps ? Basis::Step : Basis::WholeJob;
    const bool sameWork
        = steps && same(runs, [](const SpeedupRun& run) { return double(*run.steps) * double(*run.globalBatch); });
    return sameWork ? Basis::WholeJob : Basis::Sample;
}

double secondsOf(const SpeedupRun& run, Basis basis)
{
    switch (basis) {
    case Basis::Step: return *run.stepSeconds;
    case Basis::Sample: return *run.stepSeconds / double(*run.globalBatch);
    case Basis::WholeJob: break;
    }
    return double(run.job.elapsed->count);
}

QList<SpeedupRun> usable(const QList<SpeedupRun>& runs, QStringList& notes)
{
    QList<SpeedupRun> kept;
    for (const SpeedupRun& run : runs) {
        const JobRecord& job = run.job;
        if (job.state != JobState::Completed)
            notes.append(u"Job %1 is left out: it is %2."_s.arg(job.id, toText(job.state)));
        else if (job.gpus.value_or(0) < 1)
            notes.append(u"Job %1 is left out: Slurm did not report its GPUs."_s.arg(job.id));
        else if (job.elapsed.value_or(Seconds{}).count < 1)
            notes.append(
                u"Job %1 is left out: it ran for less than a second, or Slurm did not report how long."_s.arg(job.id));
        else
            kept.append(run);
    }
    return kept;
}

void addNotes(SpeedupTable& table, const QList<SpeedupRun>& runs)
{
    QStringList names;
    for (const SpeedupRun& run : runs) {
        if (!run.job.name.isEmpty() && !names.contains(run.job.name))
            names.append(run.job.name);
    }
    if (names.size() > 1)
        table.notes.append(
            u"The jobs have different names (%1): are they the same training?"_s.arg(names.mid(0, 4).join(u", "_s)));
    if (table.basis != Basis::WholeJob)
        return;
    const auto stepShare = [](const SpeedupRun& run) {
        return run.stepSeconds && run.steps ? *run.stepSeconds * double(*run.steps) / double(run.job.elapsed->count)
                                            : 1.0;
    };
    const auto slow = std::min_element(runs.begin(), runs.end(),
        [&](const SpeedupRun& a, const SpeedupRun& b) { return stepShare(a) < stepShare(b); });
    if (slow != runs.end() && stepShare(*slow) < 0.8)
        table.notes.append(
            u"Steps are only %1 of job %2's time; the rest is start-up and end, which no number of GPUs makes shorter."_s
                .arg(percentText(100 * stepShare(*slow), 0))
                .arg(slow->job.id));
    else if (std::any_of(runs.begin(), runs.end(), [](const SpeedupRun& run) { return run.job.elapsed->count < 60; }))
        table.notes.append(u"Some jobs ran for less than a minute: start-up weighs more than training."_s);
    if (!all(runs, [](const SpeedupRun& run) { return run.steps; }))
        table.notes.append(u"Whether all did the same number of steps is not known: whole run times are compared."_s);
}

} // namespace

SpeedupTable speedupTable(const QList<SpeedupRun>& runs, const QString& gpuWord)
{
    SpeedupTable table;
    table.gpuWord = gpuWord;
    const QList<SpeedupRun> kept = usable(runs, table.notes);
    if (kept.isEmpty())
        return table;
    table.scaling = scalingOf(kept);
    table.basis = basisOf(kept, table.scaling);
    struct Group {
        std::vector<double> seconds, steps;
        QStringList jobs;
    };
    std::map<int, Group> groups;
    for (const SpeedupRun& run : kept) {
        Group& group = groups[*run.job.gpus];
        group.seconds.push_back(secondsOf(run, table.basis));
        if (run.stepSeconds)
            group.steps.push_back(*run.stepSeconds);
        group.jobs.append(run.job.id);
    }
    for (const auto& [gpus, group] : groups) {
        SpeedupPoint point;
        point.gpus = gpus;
        point.seconds = median(group.seconds);
        if (!group.steps.empty())
            point.stepSeconds = median(group.steps);
        point.jobs = group.jobs;
        table.points.append(point);
    }
    const SpeedupPoint base = table.points.first();
    for (SpeedupPoint& point : table.points) {
        point.speedup = base.seconds / point.seconds;
        point.efficiency = point.speedup * base.gpus / point.gpus;
    }
    addNotes(table, kept);
    return table;
}

QString toText(Basis basis)
{
    return basis == Basis::Step ? u"step"_s : basis == Basis::Sample ? u"sample"_s : u"job"_s;
}

QString toText(Scaling scaling)
{
    switch (scaling) {
    case Scaling::Strong: return u"strong"_s;
    case Scaling::Weak: return u"weak"_s;
    case Scaling::Mixed: return u"mixed"_s;
    case Scaling::Unknown: break;
    }
    return u"unknown"_s;
}

QString describe(const SpeedupTable& table)
{
    QString what = table.basis == Basis::Step ? u"Compared by the time of an optimiser step"_s
        : table.basis == Basis::Sample        ? u"Compared by the time per sample"_s
                                              : u"Compared by the run time of the whole job"_s;
    switch (table.scaling) {
    case Scaling::Strong: return what + u"; all have the same global batch (strong scaling)."_s;
    case Scaling::Weak:
        return what + u"; the global batch grows with the %1 (weak scaling)."_s.arg(pluralOf(table.gpuWord));
    case Scaling::Mixed: return what + u"; global batches differ."_s;
    case Scaling::Unknown: break;
    }
    return what + u"; the global batches are not known."_s;
}

QString secondsText(const SpeedupTable& table, double seconds)
{
    if (table.basis == Basis::WholeJob)
        return humanDuration(Seconds{qint64(std::llround(seconds))});
    if (seconds < 1)
        return humanNumber(seconds * 1000, seconds < 0.01 ? 3 : 1) + u"\u2009ms"_s;
    return humanNumber(seconds, 2) + u"\u2009s"_s;
}

} // namespace rankwright::inline insight
