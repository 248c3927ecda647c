// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/alerts/alertwatch.h"
#include "models/insight/progress/progresstrack.h"
#include "models/insight/telemetry/history/telemetryhistory.h"

namespace rankwright::inline insight {

/// What was known of the failures in a job's output from a moment on: all of them.
struct FoundFailures {
    qint64 atMs = 0;
    QList<Diagnosis> diagnoses;
};

/// What would have been said at a moment of the past: a watch of its own, fed with the minutes before that moment from
/// the history. Works in slices, so that its caller goes on answering; moves on cheaply when the moment moves on.
class AlertReplay {
public:
    AlertReplay();

    /// Another job, or more is known of it.
    void expect(const JobExpectation& expectation, qint64 startedMs);
    /// What the output was known to report, when; only later moments see it. In any order.
    void report(const FoundFailures& found);
    /// The moment that is asked about. Begins again unless it lies a little ahead of the one before.
    void seek(qint64 ms, int gpus);
    /// Feeds the next few seconds of the past. False: nothing is left to do.
    bool feedNext(const TelemetryHistory& history, const ProgressTrack& progress);
    bool isDone() const { return m_fedTo >= m_target; }
    /// Of the moment asked about; before isDone() of what was fed so far.
    QList<Alert> alerts() const;
    /// The watch as it is at the moment that was fed last; to go on with what comes live.
    AlertWatch release() { return std::move(m_watch); }
    /// How far back it looks for this number of GPUs: fewer minutes for thousands, so that it stays quick.
    static qint64 lookbackMs(int gpus);

private:
    const FoundFailures* newestFailures(qint64 fromMs, qint64 toMs) const;

    AlertWatch m_watch;
    JobExpectation m_expectation;
    QList<FoundFailures> m_failures; ///< by time
    qint64 m_startedMs = 0;
    qint64 m_fedTo = 0;
    qint64 m_target = 0;
};

} // namespace rankwright::inline insight
