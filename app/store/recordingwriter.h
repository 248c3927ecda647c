// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/recordingevents.h"
#include "app/store/recordingfacts.h"
#include "app/store/recordinglevels.h"
#include "app/store/recordingstream.h"
#include "app/store/recordingsums.h"

#include <QSet>

namespace rankwright {

/// Writes one job's recording: what it is given waits in memory until commit(), which is one transaction forced to
/// disk. Called every four seconds, at most the last five are lost to a kill or a power cut. When there is no room on
/// the disk, commit() says so, what was reported waits (packed, up to 64 MiB, then the oldest goes), and a later
/// commit() writes it. Only one program writes a job's recording. Used on the thread that opened it; knows no timers.
class RecordingWriter final {
public:
    struct Limits {
        qint64 waitingBytes = 64 << 20; ///< what may wait for room on the disk
        int mostPages = 0; ///< of the file, 4 KiB each; 0: no limit. For tests.
    };

    /// Opens the recording of this job below `folder` (made when missing), or begins one. A file that cannot be read
    /// stays as it is, and a new one is begun beside it. Error: Cancelled when another program, or another window of
    /// this one, records the job just now; Io, Invalid.
    static Result<std::unique_ptr<RecordingWriter>> open(const QString& folder, const RecordingFacts& facts);
    static Result<std::unique_ptr<RecordingWriter>> open(
        const QString& folder, const RecordingFacts& facts, const Limits& limits);
    /// Commits what waits, if there is room, and lets the file go.
    ~RecordingWriter();
    RecordingWriter(const RecordingWriter&) = delete;
    RecordingWriter& operator=(const RecordingWriter&) = delete;

    void setFacts(const RecordingFacts& facts);
    /// Rows in this order; nodes that only ticks name come behind.
    void setNodes(const QStringList& nodes);
    /// A clock that was not reported, or is more than a day off, is replaced by `arrivedMs`.
    void append(const NodeTick& tick, qint64 arrivedMs);
    void append(const NodeProcesses& processes, qint64 arrivedMs);
    /// Ticks of another source (the sampler inside the job): those within half a second of one that is there are left
    /// out, so that filling twice changes nothing.
    void fill(const QList<NodeTick>& ticks);
    void note(const TrainingProgress& progress, qint64 nowMs) { m_notes.add(progress, nowMs); }
    /// The whole curve as it is known now; points keep the time at which they were first reported.
    void note(const QList<LossPoint>& losses, qint64 nowMs) { m_notes.add(losses, nowMs); }
    /// The same twice is kept once.
    void note(const RecordingEvent& event) { m_notes.add(event); }

    /// Error: Io (no room, no rights: everything waits), Cancelled (another program writes it now: nothing waits).
    Result<void> commit(qint64 nowMs);
    QString path() const { return m_file->path(); }
    /// Ticks that could not be kept, since there was no room for too long.
    qint64 lostTicks() const { return m_lost; }
    qint64 waitingBytes() const { return m_ticks.waitingBytes() + m_processes.waitingBytes(); }

private:
    RecordingWriter(std::unique_ptr<RecordingFile> file, const RecordingFacts& facts, const Limits& limits);
    Result<void> begin();
    Result<void> claim(qint64 nowMs);
    Result<void> load();
    Result<void> writeAll(qint64 nowMs);
    Result<void> writeFacts();
    Result<void> sealAll(const std::map<int, TimeSpan>& changed);
    Result<void> set(const QString& key, const QVariant& value);
    bool hasWork() const;
    int rowOf(const QString& node);
    void widen(int row, int gpus);

    std::unique_ptr<RecordingFile> m_file;
    RecordingFacts m_facts;
    Limits m_limits;
    QString m_owner; ///< this object, beyond the life of its process
    RecordingStream<NodeTick> m_ticks;
    RecordingStream<NodeProcesses> m_processes;
    RecordingLevels m_levels;
    RecordingSums m_sums;
    QStringList m_nodes;
    QHash<QString, int> m_rows;
    QHash<int, int> m_gpus; ///< by row: GPUs
    QSet<int> m_changedRows; ///< rows whose name or width is not in the file yet
    QSet<int> m_reportedRows; ///< rows that something was reported of since the last commit
    RecordingEvents m_notes;
    qint64 m_lost = 0;
    bool m_factsChanged = true;
    bool m_taken = false; ///< another program writes it now
};

} // namespace rankwright
