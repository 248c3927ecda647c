// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/fakeshell.h"

#include "models/cluster/slurm/jobrecord.h"

namespace rankwright::test {

/// One record of squeue as queueCommand() asks for it (control characters between records and cells).
QByteArray squeueRecord(const JobRecord& job);
/// Answer to findCommand(): the queue without the token, an accounting without it.
QByteArray nothingFound();
/// Answer to findCommand(): a job that carries the token.
QByteArray foundInQueue(const JobId& id, const QString& token);
/// Answer to jobCommand() for a job in the queue.
QByteArray jobPage(const JobRecord& job);

/// sbatch --test-only's line on stderr, as in sbatch(1).
FakeShell::Reply rehearsedWell();
Error linkLost();

} // namespace rankwright::test
