// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/recording/gapkeeper.h"

namespace rankwright::inline insight {
struct SamplingPlan;
} // namespace rankwright::inline insight

namespace rankwright {

class JobRecorder;
class JobWatch;
class RecordingReader;

/// Connects a watched job, its recording and the record that the job itself writes: once there is a recording, a
/// GapKeeper finds its gaps and fills them from the job's record. Watch, recorder and shell must outlive it.
class JobGaps final : public QObject {
    Q_OBJECT
public:
    JobGaps(RemoteShell& shell, JobWatch& watch, JobRecorder& recorder, QObject* parent = nullptr);
    ~JobGaps() override;

    /// The job has ended and its record was read, or there is nothing that could be filled.
    bool isSettled() const { return !m_keeper || m_keeper->isSettled(); }
    /// Stops a round that is under way; what came stays.
    void cancel();
    /// How long the job was not watched and what came of it, for people; empty: nothing was filled yet.
    QString summary() const;
    void setPatience(const GapKeeper::Patience& patience) { m_patience = patience; } ///< for tests

signals:
    /// Ticks were handed to the recorder, or a round failed; summary() says which.
    void filled();
    void troubleChanged(const std::optional<rankwright::Error>& why); ///< empty: all is well again
    void recordRead();

private:
    void open(const QString& path);
    void setPlan(const SamplingPlan& plan);

    RemoteShell& m_shell;
    JobWatch& m_watch;
    JobRecorder& m_recorder;
    std::unique_ptr<RecordingReader> m_history;
    std::unique_ptr<GapKeeper> m_keeper;
    GapKeeper::Patience m_patience;
    qint64 m_ticks = 0;
    qint64 m_bytes = 0;
    bool m_troubled = false;
};

} // namespace rankwright
