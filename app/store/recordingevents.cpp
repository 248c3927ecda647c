// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/recordingevents.h"

#include "models/insight/progress/progressjson.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QSqlQuery>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

Result<TrainingProgress> progressIn(const QByteArray& json, qint64 ms)
{
    const QString time = QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC).toString(Qt::ISODateWithMs);
    const QString name = u"the progress of %1"_s.arg(time);
    const auto object = parseJsonObject(json, name);
    if (!object)
        return fail(object.error());
    const auto progress = progressFromJson(JsonReader(*object));
    return progress ? progress : fail(progress.error().within(name));
}

} // namespace

void RecordingEvents::add(const TrainingProgress& progress, qint64 nowMs) { m_progress = {nowMs, progress}; }

void RecordingEvents::add(const QList<LossPoint>& losses, qint64 nowMs)
{
    // A curve that became shorter was thinned: its points have been taken.
    for (qsizetype i = qMin(m_knownLosses, losses.size()); i < losses.size(); ++i)
        m_losses.append(RecordedLoss{nowMs, losses.at(i)});
    m_knownLosses = losses.size();
}

Result<void> RecordingEvents::write(RecordingFile& file) const
{
    if (m_progress) {
        const QByteArray json = QJsonDocument(progressJson(m_progress->second)).toJson(QJsonDocument::Compact);
        const auto done = file.run(u"INSERT OR REPLACE INTO progress (time_ms, json) VALUES (?, ?)"_s,
            {m_progress->first, QString::fromUtf8(json)});
        if (!done)
            return fail(done.error());
    }
    // Read again after the program was started again, a curve's points keep the time at which they were first seen.
    for (const RecordedLoss& loss : m_losses) {
        const auto done = file.run(u"INSERT OR IGNORE INTO losses (step, loss, time_ms) VALUES (?, ?, ?)"_s,
            {loss.point.step, loss.point.loss, loss.atMs});
        if (!done)
            return fail(done.error());
    }
    for (const RecordingEvent& event : m_events) {
        const auto done = file.run(u"INSERT OR IGNORE INTO events (time_ms, kind, json) VALUES (?, ?, ?)"_s,
            {event.atMs, event.kind, QString::fromUtf8(event.json)});
        if (!done)
            return fail(done.error());
    }
    return {};
}

void RecordingEvents::clear()
{
    m_progress.reset();
    m_losses.clear();
    m_events.clear();
}

Result<std::optional<RecordedProgress>> recordedProgress(RecordingFile& file, qint64 ms)
{
    using Found = std::optional<RecordedProgress>;
    Result<Found> found{Found()};
    const auto read = file.run(u"SELECT time_ms, json FROM progress WHERE time_ms <= ? ORDER BY time_ms DESC LIMIT 1"_s,
        {ms}, [&found](const QSqlQuery& row) {
            const qint64 atMs = row.value(0).toLongLong();
            const auto progress = progressIn(row.value(1).toString().toUtf8(), atMs);
            found = progress ? Result<Found>(RecordedProgress{atMs, *progress}) : fail(progress.error());
        });
    return read ? found : fail(read.error());
}

Result<QList<RecordedLoss>> recordedLosses(RecordingFile& file, qint64 ms)
{
    QList<RecordedLoss> losses;
    const auto read = file.run(u"SELECT time_ms, step, loss FROM losses WHERE time_ms <= ? ORDER BY step"_s, {ms},
        [&losses](const QSqlQuery& row) {
            losses.append(
                RecordedLoss{row.value(0).toLongLong(), LossPoint{row.value(1).toDouble(), row.value(2).toDouble()}});
        });
    if (!read)
        return fail(read.error());
    return losses;
}

Result<QList<RecordingEvent>> recordedEvents(RecordingFile& file, TimeSpan span, const QString& kind)
{
    QList<RecordingEvent> events;
    const auto read = file.run(u"SELECT time_ms, kind, json FROM events WHERE time_ms >= ? AND time_ms < ? AND "
                               "(? = '' OR kind = ?) ORDER BY time_ms, id"_s,
        {span.fromMs, span.toMs, kind.isEmpty() ? u""_s : kind, kind}, [&events](const QSqlQuery& row) {
            events.append(
                RecordingEvent{row.value(0).toLongLong(), row.value(1).toString(), row.value(2).toString().toUtf8()});
        });
    if (!read)
        return fail(read.error());
    return events;
}

} // namespace rankwright
