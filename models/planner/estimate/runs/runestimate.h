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

} // namespace rankwright::inline planner
