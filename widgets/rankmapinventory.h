// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/rankmaplayout.h"

namespace rankwright {

/// The node as boxes to fill: which dies are in which package.
struct RankMapInventory {
    static constexpr int mostCoresDrawn = 24; ///< of one die: beyond, squares say less than their number
    static constexpr int coreColumns = 4;

    QList<RankMapLayout::Package> packages;
    QList<RankMapLayout::Die> dies;
    int diesPerPackage = 1;
    int coreRows = 0; // of the richest die; 0: no map
    bool outerLinks = false;
    bool published = false;
};
RankMapInventory takeRankMapInventory(const NodeShape& shape);

} // namespace rankwright
