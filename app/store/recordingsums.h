// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/recordingfile.h"
#include "models/insight/telemetry/history/nodesums.h"
#include "models/insight/telemetry/history/telemetryhistory.h"

#include <map>

namespace rankwright {

/// Keeps what a report needs of a recording's sealed pieces: their sums, node by node, joined until they are of ten
/// minutes. They hold nothing that the ticks do not: a row names the pieces that it is of, and where these are not
/// there any more (an older program wrote late ticks), or none has been made, the ticks are read. Used by
/// RecordingWriter inside its transactions.
class RecordingSums {
public:
    static constexpr qint64 longestMs = 600'000;

    explicit RecordingSums(RecordingFile& file) : m_file(file) { }

    /// Reads how far each node's sums reach. To be called again after a transaction that failed.
    Result<void> load();
    /// Makes the sums of one node's sealed pieces that have none.
    Result<void> build(int row);
    /// Ticks came late: the sums of that time go, and are made again by the next build().
    Result<void> forget(int row, TimeSpan span);

private:
    struct Row {
        qint64 fromMs = 0, toMs = 0;
        qint64 pieces = 0, ids = 0;
        NodeSums sums;
    };
    Result<void> insert(int row, const Row& sums);
    Result<void> join(int row);

    RecordingFile& m_file;
    std::map<int, qint64> m_next; ///< by row: pieces that begin later have no sums
    std::map<int, qint64> m_looseMs; ///< by row: where the rows begin that are not joined yet
};

} // namespace rankwright
