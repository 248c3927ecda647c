// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recordedpast.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int progressEntries = 300;

Alert::Level levelOf(const QString& word)
{
    if (word == "failure"_L1)
        return Alert::Level::Failure;
    if (word == "warning"_L1)
        return Alert::Level::Warning;
    return word == "hint"_L1 ? Alert::Level::Hint : Alert::Level::Normal;
}

/// As much of an alert as a mark on the time shows.
Alert alertFrom(const QJsonObject& json)
{
    Alert alert;
    alert.kind = json.value(u"class"_s).toString();
    alert.level = levelOf(json.value(u"level"_s).toString());
    alert.title = json.value(u"title"_s).toString();
    if (const QString since = json.value(u"since"_s).toString(); !since.isEmpty())
        alert.sinceMs = QDateTime::fromString(since, Qt::ISODateWithMs).toMSecsSinceEpoch();
    for (const QJsonValue& node : json.value(u"nodes"_s).toArray())
        alert.nodes.append(node.toString());
    for (const QJsonValue& gpu : json.value(u"gpus"_s).toArray())
        alert.gpus.append({gpu.toObject().value(u"node"_s).toInt(), gpu.toObject().value(u"gpu"_s).toInt()});
    return alert;
}

QList<TimeMark> marksOf(const RecordingReader& recording, TimeSpan span)
{
    MarkTrack track;
    // Alerts are written when what stands changes, else once a minute.
    for (const RecordingEvent& event : recording.events(span, u"alerts"_s)) {
        QList<Alert> alerts;
        for (const QJsonValue& alert : QJsonDocument::fromJson(event.json).object().value(u"alerts"_s).toArray())
            alerts.append(alertFrom(alert.toObject()));
        track.take(alerts, event.atMs);
    }
    return track.marks();
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
