// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QList>
#include <QString>

#include <optional>

namespace rankwright::inline planner {

/// What is known of global = micro * accumulation * ranks; empty: to be solved.
struct BatchTerms {
    std::optional<qint64> global;
    std::optional<qint64> micro; ///< samples of one rank in one pass
    std::optional<qint64> accumulation; ///< passes of one step
    std::optional<qint64> ranks; ///< data-parallel
    bool operator==(const BatchTerms&) const = default;
};

struct BatchSolution {
    qint64 global = 0; ///< the one asked for, or the nearest that can be
    qint64 micro = 0;
    qint64 accumulation = 0;
    qint64 ranks = 0;
    bool exact = true; ///< everything that was given is met
    QList<qint64> nearest; ///< valid global batches around the one asked for, ascending; empty when exact
    QString reason; ///< how it was solved, one sentence
    bool operator==(const BatchSolution&) const = default;
};

/// Solves for whatever is not given. What is left open beside it is chosen so that the GPUs are busiest: no
/// accumulation, then one sample, then one rank. A global batch that the other three (or two) cannot make becomes the
/// nearest that they can; micro-batch, accumulation and ranks stay as given. Fails on a term below 1 or beyond reason.
Result<BatchSolution> solveBatch(const BatchTerms& terms);

} // namespace rankwright::inline planner
