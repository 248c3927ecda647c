// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobfile/jobfile.h"
#include "app/recording/watchedjob.h"
#include "app/store/keptoutputs.h"
#include "app/watch/jobwatch.h"
#include "app/watch/reportedplaces.h"
#include "app/window/pages/outputcontroller.h"
#include "app/window/pages/replaycontroller.h"

#include <QTimer>

namespace rankwright::inline cluster {
struct Catalogue;
} // namespace rankwright::inline cluster

namespace rankwright::inline tables {
class GpuGrid;
} // namespace rankwright::inline tables

namespace rankwright {

class ClusterSession;
class LivePage;
class RecordingReader;

/// Brings one job to the Live page: a watched one with the shape of its grid, samples, progress, output, what the
/// sampling costs and how much was seen; or a recorded one without any connection. Records what is watched and gives
/// the recording to the replay. Owns nothing of the cluster: the watch belongs to its session.
class LiveController final : public QObject {
    Q_OBJECT
public:
    LiveController(GpuGrid& grid, LivePage& page, QObject* parent = nullptr);
    ~LiveController() override;

    /// Where watched jobs are recorded; empty: nowhere.
    void setRecordings(const QString& folder) { m_recordings = folder; }
    /// Where the clusters of recorded jobs are looked up; must outlive it. None: their GPUs are known, their rules not.
    void setCatalogue(const Catalogue* catalogue) { m_catalogue = catalogue; }
    /// Starts watching; what was shown before goes.
    void follow(ClusterSession& session, const JobId& job);
    /// Shows a recorded job, to be replayed. Error: it cannot be read; what was shown stays.
    Result<void> open(const QString& path);
    /// Shows the job of a job file, which is kept until something else is shown: what is in the file alone. Error: its
    /// recording cannot be read; what was shown stays.
    Result<void> openFile(const std::shared_ptr<const JobFile>& file);
    /// Shows nothing any more; without a file nothing happens.
    void closeFile();
    /// The file of the job that is shown; null: the job is none of a file.
    const std::shared_ptr<const JobFile>& file() const { return m_file; }
    /// The output of the recorded job that is shown, from its cluster, unless it is kept whole on this machine.
    void readOutput(ClusterSession& session);
    /// The session goes: what was seen stays on the page.
    void unfollow();
    JobWatch* watch() const { return m_watch; }
    ReplayController& replay() { return m_replay; }
    /// Cluster of the job that is shown; empty: none is, or it is of a file, which belongs to no cluster of ours.
    const QString& cluster() const { return m_cluster; }
    /// The recording of the job that is shown; empty: none (yet).
    QString recording() const { return m_path; }
    OutputController& output() { return m_output; }

signals:
    /// The file of the job that was shown is closed.
    void fileClosed();
    void jobOver(const rankwright::JobRecord& record);
    /// The first sample of the job that is followed.
    void firstSample(const QString& node);

private:
    void connectWatch();
    void record();
    void useRecording(const QString& path);
    void joinPast();
    void leaveJob();
    void readKeptOutput();
    void showKeptOutput(const Result<QList<KeptOutput>>& kept);
    void forgetFile();
    /// Of a job that is not known to have failed: a recording of our own is played from its beginning, a file of
    /// somebody is opened for what became of the job.
    enum class ShownFirst { Beginning, End };
    void showRecorded(const std::shared_ptr<RecordingReader>& history, const JobRecord& job, RecordingFacts facts,
        ShownFirst shownFirst);
    void describe(const RecordingFacts& facts, const JobRecord& job, const QStringList& nodes);
    void followLink(ClusterSession& session);
    void handleProgress(const TrainingProgress& progress);
    void showRecord(const JobRecord& record);
    QString gpuWord(const JobRecord& record) const;
    void shapeGrid(const JobRecord& record);
    void placeReported(const NodeProcesses& processes);
    void showCost();
    void showLastValues(const TelemetryHistory& history);
    qint64 heardMs() const;

    GpuGrid& m_grid;
    LivePage& m_page;
    ReplayController m_replay;
    OutputController m_output;
    QPointer<ClusterSession> m_session;
    QPointer<JobWatch> m_watch;
    std::shared_ptr<RecordingReader> m_past; ///< of the job that is watched; null: nothing is recorded yet
    std::unique_ptr<JobOutput> m_recordedOutput; ///< of a job that is replayed
    JobRecord m_recorded; ///< that is replayed
    std::shared_ptr<const JobFile> m_file;
    enum class Kept { None, Reading, Parts, Whole }; ///< of the output of the recorded job, on this machine
    Kept m_kept = Kept::None;
    QPointer<ClusterSession> m_outputFrom; ///< is to be asked for the output where too little is kept
    std::unique_ptr<WatchedJob> m_watched; ///< null: it is not recorded
    const Catalogue* m_catalogue = nullptr;
    QString m_recordings;
    QString m_path;
    QString m_cluster;
    JobId m_job;
    std::optional<ReportedPlaces> m_reported; ///< empty: the watched job's design says where its ranks run
    QStringList m_shapedNodes; ///< the grid has these rows; a job that is requeued may get others
    bool m_sampled = false;
    qint64 m_heardMs = 0; ///< of the watched job: its newest record or sample, our clock; 0: nothing yet
    QTimer m_report;
};

} // namespace rankwright
