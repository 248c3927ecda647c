// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/recordingevents.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QSqlQuery>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QString progressText(const TrainingProgress& progress)
{
    QJsonObject object;
    const auto put = [&object](const QString& key, const auto& value) {
        if (value)
            object.insert(key, double(*value));
    };
    if (!progress.framework.isEmpty())
        object.insert(u"framework"_s, progress.framework);
    put(u"epoch"_s, progress.epoch);
    put(u"epochs"_s, progress.epochs);
    put(u"step"_s, progress.step);
    put(u"steps"_s, progress.steps);
    put(u"loss"_s, progress.loss);
    put(u"rate"_s, progress.rate);
    if (!progress.rateUnit.isEmpty())
        object.insert(u"rateUnit"_s, progress.rateUnit);
    put(u"etaSeconds"_s, progress.etaSeconds);
    if (progress.stepWithinEpoch)
        object.insert(u"stepWithinEpoch"_s, true);
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

TrainingProgress progressFrom(const QString& text)
{
    const QJsonObject object = QJsonDocument::fromJson(text.toUtf8()).object();
    const auto real = [&object](const QString& key) {
        return object.value(key).isDouble() ? std::optional<double>(object.value(key).toDouble()) : std::nullopt;
    };
    const auto whole = [&object](const QString& key) {
        return object.value(key).isDouble() ? std::optional<qint64>(object.value(key).toInteger()) : std::nullopt;
    };
    TrainingProgress progress;
    progress.framework = object.value(u"framework"_s).toString();
    progress.epoch = real(u"epoch"_s);
    progress.epochs = real(u"epochs"_s);
    progress.step = whole(u"step"_s);
    progress.steps = whole(u"steps"_s);
    progress.loss = real(u"loss"_s);
    progress.rate = real(u"rate"_s);
    progress.rateUnit = object.value(u"rateUnit"_s).toString();
    progress.etaSeconds = real(u"etaSeconds"_s);
    progress.stepWithinEpoch = object.value(u"stepWithinEpoch"_s).toBool();
    return progress;
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
        const auto done = file.run(u"INSERT OR REPLACE INTO progress (time_ms, json) VALUES (?, ?)"_s,
            {m_progress->first, progressText(m_progress->second)});
        if (!done)
            return fail(done.error());
    }
    // Read anew after the program was started again, a curve's points keep the time at which they were first seen.
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

Result<std::optional<TrainingProgress>> recordedProgress(RecordingFile& file, qint64 ms)
{
    std::optional<TrainingProgress> progress;
    const auto read = file.run(u"SELECT json FROM progress WHERE time_ms <= ? ORDER BY time_ms DESC LIMIT 1"_s, {ms},
        [&progress](const QSqlQuery& row) { progress = progressFrom(row.value(0).toString()); });
    if (!read)
        return fail(read.error());
    return progress;
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
