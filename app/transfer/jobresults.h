// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/transfer/remotefiles.h"
#include "models/cluster/slurm/jobrecord.h"

namespace rankwright {

/// A file that a job left.
struct JobResultFile {
    enum class Kind { Output, Checkpoint, Other };
    Kind kind = Kind::Other;
    QByteArray folder; ///< absolute
    QByteArray path; ///< below it
    qint64 size = 0;
    qint64 modified = 0; ///< seconds since 1970
};

/// By its name: what PyTorch, Lightning, DeepSpeed, Megatron and Hugging Face save ("model.pt", "checkpoint-500/…",
/// "global_step100/…", "iter_0000100/…").
bool looksLikeCheckpoint(const QByteArray& path);

/// What a job wrote: its output files, and what was changed in its folder since it began, three levels deep; outputs
/// first, then checkpoints, newest first. Error: neither the job's folder nor its output is known.
void askJobResults(RemoteShell& shell, const JobRecord& job, QObject* guard, Then<QList<JobResultFile>> then);

} // namespace rankwright
