// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/units.h"

#include <optional>

namespace rankwright::inline planner {

/// A training from its first job to its last.
struct TrainingTime {
    double seconds = 0; ///< all of it, without waiting in the queue
    double computing = 0;
    double checkpoints = 0;
    double restarts = 0; ///< starts of further jobs, and what was computed twice
    double jobs = 1; ///< that the partition's time limit makes of it
};

/// In: the steps' own seconds, bytes of a checkpoint (weights and optimiser), size, and the longest job that the
/// partition takes. Checkpoints are as far apart as Young 1974 ("A first order approximation to the optimum checkpoint
/// interval", CACM 17:9) advises, written at 1 GB/s by each node; a GPU fails every 45,600 hours, as in the 54 days of
/// Llama 3 405B (Grattafiori et al. 2024, arXiv 2407.21783, section 3.3.4: 466 interruptions of 16,384 GPUs); a start
/// takes five minutes.
TrainingTime wholeTraining(
    double computing, double checkpointBytes, int nodes, int gpus, const std::optional<Seconds>& longestJob);

/// Seconds of "2d", "36h", "90m", "2d 12h", or of one of sbatch's forms with a colon or a day ("2-12:00:00"). Empty: it
/// is none of these, or no time at all.
std::optional<double> spanSeconds(const QString& text);

} // namespace rankwright::inline planner
