// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/runs/runtable.h"
#include "models/planner/estimate/timemodel.h"

namespace rankwright::inline planner {

/// What the planner says of one row of a table of runs; measured columns are never read.
struct RunEstimate {
    QString id;
    QString framework; ///< training stack that was taken
    std::optional<MemoryEstimate> memory; ///< for the row's counter
    std::optional<StepEstimate> step;
    MemoryCounter counter = MemoryCounter::VendorTool;
    QString note; ///< what was missing or assumed; may be empty
};

RunEstimate estimateRun(const RunRow& row);

/// "allocated", "reserved", "smi": the words of the headless answers.
QString toText(MemoryCounter counter);

/// The memory of a row of a table of runs, for the counter that its notes name: `estimate` where the figure was read
/// (on the last stage alone, in some logs), `worst` of all ranks, with the verdict that counts.
struct RunMemory {
    MemoryEstimate estimate;
    MemoryEstimate worst;
};

/// Fails with the row's own sentence on what is missing, or with checkLayout()'s. A stack that is not known is
/// "generic".
Result<RunMemory> memoryOfRun(const RunRow& row);
/// The same with the defaults of another stack.
Result<RunMemory> memoryOfRun(const RunRow& row, const TrainingStack& stack);

} // namespace rankwright::inline planner
