// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/tables/gpugridmodel.h"

#include <QList>

namespace rankwright {

/// A GPU (for power: a package, named by its first GPU) that is clearly different from its peers.
struct Standout {
    GpuAddress gpu;
    Measure measure = Measure::Utilization;
    double value = 0; ///< mean of the last 10 s
    double typical = 0; ///< median of the peers' means
    int peers = 0; ///< how many were compared
    bool operator==(const Standout&) const = default;
};

/// Which GPUs of the job differ from the others.
///
/// The rule, for utilisation per GPU and for power per package:
///  1. Judged is the mean of the last 10 s, of those that sent at least 5 values: GPU figures swing within a step, and
///     only longer means tell a late rank from a moment's difference. At least 4 must be judged.
///  2. A GPU stands out when it is further from the median than 25 points of utilisation, or 15 % of the power cap
///     (75 W of an MI250X's 500 W; without a told cap 30 % of the median), AND further than four robust standard
///     deviations (1.4826 x median absolute deviation). The first keeps small differences quiet, the second a job whose
///     GPUs differ by nature.
///  3. When more than a quarter would stand out there are two groups, not an exception: nobody does. Pipeline stages or
///     a node that is gone look like this.
/// Stale GPUs are no peers. A healthy run gives an empty list.
QList<Standout> findStandouts(const GpuGridModel& grid);

/// Mean over the last 10 s of one GPU; empty with fewer than 5 values.
std::optional<double> recentMean(const GpuGridModel& grid, GpuAddress address, Measure measure);

} // namespace rankwright
