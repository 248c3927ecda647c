// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/reportjson.h"

#include "models/cluster/slurm/jobrecordjson.h"
#include "models/core/jsonreader.h"
#include "models/core/jsonvalue.h"
#include "models/insight/diagnosis/diagnosisjson.h"
#include "models/insight/progress/rankbindingjson.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

QJsonValue valueOf(const EfficiencyReport& report, const QString& key)
{
    const ReportFigure* figure = report.figure(key);
    return figure ? orNull(figure->value) : QJsonValue();
}

QJsonValue percentOf(const EfficiencyReport& report, const QString& key)
{
    const ReportFigure* figure = report.figure(key);
    return figure && figure->share ? QJsonValue(*figure->share * 100) : QJsonValue();
}

/// What a share is of: 40 GiB and 0.625 are of 64 GiB.
QJsonValue wholeOf(const EfficiencyReport& report, const QString& key)
{
    const ReportFigure* figure = report.figure(key);
    return figure && figure->value && figure->share.value_or(0) > 0 ? QJsonValue(*figure->value / *figure->share)
                                                                    : QJsonValue();
}

QJsonArray figuresJson(const EfficiencyReport& report)
{
    QJsonArray all;
    for (const ReportFigure& figure : report.figures)
        all.append(QJsonObject{{u"figure"_s, figure.key}, {u"label"_s, figure.label},
            {u"value"_s, orNull(figure.value)}, {u"unit"_s, orNull(figure.unit)}, {u"share"_s, orNull(figure.share)},
            {u"of"_s, orNull(figure.of)}, {u"source"_s, orNull(figure.source)},
            {u"coverage"_s, orNull(figure.coverage)}, {u"note"_s, orNull(figure.note)}});
    return all;
}

QJsonArray comparisonsJson(const EfficiencyReport& report)
{
    QJsonArray all;
    for (const ReportComparison& row : report.comparisons)
        all.append(QJsonObject{{u"figure"_s, row.key}, {u"label"_s, row.label}, {u"unit"_s, row.unit},
            {u"predicted"_s, row.predicted}, {u"low"_s, orNull(row.low)}, {u"high"_s, orNull(row.high)},
            {u"measured"_s, row.measured}, {u"differencePercent"_s, row.differencePercent},
            {u"insideBand"_s, row.insideBand ? QJsonValue(*row.insideBand) : QJsonValue()},
            {u"isLimit"_s, row.isLimit}});
    return all;
}

QJsonArray adviceJson(const EfficiencyReport& report)
{
    QJsonArray all;
    for (const ReportAdvice& advice : report.advice)
        all.append(QJsonObject{{u"kind"_s, wordOf(advice.kind).toString()}, {u"text"_s, advice.text},
            {u"reason"_s, advice.reason}, {u"option"_s, orNull(advice.option)}, {u"field"_s, orNull(advice.field)},
            {u"value"_s, advice.field.isEmpty() ? QJsonValue() : QJsonValue(advice.value)},
            {u"design"_s,
                advice.design.isEmpty() ? QJsonValue()
                                        : QJsonValue(parseJsonObject(advice.design, u"design"_s).valueOr({}))}});
    return all;
}

QJsonArray devicesJson(const EfficiencyReport& report)
{
    QJsonArray all;
    if (!report.recorded)
        return all;
    for (const GpuSummary& gpu : report.recorded->gpus) {
        const auto percent
            = [](const std::optional<double>& share) { return share ? QJsonValue(*share * 100) : QJsonValue(); };
        all.append(QJsonObject{{u"node"_s, report.recorded->nodes.value(gpu.address.node)},
            {u"index"_s, gpu.address.gpu}, {u"seenSeconds"_s, gpu.seenSeconds}, {u"usePercent"_s, orNull(gpu.meanUse)},
            {u"medianUsePercent"_s, orNull(gpu.medianUse)}, {u"idlePercent"_s, percent(gpu.idleShare)},
            {u"memoryPeakBytes"_s, orNull(gpu.memoryPeak)}, {u"memoryTotalBytes"_s, orNull(gpu.memoryTotal)},
            {u"powerWatts"_s, orNull(gpu.meanPower)}, {u"energyJoules"_s, orNull(gpu.energyJoules)},
            {u"hottestCelsius"_s, orNull(gpu.hottest)}, {u"throttledPercent"_s, percent(gpu.throttledShare)},
            {u"newMemoryErrors"_s, orNull(gpu.newErrors)}, {u"memoryActivePercent"_s, orNull(gpu.activity.memory)},
            {u"computeActivePercent"_s, orNull(gpu.activity.compute)},
            {u"occupancyPercent"_s, orNull(gpu.activity.occupancy)},
            {u"tensorActivePercent"_s, orNull(gpu.activity.tensor)}});
    }
    return all;
}

QJsonValue costJson(const EfficiencyReport& report)
{
    const ReportFigure* cost = report.figure(u"cost"_s);
    if (!cost || !cost->value)
        return {};
    return QJsonObject{{u"unit"_s, cost->unit}, {u"amount"_s, *cost->value}, {u"asked"_s, wholeOf(report, u"cost"_s)},
        {u"source"_s, orNull(cost->source)}};
}

/// null: no GPU's memory ran out, or its message has no figures. The message's own are with the diagnosis.
QJsonValue shortageJson(const EfficiencyReport& report)
{
    if (!report.shortage)
        return {};
    const MemoryShortage& shortage = *report.shortage;
    QJsonObject json{{u"neededBytes"_s, orNull(shortage.said.needed())}, {u"plannedBytes"_s, QJsonValue()},
        {u"usableBytes"_s, QJsonValue()}, {u"plannedParts"_s, QJsonValue()},
        {u"activationsBytes"_s, orNull(shortage.passingBytes())}, {u"fragmented"_s, shortage.isFragmented()},
        {u"notPassed"_s, QJsonArray::fromStringList(shortage.unpassed)},
        {u"statements"_s, QJsonArray::fromStringList(statementsOf(shortage, report.gpuWord))}};
    if (shortage.plan) {
        QJsonObject parts;
        for (const MemoryShortage::Part& part : shortage.plan->parts)
            parts.insert(part.key, part.bytes);
        json.insert(u"plannedBytes"_s, shortage.plan->totalBytes);
        json.insert(u"usableBytes"_s, shortage.plan->usableBytes);
        json.insert(u"plannedParts"_s, parts);
    }
    return json;
}

QJsonArray diagnosesJson(const EfficiencyReport& report)
{
    QJsonArray all;
    for (const Diagnosis& diagnosis : report.diagnoses)
        all.append(diagnosisJson(diagnosis));
    return all;
}

QJsonObject reportJson(const EfficiencyReport& report)
{
    QJsonObject job = jobRecordJson(report.job);
    const auto put = [&](const QString& name, const QJsonValue& value) { job.insert(name, value); };
    put(u"cluster"_s, orNull(report.cluster));
    put(u"grade"_s, toText(report.grade));
    put(u"verdict"_s, report.verdict);
    put(u"recordedPercent"_s, report.recorded ? QJsonValue(report.recorded->seenShare * 100) : QJsonValue());
    put(u"waitedSeconds"_s, valueOf(report, u"waited"_s));
    put(u"startUpSeconds"_s, valueOf(report, u"startUp"_s));
    put(u"timeUsedPercent"_s, percentOf(report, u"time"_s));
    put(u"gpuUsePercent"_s, valueOf(report, u"gpuUse"_s));
    put(u"gpuUseMedianPercent"_s, valueOf(report, u"gpuUseMedian"_s));
    put(u"gpuIdlePercent"_s, valueOf(report, u"gpuIdle"_s));
    put(u"gpuMemoryPeakBytes"_s, valueOf(report, u"gpuMemory"_s));
    put(u"gpuMemoryTotalBytes"_s, wholeOf(report, u"gpuMemory"_s));
    put(u"gpuPowerWatts"_s, valueOf(report, u"power"_s));
    put(u"gpuEnergyKilowattHours"_s, valueOf(report, u"gpuEnergy"_s));
    put(u"nodeEnergyKilowattHours"_s, valueOf(report, u"nodeEnergy"_s));
    put(u"throttledPercent"_s, valueOf(report, u"throttled"_s));
    put(u"newMemoryErrors"_s, valueOf(report, u"memoryErrors"_s));
    put(u"nodeReceivedBytesPerSecond"_s, valueOf(report, u"nodeReceived"_s));
    put(u"nodeSentBytesPerSecond"_s, valueOf(report, u"nodeSent"_s));
    put(u"linkSharePercent"_s, valueOf(report, u"linkShare"_s));
    put(u"fileWaitPercent"_s, valueOf(report, u"fileWait"_s));
    put(u"nodeMemoryHeldBytes"_s, valueOf(report, u"nodeMemoryHeld"_s));
    put(u"memoryActivePercent"_s, valueOf(report, u"memoryActive"_s));
    put(u"computeActivePercent"_s, valueOf(report, u"computeActive"_s));
    put(u"occupancyPercent"_s, valueOf(report, u"occupancy"_s));
    put(u"tensorActivePercent"_s, valueOf(report, u"tensorActive"_s));
    put(u"cpusBusy"_s, valueOf(report, u"cpu"_s));
    put(u"cpuUsePercent"_s, percentOf(report, u"cpu"_s));
    put(u"hostMemoryPeakBytes"_s, valueOf(report, u"hostMemory"_s));
    put(u"hostMemoryAskedBytes"_s, wholeOf(report, u"hostMemory"_s));
    put(u"stepSeconds"_s, valueOf(report, u"stepTime"_s));
    put(u"samplesPerSecond"_s, valueOf(report, u"samplesPerSecond"_s));
    put(u"tokensPerSecond"_s, valueOf(report, u"tokensPerSecond"_s));
    put(u"binding"_s, rankBindingJson(report.binding));
    put(u"cost"_s, costJson(report));
    put(u"figures"_s, figuresJson(report));
    put(u"predicted"_s, comparisonsJson(report));
    put(u"advice"_s, adviceJson(report));
    put(u"diagnoses"_s, diagnosesJson(report));
    put(u"outOfMemory"_s, shortageJson(report));
    put(u"findings"_s, QJsonArray::fromStringList(report.findings));
    put(u"unknown"_s, QJsonArray::fromStringList(report.unknown));
    put(u"devices"_s, devicesJson(report));
    return job;
}

} // namespace

QJsonObject reportsJson(const JobReports& made)
{
    QJsonArray jobs, speedup;
    for (const EfficiencyReport& report : made.reports)
        jobs.append(reportJson(report));
    for (const SpeedupPoint& point : made.speedup.points)
        speedup.append(QJsonObject{{u"gpus"_s, point.gpus}, {u"seconds"_s, point.seconds},
            {u"speedup"_s, point.speedup}, {u"efficiency"_s, point.efficiency},
            {u"stepSeconds"_s, orNull(point.stepSeconds)}, {u"jobs"_s, QJsonArray::fromStringList(point.jobs)}});
    return {{u"jobs"_s, jobs}, {u"speedup"_s, speedup}, {u"speedupOf"_s, toText(made.speedup.basis)},
        {u"scaling"_s, toText(made.speedup.scaling)},
        {u"speedupNotes"_s, QJsonArray::fromStringList(made.speedup.notes)},
        {u"acknowledgement"_s, orNull(made.acknowledgement)}, {u"notes"_s, QJsonArray::fromStringList(made.notes)},
        {u"keptSince"_s, timeJson(made.keptSince)}};
}

} // namespace rankwright
