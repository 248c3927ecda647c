// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/layoutsearch.h"
#include "models/planner/estimate/scalingcurve.h"
#include "models/script/document/design.h"
#include "widgets/plan/paretoplot.h"
#include "widgets/plan/speedupplot.h"

namespace rankwright {

// What the Plan page shows, worked out of a search and a design: pure functions.

/// Points of the time-cost plot.
struct PlotFigures {
    QList<PlotPoint> points; ///< one for each layout; `current` and `summary` are the caller's
    std::optional<PlotPoint> here; ///< the design itself, for when no layout of the search is it
    QString costLabel;
};
/// Where the site publishes no prices, the cost is GPU-hours for 1 000 steps.
PlotFigures plotFigures(const SearchResult& result, const Derived& derived);

/// The expected curve with the band of the design's own step time.
SpeedupData speedupFigures(const ScalingCurve& curve, const Derived& derived);

/// Whether a design is this layout already.
bool isLayoutOf(const Derived& derived, const Candidate& layout);

/// "Llama 3 8B on LUMI"
QString planTitle(const Derived& derived);
/// "84 210 looked at in 61 ms, the best 200 shown"
QString searchCaption(const SearchResult& result);
/// "Ruled out: 60 112 need more memory than a GPU has · ..."; empty: none.
QString rejectionLine(const SearchResult& result);
/// "FSDP on 2 nodes (16 GCDs), 16-way data parallel"
QString layoutName(const Candidate& layout, const QString& gpuWord);
/// What a layout is, what it would change, and why it is where it does.
QString layoutSummary(const Candidate& layout, const SearchResult& result, const Derived& derived);

} // namespace rankwright
