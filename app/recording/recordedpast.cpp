// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording/recordedpast.h"

#include "app/watch/alertjson.h"
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <limits>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int progressEntries = 300;

QJsonArray listIn(const RecordingEvent& event, const QString& member)
{
    return QJsonDocument::fromJson(event.json).object().value(member).toArray();
}

QList<Alert> alertsIn(const RecordingEvent& event)
{
    QList<Alert> alerts;
    for (const QJsonValue& alert : listIn(event, u"alerts"_s))
        alerts.append(alertFrom(alert.toObject()));
    return alerts;
}

QList<TimelineMark> marksOf(const RecordingReader& recording, TimeSpan span)
{
    Timeline track;
    // Alerts are written when what stands changes, else once a minute.
    for (const RecordingEvent& event : recording.events(span, u"alerts"_s))
        track.take(alertsIn(event), event.atMs);
    return track.marks();
}

QList<FoundFailures> failuresOf(const RecordingReader& recording, TimeSpan span)
{
    QList<FoundFailures> all;
    for (const RecordingEvent& event : recording.events(span, u"failures"_s)) {
        FoundFailures found{event.atMs, {}};
        for (const QJsonValue& failure : listIn(event, u"failures"_s))
            found.diagnoses.append(failureFrom(failure.toObject()));
        all.append(found);
    }
    return all;
}

} // namespace

RecordedPast recordedPast(const RecordingReader& recording)
{
    RecordedPast past;
    const TimeSpan span = recording.span();
    if (span.length() <= 0)
        return past;
    const TimeSpan all{span.fromMs - 60'000, span.toMs + 60'000}; // our clock and the nodes' may differ
    past.marks = marksOf(recording, all);
    // Output and alerts are read to their end after the last sample.
    const TimeSpan ever{all.fromMs, std::numeric_limits<qint64>::max()};
    past.failures = failuresOf(recording, ever);
    if (const QList<RecordingEvent> events = recording.events(ever, u"alerts"_s); !events.isEmpty())
        past.lastAlerts = alertsIn(events.last());
    QList<RecordedLoss> losses = recording.lossesAt(all.toMs);
    for (const RecordedLoss& loss : std::as_const(losses))
        past.losses.append(loss.point);
    std::sort(
        losses.begin(), losses.end(), [](const RecordedLoss& a, const RecordedLoss& b) { return a.atMs < b.atMs; });
    qsizetype seen = 0;
    std::optional<double> step;
    std::optional<TrainingProgress> before;
    for (int place = 0; place <= progressEntries; ++place) {
        const qint64 ms = all.fromMs + all.length() * place / progressEntries;
        for (; seen < losses.size() && losses.at(seen).atMs <= ms; ++seen)
            step = std::max(step.value_or(losses.at(seen).point.step), losses.at(seen).point.step);
        const std::optional<TrainingProgress> progress = recording.progressAt(ms);
        if (progress && progress != before)
            past.progress.append({ms, *progress, step});
        before = progress;
    }
    return past;
}

JobRecord recordedJob(const RecordingInfo& info)
{
    JobRecord job = info.facts.job;
    if (hasEnded(job.state))
        return job;
    job.state = JobState::Unknown;
    job.elapsed.reset();
    if (job.started.isValid() && info.span.length() > 0)
        job.elapsed = Seconds{std::max<qint64>(0, (info.span.toMs - job.started.toMSecsSinceEpoch()) / 1000)};
    return job;
}

} // namespace rankwright
