// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotecommand.h"
#include "models/insight/log/outputfiles.h"

namespace rankwright {

/// Asks where a job's errors go and for its batch script, in one command: the answer to outputFilesOf(). Of a job that
/// the controller has forgotten: its script from the accounting, where the site stores it, and which files in its
/// folder have its number in their name.
RemoteCommand outputQuestion(const JobRecord& job);

/// Every file that the job is known to write: its output and errors, files for each task (srun --output, --error) and
/// for each worker (torchrun --log-dir with --redirects or --tee). `answer` is that of outputQuestion(), or empty.
QList<OutputFile> outputFilesOf(const JobRecord& job, const QByteArray& answer = {});

/// The job's batch script in the answer of outputQuestion(); empty: the cluster does not have it.
QByteArray scriptIn(const QByteArray& answer);

/// Where the job's output is, also when Slurm no longer reports: by the script that it was submitted with, else by
/// sbatch's own name for it; empty when the folder is not known either.
QString outputPathOf(const JobRecord& job, const QByteArray& script);

} // namespace rankwright
