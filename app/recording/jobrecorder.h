// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/recordings.h"
#include "app/watch/jobwatch.h"
#include "models/insight/alerts/alert.h"

#include <QThread>

namespace rankwright {

struct JobDiary; // what is handed to the writer's thread at once
struct JobDiaryOutcome;
class JobDiaryKeeper; // what lives on that thread

/// Records one watched job to disk (docs/recording.md): samples, processes, progress, loss curve, states, alerts, where
/// the ranks are bound. Hands them every few seconds to a thread of its own, which packs and writes, so that neither a
/// slow disk nor a thousand nodes hold up the window. When the disk is full it reports so once, goes on by itself when
/// there is room, and the watch never notices. Where another window records the job, it stands by and takes over when
/// that one ends. Lives on the GUI thread.
class JobRecorder final : public QObject {
    Q_OBJECT
public:
    struct Place {
        QString folder; ///< of recordings
        qint64 limitBytes = recordingsLimitBytes; ///< of all recordings; the oldest go, never the one being written
        int commitMs = 4000; ///< at a kill or a power cut not more than this, and the commit itself, is lost
    };
    explicit JobRecorder(Place place, QObject* parent = nullptr);
    /// Commits what is left; waits for a disk that does not answer at most five seconds.
    ~JobRecorder() override;

    /// Records this job from now on; `facts` is what is known beside what the watch reports.
    void follow(JobWatch& watch, const RecordingFacts& facts);
    /// The same with what the cluster's profile and the watch's launched job know of it. The profile must outlive the
    /// watch.
    void follow(JobWatch& watch, const ClusterProfile& profile);
    /// The same without a watch, for what reports by itself: facts once more whenever the job's state changes.
    void begin(const RecordingFacts& facts);
    void setRecord(const JobRecord& record);
    void add(const NodeTick& tick, qint64 arrivedMs);
    void add(const NodeProcesses& processes, qint64 arrivedMs);
    void add(const TrainingProgress& progress, qint64 nowMs);
    void add(const QList<LossPoint>& losses, qint64 nowMs);
    /// Ticks that the job wrote by itself: those that are there already are left out.
    void fill(const QList<NodeTick>& ticks);
    /// The alerts at `nowMs`; written when they differ from those before, else once a minute.
    void add(const QList<Alert>& alerts, qint64 nowMs);
    /// Failures found in the output until `nowMs`, all of them; called when they have changed.
    void add(const QList<Diagnosis>& diagnoses, qint64 nowMs);
    /// Where the ranks have reported to be until `nowMs`; called when that has changed.
    void add(const RankBinding& binding, qint64 nowMs);
    /// Hands over what is there and commits; the answer comes by diaryCommitted().
    void commit();

    /// The file that is written, or that another window writes; empty: not known yet.
    const QString& path() const { return m_path; }
    const QString& folder() const { return m_place.folder; }
    /// Ticks that were dropped because the disk was full for too long.
    qint64 lostTicks() const { return m_lost + m_lostWriting; }

signals:
    /// The recording can be opened by a RecordingReader from now on.
    void recordingBegan(const QString& path);
    void diaryCommitted();
    /// It cannot be recorded now, and why; empty: it is recorded again.
    void troubleChanged(const std::optional<rankwright::Error>& why);

private:
    void handOverDiary();
    void handleOutcome(const JobDiaryOutcome& outcome);
    void reportTrouble(const std::optional<Error>& why);
    void describe(const ClusterProfile& profile, const JobRecord& record);

    Place m_place;
    RecordingFacts m_facts;
    std::unique_ptr<QThread> m_thread;
    JobDiaryKeeper* m_keeper = nullptr; ///< lives on m_thread
    std::unique_ptr<JobDiary> m_diary;
    QTimer m_pace;
    QString m_path;
    QString m_alerts; ///< which ones were written last
    qint64 m_alertsMs = 0; ///< when
    JobState m_state = JobState::Unknown; ///< as written last
    QString m_reported; ///< text of the trouble that stands
    qint64 m_lost = 0; ///< on this side of the thread
    qint64 m_lostWriting = 0;
    qint64 m_waitingGpus = 0; ///< readings in m_diary
    bool m_busy = false; ///< the thread has not answered yet
};

} // namespace rankwright
