// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/catalogue.h"
#include "models/core/tone.h"
#include "models/planner/design/jobspec.h"

namespace rankwright::inline planner {

/// A design on one card: what people want to know of it before they open it.
struct DesignSummary {
    QString title; ///< its name
    QString cluster; ///< the site's title; the name as written where the catalogue has no such cluster
    QString strategy; ///< "FSDP"; empty: the cluster is not known
    QString gpuWord = QStringLiteral("GPU");
    int nodes = 0; ///< 0: the cluster is not known
    int gpusPerNode = 0;
    int gpusPerPackage = 1;
    int stages = 1; ///< of the pipeline: GPU i of all holds stage i * stages / (nodes * gpusPerNode)
    QString verdict; ///< "Fits"; why nothing is said of it where it names no model
    QString memory; ///< "40.4 of 63.9 GiB"; a range where it is not sure; empty: not known
    Tone tone = Tone::Quiet; ///< of the verdict
    bool operator==(const DesignSummary&) const = default;

    /// "LUMI · 2 nodes · FSDP"
    QString place() const;
};

/// Pure, far below a millisecond: no script, no findings. A design for a cluster that is not in the catalogue gets a
/// summary that says so.
DesignSummary summarise(const JobSpec& spec, const Catalogue& catalogue);

} // namespace rankwright::inline planner
