// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/recording/gapfiller.h"
#include "app/store/recordingfacts.h"

#include <QPointer>

namespace rankwright::inline cluster {
struct ClusterProfile;
} // namespace rankwright::inline cluster

namespace rankwright {

class RecordingWriter;

/// What the job's record and its cluster's entry say of its GPUs; what they do not say stays.
void describeGpus(RecordingFacts& facts, const ClusterProfile* profile, const JobRecord& job);
/// What a recording says of a job of this cluster beside its samples.
RecordingFacts factsOf(const QString& cluster, const ClusterProfile* profile, const JobRecord& job);

/// Brings the records of these ended jobs into the recordings of the data folder (EndedRecord); `then` is called once,
/// unless `guard` is gone before.
void bringEndedRecords(RemoteShell& shell, const ClusterProfile& profile, const QString& dataFolder,
    const QString& cluster, const QList<JobRecord>& jobs, QObject* guard, const std::function<void()>& then);

/// Puts what this machine lacks of jobs that have ended into their recordings, from the records that the jobs wrote by
/// themselves; a job that was never watched gets a recording of its own. One job after the other; destroying it ends
/// that. Jobs that run, wrote no record, or are recorded by another program just now are left as they are.
class EndedRecord final : public QObject {
    Q_OBJECT
public:
    /// `folder`: where recordings lie.
    EndedRecord(RemoteShell& shell, QString folder, QObject* parent = nullptr);
    ~EndedRecord() override;

    /// `then` is called once, with the number of readings that came.
    void bring(const QList<RecordingFacts>& jobs, std::function<void(qint64 ticks)> then);

private:
    void readNextRecord();
    void checkNext();
    bool openWriter();
    void handleEnd(const Result<GapSummary>& outcome);

    QString m_folder;
    GapFiller m_filler;
    QList<RecordingFacts> m_jobs; ///< the first is the one under way
    std::unique_ptr<RecordingWriter> m_writer;
    std::function<void(qint64)> m_then;
    qint64 m_ticks = 0; ///< of all
    qint64 m_roundTicks = 0;
    int m_rounds = 0;
};

} // namespace rankwright
