// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording/recordedpast.h"

#include "app/store/eventjson.h"

#include <algorithm>
#include <limits>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int progressEntries = 300;

/// Entries that cannot be read: how many, and the first of them.
class Unreadable {
public:
    void note(const Error& why)
    {
        if (m_entries++ == 0)
            m_first = why;
    }
    std::optional<Error> trouble() const
    {
        if (m_entries == 0)
            return {};
        return Error{Fault::Unreadable, u"Damaged entries of the recording, left out: %1."_s.arg(m_entries),
            m_first.oneLine(), {}};
    }

private:
    int m_entries = 0;
    Error m_first;
};

QList<TimelineMark> marksOf(const QList<RecordingEvent>& alerts, Unreadable& unreadable)
{
    Timeline track;
    // Alerts are written when the list of them changes, else once a minute.
    for (const RecordingEvent& event : alerts) {
        if (const auto standing = alertsIn(event))
            track.setAlerts(*standing, event.atMs);
        else
            unreadable.note(standing.error());
    }
    return track.marks();
}

QList<FoundFailures> failuresOf(const QList<RecordingEvent>& failures, Unreadable& unreadable)
{
    QList<FoundFailures> all;
    for (const RecordingEvent& event : failures) {
        if (const auto found = failuresIn(event))
            all.append(FoundFailures{event.atMs, *found});
        else
            unreadable.note(found.error());
    }
    return all;
}

QList<BindingAt> bindingsOf(const QList<RecordingEvent>& bindings, Unreadable& unreadable)
{
    QList<BindingAt> all;
    for (const RecordingEvent& event : bindings) {
        if (const auto binding = bindingIn(event))
            all.append(BindingAt{event.atMs, *binding});
        else
            unreadable.note(binding.error());
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
    Unreadable unreadable;
    past.marks = marksOf(recording.events(all, u"alerts"_s), unreadable);
    // Output and alerts are read to their end after the last sample.
    const TimeSpan ever{all.fromMs, std::numeric_limits<qint64>::max()};
    past.failures = failuresOf(recording.events(ever, u"failures"_s), unreadable);
    past.bindings = bindingsOf(recording.events({0, ever.toMs}, u"binding"_s), unreadable); // before the first sample
    if (const QList<RecordingEvent> events = recording.events(ever, u"alerts"_s); !events.isEmpty())
        past.lastAlerts = alertsIn(events.last()).valueOr({});
    QList<RecordedLoss> losses = recording.lossesAt(all.toMs);
    for (const RecordedLoss& loss : std::as_const(losses))
        past.losses.append(loss.point);
    std::sort(
        losses.begin(), losses.end(), [](const RecordedLoss& a, const RecordedLoss& b) { return a.atMs < b.atMs; });
    qsizetype seen = 0;
    std::optional<double> step;
    std::optional<RecordedProgress> before;
    for (int place = 0; place <= progressEntries; ++place) {
        const qint64 ms = all.fromMs + all.length() * place / progressEntries;
        for (; seen < losses.size() && losses.at(seen).atMs <= ms; ++seen)
            step = std::max(step.value_or(losses.at(seen).point.step), losses.at(seen).point.step);
        const std::optional<RecordedProgress> progress = recording.progressUntil(ms);
        if (progress && (!before || progress->progress != before->progress))
            past.progress.append({progress->atMs, progress->progress, step}); // when it came: pauses are seen by that
        before = progress;
    }
    // Progress that is damaged, and whatever else could not be asked for
    if (recording.fault())
        unreadable.note(*recording.fault());
    past.trouble = unreadable.trouble();
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
