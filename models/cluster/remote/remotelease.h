// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright::inline cluster {

constexpr int leaseHeartbeatMs = 3000; ///< the lease is 10 s: two may get lost

/// A bash script around the function `work` of a program of resources/remote ("follow-files.sh"), which reads no input
/// and runs in a process group of its own: resources/remote/lease.sh. It ends at end of file, or after 10 s of silence;
/// the line "end" sends the worker SIGUSR1. Ends with the worker's status. A worker that may wait for ever looks itself
/// whether the shell in front of it ($$) still lives: once killed, it cannot end the command.
QString leasedProgram(const QString& file);

} // namespace rankwright::inline cluster
