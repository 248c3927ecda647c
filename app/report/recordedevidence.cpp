// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/recordedevidence.h"

#include "app/report/logending.h"
#include "app/store/eventjson.h"
#include "app/store/keptoutputs.h"
#include "app/store/recordingreader.h"
#include "models/core/logging.h"
#include "models/insight/progress/stepmeter.h"

#include <QSet>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// Output and progress are read to their end after the last sample.
constexpr qint64 sinceTheEndMs = 3'600'000;

/// Each kind once, in the words in which it was reported last.
void mergeAlerts(const QList<Alert>& reported, QList<Alert>& alerts)
{
    for (const Alert& alert : reported) {
        if (alert.level == Alert::Level::Normal)
            continue;
        const auto before = std::find_if(
            alerts.begin(), alerts.end(), [&alert](const Alert& known) { return known.kind == alert.kind; });
        if (before == alerts.end())
            alerts.append(alert);
        else if (before->level <= alert.level) // "time_limit" is what was foreseen, and then the failure itself
            *before = alert;
    }
}

/// Each kind counts once, however many GPUs it is about.
void addTimes(const QList<Alert>& standing, qint64 ms, QHash<QString, double>& seconds)
{
    QSet<QString> kinds;
    for (const Alert& alert : standing)
        kinds.insert(alert.kind);
    for (const QString& kind : std::as_const(kinds))
        seconds[kind] += double(qMax<qint64>(0, ms)) / 1000;
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

/// Of a recording whose progress does not say it: older ones.
std::optional<double> usualStep(const RecordingReader& reader)
{
    constexpr int places = 400;
    StepMeter meter;
    const TimeSpan span = reader.span();
    std::optional<RecordedProgress> before;
    for (int place = 0; place <= places; ++place) {
        const qint64 ms = span.fromMs + span.length() * place / places;
        const auto progress = reader.progressUntil(ms);
        if (progress && progress != before)
            meter.addProgress(progress->progress, progress->atMs);
        before = progress;
    }
    return meter.stepSeconds();
}

} // namespace

/// Of the outputs that were kept when the job ended: the job's own, then its errors.
static LogEnding keptEnding(const QString& recording, const JobRecord& job)
{
    QList<LogEndingText> texts;
    for (const KeptOutput& output : readKeptOutputs(recording).valueOr({})) {
        if (output.rank || texts.size() >= 2)
            continue;
        LogEndingText text{output.bytes.right(keptOutputEnd), {}};
        for (const QByteArray& line : output.bytes.split('\n')) {
            if (line.contains("rankwright: rank "))
                text.ranks += line + '\n';
        }
        texts.append(text);
    }
    return texts.isEmpty() ? LogEnding() : readLogEnding(texts, job.nodes);
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
    evidence.output = facts.job.standardOutput;
    if (watch) // its samples are wanted: not one that is only compared with
        evidence.ending = keptEnding(path, job);
    evidence.progress = reader.progressAt(end);
    if (evidence.progress)
        evidence.stepSeconds = evidence.progress->stepSeconds ? evidence.progress->stepSeconds : usualStep(reader);
    QList<Alert> standing;
    qint64 sinceMs = 0;
    for (const RecordingEvent& event : reader.events({0, end}, u"alerts"_s)) {
        addTimes(standing, event.atMs - sinceMs, evidence.alertSeconds);
        standing = alertsIn(event).valueOr({});
        sinceMs = event.atMs;
        if (const auto reported = alertsIn(event))
            mergeAlerts(*reported, evidence.alerts);
        else
            evidence.unreadable.append(reported.error());
    }
    addTimes(standing, reader.span().toMs - sinceMs, evidence.alertSeconds);
    for (const Alert& alert : std::as_const(standing))
        evidence.standingAtEnd.append(alert.kind);
    if (const auto bindings = reader.events({0, end}, u"binding"_s); !bindings.isEmpty()) {
        if (const auto reported = bindingIn(bindings.last()))
            evidence.keptBinding = *reported;
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
