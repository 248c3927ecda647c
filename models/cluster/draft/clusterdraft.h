// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/cluster/draft/clustersurvey.h"

namespace rankwright::inline cluster {

/// Something in a drafted entry that a person should look at.
struct DraftDoubt {
    QString place; ///< path in the cluster file: "$.nodes[0].gpu.memory"
    QString text; ///< what was taken, why it is not certain, what to do
    bool operator==(const DraftDoubt&) const = default;
};

struct ClusterDraft {
    ClusterProfile profile;
    QList<DraftDoubt> doubts;
};

/// What a person says of the new entry.
struct DraftRequest {
    QString name; ///< key and file name: small letters, digits, '-', '_', '.'
    LoginRule login; ///< how this connection was made
    QString day; ///< ISO date of today, for the sources
};

/// Is this a name that an entry and its file can have?
bool isClusterName(const QString& name);

/// Drafts an entry from what a cluster's own Slurm says. What Slurm does not know (memory and peaks of a GPU, maps,
/// links, network, prices, containers) is taken over from an entry of `known` with the same GPU type, as a doubt, or
/// stays "not published". Pure.
ClusterDraft draftCluster(const ClusterSurvey& survey, const DraftRequest& request, const QList<ClusterProfile>& known);

} // namespace rankwright::inline cluster
