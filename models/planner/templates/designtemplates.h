// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/planner/design/jobspec.h"

namespace rankwright::inline planner {

/// A beginning: an ordinary design for one cluster. What only the user knows, the account first of all, stays open; so
/// does the program in the template for a script of one's own.
struct DesignTemplate {
    QString id; ///< stable: "whole-node"
    QString title; ///< in the site's words: "One GCD, first try"
    QString summary; ///< what came out for this cluster: "DDP · torchrun · 8 GCDs"; empty where it is not offered
    QString whyNot; ///< why it is not offered on this cluster, one sentence; empty: it is
    JobSpec spec; ///< complete where it is offered
    bool isOffered() const { return whyNot.isEmpty(); }
};

/// Of all templates, in the order in which they are shown.
QStringList templateIds();

/// A template for a cluster, in the first of its partitions that takes such a job and, where the template names a
/// model, on whose GPUs it fits or probably fits. In: an id of templateIds(). Pure; a few milliseconds at most.
DesignTemplate designTemplate(const QString& id, const ClusterProfile& profile);
QList<DesignTemplate> designTemplates(const ClusterProfile& profile);

} // namespace rankwright::inline planner
