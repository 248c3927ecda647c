// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/recordedevidence.h"

#include "app/store/eventjson.h"
#include "app/store/recordingreader.h"
#include "models/core/logging.h"

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// Output and progress are read to their end after the last sample.
constexpr qint64 sinceTheEndMs = 3'600'000;

/// Each kind once, in the words in which it was reported last.
void takeAlerts(const QList<Alert>& reported, QList<Alert>& alerts)
{
    for (const Alert& alert : reported) {
        if (alert.level == Alert::Level::Normal)
            continue;
        const auto before = std::find_if(
            alerts.begin(), alerts.end(), [&alert](const Alert& known) { return known.kind == alert.kind; });
        if (before == alerts.end())
            alerts.append(alert);
        else
            *before = alert;
    }
}

/// When it ran, by the nodes' clocks; empty: not reported.
TimeSpan runTime(const JobRecord& job, const TelemetryHistory& history)
{
    if (!job.started.isValid())
        return {};
    const qint64 from = job.started.toMSecsSinceEpoch();
    // Slurm reports whole seconds; a job that still runs is seen up to its newest sample
    const qint64 to = job.ended.isValid() && hasEnded(job.state) ? job.ended.toMSecsSinceEpoch() : history.span().toMs;
    return {from, qMax(from, to)};
}

} // namespace

std::optional<double> usualStep(const QList<std::pair<double, qint64>>& moments)
{
    if (moments.size() < 3 || moments.last().first - moments.at(moments.size() / 2 - 1).first < 5)
        return {};
    std::vector<double> seconds;
    for (qsizetype i = moments.size() / 2; i < moments.size(); ++i) {
        const double steps = moments.at(i).first - moments.at(i - 1).first;
        const qint64 ms = moments.at(i).second - moments.at(i - 1).second;
        if (steps > 0 && ms > 0)
            seconds.push_back(double(ms) / 1000 / steps);
    }
    if (seconds.empty())
        return {};
    const auto middle = seconds.begin() + std::ptrdiff_t(seconds.size() / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    return *middle;
}

JobEvidence recordedEvidence(
    const QString& dataFolder, const QString& cluster, const JobRecord& job, SummaryWatch* watch)
{
    JobEvidence evidence;
    const QString path = findRecording(recordingsFolder(dataFolder), cluster, job.id);
    if (path.isEmpty())
        return evidence;
    const auto opened = RecordingReader::open(path);
    if (!opened) {
        qCWarning(logApp) << opened.error().oneLine();
        return evidence;
    }
    const RecordingReader& reader = **opened;
    const RecordingFacts facts = reader.info().facts;
    RecordingFacts asked;
    asked.cluster = cluster;
    asked.job = job;
    if (!isSameJob(facts, asked))
        return evidence;
    const qint64 end = reader.span().toMs + sinceTheEndMs;
    evidence.design = facts.design;
    evidence.progress = reader.progressAt(end);
    QList<std::pair<double, qint64>> moments;
    for (const RecordedLoss& loss : reader.lossesAt(end))
        moments.append({loss.point.step, loss.atMs});
    evidence.stepSeconds = usualStep(moments);
    for (const RecordingEvent& event : reader.events({0, end}, u"alerts"_s)) {
        if (const auto reported = alertsIn(event))
            takeAlerts(*reported, evidence.alerts);
        else
            evidence.unreadable.append(reported.error());
    }
    if (reader.fault())
        evidence.unreadable.append(*reader.fault());
    if (!watch || reader.span().length() == 0)
        return evidence;
    HistorySummary sums = summarise(reader, runTime(job, reader), HistorySummary::usualCurvePoints, watch);
    if (!sums.isEmpty())
        evidence.recorded = std::move(sums);
    return evidence;
}

std::optional<JobRecord> recordedRecord(const QString& dataFolder, const QString& cluster, const JobId& job)
{
    const QString path = findRecording(recordingsFolder(dataFolder), cluster, job);
    if (path.isEmpty())
        return {};
    const auto facts = readRecordingFacts(path);
    if (facts)
        return facts->job;
    qCWarning(logApp) << facts.error().oneLine();
    return {};
}

} // namespace rankwright
