// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace rankwright::inline cluster {

/// One term of a billing formula: weight * ceil(amount / per).
struct BillingTerm {
    enum class Of { Gpus, Cores, MemoryGib, NvmeGib, Nodes };
    Of of = Of::Gpus;
    double weight = 1;
    std::optional<double> per; ///< ceil(amount / per) when set, else the amount itself
    bool operator==(const BillingTerm&) const = default;
};

/// amount = hours * factor * (max or sum of terms), for the partitions it names (empty: all).
struct BillingRule {
    enum class Combine { Max, Sum };
    QStringList partitions;
    bool elsewhere = false; ///< the names are partitions that the file does not describe (CPU nodes)
    QString billingAccount; ///< empty when a site has one billing account only
    QString unit; ///< "GPU-hours", "GPU BU"
    double factor = 1;
    Combine combine = Combine::Max;
    QList<BillingTerm> terms;
    QString source;
    QString note = {};
    bool operator==(const BillingRule&) const = default;
};

/// What files cost: amount = hours * weight * max(0, size - freeSize), sizes in `sizeUnit`.
struct StoragePrice {
    QString place; ///< "scratch", "LUMI-F"
    QString billingAccount; ///< empty when the site has one billing account only
    QString unit; ///< "TB-hours", "Storage BU"
    QString sizeUnit; ///< "TB" or "TiB": the unit in which the site counts
    double weight = 1;
    double freeSize = 0; ///< not billed, in sizeUnit
    QString source;
    bool operator==(const StoragePrice&) const = default;
};

/// Where the ranks of a job that owns its nodes come to run when Slurm starts one for each GPU.
struct BindingDefaults {
    bool bySlurm = false; ///< Slurm itself puts each rank beside its GPU: no masks are needed
    bool contiguousCores = false; ///< Slurm gives local rank i the i-th share of cores, in order
    QList<int> gpuOrder; ///< GPU of local rank 0, 1, ...; empty: rank i has GPU i
    std::optional<int> soleGpu; ///< GPU of a node's only rank, where it differs from gpuOrder
    QString reason; ///< in words, shown with the answer
    QString source;
    bool operator==(const BindingDefaults&) const = default;
};

} // namespace rankwright::inline cluster
