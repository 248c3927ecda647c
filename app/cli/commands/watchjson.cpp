// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/watchjson.h"

#include "app/cli/clioutput.h"
#include "models/cluster/slurm/jobrecordjson.h"
#include "models/core/units.h"
#include "models/insight/alerts/alertjson.h"
#include "models/insight/diagnosis/diagnosisjson.h"
#include "models/insight/diagnosis/explain.h"
#include "models/insight/progress/progressjson.h"
#include "models/insight/progress/rankbindingjson.h"
#include "models/insight/telemetry/gpuvalue.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

constexpr int costsEveryMs = 30000;

QString timeOf(qint64 ms) { return QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC).toString(Qt::ISODateWithMs); }

QJsonValue throttleJson(const std::optional<Throttles>& throttle)
{
    if (!throttle)
        return {};
    QJsonArray reasons;
    const std::pair<Throttle, const char*> names[]
        = {{Throttle::Power, "power"}, {Throttle::Thermal, "thermal"}, {Throttle::Hardware, "hardware"}};
    for (const auto& [flag, name] : names)
        if (throttle->testFlag(flag))
            reasons.append(QString::fromLatin1(name));
    return reasons;
}

QJsonObject rankJson(const RankSample& rank)
{
    return {
        {u"pid"_s, double(rank.pid)},
        {u"rank"_s, orNull(rank.rank)},
        {u"byTask"_s, rank.isByTask},
        {u"localRank"_s, orNull(rank.localRank)},
        {u"worldSize"_s, orNull(rank.worldSize)},
        {u"visibleDevices"_s, orNull(rank.visibleDevices)},
        {u"cpus"_s, orNull(rank.cpus)},
        {u"cpuPercent"_s, orNull(rank.cpuPercent)},
        {u"residentBytes"_s, orNull(rank.residentBytes)},
        {u"state"_s, rank.state == 0 ? QJsonValue() : QJsonValue(QString(QLatin1Char(rank.state)))},
        {u"gpu"_s, orNull(rank.gpu)},
        {u"gpuMemoryBytes"_s, orNull(rank.gpuMemoryBytes)},
    };
}

QJsonValue networkJson(const NodeResources& resources)
{
    if (!resources.network)
        return {};
    return QJsonObject{{u"kind"_s, wordOf(*resources.network)}, {u"links"_s, orNull(resources.links)},
        {u"capacityBytesPerSecond"_s, orNull(resources.capacity)},
        {u"receivedBytesPerSecond"_s, orNull(resources.received)}, {u"sentBytesPerSecond"_s, orNull(resources.sent)}};
}

QJsonObject filesJson(const NodeResources& resources)
{
    return {{u"processes"_s, orNull(resources.processes)}, {u"waiting"_s, orNull(resources.waiting)},
        {u"waitsIn"_s, orNull(resources.waitsIn)},
        {u"pressureOf"_s, resources.pressureOf ? QJsonValue(wordOf(*resources.pressureOf)) : QJsonValue()},
        {u"someWaitShare"_s, orNull(resources.someWait)}, {u"allWaitShare"_s, orNull(resources.allWait)}};
}

QJsonObject memoryJson(const NodeResources& resources)
{
    return {{u"of"_s, resources.memoryOf ? QJsonValue(wordOf(*resources.memoryOf)) : QJsonValue()},
        {u"limitBytes"_s, orNull(resources.memoryLimit)}, {u"anonymousBytes"_s, orNull(resources.anonymous)},
        {u"sharedBytes"_s, orNull(resources.shared)}, {u"pageCacheBytes"_s, orNull(resources.droppable())},
        {u"onGpusBytes"_s, orNull(resources.onGpus)}};
}

QString subjectOf(const Alert& alert)
{
    QString name = alert.rule.text() + u' ' + alert.kind + u' ' + alert.nodes.join(u',');
    if (alert.rank)
        name += u' ' + QString::number(*alert.rank);
    else if (!alert.gpus.isEmpty())
        name += u" %1.%2"_s.arg(alert.gpus.first().node).arg(alert.gpus.first().gpu);
    return name;
}

bool saysTheSame(const Alert& one, const Alert& two)
{
    return one.level == two.level && one.title == two.title && one.gpus == two.gpus && one.advice == two.advice;
}

} // namespace

void WatchJson::print(const QJsonObject& object)
{
    m_out << QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact)) << u'\n';
    m_out.flush();
}

void WatchJson::printEvent(const QString& event, QJsonObject fields)
{
    fields.insert(u"event"_s, event);
    if (!fields.contains(u"time"_s))
        fields.insert(u"time"_s, timeOf(QDateTime::currentMSecsSinceEpoch()));
    print(fields);
}

void WatchJson::printPlan(const SamplingPlan& plan)
{
    printEvent(u"sampling"_s,
        {{u"text"_s, plan.text}, {u"nodes"_s, double(plan.nodes.size())}, {u"ofNodes"_s, plan.ofNodes},
            {u"intervalSeconds"_s, double(plan.intervalMs) / 1000}, {u"steps"_s, plan.steps}});
}

void WatchJson::printTick(const NodeTick& tick, qint64 arrivedMs)
{
    for (const GpuSample& gpu : tick.gpus) {
        const auto value = [&](Measure measure) { return valueIn(tick, gpu.index, measure, m_gpusPerPackage); };
        const auto memory = value(Measure::Memory), processes = value(Measure::Processes);
        print({
            {u"time"_s, timeOf(tick.takenMs > 0 ? tick.takenMs : arrivedMs)},
            {u"node"_s, tick.node},
            {u"index"_s, gpu.index},
            {u"utilizationPercent"_s, orNull(value(Measure::Utilization))},
            {u"memoryUsedBytes"_s, memory ? QJsonValue(Bytes::gib(*memory).count) : QJsonValue()},
            {u"memoryTotalBytes"_s, orNull(gpu.memoryTotalBytes)},
            {u"powerWatts"_s, orNull(value(Measure::Power))},
            {u"powerCapWatts"_s, orNull(gpu.powerCapWatts)},
            {u"temperatureCelsius"_s, orNull(value(Measure::Temperature))},
            {u"clockMhz"_s, orNull(value(Measure::Clock))},
            {u"throttle"_s, throttleJson(gpu.throttle)},
            {u"processes"_s, processes ? QJsonValue(qRound(*processes)) : QJsonValue()},
            {u"secondaryDie"_s, gpu.secondaryDie},
            {u"memoryErrors"_s, orNull(gpu.memoryErrors)},
            {u"memoryActivePercent"_s, orNull(gpu.activity.memory)},
            {u"computeActivePercent"_s, orNull(gpu.activity.compute)},
            {u"occupancyPercent"_s, orNull(gpu.activity.occupancy)},
            {u"tensorActivePercent"_s, orNull(gpu.activity.tensor)},
        });
    }
}

void WatchJson::printProcesses(const NodeProcesses& processes, qint64 arrivedMs)
{
    QJsonArray ranks;
    for (const RankSample& rank : processes.ranks)
        ranks.append(rankJson(rank));
    const std::optional<NodeResources>& resources = processes.resources;
    printEvent(u"ranks"_s,
        {{u"time"_s, timeOf(processes.takenMs > 0 ? processes.takenMs : arrivedMs)}, {u"node"_s, processes.node},
            {u"cpus"_s, orNull(processes.cpus)}, {u"hostMemoryTotalBytes"_s, orNull(processes.hostMemoryTotalBytes)},
            {u"hostMemoryAvailableBytes"_s, orNull(processes.hostMemoryAvailableBytes)},
            {u"agents"_s, orNull(processes.agents)}, {u"ranks"_s, ranks},
            {u"network"_s, resources ? networkJson(*resources) : QJsonValue()},
            {u"files"_s, resources ? QJsonValue(filesJson(*resources)) : QJsonValue()},
            {u"memory"_s, resources ? QJsonValue(memoryJson(*resources)) : QJsonValue()}});
}

void WatchJson::printPhase(const JobPhase& phase)
{
    if (phase.kind == JobPhase::Kind::Unknown)
        return;
    printEvent(u"phase"_s,
        {{u"phase"_s, toText(phase.kind)}, {u"agents"_s, phase.agents}, {u"ranks"_s, phase.ranks},
            {u"startUpSeconds"_s, phase.startUpMs ? QJsonValue(double(*phase.startUpMs) / 1000) : QJsonValue()},
            {u"text"_s, toText(phase)}});
}

void WatchJson::printState(const JobRecord& record)
{
    if (record.state == m_state && record.reason == m_reason)
        return;
    m_state = record.state;
    m_reason = record.reason;
    QJsonObject fields = jobRecordJson(record);
    if (isWaiting(record.state) && !record.reason.isEmpty())
        fields.insert(u"text"_s, explainPendingReason(record.reason));
    printEvent(u"state"_s, fields);
}

void WatchJson::printDiagnoses(const QList<Diagnosis>& diagnoses, const QList<LogFileName>& files)
{
    if (diagnoses.isEmpty()) // a requeued job: its output begins again
        printEvent(u"diagnosis"_s, noDiagnosisJson());
    for (const Diagnosis& diagnosis : diagnoses) {
        QJsonObject fields = diagnosisJson(diagnosis);
        for (const LogFileName& file : files) {
            if (file.file == diagnosis.file)
                fields.insert(u"file"_s, file.path);
        }
        printEvent(u"diagnosis"_s, fields);
    }
}

void WatchJson::printProgress(const TrainingProgress& progress) { printEvent(u"progress"_s, progressJson(progress)); }

void WatchJson::printBinding(const RankBinding& binding) { printEvent(u"binding"_s, rankBindingJson(binding)); }

void WatchJson::printAlert(const QString& change, const Alert& alert)
{
    QJsonObject fields = alertJson(alert);
    fields.insert(u"change"_s, change);
    printEvent(u"alert"_s, fields);
}

void WatchJson::printAlerts(const QList<Alert>& alerts)
{
    QMap<QString, Alert> now;
    for (const Alert& alert : alerts) {
        const auto before = m_alerts.constFind(subjectOf(alert));
        if (before == m_alerts.constEnd())
            printAlert(u"raised"_s, alert);
        else if (!saysTheSame(*before, alert))
            printAlert(u"changed"_s, alert);
        now.insert(subjectOf(alert), alert);
    }
    for (auto old = m_alerts.constBegin(); old != m_alerts.constEnd(); ++old) {
        if (!now.contains(old.key()))
            printAlert(u"cleared"_s, *old);
    }
    m_alerts = now;
}

void WatchJson::printTrouble(TroubleSource source, const std::optional<Error>& why)
{
    if (why)
        printEvent(u"trouble"_s, {{u"source"_s, toText(source)}, {u"text"_s, why->oneLine()}});
}

void WatchJson::printEnd(const QString& why, const JobWatch& watch)
{
    const auto coverage = watch.coverage(QDateTime::currentMSecsSinceEpoch());
    const JobRecord& record = watch.record();
    printEvent(u"end"_s,
        {{u"why"_s, why}, {u"state"_s, toText(record.state)},
            {u"text"_s, hasEnded(record.state) ? QJsonValue(explainOutcome(record)) : QJsonValue()},
            {u"coverage"_s, orNull(coverage)}, {u"binding"_s, toText(watch.output().binding().state())}});
}

void WatchJson::printCost(const TelemetryFeed::Cost& cost)
{
    const double seconds = double(cost.runningMs) / 1000;
    printEvent(u"cost"_s,
        {{u"steps"_s, cost.steps}, {u"cpuSeconds"_s, orNull(cost.cpuSeconds)}, {u"receivedBytes"_s, double(cost.bytes)},
            {u"bytesPerSecond"_s, seconds > 0 ? QJsonValue(double(cost.bytes) / seconds) : QJsonValue()},
            {u"ticks"_s, double(cost.ticks)}, {u"runningSeconds"_s, seconds}});
}

void WatchJson::printCosts(const std::function<TelemetryFeed::Cost()>& ask)
{
    connect(&m_costs, &QTimer::timeout, this, [this, ask] { printCost(ask()); });
    m_costs.start(costsEveryMs);
}

} // namespace rankwright
