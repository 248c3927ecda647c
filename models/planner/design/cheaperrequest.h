// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/resolve.h"

namespace rankwright::inline planner {

/// The smallest change of a request that lowers its price.
struct CheaperRequest {
    QString text; ///< one sentence with both figures
    QString label; ///< of the button that applies it: "Use 8 cores for each GCD"
    double perHour = 0; ///< billed units per hour after the change
    bool keepsGpus = true; ///< false: only fewer GPUs or nodes make it cheaper
    bool advised = false; ///< the dear part is more than the share of the GPUs: worth saying without being asked
    // What changes; the rest of the design stays.
    std::optional<QString> partition;
    std::optional<int> nodes;
    std::optional<int> gpusPerNode;
    std::optional<int> cpusPerGpu;
    std::optional<Bytes> memoryPerNode;
    bool operator==(const CheaperRequest&) const = default;

    void applyTo(JobSpec& spec) const;
};

/// The next cheaper request: fewer cores, less memory or both; else another partition; else fewer GPUs. Empty when
/// nothing smaller exists.
std::optional<CheaperRequest> cheaperRequest(
    const BillingRule& rule, const ResolvedSpec& resolved, const ClusterProfile& profile);

} // namespace rankwright::inline planner
