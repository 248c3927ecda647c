// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/recording/jobgaps.h"
#include "app/recording/jobrecorder.h"
#include "models/core/troublesource.h"

#include <memory>

namespace rankwright {

/// A watched job with what is kept of it: its recorder, and what fills the recording's gaps from the record that the
/// job writes by itself; once it has ended, its output files too. The watch belongs to its session and may go before.
/// Lives on the GUI thread.
class WatchedJob final : public QObject {
    Q_OBJECT
public:
    WatchedJob(RemoteShell& shell, JobWatch& watch, QObject* parent = nullptr);
    ~WatchedJob() override; ///< commits what is left

    /// Records the job from now on, once. The profile must outlive the watch.
    void record(const ClusterProfile& profile, const JobRecorder::Place& place);
    /// Commits what is left and closes the file.
    void stopRecording();
    bool isRecording() const { return m_recorder != nullptr; }
    QString gapSummary() const { return m_gaps ? m_gaps->summary() : QString(); } ///< JobGaps::summary()

signals:
    /// The recording can be opened by a RecordingReader from now on.
    void recordingBegan(const QString& path);
    void gapsFilled(); ///< or a round failed; gapSummary() says which
    /// The job has ended and its output files lie beside the recording; or none of them could be had.
    void outputsKept();
    void recordingGrew(); ///< what filled gaps is committed
    /// `source` is Recording or SamplerRecord; `why` empty: all is well with it again.
    void troubleChanged(rankwright::TroubleSource source, const std::optional<rankwright::Error>& why);

private:
    void storeOutput(const JobRecord& job);

    RemoteShell& m_shell;
    JobWatch& m_watch;
    std::unique_ptr<JobRecorder> m_recorder;
    std::unique_ptr<JobGaps> m_gaps; ///< behind the recorder: it goes first
    bool m_grew = false; ///< not committed yet
};

} // namespace rankwright
