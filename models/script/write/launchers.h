// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/write/bindingoptions.h"
#include "models/script/write/commandplan.h"
#include "models/script/write/environmentplan.h"
#include "models/script/write/scriptbuilder.h"
#include "models/script/write/trainerconfig.h"

namespace rankwright::inline script {

/// What the last part of a script is made from.
struct LaunchPlan {
    const ResolvedSpec& resolved;
    const ClusterProfile& profile;
    BindingOptions binding;
    EnvironmentPlan environment;
    CommandPlan command;
    TrainerPlan trainer;
};

LaunchPlan planLaunch(const ResolvedSpec& resolved, const ClusterProfile& profile);

/// Whether the launch line of the design's launcher can be written; else the reason why not, one sentence.
QString launchProblem(const ResolvedSpec& resolved);
/// Why there is nothing to launch: the command, the arguments of a continuation, or the launcher; empty: all is well.
QString launchObstacle(const LaunchPlan& plan);

/// Where the ranks meet: MASTER_ADDR and MASTER_PORT in the batch shell (R09-R15); nothing for one process.
void writeRendezvous(ScriptBuilder& builder, const LaunchPlan& plan);
/// CPU masks as a variable, when there are any.
void writeMasks(ScriptBuilder& builder, const LaunchPlan& plan);
/// The one srun line, and what follows when the job queues itself again at its time limit.
void writeLaunch(ScriptBuilder& builder, const LaunchPlan& plan);
/// Whether parts of the launch line are inside the task's shell, which sees exported variables only.
bool expandsInTask(const LaunchPlan& plan);

} // namespace rankwright::inline script
