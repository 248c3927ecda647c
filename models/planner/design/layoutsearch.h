// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/assumptions.h"
#include "models/planner/design/plannedrun.h"
#include "models/planner/estimate/calibration.h"
#include "models/planner/estimate/memorymodel.h"

#include <atomic>

namespace rankwright::inline planner {

/// What the ranking puts first. Recommended: recommendation.h. Time: of layouts that use their GPUs at least half as
/// well as the smallest do; the others follow.
enum class Objective { Recommended, Time, Cost, Nodes };

/// What of a design a search leaves as it is, beside model, batch, precision, partition and framework.
enum class Kept {
    Machine, ///< nothing else
    Size, ///< nodes and GPUs that it names
    Named ///< these, strategy, degrees, micro-batch, recomputation and offloading that it names
};

struct SearchLimits {
    int maxNodes = 0; ///< 0: what the partitions allow
    int onlyNodes = 0; ///< this number of nodes; 0: any
    int onlyGpusPerNode = 0; ///< this number of GPUs on each; 0: any
    Objective objective = Objective::Recommended;
    Kept kept = Kept::Machine;
    bool usualSizes = false; ///< only numbers of nodes that the recommendation looks at (searchspace.h)
    bool onlyRecommended = false; ///< no further than the recommendation looks; only that one is kept
    std::optional<double> withinSeconds; ///< for all that `costOf` names, checkpoints and restarts included
    std::optional<double> budget; ///< for the same, in the site's unit; GPU-hours where none is published
    int top = 50; ///< candidates kept
    int perSize = 0; ///< at most this many of them with the same number of GPUs; 0: no limit
    const std::atomic_bool* cancelled = nullptr; ///< read for every number of nodes; may be null
};

/// One layout that the search found.
struct Candidate {
    QString cluster; ///< name of its profile
    QString partition; ///< name of the entry
    bool needsPartition = false; ///< its size alone would be put into another
    QString gpu; ///< as the site names the kind: "NVIDIA H100"
    Strategy strategy = Strategy::Ddp;
    Framework stack = Framework::Generic;
    Layout layout;
    Recompute recompute = Recompute::None;
    Offload offload = Offload::None;
    double memoryBytes = 0; ///< of the worst rank, as the vendor tool would show it
    double usableBytes = 0;
    FitVerdict verdict = FitVerdict::Fits;
    double stepSeconds = 0;
    double computeShare = 0; ///< 0..1 of the step
    double tokensPerSecond = 0; ///< of the whole job; samples where a sample has no tokens
    double mfu = 0;
    std::optional<double> cost; ///< in the site's unit, for `costOf`; empty: the site publishes no formula
    std::optional<double> totalSeconds; ///< of all that `costOf` names, checkpoints and restarts included
    std::optional<double> totalCost; ///< for that time
    double efficiency = 1; ///< speed of one GPU against the best small layout of its kind of GPU (up to four times the
                           ///< GPUs of the smallest that fits), at most 1
    bool recommended = false;
    bool pareto = false; ///< none is both faster and cheaper
    QString why; ///< one sentence
    QList<Assumption> assumes; ///< every switch that the figures rely on

    /// Writes this layout into a design: one edit. The global batch stays when the design names one.
    void applyTo(JobSpec& spec) const;
    bool operator==(const Candidate&) const = default;
};

struct Rejection {
    QString reason; ///< "need more memory than a GPU has", ...
    qint64 count = 0;
    bool operator==(const Rejection&) const = default;
};

struct SearchResult {
    qint64 examined = 0; ///< layouts whose memory was computed
    qint64 feasible = 0;
    qint64 folded = 0; ///< of these left out, since they differ from a better one in trifles
    double elapsedSeconds = 0;
    Objective objective = Objective::Recommended;
    bool cancelled = false; ///< what is here is what was found until then
    QString partition; ///< sizes are limited to what this one takes, as the design names it; empty: any
    QString opened; ///< what of the design could not be kept, since nothing fits with it, one sentence; empty: all was
    QStringList notes; ///< what a reader has to know of the order, a sentence each
    QString costOf; ///< what `cost` pays: "the whole training", "10⁹ tokens"
    QString costUnit; ///< "GPU-hours"; empty: not published
    QList<Candidate> candidates; ///< best first, at most `top`
    QList<Candidate> pareto; ///< time against cost, fastest first
    QList<Rejection> rejected; ///< most frequent first
};

/// All layouts of kinds of node x nodes x strategy x tensor x pipeline x context x micro-batch x recomputation x
/// offload within the cluster's and the partition's limits for a design's model, batch and precision. The global batch
/// stays as the design has it; one that a layout cannot split is a rejection. A framework that the design names is
/// kept, and a partition. Where nothing fits with what else is to be kept, the strategy is opened. Pure; one thread; a
/// 70 B model on 256 nodes takes under 100 ms (docs/performance.md). Error: why nothing can be searched (no model).
Result<SearchResult> searchLayouts(const ResolvedSpec& resolved, const BatchPlan& batch, const ClusterProfile& profile,
    const SearchLimits& limits, const CalibrationTable& calibrations = {});

QString toText(Objective objective); ///< "recommended", "time", "cost", "nodes"
std::optional<Objective> objectiveFrom(const QString& text);

} // namespace rankwright::inline planner
