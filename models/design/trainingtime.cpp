// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/design/trainingtime.h"

#include <algorithm>
#include <cmath>

namespace rankwright {

namespace {

constexpr double gpuLifeSeconds = 45'600.0 * 3600; // 54 days x 16,384 GPUs / 466
constexpr double writtenByNode = 1e9; // bytes a second
constexpr double startSeconds = 300;

} // namespace

TrainingTime wholeTraining(
    double computing, double checkpointBytes, int nodes, int gpus, const std::optional<Seconds>& longestJob)
{
    TrainingTime time;
    if (!(computing > 0) || !std::isfinite(computing))
        return time;
    time.computing = computing;
    const double one = checkpointBytes / (writtenByNode * std::max(1, nodes));
    const double life = gpuLifeSeconds / std::max(1, gpus);
    const double between = std::max(std::sqrt(2 * one * life), 60.0); // Young's interval
    time.checkpoints = computing / between * one;
    const double failures = computing / life;
    double running = computing + time.checkpoints + failures * (between / 2 + startSeconds);
    if (longestJob && double(longestJob->count) > 2 * startSeconds)
        time.jobs = std::ceil(running / (double(longestJob->count) - startSeconds));
    running += time.jobs * startSeconds;
    time.restarts = running - computing - time.checkpoints;
    time.seconds = running;
    return time;
}

} // namespace rankwright
