// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/memorymodel.h"

#include <QList>
#include <QStringList>

#include <optional>

namespace rankwright::inline planner {

/// One row of a table of runs (columns of docs/planner.md, "Table of runs"), understood.
struct RunRow {
    QString id;
    QString source; ///< where it was published: the family a calibration belongs to
    QString stack; ///< one of knownStacks(), from the words of source, strategy and notes
    QString hardware; ///< as written
    QString gpu; ///< gpuFigures() knows it by this; empty: not known
    Workload workload;
    Layout layout;
    MemoryCounter counter = MemoryCounter::VendorTool; ///< notes' "mem_kind="
    bool ofAMoment = false; ///< what is printed was read at some moment: no peak, and not all that the allocator keeps
    std::optional<int> stage; ///< pipeline stage whose rank the peak was read on; empty: the worst of all
    QString missing; ///< what any estimate needs and the row lacks, one sentence; empty: complete
    QString missingForMemory; ///< what only the memory needs and the row lacks; empty: nothing
    QString missingForTime; ///< what only the step time needs and the row lacks; empty: nothing
    bool lengthAssumed = false; ///< or the batch: the memory's band reaches from a quarter to four times the tokens
    QString note; ///< what was assumed, sentences; may be empty
    // Measured; empty where the table has none. Never used for an estimate.
    std::optional<double> peakBytes;
    std::optional<double> stepSeconds;
    std::optional<double> tokensPerSecondPerGpu; ///< images where a sample has no tokens
    std::optional<double> teraflopsPerGpu;
    bool outOfMemory = false;
    bool recomputeCounted = false; ///< teraflopsPerGpu counts recomputation too
};

/// Reads a CSV with a header line (RFC 4180: quotes, commas and newlines inside them). Columns are found by name, in
/// any order; unknown ones are ignored; a missing one is empty. A cell that makes no sense makes the row incomplete,
/// not the table. Fails if the text is not a table of runs.
Result<QList<RunRow>> readRuns(const QByteArray& csv, const QString& name = QStringLiteral("the table"));

} // namespace rankwright::inline planner
