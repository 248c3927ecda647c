// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/recordingevents.h"
#include "app/store/recordings.h"
#include "models/insight/telemetry/codec/levelcodec.h"
#include "models/insight/telemetry/history/bucketfiller.h"
#include "models/insight/telemetry/history/nodesums.h"

#include <QCache>

#include <optional>

namespace rankwright {

/// A recording as a history: also while it is written, also by another process; each question sees what was committed
/// last (at most five seconds ago). Questions that cannot be answered (a damaged piece, a lost disk) give what can be
/// read, and fault() says so. Keeps at most 32 MiB of unpacked pieces. Used on the thread that opened it.
class RecordingReader final : public TelemetryHistory {
public:
    /// Error: as RecordingFile::open.
    static Result<std::unique_ptr<RecordingReader>> open(const QString& path);

    QStringList nodes() const override;
    int gpusPerNode() const override;
    TimeSpan span() const override;
    QList<NodeTick> frameAt(qint64 ms, qint64 maxAgeMs = 5000) const override;
    QList<HistoryBucket> buckets(GpuAddress gpu, Measure measure, TimeSpan span, int count) const override;
    QList<TimeSpan> gaps(qint64 longerThanMs) const override;
    void forEachTick(TimeSpan span, const std::function<void(const NodeTick&)>& take) const override;
    void visit(TimeSpan span, const HistoryVisitor& visitor) const override;
    QList<NodeProcesses> processesAt(qint64 ms) const override;
    std::optional<NodeProcesses> processesOf(int node, qint64 ms) const override;

    RecordingInfo info() const;
    std::optional<TrainingProgress> progressAt(qint64 ms) const;
    /// The same with the moment at which it was reported.
    std::optional<RecordedProgress> progressUntil(qint64 ms) const;
    /// The loss curve as it was known at `ms`.
    QList<RecordedLoss> lossesAt(qint64 ms) const;
    QList<RecordingEvent> events(TimeSpan span, const QString& kind = {}) const;
    /// What went wrong with the newest question that could not be answered in full; empty: nothing ever did.
    const std::optional<Error>& fault() const { return m_fault; }

private:
    std::optional<NodeProcesses> newestProcesses(int row, qint64 ms) const;
    /// Questions between begin and end see one state of the file, however the writer goes on.
    class Snapshot;
    explicit RecordingReader(std::unique_ptr<RecordingFile> file) : m_file(std::move(file)) { }
    void refresh() const;
    bool ask(const QString& sql, const QVariantList& values, const RecordingFile::Row& row) const;
    std::optional<TickChunk> chunk(qint64 id) const;
    /// Ticks or sums of one node that lie packed in the file.
    struct Piece {
        int row = 0;
        qint64 id = 0;
        qint64 fromMs = 0;
        std::optional<qint64> sumsToMs; ///< sums up to there in place of ticks
        QByteArray packed = {};
        QList<NodeTick> ticks = {};
        std::optional<NodeSums> sums = {};
        std::optional<Error> fault = {};
    };
    QList<Piece> ticksWithin(TimeSpan span) const;
    /// With sums in place of the ticks that they are of, where the file has them.
    QList<Piece> withSums(const QList<Piece>& ticks, TimeSpan span) const;
    bool hasSums() const;
    /// Gives each piece to `take` in order until that returns false; a few are unpacked at a time, on all cores.
    void unpackTogether(QList<Piece>& pieces, const std::function<bool(Piece&)>& take) const;
    void sumUp(int level, GpuAddress gpu, Measure measure, TimeSpan span, BucketFiller& sums) const;
    void sumUpTicks(GpuAddress gpu, Measure measure, TimeSpan span, BucketFiller& sums) const;

    std::unique_ptr<RecordingFile> m_file;
    mutable int m_depth = 0; ///< of snapshots
    mutable std::optional<qint64> m_version; ///< of the file when the next three were read
    mutable QStringList m_nodes;
    mutable int m_gpusPerNode = 0;
    mutable TimeSpan m_span;
    mutable QCache<qint64, TickChunk> m_chunks{32 << 20};
    mutable QCache<qint64, QList<NodeProcesses>> m_processes{4096};
    mutable std::optional<Error> m_fault;
};

} // namespace rankwright
