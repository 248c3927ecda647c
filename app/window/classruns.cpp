// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/classruns.h"

#include "app/window/links/connections.h"
#include "models/core/harmlesstext.h"
#include "models/insight/diagnosis/explain.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype evidenceLength = 160;

void addReport(RunFacts& facts, const EfficiencyReport& report)
{
    const auto value = [&report](const QString& key) {
        const ReportFigure* figure = report.figure(key);
        return figure ? figure->value : std::nullopt;
    };
    facts.stepSeconds = value(u"stepTime"_s);
    facts.samplesPerSecond = value(u"samplesPerSecond"_s);
    if (report.binding.isReported()) {
        facts.ranks = report.binding.ranks();
        facts.ranksBound = report.binding.bound();
    }
    if (!report.recorded)
        return;
    for (const GpuSummary& gpu : report.recorded->gpus) {
        if (!gpu.meanUse || (facts.leastBusyPercent && *facts.leastBusyPercent <= *gpu.meanUse))
            continue;
        facts.leastBusyPercent = gpu.meanUse;
        facts.leastBusyGpu
            = u"%1, %2 %3"_s.arg(report.recorded->nodes.value(gpu.address.node), report.gpuWord).arg(gpu.address.gpu);
    }
}

} // namespace

RunFacts runFacts(const JobRecord& record, const EfficiencyReport* report)
{
    RunFacts facts;
    facts.job = record.id;
    facts.at = record.ended.isValid() && hasEnded(record.state) ? record.ended : QDateTime::currentDateTime();
    facts.state = record.state;
    facts.nodes = record.nodes;
    facts.gpus = record.gpus;
    if (record.elapsed)
        facts.elapsedSeconds = double(record.elapsed->count);
    if (report)
        addReport(facts, *report);
    addFailure(facts, record, report ? report->diagnoses : QList<Diagnosis>());
    return facts;
}

void addFailure(RunFacts& facts, const JobRecord& record, const QList<Diagnosis>& diagnoses)
{
    if (!hasEnded(record.state))
        return;
    const QList<Diagnosis> found = confirmedOf(diagnoses);
    if (record.state == JobState::Completed) {
        facts.trouble.clear();
        facts.remedy.clear();
    } else if (!found.isEmpty()) {
        facts.trouble = harmlessLine(found.first().evidence, evidenceLength);
        facts.remedy = found.first().advice;
    } else if (facts.remedy.isEmpty()) {
        facts.trouble = harmlessLine(explainOutcome(record));
    }
}

ClassRuns::ClassRuns(Connections& connections, JobLog& log, const QString& dataFolder, QObject* parent)
    : QObject(parent), m_connections(connections), m_log(log), m_dataFolder(dataFolder)
{ }

ClassRuns::~ClassRuns() = default;

void ClassRuns::ask(const QString& cluster, const JobId& job)
{
    if (job.isEmpty() || m_waiters.contains(job))
        return;
    auto* waiter = new ReportWaiter(m_connections, m_log, m_dataFolder, this);
    m_waiters.insert(job, waiter);
    connect(waiter, &ReportWaiter::reportArrived, this,
        [this](const EfficiencyReport& report) { emit factsReported(runFacts(report.job, &report)); });
    connect(waiter, &ReportWaiter::reportsEnded, this, [this, job] {
        if (ReportWaiter* done = m_waiters.take(job))
            done->deleteLater();
    });
    waiter->ask(cluster, job, [](const EfficiencyReport& report) {
        const ReportFigure* step = report.figure(u"stepTime"_s);
        return report.recorded && step && step->value;
    });
}

void ClassRuns::clear()
{
    for (ReportWaiter* waiter : std::as_const(m_waiters)) {
        waiter->stop();
        waiter->deleteLater();
    }
    m_waiters.clear();
}

} // namespace rankwright
