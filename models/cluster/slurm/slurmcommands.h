// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotecommand.h"
#include "models/cluster/slurm/slurmclient.h"

namespace rankwright::inline cluster {

// Every question to Slurm as a value. All ask for named columns between control characters (never the tables made for
// people), in UTC, and work with Slurm 20.11 to 26.05: no --json. One command is one round trip, whatever it asks.
// docs/slurm.md shows them in full.

RemoteCommand discoverCommand();
RemoteCommand queueCommand();
/// squeue and scontrol, and sacct when the job has left the queue or failed.
RemoteCommand jobCommand(const JobId& id);
/// All tasks of an array, one by one: squeue and sacct.
RemoteCommand tasksCommand(const JobId& id);
RemoteCommand historyCommand(int days);
/// sacct with what jobs and their steps used; at most a few hundred ids, checked by the caller.
RemoteCommand usageCommand(const QList<JobId>& ids);
/// How many processes on the login node are still submitting it; squeue, then sacct only when the queue does not have
/// the token.
RemoteCommand findCommand(const SubmissionToken& token);
/// Which of these jobs has the token in its script, for those whose comment a site has replaced while the accounting
/// does not list them (held, not yet eligible): a line "ID found", or for each whose script Slurm does not give "ID
/// WHY".
RemoteCommand scriptsCommand(const QList<JobId>& ids, const SubmissionToken& token);
RemoteCommand cancelCommand(const JobId& id);

/// What is wrong with an id that is none; empty: it is one.
std::optional<Error> jobIdFault(const QString& text);
/// Is this a job id as Slurm writes it ("123", "123_4", "123_[5-9]", "123+1", a SLUID)? Anything else is never sent.
bool isJobId(const QString& text);
/// "s" and 13 digits of Crockford's base 32: a job's word since 25.11, which commands of 26.05 take in place of its
/// number (Slurm's src/common/sluid.h).
bool isSluid(const QString& text);

/// Number of cells in one record of squeueFormat.
inline constexpr int squeueCells = 17;

} // namespace rankwright::inline cluster
