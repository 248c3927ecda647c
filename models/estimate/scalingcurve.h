// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/estimate/timemodel.h"

#include <QList>

#include <optional>

namespace rankwright {

/// What the next GPUs would be spent on.
enum class ScalingLimit { Compute, Communication, Bubble, Overhead };
/// Fixed global batch (a training gets shorter) or fixed batch for each GPU (a step sees more samples).
enum class Scaling { Strong, Weak };

struct ScalingPoint {
    Layout layout;
    int gpus = 1;
    double stepSeconds = 0;
    double tokensPerSecond = 0; ///< of the whole job; samples where a sample has no tokens
    double speedUp = 1; ///< throughput against the first point
    double efficiency = 1; ///< speed-up for each GPU, the first point's is 1
    ScalingLimit limit = ScalingLimit::Compute; ///< the largest part beside compute; compute when that is over 80 %
    bool operator==(const ScalingPoint&) const = default;
};

struct ScalingCurve {
    QList<ScalingPoint> points; ///< by GPUs, each about twice the last
    int worthwhile = 0; ///< GPUs up to which doubling still shortens the work by a tenth; 0: no points
    QString sentence; ///< "Beyond 64 GPUs more will not help: ..."; never empty
};

/// Speed-up over the data-parallel ranks: tensor, pipeline and context ranks stay as in `base`, the micro-batch shrinks
/// where the global batch asks for it. In: `base` that checkLayout() accepts; `mostGpus` the cluster's or the
/// partition's limit. Counts that the global batch cannot be split over are left out.
ScalingCurve scalingCurve(const TimeModel& model, const Layout& base, Scaling scaling, int mostGpus);

/// The same batch over so many data-parallel ranks; empty when it cannot be split.
std::optional<Layout> spreadOver(const Layout& base, int dataRanks, Scaling scaling);

/// What a training costs from its steps.
struct TrainingTime {
    double seconds = 0;
    double gpuHours = 0;
    double checkpointSeconds = 0; ///< to write one
    double checkpointShare = 0; ///< of the whole time
};

/// `checkpointEvery`: steps, 0 for none. `diskBandwidth`: bytes/s that all ranks write together.
/// Checkpoint: fp32 weights and the optimiser's states, with 16-bit weights beside master weights 14 bytes for each
/// parameter with Adam (BLOOM's full checkpoint: 2.3 TB for 176 * 10^9 parameters, 13 bytes).
TrainingTime trainingTime(const StepEstimate& step, int gpus, qint64 steps, double checkpointBytes,
    qint64 checkpointEvery, double diskBandwidth);
double checkpointBytes(const Workload& workload, const TrainingStack& stack, double parameters);

} // namespace rankwright
