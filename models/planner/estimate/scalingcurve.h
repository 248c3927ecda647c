// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/memorymodel.h"
#include "models/planner/estimate/timemodel.h"

#include <QList>

#include <optional>

namespace rankwright::inline planner {

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
/// partition's limit; `gpuWord` what the site calls a GPU. Counts that the global batch cannot be split over are left
/// out and, with `memory`, those on which the model does not fit.
ScalingCurve scalingCurve(const TimeModel& model, const Layout& base, Scaling scaling, int mostGpus,
    const QString& gpuWord = QStringLiteral("GPU"), const MemoryModel* memory = nullptr);

/// The same batch over this many data-parallel ranks; empty when it cannot be split.
std::optional<Layout> spreadOver(const Layout& base, int dataRanks, Scaling scaling);

} // namespace rankwright::inline planner
