// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/codec/tickchunk.h"
#include "models/insight/telemetry/history/bucketfiller.h"

#include <array>

namespace rankwright::inline insight {

/// Lengths of the buckets in which a recording is summed up, finest first.
constexpr std::array<qint64, 3> levelBucketMs = {10'000, 60'000, 600'000};
constexpr int bucketsPerBlock = 60;

/// Length of a block of one level: 60 buckets of every GPU and measure of one node.
constexpr qint64 levelBlockMs(std::size_t level) { return levelBucketMs[level] * bucketsPerBlock; }
/// Where the block that holds `ms` begins.
qint64 levelBlockStart(std::size_t level, qint64 ms);

/// A block read back: least, mean, most to 0.01 of the measure's unit (memory to 1 MiB), and the number of samples.
class LevelBlock {
public:
    /// Error: as TickChunk::open.
    static Result<LevelBlock> open(const QByteArray& blob);
    static Result<LevelBlock> openPayload(const QByteArray& payload); ///< for tests

    int gpus() const { return m_gpus; }
    /// Calls `take` with every bucket of one GPU's measure that has samples, oldest first.
    void forEachBucket(int gpu, Measure measure, const std::function<void(const HistoryBucket&)>& take) const;

private:
    struct Columns {
        QByteArrayView samples, least, mean, most; ///< empty: nothing was reported
    };
    bool read();

    QByteArray m_payload;
    qint64 m_fromMs = 0;
    qint64 m_bucketMs = 0;
    int m_gpus = 0;
    std::vector<Columns> m_columns; ///< GPU by GPU, in it measure by measure
};

/// Sums up one block: of ticks for the finest level, of the next finer level's blocks for the others. For the stack.
class LevelSums {
public:
    LevelSums(qint64 fromMs, qint64 bucketMs) : m_fromMs(fromMs), m_bucketMs(bucketMs) { }
    void add(const TickChunk& chunk);
    void add(const LevelBlock& finer);
    bool isEmpty() const { return m_fillers.empty(); }
    QByteArray pack() const;

private:
    BucketFiller& filler(int gpu, std::size_t measure);

    qint64 m_fromMs;
    qint64 m_bucketMs;
    std::vector<BucketFiller> m_fillers; ///< GPU by GPU, in it measure by measure
};

} // namespace rankwright::inline insight
