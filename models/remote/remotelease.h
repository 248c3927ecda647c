// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright {

constexpr int leaseHeartbeatMs = 3000; ///< the lease is 10 s: two may get lost

/// A bash script around a function `work` (defined by `functions`), which reads no input and runs in a process group of
/// its own. The shell in front of it only waits for lines on its stdin: end of file, or 10 s of silence, end both, even
/// when the worker is stuck in a full pipe. The line "end" sends the worker SIGUSR1. Ends with the worker's status.
/// A worker that may wait for ever looks itself whether that shell ($$) still lives: killed, it can end nobody.
QString leasedScript(const QString& functions);

} // namespace rankwright
