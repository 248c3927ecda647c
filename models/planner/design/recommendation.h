// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/searchrank.h"

namespace rankwright::inline planner {

// The one recommended layout: what search lists first, advise says, the Plan page marks, and an open design becomes.

/// GPUs that do less than this share of what those of the best small layout do are not worth their price.
inline constexpr double worthItsGpus = 0.5;

/// Layouts up to this multiple of the smallest one's GPUs count as small: the smallest is often short of memory, and
/// recomputes what the next larger one does not.
inline constexpr int smallSizes = 4;

/// Speed of one GPU in the best of the small layouts of each kind of node; offloading counts where nothing else fits.
std::vector<double> smallestSpeeds(const SearchFinds& finds);

/// A stack that splits layers replaces the user's program: worth it if it is faster and cheaper by this share,
/// unless the design names the stack or starts its program.
inline constexpr double ownProgramIsWorth = 0.25;

/// Index of the recommended layout; empty: nothing was found. Of each usual size it looks at the simplest way that is
/// at most 15 % slower than the fastest there. Of those with an efficiency of at least 50 % and a step under a minute
/// (or two, five, ten, where the machine cannot do it) it takes the cheapest, among sizes up to four times the smallest
/// such; and as many GPUs of its node as raise the price by less than a fifth. `programIsWorth`: 0 asks what it would
/// be without a charge for another program.
std::optional<std::size_t> recommendedOf(
    const SearchFinds& finds, const std::vector<double>& smallest, double programIsWorth = ownProgramIsWorth);

/// Whether larger sizes than `nodes` cannot be recommended any more: four times a smaller one that is good enough.
bool isDecided(const SearchFinds& finds, int kind, int nodes);

/// The recommended layout for what a design leaves open, all that it names kept, by published figures. Remembers the
/// designs asked about last. `soFar`: what the site alone says of it. Empty: nothing fits, or the design names no model
/// that is known.
std::optional<Candidate> recommendedFor(const ResolvedSpec& soFar, const ClusterProfile& profile);

} // namespace rankwright::inline planner
