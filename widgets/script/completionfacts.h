// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/cluster/slurm/clusternames.h"
#include "models/cluster/slurm/jobrecord.h"

#include <optional>

namespace rankwright {

/// A name that the cluster knows, with what is said of it.
struct NamedValue {
    QString name;
    QString note; ///< one line; may be empty
    bool operator==(const NamedValue&) const = default;
};

/// Names that can be offered while a script is typed.
struct CompletionFacts {
    QList<NamedValue> partitions;
    QList<NamedValue> accounts;
    QList<NamedValue> gres; ///< as after --gres=: "gpu:mi250:8"
    QList<NamedValue> gpuCounts; ///< as after --gpus-per-node=: "8"
    QList<NamedValue> constraints;
    QList<NamedValue> reservations;
    QList<NamedValue> qos;
    QList<NamedValue> modules;
    QList<NamedValue> images; ///< container images
    bool operator==(const CompletionFacts&) const = default;
};

/// From what is published of a cluster, and from what the connected cluster itself reported, which comes first and
/// wins.
CompletionFacts completionFacts(
    const ClusterProfile& profile, const std::optional<ClusterFacts>& live, const std::optional<ClusterNames>& names);

} // namespace rankwright
