// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/recording/gapfiller.h"
#include "models/cluster/slurm/jobrecord.h"

#include <QTimer>

namespace rankwright {

/// Keeps the history of one watched job whole: looks every half minute, and once more when the job has ended, for what
/// is missing and lets a GapFiller bring it. What the job's record cannot give is not asked for again; a job that wrote
/// no record is left alone. Is given the job's record by its watch; stores nothing. `shell` and `history` must outlive
/// it.
class GapKeeper final : public QObject {
    Q_OBJECT
public:
    struct Patience {
        int firstMs = 12000; ///< after update(): the watch has its first samples by then
        int againMs = 30000;
        int moreMs = 6000; ///< between two parts of a long record: what came has to be in the history first
        int endMs = 1500; ///< after the job's end: the last lines reach the shared file system
        int hopeMs = 90000; ///< after its start a job may take this long to begin its record
    };
    GapKeeper(RemoteShell& shell, const TelemetryHistory& history, QObject* parent = nullptr);

    /// The job as it is known now; the first one with a start and a folder begins the work.
    void update(const JobRecord& job);
    /// The steps of the watch itself: fewer than three of them are not a gap. 1000 ms until it is known.
    void setWatchInterval(int ms) { m_watchMs = ms; }
    void setPatience(const Patience& patience) { m_patience = patience; }
    GapFiller& filler() { return m_filler; }
    /// Nothing more will come: the job has ended, and all that its record has was asked for.
    bool isSettled() const { return m_settled; }

signals:
    void ticksFilled(const QList<rankwright::NodeTick>& ticks);
    void processesFilled(const QList<rankwright::NodeProcesses>& processes);
    /// A round that found something, or failed, has ended.
    void roundEnded(const rankwright::Result<rankwright::GapSummary>& outcome);
    void recordRead();

private:
    void check();
    void handleEnd(const Result<GapSummary>& outcome);
    void finish();
    bool isKnown(const MissingSpan& missing) const;
    void leaveBehind(); ///< what was checked is whole, or cannot be
    qint64 longerThanMs() const;

    RemoteShell& m_shell;
    const TelemetryHistory& m_history;
    GapFiller m_filler;
    JobRecord m_job;
    QTimer m_next;
    Patience m_patience;
    QList<MissingSpan> m_asked; ///< by the round under way
    QList<MissingSpan> m_known; ///< the record has no more of these
    qint64 m_fromMs = 0; ///< the history is whole up to here; 0: not checked yet
    qint64 m_untilMs = 0; ///< up to here the look under way goes
    int m_watchMs = 1000;
    int m_recordMs = 5000; ///< interval of the job's record; as written by default until it is known
    int m_refusals = 0;
    bool m_noRecord = false;
    bool m_endSeen = false; ///< a round was begun after the job's end
    bool m_settled = false;
};

} // namespace rankwright
