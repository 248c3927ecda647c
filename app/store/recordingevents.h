// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/recordingfile.h"
#include "models/insight/progress/trainingprogress.h"
#include "models/insight/telemetry/history/telemetryhistory.h"

#include <QList>

namespace rankwright {

/// Something that happened to a job while it was recorded.
struct RecordingEvent {
    qint64 atMs = 0;
    QString kind; ///< "alerts", "failures" (eventjson.h), "state", "trouble"
    QByteArray json; ///< object with what belongs to it
    bool operator==(const RecordingEvent&) const = default;
};

/// A point of the loss curve and when it was first seen.
struct RecordedLoss {
    qint64 atMs = 0;
    LossPoint point;
    bool operator==(const RecordedLoss&) const = default;
};

/// What is written beside the samples: progress, loss curve, events. Collects them until write(). Part of
/// RecordingWriter.
class RecordingEvents {
public:
    void add(const TrainingProgress& progress, qint64 nowMs);
    /// The whole curve as it is known now.
    void add(const QList<LossPoint>& losses, qint64 nowMs);
    void add(const RecordingEvent& event) { m_events.append(event); }
    bool isEmpty() const { return !m_progress && m_losses.isEmpty() && m_events.isEmpty(); }
    /// In the caller's transaction.
    Result<void> write(RecordingFile& file) const;
    void clear();

private:
    std::optional<std::pair<qint64, TrainingProgress>> m_progress; ///< the newest: a commit every few seconds keeps it
    QList<RecordedLoss> m_losses;
    qsizetype m_knownLosses = 0;
    QList<RecordingEvent> m_events;
};

/// Progress and when it was reported.
struct RecordedProgress {
    qint64 atMs = 0;
    TrainingProgress progress;
    bool operator==(const RecordedProgress&) const = default;
};

/// The newest progress reported not after `ms`; empty: none. Error: also when that entry is damaged.
Result<std::optional<RecordedProgress>> recordedProgress(RecordingFile& file, qint64 ms);
/// All points seen not after `ms`, by step.
Result<QList<RecordedLoss>> recordedLosses(RecordingFile& file, qint64 ms);
/// Events of that time, oldest first; of one kind, or of all when it is empty.
Result<QList<RecordingEvent>> recordedEvents(RecordingFile& file, TimeSpan span, const QString& kind);

} // namespace rankwright
