// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/recordingfile.h"
#include "models/insight/telemetry/codec/levelcodec.h"

#include <map>

namespace rankwright {

/// Keeps a recording's coarser levels: blocks of 60 buckets of 10 s, 60 s and 600 s, each made once all of its time is
/// behind the node. They hold nothing that the ticks do not; where one is missing, the finer level is read. Used by
/// RecordingWriter inside its transactions.
class RecordingLevels {
public:
    explicit RecordingLevels(RecordingFile& file) : m_file(file) { }

    /// Reads how far each node's levels reach. To be called again after a transaction that failed.
    Result<void> load();
    /// Makes the blocks of one node that end not after `untilMs`.
    Result<void> build(int row, qint64 untilMs);
    /// Ticks came late: blocks of that time go, and are made again by the next build().
    Result<void> forget(int row, TimeSpan span);

private:
    using Next = std::array<std::optional<qint64>, levelBucketMs.size()>;
    Result<void> buildBlock(std::size_t level, int row, qint64 fromMs);
    Result<std::optional<qint64>> firstDataFrom(std::size_t level, int row, qint64 fromMs);

    RecordingFile& m_file;
    std::map<int, Next> m_next; ///< by row and level: start of the block to be made next
};

} // namespace rankwright
