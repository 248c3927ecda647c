// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/planner/estimate/calibration.h"

namespace rankwright {

class Database;

/// The user's own runs, predicted and measured, in the database: what later predictions learn from. One row a job.
/// Does not decide what a run teaches (CalibrationTable). Lives on its Database's thread.
class MeasuredRuns final {
public:
    explicit MeasuredRuns(Database& database);

    Result<CalibrationTable> load() const; ///< oldest first
    /// Writes a run; the same job of the same cluster, measured again, takes its place.
    Result<void> add(const MeasuredRun& run);
    Result<void> clear();

private:
    Database& m_database;
};

} // namespace rankwright
