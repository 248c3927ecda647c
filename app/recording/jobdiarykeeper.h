// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/recordingwriter.h"
#include "models/insight/progress/rankbinding.h"

#include <QObject>

#include <mutex>
#include <vector>

namespace rankwright {

/// What was reported, and when it came (milliseconds since 1970).
template <typename Reported>
struct DiaryEntry {
    Reported reported;
    qint64 ms = 0;
};

/// All that was reported between two commits.
struct JobDiary {
    RecordingFacts facts;
    QList<DiaryEntry<NodeTick>> ticks;
    QList<DiaryEntry<NodeProcesses>> processes;
    QList<NodeTick> filled;
    std::optional<DiaryEntry<TrainingProgress>> progress;
    std::optional<DiaryEntry<QList<LossPoint>>> losses;
    std::optional<DiaryEntry<RankBinding>> binding;
    QList<RecordingEvent> events;
};

/// What became of it.
struct JobDiaryOutcome {
    QString path;
    qint64 lost = 0;
    std::optional<Error> why; ///< Fault::Cancelled: another window records the job
};

/// The recorder's side on its own thread: opens the file, writes what it is handed, keeps the folder within its limit.
class JobDiaryKeeper final : public QObject {
    Q_OBJECT
public:
    /// Readings of GPUs that may wait to be written; about 100 MB, a minute of 1,000 nodes of 8. More are lost.
    static constexpr qint64 mostWaitingGpus = 600'000;

    /// `folder`: of the recordings; together they take at most `limitBytes`.
    JobDiaryKeeper(QString folder, qint64 limitBytes) : m_folder(std::move(folder)), m_limitBytes(limitBytes) { }

    /// On any thread; writeInbox() is asked for afterwards.
    void put(std::shared_ptr<const JobDiary> diary);
    void writeInbox();

    void close() { m_writer.reset(); }

signals:
    void diaryWritten(const rankwright::JobDiaryOutcome& outcome);

private:
    void write(const JobDiary& diary, qint64 nowMs);
    bool open(const RecordingFacts& facts, qint64 nowMs);

    /// The file cannot be begun: what was reported waits, unless another window writes the same.
    void holdDiary(const JobDiary& diary);
    void write(const JobDiary& diary);
    void commit(const JobDiary& diary, qint64 nowMs);

    /// Another window writes the same recording.
    bool standsBy() const { return m_why && m_why->fault == Fault::Cancelled; }
    void prune(qint64 nowMs);

    std::mutex m_mutex;
    std::vector<std::shared_ptr<const JobDiary>> m_inbox; ///< under the mutex
    QString m_folder;
    qint64 m_limitBytes;
    std::unique_ptr<RecordingWriter> m_writer;
    QList<JobDiary> m_kept;
    qint64 m_keptGpus = 0;
    QString m_path; ///< that is written, or that another window writes
    std::optional<Error> m_why; ///< it is not written now
    qint64 m_lost = 0;
    qint64 m_againMs = 0;
    qint64 m_prunedMs = 0;
};

} // namespace rankwright
