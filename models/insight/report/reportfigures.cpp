// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/report/reportfigures.h"
#include "models/core/quantitytext.h"
#include "models/insight/report/reportadvice.h"

#include <cmath>

namespace rankwright::inline insight::reportparts {

using namespace Qt::StringLiterals;

namespace {

constexpr double joulesPerKilowattHour = 3.6e6;

const QString recording = u"recording"_s;
const QString accounting = u"Slurm accounting"_s;
const QString notRecorded = u"The job's GPUs were not recorded."_s;

ReportFigure known(const QString& key, const QString& label, double value, const QString& unit, const QString& text,
    const QString& source)
{
    ReportFigure figure;
    figure.key = key;
    figure.label = label;
    figure.value = value;
    figure.unit = unit;
    figure.text = text;
    figure.source = source;
    return figure;
}

ReportFigure missing(const QString& key, const QString& label, const QString& unit, const QString& why)
{
    ReportFigure figure;
    figure.key = key;
    figure.label = label;
    figure.unit = unit;
    figure.text = u"not known"_s;
    figure.note = why;
    return figure;
}

ReportFigure timeFigure(const JobRecord& job)
{
    const QString label = u"Run time"_s;
    if (!job.elapsed)
        return missing(u"time"_s, label, u"s"_s, u"Slurm did not report how long it ran."_s);
    ReportFigure figure
        = known(u"time"_s, label, double(job.elapsed->count), u"s"_s, humanDuration(*job.elapsed), accounting);
    if (job.timeLimit && job.timeLimit->count > 0) {
        figure.share = double(job.elapsed->count) / double(job.timeLimit->count);
        figure.of = u"of %1 asked for"_s.arg(humanDuration(*job.timeLimit));
    }
    return figure;
}

QList<ReportFigure> waitingFigure(const JobRecord& job)
{
    if (!job.submitted.isValid() || !job.started.isValid() || job.started < job.submitted)
        return {};
    const Seconds waited{job.submitted.secsTo(job.started)};
    return {
        known(u"waited"_s, u"Waited in the queue"_s, double(waited.count), u"s"_s, humanDuration(waited), accounting)};
}

QList<ReportFigure> startFigure(const ReportInputs& in)
{
    const JobRecord& job = in.usage.job;
    const bool isYet = isStarting(in);
    if (!isYet && !(in.recorded && in.recorded->startUpSeconds))
        return {};
    const double seconds = isYet ? in.recorded->jobSeconds() : *in.recorded->startUpSeconds;
    ReportFigure figure
        = known(u"startUp"_s, u"Start-up"_s, seconds, u"s"_s, humanDuration(Seconds{qRound64(seconds)}), recording);
    if (job.elapsed && job.elapsed->count > 0 && !isYet) {
        figure.share = qMin(1.0, seconds / double(job.elapsed->count));
        figure.of = u"of %1"_s.arg(humanDuration(*job.elapsed));
    }
    figure.note = isYet ? u"No %1 has worked yet: imports, data, the ranks' rendezvous."_s.arg(in.rules.gpuWord)
                        : u"From the job's start to the first work of a %1: imports, data, the ranks' rendezvous. The "
                          "verdict covers the time after it."_s.arg(in.rules.gpuWord);
    return {figure};
}

ReportFigure useFigure(const ReportInputs& in)
{
    const QString label = u"%1 use, mean"_s.arg(in.rules.gpuWord);
    if (in.recorded && in.recorded->meanUse) {
        const double use = *in.recorded->meanUse;
        ReportFigure figure = known(u"gpuUse"_s, label, use, u"%"_s, percentText(use), recording);
        figure.share = use / 100;
        figure.of = u"of %1"_s.arg(counted(int(in.recorded->gpus.size()), in.rules.gpuWord));
        figure.coverage = in.recorded->seenShare;
        figure.note
            = u"Share of time in which any kernel ran; it does not say how full the %1 was."_s.arg(in.rules.gpuWord);
        if (hasNoticeableStart(in) && in.recorded->useAfterStart)
            figure.note += u" With the start-up; without it %1."_s.arg(percentText(*in.recorded->useAfterStart));
        return figure;
    }
    if (const auto use = in.usage.gpuPercent()) {
        ReportFigure figure = known(u"gpuUse"_s, label, *use, u"%"_s, percentText(*use), accounting);
        figure.share = *use / 100;
        figure.note = u"From Slurm's accounting of the longest step, a mean over its tasks."_s;
        return figure;
    }
    return missing(u"gpuUse"_s, label, u"%"_s,
        in.recorded ? u"The tool reported no use."_s : notRecorded + u" This site's Slurm does not measure them."_s);
}

QList<ReportFigure> spreadFigures(const ReportInputs& in)
{
    if (!in.recorded || !in.recorded->meanUse)
        return {};
    const HistorySummary& seen = *in.recorded;
    QList<ReportFigure> all;
    if (seen.medianUse)
        all.append(known(u"gpuUseMedian"_s, u"%1 use, median"_s.arg(in.rules.gpuWord), *seen.medianUse, u"%"_s,
            percentText(*seen.medianUse), recording));
    if (seen.idleShare)
        all.append(known(u"gpuIdle"_s, u"%1 time idle"_s.arg(in.rules.gpuWord), *seen.idleShare * 100, u"%"_s,
            percentText(100 * *seen.idleShare), recording));
    for (ReportFigure& figure : all) {
        figure.share = *figure.value / 100;
        figure.coverage = seen.seenShare;
    }
    if (!all.isEmpty() && all.last().key == u"gpuIdle"_s)
        all.last().note = u"Below %1 use."_s.arg(percentText(HistorySummary::idleBelowPercent))
            + (hasNoticeableStart(in) ? u" With the start-up."_s : QString());
    return all;
}

ReportFigure gpuMemoryFigure(const ReportInputs& in)
{
    const QString label = u"%1 memory, peak of the fullest"_s.arg(in.rules.gpuWord);
    if (in.recorded && in.recorded->memoryPeak) {
        const Bytes peak = *in.recorded->memoryPeak;
        ReportFigure figure = known(u"gpuMemory"_s, label, double(peak.count), u"bytes"_s, humanBytes(peak), recording);
        if (in.recorded->memoryTotal && in.recorded->memoryTotal->count > 0) {
            figure.share = double(peak.count) / double(in.recorded->memoryTotal->count);
            figure.of = u"of %1"_s.arg(humanBytes(*in.recorded->memoryTotal));
        }
        figure.coverage = in.recorded->seenShare;
        return figure;
    }
    if (const auto peak = in.usage.gpuMemoryMost()) {
        ReportFigure figure
            = known(u"gpuMemory"_s, label, double(peak->count), u"bytes"_s, humanBytes(*peak), accounting);
        figure.note = u"The most that one task held, on all its %1s together."_s.arg(in.rules.gpuWord);
        return figure;
    }
    return missing(u"gpuMemory"_s, label, u"bytes"_s, in.recorded ? u"The tool reported no memory."_s : notRecorded);
}

QList<ReportFigure> powerFigures(const ReportInputs& in)
{
    const QString meter = in.rules.packageWord.isEmpty() ? in.rules.gpuWord : in.rules.packageWord;
    const QString powerLabel = u"Power of one %1, mean"_s.arg(meter);
    const QString energyLabel = u"Energy of the %1s"_s.arg(in.rules.gpuWord);
    QList<ReportFigure> all;
    if (in.recorded && in.recorded->meanPower && in.recorded->energyJoules) {
        const HistorySummary& seen = *in.recorded;
        all.append(known(u"power"_s, powerLabel, *seen.meanPower, u"W"_s,
            humanNumber(*seen.meanPower, 0) + u"\u2009W"_s, recording));
        const double energy = *seen.energyJoules / joulesPerKilowattHour;
        all.append(known(u"gpuEnergy"_s, energyLabel, energy, u"kWh"_s,
            humanNumber(energy,
                energy < 0.1      ? 4
                    : energy < 10 ? 2
                                  : 1)
                + u"\u2009kWh"_s,
            recording));
        all.last().of = u"of %1"_s.arg(counted(seen.meters, meter));
        all.last().note = seen.powerSeenShare > 0.99
            ? u"Power integrated over the run time."_s
            : u"Power integrated over the %1 of the run time that was seen; the rest is not added."_s.arg(
                percentText(100 * seen.powerSeenShare));
        for (ReportFigure& figure : all)
            figure.coverage = seen.powerSeenShare;
    } else {
        const QString why = in.recorded ? u"The tool reported no power."_s : notRecorded;
        all.append(missing(u"power"_s, powerLabel, u"W"_s, why));
        all.append(missing(u"gpuEnergy"_s, energyLabel, u"kWh"_s, why));
    }
    if (in.usage.energyJoules) {
        const double energy = *in.usage.energyJoules / joulesPerKilowattHour;
        all.append(known(u"nodeEnergy"_s, u"Energy of the whole nodes"_s, energy, u"kWh"_s,
            humanNumber(energy, energy < 10 ? 2 : 1) + u"\u2009kWh"_s, accounting));
        all.last().note = in.rules.wholeNodes
            ? u"Processors, memory and %1s together, measured by the nodes' own meters."_s.arg(in.rules.gpuWord)
            : u"Measured by the nodes' own meters: other jobs on these nodes are included."_s;
    }
    return all;
}

ReportFigure hostMemoryFigure(const ReportInputs& in)
{
    const QString label = u"Node memory, peak"_s;
    const auto peak = in.usage.peakMemoryPerNode();
    if (!peak)
        return missing(u"hostMemory"_s, label, u"bytes"_s, u"No step reported its memory to Slurm's accounting."_s);
    ReportFigure figure = known(u"hostMemory"_s, label, double(peak->count), u"bytes"_s, humanBytes(*peak), accounting);
    if (const auto asked = in.usage.memoryPerNode(); asked && asked->count > 0) {
        figure.share = double(peak->count) / double(asked->count);
        figure.of = u"of %1 on each node"_s.arg(humanBytes(*asked));
    }
    figure.note = u"Upper bound of the fullest node; sampled by Slurm, so that short peaks are missed."_s;
    return figure;
}

ReportFigure cpuFigure(const ReportInputs& in)
{
    const QString label = u"Processors busy, mean"_s;
    const auto busy = in.usage.busyCpus();
    if (!busy)
        return missing(u"cpu"_s, label, u"CPUs"_s, u"Slurm's accounting reported no processor time."_s);
    ReportFigure figure = known(u"cpu"_s, label, *busy, u"CPUs"_s, humanNumber(*busy), accounting);
    if (in.usage.cpus) {
        figure.share = *busy / *in.usage.cpus;
        figure.of = u"of %1 %2"_s.arg(*in.usage.cpus).arg(in.rules.cpusPerCore > 1 ? u"hardware threads"_s : u"CPUs"_s);
    }
    return figure;
}

QList<ReportFigure> costFigures(const ReportInputs& in)
{
    QList<ReportFigure> all;
    for (const RequestRules::BillingAccount& billingAccount : in.rules.billingAccounts) {
        const QString label = billingAccount.name.isEmpty() ? u"Cost"_s : u"Cost (%1)"_s.arg(billingAccount.name);
        const QString key = all.isEmpty() ? u"cost"_s : u"cost%1"_s.arg(all.size() + 1);
        ReportFigure figure = known(key, label, billingAccount.used, billingAccount.unit,
            humanNumber(billingAccount.used, billingAccount.used < 10 ? 3 : 1) + u' ' + billingAccount.unit,
            billingAccount.source);
        if (billingAccount.asked && *billingAccount.asked > 0) {
            figure.share = billingAccount.used / *billingAccount.asked;
            figure.of = u"of at most %1"_s.arg(humanNumber(*billingAccount.asked, *billingAccount.asked < 10 ? 3 : 1));
        }
        if (!billingAccount.decidedBy.isEmpty())
            figure.note = u"Decided by the %1 that were asked for."_s.arg(billingAccount.decidedBy);
        all.append(figure);
    }
    if (all.isEmpty())
        all.append(missing(u"cost"_s, u"Cost"_s, {}, u"The site publishes no billing formula."_s));
    return all;
}

QList<ReportFigure> trainingFigures(const ReportInputs& in)
{
    QList<ReportFigure> all;
    const MeasuredTraining& reported = in.measured;
    if (reported.stepSeconds)
        all.append(known(u"stepTime"_s, u"Time of a step"_s, *reported.stepSeconds, u"s"_s,
            humanNumber(*reported.stepSeconds, *reported.stepSeconds < 1 ? 3 : 2) + u"\u2009s"_s, reported.source));
    if (reported.samplesPerSecond)
        all.append(known(u"samplesPerSecond"_s, u"Samples per second"_s, *reported.samplesPerSecond, u"samples/s"_s,
            humanNumber(*reported.samplesPerSecond) + u" samples/s"_s, reported.source));
    if (reported.tokensPerSecond)
        all.append(known(u"tokensPerSecond"_s, u"Tokens per second"_s, *reported.tokensPerSecond, u"tokens/s"_s,
            humanNumber(*reported.tokensPerSecond, 0) + u" tokens/s"_s, reported.source));
    if (reported.step && reported.steps && *reported.steps > 0) {
        ReportFigure figure = known(u"steps"_s, u"Steps done"_s, double(*reported.step), u"steps"_s,
            humanNumber(double(*reported.step), 0), reported.source);
        figure.share = double(*reported.step) / double(*reported.steps);
        figure.of = u"of %1"_s.arg(humanNumber(double(*reported.steps), 0));
        all.append(figure);
    }
    return all;
}

QList<ReportFigure> bindingFigure(const RankBinding& binding)
{
    if (!binding.isReported())
        return {};
    const QString label = u"Ranks bound as planned"_s;
    const auto bound = binding.bound();
    if (!bound) {
        ReportFigure figure = missing(u"ranksBound"_s, label, u"ranks"_s, rankBindingText(binding));
        figure.text = rankBindingTitle(binding);
        return {figure};
    }
    ReportFigure figure = known(u"ranksBound"_s, label, double(*bound), u"ranks"_s, QString::number(*bound),
        u"the ranks' own lines in the job's log"_s);
    figure.share = double(*bound) / binding.ranks();
    figure.of = u"of %1"_s.arg(binding.ranks());
    figure.note = rankBindingText(binding);
    if (binding.starts() > 1)
        figure.note += u" The ranks were started %1 times; this is the last time."_s.arg(binding.starts());
    return {figure};
}

using Band = JobPrediction::Band;

std::optional<ReportComparison> compared(const QString& key, const QString& label, const QString& unit,
    const std::optional<Band>& predicted, std::optional<double> measured, QString (*text)(double))
{
    if (!predicted || !measured || !(predicted->value > 0) || !(*measured > 0))
        return {};
    ReportComparison row;
    row.key = key;
    row.label = label;
    row.unit = unit;
    row.predicted = predicted->value;
    row.measured = *measured;
    row.differencePercent = (*measured / predicted->value - 1) * 100;
    row.predictedText = text(predicted->value);
    row.measuredText = text(*measured);
    if (predicted->low > 0 && predicted->high > predicted->low) {
        row.low = predicted->low;
        row.high = predicted->high;
        row.insideBand = *measured >= predicted->low && *measured <= predicted->high;
        row.bandText = u"%1 to %2"_s.arg(text(predicted->low), text(predicted->high));
    }
    return row;
}

QString secondsText(double seconds) { return humanNumber(seconds, seconds < 1 ? 3 : 2) + u"\u2009s"_s; }
QString bytesText(double bytes) { return humanBytes(Bytes{std::llround(bytes)}); }
QString rateText(double rate) { return humanNumber(rate, rate < 100 ? 1 : 0); }

/// How much of the GPUs worked while they were in use; none where their tools do not say.
QList<ReportFigure> activityFigures(const ReportInputs& in)
{
    QList<ReportFigure> all;
    const auto add = [&](const QString& key, const QString& label, const std::optional<double>& percent) {
        if (!percent)
            return;
        all.append(known(key, label, *percent, u"%"_s, percentText(*percent), recording));
        all.last().note = u"Mean while the %1s were at 50 % use or more."_s.arg(in.rules.gpuWord);
    };
    if (!in.recorded)
        return all;
    const GpuActivity& activity = in.recorded->activity;
    add(u"computeActive"_s, u"Multiprocessors at work"_s, activity.compute);
    add(u"occupancy"_s, u"Their warps"_s, activity.occupancy);
    add(u"tensorActive"_s, u"Tensor cores at work"_s, activity.tensor);
    add(u"memoryActive"_s, u"%1 memory busy"_s.arg(in.rules.gpuWord), activity.memory);
    return all;
}

/// Errors of the GPUs' memory, and what the nodes had beside their GPUs.
QList<ReportFigure> besideFigures(const ReportInputs& in)
{
    QList<ReportFigure> all;
    if (!in.recorded)
        return all;
    const auto share = [&](const QString& key, const QString& label, const std::optional<double>& of) {
        if (of)
            all.append(known(key, label, *of * 100, u"%"_s, percentText(*of * 100), recording));
        return of.has_value();
    };
    if (const auto errors = in.recorded->newErrors) {
        all.append(known(u"memoryErrors"_s, u"%1 memory errors"_s.arg(in.rules.gpuWord), double(*errors), {},
            humanNumber(double(*errors), 0), recording));
        all.last().note = u"That could not be corrected and came during the job."_s;
    }
    const NodeUsage& beside = in.recorded->beside;
    const auto rate = [&](const QString& key, const QString& label, const std::optional<double>& bytes) {
        if (bytes)
            all.append(known(key, label, *bytes, u"B/s"_s, insight::rateText(*bytes), recording));
    };
    rate(u"nodeReceived"_s, u"A node received"_s, beside.received);
    rate(u"nodeSent"_s, u"A node sent"_s, beside.sent);
    if (share(u"linkShare"_s, u"Of what its links can carry"_s, beside.linkShare))
        all.last().note = u"In the busier direction, mean."_s;
    if (share(u"fileWait"_s, u"Time waiting for files"_s, beside.someWait))
        all.last().note = u"Some process waited for input or output."_s;
    if (beside.mostHeld) {
        const Bytes held{*beside.mostHeld};
        all.append(known(u"nodeMemoryHeld"_s, u"Memory held on a node"_s, double(held.count), u"bytes"_s,
            humanBytes(held), recording));
        all.last().note = u"By the job's processes, on the fullest node; page cache does not count."_s;
    }
    return all;
}

} // namespace

QList<ReportFigure> figures(const ReportInputs& in)
{
    const JobRecord& job = in.usage.job;
    QList<ReportFigure> all{timeFigure(job)};
    all += waitingFigure(job);
    all += startFigure(in);
    if (job.gpus && job.elapsed) {
        const double hours = double(*job.gpus) * job.elapsed->inHours();
        all.append(known(u"gpuHours"_s, u"%1-hours"_s.arg(in.rules.gpuWord), hours, in.rules.gpuWord + u"-hours"_s,
            humanNumber(hours, 2), accounting));
        all.last().of = u"%1 for %2"_s.arg(counted(*job.gpus, in.rules.gpuWord), humanDuration(*job.elapsed));
    }
    all.append(useFigure(in));
    all += spreadFigures(in);
    all.append(gpuMemoryFigure(in));
    all += powerFigures(in);
    all.append(cpuFigure(in));
    all.append(hostMemoryFigure(in));
    if (in.recorded && in.recorded->throttledShare) {
        all.append(known(u"throttled"_s, u"%1 time slowed down"_s.arg(in.rules.gpuWord),
            *in.recorded->throttledShare * 100, u"%"_s, percentText(100 * *in.recorded->throttledShare), recording));
        all.last().note = u"By the power limit, by heat or by the hardware."_s;
    }
    all += activityFigures(in);
    all += besideFigures(in);
    all += trainingFigures(in);
    all += bindingFigure(in.binding);
    all += costFigures(in);
    return all;
}

QList<ReportComparison> comparisons(const ReportInputs& in)
{
    QList<ReportComparison> rows;
    const auto add = [&rows](const std::optional<ReportComparison>& row) {
        if (row)
            rows.append(*row);
    };
    const JobPrediction& reported = in.predicted;
    add(compared(
        u"stepSeconds"_s, u"Time of a step"_s, u"s"_s, reported.stepSeconds, in.measured.stepSeconds, secondsText));
    const auto peak
        = in.recorded && in.recorded->memoryPeak ? std::optional(double(in.recorded->memoryPeak->count)) : std::nullopt;
    add(compared(u"memoryBytes"_s, u"Memory of the fullest %1"_s.arg(in.rules.gpuWord), u"bytes"_s,
        reported.memoryBytes, peak, bytesText));
    add(compared(u"throughput"_s, reported.perSample ? u"Samples per second"_s : u"Tokens per second"_s,
        reported.perSample ? u"samples/s"_s : u"tokens/s"_s, reported.tokensPerSecond,
        reported.perSample ? in.measured.samplesPerSecond : in.measured.tokensPerSecond, rateText));
    if (!in.rules.billingAccounts.isEmpty() && in.rules.billingAccounts.first().asked) {
        const RequestRules::BillingAccount& billingAccount = in.rules.billingAccounts.first();
        auto row = compared(u"cost"_s, u"Cost, %1"_s.arg(billingAccount.unit), billingAccount.unit,
            Band{*billingAccount.asked, 0, 0}, billingAccount.used,
            [](double units) { return humanNumber(units, units < 10 ? 3 : 1); });
        if (row) {
            row->isLimit = true;
            row->bandText = u"at most, for the whole time limit"_s;
        }
        add(row);
    }
    return rows;
}

} // namespace rankwright::inline insight::reportparts
