// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/cluster/login/loginsteps.h"
#include "models/cluster/remote/remotecommand.h"

namespace rankwright::inline cluster {

// What is asked on the cluster after a first login, and what the answers mean. Pure; nothing asked here changes
// anything there, but for a file in scratch that is removed at once.

/// Does a shell without a person print or exit by itself? Not fenced: what start-up files print is the question.
RemoteCommand startUpProbe();
StepOutcome readStartUp(const CommandOutcome& answer);

RemoteCommand slurmProbe();
StepOutcome readSlurm(const CommandOutcome& answer);

/// Slurm accounts of the user on this cluster alone (sacctmgr(1), show assoc).
RemoteCommand accountProbe();
/// `accounts` receives their names.
StepOutcome readAccounts(const CommandOutcome& answer, QStringList* accounts);

/// Where the catalogue says, once per account where its name is in the path; else $SCRATCH and $WORK.
RemoteCommand scratchProbe(const QString& scratch, const QStringList& accounts);
StepOutcome readScratch(const CommandOutcome& answer);

/// The container that jobs use here, else Python with the modules of the entry.
RemoteCommand softwareProbe(const ClusterProfile& profile);
StepOutcome readSoftware(const CommandOutcome& answer, const ClusterProfile& profile);

} // namespace rankwright::inline cluster
