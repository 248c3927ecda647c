// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/resolve.h"

namespace rankwright::inline planner {

// Defaults of open fields that follow from the model; called by resolve().

/// The tensor degree that an open field gets: strategies that split layers use a whole node, others 1.
int openTensorDegree(Strategy strategy, int gpusPerNode);
/// The pipeline degree that an open field gets: one stage on each node, or GPU of the only one; 1 where that does not
/// divide the ranks.
int openPipelineDegree(Strategy strategy, int nodes, int gpusPerNode, int tensor);

struct StrategyChoice {
    Strategy strategy = Strategy::Ddp;
    QString reason; ///< one sentence with this model's and this GPU's figures
};

/// The simplest strategy with which one sample of the model fits, of those that the design's framework and launcher
/// know: DDP before FSDP, ZeRO-1 before ZeRO-3. When none fits, the one that needs least. Empty: no model is named, or
/// nothing is known of the GPU. In `soFar` size and degrees are resolved.
std::optional<StrategyChoice> strategyForModel(const ResolvedSpec& soFar, const ClusterProfile& profile);

struct SizeChoice {
    int nodes = 1;
    std::optional<ActivationCheckpointing> activationCheckpointing; ///< empty: fits without recomputing
    QString reason;
    std::optional<int> tensor; ///< no strategy alone is enough: sharded, and each layer split over this many GPUs
    bool recomputingUnwritten = false; ///< nothing in the script asks for it: the program has to do it by itself
};

/// The fewest nodes, up to `most`, on which one sample a rank of the named model fits by a strategy of
/// strategyForModel() or the one that the design names. An open recomputation is taken where the script asks the
/// program for it; for other programs only when the model fits on no number of nodes without. Where it fits on none, or
/// on four times as many, open degrees become FSDP with each layer split within a node, as advise() finds it. Empty: no
/// model is named, or it fits on no such number. In `soFar` partition, GPUs of a node, precision, command and launcher
/// are resolved.
std::optional<SizeChoice> sizeForModel(const ResolvedSpec& soFar, int most, const ClusterProfile& profile);

struct MicroBatchChoice {
    qint64 size = 1;
    QString reason;
};

/// The largest micro-batch that fits and splits the global batch evenly, for a design that names a model and leaves the
/// micro-batch open. Empty: see above, or not even one sample fits. `soFar` is resolved but for this.
std::optional<MicroBatchChoice> microBatchForModel(const ResolvedSpec& soFar, const ClusterProfile& profile);

} // namespace rankwright::inline planner
