// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/cost.h"

namespace rankwright::inline planner {

// Inside of quoteCost(): the formula on plain figures, used for the quote and for the search of a cheaper request.

/// What the formula looks at; all but `nodes` for one node.
struct CostRequest {
    QString partition;
    int nodes = 1;
    int gpus = 0;
    int cores = 0;
    double memoryGib = 0;
    double nvmeGib = 0;
};

/// What the job is given: whole nodes where the partition gives nothing less.
CostRequest allocationOf(const ResolvedSpec& resolved);
/// The rules of a partition, one for each billing account, in the order of the file.
QList<const BillingRule*> rulesFor(const ClusterProfile& profile, const QString& partition);
CostQuote::Share shareOf(const BillingTerm& term, const BillingRule& rule, const CostRequest& request);
double pricePerHour(const BillingRule& rule, const CostRequest& request);

} // namespace rankwright::inline planner
