// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/design/resolve.h"

namespace rankwright {

/// What the job takes from a purse, by the site's own formula.
struct CostQuote {
    struct Purse {
        QString purse; ///< empty for a site's only purse
        QString unit;
        double amount = 0; ///< for the whole time limit
        double perHour = 0;
        double gpuShare = 0, coreShare = 0, memoryShare = 0; ///< billed units by share, per hour, before max/sum
        QString decidedBy; ///< "gpus", "cores", "memory", "nvme", "nodes"
        QString source;
        bool operator==(const Purse&) const = default;
    };
    std::optional<QList<Purse>> purses; ///< empty: the site publishes no formula
    QString advice; ///< the next cheaper request, or empty
    bool operator==(const CostQuote&) const = default;
};

CostQuote quoteCost(const ResolvedSpec& resolved, const ClusterProfile& profile);
/// Slices are counted over the whole allocation, memory in GiB, time as given (sites bill the actual run time).
/// The same for a given wall time and request (billing cases; runs that ended early).
CostQuote quoteCost(const ClusterProfile& profile, const QString& partition, int nodes, int gpusPerNode,
    int coresPerNode, Bytes memoryPerNode, double hours, double nvmeGibPerNode = 0);

} // namespace rankwright
