// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/cheaperrequest.h"

namespace rankwright::inline planner {

/// What the job takes from a billing account, by the site's own formula.
struct CostQuote {
    /// One term of the formula with this job's figures.
    struct Share {
        BillingTerm::Of of = BillingTerm::Of::Gpus;
        double asked = 0; ///< of the whole job: GPUs, cores, GiB, nodes
        double slices = 0; ///< what is counted of it; equals `asked` where nothing is rounded up
        std::optional<double> per; ///< size of a slice
        double perHour = 0; ///< billed units per hour by this term alone
        bool operator==(const Share&) const = default;
    };
    struct BillingAccount {
        QString billingAccount; ///< empty for a site's only billing account
        QString unit;
        double amount = 0; ///< for the whole time limit
        double perHour = 0;
        bool summed = false; ///< the shares add up; else the largest one is billed
        QList<Share> shares; ///< in the order of the formula
        std::optional<BillingTerm::Of> decidedBy; ///< the largest share; empty: the formula counts nothing
        QString source;
        bool operator==(const BillingAccount&) const = default;

        /// Billed units per hour by GPUs, cores, ...; empty: the formula does not count them.
        std::optional<double> share(BillingTerm::Of of) const;
    };
    std::optional<QList<BillingAccount>> billingAccounts; ///< empty: the site publishes no formula
    std::optional<CheaperRequest> cheaper; ///< by the first billing account; empty: no smaller request costs less
    QString advice; ///< cheaper->text when it is worth saying unasked, else empty
    bool operator==(const CostQuote&) const = default;
};

/// "gpus", "cores", "memory", "nvme", "nodes": the words of the headless answers.
QString toText(BillingTerm::Of of);
/// What is counted, in words for people: "GCDs", "cores". `gpuWord`: the site's word for one GPU.
QString billedText(BillingTerm::Of of, const QString& gpuWord);

CostQuote quoteCost(const ResolvedSpec& resolved, const ClusterProfile& profile);
/// Slices are counted over the whole allocation, memory in GiB, time as given (sites bill the actual run time).
/// The same for a given wall time and request (billing cases; runs that ended early).
CostQuote quoteCost(const ClusterProfile& profile, const QString& partition, int nodes, int gpusPerNode,
    int coresPerNode, Bytes memoryPerNode, double hours, double nvmeGibPerNode = 0);

/// One line for each share: what was asked, what is counted, what it costs. "memory: 128 GiB count as 2 slices of 64
/// GiB, 1 GPU-hours".
QStringList explainShares(const CostQuote::BillingAccount& billingAccount, const QString& gpuWord);

/// What a job takes from a budget of `budget` units.
struct BudgetShare {
    double percent = 0; ///< of the budget, when the whole time limit is used
    std::optional<double> jobs; ///< such jobs that the budget pays, whole ones; empty: the job costs nothing
    std::optional<double> hours; ///< that this request could run without pause
    bool operator==(const BudgetShare&) const = default;
};
/// Empty when the budget is not above 0.
std::optional<BudgetShare> budgetShare(const CostQuote::BillingAccount& billingAccount, double budget);

} // namespace rankwright::inline planner
