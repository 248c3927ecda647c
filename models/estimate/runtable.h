// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/estimate/memorymodel.h"

#include <QList>

namespace rankwright {

/// One row of a table of runs (columns of docs/planner.md, "Table of runs"), understood.
struct RunRow {
    QString id;
    QString source; ///< where it was published: the family a calibration belongs to
    QString stack; ///< name of a TrainingStack, from source, strategy, precision and notes
    QString hardware; ///< as written
    QString gpu; ///< key of resources/planner/gpus.json; empty: not known
    Workload workload;
    Layout layout;
    MemoryCounter counter = MemoryCounter::VendorTool; ///< notes' "mem_kind="
    QString missing; ///< what an estimate needs and the row lacks, one sentence; empty: complete
    // Measured; empty where the table has none. Never used for an estimate.
    std::optional<double> peakBytes;
    std::optional<double> stepSeconds;
    std::optional<double> tokensPerSecondPerGpu; ///< images where a sample has no tokens
    std::optional<double> teraflopsPerGpu;
    bool outOfMemory = false;
};

/// Reads a CSV with a header line (RFC 4180: quotes, commas and newlines inside them). Columns are found by name, in
/// any order; unknown ones are ignored; a missing one is empty. Fails when it is no table of runs.
Result<QList<RunRow>> readRuns(const QByteArray& csv);

} // namespace rankwright
