// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/commandplan.h"
#include "models/script/environmentplan.h"
#include "models/script/scriptbuilder.h"

namespace rankwright {

/// What the last part of a script is made from.
struct LaunchPlan {
    const ResolvedSpec& resolved;
    const ClusterProfile& profile;
    EnvironmentPlan environment;
    CommandPlan command;
    QStringList masks; ///< one per local rank; empty: no binding
    QString maskNote; ///< cores in words, for the comment
};

/// Masks of the local ranks, empty when the launch line must not carry any (R20): shared node, agent, map unknown.
void planMasks(LaunchPlan& plan);

/// Whether this version can write the launch line of the design's launcher; else the reason why not.
QString launchProblem(const ResolvedSpec& resolved);

/// Where the ranks meet: MASTER_ADDR and MASTER_PORT in the batch shell (R09-R15); nothing for one process.
void writeRendezvous(ScriptBuilder& builder, const LaunchPlan& plan);
/// CPU masks as a variable, when there are any.
void writeMasks(ScriptBuilder& builder, const LaunchPlan& plan);
/// The one srun line.
void writeLaunch(ScriptBuilder& builder, const LaunchPlan& plan);

} // namespace rankwright
