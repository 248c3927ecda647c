// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planning/designestimate.h"

#include <QElapsedTimer>

#include <atomic>

namespace rankwright {

/// What the ranking puts first.
enum class Objective { Time, Cost, Nodes };

struct SearchLimits {
    int maxNodes = 0; ///< 0: what the partition allows
    Objective objective = Objective::Time;
    int top = 50; ///< candidates kept
    const std::atomic_bool* cancelled = nullptr; ///< looked at now and then; may be null
};

/// One layout of the search.
struct Candidate {
    Strategy strategy = Strategy::Ddp;
    QString stack;
    Layout layout;
    Recompute recompute = Recompute::None;
    Offload offload = Offload::None;
    double memoryBytes = 0; ///< of the worst rank, as the vendor tool would show it
    double usableBytes = 0;
    FitVerdict verdict = FitVerdict::Fits;
    double stepSeconds = 0;
    double tokensPerSecond = 0; ///< of the whole job; samples where a sample has no tokens
    double mfu = 0;
    std::optional<double> cost; ///< in the site's unit, for `costOf`; empty: the site publishes no formula
    bool pareto = false; ///< none is both faster and cheaper
    QString why; ///< one sentence

    /// Writes this layout into a design: one edit.
    void applyTo(JobSpec& spec) const;
};

struct Rejection {
    QString reason; ///< "does not fit in memory", "heads not divisible by tensor ranks", ...
    qint64 count = 0;
};

struct SearchResult {
    qint64 examined = 0;
    qint64 feasible = 0;
    double elapsedSeconds = 0;
    QString costOf; ///< what `cost` pays: "the whole training", "1 000 steps"
    QString costUnit; ///< "GPU-hours"
    QList<Candidate> candidates; ///< best first, at most `top`
    QList<Candidate> pareto; ///< time against cost, fastest first
    QList<Rejection> rejected; ///< most frequent first
    std::optional<Error> fault; ///< why nothing could be searched (no model)
};

/// All layouts of nodes x strategy x tensor x pipeline x context x micro-batch x recomputation x offload within the
/// cluster's and the partition's limits for a design's model, batch and precision. The global batch stays as the design
/// has it; one that a layout cannot split is a rejection. Pure; one thread; a 70 B model on 256 nodes takes under 100
/// ms.
SearchResult searchLayouts(const ResolvedSpec& resolved, const BatchPlan& batch, const ClusterProfile& profile,
    const SearchLimits& limits, const CalibrationTable& calibrations = {});

} // namespace rankwright
